//! Joining: documents with equal band keys become candidate pairs, and candidates verified edges.
//!
//! Band by band, keys are sorted and runs of equal ones are buckets. A bucket of a few documents
//! yields all its pairs. A *giant* bucket (a licence, an error page, an empty form) would yield
//! its square: instead, its members are put in the order of their keys in the next two bands, so that
//! those which agree there, too, are neighbours, and each is linked to its neighbour (a chain) and to
//! a few members spread over the bucket (stars). Clusters of real duplicates stay connected by these
//! links, as each of their bands puts them next to each other by other keys; pairs without a link
//! are lost unless another band has them, so giants are named.
//!
//! [`entry`], [`all_pairs`] and [`Links`] are also what a join of more documents than fit into memory
//! is made of; it finds the same pairs.
//!
//! Cost: O(b n log n) time for sorting and at most `bucket / 2 + representatives + 2` pairs for each
//! document and band; memory for one band's keys and the different pairs.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Still, not very easy …": ID–ID
//! pairs formed and merged. Departs from it: pairs share bands, not shingles; giants; verification.

use std::cmp::Reverse;

use super::DocIdx;
use super::bands::Bands;
use super::verify::{self, Threshold};
use crate::gram::Multiset;
use crate::hash::mix::mix;
use crate::sketch::registers::EMPTY;

/// Which buckets are giants, and how these are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Documents from which on a bucket does not yield all pairs.
    pub giant: usize,
    /// Members that every other one is linked to.
    pub representatives: usize,
}

impl Limits {
    /// Giants from 256 documents on, with 4 representatives.
    ///
    /// On 22,552 real documents (November 2026) with buckets of up to 340, giants from 64 on left
    /// 46 % of the pairs above .5 and 36 % of those above .7 as edges of their own, from 256 on 99.7 and
    /// 100 %; clusters were the same for giants from 32 on and for none, and so was the time, within 40 ms.
    pub const fn standard() -> Limits {
        Limits { giant: 256, representatives: 4 }
    }
}

/// What sharing bands yields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Different pairs, the lower document first, ascending.
    pub pairs: Vec<(DocIdx, DocIdx)>,
    /// Buckets that did not yield all their pairs: the largest first, then by key.
    pub giants: Vec<Giant>,
}

/// A bucket too large for all its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Giant {
    /// The key that its documents share, and its band in one: [`banded`].
    pub key: u64,
    /// How many they are.
    pub n_documents: u32,
    /// The first of them, to show as an example.
    pub first: DocIdx,
}

impl Giant {
    /// The order of a list of giants: the largest first, then by key.
    pub fn order(&self) -> (Reverse<u32>, u64) {
        (Reverse(self.n_documents), self.key)
    }
}

/// A verified pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The lower document.
    pub a: DocIdx,
    /// The higher.
    pub b: DocIdx,
    /// Shingles that both have.
    pub n_common: u32,
    /// Exact, in `0..=1`.
    pub resemblance: f64,
}

/// The pairs of documents that agree in enough bands.
///
/// `keys` holds one row of `bands.bands()` keys a document, one after another, as [`Bands::keys`]
/// appends them. Empty documents pair with nothing.
///
/// # Panics
/// If `keys` is not made of whole rows, or of more than 2^32.
pub fn candidates(keys: &[u64], bands: Bands, limits: &Limits) -> Candidates {
    let n_bands = bands.bands();
    assert!(keys.len().is_multiple_of(n_bands), "a row of {n_bands} keys for each document");
    let n_documents = DocIdx::try_from(keys.len() / n_bands).expect("fewer than 2^32 documents");
    let (mut pairs, mut giants) = (Multiset::default(), Vec::new());
    let mut entries: Vec<u128> = Vec::new();
    for band in 0..n_bands {
        let rows = (0..n_documents).zip(keys.chunks_exact(n_bands));
        entries.clear();
        entries.extend(rows.filter_map(|(document, row)| entry(document, row, band)));
        entries.sort_unstable();
        let shared = entries.chunk_by(|&x, &y| key_of(x) == key_of(y));
        for bucket in shared.filter(|bucket| bucket.len() > 1) {
            let members: Vec<u64> = bucket.iter().map(|&entry| member_of(entry)).collect();
            if members.len() < limits.giant {
                all_pairs(&members).for_each(|pair| pairs.push(pair));
            } else {
                let lowest = (0..members.len()).min_by_key(|&place| members[place] as DocIdx);
                let lowest = lowest.expect("more than one");
                let (first, n_documents) = (members[lowest] as DocIdx, members.len() as u32);
                giants.push(Giant { key: key_of(bucket[0]), n_documents, first });
                let links = Links::new(members.len(), limits.representatives, lowest);
                for (place, &member) in members.iter().enumerate() {
                    let link = |other: usize| link(member, members[other], bands.needed());
                    links.of(place).flat_map(link).for_each(|pair| pairs.push(pair));
                }
            }
        }
    }
    giants.sort_unstable_by_key(Giant::order);
    let often = pairs.into_counts().into_iter().filter(|&(_, n)| n as usize >= bands.needed());
    Candidates { pairs: often.map(|(pair, _)| unpack(pair)).collect(), giants }
}

/// A band's key, made different from the same key of other bands.
#[inline]
pub fn banded(key: u64, band: usize) -> u64 {
    key ^ mix(band as u64)
}

/// A document with one of its keys as a number, so that sorting makes buckets: by [banded] key, in a
/// bucket by the document's keys in the next two bands, and by document; `None` for an empty one.
///
/// Of the next key there are 20 bits and of the one after it 12, enough to set a group of duplicates
/// apart in a bucket of a million.
///
/// # Panics
/// If the row has no such band.
#[inline]
pub fn entry(document: DocIdx, row: &[u64], band: usize) -> Option<u128> {
    // What one band has none of, two documents do not agree in.
    let or_own = |key: u64| if key == EMPTY { !u64::from(document) } else { key };
    let after = |n: usize| mix(or_own(row[(band + n) % row.len()]));
    let standing = (after(1) >> 44) << 12 | after(2) >> 52;
    let key = u128::from(banded(row[band], band));
    (row[band] != EMPTY).then(|| key << 64 | u128::from(standing) << 32 | u128::from(document))
}

/// The key of an [`entry`]: equal in a bucket.
#[inline]
pub fn key_of(entry: u128) -> u64 {
    (entry >> 64) as u64
}

/// What an [`entry`] has beside its key: the document, in the lower half, and its order in a bucket.
#[inline]
pub fn member_of(entry: u128) -> u64 {
    entry as u64
}

/// All pairs of a bucket of [members](member_of), [packed](pack).
pub fn all_pairs(members: &[u64]) -> impl Iterator<Item = u64> {
    let rest = |i: usize| members[i + 1..].iter();
    let document = |i: usize| members[i] as DocIdx;
    (0..members.len()).flat_map(move |i| rest(i).map(move |&b| pack(document(i), b as DocIdx)))
}

/// The link of two members of a giant bucket, [packed](pack), as often as it counts.
///
/// That is once, for the bucket's band. But where members are seen to agree in the next bands, too, and
/// these are `needed` in all, it counts as them: those bands' buckets, being giants as well, may not
/// have this link.
pub fn link(a: u64, b: u64, needed: usize) -> impl Iterator<Item = u64> {
    let differing = (a ^ b) >> 32;
    let known = match differing {
        0 => 3,
        1..=0xfff => 2,
        _ => 1,
    };
    let times = if known >= needed { needed } else { 1 };
    std::iter::repeat_n(pack(a as DocIdx, b as DocIdx), times)
}

/// Which members of a giant bucket are linked, by their places in its order.
#[derive(Debug, Clone)]
pub struct Links {
    n_members: usize,
    representatives: Vec<usize>,
}

impl Links {
    /// Each member is linked to the next, to `n_representatives` spread over the bucket, and to the
    /// one at the place `lowest`.
    ///
    /// That is where the lowest document is: the same one for most buckets of a group of duplicates, so
    /// that clusters around centres do not fall apart. Of 200,000 documents that
    /// differ in one word of 200, spread representatives alone left 31,450.
    pub fn new(n_members: usize, n_representatives: usize, lowest: usize) -> Links {
        let n = n_representatives.min(n_members);
        let mut representatives: Vec<usize> = (0..n).map(|i| i * n_members / n).collect();
        if let Err(at) = representatives.binary_search(&lowest) {
            representatives.insert(at, lowest);
        }
        Links { n_members, representatives }
    }

    /// Places that every other one is linked to, ascending.
    pub fn representatives(&self) -> &[usize] {
        &self.representatives
    }

    /// Where the links of a place lead: to representatives, and to the next place. Each link is
    /// told once, at one of its ends: one that chain and stars both had would count as two bands.
    pub fn of(&self, place: usize) -> impl Iterator<Item = usize> {
        let next = (place + 1 < self.n_members).then_some(place + 1);
        let is_star = self.representatives.binary_search(&place).is_ok();
        let stars = self.representatives.iter().copied();
        stars
            .filter(move |&star| star.abs_diff(place) > 1 && !(is_star && star < place))
            .chain(next)
    }
}

/// A pair as one number that orders as the pair does.
#[inline]
pub fn pack(a: DocIdx, b: DocIdx) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// The pair of a number, the lower document first.
#[inline]
pub fn unpack(pair: u64) -> (DocIdx, DocIdx) {
    ((pair >> 32) as DocIdx, pair as DocIdx)
}

/// The pairs that reach the threshold, in their order; `sets` by document, each ascending.
///
/// # Panics
/// If a pair names a document that has no set.
pub fn verified<S: AsRef<[u64]>>(
    pairs: &[(DocIdx, DocIdx)],
    sets: &[S],
    threshold: Threshold,
) -> Vec<Edge> {
    pairs.iter().filter_map(|&(a, b)| edge(a, b, sets, threshold)).collect()
}

/// The pair as an edge, if it reaches the threshold.
fn edge<S: AsRef<[u64]>>(a: DocIdx, b: DocIdx, sets: &[S], threshold: Threshold) -> Option<Edge> {
    let (set_a, set_b) = (sets[a as usize].as_ref(), sets[b as usize].as_ref());
    let n_common = verify::common_if_reaching(set_a, set_b, threshold)?;
    let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
    Some(Edge { a, b, n_common: n_common as u32, resemblance })
}

/// The naive twin: all pairs that reach the threshold, ascending.
#[cfg(test)]
fn naive<S: AsRef<[u64]>>(sets: &[S], threshold: Threshold) -> Vec<Edge> {
    let n = sets.len() as DocIdx;
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    pairs
        .filter_map(|(a, b)| {
            let (set_a, set_b) = (sets[a as usize].as_ref(), sets[b as usize].as_ref());
            let n_common = verify::naive_common(set_a, set_b);
            let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
            let edge = Edge { a, b, n_common: n_common as u32, resemblance };
            (resemblance >= threshold.value()).then_some(edge)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::golden;
    use crate::lsh::tuning;
    use crate::sketch::similarity::FastSimilarity;
    use crate::sketch::{checks, registers, shingle};

    fn ascending(mut set: Vec<u64>) -> Vec<u64> {
        shingle::normalise(&mut set);
        set
    }

    fn all_pairs_of(n: usize) -> Vec<(DocIdx, DocIdx)> {
        let n = n as DocIdx;
        (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
    }

    #[test]
    fn golden_clusters() {
        for case in golden::cases(include_str!("../../../../testdata/golden/clusters.json")) {
            let documents = case["docs"].as_object().expect("documents");
            let by_name: BTreeMap<usize, Vec<u64>> = documents
                .iter()
                .map(|(name, set)| (name.parse().expect("a number"), golden::u64s(set)))
                .collect();
            let sets: Vec<Vec<u64>> = by_name.into_values().collect();
            for counted in case["pair_counts"].as_array().expect("pairs") {
                let [a, b, n] = [0, 1, 2].map(|i| golden::usize(&counted[i]));
                assert_eq!(verify::common(&sets[a], &sets[b]), n, "{case}");
            }
            let parts = golden::u64s(&case["threshold"]);
            let threshold = Threshold::new(parts[0] as f64 / parts[1] as f64).expect("a fraction");
            let edges = verified(&all_pairs_of(sets.len()), &sets, threshold);
            let mut cluster: Vec<usize> = (0..sets.len()).collect();
            for edge in edges {
                let [into, from] = [edge.a, edge.b].map(|document| cluster[document as usize]);
                cluster.iter_mut().filter(|c| **c == from).for_each(|c| *c = into);
            }
            for (i, expected) in (0..).zip(case["clusters"].as_array().expect("clusters")) {
                let members = golden::u64s(expected);
                let together =
                    |&member: &u64| cluster[member as usize] == cluster[members[0] as usize];
                assert!(members.iter().all(together), "cluster {i} of {case}");
                let size = cluster.iter().filter(|c| **c == cluster[members[0] as usize]).count();
                assert_eq!(size, members.len(), "cluster {i} of {case}");
            }
        }
    }

    /// Every pair whose rows agree in enough places.
    fn naive_candidates(keys: &[u64], bands: Bands) -> Vec<(DocIdx, DocIdx)> {
        let rows: Vec<&[u64]> = keys.chunks(bands.bands()).collect();
        let n = rows.len();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let agree = |a: usize, b: usize| {
            let equal = rows[a].iter().zip(rows[b]).filter(|(x, y)| x == y && **x != EMPTY);
            equal.count() >= bands.needed()
        };
        pairs.filter(|&(a, b)| agree(a, b)).map(|(a, b)| (a as u32, b as u32)).collect()
    }

    #[test]
    fn a_giant_bucket_is_linear_connected_and_named() {
        const N: u32 = 10_000;
        let keys: Vec<u64> = (0..u64::from(N)).flat_map(|i| [7, i / 2]).collect();
        let bands = Bands::new(2, 1, 1).expect("fine");
        let found = candidates(&keys, bands, &Limits::standard());
        let giant = Giant { key: 7, n_documents: N, first: 0 };
        assert_eq!(found.giants, [giant]);
        assert!(found.pairs.len() < 6 * N as usize, "{}", found.pairs.len());
        let linked: std::collections::BTreeSet<u32> =
            found.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(linked.len(), N as usize);
        assert!((0..N / 2).all(|i| found.pairs.binary_search(&(2 * i, 2 * i + 1)).is_ok()));
    }

    /// A bucket's links count once for its band, so that agreement in one is not taken for two.
    #[test]
    fn one_giant_band_is_one_agreement() {
        let keys: Vec<u64> = (0..200).flat_map(|i| [7, i]).collect();
        for (giant, representatives) in [(0, 0), (50, 0), (50, 1), (50, 4), (50, 300)] {
            let limits = Limits { giant, representatives };
            let found = candidates(&keys, Bands::new(2, 1, 2).expect("fine"), &limits);
            assert_eq!((found.pairs.len(), found.giants.len()), (0, 1), "{representatives}");
        }
    }

    #[test]
    fn empty_documents_pair_with_nothing() {
        let bands = Bands::new(2, 1, 1).expect("fine");
        assert_eq!(candidates(&[EMPTY; 400], bands, &Limits::standard()), Candidates::default());
        assert_eq!(candidates(&[], bands, &Limits::standard()), Candidates::default());
    }

    /// From sets to edges: nothing below the threshold, and as much above it as was asked for.
    #[test]
    fn recall_is_what_was_asked_for() {
        let threshold = Threshold::new(0.8).expect("a fraction");
        let bands = tuning::choose(128, 0.8, 0.99, 1).expect("possible");
        let fast = FastSimilarity::new(128).expect("in bounds");
        let (mut sets, mut keys) = (Vec::new(), Vec::new());
        for seed in 0..600 {
            let (a, b) = checks::random_pair(200, 0.75 + 0.2 * (seed % 100) as f64 / 100.0, seed);
            sets.extend([ascending(a), ascending(b)]);
        }
        for set in &sets {
            let mut row = Vec::new();
            fast.sketch(set, &mut row);
            assert!(!registers::is_empty(&row));
            bands.keys(&row, &mut keys);
        }
        let found = candidates(&keys, bands, &Limits::standard());
        let edges = verified(&found.pairs, &sets, threshold);
        let all = verified(&all_pairs_of(sets.len()), &sets, threshold);
        assert!(edges.iter().all(|edge| all.contains(edge)), "no edge that is none");
        assert!(
            all.len() > 400 && edges.len() as f64 >= 0.99 * all.len() as f64,
            "{}",
            edges.len()
        );
    }

    proptest! {
        #[test]
        fn candidates_equal_naive(
            keys in proptest::collection::vec(prop_oneof![0_u64..6, Just(EMPTY)], 0..120),
            n_bands in 1_u32..5, needed in 1_u32..5,
        ) {
            let bands = Bands::new(n_bands, 1, needed.min(n_bands)).expect("fine");
            let keys = &keys[..keys.len() / bands.bands() * bands.bands()];
            let found = candidates(keys, bands, &Limits { giant: usize::MAX, representatives: 1 });
            prop_assert_eq!(&found.pairs, &naive_candidates(keys, bands));
            // Giants lose pairs, and add none.
            let linked = candidates(keys, bands, &Limits { giant: 3, representatives: 2 });
            prop_assert!(linked.pairs.iter().all(|pair| found.pairs.contains(pair)));
        }

        #[test]
        fn verified_equals_naive(sets in proptest::collection::vec(proptest::collection::vec(0_u64..20, 0..15), 0..12)) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(ascending).collect();
            let pairs = all_pairs_of(sets.len());
            let threshold = Threshold::new(0.3).expect("a fraction");
            prop_assert_eq!(verified(&pairs, &sets, threshold), naive(&sets, threshold));
        }
    }
}

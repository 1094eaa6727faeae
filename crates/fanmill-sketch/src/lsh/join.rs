//! LSH join: documents with equal band keys become candidate pairs, and verified candidates become edges.
//!
//! Band by band, keys are sorted; documents with equal keys form a bucket. A bucket of a few documents
//! yields all its pairs. In a *large* bucket (a licence, an error page, an empty form) that would be
//! quadratic. Instead, its members are sorted by their keys in the next two bands, so that members that
//! agree in these as well are neighbours. Each member is linked to its neighbour (a chain) and to a few
//! members spread over the bucket (stars). Clusters of real duplicates stay connected by these links,
//! because each band they share puts them next to each other by other keys. Pairs without a link are lost
//! unless another band yields them, so large buckets are reported.
//!
//! [`Entry`], [`Member`], [`Pair`], [`all_pairs`] and [`Links`] are also the building blocks for joining
//! more documents than fit into memory, which finds the same pairs. The three types are integers that
//! sort as their fields do, so that sorting is fast and spilling to disk is simple:
//!
//! | type | from the highest bit on |
//! |---|---|
//! | [`Entry`] | 64 bits: key and band; 64 bits: the member |
//! | [`Member`] | 20 bits: key of the next band; 12 bits: key of the band after that; 32 bits: document |
//! | [`Pair`] | 32 bits: lower document; 32 bits: higher document |
//!
//! Cost: O(b n log n) time for sorting and at most `bucket / 2 + representatives + 2` pairs for each
//! document and band; memory for one band's keys and the distinct pairs.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Still, not very easy …": ID–ID
//! pairs formed and merged. Departs from it: pairs share bands, not shingles; large buckets; verification.

use std::cmp::Reverse;

use super::DocIdx;
use super::bands::Bands;
use super::verify::{self, Threshold};
use crate::registers::EMPTY;
use fanmill_kernel::hash::mix::mix;
use fanmill_text::error::{Error, Result};
use fanmill_text::gram::Multiset;

/// The size from which on a bucket is large, and the number of links among its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketLimits {
    /// Size in documents from which on a bucket no longer yields all its pairs.
    pub large: usize,
    /// Number of members that every other member is linked to.
    pub representatives: usize,
}

impl BucketLimits {
    /// Returns limits with large buckets of 256 documents and more, and 4 representatives.
    ///
    /// Measured on 22,552 real documents with buckets of up to 340 (November 2026): with large buckets from 64
    /// documents on, 46 % of the pairs above .5 and 36 % of those above .7 were found as edges; from 256
    /// on, 99.7 % and 100 %. Clusters were the same for large buckets from 32 documents on and without large buckets,
    /// and so was the time, within 40 ms.
    pub const fn standard() -> BucketLimits {
        BucketLimits { large: 256, representatives: 4 }
    }
}

/// The result of a join by bands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Distinct pairs, the lower document first, ascending.
    pub pairs: Vec<(DocIdx, DocIdx)>,
    /// Buckets that did not yield all their pairs: largest first, then by key.
    pub large_buckets: Vec<LargeBucket>,
}

/// A bucket that is too large to yield all its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargeBucket {
    /// The key that its documents share, combined with its band: [`Entry::key`].
    pub key: u64,
    /// Number of documents in it.
    pub n_documents: u32,
    /// The lowest document in it, to show as an example.
    pub first: DocIdx,
}

impl LargeBucket {
    /// Returns the sort key for lists of large buckets: largest first, then by key.
    pub fn order(&self) -> (Reverse<u32>, u64) {
        (Reverse(self.n_documents), self.key)
    }
}

/// A verified pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The lower document.
    pub a: DocIdx,
    /// The higher document.
    pub b: DocIdx,
    /// Number of shingles that both have.
    pub n_common: u32,
    /// Exact resemblance, in `0..=1`.
    pub resemblance: f64,
}

/// Returns the pairs of documents that agree in enough bands.
///
/// `keys` holds one row of `bands.bands()` keys per document, one after another, as [`Bands::keys`]
/// appends them. Empty documents are in no pair.
///
/// # Errors
/// If `keys` does not consist of whole rows, or has 2^32 rows or more.
pub fn candidates(keys: &[u64], bands: Bands, limits: &BucketLimits) -> Result<Candidates> {
    let n_bands = bands.bands();
    let n_documents = DocIdx::try_from(keys.len() / n_bands).ok();
    let n_documents =
        n_documents.filter(|_| keys.len().is_multiple_of(n_bands)).ok_or_else(|| {
            Error::input(format!(
                "{} keys are not a row of {n_bands} for each of less than 2^32 documents",
                keys.len()
            ))
        })?;
    let (mut pairs, mut large_buckets) = (Multiset::default(), Vec::new());
    let mut entries: Vec<Entry> = Vec::new();
    for band in 0..n_bands {
        let rows = (0..n_documents).zip(keys.chunks_exact(n_bands));
        entries.clear();
        entries.extend(rows.filter_map(|(document, row)| Entry::new(document, row, band)));
        entries.sort_unstable();
        let shared = entries.chunk_by(|x, y| x.key() == y.key());
        for bucket in shared.filter(|bucket| bucket.len() > 1) {
            let members: Vec<Member> = bucket.iter().map(|entry| entry.member()).collect();
            if members.len() < limits.large {
                all_pairs(&members).for_each(|pair| pairs.push(pair.0));
            } else {
                let lowest = (0..members.len())
                    .min_by_key(|&place| members[place].document())
                    .unwrap_or_default();
                let (first, n_documents) = (members[lowest].document(), members.len() as u32);
                large_buckets.push(LargeBucket { key: bucket[0].key(), n_documents, first });
                let links = Links::new(members.len(), limits.representatives, lowest);
                for (place, &member) in members.iter().enumerate() {
                    let link = |other: usize| link(member, members[other], bands.needed());
                    links.of(place).flat_map(link).for_each(|pair| pairs.push(pair.0));
                }
            }
        }
    }
    large_buckets.sort_unstable_by_key(LargeBucket::order);
    // A pair was pushed once per band it agrees in, so its count is the number of these bands.
    let often = pairs.into_counts().into_iter().filter(|&(_, n)| n as usize >= bands.needed());
    Ok(Candidates { pairs: often.map(|(pair, _)| Pair(pair).documents()).collect(), large_buckets })
}

/// A document's key in one band, packed so that sorting makes buckets: by key and band, within a bucket by the
/// document's keys in the next two bands, then by document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry(pub u128);

impl Entry {
    /// Returns the entry of a document with this row of keys in one band; `None` for an empty document.
    ///
    /// # Panics
    /// If the row has no such band.
    #[inline]
    pub fn new(document: DocIdx, row: &[u64], band: usize) -> Option<Entry> {
        // An empty band is no evidence of agreement. Each document gets its own value for it, so that
        // two empty bands never sort together.
        let or_own = |key: u64| if key == EMPTY { !u64::from(document) } else { key };
        let after = |n: usize| mix(or_own(row[(band + n) % row.len()]));
        // 20 bits of the next key and 12 of the one after it: enough to distinguish groups of duplicates in a bucket of
        // a million.
        let order = (after(1) >> 44) << 12 | after(2) >> 52;
        // The band is mixed in, so that equal keys of different bands make different buckets.
        let key = u128::from(row[band] ^ mix(band as u64));
        let entry = key << 64 | u128::from(order) << 32 | u128::from(document);
        (row[band] != EMPTY).then_some(Entry(entry))
    }

    /// Returns the key, combined with its band: equal within a bucket.
    #[inline]
    pub fn key(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// Returns the rest: the document, and its order within the bucket.
    #[inline]
    pub fn member(self) -> Member {
        Member(self.0 as u64)
    }
}

/// A document in a bucket; members sort by the document's keys in the next two bands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member(pub u64);

impl Member {
    /// Returns the document.
    #[inline]
    pub fn document(self) -> DocIdx {
        self.0 as DocIdx
    }
}

/// Two documents; pairs sort by the lower document, then by the higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair(pub u64);

impl Pair {
    /// Returns the pair of two documents, given in either order.
    #[inline]
    pub fn new(a: DocIdx, b: DocIdx) -> Pair {
        Pair(u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
    }

    /// Returns its documents, the lower one first.
    #[inline]
    pub fn documents(self) -> (DocIdx, DocIdx) {
        ((self.0 >> 32) as DocIdx, self.0 as DocIdx)
    }
}

/// Returns all pairs of a bucket's members.
pub fn all_pairs(members: &[Member]) -> impl Iterator<Item = Pair> {
    let rest = |i: usize| members[i + 1..].iter();
    let pair = |a: Member, b: Member| Pair::new(a.document(), b.document());
    (0..members.len()).flat_map(move |i| rest(i).map(move |&b| pair(members[i], b)))
}

/// Returns the pair of two linked members of a large bucket, repeated once for each band it counts for.
///
/// Usually that is once, for the bucket's own band. But if the members are seen to agree in the next bands too, and
/// these together are the `needed` ones, the pair counts for all of them: the buckets of those bands are large as well,
/// and may lack this link.
pub fn link(a: Member, b: Member, needed: usize) -> impl Iterator<Item = Pair> {
    // The differing bits of the upper halves show which of the next two keys agree.
    let differing = (a.0 ^ b.0) >> 32;
    let known = match differing {
        0 => 3,
        1..=0xfff => 2,
        _ => 1,
    };
    let times = if known >= needed { needed } else { 1 };
    std::iter::repeat_n(Pair::new(a.document(), b.document()), times)
}

/// The links between the members of a large bucket, by their positions in the sorted bucket.
#[derive(Debug, Clone)]
pub struct Links {
    n_members: usize,
    representatives: Vec<usize>,
}

impl Links {
    /// Links each member to the next one, to `n_representatives` spread over the bucket, and to the
    /// one at position `lowest`.
    ///
    /// `lowest` is the position of the lowest document. Most buckets of a group of duplicates have the same lowest
    /// document, so that clusters around centres do not fall apart: of 200,000 documents that differ in one word of
    /// 200, spread representatives alone left 31,450 when duplicates were removed.
    pub fn new(n_members: usize, n_representatives: usize, lowest: usize) -> Links {
        let n = n_representatives.min(n_members);
        let mut representatives: Vec<usize> = (0..n).map(|i| i * n_members / n).collect();
        if let Err(at) = representatives.binary_search(&lowest) {
            representatives.insert(at, lowest);
        }
        Links { n_members, representatives }
    }

    /// Returns the positions of the members that every other one is linked to, ascending.
    pub fn representatives(&self) -> &[usize] {
        &self.representatives
    }

    /// Returns the positions that the member at `place` is linked to: representatives, and the next position.
    ///
    /// Each link is listed at only one of its ends, and not in both chain and stars: a repeated link would count as
    /// agreement in two bands.
    pub fn of(&self, place: usize) -> impl Iterator<Item = usize> {
        let next = (place + 1 < self.n_members).then_some(place + 1);
        let is_star = self.representatives.binary_search(&place).is_ok();
        let stars = self.representatives.iter().copied();
        // A neighbour is already linked by the chain, and two representatives are linked from the lower one.
        stars
            .filter(move |&star| star.abs_diff(place) > 1 && !(is_star && star < place))
            .chain(next)
    }
}

/// Returns the pairs that reach the threshold, in the order given. `sets` holds each document's set, ascending.
///
/// # Panics
/// If a pair names a document without a set.
pub fn verified<S: AsRef<[u64]>>(
    pairs: &[(DocIdx, DocIdx)],
    sets: &[S],
    threshold: Threshold,
) -> Vec<Edge> {
    pairs.iter().filter_map(|&(a, b)| edge(a, b, sets, threshold)).collect()
}

/// Returns the edge of a pair, if it reaches the threshold.
fn edge<S: AsRef<[u64]>>(a: DocIdx, b: DocIdx, sets: &[S], threshold: Threshold) -> Option<Edge> {
    let (set_a, set_b) = (sets[a as usize].as_ref(), sets[b as usize].as_ref());
    let n_common = verify::common_if_reaching(set_a, set_b, threshold)?;
    let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
    Some(Edge { a, b, n_common: n_common as u32, resemblance })
}

/// The naive twin: finds all pairs that reach the threshold, ascending.
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
    use crate::lsh::tuning;
    use crate::similarity::FastSimilarity;
    use crate::{checks, registers, shingle};
    use fanmill_effort::golden;

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
        for case in golden::cases("clusters") {
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
            // Each document begins as a cluster of its own, and each edge joins two.
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

    /// The naive twin: finds every pair whose rows agree in enough bands.
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
    fn a_large_bucket_is_linear_connected_and_reported() {
        const N: u32 = 10_000;
        let keys: Vec<u64> = (0..u64::from(N)).flat_map(|i| [7, i / 2]).collect();
        let bands = Bands::new(2, 1, 1).expect("fine");
        let found = candidates(&keys, bands, &BucketLimits::standard()).expect("whole rows");
        let bucket = LargeBucket { key: 7, n_documents: N, first: 0 };
        assert_eq!(found.large_buckets, [bucket]);
        assert!(found.pairs.len() < 6 * N as usize, "{}", found.pairs.len());
        let linked: std::collections::BTreeSet<u32> =
            found.pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(linked.len(), N as usize);
        assert!((0..N / 2).all(|i| found.pairs.binary_search(&(2 * i, 2 * i + 1)).is_ok()));
    }

    /// A link counts once for its band, so that agreement in one band is not taken for two.
    #[test]
    fn one_large_band_is_one_agreement() {
        let keys: Vec<u64> = (0..200).flat_map(|i| [7, i]).collect();
        for (large, representatives) in [(0, 0), (50, 0), (50, 1), (50, 4), (50, 300)] {
            let limits = BucketLimits { large, representatives };
            let found =
                candidates(&keys, Bands::new(2, 1, 2).expect("fine"), &limits).expect("whole rows");
            assert_eq!((found.pairs.len(), found.large_buckets.len()), (0, 1), "{representatives}");
        }
    }

    #[test]
    fn empty_documents_are_in_no_pair() {
        let bands = Bands::new(2, 1, 1).expect("fine");
        assert!(
            candidates(&[1, 2, 3], Bands::new(2, 1, 1).expect("fine"), &BucketLimits::standard())
                .is_err()
        );
        for keys in [&[EMPTY; 400][..], &[]] {
            let found = candidates(keys, bands, &BucketLimits::standard()).expect("whole rows");
            assert_eq!(found, Candidates::default());
        }
    }

    /// From sets to edges: nothing below the threshold, and the requested recall above it.
    #[test]
    fn recall_is_as_requested() {
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
        let found = candidates(&keys, bands, &BucketLimits::standard()).expect("whole rows");
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
            let found = candidates(keys, bands, &BucketLimits { large: usize::MAX, representatives: 1 }).expect("whole rows");
            prop_assert_eq!(&found.pairs, &naive_candidates(keys, bands));
            // Large buckets lose pairs, but never add any.
            let linked = candidates(keys, bands, &BucketLimits { large: 3, representatives: 2 }).expect("whole rows");
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

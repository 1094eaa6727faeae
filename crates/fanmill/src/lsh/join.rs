//! Joining: documents with equal band keys become candidate pairs, and candidates verified edges.
//!
//! Band by band, keys are sorted and runs of equal ones are buckets. A bucket of a few documents
//! yields all its pairs. A *giant* bucket (a licence, an error page, an empty form) would yield
//! its square: instead, its members are put in the order of all their keys, so that those which
//! agree in further bands are neighbours, and each is linked to its neighbour (a chain) and to a
//! few members spread over the bucket (stars). Clusters of real duplicates stay connected by these
//! links; pairs without a link are lost unless another band has them, so giants are named.
//!
//! Cost: O(b n log n) time for sorting and at most `bucket / 2 + representatives + 1` pairs for each
//! document and band; memory for one band's keys and the different pairs.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Still, not very easy …": ID–ID
//! pairs formed and merged. Departs from it: pairs share bands, not shingles; giants; verification.

use super::DocIdx;
use super::bands::Bands;
use super::verify::{self, Threshold};
use crate::gram::Multiset;
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
    /// 30 to 38 % of the pairs above .5 and .7 as edges of their own, from 256 on 99.7 %; clusters were
    /// the same, and so was the time, within 40 ms.
    pub const fn standard() -> Limits {
        Limits { giant: 256, representatives: 4 }
    }
}

/// What sharing bands yields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Different pairs, the lower document first, ascending.
    pub pairs: Vec<(DocIdx, DocIdx)>,
    /// Buckets that did not yield all their pairs: by band, then key.
    pub giants: Vec<Giant>,
}

/// A bucket too large for all its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Giant {
    /// Which band, from 0.
    pub band: u32,
    /// The key that its documents share.
    pub key: u64,
    /// How many they are.
    pub n_documents: u32,
    /// The first of them, to show as an example.
    pub first: DocIdx,
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
    let mut entries: Vec<(u64, DocIdx)> = Vec::new();
    for band in 0..n_bands {
        let of_band = keys.iter().skip(band).step_by(n_bands).copied();
        entries.clear();
        entries.extend(of_band.zip(0..n_documents).filter(|&(key, _)| key != EMPTY));
        entries.sort_unstable();
        let shared = entries.chunk_by(|x, y| x.0 == y.0).filter(|bucket| bucket.len() > 1);
        for bucket in shared {
            let members: Vec<DocIdx> = bucket.iter().map(|&(_, document)| document).collect();
            if members.len() < limits.giant {
                all_pairs(&members, &mut pairs);
            } else {
                giants.push(Giant {
                    band: band as u32,
                    key: bucket[0].0,
                    n_documents: members.len() as u32,
                    first: members[0],
                });
                let row = |document: DocIdx| &keys[document as usize * n_bands..][..n_bands];
                link(members, row, limits.representatives, &mut pairs);
            }
        }
    }
    let often = pairs.into_counts().into_iter().filter(|&(_, n)| n as usize >= bands.needed());
    Candidates { pairs: often.map(|(pair, _)| unpack(pair)).collect(), giants }
}

fn all_pairs(members: &[DocIdx], pairs: &mut Multiset) {
    for (i, &a) in members.iter().enumerate() {
        members[i + 1..].iter().for_each(|&b| pairs.push(pack(a, b)));
    }
}

/// Links the members of a giant bucket to their neighbours in the order of their rows, and to
/// representatives.
fn link<'a>(
    mut members: Vec<DocIdx>,
    row: impl Fn(DocIdx) -> &'a [u64],
    n_representatives: usize,
    pairs: &mut Multiset,
) {
    members.sort_unstable_by(|&a, &b| row(a).cmp(row(b)).then(a.cmp(&b)));
    let n_representatives = n_representatives.min(members.len());
    let representatives: Vec<usize> =
        (0..n_representatives).map(|i| i * members.len() / n_representatives).collect();
    for (i, &member) in members.iter().enumerate() {
        let neighbour = (i + 1 < members.len()).then_some(i + 1);
        // A link that chain or stars have twice would count as two bands.
        let stars = representatives.iter().copied().filter(|&star| {
            let is_chained = star.abs_diff(i) <= 1;
            let is_mutual = representatives.contains(&i) && star < i;
            !is_chained && !is_mutual
        });
        stars.chain(neighbour).for_each(|other| pairs.push(pack(member, members[other])));
    }
}

/// A pair as one number that orders as the pair does.
fn pack(a: DocIdx, b: DocIdx) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn unpack(pair: u64) -> (DocIdx, DocIdx) {
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
pub(super) fn edge<S: AsRef<[u64]>>(
    a: DocIdx,
    b: DocIdx,
    sets: &[S],
    threshold: Threshold,
) -> Option<Edge> {
    let (set_a, set_b) = (sets[a as usize].as_ref(), sets[b as usize].as_ref());
    let n_common = verify::common_if_reaching(set_a, set_b, threshold)?;
    let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
    Some(Edge { a, b, n_common: n_common as u32, resemblance })
}

/// The naive twin of every join: all pairs that reach the threshold, ascending.
pub fn naive<S: AsRef<[u64]>>(sets: &[S], threshold: Threshold) -> Vec<Edge> {
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
    use proptest::prelude::*;

    use super::*;
    use crate::lsh::{prefix, tuning};
    use crate::sketch::similarity::FastSimilarity;
    use crate::sketch::{checks, registers, shingle};

    fn ascending(mut set: Vec<u64>) -> Vec<u64> {
        shingle::normalise(&mut set);
        set
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
        let giant = Giant { band: 0, key: 7, n_documents: N, first: 0 };
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
        let all = prefix::join(&sets, threshold);
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
            let n = sets.len() as u32;
            let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            let threshold = Threshold::new(0.3).expect("a fraction");
            prop_assert_eq!(verified(&pairs, &sets, threshold), naive(&sets, threshold));
        }
    }
}

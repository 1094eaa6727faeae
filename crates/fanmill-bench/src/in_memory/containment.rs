//! The exact containment join in memory: all pairs in which at least a threshold of one set is in the other.
//!
//! Resemblance misses a page that another one quotes in full among ten more. Containment of A in B, |A∩B| / |A|, finds
//! it, but does not bound B's size, so neither bands nor a length filter apply from both sides. The prefix filter does:
//! B must have one of the `|A| - o + 1` rarest members of A, if A needs `o` members in common. These prefixes are
//! indexed, and every set is looked up in full.
//!
//! There are no false negatives. Small sets are contained in many others, so the caller, who knows how many shingles
//! make containment meaningful, should pass empty sets for smaller documents.
//!
//! Cost: O(N log N) time for sorting all N members, and an index look-up for each; about 40 bytes per member.
//! Source: as for [`resemblance`](super::resemblance), whose order and filters are used; containment: Broder, "On the
//! resemblance and containment of documents", 1997.

use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::verify::{self, Threshold, needed_contained};

use super::resemblance::{Ranked, Seen, starts};

/// Returns all pairs with a containment of at least the threshold, contained document first, ascending. `sets` holds
/// each document's set, ascending.
///
/// Equal sets contain each other. The empty set is not contained in any set.
///
/// # Panics
/// If there are 2^32 documents or distinct members, or more.
pub(crate) fn join<S: AsRef<[u64]>>(sets: &[S], threshold: Threshold) -> Vec<(DocIdx, DocIdx)> {
    let ranked = Ranked::new(sets);
    let index = Index::new(&ranked, threshold);
    let mut seen = Seen::new(sets.len());
    let mut found = Vec::new();
    for outer in 0..ranked.n_documents() as DocIdx {
        index.look_up(outer, &ranked, threshold, &mut seen);
        let whole = |document: DocIdx| sets[document as usize].as_ref();
        let lies_inside = |&inner: &DocIdx| {
            let needed = needed_contained(whole(inner).len(), threshold);
            verify::common_at_least(whole(inner), whole(outer), needed).is_some()
        };
        found.extend(seen.take().into_iter().filter(lies_inside).map(|inner| (inner, outer)));
    }
    found.sort_unstable();
    found
}

/// For every rank, the documents that have it in their prefix, and its position there.
struct Index {
    postings: Vec<(DocIdx, u32)>,
    /// The start of each rank's postings, and the end of the last ones.
    starts: Vec<usize>,
}

impl Index {
    fn new(ranked: &Ranked, threshold: Threshold) -> Index {
        let prefix = |document: DocIdx| {
            let set = ranked.set(document);
            let n_indexed = match set.len() {
                0 => 0,
                size => size - needed_contained(size, threshold) + 1,
            };
            &set[..n_indexed]
        };
        let documents = 0..ranked.n_documents() as DocIdx;
        let mut counts = vec![0; ranked.n_ranks];
        for rank in documents.clone().flat_map(prefix) {
            counts[*rank as usize] += 1;
        }
        let starts = starts(counts.into_iter());
        // A counting sort of the postings by rank.
        let mut ends = starts.clone();
        let mut postings = vec![(0, 0); starts.last().copied().unwrap_or(0)];
        for document in documents {
            for (position, &rank) in (0..).zip(prefix(document)) {
                postings[ends[rank as usize]] = (document, position);
                ends[rank as usize] += 1;
            }
        }
        Index { postings, starts }
    }

    /// Records the documents that may be contained in this one.
    fn look_up(&self, outer: DocIdx, ranked: &Ranked, threshold: Threshold, seen: &mut Seen) {
        let set = ranked.set(outer);
        for (position, &rank) in set.iter().enumerate() {
            let of_rank = self.starts[rank as usize]..self.starts[rank as usize + 1];
            for &(inner, position_inner) in &self.postings[of_rank] {
                if inner == outer {
                    continue;
                }
                let size = ranked.set(inner).len();
                // From this common rank on, at most the rest of the shorter remainder can be common.
                let at_most = (size - position_inner as usize).min(set.len() - position);
                seen.note(inner, at_most, || Some(needed_contained(size, threshold)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fanmill_kernel::hash::mix::SplitMix;
    use fanmill_sketch::shingle::normalise;
    use proptest::prelude::*;

    use super::*;
    use crate::in_memory::n_common;

    /// Compares all ordered pairs: the naive twin.
    fn naive<S: AsRef<[u64]>>(sets: &[S], threshold: Threshold) -> Vec<(DocIdx, DocIdx)> {
        let n = sets.len() as DocIdx;
        let pairs = (0..n).flat_map(|inner| (0..n).map(move |outer| (inner, outer)));
        let reaches = |&(inner, outer): &(DocIdx, DocIdx)| {
            let (a, b) = (sets[inner as usize].as_ref(), sets[outer as usize].as_ref());
            inner != outer && n_common(a, b) as f64 / a.len() as f64 >= threshold.value()
        };
        pairs.filter(reaches).collect()
    }

    fn random_set(n: usize, seed: u64) -> Vec<u64> {
        let mut set = SplitMix::new(seed << 32).seeds(n);
        normalise(&mut set);
        set
    }

    fn threshold(value: f64) -> Threshold {
        Threshold::new(value).expect("a fraction")
    }

    #[test]
    fn a_full_quotation_is_found() {
        let page = random_set(30, 1);
        let mut quoting = [page.clone(), random_set(300, 2)].concat();
        normalise(&mut quoting);
        let sets = [quoting, vec![], page, random_set(1, 3)];
        assert_eq!(join(&sets, threshold(0.9)), [(2, 0)]);
        assert_eq!(join::<&[u64]>(&[], threshold(0.9)), []);
    }

    proptest! {
        #[test]
        fn fast_equals_naive(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..25, 0..20), 0..25),
            percent in 30_u32..=100,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let threshold = threshold(f64::from(percent) / 100.0);
            prop_assert_eq!(join(&sets, threshold), naive(&sets, threshold));
        }

        /// Checks sets of very different sizes that are parts of each other.
        #[test]
        fn parts_of_a_whole_are_found(
            cuts in proptest::collection::vec((0_usize..120, 0_usize..120), 0..12),
            percent in 50_u32..=100,
        ) {
            let whole = random_set(120, 4);
            let sets: Vec<&[u64]> =
                cuts.into_iter().map(|(x, y)| &whole[x.min(y)..x.max(y)]).collect();
            let threshold = threshold(f64::from(percent) / 100.0);
            prop_assert_eq!(join(&sets, threshold), naive(&sets, threshold));
        }
    }
}

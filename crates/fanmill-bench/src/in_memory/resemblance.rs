//! The exact resemblance join in memory (prefix filtering): all pairs that reach a threshold, without comparing
//! all pairs.
//!
//! Members are put in one order, rarest first. Two sets with `o` members in common share one of the first `|A| - o + 1`
//! of A and of the first `|B| - o + 1` of B, so only these *prefixes* of rare members are indexed and looked up.
//! Documents are taken by ascending size, which bounds the partner's size from both sides (*length filter*), and the
//! positions of a common member in both sets bound how many more can follow (*positional filter*). Pairs that pass
//! these filters are compared on their whole sets.
//!
//! There are no false negatives: every bound comes from the comparison used for verification, [`needed_common`].
//!
//! Cost: O(N log N) time for sorting all N members, plus the number of pairs of documents that share a rare member;
//! about 40 bytes per member. Equal sets pair with each other, `n (n - 1) / 2` times: remove exact duplicates first.
//! Source: Bayardo, Ma & Srikant, "Scaling up all pairs similarity search", WWW 2007 (prefix and length filters); Xiao,
//! Wang, Lin & Yu, "Efficient similarity joins for near duplicate detection", WWW 2008 (positional filter). Departs
//! from it: no suffix filter.

use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::verify::{self, Threshold, needed_common, smallest_partner};

/// Returns all pairs that reach the threshold, ascending. `sets` holds each document's set, ascending.
///
/// # Panics
/// If there are 2^32 documents or distinct members, or more.
pub(crate) fn join<S: AsRef<[u64]>>(sets: &[S], threshold: Threshold) -> Vec<(DocIdx, DocIdx)> {
    let ranked = Ranked::new(sets);
    let mut index = PrefixIndex::new(&ranked, threshold);
    let mut seen = Seen::new(sets.len());
    let mut pairs = Vec::new();
    for document in ranked.by_size() {
        let set = ranked.set(document);
        if set.is_empty() {
            continue;
        }
        index.look_up(document, &ranked, threshold, &mut seen);
        let whole = |document: DocIdx| sets[document as usize].as_ref();
        let reaches = |&candidate: &DocIdx| {
            verify::common_if_reaching(whole(document), whole(candidate), threshold).is_some()
        };
        let found = seen.take().into_iter().filter(reaches);
        pairs.extend(found.map(|other| (document.min(other), document.max(other))));
        index.insert(document, &ranked);
    }
    pairs.sort_unstable();
    pairs
}

/// All sets with members replaced by their rank, 0 for the rarest, each set ascending.
pub(super) struct Ranked {
    ranks: Vec<u32>,
    /// The start of each document's ranks, and the end of the last ones.
    starts: Vec<usize>,
    pub(super) n_ranks: usize,
}

impl Ranked {
    pub(super) fn new<S: AsRef<[u64]>>(sets: &[S]) -> Ranked {
        let n_documents = DocIdx::try_from(sets.len()).expect("fewer than 2^32 documents");
        let mut entries: Vec<(u64, DocIdx)> = Vec::new();
        for (document, set) in (0..n_documents).zip(sets) {
            entries.extend(set.as_ref().iter().map(|&member| (member, document)));
        }
        entries.sort_unstable();
        let mut members: Vec<&[(u64, DocIdx)]> = entries.chunk_by(|x, y| x.0 == y.0).collect();
        members.sort_by_key(|documents| documents.len());
        let starts = starts(sets.iter().map(|set| set.as_ref().len()));
        let mut ends = starts.clone();
        let mut ranks = vec![0; entries.len()];
        // Ranks are distributed in ascending order, so that every set receives its own in order.
        for (rank, documents) in members.iter().enumerate() {
            let rank = u32::try_from(rank).expect("fewer than 2^32 different members");
            for &(_, document) in *documents {
                ranks[ends[document as usize]] = rank;
                ends[document as usize] += 1;
            }
        }
        Ranked { ranks, starts, n_ranks: members.len() }
    }

    pub(super) fn n_documents(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn set(&self, document: DocIdx) -> &[u32] {
        &self.ranks[self.starts[document as usize]..self.starts[document as usize + 1]]
    }

    /// Returns the documents, smallest first.
    fn by_size(&self) -> Vec<DocIdx> {
        let mut documents: Vec<DocIdx> = (0..self.n_documents() as DocIdx).collect();
        documents.sort_by_key(|&document| self.set(document).len());
        documents
    }
}

/// Returns the running sums, beginning with 0.
pub(super) fn starts(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let sums = lengths.scan(0, |sum, length| {
        *sum += length;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

/// For every rank, the documents that have it in their prefix, smallest first.
struct PrefixIndex {
    postings: Vec<Posting>,
    /// The start of each rank's postings, without those of documents that have become too small.
    heads: Vec<usize>,
    /// The place of the next posting of each rank.
    ends: Vec<usize>,
    /// Length of the indexed prefix, by document.
    prefixes: Vec<u32>,
}

/// A document with a rank in its prefix, and the rank's position there.
#[derive(Debug, Clone, Copy, Default)]
struct Posting {
    document: DocIdx,
    position: u32,
}

impl PrefixIndex {
    fn new(ranked: &Ranked, threshold: Threshold) -> PrefixIndex {
        let documents = 0..ranked.n_documents() as DocIdx;
        // Only documents of at least this size look this one up, so the prefix must suffice for equal sizes.
        let prefix = |document: DocIdx| {
            let size = ranked.set(document).len();
            needed_common(size, size, threshold).map_or(0, |needed| size - needed + 1) as u32
        };
        let prefixes: Vec<u32> = documents.clone().map(prefix).collect();
        let mut counts = vec![0; ranked.n_ranks];
        for document in documents {
            let indexed = prefixes[document as usize] as usize;
            ranked.set(document)[..indexed].iter().for_each(|&rank| counts[rank as usize] += 1);
        }
        let mut heads = starts(counts.into_iter());
        let n_postings = heads.pop().expect("a sum for every rank and 0");
        let postings = vec![Posting::default(); n_postings];
        PrefixIndex { postings, ends: heads.clone(), heads, prefixes }
    }

    fn insert(&mut self, document: DocIdx, ranked: &Ranked) {
        let indexed = self.prefixes[document as usize] as usize;
        for (position, &rank) in (0..).zip(&ranked.set(document)[..indexed]) {
            let end = &mut self.ends[rank as usize];
            self.postings[*end] = Posting { document, position };
            *end += 1;
        }
    }

    /// Records the indexed documents that may reach the threshold with this one.
    fn look_up(
        &mut self,
        document: DocIdx,
        ranked: &Ranked,
        threshold: Threshold,
        seen: &mut Seen,
    ) {
        let set = ranked.set(document);
        let smallest = smallest_partner(set.len(), threshold);
        let needed = needed_common(set.len(), smallest, threshold).unwrap_or(set.len());
        for (position, &rank) in set[..=set.len() - needed].iter().enumerate() {
            let (head, end) = (&mut self.heads[rank as usize], self.ends[rank as usize]);
            let size = |posting: &Posting| ranked.set(posting.document).len();
            // Later documents are larger, and their partners cannot be smaller than this one's.
            *head += self.postings[*head..end].iter().take_while(|p| size(p) < smallest).count();
            for posting in &self.postings[*head..end] {
                let left_there = size(posting) - posting.position as usize;
                let at_most = left_there.min(set.len() - position);
                seen.note(posting.document, at_most, || {
                    needed_common(set.len(), size(posting), threshold)
                });
            }
        }
    }
}

/// The documents that share a rank with the one being looked up, and the number of ranks they share.
pub(super) struct Seen {
    by_document: Vec<Option<Shared>>,
    /// The documents that have an entry.
    touched: Vec<DocIdx>,
}

/// The common ranks of two prefixes.
#[derive(Debug, Clone, Copy)]
struct Shared {
    n_common: usize,
    needed: usize,
    /// True if `needed` can still be reached.
    is_open: bool,
}

impl Seen {
    pub(super) fn new(n_documents: usize) -> Seen {
        Seen { by_document: vec![None; n_documents], touched: Vec::new() }
    }

    /// Records a common rank; at most `at_most` common members remain, including this one.
    pub(super) fn note(
        &mut self,
        document: DocIdx,
        at_most: usize,
        needed: impl Fn() -> Option<usize>,
    ) {
        let shared = self.by_document[document as usize].get_or_insert_with(|| {
            self.touched.push(document);
            let needed = needed();
            Shared { n_common: 0, needed: needed.unwrap_or(0), is_open: needed.is_some() }
        });
        shared.is_open &= shared.n_common + at_most >= shared.needed;
        shared.n_common += 1;
    }

    /// Returns the documents that may still reach the threshold, and clears everything.
    pub(super) fn take(&mut self) -> Vec<DocIdx> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.retain(|&document| {
            self.by_document[document as usize].take().is_some_and(|shared| shared.is_open)
        });
        touched
    }
}

#[cfg(test)]
mod tests {
    use fanmill_kernel::hash::mix::SplitMix;
    use fanmill_sketch::shingle::normalise;
    use proptest::prelude::*;

    use super::*;
    use crate::in_memory::all_pairs;

    fn threshold(value: f64) -> Threshold {
        Threshold::new(value).expect("a fraction")
    }

    /// Returns families of similar sets: copies of a few sets with some members changed, and small sets.
    fn families(n: usize, seed: u64) -> Vec<Vec<u64>> {
        let mut numbers = SplitMix::new(seed);
        let mut below = |n: u64| numbers.draw() % n;
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for _ in 0..n {
            let mut set = if sets.is_empty() || below(3) == 0 {
                let vocabulary = [20, 200, 100_000][below(3) as usize];
                let size = [3, 12, 60][below(3) as usize];
                (0..below(size)).map(|_| below(vocabulary)).collect()
            } else {
                let original = &sets[below(sets.len() as u64) as usize];
                let keep = [50, 90, 97, 100][below(4) as usize];
                let mut copy: Vec<u64> =
                    original.iter().copied().filter(|_| below(100) < keep).collect();
                copy.extend((0..below(4)).map(|_| below(1000)));
                copy
            };
            normalise(&mut set);
            sets.push(set);
        }
        sets
    }

    #[test]
    fn nothing_is_missed_among_families() {
        for seed in 0..6 {
            let sets = families(250, seed);
            for value in [0.1, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0] {
                let expected = all_pairs(&sets, threshold(value));
                assert_eq!(join(&sets, threshold(value)), expected, "{value}, seed {seed}");
                assert!(value < 0.75 || !expected.is_empty(), "families have similar members");
            }
        }
    }

    #[test]
    fn empty_sets_are_in_no_pair() {
        let sets: [&[u64]; 4] = [&[], &[], &[1], &[1]];
        assert_eq!(join(&sets, threshold(0.5)), [(2, 3)]);
        assert_eq!(join::<&[u64]>(&[], threshold(0.5)), []);
    }

    proptest! {
        #[test]
        fn equals_comparing_all_pairs(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..25, 0..20), 0..25),
            percent in 50_u32..=95,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let threshold = threshold(f64::from(percent) / 100.0);
            prop_assert_eq!(join(&sets, threshold), all_pairs(&sets, threshold));
        }
    }
}

//! The exact join, which turns postings into pairs.
//!
//! Sorted postings form buckets of documents that share a member. Two documents of a bucket are a candidate pair if
//! both have at least as many members left, from the shared one on, as they need in common. At their first common
//! member this always holds for a pair that reaches the threshold, so none is missed. In a bucket, documents are
//! ordered by size, and for resemblance only partners of a sufficient size are considered. *Large* buckets yield all
//! their pairs, too, but they are listed, since a member that is among the rarest of ten thousand documents may cost
//! the square of that. Their postings are flushed in chunks, so memory stays bounded.
//!
//! Cost: O(n log n) time for n postings, and the pairs; 16 bytes a posting, 8 a pair, on disk beyond
//! the budget. The pairs are the same for any budget and number of threads.
//! Source: as for [`exact`](super).

use std::path::{Path, PathBuf};

use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::join::{LargeBucket, Pair};
use fanmill_sketch::lsh::verify::{Threshold, needed_common, needed_contained, smallest_partner};
use fanmill_text::Result;

use super::postings::{Posting, Relation, member_of};
use crate::candidates::LargeBuckets;
use crate::reference_split::ReferenceSplit;
use crate::spill::column::{Column, Scratch};
use crate::spill::sorter::{Sorted, Sorter};

/// Minimum number of documents in a bucket that counts as large, and is listed.
pub const LARGE: usize = 1000;
/// Minimum number of postings of a large bucket that are flushed together.
const CHUNK: usize = 1 << 12;

/// Turns postings into candidate pairs; see the [module](self).
#[derive(Debug)]
pub struct ExactJoin {
    postings: Sorter<u128>,
    wanted: PairConditions,
    memory: usize,
    folder: PathBuf,
}

impl ExactJoin {
    /// Begins a join within `memory` bytes; what does not fit goes to unnamed files in `folder`.
    pub fn new(folder: &Path, memory: usize, relation: Relation) -> ExactJoin {
        let postings = Sorter::new(folder, memory / 4 * 3);
        let wanted = PairConditions { relation, sides: ReferenceSplit::default() };
        ExactJoin { postings, wanted, memory, folder: folder.to_owned() }
    }

    /// Restricts the join to pairs that `sides` allows.
    #[must_use]
    pub fn between(mut self, sides: ReferenceSplit) -> ExactJoin {
        self.wanted.sides = sides;
        self
    }

    /// Adds postings that [`Rarest`](super::postings::Rarest) made for the same relation, in any order.
    ///
    /// # Errors
    /// If the memory is full and its contents cannot be written to disk.
    pub fn extend(&mut self, postings: &[u128]) -> Result<()> {
        self.postings.extend(postings.iter().copied())
    }

    /// Returns the pairs that may reach the threshold, which include all that do.
    ///
    /// # Errors
    /// If the disk fails or cannot hold what does not fit into memory.
    pub fn finish(self) -> Result<ExactPairs> {
        let mut bucket = Bucket::new(&self.folder, self.memory / 16);
        let mut pairs = Sorter::distinct(&self.folder, self.memory / 16 * 3);
        let mut large_buckets = LargeBuckets::default();
        for posting in self.postings.sorted()? {
            let posting = posting?;
            if member_of(posting) != bucket.member {
                bucket.close(self.wanted, &mut pairs, &mut large_buckets)?;
                bucket.member = member_of(posting);
            }
            bucket.push(posting)?;
        }
        bucket.close(self.wanted, &mut pairs, &mut large_buckets)?;
        let (n_large_buckets, large_buckets) = large_buckets.finish();
        Ok(ExactPairs { pairs: pairs.sorted()?, large_buckets, n_large_buckets })
    }
}

/// The conditions for a pair to be a candidate.
#[derive(Debug, Clone, Copy)]
struct PairConditions {
    relation: Relation,
    sides: ReferenceSplit,
}

/// Candidate pairs: a fallible iterator, ascending. For resemblance the lower document comes first; for containment the
/// inner one does.
#[derive(Debug)]
pub struct ExactPairs {
    pairs: Sorted<Pair>,
    large_buckets: Vec<LargeBucket>,
    n_large_buckets: u64,
}

impl ExactPairs {
    /// Returns the members that [`LARGE`] documents or more have among their rarest, the most frequent first, up to
    /// [`MOST_NAMED`](crate::candidates::MOST_NAMED). Their keys are of no further use.
    pub fn large_buckets(&self) -> &[LargeBucket] {
        &self.large_buckets
    }

    /// Returns the number of such members.
    pub fn n_large_buckets(&self) -> u64 {
        self.n_large_buckets
    }
}

impl Iterator for ExactPairs {
    type Item = Result<(DocIdx, DocIdx)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pairs.next().map(|pair| pair.map(Pair::documents))
    }
}

/// The postings of one member, ordered by size.
#[derive(Debug)]
struct Bucket {
    member: u64,
    /// The last postings, at most a chunk.
    postings: Vec<u128>,
    /// All postings before them, flushed in chunks of equal size.
    chunks: Column<u128>,
    chunk: usize,
    memory: usize,
    folder: PathBuf,
}

impl Bucket {
    fn new(folder: &Path, memory: usize) -> Bucket {
        // Half of the memory is for flushed postings, the rest for two chunks, packed and unpacked.
        let (chunk, memory) = ((memory / 256).max(CHUNK), memory / 2);
        let chunks = Column::new(folder, memory);
        Bucket { member: 0, postings: Vec::new(), chunks, chunk, memory, folder: folder.to_owned() }
    }

    fn push(&mut self, posting: u128) -> Result<()> {
        if self.postings.len() == self.chunk {
            self.chunks.push(&self.postings)?;
            self.postings.clear();
        }
        self.postings.push(posting);
        Ok(())
    }

    /// Makes the bucket's pairs, and empties the bucket.
    fn close(
        &mut self,
        wanted: PairConditions,
        pairs: &mut Sorter<Pair>,
        large_buckets: &mut LargeBuckets,
    ) -> Result<()> {
        let n_postings = self.chunks.len() * self.chunk + self.postings.len();
        if n_postings > 1 {
            let first = self.join(wanted, pairs)?;
            if n_postings >= LARGE {
                large_buckets.push(LargeBucket {
                    key: self.member,
                    n_documents: n_postings as u32,
                    first,
                });
            }
        }
        self.postings.clear();
        if !self.chunks.is_empty() {
            self.chunks = Column::new(&self.folder, self.memory);
        }
        Ok(())
    }

    /// Joins every chunk with itself and those before it; returns the lowest document.
    fn join(&self, wanted: PairConditions, pairs: &mut Sorter<Pair>) -> Result<DocIdx> {
        let mut scratch = Scratch::default();
        let (mut earlier, mut later) = (Vec::new(), Vec::new());
        let mut first = DocIdx::MAX;
        for number in 0..=self.chunks.len() {
            self.chunk(number, &mut scratch, &mut later)?;
            first = later.iter().map(|posting| posting.document).min().unwrap_or(first).min(first);
            for before in 0..number {
                self.chunk(before, &mut scratch, &mut earlier)?;
                wanted.join(&earlier, &later, pairs)?;
            }
            wanted.join_itself(&later, pairs)?;
        }
        Ok(first)
    }

    fn chunk(
        &self,
        number: usize,
        scratch: &mut Scratch<u128>,
        postings: &mut Vec<Posting>,
    ) -> Result<()> {
        let packed = if number < self.chunks.len() {
            self.chunks.get(number as u32, scratch)?
        } else {
            &self.postings
        };
        postings.clear();
        postings.extend(packed.iter().map(|&packed| Posting::unpack(packed)));
        Ok(())
    }
}

impl PairConditions {
    /// Adds the candidates with one document from each slice. No document in `later` is smaller than one in `earlier`.
    fn join(self, earlier: &[Posting], later: &[Posting], pairs: &mut Sorter<Pair>) -> Result<()> {
        match self.relation {
            Relation::Resemblance(threshold) => {
                self.resembling(later.iter().map(|y| (y, earlier)), threshold, pairs)
            }
            Relation::Containment(threshold) => {
                self.containing(earlier, later, threshold, pairs)?;
                self.containing(later, earlier, threshold, pairs)
            }
        }
    }

    /// Adds the candidates with both documents in one chunk.
    fn join_itself(self, postings: &[Posting], pairs: &mut Sorter<Pair>) -> Result<()> {
        match self.relation {
            Relation::Resemblance(threshold) => {
                let with_earlier = |(i, y)| (y, &postings[..i]);
                self.resembling(postings.iter().enumerate().map(with_earlier), threshold, pairs)
            }
            Relation::Containment(threshold) => {
                self.containing(postings, postings, threshold, pairs)
            }
        }
    }

    /// Pairs each document with those of the slice beside it that are large enough, and have enough members left.
    ///
    /// Each slice extends the previous one, and all are ordered by size, as the documents are.
    fn resembling<'a>(
        self,
        documents: impl Iterator<Item = (&'a Posting, &'a [Posting])>,
        threshold: Threshold,
        pairs: &mut Sorter<Pair>,
    ) -> Result<()> {
        /// Number of partners up to which all are looked at, without bounding their sizes first.
        const FEW: usize = 16;
        let (mut from, mut sizes, mut needed) = (0, (0, 0), None);
        for (y, partners) in documents {
            if partners.len() - from > FEW {
                let smallest = smallest_partner(y.size, threshold);
                from += partners[from..].iter().take_while(|x| x.size < smallest).count();
            }
            for x in &partners[from..] {
                if sizes != (x.size, y.size) {
                    sizes = (x.size, y.size);
                    needed = needed_common(x.size, y.size, threshold);
                }
                let is_open = needed.is_some_and(|needed| x.left.min(y.left) >= needed);
                if is_open && self.may_pair(x, y) {
                    pairs.push(Pair::new(x.document, y.document))?;
                }
            }
        }
        Ok(())
    }

    /// Pairs each inner document that has enough members left with every outer one that does, too.
    fn containing(
        self,
        inner: &[Posting],
        outer: &[Posting],
        threshold: Threshold,
        pairs: &mut Sorter<Pair>,
    ) -> Result<()> {
        for x in inner {
            let needed = needed_contained(x.size, threshold);
            if x.left < needed {
                continue;
            }
            for y in outer.iter().filter(|y| y.left >= needed && self.may_pair(x, y)) {
                // `Pair::new` would put the lower document first.
                pairs.push(Pair(u64::from(x.document) << 32 | u64::from(y.document)))?;
            }
        }
        Ok(())
    }

    fn may_pair(self, x: &Posting, y: &Posting) -> bool {
        x.document != y.document && self.sides.may_pair(x.document, y.document)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fanmill_kernel::hash::mix::{SplitMix, mix};
    use proptest::prelude::*;

    use super::*;
    use crate::exact::counts::Counts;
    use crate::exact::postings::Rarest;
    use crate::reference_split::Scope;

    /// Returns all candidates, found with these numbers of bytes.
    fn candidates(
        sets: &[Vec<u64>],
        relation: Relation,
        counters: usize,
        memory: usize,
    ) -> (BTreeSet<(DocIdx, DocIdx)>, Vec<LargeBucket>) {
        candidates_between(sets, relation, ReferenceSplit::default(), (counters, memory))
    }

    /// Returns all candidates that `sides` allows.
    fn candidates_between(
        sets: &[Vec<u64>],
        relation: Relation,
        sides: ReferenceSplit,
        (counters, memory): (usize, usize),
    ) -> (BTreeSet<(DocIdx, DocIdx)>, Vec<LargeBucket>) {
        let folder = tempfile::tempdir().expect("a folder");
        let counts = Counts::new(counters);
        for set in sets {
            counts.add(set);
        }
        let rarest = Rarest::new(&counts, relation);
        for set in sets {
            rarest.mark(set);
        }
        let join = ExactJoin::new(folder.path(), memory, relation);
        let (mut join, mut postings) = (join.between(sides), Vec::new());
        for (set, document) in sets.iter().zip(0..) {
            postings.clear();
            rarest.postings(document, set, &mut postings);
            join.extend(&postings).expect("room");
        }
        let found = join.finish().expect("room");
        let large_buckets = found.large_buckets().to_vec();
        let pairs: Vec<_> = found.collect::<Result<_>>().expect("readable");
        assert!(pairs.is_sorted_by(|a, b| a < b), "ascending, each once");
        (pairs.into_iter().collect(), large_buckets)
    }

    /// Returns all pairs that must be candidates, by definition: the first lies in the second, or is the lower one.
    fn reaching(sets: &[Vec<u64>], relation: Relation) -> BTreeSet<(DocIdx, DocIdx)> {
        let n = sets.len() as DocIdx;
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b);
        let reaches = |&(a, b): &(DocIdx, DocIdx)| {
            let (x, y) = (&sets[a as usize], &sets[b as usize]);
            let n_common = x.iter().filter(|member| y.contains(member)).count() as f64;
            match relation {
                Relation::Resemblance(threshold) => {
                    let n_different = x.len() as f64 + y.len() as f64 - n_common;
                    a < b && n_common / n_different >= threshold.value()
                }
                Relation::Containment(threshold) => n_common / x.len() as f64 >= threshold.value(),
            }
        };
        pairs.filter(reaches).collect()
    }

    fn threshold(value: f64) -> Threshold {
        Threshold::new(value).expect("a fraction")
    }

    /// Returns copies of a few sets, with some members changed.
    fn families(n: usize, seed: u64) -> Vec<Vec<u64>> {
        let mut numbers = SplitMix::new(seed);
        let mut sets: Vec<BTreeSet<u64>> = Vec::new();
        for i in 0..n {
            let mut below = |n: u64| numbers.draw() % n;
            let set = if i == 0 || below(3) == 0 {
                (0..=below(60)).map(|_| below(5000)).collect()
            } else {
                let original = &sets[below(i as u64) as usize];
                let keep = [50, 90, 97, 100][below(4) as usize];
                let kept = original.iter().copied().filter(|_| below(100) < keep);
                let mut copy: BTreeSet<u64> = kept.collect();
                copy.extend((0..below(4)).map(|_| below(1000)));
                copy
            };
            sets.push(set);
        }
        sets.into_iter().map(hashed).collect()
    }

    /// Returns numbers as hashes.
    fn hashed(set: BTreeSet<u64>) -> Vec<u64> {
        let hashes: BTreeSet<u64> = set.into_iter().map(mix).collect();
        hashes.into_iter().collect()
    }

    #[test]
    fn nothing_is_missed_among_families() {
        let sets = families(250, 7);
        for value in [0.3, 0.6, 0.8, 0.9, 1.0] {
            let relation = Relation::Resemblance(threshold(value));
            let (found, _) = candidates(&sets, relation, 1 << 16, 1 << 12);
            let expected = reaching(&sets, relation);
            assert!(expected.is_subset(&found), "{value}");
            assert!(found.len() < 25 * expected.len(), "{value}: {} found", found.len());
            let relation = Relation::Containment(threshold(value));
            let (found, _) = candidates(&sets, relation, 1 << 16, 1 << 12);
            assert!(reaching(&sets, relation).is_subset(&found), "{value}");
        }
    }

    /// There are more postings than fit into a chunk, all of them in pairs with a few.
    #[test]
    fn large_buckets_are_joined_whole_and_named() {
        let n = 3 * CHUNK as u64;
        let hashes = |i| hashed([0, 10 + 2 * i, 11 + 2 * i].into());
        let mut sets: Vec<Vec<u64>> = (0..n).map(hashes).collect();
        sets[5] = vec![0];
        let relation = Relation::Containment(threshold(1.0));
        let (found, large_buckets) = candidates(&sets, relation, 1 << 16, 1 << 12);
        assert!((0..n as u32).all(|outer| outer == 5 || found.contains(&(5, outer))));
        assert_eq!((large_buckets[0].n_documents, large_buckets[0].first), (n as u32, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(96)))]

        #[test]
        fn no_pair_is_missed_and_the_answer_is_the_same_for_any_budget(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..25, 0..20), 0..25),
            percent in 1_u32..=100, memory in 0_usize..4000,
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(hashed).collect();
            let threshold = threshold(f64::from(percent) / 100.0);
            let relation = Relation::Resemblance(threshold);
            let (found, _) = candidates(&sets, relation, 0, memory);
            prop_assert!(reaching(&sets, relation).is_subset(&found));
            prop_assert_eq!(&found, &candidates(&sets, relation, 0, 1 << 20).0);
            let relation = Relation::Containment(threshold);
            let (found, _) = candidates(&sets, relation, 0, memory);
            prop_assert!(reaching(&sets, relation).is_subset(&found));
            prop_assert_eq!(&found, &candidates(&sets, relation, 0, 1 << 20).0);
        }

        #[test]
        fn pairs_between_sides_are_those_of_all_that_may_be_one(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..25, 0..20), 0..25),
            percent in 1_u32..=100, n_references in 0_u32..25, only in any::<bool>(),
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(hashed).collect();
            let scope = if only { Scope::ReferenceOnly } else { Scope::Everything };
            let sides = ReferenceSplit { n_references, scope };
            let threshold = threshold(f64::from(percent) / 100.0);
            for relation in [Relation::Resemblance(threshold), Relation::Containment(threshold)] {
                let (mut all, _) = candidates(&sets, relation, 0, 1 << 12);
                all.retain(|&(a, b)| sides.may_pair(a, b));
                prop_assert_eq!(candidates_between(&sets, relation, sides, (0, 1 << 12)).0, all);
            }
        }
    }
}

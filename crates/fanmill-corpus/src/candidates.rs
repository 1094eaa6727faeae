//! The candidate join: finds pairs of documents that agree in enough bands, for more documents than fit into memory.
//!
//! It is the twin of [`fanmill_sketch::lsh::join::candidates`], and has the same result: keys are sorted with their documents;
//! equal keys form buckets; small buckets yield all their pairs, and large ones links; and pairs are sorted to be
//! counted. Here all bands are sorted together, since documents bring all their keys at once, and both sorts spill to
//! disk. The sorted keys already contain the members of a large bucket in their final order, so a large bucket of any
//! size is read once, flushed in chunks, and linked.
//!
//! With a reference ([`ReferenceSplit`]), pairs that are not searched for are left out. Each document in a large bucket is then
//! also linked to the nearest documents of the reference before and after it, since its neighbours may all be on its
//! own side.
//!
//! Cost: 16 bytes of memory or disk for each document and band, 8 for each pair and each band it agrees in;
//! O(n log n) time for n of them. The answer is the same for any budget and number of threads.
//! Source: as for [`fanmill_sketch::lsh::join`].

use std::path::{Path, PathBuf};

use fanmill_kernel::hash::mix::mix;
use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::join::{self, BucketLimits, Entry, LargeBucket, Links, Member, Pair};
use fanmill_text::{Error, Result};

use crate::reference_split::ReferenceSplit;
use crate::spill::column::{Column, Scratch};
use crate::spill::sorter::{Sorted, Sorter};

/// Maximum number of large buckets that are listed.
pub const MOST_NAMED: usize = 1000;
/// Minimum number of members of a large bucket that are flushed together.
const CHUNK: usize = 1 << 12;

/// Turns the keys of documents into candidate pairs; see the [module](self).
#[derive(Debug)]
pub struct CandidateJoin {
    entries: Sorter<Entry>,
    bands: Bands,
    limits: BucketLimits,
    sides: ReferenceSplit,
    memory: usize,
    folder: PathBuf,
}

impl CandidateJoin {
    /// Begins a join within `memory` bytes; what does not fit goes to unnamed files in `folder`.
    pub fn new(folder: &Path, memory: usize, bands: Bands, limits: BucketLimits) -> CandidateJoin {
        CandidateJoin {
            entries: Sorter::new(folder, memory / 4 * 3),
            bands,
            limits,
            sides: ReferenceSplit::default(),
            memory,
            folder: folder.to_owned(),
        }
    }

    /// Restricts the join to pairs that `sides` allows.
    #[must_use]
    pub fn between(mut self, sides: ReferenceSplit) -> CandidateJoin {
        self.sides = sides;
        self
    }

    /// Adds a document by its row of keys, as [`Bands::keys`] makes it. Documents come in any order; an empty one is
    /// not in any pair.
    ///
    /// # Errors
    /// If the row does not have a key for each band; if the memory is full and its contents cannot be written to disk.
    pub fn push(&mut self, document: DocIdx, row: &[u64]) -> Result<()> {
        if row.len() != self.bands.bands() {
            return Err(Error::input(format!(
                "document {document} has {} keys, and there are {} bands; give it a key for each",
                row.len(),
                self.bands.bands()
            )));
        }
        self.entries.extend((0..row.len()).filter_map(|band| Entry::new(document, row, band)))
    }

    /// Adds a document that consists of one shingle and resembles only documents of the same shingle, with which it is
    /// paired. It takes only as many keys as must agree, while a row has one for each band.
    ///
    /// # Errors
    /// If the memory is full and its contents cannot be written to disk.
    pub fn push_shingle(&mut self, document: DocIdx, shingle: u64) -> Result<()> {
        self.entries.extend(entries_of_shingle(document, shingle, self.bands.needed()))
    }

    /// Returns the pairs that agree in enough bands.
    ///
    /// # Errors
    /// If the disk fails or cannot hold what does not fit into memory.
    pub fn finish(self) -> Result<Candidates> {
        let chunk = self.limits.large.max(CHUNK);
        let mut bucket = Bucket::new(&self.folder, self.memory / 16, chunk, self.sides);
        let mut pairs = pairs(&self.folder, self.memory / 16 * 3, self.bands);
        let (mut large_buckets, needed) = (LargeBuckets::default(), self.bands.needed());
        for entry in self.entries.sorted()? {
            let entry = entry?;
            if entry.key() != bucket.key {
                bucket.close(self.limits, needed, &mut pairs, &mut large_buckets)?;
                bucket.key = entry.key();
            }
            bucket.push(entry.member())?;
        }
        bucket.close(self.limits, needed, &mut pairs, &mut large_buckets)?;
        let n_unseen = large_buckets.n_unseen;
        let (n_large_buckets, large_buckets) = large_buckets.finish();
        let pairs = Counted { pairs: pairs.sorted()?, next: None, needed };
        Ok(Candidates { pairs, large_buckets, n_large_buckets, n_unseen })
    }
}

/// Returns the entries of a document that [consists of one shingle](CandidateJoin::push_shingle), if `needed` bands
/// must agree: as many as that, so that its pairs are counted often enough.
pub fn entries_of_shingle(
    document: DocIdx,
    shingle: u64,
    needed: usize,
) -> impl Iterator<Item = Entry> {
    let key = move |number: u64| mix(shingle ^ mix(number));
    (0..needed as u64).filter_map(move |number| Entry::new(document, &[key(number)], 0))
}

/// Makes a sorter for pairs, which drops repetitions if a pair needs to come only once.
fn pairs(folder: &Path, memory: usize, bands: Bands) -> Sorter<Pair> {
    match bands.needed() {
        1 => Sorter::distinct(folder, memory),
        _ => Sorter::new(folder, memory),
    }
}

/// Pairs that agree in enough bands: a fallible iterator, ascending, with the lower document of each pair first.
#[derive(Debug)]
pub struct Candidates {
    pairs: Counted,
    large_buckets: Vec<LargeBucket>,
    n_large_buckets: u64,
    n_unseen: u64,
}

impl Candidates {
    /// Returns the buckets that did not yield all their pairs, the largest first, up to [`MOST_NAMED`].
    pub fn large_buckets(&self) -> &[LargeBucket] {
        &self.large_buckets
    }

    /// Returns the number of such buckets.
    pub fn n_large_buckets(&self) -> u64 {
        self.n_large_buckets
    }

    /// Returns the number of pairs that these did not yield. Another bucket may have yielded some of them, and pairs
    /// that lie in several of these buckets are counted in each.
    pub fn n_unseen(&self) -> u64 {
        self.n_unseen
    }
}

impl Iterator for Candidates {
    type Item = Result<(DocIdx, DocIdx)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pairs.next().map(|pair| pair.map(Pair::documents))
    }
}

/// Different pairs of an ascending sequence that come at least `needed` times.
#[derive(Debug)]
struct Counted {
    pairs: Sorted<Pair>,
    /// The pair that ended the last count.
    next: Option<Pair>,
    needed: usize,
}

impl Counted {
    fn advance(&mut self) -> Result<Option<Pair>> {
        let mut next = self.next.take();
        loop {
            let Some(pair) =
                next.map_or_else(|| self.pairs.next().transpose(), |pair| Ok(Some(pair)))?
            else {
                return Ok(None);
            };
            let mut n = 1;
            next = loop {
                match self.pairs.next().transpose()? {
                    Some(other) if other == pair => n += 1,
                    other => break other,
                }
            };
            if n >= self.needed {
                self.next = next;
                return Ok(Some(pair));
            }
        }
    }
}

impl Iterator for Counted {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Result<Pair>> {
        self.advance().transpose()
    }
}

/// The documents of one key, in the order in which they were sorted.
#[derive(Debug)]
struct Bucket {
    key: u64,
    sides: ReferenceSplit,
    /// Number of documents of the reference.
    n_references: u64,
    /// The last members, at most a chunk.
    members: Vec<Member>,
    /// All members before them, flushed in chunks of equal size; only large buckets have any.
    chunks: Column<Member>,
    chunk: usize,
    memory: usize,
    folder: PathBuf,
}

impl Bucket {
    fn new(folder: &Path, memory: usize, chunk: usize, sides: ReferenceSplit) -> Bucket {
        let (chunks, folder) = (Column::new(folder, memory), folder.to_owned());
        Bucket {
            key: 0,
            sides,
            n_references: 0,
            members: Vec::new(),
            chunks,
            chunk,
            memory,
            folder,
        }
    }

    fn push(&mut self, member: Member) -> Result<()> {
        if self.members.len() == self.chunk {
            self.chunks.push(&self.members)?;
            self.members.clear();
        }
        self.n_references += u64::from(self.sides.is_reference(member.document()));
        self.members.push(member);
        Ok(())
    }

    /// Makes the bucket's pairs, and empties the bucket.
    fn close(
        &mut self,
        limits: BucketLimits,
        needed: usize,
        pairs: &mut Sorter<Pair>,
        large_buckets: &mut LargeBuckets,
    ) -> Result<()> {
        let n_members = self.chunks.len() * self.chunk + self.members.len();
        if n_members < limits.large.max(2) {
            let may_pair = |pair: &Pair| self.may_pair(*pair);
            pairs.extend(join::all_pairs(&self.members).filter(may_pair))?;
        } else {
            // There would be too many pairs, so each member gets a few links only.
            let (first, lowest) = self.lowest()?;
            let links = Links::new(n_members, limits.representatives, lowest);
            let mut n_links = self.link(&links, needed, pairs)?;
            if self.n_references > 0 {
                n_links += self.link_to_references(&links, needed, pairs)?;
            }
            let n_others = n_members as u64 - self.n_references;
            let n_pairs = self.sides.n_pairs(self.n_references, n_others);
            large_buckets.n_unseen += n_pairs.saturating_sub(n_links);
            large_buckets.push(LargeBucket { key: self.key, n_documents: n_members as u32, first });
        }
        self.members.clear();
        self.n_references = 0;
        if !self.chunks.is_empty() {
            self.chunks = Column::new(&self.folder, self.memory);
        }
        Ok(())
    }

    /// Returns the lowest document, and its place.
    fn lowest(&self) -> Result<(DocIdx, usize)> {
        let (mut scratch, mut lowest) = (Scratch::default(), (DocIdx::MAX, 0));
        for number in 0..=self.chunks.len() {
            let places = number * self.chunk..;
            let chunk = self.chunk(number, &mut scratch)?;
            let of_chunk = chunk.iter().zip(places).map(|(&member, at)| (member.document(), at));
            lowest = of_chunk.fold(lowest, Ord::min);
        }
        Ok(lowest)
    }

    fn may_pair(&self, pair: Pair) -> bool {
        let (a, b) = pair.documents();
        self.sides.may_pair(a, b)
    }

    /// Makes the links of a large bucket; returns the number of pairs that are linked.
    fn link(&self, links: &Links, needed: usize, pairs: &mut Sorter<Pair>) -> Result<u64> {
        let mut n_links = 0;
        let mut join = |a: Member, b: Member| -> Result<()> {
            if self.sides.may_pair(a.document(), b.document()) {
                n_links += 1;
                pairs.extend(join::link(a, b, needed))?;
            }
            Ok(())
        };
        let mut scratch = Scratch::default();
        let mut stars = Vec::new();
        for &place in links.representatives() {
            let chunk = self.chunk(place / self.chunk, &mut scratch)?;
            stars.push((place, chunk[place % self.chunk]));
        }
        let (mut place, mut before) = (0, None);
        for number in 0..=self.chunks.len() {
            for &member in self.chunk(number, &mut scratch)? {
                // The link to the next member is made once that member has been read.
                if let Some(before) = before {
                    join(before, member)?;
                }
                for star in links.of(place).filter(|&other| other != place + 1) {
                    let at = stars.partition_point(|&(place, _)| place < star);
                    join(member, stars[at].1)?;
                }
                (place, before) = (place + 1, Some(member));
            }
        }
        Ok(n_links)
    }

    /// Links each member to the nearest documents of the reference before and after it, unless they are linked already;
    /// returns the number of new links.
    fn link_to_references(
        &self,
        links: &Links,
        needed: usize,
        pairs: &mut Sorter<Pair>,
    ) -> Result<u64> {
        let is_star = |place: usize| links.representatives().binary_search(&place).is_ok();
        let is_linked = |a: usize, b: usize| a.abs_diff(b) == 1 || is_star(a) || is_star(b);
        let (mut n_links, mut scratch) = (0, Scratch::default());
        for is_backwards in [false, true] {
            let in_order = |i: usize, n: usize| if is_backwards { n - 1 - i } else { i };
            let mut nearest: Option<(usize, Member)> = None;
            for number in (0..=self.chunks.len()).map(|i| in_order(i, self.chunks.len() + 1)) {
                let chunk = self.chunk(number, &mut scratch)?;
                for i in (0..chunk.len()).map(|i| in_order(i, chunk.len())) {
                    let (place, member) = (number * self.chunk + i, chunk[i]);
                    if self.sides.is_reference(member.document()) {
                        nearest = Some((place, member));
                    } else if let Some((at, reference)) = nearest
                        && !is_linked(place, at)
                    {
                        n_links += 1;
                        pairs.extend(join::link(member, reference, needed))?;
                    }
                }
            }
        }
        Ok(n_links)
    }

    fn chunk<'a>(
        &'a self,
        number: usize,
        scratch: &'a mut Scratch<Member>,
    ) -> Result<&'a [Member]> {
        if number < self.chunks.len() {
            self.chunks.get(number as u32, scratch)
        } else {
            Ok(&self.members)
        }
    }
}

/// The largest of the large buckets, and the number of all of them.
#[derive(Debug, Default)]
pub(crate) struct LargeBuckets {
    largest: Vec<LargeBucket>,
    n: u64,
    /// Number of pairs that they did not yield.
    n_unseen: u64,
}

impl LargeBuckets {
    pub(crate) fn push(&mut self, bucket: LargeBucket) {
        self.n += 1;
        self.largest.push(bucket);
        if self.largest.len() >= 2 * MOST_NAMED {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.largest.sort_unstable_by_key(LargeBucket::order);
        self.largest.truncate(MOST_NAMED);
    }

    pub(crate) fn finish(mut self) -> (u64, Vec<LargeBucket>) {
        self.cut();
        (self.n, self.largest)
    }
}

#[cfg(test)]
mod tests {
    use fanmill_sketch::registers::EMPTY;
    use proptest::prelude::*;

    use super::*;
    use crate::reference_split::Scope;

    /// Returns the pairs and large buckets found within a budget.
    fn join(
        keys: &[u64],
        bands: Bands,
        limits: BucketLimits,
        memory: usize,
    ) -> (Vec<(DocIdx, DocIdx)>, Vec<LargeBucket>) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut join = CandidateJoin::new(folder.path(), memory, bands, limits);
        for (row, document) in keys.chunks(bands.bands()).zip(0..) {
            join.push(document, row).expect("room");
        }
        let candidates = join.finish().expect("room");
        assert_eq!(candidates.n_large_buckets(), candidates.large_buckets().len() as u64);
        let large_buckets = candidates.large_buckets().to_vec();
        (candidates.collect::<Result<_>>().expect("readable"), large_buckets)
    }

    fn bands(count: u32, needed: u32) -> Bands {
        Bands::new(count, 1, needed).expect("fine")
    }

    #[test]
    fn a_hundred_thousand_equal_rows_are_linear_work() {
        const N: u32 = 100_000;
        let keys = [3, 4].repeat(N as usize);
        let (pairs, large_buckets) = join(&keys, bands(2, 2), BucketLimits::standard(), 1 << 22);
        assert_eq!(
            large_buckets.iter().map(|bucket| bucket.n_documents).collect::<Vec<_>>(),
            [N, N]
        );
        assert!(pairs.len() <= 5 * N as usize, "{}", pairs.len());
        assert!((1..N).all(|i| pairs.binary_search(&(i - 1, i)).is_ok()), "a chain");
    }

    #[test]
    fn pairs_that_a_large_bucket_does_not_yield_are_counted() {
        for (n, large) in [(6_u32, 7), (7, 7), (300, 256)] {
            let folder = tempfile::tempdir().expect("a folder");
            let limits = BucketLimits { large, representatives: 2 };
            let mut join = CandidateJoin::new(folder.path(), 1 << 20, bands(1, 1), limits);
            (0..n).for_each(|document| join.push(document, &[5]).expect("room"));
            let found = join.finish().expect("room");
            let n_unseen = found.n_unseen();
            let found: Vec<_> = found.collect::<Result<_>>().expect("readable");
            assert_eq!(found.len() as u64 + n_unseen, u64::from(n * (n - 1) / 2), "{n}");
            assert_eq!(n_unseen > 0, n as usize >= large, "{n}");
        }
    }

    /// Pairs should be the same as if each document had a row that agrees only with rows of the same shingle.
    #[test]
    fn documents_of_one_shingle_are_paired_like_rows() {
        let shingles: Vec<u64> = (0..2000).map(|i| if i % 3 == 0 { 0 } else { i % 90 }).collect();
        for (n_bands, needed) in [(5, 1), (6, 2)] {
            let rows = shingles.iter().flat_map(|&shingle| vec![shingle + 1; n_bands as usize]);
            let rows: Vec<u64> = rows.collect();
            let (expected, of_rows) =
                join(&rows, bands(n_bands, needed), BucketLimits::standard(), 1 << 14);
            let folder = tempfile::tempdir().expect("a folder");
            let limits = BucketLimits::standard();
            let mut join =
                CandidateJoin::new(folder.path(), 1 << 14, bands(n_bands, needed), limits);
            for (document, &shingle) in (0..).zip(&shingles) {
                join.push_shingle(document, shingle).expect("room");
            }
            let found = join.finish().expect("room");
            assert_eq!(found.n_large_buckets(), u64::from(needed), "{} of rows", of_rows.len());
            assert_eq!(found.collect::<Result<Vec<_>>>().expect("readable"), expected);
        }
    }

    #[test]
    fn a_row_of_other_bands_is_refused() {
        let mut join =
            CandidateJoin::new(Path::new(""), 1 << 20, bands(2, 1), BucketLimits::standard());
        assert!(join.push(7, &[1, 2, 3]).is_err_and(|error| error.is_input()));
    }

    #[test]
    fn the_largest_buckets_are_listed() {
        let mut large_buckets = LargeBuckets::default();
        let n = 3 * MOST_NAMED as u32 + 1;
        (0..n).for_each(|i| large_buckets.push(LargeBucket { key: 7, n_documents: i, first: 0 }));
        let (count, largest) = large_buckets.finish();
        assert_eq!((count, largest.len(), largest[0].n_documents), (n.into(), MOST_NAMED, n - 1));
        assert_eq!(largest[MOST_NAMED - 1].n_documents, n - MOST_NAMED as u32);
    }

    /// Documents that agree in as many bands as needed stay together in large buckets, too.
    #[test]
    fn links_of_large_buckets_count_the_bands_that_are_seen_to_agree() {
        let keys: Vec<u64> = (0..2000).flat_map(|i| [1, 2, i % 700, i]).collect();
        let (pairs, large_buckets) = join(&keys, bands(4, 2), BucketLimits::standard(), 1 << 20);
        assert_eq!(large_buckets.len(), 2);
        assert!(pairs.len() < 12_000, "{}", pairs.len());
        let linked: std::collections::BTreeSet<u32> =
            pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(linked.len(), 2000);
        // The three documents of one kind form a chain, in some order.
        let is_found = |a: u32, b: u32| usize::from(pairs.binary_search(&(a, b)).is_ok());
        let links = |i| is_found(i, i + 700) + is_found(i, i + 1400) + is_found(i + 700, i + 1400);
        assert!((0..700).all(|i| links(i) > usize::from(i < 600)));
    }

    /// Large buckets have several chunks here, and members spread over all of them.
    #[test]
    fn large_buckets_are_linked_as_in_memory() {
        let keys: Vec<u64> = (0..20_000).flat_map(|i| [1, i % 10, i * i % 7919]).collect();
        let expected =
            join::candidates(&keys, bands(3, 1), &BucketLimits::standard()).expect("whole rows");
        for memory in [1 << 14, 1 << 30] {
            let (pairs, large_buckets) = join(&keys, bands(3, 1), BucketLimits::standard(), memory);
            assert_eq!(
                (pairs, large_buckets),
                (expected.pairs.clone(), expected.large_buckets.clone())
            );
        }
        assert_eq!(expected.large_buckets.len(), 11);
    }

    /// Returns the pairs between sides, and the number that large buckets did not yield.
    fn join_between(
        keys: &[u64],
        bands: Bands,
        limits: BucketLimits,
        sides: ReferenceSplit,
    ) -> (Vec<(DocIdx, DocIdx)>, u64) {
        let folder = tempfile::tempdir().expect("a folder");
        let join = CandidateJoin::new(folder.path(), 1 << 14, bands, limits);
        let mut join = join.between(sides);
        for (row, document) in keys.chunks(bands.bands()).zip(0..) {
            join.push(document, row).expect("room");
        }
        let candidates = join.finish().expect("room");
        let n_unseen = candidates.n_unseen();
        (candidates.collect::<Result<_>>().expect("readable"), n_unseen)
    }

    /// Ten thousand documents share a key, and a few of them belong to the reference: each of the others is linked to a
    /// reference document that also agrees in the other keys.
    #[test]
    fn in_a_large_bucket_the_nearest_of_the_reference_are_linked() {
        const N: u32 = 10_000;
        let kind = |document: u32| u64::from(document % 50);
        let keys: Vec<u64> = (0..N).flat_map(|i| [1, 2 + kind(i), 2 + kind(i)]).collect();
        for scope in [Scope::Everything, Scope::ReferenceOnly] {
            let sides = ReferenceSplit { n_references: 50, scope };
            let (pairs, n_unseen) =
                join_between(&keys, bands(3, 3), BucketLimits::standard(), sides);
            assert!((50..N).all(|i| pairs.binary_search(&(i % 50, i)).is_ok()));
            assert!(pairs.iter().all(|&(a, b)| sides.may_pair(a, b)));
            assert!(pairs.len() < 12 * N as usize && n_unseen > 0, "{}", pairs.len());
        }
    }

    proptest! {
        #[test]
        fn pairs_between_sides_are_those_of_all_that_may_be_one(
            keys in proptest::collection::vec(0_u64..6, 0..150),
            n_bands in 1_u32..5, needed in 1_u32..5, n_references in 0_u32..20,
            large in prop_oneof![2_usize..6, Just(usize::MAX)], only in any::<bool>(),
        ) {
            let bands = bands(n_bands, needed.min(n_bands));
            let keys = &keys[..keys.len() / bands.bands() * bands.bands()];
            let scope = if only { Scope::ReferenceOnly } else { Scope::Everything };
            let sides = ReferenceSplit { n_references, scope };
            let whole = BucketLimits { large: usize::MAX, representatives: 2 };
            let mut expected = join::candidates(keys, bands, &whole).expect("whole rows").pairs;
            expected.retain(|&(a, b)| sides.may_pair(a, b));
            let (pairs, n_unseen) = join_between(keys, bands, BucketLimits { large, ..whole }, sides);
            if large == usize::MAX {
                prop_assert_eq!((pairs, n_unseen), (expected, 0));
            } else if needed == 1 {
                prop_assert!(pairs.iter().all(|pair| expected.contains(pair)));
                prop_assert!(pairs.len() as u64 + n_unseen >= expected.len() as u64);
            }
        }

        #[test]
        fn pairs_and_large_buckets_are_those_found_in_memory(
            keys in proptest::collection::vec(prop_oneof![0_u64..6, Just(EMPTY)], 0..150),
            n_bands in 1_u32..5, needed in 1_u32..5,
            large in prop_oneof![0_usize..6, Just(usize::MAX)], representatives in 0_usize..4,
            memory in 0_usize..5000,
        ) {
            let bands = bands(n_bands, needed.min(n_bands));
            let keys = &keys[..keys.len() / bands.bands() * bands.bands()];
            let limits = BucketLimits { large, representatives };
            let expected = join::candidates(keys, bands, &limits).expect("whole rows");
            let (pairs, large_buckets) = join(keys, bands, limits, memory);
            prop_assert_eq!(pairs, expected.pairs);
            prop_assert_eq!(large_buckets, expected.large_buckets);
        }
    }
}

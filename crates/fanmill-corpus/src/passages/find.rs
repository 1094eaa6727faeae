//! The first reading: finds repeated passages and their places.

use std::ops::Range;

use super::Run;
use crate::dedup::Mode;
use crate::job::{self, Account, PIECE, Read, ReadRecord, RecordOutcome};
use crate::spill::Sorter;
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns};
use fanmill_text::Result;
use fanmill_text::frontend::runs::{self, WordKey};
use rayon::prelude::*;

/// Maximum number of passages that are shown with their text.
const SHOWN: usize = 20;

/// The result of the first reading.
#[derive(Debug)]
pub(super) struct FoundPassages {
    pub(super) account: Account,
    /// Number of passages that are long enough.
    pub(super) n_passages: u64,
    key: Key,
    /// For each passage, 96 bits of its hash and its document, and its place there.
    passages: Option<Sorter<(u128, u32)>>,
}

/// The keys for the hashes of words and of passages. They are random, so an author cannot construct two passages with
/// the same hash.
#[derive(Debug)]
struct Key {
    words: WordKey<2>,
    passages: [u8; 32],
}

/// The words of a passage under the key.
type Words = Vec<[u64; 2]>;

/// A document, a place in it, the first document that has the passage there, and a part of the passage's hash. In the
/// first document itself the passage stays, and is only checked.
pub(super) type Place = (u32, (u32, u32, u64));

/// The places of repeated passages, and the most frequent passages.
#[derive(Debug)]
pub(super) struct Repeats {
    /// The places, to be sorted.
    pub(super) places: Sorter<Place>,
    /// The most frequent passages first: the number of documents that have it, and its first place.
    pub(super) most: Vec<(u32, (u32, u32))>,
    /// Number of different passages that are repeated.
    pub(super) n_repeated: u64,
}

/// Hash and place of each passage of a record that is long enough.
type Passages = Vec<(u128, u32)>;

/// Reads all passages.
///
/// `left_out` are notices of files that could be records and were left out.
pub(super) fn read(run: &Run<'_>, left_out: CountedList<Notice>) -> Result<FoundPassages> {
    let mut passages = Sorter::new(run.staging.spill(), run.settings.memory / 2);
    let mut found = FoundPassages {
        account: Account::new(&run.corpus, left_out, run.settings.is_strict),
        n_passages: 0,
        key: Key::draw()?,
        passages: None,
    };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        let key = &found.key;
        let make = |batch: &Batch| Ok(read_batch(run, key, batch));
        let take = |batch: &Batch, read: Vec<ReadRecord<Passages>>| {
            found.account.note((index, shard), batch, read, |(document, _), read| {
                let own = read.map(|read| read.content).unwrap_or_default();
                found.n_passages += own.len() as u64;
                // The document replaces 32 bits of the hash, so that a passage's documents are sorted in the order of
                // the corpus.
                passages.extend(
                    own.into_iter()
                        .map(|(hash, place)| (hash >> 32 << 32 | u128::from(document), place)),
                )
            })
        };
        run.corpus.walk(index, Columns::Needed, &run.steps, make, take)?;
    }
    let shards = 0..run.corpus.shards.len();
    found.account.check(&run.corpus, shards, run.settings.allowed_failures)?;
    found.passages = Some(passages);
    Ok(found)
}

/// Reads the records of a batch.
fn read_batch(run: &Run<'_>, key: &Key, batch: &Batch) -> Vec<ReadRecord<Passages>> {
    let read = |words: &mut Words, i: usize| {
        if let Some(why) = kept_whole(run, batch, i) {
            return Ok(RecordOutcome::Whole(why));
        }
        let record = batch.record(i)?;
        let passages = passages_of(run, key, &record.text, words);
        Ok(RecordOutcome::Read(Read::new(record.text.len(), record.flaw, passages)))
    };
    let pieces = (0..batch.len()).into_par_iter().with_max_len(PIECE);
    pieces.map_init(Words::default, read).collect()
}

/// Returns the reason why a record is kept whole; `None` if passages can be removed from it, or if the run removes
/// nothing.
fn kept_whole(run: &Run<'_>, batch: &Batch, i: usize) -> Option<&'static str> {
    if run.settings.mode == Mode::Remove { batch.unchangeable(i) } else { None }
}

fn passages_of(run: &Run<'_>, key: &Key, text: &str, words: &mut Words) -> Passages {
    let parts = run.settings.unit.split(text);
    let hashed = |(place, part): (u32, &Range<usize>)| {
        let hash = key.hash(&text[part.clone()], words);
        let is_long = words.len() >= run.settings.min_words.max(1) as usize;
        is_long.then_some((hash, place))
    };
    (0..).zip(&parts).filter_map(hashed).collect()
}

/// Bytes from which on a passage is long.
const LONG: usize = 1 << 18;

/// Words that room is made for if a passage is long: 64 MiB.
const AT_LEAST: usize = 4 << 20;

impl Key {
    fn draw() -> Result<Key> {
        Ok(Key { words: WordKey::new(&job::random()?), passages: job::random()? })
    }

    /// Returns the hash of a passage, and leaves its words in `words`.
    fn hash(&self, passage: &str, words: &mut Words) -> u128 {
        words.clear();
        if passage.len() > LONG {
            // Enough for words of one letter, so that words are never copied while they grow. What is not used of it takes
            // no memory, and allocators give so large a piece back at once, whichever thread has had it.
            words.reserve((passage.len() / 2 + 1).max(AT_LEAST));
        }
        runs::keyed_spelled_word_hashes(passage, &self.words, words);
        job::keyed_hash_of(&self.passages, words.as_flattened())
    }
}

/// Returns the part of a hash that is stored with a place.
fn witness(hash: u128) -> u64 {
    (hash >> 64) as u64
}

impl FoundPassages {
    /// Returns whether a passage is still the one that was found.
    pub(super) fn is_same(&self, passage: &str, known: u64) -> bool {
        witness(self.key.hash(passage, &mut Vec::new())) == known
    }

    /// Sorts the passages, and returns those that are repeated.
    pub(super) fn repeats(&mut self, run: &Run<'_>) -> Result<Repeats> {
        let (spill, memory) = (run.staging.spill(), run.settings.memory / 2);
        let mut repeats =
            Repeats { places: Sorter::new(spill, memory), most: Vec::new(), n_repeated: 0 };
        let Some(passages) = self.passages.take() else { return Ok(repeats) };
        let mut group = Group::default();
        for passage in passages.sorted()? {
            run.steps.check()?;
            let (key, place) = passage?;
            let document = key as u32;
            if group.hash != Some(key >> 32) {
                group.end(run, &mut repeats)?;
                group =
                    Group { hash: Some(key >> 32), first: (document, place), ..Group::default() };
            }
            group.add(document, place, run.settings.min_documents, &mut repeats)?;
        }
        group.end(run, &mut repeats)?;
        Ok(repeats)
    }
}

/// The places of one passage, in the order of the corpus.
#[derive(Debug, Default)]
struct Group {
    hash: Option<u128>,
    first: (u32, u32),
    last: u32,
    n_documents: u32,
    /// Places that wait until enough documents have the passage.
    waiting: Vec<(u32, u32)>,
}

impl Group {
    fn add(
        &mut self,
        document: u32,
        place: u32,
        min_documents: u32,
        repeats: &mut Repeats,
    ) -> Result<()> {
        if self.n_documents == 0 || document != self.last {
            self.n_documents += 1;
            self.last = document;
        }
        if document != self.first.0 {
            self.waiting.push((document, place));
        }
        if self.n_documents >= min_documents {
            let (first, witness) = (self.first.0, self.witness());
            for (document, place) in self.waiting.drain(..) {
                repeats.places.push((document, (place, first, witness)))?;
            }
        }
        Ok(())
    }

    fn witness(&self) -> u64 {
        self.hash.map_or(0, |hash| witness(hash << 32))
    }

    fn end(&self, run: &Run<'_>, repeats: &mut Repeats) -> Result<()> {
        if self.n_documents < run.settings.min_documents {
            return Ok(());
        }
        let (first, place) = self.first;
        repeats.places.push((first, (place, first, self.witness())))?;
        repeats.n_repeated += 1;
        let most = &mut repeats.most;
        // Passages with equal counts are in the order of the corpus, since the order of hashes differs from run to run.
        let key = |&(n, first): &(u32, (u32, u32))| (std::cmp::Reverse(n), first);
        let own = (self.n_documents, self.first);
        let place = most.partition_point(|other| key(other) < key(&own));
        if place < SHOWN {
            most.insert(place, (self.n_documents, self.first));
            most.truncate(SHOWN);
        }
        Ok(())
    }
}

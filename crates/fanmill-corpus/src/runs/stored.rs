//! The reading: words, seeds and ranks of all documents.

use std::path::Path;

use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::context::{Measure, Method, Run};
use super::items::Seed;
use super::order::Order;
use crate::dedup::{Keep, LAST, Mode};
use crate::job::{Account, PIECE, Read, ReadRecord, RecordOutcome};
use crate::spill::{Column, Sorter};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns, Shard};

/// The words of all documents, and what the reading has met.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) account: Account,
    pub(super) texts: StoredWords,
}

/// The words of all documents.
#[derive(Debug)]
pub(super) struct StoredWords {
    /// Number of words.
    pub(super) n_words: u64,
    /// The words of each document; a bad record has none.
    pub(super) words: Column<u64>,
    /// The lengths of these words, if runs are measured in bytes; those that are longer than any run must be are cut off.
    pub(super) lengths: Column<u16>,
    pub(super) order: Order,
    has_lengths: bool,
}

/// The words of one record.
#[derive(Default)]
pub(super) struct RecordWords {
    pub(super) rank: u64,
    words: Vec<u64>,
    /// The length of each word, if it is needed.
    lengths: Vec<u16>,
    /// Value and place of each seed.
    seeds: Vec<(u64, u32)>,
}

/// Reads all documents; returns their words and seeds, and an error if a run has nothing to go by in what was read: too
/// little of it, or none of what the rule for what stays needs.
///
/// `left_out` are notices of files that could be records and were left out.
pub(super) fn read(
    run: &Run<'_>,
    left_out: CountedList<Notice>,
) -> Result<(Stored, Sorter<Seed>, Result<()>)> {
    let (spill, memory) = (run.staging.spill(), run.settings.memory);
    let stored = Stored {
        account: Account::new(&run.corpus, left_out, run.settings.is_strict),
        texts: StoredWords::new(&run.method, spill, memory),
    };
    let seeds = StoredWords::seeds(spill, memory);
    let mut reading = Reading { run, stored, seeds, ranks: Vec::new() };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        let make = |batch: &Batch| Ok(read_batch(run, batch));
        let take = |batch: &Batch, read: Vec<ReadRecord<RecordWords>>| {
            reading.take((index, shard), batch, read)
        };
        run.corpus.walk(index, Columns::Needed, &run.steps, make, take)?;
    }
    let Reading { mut stored, seeds, ranks, .. } = reading;
    stored.texts.order = Order::by_ranks(&ranks);
    let (account, shards) = (&stored.account, 0..run.corpus.shards.len());
    let usable = account
        .check(&run.corpus, shards, run.settings.allowed_failures)
        .and_then(|()| run.settings.keep.check(account.n_documents(), &ranks));
    Ok((stored, seeds, usable))
}

/// Reads the records of a batch.
fn read_batch(run: &Run<'_>, batch: &Batch) -> Vec<ReadRecord<RecordWords>> {
    let read = |room: &mut Vec<u8>, i: usize| {
        // Of what is only looked at or marked, every text counts.
        if let (Mode::Remove, Some(why)) = (run.settings.mode, batch.unchangeable(i)) {
            return Ok(RecordOutcome::Whole(why));
        }
        let record = batch.record_in(i, room)?;
        let rank = run.settings.keep.rank(&record);
        let words = words_of(&run.method, &record.text, rank);
        Ok(RecordOutcome::Read(Read::new(record.text.len(), record.flaw, words)))
    };
    let pieces = (0..batch.len()).into_par_iter().with_max_len(PIECE);
    pieces.map_init(Vec::new, read).collect()
}

impl StoredWords {
    /// Makes room for the words of documents within half of `memory`; what does not fit goes to `spill`.
    pub(super) fn new(method: &Method, spill: &Path, memory: usize) -> StoredWords {
        StoredWords {
            n_words: 0,
            words: Column::new(spill, memory / 4),
            lengths: Column::new(spill, memory / 16),
            order: Order::default(),
            has_lengths: matches!(method.measure, Measure::Bytes(_)),
        }
    }

    /// Makes room for the seeds of documents.
    pub(super) fn seeds(spill: &Path, memory: usize) -> Sorter<Seed> {
        Sorter::new(spill, memory / 4)
    }

    /// Adds the words of the next document, and its seeds to those of the others.
    pub(super) fn push(&mut self, own: RecordWords, seeds: &mut Sorter<Seed>) -> Result<()> {
        self.n_words += own.words.len() as u64;
        let document = self.words.push(&own.words)?;
        // Without lengths, their rows would only take room.
        if self.has_lengths {
            self.lengths.push(&own.lengths)?;
        }
        seeds.extend(own.seeds.into_iter().map(|(value, begin)| Seed { value, document, begin }))
    }
}

/// Reads the words of a text, whose document has this rank.
pub(super) fn words_of(method: &Method, text: &str, rank: u64) -> RecordWords {
    // A guess that is seldom too low.
    let mut words = Vec::with_capacity(text.len() / 5);
    let (mut lengths, mut seeds) = (Vec::new(), Vec::new());
    match method.measure {
        Measure::Words { selection, .. } => {
            method.reader.each(text, |word, _| words.push(word));
            selection.select(&method.hashing, &words, &mut seeds);
        }
        Measure::Bytes(_) => method.reader.each(text, |word, at| {
            words.push(word);
            lengths.push(u16::try_from(at.len()).unwrap_or(u16::MAX));
        }),
    }
    RecordWords { rank, words, lengths, seeds }
}

/// The state of the reading.
struct Reading<'a> {
    run: &'a Run<'a>,
    stored: Stored,
    seeds: Sorter<Seed>,
    /// The rank of each document; empty if they are kept in the order of the corpus.
    ranks: Vec<u64>,
}

impl Reading<'_> {
    /// Takes the records of a batch.
    fn take(
        &mut self,
        (index, shard): (usize, &Shard),
        batch: &Batch,
        read: Vec<ReadRecord<RecordWords>>,
    ) -> Result<()> {
        let Reading { run, stored, seeds, ranks } = self;
        let Stored { account, texts } = stored;
        account.note((index, shard), batch, read, |(_, number), read| {
            if let Some(read) = &read {
                check_length(shard, number, read.n_bytes)?;
            }
            let own = read.map(|read| read.content);
            if run.settings.keep != Keep::First {
                ranks.push(own.as_ref().map_or(LAST, |own| own.rank));
            }
            // A document that is not compared has no words.
            texts.push(own.unwrap_or_default(), seeds)
        })
    }
}

/// Refuses a text in which places cannot be counted.
fn check_length(shard: &Shard, number: u64, n_bytes: usize) -> Result<()> {
    if u32::try_from(n_bytes).is_ok() {
        return Ok(());
    }
    Err(Error::input(format!(
        "record {} of `{}` has a text of {n_bytes} bytes, and places in it are counted up to {}; leave it out, or \
         split it",
        number + 1,
        shard.name(),
        u32::MAX
    )))
}

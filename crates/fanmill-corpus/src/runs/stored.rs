//! The reading: words, seeds and ranks of all documents.

use fanmill_text::{Error, Result};
use rayon::prelude::*;

use super::context::{Measure, Method, Run};
use super::items::Seed;
use super::order::Order;
use crate::dedup::{Keep, LAST, Mode};
use crate::job::{BadRecords, Numbering, PIECE};
use crate::spill::{Column, Sorter};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::{Batch, Columns, Shard};
use fanmill_records::{BadRecord, Flaw, Record};

/// The words of all documents, and what the reading has met.
#[derive(Debug)]
pub(super) struct Stored {
    /// Number of records in each shard.
    pub(super) records: Numbering,
    pub(super) bad: BadRecords,
    /// Documents whose texts are incomplete.
    pub(super) flawed: CountedList<Notice>,
    /// Content that was left out although it might have been a record, and documents that are kept whole.
    pub(super) skipped: CountedList<Notice>,
    /// Number of documents that are not compared, since nothing can be taken out of them.
    pub(super) n_whole: u64,
    /// Bytes of text.
    pub(super) n_bytes: u64,
    /// Number of words.
    pub(super) n_words: u64,
    /// The words of each document; a bad record has none.
    pub(super) words: Column<u64>,
    /// The lengths of these words, if runs are measured in bytes; those that are longer than any run must be are cut off.
    pub(super) lengths: Column<u16>,
    pub(super) order: Order,
    /// True if the rule for what stays needs something that no document has.
    is_ruleless: bool,
    has_lengths: bool,
}

/// The result of reading a record.
enum RecordOutcome {
    Read(Read),
    /// The record is kept whole, for this reason.
    Whole(&'static str),
}

/// The words of one record.
struct Read {
    n_bytes: usize,
    flaw: Option<Flaw>,
    rank: u64,
    words: Vec<u64>,
    /// The length of each word, if it is needed.
    lengths: Vec<u16>,
    /// Value and place of each seed.
    seeds: Vec<(u64, u32)>,
}

type ReadRecord = std::result::Result<RecordOutcome, BadRecord>;

/// Reads all documents; returns their words and seeds.
///
/// `left_out` are notices of files that could be records and were left out.
pub(super) fn read(run: &Run<'_>, left_out: CountedList<Notice>) -> Result<(Stored, Sorter<Seed>)> {
    let (spill, memory) = (run.staging.spill(), run.settings.memory);
    let stored = Stored {
        records: Numbering::new(run.corpus.shards.len()),
        bad: BadRecords::default(),
        flawed: CountedList::default(),
        skipped: left_out,
        n_whole: 0,
        n_bytes: 0,
        n_words: 0,
        words: Column::new(spill, memory / 4),
        lengths: Column::new(spill, memory / 16),
        order: Order::default(),
        is_ruleless: false,
        has_lengths: matches!(run.method.measure, Measure::Bytes(_)),
    };
    let seeds = Sorter::new(spill, memory / 4);
    let mut reading = Reading { run, stored, seeds, ranks: Vec::new() };
    for (index, shard) in run.corpus.shards.iter().enumerate() {
        let make = |batch: &Batch| Ok(read_batch(run, batch));
        let take = |batch: &Batch, read: Vec<ReadRecord>| reading.take(index, shard, batch, read);
        run.corpus.walk(index, Columns::Needed, &run.steps, make, take)?;
    }
    let Reading { mut stored, seeds, ranks, .. } = reading;
    stored.is_ruleless = run.settings.keep.needs().is_some()
        && stored.records.total() > stored.bad.n()
        && ranks.iter().all(|&rank| rank == LAST);
    stored.order = Order::by_ranks(&ranks);
    Ok((stored, seeds))
}

impl Stored {
    /// Adds the words of a document.
    fn push(&mut self, words: &[u64], lengths: &[u16]) -> Result<()> {
        self.words.push(words)?;
        // Without lengths, their rows would only take room.
        if self.has_lengths {
            self.lengths.push(lengths)?;
        }
        Ok(())
    }

    /// Refuses a corpus of which nothing could be read, and a rule that no document can follow: it would keep what comes
    /// first, which was not asked for.
    pub(super) fn check(&self, run: &Run<'_>) -> Result<()> {
        let (own, starts) = (0..run.corpus.shards.len(), self.records.starts()?);
        let allowed = run.settings.allowed_failures;
        self.bad.check(&run.corpus, (own, &starts), self.n_bytes, allowed)?;
        match run.settings.keep.needs() {
            Some(needs) if self.is_ruleless => Err(Error::setting(format!(
                "no document has {needs}, which the rule `{}` needs; choose a rule that fits the documents, or \
                 none, to keep the first of each",
                run.settings.keep
            ))),
            _ => Ok(()),
        }
    }
}

/// Reads the records of a batch.
fn read_batch(run: &Run<'_>, batch: &Batch) -> Vec<ReadRecord> {
    let read = |room: &mut Vec<u8>, i: usize| {
        // Of what is only looked at or marked, every text counts.
        if let (Mode::Remove, Some(why)) = (run.settings.mode, batch.unchangeable(i)) {
            return Ok(RecordOutcome::Whole(why));
        }
        let record = batch.record_in(i, room)?;
        let rank = run.settings.keep.rank(&record);
        Ok(RecordOutcome::Read(read_text(&run.method, &record, rank)))
    };
    let pieces = (0..batch.len()).into_par_iter().with_max_len(PIECE);
    pieces.map_init(Vec::new, read).collect()
}

fn read_text(method: &Method, record: &Record<'_>, rank: u64) -> Read {
    let text = &*record.text;
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
    Read { n_bytes: text.len(), flaw: record.flaw, rank, words, lengths, seeds }
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
        index: usize,
        shard: &Shard,
        batch: &Batch,
        read: Vec<ReadRecord>,
    ) -> Result<()> {
        let first = self.stored.records.add(index, batch.len() as u64);
        for skipped in batch.skipped().1 {
            self.stored.skipped.skipped(shard.name(), skipped.offset, &skipped.reason);
        }
        for ((document, number), read) in (first..).zip(batch.first_number()..).zip(read) {
            let rank = match read {
                Ok(RecordOutcome::Read(read)) => self.take_text(shard, document, number, read)?,
                Ok(RecordOutcome::Whole(why)) => {
                    let said = || format!("{why}: not compared, kept as it is");
                    self.stored.skipped.record(shard.name(), number, said);
                    self.stored.n_whole += 1;
                    self.stored.push(&[], &[])?;
                    u64::MAX
                }
                Err(bad) if self.run.settings.is_strict => {
                    return Err(BadRecords::refusal(shard, &bad));
                }
                Err(bad) => {
                    self.stored.bad.add(shard, &bad, document);
                    self.stored.push(&[], &[])?;
                    u64::MAX
                }
            };
            if self.run.settings.keep != Keep::First {
                self.ranks.push(rank);
            }
        }
        Ok(())
    }

    /// Takes the text of a document, and returns its rank.
    fn take_text(&mut self, shard: &Shard, document: u32, number: u64, read: Read) -> Result<u64> {
        let stored = &mut self.stored;
        if let Some(flaw) = read.flaw {
            if self.run.settings.is_strict {
                return Err(BadRecords::refusal_of_flaw(shard, number, flaw));
            }
            stored.flawed.flaw(shard.name(), number, flaw);
        }
        if u32::try_from(read.n_bytes).is_err() {
            return Err(Error::input(format!(
                "record {} of `{}` has a text of {} bytes, and places in it are counted up to {}; leave it \
                 out, or split it",
                number + 1,
                shard.name(),
                read.n_bytes,
                u32::MAX
            )));
        }
        stored.n_bytes += read.n_bytes as u64;
        stored.n_words += read.words.len() as u64;
        stored.push(&read.words, &read.lengths)?;
        let seeds = read.seeds.into_iter();
        self.seeds.extend(seeds.map(|(value, begin)| Seed { value, document, begin }))?;
        Ok(read.rank)
    }
}

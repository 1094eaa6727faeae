//! An account of the first reading of a corpus: numbers of records and bytes, and notices of what was not read whole.

use std::ops::Range;

use fanmill_text::Result;

use super::bad::BadRecords;
use super::corpus::{Corpus, Numbering};
use fanmill_records::account::{CountedList, Inputs, Notice};
use fanmill_records::format::{Batch, Shard};
use fanmill_records::{BadRecord, Flaw};

/// The account of a reading.
#[derive(Debug)]
pub(crate) struct Account {
    /// Number of records in each shard.
    pub(crate) records: Numbering,
    pub(crate) bad: BadRecords,
    /// Documents whose texts are incomplete.
    pub(crate) flawed: CountedList<Notice>,
    /// Content that was left out although it might have been a record, and documents that are kept whole.
    pub(crate) skipped: CountedList<Notice>,
    /// Number of documents that are not compared, since nothing can be taken out of them.
    n_whole: u64,
    /// Bytes of text.
    pub(crate) n_bytes: u64,
    is_strict: bool,
}

/// Something that a job has made of the text of a record.
pub(crate) struct Read<T> {
    pub(crate) n_bytes: usize,
    flaw: Option<Flaw>,
    pub(crate) content: T,
}

impl<T> Read<T> {
    pub(crate) fn new(n_bytes: usize, flaw: Option<Flaw>, content: T) -> Read<T> {
        Read { n_bytes, flaw, content }
    }
}

/// The result of reading a record.
pub(crate) enum RecordOutcome<T> {
    Read(Read<T>),
    /// The record is kept whole, for this reason.
    Whole(&'static str),
}

/// The result of reading a record, which may be bad.
pub(crate) type ReadRecord<T> = std::result::Result<RecordOutcome<T>, BadRecord>;

impl Account {
    /// Begins an account of a corpus. `left_out` are notices of files that could be records and were left out; if it
    /// `is_strict`, the first record that cannot be read is an error.
    pub(crate) fn new(
        corpus: &Corpus<'_>,
        left_out: CountedList<Notice>,
        is_strict: bool,
    ) -> Account {
        Account {
            records: Numbering::new(corpus.shards.len()),
            bad: BadRecords::default(),
            flawed: CountedList::default(),
            skipped: left_out,
            n_whole: 0,
            n_bytes: 0,
            is_strict,
        }
    }

    /// Notes the records of a batch, and passes the document number of each to `take`, with its number in the shard and
    /// what was read of it, if it is compared.
    pub(crate) fn note<T>(
        &mut self,
        (index, shard): (usize, &Shard),
        batch: &Batch,
        read: impl IntoIterator<Item = ReadRecord<T>>,
        mut take: impl FnMut((u32, u64), Option<Read<T>>) -> Result<()>,
    ) -> Result<()> {
        let first = self.records.add(index, batch.len() as u64);
        for skipped in batch.skipped().1 {
            self.skipped.skipped(shard.name(), skipped.offset, &skipped.reason);
        }
        for ((document, number), outcome) in (first..).zip(batch.first_number()..).zip(read) {
            let read = match outcome {
                Ok(RecordOutcome::Read(mut read)) => {
                    if let Some(flaw) = read.flaw.take() {
                        if self.is_strict {
                            return Err(BadRecords::refusal_of_flaw(shard, number, &flaw));
                        }
                        self.flawed.flaw(shard.name(), number, flaw);
                    }
                    self.n_bytes += read.n_bytes as u64;
                    Some(read)
                }
                Ok(RecordOutcome::Whole(why)) => {
                    let said = || format!("{why}: not compared, kept as it is").into();
                    self.skipped.record(shard.name(), number, said);
                    self.n_whole += 1;
                    None
                }
                Err(bad) if self.is_strict => return Err(BadRecords::refusal(shard, &bad)),
                Err(bad) => {
                    self.bad.add(shard, &bad, document);
                    None
                }
            };
            take((document, number), read)?;
        }
        Ok(())
    }

    /// Makes sure that the documents of some shards are [what the user meant](BadRecords::check).
    ///
    /// # Errors
    /// If not.
    pub(crate) fn check(
        &self,
        corpus: &Corpus<'_>,
        shards: Range<usize>,
        allowed: f64,
    ) -> Result<()> {
        let starts = self.records.starts()?;
        self.bad.check(corpus, (shards, &starts), self.n_bytes, allowed)
    }

    /// Returns the number of records that could be read.
    pub(crate) fn n_documents(&self) -> u64 {
        self.records.total() - self.bad.n()
    }

    /// Returns the numbers of inputs that were compared, degraded, skipped or failed.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            // Documents that are kept whole are counted in both.
            seen: self.records.total() + self.skipped.n - self.n_whole,
            // Flawed documents are compared, too, but count as degraded only.
            compared: self.n_documents() - self.flawed.n - self.n_whole,
            degraded: self.flawed.n,
            skipped: self.skipped.n,
            failed: self.bad.n(),
        }
    }
}

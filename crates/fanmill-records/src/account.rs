//! The account of a run: what was found, and what happened to it. Everything is counted, the first ten thousand of
//! each kind are kept, and the first hundred are listed in summaries.
//!
//! In a corpus, [`Inputs`] counts each record as one thing, and each file that is not made of records as another. A
//! record is degraded if its text is null or has invalid bytes.

pub use fanmill_text::document::Inputs;
use fanmill_text::message::Message;
use fanmill_text::{Error, Result, message};
use serde::{Serialize, Serializer};

use crate::record::{BadRecord, Flaw};

/// Maximum number of things of one kind that are kept, and of those that a summary lists.
const KEPT: usize = 10_000;
const LISTED: usize = 100;

/// Something that was found but not compared, or not completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The name of its shard, or the path of a file that belongs to none.
    pub place: String,
    /// Its number in the shard, from 1, if it is a record.
    pub record: Option<u64>,
    /// Its start in bytes of the unpacked shard, if the format has such a position.
    pub offset: Option<u64>,
    /// The loss, or the reason why it was left out.
    pub reason: Message,
}

/// Writes the first hundred of some notices, for summaries.
///
/// # Errors
/// If the serializer does.
pub fn first_hundred<S: Serializer>(
    notices: &[Notice],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    notices[..notices.len().min(LISTED)].serialize(serializer)
}

/// Things of one kind: all are counted, and the first ten thousand are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedList<T> {
    /// Number of all of them.
    pub n: u64,
    /// The first of them.
    pub first: Vec<T>,
}

impl<T> Default for CountedList<T> {
    fn default() -> CountedList<T> {
        CountedList { n: 0, first: Vec::new() }
    }
}

impl<T> CountedList<T> {
    /// Counts one thing, and makes it if it is among the first.
    pub fn add(&mut self, make: impl FnOnce() -> T) {
        self.n += 1;
        if self.first.len() < KEPT {
            self.first.push(make());
        }
    }

    /// Adds other things, and makes those that are among the first.
    pub fn append<U>(&mut self, others: CountedList<U>, make: impl Fn(U) -> T) {
        self.n += others.n;
        let room = KEPT.saturating_sub(self.first.len());
        self.first.extend(others.first.into_iter().take(room).map(make));
    }
}

impl CountedList<Notice> {
    /// Makes sure that not all of `n_records` are in this list of records that could not be read.
    ///
    /// # Errors
    /// If they are; the text says why of the first.
    pub fn leaves_some_of(&self, n_records: u64) -> Result<()> {
        let Some(Notice { place, record, reason, .. }) = self.first.first() else { return Ok(()) };
        if self.n < n_records {
            return Ok(());
        }
        let record = record.map(|number| format!(", record {number}")).unwrap_or_default();
        let none = if self.n == 1 {
            "the only record cannot be read".to_owned()
        } else {
            format!("none of the {} records can be read", self.n)
        };
        Err(Error::input(message!["{none}: `{place}`{record}: ", reason]))
    }

    /// Adds a record that could not be read, with the name of its shard.
    pub fn bad(&mut self, shard: &str, bad: &BadRecord) {
        self.add(|| Notice {
            place: shard.to_owned(),
            record: Some(bad.number + 1),
            offset: bad.offset,
            reason: bad.reason.clone(),
        });
    }

    /// Adds a document whose text has a flaw, by its number in the shard, from 0.
    pub fn flaw(&mut self, shard: &str, number: u64, flaw: Flaw) {
        self.record(shard, number, || flaw.into());
    }

    /// Adds any remark on a record, by its number in the shard, from 0.
    pub fn record(&mut self, shard: &str, number: u64, reason: impl FnOnce() -> Message) {
        self.add(|| Notice {
            place: shard.to_owned(),
            record: Some(number + 1),
            offset: None,
            reason: reason(),
        });
    }

    /// Adds part of a shard that is not a record, by its start.
    pub fn skipped(&mut self, shard: &str, offset: u64, reason: &str) {
        self.add(|| Notice {
            place: shard.to_owned(),
            record: None,
            offset: Some(offset),
            reason: reason.into(),
        });
    }
}

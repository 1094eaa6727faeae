//! Records that could not be read: notices about them, their treatment in the output, and how many there may be.

use std::ops::Range;

use fanmill_text::counted::counted;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::corpus::{Corpus, Starts};
use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::Shard;
use fanmill_records::{BadRecord, Flaw, RecordAction};

/// Default for the share of a file's records that may be bad.
pub const DEFAULT_ALLOWED: f64 = 0.5;

/// All bad records of a run.
#[derive(Debug, Default)]
pub(crate) struct BadRecords {
    pub(crate) notices: CountedList<Notice>,
    /// The document numbers that these records would have, ascending.
    documents: Vec<u32>,
}

impl BadRecords {
    /// Returns the number of bad records.
    pub(crate) fn n(&self) -> u64 {
        self.notices.n
    }

    /// Adds a bad record.
    pub(crate) fn add(&mut self, shard: &Shard, bad: &BadRecord, document: u32) {
        self.documents.push(document);
        self.notices.bad(shard.name(), bad);
    }

    /// Makes sure that the documents of some shards, which have `n_bytes` of text in all, are what the user meant: there
    /// are some, with text, and of no file of records is a larger share bad than `allowed`. With a share of 1, anything
    /// goes.
    ///
    /// # Errors
    /// If not; the text says why of the first record.
    pub(crate) fn check(
        &self,
        corpus: &Corpus<'_>,
        (shards, starts): (Range<usize>, &Starts),
        n_bytes: u64,
        allowed: f64,
    ) -> Result<()> {
        if allowed >= 1.0 || shards.is_empty() {
            return Ok(());
        }
        let n_records = u64::from(starts.of(shards.end - 1).end - starts.of(shards.start).start);
        self.notices.leaves_some_of(n_records)?;
        for index in shards.clone() {
            let documents = starts.of(index);
            let counts = (self.n_among(&documents), documents.len() as u64);
            self.check_shard(&corpus.shards[index], counts, allowed)?;
        }
        let all = Setting("allow-failed");
        let names = corpus.shards[shards.clone()].iter().map(|shard| format!("`{}`", shard.name()));
        let names: Vec<String> = names.take(3).collect();
        let names = names.join(", ") + if shards.len() > 3 { ", …" } else { "" };
        match (n_records, n_bytes) {
            (0, _) => Err(Error::input(message![
                "nothing to compare: there is no record in {names}; name other files, or give ",
                all,
                " 1 for an empty output"
            ])),
            (_, 0) => Err(Error::input(message![
                "nothing to compare: the texts of {names} are all null or empty; name the field that has them with ",
                Setting("text-field"),
                ", or give ",
                all,
                " 1"
            ])),
            _ => Ok(()),
        }
    }

    /// Makes sure that not too many of a shard's records are bad: `n_bad` of `n_records`. Loose files are never lost.
    ///
    /// # Errors
    /// If they are; the text says why of the first.
    pub(crate) fn check_shard(
        &self,
        shard: &Shard,
        (n_bad, n_records): (u64, u64),
        allowed: f64,
    ) -> Result<()> {
        if shard.format().is_loose() || n_bad as f64 <= allowed * n_records as f64 {
            return Ok(());
        }
        let why = self.notices.first.iter().find(|notice| notice.place == shard.name());
        let why = why.map(|Notice { record, reason, .. }| {
            message![("; record {}: ", record.unwrap_or(1)), reason]
        });
        Err(Error::input(message![
            (
                "{n_bad} of {} of `{}` cannot be read, above the limit of {allowed} of them",
                counted(n_records, "record", "records"),
                shard.name()
            ),
            why.unwrap_or_default(),
            "; mend the file, or raise ",
            Setting("allow-failed")
        ]))
    }

    /// Returns the error that ends a strict run at a bad record.
    pub(crate) fn refusal(shard: &Shard, bad: &BadRecord) -> Error {
        let place = bad.offset.map(|offset| format!(", at byte {offset}")).unwrap_or_default();
        Error::input(message![
            ("record {} of `{}`{place} cannot be read: ", bad.number + 1, shard.name()),
            &bad.reason,
            "; mend it, or do not ask for a strict run, which ends here"
        ])
    }

    /// Returns the error that ends a strict run at a record that was only partly read.
    pub(crate) fn refusal_of_flaw(shard: &Shard, number: u64, flaw: &Flaw) -> Error {
        Error::input(format!(
            "record {} of `{}` cannot be read whole: {flaw}; mend it, or do not ask for a strict run, which \
             ends here",
            number + 1,
            shard.name()
        ))
    }

    /// Returns whether the record with this document number is bad.
    pub(crate) fn contains(&self, document: u32) -> bool {
        self.documents.binary_search(&document).is_ok()
    }

    fn n_among(&self, documents: &Range<u32>) -> u64 {
        let before = |bound| self.documents.partition_point(|&document| document < bound);
        (before(documents.end) - before(documents.start)) as u64
    }

    /// Returns the records in a range that are bad, ascending, counted from its beginning.
    pub(crate) fn among(&self, documents: Range<u32>) -> Vec<usize> {
        let start = self.documents.partition_point(|&document| document < documents.start);
        let own =
            self.documents[start..].iter().take_while(|&document| documents.contains(document));
        own.map(|document| (document - documents.start) as usize).collect()
    }

    /// Returns whether any record in a range is bad.
    pub(crate) fn any(&self, documents: Range<u32>) -> bool {
        let next = self.documents.partition_point(|&document| document < documents.start);
        self.documents.get(next).is_some_and(|document| documents.contains(document))
    }

    /// Leaves bad records out of the output, given the actions for the documents from `first` on. A file that cannot be
    /// read stays as it is.
    pub(crate) fn leave_out(&self, shard: &Shard, first: u32, actions: &mut [RecordAction<'_>]) {
        let of_bad =
            if shard.format().is_loose() { RecordAction::Keep } else { RecordAction::Remove };
        let start = self.documents.partition_point(|&document| document < first);
        for document in &self.documents[start..] {
            match actions.get_mut((document - first) as usize) {
                Some(action) => *action = of_bad.clone(),
                None => return,
            }
        }
    }
}

//! Records that could not be read: notices about them, and their treatment in the output.

use fanmill_text::message;
use std::ops::Range;

use fanmill_text::Error;

use fanmill_records::account::{CountedList, Notice};
use fanmill_records::format::Shard;
use fanmill_records::{BadRecord, Flaw, RecordAction};

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
    pub(crate) fn refusal_of_flaw(shard: &Shard, number: u64, flaw: Flaw) -> Error {
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

//! Numbers of submissions in a report, which leaves out base documents.

use crate::pipeline::Batch;
use fanmill_text::document::Role;

/// The members that are in a report.
#[derive(Debug)]
pub(super) struct Numbers {
    /// Their indices in the batch, ascending.
    members: Vec<usize>,
}

impl Numbers {
    pub(super) fn from_batch(batch: &Batch<'_>) -> Numbers {
        let is_compared = |&i: &usize| batch.members[i].submission.role != Role::Base;
        Numbers { members: (0..batch.members.len()).filter(is_compared).collect() }
    }

    /// Returns the members, in the order of their numbers.
    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// Returns the number of a member.
    pub(super) fn number(&self, member: usize) -> u32 {
        self.members.partition_point(|&i| i < member) as u32
    }
}

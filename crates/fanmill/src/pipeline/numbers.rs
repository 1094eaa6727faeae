//! The numbers of submissions in a report, which leaves base documents out.

use crate::pipeline::Batch;
use fanmill_text::document::Role;

/// The members that a report speaks of.
#[derive(Debug)]
pub(super) struct Numbers {
    /// Their indices in the batch, ascending.
    members: Vec<usize>,
}

impl Numbers {
    pub(super) fn of(batch: &Batch<'_>) -> Numbers {
        let is_compared = |&i: &usize| batch.members[i].submission.role != Role::Base;
        Numbers { members: (0..batch.members.len()).filter(is_compared).collect() }
    }

    /// The members, in the order of their numbers.
    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    /// The number of a member.
    pub(super) fn number(&self, member: usize) -> u32 {
        self.members.partition_point(|&i| i < member) as u32
    }
}

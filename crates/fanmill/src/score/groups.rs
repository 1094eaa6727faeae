//! Groups of near-copies: each counts once where the number of submissions that hold a gram matters.
//!
//! Rarity depends on how many people came upon the same material independently. Fifteen copies of one program count as
//! one person; as fifteen, they would make their own material look like a common idiom.
//!
//! Cost: four bytes per submission; one step for each holder of a gram.

use crate::index::SubmissionId;

/// The groups of near-copies among the submissions of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// The lowest member of each submission's group.
    lowest: Vec<SubmissionId>,
    n_groups: usize,
}

impl Groups {
    /// Puts each of `n` submissions into a group of its own.
    pub fn alone(n: usize) -> Groups {
        Groups { lowest: (0..n as SubmissionId).collect(), n_groups: n }
    }

    /// Groups submissions by their lowest member; `lowest` has one entry for each submission, in their order.
    pub fn new(lowest: Vec<SubmissionId>) -> Groups {
        let n_groups = (0..).zip(&lowest).filter(|&(id, &lowest)| id == lowest).count();
        Groups { lowest, n_groups }
    }

    /// Returns the number of groups; most have a single submission.
    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// Returns whether each submission is in a group of its own.
    pub fn are_single(&self) -> bool {
        self.n_groups == self.lowest.len()
    }

    /// Creates a counter of groups.
    pub(super) fn counter(&self) -> Counter<'_> {
        let n = if self.are_single() { 0 } else { self.lowest.len() };
        Counter { groups: self, seen: vec![0; n], round: 0 }
    }
}

/// Counts the groups that some submissions are in.
#[derive(Debug)]
pub(super) struct Counter<'a> {
    groups: &'a Groups,
    /// For each group, by its lowest member, the last round in which it was seen. Empty if groups are single.
    seen: Vec<u32>,
    round: u32,
}

impl Counter<'_> {
    /// Counts the groups that these submissions are in; each submission comes once.
    #[inline]
    pub(super) fn count(&mut self, members: impl ExactSizeIterator<Item = SubmissionId>) -> usize {
        if self.seen.is_empty() {
            return members.len();
        }
        self.round += 1;
        let mut n_groups = 0;
        for member in members {
            let lowest = self.groups.lowest[member as usize];
            let seen = &mut self.seen[lowest as usize];
            n_groups += usize::from(*seen != self.round);
            *seen = self.round;
        }
        n_groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_counts_once() {
        let groups = Groups::new(vec![0, 1, 0, 3, 1, 0]);
        assert_eq!((groups.n_groups(), groups.are_single()), (3, false));
        let mut counter = groups.counter();
        let counts = [&[0, 2, 5][..], &[0, 1, 3], &[4], &[], &[1, 2, 4, 5]];
        assert_eq!(counts.map(|members| counter.count(members.iter().copied())), [1, 3, 1, 0, 2]);
        let alone = Groups::alone(3);
        assert!(alone.are_single());
        assert_eq!(alone, Groups::new(vec![0, 1, 2]));
        assert_eq!(alone.counter().count([0, 2].into_iter()), 2);
    }
}

//! Postings: the rarest members of a document, and their positions in it.
//!
//! A set's members are ordered by (count, hash), the rarest first, in the same way for every document. If two sets have
//! `o` members in common, then at least `o` members of either set are *left* at the first of these, itself included. So
//! a document is posted under the members at which enough are left for some partner, and of these only under those that
//! are in another document, too.
//!
//! For containment the outer set may be of any size, and any of its members can be the first one in common. So it is
//! posted under all members that are among the first of some inner set. These are [marked](Rarest::mark) in one more
//! pass, with many members to a bit.
//!
//! Cost: O(n + 256) time for n members, without sorting; 16 bytes a posting.
//! Source: as for [`exact`](super).

use std::sync::atomic::{AtomicU64, Ordering};

use fanmill_kernel::hash::mix::mix;
use fanmill_sketch::lsh::DocIdx;
use fanmill_sketch::lsh::verify::{Threshold, needed_common, needed_contained, smallest_partner};

use super::counts::Counts;

/// Bits for the size of a set, and for the number of members left.
const SIZE_BITS: u32 = 24;
/// Greatest size of a set in its postings. Larger sets are posted with this size, which only weakens the bounds, so
/// nothing is missed.
const MOST: usize = (1 << SIZE_BITS) - 1;
/// Number of values that a counter can have.
const N_COUNTS: usize = 1 << u8::BITS;

/// The relation that the two documents of a pair must have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Relation {
    /// Pairs of at least this resemblance.
    Resemblance(Threshold),
    /// Ordered pairs: at least this part of the first lies in the second.
    Containment(Threshold),
}

impl Relation {
    /// Returns the fewest members that a set of `size` must have in common with any other.
    fn least_needed(self, size: usize) -> usize {
        match self {
            Relation::Containment(threshold) => needed_contained(size, threshold),
            Relation::Resemblance(threshold) => {
                let smallest = smallest_partner(size, threshold);
                needed_common(size, smallest, threshold).unwrap_or(size)
            }
        }
    }
}

/// A document under one of its members. It is packed into a number: the member, then the size of the set, then the
/// number of members left, then the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    /// Number of members in the set.
    pub(super) size: usize,
    /// Number of members from this one on, itself included.
    pub(super) left: usize,
    pub(super) document: DocIdx,
}

impl Posting {
    fn pack(self, member: u64) -> u128 {
        // 48 bits of the member: a collision only adds a candidate.
        let member = u128::from(mix(member) >> (2 * SIZE_BITS - u32::BITS));
        let [size, left] = [self.size, self.left].map(|n| n.min(MOST) as u128);
        member << 80 | size << 56 | left << 32 | u128::from(self.document)
    }

    pub(super) fn unpack(packed: u128) -> Posting {
        let at = |shift: u32| (packed >> shift) as usize & MOST;
        Posting { size: at(56), left: at(32), document: packed as DocIdx }
    }
}

/// Returns the member of a packed posting, 48 bits of it.
pub(super) fn member_of(packed: u128) -> u64 {
    (packed >> 80) as u64
}

/// Chooses the members under which documents are posted; see the [module](self).
#[derive(Debug)]
pub struct Rarest<'a> {
    counts: &'a Counts,
    relation: Relation,
    /// Bits for the members that are among the first of some inner set.
    marks: Vec<AtomicU64>,
}

impl<'a> Rarest<'a> {
    /// Chooses by these counts, to which every set must have been added.
    ///
    /// For containment it takes as many bytes as `counts` does.
    pub fn new(counts: &'a Counts, relation: Relation) -> Rarest<'a> {
        let n_marks = match relation {
            Relation::Resemblance(_) => 0,
            Relation::Containment(_) => counts.memory() / size_of::<u64>(),
        };
        let marks = std::iter::repeat_with(AtomicU64::default).take(n_marks).collect();
        Rarest { counts, relation, marks }
    }

    /// Marks the first members of a set, for containment. Every set must be marked before any is posted.
    pub fn mark(&self, set: &[u64]) {
        if self.marks.is_empty() || set.is_empty() {
            return;
        }
        let least = self.relation.least_needed(set.len());
        self.each(set, |member, left| {
            if left >= least {
                let (word, bit) = self.bit(member);
                word.fetch_or(bit, Ordering::Relaxed);
            }
        });
    }

    /// Appends the postings of a document, whose set is ascending. An empty set does not have postings.
    pub fn postings(&self, document: DocIdx, set: &[u64], postings: &mut Vec<u128>) {
        if set.is_empty() {
            return;
        }
        let size = set.len();
        let mut post = |member: u64, left: usize| {
            postings.push(Posting { size, left, document }.pack(member));
        };
        match self.relation {
            Relation::Resemblance(_) => {
                let least = self.relation.least_needed(size);
                self.each(set, |member, left| {
                    if left >= least {
                        post(member, left);
                    }
                });
            }
            Relation::Containment(_) => self.each(set, |member, left| {
                let (word, bit) = self.bit(member);
                if word.load(Ordering::Relaxed) & bit != 0 {
                    post(member, left);
                }
            }),
        }
    }

    /// Calls `f` with every member that another set may have, and the number of members left there.
    fn each(&self, set: &[u64], mut f: impl FnMut(u64, usize)) {
        // A counting sort is stable, so members with equal counts stay in the order of their hashes.
        let mut places = [0_u32; N_COUNTS];
        for &member in set {
            places[usize::from(self.counts.of(member))] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            (*place, before) = (before, before + *place);
        }
        for &member in set {
            let count = self.counts.of(member);
            let place = &mut places[usize::from(count)];
            if count > 1 {
                f(member, set.len() - *place as usize);
            }
            *place += 1;
        }
    }

    fn bit(&self, member: u64) -> (&AtomicU64, u64) {
        // The highest bits choose the word, as they choose the counter; the lowest bits are free to choose the bit.
        let word = ((member >> 32) * self.marks.len() as u64) >> 32;
        (&self.marks[word as usize], 1 << (member & 63))
    }
}

#[cfg(test)]
mod tests {
    use fanmill_kernel::hash::mix::SplitMix;

    use super::*;

    #[test]
    fn the_first_members_are_posted_where_another_set_has_them() {
        let counts = Counts::new(1 << 20);
        let mut set = SplitMix::new(1).seeds(10);
        set.sort_unstable();
        counts.add(&set);
        // Number 7 is in three sets, 2 and 5 in two, and all others in one.
        counts.add(&[2, 5, 7].map(|number| set[number]));
        counts.add(&set[7..8]);
        let posted = |relation: Relation, is_marked: bool| {
            let (rarest, mut postings) = (Rarest::new(&counts, relation), Vec::new());
            if is_marked {
                rarest.mark(&set);
            }
            rarest.postings(4, &set, &mut postings);
            let left = postings.iter().map(|&packed| Posting::unpack(packed));
            left.map(|posting| (posting.size, posting.left, posting.document)).collect::<Vec<_>>()
        };
        let threshold = |value| Threshold::new(value).expect("a fraction");
        // The order is 0 1 3 4 6 8 9, then 2 5, then 7.
        let all = [(10, 3, 4), (10, 2, 4), (10, 1, 4)];
        assert_eq!(posted(Relation::Resemblance(threshold(0.1)), false), all);
        assert_eq!(posted(Relation::Resemblance(threshold(0.25)), false), all[..1]);
        assert_eq!(posted(Relation::Resemblance(threshold(0.8)), false), []);
        assert_eq!(posted(Relation::Containment(threshold(0.1)), true), all);
        assert_eq!(posted(Relation::Containment(threshold(0.2)), true), all[..2]);
        assert_eq!(posted(Relation::Containment(threshold(0.1)), false), [], "nobody's first");
    }

    #[test]
    fn huge_sets_are_posted_as_of_the_most_members() {
        let huge = Posting { size: 1 << 30, left: 1 << 25, document: DocIdx::MAX };
        let packed = huge.pack(u64::MAX);
        assert_eq!(Posting::unpack(packed), Posting { size: MOST, left: MOST, ..huge });
        assert_eq!(member_of(packed), mix(u64::MAX) >> 16);
    }
}

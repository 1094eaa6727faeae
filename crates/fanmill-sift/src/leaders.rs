//! Campaigns: groups of messages that are one message, changed each time it was sent.
//!
//! Messages come in the order in which they arrived. Each is compared with *exemplars* of the existing
//! groups, and joins the group of the exemplar it is most similar to. If it is similar to none, it starts
//! a new group and represents it. A member that is only moderately similar to its exemplar becomes an
//! exemplar too, up to [`EXEMPLARS`] per group, so that variants of variants are found. Every
//! member reaches the threshold with some exemplar, and no chain is longer than there are exemplars.
//!
//! Cost: for each message one [check](crate::store::Store::check) against the exemplars, whose number
//! grows with the number of groups and not with their sizes.
//! Source: Hartigan, "Clustering algorithms", 1975, chapter 3 (the leader algorithm).
//! Departs from it: several exemplars for a group.

use crate::sifter::{Sifted, Sifter};
use crate::store::{Limits, Store};
use crate::verdict::{Grade, Threshold};
use fanmill_text::Result;

/// Maximum number of exemplars of a group.
pub const EXEMPLARS: usize = 16;

/// Groups under construction; see the [module](self).
///
/// There may be as many groups as messages, so each message takes a few bytes in long vectors, and no group has a
/// vector of its own.
#[derive(Debug)]
pub struct Leaders {
    threshold: Threshold,
    exemplars: Store,
    /// The group of each exemplar.
    group_of: Vec<u32>,
    /// Number of exemplars of each group.
    n_exemplars: Vec<u8>,
    /// The group of each message; [`NO_GROUP`] for a message without words.
    joined: Vec<u32>,
    /// S3 of each message that joined an existing group, with the exemplar it is most similar to. The first message of
    /// a group has no entry.
    s3: Vec<f64>,
}

/// Marks a message that is in no group.
const NO_GROUP: u32 = u32::MAX;

/// Messages that are variants of one message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// Ascending; the first one represents the others.
    pub members: Vec<Member>,
}

/// One message of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// Its number, counted from 0 in the order of [`Leaders::push`].
    pub message: usize,
    /// Its S3 with the exemplar it is most similar to; 1 for the first member.
    pub s3: f64,
}

impl Group {
    /// Returns the lowest S3 of its members.
    pub fn weakest(&self) -> f64 {
        self.members.iter().map(|member| member.s3).fold(1.0, f64::min)
    }
}

/// All groups, largest first, then by their first members.
pub type Groups = Vec<Group>;

impl Leaders {
    /// Creates an empty set of groups for fingerprints made by `sifter`.
    pub fn new(sifter: &Sifter, threshold: Threshold) -> Leaders {
        Leaders {
            threshold,
            exemplars: Store::new(sifter),
            group_of: Vec::new(),
            n_exemplars: Vec::new(),
            joined: Vec::new(),
            s3: Vec::new(),
        }
    }

    /// Puts the next message into a group. A message without words gets a number, but no group.
    ///
    /// # Errors
    /// If there are more exemplars than a store can hold.
    pub fn push(&mut self, sifted: &Sifted) -> Result<()> {
        if sifted.is_empty() {
            self.joined.push(NO_GROUP);
            return Ok(());
        }
        let (group, grade) = if let Some((group, s3, grade)) = self.most_similar(sifted) {
            self.s3.push(s3);
            (group, grade)
        } else {
            // A message that starts a group gets the grade with which it becomes an exemplar.
            self.n_exemplars.push(0);
            (self.n_exemplars.len() as u32 - 1, Grade::Likely)
        };
        self.joined.push(group);
        let n_exemplars = &mut self.n_exemplars[group as usize];
        if grade == Grade::Likely && usize::from(*n_exemplars) < EXEMPLARS {
            *n_exemplars += 1;
            // There are at least as many exemplars as groups, so this fails before group numbers run out.
            self.exemplars.add("", sifted)?;
            self.group_of.push(group);
        }
        Ok(())
    }

    /// Returns the group of the exemplar that a message is most similar to (the first one on a tie), with its S3 and
    /// grade; `None` if no exemplar reaches the threshold.
    fn most_similar(&self, sifted: &Sifted) -> Option<(u32, f64, Grade)> {
        let found = self.exemplars.check(sifted, &Limits::standard());
        found.matches.iter().find_map(|found| {
            let grade = self.threshold.grade(self.exemplars.profile(), &found.likeness)?;
            Some((self.group_of[found.document as usize], found.likeness.s3()?, grade))
        })
    }

    /// Returns the groups, including those of a single message.
    pub fn finish(self) -> Groups {
        let Leaders { exemplars, joined, s3, n_exemplars, .. } = self;
        // The exemplars are no longer needed, and take most of the memory.
        drop(exemplars);
        // Count first, so that each group's vector is allocated once and in the right size.
        let mut sizes = vec![0; n_exemplars.len()];
        for &group in joined.iter().filter(|&&group| group != NO_GROUP) {
            sizes[group as usize] += 1;
        }
        let room = |&size: &usize| Group { members: Vec::with_capacity(size) };
        let mut groups: Groups = sizes.iter().map(room).collect();
        let mut s3 = s3.into_iter();
        for (message, group) in joined.into_iter().enumerate() {
            if let Some(group) = groups.get_mut(group as usize) {
                let s3 = if group.members.is_empty() { None } else { s3.next() };
                group.members.push(Member { message, s3: s3.unwrap_or(1.0) });
            }
        }
        groups.sort_by_key(|group| (usize::MAX - group.members.len(), group.members[0].message));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key;
    use crate::profile::Profile;
    use fanmill_kernel::hash::mix::SplitMix;

    const THRESHOLD: Threshold = Threshold { s3: 0.3, n_common: 3 };

    fn sifter() -> Sifter {
        Sifter::new(&Profile::short(), &key::of_test(1))
    }

    fn groups(messages: &[Vec<u64>]) -> Vec<Vec<usize>> {
        let sifter = sifter();
        let mut leaders = Leaders::new(&sifter, THRESHOLD);
        for message in messages {
            leaders.push(&sifter.sift_tokens(message)).expect("room");
        }
        let members = |group: Group| group.members.iter().map(|member| member.message).collect();
        leaders.finish().into_iter().map(members).collect()
    }

    /// Returns a message of random words; one word in `period` is changed.
    fn variant(of: u64, period: u64, by: u64) -> Vec<u64> {
        let change =
            |(i, token): (u64, u64)| if i % period == by % period { token ^ by } else { token };
        (0..).zip(SplitMix::new(of).seeds(200)).map(change).collect()
    }

    #[test]
    fn variants_of_a_message_are_grouped_and_the_first_represents_them() {
        let campaign = |i: u64| variant(7, 12, i * 1009 + 1);
        let messages = [
            vec![],
            variant(1, 1000, 999),
            campaign(1),
            variant(2, 1000, 999),
            campaign(2),
            campaign(3),
            variant(2, 1000, 999),
        ];
        assert_eq!(groups(&messages), [vec![2, 4, 5], vec![3, 6], vec![1]]);
    }

    #[test]
    fn every_member_reaches_the_threshold_with_an_exemplar() {
        let sifter = sifter();
        let mut leaders = Leaders::new(&sifter, THRESHOLD);
        for i in 0..60 {
            leaders.push(&sifter.sift_tokens(&variant(i % 3, 9, i * 977 + 5))).expect("room");
        }
        assert!(leaders.n_exemplars.iter().all(|&n| (1..=EXEMPLARS).contains(&n.into())));
        let groups = leaders.finish();
        assert!(groups.iter().all(|group| group.weakest() >= THRESHOLD.s3));
        let n: usize = groups.iter().map(|group| group.members.len()).sum();
        assert!(n == 60 && groups.len() < 10, "{n} in {} groups", groups.len());
    }

    #[test]
    fn thousands_of_equal_messages_take_one_exemplar() {
        let sifter = sifter();
        let sifted = sifter.sift_tokens(&variant(1, 5, 5));
        let mut leaders = Leaders::new(&sifter, THRESHOLD);
        (0..5000).for_each(|_| leaders.push(&sifted).expect("room"));
        assert_eq!(leaders.exemplars.len(), 1);
        assert_eq!(leaders.finish()[0].members.len(), 5000);
    }
}

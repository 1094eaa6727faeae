//! Earlier work of a person, beside that person's new work: a pair that is shown, and neither counts nor links.
//!
//! Cost: O(n log n) for classes of n members, though they have n² pairs.

use std::collections::BTreeMap;

use crate::index::SubmissionId;
use crate::pipeline::{Batch, RankedPair, Ranking};
use fanmill_text::document::Role;

/// Returns whether one of two members is earlier work of the person whose the other is.
pub(super) fn is_own_earlier(batch: &Batch<'_>, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|member| &batch.members[member].submission);
    a.role != b.role && a.person.is_some() && a.person == b.person
}

/// Counts the pairs of members of two classes that are of different people.
pub(super) fn n_pairs_of_others(batch: &Batch<'_>, ranking: &Ranking, pair: &RankedPair) -> u64 {
    let (first, second) = (n_works(batch, ranking, pair.a), n_works(batch, ranking, pair.b));
    let in_both = first.iter().filter_map(|(person, n)| Some((n, second.get(person)?)));
    let n_own: u64 = if pair.a == pair.b {
        first.values().map(|n| n.new * n.earlier).sum()
    } else {
        in_both.map(|(a, b)| a.new * b.earlier + a.earlier * b.new).sum()
    };
    ranking.n_pairs(pair, batch) - n_own
}

/// Returns a pair of members of two classes that are of different people; the first of them.
pub(super) fn first_of_others(
    batch: &Batch<'_>,
    ranking: &Ranking,
    pair: &RankedPair,
) -> Option<(usize, usize)> {
    ranking.members_of(pair, batch).find(|&(a, b)| !is_own_earlier(batch, a, b))
}

/// Returns pairs of identical members that join all of them who are found in some pair of different people.
pub(super) fn joins(batch: &Batch<'_>, class: &[usize]) -> Vec<(usize, usize)> {
    let is_new = |member: usize| batch.members[member].submission.role == Role::New;
    let person = |member: usize| batch.members[member].submission.person.as_ref();
    let new: Vec<usize> = class.iter().copied().filter(|&member| is_new(member)).collect();
    let partner = |&member: &usize| {
        let partners = if is_new(member) { class } else { &new };
        let is_other = |&other: &usize| other != member && !is_own_earlier(batch, member, other);
        let others = || partners.iter().copied().filter(is_other);
        // A person's works are joined with somebody else's first, and by that with each other.
        let stranger = others().find(|&o| person(o).is_none() || person(o) != person(member));
        stranger.or_else(|| others().next()).map(|other| (member.min(other), member.max(other)))
    };
    let mut joins: Vec<(usize, usize)> = class.iter().filter_map(partner).collect();
    joins.sort_unstable();
    joins.dedup();
    joins
}

/// Numbers of works of one person in a class.
#[derive(Debug, Clone, Copy, Default)]
struct Works {
    new: u64,
    earlier: u64,
}

/// Counts the works in a class of each person who is known.
fn n_works<'b>(
    batch: &'b Batch<'_>,
    ranking: &Ranking,
    class: SubmissionId,
) -> BTreeMap<&'b str, Works> {
    let mut of_person: BTreeMap<&str, Works> = BTreeMap::new();
    for &member in &ranking.classes[class as usize] {
        let submission = &batch.members[member].submission;
        let Some(person) = submission.person.as_deref() else { continue };
        let works = of_person.entry(person).or_default();
        match submission.role {
            Role::New => works.new += 1,
            Role::Archive => works.earlier += 1,
            Role::Base => {}
        }
    }
    of_person
}

//! Long passages that more submissions share than the user allows: taken for boilerplate, and told.
//!
//! A limit on how many may hold a gram hides a handout that nobody named, and just as well a solution that was passed
//! round. Only a person can tell which it is.
//!
//! Cost: the submissions with a long run of frequent boilerplate are read once more, and their fingerprints in these
//! runs sorted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::base::Boilerplate;
use crate::counted::counted;
use crate::document::{Notice, Outcome, Role};
use crate::fingerprint::{Recipe, fingerprint};
use crate::pipeline::{Batch, Ranking};
use crate::setting::Setting;
use crate::token::Columns;

/// Rings that are told at most.
const MOST: usize = 8;

/// Submissions that share a passage which does not count because too many hold it.
#[derive(Debug, PartialEq, Eq)]
struct Ring {
    /// Ascending.
    members: Vec<usize>,
    /// Tokens that each of them has in a row and that do not count.
    n_tokens: usize,
}

/// A fingerprint in a run of frequent boilerplate: its hash, and who holds it in a run of how many tokens.
type Holders = BTreeMap<u64, BTreeMap<usize, usize>>;

/// Notices of each ring that `limit` submissions for a gram hide.
pub(super) fn notices(batch: &Batch<'_>, ranking: &Ranking, limit: usize) -> Vec<Notice> {
    let of_recipe = |(recipe, _): &(Recipe, _)| rings(holders(batch, ranking, recipe));
    let rings = ranking.recipes.iter().flat_map(of_recipe);
    rings.flat_map(|ring| notices_of(batch, &ring, limit)).collect()
}

/// Collects the holders of each fingerprint in runs as long as the guarantee.
fn holders(batch: &Batch<'_>, ranking: &Ranking, recipe: &Recipe) -> Holders {
    let mut holders = Holders::new();
    for member in 0..batch.members.len() {
        let runs = long_runs(batch, ranking, recipe, member);
        if runs.is_empty() || batch.members[member].submission.role == Role::Base {
            continue;
        }
        let mut found = Vec::new();
        fingerprint(&batch.stream(member, Columns::Symbols), recipe, &mut found);
        for one in found {
            let at = one.at as usize;
            let run = runs.iter().find(|run| run.contains(&at));
            if let Some(run) = run {
                let n_tokens = holders.entry(one.hash).or_default().entry(member).or_default();
                *n_tokens = run.len().max(*n_tokens);
            }
        }
    }
    holders
}

/// The runs of frequent boilerplate of a member that are of a recipe's kind and as long as its guarantee.
fn long_runs(
    batch: &Batch<'_>,
    ranking: &Ranking,
    recipe: &Recipe,
    member: usize,
) -> Vec<Range<usize>> {
    let least = recipe.thresholds.guarantee();
    let outline = &batch.members[member].outline;
    let is_long = |(run, why): &&(Range<usize>, Boilerplate)| {
        let kind = outline.documents[outline.part_of(run.start)].kind;
        *why == Boilerplate::Frequent && run.len() >= least && kind == recipe.kind
    };
    ranking.grey[member].iter().filter(is_long).map(|(run, _)| run.clone()).collect()
}

/// The rings that hold these fingerprints, largest first: of those that overlap by half, the first.
fn rings(holders: Holders) -> Vec<Ring> {
    let mut rings: Vec<Ring> = holders
        .into_values()
        .map(|of_one| Ring {
            n_tokens: of_one.values().copied().min().unwrap_or(0),
            members: of_one.into_keys().collect(),
        })
        .collect();
    rings.sort_by(|x, y| {
        let larger = y.members.len().cmp(&x.members.len()).then(y.n_tokens.cmp(&x.n_tokens));
        larger.then_with(|| x.members.cmp(&y.members))
    });
    let mut told = BTreeSet::new();
    rings.retain(|ring| {
        let n_told = ring.members.iter().filter(|&member| told.contains(member)).count();
        let is_new = 2 * n_told < ring.members.len();
        if is_new {
            told.extend(ring.members.iter().copied());
        }
        is_new
    });
    rings.truncate(MOST);
    rings
}

/// A notice for each member of a ring, all with the same words.
fn notices_of(batch: &Batch<'_>, ring: &Ring, limit: usize) -> Vec<Notice> {
    let reason = format!(
        "{} share {} that no base file has: a solution passed round, or a handout you did not name? \
         None of it counts, as more than {limit} have it; leave {} out to see it",
        counted(ring.members.len() as u64, "submission", "submissions"),
        counted(ring.n_tokens as u64, "token", "tokens"),
        Setting("max-docs"),
    );
    let notice = |&member: &usize| {
        let submission = &batch.members[member].submission;
        Notice {
            role: submission.role,
            submission: submission.name.clone(),
            path: String::new(),
            outcome: Outcome::Flagged,
            reason: reason.clone(),
        }
    };
    ring.members.iter().map(notice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(hash: u64, members: &[usize], n_tokens: usize) -> (u64, BTreeMap<usize, usize>) {
        (hash, members.iter().map(|&member| (member, n_tokens + member)).collect())
    }

    #[test]
    fn each_ring_is_told_once_and_the_largest_first() {
        let holders = Holders::from([
            held(1, &[0, 1, 2], 30),
            held(2, &[3, 4, 5, 6], 90),
            held(3, &[3, 4, 5, 6], 40),
            held(4, &[0, 1], 200),
            held(5, &[7, 8], 24),
        ]);
        let ring = |members: &[usize], n_tokens| Ring { members: members.to_vec(), n_tokens };
        let expected = [ring(&[3, 4, 5, 6], 93), ring(&[0, 1, 2], 30), ring(&[7, 8], 31)];
        assert_eq!(rings(holders), expected);
    }
}

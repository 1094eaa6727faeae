//! Hidden rings: long passages that more submissions share than the user allows, taken for boilerplate, and reported.
//!
//! A limit on how many submissions may hold a gram hides a handout that nobody named, and just as well a solution that
//! was passed round. Only a person can tell which it is.
//!
//! A ring shares whole runs, which are counted by their grams of guarantee length. Idioms that are frequent one by one
//! also make a long run of boilerplate when they are side by side, but nobody else need have that run.
//!
//! Cost: the submissions with a long run of frequent boilerplate are read once more; 24 bytes for each token of such
//! runs.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::base::Boilerplate;
use crate::fingerprint::Recipe;
use crate::pipeline::{Batch, Ranking};
use fanmill_text::counted::counted;
use fanmill_text::document::{Notice, Outcome, Role};
use fanmill_text::gram;
use fanmill_text::message;
use fanmill_text::setting::Setting;
use fanmill_text::token::Columns;

/// Maximum number of rings reported.
const MOST: usize = 8;

/// Submissions that share a passage that does not count because too many hold it.
#[derive(Debug, PartialEq, Eq)]
struct Ring {
    /// Ascending.
    members: Vec<usize>,
    /// Number of tokens of the longest passage that all of them have.
    n_tokens: usize,
}

/// A gram of guarantee length in a run of frequent boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LongGram {
    hash: u64,
    member: usize,
    /// Index of its first token in the member.
    at: u32,
}

/// Returns notices of each ring that is hidden because a gram counts in at most `limit` submissions.
pub(super) fn notices(batch: &Batch<'_>, ranking: &Ranking, limit: usize) -> Vec<Notice> {
    let of_recipe = |recipe: &Recipe| {
        rings(long_grams(batch, ranking, recipe), limit, recipe.thresholds.guarantee())
    };
    // Recipes for short programs are left out: everybody shares the same dozen tokens somewhere.
    let all = ranking.recipes.iter().filter(|of_pairs| !of_pairs.is_for_short());
    let rings = all.flat_map(|of_pairs| of_recipe(&of_pairs.recipe));
    rings.flat_map(|ring| notices_of(batch, &ring, limit)).collect()
}

/// Collects the grams of guarantee length in runs of frequent boilerplate.
fn long_grams(batch: &Batch<'_>, ranking: &Ranking, recipe: &Recipe) -> Vec<LongGram> {
    let mut grams = Vec::new();
    let mut hashes = Vec::new();
    for member in 0..batch.members.len() {
        let runs = long_runs(batch, ranking, recipe, member);
        if runs.is_empty() || batch.members[member].submission.role == Role::Base {
            continue;
        }
        let stream = batch.stream(member, Columns::Symbols);
        for run in runs {
            hashes.clear();
            let symbols = &stream.tokens.symbols[run.clone()];
            gram::hash_all(symbols, recipe.thresholds.guarantee(), &mut hashes);
            let placed = hashes.iter().zip(run.start as u32..);
            grams.extend(placed.map(|(&hash, at)| LongGram { hash, member, at }));
        }
    }
    grams
}

/// Returns a member's runs of frequent boilerplate that are of a recipe's kind and at least as long as its guarantee.
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

/// Finds the rings of more than `limit` members that hold these grams of `t` tokens, those that hide most first. Of
/// rings that overlap by half, only the first is returned.
///
/// If members alone counted, an idiom that one more submission has would displace the program that all the others
/// share.
fn rings(mut grams: Vec<LongGram>, limit: usize, t: usize) -> Vec<Ring> {
    grams.sort_unstable();
    grams.dedup_by_key(|gram| (gram.hash, gram.member));
    let mut held: HashMap<Vec<usize>, usize> = HashMap::new();
    for holders in grams.chunk_by(|x, y| x.hash == y.hash).filter(|all| all.len() > limit) {
        *held.entry(members(holders)).or_default() += 1;
    }
    let mut sets: Vec<(Vec<usize>, usize)> = held.into_iter().collect();
    let n_hidden = |(members, n_grams): &(Vec<usize>, usize)| members.len() * n_grams;
    sets.sort_unstable_by(|x, y| n_hidden(y).cmp(&n_hidden(x)).then_with(|| x.cmp(y)));
    let mut told = BTreeSet::new();
    sets.retain(|(members, _)| {
        let n_told = members.iter().filter(|&member| told.contains(member)).count();
        let is_new = 2 * n_told < members.len();
        if is_new {
            told.extend(members.iter().copied());
        }
        is_new
    });
    let ring = |members: Vec<usize>| {
        let n_tokens = longest(&grams, &members) + t - 1;
        Ring { members, n_tokens }
    };
    sets.into_iter().take(MOST).map(|(members, _)| ring(members)).collect()
}

/// Returns the submissions that hold a gram, ascending.
fn members(holders: &[LongGram]) -> Vec<usize> {
    holders.iter().map(|gram| gram.member).collect()
}

/// Counts the grams of the longest run in the first of some submissions whose grams all of them hold.
fn longest(grams: &[LongGram], ring: &[usize]) -> usize {
    let all_hold = |holders: &&[LongGram]| {
        let held = members(holders);
        ring.iter().all(|member| held.binary_search(member).is_ok())
    };
    let of_all = grams.chunk_by(|x, y| x.hash == y.hash).filter(all_hold);
    let in_first = of_all.filter_map(|all| all.iter().find(|gram| gram.member == ring[0]));
    let mut places: Vec<u32> = in_first.map(|gram| gram.at).collect();
    places.sort_unstable();
    let rows = places.chunk_by(|x, y| x + 1 == *y);
    rows.map(<[u32]>::len).max().unwrap_or(0)
}

/// Returns a notice for each member of a ring, all with the same text.
fn notices_of(batch: &Batch<'_>, ring: &Ring, limit: usize) -> Vec<Notice> {
    let reason = message![
        (
            "{} share {} that no base file has: a solution passed round, or a handout you did not name? \
         None of it counts, as more than {limit} have it; leave ",
            counted(ring.members.len() as u64, "submission", "submissions"),
            counted(ring.n_tokens as u64, "token", "tokens")
        ),
        Setting("max-docs"),
        " out to see it"
    ];
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

    /// Makes `n_grams` grams with consecutive hashes and positions, each held by all of some members.
    fn held(first: u64, n_grams: u64, members: &[usize]) -> Vec<LongGram> {
        let of_one = |hash: u64| {
            members.iter().map(move |&member| LongGram { hash, member, at: hash as u32 })
        };
        (first..first + n_grams).flat_map(of_one).collect()
    }

    #[test]
    fn each_ring_is_told_once_and_the_one_that_hides_most_first() {
        let grams = [
            held(0, 7, &[0, 1, 2]),
            held(100, 67, &[3, 4, 5, 6]),
            held(200, 17, &[3, 4, 5, 6]),
            held(300, 2, &[0, 1, 2, 9]),
            held(400, 5, &[7, 8, 10]),
        ];
        let ring = |members: &[usize], n_tokens| Ring { members: members.to_vec(), n_tokens };
        let expected = [ring(&[3, 4, 5, 6], 90), ring(&[0, 1, 2], 30), ring(&[7, 8, 10], 28)];
        assert_eq!(rings(grams.concat(), 2, 24), expected);
        assert_eq!(
            rings(grams.concat(), 3, 24)[1..],
            [ring(&[0, 1, 2, 9], 25)],
            "no limit hides three"
        );
    }

    #[test]
    fn an_idiom_that_one_more_has_does_not_cut_what_a_ring_shares() {
        let grams = [held(0, 40, &[1, 2]), held(40, 3, &[0, 1, 2]), held(43, 20, &[1, 2])].concat();
        assert_eq!(rings(grams, 1, 24), [Ring { members: vec![1, 2], n_tokens: 63 + 23 }]);
    }
}

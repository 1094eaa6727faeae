//! Pairs that share a passage and have no room in the list, for tables of all.
//!
//! Cost: some 80 bytes for each, up to [`MOST`].

use std::collections::BTreeSet;

use crate::document::Role;
use crate::pipeline::chance::Chance;
use crate::pipeline::found::FoundPair;
use crate::pipeline::listing::ListedPair;
use crate::pipeline::numbers::Numbers;
use crate::pipeline::{Batch, Ranking};
use crate::report::PairSummary;

/// Pairs of submissions up to which each is named. In batches with more, of identical submissions only the first is
/// named with others, and each other one with the first.
const MOST: u64 = 1 << 20;

/// Finds pairs that are not listed.
pub(super) struct Unlisted<'a> {
    pub(super) batch: &'a Batch<'a>,
    pub(super) ranking: &'a Ranking,
    pub(super) numbers: &'a Numbers,
    pub(super) chance: &'a Chance,
}

impl Unlisted<'_> {
    /// The pairs among `found`, which come best first, that are not listed and score at least `min_score`.
    pub(super) fn among(
        &self,
        found: &[FoundPair],
        listed: &[ListedPair],
        min_score: f64,
    ) -> Vec<PairSummary> {
        let listed: BTreeSet<(usize, usize)> = listed.iter().map(|pair| pair.members).collect();
        let reaching = found.iter().take_while(|pair| pair.finding.score >= min_score);
        let n_pairs = |pair: &FoundPair| self.ranking.n_pairs(&pair.ranked, self.batch);
        let are_few = reaching.clone().map(n_pairs).sum::<u64>() <= MOST;
        let of_pair = |pair: &FoundPair| {
            let members = self.members(pair, are_few).into_iter();
            let unlisted = members.filter(|&(x, y)| !listed.contains(&(x.min(y), x.max(y))));
            unlisted.map(|both| self.summary(both, pair)).collect::<Vec<_>>()
        };
        reaching.flat_map(of_pair).collect()
    }

    /// The pairs of submissions that a pair of classes stands for, the member of the first class first: all, or few.
    fn members(&self, FoundPair { ranked, .. }: &FoundPair, all: bool) -> Vec<(usize, usize)> {
        let classes = &self.ranking.classes;
        let (first, second) = (&classes[ranked.a as usize], &classes[ranked.b as usize]);
        let is_same = ranked.a == ranked.b;
        let first = if all { first } else { &first[..1] };
        let second = if all || is_same { second } else { &second[..1] };
        let is_new = |member: usize| self.batch.members[member].submission.role == Role::New;
        let both = first.iter().flat_map(|&x| second.iter().map(move |&y| (x, y)));
        both.filter(|&(x, y)| (!is_same || x < y) && (is_new(x) || is_new(y))).collect()
    }

    /// Summarises two submissions, the member of the first class first.
    fn summary(&self, (x, y): (usize, usize), pair: &FoundPair) -> PairSummary {
        let finding = &pair.finding;
        let coverage = if x < y { finding.coverage } else { finding.coverage.turned() };
        PairSummary {
            a: self.numbers.number(x.min(y)),
            b: self.numbers.number(x.max(y)),
            score: finding.score,
            expected: self.chance.expected(finding.score),
            containment_a: coverage.containment_a(),
            containment_b: coverage.containment_b(),
            resemblance: coverage.resemblance(),
            longest: finding.longest,
            matched: coverage.covered_a.min(coverage.covered_b),
            n_passages: finding.n_passages,
        }
    }
}

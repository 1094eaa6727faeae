//! Pairs that share a passage but have no room in the list, for tables of all pairs.
//!
//! Cost: some 80 bytes for each, up to [`MOST`].

use std::collections::BTreeSet;

use crate::pipeline::chance::Chance;
use crate::pipeline::evidence::Extent;
use crate::pipeline::found::FoundPair;
use crate::pipeline::listing::Listed;
use crate::pipeline::numbers::Numbers;
use crate::pipeline::{Batch, RankedPair, Ranking};
use crate::report::{PairExtent, PairSummary};
use fanmill_text::document::Role;

/// Maximum number of pairs of submissions in which each is named. In batches with more, only the first of identical
/// submissions is named with others, and the rest only with that first one.
const MOST: u64 = 1 << 20;

/// The pairs that are not listed, best first.
#[derive(Debug)]
pub(super) struct Unlisted {
    pub(super) pairs: Vec<UnlistedPair>,
}

/// A pair of submissions that is not listed.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnlistedPair {
    /// Ascending.
    pub(super) members: (usize, usize),
    pub(super) score: f64,
    /// Score of their shared grams.
    pub(super) rank: f64,
}

impl Unlisted {
    /// Collects the pairs among `found`, which is sorted best first, that are not listed and score at least
    /// `min_score`.
    pub(super) fn new(
        batch: &Batch<'_>,
        ranking: &Ranking,
        found: &[FoundPair],
        listed: &Listed,
        min_score: f64,
    ) -> Unlisted {
        let listed: BTreeSet<(usize, usize)> =
            listed.pairs.iter().map(|pair| pair.members).collect();
        let reaching = found.iter().take_while(|pair| pair.finding.score >= min_score);
        let n_pairs = |pair: &FoundPair| ranking.n_pairs(&pair.ranked, batch);
        let are_few = reaching.clone().map(n_pairs).sum::<u64>() <= MOST;
        let of_pair = |&FoundPair { ranked, finding }: &FoundPair| {
            let members = members(batch, ranking, &ranked, are_few).into_iter();
            let unlisted = members.filter(|members| !listed.contains(members));
            let (score, rank) = (finding.score, ranked.score);
            let pairs = unlisted.map(|members| UnlistedPair { members, score, rank });
            pairs.collect::<Vec<_>>()
        };
        Unlisted { pairs: reaching.flat_map(of_pair).collect() }
    }

    /// Summarises the pairs; `extents` are those of all, or none.
    pub(super) fn summaries(
        &self,
        extents: &[Extent],
        numbers: &Numbers,
        chance: &Chance,
    ) -> Vec<PairSummary> {
        let extents = extents.iter().map(|extent| Some(shown(extent)));
        let extents = extents.chain(std::iter::repeat(None));
        let summary = |(pair, extent): (&UnlistedPair, Option<PairExtent>)| PairSummary {
            a: numbers.number(pair.members.0),
            b: numbers.number(pair.members.1),
            score: pair.score,
            expected: chance.expected(pair.score),
            extent,
        };
        self.pairs.iter().zip(extents).map(summary).collect()
    }
}

fn shown(extent: &Extent) -> PairExtent {
    let coverage = &extent.coverage;
    PairExtent {
        containment_a: coverage.containment_a(),
        containment_b: coverage.containment_b(),
        resemblance: coverage.resemblance(),
        longest: extent.longest,
        matched: coverage.covered_a.min(coverage.covered_b),
        n_passages: extent.n_passages,
    }
}

/// Returns the pairs of submissions that a pair of classes represents, each ascending: all, or only those with a first
/// member.
fn members(
    batch: &Batch<'_>,
    ranking: &Ranking,
    pair: &RankedPair,
    all: bool,
) -> Vec<(usize, usize)> {
    let classes = &ranking.classes;
    let (first, second) = (&classes[pair.a as usize], &classes[pair.b as usize]);
    let is_same = pair.a == pair.b;
    let first = if all { first } else { &first[..1] };
    let second = if all || is_same { second } else { &second[..1] };
    let is_new = |member: usize| batch.members[member].submission.role == Role::New;
    let both = first.iter().flat_map(|&x| second.iter().map(move |&y| (x, y)));
    let both = both.filter(|&(x, y)| (!is_same || x < y) && (is_new(x) || is_new(y)));
    both.map(|(x, y)| (x.min(y), x.max(y))).collect()
}

//! Scored pairs that share a passage: what the list, the clusters and the tables of a report are made of.

use crate::pipeline::evidence::Finding;
use crate::pipeline::{Batch, RankedPair, Ranking};

/// A pair of classes that shares a passage.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundPair {
    /// The pair as its shared grams rank it.
    pub(super) ranked: RankedPair,
    /// Its score, and the kind of its evidence.
    pub(super) finding: Finding,
}

/// The first two members of a pair, ascending: of identical submissions, they stand for all.
pub(super) fn first_of(pair: &RankedPair, ranking: &Ranking, batch: &Batch<'_>) -> (usize, usize) {
    let mut members = ranking.members_of(pair, batch);
    members.next().expect("a pair has a new submission in it")
}

/// The pairs that share a passage, best first; `findings` are those of the ranked pairs, in their order.
pub(super) fn found(ranking: &Ranking, findings: Vec<Finding>) -> Vec<FoundPair> {
    let pairs = ranking.pairs.iter().zip(findings);
    let mut found: Vec<FoundPair> = pairs
        .filter(|(_, finding)| finding.score > 0.0)
        .map(|(&ranked, finding)| FoundPair { ranked, finding })
        .collect();
    // Pairs of equal scores stay as their grams rank them.
    found.sort_by(|x, y| y.finding.score.total_cmp(&x.finding.score));
    found
}

//! Scored pairs that share a passage: the basis of a report's list, clusters and tables.

use crate::pipeline::evidence::Finding;
use crate::pipeline::{Batch, RankedPair, Ranking};

/// A pair of classes that shares a passage.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundPair {
    /// The pair as ranked by its shared grams.
    pub(super) ranked: RankedPair,
    /// Its score, and the kind of its evidence.
    pub(super) finding: Finding,
}

/// Returns the first two members of a pair, ascending: they represent all submissions identical to them.
pub(super) fn first_of(pair: &RankedPair, ranking: &Ranking, batch: &Batch<'_>) -> (usize, usize) {
    let mut members = ranking.members_of(pair, batch);
    members.next().expect("a pair has a new submission in it")
}

/// Returns the pairs that share a passage, best first; `findings` are those of the ranked pairs, in their order.
pub(super) fn found(ranking: &Ranking, findings: Vec<Finding>) -> Vec<FoundPair> {
    let pairs = ranking.pairs.iter().zip(findings);
    let mut found: Vec<FoundPair> = pairs
        .filter(|(_, finding)| finding.score > 0.0)
        .map(|(&ranked, finding)| FoundPair { ranked, finding })
        .collect();
    // The sort is stable: pairs of equal scores stay in the order of their grams' scores.
    found.sort_by(|x, y| y.finding.score.total_cmp(&x.finding.score));
    found
}

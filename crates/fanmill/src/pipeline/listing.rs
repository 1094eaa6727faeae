//! Which of the scored pairs a report lists, and how many there were.

use std::collections::BTreeSet;

use crate::document::Role;
use crate::pipeline::evidence::Support;
use crate::pipeline::{Batch, Config, RankedPair, Ranking};
use crate::report;

/// The pairs that the report lists.
pub(super) struct Listed {
    /// Best first.
    pub(super) pairs: Vec<ListedPair>,
    pub(super) counts: report::Counts,
    pub(super) histogram: Vec<u64>,
}

pub(super) struct ListedPair {
    pub(super) members: (usize, usize),
    pub(super) score: f64,
    /// Weight of what they share, in 1/65536.
    pub(super) evidence: u64,
}

/// Buckets of the histogram of scores.
const BUCKETS: usize = 20;

impl Listed {
    /// Chooses among the pairs that rest on something (`supports`, one a ranked pair).
    ///
    /// In this order, until there are as many as asked for:
    /// 1. pairs that share a run as long as the guarantee: all of them if they fit, as promised, or
    ///    the best that fit into half of the list, each submission's best pair before any other;
    /// 2. the best pairs by score, in the same order;
    /// 3. a fifth as many again by evidence: a long copied passage in two large submissions is a
    ///    small share of both, and a group of many copies has more pairs than a list has room.
    pub(super) fn of(
        batch: &Batch<'_>,
        ranking: &Ranking,
        supports: &[Support],
        config: &Config,
    ) -> Listed {
        let (counts, histogram) = count(batch, ranking, supports, config.min_score);
        let reaching = ranking.pairs.iter().zip(supports);
        let reaching = reaching.filter(|(pair, _)| pair.score >= config.min_score);
        let of_support = |least: Support| -> Vec<&RankedPair> {
            let pairs = reaching.clone().filter(|(_, support)| **support >= least);
            pairs.map(|(pair, _)| pair).collect()
        };
        let guaranteed = of_support(Support::Guaranteed);
        let mut supported = of_support(Support::Pieces);
        let n_guaranteed: u64 = guaranteed.iter().map(|pair| ranking.n_pairs(pair, batch)).sum();

        let limit = config.max_pairs;
        let fits = n_guaranteed <= limit as u64;
        let of_guaranteed = if fits { limit } else { limit.div_ceil(2) };
        let mut list = List::new(batch, ranking);
        for (pairs, limit) in [(&guaranteed, of_guaranteed), (&supported, limit)] {
            list.fill(pairs, limit, Wanted::FirstOfAMember);
            list.fill(pairs, limit, Wanted::All);
        }
        supported.sort_by_key(|pair| std::cmp::Reverse(pair.evidence));
        list.fill(&supported, limit.saturating_add(limit / 5), Wanted::All);
        Listed { pairs: list.pairs, counts, histogram }
    }
}

/// How many pairs there were, and how their scores are spread.
fn count(
    batch: &Batch<'_>,
    ranking: &Ranking,
    supports: &[Support],
    min_score: f64,
) -> (report::Counts, Vec<u64>) {
    let mut counts = report::Counts {
        possible: possible_pairs(batch),
        limited: ranking.is_limited,
        ..report::Counts::default()
    };
    let mut histogram = vec![0; BUCKETS];
    for (pair, support) in ranking.pairs.iter().zip(supports) {
        let n_pairs = ranking.n_pairs(pair, batch);
        counts.scored += n_pairs;
        #[expect(clippy::cast_sign_loss, reason = "scores are fractions")]
        let bucket = (pair.score * BUCKETS as f64) as usize;
        histogram[bucket.min(BUCKETS - 1)] += n_pairs;
        if pair.score >= min_score {
            counts.reached += n_pairs;
            counts.supported += if *support == Support::Nothing { 0 } else { n_pairs };
        }
    }
    (counts, histogram)
}

/// Which pairs a list takes of those that it is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Those that are the first of one of their members.
    FirstOfAMember,
}

/// A list of pairs of members that grows up to a limit.
struct List<'a> {
    batch: &'a Batch<'a>,
    ranking: &'a Ranking,
    pairs: Vec<ListedPair>,
    listed: BTreeSet<(usize, usize)>,
}

impl<'a> List<'a> {
    fn new(batch: &'a Batch<'a>, ranking: &'a Ranking) -> List<'a> {
        List { batch, ranking, pairs: Vec::new(), listed: BTreeSet::new() }
    }

    /// Lists pairs in the order given until there are `limit`.
    fn fill(&mut self, ranked: &[&RankedPair], limit: usize, wanted: Wanted) {
        let mut has_partner = vec![false; self.batch.members.len()];
        for pair in ranked {
            for members in self.ranking.members_of(pair, self.batch) {
                if self.pairs.len() >= limit {
                    return;
                }
                let (a, b) = members;
                if wanted == Wanted::FirstOfAMember && has_partner[a] && has_partner[b] {
                    // In a class of identical ones, the pairs of its first member come first.
                    break;
                }
                has_partner[a] = true;
                has_partner[b] = true;
                if self.listed.insert(members) {
                    let RankedPair { score, evidence, .. } = **pair;
                    self.pairs.push(ListedPair { members, score, evidence });
                }
            }
        }
    }
}

/// New with new, and new with archive.
fn possible_pairs(batch: &Batch<'_>) -> u64 {
    let of_role = |role| batch.members.iter().filter(|m| m.submission.role == role).count() as u64;
    let (new, archive) = (of_role(Role::New), of_role(Role::Archive));
    new * new.saturating_sub(1) / 2 + new * archive
}

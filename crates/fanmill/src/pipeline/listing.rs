//! Which of the scored pairs a report lists, and how many there were.

use std::collections::BTreeSet;

use crate::pipeline::{Batch, Config, RankedPair, Ranking};
use crate::report::model;
use crate::source::Role;

/// The pairs that the report lists.
pub(super) struct Listed {
    /// Best first.
    pub(super) pairs: Vec<ListedPair>,
    pub(super) counts: model::Counts,
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
    /// The best pairs by score, each submission's best pair before any other; and a fifth as many
    /// again by evidence: a long copied passage in two large submissions is a small share of both,
    /// and a group of many copies has more pairs than a list has room. Neither must crowd out others.
    pub(super) fn of(batch: &Batch, ranking: &Ranking, config: &Config) -> Listed {
        let mut counts = model::Counts {
            possible: possible_pairs(batch),
            limited: ranking.is_limited,
            ..model::Counts::default()
        };
        let mut histogram = vec![0; BUCKETS];
        let mut reaching: Vec<&RankedPair> = Vec::new();
        for pair in &ranking.pairs {
            let n_pairs = ranking.n_pairs(pair, batch);
            counts.scored += n_pairs;
            #[expect(clippy::cast_sign_loss, reason = "scores are fractions")]
            let bucket = (pair.score * BUCKETS as f64) as usize;
            histogram[bucket.min(BUCKETS - 1)] += n_pairs;
            if pair.score >= config.min_score {
                counts.reached += n_pairs;
                reaching.push(pair);
            }
        }
        let mut list = List::new(batch, ranking);
        list.fill(&reaching, config.max_pairs, true);
        list.fill(&reaching, config.max_pairs, false);
        reaching.sort_by_key(|pair| std::cmp::Reverse(pair.evidence));
        list.fill(&reaching, config.max_pairs + config.max_pairs / 5, false);
        Listed { pairs: list.pairs, counts, histogram }
    }
}

/// A list of pairs of members that grows up to a limit.
struct List<'a> {
    batch: &'a Batch,
    ranking: &'a Ranking,
    pairs: Vec<ListedPair>,
    listed: BTreeSet<(usize, usize)>,
    /// Members that are in some listed pair.
    has_partner: Vec<bool>,
}

impl<'a> List<'a> {
    fn new(batch: &'a Batch, ranking: &'a Ranking) -> List<'a> {
        let has_partner = vec![false; batch.members.len()];
        List { batch, ranking, pairs: Vec::new(), listed: BTreeSet::new(), has_partner }
    }

    /// Lists pairs in the order given until there are `limit`; if `only_first`, only those that are
    /// the first of one of their members.
    fn fill(&mut self, ranked: &[&RankedPair], limit: usize, only_first: bool) {
        for pair in ranked {
            for members in self.ranking.members_of(pair, self.batch) {
                if self.pairs.len() >= limit {
                    return;
                }
                let (a, b) = members;
                if only_first && self.has_partner[a] && self.has_partner[b] {
                    // In a class of identical ones, the pairs of its first member come first.
                    break;
                }
                self.has_partner[a] = true;
                self.has_partner[b] = true;
                if self.listed.insert(members) {
                    let RankedPair { score, evidence, .. } = **pair;
                    self.pairs.push(ListedPair { members, score, evidence });
                }
            }
        }
    }
}

/// New with new, and new with archive.
fn possible_pairs(batch: &Batch) -> u64 {
    let of_role = |role| batch.members.iter().filter(|m| m.submission.role == role).count() as u64;
    let (new, archive) = (of_role(Role::New), of_role(Role::Archive));
    new * new.saturating_sub(1) / 2 + new * archive
}

//! Which of the scored pairs a report lists, and how many there were.

use crate::pipeline::{Batch, Config, Ranking};
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
}

/// Buckets of the histogram of scores.
const BUCKETS: usize = 20;

impl Listed {
    /// The best pairs by score, and a fifth as many again by evidence: a long copied passage in two
    /// large submissions is a small share of both, and must not be crowded out.
    pub(super) fn of(batch: &Batch, ranking: &Ranking, config: &Config) -> Listed {
        let mut counts =
            model::Counts { possible: possible_pairs(batch), ..model::Counts::default() };
        let mut histogram = vec![0; BUCKETS];
        let mut by_evidence: Vec<usize> = Vec::new();
        let mut chosen: Vec<usize> = Vec::new();
        let mut room = config.max_pairs;
        for (i, pair) in ranking.pairs.iter().enumerate() {
            let n_pairs = ranking.n_pairs(pair, batch);
            counts.scored += n_pairs;
            #[expect(clippy::cast_sign_loss, reason = "scores are fractions")]
            let bucket = (pair.score * BUCKETS as f64) as usize;
            histogram[bucket.min(BUCKETS - 1)] += n_pairs;
            if pair.score < config.min_score {
                continue;
            }
            counts.reached += n_pairs;
            if room > 0 {
                room = room.saturating_sub(n_pairs as usize);
                chosen.push(i);
            } else {
                by_evidence.push(i);
            }
        }
        let by = |&i: &usize| (std::cmp::Reverse(ranking.pairs[i].evidence), i);
        by_evidence.sort_unstable_by_key(by);
        let mut pairs = expand(batch, ranking, &chosen, config.max_pairs);
        pairs.extend(expand(batch, ranking, &by_evidence, config.max_pairs / 5));
        Listed { pairs, counts, histogram }
    }
}

/// The first `limit` pairs of members that ranked pairs of classes stand for.
fn expand(batch: &Batch, ranking: &Ranking, chosen: &[usize], limit: usize) -> Vec<ListedPair> {
    let ranked = chosen.iter().map(|&i| &ranking.pairs[i]);
    let members = ranked
        .flat_map(|pair| ranking.members_of(pair, batch).map(move |members| (members, pair.score)));
    members.take(limit).map(|(members, score)| ListedPair { members, score }).collect()
}

/// New with new, and new with archive.
fn possible_pairs(batch: &Batch) -> u64 {
    let of_role = |role| batch.members.iter().filter(|m| m.submission.role == role).count() as u64;
    let (new, archive) = (of_role(Role::New), of_role(Role::Archive));
    new * new.saturating_sub(1) / 2 + new * archive
}

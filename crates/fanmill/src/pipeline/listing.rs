//! The choice of the scored pairs that a report lists, and the counts of all pairs.

use std::collections::BTreeSet;

use crate::cluster::forest::Forest;
use crate::pipeline::found::FoundPair;
use crate::pipeline::{Batch, Config, Ranking};
use crate::report::{self, ListedFor};
use fanmill_text::document::Role;

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
    /// Score of their shared grams.
    pub(super) rank: f64,
    /// Weight of the grams that they share, in units of 1/65536.
    pub(super) evidence: u64,
    /// Number of tokens of the longest run that both have and few others do.
    pub(super) rare_run: u32,
    pub(super) listed_for: ListedFor,
}

/// Number of buckets in the histogram of scores.
const BUCKETS: usize = 20;

impl Listed {
    /// Chooses among the pairs that share a passage, which are sorted best first.
    ///
    /// There are two ways into the list, each with room of its own. The first is for the best scores, until there are
    /// as many pairs as asked for:
    /// 1. pairs that share a run as long as the guarantee: all of them if they fit, or the best that fit into half of
    ///    the room, each submission's best pair before any other;
    /// 2. the best pairs by score, in the same order.
    ///
    /// The second is for the longest runs that few others have, one for two groups of near-copies, with two fifths as
    /// much room: a copied function is a small share of two large programs, and scores less than what everybody has.
    /// Room that is left there goes to the next best scores.
    pub(super) fn new(
        batch: &Batch<'_>,
        ranking: &Ranking,
        found: &[FoundPair],
        config: &Config,
    ) -> Listed {
        let n_reaching = found.partition_point(|pair| pair.finding.score >= config.min_score);
        let reaching: Vec<&FoundPair> = found[..n_reaching].iter().collect();
        let (counts, histogram) = count(batch, ranking, found, config.min_score);
        let guaranteed = reaching.iter().copied().filter(|pair| pair.finding.is_guaranteed);
        let guaranteed: Vec<&FoundPair> = guaranteed.collect();
        let n_pairs = |pair: &&FoundPair| ranking.n_pairs(&pair.ranked, batch);
        let n_guaranteed: u64 = guaranteed.iter().map(n_pairs).sum();

        let limit = config.max_pairs;
        let fits = n_guaranteed <= limit as u64;
        let of_guaranteed = if fits { limit } else { limit.div_ceil(2) };
        let mut list = List::new(batch, ranking);
        for (pairs, limit) in [(&guaranteed, of_guaranteed), (&reaching, limit)] {
            list.fill(pairs, limit, PairChoice::FirstOfAMember);
            list.fill(pairs, limit, PairChoice::All);
        }
        list.listed_for = ListedFor::RareRun;
        let limit = limit.saturating_add(2 * (limit / 5));
        list.fill(&by_run_of_few(ranking, &reaching), limit, PairChoice::FirstOfAClass);
        list.listed_for = ListedFor::Score;
        list.fill(&reaching, limit, PairChoice::All);
        Listed { pairs: list.pairs, counts, histogram }
    }
}

/// Score from which on two submissions are near-copies: they share nearly all of their runs with the same submissions.
///
/// Measured with planted runs of 96 to 116 tokens: of 60 in 1,200 Java programs, the 57th is at place 239 with .6, and
/// at 321 with .7; with .5 three are lost, because they are half of a short program.
const NEAR_COPY: f64 = 0.6;

/// Returns pairs of different groups of near-copies, by the longest run that few have plus the longest that very few
/// have: for two groups, only the best pair. `found` is sorted best first.
///
/// In a course with one task, a dozen people come upon the same 50 tokens independently, but four do not. On the other
/// hand, a run that was copied from one of a dozen near-copies has a dozen holders. So tokens that very few have count
/// twice. Measured with planted runs of 48 to 56 and of 96 to 116 tokens in 1,411 Java programs; 59 and 53 runs
/// were planted: the first 600 pairs have 5 and 52 of them by the first length, 44 and 45 by the second, 44 and 51 by
/// the sum.
///
/// A group of copies has a pair for each two of its members, and each of them shares the same runs with others.
fn by_run_of_few<'a>(ranking: &Ranking, found: &[&'a FoundPair]) -> Vec<&'a FoundPair> {
    let mut forest = Forest::new(ranking.classes.len());
    let near = found.iter().take_while(|pair| pair.finding.score >= NEAR_COPY);
    near.for_each(|pair| forest.join(pair.ranked.a, pair.ranked.b));
    let mut rare: Vec<&FoundPair> =
        found.iter().copied().filter(|pair| pair.ranked.rare_run > 0).collect();
    // The sort is stable: of equal runs, the pair with the best score still comes first.
    let length = |pair: &FoundPair| pair.ranked.rare_run.saturating_add(pair.ranked.run_of_few);
    rare.sort_by_key(|pair| std::cmp::Reverse(length(pair)));
    let mut seen = BTreeSet::new();
    rare.retain(|pair| {
        let (a, b) = (forest.root(pair.ranked.a), forest.root(pair.ranked.b));
        a != b && seen.insert((a.min(b), a.max(b)))
    });
    rare
}

/// Counts pairs, and makes a histogram of their scores.
fn count(
    batch: &Batch<'_>,
    ranking: &Ranking,
    found: &[FoundPair],
    min_score: f64,
) -> (report::Counts, Vec<u64>) {
    let scored = ranking.pairs.iter().map(|pair| ranking.n_pairs(pair, batch)).sum();
    let mut histogram = vec![0; BUCKETS];
    let (mut n_found, mut supported) = (0, 0);
    for FoundPair { ranked, finding } in found {
        let n_pairs = ranking.n_pairs(ranked, batch);
        #[expect(clippy::cast_sign_loss, reason = "scores are fractions")]
        let bucket = (finding.score * BUCKETS as f64) as usize;
        histogram[bucket.min(BUCKETS - 1)] += n_pairs;
        n_found += n_pairs;
        supported += if finding.score >= min_score { n_pairs } else { 0 };
    }
    // Pairs without a passage score 0.
    histogram[0] += scored - n_found;
    let reached = if min_score > 0.0 { supported } else { scored };
    let counts = report::Counts {
        possible: possible_pairs(batch),
        scored,
        limited: ranking.is_limited,
        reached,
        supported,
        ..report::Counts::default()
    };
    (counts, histogram)
}

/// The pairs that a list takes of those that it is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PairChoice {
    All,
    /// Pairs that are the first of one of their members.
    FirstOfAMember,
    /// One pair for two classes of identical members.
    FirstOfAClass,
}

/// A list of pairs of members that grows up to a limit.
struct List<'a> {
    batch: &'a Batch<'a>,
    ranking: &'a Ranking,
    pairs: Vec<ListedPair>,
    listed: BTreeSet<(usize, usize)>,
    /// The reason for which the next pairs are listed.
    listed_for: ListedFor,
}

impl<'a> List<'a> {
    fn new(batch: &'a Batch<'a>, ranking: &'a Ranking) -> List<'a> {
        let (pairs, listed) = (Vec::new(), BTreeSet::new());
        List { batch, ranking, pairs, listed, listed_for: ListedFor::Score }
    }

    /// Adds pairs in the order given until the list has `limit`.
    fn fill(&mut self, found: &[&FoundPair], limit: usize, wanted: PairChoice) {
        let mut has_partner = vec![false; self.batch.members.len()];
        for FoundPair { ranked, finding } in found {
            for members in self.ranking.members_of(ranked, self.batch) {
                if self.pairs.len() >= limit {
                    return;
                }
                let (a, b) = members;
                if wanted == PairChoice::FirstOfAMember && has_partner[a] && has_partner[b] {
                    // In a class of identical submissions, the pairs of its first member come first.
                    break;
                }
                has_partner[a] = true;
                has_partner[b] = true;
                if self.listed.insert(members) {
                    self.pairs.push(ListedPair {
                        members,
                        score: finding.score,
                        rank: ranked.score,
                        evidence: ranked.evidence,
                        rare_run: ranked.rare_run,
                        listed_for: self.listed_for,
                    });
                }
                if wanted == PairChoice::FirstOfAClass {
                    break;
                }
            }
        }
    }
}

/// Counts the pairs of new submissions with new ones, and of new with archived ones.
fn possible_pairs(batch: &Batch<'_>) -> u64 {
    let of_role = |role| batch.members.iter().filter(|m| m.submission.role == role).count() as u64;
    let (new, archive) = (of_role(Role::New), of_role(Role::Archive));
    new * new.saturating_sub(1) / 2 + new * archive
}

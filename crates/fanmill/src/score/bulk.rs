//! The bulk of a batch: its pairs, with submissions that belong together weighing as one.
//!
//! Fifteen copies of one program resemble each other a hundred times, and everyone else fifteen times. To show what
//! unrelated submissions share, linked submissions become a group: pairs within a group weigh nothing, and each pair of
//! groups weighs 1 in all, spread evenly over the pairs of their members.
//!
//! Pairs that are not given share nothing. They are counted and never stored.
//!
//! Cost: O(p log p) to sort p pairs that share something; O(p + n) for each round of links or ranks.
//! Source: ours.

use crate::index::SubmissionId;

/// Two submissions, or classes of identical ones, and their score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// One submission or class.
    pub a: SubmissionId,
    /// The other one.
    pub b: SubmissionId,
    /// A fraction in `0..=1`; 0 where they share no passage.
    pub score: f64,
}

/// Pairs that share something, and the groups of their submissions.
#[derive(Debug, Clone)]
pub(super) struct Bulk {
    /// Pairs, best first; ties by number.
    pairs: Vec<ScoredPair>,
    /// Number of pairs, the best ones, whose submissions have been linked.
    n_linked: usize,
    /// Per submission, another one of its group, or itself.
    parents: Vec<u32>,
    /// Per submission, the lowest one of its group.
    roots: Vec<u32>,
    /// Per root, the number of submissions in its group.
    sizes: Vec<u32>,
    /// Per root, the number of archived submissions in its group.
    archived: Vec<u32>,
}

impl Bulk {
    /// Puts each submission into a group of its own.
    ///
    /// `is_archived` has one entry for each submission; two archived ones are not a pair.
    pub(super) fn new(pairs: &[ScoredPair], is_archived: &[bool]) -> Bulk {
        let may_meet = |pair: &ScoredPair| {
            pair.a != pair.b && !(is_archived[pair.a as usize] && is_archived[pair.b as usize])
        };
        // A score that is not a number fails the comparison too.
        let shares = |pair: &&ScoredPair| pair.score > 0.0 && may_meet(pair);
        let mut pairs: Vec<ScoredPair> = pairs.iter().filter(shares).copied().collect();
        pairs
            .sort_unstable_by(|x, y| y.score.total_cmp(&x.score).then((x.a, x.b).cmp(&(y.a, y.b))));
        let alone: Vec<u32> = (0..is_archived.len() as u32).collect();
        Bulk {
            pairs,
            n_linked: 0,
            parents: alone.clone(),
            roots: alone,
            sizes: vec![1; is_archived.len()],
            archived: is_archived.iter().map(|&archived| u32::from(archived)).collect(),
        }
    }

    /// Joins the submissions of all pairs that score `threshold` or more.
    pub(super) fn link(&mut self, threshold: f64) {
        let n_linked = self.pairs.partition_point(|pair| pair.score >= threshold);
        for number in self.n_linked..n_linked {
            let ScoredPair { a, b, .. } = self.pairs[number];
            let (a, b) = (self.root(a), self.root(b));
            if a != b {
                let (low, high) = (a.min(b) as usize, a.max(b) as usize);
                self.parents[high] = low as u32;
                self.sizes[low] += std::mem::take(&mut self.sizes[high]);
                self.archived[low] += std::mem::take(&mut self.archived[high]);
            }
        }
        self.n_linked = self.n_linked.max(n_linked);
        for id in 0..self.roots.len() as u32 {
            self.roots[id as usize] = self.root(id);
        }
    }

    /// Returns the lowest member of a submission's group, by path halving as in
    /// [`Forest`](crate::cluster::forest::Forest), which keeps no sizes.
    fn root(&mut self, mut id: u32) -> u32 {
        while self.parents[id as usize] != id {
            let parent = self.parents[id as usize];
            self.parents[id as usize] = self.parents[parent as usize];
            id = self.parents[id as usize];
        }
        id
    }

    /// Returns the number of groups, those of a single submission included.
    pub(super) fn n_groups(&self) -> u64 {
        self.sizes.iter().filter(|&&size| size > 0).count() as u64
    }

    /// Counts the pairs of submissions of different groups, those that share nothing included.
    pub(super) fn n_pairs(&self) -> u64 {
        let within = |n: u32, n_archived: u32| {
            let pairs = |n: u32| u64::from(n) * u64::from(n.saturating_sub(1)) / 2;
            pairs(n) - pairs(n_archived)
        };
        let all = within(self.roots.len() as u32, self.archived.iter().sum());
        all - self.sizes.iter().zip(&self.archived).map(|(&n, &old)| within(n, old)).sum::<u64>()
    }

    /// Returns the weight of all pairs, those that share nothing included: the number of pairs of groups, if nothing is
    /// archived.
    ///
    /// For two groups with archived members, the share of their pairs that do not count is the product of their
    /// archived shares.
    pub(super) fn weight(&self) -> f64 {
        let (mut n, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (&size, &archived) in self.sizes.iter().zip(&self.archived) {
            if size > 0 {
                let share = f64::from(archived) / f64::from(size);
                n += 1.0;
                sum += share;
                squares += share * share;
            }
        }
        (n * (n - 1.0) - (sum * sum - squares)) / 2.0
    }

    /// Returns the weight of the pairs that share something.
    pub(super) fn weight_sharing(&self) -> f64 {
        self.pairs.iter().map(|pair| self.weight_of(pair)).sum()
    }

    /// Returns the score that pairs of this weight, in all, reach or exceed; 0 if fewer share anything.
    pub(super) fn score_at(&self, weight: f64) -> f64 {
        let mut sum = 0.0;
        let reached = self.pairs.iter().find(|pair| {
            sum += self.weight_of(pair);
            // Thirds add up to 1 except for the last bit.
            sum >= weight * (1.0 - f64::EPSILON * 16.0)
        });
        reached.map_or(0.0, |pair| pair.score)
    }

    fn weight_of(&self, pair: &ScoredPair) -> f64 {
        let [a, b] = [pair.a, pair.b].map(|id| self.roots[id as usize]);
        let size = |root: u32| f64::from(self.sizes[root as usize]);
        if a == b { 0.0 } else { 1.0 / (size(a) * size(b)) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns every pair of a batch that may be compared, with its weight, best first: found without ranks, roots or
    /// sums.
    pub(in crate::score) fn naive(
        pairs: &[ScoredPair],
        is_archived: &[bool],
        threshold: f64,
    ) -> Vec<(f64, f64)> {
        let n = is_archived.len();
        let mut scores = vec![vec![0.0; n]; n];
        let mut group: Vec<usize> = (0..n).collect();
        for pair in pairs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            if !(is_archived[a] && is_archived[b]) {
                (scores[a][b], scores[b][a]) = (pair.score, pair.score);
                if pair.score > 0.0 && pair.score >= threshold {
                    let (from, to) = (group[a], group[b]);
                    group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
                }
            }
        }
        let size = |a: usize| group.iter().filter(|&&g| g == group[a]).count() as f64;
        let mut all = Vec::new();
        for a in 0..n {
            for b in (0..a).filter(|&b| !(is_archived[a] && is_archived[b])) {
                let weight = if group[a] == group[b] { 0.0 } else { 1.0 / (size(a) * size(b)) };
                all.push((scores[a][b], weight));
            }
        }
        all.sort_by(|x, y| y.0.total_cmp(&x.0));
        all
    }

    /// Generates the pairs of `n` submissions, each once; many scores are 0.
    pub(in crate::score) fn batches() -> impl Strategy<Value = (Vec<ScoredPair>, Vec<bool>)> {
        let n_pairs = |n: usize| n * (n - 1) / 2;
        let of_n = move |n: usize| {
            let scores = proptest::collection::vec(0_u32..40, n_pairs(n));
            (scores, proptest::collection::vec(proptest::bool::weighted(0.2), n))
        };
        (2_usize..14).prop_flat_map(of_n).prop_map(|(scores, is_archived)| {
            let n = is_archived.len() as u32;
            let places = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
            let score = |of: u32| f64::from(of.saturating_sub(20)) / 20.0;
            let pairs = places.zip(scores);
            (pairs.map(|((a, b), of)| ScoredPair { a, b, score: score(of) }).collect(), is_archived)
        })
    }

    proptest! {
        #[test]
        fn weights_and_ranks_are_those_of_all_pairs(
            (pairs, is_archived) in batches(),
            threshold in 0.05_f64..1.0,
            rank in 0.0_f64..1.0,
        ) {
            let mut bulk = Bulk::new(&pairs, &is_archived);
            bulk.link(threshold.midpoint(1.0));
            bulk.link(threshold);
            let all = naive(&pairs, &is_archived, threshold);
            let total: f64 = all.iter().map(|(_, weight)| weight).sum();
            prop_assert!((bulk.weight() - total).abs() < 1e-9, "{} of {total}", bulk.weight());
            let n_pairs = all.iter().filter(|(_, weight)| *weight > 0.0).count() as u64;
            prop_assert_eq!(bulk.n_pairs(), n_pairs);
            let sharing: f64 = all.iter().filter(|(score, _)| *score > 0.0).map(|(_, w)| w).sum();
            prop_assert!((bulk.weight_sharing() - sharing).abs() < 1e-9);
            let wanted = rank * total;
            let (mut sum, mut reached, mut is_at_a_step) = (0.0, 0.0, wanted < 1e-9);
            for (score, weight) in all {
                if sum < wanted && wanted < sum + weight {
                    reached = score;
                }
                sum += weight;
                is_at_a_step |= (sum - wanted).abs() < 1e-9;
            }
            // At a step, rounding decides the result.
            if !is_at_a_step {
                prop_assert_eq!(bulk.score_at(wanted).to_bits(), reached.to_bits());
            }
        }
    }

    #[test]
    fn a_group_weighs_as_one() {
        let pair = |a, b, score| ScoredPair { a, b, score };
        let pairs = [pair(0, 1, 0.9), pair(0, 2, 0.3), pair(1, 2, 0.2)];
        let mut bulk = Bulk::new(&pairs, &[false; 4]);
        assert_eq!((bulk.weight().to_bits(), bulk.n_groups()), (6.0_f64.to_bits(), 4));
        bulk.link(0.5);
        assert_eq!((bulk.weight().to_bits(), bulk.n_groups()), (3.0_f64.to_bits(), 3));
        assert_eq!(bulk.n_pairs(), 5, "all but the two that are linked");
        assert_eq!(
            bulk.score_at(0.5).to_bits(),
            0.3_f64.to_bits(),
            "half of what 2 shares with both"
        );
        assert_eq!(bulk.score_at(1.0).to_bits(), 0.2_f64.to_bits());
        assert_eq!(bulk.score_at(1.5).to_bits(), 0.0_f64.to_bits());
    }
}

//! Average linkage: groups whose members resemble each other on average.
//!
//! Two groups are joined, the most similar ones first, as long as the mean score of the pairs between them
//! reaches a threshold. A pair without a score counts as 0.
//!
//! The pairs need not be sorted: from any group, step to its nearest neighbour until two groups are each other's
//! nearest, and join those two. The mean score with a joined group is never above the higher of the means with its
//! parts, so a group whose nearest neighbour is too far away stays as it is.
//!
//! Cost: O(n · d) time for n members with scores for d others each; memory for the scores.
//! Source: Murtagh, "A survey of recent advances in hierarchical clustering algorithms", Computer Journal 26, 1983.
//! Departs from it: scores in place of distances, and only those that exist.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use super::Link;
use super::forest::Forest;
use crate::index::SubmissionId;

/// Returns groups of `members`, including groups of one. Members are ascending, and groups are in the order of their
/// first members.
///
/// `links` are scored pairs of members, of any score. On a tie, the group that the search came from is the nearest, else
/// the one with the lowest member.
/// A link without pairs joins identical submissions, whatever the threshold.
pub fn average(members: &[SubmissionId], links: &[Link], threshold: f64) -> Vec<Vec<SubmissionId>> {
    let mut groups = Groups::new(members, links);
    let mut path: Vec<u32> = Vec::new();
    for start in 0..members.len() as u32 {
        if groups.sizes[start as usize] > 0 {
            path.push(start);
        }
        while let Some(&last) = path.last() {
            let before = path.len().checked_sub(2).map(|at| path[at]);
            match groups.nearest(last, before).filter(|&(_, mean)| mean >= threshold) {
                Some((next, _)) if Some(next) == before => {
                    path.truncate(path.len() - 2);
                    let joined = groups.join(last, next);
                    if path.is_empty() {
                        path.push(joined);
                    }
                }
                Some((next, _)) => path.push(next),
                None => drop(path.pop()),
            }
        }
    }
    groups.finish(members)
}

/// Groups, each identified by the index of its lowest member.
struct Groups {
    forest: Forest,
    /// Number of members of each group; 0 if it was joined to a lower one.
    sizes: Vec<u64>,
    /// Sum of the scores of all pairs between two groups, stored at both.
    sums: Vec<BTreeMap<u32, f64>>,
}

impl Groups {
    fn new(members: &[SubmissionId], links: &[Link]) -> Groups {
        let place: HashMap<SubmissionId, u32> = members.iter().copied().zip(0..).collect();
        let mut forest = Forest::new(members.len());
        for link in links.iter().filter(|link| link.pairs == 0) {
            forest.join(place[&link.a], place[&link.b]);
        }
        let mut sizes = vec![0; members.len()];
        for member in 0..members.len() as u32 {
            sizes[forest.root(member) as usize] += 1;
        }
        let mut groups = Groups { forest, sizes, sums: vec![BTreeMap::new(); members.len()] };
        for link in links {
            let [a, b] = [link.a, link.b].map(|id| groups.forest.root(place[&id]));
            if a != b {
                groups.add(a, b, link.score * link.pairs as f64);
            }
        }
        groups
    }

    /// Adds to the scores between two groups.
    fn add(&mut self, a: u32, b: u32, score: f64) {
        let sum = self.sums[a as usize].entry(b).or_insert(0.0);
        *sum += score;
        let sum = *sum;
        self.sums[b as usize].insert(a, sum);
    }

    /// Returns the group with the highest mean score, and that score. On a tie, `preferred` wins, else the lowest
    /// group.
    fn nearest(&self, group: u32, preferred: Option<u32>) -> Option<(u32, f64)> {
        let size = self.sizes[group as usize];
        let mut best: Option<(u32, f64)> = None;
        for (&other, sum) in &self.sums[group as usize] {
            let mean = sum / (size * self.sizes[other as usize]) as f64;
            let is_better = best.is_none_or(|(_, most)| match mean.total_cmp(&most) {
                Ordering::Greater => true,
                Ordering::Equal => Some(other) == preferred,
                Ordering::Less => false,
            });
            if is_better {
                best = Some((other, mean));
            }
        }
        best
    }

    /// Merges two groups, and returns the merged one.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (low, high) = (a.min(b), a.max(b));
        self.forest.join(low, high);
        self.sizes[low as usize] += std::mem::take(&mut self.sizes[high as usize]);
        self.sums[low as usize].remove(&high);
        for (other, sum) in std::mem::take(&mut self.sums[high as usize]) {
            self.sums[other as usize].remove(&high);
            if other != low {
                self.add(low, other, sum);
            }
        }
        low
    }

    fn finish(mut self, members: &[SubmissionId]) -> Vec<Vec<SubmissionId>> {
        let mut groups = vec![Vec::new(); members.len()];
        for (&id, place) in members.iter().zip(0..) {
            groups[self.forest.root(place) as usize].push(id);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The naive twin: computes all means each time, and joins the two groups with the highest one.
    fn greedy(n: usize, links: &[Link], threshold: f64) -> Vec<Vec<SubmissionId>> {
        let mut groups: Vec<Vec<SubmissionId>> = (0..n as u32).map(|id| vec![id]).collect();
        let score = |a: u32, b: u32| -> f64 {
            let between = |link: &&Link| (link.a, link.b) == (a, b) || (link.a, link.b) == (b, a);
            links.iter().filter(between).map(|link| link.score).sum()
        };
        loop {
            let mut best = (threshold, None);
            for (j, right) in groups.iter().enumerate() {
                for (i, left) in groups[..j].iter().enumerate() {
                    let pairs = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
                    let sum: f64 = pairs.map(|(a, b)| score(a, b)).sum();
                    let mean = sum / (left.len() * right.len()) as f64;
                    if mean >= best.0 {
                        best = (mean, Some((i, j)));
                    }
                }
            }
            let Some((i, j)) = best.1 else { break };
            let right = groups.remove(j);
            groups[i].extend(right);
            groups[i].sort_unstable();
        }
        groups.sort();
        groups
    }

    proptest! {
        #[test]
        fn chains_of_neighbours_join_what_the_highest_mean_joins(
            n in 2_usize..14,
            scores in prop::collection::btree_map((0_u32..14, 0_u32..14), 0.0_f64..1.0, 0..60),
            threshold in 0.05_f64..0.8,
        ) {
            // Each pair occurs once. Random scores do not tie.
            let links: Vec<Link> = scores
                .into_iter()
                .filter(|&((a, b), _)| a < b && (b as usize) < n)
                .map(|((a, b), score)| Link { a, b, score, pairs: 1 })
                .collect();
            let members: Vec<SubmissionId> = (0..n as u32).collect();
            prop_assert_eq!(average(&members, &links, threshold), greedy(n, &links, threshold));
        }
    }

    #[test]
    fn equal_scores_join_the_lowest_first_and_come_to_an_end() {
        let link = |a, b| Link { a, b, score: 0.5, pairs: 1 };
        let ring: Vec<Link> = (0..6).map(|i| link(10 + i, 10 + (i + 1) % 6)).collect();
        let members: Vec<SubmissionId> = (10..16).collect();
        let groups = average(&members, &ring, 0.5);
        assert_eq!(groups, [[10, 11], [12, 13], [14, 15]]);
    }
}

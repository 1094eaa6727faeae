//! Clusters: submissions linked by pairs that reach a threshold.
//!
//! They are the connected components of the graph of these pairs (single linkage). A chain A–B–C puts A and C into one
//! cluster although they share nothing. So each cluster carries its number of links and their weakest and mean score,
//! and a [chain](is_chain) that joins half of all submissions is split by [average linkage](linkage).
//!
//! These clusters are for people to look at. To remove duplicates from a corpus, `fanmill-corpus` splits chains around
//! the documents that it keeps.

pub mod forest;
pub mod linkage;

use std::collections::HashMap;

use forest::Forest;

use crate::index::SubmissionId;

/// A scored pair, as input to clustering.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// One submission.
    pub a: SubmissionId,
    /// The other.
    pub b: SubmissionId,
    /// A fraction in `0..=1`.
    pub score: f64,
    /// Number of pairs of submissions it represents: more than 1 if submissions are identical, 0 if it only joins
    /// identical ones.
    pub pairs: u64,
}

/// Linked submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// At least two, ascending.
    pub members: Vec<SubmissionId>,
    /// Pairs among them that reach the threshold.
    pub links: u64,
    /// The lowest score among the links.
    pub weakest: f64,
    /// The mean score of the links.
    pub mean: f64,
    /// Size of the chain it was split from; `None` if it is a whole component.
    pub chain: Option<u64>,
}

/// Minimum number of submissions in a chain: half of a small batch is a group like any other.
const SHORTEST_CHAIN: usize = 10;

/// Returns the clusters of the links with a score of at least `threshold`: largest first, then by their first member.
///
/// A cluster is a connected component, or a part of one that is a chain. Parts of a single submission are left out.
pub fn clusters(n_submissions: usize, links: &[Link], threshold: f64) -> Vec<Cluster> {
    let mut forest = Forest::new(n_submissions);
    for link in links.iter().filter(|link| link.score >= threshold) {
        forest.join(link.a, link.b);
    }
    // Members and links are gathered at the root of each set; other entries stay empty.
    let mut members = vec![Vec::new(); n_submissions];
    for id in 0..n_submissions as SubmissionId {
        members[forest.root(id) as usize].push(id);
    }
    let mut inner: Vec<Vec<Link>> = vec![Vec::new(); n_submissions];
    for &link in links {
        let root = forest.root(link.a);
        if root == forest.root(link.b) {
            inner[root as usize].push(link);
        }
    }
    let mut clusters = Vec::new();
    for (members, links) in members.into_iter().zip(inner).filter(|(members, _)| members.len() > 1)
    {
        let whole = described(members, &links, threshold);
        if is_chain(&whole, n_submissions) {
            clusters.extend(parts(&whole, &links, threshold));
        } else {
            clusters.push(whole);
        }
    }
    clusters.sort_by(|x, y| y.members.len().cmp(&x.members.len()).then(x.members.cmp(&y.members)));
    clusters
}

/// Returns whether a component joins at least half of all submissions although less than half of its pairs are links.
pub fn is_chain(component: &Cluster, n_submissions: usize) -> bool {
    let n = component.members.len();
    let possible = n as u64 * (n as u64 - 1) / 2;
    n >= SHORTEST_CHAIN.max(n_submissions.div_ceil(2)) && component.links * 2 < possible
}

/// Splits a chain by average linkage, and returns the parts of at least two submissions.
fn parts(chain: &Cluster, links: &[Link], threshold: f64) -> Vec<Cluster> {
    let groups = linkage::average(&chain.members, links, threshold);
    let group_of: HashMap<SubmissionId, usize> = groups
        .iter()
        .enumerate()
        .flat_map(|(i, group)| group.iter().map(move |&id| (id, i)))
        .collect();
    let mut inner: Vec<Vec<Link>> = vec![Vec::new(); groups.len()];
    for &link in links {
        let group = group_of[&link.a];
        if group == group_of[&link.b] {
            inner[group].push(link);
        }
    }
    let groups = groups.into_iter().zip(inner).filter(|(group, _)| group.len() > 1);
    let size = chain.members.len() as u64;
    groups
        .map(|(group, links)| Cluster { chain: Some(size), ..described(group, &links, threshold) })
        .collect()
}

fn described(members: Vec<SubmissionId>, links: &[Link], threshold: f64) -> Cluster {
    let strong = || links.iter().filter(|link| link.score >= threshold);
    let n_pairs: u64 = strong().map(|link| link.pairs).sum();
    Cluster {
        members,
        links: n_pairs,
        weakest: strong().map(|link| link.score).fold(f64::INFINITY, f64::min),
        mean: strong().map(|link| link.score * link.pairs as f64).sum::<f64>() / n_pairs as f64,
        chain: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: SubmissionId, b: SubmissionId, score: f64) -> Link {
        Link { a, b, score, pairs: 1 }
    }

    #[test]
    fn a_chain_is_one_cluster_with_its_weakest_and_mean_score() {
        let links = [link(4, 1, 0.9), link(1, 2, 0.5), link(0, 3, 0.8), link(5, 0, 0.1)];
        let clusters = clusters(6, &links, 0.5);
        assert_eq!(clusters.len(), 2);
        assert_eq!((clusters[0].members.clone(), clusters[0].links), (vec![1, 2, 4], 2));
        assert_eq!((clusters[0].weakest, clusters[0].mean), (0.5, 0.7));
        assert_eq!(clusters[1].members, [0, 3]);
    }

    #[test]
    fn a_chain_that_joins_half_of_all_falls_into_groups() {
        // Three groups of four, fully linked within, and a single link from each group to the next.
        let mut links = Vec::new();
        for first in [0, 4, 8] {
            for a in first..first + 4 {
                links.extend((first..a).map(|b| link(b, a, 0.8)));
            }
        }
        links.extend([link(3, 4, 0.6), link(7, 8, 0.7)]);
        let of = |clusters: &[Cluster]| -> Vec<_> {
            clusters.iter().map(|one| (one.members.len(), one.links, one.chain)).collect()
        };
        assert_eq!(of(&clusters(24, &links, 0.5)), [(4, 6, Some(12)); 3]);
        assert_eq!(of(&clusters(25, &links, 0.5)), [(12, 20, None)], "less than half of the batch");
        assert_eq!(of(&clusters(24, &links, 0.75)), [(4, 6, None); 3]);
    }

    #[test]
    fn identical_submissions_stay_together() {
        // 1 to 9 are identical to 0; 20 more are linked to 0, each by a link that represents ten pairs.
        let mut links = vec![Link { pairs: 45, ..link(0, 1, 1.0) }];
        links.extend((1..10).map(|copy| Link { pairs: 0, ..link(0, copy, 1.0) }));
        links.extend((10..30).map(|other| Link { pairs: 10, ..link(0, other, 0.5) }));
        let found = clusters(30, &links, 0.5);
        assert_eq!(found[0].chain, None, "more than half of the pairs are links: {found:?}");
        links.truncate(10);
        links.extend((9..29).map(|other| Link {
            pairs: if other == 9 { 10 } else { 1 },
            ..link(other, other + 1, 0.5)
        }));
        let found = clusters(30, &links, 0.5);
        assert_eq!(
            (found[0].chain, &found[0].members[..10]),
            (Some(30), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9][..])
        );
    }

    #[test]
    fn a_higher_threshold_splits() {
        let links = [link(0, 1, 0.9), link(1, 2, 0.5)];
        assert_eq!(clusters(3, &links, 0.6)[0].members, [0, 1]);
        assert_eq!(clusters(3, &links, 0.95), []);
    }
}

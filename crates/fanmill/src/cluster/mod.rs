//! Clusters: submissions or documents linked by pairs that reach a threshold (single linkage).
//!
//! They are the connected components of the graph of such pairs. A chain A–B–C puts A and C into one
//! cluster although they share nothing, so each cluster carries its number of links and their
//! weakest and mean score: a cluster of `n` with far fewer than `n (n - 1) / 2` links is a chain.
//!
//! These clusters are for people to look at. Where documents of a corpus are removed in favour of others,
//! `fanmill-corpus` splits chains around the documents that stay.

pub mod forest;
pub mod leaders;

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
    /// Number of pairs of submissions that it stands for: more than one if submissions are identical.
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
}

/// The connected components of `links` with a score of at least `threshold`: largest first, then
/// by their first member.
pub fn components(n_submissions: usize, links: &[Link], threshold: f64) -> Vec<Cluster> {
    let strong: Vec<Link> = links.iter().copied().filter(|link| link.score >= threshold).collect();
    let mut forest = Forest::new(n_submissions);
    for link in &strong {
        forest.join(link.a, link.b);
    }
    // Members and links are gathered at the root of each set; other entries stay empty.
    let mut members = vec![Vec::new(); n_submissions];
    for id in 0..n_submissions as SubmissionId {
        members[forest.root(id) as usize].push(id);
    }
    let mut inner: Vec<Vec<Link>> = vec![Vec::new(); n_submissions];
    for &link in &strong {
        inner[forest.root(link.a) as usize].push(link);
    }
    let mut clusters: Vec<Cluster> = members
        .into_iter()
        .zip(inner)
        .filter(|(members, _)| members.len() > 1)
        .map(|(members, links)| {
            let n_pairs: u64 = links.iter().map(|link| link.pairs).sum();
            Cluster {
                members,
                links: n_pairs,
                weakest: links.iter().map(|link| link.score).fold(f64::INFINITY, f64::min),
                mean: links.iter().map(|link| link.score * link.pairs as f64).sum::<f64>()
                    / n_pairs as f64,
            }
        })
        .collect();
    clusters.sort_by(|x, y| y.members.len().cmp(&x.members.len()).then(x.members.cmp(&y.members)));
    clusters
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
        let clusters = components(6, &links, 0.5);
        assert_eq!(clusters.len(), 2);
        assert_eq!((clusters[0].members.clone(), clusters[0].links), (vec![1, 2, 4], 2));
        assert_eq!((clusters[0].weakest, clusters[0].mean), (0.5, 0.7));
        assert_eq!(clusters[1].members, [0, 3]);
    }

    #[test]
    fn a_higher_threshold_splits() {
        let links = [link(0, 1, 0.9), link(1, 2, 0.5)];
        assert_eq!(components(3, &links, 0.6)[0].members, [0, 1]);
        assert_eq!(components(3, &links, 0.95), []);
    }
}

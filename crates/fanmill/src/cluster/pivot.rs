//! Clusters of a corpus: which documents stay, and in whose place the others go.
//!
//! In an order of preference, the first document that is in no cluster yet becomes the *centre* of
//! a new one, which takes all its neighbours that are in none ([`around_centres`]). Every other
//! member has a verified edge to its centre, so whatever is removed has a near-duplicate that
//! stays, and no two centres have an edge, so nothing stays that another one that stays replaces.
//!
//! | edges, lower numbers preferred | components | around centres |
//! |---|---|---|
//! | 0–1, 1–2 | 0: 1 2 | 0: 1, and 2 alone |
//! | 1–0, 0–2 | 0: 1 2 | 0: 1 2 |
//! | 0–1, 1–2, 2–3 | 0: 1 2 3 | 0: 1, 2: 3 |
//!
//! [`components`] makes clusters of whole connected components, as in 1997; a chain then removes
//! documents that resemble the one that stays by nothing. Both say which component a cluster is of
//! and how large that is, so that one sees which chains were split.
//!
//! Only documents with edges take part; all others stay.
//!
//! Cost: O(e log e) for `e` edges, and some 60 bytes for each, whatever the number of documents.
//! Source: Ailon, Charikar & Newman, J. ACM 55, 2008 (CC-Pivot);
//! Broder, Glassman, Manasse & Zweig, WWW 1997 (components).
//! Departs from it: pivots by preference, not at random.

use super::forest::Forest;

/// Two documents whose resemblance was found to reach the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// One document.
    pub a: u32,
    /// Another one.
    pub b: u32,
    /// A fraction in `0..=1`.
    pub resemblance: f64,
}

/// A document that another one stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// The document.
    pub node: u32,
    /// Its resemblance to the centre; `None` if they have no edge.
    pub resemblance: Option<f64>,
}

/// One document and those that it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster<'a> {
    /// The document that stays: the most preferred one.
    pub centre: u32,
    /// All others, ascending; none where chains were split and left one alone.
    pub members: &'a [Member],
    /// The connected component that it is part of.
    pub component: Component,
}

impl Cluster<'_> {
    /// The smallest resemblance of a member to the centre; `None` without members, or if one's is
    /// not known.
    pub fn smallest(&self) -> Option<f64> {
        self.resemblances()?.reduce(f64::min)
    }

    /// The mean resemblance of the members to the centre; `None` as for [`Cluster::smallest`].
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.resemblances()?.sum();
        (!self.members.is_empty()).then(|| sum / self.members.len() as f64)
    }

    fn resemblances(&self) -> Option<impl Iterator<Item = f64>> {
        let all_known = self.members.iter().all(|member| member.resemblance.is_some());
        all_known.then(|| self.members.iter().filter_map(|member| member.resemblance))
    }

    /// Whether it is only a part of its component.
    pub fn is_split(&self) -> bool {
        self.component.n_nodes as usize > 1 + self.members.len()
    }
}

/// Documents that are linked by edges, directly or through others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    /// The lowest of them, by which components are told apart.
    pub first: u32,
    /// How many they are: at least 2.
    pub n_nodes: u32,
}

/// Clusters, ascending by their centres.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clusters {
    /// Each with where its members end.
    heads: Vec<(u32, Component, usize)>,
    members: Vec<Member>,
}

impl Clusters {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there is none, as without edges.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// All of them, ascending by their centres.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cluster<'_>> {
        self.heads.iter().enumerate().map(|(i, &(centre, component, end))| {
            let members = &self.members[self.start(i)..end];
            Cluster { centre, members, component }
        })
    }

    /// Gives each member that has no edge to its centre the resemblance that
    /// `find(centre, member)` finds.
    pub fn fill(&mut self, mut find: impl FnMut(u32, u32) -> f64) {
        for i in 0..self.heads.len() {
            let (start, (centre, _, end)) = (self.start(i), self.heads[i]);
            for member in &mut self.members[start..end] {
                member.resemblance.get_or_insert_with(|| find(centre, member.node));
            }
        }
    }

    fn start(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.heads[i - 1].2 }
    }
}

/// Clusters around centres; see the [module](self). Documents with the lowest `preference` are
/// preferred, of equal ones those with the lowest number.
///
/// Edges may come in any order and direction. Of several between the same two documents the one
/// of highest resemblance counts, and edges from a document to itself do not.
///
/// # Panics
/// If there are 2^31 edges or more.
pub fn around_centres<K: Ord>(edges: &[Edge], preference: impl Fn(u32) -> K) -> Clusters {
    let graph = Graph::new(edges);
    let mut placed: Vec<Option<Place>> = vec![None; graph.nodes.len()];
    for centre in graph.by_preference(preference) {
        if placed[centre as usize].is_some() {
            continue;
        }
        placed[centre as usize] = Some(Place { centre, resemblance: None });
        for &(node, resemblance) in graph.neighbours(centre) {
            placed[node as usize].get_or_insert(Place { centre, resemblance: Some(resemblance) });
        }
    }
    graph.clusters(&placed)
}

/// Connected components as clusters: in each, the most preferred document is the centre. Edges and
/// preference as for [`around_centres`]; members without an edge to the centre have no
/// resemblance.
///
/// # Panics
/// If there are 2^31 edges or more.
pub fn components<K: Ord>(edges: &[Edge], preference: impl Fn(u32) -> K) -> Clusters {
    let graph = Graph::new(edges);
    let mut centres: Vec<Option<u32>> = vec![None; graph.nodes.len()];
    for node in graph.by_preference(preference) {
        centres[graph.roots[node as usize] as usize].get_or_insert(node);
    }
    let centre = |node: u32| centres[graph.roots[node as usize] as usize].unwrap_or(node);
    let place = |node: u32| Some(Place { centre: centre(node), resemblance: None });
    let mut placed: Vec<Option<Place>> = (0..graph.nodes.len() as u32).map(place).collect();
    for centre in centres.iter().flatten() {
        for &(node, resemblance) in graph.neighbours(*centre) {
            placed[node as usize] = Some(Place { centre: *centre, resemblance: Some(resemblance) });
        }
    }
    graph.clusters(&placed)
}

/// Where a document belongs.
#[derive(Debug, Clone, Copy)]
struct Place {
    centre: u32,
    resemblance: Option<f64>,
}

/// The documents that have edges, numbered anew in their order, and their neighbours.
#[derive(Debug)]
struct Graph {
    nodes: Vec<u32>,
    neighbours: Vec<(u32, f64)>,
    /// Where the neighbours of each node end.
    ends: Vec<usize>,
    /// The lowest node of the component of each.
    roots: Vec<u32>,
}

impl Graph {
    fn new(edges: &[Edge]) -> Graph {
        assert!(edges.len() < 1 << 31, "{} edges are too many; 2^31 are", edges.len());
        let proper = || edges.iter().filter(|edge| edge.a != edge.b);
        let mut nodes: Vec<u32> = proper().flat_map(|edge| [edge.a, edge.b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: u32| nodes.binary_search(&node).expect("a node of an edge") as u32;
        let mut forest = Forest::new(nodes.len());
        let mut directed: Vec<(u32, u32, f64)> = Vec::with_capacity(2 * edges.len());
        for edge in proper() {
            let (a, b) = (number(edge.a), number(edge.b));
            forest.join(a, b);
            directed.extend([(a, b, edge.resemblance), (b, a, edge.resemblance)]);
        }
        directed.sort_unstable_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(y.2.total_cmp(&x.2)));
        directed.dedup_by_key(|&mut (from, to, _)| (from, to));
        let ends = (0..nodes.len() as u32)
            .map(|node| directed.partition_point(|&(from, _, _)| from <= node))
            .collect();
        let roots = (0..nodes.len() as u32).map(|node| forest.root(node)).collect();
        let neighbours = directed.into_iter().map(|(_, to, resemblance)| (to, resemblance));
        Graph { nodes, neighbours: neighbours.collect(), ends, roots }
    }

    fn neighbours(&self, node: u32) -> &[(u32, f64)] {
        let start = if node == 0 { 0 } else { self.ends[node as usize - 1] };
        &self.neighbours[start..self.ends[node as usize]]
    }

    /// All nodes, the preferred ones first.
    fn by_preference<K: Ord>(&self, preference: impl Fn(u32) -> K) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_by_key(|&node| preference(self.nodes[node as usize]));
        order
    }

    /// The clusters of nodes that have been placed.
    fn clusters(&self, placed: &[Option<Place>]) -> Clusters {
        let mut sizes = vec![0; self.nodes.len()];
        self.roots.iter().for_each(|&root| sizes[root as usize] += 1);
        let mut by_centre: Vec<(u32, u32, Option<f64>)> = (0..)
            .zip(placed)
            .filter_map(|(node, place)| place.map(|p| (p.centre, node, p.resemblance)))
            .collect();
        by_centre.sort_unstable_by_key(|&(centre, node, _)| (centre, node));
        let mut clusters = Clusters::default();
        for cluster in by_centre.chunk_by(|x, y| x.0 == y.0) {
            let centre = cluster[0].0;
            let others = cluster.iter().filter(|(_, node, _)| *node != centre);
            clusters.members.extend(others.map(|&(_, node, resemblance)| Member {
                node: self.nodes[node as usize],
                resemblance,
            }));
            let root = self.roots[centre as usize] as usize;
            let component = Component { first: self.nodes[root], n_nodes: sizes[root] };
            let centre = self.nodes[centre as usize];
            clusters.heads.push((centre, component, clusters.members.len()));
        }
        clusters
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn edge(a: u32, b: u32, resemblance: f64) -> Edge {
        Edge { a, b, resemblance }
    }

    /// Centres with their members.
    fn shape(clusters: &Clusters) -> Vec<(u32, Vec<u32>)> {
        let nodes = |members: &[Member]| members.iter().map(|member| member.node).collect();
        clusters.iter().map(|cluster| (cluster.centre, nodes(cluster.members))).collect()
    }

    #[test]
    fn chains_are_split_around_centres() {
        let chain = [edge(0, 1, 0.9), edge(1, 2, 0.8), edge(3, 2, 0.7)];
        let same = |node| node;
        assert_eq!(shape(&around_centres(&chain, same)), [(0, vec![1]), (2, vec![3])]);
        assert_eq!(shape(&around_centres(&chain[..2], same)), [(0, vec![1]), (2, vec![])]);
        assert_eq!(shape(&components(&chain, same)), [(0, vec![1, 2, 3])]);
        let middle_first = |node| node != 1;
        assert_eq!(shape(&around_centres(&chain[..2], middle_first)), [(1, vec![0, 2])]);
        assert_eq!(around_centres(&[edge(5, 5, 1.0)], same), Clusters::default());
    }

    #[test]
    fn clusters_say_how_alike_they_are_and_what_they_are_part_of() {
        let far = u32::MAX;
        let edges = [edge(7, far, 0.8), edge(far, 7, 0.9), edge(7, 9, 0.7), edge(9, 11, 0.95)];
        let clusters = around_centres(&edges, |node| node);
        let [first, second] = [0, 1].map(|i| clusters.iter().nth(i).expect("two clusters"));
        assert_eq!((first.centre, second.centre, clusters.len()), (7, 11, 2));
        assert_eq!((first.smallest(), first.mean()), (Some(0.7), Some(0.8)));
        assert_eq!((second.smallest(), second.mean()), (None, None));
        assert_eq!(first.component, Component { first: 7, n_nodes: 4 });
        assert!(first.component == second.component && first.is_split() && second.is_split());

        let mut whole = components(&edges, |node| node);
        let only = whole.iter().next().expect("one cluster");
        assert_eq!((only.smallest(), only.is_split()), (None, false));
        whole.fill(|centre, member| if (centre, member) == (7, 11) { 0.1 } else { f64::NAN });
        let only = whole.iter().next().expect("one cluster");
        assert_eq!(only.smallest(), Some(0.1));
    }

    type Neighbours = BTreeMap<u32, BTreeMap<u32, f64>>;

    fn neighbours(edges: &[Edge]) -> Neighbours {
        let mut all = Neighbours::new();
        for edge in edges.iter().filter(|edge| edge.a != edge.b) {
            for (from, to) in [(edge.a, edge.b), (edge.b, edge.a)] {
                let best = all.entry(from).or_default().entry(to).or_insert(0.0);
                *best = edge.resemblance.max(*best);
            }
        }
        all
    }

    /// The naive twin: takes the best document that is left, and what is left of its neighbours.
    fn naive(edges: &[Edge], preference: impl Fn(u32) -> u32) -> Vec<(u32, Vec<Member>)> {
        let all = neighbours(edges);
        let mut left: BTreeSet<u32> = all.keys().copied().collect();
        let mut clusters = Vec::new();
        while let Some(centre) = left.iter().copied().min_by_key(|&node| (preference(node), node)) {
            left.remove(&centre);
            let taken = all[&centre].iter().filter(|(node, _)| left.contains(node));
            let members: Vec<Member> = taken
                .map(|(&node, &resemblance)| Member { node, resemblance: Some(resemblance) })
                .collect();
            left.retain(|node| members.iter().all(|member| member.node != *node));
            clusters.push((centre, members));
        }
        clusters.sort_by_key(|(centre, _)| *centre);
        clusters
    }

    /// All documents that can be reached from one.
    fn reached(all: &Neighbours, from: u32) -> BTreeSet<u32> {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            open.extend(all[&node].keys().filter(|&&next| found.insert(next)));
        }
        found
    }

    fn edges() -> impl Strategy<Value = Vec<Edge>> {
        let edge = (0_u32..40, 0_u32..40, 0_u32..=4)
            .prop_map(|(a, b, quarters)| edge(a * 1000, b * 1000, f64::from(quarters) / 4.0));
        proptest::collection::vec(edge, 0..60)
    }

    proptest! {
        #[test]
        fn fast_equals_naive(edges in edges(), seed in 0_u32..97) {
            let preference = |node: u32| node.wrapping_mul(seed) % 7;
            let found = around_centres(&edges, preference);
            let expected = naive(&edges, preference);
            prop_assert_eq!(found.len(), expected.len());
            for (cluster, (centre, members)) in found.iter().zip(&expected) {
                prop_assert_eq!((cluster.centre, cluster.members), (*centre, &members[..]));
            }
            // The order and direction of edges do not matter.
            let turned: Vec<Edge> = edges.iter().rev().map(|e| edge(e.b, e.a, e.resemblance)).collect();
            prop_assert_eq!(around_centres(&turned, preference), found);
        }

        /// What stays has no edge among itself, and everything else has one to what stays.
        #[test]
        fn centres_are_a_maximal_independent_set(edges in edges(), seed in 0_u32..97) {
            let all = neighbours(&edges);
            let found = around_centres(&edges, |node| node.wrapping_mul(seed) % 7);
            let centres: BTreeSet<u32> = found.iter().map(|cluster| cluster.centre).collect();
            let mut seen = centres.clone();
            for cluster in found.iter() {
                prop_assert!(all[&cluster.centre].keys().all(|node| !centres.contains(node)));
                for member in cluster.members {
                    prop_assert_eq!(member.resemblance, all[&cluster.centre].get(&member.node).copied());
                    prop_assert!(seen.insert(member.node), "in one cluster only");
                }
            }
            prop_assert!(all.keys().eq(seen.iter()), "everything is somewhere");
        }

        #[test]
        fn components_are_what_can_be_reached(edges in edges(), seed in 0_u32..97) {
            let all = neighbours(&edges);
            let preference = |node: u32| (node.wrapping_mul(seed) % 7, node);
            let found = components(&edges, preference);
            prop_assert_eq!(found.iter().map(|c| c.members.len() + 1).sum::<usize>(), all.len());
            for cluster in found.iter().chain(around_centres(&edges, preference).iter()) {
                let whole = reached(&all, cluster.centre);
                let size = whole.len() as u32;
                prop_assert_eq!(Some(&cluster.component.first), whole.first());
                prop_assert_eq!(cluster.component.n_nodes, size);
            }
            for cluster in found.iter() {
                let whole = reached(&all, cluster.centre);
                prop_assert!(whole.iter().all(|&node| preference(node) >= preference(cluster.centre)));
                prop_assert!(cluster.members.iter().map(|m| m.node).eq(whole.into_iter().filter(|&n| n != cluster.centre)));
                for member in cluster.members {
                    prop_assert_eq!(member.resemblance, all[&cluster.centre].get(&member.node).copied());
                }
            }
        }
    }
}

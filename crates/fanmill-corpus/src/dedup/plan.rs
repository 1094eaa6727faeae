//! From verified pairs to what becomes of each document.
//!
//! Documents with equal texts are one node. Nodes stand in the order of preference: by the user's rule,
//! in containment by size, and by place in the corpus. The first one not yet taken is a centre, stays, and
//! takes all its neighbours that are not taken. So each removed document has a verified pair with the one
//! that stays in its place, and no two that stay form a pair.

use std::collections::BTreeMap;

use fanmill::Result;

use fanmill::lsh::join::Edge;

use super::copies::Copies;
use super::names::Names;
use super::pivot;
use super::settings::Linkage;
use super::sketching::Inventory;
use super::verify::Sets;
use super::{Run, SHOWN, ShownCluster};

/// What becomes of the documents in clusters.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// By document.
    pub(super) rows: Vec<Row>,
    /// By number.
    pub(super) clusters: Vec<Cluster>,
}

/// A document in a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    pub(super) document: u32,
    /// The one that stays in its place; itself, if it is the one.
    pub(super) kept: u32,
    pub(super) cluster: u32,
    pub(super) resemblance: f64,
    /// Of it in the one that stays.
    pub(super) containment: f64,
    /// Whether its text is that of the one that stays.
    pub(super) is_copy: bool,
}

impl Row {
    pub(super) fn is_kept(&self) -> bool {
        self.document == self.kept
    }
}

/// A cluster as a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cluster {
    /// The document that stays.
    pub(super) kept: u32,
    /// Documents.
    pub(super) size: u64,
    /// Resemblance to the one that stays: of the least alike, and the mean of all others.
    pub(super) smallest: f64,
    pub(super) mean: f64,
    /// The number of the first cluster of those that chains link.
    pub(super) component: u32,
}

/// Documents with equal texts.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The first of them: the one that was compared.
    first: u32,
    /// The one to stay, if any does.
    best: u32,
}

/// A pair of nodes by their places in the order of preference, the lower first.
#[derive(Debug, Clone, Copy)]
struct Link {
    a: u32,
    b: u32,
    n_common: u32,
    resemblance: f64,
}

impl Plan {
    /// The document's row, if it is in a cluster.
    pub(super) fn row(&self, document: u32) -> Option<&Row> {
        let place = self.rows.binary_search_by_key(&document, |row| row.document);
        place.ok().map(|place| &self.rows[place])
    }

    /// Documents that do not stay.
    pub(super) fn n_duplicates(&self) -> u64 {
        self.rows.iter().filter(|row| !row.is_kept()).count() as u64
    }

    /// Clusters that there would be if chains were not split.
    pub(super) fn n_components(&self) -> u64 {
        let firsts = (0..).zip(&self.clusters).filter(|(number, c)| c.component == *number);
        firsts.count() as u64
    }

    /// The largest clusters, as many as are shown.
    pub(super) fn largest(&self, names: &Names) -> Result<Vec<ShownCluster>> {
        let mut order: Vec<u32> = (0..self.clusters.len() as u32).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(self.clusters[number as usize].size));
        order.truncate(SHOWN);
        let mut farthest: BTreeMap<u32, &Row> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| !row.is_kept() && order.contains(&row.cluster)) {
            let known = farthest.entry(row.cluster).or_insert(row);
            *known = if row.resemblance < known.resemblance { row } else { known };
        }
        let shown = order.iter().filter_map(|number| {
            let (cluster, farthest) = (&self.clusters[*number as usize], farthest.get(number)?);
            let show = |kept: String, farthest: String| ShownCluster {
                size: cluster.size,
                kept,
                farthest,
                smallest: cluster.smallest,
                mean: cluster.mean,
            };
            let kept = names.get(cluster.kept);
            Some(kept.and_then(|kept| Ok(show(kept, names.get(farthest.document)?))))
        });
        shown.collect()
    }

    /// Decides.
    pub(super) fn new(
        run: &Run<'_>,
        inventory: &Inventory,
        copies: &Copies,
        edges: &[Edge],
        sets: &Sets,
    ) -> Result<Plan> {
        let preferred = |document: u32| (inventory.rank(document), document);
        let nodes = nodes(run, copies, edges, sets, preferred);
        let links = links(&nodes, edges);
        let pairs: Vec<(u32, u32, f64)> = links.iter().map(|l| (l.a, l.b, l.resemblance)).collect();
        let groups = match run.settings.linkage {
            Linkage::Centres => pivot::centres(nodes.len(), &pairs),
            Linkage::Components => pivot::components(nodes.len(), &pairs),
        };
        let mut of_first: Vec<(u32, u32)> =
            copies.of.iter().map(|&(copy, first)| (first, copy)).collect();
        of_first.sort_unstable();
        let mut plan = Plan::default();
        for group in groups {
            let mut cluster = Draft::new(nodes[group.centre as usize].best);
            cluster.add_node(nodes[group.centre as usize].first, &of_first, 1.0, 1.0, true);
            for member in group.members {
                let first = nodes[member as usize].first;
                let link = link(&links, group.centre, member);
                let (n_common, resemblance) = match link {
                    Some(link) => (link.n_common, link.resemblance),
                    // A chain has brought them together; what they share is counted now.
                    None => sets
                        .edge(nodes[group.centre as usize].first, first)?
                        .map_or((0, 0.0), |edge| (edge.n_common, edge.resemblance)),
                };
                let containment = f64::from(n_common) / sets.size(first).max(1) as f64;
                cluster.add_node(first, &of_first, resemblance, containment, false);
            }
            plan.add(cluster, group.component);
        }
        plan.number();
        Ok(plan)
    }

    /// Takes in a cluster of two or more.
    fn add(&mut self, draft: Draft, component: u32) {
        let number = self.clusters.len() as u32;
        if draft.rows.len() < 2 {
            return;
        }
        let others = draft.rows.iter().filter(|row| !row.is_kept()).map(|row| row.resemblance);
        let size = draft.rows.len() as u64;
        self.clusters.push(Cluster {
            kept: draft.kept,
            size,
            smallest: others.clone().fold(1.0, f64::min),
            mean: others.sum::<f64>() / (size - 1) as f64,
            component,
        });
        self.rows.extend(draft.rows.into_iter().map(|row| Row { cluster: number, ..row }));
    }

    /// Puts rows in the order of documents, and numbers clusters and components by the documents
    /// that stay.
    fn number(&mut self) {
        let mut order: Vec<u32> = (0..self.clusters.len() as u32).collect();
        order.sort_unstable_by_key(|&old| self.clusters[old as usize].kept);
        let mut new_number = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            new_number[old as usize] = new;
        }
        self.rows.iter_mut().for_each(|row| row.cluster = new_number[row.cluster as usize]);
        self.rows.sort_unstable_by_key(|row| row.document);
        self.clusters = order.iter().map(|&old| self.clusters[old as usize]).collect();
        let mut first_of = BTreeMap::new();
        for (number, cluster) in (0..).zip(&mut self.clusters) {
            cluster.component = *first_of.entry(cluster.component).or_insert(number);
        }
    }
}

/// A cluster in the making.
struct Draft {
    kept: u32,
    rows: Vec<Row>,
}

impl Draft {
    fn new(kept: u32) -> Draft {
        Draft { kept, rows: Vec::new() }
    }

    /// Adds the documents of a node.
    fn add_node(
        &mut self,
        first: u32,
        of_first: &[(u32, u32)],
        resemblance: f64,
        containment: f64,
        is_copy: bool,
    ) {
        let start = of_first.partition_point(|pair| pair.0 < first);
        let copies = of_first[start..].iter().take_while(|pair| pair.0 == first).map(|pair| pair.1);
        for document in std::iter::once(first).chain(copies) {
            let is_copy = is_copy && document != self.kept;
            let kept = self.kept;
            self.rows.push(Row { document, kept, cluster: 0, resemblance, containment, is_copy });
        }
    }
}

/// The nodes in the order of preference: all that have a copy or an edge.
fn nodes(
    run: &Run<'_>,
    copies: &Copies,
    edges: &[Edge],
    sets: &Sets,
    preferred: impl Fn(u32) -> (u64, u32),
) -> Vec<Node> {
    let ends = edges.iter().flat_map(|edge| [edge.a, edge.b]);
    let mut best: BTreeMap<u32, u32> = ends.map(|first| (first, first)).collect();
    for &(copy, first) in &copies.of {
        let best = best.entry(first).or_insert(first);
        if preferred(copy) < preferred(*best) {
            *best = copy;
        }
    }
    let mut nodes: Vec<Node> = best.into_iter().map(|(first, best)| Node { first, best }).collect();
    if run.settings.measure.is_containment() {
        nodes.sort_by_key(|node| (std::cmp::Reverse(sets.size_if_any(node.first)), node.best));
    } else {
        nodes.sort_by_key(|node| preferred(node.best));
    }
    nodes
}

/// The edges between places in the order of preference, ascending.
fn links(nodes: &[Node], edges: &[Edge]) -> Vec<Link> {
    let mut places: Vec<(u32, u32)> = (0..).zip(nodes).map(|(i, node)| (node.first, i)).collect();
    places.sort_unstable();
    let place = |first: u32| {
        let found = places.binary_search_by_key(&first, |place| place.0);
        places[found.expect("every end of an edge is a node")].1
    };
    let link = |edge: &Edge| {
        let (a, b) = (place(edge.a), place(edge.b));
        let (n_common, resemblance) = (edge.n_common, edge.resemblance);
        Link { a: a.min(b), b: a.max(b), n_common, resemblance }
    };
    let mut links: Vec<Link> = edges.iter().map(link).collect();
    links.sort_unstable_by_key(|link| (link.a, link.b));
    links
}

fn link(links: &[Link], x: u32, y: u32) -> Option<&Link> {
    let key = (x.min(y), x.max(y));
    let place = links.binary_search_by_key(&key, |link| (link.a, link.b));
    place.ok().map(|place| &links[place])
}

//! From verified pairs to what becomes of each document.
//!
//! Documents with equal texts are one node. Nodes stand in the order of preference: by the user's rule,
//! in containment by size, and by place in the corpus. The first one not yet taken is a centre, stays, and
//! takes all its neighbours that are not taken. So each removed document has a verified pair with the one
//! that stays in its place, and no two that stay form a pair.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fanmill::Result;
use fanmill::cluster::pivot;

use fanmill::lsh::join::Edge;

use super::copies::Copies;
use super::names::Names;
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
        order.sort_by_key(|&number| Reverse(self.clusters[number as usize].size));
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
        let texts = Texts::new(inventory, copies);
        let is_containment = run.settings.measure.is_containment();
        let preference = |first: u32| {
            let size = if is_containment { sets.size(first) } else { 0 };
            (Reverse(size), texts.preference(first))
        };
        let as_pair = |e: &Edge| pivot::Edge { a: e.a, b: e.b, resemblance: e.resemblance };
        let pairs: Vec<pivot::Edge> = edges.iter().map(as_pair).collect();
        let clusters = match run.settings.linkage {
            Linkage::Centres => pivot::around_centres(&pairs, preference),
            Linkage::Components => pivot::components(&pairs, preference),
        };
        let (mut plan, mut is_placed) = (Plan::default(), BTreeSet::new());
        for cluster in clusters.iter() {
            let mut draft = Draft::new(&texts, cluster.centre);
            is_placed.insert(cluster.centre);
            for member in cluster.members {
                draft.add(&texts, alike(cluster.centre, member.node, edges, sets)?);
                is_placed.insert(member.node);
            }
            plan.add(draft, cluster.component.first);
        }
        for first in texts.with_copies().filter(|first| !is_placed.contains(first)) {
            plan.add(Draft::new(&texts, first), first);
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

/// How a text resembles the one at the centre of its cluster.
#[derive(Debug, Clone, Copy)]
struct Alike {
    first: u32,
    resemblance: f64,
    containment: f64,
}

/// What verification has found, or, where only a chain has brought two together, what they share.
fn alike(centre: u32, first: u32, edges: &[Edge], sets: &Sets) -> Result<Alike> {
    let find = |a: u32, b: u32| edges.binary_search_by_key(&(a, b), |edge| (edge.a, edge.b));
    let known = find(centre, first).or_else(|_| find(first, centre));
    let edge = match known {
        Ok(place) => Some(edges[place]),
        Err(_) => sets.edge(centre, first)?,
    };
    let (n_common, resemblance) = edge.map_or((0, 0.0), |edge| (edge.n_common, edge.resemblance));
    let containment = f64::from(n_common) / sets.size(first).max(1) as f64;
    Ok(Alike { first, resemblance, containment })
}

/// The documents of each text: of equal ones, the first was compared, and the most preferred stays.
struct Texts<'a> {
    inventory: &'a Inventory,
    /// First document and copy, ascending.
    copies: Vec<(u32, u32)>,
}

impl Texts<'_> {
    fn new<'a>(inventory: &'a Inventory, copies: &Copies) -> Texts<'a> {
        let mut copies: Vec<(u32, u32)> =
            copies.of.iter().map(|&(copy, first)| (first, copy)).collect();
        copies.sort_unstable();
        Texts { inventory, copies }
    }

    /// The documents with a text, by the first of them.
    fn documents(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.copies.partition_point(|pair| pair.0 < first);
        let copies = self.copies[start..].iter().take_while(move |pair| pair.0 == first);
        std::iter::once(first).chain(copies.map(|pair| pair.1))
    }

    /// The texts that several documents have, by the first of them.
    fn with_copies(&self) -> impl Iterator<Item = u32> + '_ {
        self.copies.chunk_by(|x, y| x.0 == y.0).map(|same| same[0].0)
    }

    /// The rank of the document that would stay, and that document.
    fn preference(&self, first: u32) -> (u64, u32) {
        let ranked =
            self.documents(first).map(|document| (self.inventory.rank(document), document));
        ranked.min().unwrap_or((u64::MAX, first))
    }
}

/// A cluster in the making.
struct Draft {
    kept: u32,
    rows: Vec<Row>,
}

impl Draft {
    /// The documents with the text at the centre.
    fn new(texts: &Texts<'_>, centre: u32) -> Draft {
        let mut draft = Draft { kept: texts.preference(centre).1, rows: Vec::new() };
        draft.add(texts, Alike { first: centre, resemblance: 1.0, containment: 1.0 });
        for row in &mut draft.rows {
            row.is_copy = !row.is_kept();
        }
        draft
    }

    /// Adds the documents of a text.
    fn add(&mut self, texts: &Texts<'_>, alike: Alike) {
        let Alike { first, resemblance, containment } = alike;
        let kept = self.kept;
        let row =
            |document| Row { document, kept, cluster: 0, resemblance, containment, is_copy: false };
        self.rows.extend(texts.documents(first).map(row));
    }
}

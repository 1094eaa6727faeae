//! From verified pairs to what becomes of each document.
//!
//! Documents with equal texts are one node. Nodes stand in the order of preference: by the user's rule,
//! in containment by size, and by place in the corpus. The first one not yet taken is a centre, stays, and
//! takes all its neighbours that are not taken. So each removed document has a verified pair with the one
//! that stays in its place, and no two that stay form a pair.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fanmill::Result;

use fanmill::lsh::join::Edge;
use fanmill::lsh::verify;

use super::names::Names;
use super::order::{Order, Texts};
use super::search::Pairs;
use super::settings::Linkage;
use super::verify::Sets;
use super::{Run, SHOWN, ShownCluster};
use crate::centres::Centres;

/// What becomes of the documents in clusters.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// By document.
    pub(super) rows: Vec<Row>,
    /// By number.
    pub(super) clusters: Vec<Cluster>,
    /// Pairs that count.
    pub(super) n_edges: u64,
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

    /// Compares the candidates, and decides; `see` is shown the pairs that count, in their order.
    pub(super) fn new(
        run: &Run<'_>,
        texts: &Texts<'_>,
        order: &Order,
        candidates: &Pairs,
        sets: &Sets,
        mut see: impl FnMut(&Edge) -> Result<()>,
    ) -> Result<Plan> {
        let mut plan = Plan::default();
        let memory = run.settings.memory / 4;
        let mut centres = Centres::new(run.staging.spill(), memory, order.n_places());
        sets.each_edge(candidates, run.settings.measure, |edge| {
            plan.n_edges += 1;
            see(edge)?;
            centres.push(order.place(edge.a), order.place(edge.b), edge.n_common)
        })?;
        let (taken, mut components) = match run.settings.linkage {
            Linkage::Centres => centres.around_centres()?,
            Linkage::Components => centres.components()?,
        };
        let mut is_placed = BTreeSet::new();
        for cluster in taken.chunk_by(|x, y| x.centre == y.centre) {
            let centre = order.document(cluster[0].centre);
            let mut draft = Draft::new(texts, centre);
            is_placed.insert(centre);
            for taken in cluster {
                let first = order.document(taken.place);
                draft.add(texts, alike(centre, first, taken.n_common, sets)?);
                is_placed.insert(first);
            }
            plan.add(draft, components.root(cluster[0].centre));
        }
        for first in texts.with_copies().filter(|first| !is_placed.contains(first)) {
            plan.add(Draft::new(texts, first), components.root(order.place(first)));
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

/// From what verification has counted; where only a chain has brought two together, it is counted now.
fn alike(centre: u32, first: u32, n_common: Option<u32>, sets: &Sets) -> Result<Alike> {
    let n_common = n_common.map_or_else(|| sets.n_common(centre, first), Ok)?;
    let (size, centre_size) = (sets.size(first), sets.size(centre));
    let resemblance = verify::resemblance_of(n_common as usize, size, centre_size).unwrap_or(0.0);
    let containment = f64::from(n_common) / size.max(1) as f64;
    Ok(Alike { first, resemblance, containment })
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

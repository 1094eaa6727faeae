//! Clustering of verified pairs: decides what happens to each document.
//!
//! Documents with equal texts form one node. Nodes are put in order of preference: by size for containment, then by the
//! user's rule, then by position in the corpus. The first node that has not been taken yet is a centre: it stays, and
//! takes all its neighbours that have not been taken. So each removed document has a verified pair with the one that
//! stays in its place, and no two that stay form a pair. Documents of the reference come first in that order: they are
//! centres, and of those with equal texts only the first is in a cluster. Documents that go by their address are in the
//! cluster of the one that was preferred to them.
//!
//! Clusters are completed one by one, in the order of their centres. Their rows are sorted by document, and the
//! clusters themselves by the document that stays, whose rank among all that stay is the cluster's number.
//!
//! Cost: beyond the budget, 25 bytes of disk a document in a cluster and 28 a cluster; a few bits of memory a document,
//! and 4 bytes a document for the numbers of the components.

use std::collections::BTreeMap;

use fanmill::cluster::forest::Forest;
use fanmill_sketch::lsh::join::Edge;
use fanmill_sketch::lsh::verify;
use fanmill_text::Result;

use super::clusters::{Cluster, Clusters, Large, Largest};
use super::context::Context;
use super::order::{Order, Texts};
use super::search::FoundPairs;
use super::sets::Sets;
use super::settings::Linkage;
use super::verify::{EdgeSink, each_edge};
use crate::centres::{Centres, RemovedMember};
use crate::spill::{Bits, Series, Sorter};

/// The plan for the documents in clusters.
#[derive(Debug)]
pub(super) struct Plan {
    /// A row for each document in a cluster, by document.
    rows: Series<PackedRow>,
    pub(super) clusters: Clusters,
    /// Documents in clusters.
    pub(super) members: Bits,
    /// The largest clusters, as many as are shown.
    pub(super) largest: Vec<Large>,
    /// Number of clusters of each size.
    pub(super) sizes: BTreeMap<u64, u64>,
    /// Number of documents that do not stay.
    pub(super) n_duplicates: u64,
    /// Those of them that are removed for a document of the reference, and the number of the latter.
    pub(super) of_reference: Hits,
    /// Number of pairs that count.
    pub(super) n_edges: u64,
    /// Number of pairs that were not compared because it made no difference whether they count.
    pub(super) n_settled: u64,
}

/// Counts of documents that resemble the reference.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hits {
    /// Documents of the corpus that are removed or marked.
    pub(super) n_duplicates: u64,
    /// Documents of the reference that they resemble.
    pub(super) n_references: u64,
}

/// A document in a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    pub(super) document: u32,
    /// The document that stays in its place; the document itself, if it stays.
    pub(super) kept: u32,
    /// Similarity to the one that stays; `None` if it went by its address, and was not compared.
    pub(super) similarity: Option<Similarity>,
    /// True if its text equals that of the one that stays.
    pub(super) is_copy: bool,
    /// True if it goes because another document with its address is preferred.
    pub(super) by_address: bool,
}

/// Similarity of a document to the one that stays in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Similarity {
    pub(super) resemblance: f64,
    /// Containment of the document in the one that stays.
    pub(super) containment: f64,
}

/// A row in the form in which it is sorted and stored, with its document first, and its flags as bits.
type PackedRow = (u32, (u32, u8), (u64, u64));

/// A cluster in the form in which it is sorted: the document that stays; then the root of its component, its size and its
/// copies; then the smallest and the mean resemblance.
type PackedCluster = (u32, (u32, u32, u32), (u64, u64));

impl Row {
    pub(super) fn is_kept(&self) -> bool {
        self.document == self.kept
    }

    /// Returns the resemblance to the document that stays, if the two were compared.
    pub(super) fn resemblance(&self) -> Option<f64> {
        self.similarity.map(|own| own.resemblance)
    }

    /// Returns the containment in the document that stays, if the two were compared.
    pub(super) fn containment(&self) -> Option<f64> {
        self.similarity.map(|own| own.containment)
    }

    fn pack(self) -> PackedRow {
        let Row { document, kept, similarity, is_copy, by_address } = self;
        let flags =
            u8::from(is_copy) | u8::from(by_address) << 1 | u8::from(similarity.is_some()) << 2;
        let shares =
            similarity.map_or((0, 0), |own| (own.resemblance.to_bits(), own.containment.to_bits()));
        (document, (kept, flags), shares)
    }

    fn unpack((document, (kept, flags), (resemblance, containment)): PackedRow) -> Row {
        let [resemblance, containment] = [resemblance, containment].map(f64::from_bits);
        let similarity = (flags & 4 != 0).then_some(Similarity { resemblance, containment });
        Row { document, kept, similarity, is_copy: flags & 1 != 0, by_address: flags & 2 != 0 }
    }
}

/// Receives the pairs that count, and passes them on to the clusters.
struct EdgeCollector<'a, F> {
    run: &'a Context<'a>,
    order: &'a Order,
    centres: Centres,
    n_edges: u64,
    see: F,
}

impl<F: FnMut(&Edge) -> Result<()> + Sync> EdgeSink for EdgeCollector<'_, F> {
    fn is_settled(&self, a: u32, b: u32) -> bool {
        self.centres.is_settled(self.order.place(a), self.order.place(b))
    }

    fn take(&mut self, edge: &Edge) -> Result<()> {
        self.run.steps.check()?;
        self.n_edges += 1;
        (self.see)(edge)?;
        self.centres.push(self.order.place(edge.a), self.order.place(edge.b), edge.n_common)
    }
}

impl Plan {
    /// Forms clusters from the pairs that count; each pair that counts is also passed to `see`.
    pub(super) fn new(
        run: &Context<'_>,
        texts: Texts<'_>,
        order: &Order,
        found: &FoundPairs,
        sets: &Sets,
        see: impl FnMut(&Edge) -> Result<()> + Sync,
    ) -> Result<Plan> {
        let (spill, memory) = (run.spill, run.settings.memory / 8);
        // A caller that wants pairs wants all of them, and with components any pair may join two of them.
        let may_settle = !run.settings.has_pairs && run.settings.linkage == Linkage::Centres;
        let centres = if may_settle && found.are_by_preference(order) {
            Centres::in_order(spill, memory, order.n_places())
        } else {
            Centres::new(spill, memory, order.n_places())
        };
        let mut gathering = EdgeCollector { run, order, centres, n_edges: 0, see };
        let measured = (run.settings.measure, run.sides);
        let n_settled = each_edge(sets, &found.pairs, measured, &mut gathering)?;
        let EdgeCollector { centres, n_edges, .. } = gathering;
        let mut drafting = ClusterBuilder::new(run, texts, order, sets);
        let take = |taken: RemovedMember, forest: &mut Forest| drafting.take(&taken, forest);
        let mut forest = match run.settings.linkage {
            Linkage::Centres => centres.around_centres(take)?,
            Linkage::Components => centres.components(take)?,
        };
        drafting.end_cluster()?;
        // Texts that are in no other cluster, but have copies, form clusters of their own.
        for first in texts.copies.firsts() {
            if !drafting.is_placed.contains(first) && texts.has_duplicates(first)? {
                drafting.begin_cluster(first, forest.root(order.place(first)))?;
                drafting.end_cluster()?;
            }
        }
        // So do documents without copies for which others go by their address. Copies are in a cluster by now.
        for document in texts.same_address.preferred() {
            let is_alone = !texts.copies.represented.contains(document);
            if is_alone && !drafting.is_placed.contains(document) {
                drafting.begin_cluster(document, forest.root(order.place(document)))?;
                drafting.end_cluster()?;
            }
        }
        drop(forest);
        drafting.finish((n_edges, n_settled))
    }

    /// Returns the rows of documents in a range, ascending.
    pub(super) fn rows_of(&self, documents: std::ops::Range<u32>) -> Result<Vec<Row>> {
        let packed = self.rows.range(documents, |row| row.0)?;
        Ok(packed.into_iter().map(Row::unpack).collect())
    }

    /// Passes all rows to `look`, many at once, in the order of documents.
    pub(super) fn each_rows(&self, mut look: impl FnMut(&[Row]) -> Result<()>) -> Result<()> {
        self.rows
            .each_chunk(|chunk| look(&chunk.iter().copied().map(Row::unpack).collect::<Vec<Row>>()))
    }
}

/// The clusters being formed.
struct ClusterBuilder<'a> {
    run: &'a Context<'a>,
    texts: Texts<'a>,
    order: &'a Order,
    sets: &'a Sets,
    rows: Sorter<PackedRow>,
    clusters: Sorter<PackedCluster>,
    /// First documents of the texts that are in a cluster.
    is_placed: Bits,
    kept: Bits,
    members: Bits,
    largest: Largest,
    sizes: BTreeMap<u64, u64>,
    n_duplicates: u64,
    of_reference: Hits,
    current: Option<Draft>,
}

/// A cluster being formed.
#[derive(Debug, Clone, Copy)]
struct Draft {
    /// The first document of the text at the centre.
    centre: u32,
    /// The document with that text that stays.
    kept: u32,
    root: u32,
    size: u64,
    copies: u64,
    /// Members that were compared with the one that stays.
    n_compared: u64,
    /// Smallest resemblance of these.
    smallest: f64,
    sum: f64,
    /// The member that is least similar to the one that stays; before all others, one that was not compared.
    farthest: Option<(Option<f64>, u32)>,
}

/// Similarity of a text to the one at the centre of its cluster.
#[derive(Debug, Clone, Copy)]
struct TextSimilarity {
    first: u32,
    similarity: Similarity,
}

impl Draft {
    /// Counts a member.
    fn count(&mut self, row: &Row) {
        self.size += 1;
        self.copies += u64::from(row.is_copy);
        if row.is_kept() {
            return;
        }
        if let Some(resemblance) = row.resemblance() {
            self.n_compared += 1;
            self.smallest = self.smallest.min(resemblance);
            self.sum += resemblance;
        }
        let distance = (row.resemblance(), row.document);
        if self.farthest.is_none_or(|farthest| distance < farthest) {
            self.farthest = Some(distance);
        }
    }

    /// Returns the smallest and the mean resemblance of members to the one that stays; not numbers if none was compared.
    fn resemblances(&self) -> (f64, f64) {
        match self.n_compared {
            0 => (f64::NAN, f64::NAN),
            n => (self.smallest, self.sum / n as f64),
        }
    }
}

impl<'a> ClusterBuilder<'a> {
    fn new(
        run: &'a Context<'a>,
        texts: Texts<'a>,
        order: &'a Order,
        sets: &'a Sets,
    ) -> ClusterBuilder<'a> {
        let (spill, memory) = (run.spill, run.settings.memory / 8);
        let none = || Bits::new(texts.copies.n_documents as usize);
        ClusterBuilder {
            run,
            texts,
            order,
            sets,
            rows: Sorter::new(spill, memory),
            clusters: Sorter::new(spill, memory / 2),
            is_placed: none(),
            kept: none(),
            members: none(),
            largest: Largest::default(),
            sizes: BTreeMap::new(),
            n_duplicates: 0,
            of_reference: Hits::default(),
            current: None,
        }
    }

    /// Adds a text that another one takes; those that one centre takes come one after another.
    fn take(&mut self, taken: &RemovedMember, forest: &mut Forest) -> Result<()> {
        let centre = self.order.document(taken.centre);
        if self.current.is_none_or(|draft| draft.centre != centre) {
            self.end_cluster()?;
            self.begin_cluster(centre, forest.root(taken.centre))?;
        }
        let first = self.order.document(taken.place);
        self.add(alike(centre, first, taken.n_common, self.sets)?)
    }

    /// Begins a cluster with all documents that have the text of the centre.
    fn begin_cluster(&mut self, centre: u32, root: u32) -> Result<()> {
        let kept = self.texts.preference(centre)?.1;
        let (size, copies, n_compared, smallest, sum, farthest) = (0, 0, 0, 1.0, 0.0, None);
        let empty = Draft { centre, kept, root, size, copies, n_compared, smallest, sum, farthest };
        self.kept.insert(kept);
        self.current = Some(empty);
        let similarity = Similarity { resemblance: 1.0, containment: 1.0 };
        self.add(TextSimilarity { first: centre, similarity })
    }

    /// Adds the documents of a text, and those that go for them by their address.
    fn add(&mut self, alike: TextSimilarity) -> Result<()> {
        let TextSimilarity { first, similarity } = alike;
        self.is_placed.insert(first);
        let Some(mut draft) = self.current else { return Ok(()) };
        let texts = self.texts;
        texts.each(first, |document| {
            let Draft { kept, centre, .. } = draft;
            if texts.sides.is_reference(document) && document != kept {
                return Ok(());
            }
            let has_kept_text = first == centre;
            let is_copy = has_kept_text && document != kept;
            let (similarity, by_address) = (Some(similarity), false);
            let row = Row { document, kept, similarity, is_copy, by_address };
            draft.count(&row);
            self.members.insert(document);
            self.rows.push(row.pack())?;
            texts.same_address.each(document, |document, has_same_text| {
                let similarity = similarity.filter(|_| has_same_text);
                let is_copy = has_kept_text && has_same_text;
                let row = Row { document, kept, similarity, is_copy, by_address: true };
                draft.count(&row);
                self.members.insert(document);
                self.rows.push(row.pack())
            })
        })?;
        self.current = Some(draft);
        Ok(())
    }

    fn end_cluster(&mut self) -> Result<()> {
        let Some(draft) = self.current.take() else { return Ok(()) };
        let Draft { kept, root, size, copies, farthest, .. } = draft;
        let (smallest, mean) = draft.resemblances();
        self.n_duplicates += size - 1;
        if self.texts.sides.is_reference(kept) {
            self.of_reference.n_duplicates += size - 1;
            self.of_reference.n_references += 1;
        }
        *self.sizes.entry(size).or_default() += 1;
        let farthest = farthest.map_or(kept, |(_, document)| document);
        self.largest.push(Large { size, kept, farthest, smallest, mean });
        // A cluster cannot have more documents than 32 bits can number.
        let counts = (root, size as u32, copies as u32);
        self.clusters.push((kept, counts, (smallest.to_bits(), mean.to_bits())))
    }

    /// Sorts the rows and clusters.
    fn finish(self, (n_edges, n_settled): (u64, u64)) -> Result<Plan> {
        let (spill, memory) = (self.run.spill, self.run.settings.memory / 8);
        let mut rows = Series::new(spill, memory);
        for row in self.rows.sorted()? {
            rows.push(row?)?;
        }
        let clusters = self.clusters.sorted()?.map(|cluster| {
            let (_, (component, size, copies), (smallest, mean)) = cluster?;
            let [smallest, mean] = [smallest, mean].map(f64::from_bits);
            Ok(Cluster { component, size: size.into(), copies: copies.into(), smallest, mean })
        });
        let n_places = self.order.n_places();
        Ok(Plan {
            rows,
            clusters: Clusters::number(clusters, self.kept.ranked(), n_places, spill, memory / 2)?,
            members: self.members,
            largest: self.largest.finish(),
            sizes: self.sizes,
            n_duplicates: self.n_duplicates,
            of_reference: self.of_reference,
            n_edges,
            n_settled,
        })
    }
}

/// Computes the similarity of a text to that of the centre, from the common shingles that verification has counted; if
/// only a chain links the two, they are counted now.
fn alike(centre: u32, first: u32, n_common: Option<u32>, sets: &Sets) -> Result<TextSimilarity> {
    let n_common = n_common.map_or_else(|| sets.n_common(centre, first), Ok)?;
    let (size, centre_size) = (sets.size(first), sets.size(centre));
    let resemblance = verify::resemblance_of(n_common as usize, size, centre_size).unwrap_or(0.0);
    let containment = f64::from(n_common) / size.max(1) as f64;
    Ok(TextSimilarity { first, similarity: Similarity { resemblance, containment } })
}

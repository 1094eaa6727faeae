//! From keys to candidate pairs.

use std::path::Path;

use fanmill::lsh::bands::Bands;
use fanmill::lsh::join::{Giant, Limits};
use fanmill::sketch::Sketch;
use fanmill::{Error, Result};

use super::Run;
use super::copies::Copies;
use super::log::{Entry, Log};
use super::order::Order;
use super::settings::{LEAST_CONTAINED, Measure};
use super::verify::Sets;
use crate::candidates::CandidateJoin;
use crate::exact::counts::Counts;
use crate::exact::join::ExactJoin;
use crate::exact::postings::{Rarest, Relation};
use crate::job::Starts;
use crate::spill::Column;
use crate::spill::column::Scratch;

/// Giants that the summary names.
pub(super) const SHOWN_GIANTS: usize = 20;
/// Most others of a document in one row, so that a row is a small piece of work.
const LONGEST_ROW: usize = 1 << 12;

/// Documents up to which all pairs of the 8-byte filter can be looked at: it is one for small sets.
const MOST_BYTES: u32 = 50_000;

/// Counters of shingles, a byte each: about one for four different shingles, within these bounds. They do
/// not follow the memory, so that candidates are the same with any.
const COUNTERS: (usize, usize) = (1 << 20, 1 << 24);

/// The candidates, and the keys that too many documents share.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) pairs: Pairs,
    /// The largest.
    pub(super) giants: Vec<Giant>,
    /// All of which not every pair is a candidate.
    pub(super) n_giants: u64,
    /// The pairs of these that are none, at most.
    pub(super) n_unseen: u64,
}

/// Documents that agree in enough keys. They are known by their places in the order of preference, so that
/// all members of a giant are paired with its most preferred one.
pub(super) fn by_keys(
    run: &Run<'_>,
    log: &Log,
    starts: &Starts,
    copies: &Copies,
    order: &Order,
    bands: Bands,
) -> Result<Found> {
    let limits = limits(run, starts)?;
    let (spill, memory) = (run.staging.spill(), run.settings.memory);
    let mut join = CandidateJoin::new(spill, memory / 2, bands, limits);
    let (mut frames, mut document, mut row) = (log.frames()?, 0, Vec::new());
    while let Some(frame) = frames.next()? {
        for entry in frame.records() {
            if let Entry::Document { keys, .. } = entry
                && !copies.is_copy.contains(document)
            {
                row.clear();
                row.extend(keys.iter());
                row.chunks(bands.bands())
                    .try_for_each(|row| join.push(order.place(document), row))?;
            }
            document += 1;
        }
    }
    let mut candidates = join.finish()?;
    let mut pairs = Pairs::new(spill, memory / 4);
    for pair in &mut candidates {
        let (a, b) = pair?;
        pairs.push(order.document(a), order.document(b))?;
    }
    pairs.end_row()?;
    let name = |giant: &Giant| Giant { first: order.document(giant.first), ..*giant };
    let giants = candidates.giants().iter().map(name).collect();
    // Those that lie in several crowds are counted in each, and there are no more than all.
    let n = u64::from(starts.n_documents()) - copies.n;
    let n_pairs = n * n.saturating_sub(1) / 2;
    let n_unseen = candidates.n_unseen().min(n_pairs - pairs.len().min(n_pairs));
    let n_giants = candidates.n_giants();
    Ok(Found { pairs, giants, n_giants, n_unseen })
}

/// Documents that share one of their rarest shingles, among those whose sets are given.
pub(super) fn by_rarest(run: &Run<'_>, sets: &Sets, n_bytes: u64) -> Result<Found> {
    let relation = match run.settings.measure {
        Measure::Resemblance(threshold) => Relation::Resemblance(threshold),
        Measure::Containment(threshold) => Relation::Containment(threshold),
    };
    let (spill, memory) = (run.staging.spill(), run.settings.memory);
    let n_counters = (n_bytes / 32).next_power_of_two() as usize;
    let counts = Counts::new(n_counters.clamp(COUNTERS.0, COUNTERS.1));
    sets.for_each(|_, set| counts.add(set))?;
    let rarest = Rarest::new(&counts, relation);
    if run.settings.measure.is_containment() {
        sets.for_each(|_, set| {
            if set.len() >= LEAST_CONTAINED {
                rarest.mark(set);
            }
        })?;
    }
    let mut join = ExactJoin::new(spill, memory / 4, relation);
    sets.each_part(
        |document, set, postings| {
            if !run.settings.measure.is_containment() || set.len() >= LEAST_CONTAINED {
                rarest.postings(document, set, postings);
            }
        },
        |postings| join.extend(postings),
    )?;
    let mut candidates = join.finish()?;
    let mut pairs = Pairs::new(spill, memory / 8);
    for pair in &mut candidates {
        let (a, b) = pair?;
        // What lies in something no larger holds that, too: the pair comes in the other order.
        let is_first = (sets.size(a), a) < (sets.size(b), b);
        if is_first || !run.settings.measure.is_containment() {
            pairs.push(a, b)?;
        }
    }
    pairs.end_row()?;
    // A crowd costs time, and no pair: it is named, and breaks no promise.
    Ok(Found { pairs, giants: candidates.crowds().to_vec(), n_giants: 0, n_unseen: 0 })
}

/// Which keys are shared by too many documents.
fn limits(run: &Run<'_>, starts: &Starts) -> Result<Limits> {
    if !matches!(run.recipe.sketch(), Some(Sketch::Bytes(_))) {
        return Ok(Limits::standard());
    }
    let n_documents = starts.n_documents();
    if n_documents > MOST_BYTES {
        return Err(Error::setting(format!(
            "8 bytes a document do for {MOST_BYTES} documents, and the corpus has {n_documents}; use \
             --sketch fss(t=128)"
        )));
    }
    Ok(Limits { giant: usize::MAX, ..Limits::standard() })
}

/// Pairs of documents, in rows of those with the same first document; more of them than fit into memory.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The first document, then the others.
    rows: Column<u32>,
    row: Vec<u32>,
    n: u64,
}

impl Pairs {
    fn new(spill: &Path, memory: usize) -> Pairs {
        Pairs { rows: Column::new(spill, memory), row: Vec::new(), n: 0 }
    }

    /// Adds a pair; those with the same first document come together.
    fn push(&mut self, a: u32, b: u32) -> Result<()> {
        if self.row.first() != Some(&a) || self.row.len() > LONGEST_ROW {
            self.end_row()?;
            self.row.push(a);
        }
        self.row.push(b);
        self.n += 1;
        Ok(())
    }

    fn end_row(&mut self) -> Result<()> {
        if !self.row.is_empty() {
            self.rows.push(&self.row)?;
            self.row.clear();
        }
        Ok(())
    }

    /// How many pairs.
    pub(super) fn len(&self) -> u64 {
        self.n
    }

    /// How many rows.
    pub(super) fn n_rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// A row: a document, and those it is paired with.
    pub(super) fn row<'a>(
        &'a self,
        row: u32,
        scratch: &'a mut Scratch<u32>,
    ) -> Result<(u32, &'a [u32])> {
        let row = self.rows.get(row, scratch)?;
        Ok((row[0], &row[1..]))
    }

    /// Walks all rows.
    pub(super) fn for_each(&self, mut work: impl FnMut(u32, &[u32])) -> Result<()> {
        let mut scratch = Scratch::default();
        for row in 0..self.n_rows() {
            let (a, others) = self.row(row, &mut scratch)?;
            work(a, others);
        }
        Ok(())
    }
}

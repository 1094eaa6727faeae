//! Search for candidate pairs, by keys or by the rarest shingles.

use fanmill_sketch::Sketch;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::join::{BucketLimits, LargeBucket};
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::context::Context;
use super::copies::Copies;
use super::log::{Entry, Log};
use super::order::Order;
use super::pairs::Pairs;
use super::sets::Sets;
use super::settings::{LEAST_CONTAINED, Measure};
use crate::candidates::CandidateJoin;
use crate::exact::counts::Counts;
use crate::exact::join::ExactJoin;
use crate::exact::postings::{Rarest, Relation};

/// Maximum number of common keys that the summary lists.
pub(super) const MOST_SHOWN: usize = 20;

/// Maximum number of documents for which all pairs of the 8-byte filter can be looked at: that filter is meant for
/// small collections.
const MOST_BYTES: u32 = 50_000;

/// Bounds of the number of shingle counters, a byte each. There is about one for every four different shingles. The
/// number does not depend on the memory, so that candidates are the same with any.
const COUNTERS: (usize, usize) = (1 << 20, 1 << 24);

/// The candidate pairs, and the keys that too many documents share for every pair to be a candidate.
#[derive(Debug)]
pub(super) struct FoundPairs {
    pub(super) pairs: Pairs,
    /// The numbers in whose order the pairs ascend.
    ascending_by: Number,
    /// The largest buckets.
    pub(super) large_buckets: Vec<LargeBucket>,
    /// Number of large buckets.
    pub(super) n_large_buckets: u64,
    /// Upper bound on their pairs that are not candidates.
    pub(super) n_unseen: u64,
}

/// The number that identifies a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    /// Its place in the order of preference.
    Place,
    /// Its place in the corpus.
    Document,
}

impl FoundPairs {
    /// Returns whether the pairs come in the order of preference.
    pub(super) fn are_by_preference(&self, order: &Order) -> bool {
        self.ascending_by == Number::Place || order.is_of_corpus()
    }
}

/// Finds documents that agree in enough keys. They are identified by their places in the order of preference, so that
/// all members of a large bucket are paired with its most preferred document.
pub(super) fn by_keys(
    run: &Context<'_>,
    bands: Bands,
    log: &Log,
    copies: &Copies,
    order: &Order,
) -> Result<FoundPairs> {
    let mut search = ByKeys::new(run, bands, copies, order)?;
    let (mut frames, mut document, mut row) = (log.frames()?, 0, Vec::new());
    while let Some(frame) = frames.next()? {
        run.steps.check()?;
        for entry in frame.records() {
            if let Entry::Document { keys, .. } = entry
                && !copies.represented.contains(document)
            {
                row.clear();
                row.extend(keys.iter());
                search.push(document, &row)?;
            }
            document += 1;
        }
    }
    search.finish()
}

/// A search for documents that agree in enough keys.
pub(super) struct ByKeys<'a> {
    run: &'a Context<'a>,
    copies: &'a Copies,
    order: &'a Order,
    join: CandidateJoin,
    /// Number of keys in a row.
    n_bands: usize,
}

impl<'a> ByKeys<'a> {
    /// Begins a search by keys of these bands, which the context's recipe makes.
    pub(super) fn new(
        run: &'a Context<'a>,
        bands: Bands,
        copies: &'a Copies,
        order: &'a Order,
    ) -> Result<ByKeys<'a>> {
        let limits = limits(run, copies.n_documents)?;
        let join = CandidateJoin::new(run.spill, run.settings.memory / 2, bands, limits)
            .between(order.sides(run.sides.scope));
        Ok(ByKeys { run, copies, order, join, n_bands: bands.bands() })
    }

    /// Adds a document that is not a copy, by its keys, or by its shingle if it has only one.
    pub(super) fn push(&mut self, document: u32, keys: &[u64]) -> Result<()> {
        let place = self.order.place(document);
        match keys {
            [shingle] if self.n_bands > 1 => self.join.push_shingle(place, *shingle),
            rows => rows.chunks(self.n_bands).try_for_each(|row| self.join.push(place, row)),
        }
    }

    /// Returns the pairs of documents that agree in enough keys.
    pub(super) fn finish(self) -> Result<FoundPairs> {
        let ByKeys { run, copies, order, join, .. } = self;
        let mut candidates = join.finish()?;
        let mut pairs = Pairs::new(run.spill, run.settings.memory / 4);
        for pair in &mut candidates {
            run.steps.check()?;
            let (a, b) = pair?;
            pairs.push(order.document(a), order.document(b))?;
        }
        pairs.end_row()?;
        let name =
            |bucket: &LargeBucket| LargeBucket { first: order.document(bucket.first), ..*bucket };
        let large_buckets = candidates.large_buckets().iter().map(name).collect();
        // Pairs in several large buckets are counted in each, so the sum is capped by the number of all pairs.
        let n = u64::from(copies.n_documents) - copies.n_represented;
        let n_references = u64::from(run.sides.n_references) - copies.n_of_reference;
        let n_pairs = run.sides.n_pairs(n_references, n - n_references);
        let n_unseen = candidates.n_unseen().min(n_pairs - pairs.len().min(n_pairs));
        let n_large_buckets = candidates.n_large_buckets();
        let ascending_by = Number::Place;
        Ok(FoundPairs { pairs, ascending_by, large_buckets, n_large_buckets, n_unseen })
    }
}

/// Finds documents that share one of their rarest shingles, among those whose sets are given.
pub(super) fn by_rarest(run: &Context<'_>, sets: &Sets, n_bytes: u64) -> Result<FoundPairs> {
    let relation = match run.settings.measure {
        Measure::Resemblance(threshold) => Relation::Resemblance(threshold),
        Measure::Containment(threshold) => Relation::Containment(threshold),
    };
    let (spill, memory) = (run.spill, run.settings.memory);
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
    let mut join = ExactJoin::new(spill, memory / 4, relation).between(run.sides);
    sets.each_part(
        |document, set, postings| {
            if !run.settings.measure.is_containment() || set.len() >= LEAST_CONTAINED {
                rarest.postings(document, set, postings);
            }
        },
        |postings| {
            run.steps.check()?;
            join.extend(postings)
        },
    )?;
    let mut candidates = join.finish()?;
    let mut pairs = Pairs::new(spill, memory / 8);
    for pair in &mut candidates {
        run.steps.check()?;
        let (a, b) = pair?;
        // If a document lies in one that is no larger, that one lies in it, too: the pair also comes in the other
        // order.
        let is_first = (sets.size(a), a) < (sets.size(b), b);
        if is_first || !run.settings.measure.is_containment() {
            pairs.push(a, b)?;
        }
    }
    pairs.end_row()?;
    // In this search a large bucket costs time, but no pair is lost.
    Ok(FoundPairs {
        pairs,
        ascending_by: Number::Document,
        large_buckets: candidates.large_buckets().to_vec(),
        n_large_buckets: 0,
        n_unseen: 0,
    })
}

/// Returns the limits that define a key shared by too many documents.
fn limits(run: &Context<'_>, n_documents: u32) -> Result<BucketLimits> {
    if !matches!(run.recipe.sketch(), Some(Sketch::Bytes(_))) {
        return Ok(BucketLimits::standard());
    }
    if n_documents > MOST_BYTES {
        return Err(Error::setting(message![
            "8 bytes a document do for {MOST_BYTES} documents, and the corpus has {n_documents}; use ",
            Setting("sketch"),
            " fss(t=128)"
        ]));
    }
    Ok(BucketLimits { large: usize::MAX, ..BucketLimits::standard() })
}

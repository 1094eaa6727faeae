//! Verification of candidate pairs, shingle by shingle: only a pair that reaches the threshold counts.
//!
//! Most candidates of a corpus with families of templates do not reach it. Bitmaps of the sets
//! ([`fanmill_sketch::lsh::bitmap`]) bound the number of shingles that two sets can share, and rule out most pairs by
//! themselves. If most pairs count, because many documents are alike, a centre soon takes all of these, and their pairs
//! with each other are skipped ([`Centres::is_settled`](crate::centres::Centres::is_settled)).
//!
//! Pairs are processed in order, so that the first document of many pairs is fetched only once. Pairs become settled
//! only between two parts, which are the same at any number of threads.
//!
//! Cost: some 20 nanoseconds a pair, and one nanosecond a shingle for those that are compared.

use fanmill_sketch::lsh::join::Edge;
use fanmill_sketch::lsh::{bitmap, verify};
use fanmill_text::Result;
use rayon::prelude::*;

use super::pairs::Pairs;
use super::sets::Sets;
use super::settings::{LEAST_CONTAINED, Measure};
use crate::reference_split::ReferenceSplit;
use crate::short::are_copies;
use crate::spill::column::Scratch;

/// Pairs that are compared together, or a few more, since rows stay whole. A part is enough work for all threads, and
/// short enough that most pairs of a group of copies come after the part with the pairs of its centre.
const PART: usize = 1 << 12;

/// Buffers for a row of pairs, and for sets and bitmaps that are read from disk.
#[derive(Debug, Default)]
struct PairScratch {
    row: Scratch<u32>,
    bitmaps: [Scratch<u64>; 2],
    sets: [Scratch<u64>; 2],
    /// The pairs of a row that bitmaps do not rule out: the other document, and the fewest common shingles it needs.
    left: Vec<(u32, usize)>,
}

/// The receiver of the pairs that count, which knows which pairs no longer matter.
pub(super) trait EdgeSink: Sync {
    /// Returns whether it makes no difference if a pair counts.
    fn is_settled(&self, a: u32, b: u32) -> bool;

    /// Takes the next pair that counts.
    fn take(&mut self, edge: &Edge) -> Result<()>;
}

/// Passes the pairs that count to `settling`, in order; returns the number of pairs that made no difference.
pub(super) fn each_edge(
    sets: &Sets,
    pairs: &Pairs,
    (measure, sides): (Measure, ReferenceSplit),
    settling: &mut impl EdgeSink,
) -> Result<u64> {
    let (mut row, mut n_settled) = (0, 0);
    while row < pairs.n_rows() {
        let start = row;
        let mut n_pairs = 0;
        while row < pairs.n_rows() && n_pairs < PART {
            n_pairs += pairs.row_len(row);
            row += 1;
        }
        let comparing = Comparing { sets, pairs, measure, sides, settling: &*settling };
        let compared = (start..row).into_par_iter().map_init(PairScratch::default, |rooms, row| {
            let mut edges = Vec::new();
            Ok((comparing.row(row, rooms, &mut edges)?, edges))
        });
        for (n, edges) in compared.collect::<Result<Vec<(u64, Vec<Edge>)>>>()? {
            n_settled += n;
            edges.iter().try_for_each(|edge| settling.take(edge))?;
        }
    }
    Ok(n_settled)
}

/// The inputs for comparing pairs.
struct Comparing<'a, S> {
    sets: &'a Sets,
    pairs: &'a Pairs,
    measure: Measure,
    sides: ReferenceSplit,
    settling: &'a S,
}

impl<S: EdgeSink> Comparing<'_, S> {
    /// Appends the pairs of a row that count; returns the number that were not compared because they are settled.
    fn row(&self, row: u32, rooms: &mut PairScratch, edges: &mut Vec<Edge>) -> Result<u64> {
        let (a, others) = self.pairs.row(row, &mut rooms.row)?;
        let [room_a, room_b] = &mut rooms.bitmaps;
        let (size_a, bits_a) = (self.sets.size(a), self.sets.bitmap(a, room_a)?);
        let mut n_settled = 0;
        // Bitmaps rule out most pairs of the row, so that few sets have to be fetched.
        rooms.left.clear();
        for &b in others {
            if self.settling.is_settled(a, b) {
                n_settled += 1;
                continue;
            }
            let size_b = self.sets.size(b);
            let Some(needed) = needed([(a, size_a), (b, size_b)], self.measure, self.sides) else {
                continue;
            };
            let bits_b = self.sets.bitmap(b, room_b)?;
            if bitmap::may_share(bits_a, bits_b, size_a, size_b, needed) {
                rooms.left.push((b, needed));
            }
        }
        if rooms.left.is_empty() {
            return Ok(n_settled);
        }
        let [room_a, room_b] = &mut rooms.sets;
        let set_a = self.sets.get(a, room_a)?;
        for &(b, needed) in &rooms.left {
            if let Some(edge) = compare(a, set_a, b, self.sets.get(b, room_b)?, needed)
                && self.differ_by_slips(a, b)?
            {
                edges.push(edge);
            }
        }
        Ok(n_settled)
    }

    /// Returns whether the words of two short texts differ by slips alone; true for longer ones.
    fn differ_by_slips(&self, a: u32, b: u32) -> Result<bool> {
        Ok(match (self.sets.words(a)?, self.sets.words(b)?) {
            (Some(a), Some(b)) => are_copies(&a, &b, self.measure.threshold().value()),
            _ => true,
        })
    }
}

/// Returns the fewest common shingles with which two documents count, given the sizes of their sets.
///
/// For containment, the smaller document should be contained in the other. But if one of them belongs to the reference,
/// only the other one may be removed, so it is that one that should be contained.
fn needed(
    [(a, size_a), (b, size_b)]: [(u32, usize); 2],
    measure: Measure,
    sides: ReferenceSplit,
) -> Option<usize> {
    match measure {
        Measure::Resemblance(threshold) => verify::needed_common(size_a, size_b, threshold),
        Measure::Containment(threshold) => {
            let smaller = size_a.min(size_b);
            let inner = match (sides.is_reference(a), sides.is_reference(b)) {
                (true, false) => size_b,
                (false, true) => size_a,
                _ => smaller,
            };
            (smaller >= LEAST_CONTAINED).then(|| verify::needed_contained(inner, threshold))
        }
    }
}

fn compare(a: u32, set_a: &[u64], b: u32, set_b: &[u64], needed: usize) -> Option<Edge> {
    let n_common = verify::common_at_least(set_a, set_b, needed)?;
    let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
    Some(Edge { a, b, n_common: n_common as u32, resemblance })
}

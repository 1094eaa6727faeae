//! Candidate pairs are compared, shingle by shingle: only a pair that reaches the threshold counts.
//!
//! Pairs are taken in their order, so that the first document of many pairs is fetched once.
//!
//! Cost: about one nanosecond a shingle and pair.

use fanmill::Result;
use fanmill::lsh::join::Edge;
use fanmill::lsh::verify;
use rayon::prelude::*;

use super::pairs::Pairs;
use super::sets::{PART, Sets};
use super::settings::{LEAST_CONTAINED, Measure};
use crate::sides::Sides;
use fanmill_source::spill::column::Scratch;

/// Room for two sets that are read from disk.
type Rooms = (Scratch<u64>, Scratch<u64>);

/// Hands out the pairs that count, in their order.
pub(super) fn each_edge(
    sets: &Sets,
    pairs: &Pairs,
    (measure, sides): (Measure, Sides),
    mut take: impl FnMut(&Edge) -> Result<()>,
) -> Result<()> {
    let rows: Vec<u32> = (0..pairs.n_rows()).collect();
    for part in rows.chunks(PART) {
        let edges: Vec<Vec<Edge>> = part
            .par_iter()
            .map_init(Default::default, |(rooms, scratch), &row| {
                let (a, others) = pairs.row(row, scratch)?;
                edges_of(sets, a, others, (measure, sides), rooms)
            })
            .collect::<Result<_>>()?;
        edges.iter().flatten().try_for_each(&mut take)?;
    }
    Ok(())
}

/// Of pairs with the same first document.
fn edges_of(
    sets: &Sets,
    a: u32,
    others: &[u32],
    (measure, sides): (Measure, Sides),
    rooms: &mut Rooms,
) -> Result<Vec<Edge>> {
    let mut edges = Vec::new();
    let set_a = sets.get(a, &mut rooms.0)?;
    for &b in others {
        let sizes = [(a, set_a.len()), (b, sets.size(b))];
        if let Some(needed) = needed(sizes, measure, sides) {
            edges.extend(compare(a, set_a, b, sets.get(b, &mut rooms.1)?, needed));
        }
    }
    Ok(edges)
}

/// The fewest common shingles with which two documents count, given with the sizes of their sets.
///
/// The smaller one is to be contained in the other; but if one is of the reference, it is the other that may go, and
/// that is to be contained.
fn needed(
    [(a, size_a), (b, size_b)]: [(u32, usize); 2],
    measure: Measure,
    sides: Sides,
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

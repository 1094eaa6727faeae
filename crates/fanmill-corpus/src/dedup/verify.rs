//! The second reading: documents that may be duplicates are compared, shingle by shingle.
//!
//! Only documents in candidate pairs are parsed again. Their sets go into a column that spills; pairs
//! are taken in their order, so that the first document of many pairs is fetched once. Most candidates
//! of a template fall short by a few per cent: bitmaps tell so for a fraction of the merge's cost.
//!
//! Cost: a reading; a sort of each such document's shingles; about one nanosecond a shingle and pair.

use fanmill::Result;
use fanmill::lsh::join::Edge;
use fanmill::lsh::verify;
use rayon::prelude::*;

use super::Run;
use super::corpus::Starts;
use super::recipe::Scratch;
use super::settings::Measure;
use crate::format::Columns;
use crate::spill::{Bits, Column};

/// The sets of some documents.
#[derive(Debug)]
pub(super) struct Sets {
    /// Whose.
    members: Bits,
    /// By the rank among the members.
    column: Column,
    /// Shingles of each.
    sizes: Vec<u32>,
}

impl Sets {
    /// Reads the sets of `members`.
    pub(super) fn read(run: &Run<'_>, starts: &Starts, members: Bits, memory: usize) -> Result<Sets> {
        let members = members.ranked();
        let mut sets = Sets {
            column: Column::new(run.staging.spill(), memory),
            sizes: Vec::with_capacity(members.len()),
            members,
        };
        for (index, shard) in run.corpus.shards.iter().enumerate() {
            let documents = starts.of(index);
            if !sets.members.any(documents.clone()) {
                continue;
            }
            run.corpus.walk(shard, Columns::Needed, &run.steps, |batch| {
                let first = documents.start + batch.first_number() as u32;
                let of_batch: Vec<Vec<u64>> = (0..batch.len())
                    .into_par_iter()
                    .filter(|&i| sets.members.contains(first + i as u32))
                    .map_init(Scratch::default, |scratch, i| {
                        // A candidate was read once before.
                        batch.record(i).map_or_else(|_| Vec::new(), |r| run.recipe.set(&r.text, scratch))
                    })
                    .collect();
                for set in of_batch {
                    sets.sizes.push(set.len() as u32);
                    sets.column.push_set(&set)?;
                }
                Ok(())
            })?;
        }
        Ok(sets)
    }

    /// How many shingles a member has.
    pub(super) fn size(&self, document: u32) -> u32 {
        self.sizes[self.members.rank(document) as usize]
    }

    /// The same of any document; 0 if it is no member.
    pub(super) fn size_if_any(&self, document: u32) -> u32 {
        if self.members.contains(document) { self.size(document) } else { 0 }
    }

    fn get(&self, document: u32) -> Result<std::borrow::Cow<'_, [u64]>> {
        self.column.set(self.members.rank(document) as usize)
    }

    /// The pairs that count, in their order.
    pub(super) fn edges(&self, pairs: &[(u32, u32)], measure: Measure) -> Result<Vec<Edge>> {
        let rows: Vec<&[(u32, u32)]> = pairs.chunk_by(|x, y| x.0 == y.0).collect();
        let edges: Vec<Vec<Edge>> =
            rows.into_par_iter().map(|row| self.edges_of(row, measure)).collect::<Result<_>>()?;
        Ok(edges.concat())
    }

    /// Of pairs with the same first document.
    fn edges_of(&self, row: &[(u32, u32)], measure: Measure) -> Result<Vec<Edge>> {
        let mut edges = Vec::new();
        let Some(&(a, _)) = row.first() else { return Ok(edges) };
        let set_a = self.get(a)?;
        for &(_, b) in row {
            let Some(needed) = needed(set_a.len(), self.size(b) as usize, measure) else { continue };
            if let Some(edge) = compare(a, &set_a, b, &self.get(b)?, needed) {
                edges.push(edge);
            }
        }
        Ok(edges)
    }

    /// Any pair of members, whatever it shares; `None` if one of them has no words.
    pub(super) fn edge(&self, a: u32, b: u32) -> Result<Option<Edge>> {
        Ok(compare(a, &self.get(a)?, b, &self.get(b)?, 0))
    }
}

/// The fewest common shingles with which sets of these sizes count.
fn needed(size_a: usize, size_b: usize, measure: Measure) -> Option<usize> {
    match measure {
        Measure::Resemblance(threshold) => verify::needed_common(size_a, size_b, threshold),
        Measure::Containment(threshold) => {
            let smaller = size_a.min(size_b);
            (smaller > 0).then(|| verify::needed_contained(smaller, threshold))
        }
    }
}

fn compare(a: u32, set_a: &[u64], b: u32, set_b: &[u64], needed: usize) -> Option<Edge> {
    let n_common = verify::common_at_least(set_a, set_b, needed)?;
    let resemblance = verify::resemblance_of(n_common, set_a.len(), set_b.len())?;
    Some(Edge { a, b, n_common: n_common as u32, resemblance })
}

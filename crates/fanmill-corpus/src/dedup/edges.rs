//! `pairs.parquet`: all pairs found that count, for users who choose the documents to remove by a rule of their own. If
//! very many documents share a key, not every pair is found ([`crate::candidates`]).
//!
//! | column | is |
//! |---|---|
//! | `id`, `shard`, `record` | the first document (those of the reference come first), or the smaller one by containment; records are counted from 1 |
//! | `other_id`, `other_shard`, `other_record` | the other one |
//! | `is_reference`, `other_is_reference` | if there is a reference: true for its documents |
//! | `resemblance` | exact |
//! | `containment` | of the first document in the other |
//! | `other_containment` | the reverse |
//!
//! Of documents with equal texts, only the first appears here; the others are the copies in `removed.parquet`.
//!
//! Cost: 20 bytes of memory or disk a pair.

use std::path::Path;

use fanmill_sketch::lsh::join::Edge;
use fanmill_sketch::lsh::verify;
use fanmill_text::Result;

use super::context::Run;
use super::names::Names;
use super::tables::{Made, of_reference, places};
use crate::job::Starts;
use crate::spill::{Bits, Series};
use crate::table::{Columns, Table, floats};

/// Both documents and the number of their common shingles, then the number of shingles of each.
type Pair = ((u32, u32, u32), (u32, u32));

/// The pairs that count, in order. There may be more than fit into memory.
#[derive(Debug)]
pub(super) struct Edges(Series<Pair>);

impl Edges {
    pub(super) fn new(spill: &Path, memory: usize) -> Edges {
        Edges(Series::new(spill, memory))
    }

    /// Adds a pair of documents with `size_a` and `size_b` shingles.
    pub(super) fn push(&mut self, edge: &Edge, size_a: usize, size_b: usize) -> Result<()> {
        self.0.push(((edge.a, edge.b, edge.n_common), (size_a as u32, size_b as u32)))
    }

    /// Adds the documents in pairs to `named`.
    pub(super) fn name(&self, named: &mut Bits) -> Result<()> {
        self.0.each_chunk(|pairs| {
            for &((a, b, _), _) in pairs {
                named.insert(a);
                named.insert(b);
            }
            Ok(())
        })
    }

    /// Writes the table.
    pub(super) fn write(
        &self,
        file: Made,
        run: &Run<'_>,
        starts: &Starts,
        names: &Names,
    ) -> Result<()> {
        let columns = |pairs: &[Pair]| -> Result<Columns> {
            let mut columns = places(run, starts, names, "", pairs.iter().map(|p| p.0.0))?;
            columns.extend(of_reference(run, starts, "", pairs.iter().map(|p| p.0.0)));
            columns.extend(places(run, starts, names, "other_", pairs.iter().map(|p| p.0.1))?);
            columns.extend(of_reference(run, starts, "other_", pairs.iter().map(|p| p.0.1)));
            let part = |common: u32, size: u32| f64::from(common) / f64::from(size.max(1));
            let resemblance = |&((_, _, common), (a, b)): &Pair| {
                verify::resemblance_of(common as usize, a as usize, b as usize).unwrap_or(0.0)
            };
            columns.extend([
                ("resemblance".to_owned(), floats(pairs.iter().map(resemblance))),
                ("containment".to_owned(), floats(pairs.iter().map(|p| part(p.0.2, p.1.0)))),
                ("other_containment".to_owned(), floats(pairs.iter().map(|p| part(p.0.2, p.1.1)))),
            ]);
            Ok(columns)
        };
        let mut table = Table::create(file, columns(&[])?)?;
        self.0.each_chunk(|pairs| table.append(columns(pairs)?))?;
        table.finish()
    }
}

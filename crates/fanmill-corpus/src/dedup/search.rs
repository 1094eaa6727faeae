//! From keys to candidate pairs.

use std::path::Path;

use fanmill::Result;

use super::Run;
use super::copies::Copies;
use super::log::{Entry, Log};
use crate::spill::Column;
use crate::spill::column::Scratch;

/// Giants that the summary names.
pub(super) const SHOWN_GIANTS: usize = 20;
/// Most others of a document in one row, so that a row is a small piece of work.
const LONGEST_ROW: usize = 1 << 12;

/// Pairs of documents, in rows of those with the same first document; more of them than fit into memory.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The first document, then the others.
    rows: Column<u32>,
    row: Vec<u32>,
    n_pairs: u64,
}

impl Pairs {
    fn new(spill: &Path, memory: usize) -> Pairs {
        Pairs { rows: Column::new(spill, memory), row: Vec::new(), n_pairs: 0 }
    }

    /// Adds a pair; pairs come in ascending order.
    fn push(&mut self, a: u32, b: u32) -> Result<()> {
        if self.row.first() != Some(&a) || self.row.len() > LONGEST_ROW {
            self.end_row()?;
            self.row.push(a);
        }
        self.row.push(b);
        self.n_pairs += 1;
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
        self.n_pairs
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

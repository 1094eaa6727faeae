//! Pairs of documents that may be duplicates, grouped by their first document. There may be more
//! than fit into memory.

use std::path::Path;

use fanmill_text::Result;

use crate::spill::column::Scratch;
use crate::spill::{Bits, Column};

/// Most others of a document in one row, so that a row is a small piece of work.
const LONGEST_ROW: usize = 1 << 12;

/// The pairs.
#[derive(Debug)]
pub(super) struct Pairs {
    /// The first document, then the others.
    rows: Column<u32>,
    row: Vec<u32>,
    n: u64,
}

impl Pairs {
    pub(super) fn new(spill: &Path, memory: usize) -> Pairs {
        Pairs { rows: Column::new(spill, memory), row: Vec::new(), n: 0 }
    }

    /// Adds a pair; those with the same first document come together.
    pub(super) fn push(&mut self, a: u32, b: u32) -> Result<()> {
        if self.row.first() != Some(&a) || self.row.len() > LONGEST_ROW {
            self.end_row()?;
            self.row.push(a);
        }
        self.row.push(b);
        self.n += 1;
        Ok(())
    }

    pub(super) fn end_row(&mut self) -> Result<()> {
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

    /// The documents in pairs, of `n_documents`.
    pub(super) fn members(&self, n_documents: usize) -> Result<Bits> {
        let mut members = Bits::new(n_documents);
        self.for_each(|a, others| {
            members.insert(a);
            for &other in others {
                members.insert(other);
            }
        })?;
        Ok(members)
    }

    /// How many rows.
    pub(super) fn n_rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// How many pairs a row has.
    pub(super) fn row_len(&self, row: u32) -> usize {
        self.rows.row_len(row) - 1
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
    fn for_each(&self, mut work: impl FnMut(u32, &[u32])) -> Result<()> {
        let mut scratch = Scratch::default();
        for row in 0..self.n_rows() {
            let (a, others) = self.row(row, &mut scratch)?;
            work(a, others);
        }
        Ok(())
    }
}

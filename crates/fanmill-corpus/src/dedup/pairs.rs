//! Candidate pairs, grouped by their first document. There may be more than fit into memory.

use std::path::Path;

use fanmill_text::Result;

use crate::spill::column::Scratch;
use crate::spill::{Bits, Column};

/// Maximum number of partners in one row. Longer lists are split, so that a row is a small piece of work.
const LONGEST_ROW: usize = 1 << 12;

/// Pairs of documents.
#[derive(Debug)]
pub(super) struct Pairs {
    /// Rows of a first document and its partners.
    rows: Column<u32>,
    row: Vec<u32>,
    n: u64,
}

impl Pairs {
    pub(super) fn new(spill: &Path, memory: usize) -> Pairs {
        Pairs { rows: Column::new(spill, memory), row: Vec::new(), n: 0 }
    }

    /// Adds a pair; pairs with the same first document come one after another.
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

    /// Returns the number of pairs.
    pub(super) fn len(&self) -> u64 {
        self.n
    }

    /// Returns the documents that are in pairs, out of `n_documents`.
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

    /// Returns the number of rows.
    pub(super) fn n_rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Returns the number of pairs in a row.
    pub(super) fn row_len(&self, row: u32) -> usize {
        self.rows.row_len(row) - 1
    }

    /// Returns a row: a document and its partners.
    pub(super) fn row<'a>(
        &'a self,
        row: u32,
        scratch: &'a mut Scratch<u32>,
    ) -> Result<(u32, &'a [u32])> {
        let row = self.rows.get(row, scratch)?;
        Ok((row[0], &row[1..]))
    }

    /// Calls `work` with each row.
    fn for_each(&self, mut work: impl FnMut(u32, &[u32])) -> Result<()> {
        let mut scratch = Scratch::default();
        for row in 0..self.n_rows() {
            let (a, others) = self.row(row, &mut scratch)?;
            work(a, others);
        }
        Ok(())
    }
}

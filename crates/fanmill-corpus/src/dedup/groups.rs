//! Groups of documents, each a document and the others that it is compared for.
//!
//! Cost: a sort of 8 bytes for each of the others, on disk beyond the budget; then 4 bytes for each, and 8 bytes of memory
//! a group.

use std::path::Path;

use fanmill_text::Result;

use crate::spill::column::Scratch;
use crate::spill::{Bits, Column, Sorter};

/// Pairs of the document of a group that is compared, and another one of that group; in any order.
pub(super) type PairSorter = Sorter<(u32, u32)>;

/// The groups of two documents or more.
#[derive(Debug)]
pub(super) struct Groups {
    /// The document of each group that is compared.
    heads: Bits,
    /// The others of each group, by the rank of that document; ascending.
    others: Column<u32>,
}

impl Groups {
    /// Puts the pairs of each group into a row; documents are numbered below `n_documents`.
    pub(super) fn gather(
        pairs: PairSorter,
        n_documents: u32,
        (spill, memory): (&Path, usize),
    ) -> Result<Groups> {
        let mut heads = Bits::new(n_documents as usize);
        let mut others = Column::new(spill, memory);
        let (mut row, mut of) = (Vec::new(), None);
        for pair in pairs.sorted()? {
            let (head, other) = pair?;
            if of.is_some_and(|of| of != head) {
                others.push(&row)?;
                row.clear();
            }
            of = Some(head);
            heads.insert(head);
            row.push(other);
        }
        if of.is_some() {
            others.push(&row)?;
        }
        Ok(Groups { heads: heads.ranked(), others })
    }

    /// Iterates over the documents of groups that are compared, ascending.
    pub(super) fn heads(&self) -> impl Iterator<Item = u32> + '_ {
        self.heads.iter()
    }

    /// Returns the others of the group whose document `head` is compared, ascending; none if there is no such group.
    pub(super) fn of<'a>(&'a self, head: u32, scratch: &'a mut Scratch<u32>) -> Result<&'a [u32]> {
        if self.heads.contains(head) {
            self.others.get(self.heads.rank(head), scratch)
        } else {
            Ok(&[])
        }
    }
}

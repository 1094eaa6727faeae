//! Making the rows of a new column from those of others, block by block, in the threads of a pool.
//!
//! Blocks are made in waves: memory holds one wave of them in addition to the columns, and the work can be interrupted
//! between two blocks.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, FixedSizeListArray, ListArray, PrimitiveArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};
use fanmill_records::arrow::Texts;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use crate::arrays::Arrays;

/// Number of rows that a thread takes at a time: 64 documents of the web are a quarter of a megabyte.
pub(crate) const BLOCK: usize = 64;
/// Number of rows in a wave, after which its blocks are handed on.
const WAVE: usize = 64 * BLOCK;

/// Makes blocks of `n_rows` rows, and passes them to `take` in their order.
///
/// # Errors
/// Those of `make` and `take`; or if the work is cancelled.
pub(crate) fn each_block<S: Default, M: Send>(
    n_rows: usize,
    progress: &dyn Progress,
    make: impl Fn(&mut S, Range<usize>) -> Result<M> + Sync,
    mut take: impl FnMut(M) -> Result<()>,
) -> Result<()> {
    for start in (0..n_rows).step_by(WAVE) {
        let end = n_rows.min(start + WAVE);
        let blocks = (start..end).into_par_iter().step_by(BLOCK);
        let made = blocks.map_init(S::default, |scratch, first| {
            progress.check()?;
            make(scratch, first..end.min(first + BLOCK))
        });
        for block in made.collect::<Vec<Result<M>>>() {
            take(block?)?;
        }
        progress.advance_by((end - start) as u64);
    }
    Ok(())
}

/// Makes lists of numbers, one for each text of a column. `row` makes the numbers of a text, or `None` for a null.
///
/// # Errors
/// As for [`each_block`]; or if the column does not have texts.
pub(crate) fn lists<S: Default>(
    arrays: Arrays,
    width: Option<usize>,
    progress: &dyn Progress,
    row: impl for<'s> Fn(&'s mut S, &str) -> Option<&'s [u64]> + Sync,
) -> Result<ArrayRef> {
    let (mut lists, mut n_before) = (Lists::new(width), 0);
    for array in arrays {
        let texts = Texts::new(&array?, n_before)?;
        n_before += texts.len();
        let make = |scratch: &mut S, rows: Range<usize>| {
            let mut block = Block::default();
            for i in rows {
                block.push(texts.text(i)?.and_then(|text| row(scratch, text)));
            }
            Ok(block)
        };
        each_block(texts.len(), progress, make, |block| lists.take(&block))?;
    }
    lists.finish()
}

/// The lists of some rows.
#[derive(Debug, Default)]
struct Block {
    values: Vec<u64>,
    lengths: Vec<Option<usize>>,
}

impl Block {
    fn push(&mut self, row: Option<&[u64]>) {
        self.values.extend_from_slice(row.unwrap_or_default());
        self.lengths.push(row.map(<[u64]>::len));
    }
}

/// Lists that become a column: of one width, or of any lengths.
#[derive(Debug)]
struct Lists {
    width: Option<usize>,
    values: Vec<i64>,
    /// Offsets of the lists; with one width, only the first.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Lists {
    fn new(width: Option<usize>) -> Lists {
        Lists { width, values: Vec::new(), offsets: vec![0], nulls: NullBufferBuilder::new(0) }
    }

    fn take(&mut self, block: &Block) -> Result<()> {
        let mut values = bytemuck::cast_slice(&block.values);
        for &length in &block.lengths {
            let (row, rest) = values.split_at(length.unwrap_or(0));
            values = rest;
            self.values.extend_from_slice(row);
            match self.width {
                // A null takes up as much space as any other list.
                Some(width) => self.values.resize(self.values.len() + width - row.len(), 0),
                None => self.offsets.push(offset(self.values.len())?),
            }
            self.nulls.append(length.is_some());
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ArrayRef> {
        let nulls = self.nulls.finish();
        let values: ArrayRef = Arc::new(PrimitiveArray::<Int64Type>::from(self.values));
        let field = Arc::new(Field::new("item", DataType::Int64, false));
        let made: std::result::Result<ArrayRef, _> = if let Some(width) = self.width {
            let list = FixedSizeListArray::try_new(field, offset(width)?, values, nulls);
            list.map(|list| Arc::new(list) as ArrayRef)
        } else {
            let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
            ListArray::try_new(field, offsets, values, nulls).map(|list| Arc::new(list) as ArrayRef)
        };
        made.map_err(|error| Error::input(format!("the column cannot be made: {error}")))
    }
}

/// Returns the offset at which a list of a column begins or ends.
///
/// # Errors
/// If that is beyond the limit of a column.
pub(crate) fn offset(n_values: usize) -> Result<i32> {
    i32::try_from(n_values).map_err(|_| {
        Error::input(format!("the lists have more than {} numbers, which is the limit of a column; give fewer texts at a time", i32::MAX))
    })
}

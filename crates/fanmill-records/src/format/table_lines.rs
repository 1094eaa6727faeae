//! Rows of a table, read as lines below a header.

use fanmill_text::Result;

use super::batch::Parser;
use super::blocks::Blocks;
use super::lines::Lines;
use super::record_format::Input;
use super::rows::{self, Table};
use super::{Options, OutputForm};
use crate::record::{Record, RecordAction};

/// Opens a table whose fields are separated by `delimiter`, and reads its header.
///
/// # Errors
/// If it cannot be read, has no header, or lacks what `options` ask for.
pub(super) fn open(input: Input<'_>, delimiter: u8, options: &Options) -> Result<Lines> {
    let mut blocks = Blocks::open(input.path, input.packing, options)?;
    let (table, beginning, n) = rows::header(&mut blocks, delimiter, options)?;
    Ok(Lines::new(blocks, table, options).rows(delimiter, beginning, n))
}

impl Parser for Table {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        Table::parse(self, record)
    }

    fn mark_header(&self, header: &[u8], writes: OutputForm, out: &mut Vec<u8>) {
        Table::mark_header(self, header, writes, out);
    }

    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        Table::edit(self, record, action, out)
    }
}

//! Rows of fields separated by tabs, under a header of names.

use fanmill_text::Result;

use super::super::facts::{Facts, Format, Shape};
use super::super::record_format::{Input, RecordFormat, Source};
use super::super::table_lines;
use super::super::{Columns, Options};

/// Tab-separated tables.
pub(super) struct Tsv;

static FACTS: Facts = Facts { extensions: &["tsv", "tab"], ..Facts::for_many("tsv", Shape::Table) };

impl Format {
    /// Rows of fields separated by tabs, under a header of names.
    pub const TSV: Format = Format(&FACTS);
}

impl RecordFormat for Tsv {
    fn format(&self) -> Format {
        Format::TSV
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        Ok(Box::new(table_lines::open(input, b'\t', options)?))
    }
}

//! Rows of fields separated by commas, under a header of names.

use fanmill_text::Result;

use super::super::facts::{Facts, Format, Shape};
use super::super::record_format::{Input, RecordFormat, Source};
use super::super::table_lines;
use super::super::{Columns, Options};

/// Comma-separated tables.
pub(super) struct Csv;

static FACTS: Facts = Facts { extensions: &["csv"], ..Facts::for_many("csv", Shape::Table) };

impl Format {
    /// Rows of fields separated by commas, under a header of names.
    pub const CSV: Format = Format(&FACTS);
}

impl RecordFormat for Csv {
    fn format(&self) -> Format {
        Format::CSV
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        Ok(Box::new(table_lines::open(input, b',', options)?))
    }
}

//! Apache Parquet.

use std::path::Path;

use fanmill_text::Result;

use super::super::batch::Content;
use super::super::columns::{self, Rows};
use super::super::columns_out::ColumnsOut;
use super::super::facts::{Facts, Format, Shape};
use super::super::no_rows::{sink, source};
use super::super::parquet_file::PARQUET;
use super::super::raw_out::Files;
use super::super::record_format::{ChooseGroup, Input, RecordFormat, Sink, Source, Wrong};
use super::super::{Columns, Options, OutputForm};
use crate::record::RecordAction;

/// Files of columns.
pub(super) struct Parquet;

static FACTS: Facts = Facts {
    extensions: &["parquet", "pq"],
    signature: Some((b"PAR1", "a Parquet file")),
    ..Facts::for_many("parquet", Shape::Groups)
};

impl Format {
    /// Apache Parquet.
    pub const PARQUET: Format = Format(&FACTS);
}

impl RecordFormat for Parquet {
    fn format(&self) -> Format {
        Format::PARQUET
    }

    fn open(
        &self,
        input: Input<'_>,
        options: &Options,
        columns: Columns,
    ) -> Result<Box<dyn Source>> {
        source(Rows::open(input.path, options, columns), PARQUET)
    }

    fn create<'a>(
        &self,
        input: Input<'_>,
        (files, path): (&'a dyn Files, &Path),
        options: &Options,
        writes: OutputForm,
    ) -> Result<Box<dyn Sink + 'a>> {
        sink(ColumnsOut::create(input.path, files, path, options, writes))
    }

    fn unchangeable(&self, input: Input<'_>, options: &Options) -> Result<Option<String>> {
        columns::unchangeable(input.path, options)
    }
}

impl Source for Rows {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        let table = Rows::next(self)?;
        let is_more = table.is_some();
        *content = Content::Columns(table);
        Ok(is_more)
    }

    fn choose_groups(&mut self, choose: ChooseGroup<'_>) -> Result<()> {
        self.choose(choose)
    }
}

impl Sink for ColumnsOut {
    fn copies_groups(&self) -> bool {
        ColumnsOut::copies_groups(self)
    }

    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool> {
        let Content::Columns(Some(table)) = content else { return Ok(false) };
        ColumnsOut::write(self, table, actions, wrong).map(|()| true)
    }

    fn finish(self: Box<Self>) -> Result<bool> {
        ColumnsOut::finish(*self).map(|()| true)
    }
}

//! Arrow IPC: files (Feather, version 2) and streams.

use std::path::Path;

use fanmill_text::Result;

use super::super::batch::Content;
use super::super::cells::Plan;
use super::super::facts::{Facts, Format, Shape};
use super::super::fault::Fault;
use super::super::ipc::{ARROW, Ipc, MAGIC, begins_stream};
use super::super::ipc_out::IpcOut;
use super::super::ipc_rows::{IpcRows, most};
use super::super::no_rows::{sink, source};
use super::super::raw_out::Files;
use super::super::record_format::{Input, RecordFormat, Sink, Source, Wrong};
use super::super::{Columns, Options, OutputForm};
use crate::record::RecordAction;

/// Files and streams of batches of rows.
pub(super) struct Arrow;

static FACTS: Facts = Facts {
    extensions: &["arrow", "feather", "ipc", "arrows"],
    signature: Some((MAGIC, ARROW)),
    begins: begins_stream,
    fault: |head| {
        head.starts_with(b"FEA1")
            .then_some("Feather of version 1, which is not read: write it again as version 2")
    },
    ..Facts::for_many("arrow", Shape::Groups)
};

impl Format {
    /// Arrow IPC, files and streams.
    pub const ARROW: Format = Format(&FACTS);
}

impl RecordFormat for Arrow {
    fn format(&self) -> Format {
        Format::ARROW
    }

    fn open(
        &self,
        input: Input<'_>,
        options: &Options,
        columns: Columns,
    ) -> Result<Box<dyn Source>> {
        source(IpcRows::open(input.path, options, columns), ARROW)
    }

    fn create<'a>(
        &self,
        input: Input<'_>,
        (files, path): (&'a dyn Files, &Path),
        options: &Options,
        writes: OutputForm,
    ) -> Result<Box<dyn Sink + 'a>> {
        sink(IpcOut::create(input.path, files, path, options, writes))
    }

    fn unchangeable(&self, input: Input<'_>, options: &Options) -> Result<Option<String>> {
        // An unreadable file is not written again.
        match Ipc::open(input.path, most(options)) {
            Ok(file) => Ok(Plan::new(input.path, &file.schema, options)?.unchangeable()),
            Err(Fault::Damage(_)) => Ok(None),
            Err(Fault::Error(error)) => Err(error),
        }
    }
}

impl Source for IpcRows {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        let table = IpcRows::next(self)?;
        let is_more = table.is_some();
        *content = Content::Columns(table);
        Ok(is_more)
    }
}

impl Sink for IpcOut {
    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool> {
        let Content::Columns(Some(table)) = content else { return Ok(false) };
        IpcOut::write(self, table, actions, wrong).map(|()| true)
    }

    fn finish(self: Box<Self>) -> Result<bool> {
        IpcOut::finish(*self).map(|()| true)
    }
}

//! ZIM files, in which Kiwix offers Wikipedia and other libraries.

use std::path::Path;

use fanmill_library::zim::MAGIC;
use fanmill_text::{Error, Result};

use super::super::batch::{Content, Parser};
use super::super::facts::{Facts, Format, NamedBy, Shape};
use super::super::no_rows::source;
use super::super::raw_out::Files;
use super::super::record_format::{Input, RecordFormat, Sink, Source};
use super::super::zim::{Pages, ZIM, ZimArticles};
use super::super::{Columns, Options, OutputForm};
use crate::record::{Record, RecordAction};

/// Files of articles.
pub(super) struct Zim;

static FACTS: Facts = Facts {
    named_by: NamedBy::Address,
    extensions: &["zim"],
    signature: Some((MAGIC, ZIM)),
    fault: |head| (!head.starts_with(MAGIC)).then_some("something else"),
    names_authors: true,
    is_markdown: true,
    ..Facts::for_many("zim", Shape::Sequence)
};

/// The reason why an article stays as it is.
const UNCHANGEABLE: &str = "no text can be put back into a ZIM file";

impl Format {
    /// ZIM files, their articles as Markdown with code in fences.
    pub const ZIM: Format = Format(&FACTS);
}

impl RecordFormat for Zim {
    fn format(&self) -> Format {
        Format::ZIM
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        source(ZimArticles::open(input.path, options), ZIM)
    }

    fn create<'a>(
        &self,
        input: Input<'_>,
        _: (&'a dyn Files, &Path),
        _: &Options,
        _: OutputForm,
    ) -> Result<Box<dyn Sink + 'a>> {
        Err(not_written(input))
    }

    fn check_output(&self, input: Input<'_>, _: OutputForm) -> Result<()> {
        Err(not_written(input))
    }

    fn unchangeable(&self, _: Input<'_>, _: &Options) -> Result<Option<String>> {
        Ok(Some(UNCHANGEABLE.to_owned()))
    }
}

fn not_written(input: Input<'_>) -> Error {
    Error::setting(format!(
        "`{}` is {ZIM}, which is read and not written again; ask for a report only",
        input.path.display()
    ))
}

impl Source for ZimArticles {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        ZimArticles::next(self, content.raw())
    }
}

impl Parser for Pages {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        Ok(Pages::parse(self, record))
    }

    fn edit(
        &self,
        _: &[u8],
        _: &RecordAction<'_>,
        _: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        Err(UNCHANGEABLE.to_owned())
    }

    fn unchangeable(&self, _: &[u8]) -> Option<&'static str> {
        Some(UNCHANGEABLE)
    }
}

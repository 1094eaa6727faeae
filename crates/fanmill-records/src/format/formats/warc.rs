//! Web archives, WET files included.

use fanmill_text::Result;

use super::super::archived::Headers;
use super::super::batch::{Content, Parser};
use super::super::blocks::Blocks;
use super::super::facts::{Facts, Format, NamedBy, Shape};
use super::super::record_format::{Input, RecordFormat, Source};
use super::super::warc::Archive;
use super::super::{Columns, Options};
use crate::record::{Record, RecordAction};

/// Archives of the answers of web servers.
pub(super) struct Warc;

static FACTS: Facts = Facts {
    named_by: NamedBy::Address,
    extensions: &["warc", "wet"],
    signature: Some((b"WARC/", "a web archive")),
    ..Facts::for_many("warc", Shape::Sequence)
};

impl Format {
    /// Web archives, WET files included.
    pub const WARC: Format = Format(&FACTS);
}

impl RecordFormat for Warc {
    fn format(&self) -> Format {
        Format::WARC
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        Ok(Box::new(open(input, options)?))
    }

    fn unchangeable(&self, input: Input<'_>, options: &Options) -> Result<Option<String>> {
        open(input, options)?.unchangeable()
    }
}

fn open(input: Input<'_>, options: &Options) -> Result<Archive> {
    Ok(Archive::new(Blocks::open(input.path, input.packing, options)?, options))
}

impl Source for Archive {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        Archive::next(self, content.raw())
    }
}

impl Parser for Headers {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        Headers::parse(self, record)
    }

    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        Headers::edit(record, action, out)
    }

    fn unchangeable(&self, record: &[u8]) -> Option<&'static str> {
        Headers::unchangeable(record)
    }
}

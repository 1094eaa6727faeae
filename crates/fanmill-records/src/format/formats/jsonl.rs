//! A JSON object on each line.

use fanmill_text::Result;

use super::super::batch::{Content, Parser};
use super::super::blocks::Blocks;
use super::super::facts::{Facts, Format, Shape};
use super::super::fields::Fields;
use super::super::lines::Lines;
use super::super::record_format::{Input, RecordFormat, Source};
use super::super::{Columns, Options};
use crate::record::{Record, RecordAction};

/// Lines of JSON.
pub(super) struct Jsonl;

static FACTS: Facts = Facts {
    extensions: &["jsonl", "ndjson", "json", "jsonlines"],
    begins: |text| {
        let inside = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        matches!(inside, Some([b'"' | b'}', ..]))
    },
    fault: |text| {
        text.starts_with(b"[").then_some(
            "one JSON array, while each record should be a line: `jq -c '.[]'` makes it so",
        )
    },
    ..Facts::for_many("jsonl", Shape::Lines)
};

impl Format {
    /// A JSON object on each line.
    pub const JSONL: Format = Format(&FACTS);
}

impl RecordFormat for Jsonl {
    fn format(&self) -> Format {
        Format::JSONL
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        let blocks = Blocks::open(input.path, input.packing, options)?;
        Ok(Box::new(Lines::new(blocks, Fields::new(options), options)))
    }
}

impl Source for Lines {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        Lines::next(self, content.raw())
    }
}

impl Parser for Fields {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        room: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        Fields::parse(self, record, room)
    }

    fn unchangeable(&self, record: &[u8]) -> Option<&'static str> {
        Fields::unchangeable(self, record)
    }

    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        Fields::edit(self, record, action, out)
    }
}

//! Mailboxes: messages one after another.

use fanmill_text::Result;

use super::super::batch::{Content, Parser};
use super::super::blocks::Blocks;
use super::super::facts::{Facts, Format, NamedBy, Shape};
use super::super::mailbox::{Mailbox, Messages};
use super::super::record_format::{Input, RecordFormat, Source};
use super::super::{Columns, Options};
use crate::record::{Record, RecordAction};

/// Mailboxes in one file.
pub(super) struct Mbox;

static FACTS: Facts = Facts {
    named_by: NamedBy::Header,
    extensions: &["mbox", "mbx"],
    ..Facts::for_many("mbox", Shape::Sequence)
};

impl Format {
    /// Mailboxes: messages one after another, whose text is what a mail program shows.
    pub const MBOX: Format = Format(&FACTS);
}

impl RecordFormat for Mbox {
    fn format(&self) -> Format {
        Format::MBOX
    }

    fn open(&self, input: Input<'_>, options: &Options, _: Columns) -> Result<Box<dyn Source>> {
        let blocks = Blocks::open(input.path, input.packing, options)?;
        Ok(Box::new(Mailbox::new(blocks, options)))
    }

    fn unchangeable(&self, _: Input<'_>, _: &Options) -> Result<Option<String>> {
        Ok(Some("no text can be put back into a message of a mailbox".to_owned()))
    }
}

impl Source for Mailbox {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        Mailbox::next(self, content.raw())
    }
}

impl Parser for Messages {
    fn parse<'a>(
        &self,
        record: &'a [u8],
        _: Option<&'a mut Vec<u8>>,
    ) -> std::result::Result<Record<'a>, String> {
        Messages::parse(self, record)
    }

    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        Messages::edit(record, action, out)
    }

    fn unchangeable(&self, _: &[u8]) -> Option<&'static str> {
        Some("no text can be put back into a message")
    }
}

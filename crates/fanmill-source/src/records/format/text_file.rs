//! A file that is one record: plain text, or a page, of which the text is taken out.
//!
//! Its bytes are the file's, packed as it is: they are unpacked and decoded where the record is parsed.

use std::borrow::Cow;
use std::io::Read;
use std::path::PathBuf;

use super::name::Name;
use super::{Format, lower};
use crate::packing::Packing;
use crate::records::html;
use crate::records::record::Record;

/// What is known of a file before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LooseFile {
    /// Its path in the output; its record's name.
    pub(super) name: Name,
    /// Where it is.
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) packing: Packing,
    pub(super) record_bytes: usize,
    /// Whether it could be opened.
    pub(super) is_readable: bool,
}

impl LooseFile {
    /// Why it cannot get another text; `None` if it can.
    pub(super) fn unchangeable(&self) -> Option<&'static str> {
        (self.format != Format::Text).then_some("no text can be put back into a page")
    }

    pub(super) fn parse<'a>(
        &'a self,
        bytes: &'a [u8],
        n_extra: usize,
    ) -> std::result::Result<Record<'a>, String> {
        let text = match (self.unpacked(bytes)?, self.format) {
            (bytes, Format::Html) => html::seen(&html::decode(&bytes, None)),
            (Cow::Borrowed(bytes), _) => html::guessed(bytes),
            (Cow::Owned(bytes), _) => html::guessed(&bytes).into_owned(),
        };
        if text.characters.contains('\0') {
            return Err("not a text: it contains NUL bytes".to_owned());
        }
        let flaw = text.flaw();
        Ok(Record {
            text: text.characters,
            id: Some(Cow::from(self.name.shown())),
            extra: vec![None; n_extra],
            flaw,
        })
    }

    fn unpacked<'a>(&self, bytes: &'a [u8]) -> std::result::Result<Cow<'a, [u8]>, String> {
        if self.packing == Packing::Plain {
            return Ok(Cow::Borrowed(bytes));
        }
        let limit = self.record_bytes;
        let mut all = Vec::new();
        let input = self.packing.unpack(bytes).map(|input| input.take(limit as u64 + 1));
        let read = input.and_then(|mut input| input.read_to_end(&mut all));
        read.map_err(|error| format!("damaged: {}", lower(&error)))?;
        if all.len() > limit {
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        Ok(Cow::Owned(all))
    }
}

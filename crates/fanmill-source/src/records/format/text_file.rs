//! A file that is one record: plain text, or a page or a document, of which the text is taken out.
//!
//! Its bytes are the file's, packed as it is: they are unpacked and decoded where the record is parsed.

use std::borrow::Cow;
use std::io::Read;
use std::path::PathBuf;

use fanmill_extract::extracted::Flag;

use super::name::Name;
use super::{Format, lower};
use crate::documents;
use crate::packing::Packing;
use crate::records::html;
use crate::records::record::{Flaw, Record};

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
        match self.format {
            Format::Text => None,
            Format::Document => Some("no text can be put back into a document"),
            _ => Some("no text can be put back into a page"),
        }
    }

    pub(super) fn parse<'a>(
        &'a self,
        bytes: &'a [u8],
        n_extra: usize,
    ) -> std::result::Result<Record<'a>, String> {
        if self.format == Format::Document {
            return self.extracted(&self.unpacked(bytes)?, n_extra);
        }
        let text = match (self.unpacked(bytes)?, self.format) {
            (bytes, Format::Html) => html::seen(&html::decode(&bytes, None)),
            (Cow::Borrowed(bytes), _) => html::guessed(bytes),
            (Cow::Owned(bytes), _) => html::guessed(&bytes).into_owned(),
        };
        if text.characters.contains('\0') {
            return Err("not a text: it contains NUL bytes".to_owned());
        }
        let flaw = text.flaw();
        Ok(self.record(text.characters, n_extra, flaw))
    }

    fn record<'a>(&'a self, text: Cow<'a, str>, n_extra: usize, flaw: Option<Flaw>) -> Record<'a> {
        let id = Some(Cow::from(self.name.shown()));
        Record { text, id, extra: vec![None; n_extra], flaw }
    }

    /// The text of a document as a record.
    fn extracted(&self, bytes: &[u8], n_extra: usize) -> std::result::Result<Record<'_>, String> {
        let document = documents::read(bytes, self.record_bytes as u64)?;
        let is_whole = document.flags.iter().all(|flag| *flag == Flag::Macros);
        let flaw = (!is_whole).then_some(Flaw::Partial);
        Ok(self.record(Cow::Owned(document.text), n_extra, flaw))
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

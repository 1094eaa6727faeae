//! A file that is one record: plain text, or a page or a document, of which the text is taken out.
//!
//! Its bytes are the file's, packed as it is: they are unpacked and decoded where the record is parsed.

use fanmill_text::message::Message;
use std::borrow::Cow;
use std::fmt::Debug;
use std::io::Read;
use std::path::PathBuf;

use super::name::Name;
use super::{Format, lower};
use crate::record::{Flaw, Record};
use crate::text::Text;
use fanmill_disk::packing::Packing;

/// What is known of a file before it is read.
#[derive(Debug)]
pub(super) struct LooseFile {
    /// Its path in the output; its record's name.
    pub(super) name: Name,
    /// Where it is.
    pub(super) path: PathBuf,
    pub(super) format: &'static dyn LooseFormat,
    pub(super) packing: Packing,
    pub(super) record_bytes: usize,
    /// Whether it could be opened.
    pub(super) is_readable: bool,
}

/// A format of which each file is one record.
pub(super) trait LooseFormat: Debug + Sync {
    /// Its name, and how its files are recognised.
    fn format(&self) -> Format;

    /// The word for one of its files.
    fn noun(&self) -> &'static str;

    /// Why no file can get another text; `None` if each can.
    fn unchangeable(&self) -> Option<&'static str>;

    /// Takes the text out of a file's bytes, unpacked; `most` bytes at most.
    ///
    /// # Errors
    /// The reason why it has none, in lower case.
    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        most: usize,
    ) -> std::result::Result<LooseText<'a>, Message>;
}

/// The text of a file, and what it lacks.
#[derive(Debug)]
pub(super) struct LooseText<'a> {
    pub(super) characters: Cow<'a, str>,
    pub(super) flaw: Option<Flaw>,
}

impl<'a> LooseText<'a> {
    /// A text as it was decoded.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn decoded(text: Text<'a>) -> std::result::Result<LooseText<'a>, Message> {
        if text.characters.contains('\0') {
            return Err("not a text: it contains NUL bytes".into());
        }
        let flaw = text.flaw();
        Ok(LooseText { characters: text.characters, flaw })
    }
}

impl LooseFile {
    /// Why it cannot get another text; `None` if it can.
    pub(super) fn unchangeable(&self) -> Option<&'static str> {
        self.format.unchangeable()
    }

    pub(super) fn parse<'a>(
        &'a self,
        bytes: &'a [u8],
        n_extra: usize,
    ) -> std::result::Result<Record<'a>, Message> {
        let text = self.format.text(self.unpacked(bytes)?, self.record_bytes)?;
        let id = Some(Cow::from(self.name.shown()));
        Ok(Record { text: text.characters, id, extra: vec![None; n_extra], flaw: text.flaw })
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

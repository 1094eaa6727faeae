//! Files that are one record each: plain text, or a page or document whose text is extracted.
//!
//! The record's bytes are the file's, packed as it is; they are unpacked and decoded when the record is parsed.

use fanmill_text::message;
use fanmill_text::message::Message;
use std::borrow::Cow;
use std::fmt::Debug;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use super::name::Name;
use super::{Format, lower};
use crate::record::{Flaw, Record};
use crate::text::Text;
use fanmill_disk::packing::{Obstacle, Packing, UnpackOptions};
use fanmill_source::Extractor;

/// A file as it is known before it is read.
#[derive(Debug)]
pub(super) struct LooseFile {
    /// Its path in the output, and its record's name.
    pub(super) name: Name,
    /// Its path on the disk.
    pub(super) path: PathBuf,
    pub(super) format: &'static dyn LooseFormat,
    pub(super) packing: Packing,
    pub(super) record_bytes: usize,
    pub(super) unpacks: UnpackOptions,
    /// The reader of documents.
    pub(super) extractor: Arc<Extractor>,
    /// True if it could be opened.
    pub(super) is_readable: bool,
}

/// A format whose files are one record each.
pub(super) trait LooseFormat: Debug + Sync {
    /// Returns its name, and how its files are recognised.
    fn format(&self) -> Format;

    /// Returns the word for one of its files.
    fn noun(&self) -> &'static str;

    /// Returns the reason why no file can get another text; `None` if each can.
    fn unchangeable(&self) -> Option<&'static str>;

    /// Extracts the text from a file's unpacked bytes; at most `most` bytes. Documents are read by `extractor`.
    ///
    /// # Errors
    /// Returns the reason why it has no text, in lower case.
    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        most: usize,
        extractor: &Extractor,
    ) -> std::result::Result<LooseText<'a>, Message>;
}

/// The text of a file, and its flaw.
#[derive(Debug)]
pub(super) struct LooseText<'a> {
    pub(super) characters: Cow<'a, str>,
    pub(super) flaw: Option<Flaw>,
}

impl<'a> LooseText<'a> {
    /// Takes a text as it was decoded.
    ///
    /// # Errors
    /// If it is not a text.
    pub(super) fn decoded(text: Text<'a>) -> std::result::Result<LooseText<'a>, Message> {
        if text.characters.contains('\0') {
            return Err("not a text: it contains NUL bytes".into());
        }
        let flaw = text.flaw();
        Ok(LooseText { characters: text.characters, flaw })
    }
}

impl LooseFile {
    /// Returns the reason why it cannot get another text; `None` if it can.
    pub(super) fn unchangeable(&self) -> Option<&'static str> {
        self.format.unchangeable()
    }

    pub(super) fn parse<'a>(
        &'a self,
        bytes: &'a [u8],
        n_extra: usize,
    ) -> std::result::Result<Record<'a>, Message> {
        let read = |bytes| self.format.text(bytes, self.record_bytes, &self.extractor);
        let name = self.name.shown();
        let named = |reason: Message| message!["`{name}`: ", reason];
        let text = self.unpacked(bytes).map_err(Message::from).and_then(read).map_err(named)?;
        let flaw = text.flaw.map(|flaw| Flaw::Other(named(flaw.into())));
        let id = Some(Cow::from(name));
        Ok(Record { text: text.characters, id, extra: vec![None; n_extra], flaw })
    }

    fn unpacked<'a>(&self, bytes: &'a [u8]) -> std::result::Result<Cow<'a, [u8]>, String> {
        if self.packing == Packing::Plain {
            return Ok(Cow::Borrowed(bytes));
        }
        let limit = self.record_bytes;
        let mut all = Vec::new();
        let input = self.packing.unpack_with(bytes, self.unpacks.clone());
        let mut input = input.take(limit as u64 + 1);
        input.read_to_end(&mut all).map_err(|error| match Obstacle::from_error(&error) {
            Some(obstacle) => format!("not unpacked: {obstacle}"),
            None => format!("damaged: {}", lower(&error)),
        })?;
        if all.len() > limit {
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        Ok(Cow::Owned(all))
    }
}

//! Mail files: one message and one record each.

use std::borrow::Cow;

use super::super::facts::{Facts, Format};
use super::super::text_file::{LooseFormat, LooseText};
use crate::record::Flaw;
use fanmill_source::{Extractor, messages};

/// Mail messages.
#[derive(Debug)]
pub(super) struct Message;

static FACTS: Facts = Facts { extensions: &["eml"], ..Facts::for_one("message") };

impl Format {
    /// Folders and files of mail: one message each, whose text is what a mail program shows.
    pub const MESSAGE: Format = Format(&FACTS);
}

impl LooseFormat for Message {
    fn format(&self) -> Format {
        Format::MESSAGE
    }

    fn noun(&self) -> &'static str {
        "message"
    }

    fn unchangeable(&self) -> Option<&'static str> {
        Some("no text can be put back into a message")
    }

    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        most: usize,
        extractor: &Extractor,
    ) -> Result<LooseText<'a>, fanmill_text::Message> {
        let message =
            messages::read(&bytes, most as u64, extractor).map_err(|(_, reason)| reason)?;
        let flaw = messages::loss(&message).map(Flaw::Other);
        Ok(LooseText { characters: Cow::Owned(message.text), flaw })
    }
}

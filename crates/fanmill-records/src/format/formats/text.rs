//! Files of plain text: one record each.

use fanmill_text::message::Message;
use std::borrow::Cow;

use super::super::facts::{Facts, Format};
use super::super::text_file::{LooseFormat, LooseText};
use crate::html::guessed;
use fanmill_source::Extractor;

/// Plain text.
#[derive(Debug)]
pub(super) struct Text;

static FACTS: Facts = Facts {
    extensions: &["txt", "text", "md", "markdown", "rst", "adoc", "asc", "org", "tex"],
    ..Facts::for_one("text")
};

impl Format {
    /// Folders and files of plain text: one record each.
    pub const TEXT: Format = Format(&FACTS);
}

impl LooseFormat for Text {
    fn format(&self) -> Format {
        Format::TEXT
    }

    fn noun(&self) -> &'static str {
        "text"
    }

    fn unchangeable(&self) -> Option<&'static str> {
        None
    }

    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        _: usize,
        _: &Extractor,
    ) -> Result<LooseText<'a>, Message> {
        LooseText::decoded(match bytes {
            Cow::Borrowed(bytes) => guessed(bytes),
            Cow::Owned(bytes) => guessed(&bytes).into_owned(),
        })
    }
}

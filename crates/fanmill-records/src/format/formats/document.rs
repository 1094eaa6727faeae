//! Files of PDF, office documents and books: one record each.

use fanmill_text::message::Message;
use std::borrow::Cow;

use super::super::facts::{Facts, Format};
use super::super::text_file::{LooseFormat, LooseText};
use crate::record::Flaw;
use fanmill_source::{Extractor, documents};

/// Documents whose text is extracted.
#[derive(Debug)]
pub(super) struct Document;

static FACTS: Facts = Facts {
    extensions: &[
        "pdf", "docx", "docm", "dotx", "dotm", "odt", "ott", "rtf", "epub", "pptx", "pptm", "ppsx",
        "potx", "odp", "otp", "xlsx", "xlsm", "xltx", "ods", "ots",
    ],
    ..Facts::for_one("document")
};

impl Format {
    /// Folders and files of PDF, office documents and books: one record each.
    pub const DOCUMENT: Format = Format(&FACTS);
}

impl LooseFormat for Document {
    fn format(&self) -> Format {
        Format::DOCUMENT
    }

    fn noun(&self) -> &'static str {
        "document"
    }

    fn unchangeable(&self) -> Option<&'static str> {
        Some("no text can be put back into a document")
    }

    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        most: usize,
        extractor: &Extractor,
    ) -> Result<LooseText<'a>, Message> {
        let document = documents::read(&bytes, most as u64, extractor)?;
        let flaw = documents::loss(&document).map(Flaw::Other);
        Ok(LooseText { characters: Cow::Owned(document.text), flaw })
    }
}

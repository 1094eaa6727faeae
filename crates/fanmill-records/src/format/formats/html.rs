//! Files of HTML: one record each.

use fanmill_text::message::Message;
use std::borrow::Cow;

use super::super::facts::{Facts, Format};
use super::super::text_file::{LooseFormat, LooseText};
use crate::html::{decode, seen};
use fanmill_source::Extractor;

/// Web pages.
#[derive(Debug)]
pub(super) struct Html;

static FACTS: Facts = Facts {
    extensions: &["html", "htm", "xhtml", "shtml"],
    begins: |text| {
        let is = |tag: &[u8]| text.get(..tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag));
        is(b"<!doctype html") || is(b"<html")
    },
    ..Facts::for_one("html")
};

impl Format {
    /// Folders and files of HTML: one record each.
    pub const HTML: Format = Format(&FACTS);
}

impl LooseFormat for Html {
    fn format(&self) -> Format {
        Format::HTML
    }

    fn noun(&self) -> &'static str {
        "page"
    }

    fn unchangeable(&self) -> Option<&'static str> {
        Some("no text can be put back into a page")
    }

    fn text<'a>(
        &self,
        bytes: Cow<'a, [u8]>,
        _: usize,
        _: &Extractor,
    ) -> Result<LooseText<'a>, Message> {
        LooseText::decoded(seen(&decode(&bytes, None)))
    }
}

//! Pages as texts, read by [`fanmill_extract::html`]; hidden text counts as text.

use std::borrow::Cow;

use fanmill_text::frontend::Mark;

use crate::text::Text;

/// Decodes a page, and notes whether bytes had to be replaced: [`fanmill_extract::html::decode`].
pub fn decode<'a>(page: &'a [u8], label: Option<&str>) -> Text<'a> {
    let (characters, is_replaced) = fanmill_extract::html::decode(page, label);
    Text { characters, is_replaced }
}

/// Decodes bytes of unknown encoding, as [`fanmill_text::frontend::decode`] guesses it.
pub(crate) fn guessed(bytes: &[u8]) -> Text<'_> {
    let decoded = fanmill_text::frontend::decode(bytes);
    let is_replaced = decoded.marks.get(Mark::Replaced).count > 0;
    Text { characters: decoded.text, is_replaced }
}

/// Returns the text of a page. Characters that are not shown may have been replaced, too; these do not count.
pub(crate) fn seen(page: &Text<'_>) -> Text<'static> {
    text_of(page, fanmill_extract::html::text)
}

/// Returns the text of a page as [`seen`] does, with its code in fences.
pub(crate) fn fenced(page: &Text<'_>) -> Text<'static> {
    text_of(page, fanmill_extract::html::fenced)
}

fn text_of(page: &Text<'_>, text: fn(&str) -> String) -> Text<'static> {
    let characters = text(&page.characters);
    let is_replaced = page.is_replaced && characters.contains('\u{FFFD}');
    Text { characters: Cow::Owned(characters), is_replaced }
}

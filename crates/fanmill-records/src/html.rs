//! Pages as texts: [`fanmill_extract::html`] reads them, and hidden text is text.

use std::borrow::Cow;

use fanmill_text::frontend::Mark;

use crate::text::Text;

/// A page as characters, and whether bytes had to be replaced: [`fanmill_extract::html::decode`].
pub fn decode<'a>(page: &'a [u8], label: Option<&str>) -> Text<'a> {
    let (characters, is_replaced) = fanmill_extract::html::decode(page, label);
    Text { characters, is_replaced }
}

/// Text of which nothing is known, as [`fanmill_text::frontend::decode`] guesses.
pub(crate) fn guessed(bytes: &[u8]) -> Text<'_> {
    let decoded = fanmill_text::frontend::decode(bytes);
    let is_replaced = decoded.marks.get(Mark::Replaced).count > 0;
    Text { characters: decoded.text, is_replaced }
}

/// The text of a page. Characters that are not shown may have been replaced, too.
pub(crate) fn seen(page: &Text<'_>) -> Text<'static> {
    let characters = fanmill_extract::html::text(&page.characters);
    let is_replaced = page.is_replaced && characters.contains('\u{FFFD}');
    Text { characters: Cow::Owned(characters), is_replaced }
}

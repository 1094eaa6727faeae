//! Decoding of bytes into characters, and whether any were lost.

use std::borrow::Cow;

use crate::record::Flaw;

/// Decoded bytes, and whether any were lost. This is noted when they are decoded, as the author may have written a
/// U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters.
    pub characters: Cow<'a, str>,
    /// True if some bytes are not valid; each run of these became one U+FFFD.
    pub is_replaced: bool,
}

impl<'a> Text<'a> {
    /// Creates a text without a loss.
    pub fn whole(characters: impl Into<Cow<'a, str>>) -> Text<'a> {
        Text { characters: characters.into(), is_replaced: false }
    }

    /// Decodes bytes that should be UTF-8.
    pub fn utf8(bytes: &'a [u8]) -> Text<'a> {
        // Checking first takes half the time of the function that does both.
        match str::from_utf8(bytes) {
            Ok(text) => Text::whole(text),
            Err(_) => Text { characters: String::from_utf8_lossy(bytes), is_replaced: true },
        }
    }

    /// Decodes owned bytes that should be UTF-8.
    pub fn utf8_of(bytes: Vec<u8>) -> Text<'a> {
        match String::from_utf8(bytes) {
            Ok(text) => Text::whole(text),
            Err(error) => Text::utf8(error.as_bytes()).into_owned(),
        }
    }

    /// Returns a text that borrows nothing.
    pub fn into_owned<'b>(self) -> Text<'b> {
        let Text { characters, is_replaced } = self;
        Text { characters: Cow::Owned(characters.into_owned()), is_replaced }
    }

    /// Returns the flaw if any bytes were lost.
    pub fn flaw(&self) -> Option<Flaw> {
        self.is_replaced.then_some(Flaw::Replaced)
    }
}

//! Bytes as characters, and whether any were lost.

use std::borrow::Cow;

use crate::records::record::Flaw;

/// What bytes say, noted where they become characters: a U+FFFD in a text may be one that its author wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters.
    pub characters: Cow<'a, str>,
    /// Whether some bytes stand for no character: each run of these is one U+FFFD.
    pub is_replaced: bool,
}

impl<'a> Text<'a> {
    /// Characters that lack nothing.
    pub fn whole(characters: impl Into<Cow<'a, str>>) -> Text<'a> {
        Text { characters: characters.into(), is_replaced: false }
    }

    /// What bytes say that should be UTF-8.
    pub fn utf8(bytes: &'a [u8]) -> Text<'a> {
        // To ask first takes half the time that the library's function for both takes.
        match str::from_utf8(bytes) {
            Ok(text) => Text::whole(text),
            Err(_) => Text { characters: String::from_utf8_lossy(bytes), is_replaced: true },
        }
    }

    /// The same of bytes that nobody else needs.
    pub fn utf8_of(bytes: Vec<u8>) -> Text<'a> {
        match String::from_utf8(bytes) {
            Ok(text) => Text::whole(text),
            Err(error) => Text::utf8(error.as_bytes()).into_owned(),
        }
    }

    /// Borrowed from nothing.
    pub fn into_owned<'b>(self) -> Text<'b> {
        let Text { characters, is_replaced } = self;
        Text { characters: Cow::Owned(characters.into_owned()), is_replaced }
    }

    /// What it lacks.
    pub fn flaw(&self) -> Option<Flaw> {
        self.is_replaced.then_some(Flaw::Replaced)
    }
}

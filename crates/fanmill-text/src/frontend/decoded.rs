//! A document as text, and a builder for it that all decoders share.

use std::borrow::Cow;

use super::marks::{Mark, Marks};
use super::offset_map::{OffsetMap, narrow};
use crate::span::Span;

/// The evidence for the encoding of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// A byte order mark.
    Mark,
    /// The bytes are valid and could hardly be anything else.
    Valid,
    /// The pattern of zero bytes or escape sequences.
    Pattern,
    /// Most of it is valid; bad sequences are replaced.
    MostlyValid,
    /// A guess from the statistics of letters.
    Guess,
}

/// A document as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without byte order mark; borrowed if the bytes contain it as it is.
    pub text: Cow<'a, str>,
    /// Map from the text to the bytes.
    pub map: OffsetMap,
    /// The name of the encoding, as the WHATWG Encoding Standard writes it: `windows-1252`.
    pub encoding: &'static str,
    /// The evidence for the encoding.
    pub certainty: Certainty,
    /// [`Mark::Replaced`]: bad sequences, each with its bytes.
    pub marks: Marks,
    /// Number of bytes at the end that were not read, because the document is over [`MAX_BYTES`](super::MAX_BYTES).
    pub unread: usize,
}

impl Decoded<'_> {
    /// Returns the same document, with the text borrowed from this one.
    pub fn as_borrowed(&self) -> Decoded<'_> {
        let (map, marks) = (self.map.clone(), self.marks.clone());
        Decoded { text: Cow::Borrowed(&self.text), map, marks, ..*self }
    }
}

/// A decoded text that is being built.
#[derive(Debug)]
pub(super) struct Builder {
    text: String,
    map: OffsetMap,
    marks: Marks,
}

impl Builder {
    /// Creates an empty text, with room for `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Builder {
        Builder { text: String::with_capacity(bytes), map: OffsetMap::new(), marks: Marks::new() }
    }

    /// Skips `bytes` bytes without text: a mark, an escape sequence.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.map.skip(bytes);
    }

    /// Takes a stretch that is already UTF-8.
    pub(super) fn copy(&mut self, text: &str) {
        self.text.push_str(text);
        self.map.copy(text.len());
    }

    /// Takes one character, which was decoded from `bytes` bytes.
    pub(super) fn push(&mut self, c: char, bytes: usize) {
        self.text.push(c);
        self.map.unit(c.len_utf8(), bytes);
    }

    /// Takes a text that was decoded from a sequence of `bytes` bytes, at least one.
    pub(super) fn push_str(&mut self, text: &str, bytes: usize) {
        self.text.push_str(text);
        self.map.unit(text.len(), bytes);
    }

    /// Takes a bad sequence of `bytes` bytes as U+FFFD.
    pub(super) fn replace(&mut self, bytes: usize) {
        let start = self.map.in_len();
        self.marks.add(Mark::Replaced, Span::new(narrow(start), narrow(start + bytes)));
        self.push(char::REPLACEMENT_CHARACTER, bytes);
    }

    /// Returns the number of bytes taken so far.
    pub(super) fn position(&self) -> usize {
        self.map.in_len()
    }

    /// Returns the decoded document.
    pub(super) fn finish(self, encoding: &'static str, certainty: Certainty) -> Decoded<'static> {
        Decoded {
            text: Cow::Owned(self.text),
            map: self.map,
            encoding,
            certainty,
            marks: self.marks,
            unread: 0,
        }
    }

    /// Returns the text and its map, for tests of a decoder alone.
    #[cfg(test)]
    pub(super) fn into_parts(self) -> (String, OffsetMap) {
        (self.text, self.map)
    }
}

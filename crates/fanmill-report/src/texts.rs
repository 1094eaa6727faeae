//! The texts that pages show: requested when a page is written, and released afterwards.

use fanmill::pipeline::Comparison;
use fanmill_text::frontend::{Decoded, OffsetMap, Registry, decode};
use fanmill_text::span::Span;
use fanmill_text::token::Class;

/// A source of the texts of documents.
///
/// Implemented by anything that holds the documents or can read them again. Pages ask for a few documents at a
/// time, from several threads, so that a report over a large corpus need not hold it.
pub trait Texts: Sync {
    /// Returns document `file` of submission `submission`, both as numbered in the report; `None` if it can no longer
    /// be read, which the page then says.
    fn text(&self, submission: u32, file: u32) -> Option<Decoded<'_>>;

    /// Passes the tokens that this document was compared by to `take`, in order: the class of each for its reader, and
    /// its bytes of the original. Without any, the page shows plain text.
    ///
    /// `decoded` is what [`text`](Self::text) returned.
    fn tokens(
        &self,
        submission: u32,
        file: u32,
        decoded: &Decoded<'_>,
        take: &mut dyn FnMut(Class, Span),
    );
}

/// A document's text as it is shown, with the places of the original's bytes in it.
#[derive(Debug, Clone, Copy)]
pub struct ShownText<'a> {
    text: &'a str,
    /// The map from the text to the original.
    map: &'a OffsetMap,
}

impl<'a> ShownText<'a> {
    /// Takes what is shown of a decoded document.
    pub fn from_decoded(decoded: &'a Decoded<'_>) -> ShownText<'a> {
        ShownText { text: &decoded.text, map: &decoded.map }
    }

    /// Returns the text.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// Returns the place in the text of a byte of the original: that of the first character that was made from this
    /// byte or a later one. It must be at or after `from`, which is a place in the text. It is always a character
    /// boundary, and at most the text's end.
    ///
    /// Cost: O(log d) look-ups in the map, if the place is `d` bytes after `from`; none for UTF-8.
    pub fn at_from(self, from: usize, byte: u32) -> usize {
        let at = if self.map.is_identity() {
            (byte as usize).min(self.text.len())
        } else {
            let original = |at: usize| self.map.map_span(Span::new(at as u32, at as u32 + 1)).start;
            let is_there = |at: usize| original(at) >= byte;
            // The steps double, and then the place is between the last two.
            let (mut low, mut step) = (from, 1);
            while low + step < self.text.len() && !is_there(low + step) {
                low += step;
                step *= 2;
            }
            first_where(low, (low + step).min(self.text.len()), is_there)
        };
        self.text.floor_boundary(at).max(from)
    }
}

/// Returns the first of `low..high` for which `holds`, which must be false before it and true from there on; `high` if
/// there is none.
fn first_where(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// `str::floor_char_boundary`, which needs a newer compiler than the oldest one we support.
pub(super) trait FloorBoundary {
    /// Returns the last character boundary at or before `at`.
    fn floor_boundary(&self, at: usize) -> usize;
}

impl FloorBoundary for str {
    fn floor_boundary(&self, at: usize) -> usize {
        let at = at.min(self.len());
        (0..=at).rev().find(|&at| self.is_char_boundary(at)).unwrap_or(0)
    }
}

/// The documents of a finished comparison, read again from their bytes.
#[derive(Debug, Clone, Copy)]
pub struct Compared<'a> {
    /// The comparison.
    pub comparison: &'a Comparison,
    /// The front ends that the documents were compared with.
    pub registry: &'a Registry,
}

impl Texts for Compared<'_> {
    fn text(&self, submission: u32, file: u32) -> Option<Decoded<'_>> {
        let member = self.comparison.members().get(submission as usize)?;
        Some(decode(&member.submission.documents.get(file as usize)?.bytes))
    }

    fn tokens(
        &self,
        submission: u32,
        file: u32,
        decoded: &Decoded<'_>,
        take: &mut dyn FnMut(Class, Span),
    ) {
        let (submission, file) = (submission as usize, file as usize);
        self.comparison.tokens(self.registry, submission, file, decoded, take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(decoded: &Decoded<'_>, byte: u32) -> usize {
        ShownText::from_decoded(decoded).at_from(0, byte)
    }

    fn utf16(text: &str) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn utf_8_is_the_identity() {
        let decoded = decode("naïve".as_bytes());
        assert_eq!([0, 2, 3, 4, 99].map(|byte| at(&decoded, byte)), [0, 2, 2, 4, 6]);
    }

    #[test]
    fn a_wide_encoding_is_mapped_back() {
        // After the byte order mark, the characters are at bytes 2, 4 and 6 to 10.
        let bytes = utf16("né🦀");
        let decoded = decode(&bytes);
        assert_eq!([0, 2, 3, 4, 6, 7, 10].map(|byte| at(&decoded, byte)), [0, 0, 1, 1, 3, 7, 7]);
    }

    proptest! {
        #[test]
        fn every_place_is_a_boundary(text in any::<String>(), byte: u32) {
            for bytes in [text.as_bytes(), &utf16(&text)] {
                let decoded = decode(bytes);
                for byte in [byte, byte % 100] {
                    prop_assert!(decoded.text.is_char_boundary(at(&decoded, byte)));
                }
            }
        }
    }
}

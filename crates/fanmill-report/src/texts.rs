//! The texts that pages show: requested when a page is written, and released afterwards.

use std::borrow::Cow;
use std::fmt;

use fanmill::frontend::{Decoded, Registry, decode};
use fanmill::pipeline::Comparison;
use fanmill::span::Span;
use fanmill::token::Class;

/// Where pages get the texts of documents.
///
/// Implemented by anything that holds the documents or can read them again. Pages ask for one document at a
/// time, so that a report over a large corpus need not hold it.
pub trait Texts {
    /// The text of document `file` of submission `submission`, both as numbered in the report;
    /// `None` if it can no longer be read, which the page then says.
    fn text(&self, submission: u32, file: u32) -> Option<Shown<'_>>;

    /// Hands over the tokens that this document was compared by, in order: what each is to its
    /// reader, and its bytes of the original. Without any, the page shows plain text.
    fn tokens(&self, submission: u32, file: u32, take: &mut dyn FnMut(Class, Span));
}

/// A document's text as it is shown, with the places of the original's bytes in it.
pub struct Shown<'a> {
    text: Cow<'a, str>,
    original: Option<Box<dyn Fn(usize) -> u32 + 'a>>,
}

impl<'a> Shown<'a> {
    /// A document in UTF-8 without byte order mark: the text is the original.
    pub fn identity(text: impl Into<Cow<'a, str>>) -> Shown<'a> {
        Shown { text: text.into(), original: None }
    }

    /// A decoded document; `original(at)` is the byte of the original from which the character
    /// at byte `at` of `text` was made, for every `at` below the text's length, ascending.
    pub fn mapped(
        text: impl Into<Cow<'a, str>>,
        original: impl Fn(usize) -> u32 + 'a,
    ) -> Shown<'a> {
        Shown { text: text.into(), original: Some(Box::new(original)) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place in the text of a byte of the original: the first character that was made from
    /// this byte or a later one. Always a character boundary, the text's end at most.
    ///
    /// Cost: O(log n) calls of the map, none for UTF-8.
    pub fn at(&self, byte: u32) -> usize {
        self.at_from(0, byte)
    }

    /// The same, if it is known to be at `from` or behind: a place in the text.
    ///
    /// Cost: O(log d) calls of the map, if it is `d` bytes behind.
    pub(crate) fn at_from(&self, from: usize, byte: u32) -> usize {
        let at = match &self.original {
            None => (byte as usize).min(self.text.len()),
            Some(original) => {
                let is_there = |at: usize| original(at) >= byte;
                // Steps that double, then a search between the last two.
                let (mut low, mut step) = (from, 1);
                while low + step < self.text.len() && !is_there(low + step) {
                    low += step;
                    step *= 2;
                }
                first_where(low, (low + step).min(self.text.len()), is_there)
            }
        };
        self.text.floor_boundary(at).max(from)
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shown")
            .field("bytes", &self.text.len())
            .field("mapped", &self.original.is_some())
            .finish()
    }
}

/// The first of `low..high` for which `holds`, which is false up to there and true from there on; `high`
/// if there is none.
fn first_where(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// `str::floor_char_boundary`, which needs a newer compiler than the oldest one we support.
pub(super) trait FloorBoundary {
    /// The last character boundary at or before `at`.
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
    fn text(&self, submission: u32, file: u32) -> Option<Shown<'_>> {
        let member = self.comparison.members().get(submission as usize)?;
        let Decoded { text, map, .. } =
            decode(&member.submission.documents.get(file as usize)?.bytes);
        if map.is_identity() {
            return Some(Shown::identity(text));
        }
        Some(Shown::mapped(text, move |at| map.map_span(Span::new(at as u32, at as u32 + 1)).start))
    }

    fn tokens(&self, submission: u32, file: u32, take: &mut dyn FnMut(Class, Span)) {
        self.comparison.tokens(self.registry, submission as usize, file as usize, take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn utf_8_is_the_identity() {
        let shown = Shown::identity("naïve");
        assert_eq!([0, 2, 3, 4, 99].map(|byte| shown.at(byte)), [0, 2, 2, 4, 6]);
    }

    #[test]
    fn a_wide_encoding_is_mapped_back() {
        // "né🦀" in UTF-16 with a byte order mark: characters at bytes 2, 4 and 6 to 10.
        let originals = [2, 4, 4, 6, 6, 6, 6];
        let shown = Shown::mapped("né🦀", move |at| originals[at]);
        assert_eq!([0, 2, 3, 4, 6, 7, 10].map(|byte| shown.at(byte)), [0, 0, 1, 1, 3, 7, 7]);
    }

    proptest! {
        #[test]
        fn every_place_is_a_boundary(text in any::<String>(), step in 1u32..4, byte: u32) {
            let shown = Shown::mapped(text.as_str(), move |at| at as u32 * step);
            for byte in [byte, byte % 100] {
                prop_assert!(text.is_char_boundary(shown.at(byte)));
                prop_assert!(text.is_char_boundary(Shown::identity(text.as_str()).at(byte)));
            }
        }
    }
}

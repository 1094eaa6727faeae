//! Spans of a page that say their text beside their glyphs, such as a letter that is drawn in parts.
//!
//! Programs write the text of a span (`/ActualText`) where glyphs and characters do not correspond one by one: for the
//! clusters of Indian scripts, joiners without a glyph, and hyphens that a line break brings. Such spans are short; in a
//! long one, its glyphs are read as if it said nothing.
//!
//! Source: ISO 32000-2 (PDF 2.0), §14.9.4, "Replacement text".

use super::page::{Glyph, Text};

/// Maximum number of glyphs of a span whose text takes their place.
const MOST_REPLACED: usize = 8;

/// An open span that says its text.
#[derive(Debug)]
pub(super) struct Span {
    text: String,
    glyphs: Vec<Glyph>,
    /// Number of marks that were open when it began.
    pub(super) depth: usize,
}

/// Glyphs of a span that ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) glyphs: Vec<Glyph>,
    /// If set, the text of the span took the place of glyphs with other letters.
    pub(super) is_other: bool,
}

impl Span {
    pub(super) fn new(text: String, depth: usize) -> Span {
        Span { text, glyphs: Vec::new(), depth }
    }

    pub(super) fn len(&self) -> usize {
        self.glyphs.len()
    }

    /// Adds a glyph; one without a character has no text.
    pub(super) fn push(&mut self, glyph: Glyph) {
        self.glyphs.push(glyph);
    }

    /// Returns its glyphs, or one with its text that fills their place.
    pub(super) fn end(self) -> Ended {
        let Some(first) = self.glyphs.first() else {
            return Ended { glyphs: Vec::new(), is_other: false };
        };
        if self.glyphs.len() > MOST_REPLACED {
            return Ended { glyphs: self.glyphs, is_other: false };
        }
        let is_other = self.has_other_letters();
        if self.text.is_empty() {
            return Ended { glyphs: Vec::new(), is_other };
        }
        let of = |get: fn(&Glyph) -> f64| self.glyphs.iter().map(get);
        let whole = Glyph {
            start: of(|glyph| glyph.start).fold(f64::INFINITY, f64::min),
            end: of(|glyph| glyph.end).fold(f64::NEG_INFINITY, f64::max),
            text: Text::of(&self.text),
            ..first.clone()
        };
        Ended { glyphs: vec![whole], is_other }
    }

    /// Returns whether fewer than half of the letters that its glyphs stand for are in its text.
    fn has_other_letters(&self) -> bool {
        let drawn = self.glyphs.iter().flat_map(|glyph| glyph.text.chars());
        let drawn: Vec<char> = drawn.filter(|c| c.is_alphabetic()).collect();
        let n_said = drawn.iter().filter(|&&c| self.text.contains(c)).count();
        n_said * 2 < drawn.len()
    }
}

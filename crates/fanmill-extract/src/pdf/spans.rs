//! Spans of a page that say their text beside their glyphs, such as a letter that is drawn in parts.
//!
//! Programs write the text of a span (`/ActualText`) where glyphs and characters do not correspond one by one: for the
//! clusters of Indian scripts, joiners without a glyph, and hyphens that a line break brings. Such spans are short; in a
//! long one, its glyphs are read.
//!
//! Source: ISO 32000-2 (PDF 2.0), §14.9.4, "Replacement text".

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::page::{Glyph, Sight, Text};

/// Maximum number of glyphs of a span whose text takes their place, and of characters of that for each glyph.
const MOST_REPLACED: usize = 8;
const MOST_CHARACTERS: usize = 16;

/// Maximum number of letters that a glyph without a character may be.
const MOST_UNNAMED: usize = 4;

/// An open span that says its text.
#[derive(Debug)]
pub(super) struct Span {
    text: String,
    glyphs: Vec<(Glyph, Option<bool>)>,
    /// Number of marks that were open when it began.
    pub(super) depth: usize,
}

/// Numbers of letters for which two sides give the same, and of others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) n_same: usize,
    pub(super) n_other: usize,
}

impl Letters {
    /// Returns those of one letter, if both sides give one.
    pub(super) fn from_one(is_same: Option<bool>) -> Letters {
        let n = |wanted| usize::from(is_same == Some(wanted));
        Letters { n_same: n(true), n_other: n(false) }
    }
}

/// Glyphs of a span that ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// The glyphs as they were drawn.
    Drawn(Vec<(Glyph, Option<bool>)>),
    /// A glyph with the text of the span in their place, if it has any; whether they are seen; and the letters of both.
    Said(Option<Glyph>, Sight, Letters),
}

impl Span {
    pub(super) fn new(text: String, depth: usize) -> Span {
        Span { text, glyphs: Vec::new(), depth }
    }

    pub(super) fn len(&self) -> usize {
        self.glyphs.len()
    }

    /// Adds a glyph, and whether its font gives the same letter; a glyph without a character has no text.
    pub(super) fn push(&mut self, glyph: Glyph, is_same: Option<bool>) {
        self.glyphs.push((glyph, is_same));
    }

    /// Returns its glyphs, or one with its text that fills their place.
    pub(super) fn end(self) -> Ended {
        let n_glyphs = self.glyphs.len();
        let is_short = (1..=MOST_REPLACED).contains(&n_glyphs)
            && self.text.chars().count() <= MOST_CHARACTERS * n_glyphs
            && self.glyphs.windows(2).all(|two| two[0].0.sight == two[1].0.sight);
        let Some((first, _)) = self.glyphs.first().filter(|_| is_short) else {
            return Ended::Drawn(self.glyphs);
        };
        let counts = self.compared();
        let sight = first.sight;
        let of = |get: fn(&Glyph) -> f64| self.glyphs.iter().map(move |(glyph, _)| get(glyph));
        let whole = (!self.text.is_empty()).then(|| Glyph {
            start: of(|glyph| glyph.start).fold(f64::INFINITY, f64::min),
            end: of(|glyph| glyph.end).fold(f64::NEG_INFINITY, f64::max),
            text: Text::from_characters(&self.text),
            ..first.clone()
        });
        Ended::Said(whole, sight, counts)
    }

    /// Returns the letters that its text and its glyphs have in common, in any order and form, and others.
    fn compared(&self) -> Letters {
        let drawn = counts(self.glyphs.iter().flat_map(|(glyph, _)| glyph.text.chars()));
        let said = counts(self.text.chars());
        let n_drawn: usize = drawn.values().sum();
        let n_said: usize = said.values().sum();
        let n_same: usize =
            drawn.iter().map(|(letter, n)| n.min(said.get(letter).unwrap_or(&0))).sum();
        let unnamed =
            self.glyphs.iter().filter(|(glyph, _)| glyph.text == Text::from_characters(""));
        let n_more = (n_said - n_same).saturating_sub(MOST_UNNAMED * unnamed.count());
        Letters { n_same, n_other: n_more.max(n_drawn - n_same) }
    }
}

fn counts(text: impl Iterator<Item = char>) -> HashMap<char, usize> {
    let mut counts = HashMap::new();
    for letter in text.nfkd().flat_map(char::to_lowercase).filter(|c| c.is_alphabetic()) {
        *counts.entry(letter).or_default() += 1;
    }
    counts
}

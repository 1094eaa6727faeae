//! Characters of glyphs, from all that a document and its fonts say.
//!
//! The interpreter names the character of a glyph if the document has a table for its font (`/ToUnicode`), or if the
//! glyph has a name of Adobe's list. Where neither is so, [`PageFonts`] asks in this order: the character collection of
//! the font (`collection`), the number in the name of the glyph (`numbered`), and the font's own program (`program`).
//!
//! Fonts are found by what they draw: the interpreter says for which code it draws which glyph of which program,
//! and programs are equal if their bytes are. So a font of the page is the one if it draws that glyph for the code; of
//! several, all must agree.
//!
//! A table may lie, so that a text looks like another one to programs. So letters are compared with what the font's
//! program says, and where the two differ in many, the document is read by [`Reading::Fonts`] as well.
//!
//! Cost: O(f) for each code of a page, with f fonts on the page.
//! Source: ISO 32000-2 (PDF 2.0), §9.10.2, "Mapping character codes to Unicode values".
//! Departs from it: the document's table is not the last word (see [`Reading`]), and numbers in names are read, which
//! TeX writes for fonts that are drawn by dots.

mod collection;
mod numbered;
mod program;
mod dictionaries;
mod font;

use std::collections::HashMap;
use std::rc::Rc;

use hayro_interpret::font::{Glyph as Drawn, GlyphIdentifier};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::page::Page as Source;
use hayro_interpret::{CacheKey, InterpreterSettings};
use unicode_normalization::UnicodeNormalization;

use self::collection::Collections;
use self::dictionaries::FontSearch;
use self::font::Font;
use super::page::Text;

/// The side that is believed where a document and its fonts give different characters to a glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Document,
    Fonts,
}

/// The characters of a glyph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// `None` if nothing says which they are.
    pub(super) text: Option<Text>,
    /// Set if the document and the font's program both give a letter: true if it is the same.
    pub(super) is_same: Option<bool>,
}

/// The fonts of a document.
pub(super) struct Fonts<'a> {
    loader: font::Loader<'a>,
    loaded: HashMap<u128, Option<Rc<Font<'a>>>>,
    /// Fonts by the key of the resources that name them, which many pages may share.
    by_resources: HashMap<u128, Vec<Rc<Font<'a>>>>,
    /// If set, a page draws with more fonts than are read, and what its document says of the others is believed.
    pub(super) is_cut: bool,
}

impl<'a> Fonts<'a> {
    /// `settings` are those of the interpreter, so that it finds the same programs.
    pub(super) fn new(settings: &InterpreterSettings) -> Fonts<'a> {
        let loader = font::Loader::new(settings, Collections::default());
        Fonts { loader, loaded: HashMap::new(), by_resources: HashMap::new(), is_cut: false }
    }

    /// Returns the fonts that a page may draw with, including those of its forms and annotations.
    fn of_page(&mut self, page: &Source<'a>) -> Vec<Rc<Font<'a>>> {
        let key = page.resources().cache_key();
        if !self.by_resources.contains_key(&key) {
            let fonts = self.load(dictionaries::of_resources(page.resources()));
            self.by_resources.insert(key, fonts);
        }
        let mut fonts = self.by_resources.get(&key).cloned().unwrap_or_default();
        fonts.extend(self.load(dictionaries::of_annotations(page)));
        fonts
    }

    fn load(&mut self, found: FontSearch<'a>) -> Vec<Rc<Font<'a>>> {
        self.is_cut |= found.is_cut;
        let fonts = found.fonts.into_iter().filter_map(|(key, dictionary)| {
            let font = self.loaded.entry(key);
            font.or_insert_with(|| Font::new(&dictionary, &mut self.loader).map(Rc::new)).clone()
        });
        fonts.collect()
    }
}

/// The fonts of a page.
pub(super) struct PageFonts<'f, 'a> {
    fonts: &'f mut Fonts<'a>,
    page: &'f Source<'a>,
    reading: Reading,
    on_page: Option<Vec<Rc<Font<'a>>>>,
    /// Answers for glyphs by code, and by the characters that the document gives: two fonts may share a program.
    outlines: HashMap<(GlyphIdentifier, u32, Option<Text>), Answer>,
    /// Answers for glyphs that are drawn like pages, by code and width.
    drawings: HashMap<(u32, u32), Answer>,
}

impl<'f, 'a> PageFonts<'f, 'a> {
    pub(super) fn new(
        fonts: &'f mut Fonts<'a>,
        page: &'f Source<'a>,
        reading: Reading,
    ) -> PageFonts<'f, 'a> {
        let (outlines, drawings) = (HashMap::new(), HashMap::new());
        PageFonts { fonts, page, reading, on_page: None, outlines, drawings }
    }

    /// Returns the characters of a glyph.
    pub(super) fn characters(&mut self, drawn: &Drawn<'a>) -> Answer {
        let code = drawn.char_code();
        let said = || drawn.as_unicode().and_then(text);
        match drawn {
            Drawn::Outline(glyph) => {
                let said = said();
                let key = (glyph.identifier(), code, said.clone());
                if let Some(known) = self.outlines.get(&key) {
                    return known.clone();
                }
                let reading = self.reading;
                let fonts: Vec<&Rc<Font<'a>>> =
                    self.on_page().iter().filter(|font| font.draws(code, &key.0)).collect();
                let own = agreed(fonts.iter().map(|font| font.own(glyph.glyph_id())));
                let text = said
                    .clone()
                    .or_else(|| agreed(fonts.iter().map(|font| font.characters(code))))
                    .or_else(|| own.clone());
                let is_same =
                    said.as_ref().zip(own.as_ref()).and_then(|(said, own)| is_same(said, own));
                let text =
                    if reading == Reading::Fonts && is_same == Some(false) { own } else { text };
                let answer = Answer { text, is_same };
                self.outlines.insert(key, answer.clone());
                answer
            }
            Drawn::Type3(glyph) => {
                let width = glyph.advance_width().unwrap_or_default();
                let key = (code, width.to_bits());
                if let Some(text) = said() {
                    return Answer { text: Some(text), is_same: None };
                }
                if let Some(known) = self.drawings.get(&key) {
                    return known.clone();
                }
                let fonts =
                    self.on_page().iter().filter(|font| font.draws_like_a_page(code, width));
                let text = agreed(fonts.map(|font| font.characters(code)));
                let answer = Answer { text, is_same: None };
                self.drawings.insert(key, answer.clone());
                answer
            }
        }
    }

    fn on_page(&mut self) -> &[Rc<Font<'a>>] {
        self.on_page.get_or_insert_with(|| self.fonts.of_page(self.page))
    }
}

/// Returns the answer of all fonts that give one; `None` if two differ.
fn agreed(answers: impl Iterator<Item = Option<Text>>) -> Option<Text> {
    let mut answers = answers.flatten();
    let first = answers.next()?;
    answers.all(|other| other == first).then_some(first)
}

/// Returns whether two texts are the same letters, in any form of them; `None` if one is no letter.
fn is_same(one: &Text, other: &Text) -> Option<bool> {
    let letters = |text: &Text| -> String {
        let folded = text.chars().nfkd().flat_map(char::to_lowercase);
        folded.filter(|c| c.is_alphabetic()).collect()
    };
    let [one, other] = [one, other].map(letters);
    (!one.is_empty() && !other.is_empty()).then(|| one == other)
}

/// Returns characters as text, unless one of them says nothing.
fn text(characters: BfString) -> Option<Text> {
    match characters {
        BfString::Char(c) => is_text(c).then_some(Text::One(c)),
        BfString::String(text) => {
            (!text.is_empty() && text.chars().all(is_text)).then(|| Text::Many(text.into()))
        }
    }
}

/// Returns whether a character is a letter, or something else that a text may contain.
fn is_text(c: char) -> bool {
    let is_private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}');
    !c.is_control() && c != char::REPLACEMENT_CHARACTER && !is_private
        || matches!(c, '\t' | '\n' | '\r')
}

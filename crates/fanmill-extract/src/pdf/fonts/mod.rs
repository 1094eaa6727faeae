//! Characters of glyphs, from all that a document and its fonts say.
//!
//! The interpreter names the character of a glyph if the document has a table for its font (`/ToUnicode`), or if the
//! glyph has a name of Adobe's list. Where neither is so, [`PageFonts`] asks in this order: the character collection of
//! the font (`collection`), the number in the name of the glyph (`numbered`), and the font's own program (`program`).
//!
//! The interpreter does not say which font it draws with. It says for which code it draws which glyph of which program,
//! and programs are equal if their bytes are. So a font of the page is the one if its code stands for that glyph; of
//! several, all must agree.
//!
//! Cost: O(f) for each code of a page that the interpreter names no character for, with f fonts on the page.
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

use hayro_interpret::InterpreterSettings;
use hayro_interpret::font::{Glyph as Drawn, GlyphIdentifier};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::page::Page as Source;

use self::collection::Collections;
use self::font::Font;
use super::page::Text;

/// The fonts of a document.
pub(super) struct Fonts<'a> {
    loader: font::Loader<'a>,
    loaded: HashMap<u128, Option<Rc<Font<'a>>>>,
}

impl<'a> Fonts<'a> {
    /// `settings` are those of the interpreter, so that it finds the same programs.
    pub(super) fn new(settings: &InterpreterSettings) -> Fonts<'a> {
        Fonts {
            loader: font::Loader::new(settings, Collections::default()),
            loaded: HashMap::new(),
        }
    }

    /// Returns the fonts that a page may draw with, including those of its forms and annotations.
    fn of_page(&mut self, page: &Source<'a>) -> Vec<Rc<Font<'a>>> {
        let found = dictionaries::of_page(page);
        let fonts = found.into_iter().filter_map(|(key, dictionary)| {
            let font = self.loaded.entry(key);
            font.or_insert_with(|| Font::new(&dictionary, &mut self.loader).map(Rc::new)).clone()
        });
        fonts.collect()
    }
}

/// The fonts of a page, which are looked for when a glyph has no other character.
pub(super) struct PageFonts<'f, 'a> {
    fonts: &'f mut Fonts<'a>,
    page: &'f Source<'a>,
    on_page: Option<Vec<Rc<Font<'a>>>>,
    /// Characters of glyphs by code.
    outlines: HashMap<(GlyphIdentifier, u32), Option<Text>>,
    /// Characters of glyphs that are drawn like pages, by code and width.
    drawings: HashMap<(u32, u32), Option<Text>>,
}

impl<'f, 'a> PageFonts<'f, 'a> {
    pub(super) fn new(fonts: &'f mut Fonts<'a>, page: &'f Source<'a>) -> PageFonts<'f, 'a> {
        let (outlines, drawings) = (HashMap::new(), HashMap::new());
        PageFonts { fonts, page, on_page: None, outlines, drawings }
    }

    /// Returns the characters of a glyph; `None` if nothing says which they are.
    pub(super) fn characters(&mut self, drawn: &Drawn<'a>) -> Option<Text> {
        if let Some(text) = drawn.as_unicode().and_then(text) {
            return Some(text);
        }
        let code = drawn.char_code();
        match drawn {
            Drawn::Outline(glyph) => {
                let key = (glyph.identifier(), code);
                if let Some(known) = self.outlines.get(&key) {
                    return known.clone();
                }
                let found = agreed(self.on_page(), |font| {
                    font.draws(code, &key.0).then(|| font.characters(code, glyph.glyph_id()))
                });
                self.outlines.insert(key, found.clone());
                found
            }
            Drawn::Type3(glyph) => {
                let width = glyph.advance_width()?;
                let key = (code, width.to_bits());
                if let Some(known) = self.drawings.get(&key) {
                    return known.clone();
                }
                let found = agreed(self.on_page(), |font| {
                    font.draws_like_a_page(code, width).then(|| font.numbered(code))
                });
                self.drawings.insert(key, found.clone());
                found
            }
        }
    }

    fn on_page(&mut self) -> &[Rc<Font<'a>>] {
        self.on_page.get_or_insert_with(|| self.fonts.of_page(self.page))
    }
}

/// Returns the answer of all fonts that give one; `None` if two differ. `ask` returns `None` for a font that was not
/// drawn with.
fn agreed<'a>(
    fonts: &[Rc<Font<'a>>],
    mut ask: impl FnMut(&Font<'a>) -> Option<Option<Text>>,
) -> Option<Text> {
    let mut answers = fonts.iter().filter_map(|font| ask(font)).flatten();
    let first = answers.next()?;
    answers.all(|other| other == first).then_some(first)
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

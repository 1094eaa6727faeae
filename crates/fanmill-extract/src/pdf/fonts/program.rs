//! Characters of glyphs by the program of an embedded font: its own table of characters, or the names of its glyphs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use hayro_interpret::CacheKey;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Stream};
use skrifa::Font as Outlines;

use super::super::limits::MOST_CHARACTERS;
use super::is_text;

/// Programs by their streams, which many fonts may share.
#[derive(Clone, Default)]
pub(super) struct Programs(Rc<RefCell<HashMap<u128, Option<Rc<Program>>>>>);

impl Programs {
    /// Returns the program of a font; `None` if it has none or says nothing of characters.
    pub(super) fn of(&self, font: &Dict<'_>) -> Option<Rc<Program>> {
        let stream = stream(font)?;
        let mut known = self.0.borrow_mut();
        let program = known.entry(stream.cache_key());
        program.or_insert_with(|| Program::from_stream(&stream).map(Rc::new)).clone()
    }
}

/// The characters of a program.
pub(super) struct Program(HashMap<u32, char>);

impl Program {
    fn from_stream(stream: &Stream<'_>) -> Option<Program> {
        let bytes = stream.decoded_data().ok()?.into_owned();
        let outlines = Outlines::new(Arc::new(bytes) as Arc<dyn AsRef<[u8]> + Send + Sync>, 0)?;
        let table = outlines.charmap();
        // Tables of the other kinds number the glyphs of a part of a font in the order of their use.
        if !table.has_unicode() || table.unicode_is_symbol() || table.unicode_is_mac_roman() {
            return None;
        }
        let mut characters = HashMap::new();
        for (character, glyph) in table.unicodes().take(MOST_CHARACTERS) {
            let character = char::from_u32(character).filter(|&c| is_text(c));
            if let Some(character) = character {
                // A glyph of several characters is mostly the first of them: a blank, not one that does not break.
                characters.entry(glyph.to_u32()).or_insert(character);
            }
        }
        Some(Program(characters))
    }

    /// Returns the character of the glyph with this number.
    pub(super) fn character(&self, glyph: u32) -> Option<char> {
        self.0.get(&glyph).copied()
    }
}

/// Returns the program of a font as it lies in the document.
fn stream<'a>(font: &Dict<'a>) -> Option<Stream<'a>> {
    let descendants = font.get::<Array<'_>>("DescendantFonts");
    let descendant = descendants.and_then(|all| all.iter::<Dict<'_>>().next());
    let descriptor = descendant.as_ref().unwrap_or(font).get::<Dict<'_>>("FontDescriptor")?;
    let keys = ["FontFile2", "FontFile3", "FontFile"];
    keys.into_iter().find_map(|key| descriptor.get::<Stream<'_>>(key))
}

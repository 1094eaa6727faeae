//! A font of a document, asked for the characters of its codes.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use hayro_font::{FontCache, FontGlyph};
use hayro_interpret::InterpreterSettings;
use hayro_interpret::font::{GlyphId, GlyphIdentifier};
use hayro_interpret::hayro_cmap::CMap;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object};

use super::collection::{self, Collections};
use super::numbered;
use super::program::{Program, Programs};
use super::{Text, text};

/// Loads fonts as the interpreter does.
pub(super) struct Loader<'a> {
    cache: FontCache<'a>,
    settings: InterpreterSettings,
    collections: Collections,
    programs: Programs,
}

impl Loader<'_> {
    pub(super) fn new<'a>(settings: &InterpreterSettings, collections: Collections) -> Loader<'a> {
        Loader {
            cache: FontCache::new(),
            settings: settings.clone(),
            collections,
            programs: Programs::default(),
        }
    }
}

/// A font of a document.
pub(super) struct Font<'a> {
    drawn: hayro_font::Font<'a>,
    dictionary: Dict<'a>,
    /// If set, codes have up to four bytes; otherwise one.
    is_composite: bool,
    /// Characters of codes whose glyphs have numbers for names.
    numbered: HashMap<u8, char>,
    /// The table from codes to numbers of a character collection, and from those to characters.
    collection: Option<(CMap, Rc<CMap>)>,
    programs: Programs,
    program: OnceCell<Option<Rc<Program>>>,
}

impl<'a> Font<'a> {
    /// Returns the font of a dictionary; `None` if the interpreter can draw nothing with it.
    pub(super) fn new(dictionary: &Dict<'a>, loader: &mut Loader<'a>) -> Option<Font<'a>> {
        let settings = &loader.settings;
        let resolvers = (&settings.font_resolver, &settings.cmap_resolver);
        let drawn = loader.cache.font(dictionary, resolvers.0, resolvers.1)?;
        let is_composite =
            dictionary.get::<Name<'_>>("Subtype").is_some_and(|kind| &*kind == b"Type0");
        let collection = if is_composite {
            let files = &settings.cmap_resolver;
            // Most fonts are of no collection, and their tables are large.
            loader
                .collections
                .of(dictionary, files)
                .and_then(|characters| Some((collection::encoding(dictionary, files)?, characters)))
        } else {
            None
        };
        Some(Font {
            drawn,
            dictionary: dictionary.clone(),
            is_composite,
            numbered: numbered::characters(&differences(dictionary)),
            collection,
            programs: loader.programs.clone(),
            program: OnceCell::new(),
        })
    }

    /// Returns whether the glyph of a code is this one, which is an outline.
    pub(super) fn draws(&self, code: u32, glyph: &GlyphIdentifier) -> bool {
        match self.glyph(code) {
            Some(FontGlyph::Outline(found)) => found.identifier() == *glyph,
            _ => false,
        }
    }

    /// Returns whether the glyph of a code is drawn like a page, and has this width.
    pub(super) fn draws_like_a_page(&self, code: u32, width: f32) -> bool {
        match self.glyph(code) {
            Some(FontGlyph::Type3(found)) => found.advance_width().to_bits() == width.to_bits(),
            _ => false,
        }
    }

    fn glyph(&self, code: u32) -> Option<FontGlyph<'a>> {
        let has_code = self.is_composite || u8::try_from(code).is_ok();
        has_code.then(|| self.drawn.glyph(self.drawn.map_code(code), code))
    }

    /// Returns the characters of a code by the font's collection, or by the number in the name of its glyph.
    pub(super) fn characters(&self, code: u32) -> Option<Text> {
        let numbered = || self.numbered.get(&u8::try_from(code).ok()?).copied();
        self.collected(code).or_else(|| numbered().map(Text::One))
    }

    /// Returns the characters that the collection has for a code.
    fn collected(&self, code: u32) -> Option<Text> {
        let (encoding, characters) = self.collection.as_ref()?;
        let number = (1..=4).find_map(|n_bytes| encoding.lookup_cid_code(code, n_bytes))?;
        text(characters.lookup_bf_string(number)?)
    }

    /// Returns the character that the program has for a glyph.
    pub(super) fn own(&self, glyph: GlyphId) -> Option<Text> {
        let program = self.program.get_or_init(|| self.programs.of(&self.dictionary));
        program.as_ref()?.character(glyph.to_u32()).map(Text::One)
    }
}

/// Returns the names that a simple font gives to glyphs of codes, beside those of a standard encoding.
fn differences(font: &Dict<'_>) -> Vec<(u8, String)> {
    let encoding = font.get::<Dict<'_>>("Encoding");
    let list = encoding.and_then(|encoding| encoding.get::<Array<'_>>("Differences"));
    let mut names = Vec::new();
    let mut code: Option<u8> = Some(0);
    for object in list.unwrap_or_default().iter::<Object<'_>>() {
        match object {
            Object::Number(number) => code = u8::try_from(number.as_i64()).ok(),
            Object::Name(name) => {
                if let Some(at) = code {
                    names.push((at, name.as_str().to_owned()));
                }
                code = code.and_then(|at| at.checked_add(1));
            }
            _ => {}
        }
    }
    names
}

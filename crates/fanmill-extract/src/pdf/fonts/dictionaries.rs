//! Font dictionaries that a page may draw with.

use std::collections::HashSet;

use hayro_interpret::CacheKey;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Stream};
use hayro_interpret::hayro_syntax::page::Page as Source;

use super::super::limits::{DEEPEST, MOST_FIELDS, MOST_FONTS};

/// Returns the fonts of a page, its forms, its annotations and its graphics states, each once, with a key.
pub(super) fn of_page<'a>(page: &Source<'a>) -> Vec<(u128, Dict<'a>)> {
    let mut found = Found::default();
    // Resources of a page may come from the pages above it, which the interpreter has looked up.
    let resources = page.resources();
    found.fonts(&resources.fonts);
    found.states(&resources.ext_g_states);
    found.forms(&resources.x_objects, 0);
    let annotations = page.raw().get::<Array<'_>>("Annots").unwrap_or_default();
    for annotation in annotations.iter::<Dict<'_>>().take(MOST_FIELDS) {
        let Some(appearances) = annotation.get::<Dict<'_>>("AP") else { continue };
        if let Some(form) = appearances.get::<Stream<'_>>("N") {
            found.form(&form, 0);
        } else if let Some(states) = appearances.get::<Dict<'_>>("N") {
            found.forms(&states, 0);
        }
    }
    found.fonts
}

#[derive(Default)]
struct Found<'a> {
    fonts: Vec<(u128, Dict<'a>)>,
    known: HashSet<u128>,
}

impl<'a> Found<'a> {
    fn fonts(&mut self, resources: &Dict<'a>) {
        for name in resources.keys() {
            self.font(resources.get::<Dict<'_>>(name));
        }
    }

    /// Adds the fonts that graphics states set.
    fn states(&mut self, states: &Dict<'a>) {
        for name in states.keys() {
            let state = states.get::<Dict<'_>>(name);
            let font = state.and_then(|state| state.get::<Array<'_>>("Font"));
            self.font(font.and_then(|font| font.iter::<Dict<'_>>().next()));
        }
    }

    fn font(&mut self, font: Option<Dict<'a>>) {
        let Some(font) = font else { return };
        let key = font.cache_key();
        if self.fonts.len() < MOST_FONTS && self.known.insert(key) {
            self.fonts.push((key, font));
        }
    }

    fn forms(&mut self, drawn: &Dict<'a>, depth: usize) {
        for name in drawn.keys() {
            if let Some(form) = drawn.get::<Stream<'_>>(name) {
                self.form(&form, depth);
            }
        }
    }

    fn form(&mut self, form: &Stream<'a>, depth: usize) {
        let Some(resources) = form.dict().get::<Dict<'_>>("Resources") else { return };
        if depth == DEEPEST || !self.known.insert(form.cache_key()) {
            return;
        }
        let part = |name| resources.get::<Dict<'_>>(name).unwrap_or_default();
        self.fonts(&part("Font"));
        self.states(&part("ExtGState"));
        self.forms(&part("XObject"), depth + 1);
    }
}

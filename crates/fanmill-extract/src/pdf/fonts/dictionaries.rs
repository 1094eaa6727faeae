//! Font dictionaries that a page may draw with.

use std::collections::HashSet;

use hayro_interpret::CacheKey;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Stream};
use hayro_interpret::hayro_syntax::page::{Page as Source, Resources};

use super::super::limits::{DEEPEST, MOST_FIELDS, MOST_FONTS};

/// Fonts that were found.
#[derive(Default)]
pub(super) struct FontSearch<'a> {
    /// Their keys and dictionaries.
    pub(super) fonts: Vec<(u128, Dict<'a>)>,
    known: HashSet<u128>,
    /// If set, there are more than are read.
    pub(super) is_cut: bool,
}

/// Returns the fonts that resources name, with those of their forms and graphics states, each once.
pub(super) fn of_resources<'a>(resources: &Resources<'a>) -> FontSearch<'a> {
    let mut found = FontSearch::default();
    found.fonts(&resources.fonts);
    found.states(&resources.ext_g_states);
    found.forms(&resources.x_objects, 0);
    found
}

/// Returns the fonts of the annotations of a page, each once.
pub(super) fn of_annotations<'a>(page: &Source<'a>) -> FontSearch<'a> {
    let mut found = FontSearch::default();
    let annotations = page.raw().get::<Array<'_>>("Annots").unwrap_or_default();
    for annotation in annotations.iter::<Dict<'_>>().take(MOST_FIELDS) {
        let Some(appearances) = annotation.get::<Dict<'_>>("AP") else { continue };
        if let Some(form) = appearances.get::<Stream<'_>>("N") {
            found.form(&form, 0);
        } else if let Some(states) = appearances.get::<Dict<'_>>("N") {
            found.forms(&states, 0);
        }
    }
    found
}

impl<'a> FontSearch<'a> {
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
        if !self.known.insert(key) {
            return;
        }
        if self.fonts.len() < MOST_FONTS {
            self.fonts.push((key, font));
        } else {
            self.is_cut = true;
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

//! Earlier versions of the front ends for prose, from before each word had one spelling, and from before code in prose
//! was read as code.
//!
//! An index records the versions of the front ends that read its documents, and a search reads its text with the same
//! versions. Version 1 of all front ends for prose differs from version 2 in [`Folding`] alone. Version 2 of those whose
//! documents [hold code](FrontEnd::has_cells) read these documents whole, and version 3 gets only their prose.

use std::sync::Arc;

use super::fold::Folding;
use super::front_end::{Claims, FrontEnd};
use super::idioms::Idioms;
use super::shown::VisibleProse;
use crate::token::{Class, Kind, Symbol, Tokens};

/// The first version in which each word has one spelling.
const SPELLED: u32 = 2;

/// The first version of front ends whose documents hold code that is read as code.
const CELLS: u32 = 3;

/// A front end for prose in an earlier version.
#[derive(Debug)]
pub(super) struct Earlier {
    now: Arc<dyn FrontEnd>,
    number: u32,
}

impl Earlier {
    /// Returns version `number` of a front end; `None` if this release does not have it any more.
    pub(super) fn version(of: &Arc<dyn FrontEnd>, number: u32) -> Option<Arc<dyn FrontEnd>> {
        if of.version() == number {
            return Some(Arc::clone(of));
        }
        let last = if of.has_cells() { CELLS } else { SPELLED };
        let is_known = of.folding() == Folding::Spelling && of.version() == last;
        (is_known && (1..last).contains(&number))
            .then(|| Arc::new(Earlier { now: Arc::clone(of), number }) as Arc<dyn FrontEnd>)
    }
}

impl FrontEnd for Earlier {
    fn name(&self) -> &'static str {
        self.now.name()
    }

    fn version(&self) -> u32 {
        self.number
    }

    fn kind(&self) -> Kind {
        self.now.kind()
    }

    fn folding(&self) -> Folding {
        if self.number < SPELLED { Folding::Disguises } else { self.now.folding() }
    }

    fn spells_words(&self) -> bool {
        self.now.spells_words()
    }

    fn is_keyword(&self, spelled: Symbol) -> bool {
        self.now.is_keyword(spelled)
    }

    fn class(&self, symbol: Symbol) -> Class {
        self.now.class(symbol)
    }

    fn claims(&self) -> Claims {
        self.now.claims()
    }

    fn likeness(&self, text: &str) -> u32 {
        self.now.likeness(text)
    }

    fn idioms(&self) -> Idioms {
        self.now.idioms()
    }

    fn ignores_case(&self) -> bool {
        self.now.ignores_case()
    }

    fn shown(&self, text: &str) -> Option<VisibleProse> {
        self.now.shown(text)
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        self.now.tokenize(text, tokens);
    }

    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        self.now.tokenize_in_parts(text, part, take);
    }
}

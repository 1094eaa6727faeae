//! Earlier versions of the front ends for prose, from before each word had one spelling.
//!
//! An index records the versions of the front ends that read its documents, and a search reads its text with the same
//! versions. Version 1 of all front ends for prose differs from version 2 in [`Folding`] alone.

use std::sync::Arc;

use super::fold::Folding;
use super::front_end::{Claims, FrontEnd};
use super::shown::VisibleProse;
use crate::token::{Class, Kind, Symbol, Tokens};

/// The last version in which words may have several spellings.
const VERSION: u32 = 1;

/// A front end for prose in its version 1.
#[derive(Debug)]
pub(super) struct VersionOne(Arc<dyn FrontEnd>);

impl VersionOne {
    /// Returns version `number` of a front end; `None` if this release does not have it any more.
    pub(super) fn version(of: &Arc<dyn FrontEnd>, number: u32) -> Option<Arc<dyn FrontEnd>> {
        if of.version() == number {
            return Some(Arc::clone(of));
        }
        let is_known = of.folding() == Folding::Spelling && of.version() == VERSION + 1;
        (is_known && number == VERSION)
            .then(|| Arc::new(VersionOne(Arc::clone(of))) as Arc<dyn FrontEnd>)
    }
}

impl FrontEnd for VersionOne {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn kind(&self) -> Kind {
        self.0.kind()
    }

    fn folding(&self) -> Folding {
        Folding::Disguises
    }

    fn spells_words(&self) -> bool {
        self.0.spells_words()
    }

    fn is_keyword(&self, spelled: Symbol) -> bool {
        self.0.is_keyword(spelled)
    }

    fn class(&self, symbol: Symbol) -> Class {
        self.0.class(symbol)
    }

    fn claims(&self) -> Claims {
        self.0.claims()
    }

    fn likeness(&self, text: &str) -> u32 {
        self.0.likeness(text)
    }

    fn shown(&self, text: &str) -> Option<VisibleProse> {
        self.0.shown(text)
    }

    fn tokenize(&self, text: &str, tokens: &mut Tokens) {
        self.0.tokenize(text, tokens);
    }

    fn tokenize_in_parts(&self, text: &str, part: &mut Tokens, take: &mut dyn FnMut(&mut Tokens)) {
        self.0.tokenize_in_parts(text, part, take);
    }
}

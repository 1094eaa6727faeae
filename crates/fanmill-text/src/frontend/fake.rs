//! A front end for tests.

use super::front_end::{Claims, FrontEnd};
use super::idioms::Idioms;
use crate::token::{Kind, Tokens};

/// A language without tokens. Each mention of its name in a text makes it surer, the more the longer the name is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fake {
    pub(super) name: &'static str,
    pub(super) claims: Claims,
    pub(super) idioms: Idioms,
}

impl Fake {
    /// Makes a language that claims files of these extensions.
    pub(super) fn new(name: &'static str, extensions: &'static [&'static str]) -> Fake {
        let claims = Claims { extensions, ..Claims::default() };
        Fake { name, claims, idioms: Idioms::NONE }
    }

    pub(super) fn boxed(self) -> Box<dyn FrontEnd> {
        Box::new(self)
    }
}

impl FrontEnd for Fake {
    fn name(&self) -> &'static str {
        self.name
    }
    fn version(&self) -> u32 {
        1
    }
    fn kind(&self) -> Kind {
        Kind::Code
    }
    fn spells_words(&self) -> bool {
        false
    }
    fn claims(&self) -> Claims {
        self.claims
    }
    fn likeness(&self, text: &str) -> u32 {
        u32::try_from(self.name.len() * text.matches(self.name).count()).unwrap_or(u32::MAX)
    }
    fn idioms(&self) -> Idioms {
        self.idioms
    }
    fn tokenize(&self, _: &str, _: &mut Tokens) {}
}

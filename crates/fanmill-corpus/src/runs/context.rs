//! A run, as its steps see it.

use fanmill_text::Result;

use super::hashing::Hashing;
use super::seeds::Selection;
use super::settings::{Cut, Settings};
use super::words::Reader;
use crate::job::{Corpus, Identity, Staging, Steps};

/// A run, as its steps see it.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) corpus: Corpus<'a>,
    pub(super) settings: &'a Settings,
    pub(super) staging: Staging,
    pub(super) steps: Steps<'a>,
    pub(super) identity: Identity,
    pub(super) method: Method,
}

/// The way a run turns texts into words, and words into seeds and windows.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) reader: Reader,
    pub(super) hashing: Hashing,
    pub(super) selection: Selection,
    /// Number of words in a window.
    pub(super) n: usize,
}

impl Method {
    /// Draws random keys for everything that is hashed.
    pub(super) fn draw(settings: &Settings) -> Result<Method> {
        let n = settings.min_words as usize;
        Ok(Method {
            reader: Reader::draw(settings.cut == Cut::Sentence)?,
            hashing: Hashing::draw(n)?,
            selection: Selection::new(n),
            n,
        })
    }
}

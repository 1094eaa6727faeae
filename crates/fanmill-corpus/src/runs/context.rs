//! A run, as its steps see it.

use std::path::Path;

use fanmill_text::Result;

use super::hashing::Hashing;
use super::seeds::Selection;
use super::settings::{Cut, MinLength, Settings};
use super::words::Reader;
use crate::job::{self, Corpus, Identity, Staging, Steps};

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

impl Run<'_> {
    /// Returns the context for the steps after reading.
    pub(super) fn context(&self) -> Context<'_> {
        let Run { settings, method, steps, staging, .. } = self;
        Context { settings, method, steps, spill: staging.spill() }
    }
}

/// The context of the steps after reading. They do not read the corpus, so the texts may also be in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) settings: &'a Settings,
    pub(super) method: &'a Method,
    pub(super) steps: &'a Steps<'a>,
    /// The folder for data that exceeds the settings' memory.
    pub(super) spill: &'a Path,
}

/// The way a run turns texts into words, and words into seeds and windows.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) reader: Reader,
    pub(super) hashing: Hashing,
    pub(super) measure: Measure,
}

/// The way windows are measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// Windows of `n` words, found by seeds.
    Words { n: usize, selection: Selection },
    /// Windows of at least this many bytes.
    Bytes(usize),
}

impl Method {
    /// Draws random keys for everything that is hashed.
    pub(super) fn draw(settings: &Settings) -> Result<Method> {
        Ok(Method::from_keys(settings, &job::random()?, &job::random()?))
    }

    /// Hashes words and runs of them under two keys.
    pub(super) fn from_keys(
        settings: &Settings,
        of_words: &[u8; 32],
        of_runs: &[u8; 32],
    ) -> Method {
        let (measure, longest) = match settings.length {
            MinLength::Words(n) => {
                let n = n as usize;
                (Measure::Words { n, selection: Selection::new(n) }, n)
            }
            // Each word has a byte at least, and there is a blank between two; a word is added before one is removed.
            MinLength::Bytes(min) => (Measure::Bytes(min.into()), usize::from(min) / 2 + 2),
        };
        Method {
            reader: Reader::new(of_words, settings.cut == Cut::Sentence),
            hashing: Hashing::new(of_runs, longest),
            measure,
        }
    }
}

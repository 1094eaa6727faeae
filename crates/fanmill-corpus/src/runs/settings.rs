//! The settings of a run, as the user chooses them.

use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use crate::dedup::{DEFAULT_MEMORY, Keep, Mode, check_memory, check_output};
use crate::job::{DEFAULT_ALLOWED, Places};

/// Default for the minimum length of a run, in words.
pub const DEFAULT_WORDS: u32 = 50;
/// Greatest length that a run may be required to have, in words.
const MOST_WORDS: u32 = 100_000;

/// The settings of a run. They start from [`Settings::standard`] and are [changed](Settings::with) from there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Minimum length of a run that is removed.
    pub length: MinLength,
    /// The places where texts are cut.
    pub cut: Cut,
    /// Minimum number of words that must be left of a document that was cut; of fewer, the document goes.
    pub min_rest: u32,
    /// The rule for the order of documents: a run stays in the first document that has it.
    pub keep: Keep,
    /// The kind of output.
    pub mode: Mode,
    /// If set, the first record that cannot be read ends the run.
    pub is_strict: bool,
    /// Maximum share of a file's records that may be bad, a fraction in `0..=1`; with 1, a run may also find nothing to
    /// compare.
    pub allowed_failures: f64,
    /// Bytes of memory that the run may use, not including the 64 MiB for the program itself.
    pub memory: usize,
}

/// The minimum length of a run; at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MinLength {
    /// In words.
    Words(u32),
    /// In bytes of words, with one blank between two.
    Bytes(u16),
}

/// The places where texts are cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Between words.
    #[default]
    Word,
    /// Between sentences: of a run that is repeated, only whole sentences go.
    Sentence,
}

impl Settings {
    /// Returns settings that remove runs of 50 words or more.
    pub fn standard() -> Settings {
        Settings {
            length: MinLength::Words(DEFAULT_WORDS),
            cut: Cut::Word,
            min_rest: 1,
            keep: Keep::First,
            mode: Mode::Remove,
            is_strict: false,
            allowed_failures: DEFAULT_ALLOWED,
            memory: DEFAULT_MEMORY,
        }
    }

    /// Returns the settings with a change: `Settings::standard().with(|settings| settings.min_rest = 20)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Settings {
        change(&mut self);
        self
    }

    pub(super) fn check(&self, places: &Places) -> Result<()> {
        self.check_values()?;
        check_output(self.mode, places)
    }

    /// Checks everything but the output.
    pub(super) fn check_values(&self) -> Result<()> {
        let (setting, n) = match self.length {
            MinLength::Words(n) => (Setting("min-words"), n),
            MinLength::Bytes(n) => (Setting("min-bytes"), n.into()),
        };
        if n == 0 {
            return Err(Error::setting(message![
                "a run of length 0 is everywhere; use ",
                setting,
                " 1 or more"
            ]));
        }
        if n > MOST_WORDS {
            return Err(Error::setting(message![
                setting,
                " of {n} words is above the limit of {MOST_WORDS}; lower it"
            ]));
        }
        if self.cut == Cut::Sentence && self.keep == Keep::Longest {
            return Err(Error::setting(message![
                "the longest document may be another one once sentences are cut; leave out ",
                Setting("cut"),
                " sentence, or use another rule for ",
                Setting("keep")
            ]));
        }
        check_memory(self.memory)
    }
}

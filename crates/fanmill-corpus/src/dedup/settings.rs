//! The settings of a run, as the user chooses them.

use std::fmt;

use fanmill_disk::packing::UnpackOptions;
use fanmill_records::format::{Options, Shard};
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_sketch::{Sketch, shingle};
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use super::addresses::ByAddress;
use super::keep::Keep;
use crate::job::{DEFAULT_ALLOWED, Places};
use crate::recipe::{Recipe, Shingling};
use crate::short::ShortTexts;
use crate::word_kind::WordKind;

/// Default for the fraction of the pairs at the threshold that sketches find.
pub const DEFAULT_RECALL: f64 = 0.998;
/// Minimum number of shingles in a document that containment considers: a shorter one lies inside others by chance.
pub const LEAST_CONTAINED: usize = 20;

/// The settings of a run: what is compared, what counts as a duplicate, and what happens to it. They start from
/// [`Settings::standard`] and are [changed](Settings::with) from there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "fields are named as their settings are")]
pub struct Settings {
    /// The condition for two documents to count as duplicates.
    pub measure: Measure,
    /// The way candidate pairs are found.
    pub search: Search,
    /// Words in a shingle, at least 1.
    pub words: usize,
    /// If set, a shingle counts as often as it occurs.
    pub is_weighted: bool,
    /// The words that texts consist of.
    pub word_kind: WordKind,
    /// The way short texts are compared, if documents should resemble each other.
    pub short_texts: ShortTexts,
    /// The way pairs become clusters.
    pub linkage: Linkage,
    /// The rule for which document of a cluster stays.
    pub keep: Keep,
    /// If set, of several documents with one address only the preferred one is compared, and the others go for it.
    pub by_address: Option<ByAddress>,
    /// The kind of output.
    pub mode: Mode,
    /// If set, the pairs that count are written to `pairs.parquet`.
    pub has_pairs: bool,
    /// If set, each record that stays gets the size of its cluster.
    pub has_sizes: bool,
    /// If set, the first record that cannot be read ends the run.
    pub is_strict: bool,
    /// Maximum share of a file's records that may be bad, a fraction in `0..=1`; with 1, a run may also find nothing to
    /// compare.
    pub allowed_failures: f64,
    /// Bytes of memory that the run may use, including its workers, but not the 64 MiB for the program itself.
    pub memory: usize,
}

impl Settings {
    /// Returns the standard settings: a resemblance of .8 of five-word shingles, fast similarity sketches, and the
    /// first document stays.
    ///
    /// # Panics
    /// Never: .8 is a threshold.
    pub fn standard() -> Settings {
        Settings {
            measure: Measure::Resemblance(Threshold::new(0.8).expect("a fraction")),
            search: Search::Sketches { sketch: Sketch::standard(), recall: DEFAULT_RECALL },
            words: shingle::DEFAULT_WORDS,
            is_weighted: false,
            word_kind: WordKind::Prose,
            short_texts: ShortTexts::Slips,
            linkage: Linkage::Centres,
            keep: Keep::First,
            by_address: None,
            mode: Mode::Remove,
            has_pairs: false,
            has_sizes: false,
            is_strict: false,
            allowed_failures: DEFAULT_ALLOWED,
            memory: DEFAULT_MEMORY,
        }
    }

    /// Returns the settings with a change: `Settings::standard().with(|settings| settings.words = 7)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Settings {
        change(&mut self);
        self
    }

    /// Returns the recipe that turns each text into keys and sets.
    ///
    /// # Errors
    /// If a shingle is to have no words, or if no bands of the sketch reach the wanted recall.
    pub fn recipe(&self) -> Result<Recipe> {
        let shingling = Shingling { words: self.words, is_weighted: self.is_weighted };
        let mut recipe = Recipe::new(shingling)?.with_words(self.word_kind);
        if !self.measure.is_containment() {
            recipe = recipe.with_short_texts(self.short_texts);
        }
        match (self.measure, self.search) {
            (Measure::Resemblance(threshold), Search::Sketches { sketch, recall }) => {
                recipe.with_keys(sketch, threshold, recall)
            }
            _ => Ok(recipe),
        }
    }

    /// Checks the settings for a corpus that is compared with a reference.
    ///
    /// # Errors
    /// If clusters are to be components.
    pub(crate) fn check_against(&self) -> Result<()> {
        if self.linkage == Linkage::Components {
            return Err(Error::setting(message![
                "with ",
                Setting("against"),
                " each duplicate resembles a document that stays, and ",
                Setting("cluster"),
                " components would also remove what only a chain links to one; leave ",
                Setting("cluster"),
                " out"
            ]));
        }
        Ok(())
    }

    /// Checks that the values go together.
    ///
    /// # Errors
    /// If two settings contradict each other, or memory is below [`LEAST_MEMORY`].
    pub fn check(&self) -> Result<()> {
        check_memory(self.memory)?;
        if self.measure.is_containment() && self.keep != Keep::First {
            return Err(Error::setting(message![
                Setting("containment"),
                " keeps the document that holds the other; leave ",
                Setting("keep"),
                " out"
            ]));
        }
        Ok(())
    }
}

/// Returns the bytes of records that are read at once with this much memory. Up to five batches are held: one that is
/// being worked on, one that is being taken, and three that were read ahead.
pub fn batch_bytes(memory: usize) -> usize {
    (memory / 64).clamp(1 << 18, 4 << 20)
}

/// Returns the bytes of the largest page of a Parquet file that is unpacked with this much memory. Its packed form and
/// a dictionary may be held beside it, each at most as large.
pub fn page_bytes(memory: usize) -> usize {
    memory / 4
}

/// Returns the bytes of the largest window of a packed file that is unpacked with this much memory: half of it, and
/// always as much as the tools' own highest levels ask for.
pub fn window_bytes(memory: usize) -> u64 {
    (memory as u64 / 2).max(UnpackOptions::standard().window)
}

/// Minimum memory of a run, in bytes: less cannot hold a batch of records and what is made of it.
pub const LEAST_MEMORY: usize = 32 << 20;
/// Default for the bytes of memory that a run may use.
pub const DEFAULT_MEMORY: usize = 2 << 30;

/// Checks the memory of a run, in bytes.
pub(crate) fn check_memory(memory: usize) -> Result<()> {
    if memory >= LEAST_MEMORY {
        return Ok(());
    }
    Err(Error::setting(message![
        ("memory of {memory} bytes is below the limit of {} MiB; raise ", LEAST_MEMORY >> 20),
        Setting("memory")
    ]))
}

/// Makes sure that there is a folder for a corpus that is written.
pub(crate) fn check_output(mode: Mode, places: &Places) -> Result<()> {
    if mode == Mode::Report || places.output.is_some() {
        return Ok(());
    }
    Err(Error::setting(message![
        "mode {mode} writes a corpus and needs a folder for it; name one with ",
        Setting("output"),
        ", or use ",
        Setting("mode"),
        " report"
    ]))
}

/// Refuses a shard whose texts cannot be changed, if `parts` of them are to be removed.
pub(crate) fn check_texts(
    (shard, options): (&Shard, &Options),
    mode: Mode,
    parts: &str,
) -> Result<()> {
    if mode != Mode::Remove {
        return Ok(());
    }
    match shard.unchangeable(options)? {
        Some(why) => Err(Error::input(format!(
            "{parts} cannot be taken out of the texts of `{}`: {why}; leave it out, or ask for a report only, which \
             says what is repeated",
            shard.name()
        ))),
        None => Ok(()),
    }
}

/// The condition for two documents to count as duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Their resemblance reaches the threshold.
    Resemblance(Threshold),
    /// The part of the smaller document that lies in the larger one reaches the threshold.
    Containment(Threshold),
}

impl Measure {
    /// Returns the threshold to reach.
    pub fn threshold(self) -> Threshold {
        match self {
            Measure::Resemblance(threshold) | Measure::Containment(threshold) => threshold,
        }
    }

    /// Returns whether this is containment.
    pub fn is_containment(self) -> bool {
        matches!(self, Measure::Containment(_))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_containment() { "containment" } else { "resemblance" };
        write!(f, "{name}>={}", self.threshold().value())
    }
}

/// The way candidate pairs are found. Each of them is compared exactly before it counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Finds documents whose sketches agree in enough bands; misses a few pairs.
    Sketches {
        /// The sketch.
        sketch: Sketch,
        /// The fraction of the pairs at the threshold that is to be found, if bands can be chosen.
        recall: f64,
    },
    /// Finds documents that share one of their rarest shingles; misses no pair.
    Exact,
}

/// The way pairs become clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linkage {
    /// Around the documents that stay: each other document is linked to its own centre.
    Centres,
    /// All documents that any chain links, as in 1997.
    Components,
}

impl fmt::Display for Linkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Linkage::Centres => "centres",
            Linkage::Components => "components",
        })
    }
}

/// The output besides the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The corpus without its duplicates.
    Remove,
    /// The whole corpus, each duplicate marked as one.
    Mark,
    /// Nothing.
    Report,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Remove => "remove",
            Mode::Mark => "mark",
            Mode::Report => "report",
        })
    }
}

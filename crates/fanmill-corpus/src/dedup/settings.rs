//! What the user decides about a run.

use std::fmt;

use fanmill_sketch::lsh::verify::Threshold;
use fanmill_sketch::{Sketch, shingle};
use fanmill_text::frontend::Folding;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use super::keep::Keep;
use crate::recipe::{Recipe, Shingling};

/// The part of the pairs at the threshold that sketches find unless the user says otherwise.
pub const DEFAULT_RECALL: f64 = 0.998;
/// Documents with fewer shingles than this lie inside anything by chance, so containment leaves
/// them alone.
pub const LEAST_CONTAINED: usize = 20;

/// What is compared, what counts as a duplicate, and what happens to it: the standard, and what is
/// [changed](Settings::with).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// When two documents count as duplicates.
    pub measure: Measure,
    /// How pairs are found that might count.
    pub search: Search,
    /// Words in a shingle, at least 1.
    pub words: usize,
    /// Whether a shingle counts as often as it occurs.
    pub is_weighted: bool,
    /// Folding of words.
    pub folding: Folding,
    /// How pairs become clusters.
    pub linkage: Linkage,
    /// Which document of a cluster stays.
    pub keep: Keep,
    /// What is written.
    pub mode: Mode,
    /// Whether the pairs that count are written, too: `pairs.parquet`.
    pub has_pairs: bool,
    /// Whether the first record that cannot be read ends the run.
    pub is_strict: bool,
    /// Bytes of memory that the run may use, workers included, 64 MiB for the program itself left out.
    pub memory: usize,
}

impl Settings {
    /// Resemblance of .8 of five-word shingles, fast similarity sketches, the first document stays.
    ///
    /// # Panics
    /// Never: .8 is a threshold.
    pub fn standard() -> Settings {
        Settings {
            measure: Measure::Resemblance(Threshold::new(0.8).expect("a fraction")),
            search: Search::Sketches { sketch: Sketch::standard(), recall: DEFAULT_RECALL },
            words: shingle::DEFAULT_WORDS,
            is_weighted: false,
            folding: Folding::Spelling,
            linkage: Linkage::Centres,
            keep: Keep::First,
            mode: Mode::Remove,
            has_pairs: false,
            is_strict: false,
            memory: DEFAULT_MEMORY,
        }
    }

    /// The same with a change: `Settings::standard().with(|settings| settings.words = 7)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Settings {
        change(&mut self);
        self
    }

    /// What is made of each text.
    ///
    /// # Errors
    /// If a shingle has no words, or no bands of the sketch reach the wanted recall.
    pub fn recipe(&self) -> Result<Recipe> {
        let shingling = Shingling { words: self.words, is_weighted: self.is_weighted };
        let recipe = Recipe::new(shingling)?.folded_by(self.folding);
        match (self.measure, self.search) {
            (Measure::Resemblance(threshold), Search::Sketches { sketch, recall }) => {
                recipe.with_keys(sketch, threshold, recall)
            }
            _ => Ok(recipe),
        }
    }

    /// Checks what else must hold for a corpus that is compared with a reference.
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

    /// Checks how the values go together.
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

/// Bytes of records that are read at once with so much memory. Up to five batches are held: one that something is made
/// of, one that is taken, and three that were read ahead.
pub fn batch_bytes(memory: usize) -> usize {
    (memory / 64).clamp(1 << 18, 4 << 20)
}

/// Bytes of the largest page of a Parquet file that is unpacked with so much memory: beside it, what it is
/// packed to and a dictionary may be held, as large at most.
pub fn page_bytes(memory: usize) -> usize {
    memory / 4
}

/// Less than this cannot hold a batch of records and what is made of it.
pub const LEAST_MEMORY: usize = 32 << 20;
/// Bytes that a run may use unless the user says otherwise.
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

/// When two documents count as duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Their resemblance reaches the threshold.
    Resemblance(Threshold),
    /// So much of the smaller one is in the larger one.
    Containment(Threshold),
}

impl Measure {
    /// The number to reach.
    pub fn threshold(self) -> Threshold {
        match self {
            Measure::Resemblance(threshold) | Measure::Containment(threshold) => threshold,
        }
    }

    /// Whether it asks what lies inside what.
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

/// How pairs are found that might count. Each one found is compared exactly before it does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Documents whose sketches agree in enough bands; misses a few pairs.
    Sketches {
        /// The sketch.
        sketch: Sketch,
        /// The part of the pairs at the threshold that is to be found, if bands can be chosen.
        recall: f64,
    },
    /// Documents that share one of their rarest shingles; finds every pair.
    Exact,
}

/// How pairs become clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Linkage {
    /// Around the documents that stay: each other one is linked to its own.
    Centres,
    /// All that is linked by any chain, as in 1997.
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

/// What is written besides the tables.
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

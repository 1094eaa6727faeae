//! Decontamination: removes the records of a training corpus that share text with test sets.
//!
//! A record of the corpus is removed if it shares a run of `min_words` words with an *item*, a record of the test sets.
//! An item of fewer words counts if a record has all its words in one run. Runs that more than `max_documents` records
//! have (a licence, a proverb, a template of questions) do not count; the table of items gives their number for each
//! item. Every run is compared word by word, and the table of removed records gives its place in both texts.
//!
//! The test sets are read into memory, and the corpus twice, a few batches at a time: first, the runs that each record
//! shares are counted; then, records with a run that counts are read again, and removed or marked.
//!
//! Cost: time linear in the corpus, and in what it shares with the items; some 60 bytes of memory for each word of the
//! test sets, which must fit into half of the allowed memory, and 4 bytes for each record that shares a run.
//! Source: Brown et al., "Language Models are Few-Shot Learners", 2020, appendix C: 13-grams, frequent ones ignored,
//! short examples whole.
//! Departs from it: whole records are removed, not 200 characters on either side; words are those of [`crate::recipe`].

mod windows;
mod items;
mod grams;
mod runs;
mod places;
mod find;
mod hits;
mod shared;
mod write;
mod summary;
mod in_memory;

use std::path::PathBuf;

use fanmill_disk::replace::OnFailure;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};

use crate::dedup::{DEFAULT_MEMORY, Mode, check_memory, check_output};
use crate::job::{
    self, Corpus, DEFAULT_ALLOWED, Identity, Job, Places, Reference, RunEnd, Staging, Steps, Work,
    identifying,
};
use fanmill_records::format::Options;

pub use in_memory::{Contamination, FoundItem, FoundRun, in_memory};
pub use summary::{Counts, ItemCounts, ItemSummary, SharedItem, Summary};

/// Greatest number of words that a run may be required to have.
const LONGEST: u32 = 10_000;

/// The settings of a run, as the user chooses them. They start from [`Settings::standard`] and are
/// [changed](Settings::with) from there.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Minimum length of a run in words, at least 1; an item of fewer words is one run.
    pub min_words: u32,
    /// Maximum number of records of the corpus that may have a run; a more common run does not count.
    pub max_documents: u32,
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

impl Settings {
    /// Returns settings that remove records that share 13 words with an item, unless more than 10 records do.
    pub fn standard() -> Settings {
        Settings {
            min_words: 13,
            max_documents: 10,
            mode: Mode::Remove,
            is_strict: false,
            allowed_failures: DEFAULT_ALLOWED,
            memory: DEFAULT_MEMORY,
        }
    }

    /// Returns the settings with a change: `Settings::standard().with(|settings| settings.min_words = 8)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Settings {
        change(&mut self);
        self
    }

    fn check(&self, places: &Places) -> Result<()> {
        self.check_values()?;
        check_output(self.mode, places)
    }

    /// Checks everything but the output.
    fn check_values(&self) -> Result<()> {
        if self.min_words == 0 {
            return Err(Error::setting(message![
                "a run of 0 words is in every record; use ",
                Setting("min-words"),
                " 8 or more"
            ]));
        }
        if self.min_words > LONGEST {
            return Err(Error::setting(message![
                Setting("min-words"),
                (" of {} words is above the limit of {LONGEST}; lower it", self.min_words)
            ]));
        }
        if self.max_documents == 0 {
            return Err(Error::setting(message![
                "with ",
                Setting("max-documents"),
                " 0 no run counts; use 1 or more"
            ]));
        }
        check_memory(self.memory)
    }
}

/// A run, as its steps see it.
#[derive(Debug)]
struct Run<'a> {
    corpus: Corpus<'a>,
    settings: &'a Settings,
    staging: Staging,
    steps: Steps<'a>,
    identity: Identity,
}

/// Finds the records of a corpus that share runs with the items of test sets, and writes the corpus without them.
///
/// # Errors
/// If settings contradict each other; if the output already exists; if a shard cannot be opened or breaks off; if a
/// file belongs to both the corpus and the test sets; if the items take more memory than allowed; if a record cannot be
/// read and the run is strict; if a file cannot be written. The output then does not exist.
pub fn run(
    (paths, options): (&[PathBuf], &Options),
    tests: Reference<'_>,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Summary>> {
    settings.check(places)?;
    let job = Job {
        name: "decontaminate",
        places,
        reference: Some(tests),
        // Hashes are under random keys, so an interrupted run cannot be resumed.
        rest: OnFailure::Goes,
        writes: write::form(settings.mode),
        settings: &identifying(&Settings { memory: 0, ..*settings }),
    };
    let Some(Work { shards, n_references, left_out, reference_left_out, staging, identity }) =
        job::open(paths, options, job, progress, |_| Ok(()))?
    else {
        return Ok(RunEnd::Before);
    };
    let corpus =
        Corpus { shards: &shards, n_references, options, reference_options: tests.options };
    let run = Run { corpus, settings, staging, steps: Steps::new(progress), identity };

    run.steps.begin("reading", 0)?;
    let (items, of_items, n_wordless) = items::read(&run, reference_left_out)?;
    let grams = grams::Grams::new(&items, settings.min_words);
    let found = find::read(&run, &items, &grams, left_out)?;
    run.steps.begin("writing", found.account.records.total())?;
    let look = hits::ContaminationCheck { items: &items, grams: &grams, counts: &found.counts };
    let shared = write::write(&run, &found.account, look)?;
    let starts = found.account.records.starts()?;
    job::write_failed(&run.corpus, &starts, &found.account.bad, (&run.staging, &run.steps))?;
    run.steps.end();
    let n_common =
        (0..grams.len() as u32).filter(|&gram| found.counts.is_common(gram)).count() as u64;
    let n_grams = (grams.len() as u64, n_common);
    let summary =
        summary::Summary::new(&run, &items, (of_items, n_wordless), found, &shared, n_grams);
    if run.staging.has_output() {
        run.staging.write_summary(&summary)?;
    }
    run.staging.finish()?;
    Ok(RunEnd::Now(summary))
}

//! Repeated passages: removes paragraphs or lines that earlier documents have from later ones.
//!
//! A page may be original except for navigation, legal notices or signatures. A passage is identified by its words,
//! folded and in lower case. Passages of too few words are left alone, and so are those that a document repeats only
//! within itself. The first document that has a passage keeps it.
//!
//! The corpus is read twice, a few batches at a time: the hashes of passages are sorted, on disk if need be, and the
//! passages to remove are put back in the order of the corpus. Each passage that is removed, and the one that stays, is
//! checked against its hash once more.
//!
//! Cost: time linear except for sorting; 20 bytes of disk a passage. The chance that two of a billion passages have
//! equal hashes by accident is 6e-12.

mod find;
mod split;
mod summary;
mod rewrite;

use std::path::PathBuf;

use fanmill_disk::replace::OnFailure;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};

use crate::dedup::{DEFAULT_MEMORY, Mode, check_memory, check_output, check_texts};
use crate::job::{
    self, Corpus, DEFAULT_ALLOWED, Identity, Job, Places, RunEnd, Staging, Steps, Work, identifying,
};
use fanmill_records::format::{Options, OutputForm, Shard};

pub use split::{Unit, without};
pub use summary::{Counts, Repeated, Summary};

/// The settings of a run, as the user chooses them. They start from [`Settings::for_unit`] and are [changed](Settings::with)
/// from there.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// The kind of passages that are removed.
    pub unit: Unit,
    /// Minimum number of words in a passage; shorter ones are left alone.
    pub min_words: u32,
    /// Minimum number of documents that must have a passage for it to be removed; at least 2.
    pub min_documents: u32,
    /// The kind of output; passages cannot be marked.
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
    /// Returns settings that remove passages of 5 words or more that several documents have.
    pub fn for_unit(unit: Unit) -> Settings {
        Settings {
            unit,
            min_words: 5,
            min_documents: 2,
            mode: Mode::Remove,
            is_strict: false,
            allowed_failures: DEFAULT_ALLOWED,
            memory: DEFAULT_MEMORY,
        }
    }

    /// Returns the settings with a change: `Settings::for_unit(Unit::Line).with(|settings| settings.min_words = 8)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Settings)) -> Settings {
        change(&mut self);
        self
    }

    fn check(&self, places: &Places) -> Result<()> {
        if self.min_documents < 2 {
            return Err(Error::setting(message![
                ("a passage of {} documents is not repeated; use ", self.min_documents),
                Setting("min-documents"),
                " 2 or more"
            ]));
        }
        if self.mode == Mode::Mark {
            let mode = Setting("mode");
            return Err(Error::setting(message![
                "passages cannot be marked; use ",
                mode,
                " remove, or ",
                mode,
                " report to look first"
            ]));
        }
        check_memory(self.memory)?;
        check_output(self.mode, places)
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

/// Finds the repeated passages of a corpus, and writes the corpus again without them.
///
/// # Errors
/// If settings contradict each other; if the output already exists; if a shard cannot be opened or breaks off, or its
/// format cannot take another text; if a record cannot be read and the run is strict; if a file cannot be written. The
/// output then does not exist.
pub fn run(
    paths: &[PathBuf],
    options: &Options,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Summary>> {
    settings.check(places)?;
    let job = Job {
        name: "passages",
        places,
        reference: None,
        // Hashes are under random keys, so an interrupted run cannot be resumed.
        rest: OnFailure::Goes,
        writes: (settings.mode != Mode::Report).then_some(OutputForm::Records),
        settings: &identifying(&Settings { memory: 0, ..*settings }),
    };
    let check = |shard: &Shard| check_texts((shard, options), settings.mode, "passages");
    let Some(Work { shards, left_out, staging, identity, .. }) =
        job::open(paths, options, job, progress, check)?
    else {
        return Ok(RunEnd::Before);
    };
    let corpus = Corpus { shards: &shards, n_references: 0, options, reference_options: options };
    let run = Run { corpus, settings, staging, steps: Steps::new(progress), identity };

    run.steps.begin("reading", 0)?;
    let mut found = find::read(&run, left_out)?;
    run.steps.begin("sorting", 0)?;
    let repeats = found.repeats(&run)?;
    run.steps.begin("writing", found.account.records.total())?;
    let (removed, repeated) = rewrite::write(&run, &found, repeats)?;
    let starts = found.account.records.starts()?;
    job::write_failed(&run.corpus, &starts, &found.account.bad, (&run.staging, &run.steps))?;
    run.steps.end();
    let summary = summary::Summary::new(&run, found, removed, repeated);
    if run.staging.has_output() {
        run.staging.write_summary(&summary)?;
    }
    run.staging.finish()?;
    Ok(RunEnd::Now(summary))
}

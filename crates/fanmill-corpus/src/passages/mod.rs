//! Repeated passages: paragraphs or lines that earlier documents have, removed from later ones.
//!
//! A page may be original but for navigation, legal notices or signatures. A passage is identified by its
//! words, folded and in lower case. Passages of too few words are left alone, and so is what a document
//! repeats in itself. The first document that has a passage keeps it.
//!
//! The corpus is read twice, a few batches at a time: the hashes of passages are sorted, on disk if need be, and
//! the passages to remove are put back in the order of the corpus. Each passage that is removed, and the one
//! that stays, is compared with its hash once more.
//!
//! Cost: time linear but for sorting; 20 bytes of disk a passage. Two of a billion passages have equal
//! hashes by accident with a chance of 6e-12.

mod find;
mod split;
mod summary;
mod rewrite;

use std::path::PathBuf;

use fanmill_disk::replace::Rest;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};

use crate::dedup::{DEFAULT_MEMORY, Mode, check_memory};
use crate::job::{self, Corpus, Ended, Identity, Job, Places, Staging, Steps, Work, identifying};
use fanmill_records::format::{Options, Shard};

pub use split::{Unit, without};
pub use summary::{Counts, Repeated, Summary};

/// What is in the output besides the corpus.
const NAMES: [&str; 2] = ["removed.parquet", "summary.json"];

/// What the user decides about a run: the standard, and what is [changed](Settings::with).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// What is removed.
    pub unit: Unit,
    /// Passages of fewer words than this are left alone.
    pub min_words: u32,
    /// Passages in fewer documents than this are left alone; at least 2.
    pub min_documents: u32,
    /// What is written; passages cannot be marked.
    pub mode: Mode,
    /// Whether the first record that cannot be read ends the run.
    pub is_strict: bool,
    /// Bytes of memory that the run may use, 64 MiB for the program itself left out.
    pub memory: usize,
}

impl Settings {
    /// Removes passages of 5 words and more that several documents have.
    pub fn of(unit: Unit) -> Settings {
        Settings {
            unit,
            min_words: 5,
            min_documents: 2,
            mode: Mode::Remove,
            is_strict: false,
            memory: DEFAULT_MEMORY,
        }
    }

    /// The same with a change: `Settings::of(Unit::Line).with(|settings| settings.min_words = 8)`.
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
        if self.mode == Mode::Remove && places.output.is_none() {
            return Err(Error::setting(message![
                "mode remove writes a corpus and needs a folder for it; name one with ",
                Setting("output"),
                ", or use ",
                Setting("mode"),
                " report"
            ]));
        }
        Ok(())
    }
}

/// Refuses a shard whose texts cannot be changed, if that is what is to be done.
fn check_texts(shard: &Shard, options: &Options, mode: Mode) -> Result<()> {
    if mode != Mode::Remove {
        return Ok(());
    }
    match shard.unchangeable(options)? {
        Some(why) => Err(Error::input(format!(
            "passages cannot be taken out of the texts of `{}`: {why}; leave it out, or ask for a report only, \
             which says what is repeated",
            shard.name()
        ))),
        None => Ok(()),
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

/// Finds the repeated passages of a corpus, and writes it again without them.
///
/// # Errors
/// If settings contradict each other; if the output is there already; if a shard cannot be opened or
/// breaks off, or its format cannot take another text; if a record cannot be read and the run is strict; if a
/// file cannot be written. The output is then not there.
pub fn run(
    paths: &[PathBuf],
    options: &Options,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<Ended<Summary>> {
    settings.check(places)?;
    let job = Job {
        name: "passages",
        places,
        reference: None,
        rest: Rest::Goes,
        reserved: if settings.mode == Mode::Report { &[] } else { &NAMES },
        settings: &identifying(&Settings { memory: 0, ..*settings }),
    };
    let check = |shard: &Shard| check_texts(shard, options, settings.mode);
    let Some(Work { shards, left_out, staging, identity, .. }) =
        job::open(paths, options, job, progress, check)?
    else {
        return Ok(Ended::Before);
    };
    let corpus = Corpus { shards: &shards, n_references: 0, options, reference_options: options };
    let run = Run { corpus, settings, staging, steps: Steps::new(progress), identity };

    run.steps.begin("reading", 0)?;
    let mut found = find::read(&run, left_out)?;
    run.steps.begin("sorting", 0)?;
    let repeats = found.repeats(&run)?;
    run.steps.begin("writing", found.records.total())?;
    let (removed, repeated) = rewrite::write(&run, &found, repeats)?;
    run.steps.end();
    let summary = summary::Summary::new(&run, found, removed, repeated);
    if run.staging.has_output() {
        run.staging.write_summary(&summary)?;
    }
    run.staging.finish()?;
    Ok(Ended::Now(summary))
}

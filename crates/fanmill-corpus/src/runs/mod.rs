//! Repeated runs: removes every run of `n` words or more that occurs earlier in the corpus, anywhere, also within one
//! document.
//!
//! A *window* is `n` consecutive words of a text, spelled as they are; white space between them does not count. A window
//! goes if an equal one begins earlier in the order of keeping and does not overlap it. What is removed of a text is
//! the union of its windows that go. What is left is joined, and compared again, until nothing that is left is repeated:
//! a second run over the output removes nothing.
//!
//! 1. `stored`: each text becomes words, which go to disk beyond the memory, and seeds (`seeds`), such that equal
//!    windows have an equal one.
//! 2. `repeats`: only windows with a seed that occurs twice are hashed and sorted; of equal ones the first stays.
//! 3. `pieces`, `rounds`: what is cut out, piece by piece with its source; again for what the cuts have joined.
//! 4. `write`: the corpus is read again, and written without what is cut.
//!
//! Hashes are under random keys, and the words of each document that is cut, or is the source of another, are compared
//! with those that were read first. The output does not depend on the keys, so a run that was killed reads the corpus
//! again, and keeps the shards that it has written.
//!
//! Cost: time linear except for sorting; 8 bytes of disk for each word beyond the memory, and 24 for each window that is
//! kept, which are at most the words in repeated runs, their neighbours and a few more; 16 bytes of memory a document.
//! Other tools find such runs by a suffix array of all bytes, which takes 15 bytes of memory for each byte of text and
//! six times the time (`fanmill-bench runs`), and cuts words and characters.

mod words;
mod hashing;
mod seeds;
mod settings;
mod order;
mod current;
mod items;
mod by_document;
mod context;
mod stored;
mod hot;
mod windows;
mod twice;
mod repeats;
mod pieces;
mod rounds;
mod joined;
mod summary;
mod outcome;
mod jobs;
mod table;
mod write;
mod in_memory;
mod operator;

use std::path::PathBuf;

use fanmill_disk::replace::OnFailure;
use fanmill_text::Result;
use fanmill_text::progress::Progress;

use self::context::{Method, Run};
use crate::dedup::check_texts;
use crate::job::{self, Corpus, Job, Places, RunEnd, Steps, Work, identifying};
use fanmill_records::format::{Options, Shard};

pub use in_memory::{Edit, Edits, FoundPiece, in_memory};
pub use operator::{Rest, TextOperator, TextWindow};
pub use settings::{Cut, DEFAULT_WORDS, MinLength, Settings};
pub use summary::{Counts, Removed, Summary};

/// Finds the repeated runs of a corpus, and writes the corpus again without them.
///
/// # Errors
/// If settings contradict each other; if the output already exists; if a shard cannot be opened or breaks off, or its
/// format cannot take another text; if no document can follow the rule for what stays; if a record cannot be read and
/// the run is strict; if a file cannot be written. The output then does not exist.
pub fn run(
    paths: &[PathBuf],
    options: &Options,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Summary>> {
    settings.check(places)?;
    let job = Job {
        name: "runs",
        places,
        reference: None,
        rest: OnFailure::Stays,
        writes: write::form(settings.mode),
        settings: &identifying(&settings.clone().with(|settings| settings.memory = 0)),
    };
    let check = |shard: &Shard| check_texts((shard, options), settings.mode, "runs");
    let Some(Work { shards, left_out, staging, identity, .. }) =
        job::open(paths, options, job, progress, check)?
    else {
        return Ok(RunEnd::Before);
    };
    let corpus = Corpus { shards: &shards, n_references: 0, options, reference_options: options };
    let steps = Steps::new(progress);
    let run = Run { corpus, settings, staging, steps, identity, method: Method::draw(settings)? };

    run.steps.begin("reading", 0)?;
    // From here on, shards that are written are of use to a run that resumes.
    run.staging.keep_log()?;
    let (stored, seeds, usable) = stored::read(&run, left_out)?;
    if let Err(refusal) = usable {
        // A run with these settings would end here again.
        drop((stored, seeds));
        run.staging.discard()?;
        return Err(refusal);
    }
    run.steps.begin("comparing", 0)?;
    let plan = rounds::plan(run.context(), &stored.texts, seeds)?;
    run.steps.begin("writing", stored.account.records.total())?;
    let removed = write::write(&run, &stored, &plan)?;
    let starts = stored.account.records.starts()?;
    job::write_failed(&run.corpus, &starts, &stored.account.bad, (&run.staging, &run.steps))?;
    run.steps.end();
    let summary = summary::Summary::new(&run, stored, removed, plan.n_rounds);
    if run.staging.has_output() {
        run.staging.write_summary(&summary)?;
    }
    run.staging.finish()?;
    Ok(RunEnd::Now(summary))
}

//! `fanmill-bench dedup`: the whole job on a corpus with known duplicates.
//!
//! The command is run as users run it, as a process, and judged by the files it writes.

mod corpus;
mod job;
mod correct;
mod parts;
mod planted;
pub(crate) mod rivals;
mod speed;

use std::path::Path;

use anyhow::{Context, Result};

use self::corpus::Corpus;
use self::job::Job;
use crate::child;

/// Prints all figures. `data` holds `text/corpus.jsonl.zst`, its pairs and the planted copies.
pub(crate) fn run(data: &Path, binary: Option<&Path>, compares: bool) -> Result<()> {
    let text = data.join("text");
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let binary = child::measured_program(binary)?;
    // Reading the corpus unpacks it to the job's input.
    let job = Job::new(binary, folder.path().to_owned());
    let corpus = Corpus::read(&text, &job.input())?;
    println!(
        "corpus: {} documents, {:.1} MB of text, {} pairs of at least .5, {} of at least .8",
        corpus.ids.len(),
        corpus.n_bytes() as f64 / 1e6,
        corpus.truth.len(),
        corpus.true_pairs().count()
    );
    correct::print(&job, &corpus)?;
    planted::print(&job, &corpus, &text.join("planted.jsonl"))?;
    let seconds = speed::print(&job, &corpus)?;
    parts::print(&corpus)?;
    if compares {
        rivals::print(&job.input(), folder.path(), seconds, corpus.n_bytes())?;
    }
    Ok(())
}

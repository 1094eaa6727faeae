//! The job, run as a process, and the files it has written.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use arrow_array::{Array, RecordBatch, StringArray};
use fanmill_corpus::job::bookkeeping_of;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::corpus::{Corpus, ordered};
use crate::child;

/// The command, its inputs and a folder to work in.
pub(super) struct Job {
    binary: PathBuf,
    folder: PathBuf,
}

/// The results of a run.
pub(super) struct Found {
    /// The pairs that it reports, lower document first; equal texts are represented by the first one.
    pub(super) edges: BTreeSet<(u32, u32)>,
    /// The documents that are not in its output, ascending.
    pub(super) removed: Vec<u32>,
}

impl Found {
    /// Returns whether two documents are a reported pair, copies of such a pair, or copies of each other.
    pub(super) fn has(&self, corpus: &Corpus, (a, b): (u32, u32)) -> bool {
        let [a, b] = [a, b].map(|document| corpus.first_of[document as usize]);
        a == b || self.edges.contains(&ordered(a, b))
    }
}

impl Job {
    pub(super) fn new(binary: PathBuf, folder: PathBuf) -> Job {
        Job { binary, folder }
    }

    /// Returns the path of the unpacked corpus.
    pub(super) fn input(&self) -> PathBuf {
        self.folder.join("corpus.jsonl")
    }

    /// Returns the folder for other files.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn output(&self) -> PathBuf {
        self.folder.join("out")
    }

    /// Returns the command for `input`, on one thread. Removes the output of an earlier run.
    pub(super) fn command(&self, input: &Path, arguments: &[&str]) -> Result<Command> {
        let output = self.output();
        for folder in [&output, &bookkeeping_of(&output)?] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        let mut command = Command::new(&self.binary);
        command.arg("dedup").arg(input).arg("--output").arg(output);
        command.args(["--threads", "1", "--quiet"]).args(arguments);
        Ok(command)
    }

    /// Runs the job on the corpus, and reads the files it has written.
    pub(super) fn find(&self, corpus: &Corpus, arguments: &[&str]) -> Result<Found> {
        let mut command = self.command(&self.input(), arguments)?;
        // The exact answers are for words as they are spelled.
        child::run(command.args(["--pairs", "--exact-spelling"]))?;
        let mut found = Found { edges: BTreeSet::new(), removed: Vec::new() };
        let path = bookkeeping_of(&self.output())?.join("pairs.parquet");
        let file = File::open(&path).with_context(|| format!("no `{}`", path.display()))?;
        for rows in ParquetRecordBatchReaderBuilder::try_new(file)?.build()? {
            let rows = rows?;
            let (ids, others) = (texts(&rows, "id")?, texts(&rows, "other_id")?);
            for row in 0..rows.num_rows() {
                let pair = ordered(corpus.place(ids.value(row))?, corpus.place(others.value(row))?);
                found.edges.insert(pair);
            }
        }
        let mut stays = vec![false; corpus.ids.len()];
        for line in fs::read_to_string(self.output().join("corpus.jsonl"))?.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let id = record["id"].as_str().context("a record without `id`")?;
            stays[corpus.place(id)? as usize] = true;
        }
        found.removed = (0..).zip(stays).filter(|(_, stays)| !stays).map(|(i, _)| i).collect();
        Ok(found)
    }
}

fn texts<'a>(rows: &'a RecordBatch, name: &str) -> Result<&'a StringArray> {
    let column = rows.column_by_name(name).with_context(|| format!("no column `{name}`"))?;
    column.as_any().downcast_ref().with_context(|| format!("column `{name}` is not text"))
}

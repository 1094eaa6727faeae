//! `fanmill-bench runs`: repeated runs of words in a corpus, beside plain `dedup` and a suffix array.
//!
//! The command is run as users run it, as a process on one thread. A suffix array of all words is the other way to find
//! every repeated run; it is built here, so that both can be compared word by word.

#[cfg(feature = "suffix-array")]
mod suffixes;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::child::{self, ResourceUsage};

/// The arguments of the measurement.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The folder that holds `text/corpus.jsonl.zst`.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Minimum length of a run, in words.
    #[arg(long, value_name = "WORDS", default_value_t = 50)]
    min_words: usize,
    /// The command to measure [default: `fanmill` beside this program].
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// The arguments of a suffix array by itself.
#[derive(Debug, Args)]
pub(crate) struct ArrayOptions {
    /// Records with a `text`, one JSON object per line.
    corpus: PathBuf,
    /// Minimum length of a run, in words.
    #[arg(long, value_name = "WORDS", default_value_t = 50)]
    min_words: usize,
}

/// Returns whether this program can make suffix arrays.
pub(crate) fn has_suffix_array() -> bool {
    cfg!(feature = "suffix-array")
}

/// Prints the number of words in repeated windows, by a suffix array.
#[cfg(feature = "suffix-array")]
pub(crate) fn print_repeated(options: &ArrayOptions) -> Result<()> {
    suffixes::print_repeated(&options.corpus, options.min_words)
}

/// Refuses, as this program makes no suffix arrays.
#[cfg(not(feature = "suffix-array"))]
pub(crate) fn print_repeated(options: &ArrayOptions) -> Result<()> {
    let (corpus, n) = (options.corpus.display(), options.min_words);
    anyhow::bail!(
        "there is no suffix array for `{corpus}` and windows of {n} words; build with --features suffix-array"
    )
}

/// Number of runs of a command, of which the fastest counts.
const RUNS: usize = 3;

/// Prints all figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let input = folder.path().join("corpus.jsonl");
    unpack(&options.data.join("text/corpus.jsonl.zst"), &input)?;
    let binary = child::measured_program(options.binary.as_deref())?;
    let min_words = options.min_words.to_string();
    let output = folder.path().join("out");
    let plain = measured(&binary, &input, &output, &[])?;
    print("plain dedup", plain, None);
    let unit = ["--unit", "run", "--min-words", &min_words];
    let runs = measured(&binary, &input, &output, &unit)?;
    print(&format!("--unit run --min-words {min_words}"), runs, Some(plain));
    #[cfg(feature = "suffix-array")]
    suffixes::compare(&input, &output, options.min_words, runs)?;
    #[cfg(not(feature = "suffix-array"))]
    println!("a suffix array of the same corpus: build with --features suffix-array");
    Ok(())
}

fn unpack(packed: &Path, to: &Path) -> Result<()> {
    let file = File::open(packed).with_context(|| format!("no file `{}`", packed.display()))?;
    io::copy(&mut zstd::Decoder::new(file)?, &mut File::create(to)?)?;
    Ok(())
}

fn measured(
    binary: &Path,
    input: &Path,
    output: &Path,
    arguments: &[&str],
) -> Result<ResourceUsage> {
    child::best_of(RUNS, || {
        if output.exists() {
            fs::remove_dir_all(output)?;
        }
        let mut command = Command::new(binary);
        command.args(["dedup", "--quiet", "--threads", "1", "-o"]).arg(output).arg(input);
        command.args(arguments);
        Ok(command)
    })
}

fn print(what: &str, used: ResourceUsage, beside: Option<ResourceUsage>) {
    let peak = used.peak.map(|peak| format!(", {} MB at most", peak / 1_000_000));
    let times = beside.map(|b| format!(", {:.2} times as much", used.seconds() / b.seconds()));
    println!(
        "{what}: {:.2} s of processor time{}{}",
        used.seconds(),
        times.unwrap_or_default(),
        peak.unwrap_or_default()
    );
}

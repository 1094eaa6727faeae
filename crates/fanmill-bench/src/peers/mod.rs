//! The jobs of Fanmill beside other tools that do them, on the same input.
//!
//! The installed tools take turns, each as a process of its own, so that a disturbance of the machine affects all of
//! them. The fastest run of each tool counts, and its largest peak memory; one that takes half a minute has a single run.
//! Tools differ in their tasks (some only find candidates, none writes a corpus without its duplicates), so each row says
//! what was done.
//!
//! Programs are measured in several sizes, too: parts of the folder, spread over it, each of which is in the larger ones.
//!
//! Cost: as long as the slowest tool takes, times the number of runs.

mod sizes;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use self::tools::{Tool, Work};
use crate::child::{self, ResourceUsage};
use crate::record;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// A folder of programs in one language, each a submission.
    #[arg(long, value_name = "DIR", required_unless_present = "corpus")]
    code: Option<PathBuf>,
    /// Numbers of these programs that are compared before all of them are, ascending.
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "code")]
    sizes: Vec<usize>,
    /// Records with a `text`, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Look for other tools in this folder first.
    #[arg(long, value_name = "DIR")]
    tools: Option<PathBuf>,
    /// Runs of each tool.
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,
    /// Folder for the dated record.
    #[arg(long, value_name = "DIR", default_value = "bench/record")]
    record: PathBuf,
    /// The command to measure [default: `fanmill` beside this program].
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// A tool with its runs on an input.
struct Measured {
    tool: Tool,
    version: String,
    /// The runs that finished.
    runs: Vec<ResourceUsage>,
    /// The reason why there are no more runs.
    trouble: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let binary = child::measured_program(options.binary.as_deref())?;
    let folder = tempfile::tempdir()?;
    let mut figures = Vec::new();
    let inputs = [
        (&options.code, tools::CODE),
        (&options.corpus, tools::CORPUS),
        (&options.corpus, tools::RUNS),
    ];
    for (input, tools) in inputs {
        let Some(input) = input else { continue };
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let mut take = |input: &Path| -> Result<()> {
            let work = Work::new(binary.clone(), input, folder.path(), options.tools.as_deref())?;
            figures.extend(measure(&work, &name, tools, options.runs.max(1))?);
            Ok(())
        };
        if tools == tools::CODE {
            for part in sizes::parts(input, &options.sizes, folder.path())? {
                take(&part)?;
            }
        }
        take(input)?;
    }
    let path = record::write(&options.record, "peers", &Value::Array(figures))?;
    println!("\nrecorded in `{}`", path.display());
    Ok(())
}

/// Runs the tools in turns, prints their figures, and returns them.
fn measure(work: &Work, input: &str, tools: &[Tool], runs: usize) -> Result<Vec<Value>> {
    let (n_files, n_bytes) = size(&work.input)?;
    println!(
        "\n{input}: {}, {:.1} MB",
        fanmill_text::counted::counted(n_files, "file", "files"),
        n_bytes as f64 / 1e6
    );
    let mut measured = Vec::new();
    for &tool in tools {
        match work.version(tool) {
            Some(version) => {
                measured.push(Measured { tool, version, runs: Vec::new(), trouble: None });
            }
            None => println!("{:<11} is not there", tool.name()),
        }
    }
    // Tools take turns within a round; a tool that failed, or is slow, gets no more turns.
    for _ in 0..runs {
        for measured in measured.iter_mut().filter(|measured| measured.has_turns()) {
            match child::run(&mut work.command(measured.tool)?) {
                Ok(used) => measured.runs.push(used),
                Err(error) => measured.trouble = Some(error.to_string()),
            }
        }
    }
    let ours = measured[0].best().context("Fanmill itself did not come to an end")?;
    println!("{:<11} {:<12} {:>9} {:>7} {:>9} {:>7}", "", "version", "CPU s", "×", "peak MB", "×");
    for measured in &measured {
        measured.print(ours);
    }
    let figures = measured.iter().map(|measured| {
        let best = measured.best();
        json!({
            "input": { "name": input, "files": n_files, "bytes": n_bytes },
            "tool": measured.tool.name(),
            "version": measured.version,
            "does": measured.tool.does(),
            "runs": measured.runs.len(),
            "cpu_seconds": best.map(ResourceUsage::seconds),
            "peak_bytes": best.and_then(|best| best.peak),
            "cpu_ratio": best.map(|best| best.seconds() / ours.seconds()),
            "trouble": measured.trouble,
        })
    });
    Ok(figures.collect())
}

/// Seconds of processor time from which on one run is enough: a disturbance is a small part of it.
const LONG: f64 = 30.0;

impl Measured {
    fn has_turns(&self) -> bool {
        let is_long = self.best().is_some_and(|best| best.seconds() >= LONG);
        self.trouble.is_none() && !is_long
    }

    /// Returns the fastest run, with the largest peak memory of all.
    fn best(&self) -> Option<ResourceUsage> {
        let fastest = self.runs.iter().min_by(|a, b| a.seconds().total_cmp(&b.seconds()))?;
        let peak = self.runs.iter().filter_map(|used| used.peak).max();
        Some(ResourceUsage { peak, ..*fastest })
    }

    fn print(&self, ours: ResourceUsage) {
        let (name, version, does) = (self.tool.name(), &self.version, self.tool.does());
        let Some(best) = self.best() else {
            let trouble = self.trouble.as_deref().unwrap_or_default();
            println!("{name:<11} {version:<12} failed: {trouble}");
            return;
        };
        let megabytes = |used: ResourceUsage| used.peak.unwrap_or_default() as f64 / 1e6;
        println!(
            "{name:<11} {version:<12} {:>9.2} {:>7.1} {:>9.0} {:>7.1}  {does}",
            best.seconds(),
            best.seconds() / ours.seconds(),
            megabytes(best),
            megabytes(best) / megabytes(ours),
        );
    }
}

/// Returns the number of files in an input, and of bytes.
fn size(input: &Path) -> Result<(u64, u64)> {
    if input.is_file() {
        return Ok((1, input.metadata()?.len()));
    }
    let (mut n_files, mut n_bytes) = (0, 0);
    for entry in fs::read_dir(input).with_context(|| input.display().to_string())? {
        let (files, bytes) = size(&entry?.path())?;
        (n_files, n_bytes) = (n_files + files, n_bytes + bytes);
    }
    Ok((n_files, n_bytes))
}

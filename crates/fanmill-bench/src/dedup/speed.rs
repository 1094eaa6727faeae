//! Time and memory of the whole job, including output, on the corpus and on ten times the corpus.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::corpus::Corpus;
use super::job::Job;
use crate::child::{self, ResourceUsage};

/// Number of runs, of which the best counts.
const RUNS: usize = 7;
/// Number of copies of the corpus in the large one.
const TIMES: usize = 10;
/// A budget that is too small for the large corpus. `MOST_MIB` adds the memory that the program may use besides.
const MEMORY: &str = "128MiB";
const MOST_MIB: u64 = 128 + 64;

/// Prints speed and memory; returns the time of the job with default settings, in seconds.
pub(super) fn print(job: &Job, corpus: &Corpus) -> Result<f64> {
    let n_bytes = corpus.n_bytes();
    println!("\nthe whole job, one thread, plain JSON lines in and out, best of {RUNS}");
    let input = job.input();
    let row = |name: &str, n_bytes: usize, used: ResourceUsage| {
        println!(
            "{name:<34} {:>6.1} MB of text in {:.3} s ({:.3} of them the system's): {:>4.0} MB/s, {} MiB",
            n_bytes as f64 / 1e6,
            used.seconds(),
            used.system,
            n_bytes as f64 / 1e6 / used.seconds(),
            used.peak.map_or(0, |peak| peak >> 20)
        );
    };
    let by_default = child::best_of(RUNS, || job.command(&input, &[]))?;
    row("by default", n_bytes, by_default);
    // This run is also the baseline for the large corpus below.
    let few = child::best_of(RUNS, || job.command(&input, &["--memory", MEMORY]))?;
    row(&format!("--memory {MEMORY}"), n_bytes, few);
    row("--exact", n_bytes, child::best_of(3, || job.command(&input, &["--exact"]))?);
    let contained = || job.command(&input, &["--containment", "0.8"]);
    row("--containment 0.8", n_bytes, child::best_of(3, contained)?);

    let large = job.folder().join("large.jsonl");
    let n_large = write_large(corpus, &large)?;
    let many = child::best_of(2, || job.command(&large, &["--memory", MEMORY]))?;
    row(&format!("{TIMES} times, --memory {MEMORY}"), n_large, many);
    let of_bytes = n_large as f64 / n_bytes as f64;
    println!(
        "  {of_bytes:.2} times the text takes {:.2} times the time: {:.2} for each byte; peak {} of {} MiB",
        many.seconds() / few.seconds(),
        many.seconds() / few.seconds() / of_bytes,
        many.peak.map_or(0, |peak| peak >> 20),
        MOST_MIB
    );
    Ok(by_default.seconds())
}

/// Writes the corpus several times, each time with different words: the letter of the copy is appended to every word.
/// Returns the number of bytes of text.
fn write_large(corpus: &Corpus, path: &Path) -> Result<usize> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut n_bytes = 0;
    let mut own = String::new();
    for time in 0..TIMES {
        let mark = char::from(b'a' + time as u8);
        for (id, text) in corpus.ids.iter().zip(&corpus.texts) {
            own.clear();
            let mut is_word = false;
            for c in text.chars() {
                if is_word && !(c.is_alphanumeric() || c == '_') {
                    own.push(mark);
                }
                is_word = c.is_alphanumeric() || c == '_';
                own.push(c);
            }
            n_bytes += own.len();
            let record = json!({ "id": format!("{time}-{id}"), "text": own });
            serde_json::to_writer(&mut out, &record)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    Ok(n_bytes)
}

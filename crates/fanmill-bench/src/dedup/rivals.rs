//! Other tools on the same work, if they are installed: candidate pairs by `MinHash` and bands.
//!
//! Only candidates are found: there is no verification, clustering or output. The script says so, and reads the corpus
//! as users of these libraries do.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The script, which prints one row of figures.
pub(crate) const SCRIPT: &str = include_str!("near_duplicates.py");

/// Prints the figures of each tool that can be imported.
pub(super) fn print(corpus: &Path, folder: &Path, seconds: f64, n_bytes: usize) -> Result<()> {
    println!(
        "\nother tools, one thread: word 5-grams of `\\w+`, 128 permutations, 16 bands of 8, candidates only"
    );
    let script = folder.join("near_duplicates.py");
    std::fs::write(&script, SCRIPT)?;
    for tool in ["rensa", "datasketch"] {
        // A tool that cannot be imported is not measured.
        let import = Command::new("python3").args(["-c", &format!("import {tool}")]).output();
        if !import.is_ok_and(|output| output.status.success()) {
            println!("{tool:<12} is not there; `python3 -m pip install {tool}` installs it");
            continue;
        }
        let output =
            Command::new("python3").arg(&script).arg(tool).arg(corpus).arg("--parts").output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{tool}: {error}");
        let figures: serde_json::Value = serde_json::from_str(&said)?;
        let theirs = figures["seconds"].as_f64().context("no `seconds`")?;
        println!(
            "{tool:<12} {} takes {theirs:.2} s ({:.1} of them for reading and words): {:.1} MB/s, {} pairs; \
             {:.1} times what the whole job takes here",
            figures["version"].as_str().unwrap_or_default(),
            figures["reading"].as_f64().unwrap_or_default(),
            n_bytes as f64 / 1e6 / theirs,
            figures["pairs"],
            theirs / seconds
        );
    }
    Ok(())
}

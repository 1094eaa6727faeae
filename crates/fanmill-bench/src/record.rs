//! Dated records of what was measured, for whoever compares figures of different days.
//!
//! A record is a JSON file `YYYY-MM-DD-NAME.json`: when, on which processor, with which version of Fanmill, and what the
//! benchmark has to say. One of the same day is replaced.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Writes what the benchmark of this name has measured; returns where.
pub(crate) fn write(folder: &Path, name: &str, figures: &Value) -> Result<PathBuf> {
    let day = jiff::Zoned::now().date();
    let record = json!({
        "benchmark": name,
        "day": day.to_string(),
        "processor": processor(),
        "threads": thread::available_parallelism().map_or(1, NonZeroUsize::get),
        "fanmill": env!("CARGO_PKG_VERSION"),
        "figures": figures,
    });
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{day}-{name}.json"));
    let text = serde_json::to_string_pretty(&record)? + "\n";
    fs::write(&path, text).with_context(|| format!("could not write `{}`", path.display()))?;
    Ok(path)
}

/// The processor, as the system names it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
}

//! Dated records of measurements, for comparing figures of different days.
//!
//! A record is a JSON file `YYYY-MM-DD-NAME.json` with the date, the processor, the version of Fanmill, and the figures
//! of the benchmark. A record of the same day is replaced.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Writes the measurements of the benchmark with this name; returns the path of the record.
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

/// Returns the processor's name, as the system reports it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
}

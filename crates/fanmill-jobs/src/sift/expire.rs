//! Removal of texts that have not been seen for long.

use std::path::Path;

use fanmill_sift::key::Key;
use fanmill_text::Result;
use fanmill_text::progress::Progress;
use serde::{Deserialize, Serialize};

use super::dates;
use fanmill_sift::disk::{LockWait, Removed, Writer};

/// The settings of a removal by date.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Texts that were last seen before this date are removed: `2026-03-01`, or `2026-03-01T17:42:00Z`.
    pub before: String,
    /// If set, waits while another process is writing the store, instead of ending with an error.
    pub wait: bool,
}

/// The outcome of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Number of texts removed.
    pub n_removed: u64,
    /// Number of texts without a date, which stay.
    pub n_undated: u64,
    /// Number of texts left.
    pub n_in_all: u64,
}

/// Removes the texts that were last seen before a date. Texts without a date stay.
///
/// # Errors
/// If `before` is not a date; if the store is missing or damaged, has another key, has version 1, is being written by
/// another process, or cannot be written; or if the job is cancelled. The store is then unchanged.
pub fn run(
    settings: &Settings,
    key: &Key,
    store: &Path,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let before = dates::of_setting("before", &settings.before)?;
    let mut writer = Writer::open_existing(store, key, LockWait::new(settings.wait, progress))?;
    let (mut removed, mut n_undated, n_before) = (Removed::new(), 0, writer.n_originals());
    writer.each(progress, |segment, number, original| {
        match original.facts.seen {
            Some(seen) if seen.last < before => {
                removed.entry(segment).or_default().insert(number);
            }
            Some(_) => {}
            None => n_undated += 1,
        }
        Ok(())
    })?;
    writer.remove(removed, progress)?;
    let n_in_all = writer.n_originals();
    writer.close()?;
    Ok(Outcome { n_removed: n_before - n_in_all, n_undated, n_in_all })
}

//! The places where a job writes, and the way it ended.

use std::path::{Path, PathBuf};

use fanmill_disk::ours::Ours;
use fanmill_disk::replace::Disk;
use fanmill_text::{Error, Result};

/// The places where a run writes.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder for the corpus; without one nothing is written. Tables and the summary go [beside it](bookkeeping_of).
    pub output: Option<PathBuf>,
    /// The folder for temporary files; `None` puts them beside the output.
    pub temp: Option<PathBuf>,
    /// The disk; tests use one on which something goes wrong.
    pub disk: Disk,
    /// Treatment of names that are equal on some systems.
    pub clashes: CaseClashes,
}

/// Returns the folder for what is not part of the corpus: that of the output with `.fanmill` at the end.
///
/// # Errors
/// If the path of the output ends without a name.
pub fn bookkeeping_of(output: &Path) -> Result<PathBuf> {
    Ours::beside(output).ok_or_else(|| nameless(output))
}

/// Returns the folder of the work on an output.
///
/// # Errors
/// If the path of the output ends without a name.
pub(super) fn partial_of(output: &Path) -> Result<PathBuf> {
    let mut name = output.file_name().ok_or_else(|| nameless(output))?.to_owned();
    name.push(".partial");
    Ok(output.with_file_name(name))
}

fn nameless(output: &Path) -> Error {
    Error::setting(format!("output folder `{}` has no name", output.display()))
}

/// Treatment of names in the output that differ only in case, and are equal where case does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CaseClashes {
    /// They end the run before anything is written.
    #[default]
    Refused,
    /// They are written: the user knows that the file system tells them apart.
    Allowed,
}

/// The way a run ended.
#[derive(Debug)]
pub enum RunEnd<T> {
    /// It did all its work.
    Now(T),
    /// An earlier run with these settings did it, and was killed after the output had been put in place.
    Before,
}

impl<T> RunEnd<T> {
    /// Returns the result of this run; `None` if it had nothing to do.
    pub fn now(self) -> Option<T> {
        match self {
            RunEnd::Now(found) => Some(found),
            RunEnd::Before => None,
        }
    }
}

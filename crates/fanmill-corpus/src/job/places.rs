//! The places where a job writes, and the way it ended.

use std::path::PathBuf;

use fanmill_disk::replace::Disk;

/// The places where a run writes.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder for the result; without one nothing is written.
    pub output: Option<PathBuf>,
    /// The folder for temporary files; `None` puts them beside the output.
    pub temp: Option<PathBuf>,
    /// The disk; tests use one on which something goes wrong.
    pub disk: Disk,
    /// Treatment of names that are equal on some systems.
    pub clashes: CaseClashes,
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

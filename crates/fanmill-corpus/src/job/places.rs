//! Where a job writes, and how it ended.

use std::path::PathBuf;

use fanmill_disk::replace::Disk;

/// Where a run writes.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The folder that the result becomes; without one nothing is written.
    pub output: Option<PathBuf>,
    /// The folder for temporary files; `None` for beside the output.
    pub temp: Option<PathBuf>,
    /// The disk; a test has one on which something goes wrong.
    pub disk: Disk,
    /// Whether names may be written that are one on some systems.
    pub clashes: CaseClashes,
}

/// What becomes of names in the output that are one where case does not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CaseClashes {
    /// They end the run before anything is written.
    #[default]
    Refused,
    /// They are written: the user knows that the file system keeps them apart.
    Allowed,
}

/// How a run ended.
#[derive(Debug)]
pub enum Ended<T> {
    /// It did all its work.
    Now(T),
    /// The same run had done it before, and was killed when the output was in its place.
    Before,
}

impl<T> Ended<T> {
    /// What this run found; `None` if it had nothing to do.
    pub fn now(self) -> Option<T> {
        match self {
            Ended::Now(found) => Some(found),
            Ended::Before => None,
        }
    }
}

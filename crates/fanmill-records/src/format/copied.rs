//! Files that are copied as they are, beside shards that are written.

use std::path::PathBuf;

use fanmill_text::{Error, Result};

use super::left_out::copy_file;
use super::raw_out::Files;
use super::stamp::{Stamp, Stamping};

/// Files that are copied beside shards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CopiedFiles {
    /// The folder that they are below.
    pub(super) root: PathBuf,
    pub(super) paths: Vec<PathBuf>,
    /// The folder below which they are in the output.
    pub(super) folder: PathBuf,
    /// Their state when they were found.
    pub(super) then: Stamp,
}

impl CopiedFiles {
    /// Copies them. Returns false if they have changed since they were found.
    ///
    /// # Errors
    /// If one cannot be read, or the disk refuses.
    pub(super) fn copy(&self, files: &dyn Files) -> Result<bool> {
        let mut stamping = Stamping::default();
        for path in &self.paths {
            let from = self.root.join(path);
            let opened = stamping.open(path, &from);
            let mut input = opened.map_err(|error| Error::io("open", &from, error))?;
            let to = self.folder.join(path);
            let made = copy_file(files, &mut input, &from, &to)?;
            made.sync().map_err(|error| Error::io("write", to, error))?;
        }
        Ok(stamping.end() == self.then)
    }
}

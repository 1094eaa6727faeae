//! Opening of a Parquet file: its metadata, and the error if it is damaged.
//!
//! The library behind this has been seen to panic on damaged files. Such a panic ends the reading of the file with an
//! error that names it, and does not end the process.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fanmill_text::{Error, Result};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::lower;

/// Returns the error for a damaged file.
pub(super) fn damaged(path: &str, what: &str) -> Error {
    Error::input(format!(
        "`{path}` is damaged, or not a Parquet file that can be read: {what}; fetch it again or leave \
         it out"
    ))
}

/// Runs code that may panic on a damaged file.
pub(super) fn guarded<T, E: std::fmt::Display>(
    path: &str,
    run: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => done.map_err(|error| damaged(path, &lower(&error))),
        Err(_) => Err(damaged(path, "the reader gave up on it")),
    }
}

/// Opens a file and reads its metadata.
pub(super) fn open(path: &Path) -> Result<(File, ArrowReaderMetadata)> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let metadata = guarded(&path.display().to_string(), || {
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::default())
    })?;
    Ok((file, metadata))
}

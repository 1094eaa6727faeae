//! Opening of a Parquet file: its metadata, and the fault if it is damaged.
//!
//! The library behind this panics on some damaged files. Such a panic is a fault of the file, as any other damage is.

use std::fs::File;
use std::path::Path;

use fanmill_text::Error;
use fanmill_text::foreign::caught;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::lower;

/// A reason why rows of a file cannot be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// Damage to the file or to one of its row groups: other files and groups are read all the same.
    Damage(String),
    /// Anything else, which ends the run.
    Error(Error),
}

/// The result of reading a file, or a part of it.
pub(super) type ReadResult<T> = Result<T, Fault>;

impl Fault {
    /// Turns a fault of the whole file at `path` into the error that ends a run.
    pub(super) fn into_error(self, path: &Path) -> Error {
        match self {
            Fault::Damage(what) => Error::input(format!(
                "`{}` is {}; fetch it again or leave it out",
                path.display(),
                unreadable(&what)
            )),
            Fault::Error(error) => error,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Error(error)
    }
}

/// Returns the words for an unreadable file.
pub(super) fn unreadable(what: &str) -> String {
    format!("damaged, or not a Parquet file that can be read: {what}")
}

/// Runs code that may panic on a damaged file.
pub(super) fn guarded<T, E: std::fmt::Display>(
    run: impl FnOnce() -> Result<T, E>,
) -> ReadResult<T> {
    match caught(run) {
        Some(done) => done.map_err(|error| Fault::Damage(lower(&error))),
        None => Err(Fault::Damage("the reader gave up on it".to_owned())),
    }
}

/// Opens a file and reads its metadata.
pub(super) fn open(path: &Path) -> ReadResult<(File, ArrowReaderMetadata)> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let metadata = guarded(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::default()))?;
    Ok((file, metadata))
}

//! Faults of files in columns: damage, which is the fault of a file or a part of it, or anything else.
//!
//! The libraries that read such files panic on some damaged ones. Such a panic is a fault of the file, as any other damage
//! is.

use std::path::Path;

use fanmill_text::Error;
use fanmill_text::foreign::caught;

use super::lower;

/// A reason why rows of a file cannot be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// Damage to the file or to one of its groups of rows: other files and groups are read all the same.
    Damage(String),
    /// Anything else, which ends the run.
    Error(Error),
}

/// The result of reading a file, or a part of it.
pub(super) type ReadResult<T> = Result<T, Fault>;

impl Fault {
    /// Returns damage, in the words of a library.
    pub(super) fn damage(what: &impl std::fmt::Display) -> Fault {
        Fault::Damage(lower(what))
    }

    /// Turns a fault of the whole file at `path` into the error that ends a run; `kind` is the file's, as in "a Parquet
    /// file".
    pub(super) fn into_error(self, path: &Path, kind: &str) -> Error {
        match self {
            Fault::Damage(what) => Error::input(format!(
                "`{}` is {}; fetch it again or leave it out",
                path.display(),
                unreadable(kind, &what)
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
pub(super) fn unreadable(kind: &str, what: &str) -> String {
    format!("damaged, or not {kind} that can be read: {what}")
}

/// Runs code that may panic on a damaged file.
pub(super) fn guarded<T, E: std::fmt::Display>(
    run: impl FnOnce() -> Result<T, E>,
) -> ReadResult<T> {
    match caught(run) {
        Some(done) => done.map_err(|error| Fault::damage(&error)),
        None => Err(Fault::Damage("the reader gave up on it".to_owned())),
    }
}

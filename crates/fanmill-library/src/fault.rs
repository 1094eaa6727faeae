//! Faults of a library's file: damage, or a disk that does not answer.

use std::fmt;
use std::io;

/// A reason why a file, or a part of it, cannot be read.
#[derive(Debug)]
pub enum Fault {
    /// The file is damaged, or not what it says; the reason, in lower case.
    Damage(String),
    /// The disk or the system refuses.
    Io(io::Error),
}

impl Fault {
    /// Returns damage for a reason.
    pub(crate) fn damage(reason: impl Into<String>) -> Fault {
        Fault::Damage(reason.into())
    }

    /// Tells damaged packed bytes from a disk that refuses.
    pub(crate) fn from_unpacking(error: io::Error) -> Fault {
        match error.kind() {
            _ if error.raw_os_error().is_some() => Fault::Io(error),
            io::ErrorKind::UnexpectedEof => Fault::damage("it is cut off"),
            _ => Fault::Damage(error.to_string().to_lowercase()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Damage(reason) => f.write_str(reason),
            Fault::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

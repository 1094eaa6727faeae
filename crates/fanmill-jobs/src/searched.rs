//! A record of the search in an index of earlier work.

use std::path::PathBuf;

/// An index in the archive, read only in part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Searched {
    /// Its folder, as it was given.
    pub index: PathBuf,
    /// The generation that was searched.
    pub generation: u64,
    /// Number of documents in that generation.
    pub documents: u64,
    /// Number of documents that were compared: those that share the most with a new submission.
    pub compared: u64,
    /// Number of documents that share a fingerprint with a new submission, apart from boilerplate.
    pub sharing: u64,
    /// True if there may be more that do.
    pub is_cut: bool,
}

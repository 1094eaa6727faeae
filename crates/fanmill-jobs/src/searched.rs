//! What was searched of earlier work.

use std::path::PathBuf;

/// An index in the archive, of which only some documents were read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Searched {
    /// Its folder, as it was given.
    pub index: PathBuf,
    /// The generation that was searched.
    pub generation: u64,
    /// Documents of that generation.
    pub documents: u64,
    /// Those of them that were compared, because they share fingerprints with a new submission.
    pub compared: u64,
}

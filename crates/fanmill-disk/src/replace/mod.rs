//! The one way to write an output, and to clean up: beside its place, synced, then renamed.
//!
//! An output is always whole, whatever ended the run that wrote it: an error, a full disk, a kill, a power cut. Nothing
//! that Fanmill did not make is ever overwritten or removed: a folder of work in progress has an owner's file with a
//! lock, and a list of what was made in it.
//!
//! | for | use |
//! |---|---|
//! | work in progress, temporary files | [`Workplace`] |
//! | a folder that may replace an earlier one | [`Replacement`] |
//! | a file, or some files of a folder | [`NewFile`] |
//!
//! Cost: some ten system calls for an output, and two more for each file.

mod disk;
mod made;
mod owner;
mod workplace;
mod file;
#[cfg(test)]
mod tests;
mod place;

use std::path::Path;

pub use disk::{Disk, DiskFile, Fault};
pub use file::{Access, ExistingFile, NewFile, Unfinished};
pub use owner::Work;
pub use place::{FINISHED, IsPart, Replacement, put_folders, resolved};
pub use workplace::{OnFailure, Workplace, abandon};

/// Returns the folder that a path lies in, by the path alone.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

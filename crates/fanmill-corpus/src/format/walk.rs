//! Files below a folder, in the order of their names.
//!
//! Symbolic links are not followed, wherever they lead: a target inside is read under its own name.
//! Hidden files and what other tools leave beside data (`_SUCCESS`) are passed over.
//!
//! Cost: memory for the names of the folders on the way down; an explicit stack, no recursion.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::vec;

use fanmill::{Error, Result};

/// What jobs of Spark and Hadoop leave beside their shards.
const LEFT_BY_OTHERS: [&str; 3] = ["_SUCCESS", "_metadata", "_common_metadata"];

/// Paths of regular files, relative to the folder that they are below.
#[derive(Debug)]
pub(super) struct Walk {
    root: PathBuf,
    /// The folders that are open, relative, each with the names in it that have not been visited.
    open: Vec<(PathBuf, vec::IntoIter<OsString>)>,
}

impl Walk {
    /// # Errors
    /// If the folder cannot be listed.
    pub(super) fn new(root: &Path) -> Result<Walk> {
        Ok(Walk { root: root.to_owned(), open: vec![(PathBuf::new(), list(root)?)] })
    }

    fn visit(&mut self) -> Result<Option<PathBuf>> {
        while let Some((folder, names)) = self.open.last_mut() {
            let Some(name) = names.next() else {
                self.open.pop();
                continue;
            };
            let path = folder.join(name);
            let full = self.root.join(&path);
            let kind = fs::symlink_metadata(&full).map_err(|e| Error::io("look at", &full, e))?;
            if kind.is_dir() {
                self.open.push((path, list(&full)?));
            } else if kind.is_file() {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }
}

impl Iterator for Walk {
    type Item = Result<PathBuf>;

    fn next(&mut self) -> Option<Result<PathBuf>> {
        self.visit().transpose()
    }
}

/// The names in a folder, ascending.
fn list(folder: &Path) -> Result<vec::IntoIter<OsString>> {
    let trouble = |error| Error::io("list", folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(trouble)? {
        let name = entry.map_err(trouble)?.file_name();
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        if !is_hidden && LEFT_BY_OTHERS.iter().all(|other| name != *other) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names.into_iter())
}

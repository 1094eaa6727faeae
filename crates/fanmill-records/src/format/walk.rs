//! The walk of everything below a folder, in the order of names.
//!
//! Symbolic links to files outside are followed, as download caches have them, each file once; a file inside is read under its
//! own name. Links to folders are not followed. Hidden files, and
//! files that other tools leave beside data (`_SUCCESS`), are not read; but everything found is returned, so that it
//! can be accounted for. A folder that cannot be listed ends the walk, unless it is hidden; a path that is longer than the
//! system takes is passed over.
//!
//! Cost: memory for the names of the folders on the way down; an explicit stack, no recursion.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::vec;

use fanmill_disk::given::names_in;
use fanmill_disk::ours::{Ours, may_be_mark, tables_among};
use fanmill_text::{Error, Result};

/// Files that jobs of Spark and Hadoop leave beside their shards.
const LEFT_BY_OTHERS: [&str; 3] = ["_SUCCESS", "_metadata", "_common_metadata"];

/// Something below a folder, by its path there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WalkEntry {
    /// A file to be read.
    File(PathBuf),
    /// Something that is passed over.
    Beside(PathBuf, PassedOver),
}

impl WalkEntry {
    /// Returns its path below the folder.
    pub(super) fn path(&self) -> &Path {
        match self {
            WalkEntry::File(path) | WalkEntry::Beside(path, _) => path,
        }
    }
}

/// The reason why something is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PassedOver {
    /// A file that is hidden, or in a folder that is.
    Hidden,
    /// A hidden folder that cannot be listed.
    Unlisted,
    /// A file left by another program, and true of its own files only.
    LeftByOthers,
    /// A folder that Fanmill keeps.
    Ours(Ours),
    /// A corpus that Fanmill has written, going by the tables beside it.
    Output,
    /// A symbolic link to a folder, to nothing, or to a file that is read under another name.
    Link,
    /// A pipe, a socket or a device.
    NoFile,
    /// Anything below a path that is longer than the system takes.
    TooLong,
}

/// Walks everything below a folder.
#[derive(Debug)]
pub(super) struct Walk {
    root: PathBuf,
    /// The root without links, and the files outside that links have led to.
    real: PathBuf,
    followed: BTreeSet<PathBuf>,
    /// The open folders, with the names in them that have not been visited.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    /// Path relative to the root.
    path: PathBuf,
    names: vec::IntoIter<OsString>,
    is_hidden: bool,
    /// Tables that an earlier version of Fanmill has written among the shards.
    tables: Vec<String>,
    /// Names of folders in it that may have the tables of others.
    beside: Vec<OsString>,
}

impl Open {
    fn new(root: &Path, path: PathBuf, names: vec::IntoIter<OsString>, is_hidden: bool) -> Open {
        let own = names.as_slice().iter().filter_map(|name| name.to_str());
        let tables = tables_among(&root.join(&path), own);
        let tables = tables.into_iter().map(str::to_owned).collect();
        let beside =
            names.as_slice().iter().filter(|name| Ours::is_beside(name)).cloned().collect();
        Open { path, names, is_hidden, tables, beside }
    }

    /// Returns whether a folder in it is a corpus that Fanmill has written.
    fn is_output(&self, name: &OsStr, root: &Path) -> bool {
        let of_output =
            |beside: &&OsString| beside.as_encoded_bytes().starts_with(name.as_encoded_bytes());
        self.beside.iter().filter(of_output).any(|beside| {
            let is_of = Ours::beside(Path::new(name)).as_deref() == Some(Path::new(beside));
            is_of
                && Ours::from_folder(&root.join(&self.path).join(beside)) == Some(Ours::Bookkeeping)
        })
    }
}

impl Walk {
    /// Begins a walk.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub(super) fn new(root: &Path) -> Result<Walk> {
        let open = Open::new(root, PathBuf::new(), list(root)?, false);
        let real = fs::canonicalize(root).map_err(|error| Error::io("look at", root, error))?;
        Ok(Walk { root: root.to_owned(), real, followed: BTreeSet::new(), open: vec![open] })
    }

    /// Returns the next file to be read, and passes over everything else.
    pub(super) fn next_file(&mut self) -> Result<Option<PathBuf>> {
        while let Some(met) = self.visit()? {
            if let WalkEntry::File(path) = met {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    fn visit(&mut self) -> Result<Option<WalkEntry>> {
        while let Some(folder) = self.open.last_mut() {
            let Some(name) = folder.names.next() else {
                self.open.pop();
                continue;
            };
            let is_hidden = folder.is_hidden || name.as_encoded_bytes().starts_with(b".");
            let is_table = folder.tables.iter().any(|table| name == **table);
            let is_left = LEFT_BY_OTHERS.iter().any(|other| name == *other);
            let is_output = folder.is_output(&name, &self.root);
            let path = folder.path.join(name);
            let full = self.root.join(&path);
            // The link itself is looked at, so that linked folders are not entered.
            let kind = match fs::symlink_metadata(&full) {
                Ok(kind) => kind,
                Err(error) if error.kind() == ErrorKind::InvalidFilename => {
                    return Ok(Some(WalkEntry::Beside(path, PassedOver::TooLong)));
                }
                Err(error) => return Err(Error::io("look at", &full, error)),
            };
            if kind.is_dir() {
                let beside = match list(&full) {
                    Ok(names) => {
                        match kept(&full, names.as_slice()) {
                            // It may be that of this run, which knows nothing of it yet.
                            Some(Ours::Work) => continue,
                            Some(kind) => PassedOver::Ours(kind),
                            None if is_output => PassedOver::Output,
                            None => {
                                self.open.push(Open::new(&self.root, path, names, is_hidden));
                                continue;
                            }
                        }
                    }
                    Err(_) if is_hidden => PassedOver::Unlisted,
                    Err(error) => return Err(error),
                };
                return Ok(Some(WalkEntry::Beside(path, beside)));
            }
            let beside = match (kind.is_file(), kind.is_symlink()) {
                (_, true) if !is_hidden && self.leads_to_new(&full) => {
                    return Ok(Some(WalkEntry::File(path)));
                }
                (_, true) => PassedOver::Link,
                (false, _) => PassedOver::NoFile,
                _ if is_hidden => PassedOver::Hidden,
                _ if is_left => PassedOver::LeftByOthers,
                _ if is_table => PassedOver::Ours(Ours::Bookkeeping),
                _ => return Ok(Some(WalkEntry::File(path))),
            };
            return Ok(Some(WalkEntry::Beside(path, beside)));
        }
        Ok(None)
    }
}

impl Walk {
    /// Returns whether a link leads to a file outside that no other link has led to.
    fn leads_to_new(&mut self, link: &Path) -> bool {
        let Ok(target) = fs::canonicalize(link) else { return false };
        target.is_file() && !target.starts_with(&self.real) && self.followed.insert(target)
    }
}

impl Iterator for Walk {
    type Item = Result<WalkEntry>;

    fn next(&mut self) -> Option<Result<WalkEntry>> {
        self.visit().transpose()
    }
}

/// Returns the kind of a folder with these names, if Fanmill keeps it.
fn kept(folder: &Path, names: &[OsString]) -> Option<Ours> {
    let may_be = names.iter().any(|name| name.to_str().is_some_and(may_be_mark));
    may_be.then(|| Ours::from_folder(folder)).flatten()
}

/// Returns the names in a folder, ascending.
pub(super) fn list(folder: &Path) -> Result<vec::IntoIter<OsString>> {
    let names = names_in(folder).map_err(|error| Error::io("list", folder, error))?;
    Ok(names.into_iter())
}

//! The list of everything that was made in a folder, so that nothing else is ever removed from it.
//!
//! Each path is listed before it is made. Marks between the paths say how far the work has come; what was made after
//! the last mark is half done.
//!
//! | first byte | then | meaning |
//! |---|---|---|
//! | `D` | relative path, zero byte | a folder |
//! | `F` | relative path, zero byte | a file |
//! | `M` | a word, zero byte | a mark |
//!
//! Cost: a write for each file; memory for the folders and marks, not for the files.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

use super::disk::{Disk, DiskFile};
use fanmill_text::{Error, Result};

/// The list's own name.
pub(super) const NAME: &str = "made";

/// The list, open at its end.
#[derive(Debug)]
pub(super) struct CreatedList {
    folder: PathBuf,
    file: DiskFile,
    /// Length in bytes of the sound part of the list.
    end: u64,
    /// Folders in the list.
    folders: BTreeSet<PathBuf>,
    /// Names in the list that lie directly in the folder.
    names: BTreeSet<OsString>,
    /// Marks, each with its end in the list.
    marks: Vec<(String, u64)>,
    /// Folders in which something was made since the last mark.
    touched: BTreeSet<PathBuf>,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Folder(PathBuf),
    File(PathBuf),
    Mark(String),
}

impl CreatedList {
    /// Opens the list of `folder`, or begins it.
    pub(super) fn open(disk: &Disk, folder: &Path) -> Result<CreatedList> {
        let path = folder.join(NAME);
        let file = match disk.make_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => disk.open_file(&path),
            made => made,
        };
        let file = file.map_err(|error| Error::io("open", &path, error))?;
        let folder = folder.to_owned();
        let (folders, names, marks) = <_>::default();
        // The list itself is in the folder, too.
        let touched = BTreeSet::from([PathBuf::new()]);
        let mut made = CreatedList { folder, file, end: 0, folders, names, marks, touched };
        let (mut folders, mut names, mut marks) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut end = 0;
        made.each(0, |entry, at| {
            end = at;
            if let Entry::Folder(path) | Entry::File(path) = &entry
                && path.components().nth(1).is_none()
            {
                names.insert(path.as_os_str().to_owned());
            }
            match entry {
                Entry::Folder(path) => drop(folders.insert(path)),
                Entry::Mark(mark) => marks.push((mark, at)),
                Entry::File(_) => {}
            }
            Ok(())
        })?;
        // A killed run may have written half a line at the end.
        made.cut(end)?;
        (made.folders, made.names, made.marks) = (folders, names, marks);
        Ok(made)
    }

    /// Returns the marks: words that say how far the work has come.
    pub(super) fn marks(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().map(|(mark, _)| mark.as_str())
    }

    /// Returns whether this folder is in the list.
    pub(super) fn has_folder(&self, path: &Path) -> bool {
        self.folders.contains(path)
    }

    /// Returns whether something of this name, directly in the folder, was in the list when it was opened.
    pub(super) fn has_name(&self, name: &OsStr) -> bool {
        self.names.contains(name)
    }

    pub(super) fn folder(&mut self, path: &Path) -> Result<()> {
        self.append(b'D', path.as_os_str().as_encoded_bytes())?;
        self.folders.insert(path.to_owned());
        self.touch(path);
        Ok(())
    }

    pub(super) fn file(&mut self, path: &Path) -> Result<()> {
        self.append(b'F', path.as_os_str().as_encoded_bytes())?;
        self.touch(path);
        Ok(())
    }

    fn touch(&mut self, path: &Path) {
        let parent = path.parent().unwrap_or(Path::new(""));
        if !self.touched.contains(parent) {
            self.touched.insert(parent.to_owned());
        }
    }

    /// Records how far the work has come, once all names made until then are on the disk.
    pub(super) fn mark(&mut self, disk: &Disk, mark: &str) -> Result<()> {
        for folder in std::mem::take(&mut self.touched) {
            let path = self.folder.join(folder);
            disk.sync_folder(&path).map_err(|error| Error::io("sync", &path, error))?;
        }
        self.append(b'M', mark.as_bytes())?;
        self.file.sync().map_err(|error| Error::io("sync", self.folder.join(NAME), error))?;
        self.marks.push((mark.to_owned(), self.end));
        Ok(())
    }

    /// Removes what was made after the first `n` marks, and forgets it.
    ///
    /// # Errors
    /// If something else has taken the place of a file or folder that was made, or lies in one.
    pub(super) fn rewind(&mut self, disk: &Disk, n: usize) -> Result<()> {
        let from = n.checked_sub(1).map_or(0, |last| self.marks[last].1);
        let mut folders = Vec::new();
        let mut known = ParentCheck::default();
        self.each(from, |entry, _| match entry {
            Entry::File(path) => known.remove_file(disk, &self.folder, &path),
            Entry::Folder(path) => {
                folders.push(path);
                Ok(())
            }
            Entry::Mark(_) => Ok(()),
        })?;
        for folder in folders.iter().rev() {
            remove_folder(disk, &self.folder.join(folder))?;
            self.folders.remove(folder);
        }
        self.marks.truncate(n);
        self.touched = BTreeSet::from([PathBuf::new()]);
        self.cut(from)
    }

    fn append(&mut self, kind: u8, bytes: &[u8]) -> Result<()> {
        let line = [&[kind], bytes, &[0]].concat();
        if let Err(error) = self.file.write_all(&line) {
            // Half a line does not count.
            self.cut(self.end)?;
            return Err(Error::io("write", self.folder.join(NAME), error));
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Cuts the list off at `end`, and continues there.
    fn cut(&mut self, end: u64) -> Result<()> {
        let failed = |error| Error::io("write", self.folder.join(NAME), error);
        let mut file = self.file.file();
        if file.metadata().map_err(failed)?.len() != end {
            self.file.cut(end).map_err(failed)?;
        }
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        self.end = end;
        Ok(())
    }

    /// Shows each line from `from` on, and its end, up to the first line that is not whole.
    fn each(&self, from: u64, mut see: impl FnMut(Entry, u64) -> Result<()>) -> Result<()> {
        let failed = |error| Error::io("read", self.folder.join(NAME), error);
        let mut file: &File = self.file.file();
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        let (mut lines, mut line, mut at) = (BufReader::new(file), Vec::new(), from);
        loop {
            line.clear();
            at += lines.read_until(0, &mut line).map_err(failed)? as u64;
            match Entry::parse(&line) {
                Some(entry) => see(entry, at)?,
                None => break,
            }
        }
        let mut file: &File = self.file.file();
        file.seek(SeekFrom::Start(self.end)).map_err(failed).map(drop)
    }
}

impl Entry {
    /// Parses a line; `None` if it is not whole, or its path leads out of the folder.
    fn parse(line: &[u8]) -> Option<Entry> {
        let (kind, rest) = line.split_first()?;
        let bytes = rest.strip_suffix(&[0])?;
        if *kind == b'M' {
            return Some(Entry::Mark(String::from_utf8(bytes.to_vec()).ok()?));
        }
        let path = PathBuf::from(name_of(bytes));
        let is_inside = path.components().next().is_some()
            && path.components().all(|part| matches!(part, Component::Normal(_)));
        match kind {
            b'D' if is_inside => Some(Entry::Folder(path)),
            b'F' if is_inside => Some(Entry::File(path)),
            _ => None,
        }
    }
}

#[cfg(unix)]
fn name_of(bytes: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(bytes)
}

#[cfg(not(unix))]
fn name_of(bytes: &[u8]) -> &OsStr {
    OsStr::new(std::str::from_utf8(bytes).unwrap_or_default())
}

/// The folders on the way to the file that was removed last, so that each is looked at once.
#[derive(Debug, Default)]
struct ParentCheck {
    parent: PathBuf,
    is_there: bool,
}

impl ParentCheck {
    /// Removes a file that was made, unless it is gone.
    fn remove_file(&mut self, disk: &Disk, folder: &Path, path: &Path) -> Result<()> {
        let parent = path.parent().unwrap_or(Path::new(""));
        if self.parent != parent || parent.as_os_str().is_empty() {
            self.is_there = is_way(folder, parent)?;
            parent.clone_into(&mut self.parent);
        }
        if !self.is_there {
            return Ok(());
        }
        let path = folder.join(path);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::io("look at", path, error)),
            Ok(metadata) if !metadata.is_file() => return Err(foreign(&path)),
            Ok(_) => {}
        }
        disk.remove_file(&path).map_err(|error| Error::io("remove", &path, error))
    }
}

/// Returns whether a path below `folder` exists, and leads through folders only.
fn is_way(folder: &Path, path: &Path) -> Result<bool> {
    let mut full = folder.to_owned();
    for part in path.components() {
        full.push(part);
        match fs::symlink_metadata(&full) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(Error::io("look at", full, error)),
            Ok(metadata) if !metadata.is_dir() => return Err(foreign(&full)),
            Ok(_) => {}
        }
    }
    Ok(true)
}

/// Removes a folder that was made, unless it is gone.
pub(super) fn remove_folder(disk: &Disk, path: &Path) -> Result<()> {
    match disk.remove_folder(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => match fs::read_dir(path).ok().and_then(|mut inside| inside.next()) {
            Some(Ok(entry)) => Err(foreign(&entry.path())),
            _ => Err(Error::io("remove", path, error)),
        },
    }
}

/// Returns the error for something that others have put among our files.
pub(super) fn foreign(path: &Path) -> Error {
    Error::setting(format!(
        "`{}` is in the way: it was not made by Fanmill and is left alone; move it elsewhere",
        path.display()
    ))
}

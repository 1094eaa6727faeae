//! A single file, or some files of a folder with other files in it: written beside their place, then renamed.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::disk::{Disk, DiskFile};
use super::owner::Work;
use super::workplace::{OnFailure, Workplace};
use fanmill_text::{Error, Result};

/// The file that may be at the place of a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingFile {
    /// No file; one that appears meanwhile stays.
    Absent,
    /// A file, which is replaced.
    Replaced,
}

/// Permissions of a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Everyone may read and write it who may do so with what this user makes.
    Usual,
    /// Only its owner may read and write it.
    Private,
    /// It gets the permissions of the file that it replaces.
    Like(fs::Permissions),
}

/// Files in the making, each of which takes its place by a rename.
#[derive(Debug)]
pub struct NewFile {
    workplace: Workplace,
    folder: PathBuf,
    /// Names of the files that are whole.
    names: Vec<PathBuf>,
    /// Names of the files that are not whole yet.
    unfinished: Vec<PathBuf>,
}

/// A file that is being written. It takes its place only if it is [kept](NewFile::keep).
#[derive(Debug)]
pub struct Unfinished {
    /// Writer of the content.
    pub out: BufWriter<DiskFile>,
    name: PathBuf,
    /// The path that it will have.
    place: PathBuf,
}

impl Unfinished {
    /// Returns the error for a failure to write it.
    pub fn error(&self, error: io::Error) -> Error {
        Error::io("write", &self.place, error)
    }
}

impl NewFile {
    /// Begins files that are to be in `folder`, a path without links; `beside` names the work in progress. A missing
    /// folder is made, and removed again if nothing is put into it.
    ///
    /// # Errors
    /// If something that is not ours has this name, or a folder cannot be made.
    pub fn begin(disk: &Disk, folder: &Path, beside: &str, job: &str) -> Result<NewFile> {
        let path = folder.join(format!(".{beside}.partial"));
        let mut workplace = Workplace::open(disk, &path, Work { job, run: "" }, OnFailure::Goes)?;
        workplace.rewind(0)?;
        let (names, unfinished) = (Vec::new(), Vec::new());
        Ok(NewFile { workplace, folder: folder.to_owned(), names, unfinished })
    }

    /// Writes a file, and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn write(
        &mut self,
        name: impl AsRef<Path>,
        access: Access,
        write: impl FnOnce(&mut BufWriter<DiskFile>) -> io::Result<()>,
    ) -> Result<()> {
        let mut file = self.make(name, access)?;
        write(&mut file.out).map_err(|error| file.error(error))?;
        self.keep(file)
    }

    /// Makes a file. Several may be written at once.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn make(&mut self, name: impl AsRef<Path>, access: Access) -> Result<Unfinished> {
        let name = name.as_ref();
        // Private from its first moment: a program that has opened a file can read everything written to it later.
        let file = match access {
            Access::Usual => self.workplace.make_file(name)?,
            Access::Private | Access::Like(_) => self.workplace.make_private_file(name)?,
        };
        self.unfinished.push(name.to_owned());
        let granted = match access {
            Access::Like(permissions) => file.file().set_permissions(permissions),
            Access::Usual | Access::Private => Ok(()),
        };
        let (name, place) = (name.to_owned(), self.folder.join(name));
        let file = Unfinished { out: BufWriter::new(file), name, place };
        granted.map_err(|error| file.error(error))?;
        Ok(file)
    }

    /// Makes sure that a file is on the disk, whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, file: Unfinished) -> Result<()> {
        let Unfinished { out, name, place } = file;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error);
        let synced = file.and_then(|file| file.sync());
        synced.map_err(|error| Error::io("write", place, error))?;
        self.unfinished.retain(|other| *other != name);
        self.names.push(name);
        Ok(())
    }

    /// Puts the files at their places, in the order in which they were kept; returns false if one is [`ExistingFile::Absent`]
    /// and something is there.
    ///
    /// # Errors
    /// If the disk refuses; a file is then either the old one or the new one.
    pub fn finish(mut self, former: ExistingFile) -> Result<bool> {
        let is_put = self.put(former)?;
        if is_put {
            self.workplace.clear()?;
        }
        Ok(is_put)
    }

    /// Puts the files written so far at their places, as [`finish`](Self::finish) does. More files may follow; they
    /// take their places after these are on the disk under their names.
    ///
    /// # Errors
    /// As [`finish`](Self::finish). If syncing fails, what was written may be lost; the caller must not go on.
    pub fn put(&mut self, former: ExistingFile) -> Result<bool> {
        let disk = self.workplace.disk().clone();
        for name in std::mem::take(&mut self.names) {
            let (from, to) = (self.workplace.path().join(&name), self.folder.join(&name));
            let placed = match former {
                ExistingFile::Replaced => disk.rename(&from, &to),
                // A rename would replace what has appeared there; a hard link does not.
                ExistingFile::Absent => match disk.link(&from, &to) {
                    Err(error) if has_no_links(&error) && to.symlink_metadata().is_err() => {
                        disk.rename(&from, &to)
                    }
                    linked => linked,
                },
            };
            match placed {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                placed => placed.map_err(|error| Error::io("write", &to, error))?,
            }
        }
        let synced = disk.sync_folder(&self.folder);
        synced.map_err(|error| Error::io("sync", &self.folder, error))?;
        Ok(true)
    }

    /// Returns the folder of the files that were written and have not taken their places.
    pub fn workplace(&self) -> &Path {
        self.workplace.path()
    }

    /// Removes those of these files for which `is_gone` returns true, and all that are not whole.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn discard(&mut self, is_gone: impl Fn(&Path) -> bool) -> Result<()> {
        let (mut gone, kept): (Vec<PathBuf>, _) =
            std::mem::take(&mut self.names).into_iter().partition(|name| is_gone(name));
        self.names = kept;
        gone.append(&mut self.unfinished);
        gone.iter().try_for_each(|name| {
            let path = self.workplace.path().join(name);
            let removed = self.workplace.disk().remove_file(&path);
            removed.map_err(|error| Error::io("remove", path, error))
        })
    }

    /// Removes a file of the folder that an earlier run put there, if it still exists.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn remove(&self, name: impl AsRef<Path>) -> Result<()> {
        let path = self.folder.join(name);
        match self.workplace.disk().remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("remove", path, error))
            }
            _ => Ok(()),
        }
    }

    /// Ends the work without putting another file at its place.
    ///
    /// # Errors
    /// If the disk refuses to remove the work in progress.
    pub fn clear(self) -> Result<()> {
        self.workplace.clear()
    }
}

/// Returns whether an error says that the file system has no hard links.
fn has_no_links(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
}

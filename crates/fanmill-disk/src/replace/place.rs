//! Moving an output from its workplace to the place where people look: whole, or not at all.
//!
//! The output is synced to the disk, then takes its place by one rename. If something is there already, the two
//! exchange names in one step. Where a file system cannot do this, the old output is set aside first, and a run that
//! finds it there puts it back. Of the old folder, only what an earlier run of the same kind wrote is removed.
//!
//! Cost: a handful of system calls, and one for each file and folder that is removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, DiskFile};
use super::folder_of;
use super::made::remove_folder;
use super::owner::Work;
use super::workplace::{OnFailure, Workplace};
use fanmill_text::{Error, Result};

/// Name of the new output in a workplace.
pub const FINISHED: &str = "finished";
/// Name of the earlier output in a workplace, where two names cannot be exchanged.
const OLD: &str = "old";
/// The mark that is set before an old folder is touched.
const SWAP: &str = "swap";

/// A predicate that is true for the paths which an output of a kind may have in it.
pub type IsPart = fn(&Path) -> bool;

/// A folder in the making, for a place where an earlier one may be.
#[derive(Debug)]
pub struct Replacement {
    workplace: Workplace,
    target: PathBuf,
    is_part: IsPart,
}

impl Replacement {
    /// Begins an output that is to be at `folder`, where there is nothing or an earlier output. The folders above are
    /// made. What a killed run has left beside it is put back, or removed.
    ///
    /// # Errors
    /// If `folder` is not a folder, contains the current folder or anything that is not part of an output, something
    /// that is not ours lies beside it, or a folder cannot be made.
    pub fn begin(disk: &Disk, folder: &Path, job: &str, is_part: IsPart) -> Result<Replacement> {
        let target = resolved(folder)?;
        if target.exists() && !target.is_dir() {
            return Err(Error::setting(format!(
                "output `{}` is not a folder; name a new one",
                folder.display()
            )));
        }
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(".partial");
        let work = Work { job, run: "" };
        let beside = target.with_file_name(name);
        let workplace = Workplace::open(disk, &beside, work, OnFailure::Goes)?;
        let mut new = Replacement { workplace, target, is_part };
        // A killed run may have set the old folder aside: it goes back before the rest is removed.
        if new.workplace.marks().iter().any(|mark| mark == SWAP) {
            new.recover()?;
        }
        new.workplace.rewind(0)?;
        let refused = |why: &str| {
            Error::setting(format!(
                "output folder `{}` {why}, and would be replaced; name a new folder, or empty this one",
                folder.display()
            ))
        };
        if let Some(other) = foreign_part(&new.target, is_part)? {
            return Err(refused(&format!("holds `{}`", other.display())));
        }
        if std::env::current_dir().is_ok_and(|current| current.starts_with(&new.target)) {
            return Err(refused("is the folder you are in"));
        }
        Ok(new)
    }

    /// Checks whether an output may be at `folder`, as [`Replacement::begin`] does; to be called before long work.
    ///
    /// # Errors
    /// As [`Replacement::begin`].
    pub fn check(folder: &Path, job: &str, is_part: IsPart) -> Result<()> {
        Replacement::begin(&Disk::default(), folder, job, is_part)?.workplace.clear()
    }

    /// Returns the place of the output, without links.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Makes a file of the new folder and writes it. It is on the disk once the folder is at its place.
    ///
    /// # Errors
    /// If that cannot be done; the text names the file.
    pub fn write(
        &mut self,
        name: impl AsRef<Path>,
        write: impl FnOnce(&mut io::BufWriter<DiskFile>) -> io::Result<()>,
    ) -> Result<()> {
        let name = Path::new(FINISHED).join(name);
        let mut out = io::BufWriter::new(self.workplace.make_file(&name)?);
        let written = write(&mut out).and_then(|()| io::Write::flush(&mut out));
        written.map_err(|error| Error::io("write", self.workplace.path().join(name), error))
    }

    /// Makes a folder in the new one, even if it stays empty.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn make_folder(&mut self, name: impl AsRef<Path>) -> Result<()> {
        self.workplace.make_folder(&Path::new(FINISHED).join(name)).map(drop)
    }

    /// Puts the new folder at its place, and removes the parts of what was there.
    ///
    /// # Errors
    /// If the place has something other than parts of an earlier output, or the disk refuses. What was there is then
    /// still there, unless only its removal failed.
    pub fn finish(mut self) -> Result<()> {
        if let Some(other) = foreign_part(&self.target, self.is_part)? {
            return Err(Error::setting(format!(
                "folder `{}` holds `{}` now, which would be lost; move it elsewhere",
                self.target.display(),
                other.display()
            )));
        }
        self.workplace.expect_folder(Path::new(OLD))?;
        // All at once: one by one, six hundred pairs would take longer than all the rest.
        self.workplace.sync_files(Path::new(FINISHED))?;
        self.workplace.mark(SWAP)?;
        let (disk, target) = (self.workplace.disk().clone(), self.target.clone());
        let replaced = |error| Error::io("replace", &target, error);
        let finished = self.workplace.path().join(FINISHED);
        let is_there = fs::symlink_metadata(&target).is_ok();
        if !is_there {
            disk.rename(&finished, &target).map_err(replaced)?;
        } else if !disk.exchange(&finished, &target).map_err(replaced)? {
            let old = self.workplace.path().join(OLD);
            disk.rename(&target, &old).map_err(replaced)?;
            if let Err(error) = disk.rename(&finished, &target) {
                disk.rename(&old, &target)
                    .map_err(|error| Error::io("put back", &target, error))?;
                return Err(replaced(error));
            }
        }
        sync_parent(&disk, &target)?;
        self.remove_left()?;
        self.workplace.clear()
    }

    /// Repairs what a run left that was killed while it replaced: an old folder that was set aside goes back to its
    /// place.
    fn recover(&mut self) -> Result<()> {
        let old = self.workplace.path().join(OLD);
        if fs::symlink_metadata(&old).is_ok() && fs::symlink_metadata(&self.target).is_err() {
            let disk = self.workplace.disk();
            let moved = disk.rename(&old, &self.target);
            moved.map_err(|error| Error::io("put back", &self.target, error))?;
            sync_parent(disk, &self.target)?;
        }
        self.remove_left()
    }

    /// Removes the parts of outputs, old or new, that are left in the workplace.
    fn remove_left(&self) -> Result<()> {
        for name in [FINISHED, OLD] {
            remove_parts(self.workplace.disk(), &self.workplace.path().join(name), self.is_part)?;
        }
        Ok(())
    }
}

/// Puts folders of a workplace at their places beside it, one after another, and clears it. At each place there is
/// nothing or an empty folder. `mark` is set before; a run that finds it can put what is left at its place.
///
/// # Errors
/// If something is there, or the disk refuses. What was put in place before goes back, unless the disk refuses that, too.
pub fn put_folders(mut workplace: Workplace, moves: &[(&Path, &Path)], mark: &str) -> Result<()> {
    workplace.mark(mark)?;
    let disk = workplace.disk().clone();
    for (number, (name, target)) in moves.iter().enumerate() {
        if let Err(error) = put_folder(&disk, &workplace.path().join(name), target) {
            for (name, target) in &moves[..number] {
                // The first error is the one that says why.
                let _ = disk.rename(target, &workplace.path().join(name));
            }
            return Err(error);
        }
    }
    // All of them are beside the workplace.
    sync_parent(&disk, workplace.path())?;
    workplace.clear()
}

fn put_folder(disk: &Disk, from: &Path, target: &Path) -> Result<()> {
    // Not every system can rename onto an empty folder.
    match disk.remove_folder(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Error::io("replace", target, error));
        }
        _ => {}
    }
    disk.rename(from, target).map_err(|error| Error::io("make", target, error))
}

/// Returns something in a folder that is not part of an output, as a path in it; `None` if all of it is, or
/// without the folder.
///
/// # Errors
/// If it cannot be looked at.
fn foreign_part(folder: &Path, is_part: IsPart) -> Result<Option<PathBuf>> {
    let mut foreign = None;
    walk(folder, &mut |name, kind| {
        let is_ours = is_part(name) && (kind.is_file() || kind.is_dir());
        if !is_ours && foreign.is_none() {
            foreign = Some(name.to_owned());
        }
        is_ours && foreign.is_none()
    })?;
    Ok(foreign)
}

/// Removes the parts of an output from a folder, and then the folder.
fn remove_parts(disk: &Disk, folder: &Path, is_part: IsPart) -> Result<()> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    walk(folder, &mut |name, kind| {
        let is_ours = is_part(name);
        match () {
            () if is_ours && kind.is_file() => files.push(name.to_owned()),
            () if is_ours && kind.is_dir() => folders.push(name.to_owned()),
            () => {}
        }
        is_ours
    })?;
    for name in files {
        let path = folder.join(name);
        disk.remove_file(&path).map_err(|error| Error::io("remove", path, error))?;
    }
    folders.iter().rev().try_for_each(|name| remove_folder(disk, &folder.join(name)))
}

/// Shows everything below a folder, folders before their content; enters the folders for which `see` returns true.
fn walk(folder: &Path, see: &mut dyn FnMut(&Path, fs::FileType) -> bool) -> Result<()> {
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let path = folder.join(&inside);
        let failed = |error| Error::io("read folder", &path, error);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let (name, kind) = (inside.join(entry.file_name()), entry.file_type().map_err(failed)?);
            if see(&name, kind) && kind.is_dir() {
                open.push(name);
            }
        }
    }
    Ok(())
}

/// Syncs the folder of a path: a power cut may lose a name that is not on the disk yet.
fn sync_parent(disk: &Disk, path: &Path) -> Result<()> {
    let parent = folder_of(path);
    disk.sync_folder(parent).map_err(|error| Error::io("sync", parent, error))
}

/// Returns the place of an output, without links. Neither it nor the folders above need exist.
///
/// # Errors
/// If it has no name, or cannot be looked at.
pub fn resolved(path: &Path) -> Result<PathBuf> {
    match fs::canonicalize(path) {
        Ok(there) => return Ok(there),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {}
        Err(error) => return Err(Error::io("look at", path, error)),
    }
    match path.file_name() {
        Some(name) => Ok(resolved(folder_of(path))?.join(name)),
        None => Err(Error::setting(format!("output `{}` has no name", path.display()))),
    }
}

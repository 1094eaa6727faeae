//! Folders of work in progress: provably ours, held by one process, and known file by file.
//!
//! | name | content |
//! |---|---|
//! | `owner` | who made it, in words; locked as long as a process works in it |
//! | `made` | the [list](super::made) of everything else |
//! | everything else | the files that the work makes |
//!
//! A folder that exists already is taken over if its owner is this very version of Fanmill, run by the same user, and
//! no process holds it. Anything else is refused by name, and left as it is. The owner's file says which process is at
//! work; where a file system has no locks, the folder is left alone while that process lives.
//!
//! Cost: a handful of system calls, and two for each file and folder that is made.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::disk::{Disk, DiskFile, Lock, stop};
use super::folder_of;
use super::made::{self, CreatedList, foreign};
use super::owner::{
    OWNER, PROCESS, Work, check_blank, check_process, check_user, check_version, names,
    owner_words, said, take, this_process, unknown,
};
use fanmill_text::{Error, Result, message};

/// Folder of files that lose their names at once.
const NAMELESS: &str = "nameless";
/// Names that these files have for a moment, where a system cannot make files without one: prefix, and length in bytes.
const FOR_A_MOMENT: (&str, usize) = (".tmp", 10);

/// Maximum number of times that a folder is opened while others remove it.
const ATTEMPTS: usize = 8;

/// Workplaces of this process, which an interruption cleans up.
static OPEN: Mutex<Vec<Open>> = Mutex::new(Vec::new());

/// A workplace of this process.
#[derive(Debug)]
struct Open {
    path: PathBuf,
    rest: OnFailure,
    /// The folders above it that were made for it.
    above: Vec<PathBuf>,
}

/// Fate of the folder of a run that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// The folder stays for the next run, once it has a mark.
    Stays,
    /// The folder is removed.
    Goes,
}

/// A folder of work in progress, held by this process.
///
/// If it is dropped before it is [cleared](Workplace::clear), it is removed or stays, as its [`OnFailure`] says.
#[derive(Debug)]
pub struct Workplace {
    path: PathBuf,
    disk: Disk,
    /// The owner's file, locked until the end.
    owner: DiskFile,
    /// Length in bytes of the owner's file without the line that names the process.
    owner_bytes: u64,
    made: CreatedList,
    rest: OnFailure,
    /// True if another run had left work here, which was removed.
    has_dropped: bool,
    is_cleared: bool,
    /// Dropped last, since what is in these folders must go first.
    above: CreatedParents,
}

/// Folders that were made to have a workplace in them, the outermost first. They are removed when they are empty.
#[derive(Debug)]
struct CreatedParents {
    disk: Disk,
    made: Vec<PathBuf>,
}

impl CreatedParents {
    /// Makes `folder` and the folders above it, as far as they are missing.
    fn make(disk: &Disk, folder: &Path) -> Result<CreatedParents> {
        let above = folder.ancestors().filter(|above| !above.as_os_str().is_empty());
        let missing: Vec<&Path> = above.take_while(|above| !above.exists()).collect();
        let mut above = CreatedParents::none(disk);
        for folder in missing.into_iter().rev() {
            match disk.make_folder(folder) {
                Ok(()) => above.made.push(folder.to_owned()),
                // Another process was quicker.
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(Error::io("make folder", folder, error)),
            }
        }
        Ok(above)
    }

    fn none(disk: &Disk) -> CreatedParents {
        CreatedParents { disk: disk.clone(), made: Vec::new() }
    }
}

impl Drop for CreatedParents {
    fn drop(&mut self) {
        remove_empty(&self.disk, &self.made);
    }
}

/// Moves folders back that were made in a workplace and are no longer there.
fn put_back(disk: &Disk, path: &Path, made: &CreatedList, moved: &[(&Path, &Path)]) -> Result<()> {
    for (name, target) in moved {
        let own = path.join(name);
        if made.has_folder(name) && !own.exists() && target.is_dir() {
            disk.rename(target, &own).map_err(|error| Error::io("put back", target, error))?;
        }
    }
    Ok(())
}

/// Removes folders from the innermost outwards, up to one that is not empty.
fn remove_empty(disk: &Disk, folders: &[PathBuf]) {
    let _ = folders.iter().rev().try_for_each(|folder| disk.remove_folder(folder));
}

impl Workplace {
    /// Makes the folder at `path`, or takes over what a run of the same `work` has left there. What another run of ours
    /// has left is removed. Folders above it are made as needed, and removed with it if nothing else is in them.
    ///
    /// # Errors
    /// If something else is there, another process holds it, or it cannot be made.
    pub fn open(disk: &Disk, path: &Path, work: Work<'_>, rest: OnFailure) -> Result<Workplace> {
        Workplace::open_again(disk, path, work, rest, &[])
    }

    /// Does what [`open`](Workplace::open) does; but first, folders that a killed run had moved out of it to be an output,
    /// each named with its place, come back. A folder counts as moved if it was made here and is no longer here.
    ///
    /// # Errors
    /// As for [`open`](Workplace::open).
    pub fn open_again(
        disk: &Disk,
        path: &Path,
        work: Work<'_>,
        rest: OnFailure,
        moved: &[(&Path, &Path)],
    ) -> Result<Workplace> {
        let mut attempts = 1;
        loop {
            match Workplace::try_open(disk, path, (work, rest), moved) {
                // The run that had the folder has ended meanwhile, and removed it.
                Err(error) if error.is_missing() && attempts < ATTEMPTS => attempts += 1,
                Err(error) if error.is_missing() => {
                    let shown = path.display();
                    return Err(Error::busy(message![
                        "other runs make and remove `{shown}`; wait for them, or name another output: ",
                        error
                    ]));
                }
                opened => return opened,
            }
        }
    }

    fn try_open(
        disk: &Disk,
        path: &Path,
        (work, rest): (Work<'_>, OnFailure),
        moved: &[(&Path, &Path)],
    ) -> Result<Workplace> {
        let above = CreatedParents::make(disk, folder_of(path))?;
        let mut workplace = match disk.make_private_folder(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                check_user(path)?;
                Workplace::begin(disk, path, (work, rest), moved)?
            }
            Err(error) => return Err(Error::io("make folder", path, error)),
            Ok(()) => Workplace::begin_new(disk, path, work, rest)?,
        };
        with_open(|open| {
            if let Some(open) = open.iter_mut().find(|open| open.path == path) {
                open.above.clone_from(&above.made);
            }
        });
        workplace.above = above;
        Ok(workplace)
    }

    /// Makes a folder for temporary files in `base`, or where the system has them; only its owner can look into it.
    /// Temporary folders that killed runs have left there are removed.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn temporary(disk: &Disk, base: Option<&Path>) -> Result<Workplace> {
        let base = base.map_or_else(std::env::temp_dir, Path::to_owned);
        sweep(disk, &base);
        let mut n = 0_u32;
        loop {
            let path = base.join(format!("{TEMPORARY}{}-{n}", std::process::id()));
            match disk.make_private_folder(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => n += 1,
                Err(error) => return Err(Error::io("make a folder in", base, error)),
                Ok(()) => {
                    return Workplace::begin_new(disk, &path, TEMPORARY_WORK, OnFailure::Goes);
                }
            }
        }
    }

    /// Begins in a folder that was just made, and removes the folder again if the disk refuses an owner.
    fn begin_new(disk: &Disk, path: &Path, work: Work<'_>, rest: OnFailure) -> Result<Workplace> {
        Workplace::begin(disk, path, (work, rest), &[]).inspect_err(|error| {
            if !error.is_io() || error.is_missing() {
                // Another process was quicker, or has even ended again. What is there now may belong to a third one.
                return;
            }
            for name in [made::NAME, OWNER] {
                // Some of them may not exist.
                let _ = disk.remove_file(&path.join(name));
            }
            let _ = disk.remove_folder(path);
        })
    }

    fn begin(
        disk: &Disk,
        path: &Path,
        (work, rest): (Work<'_>, OnFailure),
        moved: &[(&Path, &Path)],
    ) -> Result<Workplace> {
        let (mut owner, lock) = take(disk, path)?;
        let said = said(&owner, path)?;
        let (words, process) = said.split_at(said.find(PROCESS).unwrap_or(said.len()));
        if words.is_empty() {
            check_blank(path)?;
        } else {
            check_version(words, path)?;
            if lock == Lock::Nobodys {
                check_process(process, path)?;
            }
        }
        let mut made = CreatedList::open(disk, path)?;
        put_back(disk, path, &made, moved)?;
        check_names(&made, path)?;
        let wanted = owner_words(work);
        let has_dropped = words != wanted && made.marks().next().is_some();
        let failed = |error| Error::io("write", path.join(OWNER), error);
        if words != wanted {
            // This folder belonged to another run, or is new: whatever is in it goes before the new owner is written.
            remove_nameless(disk, path)?;
            made.rewind(disk, 0)?;
            owner.cut(0).map_err(failed)?;
            owner.file().rewind().map_err(failed)?;
            owner.write_all(wanted.as_bytes()).map_err(failed)?;
        }
        owner.cut(wanted.len() as u64).map_err(failed)?;
        owner.file().seek(SeekFrom::End(0)).map_err(failed)?;
        owner.write_all(this_process().as_bytes()).map_err(failed)?;
        with_open(|open| open.push(Open { path: path.to_owned(), rest, above: Vec::new() }));
        Ok(Workplace {
            path: path.to_owned(),
            disk: disk.clone(),
            owner,
            owner_bytes: wanted.len() as u64,
            made,
            rest,
            has_dropped,
            is_cleared: false,
            above: CreatedParents::none(disk),
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether another run had left work here to be resumed; it was removed.
    pub fn has_dropped(&self) -> bool {
        self.has_dropped
    }

    /// Returns the disk that it is on.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Returns the marks, from the first: words that say how far the work has come. Those of an earlier run are
    /// included.
    pub fn marks(&self) -> Vec<String> {
        self.made.marks().map(str::to_owned).collect()
    }

    /// Records how far the work has come, once all names made until then are on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn mark(&mut self, mark: &str) -> Result<()> {
        self.made.mark(&self.disk, mark)
    }

    /// Removes what was made after the first `n` marks, and forgets these things and the later marks.
    ///
    /// # Errors
    /// If something else is in their place, or the disk refuses.
    pub fn rewind(&mut self, n: usize) -> Result<()> {
        remove_nameless(&self.disk, &self.path)?;
        self.made.rewind(&self.disk, n)
    }

    /// Makes a folder for files that lose their names at once.
    ///
    /// # Errors
    /// If something is there that was not made here, or the disk refuses.
    pub fn make_nameless(&mut self) -> Result<PathBuf> {
        self.make_folder(Path::new(NAMELESS))
    }

    /// Makes a folder, and the folders above it.
    ///
    /// # Errors
    /// If something is there that was not made here, or the disk refuses.
    pub fn make_folder(&mut self, name: &Path) -> Result<PathBuf> {
        let path = self.path.join(name);
        if name.as_os_str().is_empty() || self.made.has_folder(name) && path.is_dir() {
            return Ok(path);
        }
        self.make_folder(name.parent().unwrap_or(Path::new("")))?;
        self.made.folder(name)?;
        match self.disk.make_folder(&path) {
            Ok(()) => Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(foreign(&path)),
            Err(error) => Err(Error::io("make folder", path, error)),
        }
    }

    /// Adds a folder that is to be moved here to the list.
    pub(super) fn expect_folder(&mut self, name: &Path) -> Result<()> {
        self.made.folder(name)
    }

    /// Makes a file, and the folders above it.
    ///
    /// # Errors
    /// If anything is there already, or the disk refuses.
    pub fn make_file(&mut self, name: &Path) -> Result<DiskFile> {
        self.make_by(name, Disk::make_file)
    }

    /// Makes a file that only this user can ever open, and the folders above it.
    pub(super) fn make_private_file(&mut self, name: &Path) -> Result<DiskFile> {
        self.make_by(name, Disk::make_private_file)
    }

    fn make_by(
        &mut self,
        name: &Path,
        make: fn(&Disk, &Path) -> io::Result<DiskFile>,
    ) -> Result<DiskFile> {
        self.make_folder(name.parent().unwrap_or(Path::new("")))?;
        let path = self.path.join(name);
        // Listed only if the name is free: what is in the way is not ours to remove.
        if path.symlink_metadata().is_ok() {
            return Err(in_the_way(&path));
        }
        self.made.file(name)?;
        make(&self.disk, &path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => in_the_way(&path),
            _ => Error::io("make", &path, error),
        })
    }

    /// Opens a file that was made here, by this run or by the one that it resumes.
    ///
    /// # Errors
    /// If it is a link or not a file, or cannot be opened.
    pub fn open_file(&self, name: &Path) -> Result<DiskFile> {
        let path = self.path.join(name);
        self.disk.open_file(&path).map_err(|error| Error::io("open", path, error))
    }

    /// Makes sure that all files made in the folder `below` are on the disk, for those that were not synced after
    /// writing.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn sync_files(&self, below: &Path) -> Result<()> {
        let folder = self.path.join(below);
        let failed = |error| Error::io("sync", &folder, error);
        if !folder.exists() || self.disk.sync_all_below(&folder).map_err(failed)? {
            return Ok(());
        }
        let mut folders = vec![folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    self.disk.open_file(&path).and_then(|file| file.sync()).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Removes everything that was made here, and the folder, unless something else was put into it.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn clear(mut self) -> Result<()> {
        self.is_cleared = true;
        remove_all(&self.disk, &self.path, &mut self.made)?;
        forget(&self.path);
        Ok(())
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        let stays = self.rest == OnFailure::Stays && self.made.marks().next().is_some();
        if !self.is_cleared && !stays {
            // The error that led here says more than an error of the removal.
            let _ = remove_all(&self.disk, &self.path, &mut self.made);
        } else if stays {
            // Without locks, only this shows the next run of this process that this one has ended.
            let _ = self.owner.cut(self.owner_bytes);
        }
        forget(&self.path);
    }
}

/// Prefix of the name of a temporary folder.
const TEMPORARY: &str = "fanmill-";
const TEMPORARY_WORK: Work<'static> = Work { job: "temporary files", run: "" };

/// Age above which a folder with an empty owner's file is one of a killed run: it was not begun just now.
const OLD: Duration = Duration::from_hours(1);

/// Removes temporary folders that no process holds. One that cannot be removed belongs to someone else.
fn sweep(disk: &Disk, base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || !is_temporary(&entry.file_name()) {
            continue;
        }
        // An owner's file without words may be about to get them.
        let has_words = fs::metadata(path.join(OWNER)).is_ok_and(|owner| owner.len() > 0);
        let made = entry.metadata().and_then(|folder| folder.modified());
        let is_old = made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > OLD));
        if (has_words || is_old)
            && check_user(&path).is_ok()
            && let Ok(left) = Workplace::begin(disk, &path, (TEMPORARY_WORK, OnFailure::Goes), &[])
        {
            let _ = left.clear();
        }
    }
}

/// Returns whether a name is that of a temporary folder: a process, and a number for each of its folders.
fn is_temporary(name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
    let parts = rest.and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(process, n)| [process, n].iter().all(|part| part.parse::<u32>().is_ok()))
}

/// Ends the work of this process for good, after an interruption. Other threads that write wait forever, temporary
/// folders are removed, and the folders that stay for the next run are returned.
pub fn abandon() -> Vec<PathBuf> {
    stop();
    let open = with_open(std::mem::take);
    let mut kept = Vec::new();
    for Open { path, rest, above } in open {
        let Ok(mut made) = CreatedList::open(&Disk::last(), &path) else { continue };
        if rest == OnFailure::Stays && made.marks().next().is_some() {
            kept.push(path);
        } else {
            let _ = remove_all(&Disk::last(), &path, &mut made);
            remove_empty(&Disk::last(), &above);
        }
    }
    kept
}

fn with_open<T>(work: impl FnOnce(&mut Vec<Open>) -> T) -> T {
    work(&mut OPEN.lock().unwrap_or_else(PoisonError::into_inner))
}

fn forget(path: &Path) {
    with_open(|open| open.retain(|other| other.path != path));
}

/// Removes everything in the list, the list, and the folder if nothing else is left.
fn remove_all(disk: &Disk, path: &Path, made: &mut CreatedList) -> Result<()> {
    remove_nameless(disk, path)?;
    let rewound = made.rewind(disk, 0);
    // Something that others have put below stays, and so does the list of the folders around it.
    rewound?;
    for name in [made::NAME, OWNER] {
        let name = path.join(name);
        disk.remove_file(&name).map_err(|error| Error::io("remove", name, error))?;
    }
    // Without an owner, the folder is anybody's: the next run may have something in it, or have removed it.
    match disk.remove_folder(path) {
        Err(error)
            if !matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
            ) =>
        {
            Err(Error::io("remove", path, error))
        }
        _ => Ok(()),
    }
}

/// Refuses a folder that contains something which is not in the list.
fn check_names(made: &CreatedList, path: &Path) -> Result<()> {
    let is_known = |name: &OsString| name == OWNER || name == made::NAME || made.has_name(name);
    match names(path)?.iter().find(|name| !is_known(name)) {
        Some(other) => Err(unknown(path, other)),
        None => Ok(()),
    }
}

/// Removes files that were to lose their names but did not, because a run was killed in between.
fn remove_nameless(disk: &Disk, path: &Path) -> Result<()> {
    let folder = path.join(NAMELESS);
    if !fs::symlink_metadata(&folder).is_ok_and(|folder| folder.is_dir()) {
        return Ok(());
    }
    for name in names(&folder)? {
        let (bytes, name) = (name.as_encoded_bytes(), folder.join(&name));
        let is_ours = bytes.starts_with(FOR_A_MOMENT.0.as_bytes()) && bytes.len() == FOR_A_MOMENT.1;
        if is_ours && fs::symlink_metadata(&name).is_ok_and(|file| file.is_file()) {
            disk.remove_file(&name).map_err(|error| Error::io("remove", name, error))?;
        }
    }
    Ok(())
}

fn in_the_way(path: &Path) -> Error {
    Error::setting(format!(
        "`{}` is there already, and would be written; two inputs have this name, or it was put there by \
         another program",
        path.display()
    ))
}

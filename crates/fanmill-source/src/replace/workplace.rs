//! A folder of work in progress: provably ours, held by one process, and known file by file.
//!
//! | in it | is |
//! |---|---|
//! | `owner` | who made it, in words; locked as long as somebody works in it |
//! | `made` | the [list](super::made) of everything else |
//! | all else | what the work makes |
//!
//! A folder that is there already is taken over if its owner is this very version of Fanmill and no
//! process holds it. Anything else is refused by name, and left as it is.
//!
//! Cost: a handful of system calls, and two for each file and folder that is made.

use std::ffi::{OsStr, OsString};
use std::fs::{self, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::disk::{Disk, DiskFile, stop};
use super::made::{self, Made, foreign, remove_folder};
use fanmill::{Error, Result};

/// Who made the folder; its lock.
const OWNER: &str = "owner";
/// The first words of an owner's file; the number rises when the layout changes.
const FORMAT: &str = "fanmill work in progress, format 1";
/// Names that a file has while it loses its name, where a system cannot make files without one.
const NAMELESS: (&str, usize) = (".tmp", 10);

/// Workplaces of this process, and what becomes of each when it is interrupted.
static OPEN: Mutex<Vec<(PathBuf, Rest)>> = Mutex::new(Vec::new());

/// Whose work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work<'a> {
    /// What is done, in a word.
    pub job: &'a str,
    /// Which run it is: equal for runs that may go on for each other.
    pub run: &'a str,
}

/// What becomes of the folder of a run that does not end well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// It stays for the next run, once it has a mark.
    Stays,
    /// It goes.
    Goes,
}

/// A folder of work in progress, held by this process.
///
/// Dropped before it is [cleared](Workplace::clear), it goes or stays, as its [`Rest`] says.
#[derive(Debug)]
pub struct Workplace {
    path: PathBuf,
    disk: Disk,
    /// Locked until the end.
    _owner: DiskFile,
    made: Made,
    rest: Rest,
    is_cleared: bool,
}

impl Workplace {
    /// Makes the folder at `path`, or takes over what a run of the same `work` has left there. What another
    /// run of ours has left is removed.
    ///
    /// # Errors
    /// If something else is there, another process holds it, or it cannot be made.
    pub fn open(disk: &Disk, path: &Path, work: Work<'_>, rest: Rest) -> Result<Workplace> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|error| Error::io("make folder", parent, error))?;
        match disk.make_folder(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Workplace::begin(disk, path, work, rest)
            }
            Err(error) => Err(Error::io("make folder", path, error)),
            Ok(()) => Workplace::begin_new(disk, path, work, rest),
        }
    }

    /// Makes a folder for temporary files in `base`, or where the system has them, for the owner's eyes only.
    /// Such folders that killed runs have left there are removed.
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
                Ok(()) => return Workplace::begin_new(disk, &path, TEMPORARY_WORK, Rest::Goes),
            }
        }
    }

    /// Begins in a folder that was just made; without an owner it goes again.
    fn begin_new(disk: &Disk, path: &Path, work: Work<'_>, rest: Rest) -> Result<Workplace> {
        Workplace::begin(disk, path, work, rest).inspect_err(|error| {
            if !error.is_io() {
                // Another process was quicker.
                return;
            }
            for name in [made::NAME, OWNER] {
                // Not all of them need be there.
                let _ = disk.remove_file(&path.join(name));
            }
            let _ = disk.remove_folder(path);
        })
    }

    fn begin(disk: &Disk, path: &Path, work: Work<'_>, rest: Rest) -> Result<Workplace> {
        let mut owner = take(disk, path)?;
        let words = said(&owner, path)?;
        if words.is_empty() {
            check_blank(path)?;
        } else {
            check_version(&words, path)?;
        }
        let mut made = Made::open(disk, path)?;
        check_names(&made, path)?;
        let wanted = owner_words(work);
        if words != wanted {
            made.rewind(disk, 0)?;
            let failed = |error| Error::io("write", path.join(OWNER), error);
            owner.cut(0).map_err(failed)?;
            owner.file().rewind().map_err(failed)?;
            owner.write_all(wanted.as_bytes()).map_err(failed)?;
        }
        with_open(|open| open.push((path.to_owned(), rest)));
        let disk = disk.clone();
        Ok(Workplace { path: path.to_owned(), disk, _owner: owner, made, rest, is_cleared: false })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The disk that it is on.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// How far the work has come, in words, from the first; those of an earlier run included.
    pub fn marks(&self) -> Vec<String> {
        self.made.marks().map(str::to_owned).collect()
    }

    /// Notes how far the work has come, once all names made until then are on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn mark(&mut self, mark: &str) -> Result<()> {
        self.made.mark(&self.disk, mark)
    }

    /// Removes what was made after the first `n` marks, and forgets it with them.
    ///
    /// # Errors
    /// If it is not what was made, or the disk refuses.
    pub fn rewind(&mut self, n: usize) -> Result<()> {
        self.made.rewind(&self.disk, n)
    }

    /// Makes a folder, and those that it is in.
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

    /// Lists a folder that is to be moved here.
    pub(super) fn expect_folder(&mut self, name: &Path) -> Result<()> {
        self.made.folder(name)
    }

    /// Makes a file, and the folders that it is in.
    ///
    /// # Errors
    /// If something is there already, whoever made it, or the disk refuses.
    pub fn make_file(&mut self, name: &Path) -> Result<DiskFile> {
        self.make_folder(name.parent().unwrap_or(Path::new("")))?;
        let path = self.path.join(name);
        // Listed only if it is free: what is in the way is not ours to remove.
        if path.symlink_metadata().is_ok() {
            return Err(in_the_way(&path));
        }
        self.made.file(name)?;
        self.disk.make_file(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => in_the_way(&path),
            _ => Error::io("make", &path, error),
        })
    }

    /// Opens a file that was made here, by this run or the one that it goes on for.
    ///
    /// # Errors
    /// If it is a link or no file, or cannot be opened.
    pub fn open_file(&self, name: &Path) -> Result<DiskFile> {
        let path = self.path.join(name);
        self.disk.open_file(&path).map_err(|error| Error::io("open", path, error))
    }

    /// Makes sure that all files made here are on the disk, where those who wrote them did not.
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

    /// Removes all that was made here, and the folder. What somebody else has put there stays, and keeps it.
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
        let stays = self.rest == Rest::Stays && self.made.marks().next().is_some();
        if !self.is_cleared && !stays {
            // The error that led here says more than another one would.
            let _ = remove_all(&self.disk, &self.path, &mut self.made);
        }
        forget(&self.path);
    }
}

/// What begins the name of a temporary folder.
const TEMPORARY: &str = "fanmill-";
const TEMPORARY_WORK: Work<'static> = Work { job: "temporary files", run: "" };

/// Removes temporary folders that nobody holds. One that cannot be removed is somebody else's.
fn sweep(disk: &Disk, base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        let path = entry.path();
        if !is_named || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // An owner without words may be just about to write them.
        let has_words = fs::metadata(path.join(OWNER)).is_ok_and(|owner| owner.len() > 0);
        if has_words && let Ok(left) = Workplace::begin(disk, &path, TEMPORARY_WORK, Rest::Goes) {
            let _ = left.clear();
        }
    }
}

/// Ends the work of this process for good, as an interruption wants it: other threads that write wait for ever, what
/// is temporary goes, and the folders that stay for the next run are returned.
pub fn abandon() -> Vec<PathBuf> {
    stop();
    let open = with_open(std::mem::take);
    let mut kept = Vec::new();
    for (path, rest) in open {
        let Ok(mut made) = Made::open(&Disk::last(), &path) else { continue };
        if rest == Rest::Stays && made.marks().next().is_some() {
            kept.push(path);
        } else {
            let _ = remove_all(&Disk::last(), &path, &mut made);
        }
    }
    kept
}

fn with_open<T>(work: impl FnOnce(&mut Vec<(PathBuf, Rest)>) -> T) -> T {
    work(&mut OPEN.lock().unwrap_or_else(PoisonError::into_inner))
}

fn forget(path: &Path) {
    with_open(|open| open.retain(|(other, _)| other != path));
}

/// Removes what is in the list, the list, and the folder if nothing else is left.
fn remove_all(disk: &Disk, path: &Path, made: &mut Made) -> Result<()> {
    let rewound = made.rewind(disk, 0);
    for name in nameless(path) {
        let name = path.join(name);
        disk.remove_file(&name).map_err(|error| Error::io("remove", name, error))?;
    }
    // What somebody has put below is left, and with it the list of what is around it.
    rewound?;
    for name in [made::NAME, OWNER] {
        let name = path.join(name);
        disk.remove_file(&name).map_err(|error| Error::io("remove", name, error))?;
    }
    match remove_folder(disk, path) {
        Err(error) if error.is_setting() => Ok(()),
        removed => removed,
    }
}

/// The owner's file, made or taken over, and locked.
fn take(disk: &Disk, path: &Path) -> Result<DiskFile> {
    let shown = path.display();
    let metadata = fs::symlink_metadata(path).map_err(|error| Error::io("look at", path, error))?;
    if !metadata.is_dir() {
        let is = if metadata.is_symlink() { "a link, which is not followed" } else { "no folder" };
        return Err(Error::setting(format!(
            "`{shown}` is {is}, and work in progress would go there; remove it, or name another output"
        )));
    }
    let names = names(path)?;
    let name = path.join(OWNER);
    let owner = match names.first() {
        None => disk.make_file(&name),
        Some(_) if fs::symlink_metadata(&name).is_ok_and(|owner| owner.is_file()) => {
            disk.open_file(&name)
        }
        Some(other) => return Err(unknown(path, other)),
    };
    let owner = owner.map_err(|error| Error::io("open", &name, error))?;
    match owner.file().try_lock() {
        Ok(()) if is_at(&owner, &name) => Ok(owner),
        Ok(()) | Err(TryLockError::WouldBlock) => Err(Error::setting(format!(
            "another run is at work in `{shown}`; wait for it, or name another output"
        ))),
        Err(TryLockError::Error(error)) => Err(Error::io("lock", name, error)),
    }
}

/// What a folder has in it, ascending.
fn names(path: &Path) -> Result<Vec<OsString>> {
    let entries = fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.file_name())).collect());
    let mut names: Vec<OsString> =
        entries.map_err(|error| Error::io("read folder", path, error))?;
    names.sort_unstable();
    Ok(names)
}

/// Whether the file at `path` is still the one that was opened: who held it may have removed it.
#[cfg(unix)]
fn is_at(file: &DiskFile, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let ids = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let opened = file.file().metadata().map(ids);
    fs::symlink_metadata(path).map(ids).is_ok_and(|there| opened.is_ok_and(|ids| ids == there))
}

#[cfg(not(unix))]
fn is_at(_: &DiskFile, path: &Path) -> bool {
    path.exists()
}

/// What the owner's file says; a foreign one may be long.
fn said(owner: &DiskFile, path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let read = owner.file().take(4096).read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", path.join(OWNER), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn owner_words(Work { job, run }: Work<'_>) -> String {
    format!("{FORMAT}\nversion {}\njob {job}\nrun {run}\n", env!("CARGO_PKG_VERSION"))
}

fn check_version(words: &str, path: &Path) -> Result<()> {
    let mut lines = words.lines();
    let format = lines.next().unwrap_or_default();
    let version = lines.next().and_then(|line| line.strip_prefix("version ")).unwrap_or_default();
    if format == FORMAT && version == env!("CARGO_PKG_VERSION") {
        return Ok(());
    }
    if !format.starts_with("fanmill work in progress, ") {
        return Err(unknown(path, OsStr::new(OWNER)));
    }
    Err(Error::setting(format!(
        "`{}` was left by version {version} of Fanmill, and this one does not go on there; end the run with that \
         version, remove the folder, or name another output",
        path.display()
    )))
}

/// Refuses a folder whose owner has said nothing, unless that is all there is: a run was killed at once.
fn check_blank(path: &Path) -> Result<()> {
    let list = path.join(made::NAME);
    let is_list = |name: &OsString| {
        name == made::NAME && fs::symlink_metadata(&list).is_ok_and(|list| list.len() == 0)
    };
    match names(path)?.iter().find(|name| *name != OWNER && !is_list(name)) {
        Some(other) => Err(unknown(path, other)),
        None => Ok(()),
    }
}

/// Refuses a folder with something in it that is not in the list.
fn check_names(made: &Made, path: &Path) -> Result<()> {
    let is_known = |name: &OsString| {
        name == OWNER || name == made::NAME || made.has_name(name) || is_nameless(name)
    };
    match names(path)?.iter().find(|name| !is_known(name)) {
        Some(other) => Err(unknown(path, other)),
        None => Ok(()),
    }
}

fn is_nameless(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.starts_with(NAMELESS.0.as_bytes()) && bytes.len() == NAMELESS.1
}

fn nameless(path: &Path) -> Vec<OsString> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let names = entries.flatten().filter(is_file).map(|entry| entry.file_name());
    names.filter(|name| is_nameless(name)).collect()
}

fn unknown(path: &Path, name: &OsStr) -> Error {
    Error::setting(format!(
        "`{}` holds `{name}`, which was not made by this version of Fanmill, and work in progress would go there; \
         move the folder elsewhere, or name another output",
        path.display(),
        name = Path::new(name).display()
    ))
}

fn in_the_way(path: &Path) -> Error {
    Error::setting(format!(
        "`{}` is there already, and would be written; two inputs have this name, or somebody has put it \
         there",
        path.display()
    ))
}

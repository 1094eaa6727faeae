//! The owner's file of a folder of work in progress: who made the folder, and which process holds it.
//!
//! It is locked as long as a process works in the folder. Where a file system has no locks, its last line says which
//! process that is. Other runs may remove the folder at any step here: then something is missing, and the caller tries
//! again.
//!
//! Cost: a handful of system calls.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::disk::{Disk, DiskFile, Lock};
use super::made;
use crate::given::names_in;
use fanmill_text::{Error, Result};

/// Name of the file that says who made the folder, and is its lock.
pub(super) const OWNER: &str = "owner";
/// First words of an owner's file; the number rises when the layout changes.
const FORMAT: &str = "fanmill work in progress, format 2";
/// Beginning of the line that says which process is at work.
pub(super) const PROCESS: &str = "process ";

/// A kind of work, and one run of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work<'a> {
    /// The kind of work, in a word.
    pub job: &'a str,
    /// The run: equal for runs that may resume each other.
    pub run: &'a str,
}

/// Refuses a folder of another user, or one with another user's owner file: its content is not known to be ours.
#[cfg(unix)]
pub(super) fn check_user(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    for path in [path, &path.join(OWNER)] {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.uid() != own => {
                return Err(Error::setting(format!(
                    "`{}` belongs to user {}, and work in progress would go there; remove it, or name another \
                     output",
                    path.display(),
                    metadata.uid()
                )));
            }
            // `take` reports a path that is not a folder.
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(Error::io("look at", path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn check_user(_: &Path) -> Result<()> {
    Ok(())
}

/// Returns the line that says which process is at work.
pub(super) fn this_process() -> String {
    format!("{PROCESS}{} on {}\n", std::process::id(), host())
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Refuses a folder in which a process without a lock may be at work: one that is alive, or one on another machine.
pub(super) fn check_process(line: &str, path: &Path) -> Result<()> {
    let Some((process, on)) =
        line.trim_end().strip_prefix(PROCESS).and_then(|line| line.split_once(" on "))
    else {
        return Ok(());
    };
    if on == host() && !process.parse().is_ok_and(is_alive) {
        return Ok(());
    }
    Err(Error::busy(format!(
        "process {process} on `{on}` may be at work in `{}`, and the file system has no locks to tell; wait for it, \
         remove the folder if it has ended, or name another output",
        path.display()
    )))
}

#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_: i32) -> bool {
    true
}

/// Makes the owner's file, or takes it over, and locks it if the file system has locks.
pub(super) fn take(disk: &Disk, path: &Path) -> Result<(DiskFile, Lock)> {
    let shown = path.display();
    let metadata = fs::symlink_metadata(path).map_err(|error| Error::io("look at", path, error))?;
    if !metadata.is_dir() {
        let is =
            if metadata.is_symlink() { "a link, which is not followed" } else { "not a folder" };
        return Err(Error::setting(format!(
            "`{shown}` is {is}, and work in progress would go there; remove it, or name another output"
        )));
    }
    let names = names(path)?;
    let name = path.join(OWNER);
    let owner = match names.first() {
        None => disk.make_file(&name),
        Some(other) => match fs::symlink_metadata(&name) {
            Ok(owner) if owner.is_file() => disk.open_file(&name),
            // The owner's file was there a moment ago.
            Err(error) if names.iter().any(|name| name == OWNER) => Err(error),
            _ => return Err(unknown(path, other)),
        },
    };
    let at_work = |who: &str| {
        Error::busy(format!("{who} is at work in `{shown}`; wait for it, or name another output"))
    };
    let mut owner = owner.map_err(|error| match error.kind() {
        // The other run was quicker to make the file.
        io::ErrorKind::AlreadyExists => at_work("another run"),
        _ => Error::io("open", &name, error),
    })?;
    let lock = owner.lock().map_err(|error| Error::io("lock", &name, error))?;
    let is_at = || is_at(&owner, &name).map_err(|error| Error::io("look at", &name, error));
    if matches!(lock, Lock::Ours | Lock::Nobodys) && is_at()? {
        return Ok((owner, lock));
    }
    Err(at_work(&its_process(&owner)))
}

/// Describes the process that has locked an owner's file.
fn its_process(owner: &DiskFile) -> String {
    let mut bytes = Vec::new();
    // Some systems let nobody else read a locked file, and its holder may still be writing it.
    let words = match owner.file().take(4096).read_to_end(&mut bytes) {
        Ok(_) => String::from_utf8_lossy(&bytes),
        Err(_) => "".into(),
    };
    let line = words.lines().find_map(|line| line.strip_prefix(PROCESS));
    match line.and_then(|line| line.split_once(" on ")) {
        Some((process, on)) if on == host() => format!("process {process}"),
        Some((process, on)) => format!("process {process} on `{on}`"),
        None => "another run".to_owned(),
    }
}

/// Returns the names in a folder, ascending.
pub(super) fn names(path: &Path) -> Result<Vec<OsString>> {
    names_in(path).map_err(|error| Error::io("read folder", path, error))
}

/// Returns whether the file at `path` is still the one that was opened: its holder may have removed it.
#[cfg(unix)]
fn is_at(file: &DiskFile, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ids = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let opened = file.file().metadata().map(ids)?;
    match fs::symlink_metadata(path).map(ids) {
        Ok(there) => Ok(there == opened),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &DiskFile, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// Reads the owner's file; only its beginning, since a foreign one may be long.
pub(super) fn said(owner: &DiskFile, path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let read = owner.file().take(4096).read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read", path.join(OWNER), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn owner_words(Work { job, run }: Work<'_>) -> String {
    format!("{FORMAT}\nversion {}\njob {job}\nrun {run}\n", env!("CARGO_PKG_VERSION"))
}

pub(super) fn check_version(words: &str, path: &Path) -> Result<()> {
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
        "`{}` was left by version {version} of Fanmill, and this one does not resume it; finish the run with that \
         version, remove the folder, or name another output",
        path.display()
    )))
}

/// Refuses a folder with an empty owner's file, unless at most an empty list is beside it: a run was killed at once.
pub(super) fn check_blank(path: &Path) -> Result<()> {
    let list = path.join(made::NAME);
    let is_list = |name: &OsString| {
        name == made::NAME && fs::symlink_metadata(&list).is_ok_and(|list| list.len() == 0)
    };
    match names(path)?.iter().find(|name| *name != OWNER && !is_list(name)) {
        Some(other) => Err(unknown(path, other)),
        None => Ok(()),
    }
}

pub(super) fn unknown(path: &Path, name: &OsStr) -> Error {
    Error::setting(format!(
        "`{}` holds `{name}`, which was not made by this version of Fanmill, and work in progress would go there; \
         move the folder elsewhere, or name another output",
        path.display(),
        name = Path::new(name).display()
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A file that cannot be looked at is not one that another run has removed.
    #[test]
    fn a_failure_to_look_at_the_owners_file_is_not_another_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(OWNER);
        let file = Disk::default().make_file(&path).expect("a file");
        assert!(is_at(&file, &path).expect("it is there"));
        let unnameable = folder.path().join("x".repeat(300));
        let error = is_at(&file, &unnameable).expect_err("no such name can be");
        assert_ne!(error.kind(), io::ErrorKind::NotFound);
        fs::remove_file(&path).expect("removed");
        assert!(!is_at(&file, &path).expect("it is gone"));
    }
}

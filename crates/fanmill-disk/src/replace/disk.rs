//! The disk, one step at a time, so that a test can make any of them fail.
//!
//! Everything that a replacement changes (a folder made, bytes written, a file synced, renamed, removed) is a step
//! here. A test counts the steps of a run, and repeats the run with the n-th step failing, with a disk that is full
//! from there on, or with nothing done any more, as after a kill.
//!
//! An interruption ends all steps: [`stop`] waits for those under way, and later ones wait forever, so that what is
//! cleaned up stays clean.
//!
//! Cost: one uncontended lock for each step.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Held for reading by every step, and for writing forever once steps have ended.
static STEPS: RwLock<()> = RwLock::new(());

/// The disk, as writers see it.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    trial: Option<Arc<Trial>>,
    /// True if its steps clean up after all others have ended.
    is_last: bool,
}

/// A fault in a trial, at a step counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No fault: steps are only counted.
    Nothing,
    /// This step fails, and no other.
    Fails(usize),
    /// From this step on there is no room: files cannot be made, written or synced.
    Full(usize),
    /// From this step on nothing is done: the process was killed.
    Killed(usize),
}

/// A disk under trial.
#[derive(Debug)]
struct Trial {
    fault: Fault,
    can_exchange: bool,
    can_lock: bool,
    n_steps: AtomicUsize,
    n_syncs: AtomicUsize,
}

/// Result of locking a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    /// The lock is ours.
    Ours,
    /// Another process, or another part of this one, has the lock.
    Theirs,
    /// The file system has no locks.
    Nobodys,
}

/// The need of a step for room on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Room,
    Nothing,
}

/// Error numbers of the system for a full disk, and for a broken one.
const NO_ROOM: i32 = 28;
const BROKEN: i32 = 5;

impl Disk {
    /// Creates a disk on which something goes wrong, for tests.
    pub fn with_fault(fault: Fault) -> Disk {
        Disk::on_trial(fault, |_| {})
    }

    /// Creates such a disk on a file system that cannot exchange two names.
    pub fn without_exchange(fault: Fault) -> Disk {
        Disk::on_trial(fault, |trial| trial.can_exchange = false)
    }

    /// Creates such a disk on a file system without locks.
    pub fn without_locks(fault: Fault) -> Disk {
        Disk::on_trial(fault, |trial| trial.can_lock = false)
    }

    fn on_trial(fault: Fault, change: impl FnOnce(&mut Trial)) -> Disk {
        let (n_steps, n_syncs) = Default::default();
        let mut trial = Trial { fault, can_exchange: true, can_lock: true, n_steps, n_syncs };
        change(&mut trial);
        Disk { trial: Some(Arc::new(trial)), is_last: false }
    }

    /// Returns the number of steps taken, if they are counted; otherwise 0.
    pub fn n_steps(&self) -> usize {
        self.trial.as_ref().map_or(0, |trial| trial.n_steps.load(Ordering::Relaxed))
    }

    /// Returns the number of steps that wait until bytes or names are on the disk, if they are counted; otherwise 0.
    pub fn n_syncs(&self) -> usize {
        self.trial.as_ref().map_or(0, |trial| trial.n_syncs.load(Ordering::Relaxed))
    }

    /// Returns the disk to be used after [`stop`].
    pub(super) fn last() -> Disk {
        Disk { trial: None, is_last: true }
    }

    fn step<T>(&self, needs: Needs, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let _under_way =
            (!self.is_last).then(|| STEPS.read().unwrap_or_else(PoisonError::into_inner));
        self.trial.as_ref().map_or(Ok(()), |trial| trial.take(needs))?;
        work()
    }

    /// Takes a step that waits for the disk.
    fn sync_step<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        if let Some(trial) = &self.trial {
            trial.n_syncs.fetch_add(1, Ordering::Relaxed);
        }
        self.step(Needs::Room, work)
    }

    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step(Needs::Room, || fs::create_dir(path))
    }

    /// Makes a folder that only this user can look into.
    pub(super) fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        self.step(Needs::Room, || builder.create(path))
    }

    /// Makes a file at a path where there is nothing, not even a link.
    ///
    /// # Errors
    /// If something is there, or the system refuses.
    pub fn make_file(&self, path: &Path) -> io::Result<DiskFile> {
        self.make_with(OpenOptions::new().create_new(true), path)
    }

    /// Makes a file that only this user can ever open.
    pub(super) fn make_private_file(&self, path: &Path) -> io::Result<DiskFile> {
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.make_with(options.create_new(true), path)
    }

    fn make_with(&self, options: &mut OpenOptions, path: &Path) -> io::Result<DiskFile> {
        options.read(true).write(true);
        let file = self.step(Needs::Room, || options.open(path))?;
        Ok(DiskFile { file, disk: self.clone(), is_locked: false })
    }

    /// Opens an existing file for reading and writing, unless it is a link or not a file.
    ///
    /// # Errors
    /// If it is one of these, or the system refuses.
    pub fn open_file(&self, path: &Path) -> io::Result<DiskFile> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        #[cfg(unix)]
        {
            use rustix::fs::OFlags;
            // Without waiting: a pipe in the file's place must not block.
            let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
            std::os::unix::fs::OpenOptionsExt::custom_flags(
                &mut options,
                flags.bits().cast_signed(),
            );
        }
        if !fs::symlink_metadata(path)?.is_file() {
            return Err(io::Error::other("it is a link, or not a file"));
        }
        let file = self.step(Needs::Nothing, || options.open(path))?;
        Ok(DiskFile { file, disk: self.clone(), is_locked: false })
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(Needs::Nothing, || fs::rename(from, to))
    }

    /// Gives a file a second name, which must be free.
    pub(super) fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(Needs::Room, || fs::hard_link(from, to))
    }

    /// Exchanges two names in one step; returns false if the file system cannot.
    #[cfg(unix)]
    pub(super) fn exchange(&self, a: &Path, b: &Path) -> io::Result<bool> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        if self.trial.as_ref().is_some_and(|trial| !trial.can_exchange) {
            return self.step(Needs::Nothing, || Ok(false));
        }
        self.step(Needs::Nothing, || match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            Err(error) => Err(error.into()),
        })
    }

    #[cfg(not(unix))]
    pub(super) fn exchange(&self, _: &Path, _: &Path) -> io::Result<bool> {
        self.step(Needs::Nothing, || Ok(false))
    }

    pub(super) fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step(Needs::Nothing, || fs::remove_file(path))
    }

    /// Removes an empty folder.
    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step(Needs::Nothing, || fs::remove_dir(path))
    }

    /// Makes sure that the names in a folder are on the disk.
    pub(super) fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.sync_step(|| if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) })
    }

    /// Makes sure that everything written to the file system of `folder` is on the disk; returns false if the system
    /// cannot do that at once.
    #[cfg(target_os = "linux")]
    pub(super) fn sync_all_below(&self, folder: &Path) -> io::Result<bool> {
        self.sync_step(|| {
            rustix::fs::syncfs(File::open(folder)?)?;
            Ok(true)
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn sync_all_below(&self, _: &Path) -> io::Result<bool> {
        self.step(Needs::Room, || Ok(false))
    }
}

impl Trial {
    /// Counts a step, and fails if it is to fail in this trial.
    fn take(&self, needs: Needs) -> io::Result<()> {
        let step = self.n_steps.fetch_add(1, Ordering::Relaxed);
        let error = match self.fault {
            Fault::Fails(n) if step == n => BROKEN,
            Fault::Full(n) if step >= n && needs == Needs::Room => NO_ROOM,
            Fault::Killed(n) if step >= n => BROKEN,
            _ => return Ok(()),
        };
        Err(io::Error::from_raw_os_error(error))
    }
}

/// A file on a [`Disk`] that was made or taken over.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    disk: Disk,
    is_locked: bool,
}

impl DiskFile {
    /// Returns the file itself, for reading and for its metadata.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Locks it until it is dropped.
    pub(super) fn lock(&mut self) -> io::Result<Lock> {
        if self.disk.trial.as_ref().is_some_and(|trial| !trial.can_lock) {
            return Ok(Lock::Nobodys);
        }
        match self.file.try_lock() {
            Ok(()) => {
                self.is_locked = true;
                Ok(Lock::Ours)
            }
            Err(TryLockError::WouldBlock) => Ok(Lock::Theirs),
            Err(TryLockError::Error(error)) if is_unknown(&error) => Ok(Lock::Nobodys),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the system cannot; another attempt may wrongly succeed.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.sync_step(|| self.file.sync_all())
    }

    /// Cuts it off after `n_bytes`.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn cut(&self, n_bytes: u64) -> io::Result<()> {
        self.disk.step(Needs::Nothing, || self.file.set_len(n_bytes))
    }
}

/// Unlocks the file. Closing is not enough: a child that another thread has just forked holds the file, and the lock
/// with it, until it starts its own program.
impl Drop for DiskFile {
    fn drop(&mut self) {
        if self.is_locked {
            let _ = self.file.unlock();
        }
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.disk.step(Needs::Room, || self.file.write(bytes));
        let is_full = |error: &io::Error| error.raw_os_error() == Some(NO_ROOM);
        if self.disk.trial.is_some() && written.as_ref().is_err_and(is_full) {
            // A disk takes what still fits before it is full.
            self.file.write_all(&bytes[..bytes.len() / 2])?;
        }
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether an error says that the file system does not support the request.
#[cfg(unix)]
fn is_unknown(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let known = [Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOLCK];
    Errno::from_io_error(error).is_some_and(|error| known.contains(&error))
}

#[cfg(not(unix))]
fn is_unknown(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

/// Ends all steps of this process: waits for those under way, and later ones never begin.
pub(super) fn stop() {
    std::mem::forget(STEPS.write().unwrap_or_else(PoisonError::into_inner));
}

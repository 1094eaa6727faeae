//! Disk space that is kept back, so that people can log in and delete on a full disk.
//!
//! A file without content takes the space up, where the file system can do that without writing it (Linux). It is
//! removed when little else is left, and made again when there is room.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file in a data folder.
pub(crate) const FILE: &str = "reserve";

/// Size of the file, in bytes: some hundred changes of the database, and its log.
const SIZE: u64 = 4 << 20;

/// Bytes of free space below which the file is removed.
const LITTLE: u64 = 1 << 20;

/// Bytes of free space below which only small changes are made.
pub(crate) const LEAST_FREE: u64 = SIZE + LITTLE;

/// Bytes of free space from which it is made.
const PLENTY: u64 = 4 * SIZE;

/// The space that is kept back in a data folder.
#[derive(Debug)]
pub(crate) struct Reserve {
    folder: PathBuf,
}

impl Reserve {
    pub(crate) fn new(folder: &Path) -> Reserve {
        Reserve { folder: folder.to_owned() }
    }

    /// Makes the file unless it is there, if there is room for it.
    pub(crate) fn make(&self) {
        let file = self.file();
        let has_room = free_bytes(&self.folder).ok().flatten().is_some_and(|free| free >= PLENTY);
        if has_room && !file.exists() && take_up(&file).is_err() {
            // Half of it would be no help.
            let _ = fs::remove_file(file);
        }
    }

    /// Removes the file if little else is free.
    pub(crate) fn release_if_full(&self) {
        if free_bytes(&self.folder).ok().flatten().is_some_and(|free| free < LITTLE) {
            let _ = fs::remove_file(self.file());
        }
    }

    /// Returns whether fewer than [`LEAST_FREE`] bytes are free.
    pub(crate) fn is_short(&self) -> bool {
        free_bytes(&self.folder).ok().flatten().is_some_and(|free| free < LEAST_FREE)
    }

    fn file(&self) -> PathBuf {
        self.folder.join(FILE)
    }
}

/// Makes a file of [`SIZE`] bytes that are taken from the free space without being written.
#[cfg(target_os = "linux")]
fn take_up(file: &Path) -> io::Result<()> {
    let file = fs::File::create(file)?;
    Ok(rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, SIZE)?)
}

#[cfg(not(target_os = "linux"))]
fn take_up(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the bytes that are free on the disk of a folder, where the system says so.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

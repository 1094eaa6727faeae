//! Stamps, which show whether inputs have changed: the name, size and time of every file, as one hash.
//!
//! A run that resumes another one, and every reading after the first, must see the files that the first one saw.
//! Renaming one of them changes neither the total size nor the latest time, so the name of each file counts, too.
//!
//! Cost: one look at the disk for each file, 32 bytes of memory for each shard.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fanmill_text::{Error, Result};

/// The state of a shard's files when they were looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    hash: [u8; 32],
    /// Bytes of all files together, as they are on the disk.
    pub(super) bytes: u64,
}

/// A stamp in the making.
#[derive(Debug, Clone, Default)]
pub(super) struct Stamping {
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Stamp {
    /// Returns the stamp of the file at `path`, whatever links lead there.
    pub(super) fn from_path(path: &Path) -> Result<Stamp> {
        let mut stamping = Stamping::default();
        stamping.add(Path::new(""), &look(path)?);
        Ok(stamping.end())
    }
}

impl fmt::Display for Stamp {
    /// Writes the first 64 bits of the hash: enough to see a change.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hash[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// First bytes of entries.
const FILE: u8 = 0;
const UNREADABLE: u8 = 1;
const OTHER: u8 = 2;

impl Stamping {
    /// Adds a file; the order counts.
    pub(super) fn add(&mut self, name: &Path, metadata: &Metadata) {
        let (is_before, time) = since_1970(metadata.modified().ok());
        self.bytes += metadata.len();
        self.name(FILE, name);
        self.hasher.update(&metadata.len().to_le_bytes());
        self.hasher.update(&[u8::from(is_before)]);
        self.hasher.update(&time.to_le_bytes());
    }

    /// Opens a file and adds it, or adds that it cannot be opened.
    pub(super) fn open(&mut self, name: &Path, path: &Path) -> io::Result<File> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((metadata, file)) => {
                self.add(name, &metadata);
                Ok(file)
            }
            Err(error) => {
                self.unreadable(name);
                Err(error)
            }
        }
    }

    /// Adds a file that cannot be read.
    pub(super) fn unreadable(&mut self, name: &Path) {
        self.name(UNREADABLE, name);
    }

    /// Adds something that will not be read, and its kind.
    pub(super) fn other(&mut self, name: &Path, kind: &str) {
        self.name(OTHER, name);
        self.name(OTHER, Path::new(kind));
    }

    fn name(&mut self, kind: u8, name: &Path) {
        let name = name.as_os_str().as_encoded_bytes();
        self.hasher.update(&[kind]);
        self.hasher.update(&(name.len() as u64).to_le_bytes());
        self.hasher.update(name);
    }

    pub(super) fn end(&self) -> Stamp {
        Stamp { hash: self.hasher.finalize().into(), bytes: self.bytes }
    }
}

/// Returns the disk's metadata of a file.
pub(super) fn look(path: &Path) -> Result<Metadata> {
    fs::metadata(path).map_err(|error| Error::io("look at", path, error))
}

/// Returns whether a time is before 1970, and the nanoseconds between; 0 if it is not known.
fn since_1970(time: Option<SystemTime>) -> (bool, u128) {
    match time.map(|time| time.duration_since(UNIX_EPOCH)) {
        None => (false, 0),
        Some(Ok(after)) => (false, after.as_nanos()),
        Some(Err(before)) => (true, before.duration().as_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns the stamp of these files, by name, content and seconds after 1970.
    fn stamp(files: &[(&str, &str, u64)]) -> Stamp {
        let folder = tempfile::tempdir().expect("a folder");
        let mut stamping = Stamping::default();
        for (name, content, time) in files {
            let path = folder.path().join(name);
            fs::write(&path, content).expect("written");
            let file = fs::File::options().write(true).open(&path).expect("opened");
            file.set_modified(UNIX_EPOCH + Duration::from_secs(*time)).expect("set");
            stamping.add(Path::new(name), &look(&path).expect("there"));
        }
        stamping.end()
    }

    #[test]
    fn each_files_name_size_and_time_counts() {
        let before = [("a", "one", 5), ("b", "four", 9)];
        assert_eq!(stamp(&before), stamp(&before));
        for after in [
            [("a", "one", 5), ("c", "four", 9)],
            [("a", "one", 6), ("b", "four", 9)],
            [("a", "four", 5), ("b", "one", 9)],
            [("b", "four", 9), ("a", "one", 5)],
        ] {
            assert_ne!(stamp(&before), stamp(&after), "{after:?}");
        }
        assert_ne!(stamp(&before), stamp(&before[..1]));
        assert_eq!(stamp(&before).bytes, 7);
    }
}

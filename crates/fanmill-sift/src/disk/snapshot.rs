//! A store that can be read: one generation of it, whatever a writer does in the meantime.

use std::fs;
use std::io;
use std::path::Path;

use crate::key::{Key, KeyId};
use crate::profile::Profile;
use crate::records::{Records, StoredIdx};
use crate::sifter::Sifter;
use crate::store_file::{self, Failure};
use fanmill_disk::given;
use fanmill_disk::ours::Ours;
use fanmill_disk::segments::generation;
use fanmill_text::progress::{Progress, Silent};
use fanmill_text::{Error, Result};

use super::facts::{Facts, Role};
use super::manifest::{MAGIC, Manifest};
use super::segment::{Original, Segment};

/// The originals of a store, in memory.
#[derive(Debug)]
pub struct Stored {
    /// Their names and fingerprints.
    pub records: Records,
    /// The facts of each, in the same order.
    pub facts: Vec<Facts>,
}

impl Stored {
    /// Returns an original.
    ///
    /// # Panics
    /// If there is no such original.
    pub fn original(&self, place: StoredIdx) -> Original {
        Original {
            name: self.records.name(place).to_owned(),
            facts: self.facts[place as usize],
            sifted: self.records.sifted(place),
        }
    }
}

/// One generation of a store of version 2.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) manifest: Manifest,
    pub(super) profile: Profile,
    pub(super) key: KeyId,
    pub(super) segments: Vec<Segment>,
}

impl Snapshot {
    /// Opens the store in a folder; `None` if there is none.
    ///
    /// # Errors
    /// If a file is damaged or missing, or the store is of a later release.
    pub(super) fn open(folder: &Path) -> Result<Option<Snapshot>> {
        generation::opened(folder, MAGIC, |written| {
            let manifest = Manifest::parse(written)?;
            let (profile, key) = manifest.scheme()?;
            let segments = manifest.segments.iter().map(|entry| Segment::open(folder, entry));
            let segments = segments.collect::<Result<_>>()?;
            Ok(Snapshot { manifest, profile, key, segments })
        })
    }
}

/// Reads a store to check texts against.
///
/// # Errors
/// If it is not a store, is damaged, or has another key; or if the job is cancelled.
pub fn read(path: &Path, key: &Key, progress: &dyn Progress) -> Result<Stored> {
    read_with(path, Some(key), progress)
}

/// Reads what can be read of a store without its key.
///
/// # Errors
/// If it is not a store, or is damaged.
pub fn read_without_key(path: &Path) -> Result<Stored> {
    read_with(path, None, &Silent)
}

fn read_with(path: &Path, key: Option<&Key>, progress: &dyn Progress) -> Result<Stored> {
    let within = |error: Error| error.within(format_args!("store `{}`", path.display()));
    if is_absent(path) {
        return Err(missing(path));
    }
    if !given::look_at("store", path)?.is_dir() {
        return read_file(path, key);
    }
    let Some(snapshot) = Snapshot::open(path)? else { return Err(none(path)) };
    // Checked before anything is read, so that a wrong key is an error at once.
    let sifter = key.map(|key| Sifter::for_store(&snapshot.profile, snapshot.key, key));
    sifter.transpose().map_err(within)?;
    let mut stored = Stored {
        records: Records::from_profile(&snapshot.profile, snapshot.key),
        facts: Vec::new(),
    };
    for segment in &snapshot.segments {
        segment.each(&snapshot.profile, progress, |_, original| {
            stored.records.push(&original.name, &original.sifted)?;
            stored.facts.push(original.facts);
            Ok::<(), Error>(())
        })?;
    }
    Ok(stored)
}

/// Reads a store of version 1, which is a file and has no facts.
fn read_file(path: &Path, key: Option<&Key>) -> Result<Stored> {
    let file = given::open_file("store", path)?;
    let read = match key {
        Some(key) => store_file::read(file, key),
        None => store_file::read_without_key(file),
    };
    let records = read.map_err(|failure| match failure {
        Failure::Io(error) => Error::io("read the store", path, error),
        Failure::Store(error) => error.within(format_args!("store `{}`", path.display())),
    })?;
    let facts = vec![Facts::new(Role::Reported, None); records.len()];
    Ok(Stored { records, facts })
}

/// Returns the error for a store that does not exist, with advice.
pub(crate) fn missing(path: &Path) -> Error {
    let path = path.display();
    Error::input(format!("store `{path}` does not exist; it is created when originals are added"))
}

/// Returns the error for a folder that is not a store.
fn none(path: &Path) -> Error {
    Ours::Store.headless(path).unwrap_or_else(|| {
        let path = path.display();
        Error::input(format!(
            "`{path}` is a folder, but not a store: it has no file `{}`",
            generation::CURRENT
        ))
    })
}

pub(super) fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

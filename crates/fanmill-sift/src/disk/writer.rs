//! The one writer of a store, which commits each change as a whole.
//!
//! Files are written in a workplace inside the store's folder, which is also the lock. Complete files are synced and
//! renamed into place, and the manifest after them. A run that ends before its commit has changed nothing; the next
//! writer removes the files that it left behind. Segments are merged as they come ([`Merging::n_to_merge`]). They
//! are written again without the originals that were removed from them when these are many, or were removed on purpose.
//!
//! Cost: adding an original reads a few pages of each segment, and writes a segment and a new manifest. Merging writes
//! it again a number of times that is logarithmic in the number of originals.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::key::{Key, KeyId};
use crate::profile::Profile;
use crate::records::FillLevel;
use crate::sifter::Sifter;
use fanmill_disk::given;
use fanmill_disk::replace::{Access, Disk, NewFile, resolved};
use fanmill_disk::segments::generation::{self, CURRENT, Merging};
use fanmill_disk::segments::pages::Failure;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::setting::Task;
use fanmill_text::{Error, Result, Setting};

use super::facts::Facts;
use super::manifest::{Manifest, is_at, is_ours};
use super::segment::{self, Original, Segment, SegmentEntry, SegmentWriter};
use super::snapshot::{Snapshot, is_absent, missing};

/// The workplace inside the store's folder.
const WORK: &str = "sift";
/// The rule of merging: segments of a few messages count as of one size, and each segment costs a look-up of every name
/// that is added.
const MERGING: Merging = Merging { lowest: 4 << 10, tier: 4, most: 40 };
/// Replaced originals that may stay in a segment: this many, or one in this many, whichever is more.
const MOST_REMOVED: (u32, u32) = (64, 64);

/// The behaviour while another process is writing the store.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a progress is any object")]
pub enum LockWait<'a> {
    /// Ends with an error.
    None,
    /// Waits until it is done, or the job is cancelled.
    Wait(&'a dyn Progress),
}

impl<'a> LockWait<'a> {
    /// Waits if the settings ask for it.
    pub fn new(wait: bool, progress: &'a dyn Progress) -> LockWait<'a> {
        if wait { LockWait::Wait(progress) } else { LockWait::None }
    }
}

/// Time between two attempts to lock a store.
const PAUSE: Duration = Duration::from_millis(50);

/// Originals that are to be removed, by the number of the segment and their numbers in it.
pub type Removed = BTreeMap<usize, BTreeSet<u32>>;

/// A store that can be changed, and by nobody else at the same time. Readers are not blocked.
#[derive(Debug)]
pub struct Writer {
    file: NewFile,
    folder: PathBuf,
    access: Access,
    pub(super) snapshot: Snapshot,
    is_new: bool,
}

impl Writer {
    /// Opens a store, or begins a new one; nothing of a new one is on the disk yet.
    ///
    /// A new store gets `profile`; an existing one must have it.
    ///
    /// # Errors
    /// If it is not a store, is damaged, is of version 1, or has another key or profile; if another process is writing it
    /// and `patience` does not wait; or if the job is cancelled while it waits.
    pub fn open(
        disk: &Disk,
        path: &Path,
        key: &Key,
        profile: Option<&Profile>,
        patience: LockWait<'_>,
    ) -> Result<Writer> {
        if !is_absent(path) && !given::look_at("store", path)?.is_dir() {
            return Err(not_a_folder(path));
        }
        let folder = resolved(path)?;
        // A new store must not mix with files that are not ours.
        if !is_at(&folder) {
            generation::check_new(&folder, "a store", |name| {
                is_ours(&folder, name) || name == format!(".{WORK}.partial")
            })?;
        }
        let file = locked(disk, path, &folder, patience)?;
        let Some(snapshot) = Snapshot::open(&folder)? else {
            let standard = Profile::standard();
            let profile = profile.unwrap_or(&standard).clone();
            let manifest = Manifest::new(&profile, key.id());
            let snapshot = Snapshot { manifest, profile, key: key.id(), segments: Vec::new() };
            return Ok(Writer { file, folder, access: Access::Private, snapshot, is_new: true });
        };
        let sifter = Sifter::for_store(&snapshot.profile, snapshot.key, key);
        sifter.map_err(|error| error.within(format_args!("store `{}`", path.display())))?;
        if let Some(wanted) = profile.filter(|&wanted| *wanted != snapshot.profile) {
            return Err(Error::setting(message![
                ("store `{}` was made with profile `{}`, and ", path.display(), snapshot.profile),
                Setting("profile"),
                " is `{wanted}`; leave ",
                Setting("profile"),
                " out, or begin another store"
            ]));
        }
        let current = folder.join(CURRENT);
        let first = || fs::metadata(folder.join(generation::manifest_name(1)));
        let metadata = fs::metadata(&current).or_else(|_| first());
        let metadata = metadata.map_err(|error| Error::io("look at", &current, error))?;
        let access = Access::Like(metadata.permissions());
        Ok(Writer { file, folder, access, snapshot, is_new: false })
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// As [`open`](Writer::open), and if there is none.
    pub fn open_existing(path: &Path, key: &Key, patience: LockWait<'_>) -> Result<Writer> {
        // Checked before a workplace is made there.
        if is_absent(path) {
            return Err(missing(path));
        }
        let writer = Writer::open(&Disk::default(), path, key, None, patience)?;
        if writer.is_new { Err(missing(path)) } else { Ok(writer) }
    }

    /// Returns the profile of its fingerprints.
    pub fn profile(&self) -> &Profile {
        &self.snapshot.profile
    }

    /// Returns whether there is no store yet.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns the number of originals.
    pub fn n_originals(&self) -> u64 {
        self.snapshot.segments.iter().map(Segment::n_live).sum()
    }

    /// Returns how full it is.
    pub fn filling(&self) -> FillLevel {
        let fillings = self.snapshot.segments.iter().map(Segment::filling);
        fillings.fold(FillLevel::new(0, 0, 0), FillLevel::and)
    }

    /// Returns the names in it, for look-ups.
    pub fn names(&mut self) -> Names<'_> {
        Names { profile: &self.snapshot.profile, segments: &mut self.snapshot.segments }
    }

    /// Passes all originals to `take` in their order, each with its segment and number.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read, the job is cancelled, or `take` fails.
    pub fn each(
        &self,
        progress: &dyn Progress,
        mut take: impl FnMut(usize, u32, Original) -> Result<()>,
    ) -> Result<()> {
        for (at, segment) in self.snapshot.segments.iter().enumerate() {
            let each = |number, original| take(at, number, original);
            segment.each(&self.snapshot.profile, progress, each)?;
        }
        Ok(())
    }

    /// Writes the originals that `fill` puts into a new segment, and commits it with the removals that `fill` returns.
    /// `fill` may also look up names. Without originals, nothing is committed.
    ///
    /// # Errors
    /// If a file cannot be written or read, or `fill` fails. The store is then as it was.
    pub fn add<T>(
        &mut self,
        progress: &dyn Progress,
        fill: impl FnOnce(
            &mut SegmentWriter<'_>,
            &mut Names<'_>,
        ) -> std::result::Result<(Removed, T), Failure>,
    ) -> Result<T> {
        let mut manifest = self.snapshot.manifest.clone();
        manifest.last_segment += 1;
        let (id, access) = (manifest.last_segment, self.access.clone());
        let snapshot = &mut self.snapshot;
        let mut names = Names { profile: &snapshot.profile, segments: &mut snapshot.segments };
        let written = segment::write(&mut self.file, id, access, |out| fill(out, &mut names))?;
        let (entry, (removed, filled)) = written;
        if entry.originals == 0 {
            return Ok(filled);
        }
        progress.check()?;
        remove(&mut manifest, removed);
        manifest.segments.push(entry);
        self.commit(manifest)?;
        match self.tidy(progress) {
            // The originals are in the store; the next writer tidies up.
            Err(error) if error.is_cancelled() => Ok(filled),
            tidied => tidied.map(|()| filled),
        }
    }

    /// Removes originals. Nothing of them stays on the disk.
    ///
    /// # Errors
    /// If a file cannot be written or read, or the job is cancelled. The store is then as it was.
    pub fn remove(&mut self, removed: Removed, progress: &dyn Progress) -> Result<()> {
        if removed.is_empty() {
            return Ok(());
        }
        let mut manifest = self.snapshot.manifest.clone();
        let concerned: Vec<usize> = removed.keys().copied().collect();
        remove(&mut manifest, removed);
        // From the last segment on, since one may lose all its originals.
        for at in concerned.into_iter().rev() {
            self.rewrite(&mut manifest, at..at + 1, progress)?;
        }
        progress.check()?;
        self.commit(manifest)
    }

    /// Replaces all originals by those that `fill` writes, of this profile, under this key.
    ///
    /// # Errors
    /// If a file cannot be written, the job is cancelled, or `fill` fails. The store is then as it was.
    pub fn replace(
        &mut self,
        (profile, key): (&Profile, KeyId),
        progress: &dyn Progress,
        fill: impl FnOnce(&mut SegmentWriter<'_>) -> std::result::Result<(), Failure>,
    ) -> Result<()> {
        let mut manifest = self.snapshot.manifest.clone();
        manifest.last_segment += 1;
        manifest.set_scheme(profile, key);
        let id = manifest.last_segment;
        let (entry, ()) = segment::write(&mut self.file, id, self.access.clone(), fill)?;
        progress.check()?;
        manifest.segments = vec![entry];
        self.commit(manifest)
    }

    /// Ends the work, so that others may write.
    ///
    /// # Errors
    /// If the workplace cannot be removed.
    pub fn close(self) -> Result<()> {
        self.file.clear()
    }

    /// Merges the newest segments as long as there are too many of a size, and rewrites segments from which much was
    /// replaced.
    fn tidy(&mut self, progress: &dyn Progress) -> Result<()> {
        loop {
            let mut manifest = self.snapshot.manifest.clone();
            let sizes: Vec<u64> =
                manifest.segments.iter().map(|entry| entry.file.n_bytes).collect();
            let n = MERGING.n_to_merge(&sizes);
            let merged = (n > 0).then(|| sizes.len() - n..sizes.len());
            let replaced = || {
                let at = manifest.segments.iter().position(has_much_removed)?;
                Some(at..at + 1)
            };
            let Some(range) = merged.or_else(replaced) else { return Ok(()) };
            self.rewrite(&mut manifest, range, progress)?;
            self.commit(manifest)?;
        }
    }

    /// Writes some segments as one, without the originals that `manifest` lists as removed, and puts it in their place
    /// there.
    fn rewrite(
        &mut self,
        manifest: &mut Manifest,
        range: Range<usize>,
        progress: &dyn Progress,
    ) -> Result<()> {
        manifest.last_segment += 1;
        let (id, access) = (manifest.last_segment, self.access.clone());
        let Snapshot { profile, segments, .. } = &self.snapshot;
        let segments = segments[range.clone()].iter().zip(&manifest.segments[range.clone()]);
        let (entry, ()) = segment::write(&mut self.file, id, access, |out| {
            for (segment, SegmentEntry { removed, .. }) in segments {
                segment.each(profile, progress, |number, original| {
                    let is_gone = removed.binary_search(&number).is_ok();
                    if is_gone { Ok::<(), Failure>(()) } else { Ok(out.push(&original)?) }
                })?;
            }
            Ok(())
        })?;
        // A segment without originals is not listed, and is swept away.
        let written = Some(entry).filter(|entry| entry.originals > 0);
        manifest.segments.splice(range, written);
        Ok(())
    }

    fn commit(&mut self, mut manifest: Manifest) -> Result<()> {
        manifest.generation += 1;
        manifest.commit(&mut self.file, &self.access)?;
        self.snapshot = Snapshot::open(&self.folder)?.ok_or_else(|| {
            Error::input(format!("`{}` has been removed meanwhile", self.folder.display()))
        })?;
        self.sweep()
    }

    /// Removes the files that the current generation does not need.
    fn sweep(&self) -> Result<()> {
        let failed = |error: io::Error| Error::io("read", &self.folder, error);
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some(name) = name.to_str() else { continue };
            if !self.snapshot.manifest.needs(name) && is_ours(&self.folder, name) {
                self.file.remove(name)?;
            }
        }
        Ok(())
    }
}

/// The names of a store's originals.
#[derive(Debug)]
pub struct Names<'s> {
    profile: &'s Profile,
    segments: &'s mut [Segment],
}

impl Names<'_> {
    /// Finds the original of a name. Returns its segment, its number there, and its facts.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn find(&mut self, name: &str) -> Result<Option<(usize, u32, Facts)>> {
        for (at, segment) in self.segments.iter_mut().enumerate() {
            if let Some((number, original)) = segment.find(self.profile, name)? {
                return Ok(Some((at, number, original.facts)));
            }
        }
        Ok(None)
    }
}

/// Returns whether so many originals of a segment were replaced that it is written again.
fn has_much_removed(entry: &SegmentEntry) -> bool {
    let (some, part) = MOST_REMOVED;
    entry.removed.len() as u32 > some.max(entry.originals / part)
}

/// Marks originals as removed in a manifest.
fn remove(manifest: &mut Manifest, removed: Removed) {
    for (at, mut numbers) in removed {
        let entry = &mut manifest.segments[at];
        numbers.extend(entry.removed.iter());
        entry.removed = numbers.into_iter().collect();
    }
}

/// Locks the store in a folder.
fn locked(disk: &Disk, path: &Path, folder: &Path, patience: LockWait<'_>) -> Result<NewFile> {
    loop {
        match (NewFile::begin(disk, folder, WORK, "sift"), patience) {
            (Err(error), LockWait::None) if error.is_busy() => {
                return Err(Error::input(message![
                    (
                        "store `{}` is being written by another process; wait for it, or try again with ",
                        path.display()
                    ),
                    Setting("wait")
                ]));
            }
            (Err(error), LockWait::Wait(progress)) if error.is_busy() => {
                progress.check()?;
                thread::sleep(PAUSE);
            }
            (begun, _) => return begun,
        }
    }
}

/// Returns the error for a path that is a file: a store of version 1, or something else.
fn not_a_folder(path: &Path) -> Error {
    let mut start = [0; 8];
    let read =
        fs::File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut start));
    let path = path.display();
    if read.is_ok() && start == *b"fanmsift" {
        return Error::input(message![
            "store `{path}` is of version 1, which can be read but not changed; make a new store of it with ",
            Task("sift-upgrade")
        ]);
    }
    Error::input(format!("`{path}` is a file, and not a store; name a store, or a new one"))
}

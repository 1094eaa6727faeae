//! The writer of an index, which adds, removes, merges and upgrades, and commits each change.
//!
//! Files are written in a workplace inside the index's folder, which is also the lock. Whatever is complete there is
//! synced and renamed into place, followed by the manifest ([`NewFile::put`]). A run that ends before its commit has
//! not changed anything; the next writer removes the files that it left behind.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fanmill::pipeline::Config;
use fanmill_disk::replace::{Disk, NewFile, resolved};
use fanmill_disk::segments::generation;
use fanmill_sift::key::Key;
use fanmill_text::document::Submission;
use fanmill_text::frontend::Registry;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};

use crate::addition::{Added, Addition, DocumentTools, MEMORY_A_BYTE, TOGETHER};
use crate::keep::Keep;
use crate::keys::Keyer;
use crate::manifest::{Manifest, is_ours};
use crate::merge::{MERGING, Merged};
use crate::segment::{self, Segment};
use crate::snapshot::Index;

/// Name of the workplace inside the index's folder.
const WORK: &str = "index";
/// Bytes of new text that are added in one commit: minutes of work that a killed process loses.
const PORTION: u64 = 1 << 30;

/// An index open for writing. Other writers are excluded meanwhile, and readers are not.
#[derive(Debug)]
pub struct Writer {
    file: NewFile,
    folder: PathBuf,
    index: Index,
    /// Bytes of text that are added as one segment.
    pub(crate) together: usize,
    /// Bytes of new text that are added in one commit.
    pub(crate) portion: u64,
    keyer: Option<Keyer>,
    key: Option<Key>,
}

impl Writer {
    /// Opens an index for writing, or begins a new one in an empty place.
    ///
    /// `config` has the thresholds, the selector and the language of a new index. An existing one keeps its own.
    ///
    /// # Errors
    /// If another process is writing the index, `config` is given and asks for other fingerprints than an existing
    /// index has, the folder holds something else, or a file is damaged.
    pub fn open(disk: &Disk, folder: &Path, config: Option<&Config>) -> Result<Writer> {
        Writer::open_to_keep(disk, folder, config, None)
    }

    /// Opens an index as [`Writer::open`] does; `keep` is the part that a new index stores, and that an existing one
    /// must store.
    ///
    /// # Errors
    /// As for [`Writer::open`], and if the index stores another part.
    pub fn open_to_keep(
        disk: &Disk,
        folder: &Path,
        config: Option<&Config>,
        keep: Option<Keep>,
    ) -> Result<Writer> {
        let target = resolved(folder)?;
        // Checked before anything is made there.
        if Manifest::read(&target)?.is_none() {
            generation::check_new(&target, "an index", |name| {
                is_ours(&target, name) || name == format!(".{WORK}.partial")
            })?;
        }
        let file = NewFile::begin(disk, &target, WORK, "index")?;
        let index = if let Some(index) = Index::open_if_any(&target)? {
            config.map_or(Ok(()), |config| index.check_config(config))?;
            keep.map_or(Ok(()), |keep| index.check_keep(keep))?;
            index
        } else {
            let standard = Config::standard();
            Index::empty(&target, config.unwrap_or(&standard), keep.unwrap_or_default())?
        };
        Ok(Writer {
            file,
            folder: target,
            index,
            together: TOGETHER,
            portion: PORTION,
            keyer: None,
            key: None,
        })
    }

    /// Makes values under a key. A new index then has only such values, and does not keep texts; an existing one must
    /// have been begun with this key ([`Index::unlock`]).
    ///
    /// # Errors
    /// If it was begun without a key, or with another one.
    pub fn unlock(&mut self, key: Key) -> Result<()> {
        let manifest = &mut self.index.manifest;
        if manifest.key.is_none() && manifest.generation == 0 {
            (manifest.key, manifest.keep) = (Some(key.id().to_string()), Keep::Fingerprints);
        }
        self.index.unlock(&key)?;
        self.key = Some(key);
        Ok(())
    }

    /// Makes keys of the documents that are added. A new index has keys from then on, and an existing one must have
    /// been begun with them.
    ///
    /// # Errors
    /// If it was begun without keys, or with those of another scheme.
    pub fn make_keys(&mut self, keyer: Keyer) -> Result<()> {
        let manifest = &mut self.index.manifest;
        if manifest.keys.is_none() && manifest.generation == 0 {
            manifest.keys = Some(keyer.scheme().to_owned());
        }
        Keyer::check(Some(&keyer), self.index.key_scheme())?;
        self.keyer = Some(keyer);
        Ok(())
    }

    /// Adds as many documents at a time as fit into this many bytes besides those of the program. The last one may take
    /// more.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.together = (bytes / MEMORY_A_BYTE).clamp(1 << 20, TOGETHER);
    }

    /// Returns the index as of the last commit.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Adds documents, and commits. A document replaces one of the same name, unless the two are equal.
    ///
    /// # Errors
    /// If two of them have the same name, a document of the index was read by another version of a front end, a file
    /// cannot be written or read, or the run is cancelled. Portions of a GiB before are committed then.
    pub fn add(
        &mut self,
        submissions: Vec<Submission>,
        registry: &Registry,
        progress: &dyn Progress,
    ) -> Result<Added> {
        self.add_each(submissions.into_iter().map(Ok), registry, progress)
    }

    /// Does what [`Writer::add`] does, for documents that are read one by one. However many there are, memory holds
    /// about 32 MiB of texts, with what is made of these, and 16 bytes a document. There is a commit for each GiB of
    /// text that is new, so an interrupted addition resumes there if it is begun again with the same documents.
    ///
    /// # Errors
    /// As for [`Writer::add`], and if a document cannot be read. The portions that were added by then are committed.
    pub fn add_each(
        &mut self,
        submissions: impl IntoIterator<Item = Result<Submission>>,
        registry: &Registry,
        progress: &dyn Progress,
    ) -> Result<Added> {
        self.index.check_current(registry)?;
        Keyer::check(self.keyer.as_ref(), self.index.key_scheme())?;
        let (mut submissions, mut names) = (submissions.into_iter().peekable(), HashSet::new());
        let mut added = Added::default();
        while submissions.peek().is_some() {
            let (keyer, sealer) = (self.keyer.as_ref(), self.index.sealer()?);
            let making = DocumentTools { registry, keyer, sealer, progress };
            let (together, portion) = (self.together, self.portion);
            let addition = Addition::new(&self.index, &mut self.file, together, &mut names, making);
            // Files of a failed addition must not become part of the next commit.
            let (manifest, of_portion) = addition
                .add(&mut submissions, portion)
                .or_else(|error| self.file.discard(|_| true).and(Err(error)))?;
            if of_portion.added + of_portion.replaced > 0 {
                self.commit(manifest)?;
                self.tidy(progress)?;
            }
            added.append(of_portion);
        }
        added.notices.sort();
        Ok(added)
    }

    /// Reads documents again, from the texts that are kept, if other versions of front ends have read them, or if an
    /// earlier release has added them, so that their rare runs are not promised ([`Index::n_unpromised`]). There is a
    /// commit for each segment, so an interrupted upgrade resumes where it stopped. Returns the number of documents
    /// that were read again.
    ///
    /// # Errors
    /// If the index does not keep texts, a file cannot be written or read, or the run is cancelled. The documents that
    /// were read again by then are committed.
    pub fn upgrade(&mut self, registry: &Registry, progress: &dyn Progress) -> Result<u64> {
        let mut n_documents = 0;
        Keyer::check(self.keyer.as_ref(), self.index.key_scheme())?;
        if self.index.keep() == Keep::Everything {
            self.index.manifest.raise();
        }
        let (surroundings, form) = (self.index.manifest.surroundings(), self.index.manifest.form());
        let is_old = |own: &Segment| {
            !own.is_current(registry)
                || surroundings.is_some() && own.surroundings() != surroundings
                || own.form() != form
        };
        while let Some(number) = self.index.segments.iter().position(is_old) {
            let (keyer, sealer) = (self.keyer.as_ref(), self.index.sealer()?);
            let making = DocumentTools { registry, keyer, sealer, progress };
            let mut names = HashSet::new();
            let made =
                Addition::new(&self.index, &mut self.file, self.together, &mut names, making)
                    .read_again(number);
            let manifest = made.or_else(|error| self.file.discard(|_| true).and(Err(error)))?;
            n_documents += self.index.segments[number].n_live();
            self.commit(manifest)?;
        }
        self.tidy(progress)?;
        Ok(n_documents)
    }

    /// Removes the documents with these names, and commits. Their texts stay on disk until their segment is merged.
    ///
    /// # Errors
    /// If there is no document with one of the names, or a file cannot be written or read. The index is then unchanged.
    pub fn remove<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Result<u64> {
        let mut manifest = self.index.manifest.clone();
        let mut n_removed = 0;
        for name in names {
            let Some((segment, document, _)) = self.index.find(name)? else {
                return Err(Error::input(format!(
                    "the index has no document `{name}`; nothing was removed"
                )));
            };
            n_removed += u64::from(manifest.segments[segment].remove(document));
        }
        if n_removed > 0 {
            self.commit(manifest)?;
        }
        Ok(n_removed)
    }

    /// Merges all segments into one, and commits. Removed documents are then no longer on disk.
    ///
    /// # Errors
    /// If a file cannot be written or read, or the run is cancelled. The index is then unchanged.
    pub fn merge(&mut self, progress: &dyn Progress) -> Result<()> {
        let is_merged = match &*self.index.segments {
            [] => true,
            [only] => only.entry.removed.is_empty(),
            _ => false,
        };
        if is_merged { Ok(()) } else { self.merge_last(self.index.segments.len(), progress) }
    }

    /// Ends the work, so that others can write.
    ///
    /// # Errors
    /// If the disk refuses to remove the workplace.
    pub fn close(self) -> Result<()> {
        self.file.clear()
    }

    /// Merges the newest segments while there are too many of one size.
    fn tidy(&mut self, progress: &dyn Progress) -> Result<()> {
        loop {
            let sizes: Vec<u64> =
                self.index.segments.iter().map(|segment| segment.entry.n_bytes()).collect();
            match MERGING.n_to_merge(&sizes) {
                0 => return Ok(()),
                n => self.merge_last(n, progress)?,
            }
        }
    }

    fn merge_last(&mut self, n: usize, progress: &dyn Progress) -> Result<()> {
        let mut manifest = self.index.manifest.clone();
        let first = manifest.segments.len() - n;
        manifest.segments.truncate(first);
        let segments: Vec<&Segment> = self.index.segments[first..].iter().collect();
        if segments.iter().any(|segment| segment.n_live() > 0) {
            let contents = Merged::new(segments)?;
            let id = manifest.take_segment();
            let (schemes, keep, form) = (contents.schemes()?, manifest.keep, manifest.form());
            let entry =
                segment::write(&mut self.file, id, schemes, keep, form, &contents, progress);
            // Partial files must not become part of the next commit.
            let entry = entry.or_else(|error| self.file.discard(|_| true).and(Err(error)))?;
            manifest.segments.push(entry);
        }
        self.commit(manifest)
    }

    fn commit(&mut self, mut manifest: Manifest) -> Result<()> {
        manifest.generation += 1;
        manifest.commit(&mut self.file)?;
        let index = Index::open_if_any(&self.folder)?;
        self.index = index.ok_or_else(|| {
            Error::input(format!("`{}` has been removed meanwhile", self.folder.display()))
        })?;
        self.key.iter().try_for_each(|key| self.index.unlock(key))?;
        self.sweep()
    }

    /// Removes the files that are no longer needed.
    fn sweep(&self) -> Result<()> {
        let needed: BTreeSet<String> = self.index.manifest.files().into_iter().collect();
        let failed = |error: io::Error| Error::io("read", &self.folder, error);
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let Some(name) = name.to_str() else { continue };
            if !needed.contains(name) && is_ours(&self.folder, name) {
                self.file.remove(name)?;
            }
        }
        Ok(())
    }
}

//! The one writer of an index: adds, removes and merges, each as one commit.
//!
//! Files are written in a workplace inside the index's folder, which is also the lock; what is whole there is synced
//! and renamed into place, and the manifest after it ([`NewFile::put`]). A run that ends before its commit has changed
//! nothing; the next writer removes the files that it left behind.
//!
//! Segments are merged as they come: when the last [`TIER`] are of one size, within a factor of four, they become one,
//! so that a document is rewritten a number of times that is logarithmic in the number of documents.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fanmill::document::{Notice, Role, Submission};
use fanmill::fingerprint::Recipe;
use fanmill::frontend::{Kind, Registry};
use fanmill::index::{PositionalIndex, Posting};
use fanmill::pipeline::{Config, Fingerprinted, fingerprinted};
use fanmill::progress::Progress;
use fanmill::scheme::Version;
use fanmill::{Error, Result};
use fanmill_source::replace::{Disk, NewFile, resolved};
use rayon::prelude::*;

use crate::keep::Keep;
use crate::manifest::{Manifest, is_ours};
use crate::merge::Merged;
use crate::pages::Failure;
use crate::record::Record;
use crate::segment::{self, Contents, Segment, SegmentEntry};
use crate::snapshot::{Index, check_new};

/// The workplace inside the index's folder.
const WORK: &str = "index";
/// Bytes of text that go into one segment when they are added. They are in memory meanwhile, with their fingerprints and these
/// in order.
const TOGETHER: usize = 32 << 20;
/// Notices of an addition that are kept; others are counted.
const MOST_NOTICES: usize = 10_000;
/// Segments of a size that are merged.
const TIER: usize = 4;
/// Bytes of a segment of the lowest size.
const LOWEST: u64 = 1 << 20;
/// Most segments of an index: each costs a look-up of every fingerprint of a search.
const MOST_SEGMENTS: usize = 12;

/// An index that can be written, by no one else meanwhile. Readers are not held up.
#[derive(Debug)]
pub struct Writer {
    file: NewFile,
    folder: PathBuf,
    index: Index,
    /// Bytes of text that are added as one segment.
    pub(crate) together: usize,
}

/// What was done with documents that were to be added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// New ones.
    pub added: u64,
    /// Those whose name the index had, with other contents: they replace it.
    pub replaced: u64,
    /// Those that the index had as they are.
    pub unchanged: u64,
    /// What was lost or guessed in reading; the first ten thousand.
    pub notices: Vec<Notice>,
    /// Further notices.
    pub unlisted: u64,
}

impl Writer {
    /// Opens an index to be written, or begins one where there is nothing.
    ///
    /// `config` says how a new index takes fingerprints: its thresholds, its selector and its language. An existing
    /// one goes on as it began.
    ///
    /// # Errors
    /// If another process writes the index, `config` is given and asks for other fingerprints than an existing index
    /// has, the folder holds something else, or a file is damaged.
    pub fn open(disk: &Disk, folder: &Path, config: Option<&Config>) -> Result<Writer> {
        Writer::open_to_keep(disk, folder, config, None)
    }

    /// The same; `keep` says what a new index keeps, and an existing one must keep.
    ///
    /// # Errors
    /// As there, and if it keeps something else.
    pub fn open_to_keep(
        disk: &Disk,
        folder: &Path,
        config: Option<&Config>,
        keep: Option<Keep>,
    ) -> Result<Writer> {
        let target = resolved(folder)?;
        // Before anything is made there.
        if Manifest::read(&target)?.is_none() {
            check_new(&target, |name| {
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
        Ok(Writer { file, folder: target, index, together: TOGETHER })
    }

    /// The index as of the last commit.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Adds documents, and commits. One with the name of a document that is there replaces it, unless it is the same.
    ///
    /// # Errors
    /// If two of them have the same name, a document of the index was read by another version of a front end, a file cannot be written or read, or
    /// the run is cancelled. The index is then as it was.
    pub fn add(
        &mut self,
        submissions: Vec<Submission>,
        registry: &Registry,
        progress: &dyn Progress,
    ) -> Result<Added> {
        self.add_each(submissions.into_iter().map(Ok), registry, progress)
    }

    /// The same for documents that are read one by one: however many they are, about 32 MiB of texts are in memory, with what is
    /// made of them, and 16 bytes a document. They are one commit.
    ///
    /// # Errors
    /// As [`Writer::add`], and if a document cannot be had.
    pub fn add_each(
        &mut self,
        submissions: impl IntoIterator<Item = Result<Submission>>,
        registry: &Registry,
        progress: &dyn Progress,
    ) -> Result<Added> {
        self.index.check_front_ends(registry)?;
        let mut addition = Addition {
            manifest: self.index.manifest.clone(),
            writer: self,
            registry,
            progress,
            names: HashSet::new(),
            waiting: Vec::new(),
            n_bytes: 0,
            added: Added::default(),
        };
        let added = submissions
            .into_iter()
            .try_for_each(|submission| addition.push(submission?))
            .and_then(|()| addition.finish());
        // What a failed addition has written is not for the next commit.
        added.or_else(|error| self.file.discard(|_| true).and(Err(error)))
    }

    /// Removes the documents of these names, and commits. Their texts stay on the disk until their segment is merged.
    ///
    /// # Errors
    /// If there is no document of a name, or a file cannot be written or read. The index is then as it was.
    pub fn remove<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Result<u64> {
        let mut manifest = self.index.manifest.clone();
        let mut n_removed = 0;
        for name in names {
            let Some((segment, document, _)) = self.find(name)? else {
                return Err(Error::input(format!(
                    "the index has no document `{name}`; nothing was removed"
                )));
            };
            n_removed += u64::from(remove(&mut manifest.segments[segment], document));
        }
        if n_removed > 0 {
            self.commit(manifest)?;
        }
        Ok(n_removed)
    }

    /// Makes one segment of all, and commits. What was removed is then not on the disk any more.
    ///
    /// # Errors
    /// If a file cannot be written or read, or the run is cancelled. The index is then as it was.
    pub fn merge(&mut self, progress: &dyn Progress) -> Result<()> {
        let is_merged = match &*self.index.segments {
            [] => true,
            [only] => only.entry.removed.is_empty(),
            _ => false,
        };
        if is_merged { Ok(()) } else { self.merge_last(self.index.segments.len(), progress) }
    }

    /// Ends the work, and lets others write.
    ///
    /// # Errors
    /// If the disk refuses to remove the workplace.
    pub fn close(self) -> Result<()> {
        self.file.clear()
    }

    /// The number of the segment, the number in it and the record of a document.
    fn find(&self, name: &str) -> Result<Option<(usize, u32, Record)>> {
        for (number, segment) in self.index.segments.iter().enumerate() {
            if let Some((document, record)) = segment.find_name(name)? {
                return Ok(Some((number, document, record)));
            }
        }
        Ok(None)
    }

    /// Merges the newest segments for as long as they are too many of a size.
    fn tidy(&mut self, progress: &dyn Progress) -> Result<()> {
        loop {
            let sizes: Vec<u64> =
                self.index.segments.iter().map(|segment| segment.entry.n_bytes()).collect();
            match n_to_merge(&sizes) {
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
            let mut contents = Merged::new(segments)?;
            let id = manifest.take_segment();
            let (schemes, keep) = (contents.schemes()?, manifest.keep);
            let entry = segment::write(&mut self.file, id, schemes, keep, &mut contents, progress)?;
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
        self.sweep()
    }

    /// Removes the files that no generation needs any more.
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

/// Documents that are being added: some are in segments that were written, and some wait for the next one. Nothing is
/// committed yet.
struct Addition<'a> {
    writer: &'a mut Writer,
    registry: &'a Registry,
    progress: &'a dyn Progress,
    /// What is to be committed.
    manifest: Manifest,
    /// Hashes of all names so far.
    names: HashSet<[u8; 16]>,
    waiting: Vec<(Record, Submission)>,
    /// Bytes of those that wait.
    n_bytes: usize,
    added: Added,
}

impl Addition<'_> {
    fn push(&mut self, mut submission: Submission) -> Result<()> {
        self.progress.check()?;
        let hash = blake3::hash(submission.name.as_bytes());
        if !self.names.insert(hash.as_bytes().first_chunk().copied().unwrap_or_default()) {
            return Err(Error::input(format!(
                "two documents are called `{}`; an index tells documents apart by name: rename one, or add them one \
                 after the other for the second to replace the first",
                submission.name
            )));
        }
        submission.role = Role::Archive;
        let mut record = Record::of(&submission);
        match self.writer.find(&record.name)? {
            Some((_, _, known)) if known.content == record.content => {
                self.added.unchanged += 1;
                return Ok(());
            }
            Some((segment, document, _)) => {
                remove(&mut self.manifest.segments[segment], document);
                self.added.replaced += 1;
            }
            None => self.added.added += 1,
        }
        record.id = self.manifest.next_document;
        self.manifest.next_document += 1;
        self.n_bytes += submission.n_bytes();
        self.waiting.push((record, submission));
        if self.n_bytes >= self.writer.together { self.write() } else { Ok(()) }
    }

    /// Writes those that wait as a segment.
    fn write(&mut self) -> Result<()> {
        self.n_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let config = self.writer.index.config();
        let mut contents = Fresh::read(waiting, self.registry, config, self.progress)?;
        let room = MOST_NOTICES.saturating_sub(self.added.notices.len());
        self.added.unlisted += contents.notices.len().saturating_sub(room) as u64;
        self.added.notices.extend(contents.notices.drain(..).take(room));
        let schemes = schemes(&contents.front_ends, config)?;
        self.write_segment(schemes, &mut contents)?;
        self.merge()
    }

    fn write_segment(&mut self, schemes: Vec<String>, contents: &mut dyn Contents) -> Result<()> {
        let id = self.manifest.take_segment();
        let (file, keep) = (&mut self.writer.file, self.manifest.keep);
        let entry = segment::write(file, id, schemes, keep, contents, self.progress)?;
        self.manifest.segments.push(entry);
        Ok(())
    }

    /// Merges segments of this addition as those of several would be, so that a long one does not end with hundreds.
    fn merge(&mut self) -> Result<()> {
        let n_before = self.writer.index.segments.len();
        loop {
            let fresh = &self.manifest.segments[n_before..];
            let n = n_to_merge(&fresh.iter().map(SegmentEntry::n_bytes).collect::<Vec<_>>());
            if n == 0 {
                return Ok(());
            }
            let merged = self.manifest.segments.split_off(self.manifest.segments.len() - n);
            let folder = self.writer.file.workplace();
            let opened = merged.iter().map(|entry| Segment::open(folder, entry));
            let opened: Vec<Segment> = opened.collect::<Result<_>>()?;
            let mut contents = Merged::new(opened.iter().collect())?;
            self.write_segment(contents.schemes()?, &mut contents)?;
            drop(opened);
            let gone: Vec<&str> = merged.iter().flat_map(SegmentEntry::files).collect();
            self.writer.file.discard(|name| gone.iter().any(|gone| name == Path::new(gone)))?;
        }
    }

    fn finish(&mut self) -> Result<Added> {
        if !self.waiting.is_empty() {
            self.write()?;
        }
        let Added { added, replaced, .. } = self.added;
        if added + replaced > 0 {
            self.writer.commit(self.manifest.clone())?;
            self.writer.tidy(self.progress)?;
        }
        let mut added = std::mem::take(&mut self.added);
        added.notices.sort();
        Ok(added)
    }
}

impl Manifest {
    fn take_segment(&mut self) -> u64 {
        self.next_segment += 1;
        self.next_segment
    }
}

/// Marks a document as removed; false if it is already.
fn remove(segment: &mut SegmentEntry, document: u32) -> bool {
    let place = segment.removed.binary_search(&document);
    if let Err(place) = place {
        segment.removed.insert(place, document);
    }
    place.is_err()
}

/// How many of the newest segments are to be merged, given the sizes of all, oldest first.
fn n_to_merge(sizes: &[u64]) -> usize {
    let Some(&last) = sizes.last() else { return 0 };
    let level = |size: u64| (size / LOWEST).checked_ilog2().map_or(0, |log| log / 2 + 1);
    let n = sizes.iter().rev().take_while(|&&size| level(size) <= level(last)).count();
    let too_many = if sizes.len() > MOST_SEGMENTS { TIER } else { 0 };
    if n >= TIER { n } else { too_many }
}

/// The schemes of these front ends, one a kind of text.
fn schemes(
    front_ends: &BTreeSet<(Kind, &'static str, u32)>,
    config: &Config,
) -> Result<Vec<String>> {
    let mut schemes = Vec::new();
    for kind in [Kind::Code, Kind::Words, Kind::Chars] {
        let own = front_ends.iter().filter(|front_end| front_end.0 == kind);
        let versions: Vec<Version> =
            own.map(|&(_, name, number)| Version::new(name, number)).collect();
        if !versions.is_empty() {
            let recipe: Recipe = config.recipe(kind)?;
            schemes.push(recipe.scheme(versions).to_string());
        }
    }
    Ok(schemes)
}

/// Documents that are added.
struct Fresh {
    documents: Vec<(Record, Submission)>,
    fingerprints: PositionalIndex,
    front_ends: BTreeSet<(Kind, &'static str, u32)>,
    notices: Vec<Notice>,
}

impl Fresh {
    fn read(
        mut documents: Vec<(Record, Submission)>,
        registry: &Registry,
        config: &Config,
        progress: &dyn Progress,
    ) -> Result<Fresh> {
        progress.begin("fingerprinting", documents.len() as u64);
        let read = documents.par_iter().map(|(_, submission)| {
            progress.check()?;
            let read = fingerprinted(submission, registry, config);
            progress.advance();
            read
        });
        let mut read: Vec<Fingerprinted> = read.collect::<Result<_>>()?;
        let mut front_ends = BTreeSet::new();
        let mut notices = Vec::new();
        for ((record, _), read) in documents.iter_mut().zip(&mut read) {
            record.tokens = read.n_tokens as u64;
            front_ends.extend(&read.front_ends);
            notices.append(&mut read.notices);
        }
        let numbered = (0..).zip(&read).map(|(number, read)| (number, &*read.fingerprints));
        let fingerprints = PositionalIndex::build(numbered)?;
        Ok(Fresh { documents, fingerprints, front_ends, notices })
    }
}

impl Contents for Fresh {
    fn n_documents(&self) -> u32 {
        self.documents.len() as u32
    }

    fn record(&mut self, document: u32) -> Result<Record> {
        Ok(self.documents[document as usize].0.clone())
    }

    fn text(&mut self, document: u32, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        let files = &self.documents[document as usize].1.documents;
        for file in files {
            bytes.extend_from_slice(&file.bytes);
        }
        Ok(())
    }

    fn fingerprints(
        &mut self,
        take: &mut dyn FnMut(u64, &[Posting]) -> io::Result<()>,
    ) -> std::result::Result<(), Failure> {
        for (hash, postings) in self.fingerprints.iter() {
            take(hash, postings)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each addition is of one unit; how many are rewritten grows with the logarithm of all.
    #[test]
    fn merging_rewrites_a_logarithmic_number_of_times() {
        let (mut sizes, mut n_rewritten) = (Vec::new(), 0);
        for _ in 0..4096 {
            sizes.push(LOWEST);
            loop {
                let n = n_to_merge(&sizes);
                if n == 0 {
                    break;
                }
                let merged: u64 = sizes.split_off(sizes.len() - n).iter().sum();
                n_rewritten += merged / LOWEST;
                sizes.push(merged);
            }
            assert!(sizes.len() <= MOST_SEGMENTS, "{sizes:?}");
        }
        assert!(n_rewritten <= 4096 * 7, "{n_rewritten}");
    }
}

//! An addition to an index: documents are read, fingerprinted, and written as segments that are not committed yet.
//!
//! Memory holds some megabytes of text at a time, with its fingerprints, unsorted and sorted.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use fanmill::fingerprint::{Fingerprint, Recipe};
use fanmill::index::{PositionalIndex, Posting};
use fanmill::pipeline::{Config, Fingerprinted, fingerprinted, fingerprinted_around};
use fanmill::surroundings::{Detail, Layout, PlacedSurroundings, Surroundings};
use fanmill_disk::replace::NewFile;
use fanmill_sift::key::Sealer;
use fanmill_text::document::{Notice, Publication, Role, Submission};
use fanmill_text::frontend::{Kind, Registry};
use fanmill_text::progress::Progress;
use fanmill_text::scheme::FrontEndVersion;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use crate::keys::Keyer;
use crate::manifest::Manifest;
use crate::merge::{FRESH_MERGING, Merged};
use crate::record::Record;
use crate::segment::{self, Contents, Segment, SegmentEntry, TakePostings, Text, WriteResult};
use crate::snapshot::Index;
use crate::texts::LastFrame;

/// Bytes of text that go into one segment when they are added.
pub(crate) const TOGETHER: usize = 32 << 20;
/// Bytes of memory for a byte of text while documents are added: the text, its fingerprints as they are read and sorted.
/// Measured: 5 to 7, and 12 where each word is a letter.
pub(crate) const MEMORY_A_BYTE: usize = 16;
/// Bytes that a document takes besides its text while it waits: names, hashes, counts.
const BESIDE_TEXT: usize = 1 << 10;
/// Maximum number of notices that an addition keeps; further ones are counted.
const MOST_NOTICES: usize = 10_000;

/// The result of adding documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// Number of new documents.
    pub added: u64,
    /// Number of documents that replaced one of the same name with other contents.
    pub replaced: u64,
    /// Number of documents that the index already had.
    pub unchanged: u64,
    /// Notices of content that was lost or guessed in reading; the first ten thousand.
    pub notices: Vec<Notice>,
    /// Number of further notices.
    pub unlisted: u64,
}

impl Added {
    /// Adds the result of a further portion.
    pub(crate) fn append(&mut self, portion: Added) {
        self.added += portion.added;
        self.replaced += portion.replaced;
        self.unchanged += portion.unchanged;
        self.unlisted += portion.unlisted;
        self.note(portion.notices);
    }

    fn note(&mut self, notices: Vec<Notice>) {
        let room = MOST_NOTICES.saturating_sub(self.notices.len());
        self.unlisted += notices.len().saturating_sub(room) as u64;
        self.notices.extend(notices.into_iter().take(room));
    }
}

/// The tools that process documents on their way into an index.
#[derive(Clone, Copy)]
pub(crate) struct DocumentTools<'a> {
    pub(crate) registry: &'a Registry,
    /// Makes keys, if the index has any.
    pub(crate) keyer: Option<&'a Keyer>,
    /// Makes values of hashes, if the index is keyed.
    pub(crate) sealer: Option<&'a Sealer>,
    pub(crate) progress: &'a dyn Progress,
}

/// Documents that are being added: some are in segments that were written, and some wait for the next one.
pub(crate) struct Addition<'a> {
    index: &'a Index,
    file: &'a mut NewFile,
    together: usize,
    making: DocumentTools<'a>,
    /// The manifest to be committed, without the new segments.
    manifest: Manifest,
    /// Segments that were written, oldest first.
    fresh: Vec<SegmentEntry>,
    /// Hashes of all names so far, of earlier portions too.
    names: &'a mut HashSet<[u8; 16]>,
    waiting: Vec<(Record, Submission)>,
    /// Bytes that the waiting documents take.
    n_bytes: usize,
    /// Bytes of text that the index did not have.
    n_new_bytes: u64,
    added: Added,
}

impl<'a> Addition<'a> {
    /// Begins an addition to `index`, whose files are written by `file`; about `together` bytes of text make a segment.
    /// `names` are those of earlier portions, which may not occur again.
    pub(crate) fn new(
        index: &'a Index,
        file: &'a mut NewFile,
        together: usize,
        names: &'a mut HashSet<[u8; 16]>,
        making: DocumentTools<'a>,
    ) -> Addition<'a> {
        Addition {
            index,
            file,
            together,
            making,
            manifest: index.manifest.clone(),
            fresh: Vec::new(),
            names,
            waiting: Vec::new(),
            n_bytes: 0,
            n_new_bytes: 0,
            added: Added::default(),
        }
    }

    /// Writes documents until there are no more, or `portion` bytes of new text are written; returns the manifest to be
    /// committed, and counts of what was done.
    ///
    /// # Errors
    /// If two documents have the same name, one cannot be read, a file cannot be written or read, or the run is
    /// cancelled.
    pub(crate) fn add(
        mut self,
        submissions: &mut impl Iterator<Item = Result<Submission>>,
        portion: u64,
    ) -> Result<(Manifest, Added)> {
        while self.n_new_bytes < portion {
            let batch = batch(submissions)?;
            if batch.is_empty() {
                break;
            }
            // Hashing texts takes nearly all of the time, so records are made in parallel.
            let sealer = self.making.sealer;
            let keeps_publications = self.manifest.keeps_publications();
            let record = |mut submission: Submission| {
                if !keeps_publications {
                    submission.publication = Publication::default();
                }
                (Record::new(&submission, sealer), submission)
            };
            let with_records: Vec<(Record, Submission)> =
                batch.into_par_iter().map(record).collect();
            let mut all = with_records.into_iter();
            all.try_for_each(|(record, submission)| self.push(record, submission))?;
        }
        self.write()?;
        // Every segment costs a look-up, however small it is.
        if self.fresh.len() > 1 {
            self.merge(self.fresh.len())?;
        }
        self.manifest.segments.append(&mut self.fresh);
        Ok((self.manifest, self.added))
    }

    /// Writes the documents of a segment anew, from their texts; returns the manifest to be committed.
    ///
    /// # Errors
    /// If there are no texts, a file cannot be written or read, or the run is cancelled.
    pub(crate) fn read_again(mut self, number: usize) -> Result<Manifest> {
        let segment = &self.index.segments[number];
        let (mut last, mut records) = (LastFrame::default(), segment.records());
        for document in segment.live() {
            self.making.progress.check()?;
            let record = records.get(document)?;
            let submission = segment.submission(&record, &mut last)?;
            self.wait(record, submission)?;
        }
        self.write()?;
        self.manifest.segments.splice(number..=number, self.fresh);
        Ok(self.manifest)
    }

    fn push(&mut self, mut record: Record, mut submission: Submission) -> Result<()> {
        self.making.progress.check()?;
        let hash = blake3::hash(submission.name.as_bytes());
        if !self.names.insert(hash.as_bytes().first_chunk().copied().unwrap_or_default()) {
            return Err(Error::input(format!(
                "two documents are called `{}`; an index tells documents apart by name: rename one, or add them one \
                 after the other for the second to replace the first",
                submission.name
            )));
        }
        submission.role = Role::Archive;
        match self.index.find(&record.name)? {
            Some((_, _, known)) if known.content == record.content => {
                self.added.unchanged += 1;
                return Ok(());
            }
            Some((segment, document, _)) => {
                self.manifest.segments[segment].remove(document);
                self.added.replaced += 1;
            }
            None => self.added.added += 1,
        }
        if !record.publication.is_empty() {
            self.manifest.raise_for_publications();
        }
        record.id = self.manifest.next_document;
        self.manifest.next_document += 1;
        self.wait(record, submission)
    }

    /// Adds a document to those waiting for the next segment.
    fn wait(&mut self, record: Record, submission: Submission) -> Result<()> {
        self.n_bytes += submission.n_bytes() + BESIDE_TEXT;
        self.n_new_bytes += submission.n_bytes() as u64;
        self.waiting.push((record, submission));
        if self.n_bytes >= self.together { self.write() } else { Ok(()) }
    }

    /// Writes the waiting documents as a segment.
    fn write(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.n_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let config = self.index.config();
        let mut contents =
            NewDocuments::read(waiting, config, self.manifest.surroundings(), self.making)?;
        self.added.note(std::mem::take(&mut contents.notices));
        let schemes = schemes(&contents.front_ends, config)?;
        self.write_segment(schemes, &contents)?;
        loop {
            let sizes: Vec<u64> = self.fresh.iter().map(SegmentEntry::n_bytes).collect();
            match FRESH_MERGING.n_to_merge(&sizes) {
                0 => return Ok(()),
                n => self.merge(n)?,
            }
        }
    }

    fn write_segment(&mut self, schemes: Vec<String>, contents: &dyn Contents) -> Result<()> {
        let id = self.manifest.take_segment();
        let Manifest { keep, .. } = self.manifest;
        let (form, progress) = (self.manifest.form(), self.making.progress);
        let entry = segment::write(self.file, id, schemes, keep, form, contents, progress)?;
        self.fresh.push(entry);
        Ok(())
    }

    /// Merges the newest segments of this addition.
    fn merge(&mut self, n: usize) -> Result<()> {
        let merged = self.fresh.split_off(self.fresh.len() - n);
        let folder = self.file.workplace();
        let opened = merged.iter().map(|entry| Segment::open(folder, entry));
        let opened: Vec<Segment> = opened.collect::<Result<_>>()?;
        let contents = Merged::new(opened.iter().collect())?;
        self.write_segment(contents.schemes()?, &contents)?;
        drop(opened);
        let gone: Vec<&str> = merged.iter().flat_map(SegmentEntry::files).collect();
        self.file.discard(|name| gone.iter().any(|gone| name == Path::new(gone)))
    }
}

/// Returns the next submissions: enough to keep threads busy, but not many bytes; empty at the end.
fn batch(submissions: &mut impl Iterator<Item = Result<Submission>>) -> Result<Vec<Submission>> {
    let (mut batch, mut n_bytes) = (Vec::new(), 0);
    while batch.len() < 256 && n_bytes < 4 << 20 {
        let Some(submission) = submissions.next() else { break };
        let submission = submission?;
        n_bytes += submission.n_bytes();
        batch.push(submission);
    }
    Ok(batch)
}

/// Returns the schemes of these front ends, one for each kind of text.
fn schemes(
    front_ends: &BTreeSet<(Kind, &'static str, u32)>,
    config: &Config,
) -> Result<Vec<String>> {
    let mut schemes = Vec::new();
    for kind in [Kind::Code, Kind::Words, Kind::Chars] {
        let own = front_ends.iter().filter(|front_end| front_end.0 == kind);
        let versions: Vec<FrontEndVersion> =
            own.map(|&(_, name, number)| FrontEndVersion::new(name, number)).collect();
        if !versions.is_empty() {
            let recipe: Recipe = config.recipe(kind)?;
            schemes.push(recipe.scheme(versions).to_string());
        }
    }
    Ok(schemes)
}

/// The number of all keys of a document among its fingerprints, which have the numbers after it.
const KEYS: usize = 0;

/// Documents that are being added, with their fingerprints.
struct NewDocuments {
    documents: Vec<(Record, Submission)>,
    /// Fingerprints, each with its number among those of its document instead of its place.
    fingerprints: PositionalIndex,
    /// The place of each fingerprint of each document by its number, and its surroundings.
    places: Vec<PlacedSurroundings>,
    /// Detail of the surroundings; `None` if they are not kept.
    detail: Option<Detail>,
    front_ends: BTreeSet<(Kind, &'static str, u32)>,
    notices: Vec<Notice>,
}

impl NewDocuments {
    fn read(
        mut documents: Vec<(Record, Submission)>,
        config: &Config,
        detail: Option<Detail>,
        DocumentTools { registry, keyer, sealer, progress }: DocumentTools<'_>,
    ) -> Result<NewDocuments> {
        progress.begin("fingerprinting", documents.len() as u64);
        let read = documents.par_iter().map(|(_, submission)| {
            progress.check()?;
            let (mut read, mut places) = placed(submission, (registry, config), detail)?;
            // Keys share the table with fingerprints, and are sealed like them. They do not occur in the text, so they
            // have no surroundings.
            places.insert(KEYS, (0, Surroundings::default()));
            read.fingerprints.sort_unstable_by_key(|own| own.at);
            read.fingerprints.iter_mut().zip(1..).for_each(|(own, number)| own.at = number);
            if let Some(keyer) = keyer {
                let keys = keyer.hashes(submission).into_iter();
                read.fingerprints.extend(keys.map(|hash| Fingerprint { hash, at: KEYS as u32 }));
            }
            if let Some(sealer) = sealer {
                read.fingerprints.iter_mut().for_each(|own| own.hash = sealer.value(own.hash));
            }
            progress.advance();
            Ok((read, places))
        });
        let read: Vec<(Fingerprinted, Vec<_>)> = read.collect::<Result<_>>()?;
        let (mut read, places): (Vec<Fingerprinted>, Vec<_>) = read.into_iter().unzip();
        let mut front_ends = BTreeSet::new();
        let mut notices = Vec::new();
        for ((record, _), read) in documents.iter_mut().zip(&mut read) {
            record.tokens = read.n_tokens as u64;
            front_ends.extend(&read.front_ends);
            notices.append(&mut read.notices);
        }
        let numbered = (0..).zip(&read).map(|(number, read)| (number, &*read.fingerprints));
        let fingerprints = PositionalIndex::build(numbered)?;
        Ok(NewDocuments { documents, fingerprints, places, detail, front_ends, notices })
    }
}

/// Takes the fingerprints of a document, and returns their places, ascending, with what is kept of their surroundings.
fn placed(
    submission: &Submission,
    (registry, config): (&Registry, &Config),
    detail: Option<Detail>,
) -> Result<(Fingerprinted, PlacedSurroundings)> {
    if let Some(detail) = detail {
        let layout = |kind| Ok(Layout::new(detail, config.recipe(kind)?.thresholds));
        let (read, around, _) = fingerprinted_around(submission, registry, config, &layout)?;
        return Ok((read, around));
    }
    let read = fingerprinted(submission, registry, config)?;
    let places = read.fingerprints.iter().map(|own| (own.at, Surroundings::default()));
    let mut places: PlacedSurroundings = places.collect();
    places.sort_unstable();
    Ok((read, places))
}

impl Contents for NewDocuments {
    fn n_documents(&self) -> u32 {
        self.documents.len() as u32
    }

    fn records(&self, take: &mut dyn FnMut(Record) -> WriteResult) -> WriteResult {
        self.documents.iter().try_for_each(|(record, _)| take(record.clone()))
    }

    fn texts(&self, take: &mut dyn FnMut(Text<'_>) -> WriteResult) -> WriteResult {
        let mut bytes = Vec::new();
        self.documents.iter().try_for_each(|(_, submission)| {
            bytes.clear();
            submission.documents.iter().for_each(|file| bytes.extend_from_slice(&file.bytes));
            take(Text::Of(&bytes))
        })
    }

    fn surroundings(&self) -> Option<Detail> {
        self.detail
    }

    fn fingerprints(&self, take: TakePostings<'_>) -> WriteResult {
        let (mut placed, mut around) = (Vec::new(), Vec::new());
        self.fingerprints.iter().try_for_each(|(hash, postings)| {
            placed.clear();
            around.clear();
            for &Posting { document, at: number } in postings {
                let (at, own) = self.places[document as usize][number as usize];
                let posting = Posting { document, at };
                // A fingerprint at place 0 might have the hash of a key.
                if placed.last() != Some(&posting) {
                    placed.push(posting);
                    around.extend(self.detail.map(|_| own));
                }
            }
            take(hash, &placed, &around)
        })
    }
}

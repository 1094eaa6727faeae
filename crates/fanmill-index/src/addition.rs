//! Documents on their way into an index: read, fingerprinted, and written as segments that are not committed yet.
//!
//! What is in memory at a time is some megabytes of text, with its fingerprints and these in order.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use fanmill::fingerprint::{Fingerprint, Recipe};
use fanmill::index::PositionalIndex;
use fanmill::pipeline::{Config, Fingerprinted, fingerprinted};
use fanmill::surroundings::Surroundings;
use fanmill_disk::replace::NewFile;
use fanmill_sift::key::Sealer;
use fanmill_text::document::{Notice, Role, Submission};
use fanmill_text::frontend::{Kind, Registry};
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Version;
use fanmill_text::{Error, Result};
use rayon::prelude::*;

use crate::keys::Keyer;
use crate::manifest::Manifest;
use crate::merge::{Merged, n_to_merge};
use crate::record::Record;
use crate::segment::{self, Contents, Done, Segment, SegmentEntry, TakePostings, Text};
use crate::snapshot::Index;
use crate::texts::LastFrame;

/// Bytes of text that go into one segment when they are added.
pub(crate) const TOGETHER: usize = 32 << 20;
/// Notices of an addition that are kept; others are counted.
const MOST_NOTICES: usize = 10_000;

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

/// What makes something of documents on their way into an index.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    pub(crate) registry: &'a Registry,
    /// Makes keys, if the index has some.
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
    making: Making<'a>,
    /// What is to be committed, but for the new segments.
    manifest: Manifest,
    /// Segments that were written, oldest first.
    fresh: Vec<SegmentEntry>,
    /// Hashes of all names so far.
    names: HashSet<[u8; 16]>,
    waiting: Vec<(Record, Submission)>,
    /// Bytes of those that wait.
    n_bytes: usize,
    added: Added,
}

impl<'a> Addition<'a> {
    /// Begins an addition to `index`, whose files are written by `file`; about `together` bytes of text make a segment.
    pub(crate) fn new(
        index: &'a Index,
        file: &'a mut NewFile,
        together: usize,
        making: Making<'a>,
    ) -> Addition<'a> {
        Addition {
            index,
            file,
            together,
            making,
            manifest: index.manifest.clone(),
            fresh: Vec::new(),
            names: HashSet::new(),
            waiting: Vec::new(),
            n_bytes: 0,
            added: Added::default(),
        }
    }

    /// Writes documents; returns what is to be committed, and what was done with them.
    ///
    /// # Errors
    /// If two have the same name, one cannot be had, a file cannot be written or read, or the run is cancelled.
    pub(crate) fn add(
        mut self,
        submissions: impl IntoIterator<Item = Result<Submission>>,
    ) -> Result<(Manifest, Added)> {
        let mut submissions = submissions.into_iter();
        loop {
            let batch = batch(&mut submissions)?;
            if batch.is_empty() {
                break;
            }
            // Nearly all of the time is that of hashing texts.
            let sealer = self.making.sealer;
            let record = |submission| (Record::of(&submission, sealer), submission);
            let with_records: Vec<(Record, Submission)> =
                batch.into_par_iter().map(record).collect();
            let mut all = with_records.into_iter();
            all.try_for_each(|(record, submission)| self.push(record, submission))?;
        }
        self.write()?;
        // A look-up costs the same in each segment.
        if self.fresh.len() > 1 {
            self.merge(self.fresh.len())?;
        }
        self.manifest.segments.append(&mut self.fresh);
        self.added.notices.sort();
        Ok((self.manifest, self.added))
    }

    /// Writes the documents of a segment anew, from their texts; returns what is to be committed.
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
        record.id = self.manifest.next_document;
        self.manifest.next_document += 1;
        self.wait(record, submission)
    }

    /// Adds a document to those that wait for the next segment.
    fn wait(&mut self, record: Record, submission: Submission) -> Result<()> {
        self.n_bytes += submission.n_bytes();
        self.waiting.push((record, submission));
        if self.n_bytes >= self.together { self.write() } else { Ok(()) }
    }

    /// Writes those that wait as a segment.
    fn write(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.n_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        let config = self.index.config();
        let has_surroundings = self.manifest.has_surroundings();
        let mut contents = Fresh::read(waiting, config, has_surroundings, self.making)?;
        let room = MOST_NOTICES.saturating_sub(self.added.notices.len());
        self.added.unlisted += contents.notices.len().saturating_sub(room) as u64;
        self.added.notices.extend(contents.notices.drain(..).take(room));
        let schemes = schemes(&contents.front_ends, config)?;
        self.write_segment(schemes, &contents)?;
        loop {
            match n_to_merge(&self.fresh.iter().map(SegmentEntry::n_bytes).collect::<Vec<_>>()) {
                0 => return Ok(()),
                n => self.merge(n)?,
            }
        }
    }

    fn write_segment(&mut self, schemes: Vec<String>, contents: &dyn Contents) -> Result<()> {
        let id = self.manifest.take_segment();
        let keep = self.manifest.keep;
        let entry = segment::write(self.file, id, schemes, keep, contents, self.making.progress)?;
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

/// The next submissions: a few, so that threads have work, and not many bytes; none at the end.
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
    /// Surroundings of the fingerprints of each document, by place; `None` if they are not kept.
    around: Option<Vec<Vec<(u32, Surroundings)>>>,
    front_ends: BTreeSet<(Kind, &'static str, u32)>,
    notices: Vec<Notice>,
}

impl Fresh {
    fn read(
        mut documents: Vec<(Record, Submission)>,
        config: &Config,
        has_surroundings: bool,
        Making { registry, keyer, sealer, progress }: Making<'_>,
    ) -> Result<Fresh> {
        progress.begin("fingerprinting", documents.len() as u64);
        let read = documents.par_iter().map(|(_, submission)| {
            progress.check()?;
            let mut read = fingerprinted(submission, registry, config)?;
            let places = read.fingerprints.iter().map(|own| own.at);
            let mut around: Vec<_> = places.zip(read.surroundings.drain(..)).collect();
            around.sort_unstable();
            if let Some(keyer) = keyer {
                let keys = keyer.hashes(submission).into_iter();
                read.fingerprints.extend(keys.map(|hash| Fingerprint { hash, at: 0 }));
            }
            if let Some(sealer) = sealer {
                read.fingerprints.iter_mut().for_each(|own| own.hash = sealer.value(own.hash));
            }
            progress.advance();
            Ok((read, if has_surroundings { around } else { Vec::new() }))
        });
        let read: Vec<(Fingerprinted, Vec<_>)> = read.collect::<Result<_>>()?;
        let (mut read, around): (Vec<Fingerprinted>, Vec<_>) = read.into_iter().unzip();
        let around = has_surroundings.then_some(around);
        let mut front_ends = BTreeSet::new();
        let mut notices = Vec::new();
        for ((record, _), read) in documents.iter_mut().zip(&mut read) {
            record.tokens = read.n_tokens as u64;
            front_ends.extend(&read.front_ends);
            notices.append(&mut read.notices);
        }
        let numbered = (0..).zip(&read).map(|(number, read)| (number, &*read.fingerprints));
        let fingerprints = PositionalIndex::build(numbered)?;
        Ok(Fresh { documents, fingerprints, around, front_ends, notices })
    }
}

impl Contents for Fresh {
    fn n_documents(&self) -> u32 {
        self.documents.len() as u32
    }

    fn records(&self, take: &mut dyn FnMut(Record) -> Done) -> Done {
        self.documents.iter().try_for_each(|(record, _)| take(record.clone()))
    }

    fn texts(&self, take: &mut dyn FnMut(Text<'_>) -> Done) -> Done {
        let mut bytes = Vec::new();
        self.documents.iter().try_for_each(|(_, submission)| {
            bytes.clear();
            submission.documents.iter().for_each(|file| bytes.extend_from_slice(&file.bytes));
            take(Text::Of(&bytes))
        })
    }

    fn has_surroundings(&self) -> bool {
        self.around.is_some()
    }

    fn fingerprints(&self, take: TakePostings<'_>) -> Done {
        let mut around = Vec::new();
        self.fingerprints.iter().try_for_each(|(hash, postings)| {
            around.clear();
            if let Some(known) = &self.around {
                // A key that is no fingerprint stands nowhere.
                around.extend(postings.iter().map(|posting| {
                    let own = &known[posting.document as usize];
                    let place = own.binary_search_by_key(&posting.at, |&(at, _)| at);
                    place.map_or(Surroundings::default(), |place| own[place].1)
                }));
            }
            take(hash, postings, &around)
        })
    }
}

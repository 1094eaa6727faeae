//! An index open for reading: one generation of it, whatever a writer does meanwhile.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use fanmill::pipeline::Config;
use fanmill::surroundings::Layout;
use fanmill_disk::ours::Ours;
use fanmill_disk::segments::generation::{self, CURRENT};
use fanmill_sift::key::Sealer;
use fanmill_text::counted::counted;
use fanmill_text::document::Submission;
use fanmill_text::frontend::Registry;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::scheme::Scheme;
use fanmill_text::setting::Task;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result, Setting};
use serde::Serialize;

use crate::facts::Facts;
use crate::keep::Keep;
use crate::manifest::{Manifest, other_scheme};
use crate::record::Record;
use crate::segment::Segment;
use crate::texts::{LastFrame, Texts};

/// One generation of an index, open for reading by any number of threads.
///
/// Later changes by a writer are not visible: open the index again to see them. On Unix, files that a writer removes
/// stay readable for those who have opened them.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    pub(crate) manifest: Manifest,
    config: Config,
    pub(crate) segments: Vec<Segment>,
    /// Read when they are first needed.
    facts: OnceLock<Facts>,
    /// Makes the values of a keyed index, once it is unlocked.
    pub(crate) sealer: Option<Sealer>,
}

/// Counts of the contents of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Number of the generation, which rises with each change.
    pub generation: u64,
    /// The scheme by which each kind of text is fingerprinted.
    pub schemes: Vec<String>,
    /// The identifier of the key that the index was begun with, if there was one.
    pub key: Option<String>,
    /// The scheme of additional keys, if documents have any.
    pub keys: Option<String>,
    /// Number of documents that can be found.
    pub documents: u64,
    /// Number of documents that were removed, and whose texts stay until segments are merged.
    pub removed: u64,
    /// Number of segments.
    pub segments: u64,
    /// Number of different fingerprints and keys in each segment, added up.
    pub fingerprints: u64,
    /// Number of occurrences of fingerprints and keys.
    pub postings: u64,
    /// The part of its documents that is stored.
    pub keep: Keep,
    /// Bytes of the texts.
    pub text_bytes: u64,
    /// Bytes of the files with fingerprints, names and records.
    pub fingerprint_file_bytes: u64,
    /// Bytes of the files with texts.
    pub text_file_bytes: u64,
}

/// The state of an index under the name of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentState {
    /// The index does not have the name.
    New,
    /// It has the same document.
    Same,
    /// It has a document with other contents.
    Other,
}

impl Index {
    /// Returns whether a folder is an index, even a damaged one.
    pub fn is_at(folder: &Path) -> bool {
        Ours::Index.is_at(folder)
    }

    /// Opens the index in a folder, as of its last commit, without waiting for a writer.
    ///
    /// # Errors
    /// If there is no index, a file is damaged or missing, or the index is of a later release.
    pub fn open(folder: &Path) -> Result<Index> {
        let index = Index::open_if_any(folder)?;
        let other = || {
            let folder = folder.display();
            Error::input(format!("`{folder}` is not an index: it has no file `{CURRENT}`"))
        };
        index.ok_or_else(|| Ours::Index.headless(folder).unwrap_or_else(other))
    }

    /// Opens the index in a folder; `None` if there is no index.
    ///
    /// # Errors
    /// As [`open`](Index::open), except that there may be none.
    pub fn open_if_any(folder: &Path) -> Result<Option<Index>> {
        generation::opened(folder, "", |written| Index::new(folder, Manifest::parse(written)?))
    }

    /// Makes an index without documents, and without files on disk.
    pub(crate) fn empty(folder: &Path, config: &Config, keep: Keep) -> Result<Index> {
        Index::new(folder, Manifest::new(config, keep)?)
    }

    fn new(folder: &Path, manifest: Manifest) -> Result<Index> {
        let config = manifest.config()?;
        let segments = manifest.segments.iter().map(|entry| Segment::open(folder, entry));
        let segments: Vec<Segment> = segments.collect::<Result<_>>()?;
        for segment in &segments {
            for recipe in segment.recipes()? {
                let ours = config.recipe(recipe.kind)?;
                if ours != recipe {
                    let [ours, theirs] = [ours, recipe].map(|recipe| recipe.scheme([]).to_string());
                    return Err(other_scheme(&ours, &theirs));
                }
            }
        }
        let (folder, facts) = (folder.to_owned(), OnceLock::new());
        Ok(Index { folder, manifest, config, segments, facts, sealer: None })
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the number of its last commit.
    pub fn generation(&self) -> u64 {
        self.manifest.generation
    }

    /// Returns the part of its documents that it stores.
    pub fn keep(&self) -> Keep {
        self.manifest.keep
    }

    /// Returns the configuration of a comparison that takes the same fingerprints.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the number of documents that can be found.
    pub fn n_documents(&self) -> u64 {
        self.segments.iter().map(Segment::n_live).sum()
    }

    /// Counts its contents.
    pub fn stats(&self) -> Stats {
        let sum = |of: &dyn Fn(&Segment) -> u64| self.segments.iter().map(of).sum();
        Stats {
            generation: self.generation(),
            schemes: self.manifest.schemes.clone(),
            key: self.manifest.key.clone(),
            keys: self.manifest.keys.clone(),
            documents: self.n_documents(),
            removed: sum(&|segment| segment.entry.removed.len() as u64),
            segments: self.segments.len() as u64,
            fingerprints: sum(&|segment| segment.fingerprints.counts.hashes),
            postings: sum(&|segment| segment.fingerprints.counts.postings),
            keep: self.keep(),
            text_bytes: sum(&|segment| segment.texts.as_ref().map_or(0, Texts::n_bytes)),
            fingerprint_file_bytes: sum(&|segment| segment.entry.fingerprints.n_bytes),
            text_file_bytes: sum(&|segment| {
                segment.entry.texts.as_ref().map_or(0, |texts| texts.n_bytes)
            }),
        }
    }

    /// Iterates over the records of its documents, in the order in which they were added.
    ///
    /// # Errors
    /// For a record, if its segment is damaged or cannot be read.
    pub fn documents(&self) -> impl Iterator<Item = Result<Record>> + '_ {
        self.segments.iter().flat_map(|segment| {
            let mut records = segment.records();
            segment.live().map(move |number| records.get(number))
        })
    }

    /// Iterates over its documents as they were added, in that order.
    ///
    /// # Errors
    /// For a document, if its segment is damaged or cannot be read, or the index does not keep texts.
    pub fn submissions(&self) -> impl Iterator<Item = Result<Submission>> + '_ {
        self.segments.iter().flat_map(|segment| {
            let (mut last, mut records) = (LastFrame::default(), segment.records());
            segment.live().map(move |number| segment.submission(&records.get(number)?, &mut last))
        })
    }

    /// Returns the record of the document with this name.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read.
    pub fn record(&self, name: &str) -> Result<Option<Record>> {
        Ok(self.find(name)?.map(|(.., record)| record))
    }

    /// Checks whether it has a document with the same name, and with the same contents.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read.
    pub fn standing(&self, document: &Submission) -> Result<DocumentState> {
        let own = Record::new(document, self.sealer()?);
        Ok(match self.record(&own.name)? {
            None => DocumentState::New,
            Some(known) if known.content == own.content => DocumentState::Same,
            Some(_) => DocumentState::Other,
        })
    }

    /// Returns the document with this name, as it was added.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read, or the index does not keep texts.
    pub fn document(&self, name: &str) -> Result<Option<Submission>> {
        let Some((segment, _, record)) = self.find(name)? else { return Ok(None) };
        self.segments[segment].submission(&record, &mut LastFrame::default()).map(Some)
    }

    /// Finds the document with this name: the number of its segment, its number there, and its record.
    pub(crate) fn find(&self, name: &str) -> Result<Option<(usize, u32, Record)>> {
        for (number, segment) in self.segments.iter().enumerate() {
            if let Some((document, record)) = segment.find_name(name)? {
                return Ok(Some((number, document, record)));
            }
        }
        Ok(None)
    }

    /// Returns the number of documents that hold a fingerprint: exact up to `most`; beyond it, removed ones are
    /// included.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read.
    pub fn document_frequency(&self, hash: u64, most: u64) -> Result<u64> {
        let mut found = Vec::new();
        let hash = self.sealed(hash)?;
        let in_segment = |segment: &Segment| {
            let n = segment.find(hash, most, |_| true, &mut found)?;
            let n_live = found.chunk_by(|x, y| x.document == y.document).count() as u64;
            Ok(if n <= most { n_live } else { n })
        };
        self.segments.iter().map(in_segment).sum()
    }

    /// Returns the groups and times of its documents.
    pub(crate) fn facts(&self) -> Result<&Facts> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts);
        }
        let facts = Facts::read(&self.segments)?;
        // Another thread may have been quicker, with the same result.
        Ok(self.facts.get_or_init(|| facts))
    }

    /// Reads all files, and checks that everything in them is as it was written.
    ///
    /// # Errors
    /// If something is different, a file cannot be read, or the run is cancelled.
    pub fn verify(&self, progress: &dyn Progress) -> Result<()> {
        let n: u64 = self.segments.iter().map(|segment| u64::from(segment.entry.documents)).sum();
        progress.begin("verifying", n);
        self.segments.iter().try_for_each(|segment| segment.verify(progress))
    }

    /// Checks that the index takes fingerprints in the way that a configuration asks for.
    ///
    /// # Errors
    /// If its thresholds, its selector or its language differ.
    pub fn check_config(&self, config: &Config) -> Result<()> {
        let wanted = Manifest::new(config, Keep::default())?;
        let folder = self.folder.file_name().unwrap_or_default().display();
        for (theirs, ours) in self.manifest.schemes.iter().zip(&wanted.schemes) {
            if theirs != ours {
                return Err(Error::setting(message![
                    "index `{folder}` was begun with scheme `{theirs}`, and `{ours}` is asked for; leave ",
                    Setting("noise"),
                    " and ",
                    Setting("guarantee"),
                    " out, or begin another index"
                ]));
            }
        }
        // Schemes do not contain front ends, so a forced one is compared separately.
        if self.manifest.language != wanted.language {
            let said =
                |language: &Option<String>| language.clone().unwrap_or_else(|| "none".to_owned());
            return Err(Error::setting(message![
                "index `{folder}` was begun with ",
                Setting("lang"),
                (
                    " {}, and {} is asked for; give the same ",
                    said(&self.manifest.language),
                    said(&wanted.language)
                ),
                Setting("lang"),
                ", or begin another index"
            ]));
        }
        Ok(())
    }

    /// Checks that it stores the part that is asked for.
    ///
    /// # Errors
    /// If it stores another part.
    pub(crate) fn check_keep(&self, keep: Keep) -> Result<()> {
        if keep == self.keep() {
            return Ok(());
        }
        let folder = self.folder.file_name().unwrap_or_default().display();
        let setting = Setting("no-texts");
        Err(Error::setting(match keep {
            Keep::Fingerprints => message![
                "index `{folder}` was begun without ",
                setting,
                " and keeps texts; leave it out, or begin another index"
            ],
            Keep::Everything => message![
                "index `{folder}` was begun with ",
                setting,
                " and keeps fingerprints only; begin another index"
            ],
        }))
    }

    /// Returns the front ends of `registry` in the versions that have read the documents of this index, so that it can
    /// be searched.
    ///
    /// Returns `None` if they have not changed, or not in a way that this release can undo, or if documents were read
    /// by two versions.
    pub fn earlier(&self, registry: &Registry) -> Option<Registry> {
        if self.n_outdated(registry) == 0 {
            return None;
        }
        let segments = self.segments.iter().filter(|segment| segment.n_live() > 0);
        registry.as_of(segments.flat_map(|segment| &segment.schemes).flat_map(Scheme::front_ends))
    }

    /// Returns the number of documents that were read by other versions of front ends than `registry` has. A search
    /// leaves them out until they are read again ([`Writer::upgrade`](crate::Writer::upgrade)).
    pub fn n_outdated(&self, registry: &Registry) -> u64 {
        let outdated = self.segments.iter().filter(|segment| !segment.is_current(registry));
        outdated.map(Segment::n_live).sum()
    }

    /// Returns the number of documents with which a search does not promise to find rare runs, because an earlier
    /// release has added them, or because the index has a key. Without a key and with texts,
    /// [`Writer::upgrade`](crate::Writer::upgrade) changes that.
    pub fn n_unpromised(&self) -> u64 {
        let unpromised = self.segments.iter().filter(|segment| !self.promises(segment));
        unpromised.map(Segment::n_live).sum()
    }

    /// Returns whether rare runs can be found in a segment: it has surroundings in the detail of this index.
    pub(crate) fn promises(&self, segment: &Segment) -> bool {
        let own = segment.surroundings();
        own.is_some() && own == self.manifest.surroundings()
    }

    /// Returns the layout of surroundings for a kind of text.
    ///
    /// # Errors
    /// If thresholds contradict each other.
    pub(crate) fn layout(&self, kind: Kind) -> Result<Layout> {
        // An index without surroundings needs no particular layout.
        let detail = self.manifest.surroundings().unwrap_or_default();
        Ok(Layout::new(detail, self.config().recipe(kind)?.thresholds))
    }

    /// Checks that this program reads texts in the same way as those of the index were read.
    ///
    /// # Errors
    /// If some of them were read by other versions of front ends.
    pub fn check_current(&self, registry: &Registry) -> Result<()> {
        let n = self.n_outdated(registry);
        // Segments without documents are read again, too, but do not count here.
        if n == 0 {
            return Ok(());
        }
        Err(Error::input(message![
            (
                "the index has {} that another release has read in another way; ",
                counted(n, "document", "documents")
            ),
            Task("index-upgrade"),
            " reads them again from their texts"
        ]))
    }
}

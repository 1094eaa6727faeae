//! Loose files: a folder of texts, pages or documents, each file one record.
//!
//! A record's bytes are the file's, packed as it is; they are unpacked and decoded, and the text of pages and documents
//! is extracted, when records are parsed. A file that is binary, or cannot be read, is a bad record. It is copied to
//! the output as it is, unless it cannot be read.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use fanmill_source::Extractor;
use fanmill_text::{Error, Result};

use super::batch::{Content, Raw};
use super::formats::loose;
use super::left_out::{copy, copy_file};
use super::name::Name;
use super::options::Given;
use super::raw_out::Files;
use super::record_format::{Sink, Source, Wrong};
use super::sniff::{Origin, Sniffed, sniff};
use super::stamp::{Stamp, Stamping};
use super::text_file::LooseFile;
use super::walk::Walk;
use super::{Options, lower};
use crate::record::RecordAction;
use fanmill_disk::packing::packed::PackOptions;
use fanmill_disk::packing::{Packing, UnpackOptions};

/// Source of the files.
#[derive(Debug)]
enum Paths {
    Folder(PathBuf, Walk),
    Given(vec::IntoIter<(Name, PathBuf)>),
}

/// A reader of loose files.
#[derive(Debug)]
pub(super) struct LooseFiles {
    paths: Paths,
    given: Given,
    n_extra: usize,
    batch_bytes: usize,
    record_bytes: usize,
    unpacks: UnpackOptions,
    extractor: Arc<Extractor>,
    /// Bytes of all files so far.
    offset: u64,
    /// State of the files when they were read.
    stamping: Stamping,
}

impl LooseFiles {
    /// Reads the files below a folder.
    ///
    /// # Errors
    /// If it cannot be listed.
    pub(super) fn below(root: &Path, given: Given, options: &Options) -> Result<LooseFiles> {
        let paths = Paths::Folder(root.to_owned(), Walk::new(root)?);
        Ok(LooseFiles::new(paths, given, options))
    }

    /// Reads these files.
    pub(super) fn these(
        files: Vec<(Name, PathBuf)>,
        given: Given,
        options: &Options,
    ) -> LooseFiles {
        LooseFiles::new(Paths::Given(files.into_iter()), given, options)
    }

    fn new(paths: Paths, given: Given, options: &Options) -> LooseFiles {
        LooseFiles {
            paths,
            given,
            n_extra: options.extra.len(),
            batch_bytes: options.batch_bytes,
            record_bytes: options.record_bytes,
            unpacks: options.unpacks(),
            extractor: Arc::clone(options.documents.extractor()),
            offset: 0,
            stamping: Stamping::default(),
        }
    }

    /// Finds the first page or document among them, and returns the reason why it cannot get another text.
    pub(super) fn unchangeable(&mut self) -> Result<Option<String>> {
        while let Some((name, path)) = self.path()? {
            let Sniffed::Records(format, _) = self.sniff(&path)? else { continue };
            let Some(format) = loose(format).filter(|format| format.unchangeable().is_some())
            else {
                continue;
            };
            let (name, what) = (name.shown(), format.noun());
            return Ok(Some(format!("`{name}` is a {what}, and no text can be put back into it")));
        }
        Ok(None)
    }

    /// Fills an empty stretch with whole files; returns false at the end.
    fn fill(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.n_extra = self.n_extra;
        while raw.bytes.len() < self.batch_bytes.max(1) {
            let Some((name, path)) = self.path()? else { break };
            let found = self.sniff(&path)?;
            let Some(format) = found.loose().and_then(loose) else { continue };
            let (start, record_bytes) = (raw.bytes.len(), self.record_bytes);
            let (packing, read) = if let Sniffed::Records(_, packing) = found {
                (packing, self.read(&name, &path, &mut raw.bytes))
            } else {
                self.stamping.unreadable(name.path());
                (Packing::Plain, Err(Fault::Unreadable(File::open(&path).err())))
            };
            if read.is_err() {
                raw.bytes.truncate(start);
            }
            let is_readable = !matches!(read, Err(Fault::Unreadable(_)));
            let end = raw.bytes.len();
            let named = |fault: Fault| format!("`{}`: {fault}", name.shown());
            raw.push(start, end, end, self.offset, read.err().map(named));
            self.offset += (end - start) as u64;
            let unpacks = self.unpacks.clone();
            raw.files.push(LooseFile {
                name,
                path,
                format,
                packing,
                record_bytes,
                unpacks,
                extractor: Arc::clone(&self.extractor),
                is_readable,
            });
        }
        Ok(!raw.items.is_empty())
    }

    fn sniff(&self, path: &Path) -> Result<Sniffed> {
        let origin = match self.paths {
            Paths::Given(_) => Origin::Named,
            Paths::Folder(..) => Origin::Met,
        };
        sniff(path, self.given, origin)
    }

    fn path(&mut self) -> Result<Option<(Name, PathBuf)>> {
        match &mut self.paths {
            Paths::Given(files) => Ok(files.next()),
            Paths::Folder(root, walk) => {
                let found = walk.next_file()?;
                Ok(found.map(|path| (Name::new(path.clone()), root.join(path))))
            }
        }
    }

    /// Appends the bytes of a file; returns the fault if that cannot be done.
    fn read(
        &mut self,
        name: &Name,
        path: &Path,
        bytes: &mut Vec<u8>,
    ) -> std::result::Result<(), Fault> {
        let limit = self.record_bytes;
        let unreadable = |error| Fault::Unreadable(Some(error));
        // Looked at before it is read: what is appended meanwhile shows at the next reading.
        let file = self.stamping.open(name.path(), path).map_err(unreadable)?;
        match file.take(limit as u64 + 1).read_to_end(bytes).map_err(unreadable)? {
            n if n > limit => Err(Fault::TooLong(limit)),
            _ => Ok(()),
        }
    }
}

impl Source for LooseFiles {
    fn next(&mut self, content: &mut Content) -> Result<bool> {
        self.fill(content.raw())
    }

    fn stamp(&self) -> Option<Stamp> {
        Some(self.stamping.end())
    }
}

/// The reason why the bytes of a file are missing.
#[derive(Debug)]
enum Fault {
    /// The system could not read it, for this reason.
    Unreadable(Option<io::Error>),
    /// It is longer than this.
    TooLong(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable(error) => {
                let why = error.as_ref().map(|error| format!(": {}", lower(error)));
                write!(f, "not readable, and not in the output{}", why.unwrap_or_default())
            }
            Fault::TooLong(limit) => {
                write!(f, "longer than the limit of {limit} bytes for a record")
            }
        }
    }
}

/// A writer of loose files.
///
/// They are synced all together at the end: one by one, that would take longer than all the rest.
#[derive(Debug)]
pub(super) struct LooseOut<'a> {
    pub(super) files: &'a dyn Files,
    /// Prefix of their paths in the output.
    pub(super) folder: PathBuf,
    /// The folder that they are from, if it is one; other files in it are copied.
    pub(super) from: Option<SourceFolder>,
    /// Options for packing a text that has changed, if its file was packed.
    pub(super) packs: PackOptions,
}

/// A folder of loose files, and the state of other files in it when it was found.
#[derive(Debug)]
pub(super) struct SourceFolder {
    pub(super) root: PathBuf,
    pub(super) given: Given,
    pub(super) beside: Stamp,
}

impl LooseOut<'_> {
    fn put(&self, raw: &Raw, actions: &[RecordAction<'_>], wrong: Wrong<'_>) -> Result<()> {
        for (i, ((item, file), action)) in raw.items.iter().zip(&raw.files).zip(actions).enumerate()
        {
            let path = self.folder.join(file.name.path());
            let trouble = |error| Error::io("write", &path, error);
            let (packing, bytes) = match action {
                RecordAction::Remove => continue,
                // This was reported when it was read.
                RecordAction::Keep if !file.is_readable => continue,
                // It could not be held, and is copied as it is.
                RecordAction::Keep if item.fault.is_some() => {
                    let opened = File::open(&file.path);
                    let mut input = opened.map_err(|e| Error::io("open", &file.path, e))?;
                    copy_file(self.files, &mut input, &file.path, &path)?;
                    continue;
                }
                RecordAction::Keep => (Packing::Plain, &raw.bytes[item.start..item.end]),
                RecordAction::Text(text) if file.unchangeable().is_none() => {
                    (file.packing, text.as_bytes())
                }
                RecordAction::Text(_) => {
                    return Err(wrong((i, "a text cannot be put back into it".to_owned())));
                }
                RecordAction::Mark(_) | RecordAction::MarkRuns(_) | RecordAction::MarkSize(_) => {
                    return Err(wrong((i, "a loose file has no place for a mark".to_owned())));
                }
            };
            let mut out = packing.pack(self.files.make(&path)?, self.packs);
            std::io::Write::write_all(&mut out, bytes).map_err(trouble)?;
            out.close().map_err(trouble)?;
        }
        Ok(())
    }
}

impl Sink for LooseOut<'_> {
    fn write(
        &mut self,
        content: &Content,
        actions: &[RecordAction<'_>],
        wrong: Wrong<'_>,
    ) -> Result<bool> {
        let Content::Raw(raw) = content else { return Ok(false) };
        self.put(raw, actions, wrong).map(|()| true)
    }

    /// Also copies the other files beside the texts.
    fn finish(self: Box<Self>) -> Result<bool> {
        if let Some(SourceFolder { root, given, beside }) = &self.from
            && !copy(self.files, root, *given, &self.folder, *beside)?
        {
            return Ok(false);
        }
        self.files.sync_all().map(|()| true)
    }
}

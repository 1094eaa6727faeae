//! Loose files: a folder of texts or pages, each file one record.
//!
//! A record's bytes are the file's, packed as it is; unpacking, decoding and taking the text out of
//! HTML happen where records are parsed. A file that is no text, or cannot be read, is a bad record.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::vec;

use fanmill::{Error, Result};

use super::batch::Raw;
use super::left_out::{copy, copy_file};
use super::name::Name;
use super::raw_out::Files;
use super::sniff::{Found, Origin, sniff};
use super::stamp::{Stamp, Stamping, look};
use super::walk::Walk;
use super::{Format, Options, lower};
use crate::html;
use crate::packing::Packing;
use crate::record::{Fate, Record};

/// What is known of a file before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loose {
    /// Its path in the output; its record's name.
    pub(super) name: Name,
    /// Where it is.
    path: PathBuf,
    format: Format,
    packing: Packing,
    record_bytes: usize,
}

impl Loose {
    /// Why it cannot get another text; `None` if it can.
    pub(super) fn unchangeable(&self) -> Option<&'static str> {
        (self.format != Format::Text).then_some("no text can be put back into a page")
    }

    pub(super) fn parse<'a>(
        &'a self,
        bytes: &'a [u8],
        n_extra: usize,
    ) -> std::result::Result<Record<'a>, String> {
        let text = match (self.unpacked(bytes)?, self.format) {
            (bytes, Format::Html) => html::seen(&html::decode(&bytes, None)),
            (Cow::Borrowed(bytes), _) => html::guessed(bytes),
            (Cow::Owned(bytes), _) => html::guessed(&bytes).into_owned(),
        };
        if text.characters.contains('\0') {
            return Err("no text: it has zero bytes".to_owned());
        }
        let flaw = text.flaw();
        Ok(Record {
            text: text.characters,
            id: Some(Cow::from(self.name.shown())),
            extra: vec![None; n_extra],
            flaw,
        })
    }

    fn unpacked<'a>(&self, bytes: &'a [u8]) -> std::result::Result<Cow<'a, [u8]>, String> {
        if self.packing == Packing::Plain {
            return Ok(Cow::Borrowed(bytes));
        }
        let limit = self.record_bytes;
        let mut all = Vec::new();
        let input = self.packing.unpack(bytes).map(|input| input.take(limit as u64 + 1));
        let read = input.and_then(|mut input| input.read_to_end(&mut all));
        read.map_err(|error| format!("damaged: {}", lower(&error)))?;
        if all.len() > limit {
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        Ok(Cow::Owned(all))
    }
}

/// Where the files are.
#[derive(Debug)]
enum Paths {
    Folder(PathBuf, Walk),
    Given(vec::IntoIter<(Name, PathBuf)>),
}

/// Reads loose files.
#[derive(Debug)]
pub(super) struct LooseFiles {
    paths: Paths,
    given: Option<Format>,
    n_extra: usize,
    batch_bytes: usize,
    record_bytes: usize,
    /// Bytes of all files so far.
    offset: u64,
    /// What the files were when they were read.
    stamping: Stamping,
}

impl LooseFiles {
    /// Those below a folder.
    ///
    /// # Errors
    /// If it cannot be listed.
    pub(super) fn below(
        root: &Path,
        given: Option<Format>,
        options: &Options,
    ) -> Result<LooseFiles> {
        let paths = Paths::Folder(root.to_owned(), Walk::new(root)?);
        Ok(LooseFiles::new(paths, given, options))
    }

    /// These.
    pub(super) fn these(
        files: Vec<(Name, PathBuf)>,
        given: Option<Format>,
        options: &Options,
    ) -> LooseFiles {
        LooseFiles::new(Paths::Given(files.into_iter()), given, options)
    }

    fn new(paths: Paths, given: Option<Format>, options: &Options) -> LooseFiles {
        LooseFiles {
            paths,
            given,
            n_extra: options.extra.len(),
            batch_bytes: options.batch_bytes,
            record_bytes: options.record_bytes,
            offset: 0,
            stamping: Stamping::default(),
        }
    }

    /// The first page among them: no text can be put back into it.
    pub(super) fn unchangeable(&mut self) -> Result<Option<String>> {
        while let Some((name, path)) = self.path()? {
            if let Found::Records(Format::Html, _) = self.sniff(&path)? {
                let name = name.shown();
                return Ok(Some(format!(
                    "`{name}` is a page, and no text can be put back into it"
                )));
            }
        }
        Ok(None)
    }

    /// Fills an empty stretch with whole files; false at the end.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.n_extra = self.n_extra;
        while raw.bytes.len() < self.batch_bytes.max(1) {
            let Some((name, path)) = self.path()? else { break };
            let Found::Records(format, packing) = self.sniff(&path)? else { continue };
            if !format.is_loose() {
                continue;
            }
            let start = raw.bytes.len();
            let fault = self.read(&name, &path, &mut raw.bytes)?.err();
            if fault.is_some() {
                raw.bytes.truncate(start);
            }
            let end = raw.bytes.len();
            raw.push(start, end, end, self.offset, fault);
            self.offset += (end - start) as u64;
            raw.files.push(Loose { name, path, format, packing, record_bytes: self.record_bytes });
        }
        Ok(!raw.items.is_empty())
    }

    fn sniff(&self, path: &Path) -> Result<Found> {
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

    /// Appends the bytes of a file; the reason if they cannot be had.
    fn read(
        &mut self,
        name: &Name,
        path: &Path,
        bytes: &mut Vec<u8>,
    ) -> Result<std::result::Result<(), String>> {
        let limit = self.record_bytes;
        let unreadable = |error| Ok(Err(format!("not readable: {}", lower(&error))));
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => {
                self.stamping.add(name.path(), &look(path)?);
                return unreadable(error);
            }
        };
        // Looked at before it is read: what is appended meanwhile shows at the next reading.
        let metadata = file.metadata().map_err(|error| Error::io("look at", path, error))?;
        self.stamping.add(name.path(), &metadata);
        Ok(match file.take(limit as u64 + 1).read_to_end(bytes) {
            Err(error) => return unreadable(error),
            Ok(n) if n > limit => {
                Err(format!("longer than the limit of {limit} bytes for a record"))
            }
            Ok(_) => Ok(()),
        })
    }

    /// Of the files that have been read.
    pub(super) fn stamp(&self) -> Stamp {
        self.stamping.end()
    }
}

/// Writes loose files.
///
/// They are synced all together at the end: one by one that takes longer than all the rest.
#[derive(Debug)]
pub(super) struct LooseOut<'a> {
    pub(super) files: &'a dyn Files,
    /// What their paths in the output begin with.
    pub(super) folder: PathBuf,
    /// The folder that they are from, if it is one: what else is in it is copied.
    pub(super) from: Option<(PathBuf, Option<Format>)>,
}

impl LooseOut<'_> {
    pub(super) fn write(
        &self,
        raw: &Raw,
        fates: &[Fate<'_>],
        wrong: impl Fn((usize, String)) -> Error,
    ) -> Result<()> {
        for (i, ((item, file), fate)) in raw.items.iter().zip(&raw.files).zip(fates).enumerate() {
            let path = self.folder.join(file.name.path());
            let trouble = |error| Error::io("write", &path, error);
            let (packing, bytes) = match fate {
                Fate::Remove => continue,
                // It could not be held, and stays as it is.
                Fate::Keep if item.fault.is_some() => {
                    copy_file(self.files, &file.path, &path)?;
                    continue;
                }
                Fate::Keep => (Packing::Plain, &raw.bytes[item.start..item.end]),
                Fate::Text(text) if file.format == Format::Text => (file.packing, text.as_bytes()),
                Fate::Text(_) => {
                    return Err(wrong((i, "a page's text cannot be put back into it".to_owned())));
                }
                Fate::Mark(_) => {
                    return Err(wrong((i, "a loose file has no place for a mark".to_owned())));
                }
            };
            let mut out = packing.pack(self.files.make(&path)?).map_err(trouble)?;
            std::io::Write::write_all(&mut out, bytes).map_err(trouble)?;
            out.close().map_err(trouble)?;
        }
        Ok(())
    }

    /// Copies what lies beside the texts.
    pub(super) fn finish(&self) -> Result<()> {
        if let Some((root, given)) = &self.from {
            copy(self.files, root, *given, &self.folder)?;
        }
        self.files.sync_all()
    }
}

//! Shards: their places, and how they are read and written.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

use super::batch::Batch;
use super::clash::Clash;
use super::copied::CopiedFiles;
use super::formats::records;
use super::left_out::copy_file;
use super::loose::{LooseFiles, LooseOut, SourceFolder};
use super::name::Name;
use super::options::Given;
use super::raw_out::Files;
use super::record_format::{Input, Sink, Source};
use super::stamp::Stamp;
use super::walk;
use super::{Columns, Format, GroupAction, Options, OutputForm};
use crate::record::RecordAction;
use fanmill_disk::packing::Packing;

/// Files or folders of records that are read and written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    name: Name,
    place: Place,
    format: Format,
    packing: Packing,
    /// The state of its files when it was found.
    stamp: Stamp,
    /// True if it is the only one, so that the output is like it.
    is_alone: bool,
    /// Two of its files that are one file on some systems.
    clash: Option<Clash>,
    /// For loose files of a folder: the state of the other files beside them, which are copied or left out. For a file of
    /// records: the state of those that are copied with it.
    beside: Stamp,
    /// Files that are copied with it.
    copied: Option<CopiedFiles>,
}

/// Place of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    File(PathBuf),
    /// Loose files below a folder.
    Folder {
        root: PathBuf,
        given: Given,
    },
    /// Loose files anywhere, by their names in the output, ascending.
    Files {
        files: Vec<(Name, PathBuf)>,
        given: Given,
    },
}

impl Shard {
    pub(super) fn new(place: Place, format: Format, packing: Packing, stamp: Stamp) -> Shard {
        let name = Name::new(PathBuf::new());
        Shard {
            name,
            place,
            format,
            packing,
            stamp,
            is_alone: false,
            clash: None,
            beside: Stamp::default(),
            copied: None,
        }
    }

    pub(super) fn set_name(&mut self, name: PathBuf) {
        self.name = Name::new(name);
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn set_clash(&mut self, clash: Option<Clash>) {
        self.clash = clash;
    }

    pub(super) fn clash(&self) -> Option<&Clash> {
        self.clash.as_ref()
    }

    pub(super) fn set_beside(&mut self, beside: Stamp) {
        self.beside = beside;
    }

    pub(super) fn set_copied(&mut self, copied: CopiedFiles) {
        self.beside = copied.then;
        self.copied = Some(copied);
    }

    pub(super) fn copied_mut(&mut self) -> Option<&mut CopiedFiles> {
        self.copied.as_mut()
    }

    /// Identifies the other files beside its own, as they were when it was found.
    pub fn beside(&self) -> String {
        self.beside.to_string()
    }

    /// Describes what must be unchanged for a later run to reuse what was read. Other files beside its own do not count,
    /// as they were not read.
    pub fn identity(&self) -> String {
        let Shard { name, place, format, packing, stamp, is_alone, .. } = self;
        format!("{name:?} {place:?} {format} {packing:?} {stamp:?} {is_alone}")
    }

    pub(super) fn set_alone(&mut self) {
        self.is_alone = true;
    }

    /// Returns its path in the output with slashes, to be shown; for loose files, a word for all of them.
    pub fn name(&self) -> &str {
        self.name.shown()
    }

    /// Returns its path in the output; for loose files, that of the folder that they are in, if there are other shards.
    pub fn path(&self) -> &Path {
        self.name.path()
    }

    /// Returns the first parts of the paths in the output of everything that is written of it.
    ///
    /// # Errors
    /// If its folder cannot be listed.
    pub fn first_names(&self) -> Result<Vec<OsString>> {
        let first = |path: &Path| path.iter().next().map(OsStr::to_owned);
        match &self.place {
            Place::Folder { root, .. } if self.is_alone => walk::list(root).map(Iterator::collect),
            Place::Files { files, .. } if self.is_alone => {
                Ok(files.iter().filter_map(|(name, _)| first(name.path())).collect())
            }
            _ => Ok(first(self.path()).into_iter().collect()),
        }
    }

    /// Returns the format of its files.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the packing of its file.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Checks that it can be written at the level that the options ask for.
    ///
    /// # Errors
    /// If its packing does not have that level. Loose files may be packed in any way.
    pub fn check_level(&self, options: &Options) -> Result<()> {
        let Some(level) = options.compression_level else { return Ok(()) };
        let (any, one) = (Packing::ALL, [self.packing]);
        let packings = if self.format.is_loose() { &any[..] } else { &one[..] };
        packings.iter().try_for_each(|packing| packing.check_level(level))
    }

    /// Returns its bytes on the disk, packed as they are.
    pub fn bytes(&self) -> u64 {
        self.stamp.bytes
    }

    /// Begins to read it.
    ///
    /// # Errors
    /// If it cannot be opened, or lacks what `options` ask for.
    pub fn reader(&self, options: &Options, columns: Columns) -> Result<Reader> {
        let source: Box<dyn Source> = match (&self.place, records(self.format)) {
            (Place::File(path), Some(format)) => {
                format.open(Input { path, packing: self.packing }, options, columns)?
            }
            _ => Box::new(self.loose_files(options)?),
        };
        let shard = self.name.shown().to_owned();
        let limit = options.limit.unwrap_or(u64::MAX);
        Ok(Reader { source, number: 0, n_skipped: 0, shard, seen: self.seen(), limit })
    }

    /// Starts writing the shard again: one file of its name or, if its files are loose, one for each.
    ///
    /// # Errors
    /// If the file cannot be made, or the format cannot hold what is to be written.
    pub fn writer<'a>(
        &self,
        files: &'a dyn Files,
        options: &Options,
        writes: OutputForm,
    ) -> Result<Writer<'a>> {
        match (&self.place, records(self.format)) {
            (Place::File(path), Some(format)) => {
                let input = Input { path, packing: self.packing };
                let out = (files, self.name.path());
                let copied = self.copied.as_ref().filter(|_| writes != OutputForm::Alone);
                let copied = copied.cloned().map(|copied| (copied, files));
                Ok(self.writer_to(format.create(input, out, options, writes)?, copied))
            }
            _ => self.loose_writer(files, options, writes),
        }
    }
}

impl Shard {
    /// Copies the shard's file, and what is copied with it, byte for byte. Returns false, and does nothing, if a writer has
    /// to do it: for loose files, and where the options ask for a packing of their own.
    ///
    /// # Errors
    /// If it cannot be read, has changed since it was found, or the disk refuses.
    pub fn copy(&self, files: &dyn Files, options: &Options) -> Result<bool> {
        let (Place::File(path), false) = (&self.place, self.format.is_loose()) else {
            return Ok(false);
        };
        let has_level = options.compression_level.is_some() && self.packing != Packing::Plain;
        // What is written needs no dictionary.
        let needs_dictionary = options.dictionary.is_some() && self.packing == Packing::Zstandard;
        if has_level || needs_dictionary {
            return Ok(false);
        }
        let mut input = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let made = copy_file(files, &mut input, path, self.name.path())?;
        made.sync().map_err(|error| Error::io("write", self.name.path(), error))?;
        let is_same = Stamp::from_path(path)? == self.stamp
            && self.copied.as_ref().map_or(Ok(true), |copied| copied.copy(files))?;
        if is_same { Ok(true) } else { Err(changed(self.name.shown())) }
    }

    /// Checks that it can be written again as `writes` says, before anything is read for it.
    ///
    /// # Errors
    /// If its format cannot hold what is to be written.
    pub fn check_output(&self, writes: OutputForm) -> Result<()> {
        match (&self.place, records(self.format)) {
            (Place::File(path), Some(format)) => {
                format.check_output(Input { path, packing: self.packing }, writes)
            }
            _ => Ok(()),
        }
    }

    /// Returns the reason why its records cannot get another text; `None` if they can. Only names and beginnings are
    /// looked at.
    ///
    /// # Errors
    /// If it cannot be read, or lacks what `options` ask for.
    pub fn unchangeable(&self, options: &Options) -> Result<Option<String>> {
        match (&self.place, records(self.format)) {
            (Place::File(path), Some(format)) => {
                format.unchangeable(Input { path, packing: self.packing }, options)
            }
            _ => self.loose_files(options)?.unchangeable(),
        }
    }

    /// Returns a reader of its files, each a record.
    fn loose_files(&self, options: &Options) -> Result<LooseFiles> {
        match &self.place {
            Place::Folder { root, given } => LooseFiles::below(root, *given, options),
            Place::Files { files, given } => Ok(LooseFiles::these(files.clone(), *given, options)),
            Place::File(path) => {
                let files = vec![(self.name.clone(), path.clone())];
                Ok(LooseFiles::these(files, Some(self.format).into(), options))
            }
        }
    }

    fn writer_to<'a>(
        &self,
        sink: Box<dyn Sink + 'a>,
        copied: Option<(CopiedFiles, &'a dyn Files)>,
    ) -> Writer<'a> {
        Writer { sink, name: self.name.shown().to_owned(), copied }
    }

    /// Returns the state that its files must have after reading; loose files are looked at as they are read.
    fn seen(&self) -> Seen {
        match &self.place {
            Place::File(path) => Seen::File(path.clone(), self.stamp),
            Place::Folder { .. } | Place::Files { .. } => Seen::Loose(self.stamp),
        }
    }

    /// Begins to write loose files. They keep their paths; if there are other shards, these are below a folder of its
    /// name.
    fn loose_writer<'a>(
        &self,
        files: &'a dyn Files,
        options: &Options,
        writes: OutputForm,
    ) -> Result<Writer<'a>> {
        if writes != OutputForm::Records {
            return Err(Error::setting(format!(
                "the files of `{}` cannot be marked, as they have no place for a mark; remove duplicates \
                 from them, or ask for a report only",
                self.name.shown()
            )));
        }
        let from = match &self.place {
            Place::Folder { root, given } => {
                Some(SourceFolder { root: root.clone(), given: *given, beside: self.beside })
            }
            Place::File(_) | Place::Files { .. } => None,
        };
        let folder = if self.is_alone { PathBuf::new() } else { self.name.path().to_owned() };
        let packs = options.packs();
        Ok(self.writer_to(Box::new(LooseOut { files, folder, from, packs }), None))
    }
}

/// Reads a shard, batch by batch.
#[derive(Debug)]
pub struct Reader {
    source: Box<dyn Source>,
    /// Number of the next record.
    number: u64,
    /// Number of parts skipped so far.
    n_skipped: u64,
    /// The shard's name, to be shown.
    shard: String,
    seen: Seen,
    /// Maximum number of records that are read.
    limit: u64,
}

/// The state of the files of a shard when it was found.
#[derive(Debug)]
enum Seen {
    File(PathBuf, Stamp),
    /// Loose files, in their order.
    Loose(Stamp),
}

impl Reader {
    /// Fills `batch` with the next records; returns false, and an empty batch, at the end.
    ///
    /// # Errors
    /// If the shard cannot be read further, or if its files, when its end is reached, have changed since it was found.
    /// A record that cannot be read is not an error here: [`Batch::record`] returns it.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.first = self.number;
        batch.first_skipped = self.n_skipped;
        if self.number >= self.limit {
            batch.content.raw();
            return Ok(false);
        }
        let is_more = self.source.next(&mut batch.content)?;
        batch.truncate(usize::try_from(self.limit - self.number).unwrap_or(usize::MAX));
        self.number += batch.len() as u64;
        self.n_skipped += batch.skipped().1.len() as u64;
        if !is_more && !self.is_unchanged()? {
            return Err(changed(&self.shard));
        }
        Ok(is_more)
    }

    /// Decides the action on each row group, by the numbers of its records in the shard, counted from 0. Only a writer
    /// that [copies groups](Writer::copies_groups) can write what is then read; in formats without groups, there is
    /// nothing to decide.
    ///
    /// # Errors
    /// If `choose` fails.
    pub fn choose_groups(
        &mut self,
        mut choose: impl FnMut(Range<u64>) -> Result<GroupAction>,
    ) -> Result<()> {
        self.source.choose_groups(&mut choose)
    }

    /// Returns whether the files that were read are those that were found.
    fn is_unchanged(&self) -> Result<bool> {
        Ok(match &self.seen {
            Seen::File(path, then) => Stamp::from_path(path)? == *then,
            Seen::Loose(then) => self.source.stamp().is_none_or(|stamp| stamp == *then),
        })
    }
}

/// Returns the error for a shard that has changed since the run began.
pub fn changed(shard: &str) -> Error {
    Error::input(format!(
        "`{shard}` has changed since the run began: something writes to it; run again when it is \
         complete"
    ))
}

/// Writes a shard, batch by batch.
#[derive(Debug)]
pub struct Writer<'a> {
    sink: Box<dyn Sink + 'a>,
    name: String,
    /// Files that are copied with the shard, and the output's.
    copied: Option<(CopiedFiles, &'a dyn Files)>,
}

impl Writer<'_> {
    /// Returns whether it can copy the row groups of its shard as they are.
    pub fn copies_groups(&self) -> bool {
        self.sink.copies_groups()
    }

    /// Writes the next batch as the actions say. The action for a bad record is [`RecordAction::Remove`]; a bad loose
    /// file may stay as it is.
    ///
    /// # Errors
    /// If the disk refuses, or a record cannot be changed as it should be.
    ///
    /// # Panics
    /// If there is not one action for each record.
    pub fn write(&mut self, batch: &Batch, actions: &[RecordAction<'_>]) -> Result<()> {
        assert_eq!(batch.len(), actions.len(), "a action for each record");
        let wrong = |(i, reason): (usize, String)| {
            let (name, number) = (&self.name, batch.first + i as u64 + 1);
            Error::input(format!("record {number} of `{name}` cannot be changed: {reason}"))
        };
        let is_written = self.sink.write(&batch.content, actions, &wrong)?;
        // The empty batch at the end has nothing to write, whatever its format.
        if is_written || batch.is_empty() {
            return Ok(());
        }
        Err(Error::setting(format!("a batch of another format for `{}`", self.name)))
    }

    /// Ends the shard and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the disk refuses, or other files beside loose files have changed since they were found.
    pub fn finish(self) -> Result<()> {
        let is_same = self.sink.finish()?
            && self.copied.map_or(Ok(true), |(copied, files)| copied.copy(files))?;
        if is_same { Ok(()) } else { Err(changed(&self.name)) }
    }
}

//! A shard: where it is, how it is read, how it is written.

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};

use fanmill::{Error, Result};

use super::archived::Headers;
use super::batch::{Batch, Content, Parser};
use super::blocks::Blocks;
use super::clash::Clash;
use super::columns;
use super::columns_out::ColumnsOut;
use super::fields::Fields;
use super::lines::Lines;
use super::loose::{From, LooseFiles, LooseOut};
use super::name::Name;
use super::raw_out::{Files, RawOut};
use super::rows;
use super::stamp::Stamp;
use super::walk;
use super::warc::Archive;
use super::{Columns, Format, GroupAction, Options, Writes};
use crate::packing::Packing;
use crate::records::record::RecordAction;

/// Files or folders of records that are read and written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    name: Name,
    place: Place,
    format: Format,
    packing: Packing,
    /// The state of its files when it was found.
    stamp: Stamp,
    /// Whether it is the only one, so that the output is like it.
    is_alone: bool,
    /// Two of its files that are one in some places.
    clash: Option<Clash>,
    /// For loose files of a folder: what lies beside them, and is copied or left out.
    beside: Stamp,
}

/// Where a shard is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    File(PathBuf),
    /// Loose files below a folder.
    Folder {
        root: PathBuf,
        given: Option<Format>,
    },
    /// Loose files anywhere, by their names in the output, ascending.
    Files {
        files: Vec<(Name, PathBuf)>,
        given: Option<Format>,
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

    /// Identifies what lay beside its files when it was found.
    pub fn beside(&self) -> String {
        self.beside.to_string()
    }

    /// In words, what must be unchanged for a later run to reuse what was read. What lies beside its files was not
    /// read.
    pub fn identity(&self) -> String {
        let Shard { name, place, format, packing, stamp, is_alone, clash: _, beside: _ } = self;
        format!("{name:?} {place:?} {format} {packing:?} {stamp:?} {is_alone}")
    }

    pub(super) fn set_alone(&mut self) {
        self.is_alone = true;
    }

    /// Its path in the output, with slashes, to be shown; for loose files a word for all of them.
    pub fn name(&self) -> &str {
        self.name.shown()
    }

    /// Its path in the output; for loose files that of the folder that they are in, if there are
    /// other shards.
    pub fn path(&self) -> &Path {
        self.name.path()
    }

    /// The first parts of the paths in the output of all that is written of it.
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

    /// What it is made of.
    pub fn format(&self) -> Format {
        self.format
    }

    /// How it is packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Whether it can be written at the level that the options ask for.
    ///
    /// # Errors
    /// If its packing does not have that level. Loose files may be packed in any way.
    pub fn check_level(&self, options: &Options) -> Result<()> {
        let Some(level) = options.compression_level else { return Ok(()) };
        let any = [Packing::Gzip, Packing::Zstandard];
        let packings = if self.format.is_loose() { &any[..] } else { &[self.packing] };
        packings.iter().try_for_each(|packing| packing.check_level(level))
    }

    /// Bytes on the disk, packed as they are.
    pub fn bytes(&self) -> u64 {
        self.stamp.bytes
    }

    /// Reads it from its beginning.
    ///
    /// # Errors
    /// If it cannot be opened, or lacks what `options` ask for.
    pub fn reader(&self, options: &Options, columns: Columns) -> Result<Reader> {
        let source = match (&self.place, self.format) {
            (Place::File(path), Format::Jsonl) => {
                let blocks = Blocks::open(path, self.packing)?;
                Source::Lines(Lines::new(blocks, Parser::Json(Fields::new(options)), options))
            }
            (Place::File(path), Format::Csv | Format::Tsv) => {
                let delimiter = if self.format == Format::Csv { b',' } else { b'\t' };
                let mut blocks = Blocks::open(path, self.packing)?;
                let (table, beginning, n) = rows::header(&mut blocks, delimiter, options)?;
                let lines = Lines::new(blocks, Parser::Row(table), options);
                Source::Lines(lines.rows(delimiter, beginning, n))
            }
            (Place::File(path), Format::Parquet) => {
                Source::Columns(Box::new(columns::Rows::open(path, options, columns)?))
            }
            (Place::File(path), Format::Warc) => {
                let blocks = Blocks::open(path, self.packing)?;
                let parser = Parser::Archived(Headers::new(options));
                Source::Archive(Archive::new(blocks, parser, options))
            }
            (Place::Folder { root, given }, _) => {
                Source::Loose(Box::new(LooseFiles::below(root, *given, options)?))
            }
            (Place::Files { files, given }, _) => {
                Source::Loose(Box::new(LooseFiles::these(files.clone(), *given, options)))
            }
            (Place::File(path), Format::Text | Format::Html | Format::Document) => {
                let files = vec![(self.name.clone(), path.clone())];
                Source::Loose(Box::new(LooseFiles::these(files, Some(self.format), options)))
            }
        };
        let shard = self.name.shown().to_owned();
        Ok(Reader { source, number: 0, n_skipped: 0, shard, seen: self.seen() })
    }

    /// Writes it anew, to a file of its name or, if its files are loose, to a file for each.
    ///
    /// # Errors
    /// If the file cannot be made, or the format cannot have what is to be written.
    pub fn writer<'a>(
        &self,
        files: &'a dyn Files,
        options: &Options,
        writes: Writes,
    ) -> Result<Writer<'a>> {
        if self.format.is_loose() {
            return self.loose_writer(files, options, writes);
        }
        let path = self.name.path();
        if let (Place::File(input), Format::Parquet) = (&self.place, self.format) {
            let out = ColumnsOut::create(input, files, path, options, writes)?;
            return Ok(self.writer_to(Sink::Columns(Box::new(out))));
        }
        let is_table = matches!(self.format, Format::Csv | Format::Tsv);
        let marks_rows = is_table && writes == Writes::Marks;
        let packing = (self.packing, options.packs());
        Ok(self.writer_to(Sink::Raw(RawOut::create(files, path, packing, marks_rows)?)))
    }
}

impl Shard {
    /// Why its records cannot get another text; `None` if they can. Only names and beginnings are looked
    /// at.
    ///
    /// # Errors
    /// If it cannot be read, or lacks what `options` ask for.
    pub fn unchangeable(&self, options: &Options) -> Result<Option<String>> {
        let source = match (&self.place, self.format) {
            (Place::File(path), Format::Parquet) => return columns::unchangeable(path, options),
            (_, Format::Jsonl | Format::Csv | Format::Tsv) => return Ok(None),
            _ => self.reader(options, Columns::Needed)?.source,
        };
        match source {
            Source::Loose(mut files) => files.unchangeable(),
            Source::Archive(mut archive) => archive.unchangeable(),
            Source::Lines(_) | Source::Columns(_) => Ok(None),
        }
    }

    fn writer_to<'a>(&self, sink: Sink<'a>) -> Writer<'a> {
        Writer { sink, name: self.name.shown().to_owned() }
    }

    /// What its file is compared with after reading; loose files are looked at as they are read.
    fn seen(&self) -> Seen {
        match &self.place {
            Place::File(path) => Seen::File(path.clone(), self.stamp),
            Place::Folder { .. } | Place::Files { .. } => Seen::Loose(self.stamp),
        }
    }

    /// Files keep their paths; those of one shard among several go to a folder of its name.
    fn loose_writer<'a>(
        &self,
        files: &'a dyn Files,
        options: &Options,
        writes: Writes,
    ) -> Result<Writer<'a>> {
        if writes == Writes::Marks {
            return Err(Error::setting(format!(
                "the files of `{}` cannot be marked, as they have no place for a mark; remove duplicates \
                 from them, or ask for a report only",
                self.name.shown()
            )));
        }
        let from = match &self.place {
            Place::Folder { root, given } => {
                Some(From { root: root.clone(), given: *given, beside: self.beside })
            }
            Place::File(_) | Place::Files { .. } => None,
        };
        let folder = if self.is_alone { PathBuf::new() } else { self.name.path().to_owned() };
        let packs = options.packs();
        Ok(self.writer_to(Sink::Loose(LooseOut { files, folder, from, packs })))
    }
}

/// Reads a shard, batch by batch.
#[derive(Debug)]
pub struct Reader {
    source: Source,
    /// Of the next record.
    number: u64,
    /// What was skipped so far.
    n_skipped: u64,
    /// The shard's name, to be shown.
    shard: String,
    seen: Seen,
}

/// The state of the files of a shard when it was found.
#[derive(Debug)]
enum Seen {
    File(PathBuf, Stamp),
    /// Loose files, in their order.
    Loose(Stamp),
}

#[derive(Debug)]
enum Source {
    Lines(Lines),
    Columns(Box<columns::Rows>),
    Loose(Box<LooseFiles>),
    Archive(Archive),
}

impl Reader {
    /// Fills `batch` with the next records; false, and an empty batch, at the end.
    ///
    /// # Errors
    /// If the shard cannot be read on, or its files are at its end not what they were when it was
    /// found. A record that cannot be read is not an error here: [`Batch::record`] returns it.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.first = self.number;
        batch.first_skipped = self.n_skipped;
        let is_more = match &mut self.source {
            Source::Lines(lines) => lines.next(batch.content.raw())?,
            Source::Archive(archive) => archive.next(batch.content.raw())?,
            Source::Loose(files) => files.next(batch.content.raw())?,
            Source::Columns(rows) => {
                let table = rows.next()?;
                let is_more = table.is_some();
                batch.content = Content::Columns(table);
                is_more
            }
        };
        self.number += batch.len() as u64;
        self.n_skipped += batch.skipped().1.len() as u64;
        if !is_more && !self.is_unchanged()? {
            return Err(changed(&self.shard));
        }
        Ok(is_more)
    }

    /// Decides what becomes of each row group, by the numbers of its records in the shard, counted from 0. Only a
    /// writer that [copies groups](Writer::copies_groups) can write what is then read; in formats without groups there
    /// is nothing to decide.
    ///
    /// # Errors
    /// If `choose` fails.
    pub fn choose_groups(
        &mut self,
        choose: impl FnMut(Range<u64>) -> Result<GroupAction>,
    ) -> Result<()> {
        match &mut self.source {
            Source::Columns(rows) => rows.choose(choose),
            Source::Lines(_) | Source::Loose(_) | Source::Archive(_) => Ok(()),
        }
    }

    /// Whether the files that were read are those that were found.
    fn is_unchanged(&self) -> Result<bool> {
        Ok(match (&self.seen, &self.source) {
            (Seen::File(path, then), _) => Stamp::of(path)? == *then,
            (Seen::Loose(then), Source::Loose(files)) => files.stamp() == *then,
            (Seen::Loose(_), _) => true,
        })
    }
}

/// The error of a shard that has changed since the run began.
pub fn changed(shard: &str) -> Error {
    Error::input(format!(
        "`{shard}` has changed since the run began: something writes to it; run again when it is \
         complete"
    ))
}

/// Writes a shard, batch by batch.
#[derive(Debug)]
pub struct Writer<'a> {
    sink: Sink<'a>,
    name: String,
}

#[derive(Debug)]
enum Sink<'a> {
    Raw(RawOut),
    Columns(Box<ColumnsOut>),
    Loose(LooseOut<'a>),
}

impl Writer<'_> {
    /// Whether it can copy the row groups of its shard as they are.
    pub fn copies_groups(&self) -> bool {
        match &self.sink {
            Sink::Columns(out) => out.copies_groups(),
            Sink::Raw(_) | Sink::Loose(_) => false,
        }
    }

    /// Writes the next batch as the actions say. The action for a bad record is [`RecordAction::Remove`]; a bad loose
    /// file may stay as it is.
    ///
    /// # Errors
    /// If the disk refuses, or a record cannot be changed as it should.
    ///
    /// # Panics
    /// If there is not one action for each record.
    pub fn write(&mut self, batch: &Batch, actions: &[RecordAction<'_>]) -> Result<()> {
        assert_eq!(batch.len(), actions.len(), "a action for each record");
        let wrong = |(i, reason): (usize, String)| {
            let (name, number) = (&self.name, batch.first + i as u64 + 1);
            Error::input(format!("record {number} of `{name}` cannot be changed: {reason}"))
        };
        match (&mut self.sink, &batch.content) {
            (Sink::Raw(out), Content::Raw(raw)) => out.write(raw, actions, wrong),
            (Sink::Loose(out), Content::Raw(raw)) => out.write(raw, actions, wrong),
            (Sink::Columns(out), Content::Columns(Some(table))) => out.write(table, actions, wrong),
            // The empty batch at the end, or one of another shard.
            (_, _) if batch.is_empty() => Ok(()),
            (_, _) => Err(Error::setting(format!("a batch of another format for `{}`", self.name))),
        }
    }

    /// Ends the shard and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the disk refuses, or what lies beside loose files is not what it was when they were found.
    pub fn finish(self) -> Result<()> {
        match self.sink {
            Sink::Raw(out) => out.finish(),
            Sink::Columns(out) => out.finish(),
            Sink::Loose(out) if out.finish()? => Ok(()),
            Sink::Loose(_) => Err(changed(&self.name)),
        }
    }
}

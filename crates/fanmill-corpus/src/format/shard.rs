//! A shard: where it is, how it is read, how it is written.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fanmill::{Error, Result};

use super::archived::Headers;
use super::batch::{Batch, Content, Parser};
use super::blocks::Blocks;
use super::columns;
use super::columns_out::ColumnsOut;
use super::fields::Fields;
use super::lines::Lines;
use super::loose::{LooseFiles, LooseOut};
use super::raw_out::RawOut;
use super::rows;
use super::warc::Archive;
use super::{Format, Options};
use crate::packing::Packing;
use crate::record::Fate;

/// Files or folders of records that are read and written together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    name: String,
    place: Place,
    format: Format,
    packing: Packing,
    size: Size,
    /// Whether it is the only one, so that the output is like it.
    is_alone: bool,
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
        files: Vec<(String, PathBuf)>,
        given: Option<Format>,
    },
}

/// What tells whether a shard has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Size {
    pub(super) fn of(path: &Path) -> Result<Size> {
        let metadata = fs::metadata(path).map_err(|error| Error::io("look at", path, error))?;
        Ok(Size { bytes: metadata.len(), modified: metadata.modified().ok() })
    }

    /// Of several files, the sum and the latest.
    pub(super) fn add(&mut self, other: Size) {
        self.bytes += other.bytes;
        self.modified = self.modified.max(other.modified);
    }
}

/// Which columns of a table are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Those that records are made of. Such batches cannot be written.
    Needed,
    /// All.
    All,
}

/// What will be written to a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Records as they are, or with another text.
    Records,
    /// Records with marks: tables get columns for them.
    Marks,
}

impl Shard {
    pub(super) fn new(place: Place, format: Format, packing: Packing, size: Size) -> Shard {
        Shard { name: String::new(), place, format, packing, size, is_alone: false }
    }

    pub(super) fn set_name(&mut self, name: String) {
        self.name = name;
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn set_alone(&mut self) {
        self.is_alone = true;
    }

    /// Its path in the output, with slashes; for loose files a word for all of them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is made of.
    pub fn format(&self) -> Format {
        self.format
    }

    /// How it is packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Bytes on the disk, packed as they are.
    pub fn bytes(&self) -> u64 {
        self.size.bytes
    }

    /// When it was changed last, as far as that is known.
    pub fn modified(&self) -> Option<SystemTime> {
        self.size.modified
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
                Source::Loose(LooseFiles::below(root, *given, options)?)
            }
            (Place::Files { files, given }, _) => {
                Source::Loose(LooseFiles::these(files.clone(), *given, options))
            }
            (Place::File(path), Format::Text | Format::Html) => {
                let files = vec![(self.name.clone(), path.clone())];
                Source::Loose(LooseFiles::these(files, Some(self.format), options))
            }
        };
        Ok(Reader { source, number: 0 })
    }

    /// Writes it anew, below `folder`.
    ///
    /// # Errors
    /// If the file cannot be made, or the format cannot have what is to be written.
    pub fn writer(&self, folder: &Path, options: &Options, writes: Writes) -> Result<Writer> {
        if self.format.is_loose() {
            return self.loose_writer(folder, writes);
        }
        let path = folder.join(&self.name);
        if let (Place::File(input), Format::Parquet) = (&self.place, self.format) {
            let out = ColumnsOut::create(input, &path, options, writes)?;
            return Ok(Writer { sink: Sink::Columns(Box::new(out)), name: self.name.clone() });
        }
        let is_table = matches!(self.format, Format::Csv | Format::Tsv);
        let marks_rows = is_table && writes == Writes::Marks;
        let sink = Sink::Raw(RawOut::create(&path, self.packing, marks_rows)?);
        Ok(Writer { sink, name: self.name.clone() })
    }
}

impl Shard {
    /// Files keep their paths; those of one shard among several go to a folder of its name.
    fn loose_writer(&self, folder: &Path, writes: Writes) -> Result<Writer> {
        if writes == Writes::Marks {
            return Err(Error::setting(format!(
                "the files of `{}` cannot be marked, they have no place for it; remove duplicates \
                 from them, or have a report only",
                self.name
            )));
        }
        let folder = if self.is_alone { folder.to_owned() } else { folder.join(&self.name) };
        Ok(Writer { sink: Sink::Loose(LooseOut { folder }), name: self.name.clone() })
    }
}

/// Reads a shard, batch by batch.
#[derive(Debug)]
pub struct Reader {
    source: Source,
    /// Of the next record.
    number: u64,
}

#[derive(Debug)]
enum Source {
    Lines(Lines),
    Columns(Box<columns::Rows>),
    Loose(LooseFiles),
    Archive(Archive),
}

impl Reader {
    /// Fills `batch` with the next records; false, and an empty batch, at the end.
    ///
    /// # Errors
    /// If the shard cannot be read on. A record that cannot be read is no error:
    /// [`Batch::record`] tells.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool> {
        batch.first = self.number;
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
        Ok(is_more)
    }
}

/// Writes a shard, batch by batch.
#[derive(Debug)]
pub struct Writer {
    sink: Sink,
    name: String,
}

#[derive(Debug)]
enum Sink {
    Raw(RawOut),
    Columns(Box<ColumnsOut>),
    Loose(LooseOut),
}

impl Writer {
    /// Writes what the fates leave of the next batch. A bad record's fate is [`Fate::Remove`].
    ///
    /// # Errors
    /// If the disk refuses, or a record cannot be changed as it should.
    ///
    /// # Panics
    /// If there is not one fate for each record.
    pub fn write(&mut self, batch: &Batch, fates: &[Fate<'_>]) -> Result<()> {
        assert_eq!(batch.len(), fates.len(), "a fate for each record");
        let wrong = |(i, reason): (usize, String)| {
            let (name, number) = (&self.name, batch.first + i as u64);
            Error::input(format!("record {number} of `{name}` cannot be changed: {reason}"))
        };
        match (&mut self.sink, &batch.content) {
            (Sink::Raw(out), Content::Raw(raw)) => out.write(raw, fates, wrong),
            (Sink::Loose(out), Content::Raw(raw)) => out.write(raw, fates, wrong),
            (Sink::Columns(out), Content::Columns(Some(table))) => out.write(table, fates, wrong),
            // The empty batch at the end, or one of another shard.
            (_, _) if batch.is_empty() => Ok(()),
            (_, _) => Err(Error::setting(format!("a batch of another format for `{}`", self.name))),
        }
    }

    /// Ends the shard and makes sure that it is on the disk.
    ///
    /// # Errors
    /// If the disk refuses.
    pub fn finish(self) -> Result<()> {
        match self.sink {
            Sink::Raw(out) => out.finish(),
            Sink::Columns(out) => out.finish(),
            Sink::Loose(_) => Ok(()),
        }
    }
}

/// Copies an input that can be read only once into a file in `folder`, and says what it is: `given`,
/// or by its first bytes.
///
/// # Errors
/// If it cannot be copied, or nothing is known of it.
pub fn spool_stdin(folder: &Path, input: impl Read, options: &Options) -> Result<Shard> {
    let path = folder.join("stdin");
    let trouble = |error| Error::io("write", &path, error);
    let mut file = File::create(&path).map_err(trouble)?;
    let mut input = BufReader::new(input);
    io::copy(&mut input, &mut file)
        .map_err(|error| Error::io("copy standard input to", &path, error))?;
    file.flush().map_err(trouble)?;
    let mut shard = super::find::single(&path, options)?;
    let name = format!("stdin.{}{}", shard.format, shard.packing.extension());
    shard.set_name(name);
    Ok(shard)
}

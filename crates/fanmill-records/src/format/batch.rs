//! Batches: some records of a shard, as bytes, parsed one by one when they are asked for.

use fanmill_text::message::Message;
use std::fmt::Debug;
use std::sync::Arc;

use memchr::memchr_iter;

use super::OutputForm;
use super::cells::{self, Table, TableContent};
use super::text_file::LooseFile;
use crate::record::{BadRecord, Record, RecordAction, Skipped};

/// Some consecutive records of a shard.
///
/// Its memory is reused when it is filled again.
#[derive(Debug, Default)]
pub struct Batch {
    pub(super) first: u64,
    pub(super) first_skipped: u64,
    pub(super) content: Content,
}

/// Content of a batch.
#[derive(Debug)]
pub(super) enum Content {
    Raw(Raw),
    /// Rows of a file in columns; `None` at its end.
    Columns(Option<Table>),
}

impl Default for Content {
    fn default() -> Content {
        Content::Raw(Raw::default())
    }
}

/// A stretch of a shard, and the records in it.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub(super) bytes: Vec<u8>,
    /// Ascending, without overlap. Bytes between them are not part of a record.
    pub(super) items: Vec<Item>,
    pub(super) parser: Option<Arc<dyn Parser>>,
    /// Number of its first bytes that are the header of a table.
    pub(super) header: usize,
    /// Start of each separately packed record, even if it is not a document.
    pub(super) members: Vec<usize>,
    /// Parts that could have been documents, but are not.
    pub(super) skipped: Vec<Skipped>,
    /// For loose files: the file of each record.
    pub(super) files: Vec<LooseFile>,
    /// For loose files: number of further fields that are wanted; loose files have none.
    pub(super) n_extra: usize,
}

/// Place of a record.
#[derive(Debug)]
pub(super) struct Item {
    /// Its bytes in the batch, `start..end`; with what ends the record, `start..full_end`.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) full_end: usize,
    /// Position of its first byte in the unpacked shard.
    pub(super) offset: u64,
    /// The reason why it cannot be read, if finding it has shown that.
    pub(super) fault: Option<Box<str>>,
}

/// Reads and changes the bytes of a record.
pub(super) trait Parser: Debug + Send + Sync {
    /// Reads a record; a text that cannot be borrowed is put into `room`, if that is given.
    fn parse<'a>(
        &self,
        record: &'a [u8],
        room: Option<&'a mut Vec<u8>>,
    ) -> Result<Record<'a>, String>;

    /// Appends the header of a table, with columns for marks.
    fn mark_header(&self, _header: &[u8], _writes: OutputForm, _out: &mut Vec<u8>) {}

    /// Appends the record as `action` says, without its line end.
    fn edit(
        &self,
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), String>;

    /// Returns the reason why a record cannot get another text; `None` if it can.
    fn unchangeable(&self, _record: &[u8]) -> Option<&'static str> {
        None
    }
}

impl Batch {
    /// Creates an empty batch, to be filled.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Returns the number of bytes of memory that its records take.
    pub fn n_bytes(&self) -> usize {
        match &self.content {
            Content::Raw(raw) => raw.bytes.len(),
            Content::Columns(table) => {
                table.as_ref().map_or(0, |table| cells::n_bytes(&table.rows))
            }
        }
    }

    /// Returns the number of its records, which may be 0 even in the middle of a shard.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Raw(raw) => raw.items.len(),
            Content::Columns(table) => table.as_ref().map_or(0, |table| table.rows.num_rows()),
        }
    }

    /// Leaves out all records but the first `n`.
    pub(super) fn truncate(&mut self, n: usize) {
        match &mut self.content {
            Content::Raw(raw) => raw.items.truncate(n),
            Content::Columns(Some(table)) if n < table.rows.num_rows() => {
                table.rows = table.rows.slice(0, n);
            }
            Content::Columns(_) => {}
        }
    }

    /// Returns whether it has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number in the shard, from 0, of the first record.
    pub fn first_number(&self) -> u64 {
        self.first
    }

    /// Returns what was skipped between its records, before and behind them: the number in the shard, from 0, of the
    /// first skipped part, and all skipped parts.
    pub fn skipped(&self) -> (u64, &[Skipped]) {
        let skipped = match &self.content {
            Content::Raw(raw) => &*raw.skipped,
            Content::Columns(_) => &[],
        };
        (self.first_skipped, skipped)
    }

    /// Returns the start of a record, in bytes of the unpacked shard; `None` where a format has no such position.
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn offset(&self, i: usize) -> Option<u64> {
        match &self.content {
            Content::Raw(raw) => Some(raw.items[i].offset),
            Content::Columns(_) => None,
        }
    }

    /// Returns the bytes of a record as they are in the shard, without what ends it (a line feed); `None` where a
    /// format has none, or where it was too large to be held.
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn raw(&self, i: usize) -> Option<&[u8]> {
        match &self.content {
            Content::Raw(raw) => {
                let Item { start, end, .. } = raw.items[i];
                (start < end).then(|| &raw.bytes[start..end])
            }
            Content::Columns(_) => None,
        }
    }

    /// Returns whether the bytes or values of a record are here, so that it can be written even if it cannot be read.
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn holds(&self, i: usize) -> bool {
        match &self.content {
            Content::Raw(_) => self.raw(i).is_some(),
            Content::Columns(table) => {
                table.as_ref().is_some_and(|table| table.holds == TableContent::Values)
            }
        }
    }

    /// Returns the number of line feeds before each of some records, ascending, and in the whole batch; `None` where a
    /// format has no lines.
    ///
    /// # Panics
    /// If there is no record of such a number.
    pub fn line_feeds_before(&self, records: &[usize]) -> Option<(Vec<u64>, u64)> {
        let Content::Raw(raw) = &self.content else { return None };
        let count = |bytes: &[u8]| memchr_iter(b'\n', bytes).count() as u64;
        let (mut at, mut n, mut before) = (0, 0, Vec::with_capacity(records.len()));
        for &i in records {
            let start = raw.items[i].start;
            n += count(&raw.bytes[at..start]);
            at = start;
            before.push(n);
        }
        Some((before, n + count(&raw.bytes[at..])))
    }

    /// Returns the reason why a record cannot get another text, unless the reason holds for the whole shard; `None` if
    /// it can, or is bad.
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn unchangeable(&self, i: usize) -> Option<&'static str> {
        match &self.content {
            Content::Raw(raw) => raw.unchangeable(i),
            Content::Columns(_) => None,
        }
    }

    /// Parses a record.
    ///
    /// # Errors
    /// If it cannot be read. That need not end the run.
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn record(&self, i: usize) -> Result<Record<'_>, BadRecord> {
        self.record_with(i, None)
    }

    /// Parses one of many records after each other: a text that cannot be borrowed from the batch is put into `room`,
    /// whose memory is reused.
    ///
    /// # Errors
    /// As [`Batch::record`].
    ///
    /// # Panics
    /// If there is no record `i`.
    pub fn record_in<'a>(
        &'a self,
        i: usize,
        room: &'a mut Vec<u8>,
    ) -> Result<Record<'a>, BadRecord> {
        self.record_with(i, Some(room))
    }

    fn record_with<'a>(
        &'a self,
        i: usize,
        room: Option<&'a mut Vec<u8>>,
    ) -> Result<Record<'a>, BadRecord> {
        let record = match &self.content {
            Content::Raw(raw) => raw.record(i, room),
            Content::Columns(table) => {
                table.as_ref().expect("there is a record").parse(i).map_err(Message::from)
            }
        };
        record.map_err(|reason| BadRecord {
            number: self.first + i as u64,
            offset: self.offset(i),
            reason,
        })
    }
}

impl Raw {
    /// Adds a record.
    pub(super) fn push(
        &mut self,
        start: usize,
        end: usize,
        full_end: usize,
        offset: u64,
        fault: Option<String>,
    ) {
        let fault = fault.map(Into::into);
        self.items.push(Item { start, end, full_end, offset, fault });
    }

    /// Removes all records, to make room for others.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.items.clear();
        self.header = 0;
        self.members.clear();
        self.skipped.clear();
        self.files.clear();
    }

    fn unchangeable(&self, i: usize) -> Option<&'static str> {
        let item = &self.items[i];
        if item.fault.is_some() {
            return None;
        }
        if let Some(file) = self.files.get(i) {
            return file.unchangeable();
        }
        self.parser().unchangeable(&self.bytes[item.start..item.end])
    }

    /// Returns the parser of its records.
    pub(super) fn parser(&self) -> &dyn Parser {
        self.parser.as_deref().expect("adding records sets the parser")
    }

    fn record<'a>(
        &'a self,
        i: usize,
        room: Option<&'a mut Vec<u8>>,
    ) -> Result<Record<'a>, Message> {
        let item = &self.items[i];
        if let Some(fault) = &item.fault {
            return Err((&**fault).into());
        }
        if let Some(file) = self.files.get(i) {
            return file.parse(&self.bytes[item.start..item.end], self.n_extra);
        }
        Ok(self.parser().parse(&self.bytes[item.start..item.end], room)?)
    }
}

impl Content {
    /// Returns the content as an empty stretch of bytes.
    pub(super) fn raw(&mut self) -> &mut Raw {
        if !matches!(self, Content::Raw(_)) {
            *self = Content::default();
        }
        let Content::Raw(raw) = self else { unreachable!("it has just been made one") };
        raw.clear();
        raw
    }
}

//! Records that failed, written beside the output: nothing that was put in is lost.
//!
//! `failed/` has a file of the shard's name and format with the records themselves, as they are in the shard, so that they
//! can be mended and read again. `failed.parquet` says why each of them failed:
//!
//! | column | is |
//! |---|---|
//! | `shard`, `record` | the record; records are counted from 1 |
//! | `line`, `byte` | where it begins in the unpacked file, lines from 1 and bytes from 0; null where a format has none |
//! | `reason` | the fault |
//! | `is_written` | true if the record is in `failed/`; a file of texts stays in the output instead, and a ZIM file cannot be written |
//!
//! Cost: one more reading of the shards that have such records.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, StringArray, UInt64Array};
use fanmill_disk::replace::DiskFile;
use fanmill_text::Result;

use super::bad::BadRecords;
use super::corpus::{Corpus, Starts};
use super::staging::Staging;
use super::steps::Steps;
use crate::table::{Columns, Table};
use fanmill_records::RecordAction;
use fanmill_records::format::{self, Batch, Files, OutputForm};

/// Name of the table, and of the folder without its ending.
const TABLE: &str = "failed.parquet";
const FOLDER: &str = "failed";
/// Rows that are written together.
const TOGETHER: usize = 4096;

/// Writes the records of the corpus that are bad, if there are any.
///
/// # Errors
/// If they cannot be read again, or the disk refuses.
pub(crate) fn write(
    corpus: &Corpus<'_>,
    starts: &Starts,
    bad: &BadRecords,
    (staging, steps): (&Staging, &Steps<'_>),
) -> Result<()> {
    if bad.n() == 0 || !staging.has_output() {
        return Ok(());
    }
    let table = Table::create(staging.make_extra(TABLE)?, Rows::default().columns())?;
    let mut writing = Writing { corpus, starts, bad, staging, steps, table, rows: Rows::default() };
    for index in corpus.n_references..corpus.shards.len() {
        if bad.any(starts.of(index)) {
            writing.shard(index)?;
        }
    }
    writing.flush()?;
    writing.table.finish()
}

struct Writing<'a> {
    corpus: &'a Corpus<'a>,
    starts: &'a Starts,
    bad: &'a BadRecords,
    staging: &'a Staging,
    steps: &'a Steps<'a>,
    table: Table,
    rows: Rows,
}

impl Writing<'_> {
    fn shard(&mut self, index: usize) -> Result<()> {
        let Writing { corpus, starts, staging, steps, .. } = *self;
        let shard = &corpus.shards[index];
        let files = Below(staging);
        let is_written =
            !shard.format().is_loose() && shard.check_output(OutputForm::Alone).is_ok();
        let alone = || shard.writer(&files, corpus.options, OutputForm::Alone);
        let mut writer = if is_written { Some(alone()?) } else { None };
        let columns = format::Columns::All;
        let mut n_line_feeds = 0;
        let bad = self.bad;
        let make = |_: u32, _: &Batch| Ok(());
        let write = |first: u32, batch: &Batch, ()| {
            let own = bad.among(first..first + batch.len() as u32);
            let lines = batch.line_feeds_before(&own).filter(|_| shard.format().has_lines());
            for (place, &i) in own.iter().enumerate() {
                let Err(found) = batch.record(i) else { continue };
                self.rows.shard.push(shard.name().to_owned());
                self.rows.record.push(found.number + 1);
                let before = lines.as_ref().map(|(before, _)| before[place]);
                self.rows.line.push(before.map(|before| n_line_feeds + before + 1));
                self.rows.byte.push(found.offset);
                self.rows.reason.push(found.reason.to_string());
                self.rows.is_written.push(is_written && batch.holds(i));
            }
            n_line_feeds += lines.map_or(0, |(_, all)| all);
            if let Some(writer) = &mut writer {
                let mut actions = vec![RecordAction::Remove; batch.len()];
                for i in own.into_iter().filter(|&i| batch.holds(i)) {
                    actions[i] = RecordAction::Keep;
                }
                writer.write(batch, &actions)?;
            }
            if self.rows.record.len() >= TOGETHER { self.flush() } else { Ok(()) }
        };
        corpus.walk_again(starts, index, columns, steps, make, write)?;
        writer.map_or(Ok(()), format::Writer::finish)
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        self.table.append(rows.columns())
    }
}

/// Rows of the table.
#[derive(Default)]
struct Rows {
    shard: Vec<String>,
    record: Vec<u64>,
    line: Vec<Option<u64>>,
    byte: Vec<Option<u64>>,
    reason: Vec<String>,
    is_written: Vec<bool>,
}

impl Rows {
    fn columns(self) -> Columns {
        let Rows { shard, record, line, byte, reason, is_written } = self;
        let columns: [(&str, ArrayRef); 6] = [
            ("shard", Arc::new(StringArray::from(shard))),
            ("record", Arc::new(UInt64Array::from(record))),
            ("line", Arc::new(UInt64Array::from(line))),
            ("byte", Arc::new(UInt64Array::from(byte))),
            ("reason", Arc::new(StringArray::from(reason))),
            ("is_written", Arc::new(BooleanArray::from(is_written))),
        ];
        columns.into_iter().map(|(name, column)| (name.to_owned(), column)).collect()
    }
}

/// Makes files below the folder of records that failed.
#[derive(Debug)]
struct Below<'a>(&'a Staging);

impl Files for Below<'_> {
    fn make(&self, name: &Path) -> Result<DiskFile> {
        self.0.make_extra(Path::new(FOLDER).join(name)).map(|(file, _)| file)
    }

    fn sync_all(&self) -> Result<()> {
        Ok(())
    }
}

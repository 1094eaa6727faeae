//! Writing of Parquet: the rows that stay, with the schema, metadata and codecs of their file.
//!
//! Rows are gathered into row groups, and several of these are encoded at once, each column by itself. Row groups whose
//! rows all stay are copied, if they have the schema that is written.
//!
//! Cost: memory for the rows of the groups that are encoded together, and for their encoded form.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use fanmill_disk::replace::DiskFile;
use fanmill_text::{Error, Result};
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowLeafColumn, ArrowRowGroupWriterFactory,
    compute_leaves,
};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter};
use parquet::basic::{Encoding, PageType};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use super::cells::{self, Table, TableContent};
use super::fault::{ReadResult, guarded};
use super::kept_rows::{KeptRows, lost, refused};
use super::parquet_file::{PARQUET, open};
use super::raw_out::Files;
use super::{Options, OutputForm};
use crate::record::RecordAction;

/// Number of rows of a group, where the input does not say.
const GROUP_ROWS: usize = 1 << 20;
/// Size of a group's rows in memory, in batches; a few more may be added.
const GROUP_BATCHES: usize = 8;
/// Maximum number of groups that are encoded at once.
const MOST_GROUPS: usize = 4;

/// A writer of the rows of a shard.
pub(super) struct ColumnsOut {
    input: File,
    metadata: ArrowReaderMetadata,
    out: SerializedFileWriter<DiskFile>,
    factory: ArrowRowGroupWriterFactory,
    /// The form of the rows.
    rows: KeptRows,
    /// Maximum number of rows and of bytes of a group.
    most: (usize, usize),
    /// Groups that are not encoded yet; the last one may not be full.
    groups: Vec<Group>,
    /// The group of the input that was copied last.
    copied: Option<usize>,
}

/// Rows that are to become a row group.
#[derive(Default)]
struct Group {
    batches: Vec<RecordBatch>,
    n_rows: usize,
    n_bytes: usize,
}

type Parquet<T> = std::result::Result<T, ParquetError>;

impl std::fmt::Debug for ColumnsOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnsOut").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// Returns the properties of the output, which are those of the input.
fn properties(metadata: &ParquetMetaData) -> WriterProperties {
    let own = metadata.file_metadata();
    // The schema of Arrow is written anew, with columns for marks.
    let is_ours = |entry: &&KeyValue| entry.key != ARROW_SCHEMA_META_KEY;
    let entries = own.key_value_metadata().map(|all| all.iter().filter(is_ours).cloned().collect());
    let mut builder = WriterProperties::builder().set_key_value_metadata(entries);
    if let Some(group) = metadata.row_groups().first() {
        for (i, column) in group.columns().iter().enumerate() {
            let (codec, path) = (column.compression(), column.column_path());
            if i == 0 {
                builder = builder.set_compression(codec);
            }
            builder = builder
                .set_column_compression(path.clone(), codec)
                .set_column_dictionary_enabled(path.clone(), has_dictionary(column));
        }
    }
    builder.build()
}

/// Returns whether values repeat so often that most pages refer to a dictionary. Texts rarely do, and looking each of
/// them up takes longer than writing it.
fn has_dictionary(column: &ColumnChunkMetaData) -> bool {
    let of_pages = column.page_encoding_stats().map(|pages| {
        let count = |is_wanted: &dyn Fn(Encoding) -> bool| -> i64 {
            let data = pages.iter().filter(|page| page.page_type != PageType::DICTIONARY_PAGE);
            data.filter(|page| is_wanted(page.encoding)).map(|page| i64::from(page.count)).sum()
        };
        2 * count(&|encoding| encoding == Encoding::RLE_DICTIONARY) >= count(&|_| true)
    });
    column.dictionary_page_offset().is_some() && of_pages.unwrap_or(true)
}

impl ColumnsOut {
    /// Begins to write to `path` what is read from `input`.
    ///
    /// # Errors
    /// If the input's metadata cannot be read, or the file cannot be made.
    pub(super) fn create(
        input: &Path,
        files: &dyn Files,
        path: &Path,
        options: &Options,
        writes: OutputForm,
    ) -> ReadResult<ColumnsOut> {
        let (input, metadata) = open(input)?;
        let kept = KeptRows::new(metadata.schema(), writes, path);
        let properties = properties(metadata.metadata());
        let schema = Arc::clone(&kept.schema);
        let out = ArrowWriter::try_new(files.make(path)?, schema, Some(properties));
        let parts = out.and_then(ArrowWriter::into_serialized_writer);
        let (out, factory) = parts.map_err(|error| refused(path, &error))?;
        let rows = metadata.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).max();
        let rows = rows.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(GROUP_ROWS);
        let most = (rows.max(1), options.batch_bytes.saturating_mul(GROUP_BATCHES).max(1));
        let (groups, copied) = (Vec::new(), None);
        Ok(ColumnsOut { input, metadata, out, factory, rows: kept, most, groups, copied })
    }

    /// Returns whether groups of the input fit into the output as they are.
    pub(super) fn copies_groups(&self) -> bool {
        let (read, written) = (self.metadata.parquet_schema(), self.out.schema_descr());
        self.rows.writes == OutputForm::Records && read.columns() == written.columns()
    }

    /// Writes what the actions leave; `wrong` makes an error from a row's number and a reason.
    pub(super) fn write(
        &mut self,
        table: &Table,
        actions: &[RecordAction<'_>],
        wrong: &dyn Fn((usize, String)) -> Error,
    ) -> Result<()> {
        match &table.holds {
            TableContent::Values => {}
            // Bad records are all left out, and their values have not been read.
            TableContent::TooLong => return Ok(()),
            TableContent::Needed(group) | TableContent::Nothing(group) => return self.copy(*group),
            TableContent::Damaged(what) => return lost(what, actions).map_err(wrong),
        }
        let rows = self.rows.of(table, actions, wrong)?;
        self.gather(rows)
    }

    /// Copies a row group of the input, unless it has just been copied.
    fn copy(&mut self, group: usize) -> Result<()> {
        if self.copied.replace(group) == Some(group) {
            return Ok(());
        }
        self.encode()?;
        let ColumnsOut { input, metadata, out, rows, .. } = self;
        let group = metadata.metadata().row_group(group);
        let copied = guarded(|| {
            let mut copy = out.next_row_group()?;
            for column in group.columns() {
                copy.append_column(input, as_it_is(column, group.num_rows()))?;
            }
            copy.close().map(drop)
        });
        copied.map_err(|fault| fault.into_error(&rows.path, PARQUET))
    }

    /// Puts rows into groups, and encodes the groups when there are enough for all threads.
    fn gather(&mut self, mut rows: RecordBatch) -> Result<()> {
        let (most_rows, most_bytes) = self.most;
        let is_full = |group: &Group| group.n_rows >= most_rows || group.n_bytes >= most_bytes;
        while rows.num_rows() > 0 {
            if self.groups.last().is_none_or(is_full) {
                if self.groups.len() >= rayon::current_num_threads().min(MOST_GROUPS) {
                    self.encode()?;
                }
                self.groups.push(Group::default());
            }
            let group = self.groups.last_mut().expect("there is one that is not full");
            let n = rows.num_rows().min(most_rows - group.n_rows);
            let part = rows.slice(0, n);
            rows = rows.slice(n, rows.num_rows() - n);
            group.n_rows += n;
            group.n_bytes += cells::n_bytes(&part);
            group.batches.push(part);
        }
        Ok(())
    }

    /// Encodes and writes the groups that were gathered.
    fn encode(&mut self) -> Result<()> {
        let n_before = self.out.flushed_row_groups().len();
        let ColumnsOut { factory, rows, out, groups, .. } = self;
        let encoded = std::mem::take(groups).into_par_iter().enumerate().map(|(i, group)| {
            encoded(&group, &rows.schema, factory.create_column_writers(n_before + i)?)
        });
        let written = encoded.collect::<Parquet<Vec<Vec<ArrowColumnChunk>>>>().and_then(|groups| {
            groups.into_iter().try_for_each(|columns| {
                let mut group = out.next_row_group()?;
                for column in columns {
                    column.append_to_row_group(&mut group)?;
                }
                group.close().map(drop)
            })
        });
        written.map_err(|error| refused(&self.rows.path, &error))
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.encode()?;
        let file = self.out.into_inner().map_err(|error| refused(&self.rows.path, &error))?;
        file.sync().map_err(|error| Error::io("write", &self.rows.path, error))
    }
}

/// Encodes each column of a row group.
fn encoded(
    group: &Group,
    schema: &SchemaRef,
    writers: Vec<ArrowColumnWriter>,
) -> Parquet<Vec<ArrowColumnChunk>> {
    let mut columns: Vec<Vec<ArrowLeafColumn>> = writers.iter().map(|_| Vec::new()).collect();
    for batch in &group.batches {
        let mut columns = columns.iter_mut();
        for (field, values) in schema.fields().iter().zip(batch.columns()) {
            let leaves = compute_leaves(field, values)?;
            leaves.into_iter().zip(&mut columns).for_each(|(leaf, column)| column.push(leaf));
        }
    }
    let writers = writers.into_par_iter().zip(columns);
    let encoded = writers.map(|(mut writer, leaves)| {
        leaves.iter().try_for_each(|leaf| writer.write(leaf))?;
        writer.close()
    });
    encoded.collect()
}

/// Returns for a copied column what a writer returns for one that it has written.
fn as_it_is(column: &ColumnChunkMetaData, n_rows: i64) -> ColumnCloseResult {
    ColumnCloseResult {
        bytes_written: u64::try_from(column.compressed_size()).unwrap_or(0),
        rows_written: u64::try_from(n_rows).unwrap_or(0),
        metadata: column.clone(),
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    }
}

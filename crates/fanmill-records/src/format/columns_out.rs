//! Writing of Parquet: the rows that stay, with the schema, metadata and codecs of their file.
//!
//! Rows are gathered into row groups, and several of these are encoded at once, each column by itself. Row groups whose
//! rows all stay are copied, if they have the schema that is written.
//!
//! Cost: memory for the rows of the groups that are encoded together, and for their encoded form.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_array::{BinaryViewArray, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
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
use super::parquet_file::{ReadResult, guarded, open};
use super::raw_out::Files;
use super::rows::{MARKS, RUN_MARKS, is_mark};
use super::{Options, OutputForm, lower};
use crate::record::{Mark, RecordAction};

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
    path: PathBuf,
    schema: SchemaRef,
    writes: OutputForm,
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
        f.debug_struct("ColumnsOut").field("path", &self.path).finish_non_exhaustive()
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

/// Returns a schema without the columns of marks of an earlier run, and with new ones.
fn with_marks(schema: &SchemaRef, writes: OutputForm) -> SchemaRef {
    let own = schema.fields().iter().filter(|field| !is_mark(field.name()));
    let mut fields: Vec<Arc<Field>> = own.cloned().collect();
    let list = |kind| DataType::List(Arc::new(Field::new_list_field(kind, true)));
    let new = if writes == OutputForm::RunMarks {
        RUN_MARKS.iter().zip(vec![list(list(DataType::Int64)), DataType::Int64])
    } else {
        let kinds = vec![DataType::Int64, DataType::Utf8, DataType::Float64, DataType::Float64];
        MARKS.iter().zip(kinds)
    };
    fields.extend(new.map(|(name, kind)| Arc::new(Field::new(*name, kind, true))));
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
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
        let schema = match writes {
            OutputForm::Records | OutputForm::Alone => Arc::clone(metadata.schema()),
            OutputForm::Marks | OutputForm::RunMarks => with_marks(metadata.schema(), writes),
        };
        let properties = properties(metadata.metadata());
        let out = ArrowWriter::try_new(files.make(path)?, Arc::clone(&schema), Some(properties));
        let parts = out.and_then(ArrowWriter::into_serialized_writer);
        let (out, factory) = parts.map_err(|error| refused(path, &error))?;
        let rows = metadata.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).max();
        let rows = rows.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(GROUP_ROWS);
        let most = (rows.max(1), options.batch_bytes.saturating_mul(GROUP_BATCHES).max(1));
        let (path, groups) = (path.to_owned(), Vec::new());
        let copied = None;
        Ok(ColumnsOut { input, metadata, out, factory, path, schema, writes, most, groups, copied })
    }

    /// Returns whether groups of the input fit into the output as they are.
    pub(super) fn copies_groups(&self) -> bool {
        let (read, written) = (self.metadata.parquet_schema(), self.out.schema_descr());
        self.writes == OutputForm::Records && read.columns() == written.columns()
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
        let mut rows = with_texts(table, actions).map_err(wrong)?;
        if matches!(self.writes, OutputForm::Marks | OutputForm::RunMarks) {
            rows = self.mark(&rows, actions).map_err(|error| refused(&self.path, &error))?;
        }
        let stays: BooleanArray =
            actions.iter().map(|action| Some(*action != RecordAction::Remove)).collect();
        if stays.true_count() < stays.len() {
            rows = filter_record_batch(&rows, &stays).map_err(|e| refused(&self.path, &e))?;
        }
        self.gather(rows)
    }

    /// Copies a row group of the input, unless it has just been copied.
    fn copy(&mut self, group: usize) -> Result<()> {
        if self.copied.replace(group) == Some(group) {
            return Ok(());
        }
        self.encode()?;
        let ColumnsOut { input, metadata, out, path, .. } = self;
        let group = metadata.metadata().row_group(group);
        let copied = guarded(|| {
            let mut copy = out.next_row_group()?;
            for column in group.columns() {
                copy.append_column(input, as_it_is(column, group.num_rows()))?;
            }
            copy.close().map(drop)
        });
        copied.map_err(|fault| fault.into_error(path))
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
        let ColumnsOut { factory, schema, out, groups, .. } = self;
        let encoded = std::mem::take(groups).into_par_iter().enumerate().map(|(i, group)| {
            encoded(&group, schema, factory.create_column_writers(n_before + i)?)
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
        written.map_err(|error| refused(&self.path, &error))
    }

    fn mark(
        &self,
        rows: &RecordBatch,
        actions: &[RecordAction<'_>],
    ) -> std::result::Result<RecordBatch, arrow_schema::ArrowError> {
        let new = match self.writes {
            OutputForm::RunMarks => run_marks(actions),
            _ => marks(actions),
        };
        let schema = rows.schema();
        let own = schema.fields().iter().zip(rows.columns());
        let own = own.filter(|(field, _)| !is_mark(field.name()));
        let columns = own.map(|(_, column)| Arc::clone(column)).chain(new).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.encode()?;
        let file = self.out.into_inner().map_err(|error| refused(&self.path, &error))?;
        file.sync().map_err(|error| Error::io("write", &self.path, error))
    }
}

/// Returns the columns of marks.
fn marks(actions: &[RecordAction<'_>]) -> Vec<ArrayRef> {
    let marks = || {
        actions.iter().map(|action| match action {
            RecordAction::Mark(mark) => mark.as_ref(),
            _ => None,
        })
    };
    let cluster = |mark: &Mark<'_>| i64::try_from(mark.cluster).unwrap_or(i64::MAX);
    vec![
        Arc::new(marks().map(|mark| mark.map(cluster)).collect::<Int64Array>()),
        Arc::new(marks().map(|mark| mark?.duplicate_of).collect::<StringArray>()),
        Arc::new(marks().map(|mark| Some(mark?.resemblance)).collect::<Float64Array>()),
        Arc::new(marks().map(|mark| Some(mark?.containment)).collect::<Float64Array>()),
    ]
}

/// Returns the columns of marks of runs.
fn run_marks(actions: &[RecordAction<'_>]) -> Vec<ArrayRef> {
    let mut runs = ListBuilder::new(ListBuilder::new(Int64Builder::new()));
    let mut words_left = Int64Builder::new();
    for action in actions {
        let mark = match action {
            RecordAction::MarkRuns(mark) => mark.as_ref(),
            _ => None,
        };
        for run in mark.map_or(&[][..], |mark| &mark.runs) {
            let pair = [run.start, run.end].map(|at| Some(i64::from(at)));
            runs.values().append_value(pair);
        }
        runs.append(mark.is_some());
        words_left.append_option(mark.map(|mark| i64::from(mark.words_left)));
    }
    vec![Arc::new(runs.finish()), Arc::new(words_left.finish())]
}

/// Leaves out rows that damage has made unreadable.
///
/// # Errors
/// If one of them is to stay, since only columns that were not read before are damaged.
fn lost(what: &str, actions: &[RecordAction<'_>]) -> std::result::Result<(), (usize, String)> {
    let stays = actions.iter().position(|action| *action != RecordAction::Remove);
    stays.map_or(Ok(()), |at| Err((at, what.to_owned())))
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

/// Returns the error for something that could not be written.
fn refused(path: &Path, error: &impl std::fmt::Display) -> Error {
    Error::io("write", path, std::io::Error::other(lower(error)))
}

/// Returns the rows with the texts that the actions give them.
fn with_texts(
    table: &Table,
    actions: &[RecordAction<'_>],
) -> std::result::Result<RecordBatch, (usize, String)> {
    let Some(at) = actions.iter().position(|action| matches!(action, RecordAction::Text(_))) else {
        return Ok(table.rows.clone());
    };
    let wrong = |reason: &str| (at, reason.to_owned());
    let column = table.text_column().ok_or_else(|| wrong("its text is inside of a struct"))?;
    let old = table.rows.column(column);
    let new =
        replaced(old, actions).ok_or_else(|| wrong("its text is not in a column of strings"))?;
    let mut columns = table.rows.columns().to_vec();
    columns[column] = new;
    RecordBatch::try_new(table.rows.schema(), columns).map_err(|error| wrong(&lower(&error)))
}

/// Returns a column of the same type with the texts that the actions give; `None` if its type has no text.
fn replaced(old: &ArrayRef, actions: &[RecordAction<'_>]) -> Option<ArrayRef> {
    macro_rules! column {
        ($type:ty, $bytes:expr) => {{
            let old = old.as_any().downcast_ref::<$type>()?;
            let values = actions.iter().enumerate().map(|(row, action)| match action {
                RecordAction::Text(text) => Some($bytes(text)),
                _ => old.is_valid(row).then(|| old.value(row)),
            });
            Some(Arc::new(values.collect::<$type>()) as ArrayRef)
        }};
    }
    match old.data_type() {
        DataType::Utf8 => column!(StringArray, AsRef::as_ref),
        DataType::LargeUtf8 => column!(LargeStringArray, AsRef::as_ref),
        DataType::Utf8View => column!(StringViewArray, AsRef::as_ref),
        DataType::Binary => column!(BinaryArray, str::as_bytes),
        DataType::LargeBinary => column!(LargeBinaryArray, str::as_bytes),
        DataType::BinaryView => column!(BinaryViewArray, str::as_bytes),
        _ => None,
    }
}

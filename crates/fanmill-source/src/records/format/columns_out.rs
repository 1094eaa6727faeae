//! Parquet, written: the rows that stay, with the schema, metadata and codecs of their file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::replace::DiskFile;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Float64Array, Int64Array, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_array::{BinaryViewArray, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use fanmill::{Error, Result};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;

use super::cells::Table;
use super::parquet_file::open;
use super::raw_out::Files;
use super::rows::MARKS;
use super::{Options, Writes, lower};
use crate::records::record::{Mark, RecordAction};

/// Rows of a group, where the input does not say.
const GROUP_ROWS: usize = 1 << 20;
/// A row group of the output is held in memory until it is full: this many batches.
const GROUP_BATCHES: usize = 4;

/// Writes the rows of a shard.
pub(super) struct ColumnsOut {
    out: ArrowWriter<DiskFile>,
    path: PathBuf,
    schema: SchemaRef,
    writes: Writes,
}

impl std::fmt::Debug for ColumnsOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ColumnsOut").field("path", &self.path).finish_non_exhaustive()
    }
}

/// How the output is written: as the input was.
fn properties(metadata: &ParquetMetaData, options: &Options) -> WriterProperties {
    let groups = metadata.row_groups();
    let rows = groups.iter().map(|group| usize::try_from(group.num_rows()).unwrap_or(0)).max();
    let own = metadata.file_metadata();
    // The schema of Arrow is written anew, with the columns for marks.
    let is_ours = |entry: &&KeyValue| entry.key != ARROW_SCHEMA_META_KEY;
    let entries = own.key_value_metadata().map(|all| all.iter().filter(is_ours).cloned().collect());
    let mut builder = WriterProperties::builder()
        .set_max_row_group_row_count(Some(rows.unwrap_or(GROUP_ROWS).max(1)))
        .set_max_row_group_bytes(Some(options.batch_bytes.max(1) * GROUP_BATCHES))
        .set_key_value_metadata(entries);
    if let Some(group) = groups.first() {
        for (i, column) in group.columns().iter().enumerate() {
            let codec = column.compression();
            if i == 0 {
                builder = builder.set_compression(codec);
            }
            builder = builder.set_column_compression(column.column_path().clone(), codec);
        }
    }
    builder.build()
}

/// A schema without columns of marks of an earlier run, and with new ones if marks are written.
fn with_marks(schema: &SchemaRef) -> SchemaRef {
    let own = schema.fields().iter().filter(|field| !MARKS.contains(&field.name().as_str()));
    let mut fields: Vec<Arc<Field>> = own.cloned().collect();
    let kinds = [DataType::Int64, DataType::Utf8, DataType::Float64, DataType::Float64];
    let new = MARKS.iter().zip(kinds).map(|(name, kind)| Arc::new(Field::new(*name, kind, true)));
    fields.extend(new);
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

impl ColumnsOut {
    /// Writes to `path` what is read from `input`.
    ///
    /// # Errors
    /// If the input's metadata cannot be read, or the file cannot be made.
    pub(super) fn create(
        input: &Path,
        files: &dyn Files,
        path: &Path,
        options: &Options,
        writes: Writes,
    ) -> Result<ColumnsOut> {
        let (_, metadata) = open(input)?;
        let schema = match writes {
            Writes::Records => Arc::clone(metadata.schema()),
            Writes::Marks => with_marks(metadata.schema()),
        };
        let properties = properties(metadata.metadata(), options);
        let out = ArrowWriter::try_new(files.make(path)?, Arc::clone(&schema), Some(properties));
        let out = out.map_err(|error| refused(path, &error))?;
        Ok(ColumnsOut { out, path: path.to_owned(), schema, writes })
    }

    /// Writes what the actions leave; `wrong` makes an error of a row's number and a reason.
    pub(super) fn write(
        &mut self,
        table: &Table,
        actions: &[RecordAction<'_>],
        wrong: impl Fn((usize, String)) -> Error,
    ) -> Result<()> {
        if table.is_too_long {
            // Bad records: they are all left out, and their values have not been read.
            return Ok(());
        }
        let mut rows = with_texts(table, actions).map_err(wrong)?;
        if self.writes == Writes::Marks {
            rows = self.mark(&rows, actions).map_err(|error| refused(&self.path, &error))?;
        }
        let stays: BooleanArray =
            actions.iter().map(|action| Some(*action != RecordAction::Remove)).collect();
        if stays.true_count() < stays.len() {
            rows = filter_record_batch(&rows, &stays).map_err(|e| refused(&self.path, &e))?;
        }
        self.out.write(&rows).map_err(|error| refused(&self.path, &error))
    }

    fn mark(
        &self,
        rows: &RecordBatch,
        actions: &[RecordAction<'_>],
    ) -> std::result::Result<RecordBatch, arrow_schema::ArrowError> {
        let marks = || {
            actions.iter().map(|action| match action {
                RecordAction::Mark(mark) => mark.as_ref(),
                _ => None,
            })
        };
        let cluster = |mark: &Mark<'_>| i64::try_from(mark.cluster).unwrap_or(i64::MAX);
        let new: [ArrayRef; 4] = [
            Arc::new(marks().map(|mark| mark.map(cluster)).collect::<Int64Array>()),
            Arc::new(marks().map(|mark| mark?.duplicate_of).collect::<StringArray>()),
            Arc::new(marks().map(|mark| Some(mark?.resemblance)).collect::<Float64Array>()),
            Arc::new(marks().map(|mark| Some(mark?.containment)).collect::<Float64Array>()),
        ];
        let schema = rows.schema();
        let own = schema.fields().iter().zip(rows.columns());
        let own = own.filter(|(field, _)| !MARKS.contains(&field.name().as_str()));
        let columns = own.map(|(_, column)| Arc::clone(column)).chain(new).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.out.finish().map_err(|error| refused(&self.path, &error))?;
        let trouble = |error| Error::io("write", &self.path, error);
        self.out.inner().sync().map_err(trouble)
    }
}

/// What could not be written.
fn refused(path: &Path, error: &impl std::fmt::Display) -> Error {
    Error::io("write", path, std::io::Error::other(lower(error)))
}

/// The rows, with the texts that actions give them.
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

/// A column of the same type, with the texts that actions give.
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

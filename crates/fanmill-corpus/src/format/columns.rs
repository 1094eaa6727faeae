//! Parquet: records in columns.
//!
//! Columns that a job does not ask for are not unpacked. What is written has the schema, the metadata
//! and the codecs of what was read; row groups are smaller where theirs would take too much memory,
//! and pages are packed anew.
//!
//! The library behind this has been seen to panic on damaged files; such a panic ends the file, as an
//! error that names it, not the run of the process.
//!
//! Cost: memory for a batch, and for a row group of the output.

use std::borrow::Cow;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Fields, SchemaRef, TimeUnit};
use fanmill::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;

use super::fields::missing;
use super::shard::Columns;
use super::{ID_FIELDS, Options, TEXT_FIELDS, lower};
use crate::record::Record;

/// Most rows of a batch, however small they are.
const MAX_ROWS: u64 = 1 << 16;

/// Where a value is: a column, and the fields of structs inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    steps: Vec<usize>,
    /// As Parquet writes it.
    name: String,
    kind: DataType,
}

impl Place {
    /// A column of that very name; else, where the name has a dot, a field of a struct.
    fn find(fields: &Fields, name: &str) -> Option<Place> {
        if let Some((at, field)) = fields.find(name) {
            let kind = field.data_type().clone();
            return Some(Place { steps: vec![at], name: name.to_owned(), kind });
        }
        let (head, rest) = name.split_once('.')?;
        let (at, outer) = fields.find(head)?;
        let DataType::Struct(inside) = outer.data_type() else { return None };
        let inner = Place::find(inside, rest)?;
        let steps = [vec![at], inner.steps].concat();
        Some(Place { steps, name: format!("{head}.{}", inner.name), kind: inner.kind })
    }

    /// The value of a row as text; `None` if it is null.
    fn text<'a>(&self, batch: &'a RecordBatch, row: usize) -> Option<Cow<'a, str>> {
        let (first, inside) = self.steps.split_first()?;
        let mut array: &ArrayRef = batch.column(*first);
        for &step in inside {
            if array.is_null(row) {
                return None;
            }
            array = array.as_struct().column(step);
        }
        text(array, row)
    }
}

/// Whether values of a type can be made into text.
fn has_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => is_string(values),
        DataType::Boolean
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..)
        | DataType::Float32
        | DataType::Float64 => true,
        other => is_string(other) || other.is_integer() || *other == DataType::Null,
    }
}

fn is_string(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary, LargeUtf8, Utf8, Utf8View};
    matches!(
        kind,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | FixedSizeBinary(_)
    )
}

/// The value of a row as text: numbers in decimals, dates and times as the number that is stored.
fn text(array: &ArrayRef, row: usize) -> Option<Cow<'_, str>> {
    if array.is_null(row) {
        return None;
    }
    macro_rules! number {
        ($type:ty) => {
            Some(Cow::Owned(array.as_primitive::<$type>().value(row).to_string()))
        };
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).into()),
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(row).into()),
        DataType::Utf8View => Some(array.as_string_view().value(row).into()),
        DataType::Binary => Some(String::from_utf8_lossy(array.as_binary::<i32>().value(row))),
        DataType::LargeBinary => Some(String::from_utf8_lossy(array.as_binary::<i64>().value(row))),
        DataType::BinaryView => Some(String::from_utf8_lossy(array.as_binary_view().value(row))),
        DataType::FixedSizeBinary(_) => {
            Some(String::from_utf8_lossy(array.as_fixed_size_binary().value(row)))
        }
        DataType::Boolean => Some(Cow::Owned(array.as_boolean().value(row).to_string())),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Date32 => number!(Date32Type),
        DataType::Date64 => number!(Date64Type),
        DataType::Timestamp(TimeUnit::Second, _) => number!(TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => number!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => number!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => number!(TimestampNanosecondType),
        DataType::Dictionary(..) => {
            let words = array.as_any_dictionary();
            // Keys are whole numbers, whose text is found above.
            let keys = words.keys().slice(row, 1);
            let key = text(&keys, 0)?.parse().ok()?;
            text(words.values(), key).map(|value| Cow::Owned(value.into_owned()))
        }
        _ => None,
    }
}

/// Which columns records are made of.
#[derive(Debug)]
pub(super) struct Plan {
    text: Place,
    id: Option<Place>,
    extra: Vec<Option<Place>>,
    record_bytes: usize,
}

impl Plan {
    fn new(path: &Path, schema: &SchemaRef, options: &Options) -> Result<Plan> {
        let path = path.display();
        let fields = schema.fields();
        let first = |given: &Option<String>, usual: &[&str]| match given {
            Some(name) => Place::find(fields, name),
            None => usual.iter().find_map(|name| Place::find(fields, name)),
        };
        let text = first(&options.text, &TEXT_FIELDS).ok_or_else(|| {
            let wanted = options.text.as_deref().map_or(TEXT_FIELDS.to_vec(), |name| vec![name]);
            let names = fields.iter().map(|field| format!("`{}`", field.name())).collect();
            let what = missing(wanted.into_iter(), names);
            Error::input(format!("`{path}`: {what}; --text-field names the one to read"))
        })?;
        let dictionary = matches!(&text.kind, DataType::Dictionary(_, values) if is_string(values));
        if !is_string(&text.kind) && !dictionary {
            let (name, kind) = (&text.name, &text.kind);
            return Err(Error::input(format!(
                "`{path}`: column `{name}` has values of type {kind}, not texts; --text-field names \
                 the one to read"
            )));
        }
        let id = first(&options.id, &ID_FIELDS);
        let extra: Vec<_> = options.extra.iter().map(|name| Place::find(fields, name)).collect();
        for place in id.iter().chain(extra.iter().flatten()) {
            if !has_text(&place.kind) {
                let Place { name, kind, .. } = place;
                return Err(Error::input(format!(
                    "`{path}`: column `{name}` has values of type {kind}, which have no text"
                )));
            }
        }
        Ok(Plan { text, id, extra, record_bytes: options.record_bytes })
    }

    /// The columns, as Parquet writes them.
    fn names(&self) -> impl Iterator<Item = &str> {
        let others = self.id.iter().chain(self.extra.iter().flatten());
        std::iter::once(&self.text).chain(others).map(|place| &*place.name)
    }
}

/// Some rows.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) rows: RecordBatch,
    plan: Arc<Plan>,
}

impl Table {
    pub(super) fn parse(&self, row: usize) -> std::result::Result<Record<'_>, String> {
        let Table { rows, plan } = self;
        let text = plan.text.text(rows, row).unwrap_or_default();
        if text.len() > plan.record_bytes {
            let limit = plan.record_bytes;
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        Ok(Record {
            text,
            id: plan.id.as_ref().and_then(|place| place.text(rows, row)),
            extra: plan
                .extra
                .iter()
                .map(|place| place.as_ref().and_then(|place| place.text(rows, row)))
                .collect(),
        })
    }

    /// The column of the texts, unless these are inside of structs.
    pub(super) fn text_column(&self) -> Option<usize> {
        match self.plan.text.steps[..] {
            [column] => Some(column),
            _ => None,
        }
    }
}

/// Reads the rows of a file.
pub(super) struct Rows {
    path: String,
    input: ParquetRecordBatchReader,
    plan: Arc<Plan>,
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("path", &self.path).finish_non_exhaustive()
    }
}

/// What a damaged file is answered with.
pub(super) fn damaged(path: &str, what: &str) -> Error {
    Error::input(format!(
        "`{path}` is damaged, or no Parquet file that can be read: {what}; fetch it again or leave \
         it out"
    ))
}

/// Runs what may panic on a damaged file.
fn guarded<T, E: std::fmt::Display>(
    path: &str,
    run: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => done.map_err(|error| damaged(path, &lower(&error))),
        Err(_) => Err(damaged(path, "the reader gave up on it")),
    }
}

/// Opens a file and reads its metadata.
pub(super) fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    guarded(&path.display().to_string(), || ParquetRecordBatchReaderBuilder::try_new(file))
}

impl Rows {
    /// # Errors
    /// If the file is none, or lacks what `options` ask for.
    pub(super) fn open(path: &Path, options: &Options, columns: Columns) -> Result<Rows> {
        let builder = open(path)?;
        let name = path.display().to_string();
        let plan = Plan::new(path, builder.schema(), options)?;
        let mask = match columns {
            Columns::All => ProjectionMask::all(),
            Columns::Needed => ProjectionMask::columns(builder.parquet_schema(), plan.names()),
        };
        let n_rows = rows_per_batch(builder.metadata(), &mask, options.batch_bytes);
        let builder = builder.with_projection(mask).with_batch_size(n_rows);
        let input = guarded(&name, || builder.build())?;
        // Places among the columns that are read.
        let plan = Plan::new(path, &arrow_array::RecordBatchReader::schema(&input), options)?;
        Ok(Rows { path: name, input, plan: Arc::new(plan) })
    }

    /// The next rows; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Table>> {
        let rows = guarded(&self.path, || self.input.next().transpose())?;
        Ok(rows.map(|rows| Table { rows, plan: Arc::clone(&self.plan) }))
    }
}

/// How many rows have about as many bytes, as the metadata tell.
fn rows_per_batch(metadata: &ParquetMetaData, mask: &ProjectionMask, bytes: usize) -> usize {
    let (mut n_rows, mut n_bytes) = (0_u64, 0_u64);
    for group in metadata.row_groups() {
        n_rows = n_rows.saturating_add(group.num_rows().max(0).cast_unsigned());
        for (leaf, column) in group.columns().iter().enumerate() {
            if mask.leaf_included(leaf) {
                n_bytes = n_bytes.saturating_add(column.uncompressed_size().max(0).cast_unsigned());
            }
        }
    }
    // Dictionaries make values look smaller than they are: four bytes are the least for one.
    let per_row = (n_bytes / n_rows.max(1)).max(4);
    (bytes as u64 / per_row).clamp(1, MAX_ROWS) as usize
}

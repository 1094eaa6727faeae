//! Parquet: records in columns.
//!
//! Columns that a job does not ask for are not unpacked. What is written has the schema, the metadata
//! and the codecs of what was read; row groups are smaller where theirs would take too much memory,
//! and pages are packed anew.
//!
//! The library behind this has been seen to panic on damaged files; such a panic ends the file, as an
//! error that names it, not the run of the process.
//!
//! Cost: memory for a batch and the pages that it lies in, none above its limit ([`parts`](super::parts));
//! and for a row group of the output.

use std::collections::VecDeque;
use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Fields, SchemaRef, TimeUnit};
use fanmill::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder, RowSelection, RowSelectionPolicy, RowSelector,
};
use parquet::schema::types::SchemaDescriptor;

use super::fields::missing;
use super::parts::{Part, Wanted, parts};
use super::shard::Columns;
use super::{ID_FIELDS, Options, TEXT_FIELDS, lower};
use crate::record::{Flaw, Record};
use crate::text::Text;

/// Most rows of a batch that have no values.
const MAX_ROWS: usize = 1 << 16;

/// Where a value is: a column, and the fields of structs inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    steps: Vec<usize>,
    /// What each of these is called. A name may have dots of its own.
    names: Vec<String>,
    kind: DataType,
}

impl Place {
    /// A column of that very name; else, where the name has a dot, a field of a struct.
    fn find(fields: &Fields, name: &str) -> Option<Place> {
        if let Some((at, field)) = fields.find(name) {
            let kind = field.data_type().clone();
            return Some(Place { steps: vec![at], names: vec![name.to_owned()], kind });
        }
        let (head, rest) = name.split_once('.')?;
        let (at, outer) = fields.find(head)?;
        let DataType::Struct(inside) = outer.data_type() else { return None };
        let mut place = Place::find(inside, rest)?;
        place.steps.insert(0, at);
        place.names.insert(0, head.to_owned());
        Some(place)
    }

    /// Its number among all columns that have values, those inside of structs included; `None` if it is
    /// none of them.
    fn leaf(&self, schema: &SchemaDescriptor) -> Option<usize> {
        let root = self.steps.first()?;
        (0..schema.num_columns()).find(|&leaf| {
            // A column `a.b` and a field `b` of a struct `a` have the same path as text.
            schema.get_column_root_idx(leaf) == *root
                && schema.column(leaf).path().parts() == self.names
        })
    }

    /// As users write it.
    fn name(&self) -> String {
        self.names.join(".")
    }

    /// The value of a row as text; `None` if it is null.
    fn text<'a>(&self, batch: &'a RecordBatch, row: usize) -> Option<Text<'a>> {
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
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) || is_binary(kind)
}

fn is_binary(kind: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(kind, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

/// The value of a row as text: numbers in decimals, dates and times as the number that is stored.
fn text(array: &ArrayRef, row: usize) -> Option<Text<'_>> {
    if array.is_null(row) {
        return None;
    }
    macro_rules! number {
        ($type:ty) => {
            Text::whole(array.as_primitive::<$type>().value(row).to_string())
        };
    }
    Some(match array.data_type() {
        DataType::Utf8 => Text::whole(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Text::whole(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Text::whole(array.as_string_view().value(row)),
        DataType::Binary => Text::utf8(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Text::utf8(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Text::utf8(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => Text::utf8(array.as_fixed_size_binary().value(row)),
        DataType::Boolean => Text::whole(array.as_boolean().value(row).to_string()),
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
            let key = text(&keys, 0)?.characters.parse().ok()?;
            text(words.values(), key)?.into_owned()
        }
        _ => return None,
    })
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
            Error::input(format!("`{path}`: {what}; name the field of the text"))
        })?;
        let dictionary = matches!(&text.kind, DataType::Dictionary(_, values) if is_string(values));
        if !is_string(&text.kind) && !dictionary {
            let (name, kind) = (text.name(), &text.kind);
            return Err(Error::input(format!(
                "`{path}`: column `{name}` has values of type {kind}, not texts; name the \
                 field of the text"
            )));
        }
        let id = first(&options.id, &ID_FIELDS);
        let extra: Vec<_> = options.extra.iter().map(|name| Place::find(fields, name)).collect();
        for place in id.iter().chain(extra.iter().flatten()) {
            if !has_text(&place.kind) {
                let (name, kind) = (place.name(), &place.kind);
                return Err(Error::input(format!(
                    "`{path}`: column `{name}` has values of type {kind}, which have no text"
                )));
            }
        }
        Ok(Plan { text, id, extra, record_bytes: options.record_bytes })
    }

    /// Where values are read, the text first.
    fn places(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.text).chain(&self.id).chain(self.extra.iter().flatten())
    }
}

/// Some rows.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) rows: RecordBatch,
    /// Whether there are no values, as the texts are too long for records.
    pub(super) is_too_long: bool,
    plan: Arc<Plan>,
}

impl Table {
    pub(super) fn parse(&self, row: usize) -> std::result::Result<Record<'_>, String> {
        let Table { rows, is_too_long, plan } = self;
        let limit = plan.record_bytes;
        let text = if *is_too_long { None } else { plan.text.text(rows, row) };
        let is_long = |text: &Text<'_>| text.characters.len() > limit;
        if *is_too_long || text.as_ref().is_some_and(is_long) {
            return Err(format!("longer than the limit of {limit} bytes for a record"));
        }
        let value = |place: &Place| place.text(rows, row).map(|text| text.characters);
        Ok(Record {
            flaw: text.as_ref().map_or(Some(Flaw::Null), Text::flaw),
            text: text.map(|text| text.characters).unwrap_or_default(),
            id: plan.id.as_ref().and_then(value),
            extra: plan.extra.iter().map(|place| place.as_ref().and_then(value)).collect(),
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
    file: File,
    metadata: ArrowReaderMetadata,
    /// The columns that are read, by their numbers among all that have values, ascending.
    leaves: Vec<usize>,
    /// The one of the text.
    text: usize,
    options: Options,
    plan: Arc<Plan>,
    /// The row group whose parts come next.
    next_group: usize,
    /// Parts of the one before that have not been read, the next one last.
    parts: Vec<Part>,
    reading: Option<Reading>,
}

/// A part of a row group under way.
struct Reading {
    /// Rows that have not been given out.
    left: Range<usize>,
    /// Of these, the ones that are passed over.
    too_long: VecDeque<Range<usize>>,
    input: ParquetRecordBatchReader,
    /// Rows that were read and not given out.
    read: Option<RecordBatch>,
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
pub(super) fn open(path: &Path) -> Result<(File, ArrowReaderMetadata)> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let metadata = guarded(&path.display().to_string(), || {
        ArrowReaderMetadata::load(&file, ArrowReaderOptions::default())
    })?;
    Ok((file, metadata))
}

impl Rows {
    /// # Errors
    /// If the file is none, or lacks what `options` ask for.
    pub(super) fn open(path: &Path, options: &Options, columns: Columns) -> Result<Rows> {
        let (file, metadata) = open(path)?;
        let plan = Plan::new(path, metadata.schema(), options)?;
        let shown = path.display().to_string();
        let schema = metadata.parquet_schema();
        let leaf = |place: &Place| {
            let name = place.name();
            place
                .leaf(schema)
                .ok_or_else(|| damaged(&shown, &format!("column `{name}` has no values")))
        };
        let text = leaf(&plan.text)?;
        let mut leaves = match columns {
            Columns::All => (0..schema.num_columns()).collect(),
            Columns::Needed => plan.places().map(leaf).collect::<Result<Vec<_>>>()?,
        };
        leaves.sort_unstable();
        leaves.dedup();
        let mut rows = Rows {
            path: shown,
            file,
            text,
            leaves,
            options: options.clone(),
            plan: Arc::new(plan),
            next_group: 0,
            parts: Vec::new(),
            reading: None,
            metadata,
        };
        // Places among the columns that are read.
        let input = rows.input(0, RowSelection::default(), 1)?;
        let schema = arrow_array::RecordBatchReader::schema(&input);
        rows.plan = Arc::new(Plan::new(path, &schema, options)?);
        Ok(rows)
    }

    /// The next rows; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Table>> {
        loop {
            if let Some(reading) = &mut self.reading
                && let Some((rows, is_too_long)) = reading.next(&self.path)?
            {
                return Ok(Some(Table { rows, is_too_long, plan: Arc::clone(&self.plan) }));
            }
            self.reading = None;
            match self.parts.pop() {
                Some(part) => self.reading = Some(self.begin_part(part)?),
                None if self.begin_group()? => {}
                None => return Ok(None),
            }
        }
    }

    /// Finds the parts of the next row group; false if there is none.
    fn begin_group(&mut self) -> Result<bool> {
        let Some(group) = self.metadata.metadata().row_groups().get(self.next_group) else {
            return Ok(false);
        };
        let Rows { leaves, text, options, path, .. } = &*self;
        let wanted = Wanted { leaves, text: *text, options, path };
        let found = guarded(path, || Ok::<_, String>(parts(&self.file, group, wanted)))?;
        self.parts = found?;
        self.parts.reverse();
        self.next_group += 1;
        Ok(true)
    }

    fn begin_part(&self, part: Part) -> Result<Reading> {
        let Part { rows, n_at_once, too_long } = part;
        let mut selectors = vec![RowSelector::skip(rows.start)];
        let mut at = rows.start;
        for passed in &too_long {
            selectors.push(RowSelector::select(passed.start - at));
            selectors.push(RowSelector::skip(passed.len()));
            at = passed.end;
        }
        selectors.push(RowSelector::select(rows.end - at));
        let input = self.input(self.next_group - 1, selectors.into(), n_at_once)?;
        Ok(Reading { left: rows, too_long: too_long.into(), input, read: None })
    }

    /// Reads rows of a group, so many at once.
    fn input(
        &self,
        group: usize,
        rows: RowSelection,
        n_at_once: usize,
    ) -> Result<ParquetRecordBatchReader> {
        let file = self.file.try_clone().map_err(|error| Error::io("open", &self.path, error))?;
        let metadata = self.metadata.clone();
        let n_groups = metadata.metadata().num_row_groups();
        let leaves = self.leaves.iter().copied();
        let mask = ProjectionMask::leaves(metadata.parquet_schema(), leaves);
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_projection(mask)
            .with_row_groups((group..n_groups).take(1).collect())
            .with_batch_size(n_at_once)
            .with_row_selection(rows)
            // The other way reads all rows, and then leaves some out.
            .with_row_selection_policy(RowSelectionPolicy::Selectors);
        guarded(&self.path, || builder.build())
    }
}

impl Reading {
    /// The next rows, and whether they have been passed over; `None` at the end of the part.
    fn next(&mut self, path: &str) -> Result<Option<(RecordBatch, bool)>> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let start = self.left.start;
        let passed = self.too_long.front().cloned().unwrap_or(self.left.end..self.left.end);
        if passed.start <= start {
            let n = (passed.end - start).min(MAX_ROWS);
            self.left.start += n;
            if self.left.start == passed.end {
                self.too_long.pop_front();
            }
            return Ok(Some((without_columns(n), true)));
        }
        let read = match self.read.take() {
            Some(rows) => rows,
            None => guarded(path, || self.input.next().transpose())?
                .ok_or_else(|| damaged(path, "a group ends before all of its rows are read"))?,
        };
        // What was read goes on behind rows that were passed over.
        let n = read.num_rows().min(passed.start - start);
        if n < read.num_rows() {
            self.read = Some(read.slice(n, read.num_rows() - n));
        }
        self.left.start += n;
        Ok(Some((read.slice(0, n), false)))
    }
}

/// Why the texts of a file cannot be changed; `None` if they can.
///
/// # Errors
/// If the file is none, or lacks what `options` ask for.
pub(super) fn unchangeable(path: &Path, options: &Options) -> Result<Option<String>> {
    let (_, metadata) = open(path)?;
    let place = Plan::new(path, metadata.schema(), options)?.text;
    let (name, kind) = (place.name(), &place.kind);
    Ok(if place.steps.len() > 1 {
        Some(format!("its texts, `{name}`, are inside of structs"))
    } else if is_string(kind) && !matches!(kind, DataType::FixedSizeBinary(_)) {
        None
    } else {
        Some(format!("its texts, `{name}`, have the type {kind}"))
    })
}

/// Rows without any values.
fn without_columns(n_rows: usize) -> RecordBatch {
    let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
    let schema = Arc::new(arrow_schema::Schema::empty());
    RecordBatch::try_new_with_options(schema, Vec::new(), &options)
        .expect("rows without columns fit any schema without columns")
}

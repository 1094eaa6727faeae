//! Rows of columns that stay: with the texts and marks that the actions give them, whatever file they are written to.
//!
//! Cost: memory for the rows once more, if some of them go.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, Float64Array, Int64Array,
    LargeBinaryArray, LargeStringArray, RecordBatch, RecordBatchOptions, StringArray,
    StringViewArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use fanmill_text::{Error, Result};

use super::cells::Table;
use super::rows::{columns_of_marks, is_mark};
use super::{OutputForm, lower};
use crate::record::{ClusterSize, Mark, RecordAction};

/// The form of rows that are written.
#[derive(Debug)]
pub(super) struct KeptRows {
    /// Their schema.
    pub(super) schema: SchemaRef,
    pub(super) writes: OutputForm,
    /// The file that they are written to, as it is named in errors.
    pub(super) path: PathBuf,
}

impl KeptRows {
    /// Returns the form of rows that are read with the schema `own`.
    pub(super) fn new(own: &SchemaRef, writes: OutputForm, path: &Path) -> KeptRows {
        let schema = if writes.has_marks() { with_marks(own, writes) } else { Arc::clone(own) };
        KeptRows { schema, writes, path: path.to_owned() }
    }

    /// Returns what the actions leave of rows; `wrong` makes an error from a row's number and a reason.
    ///
    /// # Errors
    /// If a row cannot be changed as it should be.
    pub(super) fn of(
        &self,
        table: &Table,
        actions: &[RecordAction<'_>],
        wrong: &dyn Fn((usize, String)) -> Error,
    ) -> Result<RecordBatch> {
        let mut rows = with_texts(table, actions).map_err(wrong)?;
        if self.writes.has_marks() {
            rows = self.mark(&rows, actions).map_err(|error| refused(&self.path, &error))?;
        }
        let stays: BooleanArray =
            actions.iter().map(|action| Some(*action != RecordAction::Remove)).collect();
        if stays.true_count() < stays.len() {
            rows = filter_record_batch(&rows, &stays).map_err(|e| refused(&self.path, &e))?;
        }
        Ok(rows)
    }

    /// Returns the rows with columns of marks.
    fn mark(
        &self,
        rows: &RecordBatch,
        actions: &[RecordAction<'_>],
    ) -> std::result::Result<RecordBatch, arrow_schema::ArrowError> {
        let new = match self.writes {
            OutputForm::RunMarks => run_marks(actions),
            OutputForm::Sizes => sizes(actions),
            _ => marks(actions),
        };
        let schema = rows.schema();
        let own = schema.fields().iter().zip(rows.columns());
        let own = own.filter(|(field, _)| !is_mark(field.name()));
        let columns = own.map(|(_, column)| Arc::clone(column)).chain(new).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
    }
}

/// Returns a schema without the columns of marks of an earlier run, and with new ones.
fn with_marks(schema: &SchemaRef, writes: OutputForm) -> SchemaRef {
    let own = schema.fields().iter().filter(|field| !is_mark(field.name()));
    let mut fields: Vec<Arc<Field>> = own.cloned().collect();
    let list = |kind| DataType::List(Arc::new(Field::new_list_field(kind, true)));
    let kinds = match writes {
        OutputForm::RunMarks => vec![list(list(DataType::Int64)), DataType::Int64],
        OutputForm::Sizes => vec![DataType::Int64; 2],
        _ => vec![DataType::Int64, DataType::Utf8, DataType::Float64, DataType::Float64],
    };
    let new = columns_of_marks(writes).iter().zip(kinds);
    fields.extend(new.map(|(name, kind)| Arc::new(Field::new(*name, kind, true))));
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
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
        Arc::new(marks().map(|mark| mark?.resemblance).collect::<Float64Array>()),
        Arc::new(marks().map(|mark| mark?.containment).collect::<Float64Array>()),
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

/// Returns the columns of sizes.
fn sizes(actions: &[RecordAction<'_>]) -> Vec<ArrayRef> {
    let column = |number: fn(&ClusterSize) -> u64| -> ArrayRef {
        let numbers = actions.iter().map(|action| match action {
            RecordAction::MarkSize(size) => Some(number(size).cast_signed()),
            _ => None,
        });
        Arc::new(numbers.collect::<Int64Array>())
    };
    vec![column(|size| size.documents), column(|size| size.copies)]
}

/// Leaves out rows that damage has made unreadable.
///
/// # Errors
/// If one of them is to stay, since only columns that were not read before are damaged.
pub(super) fn lost(
    what: &str,
    actions: &[RecordAction<'_>],
) -> std::result::Result<(), (usize, String)> {
    let stays = actions.iter().position(|action| *action != RecordAction::Remove);
    stays.map_or(Ok(()), |at| Err((at, what.to_owned())))
}

/// Returns the error for something that could not be written.
pub(super) fn refused(path: &Path, error: &impl std::fmt::Display) -> Error {
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

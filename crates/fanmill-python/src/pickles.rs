//! Arrays as bytes, for pickles: a stream of Arrow with one batch of one column.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns an array as bytes.
pub(crate) fn bytes_of(array: &ArrayRef) -> PyResult<Vec<u8>> {
    written(array).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn written(array: &ArrayRef) -> Result<Vec<u8>, ArrowError> {
    let field = Field::new("", array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(vec![field]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::clone(array)])?;
    let mut writer = StreamWriter::try_new(Vec::new(), &schema)?;
    writer.write(&batch)?;
    writer.into_inner()
}

/// Returns the array that was made into these bytes.
pub(crate) fn array_of(bytes: &[u8]) -> PyResult<ArrayRef> {
    let wrong = |what: &str| PyValueError::new_err(format!("this is no pickle of Fanmill: {what}"));
    let mut batches =
        StreamReader::try_new(Cursor::new(bytes), None).map_err(|e| wrong(&e.to_string()))?;
    let batch = batches.next().ok_or_else(|| wrong("it has no rows"))?;
    let batch = batch.map_err(|e| wrong(&e.to_string()))?;
    batch.columns().first().cloned().ok_or_else(|| wrong("it has no column"))
}

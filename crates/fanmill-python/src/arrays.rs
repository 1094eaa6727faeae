//! The arrays of a column, from whatever object Python has it in.
//!
//! | object | its arrays |
//! |---|---|
//! | an array, a chunked array, a series, a reader | Arrow's own, without a copy |
//! | a table, or a stream of batches | those of the column that was asked for |
//! | any other iterable of `str` and `None` | strings, copied, in chunks of 16 MiB |

use std::borrow::Cow;
use std::sync::Arc;
use std::vec;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayRef};
use fanmill_text::{Error, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::capsules::{self, Given};

/// Number of bytes of text from an iterable that make an array.
const ARRAY_BYTES: usize = 16 << 20;
/// Number of items of an iterable between two checks for Ctrl-C.
const ASKED_EVERY: usize = 1 << 12;

/// Arrays that follow each other. They must be asked for without the interpreter's lock.
pub(crate) struct Arrays {
    from: From,
    /// The name of the column, if they are tables.
    field: Option<String>,
}

enum From {
    Memory(vec::IntoIter<ArrayRef>),
    Stream(ArrayStreamReader),
}

impl Arrays {
    /// Takes the arrays of an object; `field` is the name of its column if it is a table.
    ///
    /// # Errors
    /// If it is neither Arrow data nor an iterable of strings, or Ctrl-C is pressed while it is walked through.
    pub(crate) fn new(object: &Bound<'_, PyAny>, field: Option<&str>) -> PyResult<Arrays> {
        let from = match capsules::given(object)? {
            Some(Given::Array(array)) => From::Memory(vec![array].into_iter()),
            Some(Given::Stream(stream)) => From::Stream(stream),
            None => From::Memory(walked(object)?.into_iter()),
        };
        Ok(Arrays { from, field: field.map(str::to_owned) })
    }

    /// Returns the number of rows, if it is known before they are read.
    pub(crate) fn n_rows(&self) -> Option<usize> {
        match &self.from {
            From::Memory(arrays) => Some(arrays.as_slice().iter().map(Array::len).sum()),
            From::Stream(_) => None,
        }
    }

    /// Returns the column of an array, which may be a table.
    fn column(&self, array: ArrayRef) -> Result<ArrayRef> {
        let Some(table) = array.as_struct_opt() else { return Ok(array) };
        let Some(field) = &self.field else {
            return Err(Error::input(
                "a column was expected, and this is a table; give one column of it",
            ));
        };
        if table.null_count() > 0 {
            return Err(Error::input("some rows of the table are null as a whole; leave them out"));
        }
        let column = table.column_by_name(field);
        column.cloned().ok_or_else(|| {
            let names = table.column_names().join("`, `");
            Error::input(format!("the table has no column `{field}`; it has `{names}`"))
        })
    }
}

impl Iterator for Arrays {
    type Item = Result<ArrayRef>;

    fn next(&mut self) -> Option<Result<ArrayRef>> {
        let next = match &mut self.from {
            From::Memory(arrays) => Ok(arrays.next()?),
            From::Stream(stream) => stream
                .next()?
                .map_err(|error| Error::input(format!("the stream ended with an error: {error}"))),
        };
        Some(next.and_then(|array| self.column(array)))
    }
}

/// Copies the strings of an iterable.
fn walked(object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let is_one = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    if is_one || object.is_instance_of::<PyDict>() {
        return Err(no_column(object));
    }
    let items = object.try_iter().map_err(|_| no_column(object))?;
    let (mut arrays, mut array): (Vec<ArrayRef>, _) = (Vec::new(), LargeStringBuilder::new());
    for (i, item) in items.enumerate() {
        if i % ASKED_EVERY == 0 {
            object.py().check_signals()?;
        }
        let item = item?;
        match item.cast::<PyString>() {
            Ok(text) => array.append_value(text_of(text)?),
            Err(_) if item.is_none() => array.append_null(),
            Err(_) => {
                let name = item.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "text {i} is of type {name}; give str, or None for no text"
                )));
            }
        }
        if array.values_slice().len() >= ARRAY_BYTES {
            arrays.push(Arc::new(array.finish()));
        }
    }
    arrays.push(Arc::new(array.finish()));
    Ok(arrays)
}

/// Returns a string of Python. Half a surrogate, which Python allows, is read as U+FFFD, and two halves as what they make.
fn text_of<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = text.to_cow() {
        return Ok(text);
    }
    let bytes = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let (units, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    let units: Vec<u16> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
    Ok(Cow::Owned(String::from_utf16_lossy(&units)))
}

fn no_column(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a column was expected, and {name} was given; give Arrow data (pyarrow, polars, duckdb) or an iterable of str"
    ))
}

//! The arrays of a column, from whatever object Python has it in.
//!
//! | object | its arrays |
//! |---|---|
//! | an array, a chunked array, a series, a reader | Arrow's own, without a copy |
//! | a table, or a stream of batches | those of the column that was asked for |
//! | any other iterable of `str`, `bytes` and `None` | strings, copied, in chunks of 16 MiB |

use std::borrow::Cow;
use std::sync::Arc;
use std::vec;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayRef};
use fanmill_records::arrow::Texts;
use fanmill_text::{Error, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

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
    replaced: Replaced,
}

/// Numbers of texts of which a part was read as U+FFFD.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Replaced {
    /// Texts with bytes that are not UTF-8.
    pub(crate) invalid: usize,
    /// Texts with half a surrogate, which Python allows.
    pub(crate) surrogates: usize,
}

impl Replaced {
    /// Adds what was found when arrays were read.
    pub(crate) fn with(self, parts: &[Texts]) -> Replaced {
        let invalid = parts.iter().map(Texts::n_mended).sum::<usize>();
        Replaced { invalid: self.invalid + invalid, ..self }
    }
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
        let mut replaced = Replaced::default();
        let from = match capsules::given(object)? {
            Some(Given::Array(array)) => From::Memory(vec![array].into_iter()),
            Some(Given::Stream(stream)) => From::Stream(stream),
            None => From::Memory(walked(object, &mut replaced)?.into_iter()),
        };
        Ok(Arrays { from, field: field.map(str::to_owned), replaced })
    }

    /// Returns what was replaced before the arrays were made; what their own bytes make necessary is known when they are read.
    pub(crate) fn replaced(&self) -> Replaced {
        self.replaced
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
fn walked(object: &Bound<'_, PyAny>, replaced: &mut Replaced) -> PyResult<Vec<ArrayRef>> {
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
        if let Ok(text) = item.cast::<PyString>() {
            array.append_value(text_of(text, replaced)?);
        } else if let Some(text) = decoded(&item, replaced) {
            array.append_value(text);
        } else if item.is_none() {
            array.append_null();
        } else {
            let name = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "text {i} is of type {name}; give str or bytes, or None for no text"
            )));
        }
        if array.values_slice().len() >= ARRAY_BYTES {
            arrays.push(Arc::new(array.finish()));
        }
    }
    arrays.push(Arc::new(array.finish()));
    Ok(arrays)
}

/// Returns a string of Python. Half a surrogate, which Python allows, is read as U+FFFD, and two halves as what they make.
fn text_of<'a>(text: &'a Bound<'_, PyString>, replaced: &mut Replaced) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = text.to_cow() {
        return Ok(text);
    }
    let bytes = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let (units, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    let units: Vec<u16> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
    replaced.surrogates += usize::from(String::from_utf16(&units).is_err());
    Ok(Cow::Owned(String::from_utf16_lossy(&units)))
}

/// Returns bytes as a text in UTF-8, with U+FFFD for each sequence that is none; `None` for other objects.
fn decoded<'a>(item: &'a Bound<'_, PyAny>, replaced: &mut Replaced) -> Option<Cow<'a, str>> {
    let bytes = match item.cast::<PyByteArray>() {
        Ok(bytes) => Cow::Owned(bytes.to_vec()),
        Err(_) => Cow::Borrowed(item.cast::<PyBytes>().ok()?.as_bytes()),
    };
    replaced.invalid += usize::from(str::from_utf8(&bytes).is_err());
    Some(match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

fn no_column(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "a column was expected, and {name} was given; give Arrow data (pyarrow, polars, duckdb) or an iterable of str or bytes"
    ))
}

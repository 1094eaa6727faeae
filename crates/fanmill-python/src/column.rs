//! A column that an operator returns: Arrow data for libraries that read it, and a sequence for Python alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple, PyType};

use crate::{capsules, pickles};

/// The key of the scheme in a field's metadata.
const SCHEME: &str = "fanmill.scheme";

/// The function that makes an object again, and its arguments.
type Pickle<'py, T> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, T));

/// A column that Fanmill has made.
///
/// Whatever reads Arrow data takes it without a copy, by Arrow's PyCapsule interface: ``pyarrow.array(column)``,
/// ``polars.Series(column)``. For Python alone it is a sequence: ``column[0]``, ``len(column)``, ``list(column)``.
/// ``frame[column]`` are the rows of a pandas frame for which a column of bool is true.
#[pyclass(frozen, module = "fanmill", sequence)]
#[derive(Debug)]
pub(crate) struct Column {
    array: ArrayRef,
    /// The scheme that made its values.
    scheme: Option<String>,
}

impl Column {
    pub(crate) fn from_array(array: ArrayRef) -> Column {
        Column { array, scheme: None }
    }

    pub(crate) fn with_scheme(self, scheme: &impl ToString) -> Column {
        Column { scheme: Some(scheme.to_string()), ..self }
    }

    fn field(&self) -> Field {
        let field = Field::new("", self.array.data_type().clone(), true);
        match &self.scheme {
            Some(scheme) => field.with_metadata([(SCHEME.to_owned(), scheme.clone())]),
            None => field,
        }
    }
}

#[pymethods]
impl Column {
    /// The scheme of its values, in canonical form: ``corpus:runs@3/k=5/fss(t=128)``.
    ///
    /// Values of different schemes say nothing about each other. Arrow has it as ``fanmill.scheme`` in the metadata of
    /// the field. None for values that need no recipe, such as resemblances.
    #[getter]
    pub(crate) fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let len = self.array.len();
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(len.cast_signed())?;
            if slice.step != 1 {
                return Err(PyTypeError::new_err(
                    "a column is cut in steps of 1; use to_pylist() for others",
                ));
            }
            let array = self.array.slice(slice.start.cast_unsigned(), slice.slicelength);
            let part = Column { array, scheme: self.scheme.clone() };
            return Ok(part.into_pyobject(py)?.into_any());
        }
        let index: isize = index.extract()?;
        let row = if index < 0 { index + len.cast_signed() } else { index };
        let row = usize::try_from(row).ok().filter(|&row| row < len);
        let row = row.ok_or_else(|| PyIndexError::new_err(format!("row {index} of {len}")))?;
        value(py, &self.array, row)
    }

    fn __iter__(&self) -> Rows {
        Rows::from_array(Arc::clone(&self.array))
    }

    /// All rows as objects of Python: int, float, bool, list, dict, and None for a null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.array)
    }

    /// Whether each row is true, as a list: frames of pandas are indexed by what they can call.
    #[expect(unused_variables, reason = "pandas gives the data frame that is indexed")]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        if *self.array.data_type() == DataType::Boolean {
            return list(py, &self.array);
        }
        Err(PyTypeError::new_err(format!(
            "rows are chosen by a column of bool, and this one is of type {}",
            self.array.data_type()
        )))
    }

    #[classmethod]
    fn _of_bytes(
        _class: &Bound<'_, PyType>,
        bytes: &[u8],
        scheme: Option<String>,
    ) -> PyResult<Column> {
        Ok(Column { array: pickles::array_of(bytes)?, scheme })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, Option<String>>> {
        let of_bytes = py.get_type::<Column>().getattr("_of_bytes")?;
        let bytes = PyBytes::new(py, &pickles::bytes_of(&self.array)?);
        Ok((of_bytes, (bytes, self.scheme.clone())))
    }

    fn __repr__(&self) -> String {
        let scheme =
            self.scheme.as_ref().map_or_else(String::new, |scheme| format!(", scheme {scheme}"));
        format!("<fanmill.Column of {} rows, {}{scheme}>", self.array.len(), self.array.data_type())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.field())
    }

    /// The type is always the column's own, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    #[expect(unused_variables, reason = "the interface names it")]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        capsules::pair(py, &self.field(), &self.array)
    }
}

/// An iterator over the rows of a column or a table.
#[pyclass(frozen, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct Rows {
    array: ArrayRef,
    next: AtomicUsize,
}

impl Rows {
    pub(crate) fn from_array(array: ArrayRef) -> Rows {
        Rows { array, next: AtomicUsize::new(0) }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Rows>) -> Py<Rows> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let row = self.next.fetch_add(1, Ordering::Relaxed);
        (row < self.array.len()).then(|| value(py, &self.array, row)).transpose()
    }
}

/// Returns the rows of an array as objects of Python.
pub(crate) fn list<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let values: Vec<Bound<'py, PyAny>> =
        (0..array.len()).map(|row| value(py, array, row)).collect::<PyResult<_>>()?;
    PyList::new(py, values)
}

/// Returns a row as an object of Python.
pub(crate) fn value<'py>(
    py: Python<'py>,
    array: &ArrayRef,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    // These are the types that Fanmill's own columns have.
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Int64 => {
            array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::UInt32 => {
            array.as_primitive::<UInt32Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            array.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::List(_) => list(py, &array.as_list::<i32>().value(row))?.into_any(),
        DataType::FixedSizeList(..) => list(py, &array.as_fixed_size_list().value(row))?.into_any(),
        DataType::Struct(_) => {
            let (table, dict) = (array.as_struct(), PyDict::new(py));
            for (name, column) in table.column_names().iter().zip(table.columns()) {
                dict.set_item(name, value(py, column, row)?)?;
            }
            dict.into_any()
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "a column of type {other} has no form in Python"
            )));
        }
    })
}

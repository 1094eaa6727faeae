//! A table that a job returns: columns of one length, with names.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, Fields};
use fanmill_text::{Error, Result};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyTuple, PyType};
use std::sync::Arc;

use crate::column::{Column, Rows, value};
use crate::{capsules, pickles};

/// Columns of one length, with names, that Fanmill has made.
///
/// Whatever reads Arrow data takes it without a copy: ``pyarrow.table(table)``, ``polars.DataFrame(table)``. For Python alone,
/// ``table["a"]`` is a column, ``table[0]`` a row, and ``list(table)`` all rows, each a dict.
#[pyclass(frozen, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct Table(ArrayRef);

impl Table {
    /// Makes a table from columns and their names.
    ///
    /// # Errors
    /// If their lengths differ.
    pub(crate) fn from_columns(columns: Vec<(&str, ArrayRef)>) -> Result<Table> {
        let fields: Fields = columns
            .iter()
            .map(|(name, array)| {
                Field::new(*name, array.data_type().clone(), array.null_count() > 0)
            })
            .collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let made = StructArray::try_new(fields, arrays, None);
        let made =
            made.map_err(|error| Error::input(format!("the table cannot be made: {error}")))?;
        Ok(Table(Arc::new(made)))
    }

    fn batch(&self) -> RecordBatch {
        RecordBatch::from(self.0.as_struct())
    }

    fn field(&self) -> Field {
        Field::new("", self.0.data_type().clone(), false)
    }
}

#[pymethods]
impl Table {
    /// The names of its columns, in their order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.as_struct().column_names().into_iter().map(str::to_owned).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// A column by its name, or a row by its number.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(index) = key.extract::<isize>() else {
            let name: String = key.extract()?;
            let column = self.0.as_struct().column_by_name(&name);
            let column = column.ok_or_else(|| PyKeyError::new_err(name))?;
            return Ok(Column::from_array(Arc::clone(column)).into_pyobject(py)?.into_any());
        };
        let len = self.0.len();
        let row = if index < 0 { index + len.cast_signed() } else { index };
        let row = usize::try_from(row).ok().filter(|&row| row < len);
        value(
            py,
            &self.0,
            row.ok_or_else(|| PyIndexError::new_err(format!("row {index} of {len}")))?,
        )
    }

    fn __iter__(&self) -> Rows {
        Rows::from_array(Arc::clone(&self.0))
    }

    /// All rows, as dicts.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        crate::column::list(py, &self.0)
    }

    /// All columns, as lists.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (table, dict) = (self.0.as_struct(), PyDict::new(py));
        for (name, column) in table.column_names().into_iter().zip(table.columns()) {
            dict.set_item(name, crate::column::list(py, column)?)?;
        }
        Ok(dict)
    }

    #[classmethod]
    fn _of_bytes(_class: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Table> {
        let array = pickles::array_of(bytes)?;
        match array.data_type() {
            DataType::Struct(_) => Ok(Table(array)),
            other => Err(PyTypeError::new_err(format!("a table was expected, not {other}"))),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let of_bytes = py.get_type::<Table>().getattr("_of_bytes")?;
        Ok((of_bytes, (PyBytes::new(py, &pickles::bytes_of(&self.0)?),)))
    }

    fn __repr__(&self) -> String {
        format!("<fanmill.Table of {} rows: {}>", self.0.len(), self.column_names().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema(py, &self.field())
    }

    #[pyo3(signature = (requested_schema = None))]
    #[expect(unused_variables, reason = "the interface names it")]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        capsules::pair(py, &self.field(), &self.0)
    }

    #[pyo3(signature = (requested_schema = None))]
    #[expect(unused_variables, reason = "the interface names it")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::stream(py, self.batch())
    }
}

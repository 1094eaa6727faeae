//! Arrow data in and out of Python, without a copy: the PyCapsule interface.
//!
//! An object with `__arrow_c_array__` gives one array, one with `__arrow_c_stream__` gives arrays one after another:
//! chunked arrays, tables, readers. Both hand over C structures in capsules, whose names say what they are. A structure
//! is moved out of its capsule, which is then empty, as the interface demands; the memory behind it is released when
//! the last array that uses it is dropped, by the producer's own callback and without the interpreter's lock.
//!
//! This is the only module with `unsafe`: a capsule is a pointer, and the C structures in it have to be trusted.
//! Whatever can be checked about their contents is checked where they are read (`arrow` of `fanmill-records`):
//! that strings are UTF-8, and that they lie inside their buffers.
//!
//! Source: the Arrow specification, "C data interface", "C stream interface" and "The Arrow PyCapsule Interface".

#![expect(unsafe_code, reason = "the C data interface consists of pointers")]

use std::ffi::CStr;
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// The data that an object gave.
pub(crate) enum Given {
    /// One array.
    Array(ArrayRef),
    /// Arrays one after another, of any type. The stream's callbacks take the interpreter's lock if they need it, so
    /// they must be called without it.
    Stream(ArrayStreamReader),
}

/// Takes the Arrow data of an object; `None` if it has none.
///
/// # Errors
/// If the object breaks the rules of the interface.
pub(crate) fn given(object: &Bound<'_, PyAny>) -> PyResult<Option<Given>> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
        return array_of(&schema, &array).map(|array| Some(Given::Array(array)));
    }
    if object.hasattr("__arrow_c_stream__")? {
        return stream_of(&object.call_method0("__arrow_c_stream__")?)
            .map(|s| Some(Given::Stream(s)));
    }
    Ok(None)
}

fn array_of(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let schema =
        schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule of this name holds such a structure, which is valid as long as the capsule lives. An empty one is
    // left behind, so that it is released once: by us. The capsule is not shared, since the object has just made it, and
    // the interpreter's lock is held.
    let array = unsafe { ptr::replace(array.as_ptr(), FFI_ArrowArray::empty()) };
    if array.is_released() {
        return Err(PyTypeError::new_err("the Arrow array was released before it was given"));
    }
    // SAFETY: the producer vouches for the structure; the capsule of the schema outlives the call.
    let data = unsafe { from_ffi(array, schema.as_ref()) };
    data.map(make_array).map_err(|error| not_taken(&error))
}

fn stream_of(capsule: &Bound<'_, PyAny>) -> PyResult<ArrayStreamReader> {
    let stream =
        capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: as for an array.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    ArrayStreamReader::try_new(stream).map_err(|error| not_taken(&error))
}

fn not_taken(error: &ArrowError) -> PyErr {
    PyTypeError::new_err(format!("the Arrow data cannot be read: {error}"))
}

/// Makes the capsules of a schema and an array, for `__arrow_c_array__`.
pub(crate) fn pair<'py>(
    py: Python<'py>,
    field: &Field,
    array: &dyn Array,
) -> PyResult<Bound<'py, PyTuple>> {
    let (array, _) = to_ffi(&array.to_data()).map_err(|error| not_taken(&error))?;
    PyTuple::new(py, [schema(py, field)?, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Makes the capsule of a schema, for `__arrow_c_schema__`.
pub(crate) fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(|error| not_taken(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Makes the capsule of a stream of one batch, for `__arrow_c_stream__`.
pub(crate) fn stream(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

//! The native part of the Python package `fanmill` (`python/fanmill/`).
//!
//! Columns come in and go out by Arrow's PyCapsule interface ([`capsules`]), so that they are never copied and no
//! library is needed at run time. [`arrays`], [`texts`] and [`sets`] are what operators read, [`column`] is what they return.
//! [`running`] does all work without the interpreter's lock, asks for interruptions meanwhile, and turns a panic
//! into an exception; [`rows`] goes through columns; [`faults`] words errors for Python. What a column is made into is the recipe of
//! `fanmill-corpus` ([`recipe`]); [`comparing`] measures two columns row by row.
//! Jobs are those of `fanmill-jobs`, with [`settings`] from keyword arguments: [`dedup`], [`compare`].
//!
//! Documentation for users is in the stubs and in `docs/python.md`.

mod faults;
mod capsules;
mod arrays;
mod texts;
mod sets;
mod column;
mod table;
mod running;
mod rows;
mod comparing;
mod recipe;
mod settings;
mod dedup;
mod compare;

use pyo3::prelude::*;

/// The module `fanmill._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<column::Column>()?;
    module.add_class::<table::Table>()?;
    module.setattr("Found", module.py().get_type::<dedup::Found>())?;
    module.add_class::<recipe::Recipe>()?;
    module.setattr("Comparison", module.py().get_type::<compare::Comparison>())?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(compare::use_program, module)?)?;
    module.add_function(wrap_pyfunction!(dedup::find_duplicates, module)?)?;
    #[cfg(debug_assertions)]
    module.setattr("_panic_in_a_job", wrap_pyfunction!(running::panic_in_a_job, module)?)?;
    Ok(())
}

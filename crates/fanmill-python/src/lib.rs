//! The native part of the Python package `fanmill` (`python/fanmill/`).
//!
//! Columns come in and go out by Arrow's PyCapsule interface ([`capsules`]), so that they are never copied and no
//! library is needed at run time. Operators read [`arrays`] by `arrow` of `fanmill-records`, and return a [`column`].
//! [`running`] does all work without the interpreter's lock, checks for interruptions meanwhile, and turns a panic into
//! an exception; [`rows`] goes through columns; [`faults`] words errors for Python. [`recipe`] applies the recipe of
//! `fanmill-corpus` to columns; [`comparing`] measures two columns row by row, and [`buckets`] are for joins by other
//! programs. Jobs are those of `fanmill-jobs`, with [`settings`] from keyword arguments: [`dedup`], [`runs`] ([`cutting`] for other programs), [`decontaminate`], [`compare`],
//! [`index`], [`sift`]; [`fingerprints`] are those of `compare` and `index`.
//!
//! Documentation for users is in the stubs and in `docs/python.md`.

#![deny(unsafe_code)]

mod faults;
mod capsules;
mod pickles;
mod arrays;
mod column;
mod table;
mod running;
mod rows;
mod comparing;
mod recipe;
mod addresses;
mod buckets;
mod settings;
mod dedup;
mod short;
mod runs;
mod cutting;
mod decontaminate;
mod compare;
mod index;
mod fingerprints;
mod sift;

use pyo3::prelude::*;

/// The module `fanmill._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<column::Column>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<recipe::Recipe>()?;
    module.add_class::<addresses::AddressRules>()?;
    let py = module.py();
    module.setattr("Comparison", py.get_type::<compare::Comparison>())?;
    module.setattr("Found", py.get_type::<dedup::Duplicates>())?;
    module.setattr("FoundContamination", py.get_type::<decontaminate::SharedRuns>())?;
    module.setattr("FoundRuns", py.get_type::<runs::RepeatedRuns>())?;
    module.add_class::<cutting::RunOperator>()?;
    module.add_class::<sift::SiftKey>()?;
    for function in [
        wrap_pyfunction!(buckets::buckets, module)?,
        wrap_pyfunction!(compare::compare, module)?,
        wrap_pyfunction!(compare::languages, module)?,
        wrap_pyfunction!(compare::reading_settings, module)?,
        wrap_pyfunction!(compare::use_program, module)?,
        wrap_pyfunction!(decontaminate::find_contamination, module)?,
        wrap_pyfunction!(dedup::find_duplicates, module)?,
        wrap_pyfunction!(fingerprints::fingerprints, module)?,
        wrap_pyfunction!(index::index_add, module)?,
        wrap_pyfunction!(index::index_documents, module)?,
        wrap_pyfunction!(index::index_merge, module)?,
        wrap_pyfunction!(index::index_remove, module)?,
        wrap_pyfunction!(index::index_search, module)?,
        wrap_pyfunction!(index::index_stats, module)?,
        wrap_pyfunction!(index::index_upgrade, module)?,
        wrap_pyfunction!(index::index_verify, module)?,
        wrap_pyfunction!(runs::find_runs, module)?,
        wrap_pyfunction!(short::differ_by_slips, module)?,
        wrap_pyfunction!(short::short_words, module)?,
        wrap_pyfunction!(sift::sift_add, module)?,
        wrap_pyfunction!(sift::sift_campaigns, module)?,
        wrap_pyfunction!(sift::sift_check, module)?,
        wrap_pyfunction!(sift::sift_fingerprints, module)?,
        wrap_pyfunction!(sift::sift_new_key, module)?,
        wrap_pyfunction!(sift::sift_profile, module)?,
        wrap_pyfunction!(sift::sift_remove, module)?,
    ] {
        module.add_function(function)?;
    }
    #[cfg(debug_assertions)]
    module.setattr("_panic_in_a_job", wrap_pyfunction!(running::panic_in_a_job, module)?)?;
    Ok(())
}

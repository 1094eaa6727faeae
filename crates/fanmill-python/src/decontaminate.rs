//! Texts that share a run of words with items of test sets: the job of `fanmill-jobs`, over columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array, StringArray};
use fanmill_corpus::decontaminate::{Contamination, FoundItem, FoundRun};
use fanmill_jobs::dedup::{Settings, decontaminate_in_memory};
use fanmill_records::arrow::Texts;
use fanmill_text::Result;
use fanmill_text::progress::Progress;
use pyo3::prelude::*;

use crate::arrays::{Arrays, Replaced};
use crate::column::Column;
use crate::dedup::{read, strings};
use crate::faults::exception;
use crate::running::{self, Threads};
use crate::settings;
use crate::table::Table;

/// The findings; see the stubs.
#[pyclass(frozen, get_all, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct SharedRuns {
    keep: Py<Column>,
    runs: Py<Table>,
    items: Py<Table>,
    scheme: String,
    promise: String,
    n_kept: usize,
    n_invalid_utf8: usize,
    n_half_surrogates: usize,
}

/// Finds the texts that share a run of words with items. Settings are JSON. `text` and `item_text` name
/// the columns of tables.
#[pyfunction]
pub(crate) fn find_contamination(
    texts: &Bound<'_, PyAny>,
    items: &Bound<'_, PyAny>,
    text: &str,
    item_text: &str,
    settings: &str,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<SharedRuns> {
    let py = texts.py();
    let settings: Settings = settings::read(settings).map_err(|error| exception(py, &error))?;
    let (texts, items) = (Arrays::new(texts, Some(text))?, Arrays::new(items, Some(item_text))?);
    let (found, replaced) =
        running::run(py, Threads::new(threads, None), watcher, move |progress| {
            find(&settings, texts, items, progress)
        })?;
    SharedRuns::new(py, &found, replaced).map_err(|error| exception(py, &error))?
}

/// Finds the texts. Also returns what was replaced in them.
fn find(
    settings: &Settings,
    texts: Arrays,
    items: Arrays,
    progress: &dyn Progress,
) -> Result<(Contamination, Replaced)> {
    progress.begin("reading", 0);
    let (texts, replaced) = read(texts, progress)?;
    let items = Texts::all(items, progress)?;
    let (texts, items) = (strings(&texts)?, strings(&items)?);
    Ok((decontaminate_in_memory(settings, texts, items, progress)?, replaced))
}

impl SharedRuns {
    fn new(
        py: Python<'_>,
        found: &Contamination,
        replaced: Replaced,
    ) -> Result<PyResult<SharedRuns>> {
        let is_kept: BooleanArray = found.texts.iter().map(|is_gone| Some(!is_gone)).collect();
        let n_kept = is_kept.true_count();
        let (runs, items) = (runs(&found.runs)?, items(&found.items)?);
        // Errors of Python have a type of their own, so they are returned inside the result.
        let made = || {
            Ok(SharedRuns {
                keep: Py::new(py, Column::from_array(Arc::new(is_kept)))?,
                runs: Py::new(py, runs)?,
                items: Py::new(py, items)?,
                scheme: found.scheme.to_string(),
                promise: found.promise.clone(),
                n_kept,
                n_invalid_utf8: replaced.invalid,
                n_half_surrogates: replaced.surrogates,
            })
        };
        Ok(made())
    }
}

/// Returns a column of numbers.
fn numbers<T>(rows: &[T], of: impl Fn(&T) -> usize) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| of(row).cast_signed() as i64)))
}

/// Returns the runs, under the names that the table of the command has, with rows for names and places.
fn runs(runs: &[FoundRun]) -> Result<Table> {
    let shown = StringArray::from_iter_values(runs.iter().map(|run| &run.shown));
    Table::from_columns(vec![
        ("row", numbers(runs, |run| run.text)),
        ("item_row", numbers(runs, |run| run.item)),
        ("words", numbers(runs, |run| run.n_words as usize)),
        ("begin", numbers(runs, |run| run.place.start)),
        ("end", numbers(runs, |run| run.place.end)),
        ("item_begin", numbers(runs, |run| run.item_place.start)),
        ("item_end", numbers(runs, |run| run.item_place.end)),
        ("text", Arc::new(shown)),
    ])
}

/// Returns the items, under the names of the command's table, with rows for names.
fn items(items: &[FoundItem]) -> Result<Table> {
    let is_too_short: BooleanArray = items.iter().map(|item| Some(item.is_too_short)).collect();
    Table::from_columns(vec![
        ("item_row", numbers(items, |item| item.item)),
        ("words", numbers(items, |item| item.n_words)),
        ("documents", numbers(items, |item| item.n_documents as usize)),
        ("longest", numbers(items, |item| item.longest as usize)),
        ("common_runs", numbers(items, |item| item.n_common as usize)),
        ("is_too_short", Arc::new(is_too_short)),
    ])
}

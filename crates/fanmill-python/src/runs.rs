//! Repeated runs of words among texts: the job of `fanmill-jobs`, over columns.

use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Int64Array, LargeStringArray};
use fanmill_corpus::runs::{Edit, Edits, FoundPiece};
use fanmill_jobs::dedup::{Settings, runs_in_memory};
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

/// The findings; see the stubs. Each column has a row for each text.
#[pyclass(frozen, get_all, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct RepeatedRuns {
    keep: Py<Column>,
    changed: Py<Column>,
    texts: Py<Column>,
    runs: Py<Table>,
    scheme: String,
    promise: String,
    n_kept: usize,
    n_changed: usize,
    n_words: u64,
    n_rounds: u32,
    n_invalid_utf8: usize,
    n_half_surrogates: usize,
}

/// Finds repeated runs. Settings are JSON.
#[pyfunction]
pub(crate) fn find_runs(
    texts: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    text: &str,
    settings: &str,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<RepeatedRuns> {
    let py = texts.py();
    let settings: Settings = settings::read(settings).map_err(|error| exception(py, &error))?;
    let texts = Arrays::new(texts, Some(text))?;
    // A reference is refused, whatever is in it.
    let has_reference = against.is_some();
    let (edits, left, replaced) =
        running::run(py, Threads::new(threads, None), watcher, move |progress| {
            find(&settings, texts, has_reference, progress)
        })?;
    RepeatedRuns::new(py, &edits, left, replaced).map_err(|error| exception(py, &error))?
}

/// Finds the runs. Also returns the texts that are left, and what was replaced in all of them.
fn find(
    settings: &Settings,
    texts: Arrays,
    has_reference: bool,
    progress: &dyn Progress,
) -> Result<(Edits, LargeStringArray, Replaced)> {
    progress.begin("reading", 0);
    let (parts, replaced) = read(texts, progress)?;
    let texts = strings(&parts)?;
    let edits =
        runs_in_memory(settings, texts.iter().copied(), has_reference.then_some(&[]), progress)?;
    let mut left = LargeStringBuilder::new();
    for (row, (text, edit)) in rows(&parts).zip(&edits.texts).enumerate() {
        if row % CHECKED_EVERY == 0 {
            progress.check()?;
        }
        match edit {
            Edit::Stays => left.append_option(text?),
            Edit::Cut(rest) => left.append_value(rest),
            Edit::Goes => left.append_null(),
        }
    }
    Ok((edits, left.finish(), replaced))
}

/// Number of texts that are copied between two checks for Ctrl-C.
const CHECKED_EVERY: usize = 1 << 12;

/// Returns all texts one after another.
fn rows(parts: &[Texts]) -> impl Iterator<Item = Result<Option<&str>>> {
    parts.iter().flat_map(|texts| (0..texts.len()).map(move |row| texts.text(row)))
}

impl RepeatedRuns {
    fn new(
        py: Python<'_>,
        edits: &Edits,
        left: LargeStringArray,
        replaced: Replaced,
    ) -> Result<PyResult<RepeatedRuns>> {
        let is_kept: BooleanArray =
            edits.texts.iter().map(|edit| Some(*edit != Edit::Goes)).collect();
        let n_kept = is_kept.true_count();
        let changed = edits.texts.iter().map(|edit| Some(matches!(edit, Edit::Cut(_))));
        let changed: BooleanArray = changed.collect();
        let n_changed = changed.true_count();
        let runs = table(&edits.pieces)?;
        let column = |array: ArrayRef| Py::new(py, Column::from_array(array));
        // Errors of Python have a type of their own, so they are returned inside the result.
        let made = || {
            Ok(RepeatedRuns {
                keep: column(Arc::new(is_kept))?,
                changed: column(Arc::new(changed))?,
                texts: column(Arc::new(left))?,
                runs: Py::new(py, runs)?,
                scheme: edits.scheme.to_string(),
                promise: edits.promise.clone(),
                n_kept,
                n_changed,
                n_words: edits.removed.words,
                n_rounds: edits.n_rounds,
                n_invalid_utf8: replaced.invalid,
                n_half_surrogates: replaced.surrogates,
            })
        };
        Ok(made())
    }
}

/// Returns the pieces that go, under the names that the table of the command has, with rows for names and places.
fn table(pieces: &[FoundPiece]) -> Result<Table> {
    let numbers = |of: fn(&FoundPiece) -> i64| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(pieces.iter().map(of)))
    };
    let is_removed = pieces.iter().map(|piece| Some(piece.is_removed)).collect::<BooleanArray>();
    Table::from_columns(vec![
        ("row", numbers(|piece| piece.text.cast_signed() as i64)),
        ("begin", numbers(|piece| piece.begin.into())),
        ("end", numbers(|piece| piece.end.into())),
        ("words", numbers(|piece| piece.n_words.into())),
        ("source_row", numbers(|piece| piece.source.cast_signed() as i64)),
        ("source_begin", numbers(|piece| piece.source_begin.into())),
        ("source_end", numbers(|piece| piece.source_end.into())),
        ("words_left", numbers(|piece| piece.words_left.into())),
        ("is_removed", Arc::new(is_removed)),
    ])
}

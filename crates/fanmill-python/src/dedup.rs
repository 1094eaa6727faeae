//! Near-duplicates among texts: the job of `fanmill-jobs`, over columns.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array};
use arrow_schema::{DataType, Field};
use fanmill_corpus::dedup::{Decision, Decisions, Removal};
use fanmill_jobs::dedup::{self, Settings};
use fanmill_records::arrow::Texts;
use fanmill_sketch::lsh::join::Edge;
use fanmill_text::Result;
use fanmill_text::progress::Progress;
use pyo3::prelude::*;

use crate::arrays::{Arrays, Replaced};
use crate::column::Column;
use crate::faults::{InPython, exception};
use crate::running::{self, Threads};
use crate::settings;
use crate::table::Table;

/// The findings; see the stubs. Each column has a row for each text.
#[pyclass(frozen, get_all, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct Duplicates {
    keep: Py<Column>,
    duplicate_of: Py<Column>,
    in_against: Py<Column>,
    by_address: Py<Column>,
    resemblance: Py<Column>,
    containment: Py<Column>,
    clusters: Py<Column>,
    pairs: Py<Table>,
    scheme: String,
    promise: String,
    n_kept: usize,
    n_candidates: u64,
    n_unseen: u64,
    n_invalid_utf8: usize,
    n_half_surrogates: usize,
}

/// Finds near-duplicates. Settings are JSON.
#[pyfunction]
pub(crate) fn find_duplicates(
    texts: &Bound<'_, PyAny>,
    against: Option<&Bound<'_, PyAny>>,
    text: &str,
    settings: &str,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
    addresses: Option<(Bound<'_, PyAny>, String)>,
) -> PyResult<Duplicates> {
    let py = texts.py();
    let settings: Settings = settings::read(settings).map_err(|error| exception(py, &error))?;
    let texts = Arrays::new(texts, Some(text))?;
    let against = against.map(|against| Arrays::new(against, Some(text))).transpose()?;
    let addresses =
        addresses.map(|(column, name)| Arrays::new(&column, Some(&name))).transpose()?;
    let (decisions, n_references, replaced) =
        running::run(py, Threads::new(threads, None), watcher, move |progress| {
            decide(&settings, (texts, addresses), against, progress)
        })?;
    Duplicates::new(py, &decisions, n_references, replaced)
        .map_err(|error| exception(py, &error))?
}

/// Finds the duplicates. Also returns the number of texts in the reference, and what was replaced in the other texts.
fn decide(
    settings: &Settings,
    (texts, addresses): (Arrays, Option<Arrays>),
    against: Option<Arrays>,
    progress: &dyn Progress,
) -> Result<(Decisions, usize, Replaced)> {
    progress.begin("reading", 0);
    let (texts, replaced) = read(texts, progress)?;
    let against = against.map(|against| Texts::all(against, progress)).transpose()?;
    let texts = strings(&texts)?;
    let against = against.as_deref().map(strings).transpose()?;
    let n_references = against.as_ref().map_or(0, Vec::len);
    let addresses = addresses.map(|addresses| Texts::all(addresses, progress)).transpose()?;
    let addresses = addresses.as_deref().map(values).transpose()?;
    let texts = (texts, addresses.as_deref());
    Ok((dedup::in_memory(settings, texts, against, progress)?, n_references, replaced))
}

/// Reads all texts of a column. Also returns in how many of them something was replaced.
pub(crate) fn read(texts: Arrays, progress: &dyn Progress) -> Result<(Vec<Texts>, Replaced)> {
    let replaced = texts.replaced();
    let parts = Texts::all(texts, progress)?;
    let replaced = replaced.with(&parts);
    Ok((parts, replaced))
}

/// Returns all values of a column one after another, and `None` for nulls.
fn values(parts: &[Texts]) -> Result<Vec<Option<&str>>> {
    let rows = parts.iter().flat_map(|texts| (0..texts.len()).map(move |row| texts.text(row)));
    rows.collect()
}

/// Returns all texts one after another. A null becomes a text without words, which nothing resembles.
pub(crate) fn strings(parts: &[Texts]) -> Result<Vec<&str>> {
    let rows = parts.iter().flat_map(|texts| (0..texts.len()).map(move |row| texts.text(row)));
    rows.map(|text| text.map(Option::unwrap_or_default)).collect()
}

impl Duplicates {
    fn new(
        py: Python<'_>,
        decisions: &Decisions,
        n_references: usize,
        replaced: Replaced,
    ) -> Result<PyResult<Duplicates>> {
        let texts = &decisions.texts;
        let of_removed = |value: fn(&Removal) -> Option<f64>| -> ArrayRef {
            let values = texts.iter().map(|decision| decision.removal().and_then(value));
            Arc::new(values.collect::<Float64Array>())
        };
        let kept = texts
            .iter()
            .map(|decision| decision.removal().map(|removal| removal.kept.cast_signed() as i64));
        let in_against =
            texts.iter().map(|decision| decision.removal().map(|own| own.kept_is_reference));
        let by_address = texts.iter().map(|decision| decision.removal().map(|own| own.by_address));
        let is_kept: BooleanArray = texts.iter().map(|own| Some(own.removal().is_none())).collect();
        let n_kept = is_kept.true_count();
        let pairs = pairs(&decisions.pairs, n_references)?;
        let column = |array: ArrayRef| Py::new(py, Column::from_array(array));
        // Errors of Python have a type of their own, so they are returned inside the result.
        let made = || {
            Ok(Duplicates {
                keep: column(Arc::new(is_kept))?,
                duplicate_of: column(Arc::new(kept.collect::<Int64Array>()))?,
                in_against: column(Arc::new(in_against.collect::<BooleanArray>()))?,
                by_address: column(Arc::new(by_address.collect::<BooleanArray>()))?,
                resemblance: column(of_removed(|removal| removal.resemblance))?,
                containment: column(of_removed(|removal| removal.containment))?,
                clusters: column(clusters(texts))?,
                pairs: Py::new(py, pairs)?,
                scheme: decisions.scheme.to_string(),
                promise: decisions.promise.say(&InPython),
                n_kept,
                n_candidates: decisions.n_candidates,
                n_unseen: decisions.n_unseen,
                n_invalid_utf8: replaced.invalid,
                n_half_surrogates: replaced.surrogates,
            })
        };
        Ok(made())
    }
}

/// Lists the clusters: each text that stays although others resemble it, and these; rows, ascending by the first.
fn clusters(texts: &[Decision]) -> ArrayRef {
    let removed = texts.iter().enumerate().filter_map(|(row, own)| Some((own.removal()?, row)));
    let of_own = removed.filter(|(removal, _)| !removal.kept_is_reference);
    let mut rows: Vec<(i64, i64)> = of_own
        .map(|(removal, row)| (removal.kept.cast_signed() as i64, row.cast_signed() as i64))
        .collect();
    rows.sort_unstable();
    let field = Field::new("item", DataType::Int64, false);
    let mut clusters = ListBuilder::new(Int64Builder::new()).with_field(field);
    for cluster in rows.chunk_by(|a, b| a.0 == b.0) {
        let members = cluster.iter().map(|&(_, row)| row);
        clusters.append_value([cluster[0].0].into_iter().chain(members).map(Some));
    }
    Arc::new(clusters.finish())
}

/// Returns the pairs that count, ascending. The documents of the reference have the first numbers.
fn pairs(edges: &[Edge], n_references: usize) -> Result<Table> {
    let in_order = |edge: &Edge| (edge.a.min(edge.b), edge.a.max(edge.b), edge.resemblance);
    let mut pairs: Vec<(u32, u32, f64)> = edges.iter().map(in_order).collect();
    pairs.sort_unstable_by_key(|&(a, b, _)| (a, b));
    let is_reference = |document: u32| (document as usize) < n_references;
    let row = |document: u32| {
        let first = if is_reference(document) { 0 } else { n_references.cast_signed() as i64 };
        Some(i64::from(document) - first)
    };
    let a: Int64Array = pairs.iter().map(|pair| row(pair.0)).collect();
    let b: Int64Array = pairs.iter().map(|pair| row(pair.1)).collect();
    let resemblance: Float64Array = pairs.iter().map(|pair| Some(pair.2)).collect();
    let in_against: BooleanArray = pairs.iter().map(|pair| Some(is_reference(pair.0))).collect();
    Table::from_columns(vec![
        ("a", Arc::new(a)),
        ("b", Arc::new(b)),
        ("resemblance", Arc::new(resemblance)),
        ("a_in_against", Arc::new(in_against)),
    ])
}

//! The buckets of texts, for programs that join them elsewhere, such as Spark: the [entries] of a document as columns,
//! so that every join sorts and links the members of a large bucket in the same way.
//!
//! A text of one shingle has one bucket, in which all texts are that shingle, if the search on one machine gives it
//! one.
//!
//! [entries]: fanmill_sketch::lsh::join::Entry

use fanmill_corpus::candidates;
use fanmill_corpus::recipe::{self, Scratch};
use fanmill_sketch::lsh::join::Entry;
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::faults::exception;
use crate::recipe::Recipe;
use crate::rows::{self, BLOCK};
use crate::running::{self, Threads};

/// See the stubs.
#[pyfunction]
#[pyo3(signature = (recipe, texts, *, threshold, threads = None))]
pub(crate) fn buckets(
    py: Python<'_>,
    recipe: &Recipe,
    texts: &Bound<'_, PyAny>,
    threshold: f64,
    threads: Option<usize>,
) -> PyResult<Column> {
    let made = searched(recipe, threshold).map_err(|error| exception(py, &error))?;
    let arrays = Arrays::new(texts, None)?;
    let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
    let column = running::run(py, threads, None, move |progress| {
        rows::lists(arrays, None, progress, |room: &mut BucketScratch, text| room.fill(&made, text))
    })?;
    Ok(Column::from_array(column).with_scheme(&recipe.corpus().scheme()))
}

/// Returns the recipe for a search of pairs that reach the threshold.
fn searched(recipe: &Recipe, threshold: f64) -> Result<recipe::Recipe> {
    let scheme = recipe.corpus().scheme();
    match recipe.corpus().bands() {
        Some(bands) if bands.needed() == 1 && bands.bands() > 1 => {
            Ok(recipe::Recipe::from_scheme(&scheme)?.compared_by(Threshold::new(threshold)?))
        }
        _ => Err(Error::setting(message![
            "`{scheme}` has no bands of which one agrees; use the ",
            Setting("sketch"),
            " fss(t=128) or perm(t=128)"
        ])),
    }
}

/// The memory that a thread reuses for each text.
#[derive(Debug, Default)]
struct BucketScratch {
    scratch: Scratch,
    row: Vec<u64>,
}

impl BucketScratch {
    /// Makes the buckets of a text, each with the text's order in it; `None` for a text without words.
    fn fill(&mut self, recipe: &recipe::Recipe, text: &str) -> Option<&[u64]> {
        // All texts get this number: a program that joins texts of one order sorts them by its own names for them.
        const DOCUMENT: u32 = 0;
        let columns = |entry: Entry| [entry.key(), entry.member().0 >> u32::BITS];
        let keys = recipe.keys_or_shingle(text, &mut self.scratch).keys;
        self.row.clear();
        if let [shingle] = *keys {
            let entries = candidates::entries_of_shingle(DOCUMENT, shingle, 1);
            self.row.extend(entries.flat_map(columns));
        } else {
            let entries = (0..keys.len()).filter_map(|band| Entry::new(DOCUMENT, keys, band));
            self.row.extend(entries.flat_map(columns));
        }
        (!keys.is_empty()).then_some(&self.row)
    }
}

//! The buckets of texts, for programs that join them elsewhere, such as Spark: the [entries] of a document as
//! columns, so that every join sorts and links the members of a large bucket alike.
//!
//! [entries]: fanmill::lsh::join::Entry

use fanmill::lsh::join::Entry;
use fanmill::{Error, Result, Setting};
use fanmill_corpus::recipe::{self, Scratch};
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::faults::exception;
use crate::recipe::Recipe;
use crate::rows::{self, BLOCK};
use crate::running::{self, Threads};

/// See the stubs.
#[pyfunction]
#[pyo3(signature = (recipe, texts, *, threads = None))]
pub(crate) fn buckets(
    py: Python<'_>,
    recipe: &Recipe,
    texts: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Column> {
    let n_bands = n_bands(recipe).map_err(|error| exception(py, &error))?;
    let (arrays, made) = (Arrays::of(texts, None)?, recipe.clone());
    let threads = Threads::of(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
    let column = running::run(py, threads, None, move |progress| {
        rows::lists(arrays, Some(2 * n_bands), progress, |room: &mut Room, text| {
            room.fill(made.corpus(), text)
        })
    })?;
    Ok(Column::of(column).with_scheme(&recipe.corpus().scheme()))
}

/// How many bands there are, of which one must agree.
fn n_bands(recipe: &Recipe) -> Result<usize> {
    match recipe.corpus().bands() {
        Some(bands) if bands.needed() == 1 && bands.bands() > 1 => Ok(bands.bands()),
        _ => Err(Error::setting(format!(
            "`{}` has no bands of which one agrees; use the {} fss(t=128) or perm(t=128)",
            recipe.corpus().scheme(),
            Setting("sketch")
        ))),
    }
}

/// What a thread needs for each text.
#[derive(Debug, Default)]
struct Room {
    scratch: Scratch,
    row: Vec<u64>,
}

impl Room {
    /// The buckets of a text, then its order in each; nothing for a text without words.
    fn fill(&mut self, recipe: &recipe::Recipe, text: &str) -> Option<&[u64]> {
        let keys = recipe.keys(text, &mut self.scratch).keys;
        self.row.clear();
        self.row.resize(2 * keys.len(), 0);
        let (buckets, orders) = self.row.split_at_mut(keys.len());
        for band in 0..keys.len() {
            // Whoever joins documents of one order sorts them by what they know them by.
            let entry = Entry::new(0, keys, band)?;
            (buckets[band], orders[band]) = (entry.key(), entry.member().0 >> u32::BITS);
        }
        (!keys.is_empty()).then_some(&self.row)
    }
}

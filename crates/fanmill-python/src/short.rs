//! Short texts, for programs that compare candidates elsewhere, such as Spark: their words, and whether those of two
//! differ by slips alone.

use std::sync::Arc;

use arrow_array::{BooleanArray, StringArray};
use fanmill_corpus::are_copies;
use fanmill_corpus::recipe::Scratch;
use fanmill_records::arrow::Texts;
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::dedup::strings;
use crate::recipe::Recipe;
use crate::running::{self, Threads};

/// See the stubs.
#[pyfunction]
pub(crate) fn short_words(
    py: Python<'_>,
    recipe: &Recipe,
    texts: &Bound<'_, PyAny>,
) -> PyResult<Column> {
    let (recipe, arrays) = (recipe.clone(), Arrays::new(texts, None)?);
    let words = running::run(py, Threads::new(Some(1), None), None, move |progress| {
        let texts = Texts::all(arrays, progress)?;
        let mut scratch = Scratch::default();
        let words = strings(&texts)?.into_iter();
        Ok(words.map(|text| recipe.corpus().short_words(text, &mut scratch)).collect())
    })?;
    let words: StringArray = words;
    Ok(Column::from_array(Arc::new(words)))
}

/// See the stubs.
#[pyfunction]
pub(crate) fn differ_by_slips(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    threshold: f64,
) -> PyResult<Column> {
    let both = [Arrays::new(a, None)?, Arrays::new(b, None)?];
    let copies = running::run(py, Threads::new(Some(1), None), None, move |progress| {
        let [a, b] = both.map(|arrays| Texts::all(arrays, progress));
        let (a, b) = (a?, b?);
        // No short text is without words: a null is a longer one.
        let is_copy =
            |(a, b): (&str, &str)| a.is_empty() || b.is_empty() || are_copies(a, b, threshold);
        let pairs = strings(&a)?.into_iter().zip(strings(&b)?);
        Ok(pairs.map(|pair| Some(is_copy(pair))).collect())
    })?;
    let copies: BooleanArray = copies;
    Ok(Column::from_array(Arc::new(copies)))
}

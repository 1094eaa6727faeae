//! Words, shingles, sketches and keys of texts: the recipe of `fanmill-corpus` over columns.

use std::sync::Arc;

use fanmill_corpus::recipe::{self, Scratch, Shingling};
use fanmill_corpus::{ShortTexts, WordKind};
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::verify::{self, Threshold};
use fanmill_sketch::{Sketch, Sketcher};
use fanmill_text::message;
use fanmill_text::scheme::Scheme;
use fanmill_text::{Error, Result, Setting};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::comparing::{self, Measure, SetKey};
use crate::faults::exception;
use crate::rows::{self, BLOCK};
use crate::running::{self, Threads};

/// How texts become words, shingles, sketches and keys, by which near-duplicates are found.
///
/// Words are runs of letters, digits, marks and underscores, in lower case; look-alike and invisible characters are folded before.
/// A shingle is `shingle` consecutive words; a text of fewer words, but some, is one shingle. Equal recipes make equal
/// keys on every machine and in every release: compare `scheme`.
///
/// Arguments:
///     min_score: Resemblance (Jaccard) from which on two texts count as near-duplicates, above 0 and below 1. It fixes the bands of keys.
///         None for a recipe that makes no keys.
///     recall: Minimum share of the pairs exactly at the threshold that share a key, between 0 and 1.
///     shingle: Words in a shingle, at least 1.
///     weighted: Whether a shingle counts as often as it occurs.
///     sketch: ``fss(t=128)`` (fast similarity sketch), ``perm(t=128)`` (MinHash), ``lead(t=84)``, ``classic(k=6,s=14,r=2)``,
///         ``bytes(s=11,r=3)``, ``bottom(t=128)`` or ``mod(m=32)``, each with other numbers if you like.
///     exact_spelling: Whether words are compared as they are spelled, accents, widths and ways to write a letter included.
///     words: The words that texts consist of: of ``prose``, or with all signs, as they are written, of ``code`` or ``maths``.
///     short_texts: The way texts of fewer than six shingles' words (30), or twenty shingles' letters (100), are compared: ``slips``
///         (by their words, each at its place), or ``shingles``, as longer ones are.
///
/// A recipe can be pickled, and sent to other processes.
#[expect(
    clippy::doc_markdown,
    reason = "it is the help of a class of Python, whose arguments have no backticks"
)]
#[pyclass(frozen, module = "fanmill")]
#[derive(Debug, Clone)]
pub(crate) struct Recipe(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    recipe: recipe::Recipe,
    sketcher: Sketcher,
}

impl Recipe {
    fn made(
        keys: Option<(f64, f64)>,
        shingling: Shingling,
        words: (WordKind, ShortTexts),
        sketch: &str,
    ) -> Result<Recipe> {
        let sketch: Sketch = sketch.parse()?;
        let (words, short_texts) = words;
        let mut recipe =
            recipe::Recipe::new(shingling)?.with_words(words).with_short_texts(short_texts);
        if let Some((threshold, recall)) = keys {
            recipe = recipe.with_keys(sketch, Threshold::new(threshold)?, recall)?;
        }
        Ok(Recipe(Arc::new(Inner { recipe, sketcher: sketch.sketcher()? })))
    }

    fn from_scheme(scheme: &Scheme) -> Result<Recipe> {
        // Without bands, all but the last step are those of a recipe without keys.
        let without = scheme.steps().split_last().and_then(|(last, steps)| {
            let sketch: Sketch = last.parse().ok()?;
            let steps = steps.iter().cloned().chain(["rarest".to_owned()]);
            Some((sketch, Scheme::new(scheme.domain(), scheme.front_ends().to_vec(), steps)))
        });
        let (recipe, sketch) = if let Some((sketch, scheme)) = without {
            (recipe::Recipe::from_scheme(&scheme)?, sketch)
        } else {
            let recipe = recipe::Recipe::from_scheme(scheme)?;
            let sketch = recipe.sketch().unwrap_or_else(Sketch::standard);
            (recipe, sketch)
        };
        Ok(Recipe(Arc::new(Inner { recipe, sketcher: sketch.sketcher()? })))
    }

    /// Returns the recipe of `fanmill-corpus`.
    pub(crate) fn corpus(&self) -> &recipe::Recipe {
        &self.0.recipe
    }
}

#[pymethods]
impl Recipe {
    #[new]
    #[pyo3(
        signature = (*, min_score = Some(0.8), recall = 0.998, shingle = 5, weighted = false, sketch = "fss(t=128)", exact_spelling = false, words = "prose", short_texts = "shingles"),
        text_signature = "(*, min_score=0.8, recall=0.998, shingle=5, weighted=False, sketch='fss(t=128)', exact_spelling=False, words='prose', short_texts='shingles')"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of a class of Python")]
    fn new(
        py: Python<'_>,
        min_score: Option<f64>,
        recall: f64,
        shingle: usize,
        weighted: bool,
        sketch: &str,
        exact_spelling: bool,
        words: &str,
        short_texts: &str,
    ) -> PyResult<Recipe> {
        let words = match words.parse() {
            Ok(WordKind::Prose) if exact_spelling => Ok(WordKind::ExactSpelling),
            Ok(_) if exact_spelling => Err(Error::setting(
                "`exact_spelling` concerns words of prose; in code and maths each letter counts anyway",
            )),
            words => words,
        };
        let words = words.map_err(|error| exception(py, &error))?;
        let short_texts = short_texts.parse().map_err(|error| exception(py, &error))?;
        let shingling = Shingling { words: shingle, is_weighted: weighted };
        let keys = min_score.map(|threshold| (threshold, recall));
        Recipe::made(keys, shingling, (words, short_texts), sketch)
            .map_err(|error| exception(py, &error))
    }

    /// The recipe of a scheme.
    ///
    /// Raises `ValueError` if this release does not make such values.
    #[classmethod]
    fn of_scheme(class: &Bound<'_, PyType>, scheme: &str) -> PyResult<Recipe> {
        scheme
            .parse()
            .and_then(|scheme| Recipe::from_scheme(&scheme))
            .map_err(|error| exception(class.py(), &error))
    }

    /// The recipe in canonical form: ``corpus:runs@3/k=5/fss(t=128)/bands(b=25,r=5,needed=1)``.
    #[getter]
    fn scheme(&self) -> String {
        match self.0.recipe.bands() {
            Some(_) => self.0.recipe.scheme().to_string(),
            None => self.0.sketch_scheme().to_string(),
        }
    }

    /// Number of bands, of registers in each, and of bands that must agree; None for a recipe without keys.
    #[getter]
    fn bands(&self) -> Option<(usize, usize, usize)> {
        self.0.recipe.bands().map(|bands| (bands.bands(), bands.rows(), bands.needed()))
    }

    /// See `fanmill.sketch`.
    #[pyo3(signature = (texts, *, text = None, threads = None))]
    fn sketch(
        &self,
        texts: &Bound<'_, PyAny>,
        text: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        let (arrays, inner) = (Arrays::new(texts, text)?, Arc::clone(&self.0));
        let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
        let scheme = self.0.sketch_scheme();
        let column = running::run(texts.py(), threads, None, move |progress| {
            let Inner { recipe, sketcher } = &*inner;
            let width = sketcher.sketch().row_len();
            rows::lists(arrays, width, progress, |scratch: &mut Scratch, text| {
                recipe.row(text, sketcher, scratch)
            })
        })?;
        Ok(Column::from_array(column).with_scheme(&scheme))
    }

    /// See `fanmill.band_keys`.
    #[pyo3(signature = (texts, *, text = None, threads = None))]
    fn band_keys(
        &self,
        texts: &Bound<'_, PyAny>,
        text: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        let (arrays, inner) = (Arrays::new(texts, text)?, Arc::clone(&self.0));
        if inner.recipe.bands().is_none() {
            let error = Error::setting(message![
                "a recipe without ",
                Setting("min-score"),
                " makes no keys; give one"
            ]);
            return Err(exception(texts.py(), &error));
        }
        let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
        let column = running::run(texts.py(), threads, None, move |progress| {
            // With one band, each key is independent, and a text may have any number of them.
            let width = inner.recipe.bands().map(Bands::bands).filter(|&n| n > 1);
            rows::lists(arrays, width, progress, |scratch: &mut Scratch, text| {
                let keyed = inner.recipe.keys(text, scratch);
                (keyed.n_words > 0).then_some(keyed.keys)
            })
        })?;
        Ok(Column::from_array(column).with_scheme(&self.scheme()))
    }

    /// See `fanmill.shingles`.
    #[pyo3(signature = (texts, *, key = None, text = None, threads = None))]
    fn shingles(
        &self,
        texts: &Bound<'_, PyAny>,
        key: Option<&[u8]>,
        text: Option<&str>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        let py = texts.py();
        let key = SetKey::given(key).map_err(|error| exception(py, &error))?;
        let (arrays, inner) = (Arrays::new(texts, text)?, Arc::clone(&self.0));
        let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
        let scheme = self.0.set_scheme(&key);
        let column = running::run(py, threads, None, move |progress| {
            rows::lists(arrays, None, progress, |scratch: &mut Scratch, text| {
                Some(inner.recipe.set(text, &key.words, scratch))
            })
        })?;
        Ok(Column::from_array(column).with_scheme(&scheme))
    }

    /// See `fanmill.resemblance`.
    #[pyo3(signature = (a, b, *, threads = None))]
    fn resemblance(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        self.compared(a, b, threads, verify::resemblance)
    }

    /// See `fanmill.containment`.
    #[pyo3(signature = (a, b, *, threads = None))]
    fn containment(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        self.compared(a, b, threads, verify::containment)
    }

    fn __repr__(&self) -> String {
        format!("fanmill.Recipe.of_scheme({:?})", self.scheme())
    }

    fn __eq__(&self, other: &Recipe) -> bool {
        self.scheme() == other.scheme()
    }

    /// For pickle: a recipe is its scheme.
    fn __reduce__<'py>(slf: &Bound<'py, Recipe>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("of_scheme")?, (slf.get().scheme(),)))
    }
}

impl Recipe {
    /// Compares two columns row by row.
    fn compared(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        threads: Option<usize>,
        measure: Measure,
    ) -> PyResult<Column> {
        let py = a.py();
        same_scheme(a, b).map_err(|error| exception(py, &error))?;
        let key = SetKey::secret().map_err(|error| exception(py, &error))?;
        let (inner, both) = (Arc::clone(&self.0), [Arrays::new(a, None)?, Arrays::new(b, None)?]);
        let n_rows = both[0].n_rows();
        let threads = Threads::new(threads, n_rows.map(|n| n.div_ceil(BLOCK)));
        let numbers = running::run(py, threads, None, move |progress| {
            let [a, b] = both.map(comparing::Column::read);
            comparing::compare([&a?, &b?], &inner.recipe, &key, measure, progress)
        })?;
        Ok(Column::from_array(Arc::new(numbers)))
    }
}

impl Inner {
    /// Returns the scheme of sketches: the recipe without bands.
    fn sketch_scheme(&self) -> Scheme {
        self.scheme_of(self.sketcher.sketch().to_string())
    }

    /// Returns the scheme of sets under a key.
    fn set_scheme(&self, key: &SetKey) -> Scheme {
        self.scheme_of(format!("set(key={})", key.id))
    }

    /// Returns the scheme of the steps up to shingles, and one more.
    fn scheme_of(&self, last: String) -> Scheme {
        let whole = self.recipe.scheme();
        let is_weighted = self.recipe.shingling().is_weighted;
        let has_slips = self.recipe.short_texts() == ShortTexts::Slips;
        let n_steps = 1 + usize::from(is_weighted) + usize::from(has_slips);
        let steps = whole.steps().iter().take(n_steps).cloned().chain([last]);
        Scheme::new(whole.domain(), whole.front_ends().iter().cloned(), steps)
    }
}

/// Refuses columns that operators have made with different recipes.
fn same_scheme(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Result<()> {
    let scheme = |object: &Bound<'_, PyAny>| {
        let column = object.cast::<Column>().ok()?;
        column.get().scheme().map(str::to_owned)
    };
    match (scheme(a), scheme(b)) {
        (Some(a), Some(b)) if a != b => Err(Error::input(format!(
            "columns of the schemes `{a}` and `{b}` cannot be compared; make both by the same recipe and key"
        ))),
        _ => Ok(()),
    }
}

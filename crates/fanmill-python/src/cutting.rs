//! Repeated runs by operators over texts, for programs that sort windows themselves: see `runs::TextOperator`.
//!
//! Ranges of words are lists of `int64`: begin and end by turns.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, LargeStringBuilder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_schema::{DataType, Field};
use fanmill_corpus::runs::TextOperator;
use fanmill_jobs::dedup::{Settings, run_operator};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use pyo3::prelude::*;

use crate::arrays::Arrays;
use crate::column::Column;
use crate::dedup::{read, strings};
use crate::faults::exception;
use crate::rows::offset;
use crate::running::{self, Threads};
use crate::settings;
use crate::table::Table;

/// Operators over texts, under a key of 32 bytes; see the stubs.
#[pyclass(frozen, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct RunOperator(Arc<TextOperator>);

/// The ranges of each text.
type Ranges = Vec<Vec<Range<u32>>>;

#[pymethods]
impl RunOperator {
    #[new]
    fn new(py: Python<'_>, settings: &str, key: &[u8]) -> PyResult<RunOperator> {
        let made = || {
            let settings: Settings = settings::read(settings)?;
            let key = key.try_into().map_err(|_| {
                Error::input(format!("a key has 32 bytes, and this one has {}", key.len()))
            })?;
            Ok(RunOperator(Arc::new(run_operator(&settings, key)?)))
        };
        made().map_err(|error: Error| exception(py, &error))
    }

    /// Returns the windows of what is left: two parts of a hash, begin and end by turns.
    #[pyo3(signature = (texts, cuts, before = None))]
    fn windows(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        cuts: &Bound<'_, PyAny>,
        before: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Column> {
        let before = before.map(|before| Arrays::new(before, None)).transpose()?;
        let inner = Arc::clone(&self.0);
        each_text(py, texts, cuts, move |texts, cuts, progress| {
            let before = before.map(|before| ranges(before, texts.len())).transpose()?;
            let mut lists = Lists::default();
            for (row, text) in texts.iter().enumerate() {
                progress.check()?;
                let before = before.as_ref().map(|before| &*before[row]);
                inner.windows(text, &cuts[row], before, |window| {
                    let (begin, end) = (window.begin.into(), window.end.into());
                    lists.values.extend([
                        window.hash.0.cast_signed(),
                        window.hash.1.into(),
                        begin,
                        end,
                    ]);
                })?;
                lists.append()?;
            }
            Ok(Column::from_array(lists.finish()))
        })
    }

    /// Returns all cuts of texts if these windows go, and those that were there before.
    fn cut(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        cuts: &Bound<'_, PyAny>,
        windows: &Bound<'_, PyAny>,
    ) -> PyResult<Column> {
        let (windows, inner) = (Arrays::new(windows, None)?, Arc::clone(&self.0));
        each_text(py, texts, cuts, move |texts, cuts, progress| {
            let windows = ranges(windows, texts.len())?;
            let mut lists = Lists::default();
            for (row, text) in texts.iter().enumerate() {
                progress.check()?;
                lists.extend(&inner.cut(text, &cuts[row], &windows[row])?);
                lists.append()?;
            }
            Ok(Column::from_array(lists.finish()))
        })
    }

    /// Returns cuts that take all words.
    fn whole(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        cuts: &Bound<'_, PyAny>,
    ) -> PyResult<Column> {
        let inner = Arc::clone(&self.0);
        each_text(py, texts, cuts, move |texts, _, progress| {
            let mut lists = Lists::default();
            for text in texts {
                progress.check()?;
                lists.extend(inner.whole(text).as_slice());
                lists.append()?;
            }
            Ok(Column::from_array(lists.finish()))
        })
    }

    /// Returns what is left: ``text``, which is null if too few words are, and ``words_left``.
    fn rest(
        &self,
        py: Python<'_>,
        texts: &Bound<'_, PyAny>,
        cuts: &Bound<'_, PyAny>,
    ) -> PyResult<Table> {
        let inner = Arc::clone(&self.0);
        each_text(py, texts, cuts, move |texts, cuts, progress| {
            let (mut left, mut words) = (LargeStringBuilder::new(), Vec::new());
            for (row, text) in texts.iter().enumerate() {
                progress.check()?;
                let rest = inner.rest(text, &cuts[row])?;
                left.append_option(rest.text);
                words.push(i64::from(rest.n_words));
            }
            let words = Int64Array::from(words);
            Table::from_columns(vec![
                ("text", Arc::new(left.finish())),
                ("words_left", Arc::new(words)),
            ])
        })
    }
}

/// Does something with texts and their cuts, without the interpreter's lock.
fn each_text<T: Send + 'static>(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    cuts: &Bound<'_, PyAny>,
    work: impl FnOnce(&[&str], &Ranges, &dyn Progress) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let (texts, cuts) = (Arrays::new(texts, None)?, Arrays::new(cuts, None)?);
    running::run(py, Threads::new(Some(1), None), None, move |progress| {
        let (parts, _) = read(texts, progress)?;
        let texts = strings(&parts)?;
        let cuts = ranges(cuts, texts.len())?;
        work(&texts, &cuts, progress)
    })
}

/// Reads the ranges of `n` texts.
fn ranges(arrays: Arrays, n: usize) -> Result<Ranges> {
    let mut all = Ranges::new();
    for array in arrays {
        let array = array?;
        let wrong = || {
            let kind = array.data_type();
            Error::input(format!("lists of int64 were expected, and these are of type {kind}"))
        };
        let list = array.as_list_opt::<i32>().ok_or_else(wrong)?;
        // Offsets come from another program.
        let checked = list.to_data().validate_full();
        checked.map_err(|error| Error::input(format!("a column of lists is damaged: {error}")))?;
        for row in 0..list.len() {
            if list.is_null(row) {
                all.push(Vec::new());
                continue;
            }
            let values = list.value(row);
            let values = values.as_primitive_opt::<Int64Type>().ok_or_else(wrong)?;
            all.push(pairs(values)?);
        }
    }
    if all.len() != n {
        return Err(Error::input(format!(
            "there are {} lists for {n} texts; give one for each",
            all.len()
        )));
    }
    Ok(all)
}

fn pairs(values: &Int64Array) -> Result<Vec<Range<u32>>> {
    let (pairs, rest) = values.values().as_chunks::<2>();
    let pairs: Option<Vec<Range<u32>>> = pairs
        .iter()
        .map(|&[begin, end]| Some(u32::try_from(begin).ok()?..u32::try_from(end).ok()?))
        .collect();
    let pairs = pairs.filter(|_| rest.is_empty() && values.null_count() == 0);
    pairs.ok_or_else(|| Error::input("a list has no begins and ends of words by turns"))
}

/// Lists of numbers that become a column.
#[derive(Debug)]
struct Lists {
    made: ListBuilder<Int64Builder>,
    /// The numbers of the last list.
    values: Vec<i64>,
    n_values: usize,
}

impl Default for Lists {
    fn default() -> Lists {
        let field = Field::new("item", DataType::Int64, false);
        let made = ListBuilder::new(Int64Builder::new()).with_field(field);
        Lists { made, values: Vec::new(), n_values: 0 }
    }
}

impl Lists {
    fn extend(&mut self, ranges: &[Range<u32>]) {
        self.values
            .extend(ranges.iter().flat_map(|range| [i64::from(range.start), i64::from(range.end)]));
    }

    /// Ends the last list, and begins another one.
    fn append(&mut self) -> Result<()> {
        self.n_values += self.values.len();
        offset(self.n_values)?;
        self.made.values().append_slice(&self.values);
        self.made.append(true);
        self.values.clear();
        Ok(())
    }

    fn finish(mut self) -> ArrayRef {
        Arc::new(self.made.finish())
    }
}

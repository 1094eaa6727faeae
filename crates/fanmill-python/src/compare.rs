//! Comparisons of submissions: the job of `fanmill-jobs`, for paths and for texts in memory.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use fanmill::report::{Pair, Report};
use fanmill_extract::cage;
use fanmill_jobs::compare::{self as job, Finished, GivenText, Inputs, Settings, run_with};
use fanmill_report::json;
use fanmill_text::document::Role;
use fanmill_text::{Error, Result};
use pyo3::prelude::*;

use crate::faults::{InPython, exception};
use crate::running::{self, Threads};
use crate::settings;
use crate::table::Table;

/// A finished comparison; see `Report` in `python/fanmill/_compare.py`.
#[pyclass(frozen, module = "fanmill")]
#[derive(Debug)]
pub(crate) struct Comparison(Arc<Finished>);

impl Comparison {
    pub(crate) fn from_finished(finished: Finished) -> Comparison {
        Comparison(Arc::new(finished))
    }
}

/// Texts with their names.
type Named = Vec<(String, Vec<u8>)>;

/// Compares submissions. Settings are JSON, with the paths among them. `texts` are new ones, archived ones and
/// boilerplate.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    settings: &str,
    texts: (Named, Named, Named),
    output: Option<PathBuf>,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<Comparison> {
    let read = settings::read_both::<Settings, Inputs>(settings);
    let (settings, inputs) = read.map_err(|error| exception(py, &error))?;
    let roles = [Role::New, Role::Archive, Role::Base];
    let texts: Vec<GivenText> = roles
        .into_iter()
        .zip([texts.0, texts.1, texts.2])
        .flat_map(|(role, texts)| texts.into_iter().map(move |(name, text)| (role, name, text)))
        .collect();
    let finished = running::run(py, Threads::new(threads, None), watcher, move |progress| {
        run_with(&settings, &inputs, texts, output.as_deref(), progress)
    })?;
    Ok(Comparison::from_finished(finished))
}

/// Sets the program that reads PDF; the first call decides.
#[pyfunction]
pub(crate) fn use_program(program: PathBuf) {
    cage::use_program(program);
}

/// The names of all languages that texts are read as: ``java``, ``python``, ``words``, …
#[pyfunction]
pub(crate) fn languages() -> Vec<String> {
    fanmill_lang::registry().iter().map(|front_end| front_end.name().to_owned()).collect()
}

/// The names of the arguments by which files are read.
#[pyfunction]
pub(crate) fn reading_settings() -> Vec<String> {
    job::reading_settings().into_iter().map(|name| name.replace('-', "_")).collect()
}

#[pymethods]
impl Comparison {
    /// Returns the report, as `report.json` has it.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let written = || {
            let mut json = Vec::new();
            json::write(self.0.report(), &mut json)
                .map_err(|error| Error::system("could not write the report", error))?;
            Ok(String::from_utf8_lossy(&json).into_owned())
        };
        written().map_err(|error: Error| exception(py, &error))
    }

    /// Returns the notices of the report as JSON, in Python's words.
    fn notices(&self, py: Python<'_>) -> PyResult<String> {
        let said = self.0.report().notices.iter().map(|notice| {
            let mut value = serde_json::to_value(notice)?;
            value["reason"] = notice.reason.say(&InPython).into();
            Ok(value)
        });
        let said: serde_json::Result<Vec<serde_json::Value>> = said.collect();
        let said = said.map_err(|error| {
            Error::system("could not write the notices", std::io::Error::other(error))
        });
        let said = said.map_err(|error| exception(py, &error))?;
        Ok(serde_json::Value::from(said).to_string())
    }

    /// Returns the page in one file; of one pair, if one is given.
    fn page(&self, py: Python<'_>, pair: Option<usize>) -> PyResult<String> {
        let finished = Arc::clone(&self.0);
        running::run(py, Threads::new(Some(1), None), None, move |_| finished.page(pair))
    }

    /// Writes the report to a folder.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        let finished = Arc::clone(&self.0);
        running::run(py, Threads::new(Some(1), None), None, move |_| finished.write(&folder))
    }

    /// Returns what is shown of some bytes of a document.
    fn excerpt(&self, submission: u32, file: u32, start: u32, end: u32) -> Option<String> {
        self.0.excerpt((submission, file), (start, end))
    }

    /// Returns the listed pairs as a table.
    fn pairs(&self, py: Python<'_>) -> PyResult<Table> {
        table(self.0.report()).map_err(|error| exception(py, &error))
    }
}

fn table(report: &Report) -> Result<Table> {
    let pairs = &report.pairs;
    let names = |side: fn(&Pair) -> u32| -> ArrayRef {
        let name = |number: u32| report.submission(number).map(|own| own.name.as_str());
        Arc::new(pairs.iter().map(|pair| name(side(pair))).collect::<StringArray>())
    };
    let numbers = |value: fn(&Pair) -> f64| -> ArrayRef {
        Arc::new(pairs.iter().map(|pair| Some(value(pair))).collect::<Float64Array>())
    };
    let counts = |value: fn(&Pair) -> u64| -> ArrayRef {
        Arc::new(pairs.iter().map(|pair| Some(value(pair).cast_signed())).collect::<Int64Array>())
    };
    Table::from_columns(vec![
        ("a", names(|pair| pair.a)),
        ("b", names(|pair| pair.b)),
        ("score", numbers(|pair| pair.score)),
        ("containment_a", numbers(|pair| pair.containment_a)),
        ("containment_b", numbers(|pair| pair.containment_b)),
        ("resemblance", numbers(|pair| pair.resemblance)),
        ("longest", counts(|pair| pair.longest)),
        ("matched", counts(|pair| pair.matched)),
        ("passages", counts(|pair| pair.passages.len() as u64)),
        ("expected", Arc::new(pairs.iter().map(|pair| pair.expected).collect::<Float64Array>())),
    ])
}

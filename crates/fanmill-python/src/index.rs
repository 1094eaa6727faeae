//! An index on disk: the jobs of `fanmill-jobs`. They return JSON, from which `python/fanmill/_index.py` makes objects.

use std::path::PathBuf;

use fanmill_jobs::index::{self, Answer, Index, Inputs, Search, Settings, Wait};
use fanmill_text::document::Notice;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::compare::Comparison;
use crate::faults::{InPython, exception};
use crate::running::{self, Threads};
use crate::settings;

type Named = Vec<(String, Vec<u8>)>;
type Watcher<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

fn wait_of(is_waiting: bool) -> Wait {
    if is_waiting { Wait::Yes } else { Wait::No }
}

fn as_json<T: serde::Serialize>(value: T) -> Result<Value> {
    serde_json::to_value(value)
        .map_err(|error| Error::system("could not write an answer", std::io::Error::other(error)))
}

/// Adds documents: texts, if there are some, and otherwise what the paths lead to. Settings are JSON, with the paths
/// among them.
#[pyfunction]
pub(crate) fn index_add(
    py: Python<'_>,
    folder: PathBuf,
    settings: &str,
    texts: Option<Named>,
    wait: bool,
    threads: Option<usize>,
    watcher: Watcher<'_, '_>,
) -> PyResult<String> {
    let read = settings::read_both::<Settings, Inputs>(settings);
    let (settings, inputs) = read.map_err(|error| exception(py, &error))?;
    running::run(py, Threads::new(threads, None), watcher, move |progress| {
        let wait = wait_of(wait);
        // Without texts, the paths among the inputs are read.
        let outcome = match texts {
            Some(texts) => {
                let label = inputs.label.as_deref();
                index::add_texts(&settings, &folder, texts, label, wait, progress)
            }
            None => index::add(&settings, &folder, &inputs, wait, progress),
        }?;
        let added = &outcome.added;
        let value = json!({
            "added": added.added,
            "replaced": added.replaced,
            "unchanged": added.unchanged,
            "notices": notices(&outcome.notices),
        });
        Ok(value.to_string())
    })
}

fn notices(notices: &[Notice]) -> Vec<Value> {
    let said = |notice: &Notice| {
        json!({
            "name": notice.submission,
            "path": notice.path,
            "outcome": notice.outcome.name(),
            "reason": notice.reason.say(&InPython),
        })
    };
    notices.iter().map(said).collect()
}

/// Searches for one text. Returns the comparison with its sources, and what else is known of them, as JSON.
#[pyfunction]
pub(crate) fn index_search(
    py: Python<'_>,
    folder: PathBuf,
    search: &str,
    name: String,
    text: Vec<u8>,
    threads: Option<usize>,
) -> PyResult<(Comparison, String)> {
    let search: Search = settings::read(search).map_err(|error| exception(py, &error))?;
    let (finished, answer) =
        running::run(py, Threads::new(threads, None), None, move |progress| {
            let mut answers = Vec::new();
            let mut take = |_: &str, answer: Answer| {
                answers.push(answer);
                Ok(())
            };
            let texts = index::Texts::One(&name, &text);
            let notices = index::search(&search, &[folder], texts, None, &mut take, progress)?;
            let answer = answers.pop().ok_or_else(|| Error::input("the text could not be read"))?;
            let value = described(&answer, &notices)?;
            Ok((index::finished(answer, &search)?, value.to_string()))
        })?;
    Ok((Comparison::from_finished(finished), answer))
}

fn described(answer: &Answer, said: &[Notice]) -> Result<Value> {
    let sources = answer.sources.iter().map(|source| {
        let mut value = as_json(&source.record)?;
        value["submission"] = json!(source.submission);
        value["evidence"] = json!(source.evidence);
        value["added"] = json!(source.added);
        value["variant_of"] = json!(source.variant_of);
        value["estimate"] = as_json(source.estimate)?;
        Ok(value)
    });
    let by_fingerprint = answer.by_fingerprint.iter().map(|source| {
        let mut value = as_json(&source.record)?;
        value["evidence"] = json!(source.evidence);
        value["tokens_shared"] = json!(source.tokens);
        value["runs"] = as_json(&source.runs)?;
        Ok(value)
    });
    Ok(json!({
        "sources": sources.collect::<Result<Vec<Value>>>()?,
        "by_fingerprint": by_fingerprint.collect::<Result<Vec<Value>>>()?,
        "coverage": as_json(answer.coverage())?,
        "generation": answer.generation,
        "documents": answer.documents,
        "candidates": answer.candidates,
        "compared": answer.compared,
        "popular": answer.popular,
        "outdated": answer.outdated,
        "notices": notices(said),
    }))
}

/// Removes documents by name. Returns their number.
#[pyfunction]
pub(crate) fn index_remove(
    py: Python<'_>,
    folder: PathBuf,
    names: Vec<String>,
    merge: bool,
    wait: bool,
) -> PyResult<u64> {
    running::run(py, Threads::new(None, None), None, move |progress| {
        index::remove(&folder, &names, merge, wait_of(wait), progress)
    })
}

/// Merges all segments into one.
#[pyfunction]
pub(crate) fn index_merge(py: Python<'_>, folder: PathBuf, wait: bool) -> PyResult<()> {
    running::run(py, Threads::new(None, None), None, move |progress| {
        index::merge(&folder, wait_of(wait), progress).map(drop)
    })
}

/// Reads documents again if another release has read them differently. Returns their number.
#[pyfunction]
pub(crate) fn index_upgrade(py: Python<'_>, folder: PathBuf, wait: bool) -> PyResult<u64> {
    running::run(py, Threads::new(None, None), None, move |progress| {
        index::upgrade(&folder, wait_of(wait), progress)
    })
}

/// Returns the statistics of an index.
#[pyfunction]
pub(crate) fn index_stats(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    on(py, folder, |index, _| Ok(as_json(index.stats())?.to_string()))
}

/// Returns the records of an index's documents.
#[pyfunction]
pub(crate) fn index_documents(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    on(py, folder, |index, progress| {
        let records = index.documents().map(|record| {
            progress.check()?;
            as_json(record?)
        });
        Ok(Value::Array(records.collect::<Result<_>>()?).to_string())
    })
}

/// Reads all of an index, and looks for damage.
#[pyfunction]
pub(crate) fn index_verify(py: Python<'_>, folder: PathBuf) -> PyResult<()> {
    on(py, folder, |index, progress| index.verify(progress))
}

fn on<T: Send + 'static>(
    py: Python<'_>,
    folder: PathBuf,
    job: impl FnOnce(&Index, &dyn Progress) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    running::run(py, Threads::new(None, None), None, move |progress| {
        job(&Index::open(&folder)?, progress)
    })
}

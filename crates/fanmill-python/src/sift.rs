//! Recognition of texts that were changed on purpose: the jobs of `fanmill-jobs`, and fingerprints under a key as
//! columns.

use std::path::PathBuf;

use fanmill_jobs::key_file;
use fanmill_jobs::sift::texts::{Account, Input, Inputs, Kind};
use fanmill_jobs::sift::{add, campaign, check, remove};
use fanmill_sift::key::{KEY_BYTES, Key};
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays::Arrays;
use crate::column::Column;
use crate::faults::{InPython, exception};
use crate::rows::{self, BLOCK};
use crate::running::{self, Threads};
use crate::settings;

type Named = Vec<(String, Vec<u8>)>;

/// A key, which Python cannot look into.
#[pyclass(frozen, module = "fanmill")]
pub(crate) struct SiftKey {
    source: Source,
    id: String,
}

/// The source of a key. It is read again for each job, so that no copy of it lies in memory between them.
#[derive(Clone)]
enum Source {
    File(PathBuf),
    Given([u8; KEY_BYTES]),
}

impl Source {
    fn key(&self) -> Result<Key> {
        match self {
            Source::File(path) => key_file::read(path),
            Source::Given(bytes) => Key::new(*bytes),
        }
    }
}

#[pymethods]
impl SiftKey {
    /// Takes the key in a file.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<SiftKey> {
        SiftKey::from_source(Source::File(path)).map_err(|error| exception(py, &error))
    }

    /// Takes a key as its 32 bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<SiftKey> {
        let given = || {
            let bytes = bytes.try_into().map_err(|_| {
                Error::setting(message![
                    Setting("key"),
                    (" has {} bytes, and must have {KEY_BYTES}", bytes.len())
                ])
            })?;
            SiftKey::from_source(Source::Given(bytes))
        };
        given().map_err(|error| exception(py, &error))
    }

    /// Returns the id of the key, which need not be secret.
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }
}

impl SiftKey {
    fn from_source(source: Source) -> Result<SiftKey> {
        let id = source.key()?.id().to_string();
        Ok(SiftKey { source, id })
    }
}

/// Makes a key and writes it to a new file that only its owner can read.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as Python gives it")]
pub(crate) fn sift_new_key(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    let made = key_file::make().and_then(|key| key_file::write(&key, &path));
    made.map_err(|error| exception(py, &error))
}

/// Returns the profile of a name, written out.
#[pyfunction]
pub(crate) fn sift_profile(py: Python<'_>, name: &str) -> PyResult<String> {
    let profile = Profile::named(name).map_err(|error| exception(py, &error))?;
    Ok(profile.to_string())
}

/// Paths, texts in memory, and the kind that all are read as.
type Given = (Vec<PathBuf>, Named, String);

/// The texts to read.
struct Sources {
    paths: Vec<PathBuf>,
    texts: Named,
    kind: Kind,
}

impl Sources {
    fn new(py: Python<'_>, (paths, texts, kind): Given) -> PyResult<Sources> {
        let kind = settings::word("kind", &kind).map_err(|error| exception(py, &error))?;
        Ok(Sources { paths, texts, kind })
    }

    fn inputs(self) -> Inputs<'static> {
        let texts = self.texts.into_iter().map(|(name, bytes)| Input::Held(name, bytes));
        let from = self.paths.into_iter().map(Input::Path).chain(texts).collect();
        Inputs { from, kind: self.kind, ..Inputs::default() }
    }
}

fn notices(account: &Account) -> Vec<Value> {
    let said = account.notices.iter();
    said.map(|notice| json!({ "name": notice.path, "reason": notice.reason.say(&InPython) }))
        .collect()
}

/// Adds originals to a store.
#[pyfunction]
pub(crate) fn sift_add(
    py: Python<'_>,
    key: &SiftKey,
    store: PathBuf,
    settings: &str,
    sources: Given,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let settings: add::Settings =
        settings::read(settings).map_err(|error| exception(py, &error))?;
    let (source, sources) = (key.source.clone(), Sources::new(py, sources)?);
    running::run(py, Threads::new(threads, None), watcher, move |progress| {
        let done = add::run(&settings, &source.key()?, &store, sources.inputs(), progress)?;
        let value = json!({
            "new": done.n_new,
            "replaced": done.n_replaced,
            "in_all": done.n_in_all,
            "notices": notices(&done.account),
        });
        Ok(value.to_string())
    })
}

/// Checks texts against a store.
#[pyfunction]
pub(crate) fn sift_check(
    py: Python<'_>,
    key: &SiftKey,
    store: PathBuf,
    settings: &str,
    sources: Given,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let settings: check::Settings =
        settings::read(settings).map_err(|error| exception(py, &error))?;
    let (source, sources) = (key.source.clone(), Sources::new(py, sources)?);
    running::run(py, Threads::new(threads, None), watcher, move |progress| {
        let mut answers = Vec::new();
        let mut take = |batch: &mut dyn Iterator<Item = check::Answer>| {
            answers.extend(batch);
            Ok(())
        };
        let (key, inputs) = (source.key()?, sources.inputs());
        let done = check::run(&settings, &key, &store, Vec::new(), inputs, &mut take, progress)?;
        answers.extend(done.account.notices.iter().map(check::Answer::skipped));
        let said = answers.into_iter().map(said).collect::<Result<Vec<Value>>>()?;
        Ok(Value::from(said).to_string())
    })
}

/// Converts an answer to JSON, with its remarks in Python's words.
fn said(answer: check::Answer) -> Result<Value> {
    let remarks: Vec<String> = answer.remarks.iter().map(|each| each.say(&InPython)).collect();
    let mut value = serde_json::to_value(answer).map_err(|error| not_written(&error))?;
    if !remarks.is_empty() {
        value["remarks"] = json!(remarks);
    }
    Ok(value)
}

fn not_written(error: &serde_json::Error) -> Error {
    Error::system("could not write answers", std::io::Error::other(error.to_string()))
}

/// Removes originals by their names. Returns their number.
#[pyfunction]
pub(crate) fn sift_remove(
    py: Python<'_>,
    key: &SiftKey,
    store: PathBuf,
    names: Vec<String>,
    wait: bool,
) -> PyResult<u64> {
    let source = key.source.clone();
    running::run(py, Threads::new(Some(1), None), None, move |progress| {
        let mut settings = remove::Settings::default();
        settings.wait = wait;
        let done = remove::run(settings, &source.key()?, &store, &names, progress)?;
        Ok(done.n_removed)
    })
}

/// Groups messages that are variants of one.
#[pyfunction]
pub(crate) fn sift_campaigns(
    py: Python<'_>,
    key: &SiftKey,
    settings: &str,
    sources: Given,
    threads: Option<usize>,
    watcher: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let settings: campaign::Settings =
        settings::read(settings).map_err(|error| exception(py, &error))?;
    let (source, sources) = (key.source.clone(), Sources::new(py, sources)?);
    running::run(py, Threads::new(threads, None), watcher, move |progress| {
        let done = campaign::run(&settings, &source.key()?, sources.inputs(), progress)?;
        let groups: Vec<campaign::Group> = done.groups().collect();
        serde_json::to_string(&groups).map_err(|error| not_written(&error))
    })
}

/// Returns the fingerprints of texts under a key: for each text all values of all families, ascending.
#[pyfunction]
pub(crate) fn sift_fingerprints(
    key: &SiftKey,
    profile: &str,
    texts: &Bound<'_, PyAny>,
    text: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Column> {
    let py = texts.py();
    let made = || Ok(Sifter::new(&Profile::named(profile)?, &key.source.key()?));
    let sifter = made().map_err(|error: Error| exception(py, &error))?;
    let arrays = Arrays::new(texts, text)?;
    let threads = Threads::new(threads, arrays.n_rows().map(|n| n.div_ceil(BLOCK)));
    let scheme = sifter.scheme();
    let column = running::run(py, threads, None, move |progress: &dyn Progress| {
        rows::lists(arrays, None, progress, |values: &mut Vec<u64>, text| {
            let sifted = sifter.sift(sifter.text(text.as_bytes()).as_str());
            values.clear();
            values.extend(sifted.families.iter().flat_map(|kept| kept.values.iter().copied()));
            values.sort_unstable();
            values.dedup();
            Some(values)
        })
    })?;
    Ok(Column::from_array(column).with_scheme(&scheme))
}

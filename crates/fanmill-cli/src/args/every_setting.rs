//! The test that compares `docs/settings.md`, and writes it: a page of every setting of every job in all front ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fanmill_jobs::{compare, dedup, index, sift, urls};
use fanmill_jobs::{config_file, given};
use fanmill_source::Limits;
use serde::Serialize;
use serde_json::Value;

/// A job, as all front ends name it.
struct Job {
    name: &'static str,
    /// The table of the config file.
    table: &'static str,
    settings: Vec<Value>,
    /// The Python functions, each with the file that has it.
    python: &'static [(&'static str, &'static str)],
}

fn data(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).expect("settings are data")
}

fn jobs() -> Vec<Job> {
    let job = |name, table, settings, python| Job { name, table, settings, python };
    let reading = data(&sift::reading::Reading::default());
    vec![
        job(
            "compare",
            "compare",
            vec![data(&compare::Settings::standard()), data(&compare::Inputs::default())],
            &[("_compare.py", "def compare(")],
        ),
        job(
            "index add",
            "index",
            vec![data(&index::Settings::default()), data(&index::Inputs::default())],
            &[("_index.py", "def add(")],
        ),
        job(
            "search",
            "search",
            vec![data(&index::Search::default()), data(&index::Inputs::default())],
            &[("_index.py", "def search(")],
        ),
        job(
            "dedup",
            "dedup",
            vec![data(&dedup::Settings::default()), data(&dedup::Inputs::default())],
            &[("_dedup.py", "def dedup("), ("_decontaminate.py", "def decontaminate(")],
        ),
        job("urls", "urls", vec![data(&urls::Settings::default())], &[]),
        job(
            "sift add",
            "sift",
            vec![data(&sift::add::Settings::default()), reading.clone()],
            &[("_sift.py", "def add(")],
        ),
        job(
            "sift check",
            "sift",
            vec![data(&sift::check::Settings::default()), reading.clone()],
            &[("_sift.py", "def check(")],
        ),
        job(
            "sift campaign",
            "sift",
            vec![data(&sift::campaign::Settings::default()), reading],
            &[("_sift.py", "def campaigns(")],
        ),
    ]
}

impl Job {
    /// Returns the names of its settings with their defaults, sorted by name.
    fn names(&self) -> Vec<(String, Value)> {
        let tables = self.settings.iter().filter_map(Value::as_object);
        let mut names: Vec<(String, Value)> =
            tables.flatten().map(|(name, value)| (name.clone(), value.clone())).collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        names.dedup_by(|a, b| a.0 == b.0);
        names
    }

    /// Returns the flag of a setting, or the words for an argument.
    fn flag(&self, name: &str) -> Option<String> {
        let command = super::command();
        let command = self.name.split(' ').fold(&command, |command, name| {
            command.find_subcommand(name).expect("a command for each job")
        });
        let arg =
            command.get_arguments().find(|arg| arg.get_id().as_str().replace('_', "-") == name)?;
        Some(arg.get_long().map_or_else(|| "an argument".to_owned(), |long| format!("`--{long}`")))
    }

    /// Returns the keyword arguments of the Python functions.
    fn python(&self) -> BTreeSet<String> {
        let folder = root().join("python/fanmill");
        let mut names = BTreeSet::new();
        for (file, function) in self.python {
            let text = fs::read_to_string(folder.join(file)).expect("a module");
            // A function has a signature for each kind of result.
            let signatures = text.split(function).skip(1);
            let own = signatures.filter_map(|rest| rest.split("->").next()).flat_map(arguments);
            let own: BTreeSet<String> = own.collect();
            assert!(!own.is_empty(), "{function} is not in {file}");
            names.extend(own);
        }
        if names.contains("options") {
            let reading = compare::reading_settings();
            names.extend(reading.into_iter().map(|name| name.replace('-', "_")));
        }
        names
    }
}

/// Returns the names before colons in a signature.
fn arguments(signature: &str) -> BTreeSet<String> {
    let words = signature.split(['(', ',', '\n']).filter_map(|part| part.split_once(':'));
    words.map(|(name, _)| name.trim().trim_start_matches('*').to_owned()).collect()
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn table(job: &Job, service: &BTreeSet<String>) -> String {
    let python = job.python();
    let mut text = format!(
        "\n## {}\n\n| setting | default | command line | `fanmill.toml`, `[{}]` | Python | service | page in a browser |\n|---|---|---|---|---|---|---|\n",
        job.name, job.table
    );
    let is_compare = job.name == "compare";
    for (name, default) in job.names() {
        let snake = name.replace('-', "_");
        let default = match &default {
            Value::Null | Value::Object(_) => String::new(),
            Value::Array(items) if items.is_empty() => String::new(),
            value => format!("`{value}`"),
        };
        let or_dash = |is_there: bool, text: String| if is_there { text } else { "–".to_owned() };
        writeln!(
            text,
            "| `{name}` | {default} | {} | `{name}` | {} | {} | {} |",
            job.flag(&name).unwrap_or_else(|| "–".to_owned()),
            or_dash(python.contains(&snake), format!("`{snake}=`")),
            or_dash(is_compare && service.contains(&name), format!("`{snake}`")),
            or_dash(is_compare, format!("`{snake}`")),
        )
        .expect("memory");
    }
    text
}

/// Makes the page from the front ends.
fn page() -> String {
    let service: BTreeSet<String> = fanmill_server::settings_of_batches().into_iter().collect();
    let mut page = "# Settings by their names\n\nEach setting has one name, with hyphens on the command line and in the config file, and \
        with underscores in Python and JSON. This page is made from the program; a dash means that the setting cannot be chosen \
        there. Thresholds of one kind of text (`code`, `words`, `chars`) are tables of `noise` and `guarantee`. [The config file](config.md) \
        says which of several values holds.\n"
        .to_owned();
    page.extend(jobs().iter().map(|job| table(job, &service)));
    page
}

#[test]
fn the_page_of_settings_is_that_of_the_program() {
    let path = root().join("docs/settings.md");
    let made = page();
    if std::env::var_os("FANMILL_WRITE_DOCS").is_some() {
        fs::write(&path, &made).expect("a page");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == made, "docs/settings.md differs; write it with FANMILL_WRITE_DOCS=1");
}

#[test]
fn every_setting_is_a_flag_or_an_argument_unless_it_is_a_table_or_a_limit() {
    const TABLES: [&str; 3] = ["code", "words", "chars"];
    let limits = given::names(&Limits::standard());
    for job in jobs() {
        for (name, _) in job.names() {
            let is_without = TABLES.contains(&&*name) || limits.contains(&name);
            assert!(is_without || job.flag(&name).is_some(), "{}: {name}", job.name);
        }
    }
}

#[test]
fn every_setting_can_be_in_a_config_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fanmill.toml");
    for job in jobs() {
        for (name, default) in job.names() {
            let value = match default {
                Value::Null | Value::Object(_) => continue,
                value => value.to_string(),
            };
            fs::write(&path, format!("[{}]\n{name} = {value}\n", job.table)).expect("a file");
            let read = config_file::read(&path);
            assert!(read.is_ok(), "{}: {name} = {value}: {read:?}", job.name);
        }
    }
}

/// A config file with each setting of an earlier release is read; `docs/stability.md` promises it.
#[test]
fn a_config_file_of_an_earlier_release_is_read() {
    let path = root().join("testdata/format/settings-0.1.toml");
    let is_writing = std::env::var_os("FANMILL_WRITE_DOCS").is_some();
    // Bytes that are no longer read are not overwritten.
    if is_writing
        && env!("CARGO_PKG_VERSION").starts_with("0.1.")
        && config_file::read(&path).is_ok()
    {
        let mut tables: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
        for job in jobs() {
            let given =
                job.names().into_iter().filter(|(_, value)| !value.is_null() && !value.is_object());
            tables.entry(job.table).or_default().extend(given);
        }
        let mut text = String::new();
        for (table, settings) in tables {
            writeln!(text, "[{table}]").expect("memory");
            for (name, value) in settings {
                writeln!(text, "{name} = {value}").expect("memory");
            }
        }
        fs::write(&path, text).expect("a file");
    }
    assert!(fs::metadata(&path).expect("a file").len() > 1_000);
    let read = config_file::read(&path);
    assert!(read.is_ok(), "{read:?}");
}

//! The config file: settings of all jobs as TOML, with a table for each job.
//!
//! It is read only if named, never because it is in the current folder: a result that is used as evidence
//! must not depend on where it was made. Unknown names are errors in every table, so that a misspelt
//! threshold does not go unnoticed.
//!
//! A table has the settings of its job under the names in the types (`docs/config.md`). `[limits]` holds for all jobs
//! that read files; a job's own table takes precedence.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use fanmill::select::Thresholds;
use fanmill_disk::given as files;
use fanmill_source::Limits;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result};
use serde::Serialize;
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use crate::compare;
use crate::given::{self, Fault, SettingsLayer};

/// Maximum size of a config file in bytes; usual ones have a few hundred.
const MOST_BYTES: u64 = 1 << 20;

/// Tables of a config file.
const TABLES: [&str; 7] = ["limits", "compare", "index", "search", "dedup", "urls", "sift"];

/// A config file that was read.
#[derive(Debug, Clone, Default)]
pub struct ConfigFile {
    /// The file's name, for messages.
    name: String,
    tables: BTreeMap<String, Map<String, Value>>,
    /// Line numbers of settings, from 1, by their names with the tables: `compare.code.noise`.
    lines: BTreeMap<String, usize>,
}

/// Reads a config file.
///
/// # Errors
/// If it cannot be read, is not TOML, or has an unknown name.
pub fn read(path: &Path) -> Result<ConfigFile> {
    let mut bytes = Vec::new();
    let file = files::open_file("config file", path)?;
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::io("read config file", path, error))?;
    let name = path.display().to_string();
    let at_fault = |why: &dyn fmt::Display| Error::setting(format!("config file `{name}`{why}"));
    if bytes.len() as u64 > MOST_BYTES {
        return Err(at_fault(&format_args!(" is above the limit of {MOST_BYTES} bytes")));
    }
    let text = str::from_utf8(&bytes)
        .map_err(|_| at_fault(&" is not UTF-8; TOML is: save it as UTF-8"))?;
    let mut read = ConfigFile::parse(text).map_err(|why| at_fault(&why))?;
    read.name = name;
    Ok(read)
}

impl ConfigFile {
    /// Parses a file. The text of an error continues after the file's name.
    fn parse(text: &str) -> std::result::Result<ConfigFile, String> {
        let line_of = |span: Range<usize>| {
            1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
        };
        let parsed = DeTable::parse(text).map_err(|error| {
            let line = line_of(error.span().unwrap_or_default());
            format!(", line {line}: {}", error.message().replace('\n', " "))
        })?;
        let mut file = ConfigFile::default();
        for (name, table) in parsed.into_inner() {
            let line = line_of(name.span());
            let name = name.into_inner();
            let known = known_in(&name).ok_or_else(|| {
                let hint = given::hint(&name, TABLES.into_iter());
                format!(", line {line}: there is no table `{name}`; {hint}")
            })?;
            let DeValue::Table(table) = table.into_inner() else {
                return Err(format!(", line {line}: `{name}` is a table: write [{name}]"));
            };
            let values = file.values(&name, table, &line_of)?;
            // A table of a job that this program does not have has no known names, and is not checked.
            let is_unknown = |own: &&String| !known.is_empty() && !known.contains(*own);
            if let Some(unknown) = paths(&values).iter().find(is_unknown) {
                let line = file.lines.get(&format!("{name}.{unknown}")).unwrap_or(&line);
                let hint = given::hint(unknown, known.iter().map(String::as_str));
                return Err(format!(
                    ", line {line}: there is no setting `{unknown}` in [{name}]; {hint}"
                ));
            }
            file.tables.insert(name.into_owned(), values);
        }
        Ok(file)
    }

    /// Returns the values of a table, and notes their lines.
    fn values(
        &mut self,
        name: &str,
        table: DeTable<'_>,
        line_of: &impl Fn(Range<usize>) -> usize,
    ) -> std::result::Result<Map<String, Value>, String> {
        let mut values = Map::new();
        for (key, value) in table {
            let line = line_of(key.span());
            let key = key.into_inner();
            let path = format!("{name}.{key}");
            let value = match value.into_inner() {
                DeValue::Table(inner) => Value::Object(self.values(&path, inner, line_of)?),
                value => plain(value).ok_or_else(|| {
                    format!(", line {line}: the value of `{key}` is neither text, nor a number, true, false or a list of these")
                })?,
            };
            self.lines.insert(path, line);
            values.insert(key.into_owned(), value);
        }
        Ok(values)
    }

    /// Fills the settings of a job. `fill` takes those that it knows, first from `[limits]`, then from the job's own
    /// table.
    ///
    /// # Errors
    /// If a value is not valid for its setting. The error names the file and the line.
    pub fn fill(
        &self,
        job: &str,
        mut fill: impl FnMut(&mut SettingsLayer) -> std::result::Result<(), Fault>,
    ) -> Result<()> {
        for table in ["limits", job] {
            let Some(values) = self.tables.get(table) else { continue };
            fill(&mut SettingsLayer::from_map(values.clone())).map_err(|fault| {
                let line = self.lines.get(&format!("{table}.{}", fault.name)).copied();
                let line = line.map_or_else(String::new, |line| format!(", line {line}"));
                Error::setting(format!(
                    "config file `{}`{line}: `{}`: {}",
                    self.name, fault.name, fault.why
                ))
            })?;
        }
        Ok(())
    }
}

/// Converts a value to JSON, a date to text. Returns `None` for tables, and for numbers that JSON does not have.
fn plain(value: DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            Value::from(i64::from_str_radix(&digits, number.radix()).ok()?)
        }
        DeValue::Float(number) => {
            let number: f64 = number.as_str().replace('_', "").parse().ok()?;
            Value::Number(serde_json::Number::from_f64(number)?)
        }
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| plain(item.into_inner()));
            Value::Array(items.collect::<Option<_>>()?)
        }
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Table(_) => return None,
    })
}

/// Returns the names of the settings in a table: none for a job that this program does not have, `None` for an unknown
/// table.
fn known_in(table: &str) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    match table {
        "limits" => add_names(&mut names, &Limits::standard()),
        "compare" => {
            add_names(&mut names, &compare::Settings::standard());
            add_names(&mut names, &compare::Inputs::default());
        }
        #[cfg(feature = "index")]
        "index" => {
            add_names(&mut names, &crate::index::Settings::default());
            add_names(&mut names, &crate::index::Inputs::default());
        }
        #[cfg(feature = "index")]
        "search" => {
            add_names(&mut names, &crate::index::Search::default());
            add_names(&mut names, &crate::index::Inputs::default());
        }
        #[cfg(feature = "corpus")]
        "dedup" => {
            add_names(&mut names, &crate::dedup::Settings::default());
            add_names(&mut names, &crate::dedup::Inputs::default());
        }
        #[cfg(feature = "corpus")]
        "urls" => add_names(&mut names, &crate::urls::Settings::default()),
        #[cfg(feature = "sift")]
        "sift" => add_names_of_sift(&mut names),
        // The job exists, but this program was built without it.
        known if TABLES.contains(&known) => {}
        _ => return None,
    }
    Some(names)
}

#[cfg(feature = "sift")]
fn add_names_of_sift(names: &mut BTreeSet<String>) {
    use crate::sift::{add, campaign, check, expire, reading, rekey, remove, upgrade};
    add_names(names, &add::Settings::default());
    add_names(names, &check::Settings::default());
    add_names(names, &campaign::Settings::default());
    add_names(names, &expire::Settings::default());
    add_names(names, &remove::Settings::default());
    add_names(names, &rekey::Settings::default());
    add_names(names, &upgrade::Settings::default());
    add_names(names, &reading::Reading::default());
}

fn add_names(names: &mut BTreeSet<String>, settings: &impl Serialize) {
    if let Ok(Value::Object(table)) = serde_json::to_value(settings) {
        names.extend(paths(&table));
    }
}

/// Returns the names in a table and those in its inner tables, the latter after the table's name: `code`, `code.noise`.
fn paths(table: &Map<String, Value>) -> Vec<String> {
    let mut paths: Vec<String> = table.keys().cloned().collect();
    for (name, value) in table {
        let inner = value.as_object().into_iter().flatten();
        paths.extend(inner.map(|(own, _)| format!("{name}.{own}")));
    }
    paths
}

/// Returns the text of a config file with thresholds for kinds of text. `why` precedes them as a comment.
pub fn write(why: &str, thresholds: &[(Kind, Thresholds)]) -> String {
    let comment = why.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
    let tables = thresholds.iter().map(|(kind, thresholds)| {
        let (noise, guarantee) = (thresholds.noise(), thresholds.guarantee());
        format!("\n[compare.{kind}]\nnoise = {noise}\nguarantee = {guarantee}\n")
    });
    comment.chain(tables).collect()
}

#[cfg(test)]
mod tests {
    use fanmill::pipeline::MaxDocs;

    use super::*;

    fn compare_settings(text: &str) -> std::result::Result<compare::Settings, String> {
        let file = ConfigFile::parse(text)?;
        let mut settings = compare::Settings::standard();
        file.fill("compare", |given| given.fill(&mut settings))
            .map_err(|error| error.to_string())?;
        Ok(settings)
    }

    fn thresholds(settings: &compare::Settings, kind: Kind) -> (usize, usize) {
        let thresholds = settings.recipe(kind).expect("checked").thresholds;
        (thresholds.noise(), thresholds.guarantee())
    }

    #[test]
    fn every_key_is_read() {
        let settings = compare_settings(
            "[compare]\nnoise = 8\nguarantee = 20\nselect = 'winnow'\nmax-docs = '30%'\n\
             min-score = 0.2\nmax-pairs = 7\ncluster-threshold = 1\n\n\
             [compare.code]\nguarantee = 36\n[compare.words]\nnoise = 4\n",
        )
        .expect("fine");
        assert_eq!(thresholds(&settings, Kind::Code), (8, 36));
        assert_eq!(thresholds(&settings, Kind::Words), (4, 20));
        assert_eq!(thresholds(&settings, Kind::Chars), (8, 20));
        assert_eq!(settings.fingerprints.select.expect("given").to_string(), "winnow");
        assert_eq!(settings.max_docs, Some(MaxDocs::Share(0.3)));
        assert_eq!(
            (settings.min_score, settings.max_pairs, settings.cluster_threshold),
            (0.2, 7, Some(1.0))
        );
        let settings =
            compare_settings("[compare]\nmax-docs = 12\nmax-pairs = 1_000\n").expect("fine");
        assert_eq!((settings.max_docs, settings.max_pairs), (Some(MaxDocs::Count(12)), 1000));
    }

    #[test]
    fn limits_hold_for_all_jobs_unless_a_job_has_its_own() {
        let file = ConfigFile::parse(
            "[limits]\nmax-file-bytes = '1MiB'\nmax-depth = 2\n[compare]\nmax-depth = 3\n",
        )
        .expect("fine");
        for (job, depth) in [("compare", 3), ("index", 2)] {
            let mut limits = Limits::standard();
            file.fill(job, |given| given.fill(&mut limits)).expect("fine");
            assert_eq!((limits.file_bytes, limits.depth), (1 << 20, depth), "{job}");
        }
    }

    #[test]
    fn an_empty_file_changes_nothing() {
        for text in ["", "[compare]\n", "# nothing\n"] {
            let settings = compare_settings(text).expect("fine");
            assert_eq!(settings, compare::Settings::standard());
        }
    }

    #[test]
    fn errors_name_the_line_and_what_is_known() {
        let wrong = |text: &str| compare_settings(text).expect_err("wrong");
        assert_eq!(
            wrong("[compare]\nnois = 8\n"),
            ", line 2: there is no setting `nois` in [compare]; did you mean `noise`?"
        );
        assert_eq!(
            wrong("\n[dedupe]\n"),
            ", line 2: there is no table `dedupe`; did you mean `dedup`?"
        );
        assert_eq!(
            wrong("\n[serve]\n"),
            ", line 2: there is no table `serve`; there are `limits`, `compare`, `index`, `search`, `dedup`, `urls`, `sift`"
        );
        assert_eq!(
            wrong("[compare.code]\nselect = 'all'\n"),
            ", line 2: there is no setting `code.select` in [compare]; did you mean `select`?"
        );
        assert_eq!(
            wrong("[compare]\n\nnoise = '8'\n"),
            "config file ``, line 3: `noise`: invalid type: string \"8\", expected a whole number from 0 up"
        );
        assert!(
            wrong("[compare]\nmax-pairs = -1\n").ends_with("expected a whole number from 0 up")
        );
        assert!(wrong("[compare]\nmax-docs = 0.3\n").contains("a share of them, \"30%\""));
        assert!(
            wrong("[compare]\nmax-docs = -1\n").contains("line 2: `max-docs`: `-1` is neither")
        );
        assert!(wrong("[compare]\nmin-score = 60\n").contains("60 is not a score"));
        assert!(wrong("[compare]\nmin-score = nan\n").contains("line 2"));
        assert!(
            wrong("[compare]\nselect = 'best'\n").contains("line 2: `select`: unknown selector")
        );
        assert!(wrong("noise 8").starts_with(", line 1: "));
        assert!(wrong("compare = 3").contains("is a table"));
        #[cfg(feature = "index")]
        assert!(wrong("[index.words]\nguarante = 9\n").contains("did you mean `guarantee`?"));
        // Tables of other jobs are checked, too: a mistake there would come to light only when that job runs.
        #[cfg(feature = "sift")]
        assert!(
            wrong("[sift]\nthreshold = 1\n").contains("there is no setting `threshold` in [sift]")
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let of = |noise, guarantee| Thresholds::new(noise, guarantee).expect("ordered");
        let text =
            write("Two lines\n\nand one", &[(Kind::Code, of(9, 36)), (Kind::Words, of(4, 6))]);
        assert!(text.starts_with("# Two lines\n#\n# and one\n\n[compare.code]\n"), "{text}");
        let settings = compare_settings(&text).expect("ours");
        assert_eq!(thresholds(&settings, Kind::Code), (9, 36));
        assert_eq!(thresholds(&settings, Kind::Words), (4, 6));
        assert_eq!(thresholds(&settings, Kind::Chars), (25, 50));
    }
}

//! Texts of people who did not copy from each other, according to the labels.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::accuracy::known::is_known;
use crate::accuracy::{labels, public_code, stem};
use crate::prose::sets::Set;

/// The set in which public classes for input are looked for. In other sets, long equal runs are prompts given by the
/// task, or the letters of the alphabet in a table.
const CONTESTS: &str = "conplag1";

/// A text that null batches are drawn from.
#[derive(Debug)]
pub(super) struct Text {
    /// `SET/GROUP/STEM`.
    pub(super) key: String,
    /// File name with its extension, which gives the language.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Runs of tokens of a contest's program, by which public code is recognised.
    runs: Vec<u64>,
    /// Keys of the texts that it is labelled a copy of.
    copies: Vec<String>,
}

impl Text {
    fn new(folder: &str, name: &str, bytes: Vec<u8>, copies: Vec<String>) -> Text {
        let runs = if folder.starts_with(CONTESTS) {
            public_code::runs(&String::from_utf8_lossy(&bytes))
        } else {
            Vec::new()
        };
        let key = format!("{folder}/{}", stem(name));
        Text { key, name: format!("{folder}/{name}"), bytes, runs, copies }
    }

    /// Returns whether one text is a copy of the other, labelled or known.
    pub(super) fn is_copy(&self, other: &Text) -> bool {
        self.copies.contains(&other.key) || is_known(&self.key, &other.key)
    }

    /// Returns whether both contain the same public code. Only programs of contests do.
    pub(super) fn shares_public_code(&self, other: &Text) -> bool {
        public_code::is_shared(&self.runs, &other.runs)
    }
}

/// Texts of one task.
type Pool = Vec<Text>;

/// All pools that null batches are drawn from.
#[derive(Debug)]
pub(super) struct Pools {
    pub(super) emse: Pool,
    /// Solutions of the task `BruteForce`.
    pub(super) soco: Pool,
    /// Authors who are in no labelled copy, by group.
    pub(super) conplag: Vec<Pool>,
    /// Independent solutions, by task.
    pub(super) irplag: Vec<Pool>,
    pub(super) reuters: Pool,
    /// Answers in their authors' own words, of five tasks.
    pub(super) clough: Pool,
    /// Source documents of PAN.
    pub(super) pan: Pool,
}

impl Pools {
    /// Reads the sets under `data`.
    pub(super) fn read(data: &Path) -> Result<Pools> {
        let code = data.join("code");
        let own_words = Set::clough(&data.join("prose"))?;
        let is_own =
            |name: &str| own_words.pairs.iter().any(|((a, _), kind)| a == name && kind.is_none());
        let sources = Set::pan(&data.join("prose"))?;
        Ok(Pools {
            emse: of_group(&code, "emse_z5z1_insert", "g", |name, _, _| {
                name.starts_with("student")
            })?,
            soco: of_group(&code, "soco_train_java", "g", |_, text, _| {
                task(text) == Some("BruteForce")
            })?,
            conplag: of_groups(&code, CONTESTS, |_, _, copies| copies.is_empty())?,
            irplag: of_groups(&code, "irplag", |name, _, _| {
                name.starts_with("np") || name == "orig"
            })?,
            reuters: of_folder(&data.join("text/reuters"), "reuters")?,
            clough: of_set(&own_words, "clough", is_own),
            pan: of_set(&sources, "pan", |name| name.starts_with("source-")),
        })
    }
}

/// Returns the task of a program, by its first class that is named after one of soco's tasks.
fn task(text: &str) -> Option<&'static str> {
    let mut words = text.split_whitespace();
    let mut classes = std::iter::from_fn(|| {
        words.by_ref().find(|word| *word == "class")?;
        words.next().map(str::to_lowercase)
    });
    classes.find_map(|name| {
        let tasks = [("brute", "BruteForce"), ("dict", "Dictionary"), ("dog", "WatchDog")];
        tasks.into_iter().find(|(part, _)| name.contains(part)).map(|(_, task)| task)
    })
}

/// Returns the texts of all groups of a set, one pool per group.
fn of_groups(
    code: &Path,
    set: &str,
    is_wanted: impl Fn(&str, &str, &[String]) -> bool,
) -> Result<Vec<Pool>> {
    let labels = labels(&code.join(set).join("labels.csv"))?;
    let mut groups: Vec<&String> = labels.keys().map(|(group, ..)| group).collect();
    groups.dedup();
    groups.into_iter().map(|group| of_group(code, set, group, &is_wanted)).collect()
}

/// Returns the texts of a group that `is_wanted` accepts, given a stem, the text, and the stems of its labelled copies.
fn of_group(
    code: &Path,
    set: &str,
    group: &str,
    is_wanted: impl Fn(&str, &str, &[String]) -> bool,
) -> Result<Pool> {
    let mut copies: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let labels = labels(&code.join(set).join("labels.csv"))?;
    for ((_, a, b), _) in labels.iter().filter(|((of, ..), label)| of == group && **label) {
        copies.entry(a.clone()).or_default().push(b.clone());
        copies.entry(b.clone()).or_default().push(a.clone());
    }
    let folder = format!("{set}/{group}");
    let mut pool = Pool::new();
    for (name, bytes) in files(&code.join(&folder))? {
        let own = copies.remove(stem(&name)).unwrap_or_default();
        if is_wanted(stem(&name), &String::from_utf8_lossy(&bytes), &own) {
            let keys = own.iter().map(|other| format!("{folder}/{other}")).collect();
            pool.push(Text::new(&folder, &name, bytes, keys));
        }
    }
    Ok(pool)
}

fn of_folder(folder: &Path, label: &str) -> Result<Pool> {
    let files = files(folder)?.into_iter();
    Ok(files.map(|(name, bytes)| Text::new(label, &name, bytes, Vec::new())).collect())
}

fn of_set(set: &Set, label: &str, is_wanted: impl Fn(&str) -> bool) -> Pool {
    let wanted = set.corpus.submissions.iter().filter(|submission| is_wanted(&submission.name));
    let text = |submission: &fanmill_text::document::Submission| {
        let bytes = submission.documents[0].bytes.clone();
        Text::new(label, &submission.name, bytes, Vec::new())
    };
    wanted.map(text).collect()
}

/// Returns the names and bytes of the files in a folder, by name.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((name, fs::read(&path)?));
    }
    files.sort_unstable();
    Ok(files)
}

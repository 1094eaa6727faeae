//! `index` and `search`: where do the passages of this document come from?
//!
//! Documents are added to an index once; a search then reads only the new text and its sources. The index itself is in
//! `fanmill_index`: what needs no inputs (`list`, `stats`, `verify`) are methods of [`Index`].

mod answer_report;
mod given;
mod watch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fanmill::pipeline::{Config, Fingerprinting};
use fanmill_disk::replace::{Disk, resolved};
pub use fanmill_index::{
    Added, Answer, ByFingerprint, Common, Covered, Estimate, FileRecord, Index, Keep, Library,
    Record, Run, Search as Lookup, Source, Stats, Writer, search_libraries,
};
use fanmill_records::format::Format;
use fanmill_report::Compared;
use fanmill_source::{Extraction, GroupBy, Limits};
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, Document, Notice, Outcome as What, Role, Submission};
use fanmill_text::message;
use fanmill_text::message::{Message, Part};
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use crate::compare::Finished;
use crate::key_file;
use given::{InputTexts, Notices, nothing_to};
pub use watch::{Watch, watch};

/// The settings of an index, which are chosen when it is created, and then fixed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Settings {
    /// Thresholds, selector and language of fingerprints.
    #[serde(flatten)]
    pub fingerprints: Fingerprinting,
    /// If set, only fingerprints are kept, and no texts.
    pub no_texts: bool,
    /// The file with the key that values are made under; without one, anyone can make them. An index with a key keeps
    /// no texts.
    pub key: Option<PathBuf>,
}

/// The inputs, and how documents are made of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Inputs {
    /// Folders, files, archives and lists.
    pub paths: Vec<PathBuf>,
    /// The way in which files are grouped into documents.
    pub group_by: GroupBy,
    /// Switch for adding files that tools have written, too.
    pub everything: bool,
    /// Patterns of the files to read; without any, all files are read.
    pub include: Vec<String>,
    /// Patterns of files and folders that are not read, nor anything below them.
    pub exclude: Vec<String>,
    /// Limits on what is read.
    #[serde(flatten)]
    pub limits: Limits,
    /// Extraction of text from documents.
    #[serde(flatten)]
    pub documents: Extraction,
    /// The group of those documents that no list puts into a group.
    pub label: Option<String>,
    /// The field with the text, in records; `None` for the first of the usual ones.
    pub text_field: Option<String>,
    /// The field with the document's name, in records; `None` for the first of the usual ones.
    pub id_field: Option<String>,
    /// The format of the records in all paths; `None` if only JSONL, Parquet, Arrow, WARC and library files have records, given
    /// themselves or in a folder that holds nothing else.
    pub input_format: Option<Format>,
    /// Memory that an addition may take on top of the program's, in bytes; `None` for what 32 MiB of texts need.
    #[serde(skip)]
    pub memory: Option<usize>,
}

/// The behaviour of a job while another process writes the index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// The job fails at once ([`Error::is_busy`]).
    #[default]
    No,
    /// The job waits.
    Yes,
}

/// Settings of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Search {
    /// Extent of the search in the index.
    #[serde(flatten)]
    pub lookup: Lookup,
    /// Folders, files and archives of boilerplate, which does not count as copying.
    pub base: Vec<PathBuf>,
    /// The file with the key of the index, if it has one.
    pub key: Option<PathBuf>,
    /// The report's title.
    pub title: Option<String>,
    /// The language in which the report's page begins: a tag, or `auto` for that of the reader's browser.
    pub language: Option<String>,
}

/// The texts to search for.
#[derive(Debug, Clone, Copy)]
pub enum Texts<'a> {
    /// The texts of some inputs.
    Inputs(&'a Inputs),
    /// The texts of some inputs, which are added to the index first. Each is then searched for as if it were not in
    /// there.
    Added(&'a Inputs, Wait),
    /// One text, with its name; the name's extension determines its language.
    One(&'a str, &'a [u8]),
}

impl Default for Inputs {
    /// Returns inputs without paths, in which each file or folder in a path is a document.
    fn default() -> Inputs {
        Inputs {
            paths: Vec::new(),
            group_by: GroupBy::Auto,
            everything: false,
            include: Vec::new(),
            exclude: Vec::new(),
            limits: Limits::default(),
            documents: Extraction::default(),
            label: None,
            text_field: None,
            id_field: None,
            input_format: None,
            memory: None,
        }
    }
}

impl Inputs {
    /// Returns inputs with everything below these paths.
    pub fn from_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Inputs {
        Inputs { paths: paths.into_iter().map(Into::into).collect(), ..Inputs::default() }
    }
}

impl Settings {
    /// Returns the configuration that a new index is created with, and that an existing one must have; `None` if
    /// nothing was chosen.
    fn config(&self) -> Option<Config> {
        let fingerprints = self.fingerprints.clone();
        let is_any = fingerprints != Fingerprinting::default();
        is_any.then(|| Config::standard().with(|config| config.fingerprints = fingerprints))
    }

    /// Returns what a new index keeps, and what an existing one must keep; `None` if nothing was chosen.
    fn keep(&self) -> Option<Keep> {
        self.no_texts.then_some(Keep::Fingerprints)
    }
}

/// The outcome of adding documents.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The numbers of documents that were added, replaced or left as they were.
    pub added: Added,
    /// The index afterwards.
    pub stats: Stats,
    /// Inputs that were not read in full, with the reasons.
    pub notices: Vec<Notice>,
}

/// Adds documents to the index in the folder `index`, which is created if necessary. Their names start with the path as
/// it was given, so that documents added in several runs have the names that one run would give them.
///
/// # Errors
/// If an input is missing, there is nothing to add, `settings` asks for other fingerprints than the index has, another
/// process writes it, or the job is cancelled. The index then has what was committed before, which is a GiB of new text
/// or a multiple of it.
pub fn add(
    settings: &Settings,
    index: &Path,
    inputs: &Inputs,
    wait: Wait,
    progress: &dyn Progress,
) -> Result<Outcome> {
    // This comes before anything is read: if the index cannot be written, nobody has to wait for the reading.
    let writer = writer_for(inputs, index, settings, wait, progress)?;
    change(writer, index, |writer| {
        let given = InputTexts::read(inputs, &[], index, progress)?;
        let (outcome, n_texts) = add_with(writer, given, progress)?;
        if n_texts == 0 { Err(nothing_to("add", &outcome.notices)) } else { Ok(outcome) }
    })
}

/// Adds texts in memory like [`add`]. Each is a document of this name, whose extension determines its language. `label`
/// is the group of all.
///
/// # Errors
/// As [`add`]; and if two texts have the same name.
pub fn add_texts(
    settings: &Settings,
    index: &Path,
    texts: Vec<(String, Vec<u8>)>,
    label: Option<&str>,
    wait: Wait,
    progress: &dyn Progress,
) -> Result<Outcome> {
    let mut corpus = Corpus::from_texts(texts)?;
    for text in &mut corpus.submissions {
        text.label = label.map(str::to_owned);
    }
    if corpus.submissions.is_empty() {
        return Err(Error::input("there is nothing to add: there are no texts"));
    }
    let writer = writer(index, settings, wait, progress)?;
    let given = InputTexts::from_corpus(corpus);
    change(writer, index, |writer| Ok(add_with(writer, given, progress)?.0))
}

/// Makes a change to the index in the folder `index`, and ends its writer.
///
/// # Errors
/// If the change fails; where the operating system refused an operation, the text says what the index now holds.
fn change<T>(
    mut writer: Writer,
    index: &Path,
    work: impl FnOnce(&mut Writer) -> Result<T>,
) -> Result<T> {
    let before = writer.index().generation();
    let done = work(&mut writer).and_then(|done| writer.close().map(|()| done));
    done.map_err(|error| match Index::open_if_any(index) {
        Ok(now) if now.as_ref().map_or(0, Index::generation) == before => {
            error.leaving("the index holds what it held before")
        }
        Ok(Some(now)) => {
            let held = counted(now.n_documents(), "document", "documents");
            error.leaving(message!["the index is whole, and holds {held} now"])
        }
        // That is in the way of the next command, which says so.
        Ok(None) | Err(_) => error,
    })
}

/// Adds the texts of inputs. Also returns their number.
fn add_with(
    writer: &mut Writer,
    given: InputTexts,
    progress: &dyn Progress,
) -> Result<(Outcome, u64)> {
    let registry = fanmill_lang::registry();
    let mut texts = given.texts(&registry, progress);
    let mut n_texts = 0_u64;
    let counted = texts.by_ref().inspect(|_| n_texts += 1);
    let mut added = writer.add_each(counted, &registry, progress)?;
    let stats = writer.index().stats();
    let mut notices = texts.notices;
    notices.extend(std::mem::take(&mut added.notices));
    notices.not_listed(added.unlisted);
    Ok((Outcome { added, stats, notices: notices.into_sorted() }, n_texts))
}

/// Removes documents by name; with `merge`, also from the disk. Returns their number.
///
/// # Errors
/// If there is no index, it has no document of a name, another process writes it, or the job is cancelled.
pub fn remove(
    index: &Path,
    names: &[String],
    merge: bool,
    wait: Wait,
    progress: &dyn Progress,
) -> Result<u64> {
    change(existing(index, wait, progress)?, index, |writer| {
        let n_removed = writer.remove(names.iter().map(String::as_str))?;
        if merge {
            writer.merge(progress)?;
        }
        Ok(n_removed)
    })
}

/// Merges all segments into one. Documents that were removed are then no longer on the disk.
///
/// # Errors
/// If there is no index, another process writes it, or the job is cancelled.
pub fn merge(index: &Path, wait: Wait, progress: &dyn Progress) -> Result<Stats> {
    change(existing(index, wait, progress)?, index, |writer| {
        writer.merge(progress)?;
        Ok(writer.index().stats())
    })
}

/// Reads documents again, from their texts, if another release has read them differently. Returns their number. If the
/// job is interrupted, documents that it has read again stay so.
///
/// # Errors
/// If there is no index, it keeps no texts, another process writes it, or the job is cancelled.
pub fn upgrade(index: &Path, wait: Wait, progress: &dyn Progress) -> Result<u64> {
    change(existing(index, wait, progress)?, index, |writer| {
        writer.upgrade(&fanmill_lang::registry(), progress)
    })
}

fn existing(index: &Path, wait: Wait, progress: &dyn Progress) -> Result<Writer> {
    Index::open(index)?;
    writer(index, &Settings::default(), wait, progress)
}

/// Opens the index for an addition of inputs, with their limit of memory.
fn writer_for(
    inputs: &Inputs,
    index: &Path,
    settings: &Settings,
    wait: Wait,
    progress: &dyn Progress,
) -> Result<Writer> {
    let mut writer = writer(index, settings, wait, progress)?;
    inputs.memory.iter().for_each(|&bytes| writer.limit_memory(bytes));
    Ok(writer)
}

/// Pause before we check again whether another process has ended.
const PAUSE: Duration = Duration::from_millis(100);

fn writer(
    index: &Path,
    settings: &Settings,
    wait: Wait,
    progress: &dyn Progress,
) -> Result<Writer> {
    let (config, keep) = (settings.config(), settings.keep());
    loop {
        match (Writer::open_to_keep(&Disk::default(), index, config.as_ref(), keep), wait) {
            (Err(error), Wait::Yes) if error.is_busy() => thread::sleep(PAUSE),
            (Err(error), Wait::No) if error.is_busy() => {
                return Err(Error::busy(message![error, ", or give ", Setting("wait")]));
            }
            (opened, _) => {
                let mut writer = opened?;
                if let Some(key) = &settings.key {
                    writer.unlock(key_file::read(key)?)?;
                }
                #[cfg(feature = "corpus")]
                crate::keyed::go_on(&mut writer)?;
                return Ok(writer);
            }
        }
        progress.check()?;
    }
}

/// Searches for each of some texts in one or several indexes, and passes the answers to `take` in the order in which the texts are read:
/// submissions by name, then records. Writes the report of a single text to the folder `output`, if one is given.
/// Returns the inputs that were not read in full.
///
/// # Errors
/// If there is no index, one is damaged or given twice, two take different fingerprints, an input is missing, `output` is
/// given with several texts, texts are to be added to several indexes or to one that another process writes, `take`
/// fails, or the job is cancelled.
pub fn search(
    search: &Search,
    libraries: &[PathBuf],
    texts: Texts<'_>,
    output: Option<&Path>,
    take: &mut (dyn FnMut(&str, Answer) -> Result<()> + Send),
    progress: &dyn Progress,
) -> Result<Vec<Notice>> {
    let registry = fanmill_lang::registry();
    if let Some(folder) = output {
        fanmill_report::check_folder(folder)?;
    }
    let Some(folder) = libraries.first() else {
        return Err(Error::setting("there is no index to search in; give one"));
    };
    // Before anything is read, as it may fail.
    let mut indexes = opened(libraries, search)?;
    check_texts(&indexes, output)?;
    let writer = texts.writer(libraries, search, progress)?;
    let mut given = texts.given(&search.base, folder, progress)?;
    let is_added = writer.is_some();
    if let Some(mut writer) = writer {
        // The notices of this reading are dropped, as the search repeats them.
        writer.add_each(given.clone().texts(&registry, progress), &registry, progress)?;
        writer.close()?;
        indexes = opened(libraries, search)?;
    }
    let indexes: Vec<&Index> = indexes.iter().collect();
    let mut wanted = search.lookup.clone();
    // A limit below the usual one is meant as a limit: no documents are added whatever their rank.
    if wanted.max_sources < Lookup::default().max_sources {
        wanted.max_holders = 0;
    }
    wanted.base = indexes[0].base(given.take_base(), &registry)?;
    let (mut given, mut notices) = (given.texts(&registry, progress), Notices::default());
    let mut next = given.next().transpose()?;
    if next.is_none() {
        notices.append(given.notices);
        return Err(nothing_to("search for", &notices.into_sorted()));
    }
    while let Some(text) = next {
        progress.check()?;
        next = given.next().transpose()?;
        check_number(next.as_ref(), output)?;
        let name = text.name.clone();
        wanted.exclude_source.clone_from(&search.lookup.exclude_source);
        wanted.exclude_source.extend(is_added.then(|| name.clone()));
        let answer = search_libraries(&indexes, text, &registry, &wanted, progress)?;
        let report = &answer.comparison.report;
        let is_own = |notice: &&Notice| notice.role == Role::New && notice.submission == name;
        notices.extend(report.notices.iter().filter(is_own).map(|notice| texts.advised(notice)));
        if let Some(folder) = output {
            progress.check()?;
            let texts = Compared { comparison: &answer.comparison, registry: &registry };
            let report = answer_report::report(&answer, search)?;
            fanmill_report::write_folder(&report, &texts, folder)?;
        }
        take(&name, answer)?;
    }
    notices.append(given.notices);
    Ok(notices.into_sorted())
}

/// Turns an answer into a comparison from which reports can be made: the text in pairs with each of its sources.
///
/// # Errors
/// If the page has no words in the language of `search`.
pub fn finished(answer: Answer, search: &Search) -> Result<Finished> {
    let report = answer_report::report(&answer, search)?;
    let mut comparison = answer.comparison;
    comparison.report = report;
    Ok(Finished::from_comparison(comparison))
}

/// Opens the indexes of a search.
fn opened(folders: &[PathBuf], search: &Search) -> Result<Vec<Index>> {
    let mut indexes = Vec::with_capacity(folders.len());
    let mut known = BTreeSet::new();
    for folder in folders {
        let mut index = Index::open(folder)?;
        if !known.insert(resolved(folder)?) {
            return Err(Error::setting(format!(
                "index `{}` is given twice; give each once",
                folder.display()
            )));
        }
        if let Some(key) = &search.key {
            index.unlock(&key_file::read(key)?)?;
        }
        indexes.push(index);
    }
    Ok(indexes)
}

impl Search {
    /// Returns the settings of the index, if texts are added to it before they are searched for.
    fn of_writer(&self) -> Settings {
        Settings { key: self.key.clone(), ..Settings::default() }
    }
}

impl Texts<'_> {
    /// Adapts a notice about one of the texts: an index keeps its language, so a search advises a name instead.
    fn advised(self, notice: &Notice) -> Notice {
        let name = match self {
            Texts::One(..) => Message::from(Setting("stdin-name")),
            Texts::Inputs(_) | Texts::Added(..) => "a name with an extension".into(),
        };
        let advised = notice.reason.parts().map(|part| match part {
            Part::Setting("lang") => name.clone(),
            part => part.into(),
        });
        Notice { reason: advised.collect(), ..notice.clone() }
    }

    /// Opens the index that the texts are added to, if they are.
    fn writer(
        self,
        libraries: &[PathBuf],
        search: &Search,
        progress: &dyn Progress,
    ) -> Result<Option<Writer>> {
        match (self, libraries) {
            (Texts::Added(inputs, wait), [index]) => {
                writer_for(inputs, index, &search.of_writer(), wait, progress).map(Some)
            }
            (Texts::Added(..), _) => Err(Error::setting(message![
                Setting("and-add"),
                " adds to one index, and several are searched; add the texts by themselves"
            ])),
            (Texts::Inputs(_) | Texts::One(..), _) => Ok(None),
        }
    }

    fn given(self, base: &[PathBuf], index: &Path, progress: &dyn Progress) -> Result<InputTexts> {
        match self {
            Texts::Inputs(inputs) | Texts::Added(inputs, _) => {
                InputTexts::read(inputs, base, index, progress)
            }
            Texts::One(name, bytes) => {
                if let Some(what) = fanmill_source::not_text(bytes) {
                    return Err(Error::input(format!("standard input is not text: {what}")));
                }
                let documents = vec![Document::new(name, bytes)];
                let text = Submission::new(name, Role::New, documents);
                InputTexts::new(text, base, index, progress)
            }
        }
    }
}

/// Refuses to write a report where no texts are kept.
fn check_texts(indexes: &[Index], output: Option<&Path>) -> Result<()> {
    if output.is_some() && indexes.iter().any(|index| index.keep() == Keep::Fingerprints) {
        return Err(Error::setting(message![
            "the index keeps no texts, so that there is nothing to show side by side; leave ",
            Setting("output"),
            " out"
        ]));
    }
    Ok(())
}

/// Refuses to write a report of several texts.
fn check_number(second: Option<&Submission>, output: Option<&Path>) -> Result<()> {
    if output.is_some() && second.is_some() {
        return Err(Error::setting(message![
            "a report is about one text, and several were given; leave ",
            Setting("output"),
            " out, or search for one at a time"
        ]));
    }
    Ok(())
}

/// Returns whether inputs were read in full. Signs of disguise in them are not a loss.
pub fn is_whole(notices: &[Notice]) -> bool {
    notices.iter().all(|notice| notice.outcome == What::Flagged)
}

#[cfg(test)]
mod tests {
    use std::io;

    use fanmill_text::progress::Silent;

    use super::*;

    #[test]
    fn a_change_that_fails_says_what_the_index_holds() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("index");
        let refused = || Err(Error::io("write", "a file", io::Error::other("no room")));
        let said = |work: &dyn Fn(&mut Writer) -> Result<()>| {
            let opened = writer(&folder, &Settings::default(), Wait::No, &Silent);
            let failed = change(opened.expect("an index"), &folder, work);
            failed.expect_err("the disk is full").to_string()
        };
        let untouched = "could not write `a file`; the index holds what it held before: no room";
        assert_eq!(said(&|_| refused()), untouched);
        let add = |writer: &mut Writer| {
            let text = vec![("a.txt".to_owned(), b"who digs a pit for others".to_vec())];
            let given = InputTexts::from_corpus(Corpus::from_texts(text)?);
            add_with(writer, given, &Silent).map(drop).and_then(|()| refused())
        };
        let added =
            "could not write `a file`; the index is whole, and holds 1 document now: no room";
        assert_eq!(said(&add), added);
        assert_eq!(said(&|_| refused()), untouched);
    }
}

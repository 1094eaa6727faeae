//! The texts of some inputs: submissions, which are read at once, and records of corpora, which are read as they are needed.
//!
//! Cost: memory for the submissions, or for two batches of records, and 16 bytes for each record of a file.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanmill_disk::replace::{Disk, Workplace};
use fanmill_records::format::{
    Batch, Columns, DocumentOptions, Format, Options, Purpose, Reader, Shard, holds_records_alone,
    spool_stdin, survey,
};
use fanmill_records::{BadRecord, Flaw, Record};
use fanmill_source::{Files, GroupBy, Naming, as_given, overlaps};
use fanmill_text::document::{
    Corpus, Document, Notice, Origin, Outcome, Publication, Role, Submission,
};
use fanmill_text::frontend::cells::Notation;
use fanmill_text::frontend::{ChoiceReason, Kind, Registry};
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, message};
use rayon::prelude::*;

use super::Inputs;
use crate::compare;

/// The path of the only file of each record: it counts as prose, unless the index has a language.
const PATH: &str = "text.txt";
/// The same, of records with code in fences, which is read by its own language.
const MARKDOWN_PATH: &str = "text.md";
/// The fields of records that state facts, each by the names that are looked for, in this order.
const FACTS: [&[&str]; 7] = [
    &["path", "max_stars_repo_path"],
    &["author"],
    &["date", "timestamp", "submitted"],
    &["title"],
    &["url"],
    &["licence", "license"],
    &["language"],
];
/// Front ends for what a record's text is not, although it was taken from such a file.
const OF_CONTAINERS: [&str; 5] = ["html", "json", "toml", "xml", "yaml"];
/// Maximum length of a fact, in bytes; a longer one is no fact.
const LONGEST_FACT: usize = 4096;
/// The path of standard input.
const STDIN: &str = "-";
/// Maximum number of notices that are kept; others are counted.
const MOST: usize = 10_000;

/// Inputs whose submissions were read, and whose records were found.
#[derive(Debug, Clone, Default)]
pub(super) struct InputTexts {
    corpus: Corpus,
    shards: Vec<Records>,
    options: Option<Options>,
    label: Option<String>,
    /// The folder of a copy of standard input, which goes with the last clone of this.
    spool: Option<Arc<Workplace>>,
}

/// A shard of records, and the beginning of their names.
#[derive(Debug, Clone)]
struct Records {
    prefix: String,
    shard: Shard,
}

impl InputTexts {
    /// Takes texts in memory.
    pub(super) fn from_corpus(corpus: Corpus) -> InputTexts {
        InputTexts { corpus, ..InputTexts::default() }
    }

    /// Takes one text, and reads boilerplate.
    ///
    /// # Errors
    /// If a path does not exist, or the run is cancelled.
    pub(super) fn new(
        text: Submission,
        base: &[PathBuf],
        index: &Path,
        progress: &dyn Progress,
    ) -> Result<InputTexts> {
        let mut given = InputTexts::default();
        if !base.is_empty() {
            given = InputTexts::read(&Inputs::default(), base, index, progress)?;
        }
        given.corpus.submissions.insert(0, text);
        Ok(given)
    }

    /// Gives files that were given themselves the paths that they have if `folder` is given.
    pub(super) fn name_paths_below(&mut self, folder: &Path) {
        let above = format!("{}/", as_given(folder));
        for text in &mut self.corpus.submissions {
            let inside = text.name.strip_prefix(&above).map(str::to_owned);
            if let (Origin::File, [file], Some(inside)) =
                (text.origin, text.documents.as_mut_slice(), inside)
            {
                file.path = inside;
            }
        }
    }

    /// Removes the boilerplate, and returns it.
    pub(super) fn take_base(&mut self) -> Vec<Submission> {
        self.corpus.submissions.extract_if(.., |text| text.role == Role::Base).collect()
    }

    /// Reads submissions, which are named by the paths as they were given, and finds the files of records.
    ///
    /// # Errors
    /// If a path does not exist or overlaps with another one, a file of records is not what its name says, or the run is
    /// cancelled.
    pub(super) fn read(
        inputs: &Inputs,
        base: &[PathBuf],
        index: &Path,
        progress: &dyn Progress,
    ) -> Result<InputTexts> {
        if inputs.paths == [PathBuf::from(STDIN)] {
            return InputTexts::read_stream(inputs, std::io::stdin().lock(), progress);
        }
        overlaps(&Files::Disk, &[(&inputs.paths, Role::New)])?;
        // Records are only found now, and read one by one later; all other inputs are read here.
        let (mut records, mut others) = (Vec::new(), Vec::new());
        for path in &inputs.paths {
            progress.check()?;
            let to = if has_records(inputs, path) { &mut records } else { &mut others };
            to.push(path.clone());
        }
        let options = record_options(inputs)?;
        let (mut corpus, mut shards) = (Corpus::default(), Vec::new());
        if !others.is_empty() || !base.is_empty() || records.is_empty() {
            let mut all = compare::Inputs::from_paths(others);
            all.group_by = inputs.group_by;
            all.everything = inputs.everything;
            all.include.clone_from(&inputs.include);
            all.exclude.clone_from(&inputs.exclude);
            all.limits.clone_from(&inputs.limits);
            all.documents.clone_from(&inputs.documents);
            all.base = base.to_vec();
            let left_out = Some((index, "the index's own folder: not read"));
            corpus = compare::read(&all, &Files::Disk, left_out, Naming::AsGiven, progress)?;
            corpus.notices.iter_mut().for_each(|notice| advise_about_records(notice, &all.paths));
            corpus.submissions.retain(|submission| !submission.documents.is_empty());
        }
        for path in records {
            progress.check()?;
            let found = survey(std::slice::from_ref(&path), &options, Purpose::Read)?;
            let given = as_given(&path);
            let left_out = found.left_out.first.into_iter();
            corpus.notices.extend(left_out.map(|notice| skipped(&notice.place, notice.reason)));
            for shard in found.shards {
                let is_inside = path.is_dir() && !shard.format().is_loose();
                let inside = if is_inside { format!("/{}", shard.name()) } else { String::new() };
                shards.push(Records { prefix: format!("{given}{inside}"), shard });
            }
        }
        let label = inputs.label.clone();
        Ok(InputTexts { corpus, shards, options: Some(options), label, spool: None })
    }

    /// Finds the records of a stream, of which a copy is made, since it can be read only once.
    ///
    /// # Errors
    /// If its format is not known, the copy cannot be made, or the run is cancelled.
    fn read_stream(
        inputs: &Inputs,
        stream: impl Read,
        progress: &dyn Progress,
    ) -> Result<InputTexts> {
        let options = record_options(inputs)?;
        let mut spool = Workplace::temporary(&Disk::default(), None)?;
        let file = spool.make_file(Path::new("stdin"))?;
        let path = spool.path().join("stdin");
        let shard = spool_stdin(file, &path, stream, &options, progress)?;
        Ok(InputTexts {
            corpus: Corpus::default(),
            shards: vec![Records { prefix: "stdin".to_owned(), shard }],
            options: Some(options),
            label: inputs.label.clone(),
            spool: Some(Arc::new(spool)),
        })
    }

    /// Returns the texts: submissions by name, then records in their order. `registry` says which names are of code.
    pub(super) fn texts<'a>(self, registry: &'a Registry, progress: &'a dyn Progress) -> Texts<'a> {
        let mut notices = Notices::default();
        notices.extend(self.corpus.notices);
        Texts {
            submissions: self.corpus.submissions.into_iter(),
            shards: self.shards.into_iter(),
            options: self.options.unwrap_or_else(Options::standard),
            open: None,
            label: self.label,
            registry,
            progress,
            notices,
            _spool: self.spool,
        }
    }
}

/// Returns whether records are read from a path: from a file of many, and from a folder that holds nothing else, unless the
/// user says which files are documents.
fn has_records(inputs: &Inputs, path: &Path) -> bool {
    let is_known = || Format::from_file(path).is_some_and(|format| !format.is_table());
    let is_chosen = inputs.group_by != GroupBy::Auto
        || !inputs.include.is_empty()
        || !inputs.exclude.is_empty()
        || inputs.everything;
    // Of a folder that cannot be listed, the reading of documents says so, and goes on.
    inputs.input_format.is_some()
        || (path.is_file() && is_known())
        || (!is_chosen && path.is_dir() && holds_records_alone(path).unwrap_or(false))
}

/// Adds to the notice on a file that was skipped, in a folder of documents below one of `paths`, that it has records, if it has.
fn advise_about_records(notice: &mut Notice, paths: &[PathBuf]) {
    if notice.outcome != Outcome::Skipped {
        return;
    }
    // The file is a submission by itself, or in one.
    let places = paths.iter().filter_map(|path| {
        let inside = notice.submission.strip_prefix(&as_given(path))?;
        let own = path.join(inside.trim_start_matches('/'));
        Some(if own.is_dir() { own.join(&notice.path) } else { own })
    });
    let format = places.filter(|place| place.is_file()).find_map(|file| Format::from_file(&file));
    if let Some(format) = format.filter(|format| !format.is_table() && !format.is_loose()) {
        let advice = format!("; it has records ({}): name the file itself", format.name());
        notice.reason.push(advice);
    }
}

/// Returns the options for reading records.
fn record_options(inputs: &Inputs) -> Result<Options> {
    Ok(Options {
        text: inputs.text_field.clone(),
        id: inputs.id_field.clone(),
        format: inputs.input_format,
        record_bytes: usize::try_from(inputs.limits.file_bytes).unwrap_or(usize::MAX),
        documents: DocumentOptions::open(&inputs.documents)?,
        ..Options::standard()
    })
}

/// An iterator over the texts of inputs.
pub(super) struct Texts<'a> {
    submissions: std::vec::IntoIter<Submission>,
    shards: std::vec::IntoIter<Records>,
    options: Options,
    open: Option<Open>,
    label: Option<String>,
    registry: &'a Registry,
    progress: &'a dyn Progress,
    /// Inputs that were not read in full.
    pub(super) notices: Notices,
    /// The folder of a copy of standard input, as long as it is read.
    _spool: Option<Arc<Workplace>>,
}

/// A shard that is being read.
struct Open {
    records: Records,
    reader: Reader,
    batch: Batch,
    ready: VecDeque<Submission>,
    /// Hashes of the names that occurred so far.
    names: HashSet<[u8; 16]>,
}

impl Iterator for Texts<'_> {
    type Item = Result<Submission>;

    fn next(&mut self) -> Option<Result<Submission>> {
        let next = self.submissions.next().map(Ok).or_else(|| self.next_record().transpose())?;
        Some(next.map(|text| {
            let label = text.label.or_else(|| self.label.clone());
            Submission { label, ..text }
        }))
    }
}

impl Texts<'_> {
    fn next_record(&mut self) -> Result<Option<Submission>> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(records) = self.shards.next() else { return Ok(None) };
                let mut options = self.options.clone();
                if records.shard.format().states_facts() {
                    options.extra = FACTS.concat().into_iter().map(str::to_owned).collect();
                }
                let reader = records.shard.reader(&options, Columns::Needed)?;
                let (batch, ready, names) = (Batch::new(), VecDeque::new(), HashSet::new());
                self.open = Some(Open { records, reader, batch, ready, names });
                continue;
            };
            if let Some(text) = open.ready.pop_front() {
                return Ok(Some(text));
            }
            self.progress.check()?;
            if open.reader.next(&mut open.batch)? {
                open.take_batch(self.registry, &mut self.notices);
            } else {
                self.open = None;
            }
        }
    }
}

impl Open {
    /// Makes texts of the records in a batch.
    fn take_batch(&mut self, registry: &Registry, notices: &mut Notices) {
        let batch = &self.batch;
        let parse = |i: usize| batch.record(i).map(|record| Parsed::new(record, registry));
        let parsed: Vec<_> = (0..batch.len()).into_par_iter().map(parse).collect();
        let prefix = &self.records.prefix;
        for (number, parsed) in (batch.first_number() + 1..).zip(parsed) {
            let Parsed { id, path, bytes, flaw, author, date, publication } = match parsed {
                Ok(parsed) => parsed,
                Err(BadRecord { reason, .. }) => {
                    let name = format!("{prefix}/{number}");
                    notices.push(Notice { outcome: Outcome::Failed, ..skipped(&name, reason) });
                    continue;
                }
            };
            let mut name = format!("{prefix}/{}", id.unwrap_or_else(|| number.to_string()));
            // A web archive may have an address twice, and any other file a name.
            if !self.names.insert(hash(&name)) {
                name = format!("{name} (record {number})");
                self.names.insert(hash(&name));
            }
            if let Some(flaw) = flaw {
                let notice = skipped(&name, flaw.to_string());
                notices.push(Notice { outcome: Outcome::Degraded, ..notice });
            }
            if bytes.is_empty() {
                notices.push(skipped(&name, "empty"));
            } else {
                let is_markdown = self.records.shard.format().is_markdown();
                let usual = if is_markdown { MARKDOWN_PATH } else { PATH };
                let path = path.unwrap_or_else(|| usual.to_owned());
                let documents = vec![Document::new(path, bytes)];
                let text = Submission::new(name, Role::New, documents);
                self.ready.push_back(Submission { author, submitted: date, publication, ..text });
            }
        }
        let (first, all) = batch.skipped();
        for (number, other) in (first + 1..).zip(all) {
            let name = format!("{prefix}: part {number} that is not a record");
            notices.push(skipped(&name, other.reason.clone()));
        }
    }
}

/// A record: its name and text, its flaw, if it has one, and the [facts](FACTS) that it states.
struct Parsed {
    id: Option<String>,
    /// The name of the file that it was, if that says a language of code, or Markdown.
    path: Option<String>,
    bytes: Vec<u8>,
    flaw: Option<Flaw>,
    author: Option<String>,
    date: Option<String>,
    publication: Publication,
}

impl Parsed {
    fn new(record: Record<'_>, registry: &Registry) -> Parsed {
        let id = record.name().map(str::to_owned);
        let mut stated = record.extra.into_iter();
        let [path, author, date, title, url, licence, language] = FACTS.map(|names| {
            let own = stated.by_ref().take(names.len()).flatten();
            let mut own = own.filter(|fact| !fact.is_empty() && fact.len() <= LONGEST_FACT);
            let fact = own.next().map(Cow::into_owned);
            own.for_each(drop);
            fact
        });
        let publication = Publication { title, url, licence, language };
        let bytes = record.text.into_owned().into_bytes();
        let path = path.and_then(|path| file_of_code(&path, registry));
        Parsed { id, path, bytes, flaw: record.flaw, author, date, publication }
    }
}

/// Returns the last part of a path if its name says that the file has code, or Markdown.
fn file_of_code(path: &str, registry: &Registry) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?;
    let choice = registry.choose(name, "", None).ok()?;
    let front_end = choice.front_end;
    let is_code = front_end.kind() == Kind::Code && !OF_CONTAINERS.contains(&front_end.name());
    let is_claimed = matches!(choice.why, ChoiceReason::FileName | ChoiceReason::Extension);
    (is_claimed && (is_code || Notation::from_path(name) == Some(Notation::Markdown)))
        .then(|| name.to_owned())
}

fn hash(name: &str) -> [u8; 16] {
    let hash = blake3::hash(name.as_bytes());
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

fn skipped(name: &str, reason: impl Into<Message>) -> Notice {
    Notice::about_input(name, Outcome::Skipped, reason)
}

/// Returns the error of a job that has nothing to do, as none of its inputs could be read. It gives the first few
/// reasons.
pub(super) fn nothing_to(task: &str, notices: &[Notice]) -> Error {
    let mut why = message!["there is nothing to {task}: none of the inputs could be read"];
    for (i, notice) in notices.iter().take(REASONS).enumerate() {
        why.push(if i == 0 { ": " } else { "; " });
        why.push(message![("`{}`: ", notice.path), notice.reason.clone()]);
    }
    // Their number would not be true where there are more than notices are kept of.
    if notices.len() > REASONS {
        why.push("; and others");
    }
    Error::input(why)
}

/// Maximum number of inputs for which an error gives the reason.
const REASONS: usize = 3;

/// Notices in bounded memory.
#[derive(Debug, Default)]
pub(super) struct Notices {
    first: Vec<Notice>,
    n_more: u64,
}

impl Notices {
    pub(super) fn push(&mut self, notice: Notice) {
        if self.first.len() < MOST { self.first.push(notice) } else { self.n_more += 1 }
    }

    pub(super) fn extend(&mut self, notices: impl IntoIterator<Item = Notice>) {
        notices.into_iter().for_each(|notice| self.push(notice));
    }

    /// Counts notices that were not kept elsewhere.
    pub(super) fn not_listed(&mut self, n: u64) {
        self.n_more += n;
    }

    pub(super) fn append(&mut self, others: Notices) {
        self.extend(others.first);
        self.n_more += others.n_more;
    }

    /// Returns each notice once, in ascending order. The last one gives the number of those that were not kept.
    pub(super) fn into_sorted(mut self) -> Vec<Notice> {
        self.first.sort();
        self.first.dedup();
        if self.n_more > 0 {
            let reason = format!("{} more notices are not listed", self.n_more);
            let notice = skipped("", reason);
            self.first.push(Notice { outcome: Outcome::Degraded, ..notice });
        }
        self.first
    }
}

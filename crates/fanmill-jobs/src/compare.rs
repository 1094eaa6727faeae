//! `compare`: who copied from whom in a batch of submissions?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings of a comparison: what counts as a match, and what is listed.
pub use fanmill::pipeline::Config as Settings;
use fanmill::pipeline::{self, Comparison, Config};
use fanmill::report::Report;
use fanmill_report::{Compared, HeldFile, ShownText, Texts};
use fanmill_source::{
    Attempts, Budget, Extraction, Files, Glob, GroupBy, LeftOut, Limits, Manifests, MemoryFiles,
    Naming, Options,
};
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, PeopleJoined, Role};
use fanmill_text::frontend::Registry;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::readable::readable;
use fanmill_text::{Error, Result, Setting};
use serde::{Deserialize, Serialize};

use crate::anonymous::{self, Covered};
use crate::change::GitChange;
#[cfg(feature = "index")]
use crate::earlier;
use crate::given;
use crate::page_language;
pub use crate::searched::Searched;

/// The inputs of a comparison, and how they are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Inputs {
    /// Folders, files, archives and lists of new submissions, compared with each other and with the archive.
    pub paths: Vec<PathBuf>,
    /// Instead of `paths`: a folder or archive of submissions for each of several tasks. Everything that a person
    /// handed in for them is one submission.
    pub task: Vec<PathBuf>,
    /// A base revision: what the path, a folder of a git repository, has added since then is compared with the rest of
    /// it.
    pub base_rev: Option<String>,
    /// Boilerplate, which does not count as copying.
    pub base: Vec<PathBuf>,
    /// Earlier work, which is compared with the new submissions only. It may include indexes.
    pub archive: Vec<PathBuf>,
    /// The way in which files are grouped into submissions.
    pub group_by: GroupBy,
    /// The attempts of a person that are compared, where an export tells attempts apart.
    pub attempts: Attempts,
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
    /// Switch for comparing everything: files that tools have written, and what is the same in many submissions.
    pub everything: bool,
    /// If set, the report lists metadata that documents of two submissions share.
    pub metadata: bool,
    /// The report's title.
    pub title: Option<String>,
    /// The language in which the report's page begins: a tag, or `auto` for that of the reader's browser.
    pub language: Option<String>,
    /// If set, pseudonyms replace the names of submissions, files and people in the report.
    pub anonymous: bool,
}

/// The outcome of a comparison.
#[derive(Debug)]
pub struct Outcome {
    /// The report, and the texts that it refers to.
    pub comparison: Comparison,
    /// Names of the lists among the inputs that define submissions.
    pub lists: Vec<String>,
    /// People whose files were joined by the names that platforms give.
    pub people: Vec<PeopleJoined>,
    /// The indexes in the archive, and what was searched in them.
    pub searched: Vec<Searched>,
}

impl Outcome {
    /// Returns the greatest share of a file's new lines that occurs elsewhere, too, in tokens, 0 to 1, if there is a
    /// base revision. Pairs without a passage as long as the guarantee do not count: a short addition resembles others
    /// by chance.
    pub fn copied_of_a_change(&self) -> f64 {
        let report = &self.comparison.report;
        let usual = report.promises.iter().filter(|promise| promise.shorter_than.is_none());
        let least = usual.filter_map(|promise| promise.guarantee).min();
        let is_new = |id: u32| report.submissions[id as usize].role == Role::New;
        let long = report.pairs.iter().filter(|pair| pair.longest >= u64::from(least.unwrap_or(0)));
        let shares =
            long.flat_map(|pair| [(pair.a, pair.containment_a), (pair.b, pair.containment_b)]);
        shares.filter(|&(id, _)| is_new(id)).map(|(_, share)| share).fold(0.0, f64::max)
    }
}

/// Lists the names of the settings for reading files: limits, and the extraction of text from documents.
pub fn reading_settings() -> Vec<String> {
    let mut names = given::names(&Limits::standard());
    names.extend(given::names(&Extraction::default()));
    names
}

impl Inputs {
    /// Returns inputs with new submissions only.
    pub fn from_paths(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Inputs {
        Inputs { paths: paths.into_iter().map(Into::into).collect(), ..Inputs::default() }
    }
}

/// Compares submissions, and writes the report to the folder `output` if one is given.
///
/// # Errors
/// If settings contradict each other, an input is missing, the folder holds anything but a report or cannot be
/// written, or the job is cancelled. The folder is then unchanged.
pub fn run(
    settings: &Settings,
    inputs: &Inputs,
    output: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    run_with(settings, inputs, Vec::new(), output, progress).map(|finished| finished.outcome)
}

/// Reads the new submissions of a comparison without comparing them, so that people see how inputs were taken.
///
/// # Errors
/// As [`run`], of reading.
pub fn read_only(inputs: &Inputs, progress: &dyn Progress) -> Result<Corpus> {
    let new = Inputs { archive: Vec::new(), base: Vec::new(), ..inputs.clone() };
    read(&new, &Files::Disk, None, Naming::Short, progress)
}

/// A text in memory that is a submission: its role, its name, and its bytes. The name's extension determines its
/// language.
pub type GivenText = (Role, String, Vec<u8>);

/// Compares like [`run`], with texts in memory in addition to those at the paths. Returns everything that a report can
/// be made of.
///
/// # Errors
/// As [`run`]; and if two texts of one role have the same name.
pub fn run_with(
    settings: &Settings,
    inputs: &Inputs,
    texts: Vec<GivenText>,
    output: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Finished> {
    if let Some(folder) = output {
        fanmill_report::check_folder(folder)?;
    }
    let left_out = output.map(|folder| (folder, "the folder of the report: not read"));
    let finished = compare(settings, inputs, (&Files::Disk, texts), left_out, progress)?;
    if let Some(folder) = output {
        progress.check()?;
        finished.write(folder)?;
    }
    Ok(finished)
}

/// Compares like [`run`], with files in memory, to which all paths refer. Returns the outcome and the files of the
/// report.
///
/// # Errors
/// As [`run`].
pub fn run_held(
    settings: &Settings,
    inputs: &Inputs,
    held: MemoryFiles,
    progress: &dyn Progress,
) -> Result<(Outcome, Vec<HeldFile>)> {
    let files = Files::Held(Arc::new(held));
    let done = compare(settings, inputs, (&files, Vec::new()), None, progress)?;
    progress.check()?;
    let files = done.with_texts(|report, texts| fanmill_report::files(report, texts))?;
    Ok((done.outcome, files))
}

/// A finished comparison, with everything that its report shows.
#[derive(Debug)]
pub struct Finished {
    outcome: Outcome,
    registry: Registry,
    /// The names that pseudonyms replace, if they do.
    names: Option<anonymous::Names>,
}

impl Finished {
    /// Wraps a comparison that another job has made.
    #[cfg(feature = "index")]
    pub(crate) fn from_comparison(comparison: Comparison) -> Finished {
        let outcome =
            Outcome { comparison, lists: Vec::new(), people: Vec::new(), searched: Vec::new() };
        Finished { outcome, registry: fanmill_lang::registry(), names: None }
    }

    /// Returns the outcome.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Returns the report as data.
    pub fn report(&self) -> &Report {
        &self.outcome.comparison.report
    }

    /// Writes the report to a folder, which is made, or replaced if it is empty or an earlier report.
    ///
    /// # Errors
    /// If the folder holds anything but a report, or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        self.with_texts(|report, texts| fanmill_report::write_folder(report, texts, folder))
    }

    /// Returns the report as a page in one file; if a pair's number is given, counted from 0, a page of this listed
    /// pair alone.
    ///
    /// # Errors
    /// If there is no such pair.
    pub fn page(&self, pair: Option<usize>) -> Result<String> {
        self.with_texts(|report, texts| fanmill_report::one_file(report, texts, pair))
    }

    /// Returns the text shown for the bytes `start..end` of a document; `None` if there is no such document.
    /// `submission` and `file` are its numbers in the report.
    pub fn excerpt(
        &self,
        (submission, file): (u32, u32),
        (start, end): (u32, u32),
    ) -> Option<String> {
        self.with_texts(|_, texts| {
            let decoded = texts.text(submission, file)?;
            let shown = ShownText::from_decoded(&decoded);
            let from = shown.at_from(0, start);
            Some(shown.text()[from..shown.at_from(from, end)].to_owned())
        })
    }

    /// Calls `write` with the report and the texts that it shows.
    fn with_texts<T>(&self, write: impl FnOnce(&Report, &dyn Texts) -> T) -> T {
        let texts = Compared { comparison: &self.outcome.comparison, registry: &self.registry };
        match &self.names {
            Some(names) => write(self.report(), &Covered { texts, names }),
            None => write(self.report(), &texts),
        }
    }
}

fn compare(
    settings: &Settings,
    inputs: &Inputs,
    sources: (&Files, Vec<GivenText>),
    left_out: Option<(&Path, &str)>,
    progress: &dyn Progress,
) -> Result<Finished> {
    settings.check()?;
    let mut config = settings.clone();
    let registry = fanmill_lang::registry();
    if inputs.anonymous && inputs.metadata {
        return Err(Error::setting(message![
            Setting("metadata"),
            " says who wrote documents, and ",
            Setting("anonymous"),
            " hides that; leave one of them out"
        ]));
    }
    let page_language = page_language::checked(inputs.language.as_deref())?;
    let (mut corpus, searched) = read_all(inputs, sources, left_out, &registry, &config, progress)?;
    let names = inputs.anonymous.then(|| anonymous::rename(&mut corpus, &registry));
    let (lists, people) = (std::mem::take(&mut corpus.lists), std::mem::take(&mut corpus.people));
    config.sources_are_chosen = !searched.is_empty();
    let mut comparison = pipeline::compare(corpus, &registry, &config, progress)?;
    comparison.report.title.clone_from(&inputs.title);
    comparison.report.page_language = page_language;
    Ok(Finished { outcome: Outcome { comparison, lists, people, searched }, registry, names })
}

/// Reads inputs; from indexes in the archive, only the documents that may be sources.
#[cfg(feature = "index")]
fn read_all(
    inputs: &Inputs,
    (files, texts): (&Files, Vec<GivenText>),
    output: Option<(&Path, &str)>,
    registry: &Registry,
    config: &Config,
    progress: &dyn Progress,
) -> Result<(Corpus, Vec<Searched>)> {
    let mut inputs = inputs.clone();
    let indexes = match files {
        Files::Disk => earlier::taken_out(&mut inputs.archive),
        Files::Held(_) => Vec::new(),
    };
    let mut corpus = read(&inputs, files, output, Naming::Short, progress)?;
    add(texts, &mut corpus)?;
    let searched = earlier::find(&indexes, &mut corpus, registry, config, progress)?;
    Ok((corpus, searched))
}

/// Reads inputs. Indexes need another feature.
#[cfg(not(feature = "index"))]
fn read_all(
    inputs: &Inputs,
    (files, texts): (&Files, Vec<GivenText>),
    output: Option<(&Path, &str)>,
    _registry: &Registry,
    _config: &Config,
    progress: &dyn Progress,
) -> Result<(Corpus, Vec<Searched>)> {
    let mut corpus = read(inputs, files, output, Naming::Short, progress)?;
    add(texts, &mut corpus)?;
    Ok((corpus, Vec::new()))
}

/// Adds texts in memory to a corpus.
fn add(texts: Vec<GivenText>, corpus: &mut Corpus) -> Result<()> {
    let mut by_role: BTreeMap<Role, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for (role, name, text) in texts {
        by_role.entry(role).or_default().push((name, text));
    }
    by_role.into_iter().try_for_each(|(role, texts)| corpus.add_texts(role, texts))
}

/// Reads inputs. `output` is a folder that is not one of them, and the reason.
pub(crate) fn read(
    inputs: &Inputs,
    files: &Files,
    output: Option<(&Path, &str)>,
    naming: Naming,
    progress: &dyn Progress,
) -> Result<Corpus> {
    let (mut paths, mut group_by) = (&inputs.paths, inputs.group_by);
    if !inputs.task.is_empty() {
        check_tasks(inputs)?;
        (paths, group_by) = (&inputs.task, GroupBy::Person);
    }
    let mut change =
        inputs.base_rev.as_deref().map(|revision| changed(inputs, revision)).transpose()?;
    let globs =
        |patterns: &[String]| patterns.iter().map(|p| Glob::new(p)).collect::<Result<Vec<_>>>();
    let options = Options {
        group_by,
        attempts: inputs.attempts,
        include: globs(&inputs.include)?,
        exclude: globs(&inputs.exclude)?,
        left_out: output.map(|(path, reason)| left_out(files, path, reason)).unwrap_or_default(),
        files: files.clone(),
        naming,
        extractor: inputs.documents.open()?,
        metadata: inputs.metadata,
        ..Options::everything()
    };
    let budget = Budget::new(inputs.limits.clone());
    let mut corpus = Corpus::default();
    let roles = [(paths, Role::New), (&inputs.archive, Role::Archive), (&inputs.base, Role::Base)];
    let base =
        fanmill_source::overlaps(files, &roles.map(|(paths, role)| (paths.as_slice(), role)))?;
    // What is also given as boilerplate is read as boilerplate only.
    let given_as_base = message!["given with ", Setting("base"), ": not compared"];
    let mut outside_base = options.clone();
    for path in base {
        outside_base.left_out.push(LeftOut { path, reason: given_as_base.clone() });
    }
    let mut new = outside_base.clone();
    if let Some(change) = &change {
        (new.group_by, new.manifests) = (GroupBy::File, Manifests::Texts);
        new.left_out.extend(change.left_out());
    }
    progress.begin("collecting", 0);
    for ((paths, role), options) in roles.into_iter().zip([&new, &outside_base, &options]) {
        progress.check()?;
        if !paths.is_empty() {
            fanmill_source::read(paths, role, options, &budget, &mut corpus, progress)?;
        }
        if role == Role::New
            && let Some(change) = change.take()
        {
            change.split(&mut corpus);
        }
    }
    if inputs.task.len() > 1 {
        fanmill_source::join_tasks(&mut corpus);
    }
    if !inputs.everything && inputs.base_rev.is_none() {
        fanmill_source::set_tools_apart(&mut corpus, &inputs.include);
        // An index keeps what a class was given, too: it is searched for by others.
        if naming == Naming::Short {
            fanmill_source::set_handouts_apart(&mut corpus);
        }
    }
    Ok(corpus)
}

/// Asks git what has changed in the folder that is given.
fn changed(inputs: &Inputs, revision: &str) -> Result<GitChange> {
    let base_rev = Setting("base-rev");
    let [folder] = &inputs.paths[..] else {
        return Err(Error::setting(message![
            base_rev,
            (
                " looks at one folder of a git repository, not at {}; give one",
                counted(inputs.paths.len() as u64, "path", "paths")
            )
        ]));
    };
    if !matches!(inputs.group_by, GroupBy::Auto | GroupBy::File) {
        return Err(Error::setting(message![
            "with ",
            base_rev,
            " each file is a submission; leave out ",
            Setting("group-by")
        ]));
    }
    if !folder.is_dir() {
        return Err(Error::input(message![
            base_rev,
            (
                " needs a folder of a git repository; `{}` is not a folder",
                readable(folder.as_os_str())
            )
        ]));
    }
    GitChange::new(folder, revision)
}

/// Refuses settings that make no sense with several tasks.
fn check_tasks(inputs: &Inputs) -> Result<()> {
    let task = Setting("task");
    if !inputs.paths.is_empty() || inputs.group_by != GroupBy::Auto {
        return Err(Error::setting(message![
            "each ",
            task,
            " is a folder with a submission for each person; leave out other paths and ",
            Setting("group-by")
        ]));
    }
    Ok(())
}

/// Returns a path that must not be read as input, if it exists, with the reason.
fn left_out(files: &Files, path: &Path, reason: &str) -> Vec<LeftOut> {
    let real: Option<PathBuf> = files.real(path).ok();
    real.into_iter().map(|path| LeftOut { path, reason: reason.into() }).collect()
}

//! Reading of the given paths into a corpus.

use fanmill_text::message::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Read, Seek};
use std::path::{Component, Path, PathBuf};

use crate::archive::{trouble, wrapper};
use crate::collect::{Collector, Input, LooseNotice};
use crate::draft::Finished;
use crate::earlier::no_input;
use crate::files::{FileStat, Files, OpenFile};
use crate::group::{GroupBy, Manifests, Naming, Options};
use crate::grouping::Grouping;
use crate::label::{Names, Trail, label, litter};
use crate::limits::Budget;
use crate::manifest::{self, Manifest, Row};
use crate::overlap::overlaps;
use crate::people::by_person;
use crate::quiz::{self, Answer, Quiz};
use crate::sniff::{Content, HEAD};
use crate::walk::special_file;
use fanmill_disk::given;
use fanmill_disk::ours::Ours;
use fanmill_disk::replace::folder_of;
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, Notice, Origin, Outcome, Role};
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::readable::readable;
use fanmill_text::{Error, Result, Setting};

/// Reads the documents below `paths` into `corpus`, grouped into submissions of one role.
///
/// Paths may be folders, files, archives (zip, tar, tar.gz, tar.zst, a single file in gzip or Zstandard, and any of
/// these in each other) or a manifest: a CSV that names files. A CSV given alone lists the inputs, each line a
/// submission unless a `submission` column joins them. A CSV given with other paths, or called `info.csv` or
/// `manifest.csv` beside the submissions, describes them and is not itself an input ([`Corpus::lists`]). An office
/// document becomes its text ([`fanmill_extract::office`]). See [`GroupBy`] for what one submission is.
///
/// Everything seen becomes a document or a [`Notice`]; a submission from which nothing could be taken stays, without
/// documents. Names are unique in their role: a second `ada` becomes `ada (2)`. The outcome depends only on the inputs,
/// `options` and what `budget` has left. `corpus` is in order afterwards, whatever was in it before.
///
/// `progress` is asked before each file, folder and entry of an archive whether to stop, and counts them; the caller
/// begins the step.
///
/// # Errors
/// If a given path does not exist, two of them overlap ([`overlaps`]), or the only one given cannot be read, is neither
/// a file nor a folder ([`given`]), or is an earlier report, an index or a store; or if the run is cancelled. `corpus` is then as it was.
pub fn read(
    paths: &[PathBuf],
    role: Role,
    options: &Options,
    budget: &Budget,
    corpus: &mut Corpus,
    progress: &dyn Progress,
) -> Result<()> {
    for path in paths {
        options.files.present(path)?;
    }
    overlaps(&options.files, &[(paths, role)])?;
    let mut no_inputs = Vec::new();
    let paths = sort_out(paths, options, &mut no_inputs)?;
    let (paths, manifests) = match options.manifests {
        Manifests::Read => lists_apart(&options.files, paths, budget),
        Manifests::Texts => (paths, Vec::new()),
    };
    let names = names(&options.files, &paths, options.naming);
    let real = |path: &PathBuf| options.files.real(path).unwrap_or_else(|_| path.clone());
    let mut intake = Intake {
        role,
        options,
        budget,
        progress,
        group_by: group_by(options, role, paths.len()),
        alone: paths.len() == 1,
        roots: paths.iter().map(real).zip(names.iter().cloned()).collect(),
        finished: Vec::new(),
        loose: Vec::new(),
        manifests,
        lists: Vec::new(),
    };
    for (name, reason) in no_inputs {
        intake.note(&name, Outcome::Skipped, reason);
    }
    for (path, name) in paths.iter().zip(names) {
        progress.check()?;
        intake.given(path, &name)?;
    }
    // A cancelled collector passes over inputs, so what it collected is incomplete.
    progress.check()?;
    intake.apply_manifests();
    intake.group_by_person(corpus);
    intake.merge_into(corpus);
    Ok(())
}

/// Returns the way of grouping for a number of given paths in a role.
fn group_by(options: &Options, role: Role, n_paths: usize) -> GroupBy {
    // Several paths of earlier work are years, each with its submissions, and no shell's list of these; and an index is
    // added to path by path.
    let are_collections = role == Role::Archive || options.naming == Naming::AsGiven;
    options.group_by.settle(if are_collections { 1 } else { n_paths })
}

/// Checks paths on disk before anything is read: all must be files or folders, and none may be or contain another one.
///
/// # Errors
/// If a path is neither a file nor a folder, or two paths overlap.
pub fn check_given(paths: &[PathBuf], role: Role) -> Result<()> {
    for path in paths {
        given::look_at("", path)?;
    }
    overlaps(&Files::Disk, &[(paths, role)]).map(drop)
}

/// Returns the given paths that are inputs. `others` takes the names of the rest, with the reasons: a shell's `*`
/// includes the folder of the report too.
///
/// # Errors
/// If nothing is left, or one of them is an index or a store and damaged.
fn sort_out(
    paths: &[PathBuf],
    options: &Options,
    others: &mut Vec<(String, Message)>,
) -> Result<Vec<PathBuf>> {
    let mut inputs = Vec::new();
    for path in paths {
        let kept = match options.files {
            Files::Disk => Ours::among_texts(path)?.map(|kind| kind.what().into()),
            Files::Held(_) => None,
        };
        let other = || no_input(&options.files.real(path).ok()?, options);
        match kept.or_else(other) {
            Some(reason) => others.push((last_part(&options.files, path), reason)),
            None => inputs.push(path.clone()),
        }
    }
    match (paths, others.first()) {
        ([path, ..], Some((_, reason))) if inputs.is_empty() => Err(Error::input(message![
            ("`{}` is not an input: ", path.display()),
            reason,
            "; give a folder of submissions"
        ])),
        _ => Ok(inputs),
    }
}

/// Separates the CSVs that describe the other given paths from those paths.
fn lists_apart(
    files: &Files,
    paths: Vec<PathBuf>,
    budget: &Budget,
) -> (Vec<PathBuf>, Vec<Description>) {
    let (mut others, mut lists) = (Vec::new(), Vec::new());
    for path in &paths {
        match list_at(files, path, budget) {
            Some(list) => lists.push(list),
            None => others.push(path.clone()),
        }
    }
    // Without other paths, the CSVs themselves are the inputs: lists of inputs, or documents to compare.
    if others.is_empty() { (paths, Vec::new()) } else { (others, lists) }
}

fn list_at(files: &Files, path: &Path, budget: &Budget) -> Option<Description> {
    if !is_csv(path) {
        return None;
    }
    let mut bytes = Vec::new();
    let seen = files.look(path).ok().filter(FileStat::is_file)?;
    let file = files.open(path, &seen).ok()?;
    file.take(budget.limits().file_bytes).read_to_end(&mut bytes).ok()?;
    Some(Description {
        prefix: None,
        name: last_part(files, path),
        folder: files.real(path).ok()?.parent().map(Path::to_owned),
        manifest: manifest::parse(&bytes)?,
    })
}

/// Returns the name of each given path: its last part, or as many of its last parts as distinguish it from others that
/// end alike; all of it if the naming asks for that.
fn names(files: &Files, paths: &[PathBuf], naming: Naming) -> Vec<String> {
    if naming == Naming::AsGiven {
        return paths.iter().map(|path| as_given(path)).collect();
    }
    let short: Vec<String> = paths.iter().map(|path| last_part(files, path)).collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &short {
        *uses.entry(name).or_default() += 1;
    }
    let mut unique = Names::default();
    let parts: Vec<Vec<String>> = paths.iter().map(|path| last_parts(files, path)).collect();
    let name = |(i, name): (usize, &String)| {
        let alike = uses[name.as_str()] > 1;
        let is_told = alike && !parts[i].is_empty();
        unique.unique(&if is_told { telling(&parts, i) } else { name.clone() })
    };
    short.iter().enumerate().map(name).collect()
}

/// Returns the named parts of a path, the last one first; for `a/..`, those of the folder that it leads to.
fn last_parts(files: &Files, path: &Path) -> Vec<String> {
    let resolved = path.file_name().is_none().then(|| files.real(path).ok()).flatten();
    let parts = resolved.as_deref().unwrap_or(path).components().rev();
    let named = parts.filter_map(|part| match part {
        Component::Normal(name) => Some(readable(name).into_owned()),
        _ => None,
    });
    named.collect()
}

/// Joins the fewest last parts of one of several paths that no other path ends in.
fn telling(paths: &[Vec<String>], own: usize) -> String {
    let parts = &paths[own];
    let is_told = |&n: &usize| {
        let others = paths.iter().filter(|other| *other != parts);
        others.into_iter().all(|other| other.get(..n) != Some(&parts[..n]))
    };
    let n = (1..=parts.len()).find(is_told).unwrap_or(parts.len());
    let parts: Vec<&str> = parts[..n].iter().rev().map(String::as_str).collect();
    parts.join("/")
}

/// Returns the name of a submission that is a given path, or the prefix of its name: all of the path, except parts that
/// do not distinguish it from others ([`Naming::AsGiven`]).
pub fn as_given(path: &Path) -> String {
    if path.file_name().is_none() {
        return last_part(&Files::Disk, path);
    }
    let parts: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    readable(parts.as_os_str()).replace(std::path::MAIN_SEPARATOR, "/")
}

fn last_part(files: &Files, path: &Path) -> String {
    // `.` and `a/..` have no last part of their own.
    let own = path.file_name().map(ToOwned::to_owned);
    let resolved = || files.real(path).ok()?.file_name().map(ToOwned::to_owned);
    match own.or_else(resolved) {
        Some(name) => readable(&name).into_owned(),
        None => readable(path.as_os_str()).into_owned(),
    }
}

/// A manifest that describes submissions read from elsewhere.
struct Description {
    /// Prefix of the submissions' names.
    prefix: Option<String>,
    name: String,
    /// Folder that it lies in, without links, if it was given itself.
    folder: Option<PathBuf>,
    manifest: Manifest,
}

/// Everything that one call of [`read`] has collected.
struct Intake<'a> {
    role: Role,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    group_by: GroupBy,
    /// True if one path was given, so that nothing is left without it.
    alone: bool,
    /// The given paths, absolute and without links, with their names.
    roots: Vec<(PathBuf, String)>,
    finished: Vec<Finished>,
    loose: Vec<LooseNotice>,
    manifests: Vec<Description>,
    /// Names of the manifests that describe submissions.
    lists: Vec<String>,
}

impl<'a> Intake<'a> {
    fn given(&mut self, path: &Path, name: &str) -> Result<()> {
        let own = last_part(&self.options.files, path);
        if !self.alone && litter(&own).is_some() {
            let reason = "version-control, editor or system data: not read";
            self.note(name, Outcome::Skipped, reason);
            return Ok(());
        }
        if !self.alone && self.options.excludes(&[name, &own]) {
            self.note(name, Outcome::Skipped, message!["left out by ", Setting("exclude")]);
            return Ok(());
        }
        let seen = self.options.files.present(path)?;
        if self.alone {
            given::usual("", path, seen.special())?;
        }
        if seen.is_folder() {
            return self.given_folder(path, name);
        }
        if seen.is_file() {
            return self.given_file(path, name, &seen);
        }
        let mut collector = self.collector(Grouping::Whole(name.to_owned()), Origin::File);
        collector.note(&Trail::whole(name), Outcome::Skipped, special_file(&seen));
        self.keep(collector, name);
        Ok(())
    }

    fn given_folder(&mut self, path: &Path, name: &str) -> Result<()> {
        let grouping = self.grouping(name);
        // Otherwise each child has an origin of its own.
        let is_whole = matches!(grouping, Grouping::Whole(_));
        let origin = if is_whole { Origin::Folder } else { Origin::File };
        let mut collector = self.collector(grouping, origin);
        // No links are followed below the real path, so every path there is without links, too.
        let real = self.options.files.real(path);
        match collector.top_folder(real.as_deref().unwrap_or(path)) {
            Ok(0) if self.group_by != GroupBy::Root => {
                collector.note_loose(name, Outcome::Skipped, "empty folder");
            }
            Ok(_) => {}
            Err(error) if self.alone => return Err(Error::io("list", path, error)),
            Err(error) => {
                let reason = format!("folder that cannot be read: {}", trouble(&error));
                collector.note(&Trail::whole(name), Outcome::Failed, reason);
            }
        }
        if self.group_by == GroupBy::Root {
            collector.expect(&Trail::whole(name));
        }
        self.keep(collector, name);
        Ok(())
    }

    fn given_file(&mut self, path: &Path, name: &str, seen: &FileStat) -> Result<()> {
        let opened = self.options.files.open(path, seen).and_then(|mut file| {
            let mut head = Vec::new();
            file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
            file.rewind()?;
            Ok((file, head))
        });
        let (file, head) = match opened {
            Ok(opened) => opened,
            Err(error) if self.alone => return Err(Error::io("read", path, error)),
            Err(error) => {
                let mut collector = self.collector(Grouping::Whole(name.to_owned()), Origin::File);
                collector.note(&Trail::whole(name), Outcome::Failed, trouble(&error));
                self.keep(collector, name);
                return Ok(());
            }
        };
        match self.options.content(name, &head) {
            Content::Archive(format) if self.budget.limits().levels() > 0 => {
                let mut source = BufReader::new(file);
                let grouping = self.grouping(name);
                let is_whole = matches!(grouping, Grouping::Whole(_));
                let origin = if is_whole { Origin::Archive } else { Origin::Entry };
                let mut collector = self.collector(grouping, origin);
                // Exports wrap all submissions in one folder; the system's litter beside it does not count.
                let skip = |label: &str| litter(label).is_some();
                let folder = (self.group_by == GroupBy::Child)
                    .then(|| wrapper(format, name, &mut source, self.budget.limits(), &skip))
                    .flatten();
                collector.archive(None, folder.as_deref(), name, format, &mut source);
                self.keep(collector, name);
            }
            _ if is_csv(path) && self.options.manifests == Manifests::Read => {
                self.given_csv(path, name, file);
            }
            _ => self.given_document(path, name, file),
        }
        Ok(())
    }

    fn given_document(&mut self, path: &Path, name: &str, file: OpenFile) {
        let mut collector = self.collector(Grouping::Whole(name.to_owned()), Origin::File);
        let trail = match self.options.naming {
            Naming::Short => Trail::whole(name),
            // The folders above were asked for, whatever they are called: only the last part is checked.
            Naming::AsGiven => Trail::whole(&last_part(&self.options.files, path)),
        };
        if !collector.is_left_out(&trail) {
            collector.file(&trail, Input::File(file), 0);
        }
        self.keep(collector, name);
    }

    fn given_csv(&mut self, path: &Path, name: &str, mut file: OpenFile) {
        let mut bytes = Vec::new();
        let most = self.budget.limits().file_bytes;
        let read = file.by_ref().take(most + 1).read_to_end(&mut bytes).and_then(|_| file.rewind());
        // A file over the limit gets its notice as a document: a part of a list is not the list.
        let is_whole = read.is_ok() && bytes.len() as u64 <= most;
        let manifest = is_whole.then(|| manifest::parse(&bytes)).flatten();
        if is_whole
            && manifest.is_none()
            && let Some(quiz) = quiz::parse(&bytes)
        {
            return self.given_quiz(name, quiz);
        }
        let Some(manifest) = manifest.filter(|_| self.alone) else {
            let mut collector = self.collector(Grouping::Whole(name.to_owned()), Origin::File);
            // Given beside a folder, it was meant to describe the files in it.
            if self.alone || self.roots.iter().any(|(root, _)| self.options.files.is_folder(root)) {
                let reason = "read as a document: no column is called file, path or filename";
                collector.note(&Trail::whole(name), Outcome::Degraded, reason);
            }
            collector.file(&Trail::whole(name), Input::File(file), 0);
            return self.keep(collector, name);
        };
        self.faults(name, &manifest);
        let mut collector = self.collector(Grouping::Head(None), Origin::Listed);
        listed(&mut collector, folder_of(path), name, &manifest.rows);
        self.keep(collector, name);
    }

    /// Takes the answers of a quiz, each a document of the person's submission.
    fn given_quiz(&mut self, name: &str, quiz: Quiz) {
        let mut collector = self.collector(self.grouping(name), Origin::Entry);
        let columns = counted(quiz.questions.len() as u64, "column", "columns");
        let answers = counted(quiz.answers.len() as u64, "answer", "answers");
        let first = quiz.questions.first().map_or("", String::as_str);
        let reason = format!("read as a quiz: {columns} from `{first}` on, with {answers}");
        collector.note_loose(name, Outcome::Flagged, reason);
        for Answer { person, question, text } in quiz.answers {
            let trail = Trail::whole(&label(&person)).join(&label(&format!("{question}.txt")));
            if collector.is_left_out(&trail) {
                continue;
            }
            if let Err(reason) = collector.admit(&trail) {
                collector.leave_out(&trail, reason);
                continue;
            }
            collector.file(&trail, Input::Stream(&mut text.as_bytes()), 0);
        }
        self.keep(collector, name);
    }

    /// Returns the prefix of the names of the submissions in a given path; `name` is the path's own.
    fn prefix<'n>(&self, name: &'n str) -> Option<&'n str> {
        (!self.alone || self.options.naming == Naming::AsGiven).then_some(name)
    }

    fn grouping(&self, name: &str) -> Grouping {
        let prefix = self.prefix(name).map(str::to_owned);
        match self.group_by {
            GroupBy::Auto | GroupBy::Person | GroupBy::Child => Grouping::Head(prefix),
            GroupBy::File => Grouping::Each(prefix),
            GroupBy::Root => Grouping::Whole(name.to_owned()),
        }
    }

    fn collector(&self, grouping: Grouping, origin: Origin) -> Collector<'a> {
        let share = match grouping {
            Grouping::Head(_) => 2,
            Grouping::Whole(_) if !self.alone => 2,
            Grouping::Whole(_) | Grouping::Each(_) => 1,
        };
        Collector::new(grouping, origin, share, self.options, self.budget, self.progress)
    }

    fn keep(&mut self, mut collector: Collector<'a>, name: &str) {
        let prefix = self.prefix(name).map(str::to_owned);
        for (name, manifest) in collector.manifests.drain(..) {
            let prefix = prefix.clone();
            self.manifests.push(Description { prefix, name, folder: None, manifest });
        }
        let (finished, loose) = collector.finish(self.role, name);
        self.finished.extend(finished);
        self.loose.extend(loose);
    }

    fn note(&mut self, path: &str, outcome: Outcome, reason: impl Into<Message>) {
        self.loose.push((path.to_owned(), outcome, reason.into()));
    }

    fn faults(&mut self, name: &str, manifest: &Manifest) {
        for (line, reason) in &manifest.faults {
            self.note(name, Outcome::Degraded, format!("line {line} {reason}"));
        }
    }

    /// Fills in the facts that manifests know about the submissions.
    fn apply_manifests(&mut self) {
        let places: BTreeMap<String, usize> = self
            .finished
            .iter()
            .enumerate()
            .map(|(place, finished)| (finished.submission.name.clone(), place))
            .collect();
        for list in std::mem::take(&mut self.manifests) {
            let Description { name, manifest, .. } = &list;
            self.faults(name, manifest);
            self.lists.push(name.clone());
            for row in &manifest.rows {
                if let Some(place) = self.described(&places, &list, &row.target()) {
                    let mut about = row.about.clone();
                    // Among what was handed in, anybody may put a list: it does not say whose a file is.
                    about.person = about.person.filter(|_| list.folder.is_some());
                    about.describe(&mut self.finished[place].submission);
                } else {
                    let reason = format!("named by line {} of {name}, but not there", row.line);
                    self.note(&row.target(), Outcome::Failed, reason);
                }
            }
        }
    }

    /// Returns the submission that a row of a list means: found by the place of its file, or else by its name.
    fn described(
        &self,
        places: &BTreeMap<String, usize>,
        list: &Description,
        target: &str,
    ) -> Option<usize> {
        let path = list.folder.as_ref().map(|folder| folder.join(target));
        let below = self.roots.iter().find_map(|(root, name)| {
            let inside = path.as_deref()?.strip_prefix(root).ok()?.to_str()?;
            find(places, self.prefix(name), inside)
        });
        below.or_else(|| find(places, list.prefix.as_deref(), target))
    }

    /// Joins what is from one person, where names or lists say so.
    fn group_by_person(&mut self, corpus: &mut Corpus) {
        let Options { group_by, attempts, .. } = *self.options;
        if self.role == Role::Base {
            return;
        }
        let finished = std::mem::take(&mut self.finished);
        let grouped = by_person(finished, self.role, group_by, attempts);
        self.finished = grouped.finished;
        self.loose.extend(grouped.loose);
        corpus.people.extend(grouped.joined);
    }

    fn merge_into(self, corpus: &mut Corpus) {
        let mut names = Names::default();
        for known in corpus.submissions.iter().filter(|known| known.role == self.role) {
            names.unique(&known.name);
        }
        for finished in self.finished {
            let name = names.unique(&finished.submission.name);
            let (submission, notices) = finished.named(name);
            corpus.submissions.push(submission);
            corpus.notices.extend(notices);
        }
        let role = self.role;
        let of_none = |(path, outcome, reason)| {
            let submission = String::new();
            Notice { role, submission, path, outcome, reason }
        };
        corpus.notices.extend(self.loose.into_iter().map(of_none));
        corpus.lists.extend(self.lists);
        corpus.submissions.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        corpus.notices.sort();
    }
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Returns the submission that a manifest's file is or lies in.
fn find(places: &BTreeMap<String, usize>, prefix: Option<&str>, target: &str) -> Option<usize> {
    let full = prefix.map_or_else(|| target.to_owned(), |prefix| format!("{prefix}/{target}"));
    let above = full.char_indices().rev().filter(|&(_, c)| c == '/').map(|(at, _)| &full[..at]);
    std::iter::once(full.as_str()).chain(above).find_map(|name| places.get(name)).copied()
}

/// Takes the files that a manifest in `folder` lists.
fn listed(collector: &mut Collector, folder: &Path, manifest: &str, rows: &[Row]) {
    let mut seen = BTreeSet::new();
    for row in rows {
        let target = row.target();
        let trail = match &row.submission {
            Some(name) => Trail::whole(name).join(&target),
            None => Trail::whole(&target),
        };
        if collector.is_left_out(&trail) {
            continue;
        }
        collector.describe(&trail, row);
        if let Err(reason) = collector.admit(&trail) {
            collector.note(&trail, Outcome::Skipped, reason);
            continue;
        }
        if let Err((outcome, reason)) = take_row(collector, folder, &trail, row, &mut seen) {
            let reason = message![("line {} of {manifest}: ", row.line), reason];
            collector.note(&trail, outcome, reason);
        }
    }
}

fn take_row(
    collector: &mut Collector,
    folder: &Path,
    trail: &Trail,
    row: &Row,
    seen: &mut BTreeSet<PathBuf>,
) -> std::result::Result<(), (Outcome, Message)> {
    let failed = |reason: &str| (Outcome::Failed, Message::from(reason));
    // A manifest comes with the inputs and is not trusted: its paths must stay in its folder, through links too.
    let relative = PathBuf::from(row.file.replace('\\', "/"));
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !relative.components().all(inside) {
        return Err(failed("leads out of the manifest's folder: not read"));
    }
    let files = &collector.options.files;
    let path = files.real(&folder.join(relative)).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed("there is no such file"),
        _ => failed(&trouble(&error)),
    })?;
    let folder = files.real(folder).map_err(|error| failed(&trouble(&error)))?;
    if !path.starts_with(&folder) {
        return Err(failed("a symbolic link leads out of the manifest's folder: not read"));
    }
    if !seen.insert(path.clone()) {
        return Err((Outcome::Skipped, "already named by a line above".into()));
    }
    if let Some(reason) = no_input(&path, collector.options) {
        return Err((Outcome::Skipped, reason));
    }
    let seen = files.look(&path).map_err(|error| failed(&trouble(&error)))?;
    if seen.is_folder() {
        collector.folder(&path, trail, &folder);
        return Ok(());
    }
    if !seen.is_file() {
        return Err((Outcome::Skipped, special_file(&seen).into()));
    }
    let file = files.open(&path, &seen).map_err(|error| failed(&trouble(&error)))?;
    collector.file(trail, Input::File(file), 0);
    Ok(())
}

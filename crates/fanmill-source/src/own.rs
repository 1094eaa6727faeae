//! Files that are not the authors' own: what tools have written, and what all were given.
//!
//! A file is set apart for its contents, never for its name alone: an environment has a record of what was installed, a
//! lock file has the form of one to its last line, and generated code has the inner marks of its generator beside its
//! source. So a header alone hides nothing, and neither does a folder called `venv`. What is set apart is still compared
//! by its contents: a file that somebody else has handed in as their own work is read.
//!
//! Cost: O(n) in the bytes of the documents, with a hash of each.

mod environments;
mod caches;
mod form;
mod generated;
mod libraries;
mod lock_files;
pub(crate) mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, Document, Notice, Outcome, Role, Submission};
use fanmill_text::message;
use fanmill_text::message::Message;
use rayon::prelude::*;

/// Number of bytes below which a file is not looked for among other people's files: two empty `__init__.py` show
/// nothing.
const LEAST_COMPARED: usize = 200;

/// A reason for setting a file apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// Installed into the environment in this folder.
    Environment(String),
    /// Made by a build in this folder, which is marked as a cache.
    Cache(String),
    /// Written by a tool; the text completes "…: not compared".
    Tool(String),
}

/// Sets apart what tools have written, with a notice for each environment and each other file.
///
/// Files whose whole name is among the patterns `include` were asked for and stay, and so does everything of a
/// submission that has nothing else.
pub fn set_tools_apart(corpus: &mut Corpus, include: &[String]) {
    let asked: BTreeSet<&str> = include.iter().map(|pattern| file_name(pattern)).collect();
    let reasons: Vec<Vec<Option<Reason>>> =
        corpus.submissions.par_iter().map(|submission| reasons(submission, &asked)).collect();
    let own = own_contents(corpus, &reasons);
    let mut notices = Vec::new();
    let Corpus { submissions, notices: known, .. } = corpus;
    for (index, (submission, reasons)) in submissions.iter_mut().zip(reasons).enumerate() {
        let is_apart = |document: &Document, reason: &Option<Reason>| {
            reason.is_some() && !is_others(&own, index, document)
        };
        let has_own = submission.documents.iter().zip(&reasons).any(|(d, r)| !is_apart(d, r));
        if !has_own || reasons.iter().all(Option::is_none) {
            continue;
        }
        let documents = std::mem::take(&mut submission.documents);
        let mut apart: BTreeMap<(Reason, String), u64> = BTreeMap::new();
        for (document, reason) in documents.into_iter().zip(reasons) {
            match reason {
                Some(_) if is_others(&own, index, &document) => {
                    notices.push(claimed(submission, &document));
                    submission.documents.push(document);
                }
                Some(reason) => *apart.entry(place(reason, &document.path)).or_default() += 1,
                None => submission.documents.push(document),
            }
        }
        take_notices(known, submission, &mut apart);
        let told = |((reason, path), n)| told(submission, reason, path, n);
        notices.extend(apart.into_iter().map(told));
    }
    corpus.notices.extend(notices);
    corpus.notices.sort();
}

/// Counts what was skipped in an environment or a cache as files of it, in place of its notices: links, empty files,
/// programs.
fn take_notices(
    notices: &mut Vec<Notice>,
    submission: &Submission,
    apart: &mut BTreeMap<(Reason, String), u64>,
) {
    let is_folder = |(reason, _): &&(Reason, String)| !matches!(reason, Reason::Tool(_));
    let folders: Vec<(Reason, String)> = apart.keys().filter(is_folder).cloned().collect();
    if folders.is_empty() {
        return;
    }
    // Notices are in order: by role and submission first.
    let own = (submission.role, submission.name.as_str());
    let of = |notice: &Notice| (notice.role, notice.submission.as_str()).cmp(&own);
    let from = notices.partition_point(|notice| of(notice).is_lt());
    let to = notices.partition_point(|notice| of(notice).is_le());
    let kept: Vec<Notice> = notices
        .drain(from..to)
        .filter(|notice| {
            let is_own = notice.outcome == Outcome::Skipped;
            let is_inside =
                |(_, folder): &&(Reason, String)| environments::is_below(&notice.path, folder);
            let Some(folder) = folders.iter().find(|folder| is_own && is_inside(folder)) else {
                return true;
            };
            *apart.entry(folder.clone()).or_default() += 1;
            false
        })
        .collect();
    notices.splice(from..from, kept);
}

/// Returns the reason for each document of a submission, if there is any.
fn reasons(submission: &Submission, asked: &BTreeSet<&str>) -> Vec<Option<Reason>> {
    if submission.role == Role::Base {
        return vec![None; submission.documents.len()];
    }
    let installed = environments::installed(&submission.documents);
    let by_content = |document: &Document| {
        let bytes = &document.bytes;
        lock_files::tool(bytes)
            .or_else(|| generated::tool(document, &submission.documents))
            .or_else(|| libraries::library(&document.path, bytes))
            .map(Reason::Tool)
    };
    let cached = caches::cached(&submission.documents);
    let documents = submission.documents.iter().zip(installed).zip(cached);
    documents
        .map(|((document, environment), cache)| {
            let folder = environment.map(Reason::Environment).or(cache.map(Reason::Cache));
            let reason = folder.or_else(|| by_content(document));
            reason.filter(|_| !asked.contains(file_name(&document.path)))
        })
        .collect()
}

/// Returns the last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the extension of a path, as it is written, or nothing.
fn extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Submissions that have a content as their own work, by its hash: at most two, which is all that is asked for.
type OwnContents = BTreeMap<u64, [Option<usize>; 2]>;

/// Collects the contents of all documents that stay, if anything is set apart at all.
fn own_contents(corpus: &Corpus, reasons: &[Vec<Option<Reason>>]) -> OwnContents {
    let mut own = OwnContents::new();
    if reasons.iter().flatten().all(Option::is_none) {
        return own;
    }
    for (index, (submission, reasons)) in corpus.submissions.iter().zip(reasons).enumerate() {
        if submission.role == Role::Base {
            continue;
        }
        let kept = submission.documents.iter().zip(reasons).filter(|(_, reason)| reason.is_none());
        for (document, _) in kept.filter(|(document, _)| document.bytes.len() >= LEAST_COMPARED) {
            let known = own.entry(hash(&document.bytes)).or_default();
            if known.contains(&Some(index)) {
                continue;
            }
            if let Some(free) = known.iter_mut().find(|place| place.is_none()) {
                *free = Some(index);
            }
        }
    }
    own
}

/// Returns whether another submission has a document's content as its own work.
fn is_others(own: &OwnContents, index: usize, document: &Document) -> bool {
    document.bytes.len() >= LEAST_COMPARED
        && own
            .get(&hash(&document.bytes))
            .is_some_and(|known| known.iter().flatten().any(|&other| other != index))
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Returns a reason with the path that its notice is about: an environment's folder, or the file.
fn place(reason: Reason, path: &str) -> (Reason, String) {
    let path = match &reason {
        Reason::Environment(folder) | Reason::Cache(folder) => folder.clone(),
        Reason::Tool(_) => path.to_owned(),
    };
    (reason, path)
}

fn claimed(submission: &Submission, document: &Document) -> Notice {
    let reason = "would be set apart as written by a tool, but somebody else has the same file as \
                  their own work: compared";
    note(submission, document.path.clone(), Outcome::Flagged, reason.into())
}

fn told(submission: &Submission, reason: Reason, path: String, n: u64) -> Notice {
    let what = match reason {
        Reason::Environment(_) => {
            format!("{} of a Python environment", counted(n, "file", "files"))
        }
        Reason::Cache(_) => format!("{} of a build's cache", counted(n, "file", "files")),
        Reason::Tool(what) => what,
    };
    let reason = message!["{what}: not compared; ", Setting("everything"), " compares it"];
    note(submission, path, Outcome::Skipped, reason)
}

fn note(submission: &Submission, path: String, outcome: Outcome, reason: Message) -> Notice {
    Notice { role: submission.role, submission: submission.name.clone(), path, outcome, reason }
}

//! The additions of a change in a git repository, separated from what was there before: `compare` with a base revision.
//!
//! Git lists the files that differ from the commit where the change branched off the base, and their new lines. Each
//! changed file becomes two submissions: a new one of its new lines, and one of earlier work of its other lines.
//! Unchanged files are earlier work. Files that git does not track are not read.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fanmill_source::{LeftOut, is_extracted};
use fanmill_text::document::{Corpus, Document, Notice, Outcome, Role, Submission};
use fanmill_text::message;
use fanmill_text::readable::{readable, readable_bytes};
use fanmill_text::span::Span;
use fanmill_text::{Error, Result, Setting};

const SETTING: Setting = Setting("base-rev");

/// The differences between a folder of a repository and a commit.
pub(crate) struct GitChange {
    /// The folder's path in the repository: empty, or with `/` at its end.
    prefix: String,
    /// The files that changed, below the folder, each with its new lines.
    files: BTreeMap<String, New>,
    /// Files and folders in which git tracks nothing.
    untracked: Vec<Untracked>,
}

/// A file or folder that is not read.
struct Untracked {
    path: PathBuf,
    /// Its path below the folder.
    name: String,
}

/// The new part of a file.
enum New {
    All,
    /// Ranges of lines, counted from 0.
    Lines(Vec<Range<usize>>),
}

/// Arguments of `git diff`: it starts no programs that the user has configured, and writes all names in full.
const DIFF: [&str; 6] =
    ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--relative"];

impl GitChange {
    /// Asks git how a folder differs from the commit at which its history branched off that of `revision`.
    ///
    /// # Errors
    /// If git cannot be run, knows neither the folder nor the revision, or finds no common commit.
    pub(crate) fn new(folder: &Path, revision: &str) -> Result<GitChange> {
        let git = |arguments: &[&str]| git(folder, arguments);
        let prefix = trimmed(&git(&["rev-parse", "--show-prefix"])?);
        let base = base(folder, revision)?;
        let status = [&DIFF[..], &["--name-status", "--diff-filter=d", "-z", &base]].concat();
        let status = git(&status)?;
        let mut files = BTreeMap::new();
        let mut fields = status.split(|&byte| byte == 0);
        while let (Some(kind), Some(path)) = (fields.next(), fields.next()) {
            let name = String::from_utf8_lossy(path).into_owned();
            let new = match (kind, std::str::from_utf8(path)) {
                (b"M", Ok(path)) => {
                    new_lines(&git(&[&DIFF[..], &["--unified=0", &base, "--", path]].concat())?)
                }
                _ => New::All,
            };
            files.insert(name, new);
        }
        let others = git(&["ls-files", "--others", "--directory", "-z"])?;
        let folder = folder.canonicalize().map_err(|error| Error::io("read", folder, error))?;
        let others = others.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        let untracked = others.map(|path| Untracked {
            // Without the slash at the end of a folder.
            path: folder.join(as_path(path)).components().collect(),
            name: String::from_utf8_lossy(path).trim_end_matches('/').to_owned(),
        });
        let untracked = untracked.collect();
        Ok(GitChange { prefix, files, untracked })
    }

    /// Lists the paths in the folder that are not read.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = LeftOut> + '_ {
        let reason = || "not tracked by git".into();
        self.untracked.iter().map(move |own| LeftOut { path: own.path.clone(), reason: reason() })
    }

    /// Splits each new submission of a corpus, which is a file of the folder, into what is new and what was there
    /// before.
    pub(crate) fn split(mut self, corpus: &mut Corpus) {
        let is_tracked = |notice: &Notice| {
            notice.path != ".git" && !self.untracked.iter().any(|known| known.name == notice.path)
        };
        corpus.notices.retain(is_tracked);
        let all = std::mem::take(&mut corpus.submissions);
        let (files, mut others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|submission| submission.role == Role::New);
        let mut is_new: BTreeMap<String, bool> = BTreeMap::new();
        for mut file in files {
            let name = format!("{}{}", self.prefix, file.name);
            let change = self.files.remove(&file.name);
            is_new.insert(std::mem::replace(&mut file.name, name), change.is_some());
            let Some(change) = change else {
                others.push(Submission { role: Role::Archive, ..file });
                continue;
            };
            others.extend(rest(&file, &change));
            others.push(new(file, &change));
        }
        for notice in corpus.notices.iter_mut().filter(|notice| notice.role == Role::New) {
            let known = is_new.get(&notice.submission);
            if known == Some(&false) {
                notice.role = Role::Archive;
            }
            if known.is_some() {
                notice.submission.insert_str(0, &self.prefix);
            } else {
                // The notice explains why the file is missing, so it is not reported again below.
                self.files.remove(&notice.path);
            }
        }
        corpus.notices.extend(self.files.into_keys().map(|path| Notice {
            role: Role::New,
            submission: String::new(),
            path: format!("{}{path}", self.prefix),
            outcome: Outcome::Failed,
            reason: "changed, but not found under this name; rename it".into(),
        }));
        others.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        corpus.submissions = others;
        corpus.notices.sort();
    }
}

/// Returns the commit at which the history of what is checked out branched off that of `revision`.
fn base(folder: &Path, revision: &str) -> Result<String> {
    if revision.is_empty() || revision.starts_with('-') {
        return Err(Error::setting(message![
            SETTING,
            " `{revision}` is not a revision; give a branch, a tag or a commit: main, HEAD~1"
        ]));
    }
    let verify = |commit: &str| git(folder, &["rev-parse", "--verify", "--quiet", commit]);
    if verify("HEAD").is_err() {
        // Before the first commit, everything is new.
        return Ok(trimmed(&git(folder, &["hash-object", "-t", "tree", "--stdin"])?));
    }
    let commit = format!("{revision}^{{commit}}");
    verify(&commit).map_err(|_| {
        Error::setting(message![
            SETTING,
            " `{revision}` is not a commit of this repository; fetch it, or name another one"
        ])
    })?;
    let base = git(folder, &["merge-base", &commit, "HEAD"]).map_err(|_| {
        Error::setting(message![
            SETTING,
            " `{revision}` and what is checked out have no commit in common; if this is a shallow clone, \
             fetch the whole history: git fetch --unshallow"
        ])
    })?;
    Ok(trimmed(&base))
}

fn trimmed(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim_end_matches('\n').to_owned()
}

/// Runs git in a folder, and returns its output.
fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    // The repository's own settings must not start a program that watches files, and names must not be read as
    // patterns.
    command.args(["-c", "core.fsmonitor=false", "--no-optional-locks", "--literal-pathspecs"]);
    // In a hook, these are set for the repository that it runs in.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let output = command.args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output();
    let output = output.map_err(|error| {
        Error::system(message!["could not run git, which ", SETTING, " asks for changes"], error)
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = readable_bytes(output.stderr.split(|&byte| byte == b'\n').next().unwrap_or(b""));
    Err(Error::input(message![
        SETTING,
        (
            " asks git what changed in `{}`, which says: {}",
            readable(folder.as_os_str()),
            said.trim_start_matches("fatal: ")
        )
    ]))
}

#[cfg(unix)]
fn as_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn as_path(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}

/// Returns the new lines that a diff without context lists; all lines, if git takes the file for binary.
fn new_lines(diff: &[u8]) -> New {
    let mut lines = Vec::new();
    for line in diff.split(|&byte| byte == b'\n') {
        if line.starts_with(b"Binary files ") {
            return New::All;
        }
        lines.extend(hunk(line));
    }
    New::Lines(lines)
}

/// Returns the new lines of `@@ -12,0 +13,2 @@`; `None` without new lines, or for any other line.
fn hunk(line: &[u8]) -> Option<Range<usize>> {
    let places = line.strip_prefix(b"@@ -")?.split(|&byte| byte == b'@').next()?;
    let (_, new) = std::str::from_utf8(places).ok()?.trim_end().split_once(" +")?;
    let (first, n) = new.split_once(',').unwrap_or((new, "1"));
    let (first, n): (usize, usize) = (first.parse().ok()?, n.parse().ok()?);
    let first = first.checked_sub(1).filter(|_| n > 0)?;
    Some(first..first + n)
}

/// Returns the submission of what is new in a file.
fn new(file: Submission, change: &New) -> Submission {
    with_parts(file, |document| match change {
        New::All => None,
        New::Lines(lines) => Some(spans(&document.bytes, lines)),
    })
}

/// Returns the submission of what was in a file before, unless all of it counts as new.
fn rest(file: &Submission, change: &New) -> Option<Submission> {
    let New::Lines(lines) = change else { return None };
    if !is_of_lines(file) {
        return None;
    }
    let (mut others, mut end) = (Vec::new(), 0);
    for range in lines {
        others.push(end..range.start);
        end = range.end;
    }
    others.push(end..usize::MAX);
    let archived = Submission { role: Role::Archive, ..file.clone() };
    Some(with_parts(archived, |document| Some(spans(&document.bytes, &others))))
}

/// Returns whether git's lines are lines of the text that is compared.
fn is_of_lines(file: &Submission) -> bool {
    matches!(&*file.documents, [document] if !is_extracted(&document.path))
}

fn with_parts(mut file: Submission, part: impl Fn(&Document) -> Option<Vec<Span>>) -> Submission {
    if is_of_lines(&file) {
        for document in &mut file.documents {
            document.part = part(document);
        }
    }
    file
}

/// Returns the bytes of lines, which must ascend and not overlap.
fn spans(bytes: &[u8], lines: &[Range<usize>]) -> Vec<Span> {
    let mut starts: Vec<usize> = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
    let start = |line: usize| starts.get(line).copied().unwrap_or(bytes.len()) as u32;
    let spans = lines.iter().map(|range| Span::new(start(range.start), start(range.end)));
    spans.filter(|span| !span.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_say_which_lines_are_new() {
        let lines = |line: &str| hunk(line.as_bytes());
        assert_eq!(lines("@@ -12,0 +13,2 @@ fn f() {"), Some(12..14));
        assert_eq!(lines("@@ -1 +1 @@"), Some(0..1));
        assert_eq!(lines("@@ -3,2 +2,0 @@"), None);
        assert_eq!(lines("+@@ -1 +1 @@"), None);
        assert_eq!(lines("@@ -x +y @@"), None);
    }

    #[test]
    fn lines_are_bytes() {
        let text = b"ab\ncd\n\xff\r\nlast";
        let of = |lines: &[(usize, usize)]| {
            spans(text, &lines.iter().map(|&(start, end)| start..end).collect::<Vec<_>>())
        };
        assert_eq!(of(&[(0, 1), (2, 4)]), [Span::new(0, 3), Span::new(6, 13)]);
        assert_eq!(of(&[(1, usize::MAX)]), [Span::new(3, 13)]);
        assert_eq!(of(&[(4, 9)]), []);
    }
}

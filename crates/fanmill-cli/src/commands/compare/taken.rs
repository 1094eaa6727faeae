//! What was taken for a submission, in words: a path that is too high or too low is the commonest
//! slip, and the figures alone do not show it.

use std::path::{Path, PathBuf};

use fanmill::counted::counted;
use fanmill::document::Role;
use fanmill::report::Submission;
use fanmill_jobs::compare::Outcome;
use fanmill_report::fit::Room;
use fanmill_report::printable;

use crate::args::GroupByArg;
use crate::terminal;

/// Submissions that are named.
const NAMED: usize = 5;

/// A sentence on the new submissions; `None` where the user has said what they are, by `--group-by`
/// or by a list of them alone.
pub(super) fn sentence(
    paths: &[PathBuf],
    group_by: GroupByArg,
    outcome: &Outcome,
    room: Room,
) -> Option<String> {
    let all = &outcome.comparison.report.submissions;
    let new: Vec<&Submission> =
        all.iter().filter(|submission| submission.role == Role::New).collect();
    let is_list = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.is_file() && outcome.lists.iter().any(|list| *list == name)
    };
    let paths: Vec<&Path> =
        paths.iter().map(PathBuf::as_path).filter(|path| !is_list(path)).collect();
    let is_csv = |path: &Path| path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("csv"));
    let said_by_user = group_by != GroupByArg::Auto || matches!(paths[..], [only] if is_csv(only));
    if said_by_user || new.is_empty() {
        return None;
    }
    let shown: Vec<String> =
        new.iter().take(NAMED).map(|taken| printable(&taken.name).into_owned()).collect();
    let n = new.len() as u64;
    let named = terminal::list(&shown, n, room);
    let what = if n == 1 { "a submission" } else { "submissions" };
    let lists = match outcome.lists.join(", ") {
        lists if lists.is_empty() => String::new(),
        lists => format!("; what is known of them is from {}", printable(&lists)),
    };
    Some(format!("took {} as {what}: {named}{lists}; --group-by changes that", kinds(&paths, &new)))
}

/// `3 folders and 1 file`.
fn kinds(paths: &[&Path], new: &[&Submission]) -> String {
    let n = new.len() as u64;
    if let [only] = paths
        && only.is_file()
        && !matches!(new, [taken] if is_file(taken))
    {
        let name = only.file_name().unwrap_or_default().to_string_lossy();
        return format!("{} of {}", counted(n, "entry", "entries"), printable(&name));
    }
    let count = |is: fn(&Submission) -> bool| new.iter().filter(|taken| is(taken)).count() as u64;
    let (files, unread) = (count(is_file), count(|taken| taken.files.is_empty()));
    let folders = n - files - unread;
    let parts = [
        (folders, counted(folders, "folder", "folders")),
        (files, counted(files, "file", "files")),
        (unread, counted(unread, "unread input", "unread inputs")),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, part)| part).collect();
    parts.join(" and ")
}

/// Whether a submission is one file: its document goes by the same name.
fn is_file(taken: &Submission) -> bool {
    matches!(&taken.files[..], [only] if taken.name.ends_with(&only.path))
}

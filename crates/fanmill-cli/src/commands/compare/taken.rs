//! A sentence on what was taken for submissions: a path one folder too high or too low is the most common
//! mistake, and the counts alone do not show it.

use std::path::{Path, PathBuf};

use fanmill::counted::counted;
use fanmill::document::Role;
use fanmill::readable::readable;
use fanmill::report::Submission;
use fanmill_jobs::compare::Outcome;
use fanmill_report::fit::Room;
use fanmill_report::printable;

use crate::args::GroupByArg;
use crate::terminal;

/// Number of submissions that are named.
const NAMED: usize = 5;

/// The sentence; `None` if the user has said what submissions are, by `--group-by` or by giving only a list
/// of them.
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
        let name = readable(path.file_name().unwrap_or_default());
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

/// `3 folders, 1 archive and 1 file`.
fn kinds(paths: &[&Path], new: &[&Submission]) -> String {
    let n = new.len() as u64;
    if let [only] = paths
        && only.is_file()
        && !matches!(new, [taken] if is_file(taken))
    {
        let name = readable(only.file_name().unwrap_or_default());
        return format!("{} of {}", counted(n, "entry", "entries"), printable(&name));
    }
    let [mut folders, mut archives, mut files, mut unread] = [0; 4];
    for taken in new {
        // Several paths go by their last parts, or by all of them where two end alike.
        let is_named = |path: &&&Path| {
            let last = path.file_name().unwrap_or_default();
            [last, path.as_os_str()].iter().any(|name| readable(name) == taken.name)
        };
        let place = match paths {
            [only] => only.join(&taken.name),
            _ => paths.iter().find(is_named).map_or_else(PathBuf::new, |path| path.to_path_buf()),
        };
        *match () {
            () if taken.files.is_empty() => &mut unread,
            () if is_file(taken) && !place.is_dir() => &mut files,
            () if place.is_file() => &mut archives,
            () => &mut folders,
        } += 1;
    }
    let parts = [
        (folders, "folder", "folders"),
        (archives, "archive", "archives"),
        (files, "file", "files"),
        (unread, "unread input", "unread inputs"),
    ];
    let parts = parts.into_iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, one, many)| counted(n, one, many)).collect();
    match &parts[..] {
        [first @ .., second, last] => {
            [first, &[format!("{second} and {last}")]].concat().join(", ")
        }
        parts => parts.concat(),
    }
}

/// Whether a submission looks like one file: its document goes by the same name.
fn is_file(taken: &Submission) -> bool {
    matches!(&taken.files[..], [only] if taken.name.ends_with(&only.path))
}

//! A sentence about the inputs that were taken as submissions: a path one folder too high or too low is the most common
//! mistake, and the counts alone do not show it.

use std::path::PathBuf;

use fanmill::pipeline::Member;
use fanmill_jobs::compare::Outcome;
use fanmill_report::fit::LineWidth;
use fanmill_report::printable;
use fanmill_source::GroupBy;
use fanmill_text::counted::counted;
use fanmill_text::document::{Origin, Role};
use fanmill_text::readable::readable;

use crate::terminal;

/// Maximum number of submissions that are named.
const NAMED: usize = 5;

/// Returns the sentence; `None` if the user has defined submissions, by `--group-by` or by giving only a list of them.
pub(super) fn sentence(
    paths: &[PathBuf],
    group_by: GroupBy,
    outcome: &Outcome,
    room: LineWidth,
) -> Option<String> {
    let all = outcome.comparison.members().iter();
    let new: Vec<&Member> = all.filter(|member| member.submission.role == Role::New).collect();
    let is_listed = |taken: &&Member| taken.submission.origin == Origin::Listed;
    if group_by != GroupBy::Auto || new.iter().all(is_listed) {
        return None;
    }
    let names = new.iter().take(NAMED).map(|taken| printable(&taken.submission.name).into_owned());
    let n = new.len() as u64;
    let named = terminal::list(&names.collect::<Vec<_>>(), n, room);
    let what = if n == 1 { "a submission" } else { "submissions" };
    let lists = match outcome.lists.join(", ") {
        lists if lists.is_empty() => String::new(),
        lists => format!("; what is known of them is from {}", printable(&lists)),
    };
    let kinds = kinds(paths, &outcome.lists, &new);
    Some(format!("took {kinds} as {what}: {named}{lists}; --group-by changes that"))
}

/// Counts kinds of submissions: `3 folders, 1 archive and 1 file`.
fn kinds(paths: &[PathBuf], lists: &[String], new: &[&Member]) -> String {
    let n_of = |origin: Option<Origin>| {
        let own = |taken: &Member| {
            let is_read = !taken.submission.documents.is_empty();
            is_read.then_some(taken.submission.origin)
        };
        new.iter().filter(|taken| own(taken) == origin).count() as u64
    };
    if new.iter().all(|taken| taken.submission.origin == Origin::Entry) {
        // All are from one archive, beside which only lists can have been given.
        let mut names = paths.iter().map(|path| readable(path.file_name().unwrap_or_default()));
        let archive = names.find(|name| !lists.iter().any(|list| list == name));
        let n = counted(new.len() as u64, "entry", "entries");
        return format!("{n} of {}", printable(&archive.unwrap_or_default()));
    }
    let parts = [
        (n_of(Some(Origin::Folder)), "folder", "folders"),
        (n_of(Some(Origin::Archive)), "archive", "archives"),
        (n_of(Some(Origin::File)), "file", "files"),
        (n_of(None), "input without readable text", "inputs without readable text"),
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

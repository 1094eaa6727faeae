//! Repositories of GitHub Classroom: `task-ada`, `task-bo`, …, each with its `.git`.
//!
//! Cost: O(n) in the number of submissions and their notices.

use std::collections::BTreeMap;

use super::input::split;
use crate::draft::Finished;

/// Fewer repositories may have the beginning of their names in common by chance.
const LEAST: usize = 3;

/// Returns the task that the names of repositories begin with, with its `-`, by the prefix of the submissions: where all
/// submissions below a prefix are repositories.
pub(super) fn prefixes(finished: &[Finished]) -> BTreeMap<String, String> {
    let mut names: BTreeMap<&str, Option<Vec<&str>>> = BTreeMap::new();
    for one in finished {
        let (prefix, own) = split(&one.submission.name);
        let names = names.entry(prefix).or_insert_with(|| Some(Vec::new()));
        if !one.notices.iter().any(|(path, ..)| path == ".git") {
            *names = None;
        } else if let Some(names) = names {
            names.push(own);
        }
    }
    let tasks = names.into_iter().filter_map(|(prefix, names)| {
        let names = names.filter(|names| names.len() >= LEAST)?;
        let common = names.iter().copied().reduce(common_start)?;
        // `lab-team-1` is from `team-1`: users have letters in their names.
        let is_user = |rest: &str| rest.contains(char::is_alphabetic);
        let mut tasks = common.rmatch_indices('-').map(|(at, _)| &common[..=at]);
        let task = tasks
            .find(|task| names.iter().all(|name| name.strip_prefix(task).is_some_and(is_user)));
        task.map(|task| (prefix.to_owned(), task.to_owned()))
    });
    tasks.collect()
}

/// Returns the longest common beginning of two names.
fn common_start<'n>(a: &'n str, b: &str) -> &'n str {
    let pairs = a.char_indices().zip(b.chars());
    let differs = pairs.clone().find(|((_, x), y)| x != y).map(|((at, _), _)| at);
    &a[..differs.unwrap_or(a.len().min(b.len()))]
}

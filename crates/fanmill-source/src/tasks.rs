//! Several tasks of one class: everything that a person handed in for them becomes one submission.
//!
//! A person is the author that a list names, or else the person that the name of a folder or file shows
//! ([`person_of`](crate::person_of)). Nobody is joined on a guess: if a task has two submissions of one person, all of that
//! person's submissions stay apart, and a notice says so.
//!
//! Cost: O(n log n) for n submissions.

use fanmill_text::message;
use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::document::{Corpus, Document, Notice, Origin, Outcome, Role, Submission};

use crate::label::Names;
use crate::people::person::person;

/// Joins new submissions that were read as `task/name`, with one given folder for each task. In a person's submission,
/// the task is the first folder of each path.
pub fn join_tasks(corpus: &mut Corpus) {
    let all = std::mem::take(&mut corpus.submissions);
    let (of_tasks, mut others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|submission| submission.role == Role::New);
    let mut persons: BTreeMap<String, Vec<Submission>> = BTreeMap::new();
    for submission in of_tasks {
        persons.entry(key(&submission)).or_default().push(submission);
    }
    let (mut names, mut moved) = (Names::default(), BTreeMap::new());
    // Submissions that stay apart keep their names, so no joined one may take these.
    let (joined, apart): (Vec<_>, Vec<_>) =
        persons.into_iter().partition(|(_, own)| are_of_different_tasks(own));
    for (person, own) in apart {
        for submission in own {
            corpus.notices.push(ambiguous(&submission, &person));
            names.unique(&submission.name);
            others.push(submission);
        }
    }
    for (person, own) in joined {
        let name = names.unique(&person);
        for submission in &own {
            moved.insert(submission.name.clone(), (name.clone(), task(submission).to_owned()));
        }
        others.push(join(name, own));
    }
    for notice in corpus.notices.iter_mut().filter(|notice| notice.role == Role::New) {
        if let Some((name, task)) = moved.get(&notice.submission) {
            notice.path = format!("{task}/{}", notice.path);
            notice.submission.clone_from(name);
        }
    }
    others.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
    corpus.submissions = others;
    corpus.notices.sort();
}

/// Returns the task that a submission is for.
fn task(submission: &Submission) -> &str {
    submission.name.rsplit_once('/').map_or("", |(task, _)| task)
}

/// Returns the person that a submission is from.
fn key(submission: &Submission) -> String {
    let author = submission.author.as_deref().map(str::trim).filter(|author| !author.is_empty());
    let own = submission.name.rsplit_once('/').map_or(&*submission.name, |(_, own)| own);
    author.map_or_else(|| person(own), str::to_owned)
}

fn are_of_different_tasks(own: &[Submission]) -> bool {
    let tasks: BTreeSet<&str> = own.iter().map(task).collect();
    tasks.len() == own.len()
}

fn ambiguous(submission: &Submission, person: &str) -> Notice {
    Notice {
        role: Role::New,
        submission: submission.name.clone(),
        path: submission.name.clone(),
        outcome: Outcome::Flagged,
        reason: message![
            "more than one submission of `{person}` in a task: not joined with those of other tasks; a list with \
             the column `author` says who is who"
        ],
    }
}

fn join(name: String, own: Vec<Submission>) -> Submission {
    let mut joined = Submission::new(name, Role::New, Vec::new());
    joined.origin = Origin::Folder;
    // The time of one task would pass for the time of all of them.
    let is_one = own.len() == 1;
    for submission in own {
        let task = task(&submission).to_owned();
        let inside = |path: &str| format!("{task}/{path}");
        joined.author = joined.author.or(submission.author);
        joined.label = joined.label.or(submission.label);
        if is_one {
            joined.submitted = submission.submitted;
        }
        let metadata = submission.metadata.into_iter();
        joined.metadata.extend(metadata.map(|(path, said)| (inside(&path), said)));
        let documents = submission.documents.into_iter();
        joined.documents.extend(
            documents.map(|document| Document { path: inside(&document.path), ..document }),
        );
    }
    joined.documents.sort_by(|a, b| a.path.cmp(&b.path));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submission(name: &str, author: Option<&str>) -> Submission {
        let document = Document::new("Main.java", name);
        let author = author.map(str::to_owned);
        Submission { author, ..Submission::new(name, Role::New, vec![document]) }
    }

    fn joined(submissions: Vec<Submission>) -> (Vec<(String, Vec<String>)>, Vec<Notice>) {
        let notice = Notice {
            role: Role::New,
            submission: "week2/ada".to_owned(),
            path: "logo.png".to_owned(),
            outcome: Outcome::Skipped,
            reason: "binary".into(),
        };
        let mut corpus = Corpus { submissions, notices: vec![notice], ..Corpus::default() };
        join_tasks(&mut corpus);
        let shown = |own: Submission| {
            (own.name, own.documents.into_iter().map(|document| document.path).collect())
        };
        (corpus.submissions.into_iter().map(shown).collect(), corpus.notices)
    }

    #[test]
    fn what_a_person_handed_in_is_one_submission() {
        let (all, notices) = joined(vec![
            submission("week1/ada.zip", None),
            submission("week1/bo", Some("Bo")),
            submission("week2/ada", None),
            submission("week2/team 7", Some("Bo")),
            submission("week2/cy", None),
        ]);
        let main = |task: &str| format!("{task}/Main.java");
        assert_eq!(
            all,
            [
                ("Bo".to_owned(), vec![main("week1"), main("week2")]),
                ("ada".to_owned(), vec![main("week1"), main("week2")]),
                ("cy".to_owned(), vec![main("week2")]),
            ]
        );
        assert_eq!(
            (&*notices[0].submission, &*notices[0].path),
            ("ada", "week2/logo.png"),
            "{notices:?}"
        );
    }

    #[test]
    fn nobody_is_joined_on_a_guess() {
        let (all, notices) = joined(vec![
            submission("week1/Ada Lind_17_assignsubmission_file", None),
            submission("week1/Ada Lind_18_assignsubmission_file", None),
            submission("week2/Ada Lind_21_assignsubmission_file", None),
            submission("week2/cy", None),
        ]);
        let names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            [
                "cy",
                "week1/Ada Lind_17_assignsubmission_file",
                "week1/Ada Lind_18_assignsubmission_file",
                "week2/Ada Lind_21_assignsubmission_file",
            ]
        );
        let said =
            |notice: &&Notice| notice.reason.contains("more than one submission of `Ada Lind`");
        assert_eq!(notices.iter().filter(said).count(), 3);
    }

    #[test]
    fn earlier_work_and_boilerplate_stay_as_they_are() {
        let archived = Submission { role: Role::Archive, ..submission("2025/ada", None) };
        let (all, _) = joined(vec![submission("week1/ada", None), archived]);
        let names: Vec<&str> = all.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["ada", "2025/ada"]);
    }
}

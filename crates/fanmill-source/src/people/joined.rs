//! One person's inputs, joined to one submission.
//!
//! Cost: O(n log n) in the number of documents.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::Setting;
use fanmill_text::document::{Document, Origin, Outcome, Submission};
use fanmill_text::message;

use super::attempts;
use super::export::{ExportName, Platform};
use super::input::{Input, SAKAI_ATTACHED, split};
use super::person::person;
use super::receipt::{GradescopeList, Receipt, sakai_time};
use crate::draft::Finished;
use crate::group::{Attempts, GroupBy};
use crate::label::Names;

/// The file in which Sakai keeps the time of handing in.
const SAKAI_TIME: &str = "timestamp.txt";

/// The folder in which Sakai keeps what a teacher attached.
const SAKAI_FEEDBACK: &str = "Feedback Attachment(s)/";

/// Path of a text that was typed into a page of Blackboard.
const TYPED: &str = "submission text.txt";

/// A person, and everything that is from them.
#[derive(Debug)]
pub(super) struct Person {
    /// Beginning of the names of the inputs, such as `2025/`; empty without one.
    pub(super) prefix: String,
    pub(super) platform: Option<Platform>,
    /// The number, login or name that their inputs have in common.
    pub(super) id: String,
    /// The name for people.
    pub(super) shown: String,
    /// The name that tells them from namesakes.
    pub(super) shown_with_id: String,
    /// The person in a form that is equal in other batches of the platform; `None` if only the name is known.
    pub(super) identity: Option<String>,
    pub(super) inputs: Vec<Input>,
}

impl Input {
    /// Finds the person of an input; gives the input back if nothing says whose it is. `user` is the owner of a
    /// repository.
    pub(super) fn read(
        finished: Finished,
        lists: &BTreeMap<String, GradescopeList>,
        (user, is_of_teams): (Option<&str>, bool),
        group_by: GroupBy,
    ) -> Result<(Person, Input), Box<Finished>> {
        let name = finished.submission.name.clone();
        let (prefix, own) = split(&name);
        if let Some(person) = Person::from_list(&finished.submission, prefix, group_by) {
            return Ok((person, Input::new(finished)));
        }
        let named = |platform: Option<Platform>, shown: &str| {
            Person::new(prefix, platform, shown.to_owned(), shown)
        };
        if let Some(export) = ExportName::read(own) {
            let listed = || lists.get(prefix)?.of_folder(own)?.submitted.clone();
            if let Some(person) = of_export(&export, &finished, prefix, lists) {
                let input = Input {
                    attempt: export.attempt.clone(),
                    submitted: export.submitted.clone().or_else(listed),
                    file: export.file.map(str::to_owned),
                    is_receipt: export.is_receipt && finished.submission.documents.len() == 1,
                    finished,
                };
                return Ok((person, input));
            }
        } else if is_of_teams {
            return Ok((named(Some(Platform::Teams), own), Input::new(finished)));
        }
        if let Some(user) = user {
            return Ok((named(Some(Platform::GitHub), user), Input::new(finished)));
        }
        if group_by == GroupBy::Person {
            return Ok((named(None, &person(own)), Input::new(finished)));
        }
        Err(Box::new(finished))
    }

    /// Creates an input that nothing but its place is known of.
    fn new(finished: Finished) -> Input {
        Input { attempt: None, submitted: None, file: None, is_receipt: false, finished }
    }
}

impl Person {
    /// Creates a person without inputs, who is not known in other batches: somebody else may have the same name.
    fn new(prefix: &str, platform: Option<Platform>, id: String, shown: &str) -> Person {
        Person {
            prefix: prefix.to_owned(),
            platform,
            id,
            shown: shown.to_owned(),
            shown_with_id: shown.to_owned(),
            identity: None,
            inputs: Vec::new(),
        }
    }

    /// Returns the person that a list names: by a login, or by the author's name if that is asked for.
    fn from_list(submission: &Submission, prefix: &str, group_by: GroupBy) -> Option<Person> {
        let author = submission.author.as_deref().map(str::trim).filter(|name| !name.is_empty());
        if let Some(login) = &submission.person {
            let shown = author.unwrap_or(login);
            let own = Person::new(prefix, None, format!("person {login}"), shown);
            let shown_with_id = format!("{shown} ({login})");
            return Some(Person { shown_with_id, identity: Some(login.clone()), ..own });
        }
        // A list's author is not joined with a bare name that the list does not have.
        let author = author.filter(|_| group_by == GroupBy::Person)?;
        Some(Person::new(prefix, None, format!("author {author}"), author))
    }
}

/// Returns the person that the name of an export shows; `None` if something else that the export has is missing.
fn of_export(
    export: &ExportName<'_>,
    finished: &Finished,
    prefix: &str,
    lists: &BTreeMap<String, GradescopeList>,
) -> Option<Person> {
    let (platform, number) =
        (export.platform, || format!("{} {}", export.platform.name(), export.id));
    let (shown, identity) = match platform {
        Platform::Gradescope => {
            let (_, own) = split(&finished.submission.name);
            let people = lists.get(prefix)?.of_folder(own)?.people.join(", ");
            (people.clone(), people)
        }
        Platform::Sakai => {
            let documents = &finished.submission.documents;
            let paths = documents.iter().map(|document| &*document.path);
            let mut paths = paths.chain(finished.notices.iter().map(|(path, ..)| &**path));
            let is_mark = |path: &str| path.starts_with(SAKAI_ATTACHED) || path == SAKAI_TIME;
            paths.any(is_mark).then(|| (export.shown(), export.id.to_owned()))?
        }
        Platform::Canvas | Platform::Brightspace | Platform::Ilias => (export.shown(), number()),
        _ => (export.shown(), export.person.to_owned()),
    };
    // Somebody else may have the same name in another year.
    let identity = (!is_known_by_name(platform)).then_some(identity);
    let shown_with_id = match platform {
        Platform::Gradescope => format!("{shown} ({})", export.id),
        Platform::Ilias => shown.clone(),
        _ => export.shown_with_id(),
    };
    let id = match platform {
        // A number of Moodle is one submission's; beside a name it cannot be anybody else's.
        Platform::Moodle
        | Platform::Canvas
        | Platform::Brightspace
        | Platform::Artemis
        | Platform::Ilias => format!("{} {}", export.id, export.person),
        _ => export.id.to_owned(),
    };
    Some(Person {
        prefix: prefix.to_owned(),
        platform: Some(platform),
        id,
        shown,
        shown_with_id,
        identity,
        inputs: Vec::new(),
    })
}

/// Returns whether names of a platform do not say who somebody is in other batches: they have a name alone, or a part of
/// a login. Blackboard's receipts say more.
fn is_known_by_name(platform: Platform) -> bool {
    matches!(platform, Platform::Moodle | Platform::Blackboard | Platform::Gradescope)
}

/// Returns the prefixes below which all that has text lies in `Task/Version 2/`, as Teams keeps it, of several people.
pub(super) fn prefixes_of_teams(finished: &[Finished]) -> BTreeSet<String> {
    let mut prefixes: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for one in finished.iter().filter(|one| !one.submission.documents.is_empty()) {
        let (n, is_form) = prefixes.entry(split(&one.submission.name).0).or_insert((0, true));
        *n += 1;
        *is_form &= one.submission.documents.iter().all(|own| version(&own.path).is_some());
    }
    prefixes.retain(|_, (n, is_form)| *n > 1 && *is_form);
    prefixes.into_keys().map(str::to_owned).collect()
}

/// Returns the task, the version, and the rest of a path of Teams.
fn version(path: &str) -> Option<(&str, u32, &str)> {
    let (task, rest) = path.split_once('/')?;
    let (version, rest) = rest.split_once('/')?;
    Some((task, version.strip_prefix("Version ")?.parse().ok()?, rest))
}

impl Person {
    /// Returns whether they have handed in more than once.
    pub(super) fn has_several_attempts(&self) -> bool {
        let of_teams = || {
            let documents =
                self.inputs.iter().flat_map(|input| &input.finished.submission.documents);
            let versions = documents.filter_map(|document| version(&document.path));
            let versions: BTreeSet<(&str, u32)> = versions.map(|(task, n, _)| (task, n)).collect();
            let tasks: BTreeSet<&str> = versions.iter().map(|&(task, _)| task).collect();
            versions.len() > tasks.len()
        };
        match self.platform {
            Some(Platform::Teams) => of_teams(),
            platform => attempts::earlier(&self.inputs, platform).contains(&true),
        }
    }

    /// Joins everything to one submission.
    pub(super) fn join(mut self, attempts: Attempts) -> Finished {
        let several = self.has_several_attempts();
        if several && attempts == Attempts::Newest {
            self.set_earlier_apart();
        }
        let in_folders = several && attempts == Attempts::All;
        let is_one_of_many = self.inputs.iter().filter(|input| !input.is_receipt).count() > 1;
        let (first, name) =
            (&self.inputs[0].finished.submission, format!("{}{}", self.prefix, self.shown));
        let mut whole = Submission::new(name, first.role, Vec::new());
        whole.origin = Origin::Person;
        whole.person = self.identity;
        let times = || self.inputs.iter();
        let of_lists = times().filter_map(|input| input.finished.submission.submitted.clone());
        let of_names = || times().filter_map(|input| input.submitted.clone()).max();
        whole.submitted = of_lists.max().or_else(of_names);
        let (mut names, mut all_notices) = (Names::default(), Vec::new());
        for mut input in self.inputs {
            let folder = input.attempt.as_ref().filter(|_| in_folders);
            let folder = folder.map_or(String::new(), |attempt| format!("{attempt}/"));
            let submission = &mut input.finished.submission;
            let documents = std::mem::take(&mut submission.documents);
            let mut metadata = std::mem::take(&mut submission.metadata);
            whole.author = whole.author.or(submission.author.take());
            whole.label = whole.label.or(submission.label.take());
            let notices = std::mem::take(&mut input.finished.notices);
            let path =
                |path: &str| format!("{folder}{}", input.path(path, self.platform, is_one_of_many));
            all_notices
                .extend(notices.into_iter().map(|(at, outcome, why)| (path(&at), outcome, why)));
            for document in documents {
                let path = names.unique(&path(&document.path));
                let said = metadata.remove(&document.path);
                whole.metadata.extend(said.map(|said| (path.clone(), said)));
                whole.documents.push(Document { path, ..document });
            }
        }
        whole.documents.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Finished { submission: whole, notices: all_notices }
    }

    /// Reads what the platform has added, and keeps of it what the person typed.
    pub(super) fn read_added(&mut self) {
        self.read_receipts();
        self.read_sakai();
    }

    /// Reads Blackboard's receipts for the person's name, and keeps of them what the person typed.
    fn read_receipts(&mut self) {
        for input in self.inputs.iter_mut().filter(|input| input.is_receipt) {
            let Some(mut document) = input.finished.submission.documents.pop() else { continue };
            let receipt = Receipt::read(&document.bytes);
            // Without a name it is a receipt in another language, or none: all of it is compared.
            let kept = match receipt.person {
                Some(person) => {
                    // `Hana Ito (hi07)`.
                    let login = person.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
                    self.identity = login.map(|(_, login)| format!("Blackboard {login}"));
                    self.shown = person;
                    receipt.typed.map(|typed| (TYPED.to_owned(), Some(vec![typed])))
                }
                None => Some((split(&document.path).1.to_owned(), None)),
            };
            if let Some((name, part)) = kept {
                document.part = part;
                (input.file, input.is_receipt) = (Some(name), false);
                input.finished.submission.documents.push(document);
                continue;
            }
            let reason = "a receipt that Blackboard wrote: not compared";
            input.finished.notices.push((document.path, Outcome::Skipped, reason.into()));
        }
    }

    /// Takes from Sakai's folders what the person did not write.
    fn read_sakai(&mut self) {
        if self.platform != Some(Platform::Sakai) {
            return;
        }
        for input in &mut self.inputs {
            let Finished { submission, notices } = &mut input.finished;
            submission.documents.retain(|document| {
                if document.path == SAKAI_TIME {
                    input.submitted = sakai_time(&document.bytes);
                }
                let is_added = [SAKAI_TIME, "comments.txt"].contains(&&*document.path)
                    || document.path.starts_with(SAKAI_FEEDBACK);
                if is_added {
                    let reason = "written by Sakai: not compared";
                    notices.push((document.path.clone(), Outcome::Skipped, reason.into()));
                }
                !is_added
            });
        }
    }

    /// Replaces the documents of earlier attempts by notices.
    fn set_earlier_apart(&mut self) {
        let reason = || {
            message![
                "an earlier attempt of the same person: not compared; with `all` for ",
                Setting("attempts"),
                " it is"
            ]
        };
        let earlier = attempts::earlier(&self.inputs, self.platform);
        let mut newest: BTreeMap<String, u32> = BTreeMap::new();
        if self.platform == Some(Platform::Teams) {
            let documents =
                self.inputs.iter().flat_map(|input| &input.finished.submission.documents);
            for (task, number, _) in documents.filter_map(|document| version(&document.path)) {
                let known = newest.entry(task.to_owned()).or_default();
                *known = number.max(*known);
            }
        }
        for (input, is_earlier) in self.inputs.iter_mut().zip(earlier) {
            let Finished { submission, notices } = &mut input.finished;
            submission.documents.retain(|document| {
                let is_older = version(&document.path).is_some_and(|(task, number, _)| {
                    newest.get(task).is_some_and(|&last| number < last)
                });
                if is_earlier || is_older {
                    notices.push((document.path.clone(), Outcome::Skipped, reason()));
                }
                !(is_earlier || is_older)
            });
        }
    }
}

//! Sentences about the inputs that were taken as submissions: a path one folder too high or too low is the most common
//! mistake, and the counts alone do not show it.

use std::path::PathBuf;

use fanmill::report::Report;
use fanmill_report::fit::{LineWidth, list};
use fanmill_report::printable;
use fanmill_source::GroupBy;
use fanmill_text::counted::counted;
use fanmill_text::document::{Corpus, Origin, PeopleJoined, Role, Submission};
use fanmill_text::readable::readable;

use crate::compare::{Outcome, Searched};

/// Maximum number of submissions that are named.
const NAMED: usize = 5;

/// The submissions that were read, compared or not, and the rest that is known of the inputs.
#[derive(Debug, Clone)]
pub struct TakenInputs<'a> {
    submissions: Vec<&'a Submission>,
    lists: Vec<&'a str>,
    people: &'a [PeopleJoined],
}

impl<'a> TakenInputs<'a> {
    /// Wraps inputs that were read.
    pub fn from_corpus(corpus: &'a Corpus) -> TakenInputs<'a> {
        TakenInputs {
            submissions: corpus.submissions.iter().collect(),
            lists: corpus.lists.iter().map(String::as_str).collect(),
            people: &corpus.people,
        }
    }

    /// Wraps the inputs of a comparison.
    pub fn from_outcome(outcome: &'a Outcome) -> TakenInputs<'a> {
        TakenInputs {
            submissions: outcome.comparison.members().iter().map(|one| &one.submission).collect(),
            lists: outcome.lists.iter().map(String::as_str).collect(),
            people: &outcome.people,
        }
    }

    /// Replaces the names of lists by others; equal ones appear once.
    #[must_use]
    pub fn named_by(mut self, shown: impl Fn(&'a str) -> &'a str) -> TakenInputs<'a> {
        self.lists = self.lists.into_iter().map(shown).collect();
        self.lists.dedup();
        self
    }

    /// Returns the reason if nothing can be compared, as [`nothing_to_compare`] does for a report.
    pub fn nothing_to_compare(&self) -> Option<String> {
        let all = self.submissions.iter();
        nothing_in(
            &all.map(|one| (&*one.name, one.role, !one.documents.is_empty())).collect::<Vec<_>>(),
        )
    }
}

/// Returns the reason if there are fewer than two readable submissions, or no new one among them: then nothing was
/// compared.
pub fn nothing_to_compare(report: &Report) -> Option<String> {
    let all = report.submissions.iter();
    nothing_in(&all.map(|one| (&*one.name, one.role, !one.files.is_empty())).collect::<Vec<_>>())
}

/// Returns the reason if nothing can be compared of these submissions: name, role, and true if it was read.
fn nothing_in(submissions: &[(&str, Role, bool)]) -> Option<String> {
    let readable = || submissions.iter().filter(|(.., is_read)| *is_read);
    let n_readable = readable().count();
    if n_readable >= 2 && readable().any(|(_, role, _)| *role == Role::New) {
        return None;
    }
    Some(match (submissions, n_readable) {
        ([], _) => "nothing to compare: there are no submissions".to_owned(),
        ([(only, role, _)], _) => {
            let of_role = if *role == Role::Archive { " (archive)" } else { "" };
            format!("nothing to compare: {}{of_role} is the only submission", printable(only))
        }
        (all, 0 | 1) => {
            let all = all.len();
            format!("nothing to compare: {n_readable} of {all} submissions could be read")
        }
        _ => "nothing to compare: no new submission could be read".to_owned(),
    })
}

/// Describes the documents of an index that were compared.
pub fn of_index(searched: &Searched) -> String {
    let index = readable(searched.index.as_os_str());
    let all = counted(searched.documents, "document", "documents");
    let (compared, sharing, generation) =
        (searched.compared, searched.sharing, searched.generation);
    let more = if searched.is_cut { " or more" } else { "" };
    let which = match (compared < sharing || searched.is_cut, compared) {
        (false, 0) => "none shares fingerprints with a submission".to_owned(),
        (false, _) => "all that share fingerprints with a submission".to_owned(),
        (true, _) => {
            format!(
                "of {sharing}{more} that share fingerprints with a submission, those with the most"
            )
        }
    };
    format!(
        "{}: compared {compared} of {all} (generation {generation}): {which}",
        printable(&index)
    )
}

impl TakenInputs<'_> {
    /// Describes the inputs that were taken as submissions of one role, and names the first submissions. Returns `None`
    /// without any, and where the user has defined them, by a way of grouping or by a list alone.
    pub fn sentence(
        &self,
        role: Role,
        paths: &[PathBuf],
        group_by: GroupBy,
        room: LineWidth,
    ) -> Option<String> {
        let taken = self.recognised(role, group_by)?;
        let names = taken.iter().take(NAMED).map(|taken| printable(&taken.name).into_owned());
        let n = taken.len() as u64;
        let named = list(&names.collect::<Vec<_>>(), n, room);
        let earlier = if role == Role::Archive { "earlier " } else { "" };
        let what = match n {
            1 if role == Role::Archive => "an earlier submission".to_owned(),
            1 => "a submission".to_owned(),
            _ => format!("{earlier}submissions"),
        };
        let kinds = self.all_kinds(role, paths, &taken);
        Some(format!("took {kinds} as {what}: {named}{}", self.beside(role)))
    }

    /// Describes the inputs that were taken as submissions of one role without a name of any: `60 people by Canvas names
    /// with 1 to 3 files or folders each; 2 receipts set apart`. Returns `None` as [`Self::sentence`] does.
    pub fn in_short(&self, role: Role, group_by: GroupBy) -> Option<String> {
        let taken = self.recognised(role, group_by)?;
        Some(format!("{}{}", self.all_kinds(role, &[], &taken), self.beside(role)))
    }

    /// Returns the submissions of one role, unless the user has defined them.
    fn recognised(&self, role: Role, group_by: GroupBy) -> Option<Vec<&Submission>> {
        let all = self.submissions.iter().copied();
        let taken: Vec<&Submission> = all.filter(|one| one.role == role).collect();
        let is_listed = |taken: &&Submission| taken.origin == Origin::Listed;
        let is_chosen = !matches!(group_by, GroupBy::Auto | GroupBy::Person);
        (!is_chosen && !taken.iter().all(is_listed)).then_some(taken)
    }

    /// Lists people and other inputs: `60 people by Canvas names with 1 file or folder each and 2 archives`.
    fn all_kinds(&self, role: Role, paths: &[PathBuf], taken: &[&Submission]) -> String {
        let of_role = self.people.iter().filter(|people| people.role == role);
        let mut parts: Vec<String> = of_role.map(people).collect();
        parts.extend(kinds(paths, &self.lists, taken));
        match &parts[..] {
            [first @ .., second, last] => {
                [first, &[format!("{second} and {last}")]].concat().join(", ")
            }
            parts => parts.concat(),
        }
    }

    /// Describes inputs that are no submissions: receipts, and lists.
    fn beside(&self, role: Role) -> String {
        let of_role = self.people.iter().filter(|people| people.role == role);
        let n_receipts: u64 = of_role.map(|people| people.n_receipts).sum();
        let receipts = match n_receipts {
            0 => String::new(),
            n => format!("; {} set apart", counted(n, "receipt", "receipts")),
        };
        let lists = match self.lists.join(", ") {
            lists if lists.is_empty() || role != Role::New => String::new(),
            lists => format!("; what is known of them is from {}", printable(&lists)),
        };
        format!("{receipts}{lists}")
    }
}

/// Says how many people were recognised: `60 people by Canvas names, 1 to 3 files each, 7 with several attempts`.
fn people(joined: &PeopleJoined) -> String {
    let n = counted(joined.n_people, "person", "people");
    let by = joined.platform.as_ref().map_or(String::new(), |name| format!(" by {name} names"));
    let inputs = match joined.n_inputs {
        (_, 0) => "receipts alone".to_owned(),
        (least, most) if least == most => counted(most, "file or folder", "files or folders"),
        (least, most) => format!("{least} to {most} files or folders"),
    };
    let each = if joined.n_people > 1 { " each" } else { "" };
    let attempts = match joined.n_with_attempts {
        0 => String::new(),
        n => format!(" ({n} with several attempts)"),
    };
    format!("{n}{by} with {inputs}{each}{attempts}")
}

/// Counts kinds of submissions that nobody was recognised in: `3 folders`, `1 archive`, `1 file`. If all are from one
/// archive among the paths, it is named.
fn kinds(paths: &[PathBuf], lists: &[&str], all: &[&Submission]) -> Vec<String> {
    let all: Vec<&Submission> =
        all.iter().copied().filter(|taken| taken.origin != Origin::Person).collect();
    let n_of = |origin: Option<Origin>| {
        let own = |taken: &Submission| {
            let is_read = !taken.documents.is_empty();
            is_read.then_some(taken.origin)
        };
        all.iter().filter(|taken| own(taken) == origin).count() as u64
    };
    let n_entries = n_of(Some(Origin::Entry));
    let is_one = !paths.is_empty() && paths.len() <= 1 + lists.len();
    if is_one && n_entries > 0 && n_entries == all.len() as u64 {
        // All are from one archive, beside which only lists can have been given.
        let mut names = paths.iter().map(|path| readable(path.file_name().unwrap_or_default()));
        let archive = names.find(|name| !lists.iter().any(|list| list == name));
        let n = counted(n_entries, "entry", "entries");
        return vec![format!("{n} of {}", printable(&archive.unwrap_or_default()))];
    }
    let parts = [
        (n_of(Some(Origin::Folder)), "folder", "folders"),
        (n_of(Some(Origin::Archive)), "archive", "archives"),
        (n_of(Some(Origin::File)), "file", "files"),
        (n_entries, "entry", "entries"),
        (n_of(None), "input without readable text", "inputs without readable text"),
    ];
    let parts = parts.into_iter().filter(|(n, ..)| *n > 0);
    parts.map(|(n, one, many)| counted(n, one, many)).collect()
}

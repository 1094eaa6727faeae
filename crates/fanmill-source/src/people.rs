//! Submissions by person: joins everything that one person handed in, according to an export of a learning platform.
//!
//! A name counts if it has the whole form that a platform gives (`export.rs`), so that nobody is joined on a guess: two
//! inputs are one person's if their names have the same number or login beside the same name. What the platform itself
//! wrote is read for names and times, and is not compared.
//!
//! Cost: O(n log n) in the number of submissions.

mod export;
pub(crate) mod person;
mod receipt;
pub(crate) mod lists;
mod input;
mod attempts;
mod classroom;
mod joined;

use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::document::{Outcome, PeopleJoined, Role};

use crate::collect::LooseNotice;
use crate::draft::Finished;
use crate::group::{Attempts, GroupBy};
use export::{ExportName, Platform};
use input::{Input, split};
use joined::{Person, prefixes_of_teams};
use lists::GRADESCOPE_LIST;
use receipt::GradescopeList;

/// Files that platforms add beside the submissions of an export.
const BESIDE: [(Platform, &str); 4] = [
    (Platform::Brightspace, "index.html"),
    (Platform::Gradescope, GRADESCOPE_LIST),
    (Platform::Sakai, "grades.csv"),
    (Platform::Sakai, "grades.xls"),
];

/// Submissions of one role, grouped by person.
#[derive(Debug, Default)]
pub(super) struct ByPerson {
    pub(super) finished: Vec<Finished>,
    pub(super) joined: Vec<PeopleJoined>,
    /// Notices on what belongs to nobody.
    pub(super) loose: Vec<LooseNotice>,
}

/// Groups the submissions of one role by person, if `group_by` asks for it.
pub(super) fn by_person(
    finished: Vec<Finished>,
    role: Role,
    group_by: GroupBy,
    attempts: Attempts,
) -> ByPerson {
    let mut grouped = ByPerson::default();
    if !matches!(group_by, GroupBy::Auto | GroupBy::Person) {
        grouped.finished = finished;
        return grouped;
    }
    let lists = gradescope_lists(&finished);
    let mut people: BTreeMap<(String, Option<Platform>, String), Person> = BTreeMap::new();
    let sure = sure_forms(&finished);
    let (classroom, of_teams) = (classroom::prefixes(&finished), prefixes_of_teams(&finished));
    for one in finished {
        let (prefix, own) = split(&one.submission.name);
        // Nobody's name is beside the numbers of a whole class: `lab_2026_1001_ada.py`.
        let form = ExportName::read(own).map(|export| export.platform);
        let is_form_only = form.is_some_and(|platform| {
            platform.is_of_form_only() && !sure.contains(&(prefix.to_owned(), platform))
        });
        if is_form_only && group_by == GroupBy::Auto && one.submission.person.is_none() {
            grouped.finished.push(one);
            continue;
        }
        let user = classroom.get(prefix).and_then(|task| own.strip_prefix(&**task));
        let (user, is_of_teams) = (user.map(str::to_owned), of_teams.contains(prefix));
        let by_place = (user.as_deref(), is_of_teams);
        match Input::read(one, &lists, by_place, group_by) {
            Ok((person, input)) => {
                let key = (person.prefix.clone(), person.platform, person.id.clone());
                people.entry(key).or_insert(person).inputs.push(input);
            }
            Err(finished) => grouped.finished.push(*finished),
        }
    }
    let mut people: Vec<Person> = people.into_values().collect();
    let platforms = people.iter().filter_map(|person| person.platform);
    set_beside_apart(&mut grouped, &platforms.collect::<BTreeSet<_>>());
    people.iter_mut().for_each(Person::read_added);
    tell_namesakes_apart(&mut people);
    for person in people {
        count(&person, role, &mut grouped.joined);
        grouped.finished.push(person.join(attempts));
    }
    grouped
}

/// Returns the prefixes and platforms with names that are surely of the platform, although other names have the form:
/// those of several people, of whom each has a number or login of their own.
fn sure_forms(finished: &[Finished]) -> BTreeSet<(String, Platform)> {
    let mut of_form: BTreeMap<(&str, Platform), Vec<ExportName<'_>>> = BTreeMap::new();
    for one in finished {
        let (prefix, own) = split(&one.submission.name);
        if let Some(export) = ExportName::read(own).filter(|own| own.platform.is_of_form_only()) {
            of_form.entry((prefix, export.platform)).or_default().push(export);
        }
    }
    of_form.retain(|(_, platform), exports| {
        let names: BTreeSet<&str> = exports.iter().map(|export| export.person).collect();
        let ids: BTreeSet<&str> = exports.iter().map(|export| export.id).collect();
        let people: BTreeSet<(&str, &str)> =
            exports.iter().map(|export| (export.id, export.person)).collect();
        match platform {
            Platform::Ilias => names.len() > 2 && ids.len() == exports.len(),
            // Each number is one person's; a year is many people's.
            _ => names.len() > 1 && ids.len() == people.len(),
        }
    });
    of_form.into_keys().map(|(prefix, platform)| (prefix.to_owned(), platform)).collect()
}

/// Reads the lists of people that Gradescope puts beside submissions, by the prefix of these.
fn gradescope_lists(finished: &[Finished]) -> BTreeMap<String, GradescopeList> {
    let lists = finished.iter().filter_map(|finished| {
        let (prefix, own) = split(&finished.submission.name);
        let [document] = &finished.submission.documents[..] else { return None };
        (own == GRADESCOPE_LIST).then(|| (prefix.to_owned(), GradescopeList::read(&document.bytes)))
    });
    lists.collect()
}

/// Replaces what a platform has added beside the submissions by notices.
fn set_beside_apart(grouped: &mut ByPerson, platforms: &BTreeSet<Platform>) {
    grouped.finished.retain(|finished| {
        let (_, own) = split(&finished.submission.name);
        let is_beside =
            BESIDE.iter().find(|(platform, name)| own == *name && platforms.contains(platform));
        let Some((platform, _)) = is_beside else { return true };
        let reason = format!("written by {}: not compared", platform.name());
        let name = finished.submission.name.clone();
        grouped.loose.push((name, Outcome::Skipped, reason.into()));
        false
    });
}

/// Gives people of the same name the names that have a number or login, too.
fn tell_namesakes_apart(people: &mut [Person]) {
    let mut n_of: BTreeMap<(String, String), usize> = BTreeMap::new();
    for person in &*people {
        *n_of.entry((person.prefix.clone(), person.shown.clone())).or_default() += 1;
    }
    for person in people {
        if n_of[&(person.prefix.clone(), person.shown.clone())] > 1 {
            person.shown.clone_from(&person.shown_with_id);
        }
    }
}

/// Adds a person to the account of their platform.
fn count(person: &Person, role: Role, joined: &mut Vec<PeopleJoined>) {
    let platform = person.platform.map(|platform| platform.name().to_owned());
    let n_inputs = person.inputs.iter().filter(|input| !input.is_receipt).count() as u64;
    let place = joined.iter().position(|known| known.platform == platform);
    let place = place.unwrap_or_else(|| {
        let none = PeopleJoined {
            role,
            platform,
            n_people: 0,
            n_inputs: (u64::MAX, 0),
            n_with_attempts: 0,
            n_receipts: 0,
        };
        joined.push(none);
        joined.len() - 1
    });
    let all = &mut joined[place];
    all.n_people += 1;
    if n_inputs > 0 {
        all.n_inputs = (all.n_inputs.0.min(n_inputs), all.n_inputs.1.max(n_inputs));
    }
    all.n_with_attempts += u64::from(person.has_several_attempts());
    all.n_receipts += person.inputs.iter().filter(|input| input.is_receipt).count() as u64;
}

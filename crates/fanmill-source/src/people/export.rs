//! Names that learning platforms give to files and folders when they export the submissions to an assignment.
//!
//! | exported | platform | person | file |
//! |---|---|---|---|
//! | `Ada Lindqvist_1011840_assignsubmission_file` | Moodle, folders | `Ada Lindqvist` | |
//! | `Ada Lindqvist_1011840_assignsubmission_file_a.py` | Moodle, flat | `Ada Lindqvist` | `a.py` |
//! | `lindqvistada_12345_678901_a.py`, `lindqvistada_LATE_12345_678901_a.py` | Canvas | `lindqvistada (12345)` | `a.py` |
//! | `Task_al01_attempt_2026-03-02-09-58-00_a.py` | Blackboard | `al01` | `a.py` |
//! | `Task_al01_attempt_2026-03-02-09-58-00.txt` | Blackboard, receipt | `al01` | |
//! | `12345-678910 - Ada Lindqvist - Mar 4, 2026 1230 PM` | Brightspace | `Ada Lindqvist` | |
//! | `Lindqvist, Ada(al01)` | Sakai | `Lindqvist, Ada (al01)` | |
//! | `course-exercise-12345-al01-student-submission` | Artemis | `al01` | |
//! | `submission_123456789` | Gradescope | by its metadata | |
//! | `Lindqvist_Ada_al01_12345` | ILIAS | `Lindqvist Ada (al01)` | |
//!
//! A number that belongs to the person (Canvas, Brightspace) or to the person's submission (Moodle) tells namesakes apart.
//!
//! Cost: O(n) in the length of the name.
//! Source: the archives of an assignment as Moodle 4.5, Canvas, Blackboard Learn, Brightspace, Sakai 23, Artemis,
//! Gradescope and ILIAS 9 write them.

use crate::handin;

/// A learning platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Platform {
    /// Moodle's assignments.
    Moodle,
    /// Canvas.
    Canvas,
    /// Blackboard Learn.
    Blackboard,
    /// Brightspace (D2L).
    Brightspace,
    /// Sakai.
    Sakai,
    /// Artemis.
    Artemis,
    /// Gradescope.
    Gradescope,
    /// Teams assignments.
    Teams,
    /// ILIAS.
    Ilias,
    /// GitHub Classroom.
    GitHub,
}

impl Platform {
    /// Returns its name for people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Platform::Moodle => "Moodle",
            Platform::Canvas => "Canvas",
            Platform::Blackboard => "Blackboard",
            Platform::Brightspace => "Brightspace",
            Platform::Sakai => "Sakai",
            Platform::Artemis => "Artemis",
            Platform::Gradescope => "Gradescope",
            Platform::Teams => "Teams",
            Platform::Ilias => "ILIAS",
            Platform::GitHub => "GitHub Classroom",
        }
    }

    /// Returns whether names of other origin may well have the form that it gives, so that one alone shows nothing.
    pub(super) fn is_of_form_only(self) -> bool {
        matches!(self, Platform::Canvas | Platform::Ilias)
    }
}

/// The parts of a name in an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExportName<'n> {
    /// The platform whose form the name has.
    pub(super) platform: Platform,
    /// The person's name or login.
    pub(super) person: &'n str,
    /// The number or login that tells the person from namesakes.
    pub(super) id: &'n str,
    /// The attempt, where the name says which: later ones are greater.
    pub(super) attempt: Option<String>,
    /// The time of handing in, in ISO 8601, where the name has it.
    pub(super) submitted: Option<String>,
    /// The file's own name; `None` for a folder or archive of the person's files, and for a receipt.
    pub(super) file: Option<&'n str>,
    /// True for what the platform wrote itself.
    pub(super) is_receipt: bool,
}

impl<'n> ExportName<'n> {
    fn new(platform: Platform, person: &'n str, id: &'n str) -> ExportName<'n> {
        ExportName {
            platform,
            person,
            id,
            attempt: None,
            submitted: None,
            file: None,
            is_receipt: false,
        }
    }

    /// Reads the name of a file, folder or archive; `None` if no platform gives names of its form.
    pub(super) fn read(name: &'n str) -> Option<ExportName<'n>> {
        moodle(name)
            .or_else(|| blackboard(name))
            .or_else(|| brightspace(name))
            .or_else(|| sakai(name))
            .or_else(|| artemis(name))
            .or_else(|| gradescope(name))
            .or_else(|| canvas(name))
            .or_else(|| ilias(name))
    }

    /// Returns the person's name for people. Canvas runs names together, so that the number is shown, too.
    pub(super) fn shown(&self) -> String {
        match self.platform {
            Platform::Canvas | Platform::Sakai => self.shown_with_id(),
            Platform::Ilias => self.shown_with_id().replace('_', " "),
            _ => self.person.to_owned(),
        }
    }

    /// Returns the person's name with the number or login that tells namesakes apart.
    pub(super) fn shown_with_id(&self) -> String {
        format!("{} ({})", self.person, self.id)
    }
}

fn moodle(name: &str) -> Option<ExportName<'_>> {
    let marks = ["_assignsubmission_", "_assignfeedback_"];
    let (before, after) = marks.iter().find_map(|mark| name.split_once(mark))?;
    let (person, number) = before.rsplit_once('_')?;
    if !is_number(number, 1) || person.trim().is_empty() {
        return None;
    }
    let own = ExportName::new(Platform::Moodle, person.trim(), number);
    // `file`, `onlinetext` or another plugin, and in flat exports the file's own name.
    let (_, file) = after.split_once('_').unwrap_or((after, ""));
    let file = match file.trim_start_matches('_') {
        "" => None,
        // A flat export of texts typed into the page repeats nothing but the extension.
        file if file.starts_with('.') => Some(after),
        file => Some(file),
    };
    Some(ExportName { file, ..own })
}

fn canvas(name: &str) -> Option<ExportName<'_>> {
    let (person, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let mut parts = rest.splitn(3, '_');
    let (user, attachment, file) = (parts.next()?, parts.next()?, parts.next()?);
    let is_canvas = person.starts_with(char::is_alphabetic)
        && is_number(user, 3)
        && is_number(attachment, 3)
        && !file.is_empty();
    let own = ExportName::new(Platform::Canvas, person, user);
    is_canvas.then_some(ExportName { file: Some(file), ..own })
}

fn blackboard(name: &str) -> Option<ExportName<'_>> {
    const MARK: &str = "_attempt_";
    // The first one with a time: a file's own name may have another.
    let (before, stamp, rest, submitted) = name.match_indices(MARK).find_map(|(at, _)| {
        let after = &name[at + MARK.len()..];
        let (stamp, rest) = after.split_at_checked("2026-03-04-12-30-05".len())?;
        Some((&name[..at], stamp, rest, blackboard_time(stamp)?))
    })?;
    let (_, person) = before.rsplit_once('_')?;
    // A login may have a `_` in it, so that only all of what comes before is sure to be one person.
    let own = ExportName::new(Platform::Blackboard, person, before);
    let is_receipt = rest.eq_ignore_ascii_case(".txt");
    let file = rest.strip_prefix('_').filter(|file| !file.is_empty());
    (!person.is_empty() && (is_receipt || file.is_some())).then(|| ExportName {
        attempt: Some(stamp.to_owned()),
        submitted: Some(submitted),
        file,
        is_receipt,
        ..own
    })
}

/// Returns the time of `2026-03-04-12-30-05`, in ISO 8601.
fn blackboard_time(stamp: &str) -> Option<String> {
    let (date, time) = stamp.split_at_checked(10)?;
    let clock = time.strip_prefix('-')?.replace('-', ":");
    (clock.len() == 8).then(|| handin::read(&format!("{date} {clock}"))).flatten()
}

fn brightspace(name: &str) -> Option<ExportName<'_>> {
    let (numbers, rest) = name.split_once(" - ")?;
    let (user, task) = numbers.split_once('-')?;
    if !is_number(user, 2) || !is_number(task, 2) {
        return None;
    }
    // A name may have ` - ` in it, and so may a file's own name; a date has none.
    let dashes: Vec<usize> = rest.match_indices(" - ").map(|(at, _)| at).collect();
    dashes.iter().find_map(|&at| {
        let (person, behind) = (&rest[..at], &rest[at + 3..]);
        let (date, file) = match behind.split_once(" - ") {
            Some((date, file)) => (date, Some(file)),
            None => (behind, None),
        };
        let submitted = handin::read(&with_colon(date)?)?;
        let own = ExportName::new(Platform::Brightspace, person.trim(), user);
        (!own.person.is_empty()).then(|| ExportName {
            attempt: Some(submitted.clone()),
            submitted: Some(submitted),
            file,
            ..own
        })
    })
}

/// Writes the time of `Mar 4, 2026 1230 PM` with a colon.
fn with_colon(date: &str) -> Option<String> {
    let (before, half) = date.trim().rsplit_once(' ')?;
    let (day, clock) = before.rsplit_once(' ')?;
    if !is_number(clock, 3) || clock.len() > 4 {
        return None;
    }
    let (hour, minute) = clock.split_at(clock.len() - 2);
    Some(format!("{day} {hour}:{minute} {half}"))
}

fn sakai(name: &str) -> Option<ExportName<'_>> {
    let (person, login) = name.strip_suffix(')')?.rsplit_once('(')?;
    let (last, first) = person.split_once(", ")?;
    let is_login =
        !login.is_empty() && login.chars().all(|c| c.is_alphanumeric() || "._-@".contains(c));
    (is_login && !last.is_empty() && !first.trim().is_empty())
        .then(|| ExportName::new(Platform::Sakai, person.trim(), login))
}

fn artemis(name: &str) -> Option<ExportName<'_>> {
    let rest = name.strip_suffix("-student-submission")?;
    // The login may have a `-` in it; the number before it is the last one by itself.
    let at = rest.match_indices('-').rev().find_map(|(at, _)| {
        let (before, login) = (&rest[..at], &rest[at + 1..]);
        let number = before.rsplit('-').next().unwrap_or_default();
        (is_number(number, 1) && !login.is_empty()).then_some(at)
    })?;
    let login = &rest[at + 1..];
    let (exercise, number) = rest[..at].rsplit_once('-')?;
    let attempt = Some(format!("{number:0>20}"));
    // Of another exercise it is no other attempt.
    let of_exercise = ExportName::new(Platform::Artemis, login, exercise);
    Some(ExportName { attempt, ..of_exercise })
}

fn gradescope(name: &str) -> Option<ExportName<'_>> {
    let number = name.strip_prefix("submission_")?;
    is_number(number, 4).then(|| ExportName::new(Platform::Gradescope, name, number))
}

fn ilias(name: &str) -> Option<ExportName<'_>> {
    let (before, number) = name.rsplit_once('_')?;
    let (person, login) = before.rsplit_once('_')?;
    let (last, first) = person.split_once('_')?;
    let is_name = |part: &str| part.starts_with(char::is_alphabetic);
    let is_login = |c: char| c.is_alphanumeric() || ".-@".contains(c);
    let is_ilias = is_number(number, 2)
        && is_name(last)
        && is_name(first)
        && is_name(login)
        && login.chars().all(is_login);
    is_ilias.then(|| ExportName::new(Platform::Ilias, person, login))
}

fn is_number(text: &str, least: usize) -> bool {
    text.len() >= least && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns platform, person, number, file, and whether it is a receipt.
    fn read(name: &str) -> Option<(&'static str, &str, &str, Option<&str>, bool)> {
        let own = ExportName::read(name)?;
        Some((own.platform.name(), own.person, own.id, own.file, own.is_receipt))
    }

    #[test]
    fn names_of_each_platform_are_read() {
        let stamp = "attempt_2026-03-02-09-58-00";
        for (name, expected) in [
            ("Hana Ito_10_assignsubmission_file", ("Moodle", "Hana Ito", "10", None)),
            ("Hana Ito_10_assignsubmission_file_", ("Moodle", "Hana Ito", "10", None)),
            ("Hana Ito_10_assignsubmission_onlinetext_", ("Moodle", "Hana Ito", "10", None)),
            (
                "Hana Ito_10_assignsubmission_file_my_a.py",
                ("Moodle", "Hana Ito", "10", Some("my_a.py")),
            ),
            (
                "Hana Ito_10_assignsubmission_onlinetext_.html",
                ("Moodle", "Hana Ito", "10", Some("onlinetext_.html")),
            ),
            ("itohana_12345_678901_my_a.py", ("Canvas", "itohana", "12345", Some("my_a.py"))),
            ("itohana_LATE_12345_678955_a-1.py", ("Canvas", "itohana", "12345", Some("a-1.py"))),
            (
                &format!("Task 3_hi_7_{stamp}_A.java"),
                ("Blackboard", "7", "Task 3_hi_7", Some("A.java")),
            ),
            (
                "12345-678910 - Hana Ito - Mar 4, 2026 1230 PM",
                ("Brightspace", "Hana Ito", "12345", None),
            ),
            (
                "12345-678910 - Hana Ito - Mar 4, 2026 905 AM - a - b.py",
                ("Brightspace", "Hana Ito", "12345", Some("a - b.py")),
            ),
            ("Ito, Hana(hi07)", ("Sakai", "Ito, Hana", "hi07", None)),
            ("c1-task-2-99-hi-07-student-submission", ("Artemis", "hi-07", "c1-task-2", None)),
            ("submission_123456789", ("Gradescope", "submission_123456789", "123456789", None)),
            ("Ito_Hana Mei_hi.07_4711", ("ILIAS", "Ito_Hana Mei", "hi.07", None)),
        ] {
            let (platform, person, id, file) = expected;
            assert_eq!(read(name), Some((platform, person, id, file, false)), "{name}");
        }
        let receipt = format!("Task 3_hi07_{stamp}.txt");
        let own = ExportName::read(&receipt).expect("a receipt");
        assert!(own.is_receipt && own.file.is_none());
        let file = format!("Task 3_hi07_{stamp}_x_attempt_2026-03-04-12-30-05.txt");
        let own = ExportName::read(&file).expect("a file");
        assert_eq!((own.person, own.is_receipt), ("hi07", false));
        let own = ExportName::read(&receipt).expect("a receipt");
        assert_eq!(own.submitted.as_deref(), Some("2026-03-02T09:58:00"));
        let own = ExportName::read("1234-56 - H - Mar 4, 2026 1205 AM").expect("Brightspace");
        assert_eq!(own.submitted.as_deref(), Some("2026-03-04T00:05:00"));
    }

    #[test]
    fn other_names_are_read_as_nobodys() {
        for name in [
            "ada",
            "ada_1_2_x.py",
            "_assignsubmission_file",
            "Ada_x_assignsubmission_file",
            "Task_ada_attempt_2.py",
            "Task_ada_attempt_2026-13-02-09-58-00_a.py",
            "Task_ada_attempt_2026-03-02-09-58-00",
            "2026-03 - Ada - final",
            "12-13 - Ada - Mar 4, 2026",
            "f(x)",
            "Smith, John",
            "a-student-submission",
            "submission_1",
            "7_12345_678901_a.py",
            "task_2_final_2026",
            "Ito_hi07_4711",
        ] {
            assert_eq!(read(name), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_name_panics(name in "(\\PC|_|-| - |\\(|LATE_|_attempt_|2026-03-02-09-58-00|12345|_assignsubmission_|, |Mar 4, 2026 1230 PM){0,12}") {
            if let Some(own) = ExportName::read(&name) {
                prop_assert!(!own.person.is_empty() && !own.id.is_empty());
                prop_assert!(own.file.is_none_or(|file| name.ends_with(file)));
            }
        }
    }
}

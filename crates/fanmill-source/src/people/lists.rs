//! People's names in files that platforms add to an export, and in CSV lists, for callers that look for a person by name.
//!
//! Cost: O(n) in the size of these files.

use std::collections::BTreeMap;

use super::export::{ExportName, Platform};
use super::person::is_of_person;
use super::receipt::{GradescopeList, Receipt};
use crate::manifest;

/// Name of Gradescope's list of people.
pub(super) const GRADESCOPE_LIST: &str = "submission_metadata.yml";

/// The people that receipts and lists of an export name.
#[derive(Debug, Default, Clone)]
pub struct ExportLists {
    /// Names by what the inputs of one person have in common.
    people: BTreeMap<String, Vec<String>>,
    /// Names and ids by inputs that CSV lists name.
    listed: BTreeMap<String, Vec<String>>,
}

impl ExportLists {
    /// Returns whether a file of this name may say who handed in what.
    pub fn may_name_people(name: &str) -> bool {
        name == GRADESCOPE_LIST
            || manifest::FILE_NAMES.contains(&name)
            || ExportName::read(name).is_some_and(|export| export.is_receipt)
    }

    /// Reads a file of this name.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        if name == GRADESCOPE_LIST {
            let list = GradescopeList::read(bytes);
            self.people.extend(list.into_people());
        } else if manifest::FILE_NAMES.contains(&name) {
            self.add_csv(bytes);
        } else if let Some(export) = ExportName::read(name)
            && let Some(person) = Receipt::read(bytes).person
        {
            self.people.insert(export.id.to_owned(), vec![person]);
        }
    }

    /// Reads a CSV list, whatever its name. One that is not a list names nobody.
    pub fn add_csv(&mut self, bytes: &[u8]) {
        for row in manifest::parse(bytes).unwrap_or_default().rows {
            let target = row.target();
            let people = row.about.person.into_iter().chain(row.about.author);
            self.listed.entry(target).or_default().extend(people);
        }
    }

    /// Returns a CSV list without the rows that name the person, or an input of theirs.
    pub fn csv_without(&self, bytes: &[u8], given: &str) -> Vec<u8> {
        let separator = manifest::separator(bytes);
        let mut rows = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(bytes);
        let mut kept =
            csv::WriterBuilder::new().delimiter(separator).flexible(true).from_writer(Vec::new());
        let names = |field: &[u8]| {
            let field = String::from_utf8_lossy(field);
            field.split('/').any(|part| self.is_of(part.trim(), given))
        };
        for row in rows.byte_records().flatten() {
            if !row.iter().any(names) {
                // A vector takes all that is written.
                let _ = kept.write_byte_record(&row);
            }
        }
        kept.into_inner().unwrap_or_default()
    }

    /// Returns the names of the people that an input of this name is from, if a list has them.
    pub fn people(&self, input: &str) -> &[String] {
        if let Some(people) = self.listed.get(input) {
            return people;
        }
        let export = ExportName::read(input);
        let key = export.map(|export| match export.platform {
            Platform::Gradescope => input,
            _ => export.id,
        });
        key.and_then(|key| self.people.get(key)).map_or(&[], Vec::as_slice)
    }

    /// Returns whether an input of this name is from the person that somebody gives the name or id of.
    pub fn is_of(&self, input: &str, given: &str) -> bool {
        is_of_person(input, given)
            || self.people(input).iter().any(|person| is_of_person(person, given))
    }

    /// Returns whether any of the people is the one that somebody gives the name or id of.
    pub fn names(&self, given: &str) -> bool {
        let all = self.people.values().chain(self.listed.values()).flatten();
        all.into_iter().any(|person| is_of_person(person, given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_found_by_receipts_and_lists() {
        let receipt = "T_hi07_attempt_2026-03-01-09-58-00.txt";
        let mut lists = ExportLists::default();
        for (name, text) in [
            (receipt, "Name: Hana Ito (hi07)\n"),
            (
                GRADESCOPE_LIST,
                "submission_1234:\n  :submitters:\n  - :name: Ivo Kim\n  - :name: Noa Vi\n",
            ),
        ] {
            assert!(ExportLists::may_name_people(name));
            lists.add(name, text.as_bytes());
        }
        let file = "T_hi07_attempt_2026-03-01-09-58-00_A.java";
        assert!(!ExportLists::may_name_people(file));
        for (input, given) in [
            (file, "Hana Ito"),
            (file, "hi07"),
            (receipt, "Hana Ito"),
            ("submission_1234", "Ivo Kim"),
            ("submission_1234", "Noa Vi"),
        ] {
            assert!(lists.is_of(input, given), "{input} {given}");
        }
        assert!(!lists.is_of("T_ik08_attempt_2026-03-01-09-58-00_A.java", "Hana Ito"));
        assert!(!lists.is_of("submission_1235", "Ivo Kim") && lists.names("Noa Vi"));
    }

    #[test]
    fn people_are_found_by_csv_lists_which_lose_their_rows() {
        let csv = "file;author;login\ns1;Hana Ito;hi07\ns2;Ivo Kim;ik08\nall/s3;\"Noa; Vi\";nv09\n";
        let mut lists = ExportLists::default();
        lists.add("info.csv", csv.as_bytes());
        for (input, given) in [("s1", "Hana Ito"), ("s1", "hi07"), ("s2", "ik08")] {
            assert!(lists.is_of(input, given) && lists.names(given), "{input} {given}");
        }
        assert!(!lists.is_of("s2", "Hana Ito") && !lists.names("nobody"));
        let left = String::from_utf8(lists.csv_without(csv.as_bytes(), "Hana Ito")).expect("text");
        assert_eq!(left, "file;author;login\ns2;Ivo Kim;ik08\nall/s3;\"Noa; Vi\";nv09\n");
        assert_eq!(lists.csv_without(b"", "x"), b"");
    }
}

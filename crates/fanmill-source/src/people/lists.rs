//! People's names in files that platforms add to an export, for callers that look for a person by name.
//!
//! Cost: O(n) in the size of these files.

use std::collections::BTreeMap;

use super::export::{ExportName, Platform};
use super::person::is_of_person;
use super::receipt::{GradescopeList, Receipt};

/// Name of Gradescope's list of people.
pub(super) const GRADESCOPE_LIST: &str = "submission_metadata.yml";

/// The people that receipts and lists of an export name.
#[derive(Debug, Default)]
pub struct ExportLists {
    /// Names by what the inputs of one person have in common.
    people: BTreeMap<String, Vec<String>>,
}

impl ExportLists {
    /// Returns whether a file of this name may say who handed in what.
    pub fn may_name_people(name: &str) -> bool {
        name == GRADESCOPE_LIST || ExportName::read(name).is_some_and(|export| export.is_receipt)
    }

    /// Reads a file of this name.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        if name == GRADESCOPE_LIST {
            let list = GradescopeList::read(bytes);
            self.people.extend(list.into_people());
        } else if let Some(export) = ExportName::read(name)
            && let Some(person) = Receipt::read(bytes).person
        {
            self.people.insert(export.id.to_owned(), vec![person]);
        }
    }

    /// Returns the names of the people that an input of this name is from, if a list has them.
    pub fn people(&self, input: &str) -> &[String] {
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
        self.people.values().flatten().any(|person| is_of_person(person, given))
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
}

//! Files that a learning platform adds to an export: receipts and lists, read for names and times.
//!
//! Cost: O(n) in the length of the file.
//! Source: the archives of an assignment as Blackboard Learn, Gradescope and Sakai write them.

use std::collections::BTreeMap;

use fanmill_text::span::Span;
use memchr::memmem;

use crate::handin;

/// The sentence that Blackboard writes where a person has typed nothing.
const NO_TEXT: &str = "There is no student submission text data";

/// The contents of Blackboard's receipt for one attempt.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Receipt {
    /// The person, with login: `Ada Lindqvist (al01)`.
    pub(super) person: Option<String>,
    /// The bytes of the text that the person typed into the page.
    pub(super) typed: Option<Span>,
}

impl Receipt {
    /// Reads a receipt in English. In any other language nothing is found in it.
    pub(super) fn read(bytes: &[u8]) -> Receipt {
        let named = line_after(bytes, b"Name:").map(|line| String::from_utf8_lossy(line));
        let person = named.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        Receipt { person, typed: typed(bytes) }
    }
}

/// Returns the rest of the first line that begins with a label.
fn line_after<'b>(bytes: &'b [u8], label: &[u8]) -> Option<&'b [u8]> {
    bytes.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(label))
}

fn typed(bytes: &[u8]) -> Option<Span> {
    let label = b"\nSubmission Field:";
    let start = memmem::find(bytes, label)? + label.len();
    let rest = &bytes[start..];
    // The last ones: what was typed may have such lines, too.
    let before = |text: &[u8], label: &[u8]| memmem::rfind(text, label).unwrap_or(text.len());
    let text = &rest[..before(rest, b"\nFiles:")];
    let text = &text[..before(text, b"\nComments:")];
    let blanks = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let own = text.trim_ascii();
    if own.is_empty() || own.starts_with(NO_TEXT.as_bytes()) {
        return None;
    }
    let from = u32::try_from(start + blanks).ok()?;
    Some(Span::new(from, from + u32::try_from(own.len()).ok()?))
}

/// The people and times of Gradescope's `submission_metadata.yml`, by the name of the folder.
#[derive(Debug, Default)]
pub(super) struct GradescopeList(BTreeMap<String, Handed>);

/// The facts about one submission.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Handed {
    pub(super) people: Vec<String>,
    pub(super) submitted: Option<String>,
}

impl GradescopeList {
    /// Reads the few lines that say who handed in what, and passes over everything else: results of tests may be long.
    pub(super) fn read(bytes: &[u8]) -> GradescopeList {
        let text = String::from_utf8_lossy(bytes);
        let mut list = GradescopeList::default();
        let (mut folder, mut in_people) = (String::new(), false);
        for line in text.lines() {
            let indent = line.len() - line.trim_start().len();
            let content = line.trim();
            if indent == 0 && !content.starts_with('-') {
                content.strip_suffix(':').unwrap_or_default().clone_into(&mut folder);
                in_people = false;
            } else if indent == 2 && content.starts_with(':') {
                in_people = content == ":submitters:";
                if let Some(time) = content.strip_prefix(":created_at:") {
                    list.about(&folder).submitted = handin::read(unquoted(time));
                }
            } else if in_people
                && let Some(name) = content.trim_start_matches("- ").strip_prefix(":name:")
            {
                list.about(&folder).people.push(unquoted(name).to_owned());
            }
        }
        list.0.retain(|folder, handed| !folder.is_empty() && !handed.people.is_empty());
        list
    }

    fn about(&mut self, folder: &str) -> &mut Handed {
        self.0.entry(folder.to_owned()).or_default()
    }

    /// Returns the folders of submissions, each with its people.
    pub(super) fn into_people(self) -> impl Iterator<Item = (String, Vec<String>)> {
        self.0.into_iter().map(|(folder, handed)| (folder, handed.people))
    }

    /// Returns the facts about the submission in a folder of this name.
    pub(super) fn of_folder(&self, folder: &str) -> Option<&Handed> {
        self.0.get(folder)
    }
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    quoted('\'').or_else(|| quoted('"')).unwrap_or(value)
}

/// Returns the time in Sakai's `timestamp.txt`: `20260304123005123`.
pub(super) fn sakai_time(bytes: &[u8]) -> Option<String> {
    let digits = std::str::from_utf8(bytes).ok()?.trim().get(..14)?;
    let part = |from: usize, to: usize| digits.get(from..to);
    let (date, hour) = (format!("{}-{}-{}", part(0, 4)?, part(4, 6)?, part(6, 8)?), part(8, 10)?);
    handin::read(&format!("{date} {hour}:{}:{}", part(10, 12)?, part(12, 14)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECEIPT: &str = "Name: Hana Ito (hi07)\r\nAssignment: Task 3\r\nCurrent Grade: \r\n\r\n\
                           Submission Field:\r\nFIELD\r\n\r\nComments:\r\nnone\r\n\r\nFiles:\r\n";

    #[test]
    fn a_receipt_has_a_name_and_what_was_typed() {
        let with = RECEIPT.replace("FIELD", "My essay,\r\nin two lines.");
        let receipt = Receipt::read(with.as_bytes());
        assert_eq!(receipt.person.as_deref(), Some("Hana Ito (hi07)"));
        let typed = receipt.typed.expect("a text");
        assert_eq!(&with[typed.range()], "My essay,\r\nin two lines.");
        let typed = "Comments:\r\nFiles: none of\r\nmine";
        let with = RECEIPT.replace("FIELD", typed);
        let span = Receipt::read(with.as_bytes()).typed.expect("a text");
        assert_eq!(&with[span.range()], typed);
        for nothing in ["", "There is no student submission text data for this assignment."] {
            let without = RECEIPT.replace("FIELD", nothing);
            assert_eq!(Receipt::read(without.as_bytes()).typed, None);
        }
        assert_eq!(Receipt::read(b"Nom : Hana"), Receipt::default());
    }

    #[test]
    fn lists_of_gradescope_name_people() {
        let list = "---\nsubmission_17:\n  :submitters:\n  - :name: Hana Ito\n    :email: h@example.org\n  - :name: 'Ivo: K.'\n  \
                    :created_at: 2026-03-04 12:30:05 Z\n  :results:\n    tests:\n    - :name: test 1\nsubmission_18:\n  :submitters: []\n";
        let list = GradescopeList::read(list.as_bytes());
        let handed = list.of_folder("submission_17").expect("there");
        assert_eq!(handed.people, ["Hana Ito", "Ivo: K."]);
        assert_eq!(handed.submitted.as_deref(), Some("2026-03-04T12:30:05Z"));
        assert_eq!(list.of_folder("submission_18"), None);
    }

    #[test]
    fn times_of_sakai_are_read() {
        assert_eq!(sakai_time(b"20260304123005123\n").as_deref(), Some("2026-03-04T12:30:05"));
        assert_eq!(sakai_time(b"2026"), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "(\\PC|Name:|\n|Submission Field:|Files:|  |- :name: |submission_1:|:submitters:){0,20}") {
            for bytes in [&bytes, text.as_bytes()] {
                let _ = (Receipt::read(bytes), GradescopeList::read(bytes), sakai_time(bytes));
            }
        }
    }
}

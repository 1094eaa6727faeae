//! Answers of a quiz: a CSV with a row for each attempt and a column for each question.
//!
//! Learning platforms export these in the language of whoever exports, so columns are found by their form:
//!
//! | platform | columns of answers | beside them |
//! |---|---|---|
//! | Moodle ("Responses") | `Response 1`, `Response 2`, …; `Antwort 1`, … | `Question 1`, `Right answer 1`: the same in all rows |
//! | Canvas ("Student Analysis") | `4711: Explain …` | a column of points after each |
//!
//! Columns hold answers if their words are many enough to be an answer, and not the same in each row. The person is in the
//! first columns: those with names, without digits and `@`, at most two. A person's rows are one submission.
//!
//! Cost: O(n) in the file's length, which is limited as that of any document.
//! Source: exports of Moodle 4 and Canvas; no document describes them.

use std::collections::BTreeMap;

use crate::manifest::{separator, text};

/// Least number of words that the answers of a column have, on average over those that are given.
const LEAST_WORDS: usize = 3;

/// One answer of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) person: String,
    /// The heading of its column: `Response 1`, or the question's number.
    pub(super) question: String,
    pub(super) text: String,
}

/// The answers of a quiz, and the headings of the columns that they are in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Quiz {
    pub(super) questions: Vec<String>,
    pub(super) answers: Vec<Answer>,
}

/// Reads the answers of a quiz; `None` if the CSV has no such columns.
pub(super) fn parse(bytes: &[u8]) -> Option<Quiz> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator(bytes)).flexible(true).from_reader(bytes);
    let header: Vec<String> =
        reader.byte_headers().ok()?.iter().map(|name| text(name).unwrap_or_default()).collect();
    let candidates = families(&header);
    if candidates.is_empty() {
        return None;
    }
    let rows: Vec<csv::ByteRecord> = reader.byte_records().map_while(Result::ok).collect();
    let columns: BTreeMap<usize, String> =
        candidates.into_iter().filter(|family| hold_answers(family, &rows)).flatten().collect();
    let first = *columns.keys().next()?;
    let n_names = (0..first.min(2)).take_while(|&column| holds_names(column, &rows)).count();
    let mut quiz = Quiz { questions: columns.values().cloned().collect(), answers: Vec::new() };
    for (number, row) in (1..).zip(&rows) {
        let names: Vec<String> = (0..n_names).filter_map(|column| text(row.get(column)?)).collect();
        let person = if names.is_empty() { format!("row {number}") } else { names.join(" ") };
        for (&column, question) in &columns {
            if let Some(text) = answer(row, column) {
                let (person, question) = (person.clone(), question.clone());
                quiz.answers.push(Answer { person, question, text });
            }
        }
    }
    Some(quiz)
}

/// Columns that belong together, with the names of their questions.
type Family = Vec<(usize, String)>;

/// Returns the columns whose headings are counted (`Response 1`, `Response 2`) and those that begin with the number of a question
/// (`4711: Explain …`), in order.
fn families(header: &[String]) -> Vec<Family> {
    let mut counted: BTreeMap<&str, Family> = BTreeMap::new();
    let mut numbered = Family::new();
    for (column, name) in header.iter().enumerate() {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = name[stem.len()..].parse::<usize>().ok();
        if let Some((id, _)) = name.split_once(": ")
            && !id.is_empty()
            && id.bytes().all(|byte| byte.is_ascii_digit())
        {
            numbered.push((column, id.to_owned()));
        } else if stem.contains(char::is_alphabetic) && number.is_some() {
            let family = counted.entry(stem).or_default();
            if number == Some(family.len() + 1) {
                family.push((column, name.clone()));
            }
        }
    }
    counted.into_values().chain([numbered]).filter(|family| !family.is_empty()).collect()
}

/// Returns what a row has in a column, unless it is blank or Moodle's sign for no answer.
fn answer(row: &csv::ByteRecord, column: usize) -> Option<String> {
    text(row.get(column)?).filter(|text| text != "-")
}

/// Returns whether columns hold answers: texts of some words, which differ between rows.
fn hold_answers(family: &Family, rows: &[csv::ByteRecord]) -> bool {
    let (mut n_words, mut n_answers, mut is_constant) = (0, 0, true);
    for (column, _) in family {
        let mut first: Option<&[u8]> = None;
        for row in rows {
            let Some(text) = answer(row, *column) else { continue };
            n_words += text.split_whitespace().count();
            n_answers += 1;
            is_constant &= first.is_none_or(|first| row.get(*column) == Some(first));
            first = first.or(row.get(*column));
        }
    }
    n_answers > 0 && n_words >= LEAST_WORDS * n_answers && !is_constant
}

/// Returns whether a column holds names: letters and no digits, in at least half of the rows.
fn holds_names(column: usize, rows: &[csv::ByteRecord]) -> bool {
    let is_name = |row: &&csv::ByteRecord| {
        row.get(column).and_then(text).is_some_and(|text| {
            text.contains(char::is_alphabetic)
                && !text.contains(|c: char| c.is_numeric() || c == '@')
        })
    };
    2 * rows.iter().filter(is_name).count() >= rows.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outline(csv: &str) -> Vec<String> {
        let quiz = parse(csv.as_bytes()).expect("a quiz");
        let line =
            |answer: &Answer| format!("{}/{}: {}", answer.person, answer.question, answer.text);
        quiz.answers.iter().map(line).collect()
    }

    #[test]
    fn responses_of_moodle() {
        let csv = "\u{feff}Nachname,Vorname,E-Mail,Status,Frage 1,\"Antwort 1\",\"Richtig 1\",Antwort 2\n\
            Sand,Mia,m@x,fertig,Why?,\"Because the sea, it\nis salty\",no,It does so by tides\n\
            Kern,Jo,j@x,fertig,Why?,Rivers carry salt to it,no,-\n\
            Sand,Mia,m@x,fertig,Why?,Another try of mine,no,And one more here\n\
            Overall average,,,,,,,\n";
        let expected = [
            "Sand Mia/Antwort 1: Because the sea, it\nis salty",
            "Sand Mia/Antwort 2: It does so by tides",
            "Kern Jo/Antwort 1: Rivers carry salt to it",
            "Sand Mia/Antwort 1: Another try of mine",
            "Sand Mia/Antwort 2: And one more here",
        ];
        assert_eq!(outline(csv), expected);
    }

    #[test]
    fn an_analysis_of_canvas() {
        let csv = "name,id,section,77: Explain tides.,1.0,78: And waves?,2.0\n\
            Mia Sand,12,A,The moon pulls the water,1.0,Wind moves the surface,2.0\n\
            Jo Kern,13,A,It is the moon mostly,0.5,,0\n";
        let expected = [
            "Mia Sand/77: The moon pulls the water",
            "Mia Sand/78: Wind moves the surface",
            "Jo Kern/77: It is the moon mostly",
        ];
        assert_eq!(outline(csv), expected);
    }

    #[test]
    fn other_tables_are_no_quiz() {
        let others = [
            "a,b\n1,2\n",
            "name,task 1,task 2\nMia,3,4\nJo,5,5\n",
            "name,Response 1\nMia,true\nJo,false\n",
            "name,Question 1\nMia,why is it so\nJo,why is it so\n",
            "x,Response 2\nMia,some words of mine\n",
            "",
        ];
        for csv in others {
            assert_eq!(parse(csv.as_bytes()), None, "{csv}");
        }
    }

    #[test]
    fn rows_without_names_are_numbered() {
        let csv = "id,Response 1\n1,some words of mine\n2,other words than these\n";
        assert_eq!(outline(csv)[1], "row 2/Response 1: other words than these");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in "(id|R 1|R 2|7: x|,|;|\"|\n|a b c|é|-| ){0,60}") {
            let _ = parse(bytes.as_bytes());
        }
    }
}

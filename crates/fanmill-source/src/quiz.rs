//! Answers of a quiz: a CSV with a row for each attempt and a column for each question.
//!
//! Learning platforms export these in the language of whoever exports, so columns are found by their form:
//!
//! | platform | columns of answers | beside them |
//! |---|---|---|
//! | Moodle ("Responses") | `Response 1`, `Response 2`, …; `Antwort 1`, … | `Question 1`, `Right answer 1`: the same in all rows |
//! | Canvas ("Student Analysis") | `4711: Explain …` | a column of points after each |
//!
//! Columns hold answers if their words are many enough to be an answer, and differ between rows; questions that are drawn
//! from a few differ, too, but come again and again. The person is in the first columns: those with names, without digits
//! and `@`, at most two. A table without names is not a quiz. A column with addresses or numbers tells namesakes apart, and
//! the rows of one person are one submission.
//!
//! Cost: O(n) in the file's length, which is limited as that of any document.
//! Source: exports of Moodle 4 and Canvas; no document describes them.

use std::collections::{BTreeMap, BTreeSet};

use fanmill_text::frontend::decode;

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
    let decoded = decode(bytes);
    let bytes = decoded.text.as_bytes();
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
    if n_names == 0 {
        return None;
    }
    let people = people(&rows, n_names, (n_names..first).find(|&column| holds_ids(column, &rows)));
    let mut quiz = Quiz { questions: columns.values().cloned().collect(), answers: Vec::new() };
    for (person, row) in people.iter().zip(&rows) {
        for (&column, question) in &columns {
            if let Some(text) = answer(row, column) {
                let (person, question) = (person.clone(), question.clone());
                quiz.answers.push(Answer { person, question, text });
            }
        }
    }
    Some(quiz)
}

/// Returns the person of each row, with the number or address where namesakes have different ones.
fn people(rows: &[csv::ByteRecord], n_names: usize, ids: Option<usize>) -> Vec<String> {
    let of_row = |(number, row): (usize, &csv::ByteRecord)| {
        let names: Vec<String> = (0..n_names).filter_map(|column| text(row.get(column)?)).collect();
        let name = if names.is_empty() { format!("row {number}") } else { names.join(" ") };
        (name, ids.and_then(|column| text(row.get(column)?)))
    };
    let rows: Vec<(String, Option<String>)> = (1..).zip(rows).map(of_row).collect();
    let mut ids_of: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, id) in &rows {
        ids_of.entry(name).or_default().extend(id.as_deref());
    }
    let shown = |(name, id): &(String, Option<String>)| match id {
        Some(id) if ids_of[&**name].len() > 1 => format!("{name} ({id})"),
        _ => name.clone(),
    };
    rows.iter().map(shown).collect()
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

/// Returns whether columns hold answers: three words and more on average, and more than a third of them different.
fn hold_answers(family: &Family, rows: &[csv::ByteRecord]) -> bool {
    let (mut n_words, mut n_answers, mut n_different) = (0, 0, 0);
    for (column, _) in family {
        let mut different = BTreeSet::new();
        for text in rows.iter().filter_map(|row| answer(row, *column)) {
            n_words += text.split_whitespace().count();
            n_answers += 1;
            different.insert(text);
        }
        // One text in all rows is a question.
        n_different += if different.len() > 1 { different.len() } else { 0 };
    }
    n_words >= LEAST_WORDS * n_answers && 3 * n_different > n_answers
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

/// Returns whether a column holds addresses or numbers, in at least half of the rows.
fn holds_ids(column: usize, rows: &[csv::ByteRecord]) -> bool {
    let is_id = |row: &&csv::ByteRecord| {
        row.get(column).and_then(text).is_some_and(|text| {
            text.contains('@') || text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    2 * rows.iter().filter(is_id).count() >= rows.len()
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
    fn other_tables_are_not_a_quiz() {
        let others = [
            "a,b\n1,2\n",
            "name,task 1,task 2\nMia,3,4\nJo,5,5\n",
            "name,Response 1\nMia,true\nJo,false\n",
            "name,Question 1\nMia,why is it so\nJo,why is it so\n",
            "x,Response 2\nMia,some words of mine\n",
            "id,comment 1\n1,some words of mine\n2,other words than these\n",
            "",
        ];
        for csv in others {
            assert_eq!(parse(csv.as_bytes()), None, "{csv}");
        }
    }

    #[test]
    fn namesakes_are_told_apart_by_their_addresses() {
        let csv = "name,mail,Response 1\nWei Wang,w1@x,some words of mine\nWei Wang,w2@x,some words of yours\n\
                   Jo Kern,j@x,one try of mine\nJo Kern,j@x,another try of mine\n";
        let answers = parse(csv.as_bytes()).expect("a quiz").answers;
        let people: Vec<&str> = answers.iter().map(|one| &*one.person).collect();
        assert_eq!(people, ["Wei Wang (w1@x)", "Wei Wang (w2@x)", "Jo Kern", "Jo Kern"]);
    }

    /// Each person got one of three questions.
    #[test]
    fn questions_drawn_from_a_few_are_no_answers() {
        let people = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo"];
        let row = |(i, person): (usize, &&str)| {
            let topic = ["the tides", "the winds", "the ice"][i % 3];
            format!("{person},How do {topic} come about?,Words of {person} on {topic}\n")
        };
        let rows: String = people.iter().enumerate().map(row).collect();
        let csv = format!("name,Question 1,Response 1\n{rows}");
        let quiz = parse(csv.as_bytes()).expect("a quiz");
        assert_eq!((quiz.questions, quiz.answers.len()), (vec!["Response 1".to_owned()], 10));
    }

    #[test]
    fn a_quiz_is_decoded_as_documents_are() {
        let csv = "name,Response 1\nMüller,Wörter von mir hier\nJo,andere Wörter als die\n";
        let utf_16: Vec<u8> =
            format!("\u{feff}{csv}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parse(&utf_16).expect("a quiz").answers[0].person, "Müller");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in "(id|R 1|R 2|7: x|,|;|\"|\n|a b c|é|-| ){0,60}") {
            let _ = parse(bytes.as_bytes());
        }
    }
}

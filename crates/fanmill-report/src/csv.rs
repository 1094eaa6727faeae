//! `pairs.csv`, `clusters.csv` and notices: the ranking and the account of inputs for spreadsheets and statistics.
//!
//! No cell may become a formula when the file is opened in a spreadsheet, since names come from
//! the people who are being checked. Comma-separated, UTF-8 without byte order mark, one line
//! feed after each row, a header row first.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::printable::printable;
use fanmill::report::{PairExtent, PairSummary, Report, Submission};
use fanmill_text::Message;
use fanmill_text::document::Notice;

/// The columns of `pairs.csv`. New ones are only added at the end.
const PAIR_COLUMNS: [&str; 18] = [
    "rank",
    "a",
    "b",
    "author_a",
    "author_b",
    "label_a",
    "label_b",
    "submitted_a",
    "submitted_b",
    "score",
    "containment_a",
    "containment_b",
    "resemblance",
    "longest",
    "matched",
    "passages",
    "page",
    "expected",
];

/// The columns of `clusters.csv`. New ones are only added at the end.
const CLUSTER_COLUMNS: [&str; 9] =
    ["cluster", "member", "role", "author", "label", "submitted", "links", "weakest", "mean"];

/// The columns of notices.
pub const NOTICES_HEAD: &str = "submission,path,outcome,reason";

/// Writes one row per pair that shares a passage, listed or not, best first. Scores have four decimals.
///
/// # Errors
/// If writing fails.
pub fn write_pairs(report: &Report, out: impl Write) -> io::Result<()> {
    let mut rows = ::csv::Writer::from_writer(out);
    rows.write_record(PAIR_COLUMNS)?;
    let listed = (1..).zip(&report.pairs).map(|(n, pair)| (Some(n), PairSummary::from(pair)));
    let mut listed = listed.peekable();
    let people: Vec<Person<'_>> = report.submissions.iter().map(Person::from).collect();
    let mut unlisted = report.unlisted.iter().map(|&pair| (None, pair)).peekable();
    for rank in 1_usize.. {
        // Both are sorted, best first.
        let is_before = |(_, pair): &(_, PairSummary)| {
            unlisted.peek().is_none_or(|(_, other)| pair.score >= other.score)
        };
        let Some((number, pair)) = listed.next_if(is_before).or_else(|| unlisted.next()) else {
            break;
        };
        rows.write_record(cells(&people, rank, number, &pair).iter().map(AsRef::as_ref))?;
    }
    rows.flush()
}

/// Writes one row per member of a cluster, largest cluster first.
///
/// # Errors
/// If writing fails.
pub fn write_clusters(report: &Report, out: impl Write) -> io::Result<()> {
    let mut rows = ::csv::Writer::from_writer(out);
    rows.write_record(CLUSTER_COLUMNS)?;
    for (i, cluster) in report.clusters.iter().enumerate() {
        for submission in cluster.members.iter().filter_map(|&i| report.submission(i)) {
            rows.write_record([
                (i + 1).to_string().as_str(),
                &cell(&submission.name),
                submission.role.name(),
                &optional(submission.author.as_ref()),
                &optional(submission.label.as_ref()),
                &optional(submission.submitted.as_ref()),
                &cluster.links.to_string(),
                &fraction(cluster.weakest),
                &fraction(cluster.mean),
            ])?;
        }
    }
    rows.flush()
}

/// Writes one row per notice, in the order given; `say` writes out its reason.
///
/// # Errors
/// If writing fails.
pub fn write_notices(
    notices: &[Notice],
    say: impl Fn(&Message) -> String,
    out: impl Write,
) -> io::Result<()> {
    let mut rows = ::csv::Writer::from_writer(out);
    rows.write_record(NOTICES_HEAD.split(','))?;
    for Notice { submission, path, outcome, reason, .. } in notices {
        let reason = say(reason);
        rows.write_record([&cell(submission), &cell(path), outcome.name(), &*cell(&reason)])?;
    }
    rows.flush()
}

/// The cells of a submission, made once for all of its pairs.
struct Person<'a> {
    name: Cow<'a, str>,
    author: Cow<'a, str>,
    label: Cow<'a, str>,
    submitted: Cow<'a, str>,
}

impl<'a> From<&'a Submission> for Person<'a> {
    fn from(submission: &'a Submission) -> Person<'a> {
        Person {
            name: cell(&submission.name),
            author: optional(submission.author.as_ref()),
            label: optional(submission.label.as_ref()),
            submitted: optional(submission.submitted.as_ref()),
        }
    }
}

/// Makes a row; `number` is that of a listed pair, from 1.
fn cells<'a>(
    people: &'a [Person<'a>],
    rank: usize,
    number: Option<usize>,
    row: &PairSummary,
) -> [Cow<'a, str>; 18] {
    const NOBODY: &Person<'_> = &Person {
        name: Cow::Borrowed(""),
        author: Cow::Borrowed(""),
        label: Cow::Borrowed(""),
        submitted: Cow::Borrowed(""),
    };
    let [a, b] = [row.a, row.b].map(|id| people.get(id as usize).unwrap_or(NOBODY));
    // A pair that is not listed has no page, and its extent may be unknown.
    let page = number.map_or(String::new(), |number| format!("index.html#/pair/{number}"));
    let extent = row.extent.as_ref();
    let share = |of: fn(&PairExtent) -> f64| extent.map_or(String::new(), |e| fraction(of(e)));
    let count = |of: fn(&PairExtent) -> u64| extent.map_or(String::new(), |e| of(e).to_string());
    [
        rank.to_string().into(),
        Cow::Borrowed(&a.name),
        Cow::Borrowed(&b.name),
        Cow::Borrowed(&a.author),
        Cow::Borrowed(&b.author),
        Cow::Borrowed(&a.label),
        Cow::Borrowed(&b.label),
        Cow::Borrowed(&a.submitted),
        Cow::Borrowed(&b.submitted),
        fraction(row.score).into(),
        share(|extent| extent.containment_a).into(),
        share(|extent| extent.containment_b).into(),
        share(|extent| extent.resemblance).into(),
        count(|extent| extent.longest).into(),
        count(|extent| extent.matched).into(),
        count(|extent| u64::from(extent.n_passages)).into(),
        page.into(),
        row.expected.map_or(String::new(), expectation).into(),
    ]
}

fn optional(text: Option<&String>) -> Cow<'_, str> {
    text.map_or(Cow::Borrowed(""), |text| cell(text))
}

/// Formats three digits: a tail that is fitted to a batch supports no more.
fn expectation(expected: f64) -> String {
    if expected >= 0.001 { format!("{expected:.3}") } else { format!("{expected:.2e}") }
}

/// Formats four decimals: enough to distinguish the pairs of any batch, and stable.
fn fraction(value: f64) -> String {
    format!("{value:.4}")
}

/// Escapes a text so that no spreadsheet takes it for a formula or for more than one cell.
///
/// Puts an apostrophe before `=`, `+`, `-` or `@` (full-width too) at the start, after blanks, and after a
/// semicolon: where the decimal separator is a comma, spreadsheets split at semicolons. Control
/// and invisible characters are escaped as in [`printable`].
fn cell(text: &str) -> Cow<'_, str> {
    let shown = printable(text);
    if text.starts_with(['\t', '\r', '\n']) {
        return format!("'{}", guarded(&shown)).into();
    }
    match guarded(&shown) {
        Cow::Borrowed(_) => shown,
        Cow::Owned(guarded) => guarded.into(),
    }
}

fn guarded(text: &str) -> Cow<'_, str> {
    if !text.contains(FORMULA) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 1);
    for part in text.split_inclusive(';') {
        let is_formula = part.trim_start_matches(|c: char| c.is_whitespace() || c == '"');
        if is_formula.starts_with(FORMULA) {
            out.push('\'');
        }
        out.push_str(part);
    }
    Cow::Owned(out)
}

/// The characters that begin a formula, in ASCII and as full-width forms.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}'];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use proptest::prelude::*;

    fn pairs(report: &Report) -> String {
        let mut out = Vec::new();
        write_pairs(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_worked_example() {
        assert_eq!(
            pairs(&samples::worked_example()),
            "rank,a,b,author_a,author_b,label_a,label_b,submitted_a,submitted_b,score,\
             containment_a,containment_b,resemblance,longest,matched,passages,page,expected\n\
             1,ada,bruno,Ada Lindqvist,,group A,,2026-03-01T17:42:00Z,,0.8125,0.5000,0.7500,\
             0.4286,30,30,1,index.html#/pair/1,0.003\n"
        );
        let mut out = Vec::new();
        write_clusters(&samples::worked_example(), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "cluster,member,role,author,label,submitted,links,weakest,mean\n\
             1,ada,new,Ada Lindqvist,group A,2026-03-01T17:42:00Z,1,0.8125,0.8125\n\
             1,bruno,new,,,,1,0.8125,0.8125\n"
        );
    }

    #[test]
    fn pairs_without_room_in_the_list_stand_among_the_others_by_score() {
        let mut report = samples::worked_example();
        let mut weak = report.pairs[0].clone();
        weak.score = 0.1;
        report.pairs.push(weak);
        let unlisted = |score| PairSummary { a: 0, b: 1, score, expected: None, extent: None };
        report.unlisted = [0.5, 0.05].map(unlisted).into();
        let csv = pairs(&report);
        let rows: Vec<(&str, &str, &str)> = csv
            .lines()
            .skip(1)
            .map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                let is_measured = cells[10..16].iter().all(|cell| !cell.is_empty());
                assert_eq!(is_measured, !cells[16].is_empty());
                (cells[0], cells[9], cells[16])
            })
            .collect();
        let page = |number: u32| format!("index.html#/pair/{number}");
        assert_eq!(
            rows,
            [
                ("1", "0.8125", &*page(1)),
                ("2", "0.5000", ""),
                ("3", "0.1000", &*page(2)),
                ("4", "0.0500", "")
            ]
        );
    }

    #[test]
    fn formulas_are_neutralised() {
        for (text, expected) in [
            ("ada", "ada"),
            ("x-1 = y+z@w", "x-1 = y+z@w"),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            ("  =1", "'  =1"),
            ("\u{FF1D}1", "'\u{FF1D}1"),
            ("x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"),
            ("x;\"=1\"", "x;'\"=1\""),
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_cell_starts_a_formula_at_comma_or_semicolon(name in "[=+@;\",\t\r\n a\u{FF1D}-]{0,12}") {
            let csv = pairs(&samples::hostile(&name));
            let mut rows = ::csv::Reader::from_reader(csv.as_bytes());
            for record in rows.records() {
                let record = record.unwrap();
                prop_assert_eq!(record.len(), PAIR_COLUMNS.len());
                for cell in &record {
                    for part in cell.split(';') {
                        prop_assert!(!part.trim_start().starts_with(FORMULA), "{}", part);
                    }
                }
            }
        }
    }
}

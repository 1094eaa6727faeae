//! What an experiment found, as text for a terminal.
//!
//! Question, source and input, then each table with its columns aligned, then the findings. Texts may
//! come from anybody, and are shown without effect; wide letters take the columns that they take.
//!
//! Cost: O(n) in what is shown.

use std::borrow::Cow;
use std::io::{self, Write};

use fanmill::report::printable;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::figure::{number, thousands};
use crate::outcome::{Cell, Column, Outcome, Table};

/// Columns of a terminal that one cell of text may take.
const WIDEST: usize = 64;

/// The column whose cells are cut at their beginning: a place says at its end what tells it from others.
const PLACES: &str = "where";

/// Columns of a terminal that sentences are broken at.
const LINE: usize = 100;

/// Writes all of an outcome but its figures.
///
/// # Errors
/// If `out` does not take it.
pub fn write(outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    let heads =
        [("question", &*outcome.question), ("repeats", outcome.source), ("input", &outcome.input)];
    for (name, text) in heads {
        paragraph(&format!("{name:<8}  "), text, out)?;
    }
    if let Some(seed) = outcome.seed {
        writeln!(out, "seed      {seed}")?;
    }
    for table in &outcome.tables {
        writeln!(out)?;
        paragraph("", &table.caption, out)?;
        rows(table, out)?;
    }
    if !outcome.findings.is_empty() {
        writeln!(out)?;
    }
    for finding in &outcome.findings {
        paragraph("- ", finding, out)?;
    }
    Ok(())
}

/// Writes a text in lines, the later ones as far in as the first one's words.
fn paragraph(start: &str, text: &str, out: &mut impl Write) -> io::Result<()> {
    let text = printable(text);
    let indent = " ".repeat(start.width());
    let mut line = start.to_owned();
    let mut is_fresh = true;
    let room = LINE - indent.len().min(LINE / 2);
    for word in text.split(' ').flat_map(|word| chunks(word, room)) {
        if !is_fresh && line.width() + 1 + word.width() > LINE {
            writeln!(out, "{line}")?;
            line.clone_from(&indent);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    writeln!(out, "{}", line.trim_end())
}

/// A word in parts that each fit a line; most words are one.
fn chunks(word: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, c) in word.char_indices() {
        let columns = c.width().unwrap_or(0);
        if used + columns > width {
            parts.push(&word[start..at]);
            (start, used) = (at, 0);
        }
        used += columns;
    }
    if start < word.len() {
        parts.push(&word[start..]);
    }
    parts
}

fn rows(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let heads: Vec<String> = table.columns.iter().map(|column| cut(&column.name)).collect();
    let units: Vec<String> = table.columns.iter().map(|column| column.unit.to_owned()).collect();
    let shown_row = |row: &Vec<Cell>| -> Vec<String> {
        let cells = row.iter().zip(&table.columns);
        cells.map(|(cell, column)| shown_cell(cell, column)).collect()
    };
    let shown: Vec<Vec<String>> = table.rows.iter().map(shown_row).collect();
    let is_text: Vec<bool> = (0..heads.len())
        .map(|column| {
            let cells = table.rows.iter().filter_map(|row| row.get(column));
            cells.clone().any(|cell| matches!(cell, Cell::Text(_)))
        })
        .collect();
    let mut lines = vec![heads];
    if units.iter().any(|unit| !unit.is_empty()) {
        lines.push(units);
    }
    lines.extend(shown);
    let widths: Vec<usize> = (0..is_text.len())
        .map(|column| {
            lines
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for line in &lines {
        let cells = line.iter().zip(&widths).zip(&is_text).map(|((cell, width), is_text)| {
            let blank = " ".repeat(width.saturating_sub(cell.width()));
            if *is_text { format!("{cell}{blank}") } else { format!("{blank}{cell}") }
        });
        writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// `1 document`, `1,234 documents`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(&n.to_string()), if n == 1 { "" } else { "s" })
}

fn shown_cell(cell: &Cell, column: &Column) -> String {
    match cell {
        Cell::Text(text) if column.name == PLACES => cut_to_end(text),
        Cell::Text(text) => cut(text),
        Cell::Count(count) => thousands(&count.to_string()),
        Cell::Number { value, decimals } => number(*value, usize::from(*decimals)),
        Cell::Nothing => "–".to_owned(),
    }
}

/// A text without effect, cut at its end.
fn cut(text: &str) -> String {
    let text: Cow<str> = printable(text);
    if text.width() <= WIDEST {
        return text.into_owned();
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used < WIDEST
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// A text without effect, cut at its beginning.
fn cut_to_end(text: &str) -> String {
    let text: Cow<str> = printable(text);
    if text.width() <= WIDEST {
        return text.into_owned();
    }
    let mut start = text.len();
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        let columns = c.width().unwrap_or(0);
        used += columns;
        if used >= WIDEST {
            break;
        }
        // A mark stays with its letter, which is before it.
        start = if columns > 0 { at } else { start };
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(outcome: &Outcome) -> String {
        let mut out = Vec::new();
        write(outcome, &mut out).expect("memory takes all");
        String::from_utf8(out).expect("text")
    }

    fn outcome() -> Outcome {
        let text = |text: &str| Cell::Text(text.to_owned());
        let rows = vec![
            vec![
                text("winnow"),
                Cell::Count(38_530_846),
                Cell::Number { value: 0.019_855, decimals: 4 },
            ],
            vec![text("李明\u{1b}[31m"), Cell::Nothing, Cell::Number { value: -1.0, decimals: 1 }],
        ];
        let columns = vec![
            Column::new("selector", ""),
            Column::new("kept", "hashes"),
            Column::new("density", ""),
        ];
        Outcome {
            experiment: "test",
            question: "how much is kept?".to_owned(),
            source: "a paper, §1",
            input: "word ".repeat(30),
            seed: Some(7),
            findings: vec!["one thing\nand another".to_owned()],
            tables: vec![Table { name: "kept", caption: "What is kept".to_owned(), columns, rows }],
            figures: Vec::new(),
        }
    }

    #[test]
    fn columns_stand_below_each_other_and_nothing_takes_effect() {
        let expected = "\
question  how much is kept?
repeats   a paper, §1
input     word word word word word word word word word word word word word word word word word word
          word word word word word word word word word word word word
seed      7

What is kept
  selector              kept  density
                      hashes
  winnow          38,530,846   0.0199
  李明\\u{1b}[31m           –     −1.0

- one thing\\nand another
";
        assert_eq!(shown(&outcome()), expected);
    }

    #[test]
    fn a_long_cell_is_cut_and_a_long_word_is_broken() {
        let mut outcome = outcome();
        outcome.findings = vec![format!("it repeats {} often", "abba".repeat(100))];
        outcome.tables[0].rows[0][0] = Cell::Text("長".repeat(200));
        let place = Cell::Text(format!("{}/page.html:12", "folder/".repeat(90)));
        let column = Column::new("where", "");
        assert!(shown_cell(&place, &column).ends_with("/page.html:12"));
        assert!(shown_cell(&place, &column).width() <= WIDEST);
        let longest = shown(&outcome).lines().map(UnicodeWidthStr::width).max();
        assert!(longest.is_some_and(|width| width <= LINE), "{longest:?}");
    }
}

//! Formatting of an outcome as text for a terminal.
//!
//! The question, source and input come first, then each table with aligned columns, then the findings. Texts may come
//! from anyone and are made printable first; wide characters take the columns they need.
//!
//! Cost: O(n) in the length of the output.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use fanmill_report::fit::{LineWidth, lay_out};
use fanmill_report::printable;
use fanmill_text::counted::plural;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::figure::{number, thousands};
use crate::outcome::{Cell, Column, Outcome, Table};

/// Maximum width of a text cell, in columns; excerpts can be of any length.
const WIDEST: usize = 64;

/// Minimum width of a text cell beside all other columns; a table with less space is split.
const LEAST: usize = 12;

/// Maximum line length of sentences, in columns, on screens of at least this width.
const LINE: usize = 100;

/// Writes an outcome, except for its figures, to fit the width of the screen.
///
/// # Errors
/// If writing fails.
pub fn write(outcome: &Outcome, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    let line = room.at_most(LINE);
    let heads =
        [("question", &*outcome.question), ("repeats", outcome.source), ("input", &outcome.input)];
    for (name, text) in heads {
        paragraph(&format!("{name:<8}  "), text, line, out)?;
    }
    if let Some(seed) = outcome.seed {
        writeln!(out, "seed      {seed}")?;
    }
    for table in &outcome.tables {
        writeln!(out)?;
        paragraph("", &table.caption, line, out)?;
        rows(table, room, out)?;
    }
    if !outcome.findings.is_empty() {
        writeln!(out)?;
    }
    for finding in &outcome.findings {
        paragraph("- ", finding, line, out)?;
    }
    Ok(())
}

/// Writes a text in lines, with later lines indented like the words of the first one.
fn paragraph(start: &str, text: &str, widest: usize, out: &mut impl Write) -> io::Result<()> {
    let text = printable(text);
    let indent = " ".repeat(start.width());
    let mut line = start.to_owned();
    let mut is_fresh = true;
    let room = widest - indent.len().min(widest / 2);
    for word in text.split(' ').flat_map(|word| chunks(word, room)) {
        if !is_fresh && line.width() + 1 + word.width() > widest {
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

/// Splits a word into parts that fit on a line; most words are one part.
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

/// Writes a table. A table wider than the screen is split into parts below each other, each with the columns that
/// distinguish the rows.
fn rows(table: &Table, room: LineWidth, out: &mut impl Write) -> io::Result<()> {
    let columns = Columns::new(table, room);
    let row = |row: &Vec<Cell>| -> Vec<String> {
        row.iter().map(|cell| shown_cell(cell, columns.widest)).collect()
    };
    let mut lines = columns.head_lines();
    let first = lines.len();
    lines.extend(table.rows.iter().map(row));
    for (number, part) in columns.parts(room, &lines[first..]).iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let left: Vec<usize> = (0..part.len()).filter(|&at| columns.is_text[part[at]]).collect();
        let cells = |line: &Vec<String>| part.iter().map(|&c| line[c].clone()).collect::<Vec<_>>();
        let lines: Vec<Vec<String>> = lines.iter().map(cells).collect();
        // A head of several lines may have an empty line in this part.
        let lines = lines.iter().filter(|line| line.iter().any(|cell| !cell.is_empty()));
        let lines: Vec<&[String]> = lines.map(Vec::as_slice).collect();
        lay_out(&lines, &left).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    Ok(())
}

/// The layout of a table's columns.
struct Columns {
    /// The lines of each column's head, with its unit below.
    heads: Vec<Vec<String>>,
    is_text: Vec<bool>,
    /// The width of each column, in columns of the screen.
    widths: Vec<usize>,
    /// Maximum width of a text cell, in columns of the screen.
    widest: usize,
}

impl Columns {
    /// Puts heads on one line, or on several if they do not fit; text cells are then cut to the remaining width.
    fn new(table: &Table, room: LineWidth) -> Columns {
        let cells = |column: usize| table.rows.iter().filter_map(move |row| row.get(column));
        let is_text = |c: usize| cells(c).any(|cell| matches!(cell, Cell::Text(_)));
        let is_text: Vec<bool> = (0..table.columns.len()).map(is_text).collect();
        // The width that the cells of each column need.
        let needed =
            |c: usize| cells(c).map(|cell| shown_cell(cell, WIDEST).width()).max().unwrap_or(0);
        let needed: Vec<usize> = (0..table.columns.len()).map(needed).collect();
        // If any column has a unit, all heads have a line for it.
        let has_units = table.columns.iter().any(|column| !column.unit.is_empty());
        let texts = |column: &Column| {
            let unit = has_units.then(|| column.unit.to_owned());
            std::iter::once(cut(&column.name, WIDEST)).chain(unit)
        };
        // A head is on one line, or broken to the width of its cells, but never inside a word.
        let whole = |column: &Column| texts(column).collect();
        let broken = |(column, &needed): (&Column, &usize)| -> Vec<String> {
            let longest = |text: String| text.split(' ').map(UnicodeWidthStr::width).max();
            let longest = texts(column).filter_map(longest).max().unwrap_or(0);
            let room = LineWidth::Columns(needed.max(longest));
            texts(column).flat_map(|text| room.wrap(&text, 0)).collect()
        };
        let width = |(head, needed): (&Vec<String>, &usize)| {
            head.iter().map(|line| line.width()).max().unwrap_or(0).max(*needed)
        };
        let mut heads: Vec<Vec<String>> = table.columns.iter().map(whole).collect();
        let taken: usize = heads.iter().zip(&needed).map(|column| 2 + width(column)).sum();
        if matches!(room, LineWidth::Columns(n) if taken > n) {
            heads = table.columns.iter().zip(&needed).map(broken).collect();
        }
        let mut widths: Vec<usize> = heads.iter().zip(&needed).map(width).collect();
        let widest = widest_text(&widths, &is_text, room);
        for (width, _) in widths.iter_mut().zip(&is_text).filter(|(_, is_text)| **is_text) {
            *width = widest.min(*width);
        }
        Columns { heads, is_text, widths, widest }
    }

    /// Returns the columns of each part of the table that fits the screen: its keys, and as many other columns as fit,
    /// at least one.
    fn parts(&self, room: LineWidth, rows: &[Vec<String>]) -> Vec<Vec<usize>> {
        let all = 0..self.widths.len();
        let keys = self.keys(rows);
        let others = all.clone().filter(|column| !keys.contains(column));
        let width = |columns: &[usize]| columns.iter().map(|&c| 2 + self.widths[c]).sum::<usize>();
        let LineWidth::Columns(n) = room else { return vec![all.collect()] };
        let taken = width(&keys);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for column in others {
            match groups.last_mut() {
                Some(group) if taken + width(group) + 2 + self.widths[column] <= n => {
                    group.push(column);
                }
                _ => groups.push(vec![column]),
            }
        }
        if groups.len() < 2 {
            return vec![all.collect()];
        }
        let with_keys = |group: Vec<usize>| {
            let mut columns = [keys.as_slice(), &group].concat();
            columns.sort_unstable();
            columns
        };
        groups.into_iter().map(with_keys).collect()
    }

    /// Returns the columns that distinguish rows: those of texts and, if that is not enough, the first one of numbers.
    fn keys(&self, rows: &[Vec<String>]) -> Vec<usize> {
        let (mut keys, numbers): (Vec<usize>, Vec<usize>) =
            (0..self.widths.len()).partition(|&column| self.is_text[column]);
        let texts = |row: &Vec<String>| keys.iter().map(|&c| row[c].clone()).collect::<Vec<_>>();
        let different: BTreeSet<Vec<String>> = rows.iter().map(texts).collect();
        if different.len() < rows.len() {
            keys.extend(numbers.first());
        }
        keys
    }

    /// Returns the heads as rows, aligned at the bottom.
    fn head_lines(&self) -> Vec<Vec<String>> {
        let n_lines = self.heads.iter().map(Vec::len).max().unwrap_or(0);
        let line = |line: usize| {
            let heads = self.heads.iter().zip(&self.is_text).map(|(head, is_text)| {
                let own =
                    (line + head.len()).checked_sub(n_lines).map_or("", |own| head[own].as_str());
                cut(own, if *is_text { self.widest } else { WIDEST })
            });
            heads.collect()
        };
        (0..n_lines).map(line).collect()
    }
}

/// Returns the maximum width of a text cell. Only these cells can be cut: they share the width that the other columns
/// leave; if that is too little for a text and the table is shown in parts, they share half of the screen.
fn widest_text(widths: &[usize], is_text: &[bool], room: LineWidth) -> usize {
    let of = |wanted: bool| -> Vec<usize> {
        let columns = widths.iter().zip(is_text).filter(|(_, is)| **is == wanted);
        columns.map(|(width, _)| *width).collect()
    };
    let LineWidth::Columns(n) = room else { return WIDEST };
    let texts = of(true);
    let taken = of(false).iter().sum::<usize>() + 2 * widths.len();
    let needed: usize = texts.iter().map(|&width| width.min(LEAST)).sum();
    let shared = if taken + needed <= n { room.beside(taken) } else { LineWidth::Columns(n / 2) };
    match shared.share(&texts) {
        LineWidth::Any => WIDEST,
        LineWidth::Columns(each) => each.min(WIDEST),
    }
}

/// Formats a count with its noun: `1 document`, `1,234 documents`.
pub(crate) fn counted(n: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(&n.to_string()), plural(n as u64, "", "s"))
}

fn shown_cell(cell: &Cell, widest: usize) -> String {
    match cell {
        Cell::Text(text) => cut(text, widest),
        Cell::Count(count) => thousands(&count.to_string()),
        Cell::Number { value, decimals } => number(*value, usize::from(*decimals)),
        Cell::Nothing => "–".to_owned(),
    }
}

/// Returns a printable text, cut at its end.
fn cut(text: &str, widest: usize) -> String {
    let text: Cow<str> = printable(text);
    if text.width() <= widest {
        return text.into_owned();
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used < widest
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(outcome: &Outcome) -> String {
        shown_in(outcome, LineWidth::Any)
    }

    fn shown_in(outcome: &Outcome, room: LineWidth) -> String {
        let mut out = Vec::new();
        write(outcome, room, &mut out).expect("memory takes all");
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
            input: "word ".repeat(30).into(),
            seed: Some(7),
            findings: vec!["one thing\nand another".into()],
            tables: vec![Table { name: "kept", caption: "What is kept".to_owned(), columns, rows }],
            figures: Vec::new(),
        }
    }

    #[test]
    fn columns_are_aligned_and_texts_are_printable() {
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
        outcome.findings = vec![format!("it repeats {} often", "abba".repeat(100)).into()];
        outcome.tables[0].rows[0][0] = Cell::Text("長".repeat(200));
        let longest = shown(&outcome).lines().map(UnicodeWidthStr::width).max();
        assert!(longest.is_some_and(|width| width <= LINE), "{longest:?}");
        for head in ["a head of many words", "another one", "the longest run of all", "share"] {
            outcome.tables[0].columns.push(Column::new(head, ""));
            for row in &mut outcome.tables[0].rows {
                row.push(Cell::Count(7));
            }
        }
        for columns in [80, 100, 120] {
            let shown = shown_in(&outcome, LineWidth::Columns(columns));
            assert!(shown.lines().all(|line| line.width() <= columns), "{shown}");
        }
    }

    #[test]
    fn a_table_wider_than_the_screen_is_shown_in_parts_that_repeat_its_texts() {
        let mut outcome = outcome();
        outcome.tables[0].rows[0][0] = Cell::Text("a name that tells schemes apart".to_owned());
        for number in 0..12_u64 {
            outcome.tables[0].columns.push(Column::new(format!("share{number}"), ""));
            for row in &mut outcome.tables[0].rows {
                row.push(Cell::Count(100 + number));
            }
        }
        for columns in [40, 60, 80, 100] {
            let shown = shown_in(&outcome, LineWidth::Columns(columns));
            assert!(shown.lines().all(|line| line.width() <= columns), "{shown}");
            let count = |text: &str| shown.matches(text).count();
            assert!(count("selector") > 1 && count("selector") == count("李明"), "{shown}");
            assert!((0..12).all(|number| count(&format!(" {}", 100 + number)) == 2), "{shown}");
        }
        // Rows with one text are distinguished by their first number.
        outcome.tables[0].rows[1][0] = outcome.tables[0].rows[0][0].clone();
        let shown_parts = shown_in(&outcome, LineWidth::Columns(60));
        let n_parts = shown_parts.matches("selector").count();
        assert_eq!(shown_parts.matches("38,530,846").count(), n_parts, "{shown_parts}");
        // Without a screen, a table is whole.
        assert_eq!(shown(&outcome).matches("selector").count(), 1);
    }
}

//! Rows of a table in text: CSV and TSV.
//!
//! Rows are read as the `csv` crate reads them: a field that begins with a quote continues to its closing one, two
//! quotes inside count as one, and what follows the closing quote belongs to the field; quotes elsewhere are letters.
//! Rows end with `\n`, `\r` or `\r\n`; empty lines are not rows. But while that crate returns values, we need
//! positions: rows that stay are copied byte for byte, and in a row that changes, one field is written anew. A property
//! test checks that both read the same.
//!
//! Cost: O(n).
//! Source: RFC 4180, and the documentation of the crate.

use std::ops::Range;

use fanmill_text::{Error, Result};
use memchr::{memchr, memchr3};

use super::blocks::{BOM, Blocks};
use super::fields::missing;
use super::{ID_FIELDS, Options, OutputForm, TEXT_FIELDS};
use crate::record::{Record, RecordAction};
use crate::text::Text;

/// The columns in which marks are written.
pub(super) const MARKS: [&str; 4] =
    ["fanmill_cluster", "fanmill_duplicate_of", "fanmill_resemblance", "fanmill_containment"];
/// The columns in which marks of runs are written.
pub(super) const RUN_MARKS: [&str; 2] = ["fanmill_runs", "fanmill_words_left"];

/// The columns in which the sizes of clusters are written.
pub(super) const SIZES: [&str; 2] = ["fanmill_size", "fanmill_copies"];

/// Returns whether a column is one of marks, which new marks replace.
pub(super) fn is_mark(name: &str) -> bool {
    MARKS.contains(&name) || RUN_MARKS.contains(&name) || SIZES.contains(&name)
}

/// Returns the columns of marks that are written.
pub(super) fn columns_of_marks(writes: OutputForm) -> &'static [&'static str] {
    match writes {
        OutputForm::Marks => &MARKS,
        OutputForm::RunMarks => &RUN_MARKS,
        OutputForm::Sizes => &SIZES,
        OutputForm::Records | OutputForm::Alone => &[],
    }
}

/// Maximum length of a header, in bytes.
const MAX_HEADER: usize = 16 << 20;
/// Number of bytes of a header that are read at first.
const FIRST_BLOCK: usize = 1 << 16;

/// The end of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// The row ends before `end`; with its line feed, before `full_end`.
    Whole { end: usize, full_end: usize },
    /// The row ends behind what has been read.
    Open,
    /// The row has no end: its last quote is not closed.
    Unclosed,
}

/// Finds the end of the row at `start`; `ended` if nothing follows `bytes`.
pub(super) fn row(bytes: &[u8], start: usize, delimiter: u8, ended: bool) -> Row {
    let mut at = start;
    loop {
        if bytes.get(at) == Some(&b'"') {
            match closing(bytes, at) {
                Some(end) => at = end,
                None if ended => return Row::Unclosed,
                None => return Row::Open,
            }
        }
        let Some(found) = memchr3(delimiter, b'\n', b'\r', &bytes[at..]) else {
            let end = bytes.len();
            return if ended { Row::Whole { end, full_end: end } } else { Row::Open };
        };
        let end = at + found;
        match (bytes[end], bytes.get(end + 1)) {
            (b'\r', None) if !ended => return Row::Open,
            (b'\r', Some(b'\n')) => return Row::Whole { end, full_end: end + 2 },
            (b'\r' | b'\n', _) => return Row::Whole { end, full_end: end + 1 },
            _ => at = end + 1,
        }
    }
}

/// Returns the position behind the quote that closes the one at `at`.
fn closing(bytes: &[u8], at: usize) -> Option<usize> {
    let mut from = at + 1;
    loop {
        let quote = from + memchr(b'"', &bytes[from..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote + 1);
        }
        from = quote + 2;
    }
}

/// Returns the positions of the fields of a whole row.
fn fields(row: &[u8], delimiter: u8) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    loop {
        let is_quoted = row.get(start) == Some(&b'"');
        let from = is_quoted.then(|| closing(row, start)).flatten().unwrap_or(start);
        let Some(n) = memchr(delimiter, &row[from..]) else {
            found.push(start..row.len());
            return found;
        };
        found.push(start..from + n);
        start = from + n + 1;
    }
}

/// Returns the value of a field.
fn value(field: &[u8]) -> Text<'_> {
    let Some(end) = (field.first() == Some(&b'"')).then(|| closing(field, 0)).flatten() else {
        return Text::utf8(field);
    };
    let (inside, after) = (&field[1..end - 1], &field[end..]);
    if after.is_empty() && memchr(b'"', inside).is_none() {
        return Text::utf8(inside);
    }
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = inside;
    while let Some(at) = memchr(b'"', rest) {
        bytes.extend_from_slice(&rest[..=at]);
        rest = &rest[at + 2..];
    }
    bytes.extend_from_slice(rest);
    bytes.extend_from_slice(after);
    Text::utf8_of(bytes)
}

/// A table's header, and the columns that a job wants.
#[derive(Debug)]
pub(super) struct Table {
    delimiter: u8,
    n_columns: usize,
    text: usize,
    id: Option<usize>,
    extra: Vec<Option<usize>>,
    /// Columns of marks of an earlier run.
    marks: Vec<usize>,
}

/// Reads the header of a table; returns its columns, the bytes that have been read, and the number of these that are
/// the header.
///
/// # Errors
/// If there is no header, or it lacks the columns that `options` ask for.
pub(super) fn header(
    blocks: &mut Blocks,
    delimiter: u8,
    options: &Options,
) -> Result<(Table, Vec<u8>, usize)> {
    let path = blocks.path().display().to_string();
    let mut bytes = Vec::new();
    let mut want = FIRST_BLOCK;
    loop {
        blocks.fill(&mut bytes, want)?;
        let start = first_row(&bytes);
        match row(&bytes, start, delimiter, blocks.ended) {
            Row::Whole { end, full_end } if start < bytes.len() => {
                let table = Table::new(&path, &bytes[start..end], delimiter, options)?;
                return Ok((table, bytes, full_end));
            }
            // An empty file has no records, which is fine.
            Row::Whole { end, .. } => return Ok((Table::none(delimiter), bytes, end)),
            Row::Open if want < MAX_HEADER => want *= 2,
            _ => {
                return Err(Error::input(format!(
                    "`{path}` has no header within {want} bytes: a quote is not closed"
                )));
            }
        }
    }
}

/// Returns the position behind a byte order mark and empty lines.
fn first_row(bytes: &[u8]) -> usize {
    let mark = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let blank = bytes[mark..].iter().take_while(|&&byte| matches!(byte, b'\n' | b'\r')).count();
    mark + blank
}

/// Returns the name of a column.
fn name(field: &[u8]) -> String {
    value(field).characters.trim().to_owned()
}

impl Table {
    /// Returns the table of an empty file.
    fn none(delimiter: u8) -> Table {
        Table { delimiter, n_columns: 0, text: 0, id: None, extra: Vec::new(), marks: Vec::new() }
    }

    fn new(path: &str, header: &[u8], delimiter: u8, options: &Options) -> Result<Table> {
        let places = fields(header, delimiter);
        let names: Vec<String> = places.iter().map(|place| name(&header[place.clone()])).collect();
        let place = |name: &str| names.iter().position(|own| own == name);
        let first = |given: &Option<String>, usual: &[&str]| match given {
            Some(name) => place(name),
            None => usual.iter().find_map(|name| place(name)),
        };
        let text = first(&options.text, &TEXT_FIELDS).ok_or_else(|| {
            let given = options.text.as_deref();
            let wanted = given.map_or(TEXT_FIELDS.to_vec(), |name| vec![name]);
            let shown = names.iter().map(|name| format!("`{name}`")).collect();
            let what = missing(wanted.into_iter(), shown);
            Error::input(format!("`{path}`: {what}; name the field of the text"))
        })?;
        Ok(Table {
            delimiter,
            n_columns: names.len(),
            text,
            id: first(&options.id, &ID_FIELDS),
            extra: options.extra.iter().map(|name| place(name)).collect(),
            marks: MARKS.iter().chain(&RUN_MARKS).filter_map(|name| place(name)).collect(),
        })
    }

    fn places(&self, row: &[u8]) -> std::result::Result<Vec<Range<usize>>, String> {
        let places = fields(row, self.delimiter);
        if places.len() != self.n_columns {
            let (n, columns) = (places.len(), self.n_columns);
            return Err(format!("a row of {n} fields, under a header of {columns}"));
        }
        Ok(places)
    }

    pub(super) fn parse<'a>(&self, row: &'a [u8]) -> std::result::Result<Record<'a>, String> {
        let places = self.places(row)?;
        let at = |column: usize| value(&row[places[column].clone()]);
        let some = |column: usize| Some(at(column).characters).filter(|value| !value.is_empty());
        let text = at(self.text);
        Ok(Record {
            flaw: text.flaw(),
            text: text.characters,
            id: self.id.and_then(some),
            extra: self.extra.iter().map(|column| column.and_then(some)).collect(),
        })
    }

    /// Appends a row as `action` says.
    pub(super) fn edit(
        &self,
        row: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        match action {
            RecordAction::Remove => {}
            RecordAction::Keep => out.extend_from_slice(row),
            RecordAction::Text(text) => {
                let place = self.places(row)?[self.text].clone();
                out.extend_from_slice(&row[..place.start]);
                self.push(text, out);
                out.extend_from_slice(&row[place.end..]);
            }
            RecordAction::Mark(mark) => {
                let share = |share: Option<f64>| share.map(|n| n.to_string()).unwrap_or_default();
                let values = mark.as_ref().map(|mark| {
                    [
                        mark.cluster.to_string(),
                        mark.duplicate_of.unwrap_or_default().to_owned(),
                        share(mark.resemblance),
                        share(mark.containment),
                    ]
                });
                self.mark(row, &values.unwrap_or_default(), out)?;
            }
            RecordAction::MarkRuns(mark) => {
                let values = mark.as_ref().map(|m| [m.runs_as_json(), m.words_left.to_string()]);
                self.mark(row, &values.unwrap_or_default(), out)?;
            }
            RecordAction::MarkSize(size) => {
                self.mark(row, &[size.documents, size.copies].map(|n| n.to_string()), out)?;
            }
        }
        Ok(())
    }

    /// Appends the header with columns for marks, including its line end.
    pub(super) fn mark_header(&self, header: &[u8], writes: OutputForm, out: &mut Vec<u8>) {
        let Row::Whole { end, .. } = row(header, first_row(header), self.delimiter, true) else {
            return;
        };
        let start = first_row(header);
        out.extend_from_slice(&header[..start]);
        self.push_unmarked(&header[start..end], out);
        for name in columns_of_marks(writes) {
            out.push(self.delimiter);
            out.extend_from_slice(name.as_bytes());
        }
        out.extend_from_slice(if end < header.len() { &header[end..] } else { b"\n" });
    }

    fn mark(
        &self,
        row: &[u8],
        values: &[String],
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        self.places(row)?;
        self.push_unmarked(row, out);
        for value in values {
            out.push(self.delimiter);
            self.push(value, out);
        }
        Ok(())
    }

    /// Appends the fields of a row, except those of marks of an earlier run.
    fn push_unmarked(&self, row: &[u8], out: &mut Vec<u8>) {
        let mut is_first = true;
        for (column, place) in fields(row, self.delimiter).into_iter().enumerate() {
            if self.marks.contains(&column) {
                continue;
            }
            if !std::mem::take(&mut is_first) {
                out.push(self.delimiter);
            }
            out.extend_from_slice(&row[place]);
        }
    }

    /// Appends a value, in quotes if it needs them.
    fn push(&self, value: &str, out: &mut Vec<u8>) {
        let needs = |byte: u8| matches!(byte, b'"' | b'\n' | b'\r') || byte == self.delimiter;
        if !value.bytes().any(needs) {
            return out.extend_from_slice(value.as_bytes());
        }
        out.push(b'"');
        out.extend_from_slice(value.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns all rows, as we find them.
    fn rows(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
        let (mut all, mut start) = (Vec::new(), 0);
        while start < bytes.len() {
            let Row::Whole { end, full_end } = row(bytes, start, delimiter, true) else { break };
            let own = &bytes[start..end];
            if start < end {
                all.push(
                    fields(own, delimiter)
                        .into_iter()
                        .map(|f| value(&own[f]).characters.into_owned())
                        .collect(),
                );
            }
            start = full_end;
        }
        all
    }

    fn naive(bytes: &[u8], delimiter: u8) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new();
        reader.has_headers(false).flexible(true).delimiter(delimiter);
        let rows = reader.from_reader(bytes).into_byte_records().map(|row| row.expect("in memory"));
        rows.map(|row| row.iter().map(|f| String::from_utf8_lossy(f).into_owned()).collect())
            .collect()
    }

    fn ends_open(bytes: &[u8], delimiter: u8) -> bool {
        let mut start = 0;
        while start < bytes.len() {
            match row(bytes, start, delimiter, true) {
                Row::Whole { full_end, .. } => start = full_end,
                _ => return true,
            }
        }
        false
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_library(bytes in prop::collection::vec(prop::sample::select(&b"\"\",,;\n\rab "[..]), 0..40)) {
            for delimiter in *b",;" {
                if !ends_open(&bytes, delimiter) {
                    prop_assert_eq!(rows(&bytes, delimiter), naive(&bytes, delimiter));
                }
            }
        }

        #[test]
        fn the_end_of_a_row_is_found_as_soon_as_it_is_there(bytes in prop::collection::vec(prop::sample::select(&b"\"\",\n\ra"[..]), 0..30)) {
            let whole = row(&bytes, 0, b',', true);
            for end in 0..bytes.len() {
                if let found @ Row::Whole { .. } = row(&bytes[..end], 0, b',', false) {
                    prop_assert_eq!(found, whole);
                }
            }
        }
    }
}

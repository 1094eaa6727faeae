//! Excel workbooks: a line for each row, with cells separated by tabs.
//!
//! Most text is in a table of strings, to which cells refer by number. A reference costs a few bytes but may represent
//! a long string; the limit on the text applies here, too.
//!
//! Source: ECMA-376-1, §18 (SpreadsheetML).

use std::collections::HashMap;

use super::draft::{Draft, LineTarget};
use super::embedded;
use super::limits::MOST_REFERENCES;
use super::package::Package;
use super::relations;
use super::xml::{self, Element, Ending, Handler, each_element};
use crate::extracted::{Flag, Location, ReadFailure, SetApartReason};

/// A sheet as listed by the workbook.
struct SheetEntry {
    name: String,
    id: String,
    is_hidden: bool,
}

/// Reads the sheets that a workbook, `part`, lists.
pub(super) fn read(
    package: &mut Package<'_>,
    main: &str,
    part: &str,
    draft: &mut Draft,
) -> Result<(), ReadFailure> {
    let relations = relations::of(package, main)?;
    let mut listed = Vec::new();
    let _ = each_element(part, |element| {
        if element.name() == "sheet" && listed.len() < MOST_REFERENCES {
            listed.push(SheetEntry {
                name: element.get("name").unwrap_or_default().into_owned(),
                id: element.relation().unwrap_or_default().into_owned(),
                is_hidden: element
                    .get("state")
                    .is_some_and(|state| state.to_lowercase().contains("hidden")),
            });
        }
    });
    let strings = relations.iter().find(|relation| relation.kind == "sharedstrings");
    let strings = match strings {
        Some(relation) => package.take(&relation.target)?.unwrap_or_default(),
        None => String::new(),
    };
    let mut shared = Strings::default();
    if !strings.is_empty() && xml::read(&strings, &mut shared) == Ending::Damaged {
        draft.flag(Flag::Damaged);
    }
    drop(strings);
    let targets: HashMap<&str, &str> =
        relations.iter().map(|relation| (&*relation.id, &*relation.target)).collect();
    // Only sheets that have a part get a number.
    for SheetEntry { name, id, is_hidden } in listed {
        let Some(&target) = targets.get(&*id) else { continue };
        let Some(part) = package.take(target)? else { continue };
        let sheet = draft.sheets.len() as u32;
        draft.sheets.push(name);
        let mut cells = Cells::new(sheet, is_hidden, &shared, draft);
        if xml::read(&part, &mut cells) == Ending::Damaged {
            draft.flag(Flag::Damaged);
        }
        let parts = relations::of(package, target)?;
        let first = Location::Cell { sheet, row: 1, column: 1 };
        embedded::read(package, &parts, LineTarget::In(first), draft);
    }
    Ok(())
}

/// The table of strings, as one text.
#[derive(Debug, Default)]
struct Strings {
    text: String,
    /// End of each string in the text.
    ends: Vec<usize>,
    n_texts: usize,
    n_phonetic: usize,
}

impl Strings {
    fn get(&self, index: usize) -> &str {
        let Some(&end) = self.ends.get(index) else { return "" };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..end]
    }
}

impl Handler for Strings {
    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "t" => self.n_texts += 1,
            "rPh" => self.n_phonetic += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.n_texts = self.n_texts.saturating_sub(1),
            "rPh" => self.n_phonetic = self.n_phonetic.saturating_sub(1),
            "si" => self.ends.push(self.text.len()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.n_texts > 0 && self.n_phonetic == 0 {
            self.text.push_str(text);
        }
    }
}

/// The reader of the cells of a sheet.
struct Cells<'c> {
    sheet: u32,
    is_hidden: bool,
    shared: &'c Strings,
    draft: &'c mut Draft,
    row: u32,
    column: u32,
    /// If set, the value of the open cell is the number of a string.
    is_shared: bool,
    /// If set, text is part of a value.
    is_value: bool,
    n_phonetic: usize,
    value: String,
}

impl<'c> Cells<'c> {
    fn new(sheet: u32, is_hidden: bool, shared: &'c Strings, draft: &'c mut Draft) -> Cells<'c> {
        Cells {
            sheet,
            is_hidden,
            shared,
            draft,
            row: 0,
            column: 0,
            is_shared: false,
            is_value: false,
            n_phonetic: 0,
            value: String::new(),
        }
    }

    /// Writes the cell that has just ended.
    fn write(&mut self) {
        let shared = self.shared;
        let text = if self.is_shared {
            self.value.trim().parse().map_or("", |index| shared.get(index))
        } else {
            &*self.value
        };
        let at = Location::Cell { sheet: self.sheet, row: self.row, column: self.column };
        if self.is_hidden {
            self.draft.aside(SetApartReason::Hidden, at, text);
        } else {
            self.draft.cell(at, text);
        }
        self.value.clear();
    }
}

impl Handler for Cells<'_> {
    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "row" => {
                self.row = element.number("r").unwrap_or(self.row.saturating_add(1));
                self.column = 0;
            }
            "c" => {
                let named = element.get("r").and_then(|name| column(&name));
                self.column = named.unwrap_or(self.column.saturating_add(1));
                self.is_shared = element.get("t").as_deref() == Some("s");
                self.value.clear();
            }
            "v" | "t" => self.is_value = true,
            "rPh" => self.n_phonetic += 1,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "v" | "t" => self.is_value = false,
            "rPh" => self.n_phonetic = self.n_phonetic.saturating_sub(1),
            "c" => self.write(),
            "row" => self.draft.end_row(),
            // Headers and footers of the printed sheet come after it.
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_value && self.n_phonetic == 0 && !self.draft.is_full() {
            self.value.push_str(text);
        }
    }
}

/// Returns the column of a cell's name: 28 for `AB7`.
fn column(name: &str) -> Option<u32> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic);
    let column = letters
        .take(4)
        .fold(0, |column, letter| column * 26 + u32::from(letter.to_ascii_uppercase() - b'A' + 1));
    (column > 0).then_some(column)
}

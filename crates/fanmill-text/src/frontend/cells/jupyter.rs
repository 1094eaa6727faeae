//! Jupyter notebooks: the cells' sources, each with its way back to the text of the file.
//!
//! Outputs, attachments and metadata are left out: the author did not write what a program printed. The file is JSON;
//! `serde_json` finds the strings, which borrow from the file. Their escapes are undone here, because a parser that
//! returns strings loses their places. The parser's limit of 128 levels keeps hostile nesting off the stack.
//!
//! Cost: O(n), two passes.
//! Source: nbformat 4.5 (`cells`, `source`) and 3 (`worksheets`, `input`); RFC 8259 (strings).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::cell::{Cell, CellKind};

/// Returns the cells of a notebook, in order, without empty ones.
///
/// # Errors
/// If the text is not a notebook. The reason is in lower case, for a notice: the caller then reads the document as
/// plain text.
pub(super) fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let notebook: Notebook<'_> = serde_json::from_str(text.trim_start())
        .map_err(|error| format!("not a notebook: {error}"))?;
    let language = notebook.metadata.and_then(language);
    let has_cells = notebook.cells.is_some() || notebook.worksheets.is_some();
    let worksheets = notebook.worksheets.into_iter().flatten().flat_map(|sheet| sheet.cells);
    if !has_cells {
        return Err("not a notebook: it has no `cells`".to_owned());
    }
    let cells = notebook.cells.into_iter().flatten().chain(worksheets);
    Ok(cells.filter_map(|cell| cell.read(text, language.as_deref())).collect())
}

#[derive(Deserialize)]
struct Notebook<'a> {
    #[serde(borrow)]
    cells: Option<Vec<RawCell<'a>>>,
    #[serde(borrow)]
    worksheets: Option<Vec<Worksheet<'a>>>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

/// A sheet of nbformat 3, which had at most one.
#[derive(Deserialize)]
struct Worksheet<'a> {
    #[serde(borrow, default)]
    cells: Vec<RawCell<'a>>,
}

#[derive(Deserialize)]
struct RawCell<'a> {
    #[serde(borrow)]
    cell_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
    /// The source of a code cell in nbformat 3.
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    /// The language of a code cell in nbformat 3.
    #[serde(borrow)]
    language: Option<&'a RawValue>,
}

impl RawCell<'_> {
    /// Reads the cell, unless it has no source. `file` is the text that it borrows from, and `language` that of the
    /// notebook.
    fn read(&self, file: &str, language: Option<&str>) -> Option<Cell> {
        let kind = match self.cell_type.as_deref() {
            Some("code") => CellKind::Code,
            Some("raw") => CellKind::Raw,
            _ => CellKind::Markdown,
        };
        let mut cell = Cell::empty(kind, None);
        cell.read_source(self.source.or(self.input)?.get(), file);
        if cell.source.is_empty() {
            return None;
        }
        if kind == CellKind::Code {
            let own = self.language.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
            // A magic line decides first, then the cell's own language, then that of the notebook.
            let named = magic(&cell.source).map(str::to_owned).or(own);
            let language = named.or_else(|| language.map(str::to_owned));
            cell.language = Some(language.map_or("python".to_owned(), |name| name.to_lowercase()));
        }
        Some(cell)
    }
}

/// Returns the language of a notebook's code cells, from its metadata.
fn language(metadata: &RawValue) -> Option<String> {
    let metadata: serde_json::Value = serde_json::from_str(metadata.get()).ok()?;
    let said = |object: &str, key: &str| metadata.get(object)?.get(key)?.as_str();
    let name = said("language_info", "name").or_else(|| said("kernelspec", "language"))?;
    Some(name.to_lowercase())
}

/// Returns the language of a cell that starts with `%%bash` or another magic that names one.
fn magic(source: &str) -> Option<&'static str> {
    let name = source.strip_prefix("%%")?.split(|c: char| !c.is_alphanumeric()).next()?;
    Some(match name {
        "bash" | "sh" => "bash",
        "javascript" | "js" => "javascript",
        "html" | "HTML" => "html",
        "latex" => "latex",
        "perl" => "perl",
        "python" | "python2" | "python3" | "pypy" => "python",
        "ruby" => "ruby",
        "R" => "r",
        "sql" => "sql",
        "cython" => "cython",
        _ => return None,
    })
}

impl Cell {
    /// Reads a JSON string, or a list of strings that are joined without anything between. `raw` is valid JSON and a
    /// part of `file`.
    fn read_source(&mut self, raw: &str, file: &str) {
        match serde_json::from_str::<Vec<&RawValue>>(raw) {
            Ok(lines) => lines.iter().for_each(|line| self.string(line.get(), file)),
            Err(_) => self.string(raw, file),
        }
    }

    /// Appends a JSON string; leaves out anything else.
    fn string(&mut self, raw: &str, file: &str) {
        let Some(inner) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            return;
        };
        // Both borrow from the same text, so their addresses give the place.
        let start = inner.as_ptr() as usize - file.as_ptr() as usize;
        self.way.skip(start - self.way.in_len());
        let mut rest = inner;
        while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
            self.copy(&rest[..at]);
            let (c, len) = escape(&rest[at..]);
            self.source.push(c);
            self.way.unit(c.len_utf8(), len);
            rest = &rest[at + len..];
        }
        self.copy(rest);
    }

    fn copy(&mut self, text: &str) {
        self.source.push_str(text);
        self.way.copy(text.len());
    }
}

/// Returns the character of the escape at the start of `text`, and the escape's length in bytes; U+FFFD for half a
/// surrogate pair.
fn escape(text: &str) -> (char, usize) {
    let c = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{C}',
        Some(b'u') => return unicode_escape(text),
        Some(&byte) => char::from(byte),
        None => char::REPLACEMENT_CHARACTER,
    };
    (c, text.len().min(2))
}

fn unicode_escape(text: &str) -> (char, usize) {
    let unit = |at: usize| -> Option<u16> {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let units = [unit(0), unit(6)].into_iter().map_while(|unit| unit);
    match char::decode_utf16(units).next() {
        Some(Ok(c)) => (c, 6 * c.len_utf16()),
        _ => (char::REPLACEMENT_CHARACTER, text.len().min(6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::offset_map::narrow;
    use crate::span::Span;
    use proptest::prelude::*;

    const NOTEBOOK: &str = r##"{"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Tit\u006ce\n", "see \"x\""]},
        {"cell_type": "code", "source": "x = '\ud83e\udd80'\nprint(x)", "outputs": [{"text": ["noise"]}], "execution_count": null},
        {"cell_type": "code", "source": ["%%bash\n", "ls"]},
        {"cell_type": "raw", "source": []}
    ], "metadata": {"kernelspec": {"language": "Python", "name": "x"}}, "nbformat": 4, "nbformat_minor": 5}"##;

    #[test]
    fn cells_with_their_languages() {
        let cells = cells(NOTEBOOK).expect("a notebook");
        let got: Vec<_> =
            cells.iter().map(|cell| (cell.kind, cell.language.as_deref(), cell.source())).collect();
        assert_eq!(
            got,
            [
                (CellKind::Markdown, None, "# Title\nsee \"x\""),
                (CellKind::Code, Some("python"), "x = '🦀'\nprint(x)"),
                (CellKind::Code, Some("bash"), "%%bash\nls"),
            ]
        );
    }

    #[test]
    fn version_3() {
        let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "language": "Julia", "input": ["a\n", "b"]},
            {"cell_type": "heading", "level": 1, "source": "T"}]}], "nbformat": 3}"#;
        let cells = cells(old).expect("a notebook");
        assert_eq!(
            (cells.len(), cells[0].source(), cells[0].language.as_deref()),
            (2, "a\nb", Some("julia"))
        );
    }

    #[test]
    fn code_of_a_notebook_without_a_language_is_python() {
        let cells =
            cells(r#"{"cells": [{"cell_type": "code", "source": "x"}]}"#).expect("a notebook");
        assert_eq!(cells[0].language.as_deref(), Some("python"));
    }

    #[test]
    fn what_is_no_notebook_says_why() {
        for (text, why) in [
            ("not json", "not a notebook: expected ident at line 1 column 2"),
            ("{}", "not a notebook: it has no `cells`"),
            (
                "{\"cells\": 3}",
                "not a notebook: invalid type: integer `3`, expected a sequence at line 1 column 11",
            ),
            ("", "not a notebook: EOF while parsing a value at line 1 column 0"),
        ] {
            assert_eq!(cells(text).expect_err("no notebook"), why);
        }
        let deep = format!("{{\"cells\": [{{\"source\": {}", "[".repeat(1_000_000));
        assert!(cells(&deep).is_err());
    }

    #[test]
    fn broken_surrogates_are_replaced() {
        let cells =
            cells(r#"{"cells": [{"source": ["a\ud800b", "\udc00", 7, null, "\ud800\u0041"]}]}"#)
                .expect("a notebook");
        assert_eq!(cells[0].source(), "a\u{FFFD}b\u{FFFD}\u{FFFD}A");
    }

    /// Returns the character as ASCII JSON.
    fn escaped(c: char) -> String {
        let units = c.encode_utf16(&mut [0; 2]).to_vec();
        if c.is_ascii() {
            c.to_string()
        } else {
            units.iter().fold(String::new(), |text, unit| format!("{text}\\u{unit:04x}"))
        }
    }

    proptest! {
        #[test]
        fn any_source_comes_back(source in any::<String>(), ascii in any::<bool>()) {
            let mut json = serde_json::to_string(&source).expect("strings are JSON");
            if ascii {
                json = json.chars().map(escaped).collect();
            }
            let file = format!("{{\"cells\": [{{\"source\": [{json}]}}]}}");
            let start = file.find(&json).expect("it is there");
            let mut unescaped = Cell::empty(CellKind::Markdown, None);
            unescaped.read_source(&file[start..start + json.len()], &file);
            prop_assert_eq!(&unescaped.source, &source);
            for (at, c) in source.char_indices() {
                let span = unescaped.way.map_span(Span::new(narrow(at), narrow(at + c.len_utf8())));
                let one: String = serde_json::from_str(&format!("\"{}\"", &file[span.range()])).expect("a character or its escape");
                prop_assert_eq!(one, c.to_string());
            }
        }
    }
}

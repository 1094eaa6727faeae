//! `report.json`: the whole result as data, for programs. Field by field in `docs/report.md`.
//!
//! Equal reports give equal bytes. Outer levels are indented; places, matches and files are on
//! one line each, so that line tools can be used to read and compare reports. Hidden characters
//! and `<` are written as `\u` escapes, so that the file is harmless in a terminal and inside a page.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::printable::is_hidden;
use fanmill::report::{Report, VERSION};
use fanmill_text::{Error, Result};

/// The value of [`Report::format`].
pub const FORMAT: &str = "fanmill report";

/// Containers nested deeper than this are on one line: a passage with all its matches, a file with
/// all its boilerplate.
const INDENTED_LEVELS: usize = 4;

/// Writes a report as JSON, with a line feed at the end.
///
/// # Errors
/// If writing fails. Numbers that JSON lacks (infinite, not a number) become `null`.
pub fn write(report: &Report, mut out: impl Write) -> io::Result<()> {
    let layout = Layout { level: 0, empty: true };
    report.serialize(&mut Serializer::with_formatter(&mut out, layout))?;
    out.write_all(b"\n")
}

/// Reads a report that [`write()`] wrote, in this release or an earlier one of the same version.
///
/// # Errors
/// If it is not JSON, not a Fanmill report, or has another version.
pub fn read(input: impl Read) -> Result<Report> {
    let report: Report = serde_json::from_reader(io::BufReader::new(input))
        .map_err(|error| Error::input(format!("not a Fanmill report: {error}")))?;
    if report.format != FORMAT {
        return Err(Error::input(format!("format is `{}`, not `{FORMAT}`", report.format)));
    }
    if report.version != VERSION {
        return Err(Error::input(format!(
            "report has version {}, this release reads version {VERSION}; \
             make it again, or use the release that wrote it: {}",
            report.version, report.tool
        )));
    }
    Ok(report)
}

/// A formatter that indents the outer levels, and keeps inner ones on one line.
struct Layout {
    level: usize,
    empty: bool,
}

impl Layout {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level += 1;
        self.empty = true;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level -= 1;
        if !self.empty && self.level < INDENTED_LEVELS {
            self.new_line(out)?;
        }
        self.empty = false;
        out.write_all(bracket)
    }

    fn item<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        let indented = self.level <= INDENTED_LEVELS;
        match (first, indented) {
            (true, _) => {}
            (false, true) => out.write_all(b",")?,
            (false, false) => out.write_all(b", ")?,
        }
        if indented { self.new_line(out) } else { Ok(()) }
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.level).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.empty = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.empty = false;
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        write_escaped(text, out)
    }
}

/// Writes part of a JSON string that needs no other escapes, with hidden characters and `<` as `\u`
/// escapes.
pub(super) fn write_escaped<W: ?Sized + Write>(text: &str, out: &mut W) -> io::Result<()> {
    let mut written = 0;
    for (at, c) in text.char_indices().filter(|&(_, c)| c == '<' || is_hidden(c)) {
        out.write_all(&text.as_bytes()[written..at])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        written = at + c.len_utf8();
    }
    out.write_all(&text.as_bytes()[written..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use proptest::prelude::*;

    fn text(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_worked_example_of_the_docs_is_what_is_written() {
        let docs = include_str!("../../../docs/report.md");
        let start = docs.find("```json\n").expect("docs/report.md has an example") + 8;
        let example = &docs[start..start + docs[start..].find("```").unwrap()];
        assert_eq!(text(&samples::worked_example()), example);
    }

    #[test]
    fn what_is_written_can_be_read() {
        for report in [samples::worked_example(), samples::hostile("</script>\u{202e}\u{0}🦀")] {
            assert_eq!(read(text(&report).as_bytes()).unwrap(), report);
        }
    }

    #[test]
    fn other_formats_and_versions_are_refused_by_name() {
        let mut report = samples::worked_example();
        report.version = 99;
        let error = read(text(&report).as_bytes()).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("version 99"), "{error}");
        report.format = "other".to_owned();
        assert!(read(text(&report).as_bytes()).unwrap_err().to_string().contains("`other`"));
        assert!(read(&b"[1"[..]).unwrap_err().is_input());
    }

    proptest! {
        #[test]
        fn strings_survive_and_hide_nothing(name in any::<String>()) {
            let report = samples::hostile(&name);
            let text = text(&report);
            prop_assert!(!text.chars().any(|c| c == '<' || (is_hidden(c) && c != '\n')));
            prop_assert_eq!(read(text.as_bytes()).unwrap(), report);
        }
    }
}

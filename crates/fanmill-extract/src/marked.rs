//! The text of a document with marks, for people who want to check what was extracted.
//!
//! Marks are in brackets. They name the document's format, the start of each page, slide, chapter and sheet, and the
//! place of each cell. Text that was set apart is shown in a mark at its place. No text of the document is left out.
//!
//! Cost: O((p + a) log a) for p places and a asides.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::extracted::{Extracted, Location, SetApartText};

impl Extracted {
    /// Returns the text with marks.
    ///
    /// | in the document | in the text |
    /// |---|---|
    /// | an essay in PDF | `[pdf]` |
    /// | its second page | `[page 2]` |
    /// | the cell `B7` of the sheet `Marks` | `[sheet Marks]`, `[cell B7] 12` |
    /// | white text on white | `[white text on white: as a reader does not see it]` |
    pub fn marked(&self) -> String {
        let mut asides: BTreeMap<Key, Vec<&SetApartText>> = BTreeMap::new();
        for aside in &self.asides {
            asides.entry(key(aside.at)).or_default().push(aside);
        }
        let mut out = Marked { text: format!("[{}]\n", self.format.extension()), sheet: None };
        let first = self.places.first().map_or(self.text.len(), |place| place.start as usize);
        out.push(&self.text[..first]);
        for (i, place) in self.places.iter().enumerate() {
            let end = self.places.get(i + 1).map_or(self.text.len(), |next| next.start as usize);
            out.begin(place.at, &self.sheets);
            out.push(&self.text[place.start as usize..end]);
            let is_last = self.places.get(i + 1).is_none_or(|next| next.at != place.at);
            if is_last && let Some(own) = asides.remove(&key(place.at)) {
                for aside in own {
                    out.aside(aside);
                }
            }
        }
        // Asides whose places have no text.
        for aside in asides.into_values().flatten() {
            out.line(&format!("[{}]", aside.at));
            out.aside(aside);
        }
        out.text
    }
}

/// A sort key for places.
type Key = (u8, u32, u32, u32);

fn key(at: Location) -> Key {
    match at {
        Location::Paragraph(number) => (0, number, 0, 0),
        Location::Note(number) => (1, number, 0, 0),
        Location::Slide(number) => (2, number, 0, 0),
        Location::SpeakerNotes(number) => (3, number, 0, 0),
        Location::Cell { sheet, row, column } => (4, sheet, row, column),
        Location::Chapter(number) => (5, number, 0, 0),
        Location::Page(number) => (6, number, 0, 0),
        Location::Attachment(number) => (7, number, 0, 0),
    }
}

/// A marked text under construction.
struct Marked {
    text: String,
    /// Sheet of the last cell written.
    sheet: Option<u32>,
}

impl Marked {
    /// Appends text without its form feeds; the marks replace them.
    fn push(&mut self, text: &str) {
        self.text.extend(text.chars().filter(|&c| c != '\x0c'));
    }

    /// Appends a line of its own.
    fn line(&mut self, line: &str) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes the mark at the beginning of a place. Paragraphs need none.
    fn begin(&mut self, at: Location, sheets: &[String]) {
        match at {
            Location::Paragraph(_) => {}
            Location::Cell { sheet, .. } => {
                if self.sheet.replace(sheet) != Some(sheet) {
                    let name = sheets.get(sheet as usize).map_or("", String::as_str);
                    self.line(&format!("[sheet {}]", in_one_line(name)));
                }
                let _ = write!(self.text, "[{at}] ");
            }
            Location::Note(_)
            | Location::Slide(_)
            | Location::SpeakerNotes(_)
            | Location::Chapter(_)
            | Location::Page(_)
            | Location::Attachment(_) => {
                self.line(&format!("[{at}]"));
            }
        }
    }

    fn aside(&mut self, aside: &SetApartText) {
        let SetApartText { kind, text, .. } = aside;
        self.line(&format!("[{}: {}]", kind.name(), in_one_line(text)));
    }
}

/// Joins the words of a text by single spaces, so that it fits on one line.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extracted::{Format, LocatedSpan, Metadata, Scans, SetApartReason};

    fn marked(
        text: &str,
        places: &[(u32, Location)],
        asides: &[(SetApartReason, Location, &str)],
    ) -> String {
        let aside = |&(kind, at, text): &(SetApartReason, Location, &str)| SetApartText {
            kind,
            at,
            text: text.into(),
        };
        let document = Extracted {
            format: Format::Pdf,
            text: text.to_owned(),
            places: places.iter().map(|&(start, at)| LocatedSpan { start, at }).collect(),
            sheets: vec!["Marks\n2".to_owned()],
            asides: asides.iter().map(aside).collect(),
            flags: Vec::new(),
            unread: None,
            scans: Scans::default(),
            metadata: Metadata::default(),
        };
        document.marked()
    }

    #[test]
    fn pages_and_what_is_set_apart_are_marked_where_they_are() {
        let page = Location::Page;
        let asides = [
            (SetApartReason::White, page(1), "un\nseen"),
            (SetApartReason::Furniture, page(2), "7"),
            (SetApartReason::Tiny, page(9), "small"),
        ];
        let text = marked("one\n\x0ctwo", &[(0, page(1)), (5, page(2))], &asides);
        let expected = "[pdf]\n[page 1]\none\n[white text on white: un seen]\n[page 2]\ntwo\n\
                        [headers, footers and page numbers that repeat: 7]\n[page 9]\n\
                        [text smaller than 3 points: small]\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn cells_are_marked_in_their_rows() {
        let cell = |row, column| Location::Cell { sheet: 0, row, column };
        let places = [(0, cell(1, 1)), (2, cell(1, 2)), (4, cell(3, 27))];
        let text = marked("a\tb\nc\n", &places, &[]);
        assert_eq!(text, "[pdf]\n[sheet Marks 2]\n[cell A1] a\t[cell B1] b\n[cell AA3] c\n");
    }
}

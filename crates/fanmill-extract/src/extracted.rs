//! The result of reading a document.

use std::fmt;

pub use fanmill_text::document::Metadata;
use fanmill_text::document::Outcome;
use fanmill_text::message;
use fanmill_text::message::Message;

/// The text of a document, and what else is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// The format of the document.
    pub format: Format,
    /// The text that a reader sees, with `\n` at the end of each line. Blank only in a PDF of scanned pages, see
    /// [`Extracted::with_text`]. In PDF, a form feed begins each
    /// page after the first; in slides, each slide.
    pub text: String,
    /// Places that parts of the text come from, ascending by `start`. Each reaches to the next one.
    pub places: Vec<LocatedSpan>,
    /// Names of the sheets, in order; [`Location::Cell`] counts them.
    pub sheets: Vec<String>,
    /// Text that a reader does not see as part of the main text, in document order.
    pub asides: Vec<SetApartText>,
    /// Unusual properties of the document, ascending, each once.
    pub flags: Vec<Flag>,
    /// Letters that could not be read.
    pub unread: Option<Unread>,
    /// Pages that were scanned: they have pictures, and hardly any text.
    pub scans: Scans,
    /// Author, date and program, as the document states them.
    pub metadata: Metadata,
}

impl Extracted {
    /// Returns the document if it has text.
    ///
    /// # Errors
    /// If all its pages were scanned.
    pub fn with_text(self) -> Result<Extracted, ReadFailure> {
        if self.text.trim().is_empty() {
            if let Some(failure) = self.scans.failure {
                return Err(ReadFailure::failed(message![
                    "its pages are pictures, and could not be recognised: ",
                    failure
                ]));
            }
            if self.scans.n_empty > 0 {
                let reason = "no text: its pages are pictures, and nothing was recognised in them";
                return Err(ReadFailure::skipped(reason));
            }
            let reason = "no text: its pages are pictures; recognise their text (OCR) first";
            return Err(ReadFailure::skipped(reason));
        }
        Ok(self)
    }

    /// Inserts the text of pages that were scanned, ascending, where the pages are.
    #[must_use]
    pub fn with_recognised(mut self, pages: &[(u32, String)]) -> Extracted {
        if pages.is_empty() {
            return self;
        }
        let places = std::mem::take(&mut self.places);
        let text = std::mem::take(&mut self.text);
        let ends = places.iter().skip(1).map(|next| next.start as usize).chain([text.len()]);
        let read = places.iter().zip(ends);
        let mut parts: Vec<(Location, &str)> =
            read.map(|(place, end)| (place.at, &text[place.start as usize..end])).collect();
        for (page, recognised) in pages {
            let is_before =
                |part: &(Location, &str)| matches!(part.0, Location::Page(other) if other <= *page);
            let next = parts.iter().rposition(is_before).map_or(0, |last| last + 1);
            parts.insert(next, (Location::Page(*page), recognised));
        }
        let mut last = 1;
        for (at, part) in parts {
            let part = part.trim_matches(['\n', '\x0c', ' ']);
            if part.is_empty() {
                continue;
            }
            // A form feed begins each page.
            let page = if let Location::Page(page) = at { page } else { last };
            let n_feeds = page.saturating_sub(last) as usize;
            if n_feeds > 0 && !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.extend(std::iter::repeat_n('\x0c', n_feeds));
            self.places.push(LocatedSpan { start: self.text.len() as u32, at });
            self.text.push_str(part);
            self.text.push('\n');
            last = page;
        }
        self
    }

    /// Returns the place in the document that the byte at `offset` of the text belongs to.
    pub fn at(&self, offset: usize) -> Option<Location> {
        let after = self.places.partition_point(|place| place.start as usize <= offset);
        Some(self.places[after.checked_sub(1)?].at)
    }

    /// Inserts text that a reader does not see ([`SetApartReason::is_disguise`]) into the text, each piece on a line of its
    /// own after the stretch that it is in or before. It also stays among the asides.
    #[must_use]
    pub fn with_hidden(mut self) -> Extracted {
        let hidden = self.asides.iter().filter(|aside| aside.kind.is_disguise());
        let mut lines: Vec<(usize, &str)> =
            hidden.map(|aside| (self.end_of(aside.at), aside.text.trim())).collect();
        // Asides of one place stay in their order.
        lines.sort_by_key(|line| line.0);
        let (mut text, mut from) = (String::with_capacity(self.text.len()), 0);
        let mut places = std::mem::take(&mut self.places).into_iter().peekable();
        for (end, line) in lines {
            let shift = (text.len() - from) as u32;
            while let Some(place) = places.next_if(|place| (place.start as usize) < end) {
                self.places.push(LocatedSpan { start: place.start + shift, ..place });
            }
            text.push_str(&self.text[from..end]);
            from = end;
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(line);
            text.push('\n');
        }
        let shift = (text.len() - from) as u32;
        self.places.extend(places.map(|place| LocatedSpan { start: place.start + shift, ..place }));
        text.push_str(&self.text[from..]);
        self.text = text;
        self
    }

    /// Returns the end of the text of a place, without the form feeds that separate it from the next place. If no text
    /// has that place, returns the end of the whole text.
    fn end_of(&self, at: Location) -> usize {
        let place = self.places.iter().position(|place| place.at == at);
        let next = place.and_then(|place| self.places.get(place + 1));
        let end = next.map_or(self.text.len(), |next| next.start as usize);
        self.text[..end].trim_end_matches('\x0c').len()
    }

    /// Returns the number of words in all asides of a kind.
    pub fn n_words(&self, kind: SetApartReason) -> usize {
        let texts = self.asides.iter().filter(|aside| aside.kind == kind);
        texts.map(|aside| aside.text.split_whitespace().count()).sum()
    }
}

/// A stretch of the text and its place in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocatedSpan {
    /// Offset of its first byte in the text.
    pub start: u32,
    /// Its place in the document.
    pub at: Location,
}

/// A place in a document. All numbers except those of sheets are 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// A paragraph of the body; only paragraphs with text are counted.
    Paragraph(u32),
    /// A paragraph of footnotes and endnotes; only those with text are counted.
    Note(u32),
    /// A slide.
    Slide(u32),
    /// The speaker's notes of a slide.
    SpeakerNotes(u32),
    /// A cell; `sheet` is an index into [`Extracted::sheets`].
    Cell {
        /// The sheet.
        sheet: u32,
        /// The row.
        row: u32,
        /// The column; 1 is `A`.
        column: u32,
    },
    /// A chapter of a book.
    Chapter(u32),
    /// A page.
    Page(u32),
    /// A file attached to a document with pages.
    Attachment(u32),
}

/// Writes `paragraph 12`, `slide 3`, `cell B7`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Location::Paragraph(number) => write!(f, "paragraph {number}"),
            Location::Note(number) => write!(f, "note {number}"),
            Location::Slide(number) => write!(f, "slide {number}"),
            Location::SpeakerNotes(number) => write!(f, "notes of slide {number}"),
            Location::Cell { row, column, .. } => write!(f, "cell {}{row}", column_name(column)),
            Location::Chapter(number) => write!(f, "chapter {number}"),
            Location::Page(number) => write!(f, "page {number}"),
            Location::Attachment(number) => write!(f, "attached file {number}"),
        }
    }
}

/// Returns the name of a column: `A` for 1, `Z` for 26, `AA` for 27.
fn column_name(mut column: u32) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        column -= 1;
        letters.push(char::from(b'A' + (column % 26) as u8));
        column /= 26;
    }
    letters.iter().rev().collect()
}

/// Text in the document that is not part of what a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetApartText {
    /// The reason why it is set apart.
    pub kind: SetApartReason,
    /// Its place. Deleted and hidden text has the number of the paragraph that it is in or before.
    pub at: Location,
    /// The text.
    pub text: String,
}

/// Reasons for setting text apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SetApartReason {
    /// Deleted, but kept by change tracking.
    Deleted,
    /// Moved away from here by a tracked change. At its new place it is part of the text.
    Moved,
    /// Marked as hidden.
    Hidden,
    /// White on white.
    White,
    /// Smaller than 3 points.
    Tiny,
    /// Outside the page.
    OffPage,
    /// Underneath a picture or a filled area.
    Covered,
    /// Headers, footers and page numbers, which repeat from page to page.
    Furniture,
    /// A comment.
    Comment,
}

impl SetApartReason {
    /// All of them, ascending.
    pub const ALL: [SetApartReason; 9] = [
        SetApartReason::Deleted,
        SetApartReason::Moved,
        SetApartReason::Hidden,
        SetApartReason::White,
        SetApartReason::Tiny,
        SetApartReason::OffPage,
        SetApartReason::Covered,
        SetApartReason::Furniture,
        SetApartReason::Comment,
    ];

    /// Returns true if the text is in the document but formatted so that a reader does not see it.
    pub fn is_disguise(self) -> bool {
        match self {
            SetApartReason::Hidden
            | SetApartReason::White
            | SetApartReason::Tiny
            | SetApartReason::OffPage
            | SetApartReason::Covered => true,
            SetApartReason::Deleted
            | SetApartReason::Moved
            | SetApartReason::Furniture
            | SetApartReason::Comment => false,
        }
    }

    /// Returns its name in messages: `hidden text`.
    pub fn name(self) -> &'static str {
        match self {
            SetApartReason::Deleted => "deleted text of tracked changes",
            SetApartReason::Moved => "moved text of tracked changes",
            SetApartReason::Hidden => "hidden text",
            SetApartReason::White => "white text on white",
            SetApartReason::Tiny => "text smaller than 3 points",
            SetApartReason::OffPage => "text outside the page",
            SetApartReason::Covered => "text below pictures or filled areas",
            SetApartReason::Furniture => "headers, footers and page numbers that repeat",
            SetApartReason::Comment => "comments",
        }
    }
}

/// Letters that are drawn on pages without anything to say which characters they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// Percentage of the letters on the pages from `first` to `last`, rounded up.
    pub percent: u32,
    /// The first page with such letters, from 1.
    pub first: u32,
    /// The last page with such letters.
    pub last: u32,
}

/// Writes `78 % of the letters on pages 3 to 40`.
impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unread { percent, first, last } = self;
        if first == last {
            write!(f, "{percent} % of the letters on page {first}")
        } else {
            write!(f, "{percent} % of the letters on pages {first} to {last}")
        }
    }
}

/// Pages of a document that were scanned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scans {
    /// Those whose text is not known, ascending, from 1.
    pub unread: Vec<u32>,
    /// Number of those whose text was recognised.
    pub n_recognised: u64,
    /// Number of those in which nothing was recognised.
    pub n_empty: u64,
    /// The reason why the first of the unread ones could not be recognised.
    pub failure: Option<Message>,
}

/// An unusual property of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// Macros, which are not read.
    Macros,
    /// A part is damaged or cut off; the text contains what comes before.
    Damaged,
    /// More pages, glyphs on a page or nested forms than are read.
    Limit,
    /// A document that gives other letters than its fonts draw; the text by the fonts follows that by the document.
    TwoReadings,
    /// Documents inside the document that are not read.
    Embedded,
}

impl Flag {
    /// All of them, ascending.
    pub const ALL: [Flag; 5] =
        [Flag::Macros, Flag::Damaged, Flag::Limit, Flag::TwoReadings, Flag::Embedded];
}

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A Word document (Office Open XML).
    Docx,
    /// PowerPoint slides.
    Pptx,
    /// An Excel workbook.
    Xlsx,
    /// An OpenDocument text.
    Odt,
    /// OpenDocument slides.
    Odp,
    /// An OpenDocument workbook.
    Ods,
    /// An EPUB book.
    Epub,
    /// Rich Text Format.
    Rtf,
    /// A MATLAB live script.
    Mlx,
    /// A Scratch project, or one of its sprites.
    Sb3,
    /// An App Inventor project.
    Aia,
    /// PDF: pages as they are printed.
    Pdf,
    /// PostScript: a program that draws pages.
    PostScript,
    /// A Word document in the format used before 2007.
    Doc,
}

impl Format {
    /// Returns the usual file extension.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Docx => "docx",
            Format::Pptx => "pptx",
            Format::Xlsx => "xlsx",
            Format::Odt => "odt",
            Format::Odp => "odp",
            Format::Ods => "ods",
            Format::Epub => "epub",
            Format::Rtf => "rtf",
            Format::Mlx => "mlx",
            Format::Sb3 => "sb3",
            Format::Aia => "aia",
            Format::Pdf => "pdf",
            Format::PostScript => "ps",
            Format::Doc => "doc",
        }
    }
}

/// The reason why a document is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFailure {
    /// Either skipped by a rule, or failed because it cannot be read.
    pub outcome: Outcome,
    /// The reason, for a notice.
    pub reason: Message,
}

impl ReadFailure {
    /// Creates the reason for a document that a rule skips.
    pub fn skipped(reason: impl Into<Message>) -> ReadFailure {
        ReadFailure { outcome: Outcome::Skipped, reason: reason.into() }
    }

    /// Creates the reason for a document that cannot be read.
    pub fn failed(reason: impl Into<Message>) -> ReadFailure {
        ReadFailure { outcome: Outcome::Failed, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extracted(paragraphs: &[(u32, &str)], asides: &[(SetApartReason, u32, &str)]) -> Extracted {
        let (mut text, mut places) = (String::new(), Vec::new());
        for (number, paragraph) in paragraphs {
            places.push(LocatedSpan { start: text.len() as u32, at: Location::Paragraph(*number) });
            text.push_str(paragraph);
        }
        let aside = |&(kind, number, text): &(SetApartReason, u32, &str)| SetApartText {
            kind,
            at: Location::Paragraph(number),
            text: text.to_owned(),
        };
        Extracted {
            format: Format::Docx,
            text,
            places,
            sheets: Vec::new(),
            asides: asides.iter().map(aside).collect(),
            flags: Vec::new(),
            unread: None,
            scans: Scans::default(),
            metadata: Metadata::default(),
        }
    }

    #[test]
    fn hidden_text_follows_the_place_that_it_is_in() {
        let found = extracted(
            &[(1, "one\n"), (2, "two\n\n\x0c"), (3, "three\n")],
            &[
                (SetApartReason::White, 2, "white "),
                (SetApartReason::Comment, 2, "a comment"),
                (SetApartReason::Tiny, 1, "tiny"),
                (SetApartReason::Hidden, 2, "hidden"),
                (SetApartReason::OffPage, 9, "beside"),
            ],
        );
        let read = found.clone().with_hidden();
        assert_eq!(read.text, "one\ntiny\ntwo\n\nwhite\nhidden\n\x0cthree\nbeside\n");
        assert_eq!(read.asides, found.asides);
        let at = |word: &str| read.at(read.text.find(word).expect("a word"));
        for (word, number) in [("one", 1), ("tiny", 1), ("two", 2), ("hidden", 2), ("three", 3)] {
            assert_eq!(at(word), Some(Location::Paragraph(number)), "{word}");
        }
    }

    #[test]
    fn recognised_pages_come_where_they_are() {
        let page = |start, number| LocatedSpan { start, at: Location::Page(number) };
        let document = |text: &str, places: &[LocatedSpan]| Extracted {
            format: Format::Pdf,
            text: text.to_owned(),
            places: places.to_vec(),
            ..extracted(&[], &[])
        };
        let read = document("one\n\n\x0c\x0cthree\n", &[page(0, 1), page(7, 3)]);
        let pages = [(2, "two \n\x0c".to_owned()), (4, " ".to_owned()), (5, "five".to_owned())];
        let whole = read.with_recognised(&pages);
        assert_eq!(whole.text, "one\n\n\x0ctwo\n\n\x0cthree\n\n\x0c\x0cfive\n");
        assert_eq!(whole.places, [page(0, 1), page(6, 2), page(12, 3), page(21, 5)]);
        let attached = LocatedSpan { start: 4, at: Location::Attachment(1) };
        let read = document("one\nfile\n", &[page(0, 1), attached]);
        let whole = read.with_recognised(&[(2, "two".to_owned())]);
        assert_eq!(whole.text, "one\n\n\x0ctwo\nfile\n");
        assert_eq!(whole.places, [page(0, 1), page(6, 2), LocatedSpan { start: 10, ..attached }]);
        let scanned = document("", &[]).with_recognised(&[(2, "alone".to_owned())]);
        assert_eq!((&*scanned.text, &scanned.places[..]), ("\x0calone\n", &[page(1, 2)][..]));
        assert!(scanned.with_text().is_ok());
        let reason = document("", &[]).with_text().expect_err("nothing").reason.to_string();
        assert!(reason.starts_with("no text: its pages are pictures"), "{reason}");
    }

    #[test]
    fn nothing_hidden_changes_nothing() {
        let found = extracted(&[(1, "one\n"), (2, "two\n")], &[(SetApartReason::Moved, 1, "gone")]);
        assert_eq!(found.clone().with_hidden(), found);
    }
}

//! What is read of a document.

use std::fmt;

use fanmill::document::Outcome;

/// The text of a document, and what else is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// What the document is.
    pub format: Format,
    /// The text that a reader sees, with `\n` at the end of each line. Never blank. In PDF, a form feed begins each page
    /// after the first.
    pub text: String,
    /// Where the text stands, ascending by `start`: each place reaches to the next one.
    pub places: Vec<Place>,
    /// Names of the sheets, in their order; [`At::Cell`] counts them.
    pub sheets: Vec<String>,
    /// What a reader does not see as part of the text, in the order of the document.
    pub asides: Vec<Aside>,
    /// What is unusual about the document, ascending, each once.
    pub flags: Vec<Flag>,
    /// Who wrote it, when and with what.
    pub metadata: Metadata,
}

impl Extracted {
    /// Where the byte of the text at `offset` stands.
    pub fn at(&self, offset: usize) -> Option<At> {
        let after = self.places.partition_point(|place| place.start as usize <= offset);
        Some(self.places[after.checked_sub(1)?].at)
    }

    /// Words of all asides of a kind.
    pub fn n_words(&self, kind: AsideKind) -> usize {
        let texts = self.asides.iter().filter(|aside| aside.kind == kind);
        texts.map(|aside| aside.text.split_whitespace().count()).sum()
    }
}

/// A stretch of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its first byte in the text.
    pub start: u32,
    /// Where that stands in the document.
    pub at: At,
}

/// Where something stands in a document. All numbers but those of sheets are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A paragraph of the body, among those that have text.
    Paragraph(u32),
    /// A paragraph of foot- and endnotes, likewise.
    Note(u32),
    /// A slide.
    Slide(u32),
    /// The speaker's notes of a slide.
    SpeakerNotes(u32),
    /// A cell; `sheet` is an index in [`Extracted::sheets`].
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
}

/// `paragraph 12`, `slide 3`, `cell B7`.
impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            At::Paragraph(number) => write!(f, "paragraph {number}"),
            At::Note(number) => write!(f, "note {number}"),
            At::Slide(number) => write!(f, "slide {number}"),
            At::SpeakerNotes(number) => write!(f, "notes of slide {number}"),
            At::Cell { row, column, .. } => write!(f, "cell {}{row}", column_name(column)),
            At::Chapter(number) => write!(f, "chapter {number}"),
            At::Page(number) => write!(f, "page {number}"),
        }
    }
}

/// `A` for 1, `Z` for 26, `AA` for 27.
fn column_name(mut column: u32) -> String {
    let mut letters = Vec::new();
    while column > 0 {
        column -= 1;
        letters.push(char::from(b'A' + (column % 26) as u8));
        column /= 26;
    }
    letters.iter().rev().collect()
}

/// Text that is in the document and not part of what a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Why it is set apart.
    pub kind: AsideKind,
    /// Where it stands; deleted and hidden text has the number of the paragraph that it is in or before.
    pub at: At,
    /// The text.
    pub text: String,
}

/// Why text is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AsideKind {
    /// Deleted, and kept by the change tracking.
    Deleted,
    /// Moved away from here by a tracked change. Where it moved to, it is part of the text.
    Moved,
    /// Said to be hidden.
    Hidden,
    /// White on white.
    White,
    /// Smaller than 3 points.
    Tiny,
    /// Beside the page.
    OffPage,
    /// Headers, footers and page numbers, which repeat.
    Furniture,
    /// A comment.
    Comment,
}

impl AsideKind {
    /// All of them, ascending.
    pub const ALL: [AsideKind; 8] = [
        AsideKind::Deleted,
        AsideKind::Moved,
        AsideKind::Hidden,
        AsideKind::White,
        AsideKind::Tiny,
        AsideKind::OffPage,
        AsideKind::Furniture,
        AsideKind::Comment,
    ];

    /// What it is called in messages: `hidden text`.
    pub fn name(self) -> &'static str {
        match self {
            AsideKind::Deleted => "deleted text of tracked changes",
            AsideKind::Moved => "moved text of tracked changes",
            AsideKind::Hidden => "hidden text",
            AsideKind::White => "white text on white",
            AsideKind::Tiny => "text smaller than 3 points",
            AsideKind::OffPage => "text outside the page",
            AsideKind::Furniture => "headers, footers and page numbers that repeat",
            AsideKind::Comment => "comments",
        }
    }
}

/// What is unusual about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flag {
    /// It has macros, which are not read.
    Macros,
    /// Some part is damaged or cut off; the text has what comes before.
    Damaged,
    /// More pages, glyphs of a page or forms inside forms than are read.
    Limit,
    /// Fonts that say no characters for many of their glyphs.
    Unmapped,
}

impl Flag {
    /// All of them, ascending.
    pub const ALL: [Flag; 4] = [Flag::Macros, Flag::Damaged, Flag::Limit, Flag::Unmapped];
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A Word document.
    Docx,
    /// Slides of PowerPoint.
    Pptx,
    /// A workbook of Excel.
    Xlsx,
    /// A text in OpenDocument.
    Odt,
    /// Slides in OpenDocument.
    Odp,
    /// A workbook in OpenDocument.
    Ods,
    /// A book.
    Epub,
    /// Rich text.
    Rtf,
    /// Pages as they are printed.
    Pdf,
}

impl Format {
    /// The extension that its files usually have.
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
            Format::Pdf => "pdf",
        }
    }
}

/// What a document says of itself. None of it is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Who created it.
    pub author: Option<String>,
    /// Who saved it last.
    pub last_author: Option<String>,
    /// When it was created, as it says itself, usually in ISO 8601.
    pub created: Option<String>,
    /// The program that wrote it.
    pub program: Option<String>,
    /// Word's numbers of editing sessions, ascending. Two documents share one if both descend from one file.
    pub revision_ids: Vec<u32>,
}

/// Why a document is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Whether a rule left it out, or it cannot be read.
    pub outcome: Outcome,
    /// The reason, for a notice.
    pub reason: String,
}

impl Unread {
    pub(crate) fn skipped(reason: impl Into<String>) -> Unread {
        Unread { outcome: Outcome::Skipped, reason: reason.into() }
    }

    pub(crate) fn failed(reason: impl Into<String>) -> Unread {
        Unread { outcome: Outcome::Failed, reason: reason.into() }
    }
}

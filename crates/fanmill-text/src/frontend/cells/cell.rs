//! Cells: the stretches of a document that mixes prose and code, as its notation gives them.
//!
//! Cost: a copy of the document's text, and 16 bytes for each run of its lines.

use std::ops::Range;

use crate::frontend::offset_map::OffsetMap;

/// The kind of content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellKind {
    /// A program, in the cell's language.
    Code,
    /// Prose in Markdown, or a heading of a notebook in nbformat 3.
    Markdown,
    /// Prose in LaTeX.
    Latex,
    /// Text that is passed on as it is.
    Raw,
}

/// One cell of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Kind of content.
    pub kind: CellKind,
    /// The language of a code cell, in lower case, as the document names it: `python`, `r`, `bash`. `None` for prose,
    /// and if no language is named.
    pub language: Option<String>,
    /// True if it is read on from the cell of prose before it, as one text; otherwise nothing that is open at the end
    /// of one cell, such as a comment, reaches into the next.
    pub continues: bool,
    pub(super) source: String,
    /// Map from the source to the document's text, up to the cell's end.
    pub(super) way: OffsetMap,
}

impl Cell {
    /// Returns the text of the cell, without the escapes and marks of its notation.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// The cells of a text whose cells are stretches of it.
pub(super) struct CellBuilder<'a> {
    text: &'a str,
    /// Kind of the prose.
    prose: CellKind,
    cells: Vec<Cell>,
    n_code: usize,
}

impl<'a> CellBuilder<'a> {
    /// Creates an empty list of the cells of `text`, whose prose is of the kind `prose`.
    pub(super) fn new(text: &'a str, prose: CellKind) -> CellBuilder<'a> {
        CellBuilder { text, prose, cells: Vec::new(), n_code: 0 }
    }

    /// Appends prose. Ranges of all cells ascend.
    pub(super) fn prose(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        match self.cells.last_mut() {
            Some(last) if last.continues => last.extend(self.text, range),
            _ => {
                let mut cell = Cell::empty(self.prose, None);
                cell.continues = true;
                cell.extend(self.text, range);
                self.cells.push(cell);
            }
        }
    }

    /// Appends a cell of code: stretches of the text, joined without anything between. One that is blank is left out.
    pub(super) fn code(
        &mut self,
        language: Option<String>,
        ranges: impl IntoIterator<Item = Range<usize>>,
    ) {
        let mut cell = Cell::empty(CellKind::Code, language);
        for range in ranges {
            cell.extend(self.text, range);
        }
        self.n_code += 1;
        if !cell.source.trim().is_empty() {
            self.cells.push(cell);
        }
    }

    /// Returns the cells; `None` if there was no code, not even an empty cell of it.
    pub(super) fn finish(self) -> Option<Vec<Cell>> {
        (self.n_code > 0).then_some(self.cells)
    }
}

impl Cell {
    /// Creates a cell without text.
    pub(super) fn empty(kind: CellKind, language: Option<String>) -> Cell {
        let (source, way) = (String::new(), OffsetMap::new());
        Cell { kind, language, continues: false, source, way }
    }

    fn extend(&mut self, text: &str, range: Range<usize>) {
        self.way.skip(range.start - self.way.in_len());
        self.way.copy(range.len());
        self.source.push_str(&text[range]);
    }
}

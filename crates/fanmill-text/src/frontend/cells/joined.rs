//! The texts of a document of cells: one for each front end, of all cells that it reads.
//!
//! The code of a document is one text, equal to that of a program that was cut into cells, however short they are.
//! Each cell is read by itself (`pieces`), since a string or a comment that one cell leaves open must not hide the
//! next one. A blank line or the like comes between two cells.
//!
//! Cost: O(n), and a binary search for each cell whose text was folded.

use std::ops::Range;
use std::sync::Arc;

use super::cell::Cell;
use crate::frontend::decoded::Decoded;
use crate::frontend::front_end::FrontEnd;
use crate::frontend::offset_map::OffsetMap;
use crate::frontend::text::{DocumentDecoding, Text};

/// The cells of a document that one front end reads.
#[derive(Debug)]
pub struct CellText<'r> {
    /// The front end.
    pub front_end: &'r dyn FrontEnd,
    /// The text of the cells, folded; its spans lead to the bytes of the document.
    pub text: Text<'static>,
    /// Bytes of the folded text that are read as one: ascending, and together all of it.
    pub pieces: Vec<Range<usize>>,
    /// Bytes of the folded text at which cells begin: ascending. Other cells may come before them in the document.
    pub starts: Vec<usize>,
}

/// Returns the texts of `cells`, in the order in which their front ends occur. `choose` gives the front end of a cell.
pub fn join<'r>(
    cells: &[Cell],
    document: &Decoded<'_>,
    choose: &dyn Fn(&Cell) -> &'r dyn FrontEnd,
) -> Vec<CellText<'r>> {
    let mut drafts: Vec<Draft<'r>> = Vec::new();
    for cell in cells {
        let front_end = choose(cell);
        let known = drafts.iter().position(|draft| draft.front_end.name() == front_end.name());
        let number = known.unwrap_or(drafts.len());
        if known.is_none() {
            drafts.push(Draft::new(front_end));
        }
        drafts[number].push(cell);
    }
    let whole = DocumentDecoding::from_decoded(document);
    drafts.into_iter().map(|draft| draft.finish(document.text.len(), &whole)).collect()
}

/// Returns the texts of `cells`, one for each of them.
pub fn each<'r>(
    cells: &[Cell],
    document: &Decoded<'_>,
    choose: &dyn Fn(&Cell) -> &'r dyn FrontEnd,
) -> Vec<CellText<'r>> {
    let whole = DocumentDecoding::from_decoded(document);
    let text = |cell: &Cell| {
        let mut draft = Draft::new(choose(cell));
        draft.push(cell);
        draft.finish(document.text.len(), &whole)
    };
    cells.iter().map(text).collect()
}

impl DocumentDecoding {
    fn from_decoded(document: &Decoded<'_>) -> DocumentDecoding {
        let Decoded { ref map, encoding, certainty, .. } = *document;
        DocumentDecoding { map: Arc::new(map.clone()), encoding, certainty }
    }
}

/// The cells of one front end, before they are folded.
struct Draft<'r> {
    front_end: &'r dyn FrontEnd,
    source: String,
    way: OffsetMap,
    /// Offsets in the source at which cells begin.
    starts: Vec<usize>,
    /// Flags of cells of prose that may be continued.
    continues: Vec<bool>,
}

impl<'r> Draft<'r> {
    fn new(front_end: &'r dyn FrontEnd) -> Draft<'r> {
        let (source, way) = (String::new(), OffsetMap::new());
        Draft { front_end, source, way, starts: Vec::new(), continues: Vec::new() }
    }

    fn push(&mut self, cell: &Cell) {
        let is_apart = !self.source.is_empty() && !self.source.ends_with(['\n', '\r']);
        // The line feed comes from the first byte of what lies between the cells in the document.
        if is_apart && cell.way.first_in() > self.way.in_len() {
            self.source.push('\n');
            self.way.unit(1, 1);
        }
        self.starts.push(self.source.len());
        self.continues.push(cell.continues);
        self.source.push_str(&cell.source);
        self.way.append(&cell.way);
    }

    fn finish(mut self, document: usize, whole: &DocumentDecoding) -> CellText<'r> {
        self.way.skip(document - self.way.in_len());
        let folding = self.front_end.folding();
        let text = Text::from_part(&self.source, self.way, whole, folding, &mut self.starts);
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let ends = self.starts.iter().skip(1).copied().chain([text.as_str().len()]);
        let mut is_open = false;
        for ((&start, end), &continues) in self.starts.iter().zip(ends).zip(&self.continues) {
            match pieces.last_mut() {
                Some(last) if is_open && continues => last.end = end,
                _ => pieces.push(start..end),
            }
            is_open = continues;
        }
        CellText { front_end: self.front_end, text, pieces, starts: self.starts }
    }
}

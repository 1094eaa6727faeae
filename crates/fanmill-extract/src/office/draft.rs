//! A text under construction: its lines, their places, and the text that is set apart.
//!
//! A text box or a note is inside a paragraph, so lines nest: a line that ends is written before the line around it.
//! Notes are kept until the end. Once the text is over its limit nothing more is added, and the document is not read.

use std::borrow::Cow;

use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::message;

use super::limits::Limits;
use crate::extracted::{
    Extracted, Flag, Format, LocatedSpan, Location, Metadata, ReadFailure, Scans, SetApartReason,
    SetApartText,
};

/// Maximum number of lines open inside each other. Text boxes nest once or twice; deeper ones become part of the line
/// around them.
const OPEN_LINES: usize = 32;

/// The place of white letters within a line. No text has this character, since control characters are read as blanks.
const GAP: char = '\u{1}';

/// The part of the text that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineTarget {
    /// A paragraph of the body.
    Body,
    /// A paragraph of a table in the body.
    Table,
    /// A paragraph of a note.
    Notes,
    /// A line of a slide, of its notes, or of a chapter.
    In(Location),
}

/// A text under construction.
#[derive(Debug)]
pub(super) struct Draft {
    out: LocatedText,
    notes: LocatedText,
    lines: Vec<String>,
    /// Number of open lines, including those that are too deep.
    n_open: usize,
    asides: Vec<SetApartText>,
    /// If set, the next text of an aside continues the last one.
    is_same_aside: bool,
    n_paragraphs: u32,
    n_notes: u32,
    /// Number of bytes that may still be added.
    left: usize,
    is_full: bool,
    pub(super) sheets: Vec<String>,
    /// Number of documents inside it.
    pub(super) n_embedded: usize,
    flags: Vec<Flag>,
    pub(super) metadata: Metadata,
}

/// Text with its places.
#[derive(Debug, Default)]
struct LocatedText {
    text: String,
    places: Vec<LocatedSpan>,
    /// The slide reached so far, from 1; 0 before the first.
    slide: u32,
}

impl LocatedText {
    fn mark(&mut self, at: Location) {
        if let Location::Slide(slide) | Location::SpeakerNotes(slide) = at {
            // Form feeds separate slides as they do pages; a slide without text is between two of them.
            let n_before = slide.saturating_sub(self.slide.max(1));
            self.text.extend(std::iter::repeat_n('\x0c', n_before as usize));
            self.slide = self.slide.max(slide);
        }
        if self.places.last().is_none_or(|last| last.at != at) {
            self.places.push(LocatedSpan { start: self.text.len() as u32, at });
        }
    }
}

impl Draft {
    pub(super) fn new(limits: &Limits) -> Draft {
        // Positions are 32-bit numbers.
        let left = limits.part_bytes.min(u64::from(u32::MAX / 2)) as usize;
        Draft {
            out: LocatedText::default(),
            notes: LocatedText::default(),
            lines: Vec::new(),
            n_open: 0,
            asides: Vec::new(),
            is_same_aside: false,
            n_paragraphs: 0,
            n_notes: 0,
            left,
            is_full: false,
            sheets: Vec::new(),
            n_embedded: 0,
            flags: Vec::new(),
            metadata: Metadata::default(),
        }
    }

    pub(super) fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    /// Returns whether nothing more can be added.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns whether a line is open.
    pub(super) fn has_line(&self) -> bool {
        self.n_open > 0
    }

    /// Begins a line inside the open ones.
    pub(super) fn open_line(&mut self) {
        self.n_open += 1;
        if self.n_open <= OPEN_LINES {
            self.lines.push(String::new());
        } else {
            self.push(" ");
        }
    }

    /// Appends text to the innermost line, if one is open.
    pub(super) fn push(&mut self, text: &str) {
        if self.lines.is_empty() || !self.takes(text.len()) {
            return;
        }
        self.is_same_aside = false;
        if let Some(line) = self.lines.last_mut() {
            // Control characters are not part of a text, and XML forbids most of them.
            let shown = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
            line.extend(text.chars().map(shown));
        }
    }

    /// Appends text whose white space only separates words.
    pub(super) fn push_flowing(&mut self, text: &str) {
        let mut is_blank = self.lines.last().is_none_or(|line| line.ends_with(char::is_whitespace));
        let mut flowing = String::with_capacity(text.len());
        for c in text.chars() {
            let is_space = c.is_ascii_whitespace();
            if !(is_space && is_blank) {
                flowing.push(if is_space { ' ' } else { c });
            }
            is_blank = is_space;
        }
        self.push(&flowing);
    }

    /// Ends the innermost line. A line without text leaves no trace.
    pub(super) fn close_line(&mut self, stream: LineTarget) {
        self.is_same_aside = false;
        self.n_open = self.n_open.saturating_sub(1);
        if self.n_open < self.lines.len()
            && let Some(line) = self.lines.pop()
        {
            self.write(&line, stream);
        }
    }

    fn write(&mut self, line: &str, stream: LineTarget) {
        let line = with_blanks(line);
        let line = line.trim_end();
        if line.trim().is_empty() || !self.takes(size_of::<LocatedSpan>()) {
            return;
        }
        let (gap, at) = match stream {
            LineTarget::Body | LineTarget::Table => {
                self.n_paragraphs += 1;
                let gap = if stream == LineTarget::Body { "\n" } else { "" };
                (gap, Location::Paragraph(self.n_paragraphs))
            }
            LineTarget::Notes => {
                self.n_notes += 1;
                ("\n", Location::Note(self.n_notes))
            }
            LineTarget::In(at @ Location::Chapter(_)) => ("\n", at),
            LineTarget::In(at) => ("", at),
        };
        let out = if stream == LineTarget::Notes { &mut self.notes } else { &mut self.out };
        if !out.text.is_empty() {
            out.text.push_str(gap);
        }
        out.mark(at);
        out.text.push_str(line);
        out.text.push('\n');
    }

    /// Appends a cell to a row of the body, which [`end_row`](Draft::end_row) ends.
    pub(super) fn cell(&mut self, at: Location, text: &str) {
        let text = text.trim();
        if text.is_empty() || !self.takes(text.len() + 1 + size_of::<LocatedSpan>()) {
            return;
        }
        let out = &mut self.out;
        if !out.text.is_empty() && !out.text.ends_with('\n') {
            out.text.push('\t');
        }
        out.mark(at);
        out.text.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    }

    pub(super) fn end_row(&mut self) {
        if !self.out.text.is_empty() && !self.out.text.ends_with('\n') {
            self.out.text.push('\n');
        }
    }

    /// Adds text that is not seen. Adjacent pieces are one aside. White letters take room, so that what is around them
    /// may be words of their own, and a white blank is a blank.
    pub(super) fn aside(&mut self, kind: SetApartReason, at: Location, text: &str) {
        let is_blank = text.trim().is_empty();
        if kind == SetApartReason::White {
            if is_blank && !self.is_same_aside {
                return self.push(text);
            }
            if let Some(line) = self.lines.last_mut()
                && !line.is_empty()
                && !line.ends_with(GAP)
            {
                line.push(GAP);
            }
        }
        if !self.takes(text.len()) {
            return;
        }
        match self.asides.last_mut() {
            Some(last) if self.is_same_aside && last.kind == kind && last.at == at => {
                last.text.push_str(text);
            }
            // An aside of blanks is useless.
            _ if is_blank => {}
            _ => {
                let overhead = size_of::<SetApartText>();
                if self.takes(overhead) {
                    self.asides.push(SetApartText { kind, at, text: text.to_owned() });
                    self.is_same_aside = true;
                }
            }
        }
    }

    /// Separates the next aside from the last one.
    pub(super) fn end_aside(&mut self) {
        self.is_same_aside = false;
    }

    /// Returns the place of the line that is being written.
    pub(super) fn here(&self, stream: LineTarget) -> Location {
        match stream {
            LineTarget::Body | LineTarget::Table => Location::Paragraph(self.n_paragraphs + 1),
            LineTarget::Notes => Location::Note(self.n_notes + 1),
            LineTarget::In(at) => at,
        }
    }

    fn takes(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) if !self.is_full => self.left = left,
            _ => self.is_full = true,
        }
        !self.is_full
    }

    /// Returns the document with everything that was written.
    pub(super) fn finish(
        mut self,
        format: Format,
        limits: &Limits,
    ) -> Result<Extracted, ReadFailure> {
        while self.has_line() {
            self.close_line(LineTarget::Body);
        }
        if self.is_full {
            let limit = counted(limits.part_bytes, "byte", "bytes");
            return Err(ReadFailure::skipped(message![
                "its text is over the limit of {limit} a file; raise ",
                Setting("max-file-bytes")
            ]));
        }
        let LocatedText { mut text, mut places, .. } = self.out;
        if !self.notes.text.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            // Notes come after the body, so their places move.
            let shift = text.len() as u32;
            let moved =
                |place: &LocatedSpan| LocatedSpan { start: place.start + shift, at: place.at };
            places.extend(self.notes.places.iter().map(moved));
            text.push_str(&self.notes.text);
        }
        if text.trim().is_empty() {
            let unseen = "no text that a reader sees; all of it is hidden, deleted or a comment";
            return Err(ReadFailure::skipped(if self.asides.is_empty() {
                "no text"
            } else {
                unseen
            }));
        }
        self.flags.sort_unstable();
        self.metadata.revision_ids.sort_unstable();
        self.metadata.revision_ids.dedup();
        Ok(Extracted {
            format,
            text,
            places,
            sheets: self.sheets,
            asides: self.asides,
            flags: self.flags,
            unread: None,
            scans: Scans::default(),
            metadata: self.metadata,
        })
    }
}

/// Puts blanks in the place of white letters that are used as such: where there is no other blank on either side, up to
/// the next white letters. Others are within a word or beside a blank, and whoever wrote them wants words to differ.
fn with_blanks(line: &str) -> Cow<'_, str> {
    if !line.contains(GAP) {
        return Cow::Borrowed(line);
    }
    let mut whole = String::with_capacity(line.len());
    let mut pieces = line.split(GAP).peekable();
    let has_blank = |piece: &str| piece.contains(char::is_whitespace);
    while let Some(piece) = pieces.next() {
        whole.push_str(piece);
        if pieces.peek().is_some_and(|next| !has_blank(piece) && !has_blank(next)) {
            whole.push(' ');
        }
    }
    Cow::Owned(whole)
}

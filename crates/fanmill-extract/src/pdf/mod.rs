//! The text of PDF: turns glyphs at positions into lines in reading order.
//!
//! `interpreted` runs the pages and returns their glyphs (`page`), whose characters `fonts` knows; `accents` puts
//! accents on their letters, `pieces` joins glyphs into words and words into pieces of lines, `columns` puts the pieces
//! of a page in order, `direction` turns lines that run from right to left, and `furniture` finds headers, footers and
//! page numbers. Ligatures become letters, and words hyphenated at the end of a line are joined. The text of files that are
//! `attached` follows that of the pages.
//!
//! Text that a reader does not see is set apart, as in [`crate::office`]: text that is invisible (except for text
//! recognised in a scan, which lies over its picture), white on white, tiny, or outside the page.
//!
//! An interpreter of foreign programs has faults. So [`read`] is called in a process of its own ([`crate::cage`]), and
//! a fault ends only that process.
//!
//! Cost: O(n log n) for a page of n glyphs. Memory: the document, the text, and one page.
//! Source: ISO 32000-2 (PDF 2.0), §9.
//! Departs from it: the reading order in tagged documents is not used, because it is wrong in many of them.

pub(crate) mod limits;
mod page;
mod fonts;
mod accents;
mod spans;
mod forms;
mod geometry;
mod annotations;
mod attached;
mod layers;
mod scan;
mod interpreted;
mod direction;
mod pieces;
mod columns;
mod furniture;
#[cfg(test)]
mod made;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod font_tests;

use fanmill_text::Setting;
use fanmill_text::counted::counted;
use fanmill_text::foreign::caught;
use fanmill_text::message;

use self::columns::Line;
use self::fonts::Reading;
use self::interpreted::Pdf;
use self::page::Sight;
use self::scan::Scan;
use crate::extracted::{
    Extracted, Flag, Format, LocatedSpan, Location, ReadFailure, Scans, SetApartReason,
    SetApartText, Unread,
};
use crate::office::Inner;

/// The reason given for a document without pages.
const DAMAGED: &str = "damaged: no pages of PDF can be found in it";

/// Percentage of a document's letters, and of the letters of a page with at least this many, without a character above
/// which they count as unread.
const UNREAD_PERCENT: u32 = 5;
const UNREAD_PAGE_PERCENT: u32 = 20;
const UNREAD_LETTERS: u64 = 50;

/// Percentage of letters that the document and its fonts give differently, in all and on a page, above which both texts
/// are read, and the least number of them.
const OTHER_PERCENT: usize = 7;
const OTHER_PAGE_PERCENT: usize = 20;
const FEWEST_OTHER: usize = 20;

/// Reads a document; `most_bytes` of text at most. `passwords` has one password per line, and the first that opens the
/// document is used; a document that opens without one needs none.
///
/// # Errors
/// If the document is encrypted and no password opens it, damaged beyond reading, over the limit, or has no text.
pub fn read(bytes: &[u8], most_bytes: u64, passwords: &str) -> Result<Extracted, ReadFailure> {
    read_with_scans(bytes, most_bytes, passwords)?.with_text()
}

/// Reads a document as [`read`] does, but also one that has nothing but scanned pages; its text is empty.
///
/// # Errors
/// As [`read`].
pub fn read_with_scans(
    bytes: &[u8],
    most_bytes: u64,
    passwords: &str,
) -> Result<Extracted, ReadFailure> {
    let mut n_pages_left = limits::MOST_PAGES;
    read_to_level(bytes, most_bytes, passwords, limits::LEVELS, &mut n_pages_left)
}

/// Reads a document, and those attached to it up to `levels`, one to the other. `n_pages_left` is the number of pages that
/// may still be read.
fn read_to_level(
    bytes: &[u8],
    most_bytes: u64,
    passwords: &str,
    levels: u32,
    n_pages_left: &mut usize,
) -> Result<Extracted, ReadFailure> {
    let pdf = open(bytes, passwords)?;
    let mut draft = Draft::new(most_bytes);
    draft.read(&pdf, n_pages_left)?;
    if draft.has_two_readings() {
        draft.read_by_fonts(&pdf)?;
    }
    *n_pages_left = (*n_pages_left).min(limits::MOST_ATTACHED_PAGES);
    draft.read_attached(&pdf, passwords, levels, n_pages_left);
    draft.finish(interpreted::metadata(&pdf))
}

/// Returns a page, counted from 1, as a grey picture in the format PGM, at 300 dots an inch or less.
///
/// # Errors
/// If the document cannot be opened, or the page cannot be drawn.
pub fn picture(bytes: &[u8], page: u32, passwords: &str) -> Result<Vec<u8>, ReadFailure> {
    let pdf = open(bytes, passwords)?;
    let index = (page as usize).wrapping_sub(1);
    let scan = caught(|| interpreted::Reader::new(&pdf).scan(index)).flatten();
    scan.map(Scan::into_pgm).ok_or_else(|| ReadFailure::failed("a page that cannot be drawn"))
}

fn open(bytes: &[u8], passwords: &str) -> Result<Pdf, ReadFailure> {
    let opened = caught(|| interpreted::open(bytes, passwords));
    opened.unwrap_or_else(|| Err(ReadFailure::failed(DAMAGED)))
}

/// A document under construction.
#[derive(Debug)]
struct Draft {
    pages: Vec<Vec<Line>>,
    /// The pages as their fonts draw them, if that is another text.
    by_fonts: Vec<Vec<Line>>,
    asides: Vec<SetApartText>,
    flags: Vec<Flag>,
    /// Number of glyphs with and without characters on each page; blanks are not counted.
    glyphs: Vec<(u64, u64)>,
    n_same: usize,
    n_other: usize,
    /// If set, they differ in many letters of a page.
    has_other_page: bool,
    n_pictures: usize,
    /// Pages that were scanned, from 1.
    scans: Scans,
    /// Attached files and their texts.
    attached: Vec<(Location, String)>,
    left: u64,
    most: u64,
}

impl Draft {
    fn new(most: u64) -> Draft {
        // Positions are 32-bit numbers.
        let most = most.min(u64::from(u32::MAX / 2));
        Draft {
            pages: Vec::new(),
            by_fonts: Vec::new(),
            asides: Vec::new(),
            flags: Vec::new(),
            glyphs: Vec::new(),
            n_same: 0,
            n_other: 0,
            has_other_page: false,
            n_pictures: 0,
            scans: Scans::default(),
            attached: Vec::new(),
            left: most,
            most,
        }
    }

    /// Reads all pages, or as many as are left.
    fn read(&mut self, pdf: &Pdf, n_pages_left: &mut usize) -> Result<(), ReadFailure> {
        let mut reader = interpreted::Reader::new(pdf);
        let n_pages = reader.n_pages().min(*n_pages_left);
        *n_pages_left -= n_pages;
        if n_pages < reader.n_pages() {
            self.flag(Flag::Limit);
        }
        for number in 0..n_pages {
            // A fault in one page does not affect the others.
            match caught(|| reader.page(number, Reading::Document)) {
                Some(page) => self.page(number, &page)?,
                None => self.damaged_page(),
            }
        }
        Ok(())
    }

    /// Reads all pages once more, as their fonts draw them. Text that a reader does not see is known already.
    fn read_by_fonts(&mut self, pdf: &Pdf) -> Result<(), ReadFailure> {
        let mut reader = interpreted::Reader::new(pdf);
        for number in 0..self.pages.len() {
            let page = caught(|| reader.page(number, Reading::Fonts)).unwrap_or_else(|| {
                self.flag(Flag::Damaged);
                page::Page::default()
            });
            let mut pieces = pieces::pieces(&page.glyphs);
            pieces.retain(|piece| piece.sight == Sight::Seen);
            let lines = self.lines(&pieces)?;
            self.by_fonts.push(lines);
        }
        self.flag(Flag::TwoReadings);
        Ok(())
    }

    /// Reads the files that are attached to the document, and PDF among them up to `levels`, one attached to the other.
    fn read_attached(&mut self, pdf: &Pdf, passwords: &str, levels: u32, n_pages_left: &mut usize) {
        let read = |bytes: &[u8], most_bytes: u64| {
            let levels = levels.checked_sub(1)?;
            let document = read_to_level(bytes, most_bytes, passwords, levels, n_pages_left);
            document.ok().map(inner)
        };
        // A fault in one of them does not affect the pages.
        let left = &mut self.left;
        let files = caught(|| attached::attached(pdf, left, read)).unwrap_or_else(|| vec![None]);
        attached::flags(&files).for_each(|flag| self.flag(flag));
        for (number, file) in (1..).zip(files) {
            let Some(Inner { text, asides, .. }) = file else { continue };
            let at = Location::Attachment(number);
            self.asides.extend(asides.into_iter().map(|aside| SetApartText { at, ..aside }));
            self.attached.push((at, text));
        }
    }

    /// Returns whether the document and its fonts differ in so many letters that a reader may see another text.
    fn has_two_readings(&self) -> bool {
        self.has_other_page || is_other(self.n_same, self.n_other, OTHER_PERCENT)
    }

    fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    fn page(&mut self, number: usize, page: &page::Page) -> Result<(), ReadFailure> {
        let is_read = |glyph: &&page::Glyph| glyph.sight == Sight::Seen && !glyph.text.is_blank();
        let n_read = page.glyphs.iter().filter(is_read).count();
        self.glyphs.push((n_read as u64, page.n_unmapped as u64));
        self.n_same += page.n_same;
        self.n_other += page.n_other;
        self.has_other_page |= is_other(page.n_same, page.n_other, OTHER_PAGE_PERCENT);
        self.n_pictures += page.n_pictures;
        if page.is_scan {
            self.scans.unread.push(number as u32 + 1);
        }
        if page.is_cut {
            self.flag(Flag::Limit);
        }
        let (seen, unseen): (Vec<_>, Vec<_>) =
            pieces::pieces(&page.glyphs).into_iter().partition(|piece| piece.sight == Sight::Seen);
        for piece in unseen {
            self.count(piece.text.len())?;
            self.aside(number, kind(piece.sight), &piece.text);
        }
        for comment in &page.comments {
            self.count(comment.len())?;
            self.aside(number, SetApartReason::Comment, comment);
        }
        let lines = self.lines(&seen)?;
        self.pages.push(lines);
        Ok(())
    }

    /// Returns the lines of a page, and counts their memory.
    fn lines(&mut self, pieces: &[pieces::Piece]) -> Result<Vec<Line>, ReadFailure> {
        let lines = columns::lines(pieces);
        self.count(lines.iter().map(|line| line.text.len() + size_of::<Line>()).sum())?;
        Ok(lines)
    }

    /// Records a page that cannot be read; it keeps its number.
    fn damaged_page(&mut self) {
        self.flag(Flag::Damaged);
        self.glyphs.push((0, 0));
        self.pages.push(Vec::new());
    }

    fn count(&mut self, bytes: usize) -> Result<(), ReadFailure> {
        let left = self.left.checked_sub(bytes as u64);
        self.left = left.ok_or_else(|| {
            let limit = counted(self.most, "byte", "bytes");
            ReadFailure::skipped(message![
                "its text is over the limit of {limit} a file; raise ",
                Setting("max-file-bytes")
            ])
        })?;
        Ok(())
    }

    fn aside(&mut self, page: usize, kind: SetApartReason, text: &str) {
        let at = Location::Page(page as u32 + 1);
        match self.asides.last_mut() {
            Some(last) if last.kind == kind && last.at == at => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            _ => self.asides.push(SetApartText { kind, at, text: text.to_owned() }),
        }
    }

    fn finish(mut self, metadata: crate::extracted::Metadata) -> Result<Extracted, ReadFailure> {
        let pages = std::mem::take(&mut self.pages);
        let by_fonts = std::mem::take(&mut self.by_fonts);
        let [apart, by_fonts_apart] = [&pages, &by_fonts].map(|pages| furniture::furniture(pages));
        let mut text = TextWriter::default();
        for (number, (lines, apart)) in pages.iter().zip(&apart).enumerate() {
            text.lines(number, lines, apart);
            for &index in apart {
                self.aside(number, SetApartReason::Furniture, &lines[index].text);
            }
            if let Some((lines, apart)) = by_fonts.get(number).zip(by_fonts_apart.get(number)) {
                text.lines(number, lines, apart);
            }
        }
        let mut text = text.end();
        for (at, attached) in &self.attached {
            text.attached(*at, attached);
        }
        let TextWriter { text, places, .. } = text;
        if text.trim().is_empty() && self.scans.unread.is_empty() {
            return Err(self.no_text(pages.len()));
        }
        let unread = unread(&self.glyphs);
        self.flags.sort_unstable();
        let Draft { asides, flags, scans, .. } = self;
        let format = Format::Pdf;
        Ok(Extracted {
            format,
            text,
            places,
            sheets: Vec::new(),
            asides,
            flags,
            unread,
            scans,
            metadata,
        })
    }

    /// Returns the reason why there is no text.
    fn no_text(&self, n_pages: usize) -> ReadFailure {
        let reason = if n_pages == 0 {
            return ReadFailure::failed(DAMAGED);
        } else if !self.asides.is_empty() {
            "no text that a reader sees; all of it is hidden or repeats at the edge of pages"
        } else if self.glyphs.iter().any(|&(_, n_unmapped)| n_unmapped > 0) {
            "no text: its fonts say no characters for what they draw; recognise its text (OCR) first"
        } else if self.n_pictures > 0 {
            "no text: its pages are pictures; recognise their text (OCR) first"
        } else {
            "no text"
        };
        ReadFailure::skipped(reason)
    }
}

/// Returns a document as one inside another, with a flag if a part of it could not be read.
fn inner(document: Extracted) -> Inner {
    let Extracted { text, asides, mut flags, unread, scans, .. } = document;
    if unread.is_some() || !scans.unread.is_empty() {
        flags.push(Flag::Embedded);
    }
    Inner { text, asides, flags }
}

/// Returns whether so many letters are given differently that a reader may see another text.
fn is_other(n_same: usize, n_other: usize, percent: usize) -> bool {
    n_other >= FEWEST_OTHER && n_other * 100 > (n_other + n_same) * percent
}

/// Returns the part of the letters that have no character; `None` if they are a few, as signs in formulas are. `pages`
/// are the numbers of letters with and without one on each page.
fn unread(pages: &[(u64, u64)]) -> Option<Unread> {
    let percent = |pages: &[(u64, u64)]| {
        let n_unmapped: u64 = pages.iter().map(|page| page.1).sum();
        let n_all: u64 = pages.iter().map(|page| page.0 + page.1).sum();
        (n_unmapped * 100).div_ceil(n_all.max(1)) as u32
    };
    let is_many = percent(pages) > UNREAD_PERCENT;
    let has_many = |page: &(u64, u64)| {
        let is_page = page.0 + page.1 >= UNREAD_LETTERS && percent(&[*page]) > UNREAD_PAGE_PERCENT;
        page.1 > 0 && (is_many || is_page)
    };
    let first = pages.iter().position(has_many)?;
    let last = pages.iter().rposition(has_many)?;
    let percent = percent(&pages[first..=last]);
    Some(Unread { percent, first: first as u32 + 1, last: last as u32 + 1 })
}

fn kind(sight: Sight) -> SetApartReason {
    match sight {
        Sight::White => SetApartReason::White,
        Sight::Tiny => SetApartReason::Tiny,
        Sight::OffPage => SetApartReason::OffPage,
        Sight::Covered => SetApartReason::Covered,
        Sight::Seen | Sight::Invisible => SetApartReason::Hidden,
    }
}

/// The text under construction.
#[derive(Debug, Default)]
struct TextWriter {
    text: String,
    places: Vec<LocatedSpan>,
    /// The page reached so far, from 0.
    page: usize,
    /// If set, the text ends with the first part of a word that continues in the next line.
    is_hyphenated: bool,
}

impl TextWriter {
    /// Writes the lines of a reading of a page but those that are set apart, whose ascending indices are given.
    fn lines(&mut self, page: usize, lines: &[Line], apart: &[usize]) {
        // A word goes on on the next page, but not in another reading of this one.
        self.is_hyphenated &= self.page != page;
        let mut left = apart.iter().peekable();
        for (index, line) in lines.iter().enumerate() {
            if left.next_if_eq(&&index).is_none() {
                self.line(page, line);
            }
        }
    }

    fn line(&mut self, page: usize, line: &Line) {
        let mut rest = line.text.trim();
        if rest.is_empty() {
            return;
        }
        if std::mem::take(&mut self.is_hyphenated) {
            rest = self.join(rest);
        }
        self.end_line();
        if rest.is_empty() {
            return;
        }
        if line.is_apart && !self.text.is_empty() {
            self.text.push('\n');
        }
        // Form feeds separate pages, as in plain text; a page without text is between two of them.
        self.text.extend(std::iter::repeat_n('\x0c', page - self.page));
        self.page = page;
        let at = Location::Page(page as u32 + 1);
        if self.places.last().is_none_or(|last| last.at != at) {
            self.places.push(LocatedSpan { start: self.text.len() as u32, at });
        }
        self.text.push_str(rest);
        self.is_hyphenated = ends_in_hyphen(rest);
    }

    /// Completes the word that the last line began, if this line continues it. Returns the rest of the line.
    fn join<'l>(&mut self, line: &'l str) -> &'l str {
        if !line.starts_with(char::is_lowercase) {
            return line;
        }
        self.text.pop();
        let word = line.find(char::is_whitespace).unwrap_or(line.len());
        self.text.push_str(&line[..word]);
        line[word..].trim_start()
    }

    /// Writes the text of an attached file.
    fn attached(&mut self, at: Location, text: &str) {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
        if lines.peek().is_some() {
            self.places.push(LocatedSpan { start: self.text.len() as u32, at });
        }
        for line in lines {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn end(mut self) -> TextWriter {
        self.end_line();
        self
    }
}

/// Returns whether a line ends in the first part of a hyphenated word.
fn ends_in_hyphen(line: &str) -> bool {
    let mut back = line.chars().rev();
    matches!(back.next(), Some('-' | '\u{2010}' | '\u{AD}'))
        && back.next().is_some_and(char::is_lowercase)
}

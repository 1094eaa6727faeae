//! Islands: parts of a document in another language, and code inside strings.
//!
//! The cursor keeps a stack of states to return to. The stack is bounded: beyond [`DEEPEST`] levels of code inside
//! strings inside code, code is read as part of the string.

use memchr::memmem;

use super::strings::escape_len;
use crate::cursor::{Cursor, Frame};
use crate::table::language::{Ending, Island};
use crate::table::quotes::{Escape, Extent, QuoteForm};

/// Maximum nesting of code in strings in code; people write two or three levels.
const DEEPEST: usize = 64;

impl Cursor<'_> {
    /// Enters the island whose opener is at this position; returns `false` if it is not an island.
    pub(crate) fn enter(&mut self, island: &Island, inside: usize) -> bool {
        let body = self.at + island.open.len();
        let next = self.bytes.get(body);
        if island.ending == Ending::Tag && !next.is_some_and(u8::is_ascii_alphabetic) {
            return false;
        }
        self.frames.push(Frame { tables: self.tables, bytes: self.bytes, template: None, open: 0 });
        if island.ending == Ending::Searched {
            let (bytes, end) = (self.bytes, self.search(island.close, body));
            self.bytes = &bytes[..end];
            if let Some(scripts) = &mut self.scripts {
                scripts.push(self.at..end);
            }
        }
        self.push_folded_operator(self.at, body);
        self.tables = &self.all_tables[inside];
        self.window.turn_to(&self.tables.sets);
        true
    }

    /// Returns the position of `close`, a closing tag in any case, or the end of the text.
    ///
    /// Looks at each `</` once, and no farther than the tag: the time for a page of many scripts is proportional to its
    /// length.
    fn search(&self, close: &str, from: usize) -> usize {
        let rest = &self.bytes[from..];
        let is_close = |&at: &usize| {
            let tag = rest.get(at..at + close.len());
            tag.is_some_and(|tag| tag.eq_ignore_ascii_case(close.as_bytes()))
        };
        memmem::find_iter(rest, "</").find(is_close).map_or(self.bytes.len(), |at| from + at)
    }

    /// Leaves the island at the closing text, which is at this position.
    pub(crate) fn leave(&mut self, close: &str) {
        self.push_folded_operator(self.at, self.at + close.len());
        self.return_from_island();
    }

    /// Returns to the text around the island; returns `false` outside of islands.
    pub(crate) fn return_from_island(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        self.tables = frame.tables;
        self.window.turn_to(&self.tables.sets);
        self.bytes = frame.bytes;
        true
    }

    /// Reads a template up to its end or the next code in it, beginning at its opener or at the end of code.
    pub(crate) fn template(&mut self, id: usize, start: usize, from: usize) -> bool {
        let quote = self.tables.quote(id);
        let QuoteForm::Template(close, open, bracket) = quote.form else { return false };
        let (bytes, mut at) = (self.bytes, from);
        if start < self.unclosed[id] {
            return self.literal(quote, start, self.line_end(from));
        }
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            if rest.starts_with(close.as_bytes()) {
                at += close.len();
                let is_raw = quote.escape == Escape::None;
                let end = if is_raw { self.last_close(close.as_bytes(), at) } else { at };
                return self.literal(quote, start, end);
            }
            if rest[0] == b'\n' && quote.extent == Extent::Line {
                return self.literal(quote, start, at);
            }
            if rest.starts_with(open.as_bytes()) && self.frames.len() < DEEPEST {
                let (tables, template) = (self.tables, Some((id, bracket)));
                self.frames.push(Frame { tables, bytes, template, open: 0 });
                return self.literal(quote, start, at + open.len());
            }
            at += if Escape::By(rest[0]) == quote.escape { escape_len(rest) } else { 1 };
        }
        self.unclosed[id] = bytes.len();
        self.literal(quote, start, self.line_end(from))
    }

    /// Counts an opening bracket, also for the template around this code if there is one.
    #[inline]
    pub(crate) fn open_bracket(&mut self, byte: u8) {
        self.depth += 1;
        if let Some(Frame { template: Some((_, close)), open, .. }) = self.frames.last_mut()
            && matches!((byte, *close), (b'{', b'}') | (b'(', b')'))
        {
            *open += 1;
        }
    }

    /// Counts a closing bracket; returns `true` if it ended code in a template. The rest of the template has then been
    /// read.
    #[inline]
    pub(crate) fn close_bracket(&mut self, byte: u8) -> bool {
        self.depth = self.depth.saturating_sub(1);
        let Some(Frame { template: Some((id, close)), open, .. }) = self.frames.last_mut() else {
            return false;
        };
        if byte != *close {
            return false;
        }
        if *open > 0 {
            *open -= 1;
            return false;
        }
        let id = *id;
        self.return_from_island();
        self.template(id, self.at, self.at + 1)
    }
}

//! Literals in quotes: the code that reads them.
//!
//! A literal becomes one token of class `STRING`. A literal that is never closed ends with its line, even if it could
//! have continued: one stray quote must not hide the rest of a document from comparison. Failed searches are
//! remembered, so that a document full of openers takes linear time.

use memchr::memchr3;

use crate::cursor::Cursor;
use crate::table::fences::Fence;
use crate::table::quotes::{Escape, Extent, OpenerContext, Quote, QuoteForm, UnclosedReading};

/// The result of a search for a closing quote.
enum CloseSearch {
    /// The literal ends here.
    Close(usize),
    /// There is no closing quote before the end of the line or text, which is here.
    Nothing(usize),
}

impl Cursor<'_> {
    /// Reads literal number `id`, whose prefix begins at `start` and whose opener is at this position; returns `false`
    /// if it is not a literal.
    pub(crate) fn quote(&mut self, id: usize, start: usize) -> bool {
        let quote = self.tables.quote(id);
        let body = self.at + quote.open.len();
        let is_denied = !quote.unless.is_empty() && self.is_followed_by(body, quote.unless);
        if is_denied || !self.is_after(quote.after, start, body) {
            return false;
        }
        match quote.form {
            QuoteForm::Until(close) => self.until(id, quote, close, start, body),
            QuoteForm::Character(close) => match self.character_end(body, close, quote.escape) {
                Some(end) => self.literal(quote, start, end),
                None => false,
            },
            QuoteForm::Glyph => match self.glyph_end(body) {
                Some(end) => self.literal(quote, start, end),
                None => false,
            },
            QuoteForm::Line => self.literal(quote, start, self.line_end(body)),
            QuoteForm::Fenced(fence) => self.fenced(quote, fence, start),
            QuoteForm::Pattern => self.pattern(id, quote, start, body),
            QuoteForm::Delimited(letters, bodies) => {
                self.delimited(quote, letters, bodies, start, body)
            }
            QuoteForm::Template(..) => self.template(id, start, body),
            QuoteForm::HereDocument(terminator) => {
                self.here_document(quote, terminator, start, body)
            }
        }
    }

    /// Returns whether the previous token allows a literal at `start` with its body at `body`.
    fn is_after(&self, after: OpenerContext, start: usize, body: usize) -> bool {
        match after {
            OpenerContext::Anything => true,
            OpenerContext::Gap => {
                !self.is_glued(start) || !(self.is_after_operand() || self.is_after_word())
            }
            OpenerContext::Operator => !self.is_after_operand(),
            OpenerContext::Equals => {
                self.previous().is_some_and(|token| &self.bytes[token.span.range()] == b"=")
            }
            OpenerContext::OperatorOrCommand => {
                let is_blank = |b: &u8| b.is_ascii_whitespace() || *b == b'=';
                let is_command = !self.is_glued(start)
                    && self.is_after_name()
                    && !self.bytes.get(body).is_some_and(is_blank);
                is_command || !self.is_after_operand()
            }
        }
    }

    /// Reads a literal that ends with a fixed text.
    fn until(&mut self, id: usize, quote: &Quote, close: &str, start: usize, body: usize) -> bool {
        // Search only if no earlier search has shown that the quote is never closed.
        if start >= self.unclosed[id] {
            match self.close_of(quote, close, body) {
                CloseSearch::Close(end) => return self.literal(quote, start, end),
                CloseSearch::Nothing(end) => self.unclosed[id] = end,
            }
        }
        match quote.unclosed {
            UnclosedReading::Line => self.literal(quote, start, self.line_end(body)),
            UnclosedReading::Operator => false,
        }
    }

    /// Searches for `close` from `from` on, respecting the escapes and the extent of `quote`.
    fn close_of(&self, quote: &Quote, close: &str, from: usize) -> CloseSearch {
        let (bytes, close) = (self.bytes, close.as_bytes());
        // `memchr3` needs three bytes; those that do not matter are replaced by the first byte of `close`.
        let escape = if let Escape::By(byte) = quote.escape { byte } else { close[0] };
        let newline = if quote.extent == Extent::Line { b'\n' } else { close[0] };
        let mut at = from;
        while let Some(i) = memchr3(close[0], escape, newline, bytes.get(at..).unwrap_or(&[])) {
            at += i;
            let byte = bytes[at];
            if byte == close[0] && bytes[at..].starts_with(close) {
                at += close.len();
                if quote.escape == Escape::None {
                    return CloseSearch::Close(self.last_close(close, at));
                }
                if quote.escape != Escape::Doubled || !bytes[at..].starts_with(close) {
                    return CloseSearch::Close(at);
                }
                at += close.len();
            } else if byte == escape && quote.escape == Escape::By(byte) {
                at += escape_len(&bytes[at..]);
            } else if byte == b'\n' && quote.extent == Extent::Line {
                return CloseSearch::Nothing(at);
            } else {
                at += 1;
            }
        }
        CloseSearch::Nothing(bytes.len())
    }

    /// Returns the end of a raw literal that may end at `at`: of four or five quotes, the last three close it, as in
    /// Kotlin's and Scala's `"""a "b""""`.
    pub(crate) fn last_close(&self, close: &[u8], at: usize) -> usize {
        let is_triple = close == b"\"\"\"";
        let more = self.bytes[at..].iter().take_while(|b| is_triple && **b == b'"').take(2);
        at + more.count()
    }

    /// Returns the end of the quote `close` that follows one character or escape.
    fn character_end(&self, body: usize, close: u8, escape: Escape) -> Option<usize> {
        /// `'\u{10FFFF}'` is the longest escape of any language.
        const LONGEST: usize = 12;
        let first = *self.bytes.get(body)?;
        if matches!(first, b'\n' | b'\r') {
            return None;
        }
        if escape != Escape::By(first) {
            let end = body + self.char_len(body);
            return (self.bytes.get(end) == Some(&close)).then_some(end + 1);
        }
        let rest = self.bytes.get(body + 2..)?;
        let rest = &rest[..rest.len().min(LONGEST)];
        let i = rest.iter().position(|b| *b == close || *b == b'\n')?;
        (rest[i] == close).then_some(body + 2 + i + 1)
    }

    /// Returns the end of the character, escape or character name at `body`.
    fn glyph_end(&self, body: usize) -> Option<usize> {
        let first = *self.bytes.get(body)?;
        if first.is_ascii_whitespace() {
            return None;
        }
        if first == b'\\' && self.bytes.get(body + 1).is_some_and(u8::is_ascii_graphic) {
            return Some(body + 2);
        }
        let end = body + self.char_len(body);
        if first.is_ascii_alphanumeric() { Some(self.rest_of_word(end)) } else { Some(end) }
    }

    /// Reads a literal whose opener determines its closing text.
    fn fenced(&mut self, quote: &Quote, fence: Fence, start: usize) -> bool {
        let Some((close, body)) = self.fence(fence, self.at + quote.open.len()) else {
            return false;
        };
        match self.find_once(&close, body) {
            Some(end) => self.literal(quote, start, end),
            None if quote.unclosed == UnclosedReading::Operator => false,
            None => self.literal(quote, start, self.line_end(body)),
        }
    }

    /// Reads a regular expression on one line with its flags, respecting `[/]` and escapes.
    fn pattern(&mut self, id: usize, quote: &Quote, start: usize, body: usize) -> bool {
        // `/*` can only be a comment that is never closed.
        if start < self.unclosed[id] || self.bytes.get(body) == Some(&b'*') {
            return false;
        }
        let (bytes, mut at, mut in_set) = (self.bytes, body, false);
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => {
                    self.unclosed[id] = at.min(bytes.len());
                    return false;
                }
                Some(b'\\') => at += 1,
                Some(b'[') => in_set = true,
                Some(b']') => in_set = false,
                Some(b'/') if !in_set => break,
                Some(_) => {}
            }
            at += 1;
        }
        let flags = bytes[at + 1..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        self.literal(quote, start, at + 1 + flags)
    }
}

/// Returns the length in bytes of the escape at the start of `bytes`; `\r\n` counts as one character.
pub(crate) fn escape_len(bytes: &[u8]) -> usize {
    if bytes[1..].starts_with(b"\r\n") { 3 } else { 2 }
}

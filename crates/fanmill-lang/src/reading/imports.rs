//! Imports: statements that every program has, so that they are not evidence of copying.
//!
//! They are read like any other code, so that literals and comments in them are respected. Their tokens are removed
//! afterwards.

use fanmill_text::token::{Symbol, Token};
use memchr::memchr2;

use crate::cursor::{Cursor, PendingImport};
use crate::table::imports::{Import, ImportEnd, ImportStart};

impl Cursor<'_> {
    /// Records an import if the word from `start` to this position begins one. Returns the end of the header's name
    /// after it, if there is one.
    pub(crate) fn begin_import(&mut self, start: usize, name: Symbol) -> Option<usize> {
        let tables = self.tables;
        let import = tables
            .imports
            .iter()
            .find(|(head, import)| *head == name && self.leads_import(import, start));
        // An import does not begin inside another one. But the other may have ended with its line, which only shows
        // when the next word comes.
        let is_inside = self.dropping.as_ref().is_some_and(|d| !d.ends_between(self.bytes, start));
        if let Some((_, import)) = import
            && !is_inside
        {
            let end = self.tokens.len();
            let mark = end - usize::from(!import.after.is_empty());
            self.take_back(mark, end);
            self.dropping =
                Some(PendingImport { mark, start, last_end: start, depth: 0, end: import.end });
            return if import.has_header { self.header_end() } else { None };
        }
        None
    }

    /// Returns the end of the `>` on this line that closes a `<` at this position, after blanks.
    fn header_end(&self) -> Option<usize> {
        let rest = &self.bytes[self.at..];
        let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let name = rest[blanks..].strip_prefix(b"<")?;
        let end = memchr2(b'>', b'\n', name)?;
        (name[end] == b'>').then_some(self.at + blanks + 1 + end + 1)
    }

    /// Returns whether the text around the word from `start` to this position lets it begin this import.
    fn leads_import(&self, import: &Import, start: usize) -> bool {
        let mut start = start;
        if !import.after.is_empty() {
            match self.previous() {
                Some(token) if &self.bytes[token.span.range()] == import.after.as_bytes() => {
                    start = token.span.start as usize;
                }
                _ => return false,
            }
        }
        let follows = |text: &str| {
            let rest = self.bytes[self.at..].trim_ascii_start();
            match rest.get(..text.len()) {
                Some(here) if self.tables.is_case_ignored => {
                    here.eq_ignore_ascii_case(text.as_bytes())
                }
                Some(here) => here == text.as_bytes(),
                None => false,
            }
        };
        let is_led = match import.start {
            ImportStart::Line => self.is_line_start(start),
            ImportStart::Statement => self.is_statement_start(start),
            ImportStart::LineOrStatement => {
                self.is_line_start(start) || self.is_statement_start(start)
            }
            ImportStart::Anywhere => true,
        };
        // In many languages this word is a name elsewhere, and the value assigned to it is code.
        let is_assigned = || import.then.is_empty() && ["=", ":=", "<-"].into_iter().any(follows);
        is_led
            && !(import.is_outermost && self.depth > 0)
            && follows(import.then)
            && !is_assigned()
            && !import.unless.iter().any(|text| follows(text))
    }

    /// Returns whether a statement may begin at `start`, judging by the text before it.
    pub(crate) fn is_statement_start(&self, start: usize) -> bool {
        // The tokens of an import just before are gone, so `previous` would not show its semicolon.
        let is_after_import = self.bytes[self.import_end..start].trim_ascii().is_empty();
        let is_end = |token: Token| matches!(self.bytes[token.span.range()], [b';' | b'{' | b'}']);
        is_after_import || self.previous().is_none_or(is_end)
    }

    /// Removes the tokens read since the import began, up to its end.
    pub(crate) fn drop_import(&mut self) {
        /// In bytes. Tokens beyond this are kept: they may be code hidden in an import.
        const LONGEST: usize = 4 << 10;
        let Some(mut dropping) = self.dropping.take() else { return };
        let mark = dropping.mark;
        let mut at = mark;
        while at < self.tokens.len() {
            let span = self.tokens.spans[at];
            let is_long = span.end as usize > dropping.start + LONGEST;
            if is_long || dropping.ends_between(self.bytes, span.start as usize) {
                self.take_back(mark, at);
                return;
            }
            at += 1;
            dropping.last_end = span.end as usize;
            match self.bytes[span.range()] {
                [b'(' | b'[' | b'{'] => dropping.depth += 1,
                [b')' | b']' | b'}'] if dropping.depth > 0 => dropping.depth -= 1,
                // A closer without an opener ends the import: it belongs to the import or to the code around it.
                [b')' | b']' | b'}'] => {
                    let is_own = dropping.end == ImportEnd::Bracket;
                    self.take_back(mark, if is_own { at } else { at - 1 });
                    return;
                }
                // This holds inside brackets too: lists of names contain no semicolon, so the text after one is not an
                // import.
                [b';'] => {
                    self.import_end = span.end as usize;
                    return self.take_back(mark, at);
                }
                _ => {}
            }
        }
        self.take_back(mark, at);
        self.dropping = Some(dropping);
    }

    /// Removes the tokens `from..to`.
    pub(crate) fn take_back(&mut self, from: usize, to: usize) {
        self.tokens.symbols.drain(from..to);
        self.tokens.names.drain(from..to);
        self.tokens.spans.drain(from..to);
    }
}

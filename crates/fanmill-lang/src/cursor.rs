//! The engine: one pass over a text, guided by the compiled tables of its language.
//!
//! Cost: O(n) time for any text. Every byte is read a bounded number of times: what looks ahead
//! either consumes what it saw, or is bounded, or remembers that it failed.

use fanmill::span::Span;
use fanmill::token::{Symbol, Token, Tokens};

use crate::compiled::{Class, INNER, PART, Reading, SYMBOLIC, Tables, UPPER};
use crate::here_documents::Pending;
use crate::imports::Dropping;
use crate::islands::Frame;
use crate::language::Words;
use crate::strings::Quote;

/// A position in a text, with all that the lexer must remember of what came before.
#[derive(Debug)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    /// The text up to the end of the present island.
    pub(crate) bytes: &'t [u8],
    pub(crate) at: usize,
    pub(crate) tables: &'t Tables,
    pub(crate) all_tables: &'t [Tables],
    pub(crate) tokens: &'t mut Tokens,
    /// Number of tokens before this document's first.
    first: usize,
    /// What the islands around this position return to.
    pub(crate) frames: Vec<Frame<'t>>,
    /// Brackets open at this position.
    pub(crate) depth: u32,
    pub(crate) pending: Vec<Pending>,
    pub(crate) dropping: Option<Dropping>,
    /// Where the last import ended that a semicolon ended.
    pub(crate) import_end: usize,
    /// For each literal by its number: before this position, it is known not to close.
    pub(crate) unclosed: Vec<usize>,
    /// Closing texts that do not occur from here on.
    pub(crate) absent: Vec<Vec<u8>>,
    scratch: Vec<u8>,
}

impl<'t> Cursor<'t> {
    /// Searches for closing texts of variable form that may fail in one document.
    pub(crate) const MOST_ABSENT: usize = 32;

    /// A cursor at the start of `text`. `all_tables` is not empty.
    pub(crate) fn new(
        text: &'t str,
        all_tables: &'t [Tables],
        tokens: &'t mut Tokens,
    ) -> Cursor<'t> {
        let n_quotes = all_tables.iter().map(|tables| tables.quotes().count()).sum();
        Cursor {
            text,
            bytes: text.as_bytes(),
            at: 0,
            tables: &all_tables[0],
            all_tables,
            first: tokens.len(),
            tokens,
            frames: Vec::new(),
            depth: 0,
            pending: Vec::new(),
            dropping: None,
            import_end: 0,
            unclosed: vec![0; n_quotes],
            absent: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Reads the whole text.
    pub(crate) fn run(mut self) {
        if self.bytes.starts_with(b"#!") && !self.bytes.starts_with(b"#![") {
            self.at = self.line_end(0);
        }
        loop {
            while self.at < self.bytes.len() {
                self.step();
                if self.dropping.is_some() {
                    self.drop_import();
                }
            }
            if !self.return_from_island() {
                return;
            }
        }
    }

    /// Reads one token, comment or run of blanks.
    #[inline]
    fn step(&mut self) {
        let byte = self.bytes[self.at];
        let class = self.tables.class[usize::from(byte)];
        // The common ones stand here, where they are compiled into the loop.
        match class {
            Class::Blank => self.blanks(),
            Class::Letter => self.word(),
            Class::Single => self.single(byte),
            Class::Opener => self.opener(byte),
            _ => self.plain(class, byte),
        }
    }

    /// Reads what cannot be a comment or literal.
    fn plain(&mut self, class: Class, byte: u8) {
        match class {
            Class::Blank => self.blanks(),
            Class::Newline => {
                self.at += 1;
                if !self.pending.is_empty() {
                    self.here_document_lines();
                }
            }
            Class::Letter => self.word(),
            Class::Digit => self.number(0),
            Class::Single => self.single(byte),
            Class::Open => {
                self.open_bracket(byte);
                self.single(byte);
            }
            Class::Close => {
                if !self.close_bracket(byte) {
                    self.single(byte);
                }
            }
            Class::Operator | Class::Opener => self.operator(byte),
            Class::Sigil => self.sigil(byte),
            Class::Unicode => self.unicode(),
        }
    }

    /// Passes over a run of blanks.
    #[inline]
    fn blanks(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let is_blank = |b: &&u8| self.tables.class[usize::from(**b)] == Class::Blank;
        self.at += 1 + rest.iter().take_while(is_blank).count();
    }

    /// Reads what the first opener that matches here opens, or else what the byte is without.
    fn opener(&mut self, byte: u8) {
        let tables = self.tables;
        for (open, reading) in tables.openers(byte) {
            let is_read = self.starts_with(open.as_bytes())
                && match reading {
                    Reading::Comment(comment) => self.comment(comment),
                    Reading::Quote(id) => self.quote(*id, self.at),
                    Reading::Number => self.prefixed_number(open),
                    Reading::Island(island, inside) => self.enter(island, *inside),
                    Reading::Leave => {
                        self.leave(open);
                        true
                    }
                };
            if is_read {
                return;
            }
        }
        self.plain(tables.base[usize::from(byte)], byte);
    }

    /// Reads an operator of one byte.
    #[inline]
    fn single(&mut self, byte: u8) {
        let symbol = self.tables.single[usize::from(byte)];
        self.push(symbol, symbol, self.at, self.at + 1);
    }

    /// Reads the longest operator that begins here.
    fn operator(&mut self, byte: u8) {
        let tables = self.tables;
        let end = self.at + 1;
        let run = self.bytes[end..]
            .iter()
            .take_while(|b| tables.traits[usize::from(**b)] & SYMBOLIC != 0)
            .count();
        if run > 0 && tables.traits[usize::from(byte)] & SYMBOLIC != 0 {
            return self.push_folded_operator(self.at, end + run);
        }
        for operator in tables.operators(byte) {
            if self.starts_with(&operator.spelling) {
                let end = self.at + operator.spelling.len();
                return self.push(operator.symbol, operator.symbol, self.at, end);
            }
        }
        match byte {
            b'(' | b'[' | b'{' => self.plain(Class::Open, byte),
            b')' | b']' | b'}' => self.plain(Class::Close, byte),
            _ => self.single(byte),
        }
    }

    /// Reads a word with a sigil before it, or the sigil as an operator.
    fn sigil(&mut self, byte: u8) {
        let next = self.bytes.get(self.at + 1).copied().unwrap_or(0);
        let is_word = match self.tables.base[usize::from(next)] {
            Class::Letter => true,
            Class::Unicode => self.char_at(self.at + 1).is_alphabetic(),
            _ => false,
        };
        if is_word { self.word() } else { self.operator(byte) }
    }

    /// Reads a character outside ASCII: a word, a blank, or an operator.
    fn unicode(&mut self) {
        let char = self.char_at(self.at);
        let is_blank = char.is_whitespace() || char.is_control() || char == '\u{FEFF}';
        if char.is_alphanumeric() {
            self.word();
        } else if is_blank {
            self.at += char.len_utf8();
        } else {
            self.push_folded_operator(self.at, self.at + char.len_utf8());
        }
    }

    /// Reads a word, whose first character has been found to be one.
    #[inline]
    fn word(&mut self) {
        let start = self.at;
        let (end, traits) = self.word_end(start + 1);
        let first = self.tables.traits[usize::from(self.bytes[start])];
        let spelling = &self.bytes[start..end];
        let has_upper = (traits | first) & UPPER != 0;
        let name = if has_upper { self.folded_word(start, end) } else { Symbol::spelled(spelling) };
        match self.tables.keywords.get(name, spelling, has_upper) {
            None => {
                let symbol = if self.tables.words == Words::Class {
                    Symbol::IDENTIFIER
                } else {
                    self.word_symbol(start, end, name)
                };
                self.push(symbol, name, start, end);
            }
            Some(keyword) => {
                self.at = end;
                if keyword.is_prefix && self.prefixed_quote(start, keyword.spelling) {
                    return;
                }
                if keyword.is_import {
                    self.begin_import(start, name);
                }
                self.push(keyword.symbol, name, start, end);
            }
        }
    }

    /// One past the word that continues at `from`, and the traits of its bytes from there.
    #[inline]
    pub(crate) fn word_end(&self, from: usize) -> (usize, u8) {
        let (bytes, mut at, mut seen) = (self.bytes, from, 0);
        while let Some(&byte) = bytes.get(at) {
            let traits = self.tables.traits[usize::from(byte)];
            if traits & PART != 0 {
                seen |= traits;
                at += 1;
            } else if byte < 0x80 {
                let is_inner = traits & INNER != 0
                    && bytes.get(at + 1).is_some_and(|b| self.tables.is_word_part(*b));
                if !is_inner {
                    break;
                }
                at += 2;
                seen |= UPPER;
            } else if self.text.is_char_boundary(at) && !self.char_at(at).is_alphanumeric() {
                break;
            } else {
                at += 1;
            }
        }
        (at, seen)
    }

    /// Reads the literal that the word `prefix` from `start` to here introduces, if there is one.
    fn prefixed_quote(&mut self, start: usize, prefix: &str) -> bool {
        let tables = self.tables;
        let takes = |quote: &Quote| {
            quote.prefixes.contains(&prefix) && self.starts_with(quote.open.as_bytes())
        };
        let mut quotes: Vec<_> = tables.quotes().filter(|(_, quote)| takes(quote)).collect();
        quotes.sort_by_key(|(_, quote)| std::cmp::Reverse(quote.open.len()));
        quotes.into_iter().any(|(id, _)| self.quote(id, start))
    }

    /// The symbol of a word that is no keyword, in a language where it is not simply an identifier.
    fn word_symbol(&self, start: usize, end: usize, name: Symbol) -> Symbol {
        match self.tables.words {
            Words::Spelled => name,
            Words::Keys(marks) if self.is_followed_by(end, marks) => name,
            Words::Initial if self.is_line_start(start) => {
                Symbol::spelled(&[self.bytes[start].to_ascii_lowercase()])
            }
            _ => Symbol::IDENTIFIER,
        }
    }

    /// Whether one of `marks` follows `end`, after blanks.
    fn is_followed_by(&self, end: usize, marks: &str) -> bool {
        let next = self.bytes[end..].iter().find(|b| !matches!(b, b' ' | b'\t'));
        next.is_some_and(|b| marks.as_bytes().contains(b))
    }

    /// Pushes a number that ends at `end`.
    pub(crate) fn literal_number(&mut self, end: usize) {
        match self.tables.words {
            Words::Spelled => self.push_folded_operator(self.at, end),
            _ => self.push_folded(Symbol::NUMBER, self.at, end),
        }
    }

    /// Pushes a literal, or passes over it if it is documentation; always `true`.
    pub(crate) fn literal(&mut self, quote: &Quote, start: usize, end: usize) -> bool {
        if self.tables.has_docstrings && self.is_docstring(start, end) {
            self.at = end;
            return true;
        }
        let is_key = match self.tables.words {
            Words::Keys(marks) => self.is_followed_by(end, marks),
            _ => false,
        };
        let len = quote.open.len();
        if is_key && end - start > 2 * len {
            // The quotes do not count, so that `"key"` is `key`.
            let symbol = self.folded(start + len, end - len);
            self.push(symbol, symbol, start, end);
        } else {
            self.push_folded(quote.symbol, start, end);
        }
        true
    }

    /// Whether a string makes up all of its lines, outside brackets.
    fn is_docstring(&self, start: usize, end: usize) -> bool {
        let rest = &self.bytes[end..];
        let next = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        self.depth == 0
            && self.is_line_start(start)
            && next.is_none_or(|b| matches!(b, b'\n' | b'#' | b';'))
    }

    /// Pushes an operator whose symbol is not in the tables.
    pub(crate) fn push_folded_operator(&mut self, start: usize, end: usize) {
        let symbol = self.folded(start, end);
        self.push(symbol, symbol, start, end);
    }

    /// Pushes a token whose name is its spelling, to be folded.
    pub(crate) fn push_folded(&mut self, symbol: Symbol, start: usize, end: usize) {
        let name = self.folded(start, end);
        self.push(symbol, name, start, end);
    }

    /// Pushes a token and moves to its end.
    #[inline]
    fn push(&mut self, symbol: Symbol, name: Symbol, start: usize, end: usize) {
        self.tokens.push(Token { symbol, name, span: Span::new(offset(start), offset(end)) });
        self.at = end;
    }

    /// The hash of a word in lower case: as [`folded`](Cursor::folded), but most words are short,
    /// and a copy of fixed size beats one of the word's (Java: 30 % faster as a whole).
    #[inline]
    fn folded_word(&mut self, start: usize, end: usize) -> Symbol {
        const SHORT: usize = 32;
        match self.bytes.get(start..start + SHORT).and_then(|b| <[u8; SHORT]>::try_from(b).ok()) {
            Some(mut word) if end - start <= SHORT => {
                word.make_ascii_lowercase();
                Symbol::spelled(&word[..end - start])
            }
            _ => self.folded(start, end),
        }
    }

    /// The hash of a spelling in lower case.
    fn folded(&mut self, start: usize, end: usize) -> Symbol {
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.bytes[start..end]);
        self.scratch.make_ascii_lowercase();
        Symbol::spelled(&self.scratch)
    }

    /// Whether `text` stands here, in either case where case is ignored.
    fn starts_with(&self, text: &[u8]) -> bool {
        match self.bytes.get(self.at..self.at + text.len()) {
            Some(here) if self.tables.is_case_ignored => here.eq_ignore_ascii_case(text),
            // Byte by byte: the texts are one to three bytes long, too short to call `memcmp`.
            Some(here) => here.iter().eq(text),
            None => false,
        }
    }

    /// Whether only blanks stand between the start of the line and `at`.
    pub(crate) fn is_line_start(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        before.is_none_or(|b| *b == b'\n')
    }

    /// Whether this is the given column of its line; the first is 1.
    pub(crate) fn is_in_column(&self, column: usize) -> bool {
        match (self.at + 1).checked_sub(column) {
            Some(0) => true,
            Some(start) => {
                let line = &self.bytes[start - 1..self.at];
                line[0] == b'\n' && !line[1..].contains(&b'\n')
            }
            None => false,
        }
    }

    /// The last byte before this position that is not blank.
    pub(crate) fn last_visible(&self) -> Option<u8> {
        self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t')).copied()
    }

    /// The last token of this document.
    pub(crate) fn previous(&self) -> Option<Token> {
        let last = self.tokens.len().checked_sub(1).filter(|last| *last >= self.first)?;
        let Tokens { symbols, names, spans } = &*self.tokens;
        Some(Token { symbol: symbols[last], name: names[last], span: spans[last] })
    }

    /// Whether the previous token ends at `at`.
    pub(crate) fn is_glued(&self, at: usize) -> bool {
        self.previous().is_some_and(|token| token.span.end as usize == at)
    }

    /// Whether the previous token is an operand that ends here.
    pub(crate) fn is_glued_to_operand(&self) -> bool {
        self.is_glued(self.at) && self.is_after_operand()
    }

    /// Whether the previous token is a name without sigil, such as a command's.
    pub(crate) fn is_after_name(&self) -> bool {
        self.previous().is_some_and(|token| {
            let first = self.bytes[token.span.start as usize];
            token.symbol == Symbol::IDENTIFIER
                && self.tables.base[usize::from(first)] != Class::Sigil
        })
    }

    /// Whether the previous token ends like a word.
    pub(crate) fn is_after_word(&self) -> bool {
        self.previous()
            .is_some_and(|token| self.tables.is_word_part(self.bytes[token.span.end as usize - 1]))
    }

    /// Whether the previous token is, or ends, an operand.
    pub(crate) fn is_after_operand(&self) -> bool {
        let Some(token) = self.previous() else { return false };
        let last = self.bytes[token.span.end as usize - 1];
        [Symbol::IDENTIFIER, Symbol::NUMBER, Symbol::STRING].contains(&token.symbol)
            || matches!(last, b')' | b']' | b'}')
            || self.tables.operands.contains(&token.symbol)
    }

    /// Whether the previous token makes the word from `start` on the member of something.
    pub(crate) fn is_member(&self, start: usize) -> bool {
        let Some(token) = self.previous() else { return false };
        match &self.bytes[token.span.range()] {
            b"->" | b"::" | b"." | b"&" | b"sub" => true,
            // Perl's file test `-s` and hash `%y`.
            b"-" | b"%" => self.is_glued(start),
            _ => false,
        }
    }

    /// Whether a search for this closing text is known to fail, or too many have failed.
    pub(crate) fn is_absent(&self, close: &[u8]) -> bool {
        self.absent.len() >= Self::MOST_ABSENT || self.absent.iter().any(|text| text == close)
    }

    /// The character that begins at `at`, or a blank at the end.
    fn char_at(&self, at: usize) -> char {
        self.text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ')
    }

    /// The length in bytes of the character that begins at `at`.
    pub(crate) fn char_len(&self, at: usize) -> usize {
        self.char_at(at).len_utf8()
    }
}

/// A position as a span holds it.
#[expect(clippy::cast_possible_truncation, reason = "documents are below 4 GiB")]
fn offset(at: usize) -> u32 {
    at as u32
}

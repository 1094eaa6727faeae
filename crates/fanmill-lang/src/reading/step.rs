//! The lexer engine: one pass over a text, guided by the compiled tables of its language.
//!
//! Each step looks up the class of the next byte and calls the method for that class. The method pushes a token or
//! skips something, and moves `at` forward. Methods that return a `bool` may decline: they return `false` with `at`
//! unchanged, and the next reading is tried.
//!
//! Cost: O(n) time for any text. Every byte is read a bounded number of times: a look-ahead consumes the bytes it saw,
//! or is bounded, or remembers that it failed.

use std::ops::Range;

use fanmill_text::frontend::PART;
use fanmill_text::token::{Columns, Symbol};

use crate::compiled::{Class, OpenerKind, SYMBOLIC};
use crate::cursor::Cursor;

impl Cursor<'_> {
    /// Reads the whole text.
    pub(crate) fn run(self) {
        self.run_past(|_| ());
    }

    /// Reads the whole text and passes to `blank` the positions of blanks outside islands: in a page, its text.
    pub(crate) fn run_past(mut self, mut blank: impl FnMut(Range<usize>)) {
        // Skip the `#!` line of a script, but not an inner attribute of Rust.
        if self.bytes.starts_with(b"#!") && !self.bytes.starts_with(b"#![") {
            self.at = self.line_end(0);
        }
        loop {
            while self.at < self.bytes.len() {
                // Ordinary tokens are read in a fast loop, which stops where it needs the general step below.
                if self.is_usual() {
                    self.usual();
                    if self.dropping.is_some() {
                        self.drop_import();
                    }
                    if self.at == self.bytes.len() {
                        break;
                    }
                }
                let start = self.at;
                let is_blank = self.class_at(start) == Class::Blank && self.frames.is_empty();
                self.step();
                if is_blank {
                    blank(start..self.at);
                }
                if self.dropping.is_some() {
                    self.drop_import();
                } else if self.tokens.symbols.len() >= PART && self.take.is_some() {
                    self.hand_over(Cursor::LOOKED_BACK_AT);
                }
            }
            if !self.return_from_island() {
                self.hand_over(0);
                return;
            }
        }
    }

    /// Returns whether the fast loop may read on: no here-document begins on the next line, and the last word cannot
    /// form a qualifier with the operator after it.
    #[inline]
    fn is_usual(&self) -> bool {
        let before = self.tokens.names[self.first..].last();
        self.tables.is_usual
            && self.pending.is_empty()
            && !before.is_some_and(|&word| self.tables.may_qualify(word))
    }

    /// Number of tokens kept back, since they may still be taken back or looked at: one or two in real programs.
    const LOOKED_BACK_AT: usize = 1 << 12;

    /// Hands over the tokens so far, except for the last `kept`, if there is a receiver.
    #[cold]
    fn hand_over(&mut self, kept: usize) {
        let Some(take) = &mut self.take else { return };
        let rest = self.tokens.split_off(self.tokens.len().saturating_sub(kept));
        take(self.tokens);
        self.tokens.clear();
        // Append instead of replacing, to keep the allocated memory.
        self.tokens.append(&rest, Columns::All);
    }

    /// Reads one token, comment or run of blanks.
    #[inline]
    fn step(&mut self) {
        let byte = self.bytes[self.at];
        let class = self.class_at(self.at);
        // The common classes come first, so that they are compiled into the loop.
        match class {
            Class::Blank => self.blanks(),
            Class::Letter => self.word(),
            Class::Single => self.single(byte),
            Class::Opener => self.opener(byte),
            _ => self.plain(class, byte),
        }
    }

    /// Reads something that is not a comment or literal.
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
            Class::Escape => self.escaped(),
            Class::Unicode => self.unicode(),
        }
    }

    /// Skips a run of blanks.
    #[inline]
    fn blanks(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let is_blank = |b: &&u8| self.tables.class[usize::from(**b)] == Class::Blank;
        self.at += 1 + rest.iter().take_while(is_blank).count();
    }

    /// Reads a comment, literal, number or island that opens at this position. Openers are tried longest first; if all
    /// decline, the byte is read like any other.
    fn opener(&mut self, byte: u8) {
        let tables = self.tables;
        let eight = self.eight();
        for (open, reading) in tables.openers(byte) {
            let is_read = self.begins(eight, open)
                && match reading {
                    OpenerKind::Comment(comment) => self.comment(comment),
                    OpenerKind::Quote(id) => self.quote(*id, self.at),
                    OpenerKind::Number => self.prefixed_number(open.text),
                    OpenerKind::Island(island, inside) => self.enter(island, *inside),
                    OpenerKind::Leave => {
                        self.leave(open.text);
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
        // In languages where programs define operators, a run of these characters is one operator.
        let run = self.bytes[end..]
            .iter()
            .take_while(|b| tables.traits[usize::from(**b)] & SYMBOLIC != 0)
            .count();
        if run > 0 && tables.traits[usize::from(byte)] & SYMBOLIC != 0 {
            return self.push_folded_operator(self.at, end + run);
        }
        let eight = self.eight();
        for operator in tables.operators(byte) {
            if self.begins(eight, &operator.spelling) {
                return self.spelled_operator(operator.symbol, self.at + operator.spelling.len());
            }
        }
        match byte {
            b'(' | b'[' | b'{' => self.plain(Class::Open, byte),
            b')' | b']' | b'}' => self.plain(Class::Close, byte),
            _ => self.spelled_operator(tables.single[usize::from(byte)], end),
        }
    }

    /// Pushes an operator; if it and the word before it are only a qualifier (`this.`), takes back the word
    /// instead.
    fn spelled_operator(&mut self, symbol: Symbol, end: usize) {
        let word = self.tokens.names[self.first..].last();
        if word.is_some_and(|&word| self.tables.is_qualifier(word, symbol)) {
            let end_of_tokens = self.tokens.len();
            self.take_back(end_of_tokens - 1, end_of_tokens);
            self.at = end;
        } else {
            self.push(symbol, symbol, self.at, end);
        }
    }

    /// Skips an escape character outside literals. If the next byte would open or close something, it is
    /// read as an operator.
    fn escaped(&mut self) {
        self.at += 1;
        let Some(&byte) = self.bytes.get(self.at) else { return };
        match self.tables.class[usize::from(byte)] {
            Class::Escape => self.at += 1,
            Class::Opener if !byte.is_ascii_alphanumeric() => self.single(byte),
            Class::Open | Class::Close => self.single(byte),
            _ => {}
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
}

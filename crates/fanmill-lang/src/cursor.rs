//! The lexer engine: one pass over a text, guided by the compiled tables of its language.
//!
//! Each step looks up the class of the next byte and calls the method for that class. The method pushes a token or
//! skips something, and moves `at` forward. Methods that return a `bool` may decline: they return `false` with `at`
//! unchanged, and the next reading is tried.
//!
//! Cost: O(n) time for any text. Every byte is read a bounded number of times: a look-ahead consumes the bytes it saw,
//! or is bounded, or remembers that it failed.

use std::ops::Range;

use fanmill_kernel::ByteWindow;
use fanmill_text::frontend::PART;
use fanmill_text::span::Span;
use fanmill_text::token::{Columns, Symbol, Token, Tokens};

use crate::compiled::{Class, OpenerKind, Prefix, SYMBOLIC, Tables};
use crate::here_documents::PendingHereDocument;
use crate::imports::PendingImport;
use crate::islands::Frame;
use crate::language::Words;
use crate::quotes::Quote;
use crate::reader_memory::ReaderMemory;
use crate::seen::{ShortSpelling, SpellingCache, WordSymbols};

/// A position in a text, with everything the lexer remembers about the text before it.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    /// The text up to the end of the current island.
    pub(crate) bytes: &'t [u8],
    /// The position, in bytes.
    pub(crate) at: usize,
    /// The tables of the current island's language.
    pub(crate) tables: &'t Tables,
    pub(crate) all_tables: &'t [Tables],
    pub(crate) tokens: &'t mut Tokens,
    /// Number of tokens in `tokens` before this document's first.
    pub(crate) first: usize,
    /// The receiver of the tokens, part by part, if set.
    take: Option<&'t mut (dyn FnMut(&mut Tokens) + 't)>,
    /// The receiver of the positions of scripts and styles, the islands whose ends are found by searching, if set.
    pub(crate) scripts: Option<&'t mut Vec<Range<usize>>>,
    /// For each island around this position, the state to return to at its end.
    pub(crate) frames: Vec<Frame<'t>>,
    /// Number of brackets open at this position, if some table needs it.
    pub(crate) depth: u32,
    /// True if some table needs `depth`.
    pub(crate) asks_depth: bool,
    /// Here-documents that begin on the next line.
    pub(crate) pending: Vec<PendingHereDocument>,
    /// The import being read, whose tokens are dropped.
    pub(crate) dropping: Option<PendingImport>,
    /// The end of the last import that ended with a semicolon.
    pub(crate) import_end: usize,
    /// For each kind of literal, by its number, a position: a literal that begins before it is never closed.
    pub(crate) unclosed: Vec<usize>,
    /// Closing texts that are known not to occur in the rest of the text.
    pub(crate) absent: Vec<Vec<u8>>,
    /// Closers of comments, each with the end of the stretch that has no further one.
    pub(crate) closers: Vec<(&'static str, usize)>,
    /// Number of failed searches for the balancing closer of a comment.
    pub(crate) unbalanced: u32,
    /// The lexemes of the whole text, by the sets of `tables`.
    pub(crate) window: ByteWindow<'t>,
    /// The words read before, and scratch space.
    pub(crate) room: &'t mut ReaderMemory,
}

impl<'t> Cursor<'t> {
    /// Maximum number of failed searches for closing texts of variable form in one document.
    pub(crate) const MOST_ABSENT: usize = 32;

    /// Creates a cursor at the start of `text`. `all_tables` is not empty.
    pub(crate) fn new(
        text: &'t str,
        all_tables: &'t [Tables],
        tokens: &'t mut Tokens,
        room: &'t mut ReaderMemory,
    ) -> Cursor<'t> {
        let n_quotes = all_tables.iter().map(|tables| tables.quotes().count()).sum();
        Cursor {
            text,
            bytes: text.as_bytes(),
            at: 0,
            tables: &all_tables[0],
            all_tables,
            first: tokens.len(),
            take: None,
            scripts: None,
            tokens,
            frames: Vec::new(),
            depth: 0,
            asks_depth: all_tables.iter().any(Tables::asks_depth),
            pending: Vec::new(),
            dropping: None,
            import_end: 0,
            unclosed: vec![0; n_quotes],
            absent: Vec::new(),
            closers: Vec::new(),
            unbalanced: 0,
            window: ByteWindow::new(text.as_bytes(), &all_tables[0].sets),
            room,
        }
    }

    /// Makes the cursor hand its tokens over part by part. `tokens` must have been empty.
    pub(crate) fn in_parts(self, take: &'t mut (dyn FnMut(&mut Tokens) + 't)) -> Cursor<'t> {
        Cursor { take: Some(take), ..self }
    }

    /// Makes the cursor record the positions of scripts and styles.
    pub(crate) fn noting(self, scripts: &'t mut Vec<Range<usize>>) -> Cursor<'t> {
        Cursor { scripts: Some(scripts), ..self }
    }

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

    #[inline]
    fn class_at(&self, at: usize) -> Class {
        self.tables.class[usize::from(self.bytes[at])]
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

    /// Pushes a number that ends at `end`.
    pub(crate) fn literal_number(&mut self, end: usize) {
        match self.tables.words {
            Words::Spelled => self.push_folded_operator(self.at, end),
            _ => self.push_folded(Symbol::NUMBER, self.at, end),
        }
    }

    /// Pushes a literal, or skips it if it is documentation. Always returns `true`.
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
            // Without the quotes, so that `"key"` equals `key`.
            let symbol = self.folded(start + len, end - len);
            self.push(symbol, symbol, start, end);
        } else {
            self.push_folded(quote.symbol, start, end);
        }
        true
    }

    /// Returns whether a string is alone on its lines, outside brackets.
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
    pub(crate) fn push(&mut self, symbol: Symbol, name: Symbol, start: usize, end: usize) {
        self.tokens.push(Token { symbol, name, span: Span::new(offset(start), offset(end)) });
        self.at = end;
    }

    /// Returns the hash of a spelling in lower case.
    pub(crate) fn folded(&mut self, start: usize, end: usize) -> Symbol {
        let is_clear = start < end && self.bytes[end - 1] != 0;
        let short = ShortSpelling::new(self.text.as_bytes(), start, end, SpellingCache::LITERALS);
        let Some(short) = short.filter(|_| is_clear) else {
            let scratch = &mut self.room.scratch;
            scratch.clear();
            scratch.extend_from_slice(&self.bytes[start..end]);
            scratch.make_ascii_lowercase();
            return Symbol::spelled(scratch);
        };
        if let Some(spelled) = self.room.seen.get(&short) {
            return spelled.name;
        }
        let name = short.folded();
        self.room.seen.put(&short, WordSymbols { symbol: name, name });
        name
    }

    /// Returns the next eight bytes, the first one lowest, with zeros after the end.
    #[inline]
    fn eight(&self) -> u64 {
        eight_bytes(self.bytes, self.at)
    }

    /// Returns whether `start` is at this position, where the next bytes are `eight`.
    #[inline]
    fn begins(&self, eight: u64, start: &Prefix) -> bool {
        if self.tables.is_case_ignored || start.len() > 8 {
            return self.starts_with(start.text.as_bytes());
        }
        start.may_begin(eight)
    }

    /// Returns whether `text` is at this position, ignoring case if the language does.
    pub(crate) fn starts_with(&self, text: &[u8]) -> bool {
        match self.bytes.get(self.at..self.at + text.len()) {
            Some(here) if self.tables.is_case_ignored => here.eq_ignore_ascii_case(text),
            // Byte by byte: the texts have one to three bytes, too few to call `memcmp`.
            Some(here) => here.iter().eq(text),
            None => false,
        }
    }
}

/// Returns the eight bytes at `at`, the first one lowest, with zeros after the end.
#[inline]
pub(crate) fn eight_bytes(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    rest.first_chunk().map_or_else(|| last_eight(rest), |&eight| u64::from_le_bytes(eight))
}

#[cold]
fn last_eight(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

/// Returns a position as stored in a span.
#[expect(clippy::cast_possible_truncation, reason = "documents are below 4 GiB")]
pub(crate) fn offset(at: usize) -> u32 {
    at as u32
}

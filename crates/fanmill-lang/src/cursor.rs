//! The state of the lexer: a position in a text, with everything remembered about the text before it.
//!
//! The readers in [`reading`](crate::reading) move it forward and push tokens.

use std::ops::Range;

use fanmill_kernel::ByteWindow;
use fanmill_text::span::Span;
use fanmill_text::token::{Symbol, Token, Tokens};

use crate::compiled::{Class, Prefix, Tables, eight_bytes};
use crate::reader_memory::ReaderMemory;
use crate::seen::{ShortSpelling, SpellingCache, WordSymbols};
use crate::table::imports::ImportEnd;
use crate::table::language::Words;
use crate::table::quotes::{Quote, Terminator};

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
    pub(crate) take: Option<&'t mut (dyn FnMut(&mut Tokens) + 't)>,
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

    #[inline]
    pub(crate) fn class_at(&self, at: usize) -> Class {
        self.tables.class[usize::from(self.bytes[at])]
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
    pub(crate) fn eight(&self) -> u64 {
        eight_bytes(self.bytes, self.at)
    }

    /// Returns whether `start` is at this position, where the next bytes are `eight`.
    #[inline]
    pub(crate) fn begins(&self, eight: u64, start: &Prefix) -> bool {
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

/// Returns a position as stored in a span.
#[expect(clippy::cast_possible_truncation, reason = "documents are below 4 GiB")]
pub(crate) fn offset(at: usize) -> u32 {
    at as u32
}

/// The state that the cursor returns to when an island ends.
#[derive(Debug)]
pub(crate) struct Frame<'t> {
    pub(crate) tables: &'t Tables,
    pub(crate) bytes: &'t [u8],
    /// For code in a template: the number of the template's literal, and the bracket that ends the code.
    pub(crate) template: Option<(usize, u8)>,
    /// Number of brackets of that kind open in the code.
    pub(crate) open: u32,
}

/// An import statement that is being read.
#[derive(Debug)]
pub(crate) struct PendingImport {
    /// Number of tokens before it.
    pub(crate) mark: usize,
    /// The position of its first word, in bytes.
    pub(crate) start: usize,
    /// The end of its last token so far, in bytes.
    pub(crate) last_end: usize,
    /// Number of brackets open inside it.
    pub(crate) depth: u32,
    pub(crate) end: ImportEnd,
}

impl PendingImport {
    /// Returns whether a line end between its last token and `start` ends the import.
    pub(crate) fn ends_between(&self, bytes: &[u8], start: usize) -> bool {
        self.depth == 0
            && self.end == ImportEnd::Line
            && bytes[self.last_end.min(start)..start].contains(&b'\n')
    }
}

/// A here-document whose opener has been read and whose lines are still to come.
#[derive(Debug)]
pub(crate) struct PendingHereDocument {
    pub(crate) tag: Vec<u8>,
    pub(crate) terminator: Terminator,
    pub(crate) is_indented: bool,
}

impl PendingHereDocument {
    /// Returns the key under which a failed search is remembered.
    pub(crate) fn key(&self) -> Vec<u8> {
        [&[if self.is_indented { b'~' } else { b'<' }], self.tag.as_slice()].concat()
    }
}

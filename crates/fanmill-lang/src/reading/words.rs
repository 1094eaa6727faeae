//! Words: keywords, identifiers, and the prefixes of literals.

use fanmill_text::token::Symbol;

use crate::compiled::lexemes::WORD;
use crate::compiled::{INNER, PART};
use crate::cursor::Cursor;
use crate::keywords::Keyword;
use crate::seen::{ShortSpelling, WordSymbols};
use crate::table::language::Words;
use crate::table::quotes::Quote;

impl Cursor<'_> {
    /// Reads a word; its first character is known to be a word character.
    #[inline]
    pub(crate) fn word(&mut self) {
        let start = self.at;
        let end = self.word_end(start + 1);
        // A word before quotes may be the prefix of a literal.
        let next = self.bytes.get(end).copied().unwrap_or(0);
        let is_plain = self.tables.next[usize::from(next)] & WORD == 0;
        let short = ShortSpelling::new(self.text.as_bytes(), start, end, self.tables.index);
        let short = short.filter(|_| is_plain);
        if let Some(WordSymbols { symbol, name }) =
            short.and_then(|short| self.room.seen.get(&short))
        {
            self.known_word(symbol, name, start, end);
        } else {
            self.new_word(short, start, end);
        }
    }

    /// Pushes a word that is a keyword, or an identifier according to its symbol.
    #[inline]
    fn known_word(&mut self, symbol: Symbol, name: Symbol, start: usize, end: usize) {
        let is_open = symbol == Symbol::IDENTIFIER && self.tables.words != Words::Class;
        let symbol = if is_open { self.word_symbol(start, end, name) } else { symbol };
        self.push(symbol, name, start, end);
    }

    /// Reads a word that has not been seen before, or was forgotten.
    fn new_word(&mut self, short: Option<ShortSpelling>, start: usize, end: usize) {
        let (tables, spelling) = (self.tables, &self.bytes[start..end]);
        if let Some(short) = short
            && let Some(WordSymbols { symbol, name }) =
                tables.learned(&mut self.room.seen, &short, spelling)
        {
            return self.known_word(symbol, name, start, end);
        }
        let has_upper = spelling.iter().any(u8::is_ascii_uppercase);
        let name = self.folded(start, end);
        match tables.keywords.get(name, spelling, has_upper) {
            None => self.known_word(Symbol::IDENTIFIER, name, start, end),
            Some(keyword) => self.introduction(keyword, name, start, end),
        }
    }

    /// Reads a word that may introduce a literal or an import.
    fn introduction(&mut self, keyword: Keyword, name: Symbol, start: usize, end: usize) {
        self.at = end;
        if keyword.is_prefix && self.prefixed_quote(start, keyword.spelling) {
            return;
        }
        let header_end = if keyword.is_import { self.begin_import(start, name) } else { None };
        self.push(keyword.symbol, name, start, end);
        self.at = header_end.unwrap_or(end);
    }

    /// Returns the end of the word that continues at `from`.
    #[inline]
    pub(crate) fn word_end(&mut self, from: usize) -> usize {
        if !self.tables.is_usual {
            return self.rest_of_word(from);
        }
        let is_part = |&byte: &u8| self.tables.is_word_part(byte);
        let end = if self.bytes.get(from).is_some_and(is_part) {
            // An island may end in mid-word.
            self.window.end_of_run(from).min(self.bytes.len())
        } else {
            from
        };
        let goes_on =
            |&byte: &u8| byte >= 0x80 || self.tables.traits[usize::from(byte)] & INNER != 0;
        if self.bytes.get(end).is_some_and(goes_on) { self.rest_of_word(end) } else { end }
    }

    /// Like [`Cursor::word_end`], but byte by byte.
    pub(crate) fn rest_of_word(&self, from: usize) -> usize {
        let (bytes, mut at) = (self.bytes, from);
        while let Some(&byte) = bytes.get(at) {
            let traits = self.tables.traits[usize::from(byte)];
            if traits & PART != 0 {
                at += 1;
            } else if byte < 0x80 {
                let is_inner = traits & INNER != 0
                    && bytes.get(at + 1).is_some_and(|b| self.tables.is_word_part(*b));
                if !is_inner {
                    break;
                }
                at += 2;
            } else if self.text.is_char_boundary(at) && !self.char_at(at).is_alphanumeric() {
                break;
            } else {
                at += 1;
            }
        }
        at
    }

    /// Reads the literal that the word `prefix`, from `start` to this position, introduces; returns `false` if there is
    /// none.
    fn prefixed_quote(&mut self, start: usize, prefix: &str) -> bool {
        let tables = self.tables;
        let takes = |quote: &Quote| {
            quote.prefixes.contains(&prefix) && self.starts_with(quote.open.as_bytes())
        };
        let mut quotes: Vec<_> = tables.quotes().filter(|(_, quote)| takes(quote)).collect();
        quotes.sort_by_key(|(_, quote)| std::cmp::Reverse(quote.open.len()));
        quotes.into_iter().any(|(id, _)| self.quote(id, start))
    }

    /// Returns the symbol of a word that is not a keyword, in languages where it is not always an identifier.
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

    /// Returns whether one of `marks` follows `end`, after blanks.
    pub(crate) fn is_followed_by(&self, end: usize, marks: &str) -> bool {
        let next = self.bytes[end..].iter().find(|b| !matches!(b, b' ' | b'\t'));
        next.is_some_and(|b| marks.as_bytes().contains(b))
    }
}

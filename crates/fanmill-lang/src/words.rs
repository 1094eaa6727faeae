//! Words: keywords, identifiers, and the prefixes of literals.

use fanmill::token::Symbol;

use crate::compiled::{INNER, PART, UPPER};
use crate::cursor::Cursor;
use crate::language::Words;
use crate::quotes::Quote;

impl Cursor<'_> {
    /// Reads a word; its first character is known to be a word character.
    #[inline]
    pub(crate) fn word(&mut self) {
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
                let header_end =
                    if keyword.is_import { self.begin_import(start, name) } else { None };
                self.push(keyword.symbol, name, start, end);
                self.at = header_end.unwrap_or(end);
            }
        }
    }

    /// The end of the word that continues at `from`, and the traits of its bytes from there on.
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
                // The second byte was not looked at, and may be upper-case.
                seen |= UPPER;
            } else if self.text.is_char_boundary(at) && !self.char_at(at).is_alphanumeric() {
                break;
            } else {
                at += 1;
            }
        }
        (at, seen)
    }

    /// Reads the literal that the word `prefix`, from `start` to this position, introduces, if there is one.
    fn prefixed_quote(&mut self, start: usize, prefix: &str) -> bool {
        let tables = self.tables;
        let takes = |quote: &Quote| {
            quote.prefixes.contains(&prefix) && self.starts_with(quote.open.as_bytes())
        };
        let mut quotes: Vec<_> = tables.quotes().filter(|(_, quote)| takes(quote)).collect();
        quotes.sort_by_key(|(_, quote)| std::cmp::Reverse(quote.open.len()));
        quotes.into_iter().any(|(id, _)| self.quote(id, start))
    }

    /// The symbol of a word that is not a keyword, in languages where it is not always an identifier.
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
    pub(crate) fn is_followed_by(&self, end: usize, marks: &str) -> bool {
        let next = self.bytes[end..].iter().find(|b| !matches!(b, b' ' | b'\t'));
        next.is_some_and(|b| marks.as_bytes().contains(b))
    }

    /// The hash of a word in lower case, like [`folded`](Cursor::folded), but faster for short words: 32
    /// bytes are copied and folded at once, without a loop.
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
}

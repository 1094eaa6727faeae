//! Looking back: the text before a position, which decides between two readings of a character.

use fanmill_text::token::{Symbol, Token, Tokens};

use crate::compiled::Class;
use crate::cursor::Cursor;

impl Cursor<'_> {
    /// Returns whether only blanks come between the start of the line and `at`.
    pub(crate) fn is_line_start(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        before.is_none_or(|b| *b == b'\n')
    }

    /// Returns whether this position is in the given column of its line, counted from 1.
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

    /// Returns the last byte before this position that is not blank.
    pub(crate) fn last_visible(&self) -> Option<u8> {
        self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t')).copied()
    }

    /// Returns the last token of this document.
    pub(crate) fn previous(&self) -> Option<Token> {
        let last = self.tokens.len().checked_sub(1).filter(|last| *last >= self.first)?;
        let Tokens { symbols, names, spans } = &*self.tokens;
        Some(Token { symbol: symbols[last], name: names[last], span: spans[last] })
    }

    /// Returns whether the previous token ends directly at `at`.
    pub(crate) fn is_glued(&self, at: usize) -> bool {
        self.previous().is_some_and(|token| token.span.end as usize == at)
    }

    /// Returns whether the previous token is an operand that ends directly at this position.
    pub(crate) fn is_glued_to_operand(&self) -> bool {
        self.is_glued(self.at) && self.is_after_operand()
    }

    /// Returns whether the previous token is a name without a sigil, such as that of a command.
    pub(crate) fn is_after_name(&self) -> bool {
        self.previous().is_some_and(|token| {
            let first = self.bytes[token.span.start as usize];
            token.symbol == Symbol::IDENTIFIER
                && self.tables.base[usize::from(first)] != Class::Sigil
        })
    }

    /// Returns whether the previous token ends with a word character.
    pub(crate) fn is_after_word(&self) -> bool {
        self.previous()
            .is_some_and(|token| self.tables.is_word_part(self.bytes[token.span.end as usize - 1]))
    }

    /// Returns whether the previous token is, or ends, an operand.
    pub(crate) fn is_after_operand(&self) -> bool {
        let Some(token) = self.previous() else { return false };
        let last = self.bytes[token.span.end as usize - 1];
        [Symbol::IDENTIFIER, Symbol::NUMBER, Symbol::STRING].contains(&token.symbol)
            || matches!(last, b')' | b']' | b'}')
            || self.tables.operands.contains(&token.symbol)
    }

    /// Returns whether the previous token makes the word at `start` a member or name of something (`a.q`, `sub q`).
    pub(crate) fn is_member(&self, start: usize) -> bool {
        let Some(token) = self.previous() else { return false };
        match &self.bytes[token.span.range()] {
            b"->" | b"::" | b"." | b"&" | b"sub" => true,
            // Perl's file test `-s` and hash `%y`.
            b"-" | b"%" => self.is_glued(start),
            _ => false,
        }
    }

    /// Returns the character that begins at `at`, or a blank at the end of the text.
    pub(crate) fn char_at(&self, at: usize) -> char {
        self.text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ')
    }

    /// Returns the length in bytes of the character that begins at `at`.
    pub(crate) fn char_len(&self, at: usize) -> usize {
        self.char_at(at).len_utf8()
    }
}

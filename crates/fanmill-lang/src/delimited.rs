//! Literals between delimiters of the author's choice: Perl's `q(…)` and `s/…/…/g`, Ruby's `%w[…]`,
//! Elixir's `~r/…/i`.

use memchr::memchr3;

use crate::cursor::Cursor;
use crate::quotes::Quote;

impl Cursor<'_> {
    /// Text between delimiters of the author's choice: `q(…)`, `s/…/…/g`, `%w[…]`, `~r/…/i`.
    pub(crate) fn delimited(
        &mut self,
        quote: &Quote,
        letters: &str,
        bodies: u8,
        start: usize,
        body: usize,
    ) -> bool {
        let mut at = body;
        if quote.prefixes.is_empty() {
            at += self.bytes[at..]
                .iter()
                .take_while(|b| letters.as_bytes().contains(b))
                .count()
                .min(1);
        } else {
            at += self.bytes[at..].iter().take_while(|b| **b == b' ').count();
        }
        let Some(&open) = self.bytes.get(at) else { return false };
        let next = self.bytes.get(at + 1).copied();
        let is_delimiter = match open {
            // Fat comma, closing bracket, separator: the word was a key or an argument.
            b'=' => at == body && next != Some(b'>'),
            b',' | b';' | b')' | b']' | b'}' | b'>' => false,
            b'{' | b'(' | b'[' | b'<' => true,
            // Ruby's `%` without a letter divides by anything but a bracket.
            _ if quote.prefixes.is_empty() => at > body && open.is_ascii_punctuation(),
            // After a blank, Perl may mean something else by the rest.
            b'/' | b'|' | b'!' | b'~' | b'\'' | b'"' => true,
            _ => at == body && open.is_ascii_punctuation(),
        };
        if !is_delimiter || self.is_member(start) {
            return false;
        }
        for part in 0..bodies {
            if part > 0 && mirror(open).is_some() {
                at += self.bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            } else if part > 0 {
                at -= 1;
            }
            match self.bytes.get(at).and_then(|open| self.delimited_end(*open, at + 1)) {
                Some(end) => at = end,
                None => return false,
            }
        }
        let flags = self.bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        self.literal(quote, start, at + flags)
    }

    /// One past the delimiter that closes `open`, brackets nesting.
    fn delimited_end(&mut self, open: u8, from: usize) -> Option<usize> {
        let close = mirror(open).unwrap_or(open);
        if self.absent.len() >= Cursor::MOST_ABSENT {
            return None;
        }
        let (mut at, mut depth) = (from, 1_usize);
        while let Some(i) = memchr3(open, close, b'\\', self.bytes.get(at..).unwrap_or(&[])) {
            at += i;
            let byte = self.bytes[at];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            } else if byte == open {
                depth += 1;
            } else {
                at += 1;
            }
            at += 1;
        }
        // Not `close`: further down it may well balance a later opener.
        self.absent.push(Vec::new());
        None
    }
}

/// The bracket that closes this one.
pub(crate) fn mirror(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}

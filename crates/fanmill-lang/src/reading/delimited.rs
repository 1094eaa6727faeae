//! Literals between delimiters of the author's choice: Perl's `q(…)` and `s/…/…/g`, Ruby's `%w[…]`,
//! Elixir's `~r/…/i`.

use memchr::memchr3;

use crate::cursor::Cursor;
use crate::table::quotes::Quote;

impl Cursor<'_> {
    /// Reads the literal whose first delimiter is at `body`, possibly after blanks or one of `letters`.
    /// Returns `false` if there is no delimiter, or if one of the `bodies` is never closed.
    pub(crate) fn delimited(
        &mut self,
        quote: &Quote,
        letters: &str,
        bodies: u8,
        start: usize,
        body: usize,
    ) -> bool {
        let Some(mut at) = self.first_delimiter(quote, letters, body) else { return false };
        if self.is_member(start) {
            return false;
        }
        let is_paired = mirror(self.bytes[at]).is_some();
        for part in 0..bodies {
            if part > 0 && is_paired {
                let blanks = self.bytes[at..].iter().take_while(|b| b.is_ascii_whitespace());
                at += blanks.count();
            } else if part > 0 {
                // One delimiter closes a body and opens the next.
                at -= 1;
            }
            match self.delimited_end(at) {
                Some(end) => at = end,
                None => return false,
            }
        }
        let flags = self.bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
        self.literal(quote, start, at + flags)
    }

    /// Returns the position of the first delimiter at or after `body`, if there is one.
    fn first_delimiter(&self, quote: &Quote, letters: &str, body: usize) -> Option<usize> {
        let rest = self.bytes.get(body..)?;
        let is_word = !quote.prefixes.is_empty();
        let skipped = if is_word {
            rest.iter().take_while(|b| **b == b' ').count()
        } else {
            usize::from(rest.first().is_some_and(|b| letters.as_bytes().contains(b)))
        };
        let is_delimiter = match *rest.get(skipped)? {
            b'=' => skipped == 0 && rest.get(1) != Some(&b'>'),
            // The word before it is then a key or an argument.
            b',' | b';' | b')' | b']' | b'}' | b'>' => false,
            b'{' | b'(' | b'[' | b'<' => true,
            // Ruby's `%` without a letter is a division, except before a bracket.
            other if !is_word => skipped > 0 && other.is_ascii_punctuation(),
            b'/' | b'|' | b'!' | b'~' | b'\'' | b'"' => true,
            // After a blank, other characters mean something else in Perl.
            other => skipped == 0 && other.is_ascii_punctuation(),
        };
        is_delimiter.then_some(body + skipped)
    }

    /// Returns the end of the delimiter that closes the one at `at`; brackets nest.
    fn delimited_end(&mut self, at: usize) -> Option<usize> {
        let open = *self.bytes.get(at)?;
        if !open.is_ascii_punctuation() || self.absent.len() >= Cursor::MOST_ABSENT {
            return None;
        }
        let close = mirror(open).unwrap_or(open);
        let (mut at, mut depth) = (at + 1, 1_usize);
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
        // Only count the failure. `close` itself may still balance a later opener.
        self.absent.push(Vec::new());
        None
    }
}

/// Returns the bracket that closes this one.
pub(crate) fn mirror(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}

//! Numbers: their description in a table, and the code that reads them.
//!
//! Numbers are read generously, as by a C preprocessor (C17): digits, letters, `_`,
//! one decimal point and signed exponents. This covers the radix prefixes, suffixes and separators of
//! nearly every language without describing them; the token's class is the same anyway.

use crate::cursor::Cursor;
use crate::table::numbers::FinalPoint;

impl Cursor<'_> {
    /// Reads the number at this position, whose first `prefix` bytes have been checked already.
    pub(crate) fn number(&mut self, prefix: usize) {
        let end = self.number_end(self.at, self.at + prefix);
        self.literal_number(end);
    }

    /// Reads a number that does not begin with a digit, such as `.5`; returns `false` if no digit follows.
    pub(crate) fn prefixed_number(&mut self, prefix: &str) -> bool {
        let next = self.bytes.get(self.at + prefix.len()).copied().unwrap_or(0);
        let is_digit = match prefix {
            // A sign directly after an operand is an operator.
            "-" | "+" if next == b'.' => {
                let after = self.bytes.get(self.at + prefix.len() + 1);
                after.is_some_and(u8::is_ascii_digit) && !self.is_glued_to_operand()
            }
            "." | "-" | "+" => next.is_ascii_digit() && !self.is_glued_to_operand(),
            _ => next.is_ascii_hexdigit() || matches!(next, b'x' | b'X' | b'z' | b'Z'),
        };
        if is_digit {
            self.number(prefix.len());
        }
        is_digit
    }

    /// Returns the end of the number that begins at `start` and has its first digit at `digits`.
    fn number_end(&self, start: usize, digits: usize) -> usize {
        let (bytes, numbers) = (self.bytes, &self.tables.numbers);
        let mut has_point = bytes[start] == b'.';
        let is_hex = bytes[start] == b'0' && matches!(bytes.get(start + 1), Some(b'x' | b'X'));
        // The last mark so far, such as the first `#` of `16#FF#`.
        let mut marked = None;
        let mut at = digits;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied().unwrap_or(b' ');
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                at += 1;
                if matches!(next, b'+' | b'-')
                    && numbers.exponents.as_bytes().contains(&byte)
                    && (!is_hex || matches!(byte, b'p' | b'P'))
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
                {
                    at += 1;
                }
            } else if byte == b'.' && !has_point && !is_hex && self.takes_point(at) {
                has_point = true;
                at += 1;
            } else if numbers.marks.as_bytes().contains(&byte)
                && (next.is_ascii_alphanumeric() || marked == Some(byte))
            {
                marked = Some(byte);
                at += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Returns whether the point at `at`, after digits, belongs to the number.
    fn takes_point(&self, at: usize) -> bool {
        let (numbers, byte) = (&self.tables.numbers, |i: usize| self.bytes.get(at + i).copied());
        let next = byte(1).unwrap_or(b' ');
        if next.is_ascii_digit() {
            return true;
        }
        let has_exponent = numbers.exponents.as_bytes().contains(&next)
            && byte(2).is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
        numbers.final_point == FinalPoint::Number
            && (has_exponent
                || !(next.is_ascii_alphabetic()
                    || matches!(next, b'.' | b'_' | b'*' | b'/' | b'^' | b'\'')))
    }
}

//! A document's tokens as one string for the page: about one character a token.
//!
//! The page shows what was compared, and does not tokenise texts itself, so it gets the program's own tokens. A token
//! is one number, `(length - 1) * 12 + apart * 6 + class`, all in UTF-16 code units of the shown text. `apart` is 0 if
//! the token begins at the first character after the token before it that is not a blank (space, tab, line end), and 1
//! if something else lies between, such as a comment; then a second number follows, the distance from the beginning of
//! the token before it. A number is written in [`DIGITS`]: of the 92, the first 64 end it, and the others come before
//! them.
//!
//! Cost: one pass over the text; the string is the only thing that grows.

use fanmill_text::span::Span;
use fanmill_text::token::Class;

use crate::texts::ShownText;
use crate::units::Walk;

/// The printable ASCII characters, without those that JSON or a script would escape.
pub(super) const DIGITS: &[u8; 92] =
    b" !#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Number of digits that end a number.
const ENDING: u32 = 64;

/// Number of digits that come before them.
const LEADING: u32 = DIGITS.len() as u32 - ENDING;

/// A writer of the tokens of one text, in their order.
pub(super) struct Runs<'a> {
    shown: &'a str,
    /// Walks to the starts of tokens and to their ends. Two, because tokens that were made from one character overlap.
    starts: Walk<'a>,
    ends: Walk<'a>,
    /// Number of bytes of the text that are shown.
    limit: usize,
    /// The start of the last token, in code units, and its end, in code units and bytes.
    last: (u32, u32, usize),
    written: String,
}

impl<'a> Runs<'a> {
    /// Begins with a text; its first `limit` bytes are shown.
    pub(super) fn new(shown: ShownText<'a>, limit: usize) -> Runs<'a> {
        let (starts, ends) = (Walk::new(shown), Walk::new(shown));
        Runs { shown: shown.text(), starts, ends, limit, last: (0, 0, 0), written: String::new() }
    }

    /// Writes the next token, given its bytes of the original; leaves it out if it is not shown completely.
    pub(super) fn push(&mut self, class: Class, span: Span) {
        let (start, start_byte) = self.starts.to(span.start);
        let (end, end_byte) = self.ends.to(span.end);
        if end_byte > self.limit || end <= start {
            return;
        }
        let (last_start, last_end, last_byte) = self.last;
        let blanks = self.shown.as_bytes()[last_byte..].iter().take_while(|b| is_blank(**b));
        // A blank is one byte and one code unit. Count no more of them than there are before the token.
        let room = start_byte.saturating_sub(last_byte) + 1;
        let is_apart = last_end + blanks.take(room).count() as u32 != start;
        self.number((end - start - 1) * 12 + u32::from(is_apart) * 6 + class as u32);
        if is_apart {
            self.number(start - last_start);
        }
        self.last = (start, end, end_byte);
    }

    /// Returns all tokens so far.
    pub(super) fn finish(self) -> String {
        self.written
    }

    fn number(&mut self, number: u32) {
        let mut leading = Vec::new();
        let mut rest = number / ENDING;
        while rest > 0 {
            leading.push(ENDING + rest % LEADING);
            rest /= LEADING;
        }
        let digits = leading.into_iter().rev().chain([number % ENDING]);
        self.written.extend(digits.map(|digit| char::from(DIGITS[digit as usize])));
    }
}

/// Returns whether this byte may be between two tokens without anything else being between them.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Reads the tokens of a text as the page does: class, start and end in code units.
#[cfg(test)]
pub(super) fn read(written: &str, text: &str) -> Vec<(Class, u32, u32)> {
    let mut digits = written.bytes().map(|byte| {
        DIGITS.iter().position(|&digit| digit == byte).expect("one of the digits") as u32
    });
    let mut number = || {
        let mut value = 0;
        for digit in digits.by_ref() {
            if digit < ENDING {
                return Some(value * ENDING + digit);
            }
            value = value * LEADING + digit - ENDING;
        }
        None
    };
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut last_start, mut last_end) = (0, 0);
    let mut tokens = Vec::new();
    while let Some(token) = number() {
        let blanks = units[last_end as usize..]
            .iter()
            .take_while(|&&unit| u8::try_from(unit).is_ok_and(is_blank))
            .count() as u32;
        // A token that is apart has its distance in a second number.
        let start = match token / 6 % 2 {
            0 => last_end + blanks,
            _ => last_start + number().expect("a distance"),
        };
        let end = start + token / 12 + 1;
        tokens.push((Class::ALL[(token % 6) as usize], start, end));
        (last_start, last_end) = (start, end);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::utf_8;
    use proptest::prelude::*;

    fn written(text: &str, tokens: &[(Class, Span)]) -> String {
        let decoded = utf_8(text);
        let mut runs = Runs::new(ShownText::from_decoded(&decoded), text.len());
        for &(class, span) in tokens {
            runs.push(class, span);
        }
        runs.finish()
    }

    #[test]
    fn most_tokens_are_one_character() {
        let text = "int é =\n\t17; /* n */ return x;";
        let spans = [(0, 3), (4, 6), (7, 8), (10, 12), (12, 13), (22, 28), (29, 30), (30, 31)];
        let classes = [
            Class::Keyword,
            Class::Identifier,
            Class::Spelled,
            Class::Number,
            Class::Spelled,
            Class::Keyword,
            Class::Identifier,
            Class::Spelled,
        ];
        let tokens: Vec<_> = classes
            .into_iter()
            .zip(spans)
            .map(|(class, (a, b))| (class, Span::new(a, b)))
            .collect();
        let written = written(text, &tokens);
        // `return` follows a comment, so it has a second number.
        assert_eq!(written, ">! / d'+! ");
        let read = read(&written, text);
        let words: Vec<String> = read
            .iter()
            .map(|&(_, start, end)| {
                let units: Vec<u16> = text.encode_utf16().collect();
                String::from_utf16(&units[start as usize..end as usize]).unwrap()
            })
            .collect();
        assert_eq!(words, ["int", "é", "=", "17", ";", "return", "x", ";"]);
        assert_eq!(read.iter().map(|&(class, ..)| class).collect::<Vec<_>>(), classes);
    }

    #[test]
    fn tokens_of_one_character_keep_its_place() {
        // `ﬁ` was folded to `f` and `i`, each a token.
        let fi = Span::new(0, 3);
        let tokens = [(Class::Word, fi), (Class::Word, fi), (Class::Word, Span::new(4, 5))];
        let read = read(&written("ﬁ x", &tokens), "ﬁ x");
        assert_eq!(read, [(Class::Word, 0, 1), (Class::Word, 0, 1), (Class::Word, 2, 3)]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_is_read(
            text in "[a-z \t\n\u{a0}é🦀<\"\\\\#]{0,60}",
            raw in prop::collection::vec((0..4_u32, 1..5_u32, 0..6_usize), 0..30),
        ) {
            // Any spans that ascend, on any bytes: the shown text has places only at characters.
            let mut at = 0;
            let tokens: Vec<(Class, Span)> = raw
                .into_iter()
                .map(|(apart, length, class)| {
                    let start = at + apart;
                    at = start + length;
                    (Class::ALL[class], Span::new(start, at))
                })
                .collect();
            let decoded = utf_8(&text);
            let shown = ShownText::from_decoded(&decoded);
            let units = |byte| text[..shown.at_from(0, byte)].encode_utf16().count() as u32;
            let naive: Vec<(Class, u32, u32)> = tokens
                .iter()
                .map(|&(class, span)| (class, units(span.start), units(span.end)))
                .filter(|&(_, start, end)| start < end)
                .collect();
            let written = written(&text, &tokens);
            prop_assert!(!written.contains(['"', '\\', '<']));
            prop_assert_eq!(read(&written, &text), naive);
        }
    }
}

//! Text that is written backwards but shown forwards.
//!
//! After U+202E, right-to-left override, a mail program shows all letters from right to left: `argaiv` is seen as
//! `viagra`. So such a stretch is reversed, up to the mark that ends it or the end of the line. A stretch with letters
//! of a right-to-left script is kept as it is, because its readers start at the right.
//!
//! Cost: O(n); texts without the mark are borrowed.
//! Source: Unicode Standard Annex 9, §2.2 and §3.3.2.
//! Departs from it: only the outermost override counts; combining marks are reversed like letters.

use std::borrow::Cow;

/// Right-to-left override.
const OVERRIDE: char = '\u{202E}';
/// Pop directional formatting.
const POP: char = '\u{202C}';

/// Begins a stretch to be reversed, up to [`END`] or the end of the line.
pub(crate) const START: &str = "\u{202E}";
/// Ends a stretch to be reversed.
pub(crate) const END: &str = "\u{202C}";

/// Returns the text as a person sees it, without the marks of the stretches that were reversed.
pub(crate) fn as_seen(text: &str) -> Cow<'_, str> {
    if !text.contains(OVERRIDE) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once(OVERRIDE) {
            out.push_str(before);
            let end = end_of_override(behind);
            turn(&behind[..end], &mut out);
            rest = behind[end..].strip_prefix(POP).unwrap_or(&behind[end..]);
        }
        out.push_str(rest);
    }
    Cow::Owned(out)
}

/// Returns the end of the override that contains the start of `text`: its closing mark, or the end of the line.
fn end_of_override(text: &str) -> usize {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '\u{202A}' | '\u{202B}' | '\u{202D}' | OVERRIDE => depth += 1,
            POP => depth -= 1,
            '\n' => return at,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn turn(text: &str, out: &mut String) {
    let is_from_right =
        |c| matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}');
    if text.contains(is_from_right) {
        out.push_str(text);
    } else {
        let is_mark = |c: &char| matches!(c, '\u{202A}'..='\u{202E}');
        out.extend(text.chars().rev().filter(|c| !is_mark(c)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_written_backwards_is_read_forwards() {
        let cases = [
            ("buy \u{202E}argaiv\u{202C} now", "buy viagra now"),
            ("\u{202E}ba\ncd", "ab\ncd"),
            ("\u{202E}d\u{202A}c\u{202C}b\u{202C}x", "bcdx"),
            ("\u{202E}שלום\u{202C}", "שלום"),
            ("\u{202C}a\u{202A}b", "\u{202C}a\u{202A}b"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(as_seen(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_letter_is_lost(text in "[a-c\n\u{202A}\u{202C}\u{202E}א]{0,30}") {
            let sorted = |text: &str| {
                let letters = text.chars().filter(|c| !matches!(c, '\u{202A}'..='\u{202E}'));
                let mut letters: Vec<char> = letters.collect();
                letters.sort_unstable();
                letters
            };
            prop_assert_eq!(sorted(&as_seen(&text)), sorted(&text));
        }
    }
}

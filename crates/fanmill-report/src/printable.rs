//! Makes text printable: escapes characters that must not reach a terminal, a spreadsheet or a page.
//!
//! A file name may contain a line feed, an escape sequence that repaints the terminal, or a mark
//! that reverses the reading order (Trojan Source, Boucher & Anderson 2021). Reports show such
//! characters instead of obeying them.

use std::borrow::Cow;
use std::fmt::Write;

/// Invisible characters other than controls: they join, hide, reorder or select a variant. Ascending,
/// inclusive ranges.
const INVISIBLE: [(char, char); 20] = [
    ('\u{AD}', '\u{AD}'),        // soft hyphen
    ('\u{34F}', '\u{34F}'),      // combining grapheme joiner
    ('\u{61C}', '\u{61C}'),      // Arabic letter mark
    ('\u{115F}', '\u{1160}'),    // Hangul fillers
    ('\u{17B4}', '\u{17B5}'),    // Khmer inherent vowels
    ('\u{180B}', '\u{180F}'),    // Mongolian selectors and separator
    ('\u{200B}', '\u{200F}'),    // zero width space and joiners, direction marks
    ('\u{2028}', '\u{202E}'),    // line and paragraph separator, embeddings and overrides
    ('\u{2060}', '\u{206F}'),    // word joiner, invisible operators, isolates
    ('\u{2800}', '\u{2800}'),    // Braille blank
    ('\u{3164}', '\u{3164}'),    // Hangul filler
    ('\u{E000}', '\u{F8FF}'),    // private use
    ('\u{FE00}', '\u{FE0F}'),    // variation selectors
    ('\u{FEFF}', '\u{FEFF}'),    // byte order mark, zero width no-break space
    ('\u{FFA0}', '\u{FFA0}'),    // halfwidth Hangul filler
    ('\u{FFF0}', '\u{FFFB}'),    // interlinear annotation
    ('\u{FFFE}', '\u{FFFF}'),    // noncharacters
    ('\u{1BCA0}', '\u{1BCA3}'),  // shorthand format controls
    ('\u{1D173}', '\u{1D17A}'),  // musical format controls
    ('\u{E0000}', '\u{10FFFF}'), // tags, selectors supplement, private planes
];

/// Returns whether a character cannot be seen, or changes how its neighbours are seen.
///
/// Tab, line feed and carriage return count too; what to do with line breaks is up to the caller.
pub(crate) fn is_hidden(c: char) -> bool {
    // This test alone decides for nearly all characters of any text.
    if c < '\u{7F}' {
        return c < ' ';
    }
    let after = INVISIBLE.partition_point(|&(first, _)| first <= c);
    c.is_control() || (after > 0 && c <= INVISIBLE[after - 1].1)
}

/// Puts a text on one line, with hidden characters as escapes, so that it has no effect on a terminal.
///
/// Control characters, direction marks and invisible characters become `\u{202e}`; line feed,
/// carriage return and tab become `\n`, `\r` and `\t`. Everything else stays, including the backslash, so
/// the result is for display and cannot be parsed back.
///
/// | text | shown |
/// |---|---|
/// | `naïve.py` | `naïve.py` |
/// | `a`, line feed, `b` | `a\nb` |
/// | `x`, U+202E, `cod.exe` | `x\u{202e}cod.exe` |
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if is_hidden(c) => {
                write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("writing to a String succeeds");
            }
            _ => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges_ascend_and_do_not_overlap() {
        assert!(INVISIBLE.iter().all(|&(first, last)| first <= last));
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn plain_text_is_borrowed() {
        for text in ["", "Main.java", "naïve 日本語.py", "C:\\x", "é e\u{301} 🦀"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn terminal_controls_are_escaped() {
        assert_eq!(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
        assert_eq!(printable("\u{1b}[2J\u{9b}2J\u{7f}"), "\\u{1b}[2J\\u{9b}2J\\u{7f}");
        assert_eq!(printable("x\u{202e}cod.exe"), "x\\u{202e}cod.exe");
        assert_eq!(printable("a\u{200b}\u{feff}\u{e0041}"), "a\\u{200b}\\u{feff}\\u{e0041}");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
            prop_assert!(!printable(&text).chars().any(is_hidden));
        }
    }
}

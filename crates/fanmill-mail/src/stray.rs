//! Unseen characters that would split or change words: controls, and marks of other scripts on Latin letters.
//!
//! Characters that are invisible according to Unicode are removed from all texts ([`fanmill_text::frontend`]). The
//! characters removed here mean something in terminals or in Arabic, but nothing in a Latin word that a mail program
//! shows.
//!
//! Cost: O(n); texts without such characters are borrowed.
//! Source: Unicode Standard Annex 44, `General_Category`: Cc, and Mn of Hebrew and Arabic.

use std::borrow::Cow;

/// Returns the text without these characters.
pub(crate) fn without(text: &str) -> Cow<'_, str> {
    if !may_have_any(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut before = ' ';
    let is_seen = |c: &char| {
        let is_stray =
            c.is_control() && !c.is_whitespace() || is_mark(*c) && before.is_ascii_alphabetic();
        before = if is_stray { before } else { *c };
        !is_stray
    };
    Cow::Owned(text.chars().filter(is_seen).collect())
}

/// Returns whether a text may have such a character: it has a control character, or any character of a script with such
/// marks.
fn may_have_any(text: &[u8]) -> bool {
    (0..text.len()).any(|at| match text[at] {
        b'\t' | b'\n' | b'\r' | 0xB | 0xC => false,
        ..b' ' | 0x7F | 0xD6..=0xDB => true,
        // In UTF-8 the other control characters are this byte and one more.
        0xC2 => text.get(at + 1).is_some_and(|&next| next < 0xA0),
        _ => false,
    })
}

/// Returns whether a character is a mark on Hebrew or Arabic letters.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}'
        | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E4}'
        | '\u{6E7}' | '\u{6E8}' | '\u{6EA}'..='\u{6ED}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_without_them() {
        let cases = [
            ("via\u{1}g\u{7F}r\u{9F}a\0", "viagra"),
            ("a\u{619}\u{64B}b \u{5C1}c", "ab \u{5C1}c"),
            ("one\ttwo\r\nthree\u{C}four\u{85}", "one\ttwo\r\nthree\u{C}four\u{85}"),
            ("سَلام שָׁלוֹם é Ö", "سَلام שָׁלוֹם é Ö"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(without(text), expected, "{text:?}");
        }
    }
}

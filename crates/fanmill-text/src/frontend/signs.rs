//! Words and signs of a corpus, as hashes, where signs distinguish: in programs, in formulas, and in texts of little else.
//!
//! For [`runs`](super::runs), `a + b` and `a - b` are the same two words. Here a sign is a word by itself, with the marks
//! that follow it:
//!
//! | signs | text | words | folded |
//! |---|---|---|---|
//! | [`Signs::Symbols`] | `Great film 😀!` | `great` `film` `😀` | as prose; signs of sentences do not count |
//! | [`Signs::Maths`] | `X² ≥ 2xy` | `X²` `≥` `2xy` | not at all |
//! | [`Signs::Code`] | `if A:⏎  b[1]` | `if` `A` `:` *deeper* `b` `[` `1` `]` | [as code](super::fold()) |
//!
//! In code, a line that is indented more or less than the one before it begins with a word that says so, unless a bracket
//! is open: where there are brackets, indentation only shows what they say.
//!
//! Cost: O(n) time, character by character: some ten times that of [`runs`](super::runs).

use std::borrow::Cow;

use super::fold::Folding;
use super::word_class::{Class, class, lower};
use super::word_hash::{Fixed, WordHash, WordKey};

/// The signs that count as words, and the way that texts are folded beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// Signs that do not belong to sentences; case does not matter.
    Symbols,
    /// All signs, in a text as it is written.
    Maths,
    /// All signs, and changes of indentation; case matters.
    Code,
}

/// Signs that belong to sentences, and say little by themselves.
const OF_SENTENCES: &str =
    ".,;:!?'\"()-‐‑‒–—―…‘’‚‛“”„‟‹›«»¡¿·•、。〈〉《》「」『』【】〔〕・،؛؟۔।॥";
/// Columns between tab stops.
const TAB: usize = 8;
/// Words for a line that is indented more or less than the one before it; no other word holds a line break.
const DEEPER: &str = "\n>";
const BACK: &str = "\n<";

/// Appends one 64-bit hash per word or sign, in the order of the text. Hashes never change.
pub fn sign_hashes(text: &str, signs: Signs, hashes: &mut Vec<u64>) {
    words_by(Fixed, text, signs, hashes);
}

/// Appends the words of [`sign_hashes`], each by its hash under a key.
pub fn keyed_sign_hashes<const N: usize>(
    text: &str,
    signs: Signs,
    key: &WordKey<N>,
    hashes: &mut Vec<[u64; N]>,
) {
    words_by(*key, text, signs, hashes);
}

/// Returns whether a text has a sign that [`Signs::Symbols`] counts.
pub fn has_symbols(text: &str) -> bool {
    text.chars().any(is_symbol)
}

fn words_by<H: WordHash>(by: H, text: &str, signs: Signs, hashes: &mut Vec<H::Value>) {
    each_sign_word(text, signs, |word| hashes.push(hash(by, word.as_bytes())));
}

/// Returns the hash of a word's bytes: eight at a time, little-endian, the last ones padded with zeros, which no word
/// has.
fn hash<H: WordHash>(by: H, word: &[u8]) -> H::Value {
    let value = word.chunks(8).fold(by.start(), |value, chunk| {
        let mut block = [0; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        by.add(value, u64::from_le_bytes(block))
    });
    by.end(value)
}

fn is_symbol(c: char) -> bool {
    is_sign(c) && !OF_SENTENCES.contains(c)
}

fn is_sign(c: char) -> bool {
    class_of(c) == Class::Other && !c.is_whitespace() && !c.is_control()
}

/// Returns the class of a character; an underscore belongs to words.
fn class_of(c: char) -> Class {
    if c == '_' { Class::Letter } else { class(c) }
}

/// Passes each word and sign of [`sign_hashes`] to `found`, in their order.
pub fn each_sign_word(text: &str, signs: Signs, mut found: impl FnMut(&str)) {
    let folded = match signs {
        Signs::Symbols => Folding::Spelling.of(text).text,
        Signs::Code => Folding::Disguises.of(text).text,
        Signs::Maths => Cow::Borrowed(text),
    };
    let (mut word, mut layout) = (Word::default(), Layout::new());
    for c in folded.chars() {
        if signs == Signs::Code {
            // Such a word comes after white space, so none is open.
            layout.take(c, &mut found);
        }
        let class = class_of(c);
        let is_counted = match signs {
            Signs::Symbols => is_symbol(c),
            Signs::Maths | Signs::Code => is_sign(c),
        };
        match class {
            // A mark without a character before it is nothing.
            Class::Mark if word.text.is_empty() => continue,
            Class::Mark => {}
            Class::Letter | Class::Digit if !word.is_single => {}
            _ => word.end(&mut found),
        }
        if class == Class::Other && !is_counted {
            continue;
        }
        if word.text.is_empty() {
            word.is_single = matches!(class, Class::Single | Class::Other);
        }
        word.text.push(if signs == Signs::Symbols { lower(c) } else { c });
    }
    word.end(&mut found);
}

/// The word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    /// True if it is one character, with its marks.
    is_single: bool,
}

impl Word {
    fn end(&mut self, found: &mut impl FnMut(&str)) {
        if !self.text.is_empty() {
            found(&self.text);
        }
        self.text.clear();
        self.is_single = false;
    }
}

/// The indentation of a program's lines.
struct Layout {
    /// The columns at which the blocks that are open are indented, ascending.
    blocks: Vec<usize>,
    /// The column that is reached, while nothing but blanks is in the line.
    column: Option<usize>,
    n_brackets: usize,
}

impl Layout {
    fn new() -> Layout {
        Layout { blocks: vec![0], column: Some(0), n_brackets: 0 }
    }

    /// Takes a character, and passes a word to `found` for each block that begins or ends before it.
    fn take(&mut self, c: char, found: &mut impl FnMut(&str)) {
        match (c, &mut self.column) {
            ('\n' | '\r', column) => *column = Some(0),
            ('\t', Some(column)) => *column = (*column / TAB + 1) * TAB,
            (c, Some(column)) if c.is_whitespace() => *column += 1,
            (c, _) if c.is_whitespace() => {}
            (c, _) => {
                if let Some(column) = self.column.take()
                    && self.n_brackets == 0
                {
                    self.indent(column, found);
                }
                match c {
                    '(' | '[' | '{' => self.n_brackets += 1,
                    ')' | ']' | '}' => self.n_brackets = self.n_brackets.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    fn indent(&mut self, column: usize, found: &mut impl FnMut(&str)) {
        while self.blocks.pop_if(|block| *block > column).is_some() {
            found(BACK);
        }
        if self.blocks.last() != Some(&column) {
            self.blocks.push(column);
            found(DEEPER);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str, signs: Signs) -> Vec<String> {
        let mut words = Vec::new();
        each_sign_word(text, signs, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn signs_are_words_where_they_distinguish() {
        for (signs, text, expected) in [
            (Signs::Symbols, "Great film 😀!", &["great", "film", "😀"][..]),
            (Signs::Symbols, "“Größe” — (no. 5), a+B", &["groesse", "no", "5", "a", "+", "b"]),
            (Signs::Symbols, "汉字。[1]", &["汉", "字", "[", "1", "]"]),
            (Signs::Symbols, "…", &[]),
            (Signs::Maths, "X² ≥ 2xy_1, ½", &["X²", "≥", "2xy_1", ",", "½"]),
            (Signs::Maths, "\u{301}a\u{301} +\u{338}", &["a\u{301}", "+\u{338}"]),
            (Signs::Maths, "\0\u{7}\u{200B}", &["\u{200B}"]),
            (Signs::Code, "if A:\n  b[1]", &["if", "A", ":", DEEPER, "b", "[", "1", "]"]),
            (Signs::Code, "f(a,\n    b)\nc", &["f", "(", "a", ",", "b", ")", "c"]),
            (
                Signs::Code,
                "a\n\tb\n\n        c\n  \n\t  d\ne",
                &["a", DEEPER, "b", "c", DEEPER, "d", BACK, BACK, "e"],
            ),
            (Signs::Code, "wh\u{200B}ile ｘ", &["while", "x"]),
        ] {
            assert_eq!(words(text, signs), expected, "{text:?}");
        }
    }

    #[test]
    fn hostile_texts_take_no_time() {
        let deep: String = (0..2000).map(|n| " ".repeat(n) + "a\n").collect();
        for text in ["(".repeat(1_000_000), "\u{301}".repeat(1_000_000), deep] {
            for signs in [Signs::Symbols, Signs::Maths, Signs::Code] {
                words(&text, signs);
            }
        }
    }

    proptest! {
        #[test]
        fn equal_words_and_no_others_have_equal_hashes(text in "([a-cA+= \n\t({)é😀\u{301}]|any){0,40}", secret: [u8; 32]) {
            for signs in [Signs::Symbols, Signs::Maths, Signs::Code] {
                let words = words(&text, signs);
                let (mut fixed, mut keyed) = (Vec::new(), Vec::new());
                sign_hashes(&text, signs, &mut fixed);
                keyed_sign_hashes(&text, signs, &WordKey::<1>::new(&secret), &mut keyed);
                prop_assert_eq!((fixed.len(), keyed.len()), (words.len(), words.len()));
                for (a, word) in words.iter().enumerate() {
                    for (b, other) in words.iter().enumerate() {
                        prop_assert_eq!(word == other, fixed[a] == fixed[b]);
                        prop_assert_eq!(word == other, keyed[a] == keyed[b]);
                    }
                }
            }
        }

        #[test]
        fn no_text_is_too_odd(text: String) {
            let symbols = words(&text, Signs::Symbols);
            prop_assert!(symbols.iter().all(|word| !word.contains(char::is_whitespace)));
            words(&text, Signs::Code);
            prop_assert!(words(&text, Signs::Maths).concat().len() <= text.len());
        }
    }
}

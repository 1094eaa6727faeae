//! The words of a text as they are written: rows of characters between white space, each with its hash and its place.
//!
//! Nothing is folded: case, accents and signs count. In scripts without spaces, each character is a word, together with
//! the marks that follow it.
//!
//! | text | words |
//! |---|---|
//! | `Don't  stop⏎(yet).` | `Don't` `stop` `(yet).` |
//! | `見る2回。` | `見` `る` `2` `回` `。` |
//!
//! White space is that of Unicode. The words of [`runs`](super::runs) are for comparing what texts say; these are for
//! removing text, at places where a reader sees a word end.
//!
//! Cost: O(n) time: 64 bytes at a time are searched for white space, and eight at a time are hashed. Rows with
//! characters from U+0E00 on are read character by character.

use std::ops::Range;
use std::sync::LazyLock;

use super::mixed_row::{ONES, eight};
use super::word_class::{Class, class};
use super::word_hash::{WordHash, WordKey};
use fanmill_kernel as kernel;
use fanmill_kernel::{BLOCK, ByteSets, Form, Task};

/// The first byte in UTF-8 of U+0080 to U+00BF, of which two are white space.
const LOW: u8 = 0xC2;
/// The first byte in UTF-8 of U+0800 and above, or a greater one: scripts without spaces, and spaces of many widths.
const HIGH: u8 = 0xE0;
/// The byte after a word in its last block of eight. UTF-8 has no such byte, so words are never confused.
const PAD: u64 = 0xFF;

/// Passes each word of `text` to `found`, in their order: its hash under the key, and its place in bytes.
///
/// Different words have equal hashes only by an accident that nobody can bring about without the key. Words never
/// overlap, are never empty, and hold no white space.
pub fn each_verbatim_word(text: &str, key: &WordKey<1>, found: impl FnMut(u64, Range<usize>)) {
    kernel::run(Reading { text, key: *key, found });
}

/// One reading of a text, as a task for kernels.
struct Reading<'a, F> {
    text: &'a str,
    key: WordKey<1>,
    found: F,
}

impl<F: FnMut(u64, Range<usize>)> Task for Reading<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Form>(mut self, form: S) {
        static SETS: LazyLock<ByteSets> = LazyLock::new(|| {
            let is_white = |byte: u8| char::from(byte).is_whitespace();
            ByteSets::new(|_| false, |_| false, is_white)
        });
        let sets = &*SETS;
        let (blocks, rest) = self.text.as_bytes().as_chunks::<BLOCK>();
        // The start of the row that goes on, if one does.
        let mut open = None;
        for (i, block) in blocks.iter().enumerate() {
            let [_, _, white] = form.byte_sets(block, sets);
            self.block(!white, BLOCK * i, &mut open);
        }
        // At least one blank follows the rest, and ends its last row.
        let mut last = [b' '; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let [_, _, white] = form.byte_sets(&last, sets);
        self.block(!white, BLOCK * blocks.len(), &mut open);
    }
}

impl<F: FnMut(u64, Range<usize>)> Reading<'_, F> {
    /// Takes the rows that end in the block at `base`; `filled` has a bit for each byte that is not white.
    #[inline(always)]
    fn block(&mut self, filled: u64, base: usize, open: &mut Option<usize>) {
        let before = filled << 1 | u64::from(open.is_some());
        let (mut starts, mut ends) = (filled & !before, before & !filled);
        while ends != 0 {
            let end = base + ends.trailing_zeros() as usize;
            ends &= ends - 1;
            let start = open.take().unwrap_or_else(|| {
                let start = base + starts.trailing_zeros() as usize;
                starts &= starts - 1;
                start
            });
            self.row(start, end);
        }
        if starts != 0 {
            *open = Some(base + starts.trailing_zeros() as usize);
        }
    }

    /// Takes a row between ASCII white space.
    #[inline(always)]
    fn row(&mut self, start: usize, end: usize) {
        let (hash, beyond) = hash(&self.key, self.text.as_bytes(), start, end);
        if beyond == 0 || is_one_word(&self.text.as_bytes()[start..end]) {
            (self.found)(hash, start..end);
        } else {
            self.mixed(start, end);
        }
    }

    /// Takes a row that may hold white space, or characters that are words.
    #[inline(never)]
    fn mixed(&mut self, from: usize, to: usize) {
        // The start of the word that goes on, and whether it is a character by itself.
        let mut open: Option<(usize, bool)> = None;
        for (at, c) in self.text[from..to].char_indices() {
            let at = from + at;
            let class = class(c);
            let goes_on = open.is_some_and(|(_, is_single)| match class {
                Class::Mark => true,
                Class::Single => false,
                Class::Letter | Class::Digit | Class::Other => !is_single && !c.is_whitespace(),
            });
            if goes_on {
                continue;
            }
            self.end(open, at);
            open = (!c.is_whitespace()).then_some((at, class == Class::Single));
        }
        self.end(open, to);
    }

    fn end(&mut self, open: Option<(usize, bool)>, end: usize) {
        if let Some((start, _)) = open {
            let (hash, _) = hash(&self.key, self.text.as_bytes(), start, end);
            (self.found)(hash, start..end);
        }
    }
}

/// Returns the hash of a word, and its bits beyond ASCII, in any of its bytes.
#[inline(always)]
fn hash(key: &WordKey<1>, bytes: &[u8], start: usize, end: usize) -> (u64, u64) {
    let (mut at, mut value, mut all) = (start, key.start(), 0);
    while end - at > 8 {
        let block = eight(bytes, at);
        all |= block;
        value = key.add(value, block);
        at += 8;
    }
    let n_bits = 8 * (end - at) as u32;
    let used = u64::MAX >> (64 - n_bits);
    let block = eight(bytes, at) & used;
    let pad = PAD.checked_shl(n_bits).unwrap_or(0);
    let [hash] = key.end(key.add(value, block | pad));
    (hash, (all | block) & (ONES << 7))
}

/// Returns whether a row without ASCII white space is a word, from its bytes alone; `false` if it has to be read.
#[inline]
fn is_one_word(row: &[u8]) -> bool {
    row.iter().all(|&byte| byte < HIGH && byte != LOW)
}

/// The naive twin: tests compare the two.
#[cfg(test)]
mod naive {
    use super::{Class, Range, class};

    /// Reads one character at a time.
    pub(super) fn words(text: &str) -> Vec<Range<usize>> {
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut before = None;
        for (at, c) in text.char_indices() {
            let own = if c.is_whitespace() { None } else { Some(class(c)) };
            let joins = match (before, own) {
                (None, _) | (_, None | Some(Class::Single)) => false,
                (Some(Class::Single), Some(own)) => own == Class::Mark,
                (Some(_), Some(_)) => true,
            };
            if joins {
                words.last_mut().expect("there is a word before").end = at + c.len_utf8();
            } else if own.is_some() {
                words.push(at..at + c.len_utf8());
            }
            // A mark on such a character does not end it.
            before = if joins && before == Some(Class::Single) { before } else { own };
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use fanmill_kernel::InstructionSet;

    fn words(text: &str) -> Vec<(u64, Range<usize>)> {
        let (key, mut words) = (WordKey::new(&[7; 32]), Vec::new());
        each_verbatim_word(text, &key, |hash, at| words.push((hash, at)));
        words
    }

    #[test]
    fn words_are_what_a_reader_sees_between_blanks() {
        for (text, expected) in [
            ("", &[][..]),
            (" \n\u{3000}\u{A0}\u{85}\u{2029}", &[]),
            ("Don't  stop\n(yet).", &["Don't", "stop", "(yet)."]),
            ("a\u{A0}b\u{200B}c\u{1F}d", &["a", "b\u{200B}c\u{1F}d"]),
            ("見る2回。 字\u{301}a", &["見", "る", "2", "回", "。", "字\u{301}", "a"]),
            ("ไทยé—“x”", &["ไ", "ท", "ย", "é—“x”"]),
            ("Größe приве́т \u{301}x", &["Größe", "приве́т", "\u{301}x"]),
            ("a\0 a a\0\0", &["a\0", "a", "a\0\0"]),
        ] {
            let found: Vec<&str> = words(text).into_iter().map(|(_, at)| &text[at]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[a-cA]{0,20}",
            "[a\0\u{1F}é\u{C2}\u{DF}д]{1,4}",
            "[ \t\r\n\u{A0}\u{85}\u{3000}\u{2003}]{1,3}",
            "[漢字かไ\u{301}\u{E31}。“—]{1,4}",
            any::<String>(),
        ];
        prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn fast_equals_naive(text in texts()) {
            let expected = naive::words(&text);
            for set in InstructionSet::available() {
                set.choose().expect("it is available");
                let found: Vec<Range<usize>> = words(&text).into_iter().map(|(_, at)| at).collect();
                prop_assert_eq!(&found, &expected, "{}", set);
            }
        }

        #[test]
        fn equal_words_and_no_others_have_equal_hashes(text in texts(), again in texts()) {
            let both = format!("{text} {again}");
            let (mut hashes, mut values) = (BTreeMap::new(), BTreeSet::new());
            for (hash, at) in words(&both) {
                prop_assert_eq!(*hashes.entry(&both[at]).or_insert(hash), hash);
                values.insert(hash);
            }
            prop_assert_eq!(values.len(), hashes.len());
        }
    }
}

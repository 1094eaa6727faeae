//! The words of a corpus, as hashes: rows of word characters, in lower case.
//!
//! A word is a maximal row of letters, digits, marks and underscores. That is `\w+` of the folded
//! and lower-cased text, as Python's `re` and most tools for corpora have it, but for
//!
//! | text | words | why |
//! |---|---|---|
//! | `don't` `3.14` `half-time` | `don` `t` `3` `14` `half` `time` | as `\w+` has it |
//! | `snake_case` | `snake_case` | likewise |
//! | `हिन्दी` | `हिन्दी` | a mark belongs to what it follows; Python parts words at marks |
//! | `汉字` `かな` `ไทย` | one word a character, marks included | no spaces between words |
//! | `pla[U+200B]giarism` `wоrds` `ﬁne` `½` | `plagiarism` `words` `fine` `1` `2` | [folded](super::fold) first |
//!
//! [`Words`](super::Words) is more careful: it keeps `don't` together and joins what a line's end
//! parted. Here that would do harm: what counts as a near-duplicate should be said in one line,
//! agree with what others measured on the same corpus, and take no time.

use super::fold::fold;
use super::word_class::{Class, class, for_each_lower};
use crate::hash::mix::mix;

/// Where the hash of a word begins.
const START: u64 = 0x243f_6a88_85a3_08d3;

/// Appends one 64-bit hash a word, in the order of the text.
///
/// Hashes are the same on every platform and in every release. Different words of up to eight
/// bytes never have equal ones.
pub fn word_hashes(text: &str, hashes: &mut Vec<u64>) {
    naive(text, hashes);
}

/// The naive twin: the whole text is folded, and then read one character at a time.
pub fn naive(text: &str, hashes: &mut Vec<u64>) {
    let mut word: Vec<u8> = Vec::new();
    let mut is_single = false;
    for c in fold(text).text.chars() {
        let class = if c == '_' { Class::Letter } else { class(c) };
        let goes_on = match class {
            Class::Letter | Class::Digit => !is_single,
            Class::Mark => true,
            Class::Single | Class::Other => false,
        };
        if !goes_on {
            hashes.extend((!word.is_empty()).then(|| hash(&word)));
            word.clear();
        }
        is_single = class == Class::Single || is_single && class == Class::Mark;
        if class != Class::Other && !(class == Class::Mark && word.is_empty()) {
            for_each_lower(c, |lower| {
                word.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes())
            });
        }
    }
    hashes.extend((!word.is_empty()).then(|| hash(&word)));
}

/// The hash of a word's bytes in lower case: eight at a time, little-endian, the last ones filled
/// up with zeros, which no word has. An underscore counts as `0x7F`, so that one OR with `0x20`
/// makes any ASCII byte of a word what it counts as.
fn hash(word: &[u8]) -> u64 {
    word.chunks(8).fold(START, |hash, chunk| {
        let mut block = [0; 8];
        for (to, &byte) in block.iter_mut().zip(chunk) {
            *to = if byte.is_ascii() { byte | 0x20 } else { byte };
        }
        mix(hash ^ u64::from_le_bytes(block))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of `text`, by the hashes of what they should be.
    fn check(text: &str, words: &[&str]) {
        let mut hashes = Vec::new();
        word_hashes(text, &mut hashes);
        let expected: Vec<u64> = words.iter().map(|word| hash(word.as_bytes())).collect();
        assert_eq!(hashes, expected, "{text}: {words:?}");
    }

    #[test]
    fn words_of_many_scripts() {
        for (text, words) in [
            ("", &[][..]),
            ("🦀 — … \u{301}", &[]),
            ("Don't stop, it's 3.14!", &["don", "t", "stop", "it", "s", "3", "14"]),
            ("“Don’t” — snake_CASE _x_ e.g.", &["don", "t", "snake_case", "_x_", "e", "g"]),
            ("exam-\n  ple half-time", &["exam", "ple", "half", "time"]),
            ("Größe über NAÏVE ﬁne ½", &["größe", "über", "naïve", "fine", "1", "2"]),
            (
                "Gro\u{308}ße pla\u{200B}gi\u{AD}arism co\u{AD}\ny",
                &["größe", "plagiarism", "co", "y"],
            ),
            ("the quiсk fох оf Ὀδυσσεύς", &["the", "quick", "fox", "of", "ὀδυσσεύσ"]),
            ("Съешь ещё этих оса", &["съешь", "ещё", "этих", "оса"]),
            ("漢字とカナ１２", &["漢", "字", "と", "カ", "ナ", "12"]),
            ("ไทยดี", &["ไ", "ท", "ย", "ดี"]),
            ("한국어 문장", &["한국어", "문장"]),
            ("हिन्दी में", &["हिन्दी", "में"]),
            ("Python编程3.0版_", &["python", "编", "程", "3", "0", "版", "_"]),
            ("an_unusually_LONG_identifier_9", &["an_unusually_long_identifier_9"]),
        ] {
            check(text, words);
        }
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn hashes_never_change() {
        let mut hashes = Vec::new();
        word_hashes("Rose _8 über_größen and counterrevolutionaries", &mut hashes);
        assert_eq!(hashes, HASHES);
    }

    const HASHES: [u64; 5] = [
        16_783_160_363_884_009_686,
        16_448_197_896_124_178_335,
        5_137_871_587_721_238_566,
        3_772_941_001_400_463_991,
        2_275_224_528_670_544_038,
    ];
}

//! The words that the texts of a corpus consist of, as hashes.

use std::fmt;
use std::str::FromStr;

use fanmill_text::frontend::runs::{self, WordKey};
use fanmill_text::frontend::{
    Folding, Signs, each_sign_word, has_symbols, keyed_sign_hashes, sign_hashes,
};
use fanmill_text::scheme::FrontEndVersion;
use fanmill_text::{Error, Result};

/// The words that texts consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub enum WordKind {
    /// `prose`: words [in one spelling](runs::spelled_word_hashes). In a text with fewer of them than a shingle has,
    /// [symbols](Signs::Symbols) are words, too: there is little else to tell `a + b` from `a * b`.
    Prose,
    /// `code`: words and [all signs](Signs::Code), case and changes of indentation.
    Code,
    /// `maths`: words and [all signs](Signs::Maths), as they are written.
    Maths,
    /// Words [as they are spelled](runs::word_hashes), without signs.
    ExactSpelling,
    /// Words in one spelling, without signs, as passages are compared.
    Spelling,
}

impl WordKind {
    /// All kinds, the default first.
    pub const ALL: [WordKind; 5] = [
        WordKind::Prose,
        WordKind::Code,
        WordKind::Maths,
        WordKind::ExactSpelling,
        WordKind::Spelling,
    ];

    /// Returns the front end that finds these words, for schemes.
    pub(crate) fn front_end(self) -> FrontEndVersion {
        match self {
            WordKind::Prose => FrontEndVersion::new("runs", 3),
            WordKind::Code => FrontEndVersion::new("code", 1),
            WordKind::Maths => FrontEndVersion::new("maths", 1),
            WordKind::ExactSpelling => FrontEndVersion::new("runs", 1),
            WordKind::Spelling => FrontEndVersion::new("runs", 2),
        }
    }

    /// Appends the words of a text whose shingles have `n` words, each by a hash that never changes.
    pub(crate) fn hashes(self, text: &str, n: usize, hashes: &mut Vec<u64>) {
        match self {
            WordKind::Prose => {
                runs::spelled_word_hashes(text, hashes);
                if counts_symbols(text, hashes.len(), n) {
                    hashes.clear();
                    sign_hashes(text, Signs::Symbols, hashes);
                }
            }
            WordKind::Code => sign_hashes(text, Signs::Code, hashes),
            WordKind::Maths => sign_hashes(text, Signs::Maths, hashes),
            WordKind::ExactSpelling => runs::word_hashes(text, hashes),
            WordKind::Spelling => runs::spelled_word_hashes(text, hashes),
        }
    }

    /// Appends the same words, each by its hash under a key.
    pub(crate) fn keyed_hashes(
        self,
        text: &str,
        n: usize,
        key: &WordKey<1>,
        hashes: &mut Vec<[u64; 1]>,
    ) {
        match self {
            WordKind::Prose => {
                runs::keyed_spelled_word_hashes(text, key, hashes);
                if counts_symbols(text, hashes.len(), n) {
                    hashes.clear();
                    keyed_sign_hashes(text, Signs::Symbols, key, hashes);
                }
            }
            WordKind::Code => keyed_sign_hashes(text, Signs::Code, key, hashes),
            WordKind::Maths => keyed_sign_hashes(text, Signs::Maths, key, hashes),
            WordKind::ExactSpelling => runs::keyed_word_hashes(text, key, hashes),
            WordKind::Spelling => runs::keyed_spelled_word_hashes(text, key, hashes),
        }
    }

    /// Returns the same words as they are compared, which takes longer than hashing them.
    pub(crate) fn words(self, text: &str, n: usize) -> Vec<String> {
        let mut words = Vec::new();
        let mut push = |word: &str| words.push(word.to_owned());
        match self {
            WordKind::Prose => {
                runs::each_word(text, Folding::Spelling, push);
                if counts_symbols(text, words.len(), n) {
                    words.clear();
                    each_sign_word(text, Signs::Symbols, |word| words.push(word.to_owned()));
                }
            }
            WordKind::Code => each_sign_word(text, Signs::Code, &mut push),
            WordKind::Maths => each_sign_word(text, Signs::Maths, &mut push),
            WordKind::ExactSpelling => runs::each_word(text, Folding::Disguises, push),
            WordKind::Spelling => runs::each_word(text, Folding::Spelling, push),
        }
        words
    }
}

/// Returns whether symbols are words of a prose text that has `n_words` others. A text of symbols alone is no prose, and
/// only equals its copies.
fn counts_symbols(text: &str, n_words: usize, n: usize) -> bool {
    (1..n).contains(&n_words) && has_symbols(text)
}

impl fmt::Display for WordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WordKind::Prose => "prose",
            WordKind::Code => "code",
            WordKind::Maths => "maths",
            WordKind::ExactSpelling => "exact-spelling",
            WordKind::Spelling => "spelling",
        })
    }
}

impl FromStr for WordKind {
    type Err = Error;

    /// Reads a kind that a user can choose.
    fn from_str(text: &str) -> Result<WordKind> {
        let known = [WordKind::Prose, WordKind::Code, WordKind::Maths];
        known.into_iter().find(|kind| kind.to_string() == text).ok_or_else(|| {
            Error::setting(format!("`{text}` is no kind of words; use prose, code or maths"))
        })
    }
}

impl TryFrom<String> for WordKind {
    type Error = Error;

    fn try_from(text: String) -> Result<WordKind> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn symbols_are_words_of_short_prose() {
        let words = |text: &str| {
            let mut words = Vec::new();
            WordKind::Prose.hashes(text, 5, &mut words);
            words
        };
        for (text, other, is_equal) in [
            ("great film 😀", "great film 😡", false),
            ("great film 😀", "Great film 😀!", true),
            ("great film", "great film…", true),
            ("a + b", "a * b", false),
            ("a, b", "a b", true),
            ("one two three four five +", "one two three four five -", true),
            ("😀", "😡", true),
        ] {
            assert_eq!(words(text) == words(other), is_equal, "{text}, {other}");
        }
        assert!(words("😀").is_empty());
    }

    proptest! {
        #[test]
        fn keyed_words_are_equal_where_others_are(text: String, n in 1_usize..6) {
            let key = WordKey::new(&[3; 32]);
            for kind in WordKind::ALL {
                let (mut fixed, mut keyed) = (Vec::new(), Vec::new());
                kind.hashes(&text, n, &mut fixed);
                kind.keyed_hashes(&text, n, &key, &mut keyed);
                let words = kind.words(&text, n);
                prop_assert_eq!((fixed.len(), words.len()), (keyed.len(), keyed.len()));
                for (a, b) in (0..fixed.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                    prop_assert_eq!(fixed[a] == fixed[b], keyed[a] == keyed[b]);
                    prop_assert_eq!(words[a] == words[b], keyed[a] == keyed[b]);
                }
            }
        }
    }
}

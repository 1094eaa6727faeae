//! Misspellings: changes of single letters inside words, accidental or deliberate.
//!
//! If tokens are words, a misspelling changes a whole token; if they are letters, it changes one of many.

use std::fmt;

use fanmill_kernel::hash::mix::SplitMix;

use super::article::Word;

/// A misspelling of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slip {
    /// A random letter is inserted.
    Inserted,
    /// A letter is replaced by another one.
    Changed,
    /// Two neighbouring letters are swapped.
    Swapped,
}

impl Slip {
    /// All misspellings, each once.
    pub const ALL: [Slip; 3] = [Slip::Inserted, Slip::Changed, Slip::Swapped];
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Slip::Inserted => "a letter inserted",
            Slip::Changed => "a letter changed",
            Slip::Swapped => "two letters swapped",
        })
    }
}

/// Returns the words as a text, with about this percentage of them misspelled. Words of one letter are never swapped.
pub(super) fn slip(words: &[Word<'_>], slip: Slip, percent: u32, random: &mut SplitMix) -> String {
    let mut text = String::new();
    let mut letters: Vec<char> = Vec::new();
    for word in words {
        if random.below(100) < percent as usize {
            letters.clear();
            letters.extend(word.word.chars());
            slip_one(&mut letters, slip, random);
            text.extend(&letters);
        } else {
            text.push_str(word.word);
        }
        text.push_str(word.rest);
    }
    text
}

fn slip_one(letters: &mut Vec<char>, slip: Slip, random: &mut SplitMix) {
    let n = letters.len();
    match slip {
        Slip::Inserted => {
            let at = random.below(n + 1);
            letters.insert(at, letter(random, None));
        }
        Slip::Changed if n > 0 => {
            let at = random.below(n);
            letters[at] = letter(random, Some(letters[at].to_ascii_lowercase()));
        }
        Slip::Swapped if n > 1 => {
            let at = random.below(n - 1);
            letters.swap(at, at + 1);
        }
        Slip::Changed | Slip::Swapped => {}
    }
}

/// Returns a random letter that is not the old one.
fn letter(random: &mut SplitMix, old: Option<char>) -> char {
    let mut others = ('a'..='z').filter(|&letter| Some(letter) != old);
    let n = others.clone().count();
    others.nth(random.below(n)).expect("25 letters at least")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::article::{Article, join};

    #[test]
    fn each_slip_changes_one_letter() {
        let article = Article::plain("plagiarism ".repeat(200).as_bytes());
        for (kind, length) in [(Slip::Inserted, 11), (Slip::Changed, 10), (Slip::Swapped, 10)] {
            let text = slip(&article.words(), kind, 100, &mut SplitMix::new(1));
            for word in text.split(' ').filter(|word| !word.is_empty()) {
                assert_eq!(word.len(), length, "{kind}: {word}");
                let n_other =
                    word.chars().zip("plagiarism".chars()).filter(|(a, b)| a != b).count();
                match kind {
                    Slip::Inserted => {}
                    Slip::Changed => assert_eq!(n_other, 1, "{word}"),
                    Slip::Swapped => assert_eq!(n_other, 2, "{word}"),
                }
            }
        }
    }

    #[test]
    fn about_the_requested_share_of_words_is_changed() {
        let article = Article::plain("word ".repeat(2000).as_bytes());
        let text = slip(&article.words(), Slip::Inserted, 10, &mut SplitMix::new(1));
        let n_longer = text.len() - join(&article.words()).len();
        assert!((150..250).contains(&n_longer), "{n_longer}");
        assert_eq!(
            slip(&article.words(), Slip::Changed, 0, &mut SplitMix::new(1)),
            join(&article.words())
        );
    }
}

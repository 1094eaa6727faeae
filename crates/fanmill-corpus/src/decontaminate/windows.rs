//! Hashes of all windows of a sequence of words, of any length, each in constant time.
//!
//! Words are the digits of a number in a random base, modulo a prime; a window's number is the difference of those of
//! two prefixes. The probability that two different windows have equal hashes is their length in 2^61, and nobody can
//! raise it: the words are hashed under a key, and the base is drawn for each run. Windows are compared word by word
//! anyway.
//!
//! Source: Karp & Rabin, "Efficient randomized pattern-matching algorithms", IBM J. Res. Dev. 31, 1987.

use fanmill_kernel::hash::mix::mix;
use fanmill_text::Result;
use fanmill_text::frontend::runs::{self, WordKey};

use crate::job;
use crate::mersenne::{base, minus, times, times_plus};

/// The random parameters by which a run hashes words and windows.
#[derive(Debug)]
pub(super) struct Hashing {
    words: WordKey<1>,
    base: u64,
    /// The powers of the base, up to the longest window.
    powers: Vec<u64>,
}

/// The words of a text under the key.
pub(super) type Words = Vec<[u64; 1]>;

impl Hashing {
    /// Draws parameters for windows of up to `longest` words.
    pub(super) fn draw(longest: usize) -> Result<Hashing> {
        let random = job::random()?;
        let (first, _) = random.split_first_chunk().expect("32 bytes are more than 8");
        let base = base(*first);
        let powers = std::iter::successors(Some(1), |&power| Some(times(power, base)));
        let powers = powers.take(longest + 1).collect();
        Ok(Hashing { words: WordKey::new(&job::random()?), base, powers })
    }

    /// Appends the words of a text.
    pub(super) fn words(&self, text: &str, words: &mut Words) {
        runs::keyed_spelled_word_hashes(text, &self.words, words);
    }

    /// Computes the numbers of all prefixes of some words, the empty one first.
    pub(super) fn prefixes(&self, words: &[[u64; 1]], prefixes: &mut Vec<u64>) {
        prefixes.clear();
        prefixes.push(0);
        let mut value = 0;
        prefixes.extend(words.iter().map(|&[word]| {
            value = times_plus(value, self.base, word);
            value
        }));
    }

    /// Returns the hash of the window of `n` words at `start`. Windows of different lengths have different hashes.
    pub(super) fn window(&self, prefixes: &[u64], start: usize, n: usize) -> u64 {
        let before = times(prefixes[start], self.powers[n]);
        let number = minus(prefixes[start + n], before);
        mix(number ^ mix(n as u64))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn windows_have_equal_hashes_if_their_words_are_equal(words in prop::collection::vec(0_u64..3, 0..30)) {
            let hashing = Hashing::draw(8).expect("random numbers");
            let words: Vec<[u64; 1]> = words.into_iter().map(|word| [word.wrapping_sub(1)]).collect();
            let mut prefixes = Vec::new();
            hashing.prefixes(&words, &mut prefixes);
            let mut seen: BTreeMap<u64, &[[u64; 1]]> = BTreeMap::new();
            for n in 1..=8_usize.min(words.len()) {
                for (start, window) in words.windows(n).enumerate() {
                    let hash = hashing.window(&prefixes, start, n);
                    prop_assert_eq!(*seen.entry(hash).or_insert(window), window);
                }
            }
            let different: std::collections::BTreeSet<&[[u64; 1]]> = seen.values().copied().collect();
            prop_assert_eq!(different.len(), seen.len());
        }
    }
}

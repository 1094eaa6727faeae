//! Hashes of runs of words: a number in each of two random bases modulo 2^61 - 1, of which 93 bits are kept.
//!
//! Words are the digits, and a hash is rolled from one run to the next. The chance that two different runs of `n` words
//! have equal hashes is below `n^2` in 2^92, and the bases are drawn for each run of the job, so nobody can raise it.

use super::words::hash_of;
use crate::mersenne::{base, minus, times_plus};

/// The random bases of a run.
#[derive(Debug)]
pub(super) struct Hashing {
    bases: [u64; 2],
    /// The powers of the bases, up to the longest run.
    powers: Vec<[u64; 2]>,
}

impl Hashing {
    /// Takes bases from random bytes.
    pub(super) fn new(random: &[u8; 32], longest: usize) -> Hashing {
        let (parts, _) = random.as_chunks();
        let bases = [base(parts[0]), base(parts[1])];
        let next = |power: &[u64; 2]| Some([0, 1].map(|i| times_plus(power[i], bases[i], 0)));
        let powers = std::iter::successors(Some([1; 2]), next).take(longest + 1).collect();
        Hashing { bases, powers }
    }

    /// Returns a hash of a gram that is at most as long as the longest run, one of 61 bits.
    pub(super) fn gram(&self, words: &[u64]) -> u64 {
        words.iter().fold(1, |value, &word| times_plus(value, self.bases[0], digits(word)[0]))
    }
}

/// Returns the digits of a word: 61 bits for each base, not the same ones.
#[inline]
fn digits(word: u64) -> [u64; 2] {
    let hash = hash_of(word);
    [hash >> 3, hash.rotate_left(31) >> 3]
}

/// The run of words that a hash is rolled over.
#[derive(Debug)]
pub(super) struct Rolling<'a> {
    hashing: &'a Hashing,
    values: [u64; 2],
    n_words: usize,
}

impl Rolling<'_> {
    /// Begins with some words.
    pub(super) fn over<'a>(hashing: &'a Hashing, words: &[u64]) -> Rolling<'a> {
        let mut rolling = Rolling { hashing, values: [0; 2], n_words: 0 };
        for &word in words {
            rolling.push(word);
        }
        rolling
    }

    /// Appends a word.
    #[inline]
    pub(super) fn push(&mut self, word: u64) {
        let (digits, bases) = (digits(word), &self.hashing.bases);
        self.values = [0, 1].map(|i| times_plus(self.values[i], bases[i], digits[i]));
        self.n_words += 1;
    }

    /// Removes the first word.
    #[inline]
    pub(super) fn pop(&mut self, word: u64) {
        self.n_words -= 1;
        let (digits, powers) = (digits(word), &self.hashing.powers[self.n_words]);
        self.values = [0, 1].map(|i| minus(self.values[i], times_plus(digits[i], powers[i], 0)));
    }

    /// Returns the hash. The number of words counts.
    #[inline]
    pub(super) fn hash(&self) -> (u64, u32) {
        // A digit 1 before all others.
        let powers = &self.hashing.powers[self.n_words];
        let [first, second] = [0, 1].map(|i| times_plus(powers[i], 1, self.values[i]));
        (first, (second >> 29) as u32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_have_equal_hashes_if_their_words_are_equal(words in prop::collection::vec(0_u64..3, 0..30)) {
            let hashing = Hashing::new(&[7; 32], 8);
            let words: Vec<u64> = words.into_iter().map(|word| word * 0x1357_9bdf_0246_8ace).collect();
            let mut seen: BTreeMap<(u64, u32), &[u64]> = BTreeMap::new();
            for n in 1..=8_usize.min(words.len()) {
                let mut rolling = Rolling::over(&hashing, &words[..n]);
                for (start, window) in words.windows(n).enumerate() {
                    if start > 0 {
                        rolling.pop(words[start - 1]);
                        rolling.push(words[start + n - 1]);
                    }
                    prop_assert_eq!(*seen.entry(rolling.hash()).or_insert(window), window);
                }
            }
            let different: std::collections::BTreeSet<&[u64]> = seen.values().copied().collect();
            prop_assert_eq!(different.len(), seen.len());
        }
    }
}

//! Comparison of the words of two alternatives.
//!
//! Cost: O(n) in the bytes compared of each.
//! Source: none.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::limits::start_of;

/// Number of bytes of an alternative that are compared.
const COMPARED: usize = 256 << 10;
/// Minimum number of distinct words needed for a conclusion.
const MIN_WORDS: usize = 8;

/// Some of the words of a text.
#[derive(Debug)]
pub(super) struct WordSet(HashSet<u64>);

impl WordSet {
    /// Collects the words of at least four letters; shorter ones are often parts of addresses or markup.
    pub(super) fn from_pieces<'a>(pieces: impl Iterator<Item = &'a str>) -> WordSet {
        let mut words = HashSet::new();
        let mut left = COMPARED;
        for piece in pieces {
            let compared = start_of(piece, left);
            left -= compared.len();
            let all = compared.split(|c: char| !c.is_alphabetic());
            words.extend(all.filter(|word| word.chars().nth(3).is_some()).map(hash));
        }
        WordSet(words)
    }

    /// Returns whether two texts share less than half of the words of the smaller one.
    pub(super) fn differs(&self, other: &WordSet) -> bool {
        let smaller = self.0.len().min(other.0.len());
        smaller >= MIN_WORDS && 2 * self.0.intersection(&other.0).count() < smaller
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

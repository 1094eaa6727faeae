//! Seeds: fingerprints chosen so that equal windows of words have an equal one.
//!
//! ROC selects a gram from every window by what the window holds, so two windows of equal words have a seed of one
//! value, wherever they are. A window can only be repeated if the value of a seed in it occurs twice.
//!
//! Cost: about 2.7 seeds in a window of 50 words, of which [`gram_of`] words are hashed.

use std::ops::Range;

use fanmill::select::roc::Roc;

use super::hashing::Hashing;
use super::words::hash_of;

/// Number of words by which grams are ordered: single words are too often equal.
const ORDER: usize = 2;

/// The way seeds are selected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Selection(Roc);

/// Returns the number of words in the grams of a window of `n` words.
fn gram_of(n: usize) -> usize {
    n.div_ceil(2)
}

impl Selection {
    /// Selects seeds from every window of `n` words, at least 1.
    pub(super) fn new(n: usize) -> Selection {
        let k = gram_of(n);
        Selection(Roc::new(k, n - k + 1, ORDER))
    }

    /// Returns the number of words in a seed.
    pub(super) fn n_words(self) -> usize {
        self.0.k()
    }

    /// Appends the value and the place of each seed of some words, ascending by place.
    pub(super) fn select(self, hashing: &Hashing, words: &[u64], seeds: &mut Vec<(u64, u32)>) {
        let (k, r) = (self.0.k(), self.0.r());
        let order = |at: Range<usize>, hashes: &mut [u32]| {
            for (hash, gram) in hashes.iter_mut().zip(words[at.start..].windows(r)) {
                *hash = order(gram);
            }
        };
        let content = |i: usize| hashing.gram(&words[i..i + k]);
        let mut places = Vec::new();
        self.0.select(words.len(), order, content, &mut places);
        seeds.extend(places.into_iter().map(|place| (content(place as usize), place)));
    }
}

/// Returns the place of a gram in the order by which seeds are chosen.
#[inline]
fn order(gram: &[u64]) -> u32 {
    let mixed = gram.iter().fold(0_u64, |all, &word| all.rotate_left(23) ^ hash_of(word));
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_windows_have_an_equal_seed(
            before in prop::collection::vec(0_u64..4, 0..40), window in prop::collection::vec(0_u64..4, 1..40), after in prop::collection::vec(0_u64..4, 0..40),
        ) {
            let n = window.len();
            let (selection, hashing) = (Selection::new(n), Hashing::new(&[7; 32], n));
            let values = |words: &[u64]| {
                let words: Vec<u64> = words.iter().map(|word| word.wrapping_mul(0x1234_5678_9abc_def2)).collect();
                let mut seeds = Vec::new();
                selection.select(&hashing, &words, &mut seeds);
                seeds
            };
            let inside = |&&(_, at): &&(u64, u32)| {
                (before.len()..=before.len() + n - selection.n_words()).contains(&(at as usize))
            };
            let whole = values(&[&before[..], &window, &after].concat());
            let alone = values(&window);
            prop_assert_eq!(alone.len(), 1);
            prop_assert!(whole.iter().filter(inside).any(|(value, _)| *value == alone[0].0));
        }
    }
}

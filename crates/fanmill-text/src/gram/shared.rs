//! A Bloom filter that counts to two, for grams that may occur in more than one submission.
//!
//! Most grams occur in one submission only, and can never link it to another. The filter lets later stages skip them,
//! at two bits per slot.
//!
//! The leading bits of a gram's hash choose its slot. The first submission that notes the gram sets the slot's first
//! bit, any later one the second bit. So a gram that two submissions noted always has both bits set. A few other grams
//! have both set too: because they share a slot, or because a submission is noted in pieces and repeats the gram in two
//! of them. Code that uses the filter must therefore stay correct when it lets through a gram too many.
//!
//! Cost: one memory access per gram, in ascending order. With four slots per gram, a fifth of the grams that only one
//! submission holds get through.
//! Source: ours; a counting Bloom filter with one hash function, which counts to two.

use std::sync::atomic::{AtomicU64, Ordering};

use fanmill_kernel as kernel;

/// The filter. Threads may note grams in any order; the result is the same.
#[derive(Debug)]
pub struct SharedFilter {
    /// Two bits per slot.
    words: Vec<AtomicU64>,
}

/// Number of slots in a word.
const SLOTS: u64 = 32;
/// Number of grams that are looked at before they are noted.
const TOGETHER: usize = 64;

impl Default for SharedFilter {
    /// The smallest filter.
    fn default() -> SharedFilter {
        SharedFilter::with_slots(0)
    }
}

impl SharedFilter {
    /// Creates a filter with at least `n_slots` slots. Four slots per expected gram work well.
    pub fn with_slots(n_slots: usize) -> SharedFilter {
        let n_words = n_slots / SLOTS as usize + 1;
        SharedFilter { words: (0..n_words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Notes the grams of one submission, or of a piece of it, and empties the list.
    ///
    /// All occurrences of a gram in one submission must come in the same call; otherwise the gram
    /// counts as shared.
    pub fn note(&self, hashes: &mut Vec<u64>) {
        kernel::sort_in_place(hashes);
        hashes.dedup();
        // Most shared grams already have their second bit, and need no write. A whole block is looked at before its
        // first write, because loads can wait for memory side by side and atomic writes cannot.
        for block in hashes.chunks_mut(TOGETHER) {
            let mut n_new = 0;
            for at in 0..block.len() {
                let hash = block[at];
                block[n_new] = hash;
                n_new += usize::from(!self.may_be_shared(hash));
            }
            for &hash in &block[..n_new] {
                let (word, first) = self.slot(hash);
                // `fetch_or` is atomic: of two threads, the second sees the first one's bit.
                if word.fetch_or(first, Ordering::Relaxed) & first != 0 {
                    word.fetch_or(first << 1, Ordering::Relaxed);
                }
            }
        }
        hashes.clear();
    }

    /// Returns whether more than one submission may hold this gram. `false` is always right.
    #[inline]
    pub fn may_be_shared(&self, hash: u64) -> bool {
        let (word, first) = self.slot(hash);
        word.load(Ordering::Relaxed) & (first << 1) != 0
    }

    /// Returns the word of a hash's slot, and the slot's first bit. Ascending hashes have ascending slots.
    #[inline]
    fn slot(&self, hash: u64) -> (&AtomicU64, u64) {
        // hash / 2^64 of the way through the slots, so that the order of hashes is kept.
        let n_slots = self.words.len() as u64 * SLOTS;
        let slot = ((u128::from(hash) * u128::from(n_slots)) >> 64) as u64;
        (&self.words[(slot / SLOTS) as usize], 1 << (2 * (slot % SLOTS)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fanmill_kernel::hash::mix::mix;

    #[test]
    fn most_grams_of_a_single_submission_are_filtered_out() {
        let n = 10_000;
        let filter = SharedFilter::with_slots(4 * n as usize);
        for submission in 0..10 {
            let own = submission * n / 10..(submission + 1) * n / 10;
            filter.note(&mut own.map(mix).collect());
        }
        let n_passed = (0..n).filter(|&gram| filter.may_be_shared(mix(gram))).count();
        assert!(n_passed < 2500, "{n_passed} of {n}");
    }

    proptest! {
        #[test]
        fn grams_of_two_submissions_always_pass(
            holdings in proptest::collection::vec(proptest::collection::vec(0_u64..50, 0..40), 1..6),
            n_slots in 1_usize..200,
        ) {
            let filter = SharedFilter::with_slots(n_slots);
            for grams in &holdings {
                filter.note(&mut grams.iter().map(|&gram| mix(gram)).collect());
            }
            for gram in 0..50 {
                let n_holders = holdings.iter().filter(|grams| grams.contains(&gram)).count();
                prop_assert!(n_holders < 2 || filter.may_be_shared(mix(gram)));
            }
        }
    }
}

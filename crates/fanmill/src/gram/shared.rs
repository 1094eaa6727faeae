//! Which grams may be in two submissions: a filter of two bits a gram, so that those of one submission
//! alone, most of all, are never kept.
//!
//! A gram falls into one slot, by the leading bits of its hash. The first submission that notes it sets
//! the slot's first bit, any other the second. A gram that two submissions noted therefore always has
//! both bits; of the others, a few do too, because they share a slot, or because a submission that is
//! noted in pieces repeats them. Whoever uses the filter must be right with any gram too many.
//!
//! Cost: one access to memory a gram, in ascending order; with four slots a gram, a fifth of those held
//! by one submission alone pass.
//! Source: ours; a counting Bloom filter with one hash function, which counts to two.

use std::sync::atomic::{AtomicU64, Ordering};

/// The filter. Notes may come from any thread in any order: it ends up the same.
#[derive(Debug)]
pub struct SharedFilter {
    /// Two bits a slot.
    words: Vec<AtomicU64>,
}

/// Slots in a word.
const SLOTS: u64 = 32;

impl Default for SharedFilter {
    /// The smallest filter.
    fn default() -> SharedFilter {
        SharedFilter::with_slots(0)
    }
}

impl SharedFilter {
    /// A filter of at least so many slots, about as many as are wanted for four a gram.
    pub fn with_slots(n_slots: usize) -> SharedFilter {
        let n_words = n_slots / SLOTS as usize + 1;
        SharedFilter { words: (0..n_words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Notes the grams of one submission, or of a piece of it, and empties the list.
    ///
    /// A gram that a submission holds several times must come in one piece, or it passes for shared.
    pub fn note(&self, hashes: &mut Vec<u64>) {
        hashes.sort_unstable();
        hashes.dedup();
        for hash in hashes.drain(..) {
            let (word, first) = self.slot(hash);
            let before = word.load(Ordering::Relaxed);
            if before & (first << 1) != 0 {
                continue;
            }
            // Whoever comes second sees the first one's bit, in whatever order they come.
            if word.fetch_or(first, Ordering::Relaxed) & first != 0 {
                word.fetch_or(first << 1, Ordering::Relaxed);
            }
        }
    }

    /// Whether more than one submission may hold this gram; never wrong where it says no.
    #[inline]
    pub fn may_be_shared(&self, hash: u64) -> bool {
        let (word, first) = self.slot(hash);
        word.load(Ordering::Relaxed) & (first << 1) != 0
    }

    /// The word of a hash's slot, and the slot's first bit. Ascending hashes have ascending slots.
    #[inline]
    fn slot(&self, hash: u64) -> (&AtomicU64, u64) {
        let n_slots = self.words.len() as u64 * SLOTS;
        let slot = ((u128::from(hash) * u128::from(n_slots)) >> 64) as u64;
        (&self.words[(slot / SLOTS) as usize], 1 << (2 * (slot % SLOTS)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix::mix;

    #[test]
    fn most_grams_of_one_submission_alone_do_not_pass() {
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
        fn what_two_submissions_hold_always_passes(
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

//! A filter for hashes that occur twice, of bounded size.
//!
//! Each hash has a bit that says that it was seen, and one that says that it was seen again. Others may share the two,
//! so some are taken for repeated that are not; none that is repeated is missed.
//!
//! Cost: two random accesses a hash, at most.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bits for each hash that is expected, and for each of the two questions.
const SPREAD: u64 = 8;

/// The hashes that were seen.
#[derive(Debug)]
pub(super) struct Twice {
    /// Pairs of blocks of 64 bits: seen, and seen again.
    blocks: Vec<[AtomicU64; 2]>,
}

impl Twice {
    /// Makes room for about `n` hashes, within `memory` bytes.
    pub(super) fn new(n: u64, memory: usize) -> Twice {
        let most = (memory / size_of::<[AtomicU64; 2]>()).max(1);
        let n_blocks =
            usize::try_from(n.saturating_mul(SPREAD) / 64 + 1).map_or(most, |n| n.min(most));
        Twice { blocks: std::iter::repeat_with(Default::default).take(n_blocks).collect() }
    }

    /// Adds a hash, which several threads may do at once.
    pub(super) fn add(&self, hash: u64) {
        let ([seen, again], bit) = self.place(hash);
        if seen.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            again.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Returns whether a hash may have been added twice.
    pub(super) fn has(&self, hash: u64) -> bool {
        let ([_, again], bit) = self.place(hash);
        again.load(Ordering::Relaxed) & bit != 0
    }

    fn place(&self, hash: u64) -> (&[AtomicU64; 2], u64) {
        // Hashes of windows have 61 bits, of which these are mixed again.
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let block = (u128::from(mixed) * self.blocks.len() as u128) >> 64;
        (&self.blocks[block as usize], 1 << (hash & 63))
    }
}

#[cfg(test)]
mod tests {
    use fanmill_kernel::hash::mix::mix;

    use super::*;

    #[test]
    fn what_is_added_twice_is_found_in_any_room() {
        for memory in [0, 1 << 10, 1 << 20] {
            let twice = Twice::new(1000, memory);
            (0..1000_u64).chain(500..600).for_each(|i| twice.add(mix(i)));
            assert!((500..600_u64).all(|i| twice.has(mix(i))));
            let n_others = (0..500_u64).filter(|i| twice.has(mix(*i))).count();
            assert!(memory < 1 << 20 || n_others < 100, "{n_others}");
        }
    }
}

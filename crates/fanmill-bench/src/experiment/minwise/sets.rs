//! Sets for sampling minima: a structured one, which exposes weak families, and a random one.

use std::collections::BTreeSet;

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// Returns `0, 1, …, n - 1`.
pub(crate) fn interval(n: u64) -> Vec<u64> {
    (0..n).collect()
}

/// Returns `n` distinct random 64-bit numbers, as hashes of shingles are.
pub(crate) fn random(n: u64, seed: u64) -> Vec<u64> {
    // Any number that tells these from other random numbers of the same seed will do.
    const OF_SETS: u64 = 4;
    let mut numbers = SplitMix::new(mix(seed ^ OF_SETS));
    let mut known = BTreeSet::new();
    let drawn = std::iter::repeat_with(|| numbers.draw());
    drawn.filter(|&number| known.insert(number)).take(n as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_distinct_and_as_many_as_requested() {
        for n in [1, 100, 5000] {
            for mut members in [interval(n), random(n, 1)] {
                members.sort_unstable();
                members.dedup();
                assert_eq!(members.len() as u64, n);
            }
            assert_eq!(random(n, 1), random(n, 1));
        }
        assert_ne!(random(100, 1), random(100, 2));
    }
}

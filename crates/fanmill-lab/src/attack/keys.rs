//! Keys and random numbers of a run. They are for measurements only, since anyone can make them again.

use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_sift::key::{KEY_BYTES, Key};

/// Returns the key of a run. It is no more secret than its seed; real keys come from the operating system.
pub fn test_key(seed: u64, run: u64) -> Key {
    let mut numbers = SplitMix::new(run ^ mix(seed));
    loop {
        let bytes: [u8; KEY_BYTES] = std::array::from_fn(|_| numbers.draw() as u8);
        // Only keys of equal bytes are refused.
        if let Ok(key) = Key::new(bytes) {
            return key;
        }
    }
}

/// Returns the random numbers of a run.
pub fn numbers(seed: u64, run: u64) -> SplitMix {
    SplitMix::new((run << 32) ^ mix(seed))
}

/// Returns the random numbers of one attack on one article in a run, which do not depend on the order of attacks.
pub(super) fn numbers_of(seed: u64, run: u64, article: usize, attack: usize) -> SplitMix {
    let place = (article as u64) << 16 | attack as u64;
    SplitMix::new(mix(numbers(seed, run).draw() ^ mix(place)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_seeds_articles_and_attacks_differ() {
        let ids: Vec<String> = [(1, 1), (1, 2), (2, 1), (2, 2)]
            .map(|(seed, run)| test_key(seed, run).id().to_string())
            .to_vec();
        let mut different = ids.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), ids.len());
        let first = |article, attack| numbers_of(1, 1, article, attack).draw();
        assert_ne!(first(1, 2), first(2, 1));
        assert_eq!(first(1, 2), first(1, 2));
    }
}

//! All: every gram is a fingerprint, so the guarantee is the noise threshold itself.
//!
//! Cost: as many fingerprints as grams. Use it for short documents, for complete answers and as a
//! yardstick.

use super::sliding;

/// Appends the positions `0..n_grams`.
pub fn select(n_grams: usize, positions: &mut Vec<u32>) {
    positions.extend((0..n_grams).map(sliding::position));
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::sliding;

    /// The naive twin: counts by hand.
    pub fn all(n_grams: usize) -> Vec<u32> {
        let mut positions = Vec::new();
        while positions.len() < n_grams {
            positions.push(sliding::position(positions.len()));
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::naive::all as naive;
    use super::*;

    #[test]
    fn selects_every_gram_and_appends() {
        let mut positions = vec![99];
        select(3, &mut positions);
        assert_eq!(positions, [99, 0, 1, 2]);
        for n in [0, 1, 7] {
            let mut fast = Vec::new();
            select(n, &mut fast);
            assert_eq!(fast, naive(n));
        }
    }
}

//! All: every gram is a fingerprint. The guarantee is then the noise threshold itself.
//!
//! Cost: as many fingerprints as grams. For short documents, complete answers and as a yardstick.

use super::sliding;

/// Appends the positions `0..n_grams`.
pub fn select(n_grams: usize, positions: &mut Vec<u32>) {
    positions.extend((0..n_grams).map(sliding::position));
}

/// What benchmarks time beside the fast form, and tests hold it to.
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

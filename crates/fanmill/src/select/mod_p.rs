//! 0 mod p: keep every hash that `p` divides.
//!
//! The choice depends only on the gram itself, so the fingerprints of a part are among
//! those of the whole. There is no guarantee: a shared run of `w` grams is missed with
//! probability `(1 - 1/p)^w`, and on repetitive text gaps have no bound.
//!
//! Cost: O(n) time. Keeps `1 / p` of hashes that look random.
//!
//! Source: Manber, USENIX 1994, as described in Schleimer, Wilkerson & Aiken, SIGMOD 2003, §2.3.

use super::sliding;

/// Appends the selected positions, ascending. With a `p` of 0, only the hash 0 is a multiple.
pub fn select(hashes: &[u64], p: u64, positions: &mut Vec<u32>) {
    let divisible = hashes.iter().enumerate().filter(|(_, hash)| hash.is_multiple_of(p));
    positions.extend(divisible.map(|(i, _)| sliding::position(i)));
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::sliding;

    /// The naive twin: one division per hash.
    pub fn mod_p(hashes: &[u64], p: u64) -> Vec<u32> {
        let mut positions = Vec::new();
        for (i, hash) in hashes.iter().enumerate() {
            if hash % p == 0 {
                positions.push(sliding::position(i));
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::mod_p as naive;
    use super::*;
    use crate::select::checks;
    use fanmill_effort::golden;

    fn selected(hashes: &[u64], p: u64) -> Vec<u32> {
        let mut positions = Vec::new();
        select(hashes, p, &mut positions);
        positions
    }

    #[test]
    fn figure_1_of_the_paper() {
        let hashes = [77, 72, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 72, 42, 17, 98];
        let values: Vec<u64> = selected(&hashes, 4).iter().map(|&at| hashes[at as usize]).collect();
        assert_eq!(values, [72, 8, 88, 72]);
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("mod_p") {
            let hashes = golden::u64s(&case["hashes"]);
            let p = case["p"].as_u64().expect("p");
            let pairs: Vec<(u64, u64)> = selected(&hashes, p)
                .into_iter()
                .map(|at| (hashes[at as usize], at.into()))
                .collect();
            assert_eq!(pairs, golden::pairs(&case["mod_p"]), "{case}");
        }
    }

    #[test]
    fn density_on_random_hashes_is_one_in_p() {
        checks::density_is(0.02, 0.0006, |hashes| selected(hashes, 50));
    }

    proptest! {
        #[test]
        fn fast_equals_naive(hashes in checks::hashes(), p in 1_u64..40) {
            prop_assert_eq!(selected(&hashes, p), naive(&hashes, p));
        }

        /// Positions selected from a part are also selected from the whole.
        #[test]
        fn depends_on_the_gram_alone(hashes in checks::hashes(), p in 1_u64..40, cut in 0_usize..100) {
            let cut = cut.min(hashes.len());
            let whole = selected(&hashes, p);
            let start = sliding::position(cut);
            prop_assert!(selected(&hashes[cut..], p).iter().all(|at| whole.contains(&(at + start))));
        }
    }
}

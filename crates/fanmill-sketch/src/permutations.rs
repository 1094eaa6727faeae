//! MinHash with independent permutations: the sketch as Broder defines it, one minimum per permutation.
//!
//! Register `i` holds the smallest image of the set under permutation `i` of the 64-bit numbers.
//! Each member of the union has the same chance of being the smallest, so two sets agree in a register
//! with probability |A∩B| / |A∪B|, their resemblance (Jaccard similarity).
//!
//! Cost: O(n t) time, which is why [`similarity`](super::similarity) is the default.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Use multiple perms".
//! Departs from it: the permutations are [`mix`](fanmill_kernel::hash::mix)es with different seeds, not from a provably min-wise
//! independent family; the slides say that linear ones are enough in practice.

use super::similarity::check_registers;
use fanmill_kernel::hash::mix::SplitMix;
use fanmill_kernel::smallest_image;
use fanmill_text::error::Result;

/// Start of the sequence of seeds: the first digits of e.
const SEEDS: u64 = 2_718_281_828_459_045_235;

/// Sketches by `t` permutations; see the [module](self).
#[derive(Debug, Clone)]
pub struct Permutations {
    seeds: Vec<u64>,
}

impl Permutations {
    /// Prepares sketches of `t` registers.
    ///
    /// # Errors
    /// If `t` is 0 or above [`MAX_REGISTERS`](super::similarity::MAX_REGISTERS).
    pub fn new(t: usize) -> Result<Permutations> {
        check_registers(t)?;
        Ok(Permutations { seeds: SplitMix::new(SEEDS).seeds(t) })
    }

    /// Appends the `t` registers of a set of shingle hashes, in any order; repetitions change nothing.
    pub fn sketch(&self, shingles: &[u64], registers: &mut Vec<u64>) {
        registers.extend(self.seeds.iter().map(|&seed| smallest_image(shingles, seed)));
    }
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub mod naive {
    use super::{SEEDS, SplitMix};
    use crate::registers::EMPTY;
    use fanmill_kernel::hash::mix::mix;

    /// Returns the smallest image under each permutation, by definition.
    pub fn permutations(shingles: &[u64], t: usize) -> Vec<u64> {
        let seeds = SplitMix::new(SEEDS).seeds(t);
        let smallest = |seed: u64| shingles.iter().map(|&x| mix(x ^ seed)).min();
        seeds.into_iter().map(|seed| smallest(seed).unwrap_or(EMPTY)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::permutations as naive;
    use super::*;
    use crate::{checks, registers};

    fn sketch(shingles: &[u64], t: usize) -> Vec<u64> {
        let mut row = Vec::new();
        Permutations::new(t).expect("in bounds").sketch(shingles, &mut row);
        row
    }

    #[test]
    fn estimates_are_unbiased_and_vary_as_in_theory() {
        let permutations = Permutations::new(64).expect("in bounds");
        for (n, j) in [(60, 0.5), (300, 0.9)] {
            checks::estimates(n, j, 64, 1.25, |set, row| permutations.sketch(set, row));
        }
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(checks::digest(|set| sketch(set, 128)), DIGEST);
    }

    const DIGEST: u64 = 5_492_743_078_762_373_945;

    proptest! {
        #[test]
        fn fast_equals_naive(shingles in checks::sets(), t in 1_usize..70) {
            prop_assert_eq!(sketch(&shingles, t), naive(&shingles, t));
        }

        #[test]
        fn union_is_the_smaller_of_each(a in checks::sets(), b in checks::sets(), t in 1_usize..70) {
            let mut row = sketch(&a, t);
            registers::merge(&mut row, &sketch(&b, t));
            prop_assert_eq!(row, sketch(&[a, b].concat(), t));
        }
    }
}

//! The minimum of a MinHash register.

use std::hint::black_box;

use super::{Form, Task, run};
use crate::hash::mix::mix;

/// Returns the smallest image of some numbers under the permutation that [`mix`] makes of a seed; 2^64 - 1 if there are
/// no numbers.
#[inline]
pub fn smallest_image(numbers: &[u64], seed: u64) -> u64 {
    run(SmallestImage { numbers, seed })
}

struct SmallestImage<'a> {
    numbers: &'a [u64],
    seed: u64,
}

impl Task for SmallestImage<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<F: Form>(self, _: F) -> u64 {
        let mut smallest = u64::MAX;
        for &x in self.numbers {
            let image = mix(x ^ self.seed);
            if F::MULTIPLIES {
                smallest = smallest.min(image);
            } else if image < smallest {
                // A branch that is hardly ever taken, and that `black_box` makes the compiler keep: otherwise it would
                // vectorise the loop even without products of vectors, which takes twice the time.
                smallest = black_box(image);
            }
        }
        smallest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    proptest! {
        #[test]
        fn every_form_equals_naive(numbers in proptest::collection::vec(any::<u64>(), 0..40), seed: u64) {
            let mut images: Vec<u64> = numbers.iter().map(|&x| mix(x ^ seed)).collect();
            images.sort_unstable();
            let naive = images.first().copied().unwrap_or(u64::MAX);
            prop_assert_eq!(smallest_image(&numbers, seed), naive);
            for set in InstructionSet::available() {
                prop_assert_eq!(on(set, SmallestImage { numbers: &numbers, seed }), naive, "{}", set);
            }
        }
    }
}

//! The minimum of a register of MinHash.

use std::hint::black_box;

use crate::hash::mix::mix;

/// The smallest image of some numbers under the permutation that [`mix`] makes of a seed; 2^64 - 1 of none.
pub(crate) fn smallest_image(numbers: &[u64], seed: u64) -> u64 {
    let mut smallest = u64::MAX;
    // A branch that is hardly ever taken, and that the compiler has to keep: for SSE2 it would vectorise the
    // loop, which takes twice the time.
    for &x in numbers {
        let image = mix(x ^ seed);
        if image < smallest {
            smallest = black_box(image);
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fast_equals_naive(numbers in proptest::collection::vec(any::<u64>(), 0..40), seed: u64) {
            let mut images: Vec<u64> = numbers.iter().map(|&x| mix(x ^ seed)).collect();
            images.sort_unstable();
            prop_assert_eq!(smallest_image(&numbers, seed), images.first().copied().unwrap_or(u64::MAX));
        }
    }
}

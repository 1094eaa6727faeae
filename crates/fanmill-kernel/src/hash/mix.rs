//! A bit mixer (a permutation of the 64-bit numbers), and the SplitMix64 random number generator.
//!
//! [`mix`] is a fixed permutation in which every bit of the input affects every bit of the output;
//! `mix(x ^ seed)` is a different permutation for every seed. This is all the randomness that
//! sketches use, so they are the same on every platform, in every run and release.
//!
//! Cost: two multiplications.
//! Source: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
//! Figure 16 (the constants are Stafford's variant 13).

/// 2^64 divided by the golden ratio, made odd: adding it again and again visits all 64-bit numbers,
/// evenly spread at any moment.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Permutes the 64-bit numbers without visible structure. It maps 0 to 0.
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// An endless sequence of pseudorandom numbers: SplitMix64.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the sequence that begins at `start`. The same `start` gives the same numbers.
    pub fn new(start: u64) -> SplitMix {
        SplitMix(start)
    }

    /// Returns the next number. The sequence never ends.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a random number below `n`; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        // Scaling by a wide product instead of a remainder: no division, and bias below n / 2^64.
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }

    /// Returns the next `n` numbers, to use as seeds.
    pub fn seeds(mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.draw()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Inverts [`mix`], with its steps in reverse order.
    fn unmix(x: u64) -> u64 {
        let unshift = |x: u64, by: u32| (0..64 / by).fold(x, |y, _| x ^ (y >> by));
        let x = unshift(x, 31).wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
        let x = unshift(x, 27).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
        unshift(x, 30)
    }

    /// Inverts an odd number modulo 2^64, by Newton's iteration.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |y, _| y.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(y))))
    }

    /// The generator's published first outputs from 1234567.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut numbers = SplitMix::new(1_234_567);
        let first = [numbers.draw(), numbers.draw(), numbers.draw()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    proptest! {
        #[test]
        fn it_is_a_permutation(x: u64) {
            prop_assert_eq!(unmix(mix(x)), x);
        }
    }
}

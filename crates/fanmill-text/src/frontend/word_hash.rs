//! The hash of a word: fixed, so that it means the same everywhere, or under a key, so that nobody can make two words
//! of one hash.
//!
//! A word is a sequence of blocks of eight bytes each, little-endian, the last one padded with zeros, which no word
//! has.
//!
//! | hash | definition | use |
//! |---|---|---|
//! | [`Fixed`] | each block goes through [`mix`] with the value so far | sketches: values that may be stored |
//! | [`WordKey`] | the blocks are the coefficients of a polynomial, taken at secret points modulo 2^64 - 59 | comparing: equal hashes mean equal words |
//!
//! A step of the fixed hash is a permutation, so anyone can choose a word, change its first block, and solve for the
//! second one that leads to the same hash. Under a key that is drawn after the words are written, this cannot be done:
//! the polynomials of two different words of at most `n` blocks differ, and so agree at no more than `n` of the points.
//!
//! Cost: two multiplications per block for the fixed hash; three per block and point under a key.

use fanmill_kernel::hash::mix::mix;

/// A hash of words that takes them block by block.
pub(super) trait WordHash: Copy {
    /// The value of the blocks so far, and in the end the hash.
    type Value: Copy;

    /// Returns the value of no blocks.
    fn start(self) -> Self::Value;

    /// Returns the value with one more block.
    fn add(self, value: Self::Value, block: u64) -> Self::Value;

    /// Returns the hash of all blocks.
    fn end(self, value: Self::Value) -> Self::Value;
}

/// The value at which the fixed hash of a word begins.
const START: u64 = 0x243f_6a88_85a3_08d3;

/// The hash that never changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixed;

impl WordHash for Fixed {
    type Value = u64;

    #[inline]
    fn start(self) -> u64 {
        START
    }

    #[inline]
    fn add(self, value: u64, block: u64) -> u64 {
        mix(value ^ block)
    }

    #[inline]
    fn end(self, value: u64) -> u64 {
        value
    }
}

/// A key under which words have hashes of `N` times 64 bits.
///
/// Two different words of at most `b` blocks have equal hashes with a chance of `(b / 2^64)^N`, whoever has chosen
/// them, as long as the key was not known then. Words of one block never have equal hashes.
#[derive(Debug, Clone, Copy)]
pub struct WordKey<const N: usize> {
    points: [u64; N],
    /// Numbers that sums are mixed with, so that they do not reveal the points.
    pads: [u64; N],
}

impl<const N: usize> WordKey<N> {
    /// Draws the points from 32 bytes that nobody could foresee.
    pub fn new(secret: &[u8; 32]) -> WordKey<N> {
        let mut numbers = blake3::Hasher::new_derive_key("fanmill hashes of words 1")
            .update(secret)
            .finalize_xof();
        let mut draw = || {
            let mut bytes = [0; 8];
            numbers.fill(&mut bytes);
            u64::from_le_bytes(bytes)
        };
        let points = std::array::from_fn(|_| draw());
        WordKey { points, pads: std::array::from_fn(|_| draw()) }
    }
}

impl<const N: usize> WordHash for WordKey<N> {
    type Value = [u64; N];

    /// Returns the highest coefficient, which makes the number of blocks count.
    #[inline]
    fn start(self) -> [u64; N] {
        [1; N]
    }

    #[inline]
    fn add(self, value: [u64; N], block: u64) -> [u64; N] {
        std::array::from_fn(|i| multiply_add(value[i], self.points[i], block))
    }

    #[inline]
    fn end(self, value: [u64; N]) -> [u64; N] {
        std::array::from_fn(|i| mix(value[i] ^ self.pads[i]))
    }
}

/// 2^64 minus the prime that is the modulus.
const BELOW: u64 = 59;

/// Returns `a * b + c` modulo 2^64 - 59. A remainder below 59 may come out with the modulus added. It always does so
/// for the same numbers, and nothing more is needed.
#[inline]
fn multiply_add(a: u64, b: u64, c: u64) -> u64 {
    // 2^64 is 59 modulo the prime, so the upper half counts 59 times.
    let [low, high] = halves(u128::from(a) * u128::from(b) + u128::from(c));
    let [low, high] = halves(u128::from(high) * u128::from(BELOW) + u128::from(low));
    let (sum, is_over) = low.overflowing_add(high * BELOW);
    // After an overflow the sum is small, and cannot overflow again.
    if is_over { sum + BELOW } else { sum }
}

#[inline]
fn halves(x: u128) -> [u64; 2] {
    [x as u64, (x >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MODULUS: u128 = (1 << 64) - BELOW as u128;

    fn value<H: WordHash>(hash: H, blocks: &[u64]) -> H::Value {
        hash.end(blocks.iter().fold(hash.start(), |value, &block| hash.add(value, block)))
    }

    /// Checks two pairs of blocks with one fixed hash, whatever the first block of each is.
    #[test]
    fn words_of_one_fixed_hash_can_be_made_and_differ_under_a_key() {
        let key = WordKey::<1>::new(&[7; 32]);
        for (first, other, second) in [(1, 2, 3), (0x6162_6364, 0x6568, 5), (9, 10, 11)] {
            let last = mix(START ^ first) ^ mix(START ^ other) ^ second;
            assert_eq!(value(Fixed, &[first, second]), value(Fixed, &[other, last]));
            assert_ne!(value(key, &[first, second]), value(key, &[other, last]));
        }
    }

    #[test]
    fn keys_and_points_differ() {
        let word = [0x7468_6579, 0x61];
        let [a, b] = value(WordKey::<2>::new(&[1; 32]), &word);
        let [c, d] = value(WordKey::<2>::new(&[2; 32]), &word);
        let mut all = [a, b, c, d];
        all.sort_unstable();
        assert!(all.windows(2).all(|two| two[0] != two[1]));
        assert_ne!(
            value(WordKey::<1>::new(&[1; 32]), &[5]),
            value(WordKey::<1>::new(&[1; 32]), &[5, 0])
        );
    }

    proptest! {
        #[test]
        fn products_are_taken_modulo_the_prime(a: u64, b: u64, c: u64) {
            let big = |x: u64| u64::MAX - x % 100;
            for [a, b, c] in [[a, b, c], [big(a), big(b), big(c)], [a, 1, c], [a, 0, big(c)]] {
                let exact = u128::from(a) * u128::from(b) + u128::from(c);
                prop_assert_eq!(u128::from(multiply_add(a, b, c)) % MODULUS, exact % MODULUS);
            }
        }
    }
}

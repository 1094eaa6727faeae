//! Arithmetic modulo 2^61 - 1, for hashes of windows: words are the digits of a number in a random base.
//!
//! Source: Karp & Rabin, "Efficient randomized pattern-matching algorithms", IBM J. Res. Dev. 31, 1987.

/// 2^61 - 1, a Mersenne prime: the modulus reduces with a shift and an add, and a product fits in `u128`.
pub(crate) const MODULUS: u64 = (1 << 61) - 1;

/// Returns the base that random bytes give, from the upper half of the numbers below the modulus.
pub(crate) fn base(random: [u8; 8]) -> u64 {
    MODULUS / 2 + u64::from_le_bytes(random) % (MODULUS / 2)
}

pub(crate) fn times(a: u64, b: u64) -> u64 {
    times_plus(a, b, 0)
}

/// Returns `a * b + c`.
#[inline]
pub(crate) fn times_plus(a: u64, b: u64, c: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b) + u128::from(c))
}

/// Returns `a - b`; both must be below the modulus.
#[inline]
pub(crate) fn minus(a: u64, b: u64) -> u64 {
    less(a + MODULUS - b)
}

/// Reduces a number modulo the prime, without a division.
#[inline]
fn reduced(x: u128) -> u64 {
    // 2^61 is congruent to 1, so the upper part can be added to the lower one.
    let folded = (x & u128::from(MODULUS)) + (x >> 61);
    let folded = (folded as u64 & MODULUS) + (folded >> 61) as u64;
    less(folded)
}

/// Reduces a number that is below twice the prime.
#[inline]
fn less(x: u64) -> u64 {
    if x < MODULUS { x } else { x - MODULUS }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_reduced_as_by_division(a in any::<u64>(), b in 0..MODULUS, c in any::<u64>()) {
            for x in [u128::from(a % MODULUS) * u128::from(b) + u128::from(c), u128::from(c), u128::from(MODULUS)] {
                prop_assert_eq!(u128::from(reduced(x)), x % u128::from(MODULUS));
            }
            let a = a % MODULUS;
            prop_assert_eq!(u128::from(minus(a, b)), (u128::from(a) + u128::from(MODULUS - b)) % u128::from(MODULUS));
        }
    }
}

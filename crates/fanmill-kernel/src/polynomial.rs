//! Polynomials in the numbers of a sliding window, mixed: the hashes of shingles.
//!
//! There are two ways to the same values. Rolling takes four products per window, and each sum waits for the one
//! before. From scratch it takes `k + 1` products, which wait for nothing, so a processor that multiplies eight pairs
//! of 64-bit numbers at once is faster that way, as long as `k` is small.
//!
//! Cost: measured by `fanmill-bench speed`; the products take most of the time.
//! Source: rolling: Karp & Rabin, "Efficient randomized pattern-matching algorithms", 1987.

use super::{Form, Task, run};
use crate::hash::mix::mix;

/// The point at which the polynomials are evaluated: 2^64 divided by the golden ratio, made 5 modulo 8,
/// so that its powers differ in as many bits as possible.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the polynomial with a leading 1, followed by the numbers as coefficients, at [`BASE`].
#[inline]
fn polynomial(numbers: &[u64]) -> u64 {
    numbers.iter().fold(1, |sum: u64, &number| sum.wrapping_mul(BASE).wrapping_add(number))
}

/// Returns the hash of a sequence of numbers. The leading 1 makes it depend on their number.
pub fn polynomial_hash(numbers: &[u64]) -> u64 {
    mix(polynomial(numbers))
}

/// Appends the [`polynomial_hash`] of every `k` consecutive numbers, in order. A `k` of 0 is taken as 1.
pub fn polynomial_hashes(numbers: &[u64], k: usize, hashes: &mut Vec<u64>) {
    let k = k.max(1);
    if numbers.len() >= k {
        run(Windows { numbers, k, hashes });
    }
}

/// All windows of `k` numbers, to be hashed; there is at least one.
struct Windows<'a> {
    numbers: &'a [u64],
    k: usize,
    hashes: &'a mut Vec<u64>,
}

impl Task for Windows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, _: F) {
        let Windows { numbers, k, hashes } = self;
        match k {
            3 if F::MULTIPLIES => each::<3>(numbers, hashes),
            4 if F::MULTIPLIES => each::<4>(numbers, hashes),
            5 if F::MULTIPLIES => each::<5>(numbers, hashes),
            6 if F::MULTIPLIES => each::<6>(numbers, hashes),
            7 if F::MULTIPLIES => each::<7>(numbers, hashes),
            8 if F::MULTIPLIES => each::<8>(numbers, hashes),
            _ => roll(numbers, k, hashes),
        }
    }
}

/// Number of windows whose hashes are computed in a loop that compilers vectorise.
const AT_ONCE: usize = 32;

/// Computes each window from scratch.
#[inline(always)]
fn each<const K: usize>(numbers: &[u64], hashes: &mut Vec<u64>) {
    let hash = |window: &[u64]| mix(polynomial(&window[..K]));
    let mut rest = numbers;
    while let Some(part) = rest.get(..AT_ONCE + K - 1) {
        let mut found = [0; AT_ONCE];
        for (found, window) in found.iter_mut().zip(part.windows(K)) {
            *found = hash(window);
        }
        hashes.extend_from_slice(&found);
        rest = &rest[AT_ONCE..];
    }
    hashes.extend(rest.windows(K).map(hash));
}

/// Computes each window from the one before.
#[inline(always)]
fn roll(numbers: &[u64], k: usize, hashes: &mut Vec<u64>) {
    let (first, rest) = numbers.split_at(k);
    let mut sum = polynomial(first);
    hashes.push(mix(sum));
    let power = (0..k).fold(1, |power: u64, _| power.wrapping_mul(BASE));
    // Multiplying by `BASE` moves the leading 1 up as well; `top` brings it down again, and subtracting
    // `gone * power` removes the number that leaves the window.
    let top = power.wrapping_sub(power.wrapping_mul(BASE));
    hashes.extend(rest.iter().zip(numbers).map(|(&number, &gone)| {
        let change = top.wrapping_add(number).wrapping_sub(gone.wrapping_mul(power));
        sum = sum.wrapping_mul(BASE).wrapping_add(change);
        mix(sum)
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    proptest! {
        #[test]
        fn every_form_equals_naive(numbers in proptest::collection::vec(any::<u64>(), 0..90), k in 1_usize..20) {
            let naive: Vec<u64> = [7].into_iter().chain(numbers.windows(k).map(polynomial_hash)).collect();
            for set in InstructionSet::available() {
                let mut hashes = vec![7];
                if numbers.len() >= k {
                    on(set, Windows { numbers: &numbers, k, hashes: &mut hashes });
                }
                prop_assert_eq!(&hashes, &naive, "{}", set);
            }
            let mut hashes = vec![7];
            polynomial_hashes(&numbers, k, &mut hashes);
            prop_assert_eq!(hashes, naive);
        }
    }
}

//! Walks along numbers; each takes some of them: the numbers taken so far decide about the next one.
//!
//! A walk starts at a number and looks at those after it, one by one. It keeps the XOR of all numbers that it took, and
//! takes a number if a product of that and of the number is small. Sixteen walks that start next to one another look at
//! neighbours at any time, so one load gets all their numbers, and their decisions are made side by side.
//!
//! Cost: 25 instructions per eight decisions with AVX-512, about 50 with AVX2. Other sets hardly multiply neighbours at
//! once, so there walks one by one are quicker ([`pays`]).

use super::{Form, InstructionSet, Task, run};

/// Number of walks that are made side by side. With eight, a step would have to wait for the one before.
pub const WALKS: usize = 16;
/// Number of steps that a word of 64 bits notes.
pub const NOTED: usize = 64;
/// Number of steps between two looks at how many walks are done.
const STRIDE: usize = 4;
/// A table of four bits for each value of four bits: the number of them that are set.
const COUNTS: u64 = 0x4332_3221_3221_2110;
/// Number of last walks, which are left to the caller: the longest of sixteen takes half as many steps again as the
/// average one.
const FEW: u64 = 2;

/// The rule by which a walk takes a number: `x ^ mask`, times `factor`, has halves whose XOR is at most `most`; `x` is
/// the XOR of the number and of all that were taken before, the first one included.
#[derive(Debug, Clone, Copy)]
pub struct Decision {
    /// The secret that the XOR of numbers is combined with.
    pub mask: u64,
    /// The factor of the product.
    pub factor: u64,
    /// Maximum XOR of the halves of the product for which the number is taken.
    pub most: u64,
}

/// Returns whether walks side by side are quicker here than one by one.
#[inline]
pub fn pays() -> bool {
    InstructionSet::in_use() >= InstructionSet::Avx2
}

/// Makes walks from each of the first [`WALKS`] numbers until all but at most two have taken `length` numbers, the
/// first one included, but at most `most` steps. Returns the number of steps. `taken` becomes, for every [`NOTED`]
/// steps and each walk, a word with a bit for each step, the first one lowest: whether the walk took the number there.
///
/// Walks that are done are not stopped: they may take more than `length` numbers.
///
/// # Panics
/// If there are fewer than `most + WALKS` numbers.
#[inline]
pub fn walks(
    numbers: &[u64],
    decision: Decision,
    length: usize,
    most: usize,
    taken: &mut Vec<[u64; WALKS]>,
) -> usize {
    let numbers = &numbers[..most + WALKS];
    taken.clear();
    run(Walks { numbers, decision, length, most, taken })
}

struct Walks<'a> {
    numbers: &'a [u64],
    decision: Decision,
    length: usize,
    most: usize,
    taken: &'a mut Vec<[u64; WALKS]>,
}

/// The lower half of a number.
const LOW: u64 = u64::MAX >> 32;

impl Task for Walks<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<F: Form>(self, _: F) -> usize {
        let Walks {
            numbers,
            decision: Decision { mask, factor, most: limit },
            length,
            most,
            taken,
        } = self;
        let (factor_low, factor_high) = (factor & LOW, factor >> 32);
        let Some(first) = numbers.first_chunk::<WALKS>() else { return 0 };
        let mut combined = first.map(|number| number ^ mask);
        let mut n_taken = [1_u64; WALKS];
        let (mut step, mut n_open) = (0, WALKS as u64);
        while step < most && n_open > FEW {
            let mut noted = [0; WALKS];
            let end = most.min(step + NOTED);
            let start = step;
            while step < end && n_open > FEW {
                for next in numbers[step + 1..].windows(WALKS).take(STRIDE.min(end - step)) {
                    for walk in 0..WALKS {
                        // The product of two 64-bit numbers, from the products of their halves.
                        let x = combined[walk] ^ next[walk];
                        let (low, high) = (x & LOW, x >> 32);
                        let lowest = low * factor_low;
                        let middle = high * factor_low + (lowest >> 32);
                        let other = low * factor_high + (middle & LOW);
                        let upper = high * factor_high + (middle >> 32) + (other >> 32);
                        let lower = other << 32 | lowest & LOW;
                        // All bits or none: otherwise the compiler would store by conditions, which takes longer.
                        let is_taken = if upper ^ lower <= limit { u64::MAX } else { 0 };
                        combined[walk] ^= next[walk] & is_taken;
                        noted[walk] = noted[walk] >> 1 | is_taken & 1 << 63;
                    }
                    step += 1;
                }
                // The highest bits are those of these steps, unless these are the last ones and fewer; then the counts
                // are not used any more.
                for walk in 0..WALKS {
                    n_taken[walk] += COUNTS >> (noted[walk] >> (NOTED - STRIDE) << 2) & 15;
                }
                // The highest bit of a difference is set if it is negative. Compilers would count comparisons one by
                // one.
                n_open = n_taken.iter().map(|n| n.wrapping_sub(length as u64) >> 63).sum();
            }
            taken.push(noted.map(|bits| bits >> (NOTED - (step - start))));
        }
        step
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::on;

    /// The naive twin: decides for each of the first `n` steps of one walk whether it takes a number.
    fn naive(numbers: &[u64], decision: Decision, n: usize) -> Vec<bool> {
        let mut combined = numbers[0];
        let mut takes = |&next: &u64| {
            let product = u128::from(combined ^ next ^ decision.mask) * u128::from(decision.factor);
            let is_taken = (product >> 64) as u64 ^ product as u64 <= decision.most;
            combined ^= if is_taken { next } else { 0 };
            is_taken
        };
        numbers[1..=n].iter().map(&mut takes).collect()
    }

    proptest! {
        #[test]
        fn every_form_equals_naive(
            seed: u64, mask: u64, factor: u64, shift in 0_u32..8, length in 1_usize..12, most in 0_usize..200,
        ) {
            let numbers = crate::hash::mix::SplitMix::new(seed).seeds(most + WALKS);
            let decision = Decision { mask, factor, most: u64::MAX >> shift };
            for set in InstructionSet::available() {
                let mut taken = Vec::new();
                let task = Walks { numbers: &numbers, decision, length, most, taken: &mut taken };
                let n = on(set, task);
                let mut n_open = 0;
                for walk in 0..WALKS {
                    let bits: Vec<bool> =
                        (0..n).map(|step| taken[step / NOTED][walk] >> (step % NOTED) & 1 == 1).collect();
                    let naive = naive(&numbers[walk..], decision, n);
                    n_open += u64::from(naive.iter().filter(|&&is_taken| is_taken).count() + 1 < length);
                    prop_assert_eq!(bits, naive, "{}", set);
                }
                prop_assert!(n_open <= FEW || n == most, "{}: {} of {} steps", set, n, most);
                prop_assert!(taken.last().is_none_or(|bits| n % NOTED == 0 || bits.iter().all(|bits| bits >> (n % NOTED) == 0)));
            }
        }
    }
}

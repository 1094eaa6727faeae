//! Walks along numbers, each of which takes some of them: what it has taken so far decides about the next one.
//!
//! A walk starts at a number and looks at those after it, one by one. It keeps the XOR of all that it took, and takes a
//! number if a product of that and of the number is small. Sixteen walks that start next to one another look at
//! neighbours at any time, so that their numbers are one load, and their decisions are made side by side.
//!
//! Cost: 25 instructions for eight decisions with AVX-512, with AVX2 about 50. Without them, which have no products of
//! neighbours to speak of, walks one by one are quicker ([`pays`]).

use super::{Form, InstructionSet, Task, run};

/// Walks that are made side by side. With eight, a step would have to wait for the one before.
pub const WALKS: usize = 16;
/// Steps that a word of 64 bits notes.
pub const NOTED: usize = 64;
/// Steps between two looks at how many walks are done.
const STRIDE: usize = 4;
/// For all that four bits can be, four bits that say how many of them are set.
const COUNTS: u64 = 0x4332_3221_3221_2110;
/// The last walks, which are left to the caller: the longest of sixteen takes half as many steps again as the average one.
const FEW: u64 = 2;

/// Which numbers a walk takes: those where `x ^ mask`, times `factor`, has halves whose XOR is at most `most`; `x` is the
/// XOR of the number and of all that were taken before, the first one included.
#[derive(Clone, Copy)]
pub struct Decision {
    pub mask: u64,
    pub factor: u64,
    pub most: u64,
}

/// Whether walks side by side are quicker here than one by one.
#[inline]
pub fn pays() -> bool {
    InstructionSet::in_use() >= InstructionSet::Avx2
}

/// Makes walks from each of the first [`WALKS`] numbers until all but two at most have taken `length` numbers, the first one
/// included, but `most` steps at most. Returns the number of steps. `taken` becomes, for every [`NOTED`] steps, a bit for
/// each step of each walk, the first one lowest: whether it took the number there.
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
                        // The product of two 64-bit numbers, of those of their halves.
                        let x = combined[walk] ^ next[walk];
                        let (low, high) = (x & LOW, x >> 32);
                        let lowest = low * factor_low;
                        let middle = high * factor_low + (lowest >> 32);
                        let other = low * factor_high + (middle & LOW);
                        let upper = high * factor_high + (middle >> 32) + (other >> 32);
                        let lower = other << 32 | lowest & LOW;
                        // All bits or none: the compiler would store by conditions otherwise, which takes longer.
                        let is_taken = if upper ^ lower <= limit { u64::MAX } else { 0 };
                        combined[walk] ^= next[walk] & is_taken;
                        noted[walk] = noted[walk] >> 1 | is_taken & 1 << 63;
                    }
                    step += 1;
                }
                // The last bits are those of these steps, unless there are no more.
                for walk in 0..WALKS {
                    n_taken[walk] += COUNTS >> (noted[walk] >> (NOTED - STRIDE) << 2) & 15;
                }
                // The highest bit of a difference says that it is negative. Compilers count comparisons one by one.
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

    /// The naive twin: which of the first `n` steps of one walk take a number.
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

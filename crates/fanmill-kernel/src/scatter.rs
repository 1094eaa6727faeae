//! Numbers scattered over registers; each keeps the smallest value that it receives: the fast similarity
//! sketch.
//!
//! First the registers and values of some numbers are computed, which many processors do side by side, and then these
//! registers are visited one by one.
//!
//! Cost: two products and a visit per number. With AVX-512 the visits take most of the time.

use std::hint::black_box;

use super::{Form, Task, run};
use crate::hash::mix::mix;

/// Number of bits of a register below the number of the round.
pub const VALUE_BITS: u32 = 48;
/// The value of a register before any number.
pub const EMPTY: u64 = u64::MAX;

/// Gives each number to the register that its image under a seed chooses, with the round and the rest of the image as
/// value. Returns the number of registers that are still empty.
///
/// # Panics
/// If there are 2^32 registers or more.
pub fn scatter(row: &mut [u64], round: usize, seed: u64, numbers: &[u64]) -> usize {
    run(Scatter { row, round, seed, numbers })
}

struct Scatter<'a> {
    row: &'a mut [u64],
    round: usize,
    seed: u64,
    numbers: &'a [u64],
}

/// Number of images whose registers and values are computed before these registers are visited.
const AT_ONCE: usize = 32;
/// Number of visits for each change from which on changes are rare: a processor then foresees that a visit changes
/// nothing.
const RARE: usize = 12;

impl Task for Scatter<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<F: Form>(self, form: F) -> usize {
        let Scatter { row, round, seed, numbers } = self;
        // In the first round the i-th number of a register changes it with a chance of 1 / i, in later rounds only if
        // it is empty.
        let n_often = match round {
            0 => numbers.len().min(RARE * row.len()),
            _ if n_empty(row) * RARE < row.len() => 0,
            _ => numbers.len(),
        };
        let (often, rarely) = numbers.split_at(n_often);
        let n = u32::try_from(row.len()).expect("less than 2^32 registers");
        let tag = (round as u64) << VALUE_BITS;
        let mut visits = Visits { _form: form, seed, tag, row: &mut *row };
        match (F::MULTIPLIES, n.is_power_of_two()) {
            (true, true) => visits.visit(often, rarely, |image| by_bits(image, n.ilog2())),
            (true, false) => visits.visit(often, rarely, |image| by_halves(image, n)),
            (false, _) => visits.visit(often, rarely, |image| by_product(image, n)),
        }
        n_empty(row)
    }
}

fn n_empty(row: &[u64]) -> usize {
    row.iter().filter(|&&register| register == EMPTY).count()
}

/// Returns the register of an image, out of `n`, and the value: the upper half of their product, and the bits after it.
#[inline(always)]
fn by_product(image: u64, n: u32) -> (u32, u64) {
    let product = u128::from(image) * u128::from(n);
    ((product >> 64) as u32, product as u64 >> (64 - VALUE_BITS))
}

/// Computes [`by_product`] from the halves of the image, which vectors can multiply.
#[inline(always)]
fn by_halves(image: u64, n: u32) -> (u32, u64) {
    let low = (image & u64::from(u32::MAX)) * u64::from(n);
    let high = (image >> 32) * u64::from(n) + (low >> 32);
    let lower = high << 32 | low & u64::from(u32::MAX);
    ((high >> 32) as u32, lower >> (64 - VALUE_BITS))
}

/// Computes [`by_product`] for `2^n_bits` registers.
#[inline(always)]
fn by_bits(image: u64, n_bits: u32) -> (u32, u64) {
    // In two steps, since a single shift by 64 would do nothing.
    ((image >> 1 >> (63 - n_bits)) as u32, image << n_bits >> (64 - VALUE_BITS))
}

/// Visits of the registers of a row.
struct Visits<'a, F> {
    _form: F,
    seed: u64,
    /// The round, above the bits of the value.
    tag: u64,
    row: &'a mut [u64],
}

impl<F: Form> Visits<'_, F> {
    /// Lets numbers change their registers; `split` makes a register and a value of an image.
    #[inline(always)]
    fn visit(&mut self, often: &[u64], rarely: &[u64], split: impl Fn(u64) -> (u32, u64) + Copy) {
        self.each(often, split, |register, value| *register = value.min(*register));
        self.each(rarely, split, |register, value| {
            if value < *register {
                *register = black_box(value);
            }
        });
    }

    #[inline(always)]
    fn each(
        &mut self,
        numbers: &[u64],
        split: impl Fn(u64) -> (u32, u64),
        change: impl Fn(&mut u64, u64),
    ) {
        let (many, rest) =
            if F::MULTIPLIES { numbers.as_chunks::<AT_ONCE>() } else { (&[][..], numbers) };
        for numbers in many {
            let (mut registers, mut values) = ([0; AT_ONCE], [0; AT_ONCE]);
            for i in 0..AT_ONCE {
                let (register, value) = split(mix(numbers[i] ^ self.seed));
                (registers[i], values[i]) = (register, self.tag | value);
            }
            for i in 0..AT_ONCE {
                change(&mut self.row[registers[i] as usize], values[i]);
            }
        }
        for &number in rest {
            let (register, value) = split(mix(number ^ self.seed));
            change(&mut self.row[register as usize], self.tag | value);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    /// Computes [`scatter`] from the definition, with the whole product.
    fn naive(row: &mut [u64], round: usize, seed: u64, numbers: &[u64]) -> usize {
        for &number in numbers {
            let product = u128::from(mix(number ^ seed)) * row.len() as u128;
            let register = &mut row[(product >> 64) as usize];
            *register = (*register).min((round as u64) << 48 | product as u64 >> 16);
        }
        row.iter().filter(|&&register| register == EMPTY).count()
    }

    proptest! {
        #[test]
        fn every_form_equals_naive(
            numbers in proptest::collection::vec(any::<u64>(), 0..400),
            t in 1_usize..300, round in 0_usize..5, seed: u64,
        ) {
            let mut expected = vec![EMPTY; t];
            let n_expected = [0, 1].map(|more| naive(&mut expected, round + more, seed + more as u64 / 2, &numbers));
            for set in InstructionSet::available() {
                let mut row = vec![EMPTY; t];
                let n_empty = [0, 1].map(|more| {
                    let (round, seed) = (round + more, seed + more as u64 / 2);
                    on(set, Scatter { row: &mut row, round, seed, numbers: &numbers })
                });
                prop_assert!(row == expected && n_empty == n_expected, "{}", set);
            }
        }
    }
}

//! MinHash by lead bytes: most images of a permutation need not be computed to see that they are not minimal.
//!
//! An image consists of a lead byte and a tail. One computation gives the lead bytes for eight permutations, which are
//! compared all at once with those of the eight minima so far. A tail is computed only if its lead byte is not above
//! the minimum's. Once a minimum's lead byte is 0, that happens one time in 256; until then, [7.12
//! times](expected_tails_to_first_zero) in expectation.
//!
//! Cost: O(n t / 8) time, and [`expected_tails`] tails for each register.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "One trick based on left-to-right
//! minima" (Broder, Burrows & Manasse). A tail is also counted when the lead byte *equals* the
//! minimum's: the harmonic number of 256, 6.12, counts only the strict minima, 7.12 both.
//! Departs from it: lead bytes by [`mix`] instead of a random linear transformation; tails of 7
//! bytes, so that an image fits a register.
//!
//! Measured in November 2026 with 84 registers on sets of 1,000, in ns per shingle: 31, where whole permutations take
//! 62, and 1.7 for [`similarity`](super::similarity), which takes up the idea (stop as soon as nothing can become
//! smaller). The slides report a factor of 20 with all tricks.

use super::registers::EMPTY;
use super::similarity::check_registers;
use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_text::error::Result;

/// Number of permutations whose lead bytes are computed together: one per byte of a 64-bit word.
const GROUP: usize = 8;
/// Starts of the sequences of seeds: the first digits of the square roots of 2 and 3.
const LEAD_SEEDS: u64 = 1_414_213_562_373_095_048;
const TAIL_SEEDS: u64 = 1_732_050_807_568_877_293;
/// The highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Sketches by `t` permutations, computed lead byte first; see the [module](self).
#[derive(Debug, Clone)]
pub struct LeadByte {
    /// One seed for each group of eight registers.
    lead_seeds: Vec<u64>,
    /// One seed for each register.
    tail_seeds: Vec<u64>,
}

impl LeadByte {
    /// Prepares sketches of `t` registers.
    ///
    /// # Errors
    /// If `t` is 0 or above [`MAX_REGISTERS`](super::similarity::MAX_REGISTERS).
    pub fn new(t: usize) -> Result<LeadByte> {
        check_registers(t)?;
        let lead_seeds = SplitMix::new(LEAD_SEEDS).seeds(t.div_ceil(GROUP));
        Ok(LeadByte { lead_seeds, tail_seeds: SplitMix::new(TAIL_SEEDS).seeds(t) })
    }

    /// Appends the `t` registers of a set of shingle hashes, in any order; repetitions change nothing. Returns the
    /// number of tails computed.
    pub fn sketch(&self, shingles: &[u64], registers: &mut Vec<u64>) -> usize {
        let start = registers.len();
        registers.resize(start + self.tail_seeds.len(), EMPTY);
        let groups = registers[start..].chunks_mut(GROUP).zip(self.tail_seeds.chunks(GROUP));
        let groups = groups.zip(&self.lead_seeds);
        groups.map(|((row, tails), &lead)| fill_group(row, tails, lead, shingles)).sum()
    }
}

/// Fills a group of up to eight registers; returns the number of tails computed. Working group by group
/// keeps the lead bytes of the minima in a machine register.
fn fill_group(row: &mut [u64], tail_seeds: &[u64], lead_seed: u64, shingles: &[u64]) -> usize {
    // The last group may be smaller: the bytes of its missing registers never count.
    let live = HIGH >> (8 * (GROUP - row.len()));
    let (mut minima, mut n_tails) = (u64::MAX, 0);
    for &x in shingles {
        let leads = mix(x ^ lead_seed);
        // One bit per register whose minimum this image may replace.
        let mut open = not_above(leads, minima) & live;
        n_tails += open.count_ones() as usize;
        while open != 0 {
            let at = open.trailing_zeros() as usize / 8;
            let value = image(leads, at, tail_seeds[at], x);
            if value < row[at] {
                row[at] = value;
                minima = minima & !(0xff << (8 * at)) | (value >> 56) << (8 * at);
            }
            // Clear the lowest set bit.
            open &= open - 1;
        }
    }
    n_tails
}

/// Compares the bytes of `x` and `y`: sets the highest bit of each byte where `x` is at most `y`.
#[inline]
fn not_above(x: u64, y: u64) -> u64 {
    // The lower seven bits of each byte are compared by a subtraction that cannot borrow from a
    // neighbour, and the highest bits separately.
    let lower = (y | HIGH).wrapping_sub(x & !HIGH);
    ((y & !x) | (!(x ^ y) & lower)) & HIGH
}

/// Returns the image of `x` under permutation number `at` of its group.
#[inline]
fn image(leads: u64, at: usize, tail_seed: u64, x: u64) -> u64 {
    (leads >> (8 * at) & 0xff) << 56 | mix(x ^ tail_seed) >> 8
}

/// Returns the number of tails a register computes for this sequence of lead bytes: one for each that has no lower one
/// before it.
pub fn tails(lead_bytes: impl IntoIterator<Item = u8>) -> usize {
    let mut minimum = u8::MAX;
    lead_bytes
        .into_iter()
        .filter(|&lead| {
            minimum = minimum.min(lead);
            lead == minimum
        })
        .count()
}

/// Returns the expected number of tails a register computes for `n` shingles: 5.39 for 100, 10.01 for 1,000.
///
/// Shingle `i` needs one if none of the `i - 1` before it has a lower lead byte.
pub fn expected_tails(n: u64) -> f64 {
    let sum_over_shingles = |lead: u32| {
        let not_lower = f64::from(256 - lead) / 256.0;
        if lead == 0 {
            n as f64
        } else {
            (1.0 - libm::pow(not_lower, n as f64)) / (1.0 - not_lower)
        }
    };
    (0..256).map(sum_over_shingles).sum::<f64>() / 256.0
}

/// Returns the expected number of tails a register computes until its lead byte is 0: `1 + H_255` = 7.12.
pub fn expected_tails_to_first_zero() -> f64 {
    1.0 + (1..=255).map(|i| 1.0 / f64::from(i)).sum::<f64>()
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub mod naive {
    use super::{EMPTY, GROUP, LEAD_SEEDS, SplitMix, TAIL_SEEDS, image, mix};

    /// Computes every image in full.
    pub fn lead_byte(shingles: &[u64], t: usize) -> Vec<u64> {
        let lead_seeds = SplitMix::new(LEAD_SEEDS).seeds(t.div_ceil(GROUP));
        let tail_seeds = SplitMix::new(TAIL_SEEDS).seeds(t);
        let eager = |(i, &tail): (usize, &u64)| {
            let leads = |x: u64| mix(x ^ lead_seeds[i / GROUP]);
            shingles.iter().map(|&x| image(leads(x), i % GROUP, tail, x)).min().unwrap_or(EMPTY)
        };
        tail_seeds.iter().enumerate().map(eager).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::naive::lead_byte as naive;
    use super::*;
    use crate::{checks, registers};
    use fanmill_effort::golden;

    fn sketch(shingles: &[u64], t: usize) -> Vec<u64> {
        let mut row = Vec::new();
        LeadByte::new(t).expect("in bounds").sketch(shingles, &mut row);
        row
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("lead_byte") {
            let leads = golden::u64s(&case["lead_bytes"]).into_iter().map(|lead| lead as u8);
            assert_eq!(tails(leads), golden::usize(&case["tail_computations"]), "{case}");
        }
    }

    #[test]
    fn expectations_are_the_golden_ones() {
        let file = golden::file("lead_byte");
        let close = |x: f64, y: &Value| (x / y.as_f64().expect("number") - 1.0).abs() < 1e-9;
        assert!(close(expected_tails_to_first_zero(), &file["expected_tails_to_first_zero"]));
        assert!(close(expected_tails_to_first_zero() - 1.0 + 1.0 / 256.0, &file["H_256"]));
        for (n, expected) in file["expected_tails_after_n"].as_object().expect("numbers") {
            assert!(close(expected_tails(n.parse().expect("n")), expected), "{n}");
        }
    }

    #[test]
    fn the_number_of_tails_is_as_expected() {
        let lead_byte = LeadByte::new(80).expect("in bounds");
        let (mean, _) = checks::moments(100, |seed| {
            lead_byte.sketch(&checks::random_set(1000, seed), &mut Vec::new()) as f64 / 80.0
        });
        assert!((mean / expected_tails(1000) - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn estimates_are_unbiased_and_vary_as_in_theory() {
        let lead_byte = LeadByte::new(64).expect("in bounds");
        for (n, j) in [(60, 0.5), (300, 0.9)] {
            checks::estimates(n, j, 64, 1.25, |set, row| {
                lead_byte.sketch(set, row);
            });
        }
    }

    /// A stored sketch must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(checks::digest(|set| sketch(set, 84)), DIGEST);
    }

    const DIGEST: u64 = 3_510_198_338_520_648_180;

    proptest! {
        #[test]
        fn lazy_equals_eager(shingles in checks::sets(), t in 1_usize..40) {
            prop_assert_eq!(sketch(&shingles, t), naive(&shingles, t));
        }

        #[test]
        fn bytes_are_compared_independently(x: [u8; 8], y: [u8; 8]) {
            let found = not_above(u64::from_le_bytes(x), u64::from_le_bytes(y)).to_le_bytes();
            for at in 0..8 {
                prop_assert_eq!(found[at], if x[at] <= y[at] { 0x80 } else { 0 });
            }
        }

        #[test]
        fn union_is_the_smaller_of_each(a in checks::sets(), b in checks::sets(), t in 1_usize..40) {
            let mut row = sketch(&a, t);
            registers::merge(&mut row, &sketch(&b, t));
            prop_assert_eq!(row, sketch(&[a, b].concat(), t));
        }
    }
}

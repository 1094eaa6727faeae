//! Lead bytes: the number of tails that are computed.
//!
//! Fanmill's own [`LeadByte`] sketch counts the tails that it computes, so the real implementation is measured. Strict
//! left-to-right minima, which the harmonic number counts, are counted by a separate implementation here.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "One trick based on left-to-right minima", "How often
//! do we have to compute (or store) the tail?".

use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_sketch::lead_byte::LeadByte;
use fanmill_text::error::Result;

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mean {
    /// The mean.
    pub(crate) value: f64,
    /// The standard error; infinite if there was only one measurement.
    pub(crate) standard_error: f64,
}

impl Mean {
    /// Computes the mean of some measurements; there must be at least one.
    pub(crate) fn from_values(values: &[f64]) -> Mean {
        let n = values.len() as f64;
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
        let standard_error = if n > 1.0 { (squares / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
        Mean { value, standard_error }
    }
}

/// Random sets of one size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RandomSets {
    /// Number of sets; at least 1.
    pub(crate) n_sets: u32,
    /// Number of shingles in a set.
    pub(crate) n_shingles: u64,
    /// The seed of the shingles.
    pub(crate) seed: u64,
}

/// Measures the tails per register that a sketch of so many registers computes for a set.
///
/// # Errors
/// If there are too many registers.
pub(crate) fn tails_per_register(registers: u32, sets: RandomSets) -> Result<Mean> {
    let lead_byte = LeadByte::new(registers as usize)?;
    let mut numbers = SplitMix::new(mix(sets.seed ^ mix(sets.n_shingles)));
    let (mut set, mut row) = (Vec::new(), Vec::new());
    let tails: Vec<f64> = (0..sets.n_sets)
        .map(|_| {
            set.clear();
            set.extend((0..sets.n_shingles).map(|_| numbers.draw()));
            row.clear();
            lead_byte.sketch(&set, &mut row) as f64 / f64::from(registers)
        })
        .collect();
    Ok(Mean::from_values(&tails))
}

/// Counts of lead bytes until a register's lead byte is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ToZero {
    /// Number of lead bytes below all before them.
    pub(crate) strict: Mean,
    /// Number of lead bytes not above any before them: these need their tails.
    pub(crate) tails: Mean,
}

/// Draws lead bytes until the first 0, `n_runs` times.
///
/// # Panics
/// If `n_runs` is 0.
pub(crate) fn to_zero(n_runs: u32, seed: u64) -> ToZero {
    assert!(n_runs > 0, "a mean is of something");
    let mut numbers = SplitMix::new(mix(!seed));
    let counts = (0..n_runs).map(|_| run_to_zero(&mut numbers));
    let (strict, tails): (Vec<f64>, Vec<f64>) = counts.unzip();
    ToZero { strict: Mean::from_values(&strict), tails: Mean::from_values(&tails) }
}

/// Returns the strict minima and tails of one run.
fn run_to_zero(numbers: &mut SplitMix) -> (f64, f64) {
    // The minimum starts above every byte, so that the first byte is a minimum.
    let (mut minimum, mut strict, mut tails) = (256_u64, 0.0, 0.0);
    while minimum > 0 {
        let lead = numbers.draw() >> 56;
        strict += f64::from(u8::from(lead < minimum));
        tails += f64::from(u8::from(lead <= minimum));
        minimum = minimum.min(lead);
    }
    (strict, tails)
}

/// Returns the `n`th harmonic number.
pub(crate) fn harmonic(n: u32) -> f64 {
    (1..=n).map(|i| 1.0 / f64::from(i)).sum()
}

#[cfg(test)]
mod tests {
    use fanmill_sketch::lead_byte::{expected_tails, expected_tails_to_first_zero, tails};

    use super::*;

    #[test]
    fn the_harmonic_number_is_that_of_the_slide() {
        assert!((harmonic(256) - 6.1243).abs() < 5e-5, "{}", harmonic(256));
        assert!((1.0 + harmonic(255) - 7.1204).abs() < 5e-5);
        assert!((expected_tails_to_first_zero() - 1.0 - harmonic(255)).abs() < 1e-12);
    }

    #[test]
    fn expectations_are_those_worked_out_by_hand() {
        for (n, expected, digits) in [(100, 5.39, 5e-3), (1000, 10.01, 5e-3), (4000, 21.7, 5e-2)] {
            assert!((expected_tails(n) - expected).abs() < digits, "{n}: {}", expected_tails(n));
        }
    }

    #[test]
    fn measurements_are_within_four_standard_errors() {
        let found = to_zero(20_000, 1);
        for (mean, expected) in
            [(found.strict, harmonic(256)), (found.tails, expected_tails_to_first_zero())]
        {
            assert!((mean.value - expected).abs() < 4.0 * mean.standard_error, "{found:?}");
            assert!(mean.standard_error < 0.05, "{found:?}");
        }
        for (n_shingles, n_sets) in [(1, 2000), (100, 400), (1000, 40), (4000, 10)] {
            let sets = RandomSets { n_sets, n_shingles, seed: 1 };
            let found = tails_per_register(84, sets).expect("in bounds");
            let distance = (found.value - expected_tails(n_shingles)).abs();
            assert!(distance <= 4.0 * found.standard_error, "{n_shingles}: {found:?}");
        }
    }

    #[test]
    fn our_count_equals_that_of_the_sketch() {
        for seed in 0..50 {
            let mut leads = Vec::new();
            let mut numbers = SplitMix::new(seed);
            while leads.last() != Some(&0) {
                leads.push((numbers.draw() >> 56) as u8);
            }
            let (strict, found) = run_to_zero(&mut SplitMix::new(seed));
            assert!((found - tails(leads.iter().copied()) as f64).abs() < 1e-9);
            let is_record = |i: &usize| leads[..*i].iter().all(|lead| *lead > leads[*i]);
            let expected = (0..leads.len()).filter(is_record).count();
            assert!((strict - expected as f64).abs() < 1e-9);
        }
    }
}

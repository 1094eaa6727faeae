//! Lead bytes: the number of tails that are computed, and the benefit of the trick today.
//!
//! Fanmill's own [`LeadByte`] sketch counts the tails that it computes, so the real implementation is measured. Strict
//! left-to-right minima, which the harmonic number counts, are counted by a separate implementation here.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "One trick based on left-to-right minima", "How often
//! do we have to compute (or store) the tail?".

mod report;
pub mod timing;

use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_sketch::lead_byte::{LeadByte, expected_tails};
use fanmill_text::error::{Error, Result};

use crate::outcome::Outcome;
use crate::shingles::Document;
pub use timing::{Timed, time};

/// Maximum number of shingles in a random set.
pub const MOST_SHINGLES: u64 = 10_000_000;

/// The settings of the experiment.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Number of registers in a sketch.
    pub registers: u32,
    /// Sizes of random sets, in shingles, ascending.
    pub sizes: Vec<u64>,
    /// Approximate number of shingles in all random sets of one size; it determines the number of sets.
    pub shingles_of_a_size: u64,
    /// Number of times that lead bytes are drawn until the first 0.
    pub n_runs: u32,
    /// The seed of the random sets.
    pub seed: u64,
    /// If set, sketches are timed; no two runs then give the same result.
    pub timed: bool,
}

impl Settings {
    /// Returns the defaults of the command.
    pub fn usual() -> Settings {
        Settings {
            registers: 84,
            sizes: vec![10, 30, 100, 300, 1000, 4000, 10_000, 100_000],
            shingles_of_a_size: 300_000,
            n_runs: 100_000,
            seed: 1,
            timed: false,
        }
    }

    fn check(&self) -> Result<()> {
        LeadByte::new(self.registers as usize)?;
        let in_bounds = self.sizes.iter().all(|n| (1..=MOST_SHINGLES).contains(n));
        if self.sizes.is_empty() || !in_bounds || !self.sizes.is_sorted_by(|x, y| x < y) {
            return Err(Error::setting(format!(
                "sizes of sets do not ascend from 1 to {MOST_SHINGLES} shingles; write for example \
                 100,1000,10000"
            )));
        }
        if !(1..=MOST_SHINGLES * 10).contains(&self.shingles_of_a_size) || self.n_runs == 0 {
            return Err(Error::setting(format!(
                "{} shingles and {} runs cannot be tried; use 1 to {} shingles and 1 run or more",
                self.shingles_of_a_size,
                self.n_runs,
                MOST_SHINGLES * 10
            )));
        }
        Ok(())
    }
}

/// A mean with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// The standard error; infinite if there was only one measurement.
    pub standard_error: f64,
}

impl Mean {
    /// Computes the mean of some measurements; there must be at least one.
    pub fn of(values: &[f64]) -> Mean {
        let n = values.len() as f64;
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
        let standard_error = if n > 1.0 { (squares / (n - 1.0) / n).sqrt() } else { f64::INFINITY };
        Mean { value, standard_error }
    }
}

/// Tails computed for random sets of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OfSize {
    /// Number of shingles in a set.
    pub n: u64,
    /// Number of sets.
    pub n_sets: u64,
    /// Tails per register.
    pub tails: Mean,
}

/// Measures the tails per register for random sets of `n` shingles.
///
/// # Errors
/// If there are too many registers.
pub fn of_size(settings: &Settings, n: u64) -> Result<OfSize> {
    let lead_byte = LeadByte::new(settings.registers as usize)?;
    let n_sets = (settings.shingles_of_a_size / n).clamp(2, 2000);
    let mut numbers = SplitMix::new(mix(settings.seed ^ mix(n)));
    let (mut set, mut row) = (Vec::new(), Vec::new());
    let tails: Vec<f64> = (0..n_sets)
        .map(|_| {
            set.clear();
            set.extend((0..n).map(|_| numbers.draw()));
            row.clear();
            lead_byte.sketch(&set, &mut row) as f64 / f64::from(settings.registers)
        })
        .collect();
    Ok(OfSize { n, n_sets, tails: Mean::of(&tails) })
}

/// Counts of lead bytes until a register's lead byte is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToZero {
    /// Number of lead bytes below all before them.
    pub strict: Mean,
    /// Number of lead bytes not above any before them: these need their tails.
    pub tails: Mean,
}

/// Draws lead bytes until the first 0, `n_runs` times.
///
/// # Panics
/// If `n_runs` is 0.
pub fn to_zero(n_runs: u32, seed: u64) -> ToZero {
    assert!(n_runs > 0, "a mean is of something");
    let mut numbers = SplitMix::new(mix(!seed));
    let counts = (0..n_runs).map(|_| run_to_zero(&mut numbers));
    let (strict, tails): (Vec<f64>, Vec<f64>) = counts.unzip();
    ToZero { strict: Mean::of(&strict), tails: Mean::of(&tails) }
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
pub fn harmonic(n: u32) -> f64 {
    (1..=n).map(|i| 1.0 / f64::from(i)).sum()
}

/// Measurements for one of the user's documents.
#[derive(Debug, Clone, PartialEq)]
struct OfDocument {
    name: String,
    n: u64,
    /// Tails per register.
    tails: f64,
}

/// Measures the number of tails computed for random sets and the user's documents, and the time it takes.
///
/// # Errors
/// If a setting is out of bounds.
pub fn run(settings: &Settings, documents: impl IntoIterator<Item = Document>) -> Result<Outcome> {
    settings.check()?;
    let sizes: Vec<OfSize> =
        settings.sizes.iter().map(|&n| of_size(settings, n)).collect::<Result<_>>()?;
    let to_zero = to_zero(settings.n_runs, settings.seed);
    let lead_byte = LeadByte::new(settings.registers as usize)?;
    let mut row = Vec::new();
    let of_document = |document: Document| {
        row.clear();
        let n_tails = lead_byte.sketch(&document.shingles, &mut row);
        let tails = n_tails as f64 / f64::from(settings.registers);
        OfDocument { name: document.name, n: document.shingles.len() as u64, tails }
    };
    let documents: Vec<OfDocument> = documents.into_iter().map(of_document).collect();
    let timed = if settings.timed { time(settings)? } else { Vec::new() };
    Ok(report::outcome(settings, &sizes, &to_zero, &documents, &timed))
}

/// Returns the expected number of tails per register, over all documents.
fn expected_of(documents: &[OfDocument]) -> f64 {
    documents.iter().map(|document| expected_tails(document.n)).sum()
}

#[cfg(test)]
mod tests {
    use fanmill_sketch::lead_byte::{expected_tails_to_first_zero, tails};

    use super::*;

    fn quick() -> Settings {
        Settings {
            sizes: vec![1, 100, 1000, 4000],
            shingles_of_a_size: 40_000,
            n_runs: 20_000,
            ..Settings::usual()
        }
    }

    fn documents() -> [Document; 2] {
        [("long", 3000), ("empty", 0)].map(|(name, n)| Document {
            name: name.to_owned(),
            shingles: SplitMix::new(9).seeds(n),
        })
    }

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
        for n in [1, 100, 1000, 4000] {
            let found = of_size(&quick(), n).expect("in bounds");
            let distance = (found.tails.value - expected_tails(n)).abs();
            assert!(distance <= 4.0 * found.tails.standard_error, "{found:?}");
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

    #[test]
    fn outcomes_are_the_same_unless_they_are_timed() {
        let outcome = run(&quick(), documents()).expect("in bounds");
        let again = run(&quick(), documents()).expect("in bounds");
        assert_eq!(outcome.to_json(), again.to_json());
        let names: Vec<&str> = outcome.tables.iter().map(|table| table.name).collect();
        assert_eq!(names, ["to-zero", "sizes", "documents"]);
        let timed = Settings { timed: true, sizes: vec![100], ..quick() };
        let timed = run(&timed, []).expect("in bounds");
        assert_eq!(timed.tables.last().expect("not empty").name, "time");
        for table in outcome.tables.iter().chain(&timed.tables) {
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
            assert!(!table.rows.is_empty());
        }
    }

    #[test]
    fn settings_out_of_bounds_are_refused() {
        let wrong: [fn(&mut Settings); 6] = [
            |s| s.registers = 0,
            |s| s.sizes.clear(),
            |s| s.sizes = vec![100, 10],
            |s| s.sizes = vec![0],
            |s| s.shingles_of_a_size = 0,
            |s| s.n_runs = 0,
        ];
        for change in wrong {
            let mut settings = quick();
            change(&mut settings);
            assert!(run(&settings, []).is_err(), "{settings:?}");
        }
    }
}

//! The pairs that a filter accepts, by its polynomial and by trial; and the cheapest filter for a requirement.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Features vs. full sketch" with its linear and
//! logarithmic curves, "8 bytes are enough!". Reading: at least `r` features agree, not more; the full sketch's
//! threshold is 76 of 84.

pub mod cheapest;
pub mod spec;
mod report;
pub mod trials;

use fanmill_sketch::lsh::acceptance::{Filter, at_least};
use fanmill_text::error::{Error, Result};

use crate::outcome::Outcome;
pub use cheapest::{Cost, QualifyingFilter, Requirement};
pub use spec::{Sampler, Spec};
pub use trials::{Share, Trials};

/// The settings of the experiment.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Filters to examine; [`Spec::usual`] by default.
    pub filters: Vec<Spec>,
    /// Resemblances of the tables, ascending, each in `0..=1`.
    pub resemblances: Vec<f64>,
    /// The pairs that are actually sketched.
    pub trials: Trials,
    /// Resemblance of unrelated documents, in `0..1`.
    pub unrelated: f64,
    /// Sizes of collections, in documents.
    pub documents: Vec<u64>,
    /// The requirement for which a filter is searched, if any.
    pub wish: Option<Requirement>,
    /// Number of filters listed for it.
    pub n_offers: usize,
}

impl Settings {
    /// Returns the defaults of the command.
    pub fn usual() -> Settings {
        Settings {
            filters: Spec::usual(),
            resemblances: vec![0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98],
            trials: Trials { n_members: 1000, n_trials: 2000, seed: 1 },
            unrelated: 0.0,
            documents: vec![50_000, 85_000_000, 1_000_000_000],
            wish: None,
            n_offers: 10,
        }
    }

    fn check(&self) -> Result<()> {
        let in_order = self.resemblances.is_sorted_by(|x, y| x < y);
        if !in_order || self.resemblances.iter().any(|j| !(0.0..=1.0).contains(j)) {
            return Err(Error::setting(
                "resemblances do not ascend from 0 to 1; write for example .5,.8,.9",
            ));
        }
        if self.filters.is_empty() || self.resemblances.is_empty() || self.documents.is_empty() {
            return Err(Error::setting(
                "no filter, no resemblance or no number of documents to look at; name at least one",
            ));
        }
        if !(2..=1_000_000).contains(&self.trials.n_members) {
            return Err(Error::setting(format!(
                "sets of {} members cannot be tried; use 2 to 1,000,000",
                self.trials.n_members
            )));
        }
        if !(1..=10_000_000).contains(&self.trials.n_trials) {
            return Err(Error::setting(format!(
                "{} trials cannot be made; use 1 to 10,000,000",
                self.trials.n_trials
            )));
        }
        if !(0.0..1.0).contains(&self.unrelated) {
            return Err(Error::setting(format!(
                "unrelated documents cannot have resemblance {}; use a fraction such as 0.01",
                self.unrelated
            )));
        }
        self.wish.as_ref().map_or(Ok(()), Requirement::check)
    }
}

/// A filter with its results.
#[derive(Debug, Clone)]
struct Found {
    spec: Spec,
    shares: Vec<Share>,
}

/// Computes the curves of filters, and searches for a filter.
///
/// # Errors
/// If a setting is out of bounds.
pub fn run(settings: &Settings) -> Result<Outcome> {
    settings.check()?;
    let offers = settings.wish.as_ref().map(Requirement::offers);
    let mut filters = settings.filters.clone();
    if let Some(best) = offers.iter().flatten().next() {
        let spec = Spec { sampler: Sampler::Permutations, filter: best.filter };
        if !filters.contains(&spec) {
            filters.insert(0, spec);
        }
    }
    let found: Vec<Found> = filters
        .into_iter()
        .map(|spec| {
            let shares = settings.trials.run(&spec, &settings.resemblances)?;
            Ok(Found { spec, shares })
        })
        .collect::<Result<_>>()?;
    Ok(report::outcome(settings, &found, offers.as_deref()))
}

/// Returns the probability that two documents of this resemblance are accepted, including chance agreement of whole
/// 64-bit features, which matters among a billion documents.
pub fn accidental(filter: Filter, resemblance: f64) -> f64 {
    let by_design = resemblance.powf(f64::from(filter.samples));
    let by_chance = (1.0 - by_design) * (-f64::from(filter.bits)).exp2();
    at_least(filter.needed, filter.groups, by_design + by_chance)
}

/// Returns the number of pairs of `n` documents.
pub fn n_pairs(n: u64) -> f64 {
    n as f64 * (n as f64 - 1.0).max(0.0) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        text.parse::<Spec>().expect("a filter").filter
    }

    #[test]
    fn curves_are_those_of_the_slides_settings() {
        for (text, at_8, at_9, at_95, median) in [
            ("6x14,r=2", 0.0258, 0.4151, 0.8786, 0.9094),
            ("8x25,r=1", 0.0298, 0.4490, 0.9257, 0.9052),
            ("84,T=76", 0.0078, 0.5340, 0.9755, 0.8972),
        ] {
            let filter = filter(text);
            for (resemblance, expected) in [(0.8, at_8), (0.9, at_9), (0.95, at_95)] {
                let found = filter.probability(resemblance);
                assert!((found - expected).abs() < 5e-5, "{text} {resemblance}: {found}");
            }
            assert!((filter.median() - median).abs() < 5e-5, "{text}");
        }
    }

    #[test]
    fn accidental_matches_are_those_worked_out_by_hand() {
        // A little more than C(8, 3) 2^-24, and a little more than 8 · 2^-56.
        let three = accidental(filter("8x11,r=3,bits=8"), 0.0);
        assert!((three / 3.29e-6 - 1.0).abs() < 0.01, "{three:e}");
        assert!((three * n_pairs(50_000) - 4110.0).abs() < 40.0, "{}", three * n_pairs(50_000));
        let seven = accidental(filter("8x2,r=7,bits=8"), 0.0);
        assert!((seven / (8.0 * 2.0_f64.powi(-56)) - 1.0).abs() < 0.01, "{seven:e}");
        assert!((seven * n_pairs(85_000_000) - 0.4).abs() < 0.01);
        // Whole features collide too: there are eight of 64 bits, and one is enough.
        let one = accidental(filter("8x25,r=1"), 0.0);
        assert!((one / (8.0 * 2.0_f64.powi(-64)) - 1.0).abs() < 1e-9, "{one:e}");
    }

    #[test]
    fn settings_out_of_bounds_are_refused() {
        let wrong: [fn(&mut Settings); 7] = [
            |s| s.resemblances = vec![0.9, 0.8],
            |s| s.resemblances = vec![1.1],
            |s| s.filters.clear(),
            |s| s.trials.n_members = 1,
            |s| s.trials.n_trials = 0,
            |s| s.unrelated = 1.0,
            |s| s.documents.clear(),
        ];
        for change in wrong {
            let mut settings = Settings::usual();
            change(&mut settings);
            assert!(run(&settings).is_err(), "{settings:?}");
        }
    }

    fn quick(wish: Option<Requirement>) -> Outcome {
        let trials = Trials { n_members: 100, n_trials: 50, seed: 1 };
        run(&Settings { trials, wish, ..Settings::usual() }).expect("in bounds")
    }

    #[test]
    fn rows_are_as_long_as_there_are_columns_and_runs_are_alike() {
        let wish = Requirement {
            recall: 0.95,
            at: 0.9,
            false_positive: 1e-6,
            at_most: 0.5,
            most_registers: 128,
            bits: vec![8, 64],
            cost: Cost::Registers,
        };
        for wish in [None, Some(wish.clone()), Some(Requirement { recall: 0.999_999, ..wish })] {
            let outcome = quick(wish.clone());
            for table in &outcome.tables {
                assert!(!table.rows.is_empty(), "{}", table.name);
                assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
            }
            assert_eq!(outcome.figures.len(), 3);
            assert!(
                outcome
                    .figures
                    .iter()
                    .all(|figure| figure.series.iter().all(|s| !s.points.is_empty()))
            );
            assert_eq!(outcome.to_json(), quick(wish).to_json());
        }
    }

    #[test]
    fn the_answer_to_a_requirement_comes_first_even_if_there_is_none() {
        let wish = |most_registers| Requirement {
            recall: 0.95,
            at: 0.9,
            false_positive: 1e-3,
            at_most: 0.5,
            most_registers,
            bits: vec![64],
            cost: Cost::Registers,
        };
        let found = quick(Some(wish(128)));
        assert!(
            found.findings[0].starts_with("Cheapest for 0.9500 of the pairs at 0.9"),
            "{found:?}"
        );
        assert_eq!((found.tables[0].name, found.tables[1].rows.len()), ("cheapest", 7));
        let nothing = quick(Some(wish(8)));
        let expected = "No filter of up to 8 registers accepts";
        assert!(nothing.findings[0].starts_with(expected), "{:?}", nothing.findings);
        assert_eq!((nothing.tables[0].name, nothing.tables[1].rows.len()), ("nearest", 6));
    }
}

//! Measures the deviation of families of permutations from min-wise independence (the basis of MinHash).
//!
//! A family is min-wise independent if, under a permutation drawn from it, every member of every set has an equal
//! chance of being the minimum. Exactly min-wise independent families are too large for use, so all families in use
//! deviate for some sets; this experiment shows for which.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "MWI Issues", "Quality of MWI families": linear
//! transformations are not good in the worst case but work reasonably well in practice.

pub mod family;
pub mod measure;
mod report;
pub mod sets;

use fanmill_text::error::{Error, Result};

use crate::outcome::Outcome;
pub use family::Family;
pub use measure::{Measured, PairMeasured, Plan, measure};
pub use sets::Shape;

/// Maximum number of members of a set.
pub const MOST_MEMBERS: u32 = 1 << 16;

/// The settings of the experiment.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Number of members of a set.
    pub n_members: u32,
    /// Number of permutations drawn from each family.
    pub n_draws: u32,
    /// Number of samples in a sketch.
    pub t: u32,
    /// Resemblances of the pairs, ascending, each between 0 and 1.
    pub resemblances: Vec<f64>,
    /// The seed of the permutations and of random sets.
    pub seed: u64,
    /// The user's own sets with their names, in addition to those of [`Shape::ALL`].
    pub own: Vec<(String, Vec<u64>)>,
}

impl Settings {
    /// Returns the defaults of the command.
    pub fn usual() -> Settings {
        Settings {
            n_members: 256,
            n_draws: 20_000,
            t: 32,
            resemblances: vec![0.5, 0.9],
            seed: 1,
            own: Vec::new(),
        }
    }

    fn check(&self) -> Result<()> {
        if !(8..=MOST_MEMBERS).contains(&self.n_members) {
            return Err(Error::setting(format!(
                "sets of {} members cannot be examined; use 8 to {MOST_MEMBERS}",
                self.n_members
            )));
        }
        if !(100..=100_000_000).contains(&self.n_draws) {
            return Err(Error::setting(format!(
                "{} permutations of a family are too few or too many; draw 100 to 100,000,000",
                self.n_draws
            )));
        }
        // Each permutation gives one sample, and a variance needs at least two sketches.
        if !(1..=self.n_draws / 2).contains(&self.t) {
            return Err(Error::setting(format!(
                "sketches of {} samples cannot be filled from {} permutations twice; use 1 to {}",
                self.t,
                self.n_draws,
                self.n_draws / 2
            )));
        }
        let is_valid = |j: &f64| *j > 0.0 && *j < 1.0;
        if self.resemblances.is_empty() || !self.resemblances.iter().all(is_valid) {
            return Err(Error::setting(
                "a resemblance to be estimated is not between 0 and 1; use for example .5,.9",
            ));
        }
        match self.own.iter().find(|(_, members)| members.len() < 8) {
            None => Ok(()),
            Some((name, members)) => Err(Error::setting(format!(
                "{name} has {} shingles; a set needs 8 to be examined",
                members.len()
            ))),
        }
    }
}

/// The measurements for one family and one set.
#[derive(Debug, Clone)]
struct Found {
    family: Family,
    set: String,
    members: Vec<u64>,
    measured: Measured,
}

/// Measures every family on every set.
///
/// # Errors
/// If a setting is out of bounds.
pub fn run(settings: &Settings) -> Result<Outcome> {
    settings.check()?;
    let n = settings.n_members as usize;
    let shapes =
        Shape::ALL.iter().map(|shape| (shape.name().to_owned(), shape.members(n, settings.seed)));
    let (names, sets): (Vec<String>, Vec<Vec<u64>>) =
        shapes.chain(settings.own.iter().cloned()).unzip();
    let plan = Plan {
        n_draws: settings.n_draws,
        t: settings.t,
        resemblances: &settings.resemblances,
        seed: settings.seed,
    };
    let mut found = Vec::new();
    for family in Family::ALL {
        let measured = measure(family, &sets, plan);
        for ((name, members), measured) in names.iter().zip(&sets).zip(measured) {
            let (set, members) = (name.clone(), members.clone());
            found.push(Found { family, set, members, measured });
        }
    }
    Ok(report::outcome(settings, &names, &found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Settings {
        let own = vec![("mine".to_owned(), (0..40).map(|i| i * i).collect())];
        Settings { n_members: 64, n_draws: 3000, own, ..Settings::usual() }
    }

    #[test]
    fn deviations_of_linear_maps_are_found_and_mixers_have_none() {
        let outcome = run(&quick()).expect("in bounds");
        assert!(
            outcome.findings[0].starts_with("Not told from chance on any set: "),
            "{outcome:?}"
        );
        assert!(outcome.findings[0].contains("mix, splitmix, xxh3"), "{:?}", outcome.findings);
        assert!(outcome.findings.iter().any(|f| f.starts_with("linear: off on interval (")));
        assert!(outcome.findings.iter().any(|f| f.starts_with("On random numbers")));
        for table in &outcome.tables {
            assert!(table.rows.len().is_multiple_of(Family::ALL.len()), "{}", table.name);
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
            assert_eq!(table.columns.last().expect("not empty").name, "mine");
        }
        assert_eq!(outcome.to_json(), run(&quick()).expect("in bounds").to_json());
    }

    #[test]
    fn settings_out_of_bounds_are_refused() {
        let wrong: [fn(&mut Settings); 6] = [
            |s| s.n_members = 7,
            |s| s.n_draws = 99,
            |s| s.t = 0,
            |s| s.t = s.n_draws,
            |s| s.resemblances = vec![1.0],
            |s| s.own[0].1.truncate(7),
        ];
        for change in wrong {
            let mut settings = quick();
            change(&mut settings);
            assert!(run(&settings).is_err(), "{settings:?}");
        }
    }
}

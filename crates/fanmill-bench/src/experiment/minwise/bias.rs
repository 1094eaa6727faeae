//! The mean error of resemblances that are estimated by minima.
//!
//! A pair of documents with a known resemblance is made from a set by taking its first and its last members, so that
//! the pair keeps the set's structure. Its resemblance is estimated by the share of permutations under which both have
//! the same minimum (MinHash).
//!
//! Cost: O(n) time per draw.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Min-wise independent permutations".

use std::ops::Range;

use fanmill_kernel::hash::mix::{SplitMix, mix};

use super::family::Family;

/// The settings of the measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Number of permutations drawn; at least 1.
    pub(crate) n_draws: u32,
    /// Resemblance of the pairs.
    pub(crate) resemblance: f64,
    /// The seed of the permutations.
    pub(crate) seed: u64,
}

/// Measures the mean error of estimates on a pair from each of the sets, which must not be empty.
pub(crate) fn biases(family: Family, sets: &[Vec<u64>], plan: Plan) -> Vec<f64> {
    let mut pairs: Vec<Pair<'_>> =
        sets.iter().map(|set| Pair::new(set, plan.resemblance)).collect();
    // The seed must differ from that of random sets: [`mix`] maps 0 to 0, so a member equal to a seed would always be
    // the minimum.
    let mut numbers = SplitMix::new(mix(!plan.seed));
    let mut images = Vec::new();
    for _ in 0..plan.n_draws {
        let permutation = family.draw(&mut numbers);
        for pair in &mut pairs {
            permutation.images(pair.members, &mut images);
            pair.estimate(&images);
        }
    }
    pairs.iter().map(|pair| pair.sum_of_errors / f64::from(plan.n_draws)).collect()
}

/// Two documents from one set.
struct Pair<'a> {
    /// The members of both.
    members: &'a [u64],
    /// The members that both documents have: `start..end`. The first document has all members before `end`, the second
    /// all from `start` on.
    common: Range<usize>,
    /// The exact resemblance.
    resemblance: f64,
    sum_of_errors: f64,
}

impl<'a> Pair<'a> {
    fn new(members: &'a [u64], resemblance: f64) -> Pair<'a> {
        let common = middle(members.len(), resemblance);
        let resemblance = common.len() as f64 / members.len() as f64;
        Pair { members, common, resemblance, sum_of_errors: 0.0 }
    }

    /// Estimates the resemblance by the minima under one permutation: as 1 if they agree, and otherwise as 0.
    fn estimate(&mut self, images: &[u64]) {
        let minimum = |images: &[u64]| images.iter().min().copied();
        let agree = minimum(&images[..self.common.end]) == minimum(&images[self.common.start..]);
        self.sum_of_errors += f64::from(u8::from(agree)) - self.resemblance;
    }
}

/// Returns the middle part of `n` items that has this share of them, with ends as equal as possible.
fn middle(n: usize, share: f64) -> Range<usize> {
    let n_common = (0..n).filter(|&i| i as f64 + 0.5 < n as f64 * share).count();
    let start = (n - n_common) / 2;
    start..start + n_common
}

#[cfg(test)]
mod tests {
    use super::super::sets::{interval, random};
    use super::*;

    #[test]
    fn the_middle_is_as_large_as_asked() {
        assert_eq!(middle(10, 0.5), 2..7);
        assert_eq!(middle(256, 0.5), 64..192);
        assert_eq!((middle(3, 0.0), middle(3, 1.0)), (1..1, 0..3));
    }

    /// Checks that minima always agree in equal documents, and never in disjoint ones.
    #[test]
    fn documents_that_are_equal_or_disjoint_are_estimated_without_error() {
        let sets = [interval(50), random(50, 1)];
        for family in [Family::Linear, Family::Matrix, Family::Mix] {
            for resemblance in [0.0, 1.0] {
                let plan = Plan { n_draws: 20, resemblance, seed: 1 };
                for bias in biases(family, &sets, plan) {
                    assert!(bias.abs() < 1e-12, "{family:?} {resemblance}: {bias}");
                }
            }
        }
    }

    /// Checks a band of four standard errors.
    #[test]
    fn mixes_look_random_and_linear_maps_do_not() {
        let sets = [interval(256), random(256, 1)];
        let plan = Plan { n_draws: 4000, resemblance: 0.5, seed: 1 };
        let band = 4.0 * (0.25 / f64::from(plan.n_draws)).sqrt();
        assert!(biases(Family::Mix, &sets, plan).iter().all(|bias| bias.abs() < band));
        assert!(biases(Family::Linear, &sets, plan)[0] < -band);
    }
}

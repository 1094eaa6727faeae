//! Acceptance curves: the probability that a filter accepts two documents of a given resemblance
//! (Jaccard similarity), the "S-curve" of LSH.
//!
//! A filter has `k` groups of `s` samples and accepts a pair that agrees in at least `r` groups. A group agrees with
//! probability `x = J^s`, or a little more if it is stored in so few bits that it may agree by chance. So
//!
//! ```text
//! P(J) = Σ (i from r to k) C(k, i) x^i (1 - x)^(k - i),   x = J^s + (1 - J^s) / 2^bits
//! ```
//!
//! | filter | `P(.8)` | `P(.9)` | `P(.95)` | half at |
//! |---|---|---|---|---|
//! | classic, 2 of 6 of 14 | .026 | .415 | .879 | .909 |
//! | variant, 1 of 8 of 25 | .030 | .449 | .926 | .905 |
//! | full sketch, 76 of 84 | .008 | .534 | .976 | .897 |
//!
//! Cost: O(k) per point.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Probability that two documents
//! are deemed fungible". For the full sketch, the slide calls the lower limit of the sum `t`, like
//! the number of samples; we read it as the threshold, ⌈.9 · 84⌉ = 76.

use std::fmt;

use crate::bytes::{BYTES, ByteFilter};
use crate::classic::Classic;

/// Number of bits from which on features agree by chance so rarely that it can be neglected.
const EXACT_BITS: u32 = 64;

/// A filter that accepts a pair if at least `needed` of `groups` features agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Number of features of a document.
    pub groups: u32,
    /// Number of registers in a feature.
    pub samples: u32,
    /// Number of features that must agree.
    pub needed: u32,
    /// Number of bits per stored feature; features of 64 bits are assumed never to agree by chance.
    pub bits: u32,
}

impl Filter {
    /// Returns the filter by classic features.
    pub fn classic(classic: Classic) -> Filter {
        let [groups, samples, needed] =
            [classic.groups(), classic.samples(), classic.needed()].map(|n| n as u32);
        Filter { groups, samples, needed, bits: EXACT_BITS }
    }

    /// Returns the filter by eight bytes.
    pub fn bytes(bytes: ByteFilter) -> Filter {
        let [samples, needed] = [bytes.samples(), bytes.needed()].map(|n| n as u32);
        Filter { groups: BYTES as u32, samples, needed, bits: 8 }
    }

    /// Returns the filter that compares all registers of a sketch one by one.
    pub fn full(registers: u32, needed: u32) -> Filter {
        Filter { groups: registers, samples: 1, needed, bits: EXACT_BITS }
    }

    /// Returns the probability that a group of two documents of this resemblance agrees, in `0..=1`.
    pub fn agreement(self, resemblance: f64) -> f64 {
        let by_design = libm::pow(resemblance, f64::from(self.samples));
        by_design + (1.0 - by_design) * self.by_chance()
    }

    /// Returns the probability that a pair of this resemblance is accepted, in `0..=1`. It never falls as the
    /// resemblance grows.
    pub fn probability(self, resemblance: f64) -> f64 {
        at_least(self.needed, self.groups, self.agreement(resemblance))
    }

    /// Returns the probability that a pair of this resemblance is rejected. It stays accurate where `1 -`
    /// [`probability`](Self::probability) would lose all its digits.
    pub fn rejection(self, resemblance: f64) -> f64 {
        if self.needed == 0 || self.needed > self.groups {
            return f64::from(u8::from(self.needed > 0));
        }
        // A pair is rejected if more than `groups - needed` groups differ. This is 1 - J^s without cancellation:
        let differs = -libm::expm1(f64::from(self.samples) * libm::log(resemblance));
        let too_many = self.groups - self.needed + 1;
        at_least(too_many, self.groups, differs * (1.0 - self.by_chance()))
    }

    /// Returns the probability that groups of different registers agree by chance.
    fn by_chance(self) -> f64 {
        if self.bits < EXACT_BITS { libm::exp2(-f64::from(self.bits)) } else { 0.0 }
    }

    /// Returns the resemblance at which half of the pairs are accepted, in `0..=1`.
    pub fn median(self) -> f64 {
        let (mut below, mut above) = (0.0, 1.0);
        // Bisection, to the last bit of an `f64`.
        for _ in 0..60 {
            let middle = f64::midpoint(below, above);
            *(if self.probability(middle) < 0.5 { &mut below } else { &mut above }) = middle;
        }
        above
    }

    /// Returns the mean of [`Self::probability`] over resemblances from `from` to `to`, by Simpson's rule with 128
    /// steps. `to` must be above `from`.
    pub fn mean(self, from: f64, to: f64) -> f64 {
        const STEPS: u32 = 128;
        let point = |i: u32| from + (to - from) * f64::from(i) / f64::from(STEPS);
        let weight = |i: u32| match i {
            0 | STEPS => 1.0,
            _ if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 = (0..=STEPS).map(|i| weight(i) * self.probability(point(i))).sum();
        sum / f64::from(3 * STEPS)
    }

    /// Returns the whole curve for people to read: [`Display`](fmt::Display) prints it as a table.
    pub fn curve(self) -> Curve {
        let resemblances = (0..=20).map(|i| f64::from(i) / 20.0).chain([0.96, 0.97, 0.98, 0.99]);
        let mut points: Vec<(f64, f64)> = resemblances.map(|j| (j, self.probability(j))).collect();
        points.sort_by(|x, y| x.0.total_cmp(&y.0));
        Curve { filter: self, points }
    }
}

/// Points (resemblance, probability of acceptance), ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The filter that it belongs to.
    pub filter: Filter,
    /// Resemblance and probability, both in `0..=1`.
    pub points: Vec<(f64, f64)>,
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Filter { groups, samples, needed, .. } = self.filter;
        writeln!(f, "at least {needed} of {groups} groups of {samples} agree")?;
        writeln!(f, "resemblance  accepted  missed")?;
        for &(resemblance, accepted) in &self.points {
            writeln!(f, "{resemblance:11.2}  {accepted:8.6}  {:.2e}", 1.0 - accepted)?;
        }
        Ok(())
    }
}

/// Returns the probability of at least `needed` successes in `n` trials with success probability `p`.
///
/// Terms are computed from their logarithms, so that thousands of trials neither overflow nor vanish.
pub fn at_least(needed: u32, n: u32, p: f64) -> f64 {
    if needed == 0 || needed > n || p <= 0.0 || p >= 1.0 {
        return f64::from(u8::from(needed == 0 || (needed <= n && p >= 1.0)));
    }
    let (ln_p, ln_q) = (libm::log(p), libm::log1p(-p));
    // ln C(n, i), built up factor by factor.
    let mut ln_choose = 0.0;
    let mut sum = 0.0;
    for i in 1..=n {
        ln_choose += libm::log(f64::from(n - i + 1) / f64::from(i));
        if i >= needed {
            sum += libm::exp(ln_choose + f64::from(i) * ln_p + f64::from(n - i) * ln_q);
        }
    }
    f64::min(sum, 1.0)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::checks;
    use crate::similarity::FastSimilarity;
    use fanmill_effort::golden;
    use fanmill_kernel::hash::mix::SplitMix;

    fn number(case: &Value, key: &str) -> u32 {
        golden::usize(&case[key]) as u32
    }

    #[test]
    fn golden_polynomials() {
        for case in golden::file("features")["polynomials"].as_array().expect("polynomials") {
            let of = |key| number(case, key);
            let filter = match case["formula"].as_str().expect("a name") {
                "full" => Filter::full(of("samples"), of("threshold")),
                formula => Filter {
                    groups: of("k"),
                    samples: of("s"),
                    needed: of("r"),
                    bits: if formula == "features" { EXACT_BITS } else { of("bits") },
                },
            };
            let found = filter.probability(case["rho"].as_f64().expect("rho"));
            let expected = case["P"].as_f64().expect("P");
            let error = (found - expected).abs();
            assert!(error <= 1e-15 || error <= 1e-9 * expected, "{found:e} for {case}");
        }
    }

    #[test]
    fn golden_medians() {
        for case in golden::file("features")["medians"].as_array().expect("medians") {
            let [groups, samples, needed] = ["k", "s", "r"].map(|key| number(case, key));
            let filter = Filter { groups, samples, needed, bits: EXACT_BITS };
            let expected = case["rho_at_P_0.5"].as_f64().expect("a resemblance");
            assert!((filter.median() - expected).abs() < 1e-9, "{case}");
        }
        for (samples, needed, expected) in [(1, 3, 0.32), (11, 3, 0.901), (2, 7, 0.893)] {
            let filter = Filter { groups: 8, samples, needed, bits: 8 };
            assert!((filter.median() - expected).abs() < 0.005, "{filter:?}");
        }
    }

    #[test]
    fn rejection_is_accurate_to_the_last_digit() {
        for (groups, samples, needed, bits) in [(6, 14, 2, 64), (8, 11, 3, 8), (84, 1, 76, 64)] {
            let filter = Filter { groups, samples, needed, bits };
            for resemblance in [0.0, 0.3, 0.8, 0.9, 0.95, 1.0] {
                let sum = filter.probability(resemblance) + filter.rejection(resemblance);
                assert!((sum - 1.0).abs() < 1e-12, "{filter:?} {resemblance}");
            }
        }
        // Six groups of one register: each differs with probability 1e-6, all six with 1e-36.
        let missed = Filter::full(6, 1).rejection(1.0 - 1e-6);
        assert!((missed / 1e-36 - 1.0).abs() < 1e-9, "{missed:e}");
        assert!(
            Filter::full(3, 0).rejection(0.0) <= 0.0 && Filter::full(3, 4).rejection(1.0) >= 1.0
        );
    }

    #[test]
    fn tails_of_any_length_add_up() {
        assert!((at_least(1, 3, 0.5) - 0.875).abs() < 1e-15);
        assert!((at_least(5000, 10_000, 0.5) - 0.503_989_4).abs() < 1e-6);
        assert!(at_least(0, 3, 0.2) >= 1.0 && at_least(4, 3, 0.2) <= 0.0);
        assert!(at_least(3, 3, 1.0) >= 1.0 && at_least(1, 3, 0.0) <= 0.0);
    }

    #[test]
    fn simulated_filters_follow_the_polynomial() {
        let mut numbers = SplitMix::new(9);
        let filter = Filter::classic(Classic::alta_vista());
        for resemblance in [0.85, 0.9, 0.95] {
            let mut agrees = || (numbers.draw() >> 11) as f64 / 2_f64.powi(53) < resemblance;
            let mut trial =
                || (0..6).filter(|_| (0..14).fold(true, |all, _| agrees() & all)).count();
            let accepted = (0..4000).filter(|_| trial() >= 2).count();
            let share = accepted as f64 / 4000.0;
            let expected = filter.probability(resemblance);
            assert!((share - expected).abs() < 0.032, "{share} for {expected}");
        }
    }

    /// The fast similarity sketch keeps the filters' curves.
    #[test]
    fn sketches_are_accepted_as_the_curve_says() {
        let (classic, bytes) = (Classic::alta_vista(), ByteFilter::small_scale());
        let fast = FastSimilarity::new(88).expect("in bounds");
        let sketch = |set: &[u64]| {
            let (mut row, mut features) = (Vec::new(), Vec::new());
            fast.sketch(set, &mut row);
            classic.features(&row, &mut features);
            (features, bytes.bytes(&row))
        };
        let mut accepted = [0.0; 2];
        for seed in 0..500 {
            let (a, b) = checks::random_pair(1000, 0.92, seed);
            let (a, b) = (sketch(&a), sketch(&b));
            accepted[0] += f64::from(u8::from(classic.is_fungible(&a.0, &b.0))) / 500.0;
            accepted[1] += f64::from(u8::from(bytes.is_fungible(a.1, b.1))) / 500.0;
        }
        let expected =
            [Filter::classic(classic), Filter::bytes(bytes)].map(|f| f.probability(0.92));
        for (share, expected) in accepted.into_iter().zip(expected) {
            assert!((share - expected).abs() < 0.09, "{share} for {expected}");
        }
    }

    #[test]
    fn curves_rise_and_print() {
        let curve = Filter::classic(Classic::alta_vista()).curve();
        assert!(curve.points.is_sorted_by(|x, y| x.0 < y.0 && x.1 <= y.1));
        let text = curve.to_string();
        assert!(text.starts_with("at least 2 of 6 groups of 14 agree\n"), "{text}");
        assert!(text.contains("       0.90  0.415051  5.85e-1\n"), "{text}");
        assert!((Filter::full(1, 1).mean(0.0, 0.5) - 0.25).abs() < 1e-12, "the mean of J itself");
    }
}

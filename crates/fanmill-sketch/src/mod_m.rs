//! 0 mod m (`FracMinHash`): the hashes of a set that `m` divides.
//!
//! A shingle is kept or not without regard to the other shingles. So the sketch of a part is a part of the sketch, and
//! containment can be estimated as well as resemblance, for sets of very different sizes. A set of `n` members has an
//! empty sketch with probability `(1 - 1/m)^n`, and then there is no estimate. Counting these cases as 0 makes the mean
//! of the estimate `C (1 - (1 - 1/m)^n)`; dividing by that factor makes it unbiased ([`containment`]).
//!
//! Cost: O(n) time, `8 n / m` bytes: it grows with the document, which the slides call its
//! disadvantage.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Alternative implementation".
//! The factor: Rahman Hera, Pierce-Ward & Koslicki, "Deriving confidence intervals for mutation rates
//! across a wide range of evolutionary distances using `FracMinHash`", Genome Research 33, 2023.

use super::shingle::normalise;
use fanmill_kernel as kernel;

/// Appends the hashes that `m` divides, ascending and without repetitions; 0 divides nothing but 0.
pub fn sketch(shingles: &[u64], m: u64, kept: &mut Vec<u64>) {
    let divisible = |hash: &u64| hash.is_multiple_of(m);
    let mut multiples: Vec<u64> = if m.is_power_of_two() {
        // In the usual case no division is needed, which would cost more than making the shingle did.
        shingles.iter().copied().filter(|hash| hash & (m - 1) == 0).collect()
    } else {
        shingles.iter().copied().filter(divisible).collect()
    };
    normalise(&mut multiples);
    kept.append(&mut multiples);
}

/// Estimates resemblance, in `0..=1`; `None` if both sketches are empty.
pub fn resemblance(a: &[u64], b: &[u64]) -> Option<f64> {
    let n_common = common(a, b);
    let n_union = a.len() + b.len() - n_common;
    (n_union > 0).then(|| n_common as f64 / n_union as f64)
}

/// Returns the share of A's kept hashes that B has too, in `0..=1`; `None` if A has none.
///
/// Unbiased over the sets A with at least one kept hash.
pub fn containment_if_any(a: &[u64], b: &[u64]) -> Option<f64> {
    (!a.is_empty()).then(|| common(a, b) as f64 / a.len() as f64)
}

/// Estimates the containment in B of a set A of `size_a` members, without bias over all sets A.
///
/// It is 0 if no hash of A was kept, and up to `1 / factor` otherwise. So it can exceed 1, and is meant for averages.
/// `None` if A is empty.
pub fn containment(a: &[u64], b: &[u64], m: u64, size_a: usize) -> Option<f64> {
    let found = containment_if_any(a, b).unwrap_or(0.0);
    (size_a > 0).then(|| found / chance_of_any(m, size_a))
}

/// Returns the probability that at least one of `n` members is kept: `1 - (1 - 1/m)^n`.
pub fn chance_of_any(m: u64, n: usize) -> f64 {
    if n == 0 {
        return 0.0;
    }
    // `1 - q^n` as `-(e^(n ln q) - 1)`, which keeps its digits for large `m`.
    -libm::expm1(n as f64 * libm::log1p(-1.0 / m as f64))
}

/// Returns the number of hashes that both have.
fn common(a: &[u64], b: &[u64]) -> usize {
    // With a minimum of 0 the count is never given up.
    kernel::n_common(a, b, 0).unwrap_or(0)
}

/// The naive twin: one division per hash.
#[cfg(test)]
fn naive(shingles: &[u64], m: u64) -> Vec<u64> {
    let mut all = shingles.to_vec();
    normalise(&mut all);
    all.retain(|hash| hash % m == 0);
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::checks;
    use fanmill_effort::golden;

    fn of(shingles: &[u64], m: u64) -> Vec<u64> {
        let mut kept = Vec::new();
        sketch(shingles, m, &mut kept);
        kept
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("sets") {
            let [a, b] = ["A", "B"].map(|key| golden::u64s(&case[key]));
            for estimate in case["mod_m"].as_array().expect("estimates") {
                let m = estimate["m"].as_u64().expect("m");
                let (of_a, of_b) = (of(&a, m), of(&b, m));
                assert_eq!(of_a, golden::u64s(&estimate["sketch_A"]), "{case}");
                assert_eq!(of_b, golden::u64s(&estimate["sketch_B"]), "{case}");
                let expected = checks::golden_fraction(&estimate["resemblance_estimate"]);
                assert_eq!(resemblance(&of_a, &of_b), expected, "{case}");
                let expected = checks::golden_fraction(&estimate["containment_A_in_B_estimate"]);
                assert_eq!(containment_if_any(&of_a, &of_b), expected, "{case}");
            }
        }
    }

    /// For sets so small that usually nothing is kept, the mean would be .17 without the factor.
    #[test]
    fn containment_is_unbiased_with_its_factor() {
        const M: u64 = 32;
        let sketches = |seed| {
            let all = checks::random_set(20, seed);
            (of(&all[..10], M), of(&all[4..], M))
        };
        let (mean, _) = checks::moments(20_000, |seed| {
            let (a, b) = sketches(seed);
            containment(&a, &b, M, 10).expect("not empty")
        });
        assert!((mean - 0.6).abs() < 0.04, "{mean}");
        let (uncorrected, _) = checks::moments(20_000, |seed| {
            let (a, b) = sketches(seed);
            containment_if_any(&a, &b).unwrap_or(0.0)
        });
        assert!((uncorrected - 0.6 * chance_of_any(M, 10)).abs() < 0.01, "{uncorrected}");
    }

    #[test]
    fn the_chance_keeps_its_digits() {
        assert!((chance_of_any(2, 3) - 0.875).abs() < 1e-15);
        assert!((chance_of_any(1 << 40, 1) * (1_u64 << 40) as f64 - 1.0).abs() < 1e-12);
        assert!((chance_of_any(1, 5) - 1.0).abs() < 1e-15, "everything is kept");
        assert_eq!(containment(&[], &[1], 4, 0), None);
    }

    proptest! {
        #[test]
        fn fast_equals_naive(shingles in checks::sets(), m in 1_u64..40) {
            prop_assert_eq!(of(&shingles, m), naive(&shingles, m));
        }

        /// Hashes kept of a part are also kept of the whole.
        #[test]
        fn the_sketch_of_a_part_is_a_part(shingles in checks::sets(), cut in 0_usize..300, m in 1_u64..9) {
            let part = of(&shingles[..cut.min(shingles.len())], m);
            let whole = of(&shingles, m);
            prop_assert!(part.iter().all(|hash| whole.contains(hash)));
            let expected = (!part.is_empty()).then_some(1.0);
            prop_assert_eq!(containment_if_any(&part, &whole), expected);
        }
    }
}

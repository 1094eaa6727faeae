//! Bottom-t (bottom-k, KMV): the `t` smallest hashes of a set.
//!
//! The `t` smallest hashes of a union are a uniform sample of it, and a member of the sample that is in both sets is in
//! both sketches. So the share of the sample that is in both estimates resemblance without bias. (The share of common
//! hashes among *all* hashes of two sketches is the wrong estimator: where the truth is .40 it gives .37 for `t = 50`,
//! .35 for `t = 10`.) Sets of at most `t` members are stored whole, and every answer about them is exact.
//!
//! The sketch is not aligned, so it cannot be cut into bands; it is for estimates.
//!
//! Cost: O(n) time, up to `8 t` bytes.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Implementation". The hash of a shingle serves as its
//! image under the permutation.

use std::cmp::Ordering;

use super::shingle::normalise;

/// Appends the `t` smallest distinct hashes of a set, or all if there are fewer, ascending.
///
/// The set may come in any order and with repetitions.
pub fn sketch(shingles: &[u64], t: usize, smallest: &mut Vec<u64>) {
    let mut kept: Vec<u64> = Vec::with_capacity((2 * t).min(shingles.len()));
    // The largest of `t` distinct hashes seen so far: only smaller ones can be among the `t` smallest.
    let mut limit = None;
    for &hash in shingles {
        if limit.is_some_and(|limit| hash >= limit) {
            continue;
        }
        kept.push(hash);
        // Clean up when there are twice as many as needed: O(1) per hash on average.
        if kept.len() >= 2 * t.max(1) {
            normalise(&mut kept);
            kept.truncate(t);
            limit = if kept.len() == t { kept.last().copied().or(Some(0)) } else { None };
        }
    }
    normalise(&mut kept);
    kept.truncate(t);
    smallest.append(&mut kept);
}

/// Estimates resemblance, in `0..=1`, from two sketches of the same `t`, by the `t` smallest hashes of
/// the union; `None` if both sets are empty.
///
/// Exact if the union has at most `t` members.
pub fn resemblance(a: &[u64], b: &[u64], t: usize) -> Option<f64> {
    let (mut n_seen, mut n_common) = (0_usize, 0_usize);
    merge_each(a, b, |_, in_both| {
        n_seen += 1;
        n_common += usize::from(in_both);
        n_seen < t
    });
    (n_seen > 0).then(|| n_common as f64 / n_seen as f64)
}

/// Appends the sketch of the union of two sets with sketches of the same `t`.
pub fn union(a: &[u64], b: &[u64], t: usize, smallest: &mut Vec<u64>) {
    let limit = smallest.len() + t;
    merge_each(a, b, |hash, _| {
        if smallest.len() < limit {
            smallest.push(hash);
        }
        smallest.len() < limit
    });
}

/// Estimates the number of members of a set; exact if there are fewer than `t`.
///
/// `t - 1` members lie below the largest hash of the sketch, and hashes are spread evenly over 2^64.
/// The relative standard error is about `1 / √(t - 2)`.
pub fn cardinality(sketch: &[u64], t: usize) -> f64 {
    match sketch.last() {
        Some(&largest) if sketch.len() >= t => {
            (t as f64 - 1.0) / ((largest as f64 + 1.0) / 2.0_f64.powi(64))
        }
        _ => sketch.len() as f64,
    }
}

/// Calls `each` with every member of the union of two ascending sequences and whether both have it,
/// until `each` returns `false`.
fn merge_each(mut a: &[u64], mut b: &[u64], mut each: impl FnMut(u64, bool) -> bool) {
    loop {
        let order = match (a.first(), b.first()) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let hash = if order.is_le() { a[0] } else { b[0] };
        a = &a[usize::from(order.is_le())..];
        b = &b[usize::from(order.is_ge())..];
        if !each(hash, order.is_eq()) {
            return;
        }
    }
}

/// The naive twin: sorts everything.
#[cfg(test)]
fn naive(shingles: &[u64], t: usize) -> Vec<u64> {
    let mut all = shingles.to_vec();
    normalise(&mut all);
    all.truncate(t);
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{checks, registers};
    use fanmill_effort::golden;

    fn of(shingles: &[u64], t: usize) -> Vec<u64> {
        let mut smallest = Vec::new();
        sketch(shingles, t, &mut smallest);
        smallest
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("sets") {
            let [a, b] = ["A", "B"].map(|key| golden::u64s(&case[key]));
            for estimate in case["bottom_t"].as_array().expect("estimates") {
                let t = golden::usize(&estimate["t"]);
                let (of_a, of_b) = (of(&a, t), of(&b, t));
                assert_eq!(of_a, golden::u64s(&estimate["sketch_A"]), "{case}");
                assert_eq!(of_b, golden::u64s(&estimate["sketch_B"]), "{case}");
                let found = resemblance(&of_a, &of_b, t);
                assert_eq!(found, checks::golden_fraction(&estimate["estimate"]), "{case}");
            }
        }
    }

    /// The errata's measurement: truth .4, `t = 50`.
    #[test]
    fn the_estimate_is_unbiased_and_the_naive_one_is_not() {
        const T: usize = 50;
        let sketches = |seed| {
            let (a, b) = checks::random_pair(500, 0.4, seed);
            (of(&a, T), of(&b, T))
        };
        let (mean, variance) = checks::moments(1000, |seed| {
            let (a, b) = sketches(seed);
            resemblance(&a, &b, T).expect("not empty")
        });
        let deviation = registers::deviation(0.4, T);
        assert!((mean - 0.4).abs() < 4.0 * deviation / 1000_f64.sqrt(), "{mean}");
        assert!(variance < 1.1 * deviation.powi(2), "{variance}");

        let (wrong, _) = checks::moments(1000, |seed| {
            let (a, b) = sketches(seed);
            resemblance(&a, &b, usize::MAX).expect("not empty")
        });
        assert!((0.36..0.38).contains(&wrong), "all of both sketches: {wrong}");
    }

    #[test]
    fn cardinality_is_close_and_exact_for_small_sets() {
        let (mean, variance) = checks::moments(300, |seed| {
            cardinality(&of(&checks::random_set(5000, seed), 128), 128) / 5000.0
        });
        assert!((mean - 1.0).abs() < 0.03 && variance.sqrt() < 0.11, "{mean} {variance}");
        assert!((cardinality(&[3, 4, 5], 128) - 3.0).abs() < 1e-12);
        assert!(cardinality(&[], 1).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn fast_equals_naive(shingles in checks::sets(), t in 0_usize..40) {
            prop_assert_eq!(of(&shingles, t), naive(&shingles, t));
        }

        #[test]
        fn sketches_merge(a in checks::sets(), b in checks::sets(), t in 0_usize..40) {
            let mut merged = Vec::new();
            union(&of(&a, t), &of(&b, t), t, &mut merged);
            prop_assert_eq!(merged, of(&[a, b].concat(), t));
        }

        /// Estimates are exact and symmetric if the union fits into the sketch.
        #[test]
        fn small_unions_are_exact(a in checks::sets(), b in checks::sets()) {
            let (a, b) = (of(&a, 1000), of(&b, 1000));
            let common = a.iter().filter(|hash| b.contains(hash)).count();
            let exact = common as f64 / (a.len() + b.len() - common) as f64;
            prop_assert_eq!(resemblance(&a, &b, 1000), (!exact.is_nan()).then_some(exact));
            prop_assert_eq!(resemblance(&a, &b, 7), resemblance(&b, &a, 7));
        }
    }
}

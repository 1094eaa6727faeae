//! Tests of properties that several sketches have, with fixed seeds.

use proptest::prelude::*;

use crate::registers;
use fanmill_kernel::hash::mix::{SplitMix, mix};

/// Generates sets of hashes, including small, repetitive and structured ones.
pub(crate) fn sets() -> impl Strategy<Value = Vec<u64>> {
    prop_oneof![
        proptest::collection::vec(any::<u64>(), 0..6),
        proptest::collection::vec(any::<u64>(), 0..300),
        proptest::collection::vec(0_u64..50, 0..100),
    ]
}

/// Returns `n` random hashes.
pub(crate) fn random_set(n: usize, seed: u64) -> Vec<u64> {
    SplitMix::new(mix(seed ^ 0x5eed)).seeds(n)
}

/// Returns two sets whose union has `n` members, a share of `resemblance` of them in both.
pub(crate) fn random_pair(n: usize, resemblance: f64, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let all = random_set(n, seed);
    let n_common = (0..n).filter(|&i| ((i as f64) + 0.5) < n as f64 * resemblance).count();
    let (common, rest) = all.split_at(n_common);
    let (only_a, only_b) = rest.split_at(rest.len() / 2);
    ([common, only_a].concat(), [common, only_b].concat())
}

/// Returns one number that changes if the sketch of any of four fixed sets changes.
pub(crate) fn digest(sketch: impl Fn(&[u64]) -> Vec<u64>) -> u64 {
    let rows = [0, 1, 100, 2000].map(|n| sketch(&random_set(n, 1)));
    rows.concat().into_iter().fold(0, |digest, register| mix(digest ^ register))
}

/// Returns mean and variance of `estimate` over seeds `0..n_trials`.
pub(crate) fn moments(n_trials: u64, estimate: impl Fn(u64) -> f64) -> (f64, f64) {
    let estimates: Vec<f64> = (0..n_trials).map(estimate).collect();
    let mean = estimates.iter().sum::<f64>() / n_trials as f64;
    let variance = estimates.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n_trials as f64;
    (mean, variance)
}

/// Checks that a sketch of `t` registers estimates resemblance without bias (within 4 standard errors
/// of 400 trials), with a variance of at most `ratio` times that of independent registers.
pub(crate) fn estimates(
    n: usize,
    resemblance: f64,
    t: usize,
    ratio: f64,
    sketch: impl Fn(&[u64], &mut Vec<u64>),
) {
    const TRIALS: u64 = 400;
    let (mean, variance) = moments(TRIALS, |seed| {
        let (a, b) = random_pair(n, resemblance, seed);
        let (mut row_a, mut row_b) = (Vec::new(), Vec::new());
        sketch(&a, &mut row_a);
        sketch(&b, &mut row_b);
        registers::resemblance(&row_a, &row_b).expect("not empty")
    });
    let deviation = registers::deviation(resemblance, t);
    let bias = (mean - resemblance).abs();
    assert!(bias < 4.0 * deviation / (TRIALS as f64).sqrt(), "{n} {resemblance}: mean {mean}");
    let found = variance / deviation.powi(2);
    assert!(found < ratio, "{n} {resemblance}: variance {found} times that of independent ones");
}

/// Reads a golden `[numerator, denominator]` as a fraction; `None` for `null`.
pub(crate) fn golden_fraction(value: &serde_json::Value) -> Option<f64> {
    let part = |i: usize| value[i].as_f64().expect("a number");
    (!value.is_null()).then(|| part(0) / part(1))
}

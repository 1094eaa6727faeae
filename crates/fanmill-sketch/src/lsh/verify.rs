//! Exact resemblance (Jaccard similarity) and containment of two sets, as far as a threshold needs them.
//!
//! Two ascending sequences are merged in blocks, without branching on their order; every eight blocks a check is made
//! whether enough members can still be common. If one set is much larger, each member of the smaller one is searched
//! for in it by doubling steps instead (galloping).
//!
//! A pair reaches a threshold `θ` if `|A∩B| / |A∪B| ≥ θ` in floating point. Every shortcut is derived from this
//! comparison ([`needed_common`]), so that all joins agree on every pair.
//!
//! Cost: O(|A| + |B|), or O(|A| log(|B| / |A|)); about one nanosecond per member.
//! Source: the definitions of Broder, "Algorithms for duplicate documents" (slides); galloping:
//! Bentley & Yao, 1976.

use fanmill_kernel as kernel;
use fanmill_text::error::{Error, Result};

/// Ratio of the sizes of two sets from which on galloping is used instead of merging.
const GALLOP_FROM: usize = 24;

/// The lowest resemblance that counts, above 0 and at most 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, serde::Serialize)]
pub struct Threshold(f64);

impl Threshold {
    /// Checks that a resemblance is within the bounds.
    ///
    /// # Errors
    /// If the resemblance is not above 0, or is above 1.
    pub fn new(resemblance: f64) -> Result<Threshold> {
        if resemblance > 0.0 && resemblance <= 1.0 {
            return Ok(Threshold(resemblance));
        }
        Err(Error::setting(format!(
            "threshold {resemblance} is not above 0 and at most 1; use a fraction such as 0.8"
        )))
    }

    /// Returns the fraction.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// Returns the resemblance |A∩B| / |A∪B| from the numbers of members, in `0..=1`; `None` if both sets are empty.
pub fn resemblance_of(n_common: usize, size_a: usize, size_b: usize) -> Option<f64> {
    let n_union = size_a + size_b - n_common;
    (n_union > 0).then(|| n_common as f64 / n_union as f64)
}

/// Returns the resemblance of two sets, in `0..=1`; `None` if both are empty.
pub fn resemblance(a: &[u64], b: &[u64]) -> Option<f64> {
    resemblance_of(common(a, b), a.len(), b.len())
}

/// Returns the containment of A in B, in `0..=1`; `None` if A is empty.
pub fn containment(a: &[u64], b: &[u64]) -> Option<f64> {
    (!a.is_empty()).then(|| common(a, b) as f64 / a.len() as f64)
}

/// Returns the weighted resemblance of counted sets, Σ min / Σ max, in `0..=1`; `None` if both are empty.
///
/// Equal to the resemblance of the [labelled](crate::shingle::labelled) sets.
pub fn weighted_resemblance(a: &[(u64, u32)], b: &[(u64, u32)]) -> Option<f64> {
    let total = |set: &[(u64, u32)]| set.iter().map(|&(_, n)| n as usize).sum::<usize>();
    let (mut at_a, mut at_b, mut n_common) = (0, 0, 0);
    while at_a < a.len() && at_b < b.len() {
        let ((x, n_x), (y, n_y)) = (a[at_a], b[at_b]);
        n_common += if x == y { n_x.min(n_y) as usize } else { 0 };
        (at_a, at_b) = (at_a + usize::from(x <= y), at_b + usize::from(y <= x));
    }
    resemblance_of(n_common, total(a), total(b))
}

/// Returns the number of common members if the sets reach the threshold; otherwise `None`.
pub fn common_if_reaching(a: &[u64], b: &[u64], threshold: Threshold) -> Option<usize> {
    let needed = needed_common(a.len(), b.len(), threshold)?;
    common_at_least(a, b, needed)
}

/// Returns the fewest common members with which sets of these sizes reach the threshold; `None` if they cannot reach
/// it, because one set is empty or too small for the other.
pub fn needed_common(size_a: usize, size_b: usize, threshold: Threshold) -> Option<usize> {
    let most = size_a.min(size_b);
    let reaches = |n: usize| resemblance_of(n, size_a, size_b).is_some_and(|r| r >= threshold.0);
    if !reaches(most) {
        return None;
    }
    // o / (|A| + |B| - o) ≥ θ solved for o. Rounded down it is at most what is needed, and hardly less.
    let solved = threshold.0 / (1.0 + threshold.0) * (size_a + size_b) as f64;
    (whole_part(solved)..=most).find(|&n| reaches(n))
}

/// Returns the fewest members of a set of `size` that must be in another set for a containment of at least the
/// threshold: 1 or more.
pub fn needed_contained(size: usize, threshold: Threshold) -> usize {
    first_that_reaches(size, threshold, |n| n as f64 / size as f64 >= threshold.0)
}

/// Returns the size of the smallest set that can reach the threshold with a set of `size` members.
pub fn smallest_partner(size: usize, threshold: Threshold) -> usize {
    first_that_reaches(size, threshold, |n| needed_common(n, size, threshold).is_some())
}

/// Returns the first number from 1 on that reaches a share of `size`, as `size` itself does. The search starts from
/// that share, rounded down.
fn first_that_reaches(size: usize, threshold: Threshold, reaches: impl Fn(usize) -> bool) -> usize {
    let least = whole_part(threshold.0 * size as f64).max(1);
    (least..size).find(|&n| reaches(n)).unwrap_or(size.max(1))
}

/// Returns the integer part of a non-negative number.
#[expect(clippy::cast_sign_loss, reason = "fractions of sizes are not negative")]
fn whole_part(x: f64) -> usize {
    x as usize
}

/// Returns the number of members that two sets have in common.
pub fn common(a: &[u64], b: &[u64]) -> usize {
    // With a minimum of 0 the count is never given up.
    common_at_least(a, b, 0).unwrap_or(0)
}

/// Returns the number of members that two sets have in common, if it is at least `needed`.
///
/// Gives up as soon as the rest of the smaller set is too short to reach `needed`.
pub fn common_at_least(a: &[u64], b: &[u64], needed: usize) -> Option<usize> {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if small.len() < needed {
        return None;
    }
    let n_common = if large.len() / GALLOP_FROM >= small.len() {
        gallop(small, large, needed)
    } else {
        kernel::n_common(small, large, needed)
    };
    n_common.filter(|&n| n >= needed)
}

/// Counts common members by searching for each member of `small` in the rest of `large`.
fn gallop(small: &[u64], mut large: &[u64], needed: usize) -> Option<usize> {
    let mut n_common = 0;
    for (i, x) in small.iter().enumerate() {
        if n_common + (small.len() - i).min(large.len()) < needed {
            return None;
        }
        // Double the step until it reaches `x` or goes past it, then bisect in that stretch.
        let mut reach = 1;
        while reach < large.len() && large[reach] < *x {
            reach *= 2;
        }
        let block = &large[..large.len().min(reach + 1)];
        let at = block.partition_point(|y| y < x);
        n_common += usize::from(large.get(at) == Some(x));
        large = &large[at..];
    }
    Some(n_common)
}

/// The naive twin: looks for every member in turn.
#[cfg(test)]
pub(crate) fn naive_common(a: &[u64], b: &[u64]) -> usize {
    a.iter().filter(|x| b.contains(x)).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::checks::{golden_fraction, sets};
    use crate::shingle::{labelled, normalise};
    use fanmill_effort::golden;

    fn ascending(mut set: Vec<u64>) -> Vec<u64> {
        normalise(&mut set);
        set
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("sets") {
            let [a, b] = ["A", "B"].map(|key| ascending(golden::u64s(&case[key])));
            let [a, b] = [&a, &b];
            assert_eq!(resemblance(a, b), golden_fraction(&case["resemblance"]), "{case}");
            assert_eq!(containment(a, b), golden_fraction(&case["containment_A_in_B"]), "{case}");
            assert_eq!(containment(b, a), golden_fraction(&case["containment_B_in_A"]), "{case}");
        }
    }

    #[test]
    fn thresholds_are_fractions() {
        assert!(Threshold::new(1.0).is_ok());
        for wrong in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(Threshold::new(wrong).is_err());
        }
    }

    #[test]
    fn empty_sets_reach_no_threshold() {
        let least = Threshold::new(f64::MIN_POSITIVE).expect("above 0");
        assert_eq!(common_if_reaching(&[], &[], least), None);
        assert_eq!(common_if_reaching(&[], &[1], least), None);
        assert_eq!(needed_common(4, 4, least), Some(1));
        assert_eq!(needed_contained(0, least), 1);
        assert_eq!(smallest_partner(0, least), 1);
    }

    proptest! {
        #[test]
        fn merging_and_galloping_equal_naive(a in sets(), b in sets(), needed in 0_usize..40) {
            let (a, b) = (ascending(a), ascending(b));
            let expected = naive_common(&a, &b);
            prop_assert_eq!(common(&a, &b), expected);
            prop_assert_eq!(gallop(&a, &b, 0), Some(expected));
            prop_assert_eq!(common_at_least(&a, &b, needed), (expected >= needed).then_some(expected));
            let found = gallop(&a, &b, needed);
            prop_assert!(found == Some(expected) || expected < needed, "gave up too early");
        }

        /// Similar sets, where giving up early matters.
        #[test]
        fn the_threshold_is_reached_exactly_if_the_resemblance_reaches_it(
            all in proptest::collection::vec(any::<u64>(), 0..200),
            drop_a in 0_usize..40, drop_b in 0_usize..40, percent in 1_u32..=100,
        ) {
            let all = ascending(all);
            let threshold = Threshold::new(f64::from(percent) / 100.0).expect("a fraction");
            let a: Vec<u64> = all.iter().copied().skip(drop_a).collect();
            let b: Vec<u64> = all[..all.len().saturating_sub(drop_b)].to_vec();
            let expected = resemblance(&a, &b).filter(|r| *r >= threshold.value());
            let found = common_if_reaching(&a, &b, threshold);
            prop_assert_eq!(found.map(|_| ()), expected.map(|_| ()));
            prop_assert_eq!(found.unwrap_or(0), if expected.is_some() { naive_common(&a, &b) } else { 0 });
        }

        #[test]
        fn bounds_are_the_first_numbers_that_reach_the_threshold(size in 1_usize..300, other in 0_usize..300, percent in 1_u32..=100) {
            let threshold = Threshold::new(f64::from(percent) / 100.0).expect("a fraction");
            let reaches = |n: usize, b: usize| {
                n <= size.min(b) && resemblance_of(n, size, b).is_some_and(|r| r >= threshold.value())
            };
            let first = (0..=size.min(other)).find(|&n| reaches(n, other));
            prop_assert_eq!(needed_common(size, other, threshold), first);
            let contained = (1..=size).find(|&n| n as f64 / size as f64 >= threshold.value());
            prop_assert_eq!(Some(needed_contained(size, threshold)), contained);
            let smallest = (1..=size).find(|&b| (0..=b).any(|n| reaches(n, b))).expect("itself");
            prop_assert_eq!(smallest_partner(size, threshold), smallest);
        }

        #[test]
        fn weighted_resemblance_is_that_of_labelled_sets(
            a in proptest::collection::btree_map(0_u64..20, 1_u32..5, 0..15),
            b in proptest::collection::btree_map(0_u64..20, 1_u32..5, 0..15),
        ) {
            let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(weighted_resemblance(&a, &b), resemblance(&labelled(&a), &labelled(&b)));
        }
    }
}

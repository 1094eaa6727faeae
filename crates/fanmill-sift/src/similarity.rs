//! Similarity of two fingerprints: the paper's S1, S2 and S3.
//!
//! S1 is |A∩B| / |A∪B|, an estimate of resemblance (Jaccard similarity). S2 of A in B is |A∩B| / |A|, an estimate of
//! containment. S3 is the larger of the two S2; it separates copies from independent texts, since it is 1 if either
//! text is a part of the other. Where a measure would be 0/0 it is `None`.
//!
//! Fingerprints by divisors `s` and `s'` are compared among the values that the larger one divides; this is fair if one
//! divides the other, as powers of two do. Fingerprints with different numbers of smallest values are compared up to
//! the lower of their two largest values: above it, a value that was cut off looks like one that never existed.
//!
//! Cost: O(|A| + |B|).
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.4.
//! Departs from it: common bounds, where sizes differ by rule.

use super::reduce::{FamilyFingerprint, Rule};

/// The sizes of two fingerprints and of their intersection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overlap {
    /// Number of values in both.
    pub n_common: usize,
    /// Number of values in A.
    pub a: usize,
    /// Number of values in B.
    pub b: usize,
}

impl Overlap {
    /// Compares two fingerprints of the same family.
    pub fn new(a: &FamilyFingerprint, b: &FamilyFingerprint) -> Overlap {
        match (a.rule, b.rule) {
            (Rule::Divisor(s), Rule::Divisor(t)) if s != t => {
                let larger = s.max(t);
                let [a, b] = [a, b].map(|kept| divisible(&kept.values, larger));
                Overlap::from_values(&a, &b)
            }
            (Rule::Smallest(m), Rule::Smallest(n)) if m != n => {
                let bound = bound(a).min(bound(b));
                let below =
                    |kept: &FamilyFingerprint| kept.values.partition_point(|&value| value <= bound);
                Overlap::from_values(&a.values[..below(a)], &b.values[..below(b)])
            }
            _ => Overlap::from_values(&a.values, &b.values),
        }
    }

    /// Compares two ascending lists without repetitions.
    pub fn from_values(a: &[u64], b: &[u64]) -> Overlap {
        let (mut i, mut j, mut n_common) = (0, 0, 0);
        while i < a.len() && j < b.len() {
            n_common += usize::from(a[i] == b[j]);
            (i, j) = (i + usize::from(a[i] <= b[j]), j + usize::from(b[j] <= a[i]));
        }
        Overlap { n_common, a: a.len(), b: b.len() }
    }

    /// Returns the resemblance (Jaccard); `None` if both are empty.
    pub fn s1(self) -> Option<f64> {
        fraction(self.n_common, self.a + self.b - self.n_common)
    }

    /// Returns the containment of A in B; `None` if A is empty.
    pub fn s2(self) -> Option<f64> {
        fraction(self.n_common, self.a)
    }

    /// Swaps A and B.
    #[must_use]
    pub fn swapped(self) -> Overlap {
        Overlap { a: self.b, b: self.a, ..self }
    }

    /// Returns the larger containment: 0 if one is empty, `None` if both are.
    pub fn s3(self) -> Option<f64> {
        // The larger S2 is that of the smaller fingerprint, unless it is empty: then the other one's.
        match self.a.min(self.b) {
            0 => fraction(0, self.a.max(self.b)),
            smaller => fraction(self.n_common, smaller),
        }
    }
}

fn fraction(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn divisible(values: &[u64], s: u64) -> Vec<u64> {
    values.iter().copied().filter(|value| value.is_multiple_of(s)).collect()
}

/// Returns the value up to which nothing was cut off.
fn bound(kept: &FamilyFingerprint) -> u64 {
    match (kept.rule, kept.values.last()) {
        (Rule::Smallest(m), Some(&largest)) if kept.values.len() as u64 == m => largest,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reduce::Reduction;
    use fanmill_kernel::hash::mix::SplitMix;

    fn overlap(a: &[u64], b: &[u64]) -> Overlap {
        Overlap::from_values(a, b)
    }

    #[test]
    fn the_three_measures() {
        let some = overlap(&[1, 2, 3, 4], &[3, 4, 5, 6, 7, 8]);
        assert_eq!(
            (some.s1(), some.s2(), some.swapped().s2()),
            (Some(0.25), Some(0.5), Some(1.0 / 3.0))
        );
        assert_eq!(some.s3(), Some(0.5));
        assert_eq!(overlap(&[1], &[1, 2, 3]).s3(), Some(1.0), "a part is found");
    }

    #[test]
    fn empty_fingerprints_have_no_similarity() {
        let both = overlap(&[], &[]);
        assert_eq!((both.s1(), both.s2(), both.s3()), (None, None, None));
        let one = overlap(&[], &[1]);
        assert_eq!((one.s1(), one.s2(), one.s3()), (Some(0.0), None, Some(0.0)));
        assert_eq!(one.swapped().s2(), Some(0.0));
    }

    /// A small document inside a large one is found under every rule by which sizes differ.
    #[test]
    fn a_part_is_found_in_the_whole_whatever_their_sizes() {
        let whole = SplitMix::new(1).seeds(3000);
        let part = &whole[..300];
        for name in ["mod(s=10)", "pow2(n=32)", "min(m=0.1n)", "min(m=4sqrt)"] {
            let reduction: Reduction = name.parse().expect(name);
            let overlap = Overlap::new(&reduction.reduce(part), &reduction.reduce(&whole));
            assert_eq!(overlap.s2(), Some(1.0), "{name}: {overlap:?}");
            assert!(overlap.a > 0, "{name}: {overlap:?}");
            assert_eq!(
                overlap,
                Overlap::new(&reduction.reduce(&whole), &reduction.reduce(part)).swapped()
            );
        }
        let constant = Reduction::Smallest { m: 100 };
        let overlap = Overlap::new(&constant.reduce(part), &constant.reduce(&whole));
        assert!(overlap.s3() < Some(0.3), "the paper warns of that");
    }

    proptest! {
        #[test]
        fn s3_is_at_least_s1(
            a in prop::collection::btree_set(0_u64..20, 0..12), b in prop::collection::btree_set(0_u64..20, 0..12),
        ) {
            let n_common = a.intersection(&b).count();
            let [a, b] = [a, b].map(|set| set.into_iter().collect::<Vec<u64>>());
            let found = overlap(&a, &b);
            prop_assert_eq!(found, Overlap { n_common, a: a.len(), b: b.len() });
            prop_assert!(found.s3() >= found.s1());
            let (a_in_b, b_in_a) = (found.s2(), found.swapped().s2());
            prop_assert_eq!(found.s3(), if a_in_b > b_in_a { a_in_b } else { b_in_a });
        }
    }
}

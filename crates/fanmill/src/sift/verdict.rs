//! Verdicts: when two documents count as copies of each other, and with what confidence.
//!
//! Two conditions must hold: in some family, enough values are in common as a share of the smaller
//! fingerprint; and over all families, enough values are in common in number. A share alone is not
//! enough: of a fingerprint of one value, one value is all. Someone who does not hold the texts should learn
//! no more than the grade, because an adversary who can ask for scores again and again learns whether a
//! change has helped.
//!
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.4, where a threshold of S3 is left to the application; the measurements for ours are in
//! DESIGN.md.

use std::fmt;

use super::profile::Profile;
use super::sifter::Likeness;
use super::similarity::Overlap;

/// The conditions for being called a copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The S3 that at least one family must reach, a fraction in `0..=1`.
    pub s3: f64,
    /// The number of common values that all families together must reach. A common whole text counts as
    /// this many.
    pub n_common: usize,
}

/// How confident the verdict is, the least confident grade first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The threshold is reached.
    Likely,
    /// At least half of the smaller fingerprint is in common.
    Strong,
    /// The fingerprints are equal: the canonical forms are the same, or differ so little that no kept value
    /// was affected.
    Same,
}

/// The lowest S3 of [`Grade::Strong`].
const STRONG: f64 = 0.5;

impl Threshold {
    /// The threshold that separated copies from unrelated texts in measurements; see DESIGN.md.
    pub const fn standard() -> Threshold {
        Threshold { s3: 0.12, n_common: 2 }
    }

    /// A higher threshold for grouping messages, where a chance similarity would join separate groups.
    pub const fn campaign() -> Threshold {
        Threshold { s3: 0.3, n_common: 3 }
    }

    /// The grade of two documents by their likeness; `None` if they do not count as copies.
    ///
    /// # Panics
    /// If the likeness is of a profile with fewer families.
    pub fn grade(&self, profile: &Profile, likeness: &Likeness) -> Option<Grade> {
        let (mut s3, mut n_common) = (0.0_f64, 0);
        for (family, overlap) in profile.families().iter().zip(&likeness.families) {
            let weight = if family.is_whole() { self.n_common.max(1) } else { 1 };
            s3 = s3.max(overlap.s3().unwrap_or(0.0));
            n_common = weight.saturating_mul(overlap.n_common).saturating_add(n_common);
        }
        if s3 < self.s3 || n_common < self.n_common.max(1) {
            return None;
        }
        let is_same = |overlap: &Overlap| overlap.a == overlap.n_common && overlap.b == overlap.a;
        Some(match (likeness.families.iter().all(is_same), s3 >= STRONG) {
            (true, _) => Grade::Same,
            (false, true) => Grade::Strong,
            (false, false) => Grade::Likely,
        })
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Likely => "likely",
            Grade::Strong => "strong",
            Grade::Same => "same",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grade for the standard profile's families: sliding, skipping, spaced, whole.
    fn grade(families: [(usize, usize, usize); 4]) -> Option<Grade> {
        let families = families.map(|(n_common, a, b)| Overlap { n_common, a, b }).to_vec();
        Threshold { s3: 0.1, n_common: 2 }.grade(&Profile::standard(), &Likeness { families })
    }

    #[test]
    fn a_high_share_of_few_values_is_not_enough() {
        assert_eq!(grade([(0, 10, 10); 4]), None);
        assert_eq!(grade([(1, 1, 10), (0, 1, 10), (0, 1, 10), (0, 0, 0)]), None);
        assert_eq!(grade([(1, 9, 10), (1, 9, 10), (0, 9, 10), (0, 0, 0)]), Some(Grade::Likely));
        assert_eq!(grade([(2, 30, 40), (0, 9, 9), (0, 9, 9), (0, 0, 0)]), None);
        assert_eq!(grade([(0, 30, 40), (2, 9, 9), (0, 9, 9), (0, 0, 0)]), Some(Grade::Likely));
        assert_eq!(grade([(0, 30, 40), (5, 9, 9), (0, 9, 9), (0, 0, 0)]), Some(Grade::Strong));
    }

    #[test]
    fn no_number_of_values_is_too_large_to_ask_for() {
        let threshold = Threshold { s3: 0.1, n_common: usize::MAX };
        let grade = |families: [(usize, usize, usize); 4]| {
            let families = families.map(|(n_common, a, b)| Overlap { n_common, a, b }).to_vec();
            threshold.grade(&Profile::standard(), &Likeness { families })
        };
        assert_eq!(grade([(9, 9, 9), (9, 9, 9), (9, 9, 9), (0, 0, 0)]), None);
        assert_eq!(grade([(9, 9, 9), (9, 9, 9), (9, 9, 9), (2, 2, 2)]), Some(Grade::Same));
    }

    #[test]
    fn a_whole_text_is_enough() {
        let short = [(0, 0, 0), (0, 0, 0), (0, 0, 0)];
        let of = |whole| grade([short[0], short[1], short[2], whole]);
        assert_eq!(of((1, 1, 1)), Some(Grade::Same));
        assert_eq!(of((0, 1, 1)), None);
        assert_eq!(of((0, 0, 0)), None);
    }

    #[test]
    fn equal_fingerprints_are_the_same_and_a_small_difference_is_strong() {
        assert_eq!(grade([(9, 9, 9), (8, 8, 8), (7, 7, 7), (0, 0, 0)]), Some(Grade::Same));
        assert_eq!(grade([(9, 9, 9), (8, 8, 9), (7, 7, 7), (0, 0, 0)]), Some(Grade::Strong));
    }
}

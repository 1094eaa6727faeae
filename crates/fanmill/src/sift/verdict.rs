//! Verdicts: what it takes to call two documents copies of each other, and how sure that is.
//!
//! A document is one if enough values are in common, as a share of the smaller fingerprint in some family,
//! and in number, in all families. A share alone is not enough: of a fingerprint of one value, one value is all. A
//! grade is as much as somebody who does not hold the texts should learn: scores that can be asked
//! for again and again tell an adversary whether a change has helped.
//!
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.4, where a threshold of S3 is left to the application; what was
//! measured for the one here is in DESIGN.md.

use std::fmt;

use super::profile::Profile;
use super::sifter::Likeness;
use super::similarity::Overlap;

/// What it takes to be called a copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Lowest S3 of the family that has most in common, a fraction in `0..=1`.
    pub s3: f64,
    /// Fewest values that all families have in common; a whole text counts as so many.
    pub n_common: usize,
}

/// How sure it is that a document is a copy, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Above the threshold.
    Likely,
    /// Half of the smaller fingerprint, or more.
    Strong,
    /// No difference between the fingerprints: what is left of it in canonical form is the same, or
    /// so little changed that nothing kept was touched.
    Same,
}

/// The S3 from which on a grade is [`Grade::Strong`].
const STRONG: f64 = 0.5;

impl Threshold {
    /// What was measured to separate copies from unrelated texts; see DESIGN.md.
    pub const fn standard() -> Threshold {
        Threshold { s3: 0.12, n_common: 2 }
    }

    /// For grouping messages, where a chance likeness would join what belongs apart: more of both.
    pub const fn campaign() -> Threshold {
        Threshold { s3: 0.3, n_common: 3 }
    }

    /// The grade of a likeness between documents of a profile; `None` if they are not called copies.
    ///
    /// # Panics
    /// If the likeness is of a profile with fewer families.
    pub fn grade(&self, profile: &Profile, likeness: &Likeness) -> Option<Grade> {
        let (mut s3, mut n_common) = (0.0_f64, 0);
        for (family, overlap) in profile.families().iter().zip(&likeness.families) {
            let weight = if family.is_whole() { self.n_common.max(1) } else { 1 };
            s3 = s3.max(overlap.s3().unwrap_or(0.0));
            n_common += weight * overlap.n_common;
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

    /// Of the standard profile: sliding, skipping, spaced, whole.
    fn grade(families: [(usize, usize, usize); 4]) -> Option<Grade> {
        let families = families.map(|(n_common, a, b)| Overlap { n_common, a, b }).to_vec();
        Threshold { s3: 0.1, n_common: 2 }.grade(&Profile::standard(), &Likeness { families })
    }

    #[test]
    fn a_share_needs_a_number() {
        assert_eq!(grade([(0, 10, 10); 4]), None);
        assert_eq!(grade([(1, 1, 10), (0, 1, 10), (0, 1, 10), (0, 0, 0)]), None);
        assert_eq!(grade([(1, 9, 10), (1, 9, 10), (0, 9, 10), (0, 0, 0)]), Some(Grade::Likely));
        assert_eq!(grade([(2, 30, 40), (0, 9, 9), (0, 9, 9), (0, 0, 0)]), None);
        assert_eq!(grade([(0, 30, 40), (2, 9, 9), (0, 9, 9), (0, 0, 0)]), Some(Grade::Likely));
        assert_eq!(grade([(0, 30, 40), (5, 9, 9), (0, 9, 9), (0, 0, 0)]), Some(Grade::Strong));
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
    fn no_difference_is_told_from_a_small_one() {
        assert_eq!(grade([(9, 9, 9), (8, 8, 8), (7, 7, 7), (0, 0, 0)]), Some(Grade::Same));
        assert_eq!(grade([(9, 9, 9), (8, 8, 9), (7, 7, 7), (0, 0, 0)]), Some(Grade::Strong));
    }
}

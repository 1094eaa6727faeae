//! Verdicts: whether two documents count as copies of each other, and with what confidence.
//!
//! Two conditions must hold: in some family, enough values are common, as a share of the smaller fingerprint; and over
//! all families, enough values are common, in number. A share alone is not enough: if a fingerprint has one value, one
//! common value is all of it. Someone who does not hold the texts should learn no more than the grade, because an
//! adversary who can ask for scores again and again learns whether a change has helped.
//!
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.4, where a threshold of S3 is left to the application; the measurements for ours are in
//! `design/disguise.md`.

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

/// The common values of two documents, as far as a [`Threshold`] needs them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// The largest S3 of all families; 0 if neither document has any value.
    pub s3: f64,
    /// Number of common values in all families except those of whole texts.
    pub n_common: usize,
    /// Number of common whole texts.
    pub n_whole: usize,
}

/// The confidence of a verdict, the least confident grade first.
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

/// Minimum S3 of [`Grade::Strong`].
const STRONG: f64 = 0.5;

impl Threshold {
    /// Returns the threshold that separated copies from unrelated texts in measurements with a profile; see `design/disguise.md`.
    /// For a profile that is not one of the named ones, returns [`standard`](Threshold::standard).
    pub fn from_profile(profile: &Profile) -> Threshold {
        let measured = [
            (Profile::standard(), Threshold { s3: 0.12, n_common: 3 }),
            (Profile::short(), Threshold { s3: 0.2, n_common: 3 }),
            (Profile::mail(), Threshold { s3: 0.3, n_common: 6 }),
        ];
        let found = measured.into_iter().find(|(named, _)| named == profile);
        found.map_or(Threshold::standard(), |(_, threshold)| threshold)
    }

    /// Returns the threshold for grams of 6 words or 16 letters, in which a common value is rarely chance.
    pub const fn standard() -> Threshold {
        Threshold { s3: 0.12, n_common: 2 }
    }

    /// Returns a higher threshold for grouping messages, where a chance similarity would join separate groups.
    pub const fn campaign() -> Threshold {
        Threshold { s3: 0.3, n_common: 3 }
    }

    /// Returns the grade of two documents by their likeness; `None` if they do not count as copies.
    pub fn grade(&self, profile: &Profile, likeness: &Likeness) -> Option<Grade> {
        let score = Score::new(profile, likeness);
        if !score.reaches(self) {
            return None;
        }
        let is_same = |overlap: &Overlap| overlap.a == overlap.n_common && overlap.b == overlap.a;
        Some(match (likeness.families.iter().all(is_same), score.s3 >= STRONG) {
            (true, _) => Grade::Same,
            (false, true) => Grade::Strong,
            (false, false) => Grade::Likely,
        })
    }
}

impl Score {
    /// Returns the score of two documents by their likeness.
    pub fn new(profile: &Profile, likeness: &Likeness) -> Score {
        let mut score = Score { s3: likeness.s3().unwrap_or(0.0), n_common: 0, n_whole: 0 };
        for (family, overlap) in profile.families().iter().zip(&likeness.families) {
            let n = if family.is_whole() { &mut score.n_whole } else { &mut score.n_common };
            *n += overlap.n_common;
        }
        score
    }

    /// Returns whether both conditions hold: enough common values as a share, and in number.
    pub fn reaches(&self, threshold: &Threshold) -> bool {
        let least = threshold.n_common.max(1);
        let n_common = least.saturating_mul(self.n_whole).saturating_add(self.n_common);
        self.s3 >= threshold.s3 && n_common >= least
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
    use proptest::prelude::*;

    use super::*;

    /// Returns the grade for the standard profile's families: sliding, skipping, spaced, whole.
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

    proptest! {
        /// The naive twin: both conditions, family by family.
        #[test]
        fn scores_decide_as_the_conditions_say(
            overlaps in prop::collection::vec((0_usize..4, 0_usize..9, 0_usize..9), 4),
            least in 0_usize..4, s3 in prop::sample::select(vec![0.1, 0.12, 0.25, 0.5, 1.0]),
        ) {
            let overlap = |&(n, a, b): &(usize, usize, usize)| Overlap { n_common: n.min(a).min(b), a, b };
            let likeness = Likeness { families: overlaps.iter().map(overlap).collect() };
            let has_share = likeness.families.iter().any(|overlap| overlap.s3().unwrap_or(0.0) >= s3);
            let n_grams: usize = likeness.families[..3].iter().map(|overlap| overlap.n_common).sum();
            let is_enough = likeness.families[3].n_common > 0 || n_grams >= least.max(1);
            let grade = Threshold { s3, n_common: least }.grade(&Profile::standard(), &likeness);
            prop_assert_eq!(grade.is_some(), has_share && is_enough);
        }
    }
}

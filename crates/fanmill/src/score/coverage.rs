//! Exact coverage: tokens that matches cover, among the tokens that count.
//!
//! It is counted on tokens, not estimated from shared fingerprints: resemblance estimated from minimizers is biased
//! (Belbasi et al., Bioinformatics 38, 2022).

use std::ops::Range;

/// The tokens of two submissions that count, and how many of them matches cover.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tokens of A that are not boilerplate.
    pub tokens_a: u64,
    /// Tokens of B that are not boilerplate.
    pub tokens_b: u64,
    /// Tokens of A that lie in matches.
    pub covered_a: u64,
    /// Tokens of B that lie in matches.
    pub covered_b: u64,
}

impl Coverage {
    /// Returns the share of A's tokens that are in B, in `0..=1`; 0 if A has none that count.
    pub fn containment_a(&self) -> f64 {
        share(self.covered_a, self.tokens_a)
    }

    /// Returns the share of B's tokens that are in A, in `0..=1`; 0 if B has none that count.
    pub fn containment_b(&self) -> f64 {
        share(self.covered_b, self.tokens_b)
    }

    /// Swaps A and B.
    #[must_use]
    pub fn turned(self) -> Coverage {
        Coverage {
            tokens_a: self.tokens_b,
            tokens_b: self.tokens_a,
            covered_a: self.covered_b,
            covered_b: self.covered_a,
        }
    }

    /// Returns the share of shared tokens among all of both, in `0..=1`; 0 without tokens.
    ///
    /// Matches pair tokens one to one, so both sides cover the same number, except for tokens in a match that are
    /// boilerplate on one side only; the smaller number counts.
    pub fn resemblance(&self) -> f64 {
        let shared = self.covered_a.min(self.covered_b);
        share(shared, self.tokens_a + self.tokens_b - shared)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Counts the tokens of `covered` that lie in none of `grey`; both are ascending and without overlaps.
pub(crate) fn outside(covered: impl Iterator<Item = Range<usize>>, grey: &[Range<usize>]) -> u64 {
    covered.map(|range| range.len() - inside(&range, grey)).sum::<usize>() as u64
}

/// Returns what is left of `ranges` without `grey`; both are ascending and without overlaps.
pub(crate) fn without(
    ranges: impl Iterator<Item = Range<usize>>,
    grey: &[Range<usize>],
) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    for range in ranges {
        let mut start = range.start;
        let first = grey.partition_point(|run| run.end <= start);
        for run in grey[first..].iter().take_while(|run| run.start < range.end) {
            left.push(start..run.start.max(start));
            start = run.end;
        }
        left.push(start..range.end.max(start));
    }
    left.retain(|range| !range.is_empty());
    left
}

/// Counts the tokens of `range` that lie in `grey`.
fn inside(range: &Range<usize>, grey: &[Range<usize>]) -> usize {
    let first = grey.partition_point(|run| run.end <= range.start);
    grey[first..]
        .iter()
        .take_while(|run| run.start < range.end)
        .map(|run| run.end.min(range.end) - run.start.max(range.start))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boilerplate_is_outside_of_both_sides_of_the_fraction() {
        let grey = [2..4, 8..20];
        let outside = |covered: &[Range<usize>]| outside(covered.iter().cloned(), &grey);
        assert_eq!(
            [outside(&[0..3, 3..10]), outside(&[]), outside(&[9..11, 11..12])],
            [2 + 4, 0, 0]
        );
    }

    #[test]
    fn what_is_left_without_boilerplate_lies_outside_of_it() {
        let grey = [2..4, 8..20];
        let without = |ranges: &[Range<usize>]| without(ranges.iter().cloned(), &grey);
        assert_eq!(without(&[0..3, 3..10, 15..30]), [0..2, 4..8, 20..30]);
        assert_eq!(without(&[9..11, 12..20, 30..31, 40..41]), [30..31, 40..41]);
        assert_eq!(without(&[2..4, 4..8, 20..21]), [4..8, 20..21]);
    }

    #[test]
    fn identical_submissions_are_contained_whole() {
        let close = |x: f64, y: f64| (x - y).abs() < 1e-12;
        let same = Coverage { tokens_a: 7, tokens_b: 7, covered_a: 7, covered_b: 7 };
        assert!(close(same.containment_a(), 1.0) && close(same.resemblance(), 1.0));
        let part = Coverage { tokens_a: 10, tokens_b: 5, covered_a: 5, covered_b: 5 };
        assert!(close(part.containment_a(), 0.5) && close(part.containment_b(), 1.0));
        assert!(close(part.resemblance(), 0.5));
        assert_eq!(Coverage::default().resemblance().to_bits(), 0);
    }
}

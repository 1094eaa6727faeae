//! The score that is shown: that of shared grams, held to the passages that were found.
//!
//! Pairs are ranked by what share of their grams is rare and common to both ([`fusion`](super::fusion)). A reader sees
//! passages, and the two must agree:
//!
//! 1. A pair without a passage scores 0, whatever grams it shares.
//! 2. A pair with a passage scores [`LEAST`] or more, so that no passage stands beside a score of 0.00.
//! 3. A submission of [`ENOUGH`] tokens that count, of which passages cover all, scores [`CONTAINED`] or more, however
//!    large the other one is. Half of it covered is worth little: programs of one task share that much.
//!
//! Cost: a few operations per pair.
//!
//! Source: ours; measured (`DESIGN.md`, "What is a score?").

use crate::score::Coverage;

/// The least score of a pair that shares a passage.
const LEAST: f64 = 0.01;

/// The least score of a pair of which one is contained in the other.
const CONTAINED: f64 = 0.5;

/// Tokens that the contained one has at least.
const ENOUGH: u64 = 100;

/// The final score of a pair that shares a passage; `rank` is that of its shared grams, a fraction in `0..=1`.
pub(crate) fn of_code(rank: f64, coverage: &Coverage) -> f64 {
    rank.max(by_containment(coverage)).clamp(LEAST, 1.0)
}

/// Scores the covered part of the smaller one by itself: its eighth power, so that .9 is worth less than half of all.
fn by_containment(coverage: &Coverage) -> f64 {
    let size = coverage.tokens_a.min(coverage.tokens_b);
    if size < ENOUGH {
        return 0.0;
    }
    let covered = coverage.covered_a.min(coverage.covered_b).min(size) as f64 / size as f64;
    let square = covered * covered;
    CONTAINED * (square * square) * (square * square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(covered: u64, tokens_a: u64, tokens_b: u64) -> Coverage {
        Coverage { tokens_a, tokens_b, covered_a: covered, covered_b: covered }
    }

    #[test]
    fn what_is_contained_whole_scores_half_in_any_size() {
        for tokens_b in [100, 1000, 100_000] {
            assert!(of_code(0.0, &coverage(100, 100, tokens_b)) >= 0.5, "in {tokens_b}");
            assert!(of_code(0.0, &coverage(100, tokens_b, 100)) >= 0.5, "in {tokens_b}");
        }
        assert!(of_code(0.0, &coverage(99, 99, 1000)) < 0.5, "short ones are alike by chance");
        assert!(of_code(0.0, &coverage(90, 100, 1000)) < 0.25);
    }

    #[test]
    fn no_passage_stands_beside_a_score_of_zero() {
        assert!(of_code(0.0, &coverage(11, 5000, 5000)) >= 0.01);
        assert!(of_code(0.001, &coverage(0, 0, 0)) >= 0.01, "all of it is boilerplate");
    }

    #[test]
    fn taking_away_from_a_passage_never_raises_what_it_is_worth() {
        for (a, b) in [(150, 150), (150, 160), (100, 900), (120, 121)] {
            for covered in 1..=a.min(b) {
                let whole = by_containment(&coverage(covered, a, b));
                for taken in 1..=covered {
                    let of_a = by_containment(&coverage(covered - taken, a - taken, b));
                    let of_b = by_containment(&coverage(covered - taken, a, b - taken));
                    assert!(of_a <= whole && of_b <= whole, "{taken} of {covered} in {a}, {b}");
                }
            }
        }
    }
}

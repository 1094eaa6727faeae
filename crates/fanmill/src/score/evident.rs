//! The score of code that is shown: that of shared grams, made to agree with the passages found.
//!
//! Pairs are ranked by the rarity-weighted share of grams that both have ([`fusion`](super::fusion)). A reader sees
//! passages, and the two must agree:
//!
//! 1. A pair without a passage scores 0, whatever grams it shares.
//! 2. A pair with a passage scores [`LEAST`] or more, so that no passage is shown with a score of 0.00.
//! 3. If all grams of a submission with at least [`ENOUGH`] tokens that count are in the other one, the pair scores
//!    [`CONTAINED`] or more, however large that other one is. Half of the grams are worth little: programs of one task
//!    share that much.
//!
//! Cost: a few operations per pair.
//!
//! Source: ours; measured (`design/score-of-prose.md`).

use crate::score::tally::Amount;

/// Minimum score of a pair that shares a passage.
const LEAST: f64 = 0.01;

/// Minimum score of a pair in which one submission contains the other.
const CONTAINED: f64 = 0.5;

/// Minimum number of tokens that both must have for one to count as contained.
const ENOUGH: u64 = 100;

/// Returns the final score of a pair that shares a passage. `rank` is that of its shared grams, and `contained` the
/// share of the smaller one that the larger one [has](contained); both are fractions in `0..=1`.
pub(crate) fn of_code(rank: f64, contained: f64) -> f64 {
    // The eighth power makes .9 worth less than half of all.
    let square = contained * contained;
    let by_containment = CONTAINED * (square * square) * (square * square);
    rank.max(by_containment).clamp(LEAST, 1.0)
}

/// Returns the share of the smaller one's grams that both have; 0 if one of the two has too few `tokens` to judge, or
/// no gram.
pub(crate) fn contained(both: Amount, a: Amount, b: Amount, tokens: [u64; 2]) -> f64 {
    let smaller = a.grams.min(b.grams);
    let is_small = smaller == 0 || tokens.iter().any(|&tokens| tokens < ENOUGH);
    if is_small { 0.0 } else { both.grams as f64 / smaller as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the score of two documents, given the tokens that they share in a row, and those of each that count.
    fn score(tokens: [u64; 3]) -> f64 {
        let [both, a, b] =
            tokens.map(|tokens| Amount { weight: 0, grams: tokens.saturating_sub(10) });
        of_code(0.0, contained(both, a, b, [tokens[1], tokens[2]]))
    }

    #[test]
    fn what_is_contained_whole_scores_half_in_any_size() {
        for larger in [100, 1000, 100_000] {
            assert!(score([100, 100, larger]) >= 0.5, "in {larger}");
            assert!(score([100, larger, 100]) >= 0.5, "in {larger}");
        }
        assert!(score([99, 99, 1000]) < 0.5, "short ones are alike by chance");
        assert!(score([90, 100, 1000]) < 0.25);
    }

    #[test]
    fn files_may_be_short() {
        let [both, a, b] = [12, 12, 500].map(|grams| Amount { weight: 0, grams });
        assert!(of_code(0.0, contained(both, a, b, [120, 600])) >= 0.5, "ten files of 12 tokens");
        assert!(contained(both, a, b, [99, 600]) <= 0.0, "all else is boilerplate");
        let none = Amount::default();
        assert!(contained(none, none, b, [120, 600]) <= 0.0);
    }

    #[test]
    fn no_passage_stands_beside_a_score_of_zero() {
        assert!(score([1, 5000, 5000]) >= 0.01);
        assert!(of_code(0.001, 0.0) >= 0.01);
    }

    #[test]
    fn taking_away_from_a_passage_never_raises_what_it_is_worth() {
        for (a, b) in [(150, 150), (150, 160), (100, 900), (120, 121)] {
            for both in 1..=a.min(b) {
                for taken in 1..=both {
                    let of_a = score([both - taken, a - taken, b]);
                    let of_b = score([both - taken, a, b - taken]);
                    let whole = score([both, a, b]);
                    assert!(of_a <= whole && of_b <= whole, "{taken} of {both} in {a}, {b}");
                }
            }
        }
    }
}

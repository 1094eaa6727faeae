//! Fusion: one score from what two submissions share in each channel.
//!
//! Someone who disguises a copy changes the structure or the names. So both are compared, and the higher score counts;
//! in an average, the disguised one would have a veto. In steps:
//!
//! 1. *Structure*: the mean of the structural and the plain channel. The structural channel separates programs of one
//!    task better, the plain one sees more of what was rewritten.
//! 2. *Program*: structure or names, whichever shares more.
//! 3. *Literals*: programs of a few lines that solve one task have the same structure, whoever wrote them. So the fewer
//!    grams the smaller of the two has, the more its numbers and strings decide: all of the score at no grams, `e^-1`
//!    of it at a hundred, a thousandth at seven hundred, and nothing beyond. Fewer than three literals decide nothing
//!    either.
//!
//! Cost: a few operations per candidate.
//!
//! Source: ours; measured (`design/ranking.md`).

use crate::score::Channel;
use crate::score::rarity::Shared;

/// Number of structural grams at which literals make up `1/e` of the score.
const TINY: f64 = 100.0;
/// Number of structural grams from which on literals are ignored: they would change the score by less than a
/// thousandth.
const NOT_TINY: u64 = 700;
/// Minimum number of literals for a submission to be judged by them.
const ENOUGH_LITERALS: u64 = 3;

/// Sizes that decide how much literals count: of one submission, or the smaller ones of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of structural grams, repetitions included.
    pub n_grams: u64,
    /// Number of numbers and strings, repetitions included.
    pub n_literals: u64,
}

impl Size {
    /// Returns the smaller of each.
    #[must_use]
    pub fn min(self, other: Size) -> Size {
        Size {
            n_grams: self.n_grams.min(other.n_grams),
            n_literals: self.n_literals.min(other.n_literals),
        }
    }

    /// Returns whether literals count: for a pair, given the smaller sizes.
    pub fn has_literals(self) -> bool {
        self.n_literals >= ENOUGH_LITERALS && self.n_grams < NOT_TINY
    }

    /// Returns the weight of literals where they count, a fraction in `0..=1`.
    fn weight_of_literals(self) -> f64 {
        libm::exp(-(self.n_grams as f64) / TINY)
    }
}

/// Returns the score of two submissions, given what they share in each channel and the smaller of their sizes. Literals
/// are asked for only if they count.
///
/// The evidence is that of the program: literals only change the share.
pub fn fused(shared: impl Fn(Channel) -> Shared, smaller: Size) -> Shared {
    let [symbols, plain] = [Channel::Structural, Channel::Plain].map(&shared);
    let structure = Shared {
        share: f64::midpoint(symbols.share, plain.share),
        evidence: symbols.evidence.midpoint(plain.evidence),
    };
    let names = shared(Channel::Lexical);
    let program = if names.share > structure.share { names } else { structure };
    if !smaller.has_literals() {
        return program;
    }
    let literals = shared(Channel::Literal).share - program.share;
    let share = program.share + smaller.weight_of_literals() * literals;
    // Rounding may leave the range by the last bit.
    Shared { share: share.clamp(0.0, 1.0), ..program }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: Size = Size { n_grams: 10_000, n_literals: 10 };

    fn score(shares: [f64; 4], smaller: Size) -> f64 {
        let of = |channel: Channel| {
            let at = Channel::ALL.iter().position(|&other| other == channel);
            Shared { share: shares[at.expect("one of all")], evidence: 1 }
        };
        fused(of, smaller).share
    }

    #[test]
    fn the_channel_that_was_not_disguised_decides() {
        let close = |x: f64, y: f64| (x - y).abs() < 1e-9;
        assert!(close(score([0.2, 0.4, 0.8, 0.0], LARGE), 0.8), "the structure was changed");
        assert!(close(score([0.6, 0.8, 0.1, 0.0], LARGE), 0.7), "the names were");
    }

    #[test]
    fn literals_decide_only_where_programs_are_tiny() {
        let shares = [0.6, 0.6, 0.6, 0.0];
        assert!(score(shares, Size { n_grams: 10, n_literals: 5 }) < 0.1);
        assert!(score(shares, Size { n_grams: 800, n_literals: 5 }) > 0.59);
        let without = score(shares, Size { n_grams: 10, n_literals: 2 });
        assert!((without - 0.6).abs() < 1e-9, "two literals say nothing");
    }

    #[test]
    fn copies_score_one_at_any_size() {
        for n_grams in 0..2000 {
            let one = score([1.0; 4], Size { n_grams, n_literals: 3 });
            assert!(one.to_bits() == 1.0_f64.to_bits(), "{one} at {n_grams} grams");
        }
    }
}

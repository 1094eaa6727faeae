//! Expectation: the number of pairs with at least some score that unrelated submissions of a batch would give.
//!
//! A score of .3 is a copy in one batch and common in another. The batch itself shows what is common: nearly all of its
//! pairs are unrelated. In steps:
//!
//! 1. *Bulk*: all pairs that may be compared; one without a passage scores 0. Linked submissions weigh as one.
//! 2. *Tail*: an exponential through two scores of the bulk, that of the median pair and the one that a tenth of all
//!    pairs reach. If fewer than half share anything, the first is where sharing begins, and the second the one that a
//!    fifth of those that share reach: in a mixture of tasks, most pairs say nothing about those of one task. But as
//!    many pairs as there are submissions reach the second in any case: where only copies share anything, it is 0.
//! 3. *Expectation* of a score `s`, of `N` pairs of different groups: from the second score on, `N · share · exp(-x)`
//!    with `x = (s - score) / scale`; and since the scale is only estimated, `(1 + x / m)^-m` in place of `exp(-x)`,
//!    where `m` is the number of draws that would estimate it as well.
//! 4. *Links*: pairs that chance gives less than half a time are not part of the bulk. Their submissions become groups,
//!    and steps 2 and 3 are repeated until no pair is added. Each round can only lower the threshold.
//! 5. *Unjudged*: if even an identical pair would not stand out, copies may be most of the batch. Then submissions that
//!    score .6 or more are linked first. If that does not help, or too few groups remain, there is no expectation.
//!
//! Cost: O(p log p) for p pairs that share something; a few passes over them.
//! Source: ours. The question is that of BLAST for sequences, where the tail follows from a model of letters; here it
//! follows from the batch. Step 3 is the predictive distribution of an exponential.

use serde::{Deserialize, Serialize};

use crate::score::bulk::Bulk;

pub use crate::score::bulk::ScoredPair;

/// Expectation below which two submissions are linked: chance gives half a pair in this batch.
pub const LINKS: f64 = 0.5;
/// Expectation below which a pair stands out: one in ten batches of unrelated submissions has one.
pub const STANDS_OUT: f64 = 0.1;
/// Minimum score that links two submissions of a batch that cannot be judged.
pub const LINKS_UNJUDGED: f64 = 0.3;

/// Minimum number of pairs of groups in a bulk: those of five submissions.
const LEAST_PAIRS: u64 = 10;
/// Minimum number of groups for a bulk that is left between many copies. Of sixteen independent programs of a few
/// lines, chains of such copies leave five or nine.
const LEAST_GROUPS_APART: u64 = 10;
/// Score of near-copies, where there are so many copies that the bulk does not reveal them.
const NEAR_COPIES: f64 = 0.6;
/// Maximum number of rounds of linking; more than nine were never seen.
const MAX_ROUNDS: usize = 16;

/// Parameters of the fit.
///
/// Measured with one set left out (`bench accuracy --expectation`; `design/ranking.md`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Share of all pairs that reach the lower score, if that many share anything.
    pub bulk: f64,
    /// Ratio of the pairs that reach the lower score to those that reach the upper one.
    pub ratio: f64,
    /// Minimum number of pairs that reach the upper score, for each group: that many may be copies without spoiling the
    /// fit.
    pub copies: f64,
    /// Minimum scale, in units of the score: a batch that shares nothing does not prove that chance is that rare.
    pub floor: f64,
    /// Expectation below which submissions are linked.
    pub links: f64,
}

impl Shape {
    /// Returns the parameters that [`Expectation::fit`] uses.
    #[must_use]
    pub fn standard() -> Shape {
        Shape { bulk: 0.5, ratio: 5.0, copies: 1.0, floor: 0.04, links: LINKS }
    }
}

/// Number of pairs that chance gives at each score, fitted to a batch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// Number of groups of submissions, when linked ones weigh as one.
    pub n_groups: u64,
    /// Number of pairs of submissions of different groups that may be compared; two archived ones may not.
    pub n_pairs: u64,
    /// Score of the bulk.
    pub lower: Quantile,
    /// Score at which the tail begins.
    pub upper: Quantile,
    /// Difference of scores by which a pair becomes `e` times rarer.
    pub scale: f64,
    /// Number of draws from the tail that would estimate the scale as well: the fewer, the more slowly pairs become
    /// rarer.
    pub n_draws: f64,
}

/// A score, and the share of pairs that reach it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Share of all pairs between groups, a fraction in `0..=1`.
    pub share: f64,
    /// A fraction in `0..=1`.
    pub score: f64,
}

/// Reason why the expectation of a batch is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Unjudged {
    /// There are too few pairs.
    TooFewPairs {
        /// Number of pairs that may be compared.
        n_pairs: u64,
        /// Minimum number of pairs.
        least: u64,
    },
    /// Without copies, too few groups of submissions remain.
    MostlyCopies {
        /// Number of different submissions.
        n_submissions: u64,
        /// Number of groups of submissions, when linked ones weigh as one.
        n_groups: u64,
    },
    /// Archived submissions were chosen by an index because they share something.
    ChosenSources,
    /// Even a pair of identical submissions would not stand out: all are much alike, or most are copies.
    AllAlike {
        /// Score of the median pair, or the one at which sharing begins.
        typical: f64,
        /// Number of pairs of score 1 that chance gives.
        expected: f64,
    },
}

impl Expectation {
    /// Fits the tail to the pairs of a batch.
    ///
    /// `is_archived` has one entry for each class of identical submissions: true if all of it is archived. `pairs` are
    /// those of different classes, each once and in any order; a pair that is not among them, or of two archived
    /// classes, shares nothing.
    ///
    /// # Errors
    /// If the batch cannot be judged.
    pub fn fit(pairs: &[ScoredPair], is_archived: &[bool]) -> Result<Expectation, Unjudged> {
        Expectation::fit_with(Shape::standard(), pairs, is_archived)
    }

    /// Fits a tail with other parameters.
    ///
    /// # Errors
    /// If the batch cannot be judged.
    pub fn fit_with(
        shape: Shape,
        pairs: &[ScoredPair],
        is_archived: &[bool],
    ) -> Result<Expectation, Unjudged> {
        let bulk = Bulk::new(pairs, is_archived);
        let first = settle(shape, bulk.clone(), None);
        if !matches!(first, Err(Unjudged::AllAlike { .. })) {
            return first;
        }
        let apart = settle(shape, bulk, Some(NEAR_COPIES));
        apart.ok().filter(|apart| apart.n_groups >= LEAST_GROUPS_APART).map_or(first, Ok)
    }

    /// Returns the number of pairs with at least this score that unrelated submissions of the batch would give.
    ///
    /// The result never rises with the score. For 0 it is the number of pairs of different groups, which it never
    /// exceeds.
    pub fn of(&self, score: f64) -> f64 {
        let n_pairs = self.n_pairs as f64;
        if score > 0.0 { n_pairs.min(self.tail(score)) } else { n_pairs }
    }

    /// Returns the score from which on chance gives `expected` pairs; more than 1 if no score is that rare.
    ///
    /// Infinite if `expected` is not positive.
    pub fn score_at(&self, expected: f64) -> f64 {
        if expected > 0.0 {
            let odds = libm::log(self.n_pairs as f64 * self.upper.share / expected);
            let beyond = libm::expm1(odds / self.n_draws) * self.n_draws;
            (self.upper.score + self.scale * beyond).max(0.0)
        } else {
            f64::INFINITY
        }
    }

    /// Computes step 3. The base is never negative: so far below the second score, all pairs are expected.
    fn tail(&self, score: f64) -> f64 {
        let beyond = (score - self.upper.score) / self.scale;
        let is_reached = beyond > -self.n_draws;
        let odds = if is_reached { libm::log1p(beyond / self.n_draws) } else { f64::NEG_INFINITY };
        self.n_pairs as f64 * self.upper.share * libm::exp(-odds * self.n_draws)
    }
}

/// Fits and links in turn until nothing new is linked; `start` is the score from which on pairs are linked first.
fn settle(shape: Shape, mut bulk: Bulk, start: Option<f64>) -> Result<Expectation, Unjudged> {
    let n_submissions = bulk.n_groups();
    let n_pairs = bulk.n_pairs();
    if n_pairs < LEAST_PAIRS {
        return Err(Unjudged::TooFewPairs { n_pairs, least: LEAST_PAIRS });
    }
    let mut linked = start.unwrap_or(f64::INFINITY);
    let mut rounds = 0;
    let fitted = loop {
        bulk.link(linked);
        if bulk.weight() < LEAST_PAIRS as f64 {
            return Err(Unjudged::MostlyCopies { n_submissions, n_groups: bulk.n_groups() });
        }
        let fitted = tail(shape, &bulk);
        let threshold = fitted.score_at(shape.links);
        rounds += 1;
        if threshold >= linked || rounds == MAX_ROUNDS {
            break fitted;
        }
        linked = threshold;
    };
    let expected = fitted.tail(1.0);
    if expected > STANDS_OUT {
        return Err(Unjudged::AllAlike { typical: fitted.lower.score, expected });
    }
    Ok(fitted)
}

/// Fits the exponential through two scores of the bulk.
fn tail(shape: Shape, bulk: &Bulk) -> Expectation {
    let all = bulk.weight();
    let least = shape.ratio * shape.copies * bulk.n_groups() as f64;
    let first = (all * shape.bulk).min(bulk.weight_sharing().max(least));
    let quantile = |weight: f64| Quantile { share: weight / all, score: bulk.score_at(weight) };
    let (lower, upper) = (quantile(first), quantile(first / shape.ratio));
    let odds = libm::log(shape.ratio);
    // The variance of a difference of two ranks' scores is the sum of 1/r² from the one rank to the other.
    let variance = (shape.ratio - 1.0) / first;
    Expectation {
        n_groups: bulk.n_groups(),
        n_pairs: bulk.n_pairs(),
        lower,
        upper,
        scale: ((upper.score - lower.score) / odds).max(shape.floor),
        n_draws: odds * odds / variance,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::bulk::tests::{batches, naive};
    use fanmill_kernel::hash::mix::SplitMix;

    /// Generates all pairs of `n` submissions, with scores drawn from an exponential of the mean `scale`.
    fn unrelated(n: u32, scale: f64, random: &mut SplitMix) -> Vec<ScoredPair> {
        let mut draw = || {
            let chance = (random.draw() >> 11) as f64 / (1_u64 << 53) as f64;
            (-scale * libm::log(1.0 - chance)).min(1.0)
        };
        let places = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
        places.map(|(a, b)| ScoredPair { a, b, score: draw() }).collect()
    }

    fn count_below(fitted: &Expectation, pairs: &[ScoredPair], expected: f64) -> usize {
        pairs.iter().filter(|pair| fitted.of(pair.score) <= expected).count()
    }

    #[test]
    fn unrelated_submissions_give_what_is_expected() {
        let mut random = SplitMix::new(39);
        for (n, n_batches) in [(6, 2000), (20, 500), (60, 200)] {
            let levels = [1.0, 0.1];
            let mut counts = [0; 2];
            for _ in 0..n_batches {
                let pairs = unrelated(n, 0.07, &mut random);
                let Ok(fitted) = Expectation::fit(&pairs, &vec![false; n as usize]) else {
                    continue;
                };
                for (count, level) in counts.iter_mut().zip(levels) {
                    *count += count_below(&fitted, &pairs, level);
                }
            }
            for (count, level) in counts.into_iter().zip(levels) {
                let mean = count as f64 / f64::from(n_batches);
                assert!(mean <= 2.0 * level, "{n} submissions: {mean} pairs at {level}");
                assert!(n < 20 || mean >= 0.3 * level, "{n} submissions: {mean} at {level}");
            }
        }
    }

    /// Of two hundred million pairs, only the best are scored, forty per submission.
    #[test]
    fn twenty_thousand_submissions_of_which_few_pairs_are_scored() {
        let n = 20_000;
        let mut random = SplitMix::new(4);
        let mut pairs = unrelated(1265, 0.04, &mut random);
        for pair in &mut pairs {
            // The best scores of so many exponentials are exponential beyond a bound.
            pair.score = (pair.score + 0.22).min(1.0);
            pair.a = random.below(n / 2) as u32;
            pair.b = (n / 2 + random.below(n / 2)) as u32;
        }
        let fitted = Expectation::fit(&pairs, &vec![false; n]).expect("judged");
        assert!(fitted.n_pairs > 199_980_000, "{fitted:?}");
        assert!((0.035..0.05).contains(&fitted.scale), "{fitted:?}");
        let n_below = count_below(&fitted, &pairs, 1.0);
        assert!(n_below <= 6, "{n_below} of {} pairs: {fitted:?}", pairs.len());
    }

    #[test]
    fn copies_change_expectations_only_by_the_pairs_that_they_add() {
        let mut random = SplitMix::new(7);
        for n_copies in [1_u32, 3, 10, 30, 60] {
            let n = 40;
            let pairs = unrelated(n, 0.06, &mut random);
            let before = Expectation::fit(&pairs, &[false; 40]).expect("judged");
            let mut with = pairs.clone();
            for copy in n..n + n_copies {
                let of_first = pairs.iter().filter(|pair| pair.a == 0);
                with.extend(of_first.map(|pair| ScoredPair { a: copy, ..*pair }));
                with.extend((n..copy).chain([0]).map(|a| ScoredPair { a, b: copy, score: 0.9 }));
            }
            let after =
                Expectation::fit(&with, &vec![false; (n + n_copies) as usize]).expect("judged");
            let more_pairs = after.n_pairs as f64 / before.n_pairs as f64;
            for score in [0.1, 0.3, 0.5, 0.8] {
                let factor = after.of(score) / before.of(score) / more_pairs;
                assert!((0.9..1.1).contains(&factor), "{n_copies} at {score}: {factor}");
            }
        }
    }

    #[test]
    fn what_cannot_be_judged_has_a_reason() {
        let mut random = SplitMix::new(2);
        let four = Expectation::fit(&unrelated(4, 0.05, &mut random), &[false; 4]);
        assert_eq!(four, Err(Unjudged::TooFewPairs { n_pairs: 6, least: 10 }));
        let mut pairs = unrelated(30, 0.05, &mut random);
        for pair in &mut pairs {
            pair.score = 0.8 + pair.score.min(0.2);
        }
        let alike = Expectation::fit(&pairs, &[false; 30]);
        assert!(matches!(alike, Err(Unjudged::AllAlike { typical, .. }) if typical > 0.8));
        // Three solutions, each handed in ten times.
        for pair in &mut pairs {
            pair.score = if pair.a % 3 == pair.b % 3 { 0.95 } else { 0.05 };
        }
        assert!(Expectation::fit(&pairs, &[false; 30]).is_err());
        assert!(Expectation::fit(&[], &[]).is_err());
    }

    /// Two thirds copied one solution; the others are judged, and the copies stand out.
    #[test]
    fn a_bulk_beside_many_copies_is_found() {
        let mut pairs = unrelated(45, 0.04, &mut SplitMix::new(11));
        let of_original: Vec<f64> = (0..45)
            .map(|b| pairs.iter().find(|p| (p.a, p.b) == (0, b)).map_or(0.0, |p| p.score))
            .collect();
        for pair in pairs.iter_mut().filter(|pair| pair.a < 30) {
            let noise = pair.score.min(0.5);
            pair.score = if pair.b < 30 {
                0.65 + 0.3 * noise
            } else {
                of_original[pair.b as usize] * (0.8 + 0.2 * noise)
            };
        }
        let fitted = Expectation::fit(&pairs, &[false; 45]).expect("judged");
        assert_eq!(fitted.n_groups, 16);
        assert!(fitted.of(0.65) < 0.01, "{fitted:?}");
    }

    #[test]
    fn a_batch_that_shares_nothing_is_judged_by_the_floor() {
        let fitted = Expectation::fit(&[], &[false; 40]).expect("judged");
        assert_eq!(fitted.scale.to_bits(), Shape::standard().floor.to_bits());
        assert!(fitted.of(0.5) < 0.01 && fitted.of(0.1) > 0.5, "{fitted:?}");
    }

    proptest! {
        #[test]
        fn an_expectation_never_rises_with_the_score_and_is_a_number(
            (pairs, is_archived) in batches(),
            odd in proptest::option::of(0_usize..20),
        ) {
            let mut pairs = pairs;
            if let Some(pair) = odd.and_then(|odd| pairs.get_mut(odd)) {
                pair.score = f64::NAN;
            }
            if let Ok(fitted) = Expectation::fit(&pairs, &is_archived) {
                let mut last = f64::INFINITY;
                for step in 0..=100 {
                    let expected = fitted.of(f64::from(step) / 100.0);
                    prop_assert!(expected >= 0.0 && expected <= last);
                    last = expected;
                }
                for expected in [0.0, 0.01, 0.1, 0.5, 1.0, 1e9] {
                    prop_assert!(fitted.score_at(expected) >= 0.0);
                }
                let threshold = fitted.score_at(STANDS_OUT);
                prop_assert!(threshold <= 1.0 + 1e-9);
                prop_assert!(threshold == 0.0 || (fitted.of(threshold) - STANDS_OUT).abs() < 1e-9);
            }
        }

        #[test]
        fn the_order_of_pairs_does_not_matter((pairs, is_archived) in batches()) {
            let backwards: Vec<ScoredPair> = pairs.iter().rev().copied().collect();
            let [one, other] =
                [&pairs, &backwards].map(|pairs| Expectation::fit(pairs, &is_archived));
            prop_assert_eq!(one, other);
        }

        #[test]
        fn the_tail_is_that_of_all_pairs((pairs, is_archived) in batches()) {
            let fitted = Expectation::fit(&pairs, &is_archived);
            let all = naive(&pairs, &is_archived, f64::INFINITY);
            if let Ok(fitted) = fitted && fitted.n_groups == is_archived.len() as u64 {
                prop_assert_eq!(fitted.n_pairs, all.len() as u64);
                let wanted = fitted.upper.share * all.len() as f64;
                let is_at_a_step = (wanted - wanted.round()).abs() < 1e-6;
                #[expect(clippy::cast_sign_loss, reason = "ranks are not negative")]
                let rank = wanted as usize;
                prop_assert!(
                    is_at_a_step || all[rank].0.to_bits() == fitted.upper.score.to_bits()
                );
            }
        }
    }
}

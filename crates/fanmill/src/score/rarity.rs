//! The ranking score: the amount of rare material that two submissions share.
//!
//! By length alone, a long run of idioms would rank above a short piece of someone's own invention; rarity alone has no
//! scale. The score is the rarity-weighted share of the smaller submission that is found in the larger, bounded by how
//! similar their sizes are. In steps:
//!
//! 1. *Channels.* Structural grams survive renaming, lexical grams (names kept, punctuation dropped) survive
//!    restructuring. Each channel is scored by itself, and [`fusion`](super::fusion) makes one score of them.
//! 2. *Weight* of a gram that `df` of `N` [groups](crate::score::Groups) hold: `ln((N + 10) / df)^1.5`. A submission
//!    without near-copies is a group by itself; a group of near-copies counts once, however large. The logarithm is the
//!    log-odds of a coincidence. The power stresses what is really rare, because neighbouring grams repeat the same
//!    common idiom. Ten imagined groups keep weights above zero where all real ones hold the gram. This step does most
//!    of what a template file would do.
//! 3. *Share* `m`: weight of the shared grams, as multisets, over the weight of the submission that weighs less.
//! 4. *Ceiling* `q = 0.2 + 0.8 · lighter / heavier`. A small program inside a big one is weaker evidence than two
//!    programs of the same size. But at a low share, a difference in size is typical of a copied part, and must not
//!    lower the score. Hence a bound, not a factor: `score = m / (1 + m^6 (q^-6 - 1))^(1/6)`, a smooth `min(m, q)` that
//!    is 1 only for `m = q = 1`.
//! 5. *Where copies are common, rarity misleads*: three hundred near-copies of one program make it common material. So
//!    the same bounded share with all weights equal also counts, as far as it is above what independent work shares:
//!    `(plain - 0.4) / 0.6`. The larger of the two is the score.
//!
//! Cost: that of the [tally](super::tally), and a few roots for each pair.
//!
//! Source: ours. The weights are in the spirit of compare50's rarity-weighted fingerprints; the channels, the power and
//! the ceiling were measured (`design/ranking.md`).

use crate::index::SubmissionId;
use crate::pair::Candidate;
use crate::score::tally::Amount;
use crate::score::{Profile, evident};

/// Number of imagined groups added to the real ones; they hold no gram.
pub(super) const IMAGINED: f64 = 10.0;
/// Ceiling for a tiny submission inside a huge one.
const FLOOR: f64 = 0.2;
/// Unweighted share of grams above which independent work is rarely found.
const USUAL: f64 = 0.4;

/// The material that two submissions share in one channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// The score of steps 3 to 5, a fraction in `0..=1`.
    pub share: f64,
    /// Weight of the grams that both hold: the amount of evidence behind the score.
    pub evidence: u64,
}

/// The scores of a batch in one channel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    wholes: Vec<Amount>,
    /// In the order of the candidates.
    shared: Vec<Amount>,
}

impl Scores {
    /// Computes the scores of candidates, and of submissions with identical ones.
    ///
    /// `held` is the amount counted for each submission: its grams that others hold too, weighed by [`weights`].
    /// `shared` is the amount counted for each candidate: the grams that both hold.
    pub fn new(
        profiles: &[Profile],
        held: &[Amount],
        shared: Vec<Amount>,
        weights: &[u64],
    ) -> Scores {
        // Grams that nobody else holds were never counted one by one; all have the weight for df = 1.
        let alone = weights.get(1).copied().unwrap_or(0);
        let wholes = held.iter().zip(profiles).map(|(held, profile)| {
            let n_grams = profile.n_grams();
            Amount { weight: held.weight + alone * (n_grams - held.grams), grams: n_grams }
        });
        Scores { wholes: wholes.collect(), shared }
    }

    /// Returns the score of a candidate; `number` is its index among all of them.
    pub fn of_pair(&self, number: usize, pair: &Candidate) -> Shared {
        bounded(self.shared[number], self.wholes[pair.a as usize], self.wholes[pair.b as usize])
    }

    /// Returns the share of the smaller one's grams that both of a candidate have, all weighed alike; 0 if one of the
    /// two has too few `tokens` to judge.
    pub fn contained(&self, number: usize, pair: &Candidate, tokens: [u64; 2]) -> f64 {
        let (a, b) = (self.wholes[pair.a as usize], self.wholes[pair.b as usize]);
        evident::contained(self.shared[number], a, b, tokens)
    }

    /// Returns whether the share of a candidate is `least` or more; for most of those below, this takes no root.
    pub fn reaches(&self, number: usize, pair: &Candidate, least: f64) -> bool {
        let (a, b) = (self.wholes[pair.a as usize], self.wholes[pair.b as usize]);
        let Amount { weight, grams } = self.shared[number];
        let rare = weight as f64 / a.weight.min(b.weight) as f64;
        let plain = grams as f64 / a.grams.min(b.grams) as f64;
        // A bound never raises a share.
        (rare >= least || beyond_the_usual(plain) >= least)
            && self.of_pair(number, pair).share >= least
    }

    /// Returns the scores of more candidates: those of the `counted` ones are known, and the others share nothing.
    #[must_use]
    pub fn spread(self, counted: impl Iterator<Item = bool>) -> Scores {
        let mut shared = self.shared.into_iter();
        let next = |is_counted: bool| if is_counted { shared.next() } else { None };
        let shared = counted.map(next).map(Option::unwrap_or_default).collect();
        Scores { shared, ..self }
    }

    /// Returns the score of a submission with an identical one.
    pub fn identical(&self, id: SubmissionId) -> Shared {
        let whole = self.wholes[id as usize];
        bounded(whole, whole, whole)
    }
}

/// Computes steps 3 to 5, for the grams of both, of A and of B.
fn bounded(both: Amount, a: Amount, b: Amount) -> Shared {
    let rare = bounded_share(both.weight, a.weight, b.weight);
    // A bound never raises a share. Most shares are usual ones already, and need not be bounded.
    let is_usual = both.grams as f64 / a.grams.min(b.grams) as f64 <= USUAL;
    let plain = if is_usual { 0.0 } else { bounded_share(both.grams, a.grams, b.grams) };
    Shared { share: rare.max(beyond_the_usual(plain)), evidence: both.weight }
}

/// Returns the weights of grams, by the number of groups that hold them, out of `n_groups`.
pub fn weights(n_groups: usize) -> Vec<u64> {
    (0..=n_groups).map(|df| weight(df, n_groups)).collect()
}

/// Computes step 2: the weight, in units of 1/65536, of a gram that `df` of `n_groups` hold. It is an integer, so that
/// sums do not depend on their order.
pub fn weight(df: usize, n_groups: usize) -> u64 {
    if df == 0 {
        return 0;
    }
    let odds = libm::log((n_groups as f64 + IMAGINED) / df as f64);
    // The power of 1.5.
    let stressed = odds * odds.sqrt();
    #[expect(clippy::cast_sign_loss, reason = "df is at most n, so the logarithm is positive")]
    let scaled = libm::round(65536.0 * stressed) as u64;
    scaled.max(1)
}

/// Computes steps 3 and 4: the share of the lighter whole, bounded by the ceiling.
fn bounded_share(shared: u64, whole_a: u64, whole_b: u64) -> f64 {
    if shared == 0 {
        return 0.0;
    }
    let (lighter, heavier) = (whole_a.min(whole_b), whole_a.max(whole_b));
    let share = shared as f64 / lighter as f64;
    let ceiling = FLOOR + (1.0 - FLOOR) * lighter as f64 / heavier as f64;
    let excess = sixth_power(share) * (1.0 / sixth_power(ceiling) - 1.0);
    // For two equal wholes, rounding makes the ceiling, and so the result, more than 1 by the last bit: 0.8 · 3 / 3.
    (share / libm::cbrt((1.0 + excess).sqrt())).min(1.0)
}

/// Returns `x^6`: the exponent of the smooth minimum sets how sharply the ceiling bounds the share.
fn sixth_power(x: f64) -> f64 {
    let cube = x * x * x;
    cube * cube
}

/// Computes step 5: the part of an unweighted share that independent work does not explain.
fn beyond_the_usual(plain_share: f64) -> f64 {
    ((plain_share - USUAL) / (1.0 - USUAL)).max(0.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::score::Groups;
    use crate::score::profile::tests::profile;
    use crate::score::tally::{Row, Scratch, all_batches, rows};
    use fanmill_kernel::hash::mix::mix;

    fn close(x: f64, y: f64) -> bool {
        (x - y).abs() < 1e-12
    }

    /// The scores of all pairs of a batch.
    struct All {
        scores: Scores,
    }

    impl All {
        fn score(&self, a: u32, b: u32) -> Shared {
            let (low, high) = (a.min(b) as usize, a.max(b) as usize);
            if low == high {
                return self.scores.identical(a);
            }
            let pair = Candidate { a: low as u32, b: high as u32 };
            self.scores.of_pair(high * (high - 1) / 2 + low, &pair)
        }
    }

    fn profiles(batch: &[Vec<u64>]) -> All {
        grouped(batch, &Groups::alone(batch.len()))
    }

    fn grouped(batch: &[Vec<u64>], groups: &Groups) -> All {
        let profiles: Vec<Profile> = batch.iter().map(|hashes| profile(hashes)).collect();
        let ids = 0..batch.len() as u32;
        let pairs = ids.flat_map(|b| (0..b).map(move |a| Candidate { a, b }));
        All { scores: scores(&profiles, &pairs.collect::<Vec<_>>(), groups) }
    }

    fn scores(profiles: &[Profile], candidates: &[Candidate], groups: &Groups) -> Scores {
        let (n, weights) = (profiles.len(), weights(groups.n_groups()));
        let (_, batches) = all_batches(profiles, groups);
        let (rows, mut scratch) = (rows(n, candidates), Scratch::new(n));
        let (mut held, mut shared) =
            (vec![Amount::default(); n], vec![Amount::default(); candidates.len()]);
        for (b, held) in held.iter_mut().enumerate() {
            let row = rows[b]..rows[b + 1];
            let (candidates, shared) = (&candidates[row.clone()], &mut shared[row]);
            let mut row = Row { id: b as u32, held, candidates, shared };
            for holdings in &batches {
                row.count(holdings, &weights, &mut scratch);
            }
        }
        Scores::new(profiles, &held, shared, &weights)
    }

    /// The naive twin: computes the formula on multisets of hashes.
    fn naive(batch: &[Vec<u64>], lowest: &[u32], a: usize, b: usize) -> f64 {
        let n_groups = lowest.iter().collect::<BTreeSet<_>>().len();
        let df = |gram: u64| {
            let holders = batch.iter().zip(lowest).filter(|(grams, _)| grams.contains(&gram));
            holders.map(|(_, lowest)| lowest).collect::<BTreeSet<_>>().len()
        };
        let score = |weigh: &dyn Fn(u64) -> u64| {
            let total = |i: usize| batch[i].iter().map(|&gram| weigh(gram)).sum::<u64>();
            let times =
                |i: usize, gram: u64| batch[i].iter().filter(|&&other| other == gram).count();
            let mut distinct = batch[a].clone();
            distinct.sort_unstable();
            distinct.dedup();
            let both = |gram: u64| times(a, gram).min(times(b, gram)) as u64 * weigh(gram);
            bounded_share(distinct.into_iter().map(both).sum(), total(a), total(b))
        };
        let rare = score(&|gram| weight(df(gram), n_groups));
        rare.max(beyond_the_usual(score(&|_| 1)))
    }

    #[test]
    fn identical_submissions_score_one_in_any_batch() {
        let two = profiles(&[vec![1, 2, 2, 3], vec![3, 2, 1, 2]]);
        assert!(close(two.score(0, 1).share, 1.0));
        let all_alike = profiles(&vec![vec![1, 2, 3]; 50]);
        assert!(close(all_alike.score(7, 31).share, 1.0));
    }

    #[test]
    fn nothing_shared_scores_zero() {
        let profiles = profiles(&[vec![1, 2], vec![3, 4], vec![]]);
        assert_eq!([(0, 1), (0, 2), (2, 2)].map(|(a, b)| profiles.score(a, b).evidence), [0; 3]);
    }

    #[test]
    fn rare_material_counts_more_than_common() {
        // Submissions 0 and 1 share a gram that nobody else has, 2 and 3 one that everybody has.
        let mut batch = vec![vec![1, 50, 51], vec![1, 60, 61], vec![9, 70, 71], vec![9, 80, 81]];
        batch.extend((100..120).map(|i| vec![9, 10 * i, 10 * i + 1]));
        let profiles = profiles(&batch);
        assert!(profiles.score(0, 1).share > 2.0 * profiles.score(2, 3).share);
    }

    #[test]
    fn near_copies_do_not_make_their_material_common() {
        // Sixteen programs share half of their grams; all but the last are one group.
        let program = |id: u64, from: u64| (0..40).chain(1000 * id..1000 * id + from).collect();
        let mut batch: Vec<Vec<u64>> = (1..17).map(|id| program(id, 40)).collect();
        batch.extend((100..140).map(|id| (1000 * id..1000 * id + 80).collect()));
        let lowest = (0..batch.len() as u32).map(|id| if id < 15 { 0 } else { id }).collect();
        let as_many = profiles(&batch).score(0, 15).share;
        let as_one = grouped(&batch, &Groups::new(lowest)).score(0, 15).share;
        assert!(as_one > 1.2 * as_many, "{as_one} is not above {as_many}");
    }

    #[test]
    fn no_share_is_above_one() {
        for heavier in 1..2000_u64 {
            for lighter in [1, heavier / 2, heavier - 1, heavier] {
                assert!(bounded_share(lighter, lighter, heavier) <= 1.0, "{lighter} of {heavier}");
            }
        }
    }

    #[test]
    fn many_copies_still_score_high() {
        // Each copy keeps four fifths of a program of 300 grams, with another fifth missing, and adds 60.
        let copy = |i: u64| {
            let kept = (0..300).filter(move |gram| !(gram + i).is_multiple_of(5));
            kept.chain(1000 * (i + 1)..1000 * (i + 1) + 60).collect::<Vec<u64>>()
        };
        let others = (500..1000).map(|i| (1000 * i..1000 * i + 300).collect());
        let batch: Vec<Vec<u64>> = (0..300).map(copy).chain(others).collect();
        let profiles = profiles(&batch);
        assert!(profiles.score(3, 7).share > 0.3, "{}", profiles.score(3, 7).share);
        assert_eq!(profiles.score(3, 700).evidence, 0);
    }

    /// These bits are the same on every platform, whatever its mathematics library returns.
    #[test]
    fn weights_and_shares_have_golden_bits() {
        let weights = [(1, 2), (2, 3), (3, 30), (7, 1000), (999, 70_000)];
        let expected = [256_711, 167_830, 273_210, 726_524, 574_127];
        assert_eq!(weights.map(|(df, n)| weight(df, n)), expected);
        let shares = [(1, 3, 7), (5, 9, 11), (300, 700, 90_000), (99_999, 100_000, 100_001)];
        let bits = shares.map(|(shared, a, b)| bounded_share(shared, a, b).to_bits());
        assert_eq!(
            bits,
            [
                0x3fd5_2730_c493_0c0b,
                0x3fe1_a50d_b3a2_150c,
                0x3fca_57b2_0b31_3505,
                0x3fef_ffda_40aa_cb1b
            ]
        );
    }

    #[test]
    fn the_ceiling_bounds_high_shares_and_leaves_low_ones() {
        assert!(close(bounded_share(100, 100, 100), 1.0));
        assert!((bounded_share(100, 100, 1000) - 0.28).abs() < 1e-3, "0.2 + 0.8 / 10");
        assert!((bounded_share(10, 100, 1000) - 0.10).abs() < 1e-3, "a low share is not touched");
    }

    proptest! {
        #[test]
        fn profiles_score_as_the_formula_does(
            batch in proptest::collection::vec(proptest::collection::vec(0_u64..12, 0..15), 2..8),
            group_of in proptest::collection::vec(0_usize..8, 8),
        ) {
            let first = |id: usize| group_of.iter().position(|&group| group == group_of[id]);
            let lowest = (0..batch.len()).map(|id| first(id).expect("itself") as u32);
            let lowest: Vec<u32> = lowest.collect();
            let profiles = grouped(&batch, &Groups::new(lowest.clone()));
            for a in 0..batch.len() {
                for b in 0..batch.len() {
                    let score = profiles.score(a as u32, b as u32).share;
                    prop_assert!((0.0..=1.0).contains(&score));
                    prop_assert!(close(score, profiles.score(b as u32, a as u32).share));
                    if a != b {
                        prop_assert!(close(score, naive(&batch, &lowest, a, b)), "{} and {}", a, b);
                    }
                }
            }
        }

        #[test]
        fn candidates_score_as_among_all_pairs(
            batch in proptest::collection::vec(proptest::collection::vec(0_u64..30, 0..20), 2..12),
            keep in proptest::collection::vec(any::<bool>(), 66),
        ) {
            let mixed = |hashes: &Vec<u64>| hashes.iter().map(|&hash| mix(hash)).collect();
            let batch: Vec<Vec<u64>> = batch.iter().map(mixed).collect();
            let all = profiles(&batch);
            let profiles: Vec<Profile> = batch.iter().map(|hashes| profile(hashes)).collect();
            let ids = 0..batch.len() as u32;
            let pairs = ids.flat_map(|b| (0..b).map(move |a| Candidate { a, b }));
            let kept: Vec<Candidate> =
                pairs.zip(&keep).filter(|(_, keep)| **keep).map(|(pair, _)| pair).collect();
            let scores = scores(&profiles, &kept, &Groups::alone(batch.len()));
            for (number, pair) in kept.iter().enumerate() {
                let score = scores.of_pair(number, pair);
                prop_assert_eq!(score, all.score(pair.a, pair.b));
                for least in [0.1, 0.3, 0.7, score.share.max(0.01)] {
                    let reaches = scores.reaches(number, pair, least);
                    prop_assert_eq!(reaches, score.share >= least, "{}", least);
                }
            }
        }
    }
}

//! The ranking score: how much rare material two submissions share.
//!
//! Length alone ranks a long run of idioms above a short piece of somebody's own invention; rarity
//! alone has no scale. The score is the rarity-weighted share of the smaller submission that is found in the
//! larger, bounded by how alike their sizes are. In steps:
//!
//! 1. *Two channels.* Structural grams survive renaming, lexical grams (names kept, punctuation
//!    dropped) survive restructuring. Whoever disguises a copy changes one or the other; so both
//!    are scored and the better one counts. An average would let the disguised channel veto.
//! 2. *Weight* of a gram that `df` of `N` submissions hold: `ln((N + 10) / df)^1.5`. The logarithm
//!    is the log-odds of a coincidence; the power stresses what is really rare, since neighbouring
//!    grams repeat the same common idiom; ten imagined submissions keep weights alive where all
//!    real ones hold the gram. This does most of the work that a template file would do.
//! 3. *Share* `m`: weight of the shared grams, as multisets, over the weight of the submission
//!    that weighs less.
//! 4. *Ceiling* `q = 0.2 + 0.8 · lighter / heavier`. A small program inside a big one is weaker
//!    evidence than two programs of one size; but at a low share, a difference in size is what
//!    copying a part looks like, and must not be held against it. Hence a bound, not a factor:
//!    `score = m / (1 + m^6 (q^-6 - 1))^(1/6)`, a smooth `min(m, q)` that is 1 only for `m = q = 1`.
//! 5. *Where copies are common, rarity lies*: three hundred near-copies of one program make it common
//!    material. So the same bounded share with all weights equal counts too, as far as it is
//!    above what independent work shares: `(plain - 0.4) / 0.6`. The larger of both is the score.
//!
//! Cost: one sort of all grams of the batch for each channel, then one merge of two sorted
//! lists a pair; grams that only one submission holds are in no list.
//!
//! Source: ours. The weights are in the spirit of compare50's rarity-weighted fingerprints; the two
//! channels, the power and the ceiling were measured (`DESIGN.md`, "How are pairs ranked?").

use std::ops::Range;

use crate::frontend::Kind;
use crate::gram::{self, Multiset};
use crate::index::SubmissionId;
use crate::token::{Stream, Symbol};

/// Which spelling of the tokens a channel compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Identifiers and literals as classes.
    Structural,
    /// Names and literals as they are spelled, case folded, without punctuation.
    Lexical,
}

/// Tokens in a gram of this channel, for documents of this kind.
///
/// Prose has no classes, so that both channels agree on it.
fn gram_len(channel: Channel, kind: Kind) -> usize {
    match (kind, channel) {
        (Kind::Code, Channel::Structural) => 11,
        (Kind::Code, Channel::Lexical) => 3,
        (Kind::Words, _) => 4,
        (Kind::Chars, _) => 16,
    }
}

/// Submissions that are imagined beside the real ones, none of which holds any gram.
const IMAGINED: f64 = 10.0;
/// Power of the logarithm in a weight.
const STRESS: f64 = 1.5;
/// The score that the smallest part of the largest submission may reach.
const FLOOR: f64 = 0.2;
/// How sharply the ceiling bounds the share.
const SHARPNESS: f64 = 6.0;
/// The share of its grams, each counting alike, that independent work rarely has in common.
const USUAL: f64 = 0.4;

/// The grams of a submission in one channel: distinct hashes, ascending, with their numbers.
///
/// Grams that lie wholly in boilerplate (`grey`: token ranges, ascending) do not count. A document
/// with fewer tokens than a gram is one gram.
pub fn grams(stream: &Stream, channel: Channel, grey: &[Range<usize>]) -> Vec<(u64, u32)> {
    let mut grams = Multiset::default();
    for document in &stream.documents {
        let tokens = document.range.clone();
        match channel {
            Channel::Structural => {
                let k = gram_len(channel, document.kind).min(tokens.len().max(1));
                let windows = stream.tokens.symbols[tokens.clone()].windows(k);
                let counted = windows.zip(tokens).filter(|(_, at)| !is_inside(*at..*at + k, grey));
                counted.for_each(|(gram, _)| grams.push(gram::hash(gram)));
            }
            Channel::Lexical => {
                let names = tokens.map(|at| (stream.tokens.names[at], at as u32));
                let (names, places): (Vec<Symbol>, Vec<u32>) =
                    names.filter(|(name, _)| !name.is_punctuation()).unzip();
                let k = gram_len(channel, document.kind).min(names.len().max(1));
                let reach = |window: &[u32]| window[0] as usize..window[k - 1] as usize + 1;
                let counted = names
                    .windows(k)
                    .zip(places.windows(k))
                    .filter(|(_, w)| !is_inside(reach(w), grey));
                counted.for_each(|(gram, _)| grams.push(gram::hash(gram)));
            }
        }
    }
    grams.into_counts()
}

/// Whether `range` lies wholly in one of the `grey` ranges.
fn is_inside(range: Range<usize>, grey: &[Range<usize>]) -> bool {
    let first = grey.partition_point(|run| run.end < range.end);
    grey.get(first).is_some_and(|run| run.start <= range.start)
}

/// What two submissions share in one channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// Steps 3 to 5: the score, a fraction in `0..=1`.
    pub share: f64,
    /// Weight of the grams that both hold: how much the score rests on.
    pub evidence: u64,
}

/// The grams of all submissions of a batch in one channel, with their weights.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profiles {
    /// Weight of each gram that at least two submissions hold.
    weights: Vec<u64>,
    /// Per submission: those grams and how often it holds each, ascending.
    rows: Vec<Vec<(u32, u32)>>,
    /// Per submission: all its grams.
    totals: Vec<Amount>,
}

impl Profiles {
    /// Weighs the grams of a batch; of each submission, its distinct grams and their numbers.
    pub fn build<'a>(submissions: impl IntoIterator<Item = &'a [(u64, u32)]>) -> Profiles {
        let mut counted: Vec<(u64, SubmissionId, u32)> = Vec::new();
        let mut n_submissions = 0;
        for (id, grams) in (0..).zip(submissions) {
            counted.extend(grams.iter().map(|&(hash, times)| (hash, id, times)));
            n_submissions = id as usize + 1;
        }
        counted.sort_unstable();

        let weight_of: Vec<u64> = (0..=n_submissions).map(|df| weight(df, n_submissions)).collect();
        let mut profiles = Profiles {
            weights: Vec::new(),
            rows: vec![Vec::new(); n_submissions],
            totals: vec![Amount::default(); n_submissions],
        };
        for holders in counted.chunk_by(|x, y| x.0 == y.0) {
            let weight = weight_of[holders.len()];
            for &(_, id, times) in holders {
                profiles.totals[id as usize].add(weight, times);
                if holders.len() > 1 {
                    profiles.rows[id as usize].push((profiles.weights.len() as u32, times));
                }
            }
            if holders.len() > 1 {
                profiles.weights.push(weight);
            }
        }
        profiles
    }

    /// How much two submissions share in this channel.
    pub fn score(&self, a: SubmissionId, b: SubmissionId) -> Shared {
        let (whole_a, whole_b) = (self.totals[a as usize], self.totals[b as usize]);
        let both = if a == b { whole_a } else { self.shared(a, b) };
        let rare = bounded_share(both.weight, whole_a.weight, whole_b.weight);
        let plain = bounded_share(both.grams, whole_a.grams, whole_b.grams);
        Shared { share: rare.max(beyond_the_usual(plain)), evidence: both.weight }
    }

    /// The grams that both hold, each as often as both hold it.
    fn shared(&self, a: SubmissionId, b: SubmissionId) -> Amount {
        let (mut a, mut b) = (&self.rows[a as usize][..], &self.rows[b as usize][..]);
        let mut sum = Amount::default();
        while let (Some(&(gram_a, times_a)), Some(&(gram_b, times_b))) = (a.first(), b.first()) {
            if gram_a == gram_b {
                sum.add(self.weights[gram_a as usize], times_a.min(times_b));
            }
            a = &a[usize::from(gram_a <= gram_b)..];
            b = &b[usize::from(gram_b <= gram_a)..];
        }
        sum
    }
}

/// Grams, weighed and counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Amount {
    weight: u64,
    grams: u64,
}

impl Amount {
    fn add(&mut self, weight: u64, times: u32) {
        self.weight += weight * u64::from(times);
        self.grams += u64::from(times);
    }
}

/// Step 2, as an integer, so that sums do not depend on their order: in 1/65536.
fn weight(df: usize, n_submissions: usize) -> u64 {
    if df == 0 {
        return 0;
    }
    let odds = ((n_submissions as f64 + IMAGINED) / df as f64).ln();
    #[expect(clippy::cast_sign_loss, reason = "df is at most n, so the logarithm is positive")]
    let scaled = (65536.0 * odds.powf(STRESS)).round() as u64;
    scaled.max(1)
}

/// Steps 3 and 4: what is shared, of two wholes.
fn bounded_share(shared: u64, whole_a: u64, whole_b: u64) -> f64 {
    if shared == 0 {
        return 0.0;
    }
    let (lighter, heavier) = (whole_a.min(whole_b), whole_a.max(whole_b));
    let share = shared as f64 / lighter as f64;
    let ceiling = FLOOR + (1.0 - FLOOR) * lighter as f64 / heavier as f64;
    let excess = share.powf(SHARPNESS) * (ceiling.powf(-SHARPNESS) - 1.0);
    share / (1.0 + excess).powf(1.0 / SHARPNESS)
}

/// Step 5.
fn beyond_the_usual(plain_share: f64) -> f64 {
    ((plain_share - USUAL) / (1.0 - USUAL)).max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(x: f64, y: f64) -> bool {
        (x - y).abs() < 1e-12
    }

    fn profiles(batch: &[Vec<u64>]) -> Profiles {
        let count = |hashes: &Vec<u64>| {
            let mut grams = Multiset::default();
            for &hash in hashes {
                grams.push(hash);
            }
            grams.into_counts()
        };
        let counted: Vec<_> = batch.iter().map(count).collect();
        Profiles::build(counted.iter().map(Vec::as_slice))
    }

    /// The formula on hash multisets, too simple to be wrong.
    fn naive(batch: &[Vec<u64>], a: usize, b: usize) -> f64 {
        let df = |gram: u64| batch.iter().filter(|grams| grams.contains(&gram)).count();
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
        let rare = score(&|gram| weight(df(gram), batch.len()));
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
        // Submissions 0 and 1 share what nobody else has, 2 and 3 what everybody has.
        let mut batch = vec![vec![1, 50, 51], vec![1, 60, 61], vec![9, 70, 71], vec![9, 80, 81]];
        batch.extend((100..120).map(|i| vec![9, 10 * i, 10 * i + 1]));
        let profiles = profiles(&batch);
        assert!(profiles.score(0, 1).share > 2.0 * profiles.score(2, 3).share);
    }

    #[test]
    fn copies_do_not_look_innocent_for_being_many() {
        // Each keeps four fifths of a program of 300 grams, another fifth missing in each, and adds 60.
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

    #[test]
    fn size_bounds_a_whole_copy_but_not_a_part() {
        assert!(close(bounded_share(100, 100, 100), 1.0));
        assert!((bounded_share(100, 100, 1000) - 0.28).abs() < 1e-3, "0.2 + 0.8 / 10");
        assert!((bounded_share(10, 100, 1000) - 0.10).abs() < 1e-3, "a low share is not touched");
    }

    proptest! {
        #[test]
        fn profiles_score_as_the_formula_does(
            batch in proptest::collection::vec(proptest::collection::vec(0_u64..12, 0..15), 2..8),
        ) {
            let profiles = profiles(&batch);
            for a in 0..batch.len() {
                for b in 0..batch.len() {
                    let score = profiles.score(a as u32, b as u32).share;
                    prop_assert!((0.0..=1.0 + 1e-9).contains(&score));
                    prop_assert!(close(score, profiles.score(b as u32, a as u32).share));
                    if a != b {
                        prop_assert!(close(score, naive(&batch, a, b)), "{} and {}", a, b);
                    }
                }
            }
        }
    }
}

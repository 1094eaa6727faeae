//! The ranking score: how much rare material two submissions share.
//!
//! By length alone, a long run of idioms would rank above a short piece of someone's own invention;
//! rarity alone has no scale. The score is the rarity-weighted share of the smaller submission that is
//! found in the larger, bounded by how similar their sizes are. In steps:
//!
//! 1. *Channels.* Structural grams survive renaming, lexical grams (names kept, punctuation dropped)
//!    survive restructuring; each channel is scored by itself, and [`fusion`](super::fusion) makes one score of
//!    them.
//! 2. *Weight* of a gram that `df` of `N` [groups](Groups) hold: `ln((N + 10) / df)^1.5`. A submission without
//!    near-copies is a group by itself; a group of near-copies counts once, however large. The logarithm
//!    is the log-odds of a coincidence. The power stresses what is really rare, because neighbouring
//!    grams repeat the same common idiom. Ten imagined groups keep weights above zero where all
//!    real ones hold the gram. This step does most of what a template file would do.
//! 3. *Share* `m`: weight of the shared grams, as multisets, over the weight of the submission
//!    that weighs less.
//! 4. *Ceiling* `q = 0.2 + 0.8 · lighter / heavier`. A small program inside a big one is weaker
//!    evidence than two programs of one size. But at a low share, a difference in size is what copying
//!    a part looks like, and must not lower the score. Hence a bound, not a factor:
//!    `score = m / (1 + m^6 (q^-6 - 1))^(1/6)`, a smooth `min(m, q)` that is 1 only for `m = q = 1`.
//! 5. *Where copies are common, rarity misleads*: three hundred near-copies of one program make it
//!    common material. So the same bounded share with all weights equal also counts, as far as it is
//!    above what independent work shares: `(plain - 0.4) / 0.6`. The larger of the two is the score.
//!
//! Cost: for each set of grams that the same `f` submissions hold, as the grams of a copied passage are,
//! at most `f²/2` steps, and fewer where these have fewer candidate partners; grams that only one
//! submission holds are just counted. Submissions are
//! never compared two by two: two large ones that share little would cost a walk through both for
//! nothing. Memory: the profiles, 36 bytes per candidate, and one [part](Tally::n_parts) of the grams
//! at a time.
//!
//! Source: ours. The weights are in the spirit of compare50's rarity-weighted fingerprints; the
//! channels, the power and the ceiling were measured (`DESIGN.md`, "How are pairs ranked?").

use std::ops::{Mul, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::hash::mix::mix;
use crate::index::SubmissionId;
use crate::kernel;
use crate::pair::Candidate;
use crate::score::{Groups, Profile};

/// Number of imagined groups added to the real ones; they hold no gram.
const IMAGINED: f64 = 10.0;
/// The ceiling for a tiny submission inside a huge one.
const FLOOR: f64 = 0.2;
/// The unweighted share of grams above which independent work is rarely found.
const USUAL: f64 = 0.4;

/// What two submissions share in one channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// The score of steps 3 to 5, a fraction in `0..=1`.
    pub share: f64,
    /// Weight of the grams that both hold: how much evidence the score is based on.
    pub evidence: u64,
}

/// Adds up what submissions share in one channel, gram by gram.
///
/// Parts may be counted in any order and by any thread, since sums of integers do not depend on it.
#[derive(Debug)]
pub struct Tally<'a> {
    profiles: &'a [Profile],
    /// Ascending by `b`, then `a`.
    candidates: &'a [Candidate],
    groups: &'a Groups,
    lookup: Lookup,
    /// Number of parts that the grams are counted in.
    n_parts: u64,
    /// Weight of a gram, by the number of groups that hold it.
    weights: Vec<u64>,
    /// Per submission: those of its grams that others hold too.
    held: Vec<Sum>,
    /// Per candidate: the grams that both hold, as a multiset intersection.
    shared: Vec<Sum>,
}

/// Approximate number of grams in a part; each takes 16 bytes, so that a part is sorted in the processor's cache.
const PART: usize = 1 << 16;

impl<'a> Tally<'a> {
    /// A tally of nothing yet. `candidates` must ascend by the higher number, then by the lower; `groups` are of
    /// as many submissions as there are profiles.
    pub fn new(
        profiles: &'a [Profile],
        candidates: &'a [Candidate],
        groups: &'a Groups,
    ) -> Tally<'a> {
        let n = profiles.len();
        let n_groups = groups.n_groups();
        Tally {
            profiles,
            candidates,
            groups,
            lookup: Lookup::new(n, candidates),
            n_parts: (profiles.iter().map(Profile::n_kept).sum::<usize>() / PART) as u64 + 1,
            weights: (0..=n_groups).map(|df| weight(df, n_groups)).collect(),
            held: (0..n).map(|_| Sum::default()).collect(),
            shared: candidates.iter().map(|_| Sum::default()).collect(),
        }
    }

    /// Number of parts that the grams are counted in.
    pub fn n_parts(&self) -> u64 {
        self.n_parts
    }

    /// Counts the grams of one part, each of which must be counted once.
    pub fn count(&self, part: u64) {
        let mut grams: Vec<Held> = Vec::with_capacity(PART + PART / 8);
        for (id, profile) in (0..).zip(self.profiles) {
            grams.extend(profile.part(part, self.n_parts).map(|(hash, times)| (hash, id, times)));
        }
        // Part `p` of `n` is of the hashes whose product with `n` is `p` in the upper 64 bits. The lower ones
        // ascend with the hash and are spread evenly. Equal grams stay ordered by submission.
        kernel::sort_by_key(&mut grams, &mut Vec::new(), |&(hash, _, _)| {
            hash.wrapping_mul(self.n_parts)
        });
        // Neighbouring grams of a copied passage have the same holders, and are counted together.
        let held = grams.chunk_by(|x, y| x.0 == y.0).filter(|holders| holders.len() > 1);
        let mut held: Vec<(u64, &[Held])> = held.map(|holders| (mixed(holders), holders)).collect();
        kernel::sort_by_key(&mut held, &mut Vec::new(), |&(mixed, _)| mixed);
        let mut counter = self.groups.counter();
        for alike in held.chunk_by(|x, y| are_equal(x.1, y.1)) {
            let (n_grams, holders) = (alike.len() as u64, alike[0].1);
            // The number of groups that hold a gram is its document frequency.
            let df = counter.count(holders.iter().map(|&(_, id, _)| id));
            let each = Amount { weight: self.weights[df], grams: 1 } * n_grams;
            for (at, &(_, id, times)) in holders.iter().enumerate() {
                self.held[id as usize].add(each * u64::from(times));
                self.count_holder(id, times, &holders[..at], each);
            }
        }
    }

    /// Counts grams for those candidate pairs of their holder `b` whose other half is a holder `before` it; `each` is
    /// what they amount to if they are there once.
    fn count_holder(&self, b: SubmissionId, times_b: u32, before: &[Held], each: Amount) {
        let row = self.lookup.row(b);
        // Walk the shorter list and look up in the longer one.
        if before.len() < row.len() {
            for &(_, a, times_a) in before {
                if let Some(at) = self.lookup.find(self.candidates, a, b) {
                    self.shared[at].add(each * u64::from(times_a.min(times_b)));
                }
            }
        } else {
            for (pair, shared) in self.candidates[row.clone()].iter().zip(&self.shared[row]) {
                if let Ok(found) = before.binary_search_by_key(&pair.a, |&(_, a, _)| a) {
                    shared.add(each * u64::from(before[found].2.min(times_b)));
                }
            }
        }
    }

    /// The scores, after all parts have been counted.
    pub fn finish(self) -> Scores {
        // Grams that no one else holds were never counted one by one; all have the weight for df = 1.
        let alone = self.weights.get(1).copied().unwrap_or(0);
        let wholes = self.held.iter().zip(self.profiles).map(|(held, profile)| {
            let (held, n_grams) = (held.amount(), profile.n_grams());
            Amount { weight: held.weight + alone * (n_grams - held.grams), grams: n_grams }
        });
        let wholes: Vec<Amount> = wholes.collect();
        let of_pair = |(pair, shared): (&Candidate, &Sum)| {
            bounded(shared.amount(), wholes[pair.a as usize], wholes[pair.b as usize])
        };
        let pairs = self.candidates.iter().zip(&self.shared).map(of_pair).collect();
        Scores { wholes, pairs }
    }
}

/// A gram's hash, a submission that holds it, and how often.
type Held = (u64, SubmissionId, u32);

/// A hash of who holds a gram, and how often.
fn mixed(holders: &[Held]) -> u64 {
    let number = |&(_, id, times): &Held| u64::from(id) << 32 | u64::from(times);
    holders.iter().map(number).fold(0, |so_far, number| mix(so_far ^ number))
}

/// Whether two grams have the same holders, as often.
fn are_equal(x: &[Held], y: &[Held]) -> bool {
    let holding = |&(_, id, times): &Held| (id, times);
    x.iter().map(holding).eq(y.iter().map(holding))
}

/// Finds a candidate by its two submissions.
///
/// The candidates with the same higher number are a row. The lower numbers of a row are cut into as many equal
/// ranges as it has candidates, so that there is about one in each.
#[derive(Debug)]
struct Lookup {
    /// The candidates of row `b` are those from `rows[b]` to `rows[b + 1]`.
    rows: Vec<usize>,
    /// For each range of each row, the number of its first candidate in the row; and at the end of each row,
    /// how many candidates that has.
    firsts: Vec<u32>,
    /// Ranges for each submission of a row, in 1/2^32.
    scales: Vec<u64>,
}

impl Lookup {
    /// `candidates` ascend by the higher of `n` numbers, then by the lower.
    fn new(n: usize, candidates: &[Candidate]) -> Lookup {
        debug_assert!(candidates.is_sorted_by_key(|pair| (pair.b, pair.a)));
        let rows = (0..=n).map(|b| candidates.partition_point(|pair| (pair.b as usize) < b));
        let mut lookup = Lookup {
            rows: rows.collect(),
            firsts: Vec::with_capacity(candidates.len() + n),
            scales: Vec::with_capacity(n),
        };
        for b in 0..n {
            let row = &candidates[lookup.row(b as SubmissionId)];
            let scale = ((row.len() as u64) << 32) / b.max(1) as u64;
            let start = lookup.firsts.len();
            for (number, pair) in (0..).zip(row) {
                let end = start + range_of(pair.a, scale) + 1;
                if lookup.firsts.len() < end {
                    lookup.firsts.resize(end, number);
                }
            }
            lookup.firsts.resize(start + row.len() + 1, row.len() as u32);
            lookup.scales.push(scale);
        }
        lookup
    }

    /// The candidates with the higher number `b`.
    fn row(&self, b: SubmissionId) -> Range<usize> {
        self.rows[b as usize]..self.rows[b as usize + 1]
    }

    /// The number of the candidate of two submissions; `a` is below `b`, which is in a candidate.
    #[inline]
    fn find(&self, candidates: &[Candidate], a: SubmissionId, b: SubmissionId) -> Option<usize> {
        let (start, before) = (self.rows[b as usize], b as usize);
        // Each row before this one has one number more than candidates.
        let at = start + before + range_of(a, self.scales[b as usize]);
        let first = start + self.firsts[at] as usize;
        let in_range = &candidates[first..start + self.firsts[at + 1] as usize];
        in_range.binary_search_by_key(&a, |pair| pair.a).ok().map(|number| first + number)
    }
}

/// The range of a row that a submission's number lies in.
#[inline]
fn range_of(a: SubmissionId, scale: u64) -> usize {
    ((u64::from(a) * scale) >> 32) as usize
}

/// The scores of a batch in one channel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    wholes: Vec<Amount>,
    /// In the order of the candidates.
    pub pairs: Vec<Shared>,
}

impl Scores {
    /// The scores of more candidates, of which these are the `counted` ones; the others share nothing.
    #[must_use]
    pub fn spread(self, counted: impl Iterator<Item = bool>) -> Scores {
        const NOTHING: Shared = Shared { share: 0.0, evidence: 0 };
        let mut scored = self.pairs.into_iter();
        let shared = |is_counted: bool| if is_counted { scored.next() } else { None };
        let pairs = counted.map(shared).map(|shared| shared.unwrap_or(NOTHING)).collect();
        Scores { pairs, ..self }
    }

    /// The score of a submission with an identical one.
    pub fn identical(&self, id: SubmissionId) -> Shared {
        let whole = self.wholes[id as usize];
        bounded(whole, whole, whole)
    }
}

/// Steps 3 to 5, for the grams of both, of A and of B.
fn bounded(both: Amount, a: Amount, b: Amount) -> Shared {
    let rare = bounded_share(both.weight, a.weight, b.weight);
    // A bound never raises a share. Most are the usual ones already, and need not be bounded.
    let is_usual = both.grams as f64 / a.grams.min(b.grams) as f64 <= USUAL;
    let plain = if is_usual { 0.0 } else { bounded_share(both.grams, a.grams, b.grams) };
    Shared { share: rare.max(beyond_the_usual(plain)), evidence: both.weight }
}

/// An [`Amount`] that many threads add to.
#[derive(Debug, Default)]
struct Sum {
    weight: AtomicU64,
    grams: AtomicU64,
}

impl Sum {
    #[inline]
    fn add(&self, amount: Amount) {
        self.weight.fetch_add(amount.weight, Ordering::Relaxed);
        self.grams.fetch_add(amount.grams, Ordering::Relaxed);
    }

    fn amount(&self) -> Amount {
        let [weight, grams] = [&self.weight, &self.grams].map(|sum| sum.load(Ordering::Relaxed));
        Amount { weight, grams }
    }
}

/// Weight and number of some grams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Amount {
    weight: u64,
    grams: u64,
}

impl Mul<u64> for Amount {
    type Output = Amount;

    fn mul(self, times: u64) -> Amount {
        Amount { weight: self.weight * times, grams: self.grams * times }
    }
}

/// Step 2: the weight in units of 1/65536 of a gram that `df` of `n_groups` hold, an integer so that sums do
/// not depend on their order.
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

/// Steps 3 and 4: the share of the lighter whole, bounded by the ceiling.
fn bounded_share(shared: u64, whole_a: u64, whole_b: u64) -> f64 {
    if shared == 0 {
        return 0.0;
    }
    let (lighter, heavier) = (whole_a.min(whole_b), whole_a.max(whole_b));
    let share = shared as f64 / lighter as f64;
    let ceiling = FLOOR + (1.0 - FLOOR) * lighter as f64 / heavier as f64;
    let excess = sixth_power(share) * (1.0 / sixth_power(ceiling) - 1.0);
    // Of two equal wholes, rounding makes the ceiling, and so the result, the least bit more than 1: 0.8 · 3 / 3.
    (share / libm::cbrt((1.0 + excess).sqrt())).min(1.0)
}

/// `x^6`: the exponent of the smooth minimum says how sharply the ceiling bounds the share.
fn sixth_power(x: f64) -> f64 {
    let cube = x * x * x;
    cube * cube
}

/// Step 5: the part of an unweighted share that independent work does not explain.
fn beyond_the_usual(plain_share: f64) -> f64 {
    ((plain_share - USUAL) / (1.0 - USUAL)).max(0.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix::mix;
    use crate::score::profile::tests::profile;

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
            self.scores.pairs[high * (high - 1) / 2 + low]
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
        let tally = Tally::new(profiles, candidates, groups);
        for part in 0..tally.n_parts() {
            tally.count(part);
        }
        tally.finish()
    }

    /// The naive twin: the formula on multisets of hashes.
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
        // Submissions 0 and 1 share a gram that no one else has, 2 and 3 one that everyone has.
        let mut batch = vec![vec![1, 50, 51], vec![1, 60, 61], vec![9, 70, 71], vec![9, 80, 81]];
        batch.extend((100..120).map(|i| vec![9, 10 * i, 10 * i + 1]));
        let profiles = profiles(&batch);
        assert!(profiles.score(0, 1).share > 2.0 * profiles.score(2, 3).share);
    }

    #[test]
    fn near_copies_do_not_make_their_material_common() {
        // Fifteen copies of the first program share half of it with each other, and so does one more with the first.
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

    /// These bits are the same on every platform, whatever its own mathematics library gives.
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
        fn a_candidate_is_found_by_its_two_submissions(
            pairs in proptest::collection::btree_set((0_u32..60, 0_u32..60), 0..300),
            only_low in any::<bool>(),
        ) {
            let is_wanted = |&&(b, a): &&(u32, u32)| a < if only_low { b.min(4) } else { b };
            let pairs = pairs.iter().filter(is_wanted);
            let candidates: Vec<Candidate> = pairs.map(|&(b, a)| Candidate { a, b }).collect();
            let lookup = Lookup::new(60, &candidates);
            for (a, b) in (0..60).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let naive = candidates.iter().position(|pair| (pair.a, pair.b) == (a, b));
                let row = lookup.row(b);
                let found = if row.is_empty() { None } else { lookup.find(&candidates, a, b) };
                prop_assert_eq!(found, naive);
                prop_assert_eq!(row.len(), candidates.iter().filter(|pair| pair.b == b).count());
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
            for (pair, score) in kept.iter().zip(scores(&profiles, &kept, &Groups::alone(batch.len())).pairs) {
                prop_assert_eq!(score, all.score(pair.a, pair.b));
            }
        }
    }
}

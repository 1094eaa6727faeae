//! Candidate pairs: submissions that share enough fingerprints to be compared.
//!
//! Candidates are counted submission by submission: the postings of its fingerprints are counted into one array,
//! weighted by how rare each fingerprint is. So each pair is counted once, and none is stored before it has proved
//! promising. If all pairs fit, all that share a fingerprint are kept; in larger batches each submission keeps its most
//! promising partners, and those that [`rare_runs`](crate::rare_runs) adds.
//!
//! Cost: a fingerprint held by `f` submissions costs `f²/2` steps. Without a limit, a fingerprint that everyone holds
//! would make the whole quadratic. So there is a budget of steps, linear in the postings; fingerprints too popular for
//! it only link each submission with the one before it that holds them. A group of copies is then still connected, and
//! the work stays linear.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2: pairs last, and "never materializing"
//! those below a threshold. The weights and the budget are ours.

use crate::index::{Index, SubmissionId};

/// Two submissions that share fingerprints; `a < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The submission with the lower number.
    pub a: SubmissionId,
    /// The submission with the higher number.
    pub b: SubmissionId,
}

/// Limits on the search for candidate pairs, and on the number kept. Later versions may have more of them: begin with
/// the default, and set what should differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CandidateLimits {
    /// Counting steps allowed for each posting of the index.
    pub steps_per_posting: usize,
    /// Counting steps allowed on top, so that small batches are always counted in full.
    pub free_steps: usize,
    /// Number of pairs of submissions up to which every candidate is kept, if they can be counted in full.
    pub all_pairs: usize,
    /// Total number of candidates kept in larger batches, divided evenly among the submissions.
    pub candidates: usize,
    /// Number of candidates that each submission may keep, even if that exceeds its share of `candidates`.
    pub candidates_per_submission: usize,
    /// Number of holders up to which all pairs that share a run of guarantee length are candidates, whatever else is
    /// kept ([`rare_runs`](crate::rare_runs)); identical submissions count once.
    pub max_holders: usize,
}

impl Default for CandidateLimits {
    /// Complete for up to 600 submissions, unless they share so much that counting it would take long; linear beyond.
    fn default() -> CandidateLimits {
        CandidateLimits {
            steps_per_posting: 64,
            free_steps: 1 << 25,
            // The pairs of 600 submissions. Scoring, verifying and matching 376,000 pairs of programs took 4.6 s of
            // processor time.
            all_pairs: 179_700,
            candidates: 50_000,
            candidates_per_submission: 40,
            max_holders: 16,
        }
    }
}

/// Counts candidate pairs over an index.
#[derive(Debug)]
pub struct CandidateCounter<'a> {
    index: &'a Index,
    /// Fingerprints with more postings than this are popular, and only link neighbours.
    max_postings: usize,
    /// Weight of each fingerprint, by its number in the index.
    weights: Vec<f32>,
    /// Number of partners that a submission keeps.
    partners: usize,
    /// Number of fingerprints that each submission must share with another one, unless the other asks for fewer. If
    /// empty, one is enough.
    least_shared: Vec<u32>,
}

/// Working memory for counting, reused from submission to submission.
#[derive(Debug)]
pub struct Scratch {
    /// Weight of the fingerprints shared with each submission.
    evidence: Vec<f32>,
    /// Number of these fingerprints.
    n_shared: Vec<u32>,
    /// Submissions whose `evidence` is not 0.
    touched: Vec<SubmissionId>,
}

impl<'a> CandidateCounter<'a> {
    /// Prepares counting over an index: computes the weights, and the popularity that the budget allows.
    pub fn new(index: &'a Index, limits: &CandidateLimits) -> CandidateCounter<'a> {
        CandidateCounter::with_frequencies(index, limits, 0, |_| 0)
    }

    /// Prepares counting among `n_documents`, with only a few of them in the index: `frequency` returns the number of
    /// documents, among all of them, that hold a hash. A hash that is rare in a batch may be everywhere in a library.
    ///
    /// A hash counts as held by at least as many documents as in the index.
    pub fn with_frequencies(
        index: &'a Index,
        limits: &CandidateLimits,
        n_documents: usize,
        frequency: impl Fn(u64) -> usize,
    ) -> CandidateCounter<'a> {
        let n = index.n_submissions();
        let max_postings = max_postings(index, limits);
        // Scoring takes a multiple of the steps that counting takes, and is bounded by the same budget.
        let n_pairs = n.saturating_mul(n.saturating_sub(1)) / 2;
        let all_fit = n_pairs <= limits.all_pairs && max_postings == usize::MAX;
        let evenly = limits.candidates_per_submission.max(limits.candidates / n.max(1));
        let partners = if all_fit { n } else { evenly.min(n) };
        let frequency = |number: u32| {
            frequency(index.hash(number)).min(n_documents).max(index.postings(number).len())
        };
        let weights = (0..index.n_hashes() as u32)
            .map(|number| weight(frequency(number), n.max(n_documents)))
            .collect();
        CandidateCounter { index, max_postings, weights, partners, least_shared: Vec::new() }
    }

    /// Requires a candidate pair to share as many fingerprints as one of the two asks for: `least_shared` has one
    /// number for each submission.
    #[must_use]
    pub fn asking(self, least_shared: Vec<u32>) -> CandidateCounter<'a> {
        CandidateCounter { least_shared, ..self }
    }

    /// Returns working memory for [`CandidateCounter::row`]: two numbers per submission.
    pub fn scratch(&self) -> Scratch {
        let n = self.index.n_submissions();
        Scratch { evidence: vec![0.0; n], n_shared: vec![0; n], touched: Vec::new() }
    }

    /// Appends the candidates of `b`: its most promising partners with a lower number for which
    /// `wanted` holds, ascending. Returns whether these are all that share a fingerprint with `b`.
    pub fn row(
        &self,
        b: SubmissionId,
        wanted: impl Fn(SubmissionId) -> bool,
        scratch: &mut Scratch,
        candidates: &mut Vec<Candidate>,
    ) -> bool {
        let mut is_whole = true;
        let mut neighbours = Vec::new();
        for &number in self.index.row(b) {
            let postings = self.index.postings(number);
            // Only lower numbers: each pair is counted from its higher end.
            let before = &postings[..postings.partition_point(|&a| a < b)];
            if postings.len() > self.max_postings {
                neighbours.extend(before.last().copied());
                is_whole = false;
                continue;
            }
            let weight = self.weights[number as usize];
            for &a in before {
                if scratch.evidence[a as usize] == 0.0 {
                    scratch.touched.push(a);
                }
                scratch.evidence[a as usize] += weight;
                scratch.n_shared[a as usize] += 1;
            }
        }
        // Popular fingerprints were not counted, so submissions that share one need not share any others.
        let least = |a: SubmissionId| self.least_shared.get(a as usize).copied().unwrap_or(1);
        let shares_enough =
            |a: SubmissionId| scratch.n_shared[a as usize] >= least(a).min(least(b));
        let is_candidate = |a: SubmissionId| shares_enough(a) && wanted(a);
        let n_touched = scratch.touched.iter().filter(|&&a| is_candidate(a)).count();
        is_whole &= n_touched <= self.partners;
        let promising = self.most_promising(&is_candidate, scratch);
        scratch.clear();
        neighbours.retain(|&a| wanted(a));
        neighbours.extend(promising);
        neighbours.sort_unstable();
        neighbours.dedup();
        candidates.extend(neighbours.into_iter().map(|a| Candidate { a, b }));
        is_whole
    }

    /// Returns the partners with the most evidence, in no particular order; on a tie, the lower number wins.
    ///
    /// Evidence is divided by the root of the partner's size; otherwise large submissions would crowd
    /// out small ones.
    fn most_promising(
        &self,
        wanted: &impl Fn(SubmissionId) -> bool,
        Scratch { evidence, touched, .. }: &Scratch,
    ) -> Vec<SubmissionId> {
        let promise =
            |a: SubmissionId| evidence[a as usize] / (self.index.row(a).len() as f32).sqrt();
        let mut ranked: Vec<(f32, SubmissionId)> =
            touched.iter().filter(|&&a| wanted(a)).map(|&a| (promise(a), a)).collect();
        if ranked.len() > self.partners {
            let order = |x: &(f32, SubmissionId), y: &(f32, SubmissionId)| {
                y.0.total_cmp(&x.0).then(x.1.cmp(&y.1))
            };
            ranked.select_nth_unstable_by(self.partners - 1, order);
            ranked.truncate(self.partners);
        }
        ranked.into_iter().map(|(_, a)| a).collect()
    }
}

impl Scratch {
    fn clear(&mut self) {
        for a in self.touched.drain(..) {
            self.evidence[a as usize] = 0.0;
            self.n_shared[a as usize] = 0;
        }
    }
}

/// Returns the weight of a fingerprint that `df` of `n` submissions hold.
///
/// As in the ranking score, rare fingerprints decide; otherwise common idioms would outweigh them.
fn weight(df: usize, n: usize) -> f32 {
    libm::powf(libm::logf((n + 10) as f32 / df as f32), 1.5)
}

/// The naive twin: finds every pair that shares a fingerprint, by looking at every pair.
#[cfg(test)]
fn naive(index: &Index) -> Vec<Candidate> {
    let ids = 0..index.n_submissions() as SubmissionId;
    let shares = |a, b| index.row(a).iter().any(|number| index.row(b).contains(number));
    ids.clone()
        .flat_map(|b| ids.clone().take_while(move |&a| a < b).map(move |a| Candidate { a, b }))
        .filter(|pair| shares(pair.a, pair.b))
        .collect()
}

/// Returns the largest number of postings up to which counting all pairs of every fingerprint stays within the budget;
/// `usize::MAX` if the budget is enough for all.
fn max_postings(index: &Index, limits: &CandidateLimits) -> usize {
    let mut sizes: Vec<usize> =
        (0..index.n_hashes()).map(|i| index.postings(i as u32).len()).collect();
    sizes.sort_unstable();
    let n_postings: usize = sizes.iter().sum();
    let mut steps_left =
        limits.free_steps.saturating_add(limits.steps_per_posting.saturating_mul(n_postings));
    // Rarest first: a fingerprint of `f` postings costs f²/2 steps. Fingerprints of one size are either all counted or
    // all left out.
    for group in sizes.chunk_by(|x, y| x == y) {
        let cost = group[0].saturating_mul(group[0]).saturating_mul(group.len()) / 2;
        if cost > steps_left {
            return group[0] - 1;
        }
        steps_left -= cost;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidates(index: &Index, limits: &CandidateLimits) -> Vec<Candidate> {
        let counter = CandidateCounter::new(index, limits);
        let mut scratch = counter.scratch();
        let mut found = Vec::new();
        for b in 0..index.n_submissions() as SubmissionId {
            counter.row(b, |_| true, &mut scratch, &mut found);
        }
        found
    }

    #[test]
    fn popular_fingerprints_link_only_neighbours() {
        let holdings: Vec<Vec<u64>> = (0..100).map(|i| vec![1, 1000 + i / 2]).collect();
        let index = Index::build(holdings.iter().map(Vec::as_slice)).expect("few");
        let tight =
            CandidateLimits { steps_per_posting: 1, free_steps: 0, ..CandidateLimits::default() };
        let found = candidates(&index, &tight);
        assert_eq!(found.len(), 99, "a chain through all, which holds the 50 rare pairs too");
        assert_eq!(candidates(&index, &CandidateLimits::default()).len(), 4950);
    }

    /// The bits are the same on every platform, whatever its own mathematics library gives.
    #[test]
    fn weights_have_golden_bits() {
        let holders = [(1, 2), (2, 3), (3, 30), (7, 1000), (999, 70_000)];
        assert_eq!(
            holders.map(|(df, n)| weight(df, n).to_bits()),
            [0x407a_b1d6, 0x4023_e587, 0x4085_6744, 0x4131_5fbc, 0x410c_2aef]
        );
    }

    #[test]
    fn a_limit_that_cuts_candidates_is_reported() {
        let holdings: Vec<Vec<u64>> = (0..10).map(|_| vec![1]).collect();
        let index = Index::build(holdings.iter().map(Vec::as_slice)).expect("few");
        let is_whole = |limits: &CandidateLimits| {
            let counter = CandidateCounter::new(&index, limits);
            counter.row(9, |_| true, &mut counter.scratch(), &mut Vec::new())
        };
        assert!(is_whole(&CandidateLimits::default()));
        assert!(!is_whole(&CandidateLimits {
            all_pairs: 0,
            candidates: 0,
            candidates_per_submission: 3,
            ..CandidateLimits::default()
        }));
        assert!(!is_whole(&CandidateLimits {
            steps_per_posting: 0,
            free_steps: 0,
            ..CandidateLimits::default()
        }));
    }

    /// 400 submissions have 79,800 pairs: more than `candidates` divided evenly would keep.
    #[test]
    fn all_pairs_are_kept_where_they_fit() {
        let holdings: Vec<Vec<u64>> = (0..400).map(|i| vec![1, 2, 1000 + i]).collect();
        let index = Index::build(holdings.iter().map(Vec::as_slice)).expect("few");
        assert_eq!(candidates(&index, &CandidateLimits::default()).len(), 400 * 399 / 2);
        let too_many =
            CandidateLimits { all_pairs: 400 * 399 / 2 - 1, ..CandidateLimits::default() };
        assert!(candidates(&index, &too_many).len() <= 400 * 125);
    }

    #[test]
    fn a_pair_shares_what_the_one_that_asks_for_less_asks_for() {
        let holdings: [&[u64]; 4] = [&[1, 2, 3], &[1, 2, 4], &[2, 5, 6], &[2]];
        let index = Index::build(holdings).expect("few");
        let counter =
            CandidateCounter::new(&index, &CandidateLimits::default()).asking(vec![2, 2, 2, 1]);
        let mut found = Vec::new();
        (0..4).for_each(|b| {
            counter.row(b, |_| true, &mut counter.scratch(), &mut found);
        });
        let pairs: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(pairs, [(0, 1), (0, 3), (1, 3), (2, 3)]);
    }

    #[test]
    fn a_submission_keeps_its_rarest_partners() {
        // Everyone shares hash 1; submissions 3 and 9 share three hashes more.
        let holdings: Vec<Vec<u64>> =
            (0..10).map(|i| if i == 3 || i == 9 { vec![1, 7, 8, 9] } else { vec![1] }).collect();
        let index = Index::build(holdings.iter().map(Vec::as_slice)).expect("few");
        let one_each = CandidateLimits {
            all_pairs: 0,
            candidates: 0,
            candidates_per_submission: 1,
            ..CandidateLimits::default()
        };
        assert!(candidates(&index, &one_each).contains(&Candidate { a: 3, b: 9 }));
    }

    /// Hash 1 is rare in the batch and everywhere outside, and for hash 2 it is the other way round.
    #[test]
    fn frequencies_from_outside_decide_who_is_promising() {
        // Submission 2 shares hash 1 with submission 0, and hash 2 with submission 1 and two more.
        let holdings: [&[u64]; 5] = [&[1], &[2], &[1, 2], &[2], &[2]];
        let index = Index::build(holdings).expect("few");
        let one_each = CandidateLimits {
            all_pairs: 0,
            candidates: 0,
            candidates_per_submission: 1,
            ..CandidateLimits::default()
        };
        let best = |counter: &CandidateCounter<'_>| {
            let mut found = Vec::new();
            counter.row(2, |_| true, &mut counter.scratch(), &mut found);
            found.iter().map(|candidate| candidate.a).collect::<Vec<_>>()
        };
        assert_eq!(best(&CandidateCounter::new(&index, &one_each)), [0]);
        let frequency = |hash| if hash == 1 { 900 } else { 0 };
        assert_eq!(
            best(&CandidateCounter::with_frequencies(&index, &one_each, 1000, frequency)),
            [1]
        );
    }

    proptest! {
        #[test]
        fn without_limits_every_sharing_pair_is_found(
            holdings in proptest::collection::vec(proptest::collection::vec(0_u64..20, 0..6), 0..20),
        ) {
            let index = Index::build(holdings.iter().map(Vec::as_slice)).expect("few");
            prop_assert_eq!(candidates(&index, &CandidateLimits::default()), naive(&index));
        }
    }
}

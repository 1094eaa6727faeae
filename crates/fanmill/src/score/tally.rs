//! A count, gram by gram, of what submissions have in common in one channel.
//!
//! Submissions are never compared two by two: for two large ones that share little, that would be a walk through both
//! for nothing. Instead their grams are sorted by hash, so that equal grams of all their holders are next to each
//! other. Then each submission adds up what it shares with each holder before it.
//!
//! There may be more grams than should be in memory at once. So the range of hashes is cut into batches, and one of them
//! is in memory at a time, and a batch into [parts](Part), which threads sort. In a part, grams that the same
//! submissions hold equally often, like those of a copied passage, are one group. The groups that a submission holds in
//! all parts are gathered into one list ([`Holdings`]). Then the rows of the candidate pairs are counted, each by one
//! thread, so that no two threads add to one sum. A row is counted in one of two ways, whichever takes fewer steps: by
//! all holders of its groups that come before it, or by all groups that its candidates hold.
//!
//! Cost: for each group that `f` submissions hold, at most `f²/2` steps of a nanosecond or two, and fewer where these
//! have few candidate partners; for a gram, 30 ns of sorting. Memory: 16 bytes for each candidate, 28 for each
//! submission that holds a group, and up to 64 in each thread for each gram of a part while it is sorted.

use std::ops::{AddAssign, Mul, Range};

use crate::index::SubmissionId;
use crate::pair::Candidate;
use crate::score::{Groups, Profile};
use fanmill_kernel as kernel;
use fanmill_kernel::hash::mix::mix;

/// Maximum number of parts of a batch.
pub const PARTS: usize = 16;
/// Approximate number of grams in a part; each takes 16 bytes, so that a part is sorted in the processor's cache.
const PART: usize = 1 << 17;

/// Cost of a jump to the holders of a group, in steps: they lie anywhere in memory, and those of the next group
/// elsewhere.
const JUMP: u64 = 2;

/// Weight and number of some grams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// The sum of their weights.
    pub weight: u64,
    /// Number of these grams.
    pub grams: u64,
}

impl Mul<u64> for Amount {
    type Output = Amount;

    #[inline]
    fn mul(self, times: u64) -> Amount {
        Amount { weight: self.weight * times, grams: self.grams * times }
    }
}

impl AddAssign for Amount {
    #[inline]
    fn add_assign(&mut self, other: Amount) {
        self.weight += other.weight;
        self.grams += other.grams;
    }
}

/// The grams of submissions, cut into batches; see the [module](self).
#[derive(Debug)]
pub struct Tally<'a> {
    profiles: &'a [Profile],
    n_batches: u64,
    /// Number of parts of a batch: [`PARTS`] if there are several batches.
    n_parts: usize,
}

/// Bounds of the kept grams of a submission: those of part `p` of a batch are `self[p]..self[p + 1]`, and those of the
/// whole batch end at `self[PARTS]`.
pub type Cut = [u32; PARTS + 1];

/// A gram's hash, a submission that holds it, and how often it does.
type GramHolder = (u64, SubmissionId, u32);

/// Scratch memory for sorting a part, kept from one part to the next so that it need not be allocated again.
#[derive(Debug, Default)]
pub struct SortScratch {
    grams: Vec<GramHolder>,
    spare: Vec<GramHolder>,
    /// For each gram that several submissions hold: a hash of its holders, and its start and end among the grams.
    held: Vec<(u64, u32, u32)>,
    spare_held: Vec<(u64, u32, u32)>,
}

/// The grams of a part that several submissions hold.
#[derive(Debug, Default)]
pub struct Part {
    groups: Vec<Group>,
    /// Holders of the grams of each group, and how often they hold them: ascending.
    holders: Vec<(SubmissionId, u32)>,
    /// Groups that each submission holds, and how often: those of submission `b` are `held[starts[b]..starts[b + 1]]`.
    /// Empty once they are gathered.
    held: Vec<(u32, u32)>,
    /// For each of these, the number of holders before the submission; empty once they are gathered.
    n_before: Vec<u32>,
    starts: Vec<u32>,
    /// For each submission, the number of holders before it, summed over its groups.
    before: Vec<u64>,
}

/// The grams of a batch that several submissions hold: by groups in the parts, and by submissions.
#[derive(Debug, Default)]
pub struct Holdings {
    parts: Vec<Part>,
    /// Group `g` of part `p` has the number `p << bits | g`.
    bits: u32,
    /// Numbers of the groups that each submission holds, and how often: those of submission `b` are
    /// `held[starts[b]..starts[b + 1]]`.
    held: Vec<(u32, u32)>,
    /// For each of these, the number of holders before the submission.
    n_before: Vec<u32>,
    starts: Vec<u32>,
    /// For each submission, the number of holders before it, summed over its groups.
    before: Vec<u64>,
}

/// Consecutive submissions whose groups are to be gathered from the parts.
#[derive(Debug)]
pub struct Gathering<'a> {
    parts: &'a [Part],
    bits: u32,
    submissions: Range<SubmissionId>,
    held: &'a mut [(u32, u32)],
    n_before: &'a mut [u32],
}

/// Grams that the same submissions hold, each equally often.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Index of its first holder among those of the part.
    start: u32,
    n_grams: u32,
    /// Number of groups of submissions that hold it.
    df: u32,
}

/// Scratch memory for counting a row.
#[derive(Debug)]
pub struct Scratch {
    /// For each submission before the row's, what both hold. All 0 between rows.
    sums: Vec<Amount>,
    /// A bit for each group that the row's submission holds; all 0 between rows.
    marks: Vec<u64>,
    /// Index in `own` of each of these groups.
    own_at: Vec<u32>,
    own: Vec<OwnGroup>,
    /// Groups of a candidate that the row's submission holds too, and how often the candidate does.
    hits: Vec<(u32, u32)>,
}

/// A group that a submission holds: the amount of its grams, each counted once, and how often it holds each.
#[derive(Debug, Clone, Copy)]
struct OwnGroup {
    each: Amount,
    times: u32,
    /// Index of its first holder among those of its part.
    start: u32,
}

impl<'a> Tally<'a> {
    /// Creates a tally of the grams of these submissions.
    pub fn new(profiles: &'a [Profile]) -> Tally<'a> {
        let n_grams: usize = profiles.iter().map(Profile::n_kept).sum();
        let n_batches = n_grams / (PART * PARTS) + 1;
        let n_parts = if n_batches == 1 { n_grams / PART + 1 } else { PARTS };
        Tally { profiles, n_batches: n_batches as u64, n_parts }
    }

    /// Returns the number of batches that the grams are cut into, at least one.
    pub fn n_batches(&self) -> u64 {
        self.n_batches
    }

    /// Returns the number of parts that each batch is cut into, at least one.
    pub fn n_parts(&self) -> usize {
        self.n_parts
    }

    /// Returns where a submission's grams are cut in a batch; `from` is where the previous batch ended, or 0.
    pub fn cut(&self, id: SubmissionId, batch: u64, from: u32) -> Cut {
        let hashes = self.profiles[id as usize].hashes();
        let n_parts = u128::from(self.n_batches) * self.n_parts as u128;
        let mut cut = [from; PARTS + 1];
        let mut at = from as usize;
        for (number, end) in (1..=self.n_parts as u128).zip(&mut cut[1..]) {
            let part = u128::from(batch) * self.n_parts as u128 + number;
            // Parts divide the range of hashes evenly.
            let least = (part << 64).div_ceil(n_parts);
            at = match u64::try_from(least) {
                Ok(least) => at + hashes[at..].iter().take_while(|&&hash| hash < least).count(),
                Err(_) => hashes.len(),
            };
            *end = at as u32;
        }
        cut[self.n_parts..].fill(at as u32);
        cut
    }

    /// Sorts the grams of part `number` into `part`. `cuts` are those of all submissions; each of the `groups` counts
    /// as one. `room` is scratch memory.
    pub fn sort(
        &self,
        number: usize,
        cuts: &[Cut],
        groups: &Groups,
        part: &mut Part,
        room: &mut SortScratch,
    ) {
        let SortScratch { grams, spare, held, spare_held } = room;
        let range = |cut: &Cut| cut[number] as usize..cut[number + 1] as usize;
        grams.clear();
        grams.reserve(cuts.iter().map(|cut| range(cut).len()).sum());
        for ((id, profile), cut) in (0..).zip(self.profiles).zip(cuts) {
            grams.extend(profile.grams(range(cut)).map(|(hash, times)| (hash, id, times)));
        }
        // The hashes of a part begin alike. The lower bits of their products ascend as they do, and are spread evenly.
        // Equal grams stay ordered by submission.
        let n_parts = self.n_batches.wrapping_mul(self.n_parts as u64);
        kernel::sort_by_key(grams, spare, |&(hash, _, _)| hash.wrapping_mul(n_parts));
        held.clear();
        let mut start = 0;
        for holders in grams.chunk_by(|x, y| x.0 == y.0) {
            let end = start + holders.len() as u32;
            if holders.len() > 1 {
                held.push((mixed(holders), start, end));
            }
            start = end;
        }
        kernel::sort_by_key(held, spare_held, |&(mixed, _, _)| mixed);
        let holders_of = |&(_, start, end): &(u64, u32, u32)| &grams[start as usize..end as usize];
        part.clear();
        for alike in held.chunk_by(|x, y| are_equal(holders_of(x), holders_of(y))) {
            let (start, holders) = (part.holders.len() as u32, holders_of(&alike[0]));
            part.groups.push(Group { start, n_grams: alike.len() as u32, df: 0 });
            part.holders.extend(holders.iter().map(|&(_, id, times)| (id, times)));
        }
        part.weigh(groups);
        part.note_held(self.profiles.len());
    }
}

/// Hashes the holders of a gram, and how often they hold it: a sum, so that no holder waits for the one before.
fn mixed(holders: &[GramHolder]) -> u64 {
    let number = |&(_, id, times): &GramHolder| mix(u64::from(id) << 32 | u64::from(times));
    holders.iter().map(number).fold(0, u64::wrapping_add)
}

/// Returns whether two grams have the same holders, equally often.
fn are_equal(x: &[GramHolder], y: &[GramHolder]) -> bool {
    let holding = |&(_, id, times): &GramHolder| (id, times);
    x.iter().map(holding).eq(y.iter().map(holding))
}

impl Part {
    /// Empties the part, and keeps its memory.
    fn clear(&mut self) {
        self.groups.clear();
        self.holders.clear();
    }

    /// Counts, for each group of grams, how many of these groups of submissions hold it.
    pub fn weigh(&mut self, groups: &Groups) {
        let mut counter = groups.counter();
        for group in 0..self.groups.len() {
            let holders = self.holders_of(group).iter();
            self.groups[group].df = counter.count(holders.map(|&(id, _)| id)) as u32;
        }
    }

    /// Returns the holders of a group.
    fn holders_of(&self, group: usize) -> &[(SubmissionId, u32)] {
        let end = self.groups.get(group + 1).map_or(self.holders.len(), |next| next.start as usize);
        &self.holders[self.groups[group].start as usize..end]
    }

    /// Notes the groups that each of `n` submissions holds.
    fn note_held(&mut self, n: usize) {
        let mut starts = std::mem::take(&mut self.starts);
        starts.clear();
        // One start more, so that each can move up to where the next begins.
        starts.resize(n + 2, 0);
        for &(id, _) in &self.holders {
            starts[id as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut held, mut n_before, mut before) = (
            std::mem::take(&mut self.held),
            std::mem::take(&mut self.n_before),
            std::mem::take(&mut self.before),
        );
        held.clear();
        held.resize(self.holders.len(), (0, 0));
        n_before.clear();
        n_before.resize(self.holders.len(), 0);
        before.clear();
        before.resize(n, 0);
        for group in 0..self.groups.len() {
            for (place, &(id, times)) in (0..).zip(self.holders_of(group)) {
                let next = &mut starts[id as usize + 1];
                held[*next as usize] = (group as u32, times);
                n_before[*next as usize] = place;
                *next += 1;
                before[id as usize] += u64::from(place);
            }
        }
        (self.held, self.n_before, self.starts, self.before) = (held, n_before, starts, before);
    }

    /// Returns the groups that a submission holds, how often, and the number of holders before it.
    fn held_by(&self, id: SubmissionId) -> impl Iterator<Item = ((u32, u32), u32)> + '_ {
        let range = self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize;
        self.held[range.clone()].iter().copied().zip(self.n_before[range].iter().copied())
    }
}

impl Holdings {
    /// Returns its `n` parts, to be sorted.
    pub fn parts(&mut self, n: usize) -> &mut [Part] {
        self.parts.resize_with(n, Part::default);
        &mut self.parts
    }

    /// Allocates memory for what each of `n` submissions holds, once the parts are sorted. The caller must
    /// [gather](Gathering::gather) what is returned, `at_a_time` submissions each.
    pub fn gathering(&mut self, n: usize, at_a_time: usize) -> Vec<Gathering<'_>> {
        let Holdings { parts, bits, held, n_before, starts, before } = self;
        let most = parts.iter().map(|part| part.groups.len()).max().unwrap_or(0);
        *bits = most.next_power_of_two().ilog2();
        starts.clear();
        starts.reserve(n + 1);
        before.clear();
        let mut end = 0;
        for id in 0..n {
            starts.push(end);
            end += parts.iter().map(|part| part.starts[id + 1] - part.starts[id]).sum::<u32>();
            before.push(parts.iter().map(|part| part.before[id]).sum());
        }
        starts.push(end);
        held.clear();
        held.resize(end as usize, (0, 0));
        n_before.clear();
        n_before.resize(end as usize, 0);
        let mut rest = (&mut held[..], &mut n_before[..]);
        let firsts = (0..n).step_by(at_a_time);
        let pieces = firsts.map(|first| {
            let last = n.min(first + at_a_time);
            let len = (starts[last] - starts[first]) as usize;
            let (held, others) = std::mem::take(&mut rest.0).split_at_mut(len);
            let (n_before, others_before) = std::mem::take(&mut rest.1).split_at_mut(len);
            rest = (others, others_before);
            let submissions = first as SubmissionId..last as SubmissionId;
            Gathering { parts, bits: *bits, submissions, held, n_before }
        });
        pieces.collect()
    }

    /// Frees what the parts know of each submission, once all of it is gathered: as much memory again as the list that it
    /// is gathered in.
    pub fn forget_gathered(&mut self) {
        for part in &mut self.parts {
            (part.held, part.n_before) = (Vec::new(), Vec::new());
        }
    }

    /// Returns the numbers of the groups that a submission holds, and how often.
    fn held_by(&self, id: SubmissionId) -> &[(u32, u32)] {
        let start = |id: usize| self.starts[id] as usize;
        &self.held[start(id as usize)..start(id as usize + 1)]
    }

    /// Returns the holders before a submission in each of its groups, which are its `own`.
    fn before<'a>(
        &'a self,
        id: SubmissionId,
        own: &'a [OwnGroup],
    ) -> impl Iterator<Item = (&'a [(SubmissionId, u32)], &'a OwnGroup)> {
        let range = self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize;
        let all = self.held[range.clone()].iter().zip(&self.n_before[range]).zip(own);
        all.map(|((&(group, _), &n_before), own)| {
            let holders = &self.parts[(group >> self.bits) as usize].holders;
            (&holders[own.start as usize..][..n_before as usize], own)
        })
    }

    /// Returns the part of a group, and its index there.
    fn place(&self, group: u32) -> (&Part, usize) {
        (&self.parts[(group >> self.bits) as usize], (group & ((1 << self.bits) - 1)) as usize)
    }
}

impl Gathering<'_> {
    /// Gathers the groups that each of the submissions holds.
    pub fn gather(self) {
        let Gathering { parts, bits, submissions, held, n_before } = self;
        let mut next = held.iter_mut().zip(n_before);
        for id in submissions {
            for (number, part) in (0..).zip(parts) {
                for (((group, times), before), (held, n_before)) in part.held_by(id).zip(&mut next)
                {
                    *held = (number << bits | group, times);
                    *n_before = before;
                }
            }
        }
    }
}

impl Scratch {
    /// Allocates memory for `n` submissions.
    pub fn new(n: usize) -> Scratch {
        Scratch {
            sums: vec![Amount::default(); n],
            marks: Vec::new(),
            own_at: Vec::new(),
            own: Vec::new(),
            hits: Vec::new(),
        }
    }
}

/// The row of a submission: the candidates in which it has the higher number, and the sums of each.
#[derive(Debug)]
pub struct Row<'a> {
    /// Number of the submission.
    pub id: SubmissionId,
    /// Amount of its grams that others hold too.
    pub held: &'a mut Amount,
    /// Its candidates, ascending.
    pub candidates: &'a [Candidate],
    /// For each candidate, the amount of the grams that both hold, as a multiset intersection.
    pub shared: &'a mut [Amount],
}

impl Row<'_> {
    /// Adds the grams of a batch; `weights` are indexed by the number of groups of submissions that hold a gram.
    pub fn count(&mut self, holdings: &Holdings, weights: &[u64], scratch: &mut Scratch) {
        scratch.own.clear();
        for &(group, times) in holdings.held_by(self.id) {
            let (part, at) = holdings.place(group);
            let Group { start, n_grams, df } = part.groups[at];
            let grams = u64::from(n_grams);
            let each = Amount { weight: weights[df as usize] * grams, grams };
            *self.held += each * u64::from(times);
            scratch.own.push(OwnGroup { each, times, start });
        }
        let n_held = |pair: &Candidate| holdings.held_by(pair.a).len() as u64;
        let n_steps: u64 = self.candidates.iter().map(n_held).sum();
        let n_jumps = scratch.own.len() as u64;
        if n_steps < holdings.before[self.id as usize] + JUMP * n_jumps {
            self.count_by_candidate(holdings, scratch);
        } else {
            self.count_by_holder(holdings, scratch);
        }
    }

    /// Adds up what is shared by walking through all holders of its groups that come before it.
    ///
    /// Sums are kept of all of them: a branch on the candidates among them could not be predicted.
    fn count_by_holder(&mut self, holdings: &Holdings, scratch: &mut Scratch) {
        let Scratch { sums, own, .. } = scratch;
        for (holders, &OwnGroup { each, times, .. }) in holdings.before(self.id, own) {
            for &(a, times_a) in holders {
                sums[a as usize] += each * u64::from(times.min(times_a));
            }
        }
        for (pair, shared) in self.candidates.iter().zip(&mut *self.shared) {
            *shared += sums[pair.a as usize];
        }
        if holdings.before[self.id as usize] >= u64::from(self.id) {
            sums[..self.id as usize].fill(Amount::default());
            return;
        }
        for &(a, _) in holdings.before(self.id, own).flat_map(|(holders, _)| holders) {
            sums[a as usize] = Amount::default();
        }
    }

    /// Adds up what is shared by walking through all groups of each candidate.
    fn count_by_candidate(&mut self, holdings: &Holdings, scratch: &mut Scratch) {
        let Scratch { marks, own_at, own, hits, .. } = scratch;
        let n_numbers = holdings.parts.len() << holdings.bits;
        if own_at.len() < n_numbers {
            own_at.resize(n_numbers, 0);
            marks.resize(n_numbers.div_ceil(64), 0);
        }
        let own_groups = holdings.held_by(self.id);
        for (&(group, _), at) in own_groups.iter().zip(0..) {
            marks[group as usize / 64] |= 1 << (group % 64);
            own_at[group as usize] = at;
        }
        for (pair, shared) in self.candidates.iter().zip(&mut *self.shared) {
            let held = holdings.held_by(pair.a);
            if hits.len() < held.len() {
                hits.resize(held.len(), (0, 0));
            }
            // Without a branch, which could not be predicted.
            let mut n_hits = 0;
            for &(group, times) in held {
                hits[n_hits] = (group, times);
                n_hits += (marks[group as usize / 64] >> (group % 64) & 1) as usize;
            }
            // In a register: each step would wait for a sum in memory.
            let mut sum = *shared;
            for &(group, times_a) in &hits[..n_hits] {
                let OwnGroup { each, times, .. } = own[own_at[group as usize] as usize];
                sum += each * u64::from(times.min(times_a));
            }
            *shared = sum;
        }
        for &(group, _) in own_groups {
            marks[group as usize / 64] = 0;
        }
    }
}

/// Returns, for each of `n` submissions, the range of the candidates in which it has the higher number:
/// `rows[b]..rows[b + 1]`. `candidates` are ascending by the higher number, then by the lower.
pub fn rows(n: usize, candidates: &[Candidate]) -> Vec<usize> {
    debug_assert!(candidates.is_sorted_by_key(|pair| (pair.b, pair.a)));
    let mut rows = vec![0; n + 1];
    for pair in candidates {
        rows[pair.b as usize + 1] += 1;
    }
    for b in 0..n {
        rows[b + 1] += rows[b];
    }
    rows
}

/// Sorts all batches, for tests of other modules.
#[cfg(test)]
pub(super) fn all_batches<'a>(
    profiles: &'a [Profile],
    groups: &Groups,
) -> (Tally<'a>, Vec<Holdings>) {
    let tally = Tally::new(profiles);
    let mut from = vec![0; profiles.len()];
    let batch = |batch: u64| {
        let cut = |(id, &from): (SubmissionId, &u32)| tally.cut(id, batch, from);
        let cuts: Vec<Cut> = (0..).zip(&from).map(cut).collect();
        from = cuts.iter().map(|cut| cut[PARTS]).collect();
        let mut holdings = Holdings::default();
        for (number, part) in holdings.parts(tally.n_parts()).iter_mut().enumerate() {
            tally.sort(number, &cuts, groups, part, &mut SortScratch::default());
        }
        holdings.gathering(profiles.len(), 3).into_iter().for_each(Gathering::gather);
        holdings
    };
    let batches = (0..tally.n_batches()).map(batch).collect();
    (tally, batches)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::score::profile::tests::profile;

    /// The naive twin: counts what two submissions have in common.
    fn naive(a: &[u64], b: &[u64], weigh: impl Fn(u64) -> u64) -> Amount {
        let times =
            |all: &[u64], gram: u64| all.iter().filter(|&&other| other == gram).count() as u64;
        let mut distinct = a.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let mut sum = Amount::default();
        for gram in distinct {
            let grams = times(a, gram).min(times(b, gram));
            sum += Amount { weight: weigh(gram), grams: 1 } * grams;
        }
        sum
    }

    #[test]
    fn batches_and_parts_are_the_whole() {
        let hashes: Vec<u64> = (0..3 * (PART * PARTS) as u64).map(mix).collect();
        let profiles = [profile(&hashes), profile(&hashes[..1000]), profile(&[])];
        let (tally, batches) = all_batches(&profiles, &Groups::alone(profiles.len()));
        assert_eq!((tally.n_batches(), batches.len()), (4, 4));
        let parts = batches.iter().flat_map(|batch| &batch.parts);
        let n_shared: u32 = parts.flat_map(|part| &part.groups).map(|g| g.n_grams).sum();
        assert_eq!(n_shared, 1000);
    }

    proptest! {
        #[test]
        fn sums_are_those_of_each_pair(
            batch in proptest::collection::vec(proptest::collection::vec(0_u64..40, 0..60), 2..40),
            pairs in proptest::collection::btree_set((0_usize..40, 0_usize..40), 0..200),
            factor in prop_oneof![Just(1_u64), Just(u64::MAX / 40)],
        ) {
            let batch: Vec<Vec<u64>> =
                batch.into_iter().map(|grams| grams.into_iter().map(|gram| gram * factor).collect()).collect();
            let profiles: Vec<Profile> = batch.iter().map(|hashes| profile(hashes)).collect();
            let n = batch.len();
            let pairs = pairs.into_iter().filter(|&(b, a)| a < b && b < n);
            let candidates: Vec<Candidate> =
                pairs.map(|(b, a)| Candidate { a: a as u32, b: b as u32 }).collect();
            // The number of submissions that hold each gram.
            let mut df: BTreeMap<u64, usize> = BTreeMap::new();
            for grams in &batch {
                let mut grams = grams.clone();
                grams.sort_unstable();
                grams.dedup();
                for gram in grams {
                    *df.entry(gram).or_default() += 1;
                }
            }
            let weights: Vec<u64> = (0..=n as u64).map(|df| 1000 - 10 * df).collect();
            let (_, batches) = all_batches(&profiles, &Groups::alone(profiles.len()));
            let (rows, mut scratch) = (rows(n, &candidates), Scratch::new(n));
            for b in 0..n {
                let candidates = &candidates[rows[b]..rows[b + 1]];
                let (mut held, mut shared) = (Amount::default(), vec![Amount::default(); candidates.len()]);
                let mut row = Row { id: b as u32, held: &mut held, candidates, shared: &mut shared };
                for holdings in &batches {
                    row.count(holdings, &weights, &mut scratch);
                }
                for (pair, &shared) in candidates.iter().zip(&shared) {
                    let weigh = |gram: u64| weights[df[&gram]];
                    prop_assert_eq!(shared, naive(&batch[pair.a as usize], &batch[b], weigh));
                }
                let others = batch[b].iter().filter(|gram| df[gram] > 1);
                prop_assert_eq!(held.grams, others.count() as u64);
            }
        }
    }
}

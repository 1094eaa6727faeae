//! Rare runs: runs of tokens that two submissions share and few others have.
//!
//! Two submissions that share a run as long as the guarantee, which at most `m` submissions hold, are candidates
//! however many better partners each of them has. Holders are counted for whole runs, that is for grams of guarantee
//! length, one per token. Fingerprints would not do, because most of them are common even inside a rare run: everyone
//! has these idioms of 11 tokens, but only two have them in this order.
//!
//! A run of `t` tokens that two submissions share has all its `t - k + 1` grams of `k` tokens in common. So grams of
//! `t` tokens are formed only where that many grams in a row may be shared, according to [`SharedFilter`].
//!
//! Cost: at most one look-up in the filter per token. A long gram that is formed takes 12 bytes, 32 more while its part
//! of the hashes is sorted, and 12 more if it is rare. One that `f` submissions hold costs `f²/2` steps, or none if `f`
//! is above `m`. Equal hashes of different grams only add pairs.
//! Source: ours.
//!
//! [`SharedFilter`]: fanmill_text::gram::SharedFilter

use std::ops::Range;

use crate::fingerprint::Recipe;
use crate::index::SubmissionId;
use crate::pair::Candidate;
use fanmill_kernel as kernel;
use fanmill_text::gram;
use fanmill_text::token::Stream;

/// Grams of guarantee length in one submission that others may hold.
///
/// Each hash occurs once, at its first place, so a table of equal rows takes no more than one of its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LongGrams {
    /// Ascending and distinct.
    hashes: Vec<u64>,
    /// For each hash, the index of its gram's first token.
    places: Vec<u32>,
}

impl LongGrams {
    /// Forms the long grams of a submission that lie in one of the ranges `counted` and for whose grams of noise length
    /// `may_be_shared` always holds.
    pub fn new(
        stream: &Stream,
        recipe: &Recipe,
        counted: &[Range<usize>],
        may_be_shared: impl Fn(u64) -> bool,
    ) -> LongGrams {
        let t = recipe.thresholds.guarantee();
        let (mut found, mut hashes) = (Vec::new(), Vec::new());
        for range in counted.iter().filter(|range| range.len() >= t) {
            for run in shared_runs(stream, recipe, range.clone(), &may_be_shared) {
                hashes.clear();
                gram::hash_all(&stream.tokens.symbols[run.clone()], t, &mut hashes);
                found.extend(hashes.iter().copied().zip(run.start as u32..));
            }
        }
        // The sort keeps equal hashes in order, so the first place of each is the one that is kept.
        kernel::sort_by_key(&mut found, &mut Vec::new(), |&(hash, _)| hash);
        found.dedup_by_key(|&mut (hash, _)| hash);
        let (hashes, places) = found.into_iter().unzip();
        LongGrams { hashes, places }
    }

    /// Returns the number of distinct long grams.
    pub fn n_grams(&self) -> usize {
        self.hashes.len()
    }

    /// Returns hash and place of the grams whose hashes lie in one part, ascending.
    fn of_part(&self, part: HashRange) -> impl Iterator<Item = (u64, u32)> + '_ {
        let first = self.hashes.partition_point(|&hash| part.of(hash) < part.number);
        let n_own = self.hashes[first..].partition_point(|&hash| part.of(hash) == part.number);
        let own = first..first + n_own;
        self.hashes[own.clone()].iter().copied().zip(self.places[own].iter().copied())
    }
}

/// Returns the runs of at least guarantee length inside a range whose grams of noise length may all be shared,
/// ascending.
///
/// Looks at the grams of the next window that might be such a run from its end. If one is not shared, all windows that
/// contain it are skipped. So most grams of a text that shares little are not even hashed.
fn shared_runs(
    stream: &Stream,
    recipe: &Recipe,
    range: Range<usize>,
    may_be_shared: &impl Fn(u64) -> bool,
) -> Vec<Range<usize>> {
    let (k, t) = (recipe.thresholds.noise(), recipe.thresholds.guarantee());
    let symbols = &stream.tokens.symbols;
    let is_shared = |at: usize| may_be_shared(recipe.hash(&symbols[at..at + k]));
    let mut runs = Vec::new();
    // The grams in `start..known` are shared.
    let (mut start, mut known) = (range.start, range.start);
    while start + t <= range.end {
        let last = start + t - k;
        if let Some(other) = (known..=last).rev().find(|&at| !is_shared(at)) {
            // All grams behind it, up to `last`, are shared.
            (start, known) = (other + 1, last + 1);
            continue;
        }
        let mut end = last + k;
        while end < range.end && is_shared(end + 1 - k) {
            end += 1;
        }
        runs.push(start..end);
        start = end + 2 - k;
        known = start;
    }
    runs
}

/// One of equal parts of the range of hashes, by their leading bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashRange {
    number: u64,
    bits: u32,
}

/// Number of long grams sorted at a time, if they are spread evenly over the parts. It takes 2 MiB, so a part is sorted
/// in the processor's cache, and needs little memory compared with the grams.
const AT_A_TIME: usize = 1 << 16;

impl HashRange {
    /// Returns the parts in which the long grams of some submissions are sorted, ascending.
    pub fn all(holdings: &[&LongGrams]) -> Vec<HashRange> {
        let n_grams: usize = holdings.iter().map(|held| held.n_grams()).sum();
        let bits = n_grams.div_ceil(AT_A_TIME).next_power_of_two().ilog2();
        (0..1 << bits).map(|number| HashRange { number, bits }).collect()
    }

    /// Returns the number of the part that a hash is in.
    fn of(self, hash: u64) -> u64 {
        hash.checked_shr(u64::BITS - self.bits).unwrap_or(0)
    }
}

/// Long grams of one part that at least two submissions hold, but not too many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RareGrams {
    /// The holders of gram `i` end at `ends[i]`, and begin where those of the gram before end.
    ends: Vec<u32>,
    /// Holders of each gram, ascending.
    holders: Vec<SubmissionId>,
    /// The rare grams of submission `b` are `held[rows[b]..rows[b + 1]]`.
    rows: Vec<u32>,
    /// Start of each rare gram, and its number.
    held: Vec<(u32, u32)>,
}

impl RareGrams {
    /// Finds the grams of one part that two to `max_holders` submissions hold.
    pub fn from_part(holdings: &[&LongGrams], part: HashRange, max_holders: usize) -> RareGrams {
        let mut postings: Vec<(u64, SubmissionId, u32)> = Vec::new();
        for (id, held) in (0..).zip(holdings) {
            postings.extend(held.of_part(part).map(|(hash, place)| (hash, id, place)));
        }
        // All hashes of a part have the same leading bits, which would be useless to a radix sort.
        kernel::sort_by_key(&mut postings, &mut Vec::new(), |&(hash, ..)| hash << part.bits);
        let mut rare = RareGrams::default();
        let groups = || postings.chunk_by(|x, y| x.0 == y.0);
        let is_rare = |group: &&[_]| (2..=max_holders).contains(&group.len());
        // Two more entries, so that each start can move up to where the next begins.
        let mut rows = vec![0; holdings.len() + 2];
        for group in groups().filter(is_rare) {
            for &(_, id, _) in group {
                rare.holders.push(id);
                rows[id as usize + 2] += 1;
            }
            rare.ends.push(rare.holders.len() as u32);
        }
        let mut sum = 0;
        for start in &mut rows {
            sum += *start;
            *start = sum;
        }
        rare.held = vec![(0, 0); rare.holders.len()];
        for (number, group) in (0..).zip(groups().filter(is_rare)) {
            for &(_, id, place) in group {
                let next = &mut rows[id as usize + 1];
                rare.held[*next as usize] = (place, number);
                *next += 1;
            }
        }
        rows.pop();
        RareGrams { rows, ..rare }
    }

    /// Returns the submissions that hold the gram of a number, ascending.
    fn holders(&self, number: u32) -> &[SubmissionId] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.holders[start as usize..self.ends[number as usize] as usize]
    }

    /// Returns the starts of a submission's rare grams, and their numbers.
    fn row(&self, id: SubmissionId) -> &[(u32, u32)] {
        let (start, end) = (self.rows[id as usize], self.rows[id as usize + 1]);
        &self.held[start as usize..end as usize]
    }
}

/// The rare grams of all submissions, from which pairs that share a rare run are found.
#[derive(Debug)]
pub struct RareRuns {
    /// Rare grams of each [part](Part::all), in their order.
    parts: Vec<RareGrams>,
    n_submissions: usize,
}

/// Two submissions and the rare runs that they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedRuns {
    /// The two submissions.
    pub pair: Candidate,
    /// Number of distinct rare grams that both hold.
    pub n_grams: u32,
    /// Maximum number of these that follow each other in the second submission. They form a run of that many tokens
    /// plus the guarantee less one.
    pub longest: u32,
    /// Maximum number of grams held by at most [`FEW`] submissions that follow each other.
    pub longest_of_few: u32,
}

/// Number of submissions that hardly ever come upon the same run by themselves, while a dozen do.
///
/// Measured with runs planted in 1,200 Java programs, pairs ordered by the longest run, one pair for two groups of
/// near-copies. Of 60 planted runs of 48-56 tokens, the 45th is at place 469 with 3, 532 with 4, 630 with 8 and 1,187
/// with 16; of those of 96-116 tokens, the 57th is at 369, 289, 300 and 239.
pub const FEW: usize = 4;

/// Working memory for [`RareRuns::row`], reused from submission to submission.
#[derive(Debug)]
pub struct Scratch {
    /// Rare grams shared with each submission so far.
    shared: Vec<SharedGrams>,
    /// Submissions that share something.
    touched: Vec<SubmissionId>,
    /// Places of rare grams, with their part and number.
    rare: Vec<(u32, u32, u32)>,
}

/// Rare grams shared with one submission.
#[derive(Debug, Clone, Copy, Default)]
struct SharedGrams {
    n_grams: u32,
    all: ConsecutiveGrams,
    of_few: ConsecutiveGrams,
}

/// A sequence of grams that follow each other.
#[derive(Debug, Clone, Copy, Default)]
struct ConsecutiveGrams {
    /// Start of the last gram.
    last: u32,
    /// Number of grams in a row up to the last one.
    run: u32,
    /// The largest such number so far.
    longest: u32,
}

impl RareRuns {
    /// Collects the rare grams of all parts, in their order.
    pub fn new(parts: Vec<RareGrams>, n_submissions: usize) -> RareRuns {
        RareRuns { parts, n_submissions }
    }

    /// Returns working memory for [`RareRuns::row`]: five numbers for each submission.
    pub fn scratch(&self) -> Scratch {
        let shared = vec![SharedGrams::default(); self.n_submissions];
        Scratch { shared, touched: Vec::new(), rare: Vec::new() }
    }

    /// Appends the submissions with a lower number than `b` that share a rare run with it and for which `wanted` holds,
    /// ascending.
    pub fn row(
        &self,
        b: SubmissionId,
        wanted: impl Fn(SubmissionId) -> bool,
        scratch: &mut Scratch,
        found: &mut Vec<SharedRuns>,
    ) {
        for (part, rare) in (0..).zip(&self.parts) {
            scratch.rare.extend(rare.row(b).iter().map(|&(place, number)| (place, part, number)));
        }
        // By place, so that grams that follow each other are counted in a row.
        scratch.rare.sort_unstable();
        for (place, part, number) in scratch.rare.drain(..) {
            let holders = self.parts[part as usize].holders(number);
            for &a in holders.iter().take_while(|&&a| a < b) {
                let shared = &mut scratch.shared[a as usize];
                if shared.n_grams == 0 {
                    scratch.touched.push(a);
                }
                shared.n_grams += 1;
                shared.all.add(place);
                if holders.len() <= FEW {
                    shared.of_few.add(place);
                }
            }
        }
        scratch.touched.sort_unstable();
        for a in scratch.touched.drain(..) {
            let SharedGrams { n_grams, all, of_few } =
                std::mem::take(&mut scratch.shared[a as usize]);
            if wanted(a) {
                let (longest, longest_of_few) = (all.longest, of_few.longest);
                let pair = Candidate { a, b };
                found.push(SharedRuns { pair, n_grams, longest, longest_of_few });
            }
        }
    }
}

impl ConsecutiveGrams {
    /// Counts one more gram, which begins at `place`; places ascend.
    fn add(&mut self, place: u32) {
        let follows = self.run > 0 && place == self.last + 1;
        self.run = if follows { self.run + 1 } else { 1 };
        self.longest = self.longest.max(self.run);
        self.last = place;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::select::{Selector, Thresholds};
    use fanmill_text::frontend::Kind;
    use fanmill_text::gram::SharedFilter;
    use fanmill_text::span::Span;
    use fanmill_text::token::{Symbol, Token};

    fn stream(texts: &[String]) -> Stream {
        let mut stream = Stream::default();
        for (document, text) in texts.iter().enumerate() {
            stream.push(document, Kind::Code, |tokens| {
                for (at, byte) in (0..).zip(text.bytes()) {
                    let symbol = Symbol::spelled(&[byte]);
                    tokens.push(Token { symbol, name: symbol, span: Span::new(at, at + 1) });
                }
            });
        }
        stream
    }

    fn recipe(noise: u32, guarantee: u32) -> Recipe {
        let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
        Recipe { kind: Kind::Code, thresholds, selector: Selector::All }
    }

    /// Forms the long grams of some streams as a comparison does.
    fn long_grams(streams: &[Stream], recipe: &Recipe) -> Vec<LongGrams> {
        let filter = SharedFilter::with_slots(1000);
        for stream in streams {
            let mut grams = Vec::new();
            for range in stream.ranges(Kind::Code) {
                let k = recipe.thresholds.noise();
                gram::hash_all(&stream.tokens.symbols[range], k, &mut grams);
            }
            filter.note(&mut grams);
        }
        let of_stream = |stream: &Stream| {
            let counted: Vec<Range<usize>> = stream.ranges(Kind::Code).collect();
            LongGrams::new(stream, recipe, &counted, |hash| filter.may_be_shared(hash))
        };
        streams.iter().map(of_stream).collect()
    }

    fn rows(holdings: &[LongGrams], bits: u32, max_holders: usize) -> Vec<SharedRuns> {
        let all: Vec<&LongGrams> = holdings.iter().collect();
        let parts = (0..1 << bits).map(|number| HashRange { number, bits });
        let parts = parts.map(|part| RareGrams::from_part(&all, part, max_holders));
        let runs = RareRuns::new(parts.collect(), holdings.len());
        let (mut scratch, mut found) = (runs.scratch(), Vec::new());
        for b in 0..holdings.len() as SubmissionId {
            runs.row(b, |_| true, &mut scratch, &mut found);
        }
        found
    }

    /// The naive twin: counts the holders of each window by its letters. For each pair, it takes the places in the
    /// second submission where a rare window that the first one holds begins for the first time.
    fn naive(texts: &[Vec<String>], t: usize, max_holders: usize) -> Vec<SharedRuns> {
        let windows = |texts: &[String]| -> Vec<(usize, String)> {
            let mut start = 0;
            let mut windows = Vec::new();
            for text in texts.iter().filter(|text| !text.is_empty()) {
                let own = (0..(text.len() + 1).saturating_sub(t))
                    .map(|at| (start + at, text[at..at + t].to_owned()));
                windows.extend(own);
                // One place between texts, so that no run crosses from one to the next.
                start += text.len() + 1;
            }
            windows
        };
        let held: Vec<BTreeSet<String>> = texts
            .iter()
            .map(|texts| windows(texts).into_iter().map(|(_, own)| own).collect())
            .collect();
        let mut holders: BTreeMap<&String, usize> = BTreeMap::new();
        held.iter().flatten().for_each(|window| *holders.entry(window).or_default() += 1);
        let mut found = Vec::new();
        for (b, text) in texts.iter().enumerate() {
            for (a, held) in held[..b].iter().enumerate() {
                let mut seen = BTreeSet::new();
                let shared = windows(text).into_iter().filter(|(_, window)| {
                    held.contains(window)
                        && holders[window] <= max_holders
                        && seen.insert(window.clone())
                });
                let shared: Vec<(usize, usize)> =
                    shared.map(|(at, window)| (at, holders[&window])).collect();
                let longest = |most: usize| {
                    let places = shared.iter().filter(|&&(_, n_holders)| n_holders <= most);
                    let places: Vec<usize> = places.map(|&(at, _)| at).collect();
                    let runs = places.chunk_by(|x, y| y - x == 1).map(<[usize]>::len);
                    runs.max().unwrap_or(0) as u32
                };
                if shared.is_empty() {
                    continue;
                }
                found.push(SharedRuns {
                    pair: Candidate { a: a as u32, b: b as u32 },
                    n_grams: shared.len() as u32,
                    longest: longest(max_holders),
                    longest_of_few: longest(FEW),
                });
            }
        }
        found
    }

    proptest! {
        #[test]
        fn rare_runs_are_those_of_the_naive_twin(
            texts in proptest::collection::vec(proptest::collection::vec("[abc]{0,25}", 0..3), 0..8),
            noise in 1_u32..5,
            more in 0_u32..5,
            bits in 0_u32..4,
            max_holders in 0_usize..6,
        ) {
            let recipe = recipe(noise, noise + more);
            let streams: Vec<Stream> = texts.iter().map(|texts| stream(texts)).collect();
            let found = rows(&long_grams(&streams, &recipe), bits, max_holders);
            prop_assert_eq!(found, naive(&texts, recipe.thresholds.guarantee(), max_holders));
        }
    }

    #[test]
    fn boilerplate_and_breaks_interrupt_a_run() {
        let streams =
            [stream(&["abcdefgh".to_owned()]), stream(&["abcd".to_owned(), "efgh".to_owned()])];
        let recipe = recipe(2, 4);
        let found = rows(&long_grams(&streams, &recipe), 0, 16);
        let pair = Candidate { a: 0, b: 1 };
        let expected = SharedRuns { pair, n_grams: 2, longest: 1, longest_of_few: 1 };
        assert_eq!(found, [expected]);
        let counted = [0..3, 4..8];
        let covered = LongGrams::new(&streams[0], &recipe, &counted, |_| true);
        assert_eq!(covered.n_grams(), 1, "efgh");
    }

    #[test]
    fn parts_are_few_enough_to_be_sorted() {
        let held = |n: u64| LongGrams { hashes: (0..n).collect(), places: vec![0; n as usize] };
        let n_parts = |n: u64| HashRange::all(&[&held(n)]).len();
        assert_eq!([0, 1, AT_A_TIME as u64, AT_A_TIME as u64 + 1].map(n_parts), [1, 1, 1, 2]);
    }
}

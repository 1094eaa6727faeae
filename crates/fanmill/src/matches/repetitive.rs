//! Matches in text that repeats itself: where a gram has too many positions to try all pairs of them as seeds, and
//! where tokens lie in matches on very many diagonals.
//!
//! The suffixes of both texts are sorted together. For each token, the longest run that begins there and also occurs in
//! the other text begins, in that text, at one of the two of its suffixes that are nearest in this order. Only enough
//! of these runs are returned to cover all their tokens, and the longest of all: there are as many runs as tokens, each
//! up to the length of the text.
//!
//! Cost: O(n) time for `n` tokens of both texts, and about 30 bytes of memory for each while it runs; nothing where
//! pairs of seeds find everything, as they nearly always do. Where both texts repeat themselves but share no long run,
//! the hashes of their runs show it, and suffixes are not sorted.
//! Source: ours; suffixes are sorted by [`suffixes`](super::suffixes).

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::matches::suffixes::{common_prefixes, suffix_array};
use crate::matches::{Comparable, LeftOut, Match};

/// One of two texts.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a, S> {
    /// Its tokens.
    pub tokens: &'a [S],
    /// Ranges in which matches are wanted: ascending, with a gap between any two.
    pub wanted: &'a [Range<usize>],
}

/// Returns matches of at least `least` tokens that seeds left out: every token in a shared run of that length is in
/// such a match afterwards, either in `found` or in the result, and the longest run is among them.
///
/// `found` are the matches found so far, and `left_out` is what they may lack; `k` is the length of a gram, in tokens.
pub fn repetitive_matches<S: Comparable + Eq + Hash>(
    a: Side<'_, S>,
    b: Side<'_, S>,
    left_out: &LeftOut,
    k: usize,
    found: &[Match],
    least: usize,
) -> Vec<Match> {
    let (in_a, in_b) = match left_out {
        LeftOut::Nothing => return Vec::new(),
        LeftOut::Grams(in_a, in_b) => {
            (stretches(in_a, k, a.wanted, least), stretches(in_b, k, b.wanted, least))
        }
        LeftOut::Anything => (long(a.wanted, least), long(b.wanted, least)),
    };
    // Nothing is missing if each stretch lies in a long match that was already found.
    let is_done = |stretches: &[Range<usize>], side: fn(Match) -> Range<usize>| {
        let found = found.iter().filter(|found| found.len as usize >= least);
        let inside = RangeSet::new(found.map(|&found| side(found)).collect());
        stretches.iter().all(|stretch| inside.has(stretch))
    };
    if is_done(&in_a, Match::range_a) && is_done(&in_b, Match::range_b) {
        return Vec::new();
    }
    if !may_share((a.tokens, &in_a), (b.tokens, &in_b), least) {
        return Vec::new();
    }
    let joined = JoinedText::new((a.tokens, &in_a), (b.tokens, &in_b));
    let longest = joined.longest_shared();
    let (of_a, of_b) = longest.split_at(joined.start_of_b);
    let mut runs = Vec::new();
    cover(of_a, 0, least, &mut runs);
    cover(of_b, joined.start_of_b, least, &mut runs);
    // The longest run is returned even if others cover its tokens.
    let longest =
        (0..).zip(&longest).max_by_key(|(at, shared)| (shared.len, std::cmp::Reverse(*at)));
    runs.extend(longest.map(|(at, &shared)| (at, shared)).filter(|(_, s)| s.len as usize >= least));
    let mut matches: Vec<Match> = runs
        .into_iter()
        .map(|(at, LongestRun { len, partner })| {
            let (at, partner) = (at as u32, partner);
            let (in_a, in_b) = (at.min(partner), at.max(partner));
            Match { a: joined.place(in_a), b: joined.place(in_b), len }
        })
        .collect();
    matches.sort_unstable();
    matches.dedup();
    matches
}

/// Returns the runs of at least `least` tokens that are covered by these grams of `k` tokens and lie in `wanted`.
fn stretches(grams: &[u32], k: usize, wanted: &[Range<usize>], least: usize) -> Vec<Range<usize>> {
    // Positions are sorted by marking them in a list of all, as there are many.
    let mut is_gram = vec![false; grams.iter().max().map_or(0, |&last| last as usize + 1)];
    for &at in grams {
        is_gram[at as usize] = true;
    }
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..is_gram.len()).filter(|&at| is_gram[at]) {
        match runs.last_mut() {
            Some(last) if last.end >= at => last.end = at + k,
            _ => runs.push(at..at + k),
        }
    }
    let mut wanted = wanted.iter().peekable();
    let mut both = Vec::new();
    for run in runs {
        while let Some(part) = wanted.peek().filter(|part| part.start < run.end) {
            both.push(run.start.max(part.start)..run.end.min(part.end));
            if part.end > run.end {
                break;
            }
            wanted.next();
        }
    }
    both.retain(|part| part.len() >= least);
    both
}

fn long(stretches: &[Range<usize>], least: usize) -> Vec<Range<usize>> {
    stretches.iter().filter(|stretch| stretch.len() >= least).cloned().collect()
}

/// Ranges, with a test whether one of them contains a given range.
struct RangeSet {
    /// Starts, ascending, each with the last end of all ranges that start there or before.
    ends: Vec<(usize, usize)>,
}

impl RangeSet {
    fn new(mut ranges: Vec<Range<usize>>) -> RangeSet {
        ranges.sort_unstable_by_key(|range| range.start);
        let mut last = 0;
        let end = |range: Range<usize>| {
            last = range.end.max(last);
            (range.start, last)
        };
        RangeSet { ends: ranges.into_iter().map(end).collect() }
    }

    fn has(&self, range: &Range<usize>) -> bool {
        let n_before = self.ends.partition_point(|&(start, _)| start <= range.start);
        n_before.checked_sub(1).is_some_and(|last| self.ends[last].1 >= range.end)
    }
}

/// Stretches of two texts joined into one text, each followed by an end marker that equals nothing else.
struct JoinedText {
    /// Tokens numbered in the order of their first appearance, so that the numbers do not depend on how tokens are
    /// represented. End markers have the lowest numbers, the last one 0.
    text: Vec<u32>,
    n_symbols: usize,
    start_of_b: usize,
    /// Start of each stretch in the joined text, and in its own text.
    starts: Vec<(u32, u32)>,
}

/// The longest run that begins at a token and also occurs in the other text.
#[derive(Debug, Clone, Copy, Default)]
struct LongestRun {
    /// Its length, in tokens.
    len: u32,
    /// Position in the joined text at which it begins in the other text.
    partner: u32,
}

impl JoinedText {
    fn new<S: Copy + Eq + Hash>(
        (a, in_a): (&[S], &[Range<usize>]),
        (b, in_b): (&[S], &[Range<usize>]),
    ) -> JoinedText {
        let n_stretches = (in_a.len() + in_b.len()) as u32;
        let mut numbers: HashMap<S, u32> = HashMap::new();
        let mut joined =
            JoinedText { text: Vec::new(), n_symbols: 0, start_of_b: 0, starts: Vec::new() };
        let all = in_a.iter().map(|range| (a, range)).chain(in_b.iter().map(|range| (b, range)));
        for (tokens, range) in all {
            if joined.starts.len() == in_a.len() {
                joined.start_of_b = joined.text.len();
            }
            joined.starts.push((joined.text.len() as u32, range.start as u32));
            for &token in &tokens[range.clone()] {
                let next = n_stretches + numbers.len() as u32;
                joined.text.push(*numbers.entry(token).or_insert(next));
            }
            joined.text.push(n_stretches - joined.starts.len() as u32);
        }
        joined.n_symbols = n_stretches as usize + numbers.len();
        joined
    }

    /// Returns the longest shared run for each token, and for each end marker.
    fn longest_shared(&self) -> Vec<LongestRun> {
        let order = suffix_array(&self.text, self.n_symbols);
        let common = common_prefixes(&self.text, &order);
        let mut longest = vec![LongestRun::default(); self.text.len()];
        let mut pass = |ranks: &mut dyn Iterator<Item = usize>,
                        common_with_last: &dyn Fn(usize) -> u32| {
            // The last suffix of each text that was passed.
            let mut last = [LongestRun::default(); 2];
            for rank in ranks {
                let at = order[rank];
                for last in &mut last {
                    last.len = last.len.min(common_with_last(rank));
                }
                let side = usize::from(at as usize >= self.start_of_b);
                let best = &mut longest[at as usize];
                if last[1 - side].len > best.len {
                    *best = last[1 - side];
                }
                last[side] = LongestRun { len: u32::MAX, partner: at };
            }
        };
        let n = order.len();
        pass(&mut (0..n), &|rank| common[rank]);
        pass(&mut (0..n).rev(), &|rank| common.get(rank + 1).copied().unwrap_or(0));
        longest
    }

    /// Converts a position in the joined text to one in its own text.
    fn place(&self, at: u32) -> u32 {
        let (start, own) = self.starts[self.starts.partition_point(|&(start, _)| start <= at) - 1];
        own + (at - start)
    }
}

/// Returns whether stretches of two texts may share a run of `least` tokens.
///
/// This is a quick look at the hashes of all runs of that length: two texts that repeat idioms of their own share none,
/// and need not be sorted.
fn may_share<S: Comparable>(
    (a, in_a): (&[S], &[Range<usize>]),
    (b, in_b): (&[S], &[Range<usize>]),
    least: usize,
) -> bool {
    let (mut of_a, mut of_b) = (run_hashes(a, in_a, least), run_hashes(b, in_b, least));
    // The marks rule out most of them, so few are left to sort.
    keep_marked(&mut of_b, &of_a);
    keep_marked(&mut of_a, &of_b);
    of_a.sort_unstable();
    of_b.iter().any(|hash| of_a.binary_search(hash).is_ok())
}

/// Returns the hash of each run of `len` tokens in some stretches: a polynomial modulo 2^64, so that each hash follows
/// from the one before it.
fn run_hashes<S: Comparable>(tokens: &[S], stretches: &[Range<usize>], len: usize) -> Vec<u64> {
    let longest_power = (0..len).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hashes = Vec::new();
    for stretch in stretches {
        let tokens = &tokens[stretch.clone()];
        let mut hash = 0_u64;
        for (at, &token) in tokens.iter().enumerate() {
            hash = hash.wrapping_mul(BASE).wrapping_add(token.bits());
            if let Some(gone) = at.checked_sub(len) {
                hash = hash.wrapping_sub(longest_power.wrapping_mul(tokens[gone].bits()));
            }
            if at + 1 >= len {
                hashes.push(hash);
            }
        }
    }
    hashes
}

/// 2^64 divided by the golden ratio, made odd: Knuth's multiplier for hashing.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Keeps the hashes that may be among `others`: those whose bit in a table of marks is set by one of them.
fn keep_marked(hashes: &mut Vec<u64>, others: &[u64]) {
    // With sixteen bits for each of `others`, about one in sixteen of the remaining hashes stays by chance.
    let bits = (16 * others.len().max(4)).next_power_of_two().ilog2();
    let place = |hash: u64| hash.wrapping_mul(BASE) >> (u64::BITS - bits);
    let mut marks = vec![0_u64; (1 << bits) / 64];
    for &hash in others {
        marks[place(hash) as usize / 64] |= 1 << (place(hash) % 64);
    }
    hashes.retain(|&hash| marks[place(hash) as usize / 64] & (1 << (place(hash) % 64)) != 0);
}

/// Appends as few runs of one text as cover the same tokens as all of its runs of at least `least` tokens, each with
/// its start; `first` is the start of the text.
///
/// At most two of them contain the same token.
fn cover(longest: &[LongestRun], first: usize, least: usize, runs: &mut Vec<(usize, LongestRun)>) {
    let end = |(at, shared): (usize, LongestRun)| at + shared.len as usize;
    let mut covered_to = 0;
    // The run that reaches farthest among those that begin in the covered tokens, or next to them.
    let mut farthest: Option<(usize, LongestRun)> = None;
    let long = (first..).zip(longest.iter().copied()).filter(|(_, s)| s.len as usize >= least);
    // Ends ascend, and of runs with the same end the first is the longest.
    let mut last_end = 0;
    for run in long {
        if end(run) == std::mem::replace(&mut last_end, end(run)) {
            continue;
        }
        if run.0 > covered_to
            && let Some(taken) = farthest.take()
        {
            covered_to = end(taken);
            runs.push(taken);
        }
        farthest = Some(run);
    }
    runs.extend(farthest);
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use proptest::prelude::*;

    use super::*;
    use crate::matches::letters::{from_seeds, stream};
    use crate::matches::naive;
    use fanmill_text::frontend::Kind;
    use fanmill_text::token::{Dictionary, Number};

    /// Returns the matches found from seeds, and those added afterwards.
    fn matches(a: &str, b: &str, k: usize, least: usize) -> (Vec<Match>, Vec<Match>) {
        let (a, b) = (stream(a), stream(b));
        let found = from_seeds(&a, &b, k);
        let wanted = [&a, &b].map(|stream| stream.ranges(Kind::Code).collect::<Vec<_>>());
        let a = Side { tokens: &a.tokens.symbols, wanted: &wanted[0] };
        let b = Side { tokens: &b.tokens.symbols, wanted: &wanted[1] };
        let more = repetitive_matches(a, b, &found.left_out, k, &found.matches, least);
        (found.matches, more)
    }

    /// Marks the tokens of both sides that lie in one of these matches, if it has at least `least` tokens.
    fn covered(matches: &[Match], n: [usize; 2], least: usize) -> [Vec<bool>; 2] {
        let mut covered = n.map(|n| vec![false; n]);
        for found in matches.iter().filter(|found| found.len as usize >= least) {
            covered[0][found.range_a()].fill(true);
            covered[1][found.range_b()].fill(true);
        }
        covered
    }

    /// Generates text that repeats itself, of one to three letters, with longer runs here and there.
    fn text() -> impl Strategy<Value = String> {
        let letters = prop::sample::select(vec!["a", "ab", "abc", "ab|", "abc|"]);
        let piece = letters.prop_flat_map(|letters| {
            let letter = prop::sample::select(letters.chars().collect::<Vec<_>>());
            let any = proptest::collection::vec(letter, 0..60);
            let any = any.prop_map(|letters| letters.into_iter().collect::<String>());
            let run = prop::sample::select(vec!["a", "ab", "aab", "abc"]);
            prop_oneof![any, (run, 1_usize..40).prop_map(|(run, times)| run.repeat(times))]
        });
        proptest::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// The promise: a run as long as the guarantee is found, however much repeats.
        #[test]
        fn every_long_run_is_found_whatever_repeats(
            a in text(),
            b in text(),
            k in 1_usize..6,
            more in 0_usize..12,
        ) {
            let least = k + more;
            let (mut found, more) = matches(&a, &b, k, least);
            let symbols = [&a, &b].map(|text| stream(text).tokens.symbols);
            for two in &more {
                prop_assert!(two.len as usize >= least);
                prop_assert_eq!(&symbols[0][two.range_a()], &symbols[1][two.range_b()]);
            }
            found.extend(more);
            let all = naive::maximal_matches(&symbols[0], &symbols[1], least);
            let n = [symbols[0].len(), symbols[1].len()];
            prop_assert_eq!(covered(&found, n, least), covered(&all, n, least));
            let longest = |matches: &[Match]| {
                let long = matches.iter().map(|found| found.len).filter(|&len| len as usize >= least);
                long.max()
            };
            prop_assert_eq!(longest(&found), longest(&all));
        }
    }

    #[test]
    fn where_seeds_show_everything_nothing_is_added() {
        let text = "abcdefgh".repeat(5);
        assert_eq!(matches(&text, &text[1..], 3, 6).1, []);
    }

    #[test]
    fn texts_that_repeat_idioms_of_their_own_need_not_be_sorted() {
        let tokens = |text: &str| stream(text).tokens.symbols;
        let shared = |a: &str, b: &str, least: usize| {
            let (a, b) = (tokens(a), tokens(b));
            let (of_a, of_b) = (0..a.len(), 0..b.len());
            may_share((&a, from_ref(&of_a)), (&b, from_ref(&of_b)), least)
        };
        let (a, b) = ("ab".repeat(3000), "abb".repeat(2000));
        assert!(!shared(&a, &b, 4));
        assert!(shared(&a, &b, 3), "bab stands in both");
    }

    #[test]
    fn numbers_are_told_apart_as_symbols_are() {
        let dictionary = Dictionary::default();
        let numbers = |text: &str| dictionary.numbers(&stream(text).tokens.symbols);
        let (a, b, c) = (numbers("abab"), numbers("cdcd"), numbers("bcd"));
        let shared = |a: &[Number], b: &[Number]| {
            let (of_a, of_b) = (0..a.len(), 0..b.len());
            may_share((a, from_ref(&of_a)), (b, from_ref(&of_b)), 2)
        };
        assert!(!shared(&a, &b));
        assert!(!shared(&a, &c), "only a single letter is common");
        assert!(shared(&b, &c));
    }

    #[test]
    fn stretches_are_runs_of_grams_that_meet() {
        let of = |grams: &[u32], wanted: &[Range<usize>]| stretches(grams, 3, wanted, 3);
        let all = from_ref(&(0..30));
        assert_eq!(
            of(&[0, 1, 4, 10, 11], all),
            [0..7, 10..14],
            "the gram at 4 begins where 1's ends"
        );
        assert_eq!(of(&[0, 5], all), [0..3, 5..8], "none at 3 or 4");
        assert_eq!(of(&[0, 1, 4, 10, 11], &[0..4, 5..13]), [0..4, 10..13], "5..7 is too short");
        assert_eq!(of(&[2, 5, 20], &[0..5, 6..40]), [2..5, 20..23]);
    }

    #[test]
    fn a_range_is_inside_if_one_of_the_others_holds_it_whole() {
        let inside = RangeSet::new(vec![2..8, 3..5, 9..12]);
        for held in [2..8, 3..7, 4..8, 9..12, 10..11] {
            assert!(inside.has(&held), "{held:?}");
        }
        for not_held in [1..3, 7..9, 8..9, 11..13, 0..20] {
            assert!(!inside.has(&not_held), "{not_held:?}");
        }
        assert!(!RangeSet::new(Vec::new()).has(&(0..1)));
    }

    #[test]
    fn few_runs_cover_what_all_cover() {
        let text = "a".repeat(70_000);
        let (_, more) = matches(&format!("{}b", &text[1..]), &format!("c{text}"), 5, 9);
        assert!(more.len() < 5, "{}", more.len());
        assert_eq!(more.iter().map(|found| found.len).max(), Some(69_999));
        let [in_a, in_b] = covered(&more, [70_000, 70_001], 9);
        assert!(in_a[..69_999].iter().all(|&is_covered| is_covered) && !in_a[69_999]);
        assert!(in_b[1..].iter().all(|&is_covered| is_covered) && !in_b[0]);
    }
}

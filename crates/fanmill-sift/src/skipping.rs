//! Skipping grams: a keyed hash of each next token and all tokens taken so far decides whether it is taken.
//! The paper calls this *random skipping*, and grams *clusters*.
//!
//! Every token is the head of one gram. Its cumulative hash `c` starts as the head's value; the
//! token `t` is taken if `h(g(c, t))` falls into the *add* or the *stop* set, and then `c` becomes
//! `g(c, t)`. Grams of fixed length stop at the `l`-th token; those of variable length at the first
//! token of the stop set. A gram that is not finished at the document's end is dropped.
//!
//! The tokens that a gram takes depend only on the tokens between its ends, so an untouched stretch forms the same
//! grams anywhere. Without the key, one can break a gram only by hitting a token that matters to it: an added token
//! breaks `p` of the grams that pass over it, a deleted one those that took it, a changed one both. A periodic change
//! defeats a sliding window, but not skipping grams.
//!
//! Cost: about `l / p` decisions per token, each one wide multiplication; fewer where a text repeats itself
//! (`repeats`).
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.2.
//! Departs from it: a gram may span at most `SPAN` times as many tokens as on average, and is dropped
//! beyond that. In a text of one repeated word, a token that was passed over once is always passed over,
//! and without a bound the cost would be quadratic.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::formation::Gram;
use super::repeats::Repeats;

/// Maximum span of a gram, as a multiple of the average span; see [`bound`]. In random text this limit is more than
/// fifty standard deviations away.
const SPAN: f64 = 16.0;

/// Maximum number of tokens in a gram of variable length.
pub const MAX_VARIABLE: usize = 256;

/// The decision on a token under consideration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// It is taken.
    Add,
    /// It is taken, and the gram is finished.
    Stop,
    /// It is passed over.
    Skip,
}

/// Returns the maximum number of tokens that a gram of `length` tokens may span, if each is taken with probability
/// `chance`.
///
/// With a chance of 1 no token is skipped, so the bound does not matter.
#[expect(clippy::cast_sign_loss, reason = "a length by a chance")]
pub fn bound(length: usize, chance: f64) -> usize {
    (SPAN * length as f64 / chance).ceil() as usize
}

/// Returns the average number of tokens in a gram of variable length, if a token is added with probability `add` and
/// ends the gram with probability `stop`.
#[expect(clippy::cast_sign_loss, reason = "of chances, which are not negative")]
pub fn mean_length(add: f64, stop: f64) -> usize {
    if stop > 0.0 { ((add + stop) / stop).ceil() as usize + 1 } else { MAX_VARIABLE }
}

/// Emits the grams of exactly `length` tokens, in the order of their heads.
///
/// `g(c, t)` combines the cumulative hash with a token; `accept` returns whether the result is in the add or stop set.
/// A gram spans at most `span` tokens, from its head to its last.
///
/// # Panics
/// If `length` or `span` is 0.
#[inline]
pub fn fixed(
    tokens: &[u64],
    length: usize,
    span: usize,
    g: impl Fn(u64, u64) -> u64,
    accept: impl Fn(u64) -> bool,
    mut emit: impl FnMut(Gram<'_>),
) {
    assert!(length > 0, "a gram has a token");
    let mut lanes = Lanes::new(length);
    let mut repeats = Repeats::new(tokens, span);
    let patience = repeats.patience().min(span);
    let mut is_stuck = false;
    for head in (0..tokens.len()).step_by(LANES) {
        let n_heads = LANES.min(tokens.len() - head);
        lanes.start(&tokens[head..head + n_heads]);
        // At first all lanes advance together; then each on its own, with the index of repetitions. If the previous
        // grams got stuck in a repetitive stretch, skip the first step, which would be wasted.
        let distance = match n_heads {
            LANES if !is_stuck => lanes.advance(&tokens[head..], patience, &g, &accept),
            _ => 1,
        };
        is_stuck = false;
        for lane in 0..n_heads {
            let at = head + lane;
            let reached = lanes.finish(lane, at, distance..span, &repeats, &g, &accept);
            repeats.reached(reached);
            is_stuck |= reached > patience;
            if lanes.n_taken[lane] == length {
                emit(Gram { tokens: lanes.taken(lane), reach: at..at + lanes.last[lane] + 1 });
            }
        }
    }
}

/// Number of heads whose grams are formed side by side. A single gram has to wait for each decision
/// before the next one, or for a mispredicted branch; four fill one another's waiting time.
const LANES: usize = 4;

/// The grams of [`LANES`] neighbouring heads.
#[derive(Debug, Clone)]
struct Lanes {
    length: usize,
    cumulative: [u64; LANES],
    n_taken: [usize; LANES],
    /// Distance from the head to the last token taken.
    last: [usize; LANES],
    /// For each lane, memory for a gram and one more token, which is written before it is decided on.
    taken: Vec<u64>,
}

impl Lanes {
    fn new(length: usize) -> Lanes {
        let taken = vec![0; LANES * (length + 1)];
        Lanes { length, cumulative: [0; LANES], n_taken: [0; LANES], last: [0; LANES], taken }
    }

    fn start(&mut self, heads: &[u64]) {
        for (lane, &head) in heads.iter().enumerate() {
            self.cumulative[lane] = head;
            self.n_taken[lane] = 1;
            self.last[lane] = 0;
            self.taken[lane * (self.length + 1)] = head;
        }
    }

    /// Decides on the tokens after each lane's head, without a branch, until all lanes are full, `span` is
    /// reached or one lane has no tokens left. Returns the first distance not decided on.
    ///
    /// The heads are the first tokens of `tokens`; distances stay below `span`.
    #[inline]
    fn advance(
        &mut self,
        tokens: &[u64],
        span: usize,
        g: impl Fn(u64, u64) -> u64,
        accept: impl Fn(u64) -> bool,
    ) -> usize {
        // Local copies, which the compiler keeps in registers, unlike fields.
        let (mut cumulative, mut n_taken, mut last) = (self.cumulative, self.n_taken, self.last);
        let (length, full) = (self.length, LANES * self.length);
        let (t0, rest) = self.taken.split_at_mut(length + 1);
        let (t1, rest) = rest.split_at_mut(length + 1);
        let (t2, t3) = rest.split_at_mut(length + 1);
        let taken = [t0, t1, t2, t3];
        let mut distance = 1;
        for next in tokens[1..].windows(LANES).take(span - 1) {
            for lane in 0..LANES {
                let combined = g(cumulative[lane], next[lane]);
                #[expect(
                    clippy::needless_bitwise_bool,
                    reason = "no branch, which would be guessed wrong"
                )]
                let is_taken = accept(combined) & (n_taken[lane] < length);
                // Written in any case; it counts only if `n_taken` moves past it.
                taken[lane][n_taken[lane]] = next[lane];
                cumulative[lane] = select_unpredictable(is_taken, combined, cumulative[lane]);
                last[lane] = select_unpredictable(is_taken, distance, last[lane]);
                n_taken[lane] += usize::from(is_taken);
            }
            distance += 1;
            if n_taken.iter().sum::<usize>() == full {
                break;
            }
        }
        (self.cumulative, self.n_taken, self.last) = (cumulative, n_taken, last);
        distance
    }

    /// Continues one lane from a distance on; returns the distance at which it stopped.
    #[inline]
    fn finish(
        &mut self,
        lane: usize,
        head: usize,
        distances: Range<usize>,
        repeats: &Repeats<'_>,
        g: impl Fn(u64, u64) -> u64,
        accept: impl Fn(u64) -> bool,
    ) -> usize {
        let (n_taken, last) = (self.n_taken[lane], head + self.last[lane]);
        let mut gram = PartialGram { cumulative: self.cumulative[lane], n_taken, last };
        let end = head.saturating_add(distances.end).min(repeats.tokens().len());
        let places = head + distances.start..end;
        let taken = &mut self.taken[lane * (self.length + 1)..][..self.length];
        let at = finish(&mut gram, taken, places, repeats, g, accept);
        (self.n_taken[lane], self.last[lane]) = (gram.n_taken, gram.last - head);
        at - head
    }

    fn taken(&self, lane: usize) -> &[u64] {
        &self.taken[lane * (self.length + 1)..][..self.length]
    }
}

/// A gram with some of its tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartialGram {
    pub(super) cumulative: u64,
    pub(super) n_taken: usize,
    /// Position of the last token taken.
    pub(super) last: usize,
}

/// Decides on the tokens at `places`, one by one, until the gram fills `taken`; returns the position at which it
/// stopped.
#[inline]
pub(super) fn finish(
    gram: &mut PartialGram,
    taken: &mut [u64],
    places: Range<usize>,
    repeats: &Repeats<'_>,
    g: impl Fn(u64, u64) -> u64,
    accept: impl Fn(u64) -> bool,
) -> usize {
    let (tokens, mut at) = (repeats.tokens(), places.start);
    while gram.n_taken < taken.len() {
        // Skip tokens that were passed over since the last one taken: they would be again.
        at = repeats.next(at, places.end, gram.last);
        if at >= places.end {
            break;
        }
        let combined = g(gram.cumulative, tokens[at]);
        if accept(combined) {
            taken[gram.n_taken] = tokens[at];
            *gram = PartialGram { cumulative: combined, n_taken: gram.n_taken + 1, last: at };
        }
        at += 1;
    }
    at
}

/// Emits the grams of variable length, in the order of their heads.
///
/// Grams of more than [`MAX_VARIABLE`] tokens, and those that span more than `span`, are dropped.
///
/// # Panics
/// If `span` is 0.
#[inline]
pub fn variable(
    tokens: &[u64],
    span: usize,
    g: impl Fn(u64, u64) -> u64,
    categorise: impl Fn(u64) -> Category,
    mut emit: impl FnMut(Gram<'_>),
) {
    let mut taken = Vec::with_capacity(MAX_VARIABLE);
    let mut repeats = Repeats::new(tokens, span);
    for head in 0..tokens.len() {
        let mut cumulative = tokens[head];
        taken.clear();
        taken.push(cumulative);
        let end = head.saturating_add(span).min(tokens.len());
        let (mut at, mut last) = (head + 1, head);
        while taken.len() < MAX_VARIABLE {
            // Skip tokens that were passed over since the last one taken: they would be again.
            at = repeats.next(at, end, last);
            if at >= end {
                break;
            }
            let next = g(cumulative, tokens[at]);
            let category = categorise(next);
            if category != Category::Skip {
                (cumulative, last) = (next, at);
                taken.push(tokens[at]);
            }
            at += 1;
            if category == Category::Stop {
                emit(Gram { tokens: &taken, reach: head..at });
                break;
            }
        }
        repeats.reached(at - head);
    }
}

/// The naive twin of [`fixed`]: the paper's description, one gram at a time.
#[cfg(test)]
fn naive(
    tokens: &[u64],
    length: usize,
    span: usize,
    g: impl Fn(u64, u64) -> u64,
    accept: impl Fn(u64) -> bool,
) -> Vec<Vec<u64>> {
    let gram = |head: usize| {
        let mut gram = vec![tokens[head]];
        let mut cumulative = tokens[head];
        for &token in tokens[head..].iter().take(span).skip(1) {
            if gram.len() < length && accept(g(cumulative, token)) {
                cumulative = g(cumulative, token);
                gram.push(token);
            }
        }
        gram
    };
    (0..tokens.len()).map(gram).filter(|gram| gram.len() == length).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::formation::lists;
    use crate::key;
    use crate::thousandths::Thousandths;
    use fanmill_effort::golden;

    fn cases(kind: &str) -> Vec<Value> {
        let mut file = golden::file("cluster_formation");
        serde_json::from_value(file[kind].take()).expect("an array")
    }

    fn grams(value: &Value) -> Vec<Vec<u64>> {
        value.as_array().expect("an array").iter().map(golden::u64s).collect()
    }

    fn combine(name: &Value) -> fn(u64, u64) -> u64 {
        match name.as_str() {
            Some("xor") => |c, t| c ^ t,
            Some("wrapping_add") => |c, t| c.wrapping_add(t),
            other => panic!("unknown g: {other:?}"),
        }
    }

    #[test]
    fn golden_vectors_of_fixed_length() {
        for case in cases("fixed_length") {
            let (tokens, l) = (golden::u64s(&case["tokens"]), golden::usize(&case["l"]));
            let below = case["accept_below"].as_u64().expect("a number");
            let (g, accept) = (combine(&case["g"]), |v: u64| v % 10 < below);
            let found = lists(|emit| fixed(&tokens, l, usize::MAX, g, accept, emit));
            assert_eq!(found, grams(&case["clusters"]), "{case}");
            assert_eq!(found, naive(&tokens, l, usize::MAX, g, accept), "{case}");
        }
    }

    #[test]
    fn golden_vectors_of_variable_length() {
        for case in cases("variable_length") {
            let tokens = golden::u64s(&case["tokens"]);
            let categorise = |v: u64| match v % 10 {
                0 => Category::Stop,
                1 | 2 => Category::Add,
                _ => Category::Skip,
            };
            let g = combine(&case["g"]);
            let found = lists(|emit| variable(&tokens, usize::MAX, g, categorise, emit));
            assert_eq!(found, grams(&case["clusters"]), "{case}");
        }
    }

    fn keyed(tokens: &[u64], l: usize, p: Thousandths) -> Vec<(Vec<u64>, std::ops::Range<usize>)> {
        let mixer = key::of_test(1).mixer("test");
        let limit = p.of_u64();
        let mut grams = Vec::new();
        fixed(
            tokens,
            l,
            bound(l, p.value()),
            |c, t| c ^ t,
            |v| mixer.mix(v) < limit,
            |gram| {
                grams.push((gram.tokens.to_vec(), gram.reach));
            },
        );
        grams
    }

    fn random_tokens(n: usize, seed: u64) -> Vec<u64> {
        fanmill_kernel::hash::mix::SplitMix::new(seed).seeds(n)
    }

    /// The paper: 1/p - 1 tokens are skipped before one is taken, 2.333 at p = .3.
    #[test]
    fn as_many_tokens_are_skipped_as_the_paper_says() {
        let grams = keyed(&random_tokens(20_000, 2), 10, Thousandths(300));
        let skipped: usize = grams.iter().map(|(_, reach)| reach.len() - 10).sum();
        let mean = skipped as f64 / (9 * grams.len()) as f64;
        assert!((mean - 7.0 / 3.0).abs() < 0.03, "{mean}");
        assert!(grams.len() > 19_900, "all heads but those at the end: {}", grams.len());
    }

    /// Errata, T6: changing a token breaks 1 + (2 - p)(l - 1) = 16.3 grams, not 2l - 1 = 19; adding one
    /// breaks 9, deleting one 10.
    #[test]
    fn an_edit_breaks_as_many_grams_as_calculated() {
        const EDITS: usize = 400;
        let tokens = random_tokens(60 * EDITS, 3);
        let at = |i: usize| 60 * i + 30;
        let before: std::collections::BTreeSet<_> =
            keyed(&tokens, 10, Thousandths(300)).into_iter().map(|gram| gram.0).collect();
        let lost = |attacked: &[u64]| {
            let after: std::collections::BTreeSet<_> =
                keyed(attacked, 10, Thousandths(300)).into_iter().map(|gram| gram.0).collect();
            before.difference(&after).count() as f64 / EDITS as f64
        };
        let mut changed = tokens.clone();
        (0..EDITS).for_each(|i| changed[at(i)] = i as u64);
        let places: std::collections::BTreeSet<usize> = (0..EDITS).map(at).collect();
        let keep = |(i, &token): (usize, &u64)| (!places.contains(&i)).then_some(token);
        let deleted: Vec<u64> = tokens.iter().enumerate().filter_map(keep).collect();
        let double = |(i, &token): (usize, &u64)| {
            if places.contains(&i) { vec![i as u64, token] } else { vec![token] }
        };
        let added: Vec<u64> = tokens.iter().enumerate().flat_map(double).collect();
        for (name, attacked, expected) in
            [("change", changed, 16.3), ("delete", deleted, 10.0), ("add", added, 9.0)]
        {
            let found = lost(&attacked);
            assert!((found - expected).abs() < 0.8, "{name}: {found}, expected {expected}");
        }
    }

    /// Returns texts of few distinct tokens, periodic and random.
    fn repetitive(n: usize) -> [Vec<u64>; 4] {
        let random = random_tokens(n, 5);
        [
            vec![7; n],
            (0..n as u64).map(|i| i % 3).collect(),
            random.iter().map(|token| token % 2).collect(),
            random
                .iter()
                .enumerate()
                .map(|(i, token)| if i < n / 2 { *token } else { 9 })
                .collect(),
        ]
    }

    /// Texts of one repeated word and the like need no more decisions than ordinary text, which needs 33 per token.
    #[test]
    fn repetition_costs_no_more_than_other_text() {
        const N: usize = 20_000;
        let mixer = key::of_test(1).mixer("test");
        let limit = Thousandths(300).of_u64();
        for tokens in repetitive(N) {
            let n_decisions = std::cell::Cell::new(0_usize);
            let decide = |v| {
                n_decisions.set(n_decisions.get() + 1);
                mixer.mix(v) < limit
            };
            fixed(&tokens, 10, bound(10, 0.3), |c, t| c ^ t, decide, |_| {});
            assert!(n_decisions.get() <= 40 * N, "{}", n_decisions.get());
        }
        // If nothing is ever taken, the index is built after one wasted decision per token.
        for tokens in &repetitive(N)[..3] {
            let n_decisions = std::cell::Cell::new(0_usize);
            let skip = |_| {
                n_decisions.set(n_decisions.get() + 1);
                Category::Skip
            };
            variable(tokens, bound(10, 0.3), |c, t| c ^ t, skip, |_| {});
            assert!(n_decisions.get() <= 6 * N, "{}", n_decisions.get());
        }
    }

    /// The naive twin of [`variable`].
    fn naive_variable(
        tokens: &[u64],
        span: usize,
        g: impl Fn(u64, u64) -> u64,
        categorise: impl Fn(u64) -> Category,
    ) -> Vec<Vec<u64>> {
        let gram = |head: usize| {
            let mut gram = vec![tokens[head]];
            let mut cumulative = tokens[head];
            for &token in tokens[head..].iter().take(span).skip(1) {
                let next = g(cumulative, token);
                let category = categorise(next);
                if category != Category::Skip && gram.len() < MAX_VARIABLE {
                    cumulative = next;
                    gram.push(token);
                    if category == Category::Stop {
                        return Some(gram);
                    }
                }
            }
            None
        };
        (0..tokens.len()).filter_map(gram).collect()
    }

    proptest! {
        #[test]
        fn fast_equals_naive(
            tokens in prop::collection::vec(0_u64..6, 0..60), l in 1_usize..8, span in 1_usize..40, below in 0_u64..11,
        ) {
            let accept = |v: u64| v.wrapping_mul(7) % 10 < below;
            let found = lists(|emit| fixed(&tokens, l, span, |c, t| c ^ t, accept, emit));
            prop_assert_eq!(found, naive(&tokens, l, span, |c, t| c ^ t, accept));
        }

        /// Texts are long enough that the index of repetitions is built and searched by blocks.
        #[test]
        fn repetition_equals_naive(
            tokens in prop::collection::vec(0_u64..4, 0..600), l in 2_usize..8, span in 1_usize..300, below in 0_u64..6, salt: u64,
        ) {
            let accept = |v: u64| fanmill_kernel::hash::mix::mix(v ^ salt) % 10 < below;
            let g = |c: u64, t: u64| c.wrapping_mul(31) ^ t;
            let found = lists(|emit| fixed(&tokens, l, span, g, accept, emit));
            prop_assert_eq!(found, naive(&tokens, l, span, g, accept));
            let categorise = |v: u64| match fanmill_kernel::hash::mix::mix(v ^ salt) % 10 {
                0 => Category::Stop,
                h if h < below => Category::Add,
                _ => Category::Skip,
            };
            let found = lists(|emit| variable(&tokens, span, g, categorise, emit));
            prop_assert_eq!(found, naive_variable(&tokens, span, g, categorise));
        }

        /// An edit changes only the grams that span it.
        #[test]
        fn grams_far_from_an_edit_stay(seed: u64, at in 100_usize..200) {
            let tokens = random_tokens(300, seed);
            let mut changed = tokens.clone();
            changed[at] ^= 1;
            let (before, after) = (keyed(&tokens, 6, Thousandths(300)), keyed(&changed, 6, Thousandths(300)));
            let untouched = before.iter().filter(|(_, reach)| !reach.contains(&at));
            for gram in untouched {
                prop_assert!(after.contains(gram));
            }
        }
    }
}

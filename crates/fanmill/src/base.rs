//! Boilerplate: base code that everyone was given, grams that too many submissions hold, and quotations if they are to
//! be set apart.
//!
//! None of it counts as copying, and nothing is dropped silently: the report shows it in grey. A token is boilerplate
//! if it lies in a gram of `k` tokens that the base holds, so base code is still recognised around an edit.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2, on boiler-plate. Departs from it:
//! all grams of the base count, not only its fingerprints, so that the grey has no holes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::fingerprint::Recipe;
use fanmill_kernel as kernel;
use fanmill_text::gram;
use fanmill_text::token::Stream;

/// The reason why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Boilerplate {
    /// It occurs in a base document.
    Given,
    /// It occurs in more submissions than the user allows.
    Frequent,
    /// It is part of a quotation.
    Quoted,
}

impl Boilerplate {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Boilerplate::Given => "given",
            Boilerplate::Frequent => "frequent",
            Boilerplate::Quoted => "quoted",
        }
    }
}

/// The boilerplate grams of one recipe.
#[derive(Debug, Clone, Default)]
pub struct Base {
    given: GramSet,
    frequent: GramSet,
}

impl Base {
    /// Collects grams, in any order: `given` holds those of each base document, `frequent` those that too many
    /// submissions hold.
    pub fn new(given: impl IntoIterator<Item = Vec<u64>>, frequent: Vec<u64>) -> Base {
        let given = given.into_iter().flatten().collect();
        Base { given: GramSet::new(given), frequent: GramSet::new(frequent) }
    }

    /// Returns whether there is no boilerplate.
    pub fn is_empty(&self) -> bool {
        self.given.hashes.is_empty() && self.frequent.hashes.is_empty()
    }

    /// Returns the reason why a gram does not count, or `None` if it does. `Given` wins over `Frequent`.
    #[inline]
    pub fn of(&self, hash: u64) -> Option<Boilerplate> {
        if self.given.contains(hash) {
            Some(Boilerplate::Given)
        } else {
            self.frequent.contains(hash).then_some(Boilerplate::Frequent)
        }
    }

    /// Appends the maximal runs of boilerplate tokens of a submission, ascending, not overlapping.
    pub fn cover(
        &self,
        stream: &Stream,
        recipe: &Recipe,
        runs: &mut Vec<(Range<usize>, Boilerplate)>,
    ) {
        if self.is_empty() {
            return;
        }
        let k = recipe.thresholds.noise();
        // Runs that are already there come from other recipes, and therefore from other documents.
        let first = runs.len();
        each_gram(stream, recipe, |at, hash| {
            let Some(why) = self.of(hash) else { return };
            match runs[first..].last_mut() {
                // Same reason, touching or overlapping: extend the last run.
                Some((run, last)) if *last == why && run.end >= at => run.end = at + k,
                // Covered already.
                Some((run, _)) if run.end >= at + k => {}
                // Another reason, overlapping: the first reason keeps its tokens.
                Some((run, _)) if run.end > at => {
                    let start = run.end;
                    runs.push((start..at + k, why));
                }
                _ => runs.push((at..at + k, why)),
            }
        });
    }
}

/// Joins ascending runs, whatever their reason, into ranges that neither overlap nor touch.
pub fn union(runs: &[(Range<usize>, Boilerplate)]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (run, _) in runs {
        match ranges.last_mut() {
            Some(last) if last.end >= run.start => last.end = last.end.max(run.end),
            _ => ranges.push(run.clone()),
        }
    }
    ranges
}

/// Calls `each` with the position and hash of every gram in a submission's documents of the recipe's kind, by position.
fn each_gram(stream: &Stream, recipe: &Recipe, mut each: impl FnMut(usize, u64)) {
    for range in stream.ranges(recipe.kind) {
        let symbols = &stream.tokens.symbols[range.clone()];
        gram::hash_in_parts(symbols, recipe.thresholds.noise(), |numbers, hashes| {
            for (number, &hash) in numbers.zip(hashes) {
                each(range.start + number, recipe.mark(hash));
            }
        });
    }
}

/// Returns the distinct grams of a submission under a recipe for which `wanted` holds, ascending.
pub fn distinct_grams(stream: &Stream, recipe: &Recipe, wanted: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut own = Vec::new();
    each_gram(stream, recipe, |_, hash| {
        if wanted(hash) {
            own.push(hash);
        }
    });
    kernel::sort_in_place(&mut own);
    own.dedup();
    own.shrink_to_fit();
    own
}

/// Returns the grams that more than `limit` submissions hold, ascending. `held` are the [distinct
/// grams](distinct_grams) of each submission; grams that only one submission holds may be left out.
pub fn frequent(held: Vec<Vec<u64>>, limit: usize) -> Vec<u64> {
    let mut all: Vec<u64> = held.into_iter().flatten().collect();
    kernel::sort_in_place(&mut all);
    let held = all.chunk_by(|x, y| x == y).filter(|holders| holders.len() > limit);
    held.map(|holders| holders[0]).collect()
}

/// A set of gram hashes: a sorted list, with an index by leading bits.
///
/// Gram hashes are spread evenly, so a bucket holds about one. Unlike a hash table, this needs no
/// second hash, and the same content always has the same layout.
#[derive(Debug, Clone, Default)]
struct GramSet {
    /// Ascending and distinct.
    hashes: Vec<u64>,
    /// Bucket `b` is `hashes[starts[b]..starts[b + 1]]`.
    starts: Vec<u32>,
    shift: u32,
}

impl GramSet {
    fn new(mut hashes: Vec<u64>) -> GramSet {
        kernel::sort_in_place(&mut hashes);
        hashes.dedup();
        let bits = hashes.len().next_power_of_two().ilog2().clamp(1, 24);
        let shift = u64::BITS - bits;
        let starts = (0..=1_u64 << bits)
            .map(|b| hashes.partition_point(|&hash| hash >> shift < b) as u32)
            .collect();
        GramSet { hashes, starts, shift }
    }

    #[inline]
    fn contains(&self, hash: u64) -> bool {
        if self.hashes.is_empty() {
            return false;
        }
        let bucket = (hash >> self.shift) as usize;
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        self.hashes[range].binary_search(&hash).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::select::{Selector, Thresholds};
    use fanmill_text::frontend::Kind;
    use fanmill_text::span::Span;
    use fanmill_text::token::{Symbol, Token, Tokens};

    fn stream(text: &str) -> Stream {
        let mut stream = Stream::default();
        stream.push(0, Kind::Code, |tokens| spell(text, tokens));
        stream
    }

    fn spell(text: &str, tokens: &mut Tokens) {
        for (at, byte) in (0..).zip(text.bytes()) {
            let symbol = Symbol::spelled(&[byte]);
            tokens.push(Token { symbol, name: symbol, span: Span::new(at, at + 1) });
        }
    }

    fn recipe() -> Recipe {
        let thresholds = Thresholds::new(3, 3).expect("ordered");
        Recipe { kind: Kind::Code, thresholds, selector: Selector::All }
    }

    fn grams(stream: &Stream) -> Vec<u64> {
        distinct_grams(stream, &recipe(), |_| true)
    }

    fn covered(base: &Base, text: &str) -> Vec<(Range<usize>, Boilerplate)> {
        let mut runs = Vec::new();
        base.cover(&stream(text), &recipe(), &mut runs);
        runs
    }

    #[test]
    fn base_code_is_covered_around_an_edit() {
        let given = stream("abcdefgh");
        let base = Base::new([grams(&given)], Vec::new());
        assert_eq!(
            covered(&base, "xabcdXefghx"),
            [(1..5, Boilerplate::Given), (6..10, Boilerplate::Given)]
        );
        assert_eq!(covered(&base, "ab"), []);
    }

    #[test]
    fn frequent_grams_are_those_above_the_limit() {
        let compared = [stream("abcd"), stream("abce"), stream("abcabc")];
        let above = |limit| Base::new([], frequent(compared.iter().map(grams).collect(), limit));
        let base = above(2);
        assert_eq!(covered(&base, "xabcdx"), [(1..4, Boilerplate::Frequent)]);
        assert!(above(3).is_empty(), "three submissions are not more than three");
    }

    #[test]
    fn given_and_frequent_are_told_apart() {
        let compared = [stream("abcdef"), stream("abcdef")];
        let given = stream("abc");
        let frequent = frequent(compared.iter().map(grams).collect(), 1);
        let base = Base::new([grams(&given)], frequent);
        assert_eq!(
            covered(&base, "abcdef"),
            [(0..3, Boilerplate::Given), (3..6, Boilerplate::Frequent)]
        );
    }

    proptest! {
        /// The naive twin: a token is boilerplate if it lies in a boilerplate gram of its kind.
        #[test]
        fn cover_marks_the_tokens_of_boilerplate_grams_of_every_kind(
            texts in proptest::collection::vec((any::<bool>(), "[ab]{0,12}"), 0..5),
            given in "[ab]{0,6}",
            words in "[ab]{0,6}",
        ) {
            let kind = |is_code: bool| if is_code { Kind::Code } else { Kind::Words };
            let documents = |texts: &[(bool, String)]| {
                let mut stream = Stream::default();
                for (document, (is_code, text)) in texts.iter().enumerate() {
                    stream.push(document, kind(*is_code), |tokens| spell(text, tokens));
                }
                stream
            };
            let base = documents(&[(true, given), (false, words)]);
            let stream = documents(&texts);
            let recipes = [Kind::Code, Kind::Words].map(|kind| Recipe { kind, ..recipe() });
            let mut runs = Vec::new();
            let mut expected = vec![false; stream.tokens.len()];
            for recipe in &recipes {
                let base = Base::new([distinct_grams(&base, recipe, |_| true)], Vec::new());
                base.cover(&stream, recipe, &mut runs);
                each_gram(&stream, recipe, |at, hash| {
                    // The recipe's noise threshold is 3, so each gram covers three tokens.
                    if base.of(hash).is_some() {
                        expected[at..at + 3].fill(true);
                    }
                });
            }
            runs.sort_unstable_by_key(|(range, _)| range.start);
            prop_assert!(runs.iter().all(|(range, _)| range.start < range.end));
            prop_assert!(runs.windows(2).all(|two| two[0].0.end <= two[1].0.start));
            let mut marked = vec![false; stream.tokens.len()];
            for range in union(&runs) {
                marked[range].fill(true);
            }
            prop_assert_eq!(marked, expected);
        }

        #[test]
        fn the_set_holds_what_went_in(mut hashes: Vec<u64>, probes: Vec<u64>) {
            let set = GramSet::new(hashes.clone());
            hashes.sort_unstable();
            for probe in probes.iter().chain(&hashes) {
                prop_assert_eq!(set.contains(*probe), hashes.binary_search(probe).is_ok());
            }
        }
    }
}

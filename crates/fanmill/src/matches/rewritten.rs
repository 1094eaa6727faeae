//! Passages of rewritten prose: tiles and single words in the same order in both texts, chained over what
//! was changed between them.
//!
//! Someone who rewrites a text replaces, deletes and adds words, so that only short runs are left. These, and
//! rare words between them, still stand in the same order and at about the same distances. How surprising this
//! is can be computed. A word that makes up a fraction `p` of a text stands among any `w` words of it with a
//! probability of about `w · p`. So, in bits:
//!
//! - a word that follows the one before it within a window tells `-log2(w · p)`, or nothing if it is frequent;
//! - a word of a run tells `-log2(p)`, of which [`KNOWN`] counts, since one word of a phrase suggests the next;
//! - each word between two tiles costs [`GAP_COST`]: in unrelated texts, chains must lose more than they gain.
//!
//! `p` is taken from the text, of both, in which the word is more frequent. So the topic of two texts is no
//! evidence: words that both repeat tell little. Nor does it matter which other texts are compared.
//!
//! A chain may begin anywhere in both texts, so chance alone yields chains of `log2(n · m / w)` bits among texts
//! of `n` and `m` words. What it has beyond that is its surprise, and a passage needs [`SURPRISE`]. Where none has
//! it, several may be surprising together: a text that takes a few words from here and a few from there.
//!
//! Cost: O(n + m) time and memory for `n` and `m` words, whatever repeats in them: each word has at most
//! [`PLACES`] pairs of places, and the chaining looks at a fixed number of predecessors. Single words are
//! looked for only beside tiles that may begin a passage, and beside words found there, hardly farther than what
//! they tell is worth. Unrelated texts share few such tiles, and so cost next to nothing.
//!
//! Sources: Karlin & Altschul, PNAS 87, 1990, for scores as log-odds and the size of the search space, and
//! PNAS 90, 1993, for the sum of several. Seeds that
//! are extended and filtered are the common design of text alignment at PAN (Potthast et al., CLEF 2013). Ours
//! are the bits. The constants were chosen on half-rewritten English text (`DESIGN.md`, "How is rewritten prose
//! found?").

use std::collections::BTreeSet;
use std::f64::consts::LN_2;
use std::ops::Range;

use crate::matches::chain::{Joining, chain_by, gaps};
use crate::matches::{Comparable, Match, Passage};

/// Words within which the next word of a copy is looked for, as bits: 16 words, a clause or two.
const WINDOW_BITS: f64 = 4.0;

/// Part of what a word tells that it still tells behind the word before it.
const KNOWN: f64 = 0.6;

/// Bits that each word between two tiles costs, on the side that has more.
const GAP_COST: f64 = 0.25;

/// Bits that each word costs by which the two gaps differ.
const SKEW_COST: f64 = 0.05;

/// Words between two tiles at most, on either side: about two sentences.
const MAX_GAP: u32 = 40;

/// Bits that a passage must have beyond what chance yields somewhere in two texts: by the theory,
/// chance alone reaches them in one of 4,000 pairs.
const SURPRISE: f64 = 12.0;

/// Bits that the passages of a pair must have together where none has [`SURPRISE`]: by the theory, chance alone
/// reaches them in one of 256 pairs.
const SURPRISE_TOGETHER: f64 = 8.0;

/// Pairs of places of a word that are tried; one that has more tells too little to begin with.
const PLACES: u64 = 64;

/// Bits that a word must tell alone to be looked for outside runs.
const TELLING: f64 = 1.0;

/// Bits that the gap to a single word may cost beyond what the word tells, since the words behind it may make up
/// for them.
const LOAN: f64 = 2.0;

/// Pairs of places looked at per token of both sides at most. The limit is met where the same words stand close to
/// each other again and again, in another order: then some single words are not marked.
const LOOKS_PER_TOKEN: usize = 512;

/// Tiles looked at for one that follows: the next ones in A.
const LOOK_AHEAD: usize = 50;

/// How much each word of a submission tells.
#[derive(Debug, Default)]
pub struct WordWeights {
    /// Per token: `-log2` of its fraction of the text; 0 for those that do not count.
    bits: Vec<f32>,
    /// Per token: how often its word stands in the text; 0 for those that do not count.
    places: Vec<u32>,
    /// What a word tells that stands in the text once.
    most: f64,
}

impl WordWeights {
    /// The words among `tokens` that count are those in `counted`: ascending and disjoint.
    pub fn new<S: Comparable>(
        tokens: &[S],
        counted: impl IntoIterator<Item = Range<usize>>,
    ) -> WordWeights {
        let mut by_word: Vec<u32> =
            counted.into_iter().flatten().map(|position| position as u32).collect();
        if by_word.is_empty() {
            return WordWeights::default();
        }
        let most = libm::log2(by_word.len() as f64);
        let word = |position: u32| tokens[position as usize].bits();
        by_word.sort_unstable_by_key(|&position| word(position));
        let (mut bits, mut places) = (vec![0.0; tokens.len()], vec![0; tokens.len()]);
        for same in by_word.chunk_by(|&x, &y| word(x) == word(y)) {
            let told = (most - libm::log2(same.len() as f64)) as f32;
            for &position in same {
                bits[position as usize] = told;
                places[position as usize] = same.len() as u32;
            }
        }
        WordWeights { bits, places, most }
    }

    /// What a token tells, in bits.
    fn bits_of(&self, position: usize) -> f64 {
        self.bits.get(position).map_or(0.0, |&bits| f64::from(bits))
    }
}

/// One side of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Prose<'a, S> {
    /// Its tokens.
    pub tokens: &'a [S],
    /// How much its words tell.
    pub words: &'a WordWeights,
}

/// The passages that two texts share, ascending by their first tile, each with whether it is surprising;
/// no token is in two of them.
///
/// `tiles` are the runs that they share, ascending and without overlaps. Each is in one of the passages,
/// whole, and has at least `noise` tokens. Shorter matches, which are of single words, are only in surprising
/// passages. A passage without a tile is never surprising.
pub fn rewritten<S: Comparable>(
    a: Prose<'_, S>,
    b: Prose<'_, S>,
    tiles: &[Match],
    noise: u32,
    same_documents: impl Fn(Match, Match) -> bool,
) -> Vec<(Passage, bool)> {
    let telling = Telling { a: a.words, b: b.words };
    let promising = promising(tiles, noise, &telling);
    if promising.is_empty() {
        return tiles.iter().map(|&tile| (Passage { tiles: vec![tile] }, false)).collect();
    }
    let mut used = Used::by(tiles, a.tokens.len(), b.tokens.len());
    let parts = with_single_words(a, b, tiles, promising, &used);
    let by_chance = telling.by_chance();
    let chains = chain_by(&parts, &telling, same_documents);
    let mut chains: Vec<(f64, Passage)> =
        chains.into_iter().map(|chain| (telling.bits(&chain.tiles), chain)).collect();
    chains.sort_by(|(x, chain_x), (y, chain_y)| {
        y.total_cmp(x).then(chain_x.tiles[0].cmp(&chain_y.tiles[0]))
    });
    let is_tile = |part: &Match| tiles.binary_search(part).is_ok();
    let mut passages: Vec<(f64, Vec<Match>)> = Vec::new();
    for (_, Passage { tiles: mut parts }) in chains {
        // Tiles do not overlap, but the same word may have been paired with several.
        parts.retain(|part| is_tile(part) || used.is_free(*part));
        if !parts.iter().any(is_tile) {
            continue;
        }
        let surprise = telling.bits(&parts) - by_chance;
        if surprise <= 0.0 {
            parts.retain(is_tile);
        }
        for &part in &parts {
            used.mark(part);
        }
        passages.push((surprise, parts));
    }
    let least = least_surprise(passages.iter().map(|&(surprise, _)| surprise));
    let mut passages: Vec<(Passage, bool)> = passages
        .into_iter()
        .map(|(surprise, mut parts)| {
            let is_surprising = surprise >= least;
            if !is_surprising {
                parts.retain(is_tile);
            }
            (Passage { tiles: joined(&parts) }, is_surprising)
        })
        .collect();
    passages.sort_unstable_by_key(|(passage, _)| passage.tiles[0]);
    passages
}

/// The surprise that a passage needs: [`SURPRISE`], or where no passage of the pair has it, that of the least
/// among those that are most surprising together, if they are enough so.
///
/// Chance yields `r` passages whose surprises add up to `t` bits with a probability of about
/// `2^-t · (t · ln 2)^(r-1) / (r! · (r-1)!)`; every `r` is one more attempt, and costs a bit.
fn least_surprise(surprises: impl Iterator<Item = f64>) -> f64 {
    let mut surprises: Vec<f64> = surprises.filter(|&surprise| surprise > 0.0).collect();
    surprises.sort_unstable_by(|x, y| y.total_cmp(x));
    if surprises.first().is_some_and(|&most| most >= SURPRISE) {
        return SURPRISE;
    }
    let (mut least, mut most_together) = (SURPRISE, SURPRISE_TOGETHER);
    let (mut sum, mut orders) = (0.0, 0.0);
    for (&surprise, n) in surprises.iter().zip(1_u32..) {
        sum += surprise;
        orders += libm::log2(f64::from(n) * f64::from(n - 1).max(1.0));
        let nats = (sum * LN_2).max(1.0);
        let together = sum + orders - f64::from(n - 1) * libm::log2(nats) - f64::from(n);
        if together >= most_together {
            (least, most_together) = (surprise, together);
        }
    }
    least
}

/// Tiles, and the pairs of places of telling words that are worth the gap to one of the tiles `beside`
/// which they are looked for, or to another such word: ascending.
///
/// A single word is a match of one token, none of which is `used`.
fn with_single_words<S: Comparable>(
    a: Prose<'_, S>,
    b: Prose<'_, S>,
    tiles: &[Match],
    beside: Vec<Match>,
    used: &Used,
) -> Vec<Match> {
    let telling = Telling { a: a.words, b: b.words };
    let mut singles = BTreeSet::new();
    let mut unvisited = beside;
    // No word tells more than one that stands in a text once.
    let most_gaps = n_gaps(a.words.most);
    let mut looks_left = LOOKS_PER_TOKEN * (a.tokens.len() + b.tokens.len());
    while let Some(part) = unvisited.pop().filter(|_| looks_left > 0) {
        for side in [Side::After, Side::Before] {
            let near_a = side.of(part.range_a(), most_gaps, a.tokens.len());
            for at_a in near_a.filter(|&at| !used.a[at]) {
                let gap_a = side.gap(part.range_a(), at_a);
                let n_gaps = n_gaps(a.words.bits_of(at_a));
                if gap_a >= n_gaps {
                    continue;
                }
                let near_b = side.of(part.range_b(), n_gaps, b.tokens.len());
                looks_left = looks_left.saturating_sub(near_b.len());
                let word = a.tokens[at_a];
                for (at_b, &other) in near_b.clone().zip(&b.tokens[near_b]) {
                    if other != word || used.b[at_b] {
                        continue;
                    }
                    let single = Match { a: at_a as u32, b: at_b as u32, len: 1 };
                    let cost = cost_of_gap(gap_a, side.gap(part.range_b(), at_b));
                    let is_wanted = telling.first(single) + LOAN > cost && telling.is_rare(single);
                    if is_wanted && singles.insert(single) {
                        unvisited.push(single);
                    }
                }
            }
        }
    }
    let mut parts = [tiles, &singles.into_iter().collect::<Vec<Match>>()].concat();
    parts.sort_unstable();
    parts
}

/// The tiles that single words are looked for beside: twice as long as noise, of rare words, or with another
/// tile within the gap that a passage may bridge.
///
/// All others are idioms, which is all that most pairs share: for these, nothing else needs to be done.
fn promising(tiles: &[Match], noise: u32, telling: &Telling) -> Vec<Match> {
    let mut is_promising: Vec<bool> = tiles
        .iter()
        .map(|&tile| tile.len >= 2 * noise || telling.weight(tile) >= SURPRISE)
        .collect();
    for (at, &tile) in tiles.iter().enumerate() {
        for next in at + 1..tiles.len().min(at + 1 + LOOK_AHEAD) {
            if gaps(tile, tiles[next], MAX_GAP).is_some() {
                (is_promising[at], is_promising[next]) = (true, true);
                break;
            }
        }
    }
    let promising = tiles.iter().zip(&is_promising).filter(|(_, is_promising)| **is_promising);
    promising.map(|(&tile, _)| tile).collect()
}

/// Where words are looked for beside a match.
#[derive(Debug, Clone, Copy)]
enum Side {
    After,
    Before,
}

impl Side {
    /// The places beside a match in a text of `n` tokens, with gaps below `n_gaps`.
    fn of(self, found: Range<usize>, n_gaps: usize, n: usize) -> Range<usize> {
        match self {
            Side::After => found.end..n.min(found.end + n_gaps),
            Side::Before => found.start.saturating_sub(n_gaps)..found.start,
        }
    }

    /// The tokens between a match and a place beside it.
    fn gap(self, found: Range<usize>, at: usize) -> usize {
        match self {
            Side::After => at - found.end,
            Side::Before => found.start - 1 - at,
        }
    }
}

/// How many gaps, from 0 on, a word of so many bits is worth.
#[expect(clippy::cast_sign_loss, reason = "TELLING is positive")]
fn n_gaps(bits: f64) -> usize {
    let told = bits - WINDOW_BITS;
    if told < TELLING {
        0
    } else {
        (((told + LOAN) / GAP_COST) as usize + 1).min(MAX_GAP as usize + 1)
    }
}

/// Bits that gaps of so many words cost, in A and in B.
fn cost_of_gap(gap_a: usize, gap_b: usize) -> f64 {
    GAP_COST * gap_a.max(gap_b) as f64 + SKEW_COST * gap_a.abs_diff(gap_b) as f64
}

/// The tokens that are in a match, on either side.
struct Used {
    a: Vec<bool>,
    b: Vec<bool>,
}

impl Used {
    /// The tokens of `tiles`, in texts of `n_a` and `n_b` tokens.
    fn by(tiles: &[Match], n_a: usize, n_b: usize) -> Used {
        let mut used = Used { a: vec![false; n_a], b: vec![false; n_b] };
        for &tile in tiles {
            used.mark(tile);
        }
        used
    }

    fn mark(&mut self, part: Match) {
        self.a[part.range_a()].fill(true);
        self.b[part.range_b()].fill(true);
    }

    /// Whether no token of a match is in another one.
    fn is_free(&self, part: Match) -> bool {
        !self.a[part.range_a()].contains(&true) && !self.b[part.range_b()].contains(&true)
    }
}

/// The same matches, those that are neighbours on both sides joined to one.
fn joined(parts: &[Match]) -> Vec<Match> {
    let mut whole: Vec<Match> = Vec::with_capacity(parts.len());
    for &part in parts {
        match whole.last_mut() {
            Some(last) if gaps(*last, part, 0).is_some() => last.len += part.len,
            _ => whole.push(part),
        }
    }
    whole
}

/// What matches tell, in bits.
struct Telling<'a> {
    a: &'a WordWeights,
    b: &'a WordWeights,
}

impl Telling<'_> {
    /// What a word tells, given its place in both.
    fn word(&self, at_a: u32, at_b: u32) -> f64 {
        self.a.bits_of(at_a as usize).min(self.b.bits_of(at_b as usize))
    }

    /// What it tells that the first word of a match is within a window of the word before it.
    fn first(&self, found: Match) -> f64 {
        (self.word(found.a, found.b) - WINDOW_BITS).max(0.0)
    }

    /// Whether a word has few enough pairs of places.
    fn is_rare(&self, single: Match) -> bool {
        let n_places_a = u64::from(self.a.places[single.a as usize]);
        n_places_a * u64::from(self.b.places[single.b as usize]) <= PLACES
    }

    /// The bits of a chain.
    fn bits(&self, parts: &[Match]) -> f64 {
        let weights: f64 = parts.iter().map(|&part| self.weight(part)).sum();
        let pairs = parts.windows(2);
        let costs: f64 =
            pairs.map(|two| self.between(two[0], two[1], u32::MAX).unwrap_or(0.0)).sum();
        weights - costs
    }

    /// The bits of the best chain that chance yields somewhere.
    fn by_chance(&self) -> f64 {
        (self.a.most + self.b.most - WINDOW_BITS).max(0.0)
    }

    fn between(&self, part: Match, next: Match, max_gap: u32) -> Option<f64> {
        let (gap_a, gap_b) = gaps(part, next, max_gap)?;
        if gap_a.max(gap_b) == 0 {
            // A run goes on here, so that its first word is one like the others.
            return Some((self.first(next) - KNOWN * self.word(next.a, next.b)).min(0.0));
        }
        Some(cost_of_gap(gap_a as usize, gap_b as usize))
    }
}

impl Joining for Telling<'_> {
    fn weight(&self, part: Match) -> f64 {
        let rest = (1..part.len).map(|offset| self.word(part.a + offset, part.b + offset));
        self.first(part) + KNOWN * rest.sum::<f64>()
    }

    fn cost(&self, part: Match, next: Match) -> Option<f64> {
        self.between(part, next, MAX_GAP)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::matches::letters::{from_seeds, stream};
    use crate::matches::tile;
    use crate::token::Symbol;

    /// Words by number, as symbols.
    fn symbols(numbers: &[u32]) -> Vec<Symbol> {
        numbers.iter().map(|number| Symbol::spelled(&number.to_le_bytes())).collect()
    }

    /// The tiles of at least `k` words, by looking at every pair of places.
    fn tiles(a: &[Symbol], b: &[Symbol], k: u32) -> Vec<Match> {
        let mut matches = Vec::new();
        for (at_a, x) in a.iter().enumerate() {
            for (at_b, y) in b.iter().enumerate() {
                let begins = at_a == 0 || at_b == 0 || a[at_a - 1] != b[at_b - 1];
                if x == y && begins {
                    let run = a[at_a..].iter().zip(&b[at_b..]).take_while(|(x, y)| x == y);
                    let len = run.count() as u32;
                    matches.push(Match { a: at_a as u32, b: at_b as u32, len });
                }
            }
        }
        matches.retain(|found| found.len >= k);
        let mut tiles = Vec::new();
        tile(&matches, k, &mut tiles);
        tiles
    }

    fn passages(a: &[u32], b: &[u32]) -> Vec<(Passage, bool)> {
        let (a, b) = (symbols(a), symbols(b));
        let tiles = tiles(&a, &b, 3);
        let words =
            [&a, &b].map(|tokens| WordWeights::new(tokens, std::iter::once(0..tokens.len())));
        let side_a = Prose { tokens: &a[..], words: &words[0] };
        let side_b = Prose { tokens: &b[..], words: &words[1] };
        rewritten(side_a, side_b, &tiles, 3, |_, _| true)
    }

    /// [`with_single_words`] by its definition: all pairs of places are looked at until no more are found.
    fn naive_single_words(
        a: Prose<'_, Symbol>,
        b: Prose<'_, Symbol>,
        tiles: &[Match],
        beside: &[Match],
        used: &Used,
    ) -> Vec<Match> {
        let telling = Telling { a: a.words, b: b.words };
        let mut single_words = BTreeSet::new();
        for (at_a, x) in (0_u32..).zip(a.tokens) {
            for (at_b, y) in (0_u32..).zip(b.tokens) {
                let single = Match { a: at_a, b: at_b, len: 1 };
                if x == y && used.is_free(single) && telling.is_rare(single) {
                    single_words.insert(single);
                }
            }
        }
        let is_worth = |part: &Match, single: &Match| {
            let (before, after) = (gaps(*single, *part, u32::MAX), gaps(*part, *single, u32::MAX));
            let Some((gap_a, gap_b)) = before.or(after) else { return false };
            let most = n_gaps(a.words.bits_of(single.a as usize)) as u32;
            let cost = cost_of_gap(gap_a as usize, gap_b as usize);
            gap_a.max(gap_b) < most && telling.first(*single) + LOAN > cost
        };
        let mut found = beside.to_vec();
        while let Some(&next) =
            single_words.iter().find(|&single| found.iter().any(|part| is_worth(part, single)))
        {
            single_words.remove(&next);
            found.push(next);
        }
        let mut parts: Vec<Match> = tiles.to_vec();
        parts.extend(found.iter().filter(|part| !beside.contains(part)));
        parts.sort_unstable();
        parts
    }

    /// Text of `n` words, of which word `i` has a share of about `1 / i`, as in a language.
    fn text(n: usize, seed: u64) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        #[expect(clippy::cast_sign_loss, reason = "a power of a positive number")]
        let word = |uniform: f64| libm::pow(20_000.0, uniform) as u32;
        (0..n).map(|_| word(next())).collect()
    }

    #[test]
    fn a_rewritten_passage_is_found_with_the_words_that_are_left() {
        let (mut a, mut b) = (text(300, 1), text(400, 2));
        let original: Vec<u32> = (100_000..100_060).collect();
        // Every fourth word is replaced, and every eleventh deleted.
        let copy = original.iter().enumerate().filter(|(at, _)| at % 11 != 10);
        let copy = copy.map(|(at, &word)| if at % 4 == 3 { 200_000 + word } else { word });
        b.splice(200..200, copy);
        a.splice(100..100, original);
        let found = passages(&a, &b);
        let surprising: Vec<&Passage> =
            found.iter().filter(|(_, is_surprising)| *is_surprising).map(|(p, _)| p).collect();
        assert_eq!(surprising.len(), 1, "{found:?}");
        let tiles = &surprising[0].tiles;
        let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
        assert!(first.a >= 98 && first.a <= 103, "{first:?}");
        assert!((155..=162).contains(&last.range_a().end), "{last:?}");
        assert!(
            tiles.iter().any(|tile| tile.len < 3),
            "short matches are marked inside: {tiles:?}"
        );
    }

    #[test]
    fn passages_that_are_not_surprising_alone_are_so_together() {
        const ALONE: i64 = 12_000;
        // To a bit in a thousand, as all numbers here are.
        let least = |surprises: &[f64]| (1000.0 * least_surprise(surprises.iter().copied())) as i64;
        // One alone, above and below.
        assert_eq!(least(&[]), ALONE);
        assert_eq!(least(&[8.9]), ALONE);
        assert_eq!(least(&[9.0]), 9_000);
        // Beside one that is surprising alone, others need as much.
        assert_eq!(least(&[SURPRISE, 11.0, 11.0]), ALONE);
        // Two: 14 + log2(2) - log2(14 ln 2) - 2 = 9.7 bits; two of 6 have 8.
        assert_eq!(least(&[7.0, 7.0]), 7_000);
        assert_eq!(least(&[5.9, 5.9]), ALONE);
        // Those that chance alone yields add nothing.
        assert_eq!(least(&[-3.0, 7.0, -1.0, 0.1, 7.0]), 7_000);
    }

    #[test]
    fn unrelated_texts_are_not_surprising() {
        let mut n_surprising = 0;
        for seed in 0..300 {
            let found = passages(&text(400, 2 * seed + 1), &text(400, 2 * seed + 2));
            n_surprising += usize::from(found.iter().any(|(_, is_surprising)| *is_surprising));
        }
        assert_eq!(n_surprising, 0, "of 300 pairs");
    }

    #[test]
    fn a_phrase_that_both_repeat_is_not_surprising() {
        let (mut a, mut b) = (text(300, 5), text(300, 6));
        for at in (0..300).step_by(20).rev() {
            a.splice(at..at, [50_001, 50_002, 50_003]);
            b.splice(at + 3..at + 3, [50_001, 50_002, 50_003]);
        }
        let found = passages(&a, &b);
        assert!(!found.is_empty());
        let longest = found.iter().flat_map(|(p, _)| &p.tiles).map(|tile| tile.len).max();
        assert!(longest < Some(8), "they share the phrase only: {longest:?}");
    }

    #[test]
    fn without_a_run_there_is_no_passage() {
        // Every other word is the same.
        let a: Vec<u32> = (0..100).collect();
        let b: Vec<u32> =
            (0..100).map(|word| if word % 2 == 0 { word } else { 1000 + word }).collect();
        assert_eq!(passages(&a, &b), []);
    }

    #[test]
    fn constant_text_has_no_single_words() {
        let a = stream(vec![b'x'; 5000]);
        let found = from_seeds(&a, &a, 8);
        let mut tiles = Vec::new();
        tile(&found.matches, 8, &mut tiles);
        let tokens = &a.tokens.symbols[..];
        let words = WordWeights::new(tokens, std::iter::once(0..tokens.len()));
        let side = Prose { tokens, words: &words };
        let passages = rewritten(side, side, &tiles, 8, |_, _| true);
        assert_eq!(passages, [(Passage { tiles: vec![Match { a: 0, b: 0, len: 5000 }] }, false)]);
    }

    proptest! {
        #[test]
        fn single_words_are_those_of_the_definition(
            a in proptest::collection::vec(0_u32..50, 40..160),
            changes in proptest::collection::vec((0_usize..160, 0_u32..60), 0..50),
            from in 0_usize..40,
        ) {
            let mut b = a[from..].to_vec();
            for (at, word) in changes {
                let at = at % b.len();
                if word < 50 { b[at] = word } else { b.insert(at, word) }
            }
            let (a, b) = (symbols(&a), symbols(&b));
            let tiles = tiles(&a, &b, 4);
            let words = [&a, &b].map(|tokens| WordWeights::new(tokens, std::iter::once(0..tokens.len())));
            let side_a = Prose { tokens: &a[..], words: &words[0] };
            let side_b = Prose { tokens: &b[..], words: &words[1] };
            let used = Used::by(&tiles, a.len(), b.len());
            let beside: Vec<Match> = tiles.iter().step_by(2).copied().collect();
            let found = with_single_words(side_a, side_b, &tiles, beside.clone(), &used);
            prop_assert_eq!(&found, &naive_single_words(side_a, side_b, &tiles, &beside, &used));
        }

        #[test]
        fn every_tile_is_in_one_passage_and_no_token_in_two_matches(
            a in proptest::collection::vec(0_u32..12, 0..80),
            b in proptest::collection::vec(0_u32..12, 0..80),
        ) {
            let (symbols_a, symbols_b) = (symbols(&a), symbols(&b));
            let tiles = tiles(&symbols_a, &symbols_b, 3);
            let found = passages(&a, &b);
            let (mut used_a, mut used_b) = (vec![0; a.len()], vec![0; b.len()]);
            for (passage, _) in &found {
                prop_assert!(passage.tiles.iter().any(|part| part.len >= 3));
                for two in passage.tiles.windows(2) {
                    prop_assert!(gaps(two[0], two[1], u32::MAX).is_some());
                }
                for part in &passage.tiles {
                    prop_assert_eq!(&a[part.range_a()], &b[part.range_b()]);
                    part.range_a().for_each(|at| used_a[at] += 1);
                    part.range_b().for_each(|at| used_b[at] += 1);
                }
            }
            prop_assert!(used_a.iter().chain(&used_b).all(|&n| n <= 1));
            let is_in = |tile: &Match, part: &Match| {
                part.a <= tile.a && tile.range_a().end <= part.range_a().end
                    && part.a.abs_diff(tile.a) == part.b.abs_diff(tile.b)
            };
            for tile in &tiles {
                let mut parts = found.iter().flat_map(|(passage, _)| &passage.tiles);
                prop_assert!(parts.any(|part| is_in(tile, part)));
            }
        }
    }
}

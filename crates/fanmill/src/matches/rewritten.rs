//! Passages of rewritten prose: tiles and single words in the same order in both texts, chained across the changes
//! between them.
//!
//! Someone who rewrites a text replaces, deletes and adds words, so only short runs are left. These, and rare words
//! between them, remain in the same order and at about the same distances. The probability of this can be computed. A
//! word that makes up a fraction `p` of a text occurs among any `w` words of it with a probability of about `w · p`.
//! So, in bits:
//!
//! - a word that follows the one before it within a window carries `-log2(w · p)`, or nothing if it is frequent;
//! - a word of a run carries `-log2(p)`, and the fraction [`KNOWN`] of it counts, since one word of a phrase suggests
//!   the next;
//! - each word between two tiles costs [`GAP_COST`]: in unrelated texts, chains must lose more than they gain.
//!
//! `p` is taken from the text in which the word is more frequent. So the topic of two texts is not evidence: words that
//! both repeat carry little information. Nor does it matter which other texts are compared.
//!
//! A chain may begin anywhere in both texts, so chance alone yields chains of `log2(n · m / w)` bits in texts of `n`
//! and `m` words. The bits beyond that are its surprise, and a passage needs [`SURPRISE`]. If no passage has that much,
//! several may be surprising together: a text may take a few words from here and a few from there.
//!
//! Cost: O(n + m) time and memory for `n` and `m` words, whatever repeats in them: each word has at most [`PLACES`]
//! pairs of positions, and the chaining looks at a fixed number of predecessors. Single words are looked for only
//! beside tiles that may begin a passage, and beside words found there, hardly farther away than their information is
//! worth. Unrelated texts share few such tiles, and so cost next to nothing.
//!
//! Sources: Karlin & Altschul, PNAS 87, 1990, for scores as log-odds and the size of the search space, and PNAS 90,
//! 1993, for the sum of several. Extending and filtering seeds is the common design of text alignment at PAN (Potthast
//! et al., CLEF 2013). The bits are ours. The constants were chosen on half-rewritten English text (`design/rewritten-prose.md`).

use std::collections::BTreeSet;
use std::f64::consts::LN_2;
use std::ops::Range;

use crate::matches::chain::{Joining, chain_by, gaps};
use crate::matches::{Comparable, Match, Passage};

/// Size of the window in which the next word of a copy is looked for, in bits: 2^4 = 16 words, a clause or two.
const WINDOW_BITS: f64 = 4.0;

/// Fraction of its bits that a word still carries directly behind the word before it.
const KNOWN: f64 = 0.6;

/// Cost in bits of each word between two tiles, on the side that has more.
const GAP_COST: f64 = 0.25;

/// Cost in bits of each word by which the two gaps differ.
const SKEW_COST: f64 = 0.05;

/// Maximum number of words between two tiles, on either side: about two sentences.
const MAX_GAP: u32 = 40;

/// Bits that a passage must have beyond those that chance yields somewhere in two texts: in theory, chance alone
/// reaches them in one of 4,000 pairs.
const SURPRISE: f64 = 12.0;

/// Bits that the passages of a pair must have together if none has [`SURPRISE`]: in theory, chance alone reaches them
/// in one of 256 pairs.
const SURPRISE_TOGETHER: f64 = 8.0;

/// Maximum number of pairs of positions of a word; a word that has more carries too little information to begin with.
const PLACES: u64 = 64;

/// Number of occurrences that is not distinguished from higher ones: too many for any pair.
const MANY: u8 = u8::MAX;
const _: () = assert!(MANY as u64 > PLACES);

/// Bits that a word must carry beyond those of the window to be looked for outside runs.
const TELLING: f64 = 1.0;

/// Bits by which the gap to a single word may cost more than the word carries, since the words behind it may make up
/// for them.
const LOAN: f64 = 2.0;

/// Maximum number of pairs of positions looked at per token of both sides. The limit is met where the same words occur
/// close to each other again and again, in another order: then some single words are not marked.
const LOOKS_PER_TOKEN: usize = 512;

/// The information that each word of a submission carries.
#[derive(Debug, Default)]
pub struct WordWeights {
    /// Per token: `-log2` of its word's share of the text; 0 for tokens that do not count.
    bits: Vec<f32>,
    /// Per token: number of occurrences of its word in the text, or [`MANY`]; 0 for tokens that do not count.
    places: Vec<u8>,
    /// Bits of a word that occurs once in the text.
    most: f64,
}

impl WordWeights {
    /// Weighs the words of `tokens` that are in `counted`, which is ascending and disjoint; no others count.
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
            let n_places = u8::try_from(same.len()).unwrap_or(MANY);
            for &position in same {
                bits[position as usize] = told;
                places[position as usize] = n_places;
            }
        }
        WordWeights { bits, places, most }
    }

    /// Returns the bits of each token; empty if none counts.
    pub(crate) fn bits(&self) -> &[f32] {
        &self.bits
    }

    /// Multiplies the bits of each token: a character of a script without spaces carries part of a word's information.
    #[must_use]
    pub fn scaled(mut self, part: impl Fn(usize) -> f64) -> WordWeights {
        for (position, bits) in self.bits.iter_mut().enumerate() {
            *bits *= part(position) as f32;
        }
        self
    }

    /// Returns the bits that a token carries.
    fn bits_of(&self, position: usize) -> f64 {
        self.bits.get(position).map_or(0.0, |&bits| f64::from(bits))
    }
}

/// One side of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Prose<'a, S> {
    /// Its tokens.
    pub tokens: &'a [S],
    /// The information that its words carry.
    pub words: &'a WordWeights,
}

/// Returns the passages that two texts share, ascending by their first tile, each with whether it is surprising. No
/// token is in two of them.
///
/// `tiles` are the runs that the texts share, ascending and without overlaps. Each has at least `noise` tokens, and is
/// in one of the passages as a whole. Shorter matches, of single words, are only in surprising passages. Words without
/// a tile never make a passage.
pub fn rewritten<S: Comparable>(
    a: Prose<'_, S>,
    b: Prose<'_, S>,
    tiles: &[Match],
    noise: u32,
    same_documents: impl Fn(Match, Match) -> bool,
) -> Vec<(Passage, bool)> {
    let telling = BitScorer { a: a.words, b: b.words };
    let promising = promising(tiles, noise, &telling);
    if promising.is_empty() {
        return tiles.iter().map(|&tile| (Passage { tiles: vec![tile] }, false)).collect();
    }
    let mut used = UsedTokens::by(tiles, a.tokens.len(), b.tokens.len());
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

/// Returns the surprise that a passage needs: [`SURPRISE`], or, if no passage of the pair has it, the lowest surprise
/// among the passages that are most surprising together, if that is enough.
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

/// Returns the tiles and the single words found, ascending.
///
/// A single word is a match of one token that is not `used` on either side. It is worth the gap to one of the tiles in
/// `beside`, or to another single word.
fn with_single_words<S: Comparable>(
    a: Prose<'_, S>,
    b: Prose<'_, S>,
    tiles: &[Match],
    beside: Vec<Match>,
    used: &UsedTokens,
) -> Vec<Match> {
    let telling = BitScorer { a: a.words, b: b.words };
    let mut singles = BTreeSet::new();
    let mut unvisited = beside;
    // No word carries more bits than one that occurs once in a text.
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

/// Returns the tiles beside which single words are looked for: they have twice the noise threshold, or consist of rare
/// words, or have another tile within the gap that a passage may bridge.
///
/// All others are idioms, and most pairs share nothing else: for these, there is nothing more to do.
fn promising(tiles: &[Match], noise: u32, telling: &BitScorer) -> Vec<Match> {
    let mut is_promising: Vec<bool> = tiles
        .iter()
        .map(|&tile| tile.len >= 2 * noise || telling.weight(tile) >= SURPRISE)
        .collect();
    for (at, &tile) in tiles.iter().enumerate() {
        // As tiles do not overlap, few lie within a gap.
        let (_, behind) = tiles.split_at(at + 1);
        let mut near = behind.iter().take_while(|next| next.a <= tile.a + tile.len + MAX_GAP);
        if let Some(next) = near.position(|&next| gaps(tile, next, MAX_GAP).is_some()) {
            (is_promising[at], is_promising[at + 1 + next]) = (true, true);
        }
    }
    let promising = tiles.iter().zip(&is_promising).filter(|(_, is_promising)| **is_promising);
    promising.map(|(&tile, _)| tile).collect()
}

/// The side of a match on which words are looked for.
#[derive(Debug, Clone, Copy)]
enum Side {
    After,
    Before,
}

impl Side {
    /// Returns the positions beside a match in a text of `n` tokens, with gaps below `n_gaps`.
    fn of(self, found: Range<usize>, n_gaps: usize, n: usize) -> Range<usize> {
        match self {
            Side::After => found.end..n.min(found.end + n_gaps),
            Side::Before => found.start.saturating_sub(n_gaps)..found.start,
        }
    }

    /// Counts the tokens between a match and a position beside it.
    fn gap(self, found: Range<usize>, at: usize) -> usize {
        match self {
            Side::After => at - found.end,
            Side::Before => found.start - 1 - at,
        }
    }
}

/// Returns the number of gap lengths, from 0 words on, that a word of so many bits is worth.
#[expect(clippy::cast_sign_loss, reason = "TELLING is positive")]
fn n_gaps(bits: f64) -> usize {
    let told = bits - WINDOW_BITS;
    if told < TELLING {
        0
    } else {
        (((told + LOAN) / GAP_COST) as usize + 1).min(MAX_GAP as usize + 1)
    }
}

/// Returns the cost, in bits, of gaps of so many words in A and in B.
fn cost_of_gap(gap_a: usize, gap_b: usize) -> f64 {
    GAP_COST * gap_a.max(gap_b) as f64 + SKEW_COST * gap_a.abs_diff(gap_b) as f64
}

/// Tokens that are in a match, on either side.
struct UsedTokens {
    a: Vec<bool>,
    b: Vec<bool>,
}

impl UsedTokens {
    /// Marks the tokens of `tiles`, in texts of `n_a` and `n_b` tokens.
    fn by(tiles: &[Match], n_a: usize, n_b: usize) -> UsedTokens {
        let mut used = UsedTokens { a: vec![false; n_a], b: vec![false; n_b] };
        for &tile in tiles {
            used.mark(tile);
        }
        used
    }

    fn mark(&mut self, part: Match) {
        self.a[part.range_a()].fill(true);
        self.b[part.range_b()].fill(true);
    }

    /// Returns whether no token of a match is in another one.
    fn is_free(&self, part: Match) -> bool {
        !self.a[part.range_a()].contains(&true) && !self.b[part.range_b()].contains(&true)
    }
}

/// Joins matches that are neighbours on both sides.
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

/// Computes the information that matches carry, in bits.
struct BitScorer<'a> {
    a: &'a WordWeights,
    b: &'a WordWeights,
}

impl BitScorer<'_> {
    /// Returns the bits of a word, given its position in both texts.
    fn word(&self, at_a: u32, at_b: u32) -> f64 {
        self.a.bits_of(at_a as usize).min(self.b.bits_of(at_b as usize))
    }

    /// Returns the bits of a match's first word, which follows the word before it within a window.
    fn first(&self, found: Match) -> f64 {
        (self.word(found.a, found.b) - WINDOW_BITS).max(0.0)
    }

    /// Returns whether a word has few enough pairs of positions.
    fn is_rare(&self, single: Match) -> bool {
        let n_places_a = u64::from(self.a.places[single.a as usize]);
        n_places_a * u64::from(self.b.places[single.b as usize]) <= PLACES
    }

    /// Returns the bits of a chain.
    fn bits(&self, parts: &[Match]) -> f64 {
        let weights: f64 = parts.iter().map(|&part| self.weight(part)).sum();
        let pairs = parts.windows(2);
        let costs: f64 =
            pairs.map(|two| self.between(two[0], two[1], u32::MAX).unwrap_or(0.0)).sum();
        weights - costs
    }

    /// Returns the bits of the best chain that chance yields somewhere.
    fn by_chance(&self) -> f64 {
        (self.a.most + self.b.most - WINDOW_BITS).max(0.0)
    }

    fn between(&self, part: Match, next: Match, max_gap: u32) -> Option<f64> {
        let (gap_a, gap_b) = gaps(part, next, max_gap)?;
        if gap_a.max(gap_b) == 0 {
            // A run continues here, so its first word counts like the others in a run.
            return Some((self.first(next) - KNOWN * self.word(next.a, next.b)).min(0.0));
        }
        Some(cost_of_gap(gap_a as usize, gap_b as usize))
    }
}

impl Joining for BitScorer<'_> {
    fn weight(&self, part: Match) -> f64 {
        let rest = (1..part.len).map(|offset| self.word(part.a + offset, part.b + offset));
        self.first(part) + KNOWN * rest.sum::<f64>()
    }

    fn cost(&self, part: Match, next: Match) -> Option<f64> {
        self.between(part, next, MAX_GAP)
    }
}

#[cfg(test)]
mod tests;

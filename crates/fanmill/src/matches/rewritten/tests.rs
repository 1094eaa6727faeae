//! Tests of rewritten passages and their constants, and the naive twin of the search for single words.

use proptest::prelude::*;

use super::*;
use crate::matches::letters::{from_seeds, stream};
use crate::matches::tile;
use fanmill_text::token::Symbol;

/// Converts words, given as numbers, to symbols.
fn symbols(numbers: &[u32]) -> Vec<Symbol> {
    numbers.iter().map(|number| Symbol::spelled(&number.to_le_bytes())).collect()
}

/// Returns the tiles of at least `k` words, by looking at every pair of positions.
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
    let words = [&a, &b].map(|tokens| WordWeights::new(tokens, std::iter::once(0..tokens.len())));
    let side_a = Prose { tokens: &a[..], words: &words[0] };
    let side_b = Prose { tokens: &b[..], words: &words[1] };
    rewritten(side_a, side_b, &tiles, 3, |_, _| true)
}

/// The naive twin of [`with_single_words`]: looks at all pairs of positions until no more are found.
fn naive_single_words(
    a: Prose<'_, Symbol>,
    b: Prose<'_, Symbol>,
    tiles: &[Match],
    beside: &[Match],
    used: &UsedTokens,
) -> Vec<Match> {
    let telling = BitScorer { a: a.words, b: b.words };
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
    // A word that was found may make another one worth its gap, so start over after each.
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

/// Returns text of `n` words in which word `i` has a share of about `1 / i`, as in a natural language.
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
    assert!(tiles.iter().any(|tile| tile.len < 3), "short matches are marked inside: {tiles:?}");
}

#[test]
fn passages_that_are_not_surprising_alone_are_so_together() {
    const ALONE: i64 = 12_000;
    // In thousandths of a bit, like all numbers here.
    let least = |surprises: &[f64]| (1000.0 * least_surprise(surprises.iter().copied())) as i64;
    // A single passage, below and above 9 bits.
    assert_eq!(least(&[]), ALONE);
    assert_eq!(least(&[8.9]), ALONE);
    assert_eq!(least(&[9.0]), 9_000);
    // Beside a passage that is surprising alone, others need as much.
    assert_eq!(least(&[SURPRISE, 11.0, 11.0]), ALONE);
    // Two: 14 + log2(2) - log2(14 ln 2) - 2 = 9.7 bits; two of 6 have 8.
    assert_eq!(least(&[7.0, 7.0]), 7_000);
    assert_eq!(least(&[5.9, 5.9]), ALONE);
    // Three: 14.1 + log2(2) + log2(6) - 2 log2(14.1 ln 2) - 3 = 8.1 bits; three of 4.6 have 7.9.
    assert_eq!(least(&[4.7; 3]), 4_700);
    assert_eq!(least(&[4.6; 3]), ALONE);
    // Passages that chance alone yields add nothing.
    assert_eq!(least(&[-3.0, 7.0, -1.0, 0.1, 7.0]), 7_000);
}

#[test]
fn six_words_in_a_row_that_stand_nowhere_else_are_surprising_and_four_are_not() {
    // Chance yields log2(300) + log2(400) - 4 bits; the first word has log2(300) - 4, each other one .6 log2(300).
    for (n, is_surprising) in [(4, false), (6, true)] {
        let (mut a, mut b) = (text(300 - n, 1), text(400 - n, 2));
        let rare: Vec<u32> = (100_000..100_000 + n as u32).collect();
        a.splice(100..100, rare.iter().copied());
        b.splice(200..200, rare);
        let found = passages(&a, &b);
        let own = found.iter().find(|(passage, _)| passage.tiles.iter().any(|tile| tile.a == 100));
        assert_eq!(own.map(|own| own.1), Some(is_surprising), "{n}: {found:?}");
    }
}

#[test]
fn single_words_are_looked_for_beside_long_rare_and_neighbouring_tiles() {
    // Four words that occur everywhere, and then words that occur once.
    let words: Vec<u32> = (0..400).map(|i| if i < 300 { i % 4 } else { 1000 + i }).collect();
    let tokens = symbols(&words);
    let weights = WordWeights::new(&tokens, std::iter::once(0..400));
    let telling = BitScorer { a: &weights, b: &weights };
    let n_promising = |tiles: &[(u32, u32, u32)]| {
        let tiles: Vec<Match> = tiles.iter().map(|&(a, b, len)| Match { a, b, len }).collect();
        promising(&tiles, 3, &telling).len()
    };
    assert_eq!(n_promising(&[(0, 0, 5)]), 0);
    assert_eq!(n_promising(&[(0, 0, 6)]), 1, "twice as long as noise");
    assert_eq!(n_promising(&[(310, 310, 3)]), 1, "rare");
    assert_eq!(n_promising(&[(0, 0, 3), (43, 4, 3)]), 2, "40 words between");
    assert_eq!(n_promising(&[(0, 0, 3), (44, 4, 3)]), 0);
    assert_eq!(n_promising(&[(0, 0, 3), (4, 44, 3)]), 0);
    assert_eq!(
        n_promising(&[(0, 8, 3), (4, 0, 3), (12, 12, 3)]),
        3,
        "in order with the next but one"
    );
}

#[test]
fn a_word_is_worth_gaps_by_what_it_tells() {
    // (bits - 4 + 2) / .25, plus one for no gap at all; nothing below 5 bits, and 40 words at most.
    assert_eq!([4.0, 4.99, 5.0, 8.0, 11.75, 12.0, 40.0].map(n_gaps), [0, 0, 13, 25, 40, 41, 41]);
    // A quarter of a bit for each word of the wider gap, and a twentieth for each word of difference.
    assert_eq!(
        [(0, 0), (4, 4), (3, 5), (5, 3)].map(|(a, b)| (100.0 * cost_of_gap(a, b)) as i64),
        [0, 100, 135, 135]
    );
}

#[test]
fn neighbours_on_both_sides_are_one_match() {
    let of = |parts: &[(u32, u32, u32)]| -> Vec<Match> {
        parts.iter().map(|&(a, b, len)| Match { a, b, len }).collect()
    };
    let parts = of(&[(0, 5, 3), (3, 8, 1), (4, 9, 2), (6, 12, 1), (8, 13, 1)]);
    assert_eq!(joined(&parts), of(&[(0, 5, 6), (6, 12, 1), (8, 13, 1)]));
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
    let b: Vec<u32> = (0..100).map(|word| if word % 2 == 0 { word } else { 1000 + word }).collect();
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
        let used = UsedTokens::by(&tiles, a.len(), b.len());
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

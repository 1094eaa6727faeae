//! Tiling: matches that do not overlap, longest first.
//!
//! Repeatedly, the longest match whose tokens are free on both sides becomes a tile and takes its tokens. A match that
//! is partly taken continues with its free parts. The result is that of greedy string tiling, without its repeated
//! scans of both texts.
//!
//! Cost: one sort of the matches, and for each a look at the bits of its tokens. The free parts of a match that was
//! partly taken go through a queue. Two texts of repeated idioms have millions of matches and a thousand tiles.
//!
//! Source: Wise, "String similarity via greedy string tiling", 1993; the order of work is ours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::matches::Match;

/// Appends the tiles of at least `min_len` tokens, ascending by position in A.
///
/// No token of either side is in two tiles. Ties go to the match at the most similar positions in both, then to the
/// earlier one.
pub fn tile(matches: &[Match], min_len: u32, tiles: &mut Vec<Match>) {
    let start = tiles.len();
    let mut whole: Vec<Match> = matches.to_vec();
    whole.sort_unstable_by_key(|found| found.rank());
    let mut whole = whole.into_iter().peekable();
    let mut parts: BinaryHeap<Reverse<Part>> = BinaryHeap::new();
    let end =
        |side: fn(Match) -> usize| matches.iter().map(|&found| side(found)).max().unwrap_or(0);
    let mut taken_a = TokenSet::new(end(|found| found.range_a().end));
    let mut taken_b = TokenSet::new(end(|found| found.range_b().end));
    let mut rest = Vec::new();
    loop {
        // Take the better of the best whole match and the best free part of another.
        let best_part = parts.peek().map(|Reverse(part)| part.0);
        let is_whole = |found: &Match| best_part.is_none_or(|part| found.rank() <= part.rank());
        let next = whole.next_if(is_whole).or_else(|| parts.pop().map(|Reverse(part)| part.0));
        let Some(found) = next else { break };
        rest.clear();
        free_parts(found, &taken_a, &taken_b, &mut rest);
        if rest == [found] {
            taken_a.take(found.a, found.len);
            taken_b.take(found.b, found.len);
            tiles.push(found);
        } else {
            let long_enough = rest.iter().filter(|part| part.len >= min_len);
            parts.extend(long_enough.map(|&part| Reverse(Part(part))));
        }
    }
    tiles[start..].sort_unstable();
}

/// Appends the parts of `found` that are free on both sides, ascending.
fn free_parts(found: Match, taken_a: &TokenSet, taken_b: &TokenSet, parts: &mut Vec<Match>) {
    let mut offset = 0;
    while offset < found.len {
        let (in_a, in_b) = (found.a + offset, found.b + offset);
        let free = (taken_a.next_free(in_a) - found.a).max(taken_b.next_free(in_b) - found.b);
        if free > offset {
            offset = free;
            continue;
        }
        let left = found.len - offset;
        let len = left.min(taken_a.free_run(in_a, left)).min(taken_b.free_run(in_b, left));
        parts.push(Match { a: in_a, b: in_b, len });
        offset += len;
    }
}

/// A free part of a match, compared by rank.
#[derive(Debug, PartialEq, Eq)]
struct Part(Match);

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Part) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Part) -> std::cmp::Ordering {
        self.0.rank().cmp(&other.0.rank())
    }
}

/// The tokens of one side that tiles have taken, one bit each.
#[derive(Debug)]
struct TokenSet(Vec<u64>);

impl TokenSet {
    /// Creates bits for `n_tokens` tokens, none of them taken, and for at least one more that never is.
    fn new(n_tokens: usize) -> TokenSet {
        TokenSet(vec![0; n_tokens / 64 + 1])
    }

    fn take(&mut self, start: u32, len: u32) {
        for at in start..start + len {
            self.0[at as usize / 64] |= 1 << (at % 64);
        }
    }

    /// Returns the first token from `at` on that is not taken.
    fn next_free(&self, at: u32) -> u32 {
        let mut word = at as usize / 64;
        let mut free = !self.0[word] & (u64::MAX << (at % 64));
        while free == 0 {
            word += 1;
            match self.0.get(word) {
                Some(bits) => free = !bits,
                None => return 64 * word as u32,
            }
        }
        64 * word as u32 + free.trailing_zeros()
    }

    /// Counts the tokens from `at` on that are not taken, up to `most`.
    fn free_run(&self, at: u32, most: u32) -> u32 {
        let mut word = at as usize / 64;
        let mut taken = self.0[word] & (u64::MAX << (at % 64));
        while taken == 0 {
            word += 1;
            if 64 * word as u32 - at >= most || word == self.0.len() {
                return most;
            }
            taken = self.0[word];
        }
        (64 * word as u32 + taken.trailing_zeros() - at).min(most)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::matches::letters::{from_seeds, stream};
    use crate::matches::naive;

    fn tiles(a: &[u8], b: &[u8], k: usize) -> Vec<Match> {
        let (a, b) = (stream(a), stream(b));
        let found = from_seeds(&a, &b, k);
        let mut tiles = Vec::new();
        tile(&found.matches, k as u32, &mut tiles);
        tiles
    }

    #[test]
    fn the_longest_match_wins_and_the_rest_goes_on() {
        assert_eq!(
            tiles(b"xxabcdefyy", b"cdefg abcd", 2),
            [Match { a: 2, b: 6, len: 4 }, Match { a: 6, b: 2, len: 2 }],
            "abcd is first in A, so cdef gives way and keeps ef"
        );
    }

    #[test]
    fn a_break_ends_a_match_on_either_side() {
        assert_eq!(
            tiles(b"abcd|efgh", b"abcdefgh", 3),
            [Match { a: 0, b: 0, len: 4 }, Match { a: 5, b: 4, len: 4 }]
        );
        assert_eq!(tiles(b"ab|cd", b"ab|cd", 3), [], "a gram across a break does not exist");
    }

    #[test]
    fn constant_text_is_tiled_once() {
        assert_eq!(tiles(&[b'x'; 5000], &[b'x'; 3000], 8), [Match { a: 0, b: 0, len: 3000 }]);
    }

    proptest! {
        #[test]
        fn bits_say_what_a_list_of_tokens_says(
            runs in proptest::collection::vec((0_u32..300, 1_u32..150), 0..5),
            at in 0_u32..400,
            most in 1_u32..200,
        ) {
            let mut taken = TokenSet::new(500);
            let mut list = vec![false; 1000];
            for (start, len) in runs {
                taken.take(start, len);
                list[start as usize..(start + len) as usize].fill(true);
            }
            let free = (at..1000).find(|&at| !list[at as usize]).expect("a thousand");
            prop_assert_eq!(taken.next_free(at), free);
            let run = (at..at + most).take_while(|&at| !list[at as usize]).count() as u32;
            prop_assert_eq!(taken.free_run(at, most), run);
        }

        #[test]
        fn tiling_equals_greedy_string_tiling(
            a in proptest::collection::vec(prop::sample::select(b"abc|".to_vec()), 0..40),
            b in proptest::collection::vec(prop::sample::select(b"abc|".to_vec()), 0..40),
            k in 1_usize..6,
        ) {
            let (stream_a, stream_b) = (stream(&a).tokens, stream(&b).tokens);
            let expected = naive::greedy_string_tiling(&stream_a.symbols, &stream_b.symbols, k);
            prop_assert_eq!(tiles(&a, &b, k), expected);
        }
    }
}

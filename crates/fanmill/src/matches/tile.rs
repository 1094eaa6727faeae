//! Tiling: matches that do not overlap, longest first.
//!
//! Repeatedly the longest match whose tokens are free on both sides becomes a tile and its tokens
//! are taken; a match that is partly taken goes on with what is left of it. The result is that of
//! greedy string tiling, without its repeated scans of both texts.
//!
//! Cost: O((m + n) log (m + n)) for `m` matches and `n` tiles.
//!
//! Source: Wise, "String similarity via greedy string tiling", 1993; the queue is ours.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::matches::Match;

/// Appends the tiles of at least `min_len` tokens, ascending by position in A.
///
/// No token of either side is in two tiles. Ties go to the match that stands at the most similar
/// place in both, then to the earlier one.
pub fn tile(matches: &[Match], min_len: u32, tiles: &mut Vec<Match>) {
    let start = tiles.len();
    let mut queue: BinaryHeap<_> =
        matches.iter().map(|&found| Reverse((found.rank(), found))).collect();
    let (mut taken_a, mut taken_b) = (Taken::default(), Taken::default());
    let mut rest = Vec::new();
    while let Some(Reverse((_, found))) = queue.pop() {
        rest.clear();
        free_parts(found, &taken_a, &taken_b, &mut rest);
        if rest == [found] {
            taken_a.take(found.a, found.len);
            taken_b.take(found.b, found.len);
            tiles.push(found);
        } else {
            let long_enough = rest.iter().filter(|part| part.len >= min_len);
            queue.extend(long_enough.map(|&part| Reverse((part.rank(), part))));
        }
    }
    tiles[start..].sort_unstable();
}

/// Appends what is left of `found` where both sides are free, ascending.
fn free_parts(found: Match, taken_a: &Taken, taken_b: &Taken, parts: &mut Vec<Match>) {
    let mut offset = 0;
    while offset < found.len {
        let busy_until = taken_a
            .run_end(found.a + offset)
            .map(|end| end - found.a)
            .max(taken_b.run_end(found.b + offset).map(|end| end - found.b));
        if let Some(end) = busy_until {
            offset = end;
            continue;
        }
        let next_a = taken_a.next_start(found.a + offset).map_or(found.len, |next| next - found.a);
        let next_b = taken_b.next_start(found.b + offset).map_or(found.len, |next| next - found.b);
        let end = next_a.min(next_b).min(found.len);
        parts.push(Match { a: found.a + offset, b: found.b + offset, len: end - offset });
        offset = end;
    }
}

/// The tokens of one side that tiles have taken: disjoint runs, start to end.
#[derive(Debug, Default)]
struct Taken(BTreeMap<u32, u32>);

impl Taken {
    fn take(&mut self, start: u32, len: u32) {
        self.0.insert(start, start + len);
    }

    /// The end of the taken run that holds `at`.
    fn run_end(&self, at: u32) -> Option<u32> {
        let (_, &end) = self.0.range(..=at).next_back()?;
        (at < end).then_some(end)
    }

    /// The start of the first taken run after `at`.
    fn next_start(&self, at: u32) -> Option<u32> {
        self.0.range(at + 1..).next().map(|(&start, _)| start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fingerprint::Scheme;
    use crate::frontend::Kind;
    use crate::matches::{Seeds, maximal_matches, naive};
    use crate::select::{Selector, Thresholds};
    use crate::span::Span;
    use crate::token::{Stream, Symbol, Token};

    /// One letter a token; a `|` stands between documents.
    fn stream(text: &[u8]) -> Stream {
        let mut stream = Stream::default();
        for (document, letters) in text.split(|&b| b == b'|').enumerate() {
            stream.push(document, Kind::Code, |tokens| {
                for &letter in letters {
                    let symbol = Symbol::spelled(&[letter]);
                    tokens.push(Token { symbol, name: symbol, span: Span::default() });
                }
            });
        }
        stream
    }

    fn tiles(a: &[u8], b: &[u8], k: usize) -> Vec<Match> {
        let (a, b) = (stream(a), stream(b));
        let thresholds = Thresholds::new(k as u32, k as u32).expect("ordered");
        let scheme = Scheme { kind: Kind::Code, thresholds, selector: Selector::All };
        let seeds = |stream| Seeds::new(stream, &scheme, |_| true);
        let found = maximal_matches(&a.tokens.symbols, &b.tokens.symbols, &seeds(&a), &seeds(&b));
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

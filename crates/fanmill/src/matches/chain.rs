//! Chaining: tiles that follow each other in both texts, with small gaps between them, make one passage.
//!
//! An inserted statement or a changed operator cuts a copied passage into several tiles; a reader wants to see one
//! passage. Tiles are visited in order of A. Each continues the best chain among its predecessors if its weight exceeds
//! the cost of the gap, else it starts a new one. Passages may come in any order in the two texts: reordered methods
//! are several passages.
//!
//! The weight of a tile and the cost of a gap depend on the kind of text. In code, a tile weighs as much as it has
//! tokens ([`chain`]); in prose, it weighs as many bits as its words carry ([`super::rewritten`]).
//!
//! Cost: O(n) time for `n` tiles, with a fixed number of predecessors looked at for each.
//!
//! Source: the chaining of minimap2 (Li, Bioinformatics 2018, §2.1), with gaps counted in tokens.

use crate::matches::Match;

/// Tiles of one passage, ascending in A.
///
/// In B they have the same order, unless [`join_near`](super::join_near) made one passage of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Never empty.
    pub tiles: Vec<Match>,
}

/// Rules for joining tiles into passages.
pub(super) trait Joining {
    /// Returns the weight that a tile adds to its passage.
    fn weight(&self, tile: Match) -> f64;

    /// Returns the cost of joining `next` to `tile`; `None` if it does not follow closely enough.
    fn cost(&self, tile: Match, next: Match) -> Option<f64>;
}

/// Joins tiles with at most `max_gap` tokens between them, and weighs them by length.
struct ByLength {
    max_gap: u32,
}

/// Number of predecessors looked at for each tile. Tiles further back are further away than `max_gap` in all but the
/// densest cases.
const LOOK_BACK: usize = 50;

/// Joins `tiles`, ascending by A, into passages with gaps of at most `max_gap` tokens on each side.
///
/// `same_documents(x, y)` returns whether two tiles lie in the same document on both sides: passages do not cross from
/// one file to another. Passages are ascending by their first tile.
pub fn chain(
    tiles: &[Match],
    max_gap: u32,
    same_documents: impl Fn(Match, Match) -> bool,
) -> Vec<Passage> {
    chain_by(tiles, &ByLength { max_gap }, same_documents)
}

/// Joins `tiles`, ascending by A, by the rules of `joining`; the passages are ascending by their first tile.
pub(super) fn chain_by(
    tiles: &[Match],
    joining: &impl Joining,
    same_documents: impl Fn(Match, Match) -> bool,
) -> Vec<Passage> {
    debug_assert!(tiles.is_sorted(), "tiles come ascending");
    let mut best: Vec<f64> = Vec::with_capacity(tiles.len());
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(tiles.len());
    for (i, &tile) in tiles.iter().enumerate() {
        let weight = joining.weight(tile);
        let (mut score, mut from) = (weight, None);
        for j in (i.saturating_sub(LOOK_BACK)..i).rev() {
            let Some(cost) = joining.cost(tiles[j], tile) else { continue };
            let joined = best[j] + weight - cost;
            if joined > score && same_documents(tiles[j], tile) {
                (score, from) = (joined, Some(j));
            }
        }
        best.push(score);
        previous.push(from);
    }
    trace(tiles, &best, &previous)
}

/// Returns the number of tokens between two tiles, in A and in B; `None` if `next` does not follow on both sides, or
/// not within `max_gap`.
pub(super) fn gaps(tile: Match, next: Match, max_gap: u32) -> Option<(u32, u32)> {
    let gap_a = next.a.checked_sub(tile.a + tile.len)?;
    let gap_b = next.b.checked_sub(tile.b + tile.len)?;
    (gap_a.max(gap_b) <= max_gap).then_some((gap_a, gap_b))
}

impl Joining for ByLength {
    fn weight(&self, tile: Match) -> f64 {
        f64::from(tile.len)
    }

    fn cost(&self, tile: Match, next: Match) -> Option<f64> {
        let (gap_a, gap_b) = gaps(tile, next, self.max_gap)?;
        // Gaps of equal length are replaced tokens, and cheap. If the lengths differ, tokens were inserted or removed.
        let skew = f64::from(gap_a.abs_diff(gap_b));
        Some(0.1 * skew + 0.5 * libm::log2(1.0 + skew))
    }
}

/// Traces chains back into passages, the best chains first; each tile goes into one passage.
fn trace(tiles: &[Match], best: &[f64], previous: &[Option<usize>]) -> Vec<Passage> {
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by(|&i, &j| best[j].total_cmp(&best[i]).then(i.cmp(&j)));
    let mut used = vec![false; tiles.len()];
    let mut passages = Vec::new();
    for end in order {
        let mut members = Vec::new();
        let mut at = Some(end);
        while let Some(i) = at.filter(|&i| !used[i]) {
            used[i] = true;
            members.push(tiles[i]);
            at = previous[i];
        }
        if !members.is_empty() {
            members.reverse();
            passages.push(Passage { tiles: members });
        }
    }
    passages.sort_unstable_by_key(|passage| passage.tiles[0]);
    passages
}

/// Returns whether matches lie so close together that they may make a passage of `enough` tokens, with gaps of at most
/// `max_gap` between them on each side, in any order.
///
/// Most pairs fail this test, because their idioms are few or far apart on one side. It costs less than tiling.
pub fn may_chain(matches: &mut [Match], max_gap: usize, enough: usize) -> bool {
    /// Number of rounds: each side is looked at twice.
    const ROUNDS: u32 = 4;
    /// Cuts matches where the gap on one side is too wide, then the remaining parts on the other side: A in even
    /// rounds, B in odd ones. Returns whether a part of `enough` tokens is left after all rounds.
    fn cut(matches: &mut [Match], round: u32, max_gap: usize, enough: usize) -> bool {
        if round == ROUNDS {
            return true;
        }
        let start = |found: &Match| if round.is_multiple_of(2) { found.a } else { found.b };
        matches.sort_unstable_by_key(start);
        let (mut first, mut n_tokens, mut end) = (0, 0, 0);
        for at in 0..=matches.len() {
            // A last range, beyond all others, closes the last part.
            let range = matches.get(at).map_or(usize::MAX..usize::MAX, |found| {
                let start = start(found) as usize;
                start..start + found.len as usize
            });
            if range.start > end + max_gap {
                if n_tokens >= enough && cut(&mut matches[first..at], round + 1, max_gap, enough) {
                    return true;
                }
                (first, n_tokens) = (at, 0);
            }
            // Tokens that several matches cover count once.
            n_tokens += range.end.saturating_sub(range.start.max(end));
            end = end.max(range.end);
        }
        false
    }
    let n_tokens: usize = matches.iter().map(|found| found.len as usize).sum();
    n_tokens >= enough && cut(matches, 0, max_gap, enough)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tile(a: u32, b: u32, len: u32) -> Match {
        Match { a, b, len }
    }

    #[test]
    fn a_changed_token_does_not_cut_a_passage() {
        let tiles = [tile(0, 10, 20), tile(21, 31, 20)];
        assert_eq!(chain(&tiles, 24, |_, _| true).len(), 1);
    }

    #[test]
    fn a_wide_gap_and_another_document_do() {
        let tiles = [tile(0, 0, 20), tile(60, 60, 20)];
        assert_eq!(chain(&tiles, 24, |_, _| true).len(), 2);
        assert_eq!(chain(&tiles, 50, |_, _| true).len(), 1);
        assert_eq!(chain(&tiles, 50, |_, _| false).len(), 2);
    }

    #[test]
    fn swapped_blocks_are_two_passages() {
        let tiles = [tile(0, 30, 28), tile(30, 0, 28)];
        assert_eq!(chain(&tiles, 100, |_, _| true).len(), 2);
    }

    /// In code, a tile must outweigh .1 · s + .5 · log2(1 + s) where one gap is longer by s tokens.
    #[test]
    fn a_tile_is_joined_if_it_outweighs_the_difference_of_the_gaps() {
        for (skew, cost) in [(3, 1.3), (7, 2.2), (15, 3.5), (63, 9.3)] {
            for len in 1..12 {
                let passages =
                    |next: Match| chain(&[tile(0, 0, len), next], 100, |_, _| true).len();
                let expected = if f64::from(len) > cost { 1 } else { 2 };
                assert_eq!(
                    passages(tile(len + skew, len, 20)),
                    expected,
                    "{len} before {skew} in A"
                );
                assert_eq!(
                    passages(tile(len, len + skew, 20)),
                    expected,
                    "{len} before {skew} in B"
                );
            }
        }
    }

    #[test]
    fn of_predecessors_that_fit_equally_well_the_nearest_is_taken() {
        let (far, near, last) = (tile(0, 10, 5), tile(6, 4, 5), tile(20, 24, 5));
        let passages = chain(&[far, near, last], 100, |_, _| true);
        let tiles: Vec<_> = passages.into_iter().map(|passage| passage.tiles).collect();
        assert_eq!(tiles, [vec![far], vec![near, last]]);
    }

    proptest! {
        #[test]
        fn every_tile_is_in_one_passage_and_in_order(
            raw in proptest::collection::vec((0_u32..300, 0_u32..300, 1_u32..20), 0..40),
            max_gap in 0_u32..60,
        ) {
            let mut tiles: Vec<Match> = raw.into_iter().map(|(a, b, len)| tile(a, b, len)).collect();
            tiles.sort_unstable();
            let passages = chain(&tiles, max_gap, |_, _| true);
            let mut members: Vec<Match> = passages.iter().flat_map(|p| p.tiles.clone()).collect();
            members.sort_unstable();
            prop_assert_eq!(&members, &tiles);
            for passage in &passages {
                for two in passage.tiles.windows(2) {
                    prop_assert!(two[0].a + two[0].len <= two[1].a && two[0].b + two[0].len <= two[1].b);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_passage_is_of_matches_that_may_chain(
            raw in proptest::collection::vec((0_u32..200, 0_u32..200, 3_u32..20), 0..30),
            max_gap in 0_u32..40,
        ) {
            let mut matches: Vec<Match> =
                raw.into_iter().map(|(a, b, len)| Match { a, b, len }).collect();
            let mut tiles = Vec::new();
            crate::matches::tile(&matches, 3, &mut tiles);
            let passages = chain(&tiles, max_gap, |_, _| true);
            let tokens = |passage: &Passage| passage.tiles.iter().map(|tile| tile.len as usize).sum();
            let longest = passages.iter().map(tokens).max().unwrap_or(0);
            prop_assert!(longest == 0 || may_chain(&mut matches, max_gap as usize, longest));
        }
    }

    #[test]
    fn matches_that_are_far_apart_on_one_side_make_no_passage() {
        let found = |a, b| Match { a, b, len: 10 };
        let mut apart = [found(0, 500), found(15, 0), found(30, 515)];
        assert!(!may_chain(&mut apart, 10, 20), "neighbours in A are far apart in B");
        assert!(may_chain(&mut apart, 20, 20));
    }
}

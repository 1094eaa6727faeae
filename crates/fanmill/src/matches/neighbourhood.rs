//! Neighbourhoods: passages of prose that lie near each other in both texts are joined into one, in any order.
//!
//! Someone who rewrites a paragraph also swaps its clauses and sentences. Chaining keeps the order of both texts, so a
//! swapped clause becomes a passage of its own, although a reader sees one paragraph that was taken over. Two passages
//! are *near* each other if, in the order of A,
//!
//! - at most `reach` words lie between them in either text, and
//! - these two gaps differ by at most `reach` words. If the passages have swapped places, the gap in B is negative: it
//!   is the whole distance by which the second would have to be moved back.
//!
//! A chain of near passages is one passage. This joins swapped clauses, and two passages with a sentence by somebody
//! else between them. A page that was moved behind another page stays separate from it: they are two passages.
//!
//! Cost: O(n · w) time for `n` passages, at most `w` of them within reach of a position. Gaps inside a passage are
//! at most 40 words, so any 41 words in a row within it contain a word of its own, and no word is in two passages. So
//! `w` is at most a few hundred, however much the text repeats itself.
//!
//! Source: merging seeds by distance on both sides is common at PAN (Potthast et al., CLEF 2013); the bound on the
//! difference of the gaps is ours. The reach was measured (`design/rewritten-prose.md`).

use crate::matches::{Match, Passage};

/// The extent of a passage, from its first word to its last, on both sides.
#[derive(Debug, Clone, Copy)]
struct Extent {
    start: [i64; 2],
    end: [i64; 2],
}

/// Joins passages that are near each other. In the result, matches ascend in A, and passages ascend by their first
/// match.
///
/// `reach` is in tokens. `same_documents(x, y)` returns whether two matches lie in the same document on both sides:
/// passages do not cross from one file to another.
pub fn join_near(
    mut passages: Vec<Passage>,
    reach: u32,
    same_documents: impl Fn(Match, Match) -> bool,
) -> Vec<Passage> {
    passages.sort_unstable_by(|x, y| x.tiles.cmp(&y.tiles));
    let extents: Vec<Extent> = passages.iter().map(Extent::from_passage).collect();
    let mut first: Vec<usize> = (0..passages.len()).collect();
    let mut within_reach: Vec<usize> = Vec::new();
    for (number, extent) in extents.iter().enumerate() {
        // Passages are sorted by their start in A, so one that ends too far back is out of reach of all later ones.
        within_reach.retain(|&before| extents[before].end[0] + i64::from(reach) >= extent.start[0]);
        for &before in &within_reach {
            let (x, y) = (passages[before].tiles[0], passages[number].tiles[0]);
            if extents[before].is_near(extent, reach) && same_documents(x, y) {
                let (one, other) = (first_of(&mut first, before), first_of(&mut first, number));
                first[one.max(other)] = one.min(other);
            }
        }
        within_reach.push(number);
    }
    for number in 0..passages.len() {
        let whole = first_of(&mut first, number);
        if whole != number {
            let mut tiles = std::mem::take(&mut passages[number].tiles);
            passages[whole].tiles.append(&mut tiles);
        }
    }
    passages.retain(|passage| !passage.tiles.is_empty());
    for passage in &mut passages {
        passage.tiles.sort_unstable();
    }
    passages
}

impl Extent {
    fn from_passage(passage: &Passage) -> Extent {
        let mut extent = Extent { start: [i64::MAX; 2], end: [0; 2] };
        for tile in &passage.tiles {
            for (side, start) in [tile.a, tile.b].map(i64::from).into_iter().enumerate() {
                extent.start[side] = extent.start[side].min(start);
                extent.end[side] = extent.end[side].max(start + i64::from(tile.len));
            }
        }
        extent
    }

    /// Returns whether a passage that begins no earlier in A is near this one.
    fn is_near(&self, next: &Extent, reach: u32) -> bool {
        let [gap_a, gap_b] = [0, 1].map(|side| next.start[side] - self.end[side]);
        gap_a.max(gap_b) <= i64::from(reach) && gap_a.abs_diff(gap_b) <= u64::from(reach)
    }
}

/// Returns the first passage that a passage was joined with, and shortens the path to it.
fn first_of(first: &mut [usize], mut number: usize) -> usize {
    while first[number] != number {
        first[number] = first[first[number]];
        number = first[number];
    }
    number
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passages(tiles: &[(u32, u32, u32)]) -> Vec<Passage> {
        tiles.iter().map(|&(a, b, len)| Passage { tiles: vec![Match { a, b, len }] }).collect()
    }

    fn n_joined(tiles: &[(u32, u32, u32)], reach: u32) -> usize {
        join_near(passages(tiles), reach, |_, _| true).len()
    }

    /// The naive twin: joins passages two by two until none are near each other.
    fn naive(
        passages: &[Passage],
        reach: u32,
        same_documents: impl Fn(Match, Match) -> bool,
    ) -> Vec<Passage> {
        let mut groups: Vec<Vec<&Passage>> = passages.iter().map(|passage| vec![passage]).collect();
        let is_near = |x: &Passage, y: &Passage| {
            let (x, y) = if x.tiles <= y.tiles { (x, y) } else { (y, x) };
            Extent::from_passage(x).is_near(&Extent::from_passage(y), reach)
                && same_documents(x.tiles[0], y.tiles[0])
        };
        loop {
            let n = groups.len();
            let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
            let near = |&(i, j): &(usize, usize)| {
                groups[i].iter().any(|x| groups[j].iter().any(|y| is_near(x, y)))
            };
            let Some((i, j)) = pairs.rev().find(near) else { break };
            let mut more = groups.remove(j);
            groups[i].append(&mut more);
        }
        let whole = groups.into_iter().map(|group| {
            let mut tiles: Vec<Match> = group.iter().flat_map(|p| p.tiles.clone()).collect();
            tiles.sort_unstable();
            Passage { tiles }
        });
        let mut whole: Vec<Passage> = whole.collect();
        whole.sort_unstable_by_key(|passage| passage.tiles[0]);
        whole
    }

    #[test]
    fn swapped_clauses_are_one_passage_and_swapped_pages_are_two() {
        assert_eq!(n_joined(&[(100, 60, 20), (125, 35, 20)], 100), 1);
        assert_eq!(n_joined(&[(0, 300, 300), (300, 0, 300)], 100), 2);
    }

    #[test]
    fn both_gaps_are_within_reach() {
        let two =
            |gap_a: u32, gap_b: u32| n_joined(&[(0, 0, 10), (10 + gap_a, 10 + gap_b, 10)], 100);
        assert_eq!([two(100, 100), two(101, 100), two(100, 101)], [1, 2, 2]);
        assert_eq!([two(0, 100), two(100, 0)], [1, 1]);
    }

    /// The gaps are `gap` in A and -(10 + `gap` + 10) in B, so they differ by 20 + 2 · `gap`.
    #[test]
    fn a_passage_that_changed_places_is_moved_back_within_reach() {
        let swapped = |gap: u32| n_joined(&[(0, 10 + gap, 10), (10 + gap, 0, 10)], 100);
        assert_eq!([swapped(40), swapped(41)], [1, 2]);
    }

    #[test]
    fn links_join_what_is_apart() {
        assert_eq!(n_joined(&[(0, 0, 10), (90, 90, 10), (180, 180, 10)], 80), 1);
        assert_eq!(n_joined(&[(0, 0, 10), (180, 180, 10)], 80), 2);
    }

    #[test]
    fn passages_of_two_documents_stay_apart() {
        let two = passages(&[(0, 0, 10), (20, 20, 10)]);
        assert_eq!(join_near(two.clone(), 100, |_, _| false), two);
    }

    proptest! {
        #[test]
        fn joining_is_that_of_the_definition(
            raw in proptest::collection::vec((0_u32..400, 0_u32..400, 1_u32..20, 0_u32..30), 0..25),
            reach in 0_u32..60,
            border in 0_u32..400,
        ) {
            let passages = |(a, b, len, more): (u32, u32, u32, u32)| Passage {
                tiles: vec![
                    Match { a, b, len },
                    Match { a: a + len + more, b: b + len + more / 2, len: 1 },
                ],
            };
            let passages: Vec<Passage> = raw.into_iter().map(passages).collect();
            let same = |x: Match, y: Match| (x.a < border) == (y.a < border);
            let joined = join_near(passages.clone(), reach, same);
            prop_assert_eq!(joined, naive(&passages, reach, same));
        }
    }
}

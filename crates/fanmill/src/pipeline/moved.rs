//! Passages that have moved: those in another order in B than in A.

use crate::matches::Passage;

/// Returns, for each passage, whether it has moved: whether it is in another order in B than in A.
///
/// The heaviest set of passages that are in the same order in both has not moved; all others have.
pub(super) fn moved(passages: &[Passage]) -> Vec<bool> {
    let start_b = |passage: &Passage| passage.tiles.iter().map(|tile| tile.b).min();
    let starts_b: Vec<Option<u32>> = passages.iter().map(start_b).collect();
    let mut best: Vec<u64> = Vec::with_capacity(passages.len());
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(passages.len());
    for (i, passage) in passages.iter().enumerate() {
        let before = i.saturating_sub(MOVED_LOOK_BACK)..i;
        let from = before.filter(|&j| starts_b[j] < starts_b[i]).max_by_key(|&j| (best[j], j));
        let weight: u64 = passage.tiles.iter().map(|tile| u64::from(tile.len)).sum();
        best.push(weight + from.map_or(0, |j| best[j]));
        previous.push(from);
    }
    let mut moved = vec![true; passages.len()];
    let mut at = (0..passages.len()).max_by_key(|&i| (best[i], i));
    while let Some(i) = at {
        moved[i] = false;
        at = previous[i];
    }
    moved
}

/// Number of passages looked back at to tell which have moved; a pair has hundreds at most.
const MOVED_LOOK_BACK: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::Match;

    #[test]
    fn the_lighter_passages_are_those_that_moved() {
        let passage = |a, b, len| Passage { tiles: vec![Match { a, b, len }] };
        let passages = [passage(0, 500, 30), passage(100, 0, 90), passage(200, 100, 90)];
        assert_eq!(moved(&passages), [true, false, false]);
        assert!(moved(&[]).is_empty());
    }
}

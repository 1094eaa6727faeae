//! Naive twins of matching and greedy string tiling: too simple to be wrong, and slow.

use crate::matches::Match;
use fanmill_text::token::Symbol;

/// Returns the tiles of at least `k` tokens, ascending by position in A.
///
/// Looks for the longest run of free, equal tokens over all pairs of positions, takes it, and starts over until none is
/// left. Ties are broken as in [`tile`](super::tile).
pub(super) fn greedy_string_tiling(a: &[Symbol], b: &[Symbol], k: usize) -> Vec<Match> {
    let (mut free_a, mut free_b) = (vec![true; a.len()], vec![true; b.len()]);
    let mut tiles = Vec::new();
    loop {
        let mut longest: Option<Match> = None;
        for i in 0..a.len() {
            for j in 0..b.len() {
                let agrees = |o: usize| {
                    free_a[i + o]
                        && free_b[j + o]
                        && a[i + o] == b[j + o]
                        && a[i + o] != Symbol::BREAK
                };
                let most = (a.len() - i).min(b.len() - j);
                let len = (0..most).take_while(|&o| agrees(o)).count();
                let found = Match { a: i as u32, b: j as u32, len: len as u32 };
                if len >= k.max(1) && longest.is_none_or(|best| found.rank() < best.rank()) {
                    longest = Some(found);
                }
            }
        }
        let Some(found) = longest else { break };
        free_a[found.range_a()].fill(false);
        free_b[found.range_b()].fill(false);
        tiles.push(found);
    }
    tiles.sort_unstable();
    tiles
}

/// Returns all maximal matches of at least `least` tokens, in no particular order.
pub(super) fn maximal_matches(a: &[Symbol], b: &[Symbol], least: usize) -> Vec<Match> {
    let mut matches = Vec::new();
    let agrees =
        |i: usize, j: usize| i < a.len() && j < b.len() && a[i] == b[j] && a[i] != Symbol::BREAK;
    for i in 0..a.len() {
        for j in 0..b.len() {
            if i > 0 && j > 0 && agrees(i - 1, j - 1) {
                continue;
            }
            let len = (0..a.len()).take_while(|&o| agrees(i + o, j + o)).count();
            if len >= least.max(1) {
                matches.push(Match { a: i as u32, b: j as u32, len: len as u32 });
            }
        }
    }
    matches
}

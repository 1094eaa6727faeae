//! Seeds to maximal matches: every shared gram extended, token by token, to both ends.

use crate::matches::{Match, Seeds};
use crate::token::Symbol;

/// What extension found, and whether it looked at everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extension {
    /// Maximal matches of at least `k` tokens, ascending by diagonal, then position.
    pub matches: Vec<Match>,
    /// Whether a limit was met, so that matches in repetitive text may be missing.
    pub truncated: bool,
}

/// Comparisons allowed per token of both sides. Ordinary pairs need one or two; the limit is met
/// only where texts repeat themselves so much that matches on many diagonals cover the same tokens.
const COMPARISONS_PER_TOKEN: usize = 64;

/// Finds all maximal matches of at least `k` tokens that begin at a shared seed.
///
/// A match ends where the tokens differ, and at a [`Symbol::BREAK`] of either side.
/// Cost: O(shared seeds · log) plus the tokens matched.
pub fn maximal_matches(a: &[Symbol], b: &[Symbol], seeds_a: &Seeds, seeds_b: &Seeds) -> Extension {
    let mut pairs = Vec::new();
    let is_whole = seeds_a.shared(seeds_b, &mut pairs);
    // Along one diagonal, a seed inside the previous match would only find it again.
    pairs.sort_unstable_by_key(|&(at_a, at_b)| (i64::from(at_a) - i64::from(at_b), at_a));

    let mut extension = Extension { matches: Vec::new(), truncated: !is_whole };
    let mut comparisons_left = COMPARISONS_PER_TOKEN * (a.len() + b.len());
    let mut end_of_last = (i64::MIN, 0);
    for (at_a, at_b) in pairs {
        let diagonal = i64::from(at_a) - i64::from(at_b);
        if end_of_last.0 == diagonal && at_a < end_of_last.1 {
            continue;
        }
        let found = extend(a, b, at_a, at_b);
        let len = found.len as usize;
        if len > comparisons_left {
            extension.truncated = true;
            break;
        }
        comparisons_left -= len;
        end_of_last = (diagonal, found.a + found.len);
        if len >= seeds_a.k() {
            extension.matches.push(found);
        }
    }
    extension
}

/// The maximal match that holds one token of each side; if these differ, what agrees up to them.
pub fn extend(a: &[Symbol], b: &[Symbol], at_a: u32, at_b: u32) -> Match {
    let (from_a, from_b) = (at_a as usize, at_b as usize);
    let forward = common_prefix(&a[from_a..], &b[from_b..]);
    let backward = common_suffix(&a[..from_a], &b[..from_b]);
    Match { a: at_a - backward as u32, b: at_b - backward as u32, len: (forward + backward) as u32 }
}

/// Tokens that agree from the start on.
fn common_prefix(a: &[Symbol], b: &[Symbol]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y && **x != Symbol::BREAK).count()
}

/// Tokens that agree back from the end.
fn common_suffix(a: &[Symbol], b: &[Symbol]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y && **x != Symbol::BREAK).count()
}

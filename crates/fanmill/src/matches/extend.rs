//! Seeds to maximal matches: every shared gram extended, token by token, to both ends.

use crate::matches::{LeftOut, Match, Seeds, Table};
use crate::token::{Number, Symbol};

/// What extension found, and whether it looked at everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extension {
    /// Maximal matches of at least `k` tokens, ascending by diagonal, then position.
    pub matches: Vec<Match>,
    /// Where a limit was met, so that matches in repetitive text may be missing.
    pub left_out: LeftOut,
}

/// Comparisons allowed per token of both sides. Ordinary pairs need one or two; the limit is met
/// only where texts repeat themselves so much that matches on many diagonals cover the same tokens.
const COMPARISONS_PER_TOKEN: usize = 64;

/// What stands for a token: its symbol, or a number that only this symbol has.
pub trait Comparable: Copy + PartialEq {
    /// Stands between two documents, and is part of no match.
    const BREAK: Self;

    /// A number that is the same for equal tokens only, to hash runs of them.
    fn bits(self) -> u64;
}

impl Comparable for Symbol {
    const BREAK: Symbol = Symbol::BREAK;

    fn bits(self) -> u64 {
        self.value()
    }
}

impl Comparable for Number {
    const BREAK: Number = Number::BREAK;

    fn bits(self) -> u64 {
        u64::from(bytemuck::cast::<Number, u32>(self))
    }
}

/// Where two submissions hold the same gram: matches may start there.
#[derive(Debug)]
pub struct SharedSeeds {
    /// Each as its diagonal, then its position in A.
    seeds: Vec<u64>,
    left_out: LeftOut,
    k: usize,
}

/// Seeds that most pairs share at most.
const FEW: usize = 128;

impl SharedSeeds {
    /// All of the submission of a table, A, and another, B.
    #[cfg(test)]
    pub(super) fn new(a: &Table<'_>, b: &Seeds) -> SharedSeeds {
        SharedSeeds::unless(a, b, |_, _| false).expect("no seed is enough")
    }

    /// Those of the submission of a table, A, and another, B; nothing if one of them `is_enough`, given
    /// its positions in A and in B. The search ends there.
    pub fn unless(
        a: &Table<'_>,
        b: &Seeds,
        mut is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let mut seeds = Vec::with_capacity(FEW);
        let left_out = a.shared(b, |at_a, at_b| {
            seeds.push(on_diagonal(at_a, at_b));
            is_enough(at_a, at_b)
        })?;
        Some(SharedSeeds { seeds, left_out, k: b.k() })
    }

    /// Those of another, A, and the submission of a table, B, [unless](Self::unless) one is enough.
    pub fn turned(
        a: &Seeds,
        b: &Table<'_>,
        mut is_enough: impl FnMut(u32, u32) -> bool,
    ) -> Option<SharedSeeds> {
        let mut seeds = Vec::with_capacity(FEW);
        let left_out = b.shared(a, |at_b, at_a| {
            seeds.push(on_diagonal(at_a, at_b));
            is_enough(at_a, at_b)
        })?;
        Some(SharedSeeds { seeds, left_out: left_out.turned(), k: a.k() })
    }

    /// Most tokens that lie in matches that start here: `None` if some may be missing.
    pub fn most_tokens(&self) -> Option<usize> {
        (!self.left_out.is_some()).then_some(self.k * self.seeds.len())
    }
}

/// Finds all maximal matches of at least `k` tokens that begin at a shared seed.
///
/// A match ends where the tokens differ, and at a [`Symbol::BREAK`] of either side.
/// Cost: O(shared seeds · log) plus the tokens matched.
pub fn maximal_matches<S: Comparable>(a: &[S], b: &[S], shared: SharedSeeds) -> Extension {
    let SharedSeeds { mut seeds, left_out, k } = shared;
    // Along one diagonal, a seed inside the previous match would only find it again.
    seeds.sort_unstable();

    let mut extension = Extension { matches: Vec::new(), left_out };
    let mut comparisons_left = COMPARISONS_PER_TOKEN * (a.len() + b.len());
    let mut end_of_last = (0, 0);
    for seed in seeds {
        let (diagonal, at_a) = (seed >> 32, seed as u32);
        // Nor does one right behind it, where the hashes of different grams begin alike.
        if end_of_last.0 == diagonal && at_a <= end_of_last.1 {
            continue;
        }
        let (_, at_b) = off_diagonal(seed);
        let found = extend(a, b, at_a, at_b);
        let len = found.len as usize;
        if len > comparisons_left {
            extension.left_out = LeftOut::Anything;
            break;
        }
        comparisons_left -= len;
        end_of_last = (diagonal, found.a + found.len);
        if len >= k {
            extension.matches.push(found);
        }
    }
    extension
}

/// The maximal match that holds one token of each side; if these differ, what agrees up to them.
pub fn extend<S: Comparable>(a: &[S], b: &[S], at_a: u32, at_b: u32) -> Match {
    let (from_a, from_b) = (at_a as usize, at_b as usize);
    let forward = common_prefix(&a[from_a..], &b[from_b..]);
    let backward = common_suffix(&a[..from_a], &b[..from_b]);
    Match { a: at_a - backward as u32, b: at_b - backward as u32, len: (forward + backward) as u32 }
}

/// Whether the `len` tokens from these positions on are the same on both sides; there may be breaks among them.
pub fn agree<S: Comparable>(a: &[S], b: &[S], at_a: u32, at_b: u32, len: usize) -> bool {
    let (at_a, at_b) = (at_a as usize, at_b as usize);
    let (Some(a), Some(b)) = (a.get(at_a..at_a + len), b.get(at_b..at_b + len)) else {
        return false;
    };
    // Grams that begin here agree already, so that the end is where most differ.
    a.last() == b.last() && a == b
}

/// A seed as its diagonal, then its position in A, so that sorting numbers sorts by both.
///
/// The diagonal, how much farther on it stands in A, is counted from the middle of 32 bits: diagonals
/// of submissions of up to 2^31 tokens ascend.
fn on_diagonal(at_a: u32, at_b: u32) -> u64 {
    let diagonal = at_a.wrapping_sub(at_b).wrapping_add(MIDDLE);
    u64::from(diagonal) << 32 | u64::from(at_a)
}

/// The positions in A and in B of a seed on its diagonal.
fn off_diagonal(seed: u64) -> (u32, u32) {
    let (diagonal, at_a) = ((seed >> 32) as u32, seed as u32);
    (at_a, at_a.wrapping_sub(diagonal.wrapping_sub(MIDDLE)))
}

/// The diagonal of equal positions.
const MIDDLE: u32 = 1 << 31;

/// Tokens that agree from the start on.
fn common_prefix<S: Comparable>(a: &[S], b: &[S]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y && **x != S::BREAK).count()
}

/// Tokens that agree back from the end.
fn common_suffix<S: Comparable>(a: &[S], b: &[S]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y && **x != S::BREAK).count()
}

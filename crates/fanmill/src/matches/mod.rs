//! Matches: shared grams extended to maximal token ranges, tiled without overlap, and joined into passages.
//!
//! The tokens of two submissions go through these steps:
//!
//! 1. [`Seeds`]: every gram of `k` tokens of each side, sorted by hash, and looked up in a [`Table`];
//! 2. [`maximal_matches`]: each seed that both sides share, extended token by token to both ends. This recovers the
//!    tokens that fingerprints lose at the ends, and a hash collision can never be shown. Where text repeats itself so
//!    much that not all seeds were tried, [`repetitive_matches`] adds the rest;
//! 3. [`tile()`]: longest matches first, each token used once; the result is that of greedy string tiling;
//! 4. [`chain()`]: tiles in the same order in both, with small gaps between them, make a passage. In prose, [`rewritten()`]
//!    also joins the single words that are left between them, and [`join_near`] joins passages that lie near each
//!    other, in any order.
//!
//! Coverage is then counted in tokens of tiles, which is exact, unlike counting fingerprints.

mod chain;
#[cfg(test)]
mod letters;
#[cfg(test)]
mod naive;
mod seeds;
mod extend;
mod suffixes;
mod repetitive;
mod tile;
mod rewritten;
mod neighbourhood;

pub use chain::{Passage, chain, may_chain};
pub use extend::{
    Comparable, Extension, SeedTexts, SharedSeeds, TableOf, agree, extend, maximal_matches,
};
pub use neighbourhood::join_near;
pub use repetitive::{Side, repetitive_matches};
pub use rewritten::{Prose, WordWeights, rewritten};
pub use seeds::{LeftOut, Seeds, Table};
pub use tile::tile;

use std::ops::Range;

/// Equal runs of tokens in two submissions: `a..a + len` in A, `b..b + len` in B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// First token in A.
    pub a: u32,
    /// First token in B.
    pub b: u32,
    /// Number of tokens: at least the noise threshold, except for words inside a passage of prose.
    pub len: u32,
}

impl Match {
    /// Returns the range of tokens in A.
    pub fn range_a(self) -> Range<usize> {
        self.a as usize..(self.a + self.len) as usize
    }

    /// Returns the range of tokens in B.
    pub fn range_b(self) -> Range<usize> {
        self.b as usize..(self.b + self.len) as usize
    }

    /// Returns the key that decides which match gives way: longer ones rank first, then those at the most similar
    /// positions in both texts, then the earlier ones.
    fn rank(self) -> (std::cmp::Reverse<u32>, u32, u32, u32) {
        (std::cmp::Reverse(self.len), self.a.abs_diff(self.b), self.a, self.b)
    }
}

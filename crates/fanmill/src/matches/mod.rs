//! Matches: shared grams grown to maximal token ranges, tiled without overlap, joined to passages.
//!
//! In steps, for the tokens of two submissions:
//!
//! 1. [`Seeds`]: every gram of `k` tokens of each side, sorted by hash, and found in a [`Table`];
//! 2. [`maximal_matches`]: each seed that both sides hold, extended token by token to both ends.
//!    This recovers what fingerprints lose at the ends, and a hash collision can never be shown;
//!    and where text repeats itself so much that not all seeds were tried, [`repetitive_matches`];
//! 3. [`tile`]: longest first, each token used once; the answer of greedy string tiling;
//! 4. [`chain`]: tiles in the same order in both, with small gaps between them, make a passage; in prose,
//!    [`rewritten`] also joins the single words that are left between them, and [`join_near`] passages that lie near
//!    each other, in whatever order.
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
pub use extend::{Comparable, Extension, SharedSeeds, TableOf, agree, extend, maximal_matches};
pub use neighbourhood::join_near;
pub use repetitive::{Side, repetitive_matches};
pub use rewritten::{Prose, WordWeights, rewritten};
pub use seeds::{LeftOut, Seeds, Table};
pub use tile::tile;

use std::ops::Range;

/// Equal runs of tokens in two submissions: `a..a + len` of the one, `b..b + len` of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// First token in A.
    pub a: u32,
    /// First token in B.
    pub b: u32,
    /// Tokens; at least the noise threshold, but for words inside a passage of prose.
    pub len: u32,
}

impl Match {
    /// The tokens of A.
    pub fn range_a(self) -> Range<usize> {
        self.a as usize..(self.a + self.len) as usize
    }

    /// The tokens of B.
    pub fn range_b(self) -> Range<usize> {
        self.b as usize..(self.b + self.len) as usize
    }

    /// How matches are ranked when one must give way: longer ones first, then those that stand at
    /// the most similar place in both, then the earlier ones.
    fn rank(self) -> (std::cmp::Reverse<u32>, u32, u32, u32) {
        (std::cmp::Reverse(self.len), self.a.abs_diff(self.b), self.a, self.b)
    }
}

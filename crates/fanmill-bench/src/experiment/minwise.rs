//! Deviation of families of permutations from min-wise independence (the basis of MinHash).
//!
//! A family is min-wise independent if, under a permutation drawn from it, every member of every set has an equal
//! chance of being the minimum. Exactly min-wise independent families are too large for use, so all families in use
//! deviate for some sets.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "MWI Issues", "Quality of MWI families": linear
//! transformations are not good in the worst case but work reasonably well in practice.

pub(crate) mod family;
pub(crate) mod sets;
pub(crate) mod bias;

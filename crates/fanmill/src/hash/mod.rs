//! Mixing: the permutations that sketches draw from, and the random numbers of experiments.
//!
//! Fingerprints of tokens are hashed by [`crate::gram::hash`], shingles by [`crate::sketch::shingle`].

pub mod mix;

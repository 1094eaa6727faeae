//! Hashing: the bit mixer that sketches take their permutations from, and a random number generator.
//!
//! Fingerprints of tokens are hashed by [`crate::gram::hash`], shingles by [`crate::sketch::shingle`].

pub mod mix;

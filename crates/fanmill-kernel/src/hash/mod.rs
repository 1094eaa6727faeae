//! Hashing: the bit mixer that gives sketches their permutations, and a random number generator.
//!
//! Fingerprints of tokens are hashed by `gram` of `fanmill-text`, shingles by `shingle` of `fanmill-sketch`.

pub mod mix;

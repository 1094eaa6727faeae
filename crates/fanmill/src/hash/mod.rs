//! Hashes: the rolling ones of the papers, and the mixing that sketches draw permutations from.
//!
//! Fingerprints of tokens are hashed by [`crate::gram::hash`]; the papers' own hashes are here
//! for byte streams, for experiments and as a yardstick: [`karp_rabin`] (winnowing), [`rabin`]
//! (shingles).

pub mod karp_rabin;
pub mod mix;
pub mod rabin;

//! Rolling hashes over bytes, as the winnowing paper uses them.
//!
//! Fingerprints of tokens are hashed by [`crate::gram::hash`]; the paper's own Karp–Rabin
//! hashes are here for byte streams, for experiments and as a yardstick.

pub mod karp_rabin;

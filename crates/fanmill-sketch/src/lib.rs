//! Sketches: small summaries of a document's set of shingles, from which resemblance is estimated.
//!
//! [`shingle`] makes sets from sequences of words. A sketch is made from the set alone, without
//! positions:
//!
//! | sketch | stored | aligned | merges | estimates | cost per shingle | module |
//! |---|---|---|---|---|---|---|
//! | fast similarity sketch (default) | `t` registers | yes | yes | resemblance | O(1) for sets above `t ln t` | [`similarity`] |
//! | independent permutations (MinHash) | `t` registers | yes | yes | resemblance | O(t) | [`permutations`] |
//! | MinHash by lead bytes | `t` registers | yes | yes | resemblance | O(t / 8) and tails | [`lead_byte`] |
//! | classic features (super-shingles) | 48 or 64 bytes | yes | no | a filter | as its permutations | [`classic`] |
//! | bytes | 8 bytes | yes | no | a filter | as its permutations | [`bytes`] |
//! | bottom-t (bottom-k, KMV) | up to `t` hashes | no | yes | resemblance | O(1) | [`bottom_t`] |
//! | 0 mod m (`FracMinHash`) | `1 / m` of the set | no | yes | containment | O(1) | [`mod_m`] |
//!
//! *Aligned* sketches hold an independent sample in each register, so that they can be cut into
//! [bands](crate::lsh). The resemblance (Jaccard similarity) of A and B is |A∩B| / |A∪B|, the containment
//! of A in B is |A∩B| / |A|; both are `None` where they would be 0/0. Each file has a naive twin, and
//! tests of bias and variance with fixed seeds. Sketches are the same on every platform and release.

#![forbid(unsafe_code)]

pub mod shingle;
pub mod bottom_t;
#[cfg(test)]
pub(crate) mod checks;
pub mod registers;
pub mod classic;
pub mod bytes;
pub mod similarity;
pub mod lead_byte;
pub mod mod_m;
pub mod permutations;
mod scheme;
pub mod lsh;

pub use scheme::{Sketch, Sketcher};

//! Selection of the grams of a document that become its fingerprints.
//!
//! | selector | keeps | guarantee | module |
//! |---|---|---|---|
//! | ROC (default) | 10–35 % less than winnowing | `w + k - 1` tokens | [`roc`] |
//! | winnowing | `2 / (w + 1)` | `w + k - 1` tokens | [`winnow`] |
//! | robust winnowing | `2 / (w + 1)`, `1 / w` on equal text | `w + k - 1` tokens | [`robust`] |
//! | safe 0 mod p | `1/p + (1 - 1/p)^w` | `w + k - 1` tokens | [`safe_mod_p`] |
//! | 0 mod p | `1 / p` | none | [`mod_p`] |
//! | n smallest | `n` | none | [`n_smallest`] |
//! | all | everything | `k` tokens | [`all`] |
//!
//! Use ROC, unless results must be comparable with MOSS or with other winnowing tools (winnowing),
//! or unless every shared run of `k` tokens must be found (all).
//!
//! All but two take the hashes of a document's grams as a slice ([`gram::hash_all`](fanmill_text::gram::hash_all)). ROC looks
//! inside the grams, and is called by [`Selector::select`]; "all" needs only their number.
//!
//! Fingerprints can also be selected from the plain bytes of a text ([`bytes`]).
//!
//! Each file has the definition, a fast form and a naive twin; a property test compares the two.

mod sliding;
#[cfg(test)]
mod checks;
mod local;
pub mod all;
pub mod mod_p;
pub mod n_smallest;
pub mod robust;
pub mod roc;
pub mod bytes;
pub mod safe_mod_p;
pub mod winnow;
mod selector;
mod thresholds;

pub use selector::Selector;
pub use thresholds::Thresholds;

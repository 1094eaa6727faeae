//! Naive twins of fast functions, for tests and for benchmarks that time both.
//!
//! Each is defined beside its fast form and is too simple to be wrong. They are not part of the interface: they change
//! with the code that they check.

pub use crate::select::all::naive::all;
pub use crate::select::bytes::naive::{roc_of_bytes, winnowing_of_bytes};
pub use crate::select::mod_p::naive::mod_p;
pub use crate::select::n_smallest::naive::n_smallest;
pub use crate::select::robust::naive::robust;
pub use crate::select::roc::naive::roc;
pub use crate::select::safe_mod_p::naive::safe_mod_p;
pub use crate::select::winnow::naive::winnow;
pub use fanmill_sift::sifter::naive::sift;
pub use fanmill_sketch::lead_byte::naive::lead_byte;
pub use fanmill_sketch::permutations::naive::permutations;
pub use fanmill_text::frontend::runs::naive::words;

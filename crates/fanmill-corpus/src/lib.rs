//! Near-duplicate detection in corpora of any size.
//!
//! The operators work on texts and slices, so that other programs can use them, too: [`recipe`] makes keys and sets
//! from texts, [`candidates`] and [`exact`] find pairs that may be near-duplicates, [`reference_split`] decides which pairs are
//! searched for, and [`centres`] clusters the near-duplicates.
//!
//! The jobs: [`dedup`] removes near-duplicates, [`passages`] removes passages that earlier documents have, [`runs`]
//! removes runs of words that occur earlier, and [`decontaminate`] removes records that share a run of words with test sets. [`job`] is what they have in common;
//! records are read and written by [`fanmill_records`].

#![forbid(unsafe_code)]

mod spill;
mod word_kind;
mod short;
pub mod recipe;
pub mod reference_split;
pub mod candidates;
pub mod exact;
pub mod centres;
mod table;
mod mersenne;
pub mod job;
pub mod dedup;
pub mod passages;
pub mod runs;
pub mod decontaminate;

pub use short::{ShortTexts, are_copies};
pub use word_kind::WordKind;

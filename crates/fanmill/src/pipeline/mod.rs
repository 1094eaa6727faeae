//! The stages combined, in parallel.
//!
//! [`compare`] does the whole job. Its steps can also be taken one by one: [`Batch::read`] surveys a corpus,
//! [`Ranking::new`] scores its pairs, and evidence is collected for the pairs listed. [`fingerprinted()`] reads a single
//! submission, for an index. Only this module uses threads. Every parallel step keeps the order of its input, so
//! results do not depend on the number of threads.

mod config;
mod sink;
mod reading;
mod blocks;
mod batch;
mod fingerprinted;
mod recipes;
mod candidates;
mod ranking;
mod source_texts;
mod unspaced;
mod token_cache;
mod moved;
mod evidence;
mod numbers;
mod found;
mod own_earlier;
mod chance;
mod listing;
mod metadata;
mod hidden_ring;
mod unlisted;
mod assemble;
mod compare;

pub use batch::{Batch, Member, Part};
pub use compare::{Comparison, compare};
pub use config::{Config, Fingerprinting, MaxDocs, PRESET_OF_SHORT, ThresholdOverrides, preset};
pub use fingerprinted::{
    Fingerprinted, Places, fingerprinted, fingerprinted_around, fingerprinted_in_place,
};
pub use ranking::{RankedPair, Ranking};
pub use recipes::SHORT;

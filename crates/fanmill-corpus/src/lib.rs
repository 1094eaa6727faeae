//! Corpora of any size: records in and out, and the jobs that need more than memory.
//!
//! A corpus is a row of *shards* (files, or folders of texts), each a row of records. [`mod@format`] reads
//! and writes them, [`spill`] sorts and keeps what does not fit into memory. [`recipe`] makes keys and sets of
//! texts, [`candidates`] and [`exact`] find the pairs that may be near-duplicates, and [`centres`] makes clusters
//! of those that are: operators over texts and slices, for other programs, too.
//! The jobs: [`dedup`] removes near-duplicates, [`passages`] what is repeated inside documents, and
//! [`urls`] learns which parts of addresses do not matter.

pub mod record;
pub mod text;
pub mod account;
pub mod packing;
pub mod html;
pub mod format;
pub mod spill;
pub mod recipe;
pub mod candidates;
pub mod exact;
pub mod centres;
mod table;
pub mod job;
pub mod dedup;
pub mod passages;
pub mod urls;

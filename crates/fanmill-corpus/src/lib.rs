//! Corpora of any size: records in and out, and the jobs that need more than memory.
//!
//! A corpus is a row of *shards* (files, or folders of texts), each a row of records. [`mod@format`] reads
//! and writes them, [`spill`] sorts and keeps what does not fit into memory, [`candidates`] finds the
//! pairs that may be near-duplicates, and [`exact`] those of which none may be missed.

pub mod record;
pub mod format;
pub mod spill;
pub mod candidates;
pub mod exact;

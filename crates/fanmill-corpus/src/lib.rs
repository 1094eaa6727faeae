//! Corpora of any size: records in and out, and the jobs that need more than memory.
//!
//! A corpus is a row of *shards* (files, or folders of texts), each a row of records. [`mod@format`] reads
//! and writes them, [`spill`] sorts and keeps what does not fit into memory.

pub mod record;
pub mod packing;
pub mod html;
pub mod format;
pub mod spill;

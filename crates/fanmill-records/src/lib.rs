//! Records of a corpus: read from files of many formats, and written back.
//!
//! A corpus is a sequence of *shards* (files, or folders of texts), each a sequence of records. [`mod@format`] reads
//! and writes them, [`html`] takes the text out of pages, and [`account`] counts what was found and what could not be
//! read. [`arrow`] reads columns that another program holds in memory.
//!
//! A crate of its own, as Arrow and Parquet take most of the time of a first build.

#![forbid(unsafe_code)]

mod record;
pub mod text;
pub mod account;
pub mod arrow;
pub mod html;
pub mod format;

pub use record::{BadRecord, ClusterSize, Flaw, Mark, Record, RecordAction, RunMark, Skipped};

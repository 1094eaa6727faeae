//! Shards of records, read in batches and written back in their own format.
//!
//! ```text
//! survey(paths) → Shard ─ reader → Batch, Batch, … ─┬→ record(i): text, id, further fields
//!                       └ writer ←──────────────────┴── what happens to each record
//! ```
//!
//! A shard is read as often as a job needs it. Reading is sequential and finds only where records begin and end; their
//! content is parsed when it is asked for, by any number of threads. Writing copies a record that stays byte for byte,
//! where the format allows it.
//!
//! Parts that are not records (empty lines, a byte order mark, the header of a table, requests in a WARC file) stay
//! where they are.
//!
//! Cost: memory for about two batches, and for one record if that is larger.

mod facts;
mod options;
mod name;
mod stamp;
mod walk;
mod clash;
mod json;
mod lists;
mod fields;
mod blocks;
mod rows;
mod http;
mod archived;
mod text_file;
mod fault;
mod parquet_file;
mod ipc;
mod strings;
mod nodes;
mod cells;
mod kept_rows;
mod ipc_rows;
mod batch;
mod raw_out;
mod lines;
mod warc;
mod mailbox;
mod library;
mod zim;
mod pages;
mod levels;
mod runs;
mod parts;
mod columns;
mod columns_out;
mod record_format;
mod elements;
mod no_rows;
mod ipc_out;
mod table_lines;
mod formats;
mod sniff;
mod left_out;
mod copied;
mod loose;
mod shard;
mod sample;
mod beside;
mod find;
mod stdin;
#[cfg(test)]
mod tests;

use options::lower;

pub use batch::Batch;
pub use clash::folded;
pub use facts::Format;
pub use find::{Purpose, Survey, survey};
pub use find::{check_apart, check_clashes, holds_records_alone};
pub use options::{
    Columns, Dictionary, DocumentOptions, GroupAction, ID_FIELDS, Options, OutputForm, TEXT_FIELDS,
};
pub use raw_out::Files;
pub use sample::Sample;
pub use shard::changed;
pub use shard::{Reader, Shard, Writer};
pub use stdin::spool_stdin;

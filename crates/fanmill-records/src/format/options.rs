//! Settings by which shards are read and written.

use std::fmt;

use super::facts::Format;
use fanmill_disk::packing::packed::Packs;

/// How records are read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// The field that has the text; `None` for the first of [`TEXT_FIELDS`] that a record has.
    ///
    /// A dot descends into a nested field (`content.body`) unless a field has that very name.
    pub text: Option<String>,
    /// The field that has the name; `None` for the first of [`ID_FIELDS`] that a record has. In web
    /// archives any header; `None` for `WARC-Target-URI`. Loose files are named by their paths.
    pub id: Option<String>,
    /// Further fields that the job wants.
    pub extra: Vec<String>,
    /// The format of all inputs; `None` to tell it from names and, where they say nothing, from content.
    pub format: Option<Format>,
    /// Records above this many bytes are bad.
    pub record_bytes: usize,
    /// About as many bytes of records make a batch.
    pub batch_bytes: usize,
    /// Most bytes that a page of a Parquet file may unpack to, unless one record may be longer.
    pub page_bytes: usize,
    /// The level at which `.gz` and `.zst` are written; `None` for their tools' own.
    pub compression_level: Option<u32>,
}

/// The fields in which the text is looked for, in this order.
pub const TEXT_FIELDS: [&str; 6] = ["text", "content", "body", "raw_content", "document", "html"];
/// The fields in which the name is looked for, in this order.
pub const ID_FIELDS: [&str; 6] = ["id", "doc_id", "_id", "uuid", "url", "name"];

impl Options {
    /// The usual fields; records of at most 64 MiB, batches of 8 MiB.
    pub fn standard() -> Options {
        Options {
            text: None,
            id: None,
            extra: Vec::new(),
            format: None,
            record_bytes: 64 << 20,
            batch_bytes: 8 << 20,
            page_bytes: 256 << 20,
            compression_level: None,
        }
    }

    /// How files are packed. Besides the batch that is written, four times its bytes are held.
    pub(super) fn packs(&self) -> Packs {
        Packs { level: self.compression_level, memory: self.batch_bytes.saturating_mul(4) }
    }
}

/// Which columns of a table are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Those that records are made of. Such batches cannot be written.
    Needed,
    /// All.
    All,
}

/// What will be written to a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// Records as they are, or with another text.
    Records,
    /// Records with marks: tables get columns for them.
    Marks,
}

/// What becomes of the records of a row group, in formats that have these: it is copied as it is if all of them stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupAction {
    /// Each has an action of its own.
    Rewritten,
    /// All stay. They can be parsed before.
    Copied,
    /// All stay, and none can be parsed.
    CopiedUnread,
}

/// A message of another crate, in lower case at its beginning.
pub fn lower(words: &impl fmt::Display) -> String {
    let text = words.to_string();
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text,
    }
}

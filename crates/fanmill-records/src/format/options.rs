//! Settings for reading and writing shards.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use fanmill_source::{Extraction, Extractor};
use fanmill_text::{Error, Result};
use serde::{Serialize, Serializer};

use super::facts::Format;
use fanmill_disk::packing::UnpackOptions;
use fanmill_disk::packing::packed::PackOptions;

/// Options for reading records.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// The field that has the text; `None` for the first of [`TEXT_FIELDS`] that a record has.
    ///
    /// A dot descends into a nested field (`content.body`), unless a field has exactly that name; `[]` into each element of
    /// a list (`messages[].content`), whose texts are joined by [`JOINT`](fanmill_text::frontend::JOINT).
    pub text: Option<String>,
    /// The field that has the name; `None` for the first of [`ID_FIELDS`] that a record has. In web archives it is any
    /// header; `None` means `WARC-Target-URI`. Loose files are named by their paths.
    pub id: Option<String>,
    /// Further fields that the job wants.
    pub extra: Vec<String>,
    /// The format of all inputs; `None` to recognise it by names and, where they say nothing, by content.
    pub format: Option<Format>,
    /// Maximum size of a record in bytes. Larger ones are passed on as they are, and not read; where records have other
    /// bounds than bytes in a file, they are bad.
    pub record_bytes: usize,
    /// Approximate size of a batch, in bytes of records.
    pub batch_bytes: usize,
    /// Maximum number of bytes that a page of a Parquet file may unpack to, unless one record may be longer.
    pub page_bytes: usize,
    /// Maximum number of records that are read of each shard, to look at it; such a shard is not written.
    pub limit: Option<u64>,
    /// Size in bytes of the largest window, or dictionary of xz, that a packed file may ask for.
    pub window_bytes: u64,
    /// Compression level for writing packed files; `None` for the tools' own.
    pub compression_level: Option<u32>,
    /// The dictionary that Zstandard files were packed with.
    pub dictionary: Option<Dictionary>,
    /// Extraction of text from documents, also from those attached to messages.
    pub documents: DocumentOptions,
}

/// An extraction of text from documents, ready for use. Two are equal if their settings are.
#[derive(Debug, Clone, Default)]
pub struct DocumentOptions {
    settings: Extraction,
    extractor: Arc<Extractor>,
}

impl DocumentOptions {
    /// Opens what the settings name.
    ///
    /// # Errors
    /// As [`Extraction::open`].
    pub fn open(settings: &Extraction) -> Result<DocumentOptions> {
        let extractor = Arc::new(settings.open()?);
        Ok(DocumentOptions { settings: settings.clone(), extractor })
    }

    /// Returns the reader of documents.
    pub(super) fn extractor(&self) -> &Arc<Extractor> {
        &self.extractor
    }
}

impl PartialEq for DocumentOptions {
    fn eq(&self, other: &DocumentOptions) -> bool {
        self.settings == other.settings
    }
}

impl Eq for DocumentOptions {}

impl Serialize for DocumentOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.settings.serialize(serializer)
    }
}

/// The options that decide what a file is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Given {
    /// The format of all inputs, if the user says one.
    pub(super) format: Option<Format>,
    /// True if another program reads PostScript.
    pub(super) reads_post_script: bool,
}

impl From<Option<Format>> for Given {
    fn from(format: Option<Format>) -> Given {
        Given { format, ..Given::default() }
    }
}

/// A dictionary of Zstandard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary(Arc<[u8]>);

/// Maximum size in bytes of a dictionary; the tool makes them of 110 KiB.
const MOST_DICTIONARY: u64 = 32 << 20;

impl Dictionary {
    /// Reads a dictionary from its file.
    ///
    /// # Errors
    /// If the file cannot be read, or is too large for one.
    pub fn read(path: &Path) -> Result<Dictionary> {
        let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
        let mut bytes = Vec::new();
        let read = file.take(MOST_DICTIONARY + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::io("read", path, error))?;
        if bytes.is_empty() || bytes.len() as u64 > MOST_DICTIONARY {
            return Err(Error::input(format!(
                "`{}` is not a dictionary of Zstandard, which has 1 to {MOST_DICTIONARY} bytes; name the file that \
                 the trainer of zstd made",
                path.display()
            )));
        }
        Ok(Dictionary(bytes.into()))
    }
}

impl Serialize for Dictionary {
    /// Writes what tells it from others.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(blake3::hash(&self.0).to_hex().as_str())
    }
}

/// The fields in which the text is looked for, in this order.
pub const TEXT_FIELDS: [&str; 6] = ["text", "content", "body", "raw_content", "document", "html"];
/// The fields in which the name is looked for, in this order.
pub const ID_FIELDS: [&str; 6] = ["id", "doc_id", "_id", "uuid", "url", "name"];

impl Options {
    /// Returns the standard options: the usual fields; records of at most 64 MiB, batches of 8 MiB.
    pub fn standard() -> Options {
        Options {
            text: None,
            id: None,
            extra: Vec::new(),
            format: None,
            record_bytes: 64 << 20,
            batch_bytes: 8 << 20,
            page_bytes: 256 << 20,
            limit: None,
            window_bytes: UnpackOptions::standard().window,
            compression_level: None,
            dictionary: None,
            documents: DocumentOptions::default(),
        }
    }

    /// Returns those that decide what a file is.
    pub(super) fn given(&self) -> Given {
        let reads_post_script = self.documents.settings.ps_command.is_some();
        Given { format: self.format, reads_post_script }
    }

    /// Returns the options for unpacking files.
    pub(super) fn unpacks(&self) -> UnpackOptions {
        let dictionary = self.dictionary.as_ref().map(|Dictionary(bytes)| Arc::clone(bytes));
        UnpackOptions { window: self.window_bytes, dictionary }
    }

    /// Returns the options for packing files. Besides the batch that is written, four times its bytes are held.
    pub(super) fn packs(&self) -> PackOptions {
        PackOptions { level: self.compression_level, memory: self.batch_bytes.saturating_mul(4) }
    }
}

/// Columns of a table that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Only the columns that records are made of. Such batches cannot be written.
    Needed,
    /// All columns.
    All,
}

/// The form of records that are written to a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputForm {
    /// Records as they are, or with another text.
    Records,
    /// Records with marks; tables get columns for them.
    Marks,
    /// Records with marks of runs; tables get columns for them.
    RunMarks,
    /// Records with marks of the sizes of their clusters; tables get columns for them.
    Sizes,
    /// Records as they are, without what lies between them. Tables keep their header.
    Alone,
}

impl OutputForm {
    /// Returns whether records get marks.
    pub fn has_marks(self) -> bool {
        match self {
            OutputForm::Marks | OutputForm::RunMarks | OutputForm::Sizes => true,
            OutputForm::Records | OutputForm::Alone => false,
        }
    }
}

/// The action on the records of a row group, in formats that have these. It is copied as it is if all of its records
/// stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupAction {
    /// Each record has an action of its own.
    Rewritten,
    /// All records stay. They can be parsed before the group is copied.
    Copied,
    /// All records stay, and none can be parsed.
    CopiedUnread,
}

/// Returns a message of another crate with its first letter in lower case.
pub(super) fn lower(words: &impl fmt::Display) -> String {
    let text = words.to_string();
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text,
    }
}

//! Files beside shards of records: what is a shard, what is copied as it is, and what is true of the old shards only.
//!
//! | in a folder with shards of records | in the output |
//! |---|---|
//! | files of many records that have a text | shards |
//! | texts, pages, documents, JSON and tables without a text: cards, settings, notes | copied as they are |
//! | pictures and other files that are not text | copied as they are |
//! | sums, counts and sizes of shards: by name, and cards of data sets with `num_examples` | left out |
//! | hidden files, links, what other programs leave | left out |
//!
//! The folder of a table format is refused: its log says which files count.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use fanmill_disk::packing::Packing;
use fanmill_source::label::extension;
use fanmill_text::{Error, Result};
use memchr::memmem;

use super::batch::Batch;
use super::copied::CopiedFiles;
use super::left_out::{Copies, LeftOutFiles, LeftOutReason, found};
use super::shard::{Place, Shard};
use super::sniff::{Origin, Sniffed, sniff};
use super::stamp::{Stamp, Stamping};
use super::walk::{PassedOver, WalkEntry};
use super::{Columns, Format, Options};
use crate::account::{CountedList, Notice};

/// Names of files that have counts or sizes of shards.
const OF_SHARDS: [&str; 4] =
    ["dataset_infos.json", "dataset_info.json", "dataset_dict.json", "state.json"];
/// Ends of names of files that have sums of shards.
const SUMS: [&str; 7] = [".md5", ".sha1", ".sha256", ".sha512", ".crc", "sums", "sums.txt"];
/// Bytes of the first records that are read of a file.
const BEGINNING: usize = 1 << 16;

/// Returns whether a file below a folder has sums or counts of other files: going by its name, or as the card of a data set
/// that says how many rows each part has, which `datasets` checks when it reads them.
pub(super) fn is_of_shards(root: &Path, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let says_counts = || {
        let mut head = Vec::new();
        let file = File::open(root.join(path)).map(|file| file.take(BEGINNING as u64));
        file.and_then(|mut file| file.read_to_end(&mut head)).is_ok()
            && head.starts_with(b"---")
            && memmem::find(&head, b"num_examples:").is_some()
    };
    // The caches of `datasets` lie beside a saved data set, and would count as more of its rows.
    let is_cache = || {
        is_named_cache(path)
            && OF_SHARDS.iter().any(|own| root.join(path).with_file_name(own).exists())
    };
    OF_SHARDS.contains(&&*name)
        || is_cache()
        || SUMS.iter().any(|end| name.ends_with(end))
        || name == "readme.md" && says_counts()
}

/// Returns whether `datasets` calls its caches by such a name.
fn is_named_cache(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("cache-") && name.ends_with(".arrow")
}

/// Returns whether a file may be something other than a shard although its extension is that of records: JSON, tables of
/// text, and what may be a cache. Files of other formats say by themselves what they are.
pub(super) fn is_unsure(path: &Path, options: &Options) -> bool {
    let format = Format::from_name(path).filter(|_| options.format.is_none());
    let name = path.to_string_lossy();
    let is_json = || extension(Packing::from_name(&name).1).as_deref() == Some("json");
    format.is_some_and(|format| {
        format.is_table() || format == Format::JSONL && is_json() || is_named_cache(path)
    })
}

/// Returns whether an [unsure](is_unsure) file is a shard: its first record, or its header, has a text.
pub(super) fn has_text(path: &Path, options: &Options) -> bool {
    let first = || -> Result<bool> {
        let Sniffed::Records(format, packing) = sniff(path, options.given(), Origin::Met)? else {
            return Ok(false);
        };
        let shard = Shard::new(Place::File(path.to_owned()), format, packing, Stamp::default());
        let options = Options { batch_bytes: BEGINNING, ..options.clone() };
        // A table without a column for the text cannot be opened.
        let mut reader = shard.reader(&options, Columns::Needed)?;
        let mut batch = Batch::new();
        if format.is_table() {
            // A file without a header is no table.
            return Ok(reader.next(&mut batch)? && batch.n_bytes() > 0);
        }
        // The end of a file of one batch is compared with its stamp, which is none.
        while batch.is_empty() && reader.next(&mut batch)? {}
        Ok(!batch.is_empty() && batch.record(0).is_ok())
    };
    first().unwrap_or(false)
}

/// Refuses what shows that a folder is one of a table format.
///
/// # Errors
/// If it does; the text says which format, and the way out.
pub(super) fn check_no_table(folder: &Path, path: &Path) -> Result<()> {
    let has = |wanted: &str| path.iter().any(|part| part == wanted);
    let is_iceberg = || has("metadata") && path.to_string_lossy().ends_with(".metadata.json");
    let (what, way) = match () {
        () if has("_delta_log") => ("Delta Lake", "the Python package `deltalake`"),
        () if has(".hoodie") => ("Hudi", "Spark"),
        () if is_iceberg() => ("Iceberg", "the Python package `pyiceberg`"),
        () => return Ok(()),
    };
    Err(Error::input(format!(
        "`{}` is a table of {what}, whose log says which of its files count: `{}`; compare it in Spark with \
         `fanmill.spark`, or export it to Parquet with {way}",
        folder.display(),
        path.display()
    )))
}

/// Files of a folder with shards that are no shards.
#[derive(Debug)]
pub(super) struct BesideShards {
    copied: CopiedFiles,
    files: LeftOutFiles,
    stamping: Stamping,
}

impl BesideShards {
    pub(super) fn new(root: &Path) -> BesideShards {
        let copied = CopiedFiles { root: root.to_owned(), ..CopiedFiles::default() };
        BesideShards { copied, files: LeftOutFiles::default(), stamping: Stamping::default() }
    }

    /// Adds something that a walk has found, unless it is a shard; returns true if it is copied.
    ///
    /// # Errors
    /// As [`sniff`].
    pub(super) fn add(&mut self, met: &WalkEntry, options: &Options) -> Result<bool> {
        let root = &self.copied.root;
        let why = match met {
            WalkEntry::File(path) if is_of_shards(root, path) => LeftOutReason::OfShards,
            WalkEntry::File(path) if is_unsure(path, options) => {
                if has_text(&root.join(path), options) {
                    return Ok(false);
                }
                LeftOutReason::BesideShards
            }
            met => match found(root, met, options.given())? {
                Err(LeftOutReason::Beside(PassedOver::Hidden)) => LeftOutReason::HiddenBesideShards,
                Err(why) => why,
                Ok(found) if found.loose().is_some() => LeftOutReason::BesideShards,
                Ok(_) => return Ok(false),
            },
        };
        let Some(file) = self.files.add(root, met.path(), why) else { return Ok(false) };
        let full = root.join(met.path());
        let seen = file.metadata().map_err(|error| Error::io("look at", full, error))?;
        self.stamping.add(met.path(), &seen);
        self.copied.paths.push(met.path().to_owned());
        Ok(true)
    }

    /// Returns what is copied, if anything is, and adds notices on all of them.
    pub(super) fn end(
        self,
        copies: Copies,
        left_out: &mut CountedList<Notice>,
    ) -> Option<CopiedFiles> {
        let then = self.stamping.end();
        self.files.note(&self.copied.root, copies, left_out);
        let copied = CopiedFiles { then, ..self.copied };
        (copies == Copies::Made && !copied.paths.is_empty()).then_some(copied)
    }
}

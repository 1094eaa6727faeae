//! Opening of a Parquet file: its metadata, and the fault if it is damaged.

use std::fs::File;
use std::path::Path;

use fanmill_text::Error;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::fault::{ReadResult, guarded};

/// The words for such a file.
pub(super) const PARQUET: &str = "a Parquet file";

/// Opens a file and reads its metadata.
pub(super) fn open(path: &Path) -> ReadResult<(File, ArrowReaderMetadata)> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let metadata = guarded(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::default()))?;
    Ok((file, metadata))
}

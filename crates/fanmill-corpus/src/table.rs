//! Tables as Parquet files, written a few thousand rows at once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array};
use fanmill_disk::replace::DiskFile;
use fanmill_text::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

/// Bytes of a row group, which is held in memory until it is full.
const GROUP_BYTES: usize = 8 << 20;

/// A column with its name.
pub(crate) type Column = (String, ArrayRef);

/// Named columns of equal length.
pub(crate) type Columns = Vec<Column>;

/// A table being written.
pub(crate) struct Table {
    path: PathBuf,
    writer: ArrowWriter<DiskFile>,
}

impl Table {
    /// Begins a table with the columns of `empty`, so that a table without rows has them, too.
    pub(crate) fn create((file, path): (DiskFile, PathBuf), empty: Columns) -> Result<Table> {
        let path = path.as_path();
        let codec = ZstdLevel::try_new(3).map(Compression::ZSTD).map_err(|e| failed(path, e))?;
        let properties = WriterProperties::builder()
            .set_compression(codec)
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            .build();
        let schema = rows(path, empty)?.schema();
        let writer = ArrowWriter::try_new(file, schema, Some(properties));
        let writer = writer.map_err(|error| failed(path, error))?;
        Ok(Table { path: path.to_owned(), writer })
    }

    /// Appends rows.
    pub(crate) fn append(&mut self, columns: Columns) -> Result<()> {
        let rows = rows(&self.path, columns)?;
        self.writer.write(&rows).map_err(|error| failed(&self.path, error))
    }

    /// Finishes the table and syncs it; an unfinished table cannot be read.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.writer.finish().map_err(|error| failed(&self.path, error))?;
        let synced = self.writer.inner().sync();
        synced.map_err(|error| Error::io("write", &self.path, error))
    }
}

fn rows(path: &Path, columns: Columns) -> Result<RecordBatch> {
    // One schema for all rows, whether some of them have nulls or not.
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).map_err(|error| failed(path, error))
}

fn failed(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::io("write", path, std::io::Error::other(error))
}

pub(crate) fn texts(values: impl IntoIterator<Item = impl AsRef<str>>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

pub(crate) fn floats(values: impl IntoIterator<Item = impl Into<Option<f64>>>) -> ArrayRef {
    Arc::new(values.into_iter().map(Into::into).collect::<Float64Array>())
}

pub(crate) fn numbers(values: impl IntoIterator<Item = u64>) -> ArrayRef {
    Arc::new(UInt64Array::from_iter_values(values))
}

pub(crate) fn flags(values: impl IntoIterator<Item = impl Into<Option<bool>>>) -> ArrayRef {
    Arc::new(values.into_iter().map(Into::into).collect::<BooleanArray>())
}

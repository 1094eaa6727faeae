//! Fuzzing of Parquet pages: the bytes are the pages of a column, inside a whole file with valid metadata.
//!
//! Mutations of whole files mostly break the metadata, and rarely get as far as the pages.

use std::fs::File;
use std::io::Write;
use std::sync::{Arc, LazyLock};

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use fanmill_records::format::{Batch, Columns, Options, Purpose, survey};
use fanmill_text::Result;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use parquet::file::properties::WriterProperties;

/// Number of rows in the file.
const N_ROWS: usize = 12;
/// Maximum number of bytes in a row of lists, and in a page.
const PAGE_BYTES: usize = 1 << 16;

/// A valid file with columns of texts and lists.
struct Whole {
    bytes: Vec<u8>,
    metadata: ParquetMetaData,
}

static WHOLE: LazyLock<Whole> =
    LazyLock::new(|| whole().expect("memory takes what is written to it"));

fn whole() -> std::result::Result<Whole, ParquetError> {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for n in 0..N_ROWS {
        (0..n % 5).for_each(|n| lists.values().append_value("tag".repeat(n)));
        lists.append(n != 7);
    }
    let texts = (0..N_ROWS).map(|n| (n != 5).then_some(["a", "text"][n % 2]));
    let text: ArrayRef = Arc::new(texts.collect::<StringArray>());
    let columns = [("text", text), ("tags", Arc::new(lists.finish()) as ArrayRef)];
    let rows = RecordBatch::try_from_iter(columns)?;
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED);
    let mut out = ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties.build()))?;
    out.write(&rows)?;
    let bytes = out.into_inner()?;
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&on_disk(&bytes)?)?;
    Ok(Whole { bytes, metadata })
}

fn on_disk(bytes: &[u8]) -> std::result::Result<File, ParquetError> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Returns the pages of each column.
///
/// # Panics
/// Never: the file is valid.
pub fn seeds() -> Vec<Vec<u8>> {
    let columns = WHOLE.metadata.row_group(0).columns().iter().map(ColumnChunkMetaData::byte_range);
    columns.map(|(start, n)| WHOLE.bytes[start as usize..(start + n) as usize].to_vec()).collect()
}

/// Reads the bytes as the pages of each column in turn.
///
/// # Panics
/// If the file can be read but rows are missing.
pub fn pages(bytes: &[u8]) {
    for (column, columns) in [(0, Columns::Needed), (1, Columns::All)] {
        let file = with_pages(column, bytes).expect("memory takes what is written to it");
        super::scratch::with_file("records.parquet", &file, |folder| {
            let options = Options {
                record_bytes: 1 << 12,
                batch_bytes: 1 << 8,
                page_bytes: PAGE_BYTES,
                ..Options::standard()
            };
            let n_rows = || -> Result<usize> {
                let found = survey(&[folder.join("records.parquet")], &options, Purpose::Read)?;
                let mut reader = found.shards[0].reader(&options, columns)?;
                let mut batch = Batch::new();
                let mut n_rows = 0;
                while reader.next(&mut batch)? {
                    (0..batch.len()).for_each(|i| drop(batch.record(i)));
                    n_rows += batch.len();
                }
                Ok(n_rows)
            };
            assert_eq!(n_rows().unwrap_or(N_ROWS), N_ROWS, "rows are missing");
        });
    }
}

/// Returns the file with other bytes as the pages of a column.
fn with_pages(column: usize, bytes: &[u8]) -> std::result::Result<Vec<u8>, ParquetError> {
    let Whole { bytes: before, metadata } = &*WHOLE;
    let group = metadata.row_group(0).clone();
    let mut columns = group.columns().to_vec();
    columns[column] = columns[column]
        .clone()
        .into_builder()
        .set_dictionary_page_offset(None)
        .set_data_page_offset(length(before))
        .set_total_compressed_size(length(bytes))
        .build()?;
    let group = group.into_builder().set_column_metadata(columns).build()?;
    let metadata = metadata.clone().into_builder().set_row_groups(vec![group]).build();
    let mut file = [&before[..], bytes].concat();
    ParquetMetaDataWriter::new(&mut file, &metadata).finish()?;
    Ok(file)
}

fn length(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}

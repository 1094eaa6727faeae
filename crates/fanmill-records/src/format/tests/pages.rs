//! Parquet pages of any size, encoding and number of values, including damaged and hostile ones.

use std::sync::Arc;
use std::time::Duration;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use ::parquet::column::page::{Page, PageReader};
use ::parquet::file::metadata::RowGroupMetaData;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type};
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Int64Array, RecordBatch, StringArray};
use arrow_select::filter::filter_record_batch;
use proptest::prelude::*;

use super::columns::rows;
use super::*;

/// Settings for writing a file of texts.
#[derive(Debug, Clone)]
struct Writing {
    codec: Compression,
    /// `None` for a dictionary as long as it fits.
    encoding: Option<Encoding>,
    page_bytes: usize,
    /// Number of values that are written before the size of a page is looked at.
    page_rows: usize,
    group_rows: usize,
    version: WriterVersion,
}

fn writings() -> impl Strategy<Value = Writing> {
    let codecs = vec![
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4_RAW,
    ];
    let encodings = vec![
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_BYTE_ARRAY),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
    ];
    let versions = vec![WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let sizes = (
        prop_oneof![Just(1_usize), 20_usize..400, Just(1 << 20)],
        prop::sample::select(vec![1_usize, 8, 100]),
        prop_oneof![1_usize..40, Just(1000)],
    );
    let names = (
        prop::sample::select(codecs),
        prop::sample::select(encodings),
        prop::sample::select(versions),
    );
    (names, sizes).prop_map(|((codec, encoding, version), (page_bytes, page_rows, group_rows))| {
        Writing { codec, encoding, page_bytes, page_rows, group_rows, version }
    })
}

/// Returns rows of texts and their numbers.
fn numbered(texts: &[Option<String>]) -> RecordBatch {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..).take(texts.len())));
    let column: ArrayRef = Arc::new(StringArray::from_iter(texts));
    let columns = [("id", numbers, false), ("text", column, true)];
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns")
}

/// Returns the rows with a list of strings of these lengths each; no list where there is `None`.
fn with_tags(rows: &RecordBatch, tags: &[Option<Vec<usize>>]) -> RecordBatch {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for tags in tags {
        tags.iter().flatten().for_each(|&n| lists.values().append_value("t".repeat(n)));
        lists.append(tags.is_some());
    }
    let [id, text] = [0, 1].map(|column| Arc::clone(rows.column(column)));
    let tags: ArrayRef = Arc::new(lists.finish());
    let columns = [("id", id, false), ("text", text, true), ("tags", tags, true)];
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns")
}

impl Writing {
    /// Returns a file with these rows.
    fn file(&self, rows: &RecordBatch) -> Vec<u8> {
        let mut properties = WriterProperties::builder()
            .set_compression(self.codec)
            .set_writer_version(self.version)
            .set_data_page_size_limit(self.page_bytes)
            .set_dictionary_page_size_limit(4 * self.page_bytes)
            .set_write_batch_size(self.page_rows)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_max_row_group_row_count(Some(self.group_rows));
        if let Some(encoding) = self.encoding {
            properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
            properties = properties.set_column_encoding("id".into(), Encoding::PLAIN);
        }
        let mut out = ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties.build()))
            .expect("a writer");
        out.write(rows).expect("written");
        out.into_inner().expect("finished")
    }
}

/// Returns what is read of each row: its number and its text, or the reason why not.
fn said(all: &Read) -> Vec<std::result::Result<(&str, &str), &str>> {
    let each = all.iter().map(|read| match read {
        Ok(record) => Ok((record.id.as_deref().unwrap_or_default(), &*record.text)),
        Err(bad) => Err(&*bad.reason),
    });
    each.collect()
}

const TOO_LONG: &str = "longer than the limit of 1000 bytes for a record";

/// Values that pack to next to nothing, in a dictionary or not, are recognised by their pages' headers.
#[test]
fn texts_above_the_limit_are_bad_and_what_is_beside_them_is_read() {
    let long = |n: usize| Some(format!("{n} {}", "x".repeat(5000)));
    let mut texts: Vec<Option<String>> = (0..20).map(long).collect();
    texts.extend((20..40).map(|n| Some(format!("text {n}"))));
    texts.extend((40..60).map(|_| long(0)));
    for codec in [
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(GzipLevel::default()),
        Compression::UNCOMPRESSED,
    ] {
        for (encoding, version) in [
            (None, WriterVersion::PARQUET_1_0),
            (Some(Encoding::PLAIN), WriterVersion::PARQUET_1_0),
            (Some(Encoding::PLAIN), WriterVersion::PARQUET_2_0),
        ] {
            let writing = Writing {
                codec,
                encoding,
                version,
                page_bytes: 1 << 20,
                page_rows: 8,
                group_rows: 20,
            };
            let options = Options { page_bytes: 2000, ..small(300, 1000) };
            let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
            let all = read(&shard, &options).expect("readable");
            let said = said(&all);
            assert_eq!(said.len(), 60, "{writing:?}");
            assert!(
                said[..20].iter().chain(&said[40..]).all(|r| *r == Err(TOO_LONG)),
                "{writing:?}"
            );
            assert_eq!(said[23], Ok(("23", "text 23")), "{writing:?}");
            assert!(all[45].as_ref().is_err_and(|bad| bad.number == 45), "{writing:?}");

            let out = tempfile::tempdir().expect("a folder");
            write(&shard, out.path(), &options, OutputForm::Records, &|_, _| RecordAction::Keep)
                .expect("written");
            let (rows, ..) = rows(&out.path().join("a.parquet"));
            let ids: Vec<_> = rows.column(0).as_primitive::<Int64Type>().values().to_vec();
            assert_eq!(ids, (20..40).collect::<Vec<_>>(), "{writing:?}");
        }
    }
}

/// Leaving out the page would lose the good record in it.
#[test]
fn a_page_that_is_too_large_and_has_texts_that_are_not_is_refused() {
    let texts = [Some("short".to_owned()), Some("x".repeat(9000)), Some("y".repeat(9000))];
    for encoding in [None, Some(Encoding::PLAIN), Some(Encoding::DELTA_BYTE_ARRAY)] {
        let codec = Compression::ZSTD(ZstdLevel::default());
        let version = WriterVersion::PARQUET_1_0;
        let writing =
            Writing { codec, encoding, version, page_bytes: 1 << 20, page_rows: 8, group_rows: 20 };
        let options = Options { page_bytes: 2000, ..small(300, 1000) };
        let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
        let error = read(&shard, &options).expect_err("refused").to_string();
        let words = ["a.parquet", "column `text`", "above the limit of 2064", "allow more memory"];
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        let options = Options { page_bytes: 1 << 20, ..options };
        let all = read(&shard, &options).expect("readable");
        assert_eq!(said(&all), [Ok(("0", "short")), Err(TOO_LONG), Err(TOO_LONG)]);
    }
}

/// A dictionary's value is copied for each row that has it: a small file, small pages, a large batch.
#[test]
fn rows_of_a_long_value_in_a_dictionary_are_read_a_few_at_a_time() {
    let texts = vec![Some("z".repeat(900)); 5000];
    let writing = Writing {
        codec: Compression::SNAPPY,
        encoding: None,
        page_bytes: 1 << 20,
        page_rows: 8,
        group_rows: 5000,
        version: WriterVersion::PARQUET_1_0,
    };
    let options = Options { page_bytes: 1 << 20, ..small(10_000, 1000) };
    let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
    let mut reader = shard.reader(&options, Columns::All).expect("opened");
    let (mut batch, mut n_rows) = (Batch::new(), 0);
    while reader.next(&mut batch).expect("readable") {
        assert!(batch.len() * 900 <= 10_000, "{}", batch.len());
        n_rows += batch.len();
    }
    assert_eq!(n_rows, 5000);
}

/// Short uncompressed texts, one behind another, 40 rows a group.
const PLAIN: Writing = Writing {
    codec: Compression::UNCOMPRESSED,
    encoding: Some(Encoding::PLAIN),
    page_bytes: 1 << 20,
    page_rows: 8,
    group_rows: 40,
    version: WriterVersion::PARQUET_1_0,
};

/// Returns a file with texts and nothing else, whose first page has 40 values, and the position of that number in its
/// header.
fn forty() -> (Vec<u8>, usize) {
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..80).map(|n| format!("text of record {n}"))));
    let bytes = PLAIN.file(&RecordBatch::try_from_iter([("text", texts)]).expect("a column"));
    // The header of a data page is the fifth field, and the number is its first one: 40 in zigzag.
    let at = memchr::memmem::find(&bytes, b"\x2c\x15\x50").expect("a header");
    (bytes, at + 2)
}

#[test]
fn rows_that_are_not_in_the_pages_are_bad_records() {
    let (mut bytes, at) = forty();
    let options = Options::standard();
    for (zigzag, words) in [
        (0x28, "column `text` has 20 of the 40 rows"),
        (0, "column `text` has 0 of the 40 rows"),
        (0x52, "column `text` has 41 or more of the 40 rows"),
    ] {
        bytes[at] = zigzag;
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        let reasons = reasons(&read(&shard, &options).expect("it goes on"), 40);
        assert!(reasons.contains(words) && reasons.contains("row group 1 is damaged"), "{reasons}");
    }
    bytes[at] = 0x50;
    let (_folder, shard) = one("a.parquet", &bytes, &options);
    assert_eq!(read(&shard, &options).expect("whole").len(), 80);
}

/// The length that a header gives for a value in it is not believed.
#[test]
fn a_header_that_does_not_end_ends_the_row_group_at_once() {
    let options = Options::standard();
    // Lists, a map, a text, a set of structs: each of 2^63 - 1 values, as the first field of a header.
    for head in [&[0x19, 0xF7][..], &[0x1B], &[0x18], &[0x1A, 0xFC], &[0x19, 0xF1]] {
        let (mut bytes, at) = forty();
        let header = 4..at;
        let length = [&[0xFF; 8][..], &[0x7F]].concat();
        let hostile: Vec<u8> = head.iter().chain(&length).copied().chain([0x77; 30]).collect();
        bytes.splice(header.start..header.start + hostile.len(), hostile);
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        let (found, effort) = fanmill_effort::of(|| read(&shard, &options));
        let reasons = reasons(&found.expect("it goes on"), 40);
        assert!(reasons.contains("row group 1 is damaged"), "{head:?}");
        assert!(effort < Duration::from_secs(2), "{head:?} took {effort:?}");
    }
}

/// Returns the one reason why the first `n` records are bad, and no others.
fn reasons(all: &Read, n: usize) -> String {
    let reasons = all.iter().filter_map(|record| record.as_ref().err());
    let reasons: Vec<_> =
        reasons.map(|bad| (bad.number as usize, bad.reason.to_string())).collect();
    let first = reasons.first().map(|(_, reason)| reason.clone()).unwrap_or_default();
    assert!(reasons.iter().map(|(at, reason)| (*at, reason)).eq((0..n).map(|at| (at, &first))));
    first
}

/// Returns a file with one page of text, whose header says that it unpacks to 500 bytes instead of 3 MiB.
fn bomb(codec: Compression) -> Vec<u8> {
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(["x".repeat(3 << 20)]));
    let rows = RecordBatch::try_from_iter([("text", texts)]).expect("a column");
    let writing = Writing { codec, page_bytes: 8 << 20, ..PLAIN };
    let mut bytes = writing.file(&rows);
    // The size is in zigzag, seven bits a byte, the lowest first; the page has a length and the text.
    let varint = |mut n: usize| -> Vec<u8> {
        let groups = (0..4).map(|place| {
            let group = (n & 127) as u8 | if place < 3 { 128 } else { 0 };
            n >>= 7;
            group
        });
        groups.collect()
    };
    let said = [&[0x15][..], &varint(2 * ((3 << 20) + 4))].concat();
    let at = memchr::memmem::find(&bytes, &said).expect("the header");
    bytes.splice(at + 1..at + 5, varint(1000));
    bytes
}

/// With gzip and Brotli, the library unpacks to the end, whatever a header says.
#[test]
fn a_page_that_unpacks_to_more_than_its_header_says_is_damage() {
    for codec in [
        Compression::GZIP(GzipLevel::default()),
        Compression::BROTLI(BrotliLevel::default()),
        Compression::LZ4,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::SNAPPY,
    ] {
        let options = Options { page_bytes: 1 << 20, ..small(1000, 1000) };
        let (_folder, shard) = one("a.parquet", &bomb(codec), &options);
        let error = reasons(&read(&shard, &options).expect("it goes on"), 1);
        let is_by_us = matches!(codec, Compression::GZIP(_) | Compression::BROTLI(_));
        let words = if is_by_us { "unpacks to more than its header says" } else { "is damaged" };
        assert!(error.contains(words), "{codec:?}: {error}");
    }
}

/// One reader for each length of pages would walk the group from its beginning each time: minutes for this file.
#[test]
fn pages_that_alternate_between_short_and_long_texts_take_no_longer_than_others() {
    let text = |n: usize| Some(if n.is_multiple_of(2) { "y".repeat(400) } else { "x".to_owned() });
    let texts: Vec<_> = (0..12_000).map(text).collect();
    let writing = Writing { page_bytes: 1, page_rows: 1, group_rows: 12_000, ..PLAIN };
    let options = small(1 << 20, 1000);
    let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
    let (all, effort) = fanmill_effort::of(|| read(&shard, &options).expect("readable"));
    assert_eq!(all.len(), 12_000);
    assert!(effort < Duration::from_secs(10), "{effort:?}");
}

/// The long pages are passed over this time.
#[test]
fn pages_that_are_passed_over_take_no_longer_than_others() {
    let text =
        |n: usize| Some(if n.is_multiple_of(2) { "y".repeat(2000) } else { format!("x{n}") });
    let texts: Vec<_> = (0..6000).map(text).collect();
    let codec = Compression::ZSTD(ZstdLevel::default());
    let writing = Writing { codec, page_bytes: 1, page_rows: 1, group_rows: 6000, ..PLAIN };
    let options = Options { page_bytes: 1000, ..small(1 << 20, 1000) };
    let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
    let (all, effort) = fanmill_effort::of(|| read(&shard, &options).expect("readable"));
    assert_eq!(all.len(), 6000);
    let is_right = |(n, read): (usize, &std::result::Result<Record<'_>, BadRecord>)| match read {
        Ok(record) => n % 2 == 1 && record.text == format!("x{n}"),
        Err(bad) => n.is_multiple_of(2) && bad.reason == TOO_LONG,
    };
    assert!(all.iter().enumerate().all(is_right));
    assert!(effort < Duration::from_secs(10), "{effort:?}");
}

/// Before it is read, a row with a value of a dictionary counts as long as the longest of them.
#[test]
fn a_long_value_of_a_dictionary_leaves_batches_as_large_as_others() {
    let text = |n: usize| Some(if n == 700 { "y".repeat(400_000) } else { format!("text {n}") });
    let texts: Vec<_> = (0..2000).map(text).collect();
    let writing = Writing { encoding: None, group_rows: 2000, page_bytes: 1 << 20, ..PLAIN };
    let options = Options { page_bytes: 1 << 20, ..small(800_000, 1_000_000) };
    let (_folder, shard) = one("a.parquet", &writing.file(&numbered(&texts)), &options);
    let sizes = batches(&shard, &options).expect("readable");
    assert_eq!(sizes.iter().sum::<usize>(), 2000);
    assert!(sizes.len() < 20, "{sizes:?}");
    let all = read(&shard, &options).expect("readable");
    let of = |read: &std::result::Result<Record<'_>, BadRecord>| {
        Some(read.as_ref().expect("a record").text.to_string())
    };
    assert!(all.iter().map(of).eq(texts));
}

/// Rows that are read a few at a time stay apart where their dictionaries would have too many values together.
#[test]
fn a_dictionary_of_few_keys_is_read_whatever_the_texts_are() {
    let text = |n: usize| if n == 0 { "y".repeat(20_000) } else { format!("text {n}") };
    let rows = |from: usize| {
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((from..from + 100).map(text)));
        let kinds: DictionaryArray<Int8Type> = (from..from + 100)
            .map(|n| Some(format!("kind {n}")))
            .collect::<Vec<_>>()
            .iter()
            .map(Option::as_deref)
            .collect();
        RecordBatch::try_from_iter([("text", texts), ("kind", Arc::new(kinds) as ArrayRef)])
            .expect("columns")
    };
    let properties =
        WriterProperties::builder().set_column_dictionary_enabled("kind".into(), false);
    let mut out = ArrowWriter::try_new(Vec::new(), rows(0).schema(), Some(properties.build()))
        .expect("a writer");
    (0..5).for_each(|i| out.write(&rows(100 * i)).expect("written"));
    let file = out.into_inner().expect("finished");
    let options = small(40_000, 100_000);
    let (_folder, shard) = one("a.parquet", &file, &options);
    assert_eq!(batches(&shard, &options).expect("readable").iter().sum::<usize>(), 500);
    let all = read(&shard, &options).expect("readable");
    assert!(
        all.iter()
            .map(|read| read.as_ref().expect("a record").text.to_string())
            .eq((0..500).map(text))
    );
}

/// Reads all columns; returns the number of records in each batch.
fn batches(shard: &Shard, options: &Options) -> fanmill_text::Result<Vec<usize>> {
    let mut reader = shard.reader(options, Columns::All)?;
    let (mut batch, mut all) = (Batch::new(), Vec::new());
    while reader.next(&mut batch)? {
        all.push(batch.len());
    }
    Ok(all)
}

/// Returns rows with ten tags each, and among them one with `n_tags` tags of `bytes` bytes.
fn tagged(n_rows: usize, n_tags: usize, bytes: usize) -> RecordBatch {
    let texts: Vec<_> = (0..n_rows).map(|n| Some(format!("text {n}"))).collect();
    let tags = |n| if n == n_rows / 2 { vec![bytes; n_tags] } else { vec![3; 10] };
    with_tags(&numbered(&texts), &(0..n_rows).map(|n| Some(tags(n))).collect::<Vec<_>>())
}

/// A row of any column is held whole, and a dictionary makes a list of millions of bytes out of a few.
#[test]
fn a_row_that_is_too_large_in_another_column_than_the_text_is_refused() {
    for (writing, name) in [
        (Writing { encoding: None, page_rows: 1000, ..PLAIN }, "a dictionary"),
        (Writing { encoding: None, page_rows: 1, page_bytes: 1, ..PLAIN }, "many pages"),
        (Writing { page_rows: 1, page_bytes: 1, ..PLAIN }, "pages without a dictionary"),
        (Writing { version: WriterVersion::PARQUET_2_0, encoding: None, ..PLAIN }, "version 2"),
    ] {
        let options = Options { page_bytes: 10_000, ..small(1000, 1000) };
        // 3,000 bytes are too many for a batch, but not too many to be read.
        let (_folder, shard) = one("a.parquet", &writing.file(&tagged(60, 30, 100)), &options);
        let sizes = batches(&shard, &options).expect(name);
        assert_eq!(sizes.iter().sum::<usize>(), 60, "{name}");
        assert!(sizes.contains(&1) && sizes.len() < 50, "{name}: {sizes:?}");

        let (_folder, shard) = one("a.parquet", &writing.file(&tagged(60, 300, 100)), &options);
        let error = batches(&shard, &options).expect_err(name).to_string();
        let words = ["a.parquet", "tags", "above the limit of 10064", "allow more memory"];
        assert!(words.iter().all(|word| error.contains(word)), "{name}: {error}");
        // Texts can be read without that column.
        assert_eq!(read(&shard, &options).expect(name).len(), 60, "{name}");
    }
}

/// Each column may have its largest page open at the same time.
#[test]
fn pages_that_are_too_large_together_are_refused() {
    let column = |n: usize| -> (String, ArrayRef) {
        let values = (0..8).map(|row| "v".repeat(100 + n) + &row.to_string());
        (format!("column {n}"), Arc::new(StringArray::from_iter_values(values)))
    };
    let text = ("text".to_owned(), column(0).1);
    let columns = std::iter::once(text).chain((1..=20).map(column));
    let rows = RecordBatch::try_from_iter(columns).expect("columns");
    let options = Options { page_bytes: 10_000, ..small(1000, 1000) };
    let (_folder, shard) = one("a.parquet", &PLAIN.file(&rows), &options);
    let error = batches(&shard, &options).expect_err("refused").to_string();
    let words =
        ["a page of each column", "part of them in column `column 20`", "above the limit of 10064"];
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    assert_eq!(read(&shard, &options).expect("the texts alone").len(), 8);
    let options = Options { page_bytes: 40_000, ..options };
    assert_eq!(batches(&shard, &options).expect("readable").iter().sum::<usize>(), 8);
}

/// Expected refusal of a file: whether it may be refused, and whether it must be, by the pages as the library unpacks
/// them.
struct Refusal {
    may: bool,
    must: bool,
}

impl Refusal {
    /// Judges a file. `texts` are all of its texts; `has_tags` is true if all columns are read.
    fn new(bytes: &[u8], texts: &[Option<String>], options: &Options, has_tags: bool) -> Refusal {
        /// Number of bytes that a codec may add to a page, and which count for it, too.
        const PACKED: usize = 40;
        let most = options.page_bytes.max(options.record_bytes) + 64;
        let file = opened(bytes).expect("Parquet");
        let mut refusal = Refusal { may: false, must: false };
        let mut rows = texts.iter();
        for n in 0..file.num_row_groups() {
            let group = file.get_row_group(n).expect("a group");
            let codec = group.metadata().column(1).compression();
            let can_look = !matches!(codec, Compression::SNAPPY | Compression::LZ4_RAW);
            let n_rows = usize::try_from(group.metadata().num_rows()).expect("a count");
            let texts: Vec<_> = rows.by_ref().take(n_rows).map(Option::as_deref).collect();
            let is_long = |text: Option<&str>| text.is_some_and(|t| t.len() > options.record_bytes);

            let (mut at, mut is_unread, mut is_first) = (0, false, true);
            for page in all(&mut *group.get_column_page_reader(1).expect("pages")) {
                let size = page.buffer().len();
                let (is_large, may_be) = (size > most, size + PACKED > most);
                let is_by_dictionary = matches!(
                    page.encoding(),
                    Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY
                );
                if page.is_dictionary_page() {
                    // A dictionary has no place for nulls.
                    let is_clear = can_look && texts.iter().copied().all(is_long);
                    refusal.may |= may_be && !is_clear;
                    refusal.must |=
                        is_large && !texts.iter().flatten().all(|t| t.len() > options.record_bytes);
                    is_unread = may_be;
                    continue;
                }
                let here = &texts[at..at + page.num_values() as usize];
                at += here.len();
                let is_plain = page.encoding() == Encoding::PLAIN;
                let is_clear = can_look && is_plain && here.iter().copied().all(is_long);
                refusal.may |= may_be && !is_clear;
                refusal.must |= is_large && !here.iter().copied().all(is_long);
                refusal.may |= is_unread && is_first && !is_by_dictionary;
                is_first = false;
            }
            let mut held = 0;
            let mut n_pages = 0;
            for column in if has_tags { vec![0, 2] } else { vec![0] } {
                let pages = all(&mut *group.get_column_page_reader(column).expect("pages"));
                let size = |page: &Page| page.buffer().len();
                let (of_dictionary, of_data): (Vec<_>, Vec<_>) =
                    pages.iter().partition(|page| page.is_dictionary_page());
                held += of_dictionary.into_iter().map(size).max().unwrap_or(0);
                held += of_data.into_iter().map(size).max().unwrap_or(0);
                n_pages += 2;
                // One row of lists takes no more than all rows.
                let longest = pages.iter().map(size).max().unwrap_or(0).max(8);
                let n_values: u32 = pages.iter().map(Page::num_values).sum();
                refusal.may |= column == 2 && longest * n_values as usize > most;
            }
            refusal.may |= held + n_pages * PACKED > most;
            refusal.must |= held > most;
        }
        refusal
    }
}

fn all(pages: &mut dyn PageReader) -> Vec<Page> {
    std::iter::from_fn(|| pages.get_next_page().expect("a page")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: fanmill_effort::cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    /// However a file is written and cut into parts, each row is read once and in its place.
    #[test]
    fn parts_change_nothing(
        lengths in prop::collection::vec(prop_oneof![Just(None), (0_usize..30).prop_map(Some), (0_usize..300).prop_map(Some)], 0..400),
        writing in writings(),
        batch_bytes in prop_oneof![Just(1_usize), 1_usize..2000],
        page_bytes in prop_oneof![1_usize..2000, Just(1 << 20)],
    ) {
        let text = |(i, length): (usize, &Option<usize>)| length.map(|n| format!("{i}{}", "ab".repeat(n)));
        let texts: Vec<_> = lengths.iter().enumerate().map(text).collect();
        let bytes = writing.file(&numbered(&texts));
        let expected: Vec<_> = (0..).zip(&texts).map(|(i, text)| {
            let text = text.as_deref().unwrap_or_default();
            if text.len() > 400 { Err("longer than the limit of 400 bytes for a record".to_owned()) } else { Ok((i.to_string(), text.to_owned())) }
        }).collect();
        let options = Options { page_bytes, ..small(batch_bytes, 400) };
        let refusal = Refusal::new(&bytes, &texts, &options, false);
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        match read(&shard, &options) {
            Ok(all) => {
                let found: Vec<_> = all.iter().map(|read| match read {
                    Ok(record) => Ok((record.id.as_deref().unwrap_or_default().to_owned(), record.text.to_string())),
                    Err(bad) => Err(bad.reason.to_string()),
                }).collect();
                prop_assert_eq!(found, expected);
                prop_assert!(!refusal.must, "it is read");
            }
            Err(error) => prop_assert!(refusal.may && error.to_string().contains("allow more memory"), "{}", error),
        }
    }

    /// However a file is written and cut into parts, lists are written back as they were.
    #[test]
    fn parts_change_nothing_in_lists(
        tags in prop::collection::vec(prop_oneof![1 => Just(None), 6 => prop::collection::vec(0_usize..20, 0..6).prop_map(Some), 1 => prop::collection::vec(0_usize..100, 0..90).prop_map(Some)], 1..120),
        writing in writings(),
        batch_bytes in prop_oneof![Just(1_usize), 1_usize..2000],
        page_bytes in prop_oneof![1_usize..5000, Just(1 << 20)],
    ) {
        let texts: Vec<_> = (0..tags.len()).map(|i| Some("ab".repeat(i % 300))).collect();
        let rows_before = with_tags(&numbered(&texts), &tags);
        let bytes = writing.file(&rows_before);
        let options = Options { page_bytes, ..small(batch_bytes, 400) };
        let refusal = Refusal::new(&bytes, &texts, &options, true);
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        let out = tempfile::tempdir().expect("a folder");
        match write(&shard, out.path(), &options, OutputForm::Records, &|_, _| RecordAction::Keep) {
            Ok(()) => {
                let stays: BooleanArray = texts.iter().map(|text| Some(text.iter().all(|text| text.len() <= 400))).collect();
                let expected = filter_record_batch(&rows_before, &stays).expect("rows");
                let (found, ..) = rows(&out.path().join("a.parquet"));
                prop_assert_eq!(found.columns(), expected.columns());
                prop_assert!(!refusal.must, "it is read");
            }
            Err(error) => prop_assert!(refusal.may && error.to_string().contains("allow more memory"), "{}", error),
        }
    }

    /// All rows that the file says it has are records, good or bad, or none is; and quickly.
    #[test]
    fn no_damage_loses_rows_or_takes_long(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        in_headers in any::<bool>(),
        writing in writings(),
    ) {
        let texts: Vec<_> = (0..60).map(|i| Some(format!("text {i}"))).collect();
        let tags: Vec<_> = (0..60).map(|i| Some(vec![i % 7; i % 5])).collect();
        let writing = Writing { codec: Compression::UNCOMPRESSED, ..writing };
        let mut bytes = writing.file(&with_tags(&numbered(&texts), &tags));
        // The number of rows is stored behind the pages.
        let end = if in_headers { first_footer_byte(&bytes) } else { bytes.len() };
        for (at, byte) in changes {
            let at = 4 + at.index(end - 4);
            bytes[at] = byte;
        }
        let options = Options { page_bytes: 1 << 20, ..small(1000, 1000) };
        let n_rows = opened(&bytes)
            .map(|file| file.metadata().row_groups().iter().map(RowGroupMetaData::num_rows).sum::<i64>());
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        for columns in [Columns::Needed, Columns::All] {
            let (found, effort) = fanmill_effort::of(|| {
                let mut reader = shard.reader(&options, columns)?;
                let (mut batch, mut n) = (Batch::new(), 0);
                while reader.next(&mut batch)? {
                    (0..batch.len()).for_each(|i| drop(batch.record(i)));
                    n += batch.len();
                }
                Ok::<_, fanmill_text::Error>(n)
            });
            prop_assert!(effort < Duration::from_secs(5), "{:?}", effort);
            if let Ok(found) = found {
                // An unreadable file is one bad record.
                prop_assert!(found == 1 || i64::try_from(found).ok() == n_rows, "{} of {:?}", found, n_rows);
            }
        }
    }
}

/// Opens a file as the library sees it, if it is valid.
fn opened(bytes: &[u8]) -> Option<SerializedFileReader<fs::File>> {
    let mut file = tempfile::tempfile().expect("a file");
    std::io::Write::write_all(&mut file, bytes).expect("written");
    std::panic::catch_unwind(|| SerializedFileReader::new(file).ok()).ok().flatten()
}

/// Returns the position at which the metadata begin.
fn first_footer_byte(bytes: &[u8]) -> usize {
    let n = bytes[bytes.len() - 8..].first_chunk().expect("the length of the metadata");
    bytes.len() - 8 - u32::from_le_bytes(*n) as usize
}

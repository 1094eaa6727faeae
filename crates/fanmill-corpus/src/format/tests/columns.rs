//! Parquet.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use ::parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, StructArray,
};
use arrow_schema::{DataType, Field};
use proptest::prelude::*;

use super::*;
use crate::record::Mark;

const TEXTS: [Option<&str>; 4] = [Some("one"), None, Some("three é"), Some("")];

fn columns(text: ArrayRef) -> RecordBatch {
    let url: ArrayRef = Arc::new(StringArray::from(vec!["u1", "u2", "u3", "u4"]));
    let meta = StructArray::from(vec![(Arc::new(Field::new("url", DataType::Utf8, false)), url)]);
    let lang: DictionaryArray<arrow_array::types::Int32Type> =
        vec![Some("en"), Some("de"), None, Some("en")].into_iter().collect();
    let id: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(4)]));
    RecordBatch::try_from_iter_with_nullable([
        ("id", id, true),
        ("text", text, true),
        ("meta", Arc::new(meta) as ArrayRef, true),
        ("lang", Arc::new(lang) as ArrayRef, true),
    ])
    .expect("columns")
}

/// A file of `batches` equal batches.
fn file(rows: &RecordBatch, batches: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(7))
        .set_key_value_metadata(Some(vec![KeyValue::new("ours".to_owned(), "yes".to_owned())]))
        .build();
    let mut out =
        ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties)).expect("a writer");
    for _ in 0..batches {
        out.write(rows).expect("written");
    }
    out.into_inner().expect("finished")
}

fn text_column(kind: &DataType) -> ArrayRef {
    match kind {
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from(TEXTS.to_vec())),
        DataType::Utf8View => Arc::new(StringViewArray::from(TEXTS.to_vec())),
        DataType::Binary => Arc::new(BinaryArray::from_iter(TEXTS)),
        _ => Arc::new(StringArray::from(TEXTS.to_vec())),
    }
}

/// All rows of a file, and what its metadata say.
fn rows(path: &Path) -> (RecordBatch, Vec<Compression>, Option<String>) {
    let input = fs::File::open(path).expect("a file");
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).expect("Parquet");
    let metadata = builder.metadata();
    let codecs =
        metadata.row_groups()[0].columns().iter().map(ColumnChunkMetaData::compression).collect();
    let entries = metadata.file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let ours = entries.into_iter().find(|entry| entry.key == "ours").and_then(|entry| entry.value);
    let schema = Arc::clone(builder.schema());
    let all: Vec<RecordBatch> = builder.build().expect("rows").map(|r| r.expect("rows")).collect();
    (arrow_select::concat::concat_batches(&schema, &all).expect("rows"), codecs, ours)
}

#[test]
fn texts_of_every_type_are_read_and_come_back() {
    for kind in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, DataType::Binary] {
        let batch = columns(text_column(&kind));
        for batch_bytes in [1, 100, 1 << 20] {
            let extra = ["meta.url", "lang", "none"].map(str::to_owned).to_vec();
            let options = Options { extra, ..small(batch_bytes, 1000) };
            let (_folder, shard) = one("a.parquet", &file(&batch, 5), &options);
            let all = read(&shard, &options).expect("readable");
            assert_eq!(all.len(), 20);
            let first: Vec<_> = all[..4].iter().map(|r| r.as_ref().expect("good")).collect();
            let texts: Vec<_> = first.iter().map(|r| (&*r.text, r.id.as_deref())).collect();
            assert_eq!(
                texts,
                [("one", Some("1")), ("", Some("2")), ("three é", None), ("", Some("4"))]
            );
            let flaws: Vec<_> = first.iter().map(|r| r.flaw).collect();
            assert_eq!(flaws, [None, Some(Flaw::Null), None, None]);
            assert_eq!(first[1].extra, [Some("u2".into()), Some("de".into()), None]);
            assert_eq!(first[2].extra[1], None);

            let out = tempfile::tempdir().expect("a folder");
            let fate = |number: u64, _: &Record<'_>| match number % 4 {
                0 => Fate::Remove,
                2 => Fate::Text("new".into()),
                _ => Fate::Keep,
            };
            write(&shard, out.path(), &options, Writes::Records, &fate).expect("written");
            let (rows, codecs, ours) = rows(&out.path().join("a.parquet"));
            assert_eq!(rows.schema().fields(), batch.schema().fields());
            assert_eq!((codecs, ours.as_deref()), (vec![Compression::SNAPPY; 4], Some("yes")));
            let ids: Vec<_> = rows.column(0).as_primitive::<Int64Type>().iter().take(4).collect();
            assert_eq!(ids, [Some(2), None, Some(4), Some(2)]);
            assert_eq!(rows.num_rows(), 15);
            let shard =
                shards(&[out.path().join("a.parquet")], &options).expect("a shard").remove(0);
            let again = read(&shard, &options).expect("readable");
            let texts: Vec<_> = again.iter().flatten().take(3).map(|r| &*r.text).collect();
            assert_eq!(texts, ["", "new", ""]);
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let values: [&[u8]; 4] = [b"one", b"caf\xe9", b"caf\xc3\xa9", b"\xef\xbf\xbd"];
    let (_folder, shard) = one(
        "a.parquet",
        &file(&columns(Arc::new(BinaryArray::from_iter_values(values))), 1),
        &Options::standard(),
    );
    let all = read(&shard, &Options::standard()).expect("readable");
    let flaws: Vec<_> = all.iter().flatten().map(|record| record.flaw).collect();
    assert_eq!(flaws, [None, Some(Flaw::Replaced), None, None]);
}

#[test]
fn marks_are_columns_and_replace_earlier_ones() {
    let options = Options::standard();
    let (_folder, shard) =
        one("a.parquet", &file(&columns(text_column(&DataType::Utf8)), 1), &options);
    let out = tempfile::tempdir().expect("a folder");
    for round in 1..3_u64 {
        let (folder, target) = (out.path().join(round.to_string()), round);
        let from = out.path().join((round - 1).to_string()).join("a.parquet");
        let shard = if round == 1 {
            shard.clone()
        } else {
            shards(&[from], &options).expect("a shard").remove(0)
        };
        let mark = Mark { cluster: target, duplicate_of: None, resemblance: 1.0, containment: 0.5 };
        let fate = move |number, _: &Record<'_>| match number {
            0 => Fate::Mark(Some(mark)),
            1 => Fate::Keep,
            _ => Fate::Mark(None),
        };
        write(&shard, &folder, &options, Writes::Marks, &fate).expect("written");
        let (rows, ..) = rows(&folder.join("a.parquet"));
        assert_eq!((rows.num_rows(), rows.num_columns()), (4, 8));
        let cluster = rows.column_by_name("fanmill_cluster").expect("the column");
        let clusters: Vec<_> = cluster.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(clusters, [Some(round.cast_signed()), None, None, None]);
        assert!(rows.column_by_name("fanmill_duplicate_of").expect("the column").is_null(0));
    }
}

#[test]
fn columns_that_are_no_texts_are_refused() {
    let whole = file(&columns(text_column(&DataType::Utf8)), 1);
    for (name, words) in [("body", "there are `id`, `text`, `meta`, `lang`"), ("id", "type Int64")]
    {
        let options = Options { text: Some(name.to_owned()), ..Options::standard() };
        let (_folder, shard) = one("a.parquet", &whole, &options);
        let error = read(&shard, &options).expect_err("refused");
        assert!(error.is_input() && error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_file_that_is_cut_off_is_named() {
    let whole = file(&columns(text_column(&DataType::Utf8)), 3);
    for end in [4, 20, whole.len() / 2, whole.len() - 1] {
        let (_folder, shard) = one("a.parquet", &whole[..end], &Options::standard());
        let error = read(&shard, &Options::standard()).expect_err("cut off");
        assert!(error.is_input() && error.to_string().contains("a.parquet"), "{error}");
    }
}

/// How a file of texts is written.
#[derive(Debug, Clone)]
struct Writing {
    codec: Compression,
    /// `None` for a dictionary as long as it fits.
    encoding: Option<Encoding>,
    page_bytes: usize,
    group_rows: usize,
    version: WriterVersion,
}

fn writings() -> impl Strategy<Value = Writing> {
    let codecs = vec![
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
    ];
    let encodings = vec![
        None,
        Some(Encoding::PLAIN),
        Some(Encoding::DELTA_BYTE_ARRAY),
        Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
    ];
    let versions = vec![WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let sizes = (prop_oneof![Just(1_usize), 20_usize..400], 1_usize..40);
    let names = (
        prop::sample::select(codecs),
        prop::sample::select(encodings),
        prop::sample::select(versions),
    );
    (names, sizes).prop_map(|((codec, encoding, version), (page_bytes, group_rows))| Writing {
        codec,
        encoding,
        page_bytes,
        group_rows,
        version,
    })
}

impl Writing {
    /// A file with these texts and their numbers.
    fn file(&self, texts: &[Option<String>]) -> Vec<u8> {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..).take(texts.len())));
        let column: ArrayRef = Arc::new(StringArray::from_iter(texts));
        let rows = RecordBatch::try_from_iter_with_nullable([
            ("id", numbers, false),
            ("text", column, true),
        ]);
        let rows = rows.expect("columns");
        let mut properties = WriterProperties::builder()
            .set_compression(self.codec)
            .set_writer_version(self.version)
            .set_data_page_size_limit(self.page_bytes)
            .set_dictionary_page_size_limit(4 * self.page_bytes)
            .set_write_batch_size(8)
            .set_max_row_group_row_count(Some(self.group_rows));
        if let Some(encoding) = self.encoding {
            properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
            properties = properties.set_column_encoding("id".into(), Encoding::PLAIN);
        }
        let mut out = ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties.build()))
            .expect("a writer");
        out.write(&rows).expect("written");
        out.into_inner().expect("finished")
    }
}

/// What is read of each row: its number and its text, or why not.
fn said(all: &Read) -> Vec<std::result::Result<(&str, &str), &str>> {
    let each = all.iter().map(|read| match read {
        Ok(record) => Ok((record.id.as_deref().unwrap_or_default(), &*record.text)),
        Err(bad) => Err(&*bad.reason),
    });
    each.collect()
}

const TOO_LONG: &str = "longer than the limit of 1000 bytes for a record";

/// Values that pack to next to nothing, in a dictionary and out of it, are told by their pages' headers.
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
            let writing = Writing { codec, encoding, version, page_bytes: 1 << 20, group_rows: 20 };
            let options = Options { page_bytes: 2000, ..small(300, 1000) };
            let (_folder, shard) = one("a.parquet", &writing.file(&texts), &options);
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
            write(&shard, out.path(), &options, Writes::Records, &|_, _| Fate::Keep)
                .expect("written");
            let (rows, ..) = rows(&out.path().join("a.parquet"));
            let ids: Vec<_> = rows.column(0).as_primitive::<Int64Type>().values().to_vec();
            assert_eq!(ids, (20..40).collect::<Vec<_>>(), "{writing:?}");
        }
    }
}

/// To leave out the page would lose the good record in it.
#[test]
fn a_page_that_is_too_large_and_has_texts_that_are_not_is_refused() {
    let texts = [Some("short".to_owned()), Some("x".repeat(9000)), Some("y".repeat(9000))];
    for encoding in [None, Some(Encoding::PLAIN), Some(Encoding::DELTA_BYTE_ARRAY)] {
        let codec = Compression::ZSTD(ZstdLevel::default());
        let version = WriterVersion::PARQUET_1_0;
        let writing = Writing { codec, encoding, version, page_bytes: 1 << 20, group_rows: 20 };
        let options = Options { page_bytes: 2000, ..small(300, 1000) };
        let (_folder, shard) = one("a.parquet", &writing.file(&texts), &options);
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
        group_rows: 5000,
        version: WriterVersion::PARQUET_1_0,
    };
    let options = Options { page_bytes: 1 << 20, ..small(10_000, 1000) };
    let (_folder, shard) = one("a.parquet", &writing.file(&texts), &options);
    let mut reader = shard.reader(&options, Columns::All).expect("opened");
    let (mut batch, mut n_rows) = (Batch::new(), 0);
    while reader.next(&mut batch).expect("readable") {
        assert!(batch.len() * 900 <= 10_000, "{}", batch.len());
        n_rows += batch.len();
    }
    assert_eq!(n_rows, 5000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// However a file is written and cut into parts, each row is read once and in its place.
    #[test]
    fn parts_change_nothing(
        lengths in prop::collection::vec(prop_oneof![Just(None), (0_usize..30).prop_map(Some), (0_usize..300).prop_map(Some)], 0..90),
        writing in writings(),
        batch_bytes in prop_oneof![Just(1_usize), 1_usize..2000],
        page_bytes in prop_oneof![1_usize..400, Just(1 << 20)],
    ) {
        let text = |(i, length): (usize, &Option<usize>)| length.map(|n| format!("{i}{}", "ab".repeat(n)));
        let texts: Vec<_> = lengths.iter().enumerate().map(text).collect();
        let bytes = writing.file(&texts);
        let expected: Vec<_> = (0..).zip(&texts).map(|(i, text)| {
            let text = text.as_deref().unwrap_or_default();
            if text.len() > 400 { Err("longer than the limit of 400 bytes for a record".to_owned()) } else { Ok((i.to_string(), text.to_owned())) }
        }).collect();
        let options = Options { page_bytes, ..small(batch_bytes, 400) };
        let (_folder, shard) = one("a.parquet", &bytes, &options);
        match read(&shard, &options) {
            Ok(all) => {
                let found: Vec<_> = all.iter().map(|read| match read {
                    Ok(record) => Ok((record.id.as_deref().unwrap_or_default().to_owned(), record.text.to_string())),
                    Err(bad) => Err(bad.reason.clone()),
                }).collect();
                prop_assert_eq!(found, expected);
            }
            Err(error) => prop_assert!(page_bytes < 1 << 20 && error.to_string().contains("allow more memory"), "{}", error),
        }
    }

    #[test]
    fn damage_makes_no_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = file(&columns(text_column(&DataType::Utf8)), 2);
        for (at, byte) in changes {
            let at = 4 + at.index(bytes.len() - 4);
            bytes[at] = byte;
        }
        let (_folder, shard) = one("a.parquet", &bytes, &Options::standard());
        let _ = read(&shard, &Options::standard());
    }
}

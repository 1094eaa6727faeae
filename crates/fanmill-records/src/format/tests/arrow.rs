//! Arrow: files and streams, packed or not, with columns of every kind, damaged and hostile ones.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, NullArray, RecordBatch,
    RecordBatchOptions, StringArray, StringViewArray, StructArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema};

use super::*;
use crate::record::{Flaw, Mark};

/// A file or a stream, and the packing of its buffers.
#[derive(Debug, Clone, Copy)]
struct Kind {
    is_file: bool,
    codec: Option<CompressionType>,
}

const KINDS: [Kind; 6] = [
    Kind { is_file: true, codec: None },
    Kind { is_file: true, codec: Some(CompressionType::LZ4_FRAME) },
    Kind { is_file: true, codec: Some(CompressionType::ZSTD) },
    Kind { is_file: false, codec: None },
    Kind { is_file: false, codec: Some(CompressionType::LZ4_FRAME) },
    Kind { is_file: false, codec: Some(CompressionType::ZSTD) },
];

const TEXTS: [Option<&str>; 4] = [Some("one"), None, Some("three é"), Some("")];

fn columns(text: ArrayRef) -> RecordBatch {
    let url: ArrayRef = Arc::new(StringArray::from(vec!["u1", "u2", "u3", "u4"]));
    let meta = StructArray::from(vec![(Arc::new(Field::new("url", DataType::Utf8, false)), url)]);
    let lang: DictionaryArray<Int32Type> =
        vec![Some("en"), Some("de"), None, Some("en")].into_iter().collect();
    let id: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(4)]));
    let rows = RecordBatch::try_from_iter_with_nullable([
        ("id", id, true),
        ("text", text, true),
        ("meta", Arc::new(meta) as ArrayRef, true),
        ("lang", Arc::new(lang) as ArrayRef, true),
    ])
    .expect("columns");
    let entries = HashMap::from(["a", "b", "c"].map(|key| (key.to_owned(), key.repeat(3))));
    let schema = Schema::clone(&rows.schema()).with_metadata(entries);
    rows.with_schema(Arc::new(schema)).expect("the same columns")
}

/// Returns a file or a stream of some batches.
fn stored(schema: &Schema, batches: &[RecordBatch], kind: Kind) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(kind.codec).expect("a codec");
    if kind.is_file {
        let mut out =
            FileWriter::try_new_with_options(Vec::new(), schema, options).expect("a writer");
        out.write_metadata("ours", "yes");
        for rows in batches {
            out.write(rows).expect("written");
        }
        return out.into_inner().expect("finished");
    }
    let mut out =
        StreamWriter::try_new_with_options(Vec::new(), schema, options).expect("a writer");
    for rows in batches {
        out.write(rows).expect("written");
    }
    out.into_inner().expect("finished")
}

fn file(rows: &RecordBatch, n: usize, kind: Kind) -> Vec<u8> {
    stored(&rows.schema(), &vec![rows.clone(); n], kind)
}

/// Returns the schema and the batches of a file or a stream, as the library reads them.
fn batches(bytes: &[u8], kind: Kind) -> (Arc<Schema>, Vec<RecordBatch>) {
    if kind.is_file {
        let reader = FileReader::try_new(std::io::Cursor::new(bytes), None).expect("a file");
        assert_eq!(reader.custom_metadata().get("ours").map(|value| &**value), Some("yes"));
        let schema = reader.schema();
        return (schema, reader.map(|rows| rows.expect("rows")).collect());
    }
    let reader = StreamReader::try_new(bytes, None).expect("a stream");
    let schema = reader.schema();
    (schema, reader.map(|rows| rows.expect("rows")).collect())
}

/// Returns the codec of the first batch.
fn codec(bytes: &[u8]) -> Option<CompressionType> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a"), bytes).expect("written");
    super::super::ipc::Ipc::open(&folder.path().join("a"), 1 << 20).expect("whole").codec()
}

fn text_column(kind: &DataType) -> ArrayRef {
    match kind {
        DataType::LargeUtf8 => Arc::new(LargeStringArray::from(TEXTS.to_vec())),
        DataType::Utf8View => Arc::new(StringViewArray::from(TEXTS.to_vec())),
        DataType::Binary => Arc::new(BinaryArray::from_iter(TEXTS)),
        _ => Arc::new(StringArray::from(TEXTS.to_vec())),
    }
}

#[test]
fn texts_of_every_type_are_read_and_come_back_in_every_kind_of_file() {
    for text in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, DataType::Binary] {
        let batch = columns(text_column(&text));
        for (kind, batch_bytes) in KINDS.into_iter().flat_map(|kind| [(kind, 1), (kind, 1 << 20)]) {
            let extra = ["meta.url", "lang", "none"].map(str::to_owned).to_vec();
            let options = Options { extra, ..small(batch_bytes, 10_000) };
            let (_folder, shard) = one("a.arrow", &file(&batch, 5, kind), &options);
            assert_eq!(shard.format(), Format::ARROW);
            let all = read(&shard, &options).expect("readable");
            assert_eq!(all.len(), 20);
            let first: Vec<_> = all[..4].iter().map(|r| r.as_ref().expect("good")).collect();
            let texts: Vec<_> = first.iter().map(|r| (&*r.text, r.id.as_deref())).collect();
            assert_eq!(
                texts,
                [("one", Some("1")), ("", Some("2")), ("three é", None), ("", Some("4"))]
            );
            let flaws: Vec<_> = first.iter().map(|r| r.flaw.clone()).collect();
            assert_eq!(flaws, [None, Some(Flaw::Null), None, None]);
            assert_eq!(first[1].extra, [Some("u2".into()), Some("de".into()), None]);

            let out = tempfile::tempdir().expect("a folder");
            // Of every four rows, one is removed and one gets another text.
            let action = |number: u64, _: &Record<'_>| match number % 4 {
                0 => RecordAction::Remove,
                2 => RecordAction::Text("new".into()),
                _ => RecordAction::Keep,
            };
            write(&shard, out.path(), &options, OutputForm::Records, &action).expect("written");
            let written = fs::read(out.path().join("a.arrow")).expect("a file");
            assert_eq!(codec(&written), kind.codec);
            let (schema, rows) = batches(&written, kind);
            assert_eq!(schema, batch.schema());
            let ids: Vec<_> =
                rows[0].column(0).as_primitive::<Int64Type>().iter().take(4).collect();
            assert_eq!(ids[0], Some(2));
            assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 15);
            let shard = shards(&[out.path().join("a.arrow")], &options).expect("a shard").remove(0);
            let again = read(&shard, &options).expect("readable");
            let texts: Vec<_> = again.iter().flatten().take(3).map(|r| &*r.text).collect();
            assert_eq!(texts, ["", "new", ""]);
        }
    }
}

/// A file that is written again does not change, and neither do batches of which nothing goes.
#[test]
fn batches_keep_their_rows_and_a_second_copy_equals_the_first() {
    let batch = columns(text_column(&DataType::Utf8));
    for kind in KINDS {
        let options = small(100, 10_000);
        let bytes = file(&batch, 3, kind);
        let (_folder, shard) = one("a.arrow", &bytes, &options);
        let first = kept(&shard, &options);
        assert_eq!(batches(&first, kind), batches(&bytes, kind), "{kind:?}");
        let (_folder, shard) = one("b.feather", &first, &options);
        assert_eq!(kept(&shard, &options), first, "{kind:?}");
        let out = tempfile::tempdir().expect("a folder");
        assert!(shard.copy(&Below(out.path()), &options).expect("copied"));
        assert_eq!(fs::read(out.path().join("b.feather")).expect("a file"), first);
    }
}

#[test]
fn marks_are_columns_and_replace_earlier_ones() {
    let batch = columns(text_column(&DataType::Utf8));
    for kind in KINDS {
        let options = small(1, 10_000);
        let (_folder, mut shard) = one("a.ipc", &file(&batch, 2, kind), &options);
        let mut folders = Vec::new();
        for cluster in [7, 8] {
            let out = tempfile::tempdir().expect("a folder");
            let mark = Mark {
                cluster,
                duplicate_of: Some("x"),
                resemblance: Some(0.5),
                containment: Some(1.0),
            };
            let action =
                move |number, _: &Record<'_>| RecordAction::Mark((number == 1).then_some(mark));
            write(&shard, out.path(), &options, OutputForm::Marks, &action).expect("written");
            let bytes = fs::read(out.path().join("a.ipc")).expect("a file");
            let (schema, rows) = batches(&bytes, kind);
            assert_eq!(schema.fields().len(), batch.num_columns() + 4);
            assert_eq!(schema.metadata(), batch.schema().metadata());
            let clusters = rows[0].column_by_name("fanmill_cluster").expect("marks");
            let clusters: Vec<_> = clusters.as_primitive::<Int64Type>().iter().collect();
            assert_eq!(clusters, [None, Some(cluster.cast_signed()), None, None]);
            shard = shards(&[out.path().join("a.ipc")], &options).expect("a shard").remove(0);
            folders.push(out);
        }
    }
}

#[test]
fn files_are_known_by_their_content_and_by_their_names() {
    let rows = columns(text_column(&DataType::Utf8));
    for kind in KINDS {
        for name in ["a", "a.dat", "a.arrow", "a.ARROWS", "a.ipc", "a.feather"] {
            let (_folder, shard) = one(name, &file(&rows, 1, kind), &Options::standard());
            assert_eq!(shard.format(), Format::ARROW, "{name}");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content, words) in [
        ("a.arrow", &b"a,b"[..], "is not arrow"),
        ("a.feather", b"FEA1", "write it again as version 2"),
        ("a.csv", b"ARROW1\0\0", "an Arrow file"),
        ("a.arrow", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "is not arrow"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("written");
        let error = shards(&[path], &Options::standard()).expect_err("refused");
        assert!(error.is_input() && error.to_string().contains(words), "{error}");
    }
}

/// The folder of a saved data set: its caches and its counts are no part of it.
#[test]
fn what_datasets_keeps_beside_shards_is_left_out() {
    let rows = columns(text_column(&DataType::Utf8));
    let folder = tempfile::tempdir().expect("a folder");
    let stream = file(&rows, 1, KINDS[3]);
    for name in ["data-00000-of-00001.arrow", "cache-0123456789abcdef.arrow"] {
        fs::write(folder.path().join(name), &stream).expect("written");
    }
    let names = || {
        let found = shards(&[folder.path().to_owned()], &Options::standard()).expect("shards");
        found.iter().map(|shard| shard.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names().len(), 2, "nothing says that it is a saved data set");
    for name in ["state.json", "dataset_info.json"] {
        fs::write(folder.path().join(name), "{}").expect("written");
    }
    assert_eq!(names(), ["data-00000-of-00001.arrow"]);
    let out = tempfile::tempdir().expect("a folder");
    let found = shards(&[folder.path().to_owned()], &Options::standard()).expect("shards");
    assert!(found[0].copy(&Below(out.path()), &Options::standard()).expect("copied"));
    let written = fs::read_dir(out.path()).expect("a folder").map(|entry| entry.expect("one"));
    let written: Vec<_> = written.map(|entry| entry.file_name()).collect();
    assert_eq!(written, ["data-00000-of-00001.arrow"]);
    let left = out.path().join("data-00000-of-00001.arrow");
    assert_eq!(fs::read(left).expect("a file"), stream);
}

#[test]
fn files_without_rows_come_back_as_files_without_rows() {
    let rows = columns(text_column(&DataType::Utf8));
    for kind in KINDS {
        for none in [vec![], vec![rows.slice(0, 0)]] {
            let options = Options::standard();
            let bytes = stored(&rows.schema(), &none, kind);
            let (_folder, shard) = one("a.arrow", &bytes, &options);
            assert_eq!(read(&shard, &options).expect("readable"), []);
            let (schema, all) = batches(&kept(&shard, &options), kind);
            assert_eq!((schema, all), (rows.schema(), vec![]));
        }
    }
}

/// Dictionaries of a stream may be replaced, and those of a file may not.
#[test]
fn dictionaries_stay_dictionaries() {
    let of = |words: [&'static str; 3]| -> RecordBatch {
        let text: DictionaryArray<Int32Type> = words.into_iter().map(Some).collect();
        RecordBatch::try_from_iter([("text", Arc::new(text) as ArrayRef)]).expect("a column")
    };
    let (first, second) = (of(["a", "b", "a"]), of(["c", "c", "d"]));
    for kind in KINDS {
        let all =
            if kind.is_file { vec![first.clone(); 2] } else { vec![first.clone(), second.clone()] };
        let bytes = stored(&first.schema(), &all, kind);
        for batch_bytes in [1, 1 << 20] {
            let options = small(batch_bytes, 10_000);
            let (_folder, shard) = one("a.arrow", &bytes, &options);
            let texts = read(&shard, &options).expect("readable");
            let texts: Vec<_> = texts.iter().flatten().map(|r| &*r.text).collect();
            let last = if kind.is_file { ["a", "b", "a"] } else { ["c", "c", "d"] };
            assert_eq!(texts, [["a", "b", "a"], last].concat());
            assert_eq!(batches(&kept(&shard, &options), kind), batches(&bytes, kind));
            let why = shard.unchangeable(&options).expect("readable").expect("a reason");
            assert!(why.contains("have the type Dictionary"), "{why}");
        }
    }
}

#[test]
fn bytes_that_are_no_characters_are_read_as_replaced() {
    let text: ArrayRef = Arc::new(BinaryArray::from_vec(vec![b"a\xff", b"b"]));
    let rows = RecordBatch::try_from_iter([("text", text)]).expect("a column");
    let bytes = file(&rows, 1, KINDS[0]);
    // The type is that of a string, though nobody has looked at its bytes.
    let strings = RecordBatch::try_from_iter([(
        "text",
        Arc::new(StringArray::from(vec!["a\x7f", "b"])) as ArrayRef,
    )])
    .expect("a column");
    let mut as_strings = file(&strings, 1, KINDS[0]);
    let at = as_strings.windows(3).position(|three| three == b"a\x7fb").expect("the texts");
    as_strings[at + 1] = 0xff;
    for bytes in [bytes, as_strings] {
        let (_folder, shard) = one("a.arrow", &bytes, &small(1, 10_000));
        let all = read(&shard, &small(1, 10_000)).expect("readable");
        let all: Vec<_> = all.iter().flatten().map(|r| (&*r.text, r.flaw.clone())).collect();
        assert_eq!(all, [("a\u{fffd}", Some(Flaw::Replaced)), ("b", None)]);
    }
}

/// A file that is cut off has one record that failed; a stream ends the run, or has such a record behind its last batch; neither loses rows in silence.
#[test]
fn what_is_cut_off_is_never_taken_for_less() {
    let rows = columns(text_column(&DataType::Utf8));
    for kind in KINDS {
        let bytes = file(&rows, 2, kind);
        let options = small(100, 10_000);
        // Packed ones have the same messages.
        let step = if kind.codec.is_none() { 1 } else { 29 };
        let mut n_open = 0;
        for end in (16..bytes.len()).step_by(step) {
            let (_folder, shard) = one("a.arrow", &bytes[..end], &options);
            match read(&shard, &options) {
                Ok(all) if kind.is_file => {
                    assert!(matches!(&all[..], [Err(_)]), "{kind:?} at {end}");
                    assert_eq!(kept_or_none(&shard, &options), None);
                }
                // Without all of its schema a stream has one failed record, too.
                Ok(all) if matches!(&all[..], [Err(bad)] if bad.reason.to_string().contains("it is cut off")) =>
                    {}
                // Between two batches of a stream the end may be meant.
                Ok(all) => {
                    let (last, rows) = all.split_last().expect("a record");
                    let why = last.as_ref().expect_err("it is told").reason.to_string();
                    assert!(why.contains("no end marker"), "{why}");
                    assert!(rows.iter().all(Result::is_ok), "{kind:?} at {end}");
                    n_open += 1;
                }
                Err(error) => {
                    assert!(error.is_input() && !kind.is_file, "{error}");
                    assert!(error.to_string().contains("damaged"), "{error}");
                }
            }
        }
        assert!(n_open > 0 || kind.is_file || kind.codec.is_some(), "{kind:?}");
        let (_folder, shard) = one("a.arrow", &[&bytes[..], b"more"].concat(), &options);
        let is_bad = read(&shard, &options).map_or(true, |all| matches!(&all[..], [Err(_)]));
        assert!(is_bad, "{kind:?}");
    }
}

/// Returns what is written, unless nothing is.
fn kept_or_none(shard: &Shard, options: &Options) -> Option<Vec<u8>> {
    let out = tempfile::tempdir().expect("a folder");
    let keep = |_: u64, _: &Record<'_>| RecordAction::Keep;
    write(shard, out.path(), options, OutputForm::Records, &keep).ok()?;
    fs::read(out.path().join(shard.name())).ok()
}

/// Each byte of a file is set to another: whatever that makes of it, it is read or refused.
#[test]
fn any_byte_may_be_another() {
    let rows = columns(text_column(&DataType::Utf8View));
    for kind in KINDS {
        let bytes = file(&rows, 1, kind);
        let options = Options { page_bytes: 1 << 16, ..small(100, 1 << 16) };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.arrow");
        for at in 8..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] = [0, 1, 0x7f, 0xff, bytes[at] ^ 0x80][at % 5];
            fs::write(&path, &damaged).expect("written");
            let Ok(found) = shards(std::slice::from_ref(&path), &options) else { continue };
            // Writing waits for the disk.
            if read(&found[0], &options).is_ok() && at % 16 == 0 {
                kept_or_none(&found[0], &options);
            }
        }
    }
}

/// The only batch says that its texts begin behind their end; its neighbours are read all the same.
#[test]
fn damage_to_a_batch_loses_its_rows_only() {
    let rows = |texts: [&'static str; 2]| {
        let column: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        RecordBatch::try_from_iter([("text", column)]).expect("a column")
    };
    let all = [rows(["one", "two"]), rows(["three", "fourth"]), rows(["five", "six"])];
    for kind in KINDS.into_iter().filter(|kind| kind.codec.is_none()) {
        let mut bytes = stored(&all[0].schema(), &all, kind);
        let offsets: Vec<u8> = [0_i32, 5, 11].iter().flat_map(|n| n.to_le_bytes()).collect();
        let at = bytes.windows(12).position(|own| own == offsets).expect("offsets");
        bytes[at + 4] = 12;
        let options = small(1, 10_000);
        let (_folder, shard) = one("a.arrow", &bytes, &options);
        let all = read(&shard, &options).expect("readable");
        let texts: Vec<_> =
            all.iter().map(|record| record.as_ref().ok().map(|r| &*r.text)).collect();
        assert_eq!(texts, [Some("one"), Some("two"), None, None, Some("five"), Some("six")]);
        let bad = all[2].as_ref().expect_err("damaged");
        assert!(bad.reason.to_string().starts_with("batch 2 is damaged"), "{bad:?}");
        let (_, written) = batches(&kept(&shard, &options), kind);
        assert_eq!(written, [rows(["one", "two"]), rows(["five", "six"])]);
    }
}

/// Lengths that no memory could hold are refused before any is taken.
#[test]
fn lengths_are_compared_with_what_is_there_and_with_the_limit() {
    let long = "words ".repeat(20_000);
    let column: ArrayRef = Arc::new(StringArray::from(vec![&*long]));
    let rows = RecordBatch::try_from_iter([("text", column)]).expect("a column");
    for kind in KINDS {
        let bytes = file(&rows, 1, kind);
        let options = Options { page_bytes: 50_000, ..small(1000, 50_000) };
        let (_folder, shard) = one("a.arrow", &bytes, &options);
        let error = read(&shard, &options).expect_err("too large").to_string();
        assert!(
            error.contains("a batch of rows takes 12") && error.contains("limit of 50000"),
            "{error}"
        );
        let options = Options { page_bytes: 200_000, ..small(1000, 50_000) };
        let all = read(&shard, &options).expect("readable");
        let bad = all[0].as_ref().expect_err("too long");
        assert!(bad.reason.to_string().contains("limit of 50000 bytes for a record"), "{bad:?}");
    }
    // A packed buffer that says it has 2^40 bytes.
    let mut bytes = file(&rows, 1, KINDS[5]);
    let length = (long.len() as u64).to_le_bytes();
    let at = bytes.windows(8).rposition(|own| own == length).expect("a packed buffer");
    bytes[at..at + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let (_folder, shard) = one("a.arrow", &bytes, &Options::standard());
    let error = read(&shard, &Options::standard()).expect_err("too large").to_string();
    assert!(error.contains("a batch of rows takes 1099511627"), "{error}");
}

#[test]
fn rows_without_values_are_counted_and_come_back() {
    let text: ArrayRef = Arc::new(NullArray::new(3));
    let rows = RecordBatch::try_from_iter([("text", text)]).expect("a column");
    for kind in KINDS {
        let options = small(1, 10_000);
        let (_folder, shard) = one("a.arrow", &file(&rows, 2, kind), &options);
        let all = read(&shard, &options).expect("readable");
        assert_eq!(all.iter().flatten().filter(|r| r.flaw == Some(Flaw::Null)).count(), 6);
        assert_eq!(batches(&kept(&shard, &options), kind).1, [rows.clone(), rows.clone()]);
    }
    let nothing = RecordBatchOptions::new().with_row_count(Some(2));
    let schema = Arc::new(Schema::empty());
    let rows = RecordBatch::try_new_with_options(schema, vec![], &nothing).expect("rows");
    let (_folder, shard) = one("a.arrow", &file(&rows, 1, KINDS[0]), &Options::standard());
    let error = read(&shard, &Options::standard()).expect_err("no text").to_string();
    assert!(error.contains("there are no fields"), "{error}");
}

/// A batch that would take too much memory becomes several; the next run writes the same ones.
#[test]
fn large_batches_become_several_and_keep_the_order_of_their_rows() {
    let texts: Vec<String> = (0..3000).map(|i| format!("{i} {}", "words ".repeat(150))).collect();
    let column: ArrayRef = Arc::new(StringArray::from(texts.clone()));
    let rows = RecordBatch::try_from_iter([("text", column)]).expect("a column");
    for kind in KINDS {
        let options = small(1000, 10_000);
        let options = Options { page_bytes: 1 << 23, ..options };
        let (_folder, shard) = one("a.arrow", &file(&rows, 1, kind), &options);
        let first = kept(&shard, &options);
        let (_, all) = batches(&first, kind);
        assert!((2..5).contains(&all.len()), "{}", all.len());
        let all = all.iter().flat_map(|rows| rows.column(0).as_string::<i32>().iter());
        assert!(all.flatten().eq(texts.iter().map(|text| &**text)));
        let (_folder, shard) = one("a.arrow", &first, &options);
        assert_eq!(kept(&shard, &options), first);
    }
}

/// A format that packs its own parts is not packed again; the error says so, and does not call it damaged.
#[test]
fn packed_files_of_columns_are_called_packed() {
    let bytes = file(&columns(text_column(&DataType::Utf8)), 2, KINDS[0]);
    for name in ["many.arrow.gz", "many.arrow"] {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, &bytes).expect("packed");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, packer.finish().expect("packed")).expect("written");
        let error = survey(&[path], &small(100, 10_000), Purpose::Read).expect_err("packed");
        let error = error.to_string();
        assert!(error.contains(name) && error.contains("unpack it first"), "{error}");
        assert!(!error.contains("damaged"), "{error}");
    }
}

//! Parquet.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ::parquet::basic::Compression;
use ::parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use ::parquet::file::properties::WriterProperties;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Int64Array, LargeStringArray, NullArray,
    RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow_schema::{DataType, Field};

use super::*;
use crate::record::{ClusterSize, Flaw, Mark, RunMark};

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

/// Returns a file of `batches` equal batches.
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

/// Returns all rows of a file, with its codecs and our entry in its metadata.
pub(super) fn rows(path: &Path) -> (RecordBatch, Vec<Compression>, Option<String>) {
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
            let flaws: Vec<_> = first.iter().map(|r| r.flaw.clone()).collect();
            assert_eq!(flaws, [None, Some(Flaw::Null), None, None]);
            assert_eq!(first[1].extra, [Some("u2".into()), Some("de".into()), None]);
            assert_eq!(first[2].extra[1], None);

            let out = tempfile::tempdir().expect("a folder");
            // Of every four rows, one is removed and one gets another text.
            let action = |number: u64, _: &Record<'_>| match number % 4 {
                0 => RecordAction::Remove,
                2 => RecordAction::Text("new".into()),
                _ => RecordAction::Keep,
            };
            write(&shard, out.path(), &options, OutputForm::Records, &action).expect("written");
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

/// Returns the bytes of each column of each row group.
fn groups(path: &Path) -> Vec<Vec<Vec<u8>>> {
    let bytes = fs::read(path).expect("a file");
    let input = fs::File::open(path).expect("a file");
    let builder = ParquetRecordBatchReaderBuilder::try_new(input).expect("Parquet");
    let of_column = |column: &ColumnChunkMetaData| {
        let (start, len) = column.byte_range();
        bytes[start as usize..(start + len) as usize].to_vec()
    };
    let groups = builder.metadata().row_groups().iter();
    groups.map(|group| group.columns().iter().map(of_column).collect()).collect()
}

/// Twenty rows are in groups of 7, 7 and 6, and the second group loses a row; whatever is copied, the rows are the
/// same.
#[test]
fn groups_of_which_all_rows_stay_are_copied_byte_for_byte() {
    use GroupAction::{Copied, CopiedUnread, Rewritten};
    let action = |number: u64| if number == 8 { RecordAction::Remove } else { RecordAction::Keep };
    for batch_bytes in [1, 100, 1 << 20] {
        let options = small(batch_bytes, 1000);
        let (folder, shard) =
            one("a.parquet", &file(&columns(text_column(&DataType::Utf8)), 5), &options);
        let before = groups(&folder.path().join("a.parquet"));
        let written = |actions: [GroupAction; 3]| {
            let out = tempfile::tempdir().expect("a folder");
            let below = Below(out.path());
            let mut writer = shard.writer(&below, &options, OutputForm::Records).expect("a writer");
            assert!(writer.copies_groups());
            let mut reader = shard.reader(&options, Columns::All).expect("a reader");
            let mut ranges = Vec::new();
            let mut choices = actions.into_iter();
            let choose = |records| {
                ranges.push(records);
                Ok(choices.next().expect("three groups"))
            };
            reader.choose_groups(choose).expect("chosen");
            assert_eq!(ranges, [0..7, 7..14, 14..20]);
            let (mut batch, mut n_read) = (Batch::new(), 0);
            while reader.next(&mut batch).expect("readable") {
                let first = batch.first_number();
                let actions: Vec<_> = (0..batch.len() as u64).map(|i| action(first + i)).collect();
                n_read += (0..batch.len()).filter(|&i| batch.record(i).is_ok()).count();
                writer.write(&batch, &actions).expect("written");
            }
            writer.finish().expect("written");
            let path = out.path().join("a.parquet");
            (rows(&path), groups(&path), n_read)
        };
        // Copied or not, the rows are the same; copied groups also keep their bytes.
        let (expected, _, n_read) = written([Rewritten; 3]);
        assert_eq!((expected.0.num_rows(), n_read), (19, 20));
        let (found, after, n_read) = written([Copied, Rewritten, CopiedUnread]);
        assert_eq!((&found, n_read), (&expected, 14));
        assert_eq!((&after[0], after.last()), (&before[0], Some(&before[2])));
        let (found, after, n_read) = written([CopiedUnread, Rewritten, Rewritten]);
        assert_eq!((&found, &after[0], n_read), (&expected, &before[0], 13));
    }
}

#[test]
fn marks_are_in_no_group_that_is_copied() {
    let options = Options::standard();
    let whole = file(&columns(text_column(&DataType::Utf8)), 1);
    let (_folder, shard) = one("a.parquet", &whole, &options);
    let out = tempfile::tempdir().expect("a folder");
    let below = Below(out.path());
    let writer = shard.writer(&below, &options, OutputForm::Marks).expect("a writer");
    assert!(!writer.copies_groups());
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
    let flaws: Vec<_> = all.iter().flatten().map(|record| record.flaw.clone()).collect();
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
        let mark = Mark {
            cluster: target,
            duplicate_of: None,
            resemblance: Some(1.0),
            containment: Some(0.5),
        };
        let action = move |number, _: &Record<'_>| match number {
            0 => RecordAction::Mark(Some(mark)),
            1 => RecordAction::Keep,
            _ => RecordAction::Mark(None),
        };
        write(&shard, &folder, &options, OutputForm::Marks, &action).expect("written");
        let (rows, ..) = rows(&folder.join("a.parquet"));
        assert_eq!((rows.num_rows(), rows.num_columns()), (4, 8));
        let cluster = rows.column_by_name("fanmill_cluster").expect("the column");
        let clusters: Vec<_> = cluster.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(clusters, [Some(round.cast_signed()), None, None, None]);
        assert!(rows.column_by_name("fanmill_duplicate_of").expect("the column").is_null(0));
    }
}

/// A writer that infers types gives a shard without any text a column of type null.
#[test]
fn columns_of_the_type_null_are_rows_without_values() {
    let nulls = || Arc::new(NullArray::new(3)) as ArrayRef;
    let shelf: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
    let columns = [("text", nulls()), ("id", nulls()), ("extra", nulls()), ("shelf", shelf)];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(n, c)| (n, c, true)));
    let batch = batch.expect("columns");
    let options = Options { extra: vec!["extra".to_owned()], ..Options::standard() };
    let (_folder, shard) = one("a.parquet", &file(&batch, 1), &options);
    assert_eq!(shard.unchangeable(&options).expect("a reason or none"), None);
    let all = read(&shard, &options).expect("readable");
    let expected = Record { text: "".into(), id: None, extra: vec![None], flaw: Some(Flaw::Null) };
    assert_eq!(all, (0..3).map(|_| Ok(expected.clone())).collect::<Vec<_>>());
    for writes in [OutputForm::Records, OutputForm::Marks] {
        let out = tempfile::tempdir().expect("a folder");
        let action = |number: u64, _: &Record<'_>| match number {
            1 => RecordAction::Remove,
            _ => RecordAction::Keep,
        };
        write(&shard, out.path(), &options, writes, &action).expect("written");
        let (rows, ..) = rows(&out.path().join("a.parquet"));
        assert_eq!((rows.num_rows(), rows.column(0).data_type()), (2, &DataType::Null));
        assert_eq!(rows.column(3).as_string::<i32>().value(1), "c");
    }
}

#[test]
fn marks_of_runs_are_lists() {
    let options = Options::standard();
    let (_folder, shard) =
        one("a.parquet", &file(&columns(text_column(&DataType::Utf8)), 1), &options);
    let out = tempfile::tempdir().expect("a folder");
    let action = |number, _: &Record<'_>| match number {
        0 => RecordAction::MarkRuns(Some(RunMark { runs: vec![0..1, 4..9], words_left: 3 })),
        _ => RecordAction::MarkRuns(None),
    };
    // Marks replace those of the first time.
    let mut shard = shard;
    for folder in ["once", "twice"].map(|name| out.path().join(name)) {
        write(&shard, &folder, &options, OutputForm::RunMarks, &action).expect("written");
        let (rows, ..) = rows(&folder.join("a.parquet"));
        assert_eq!((rows.num_rows(), rows.num_columns()), (4, 6));
        let runs = rows.column_by_name("fanmill_runs").expect("the column").as_list::<i32>();
        assert_eq!((0..4).map(|i| runs.is_null(i)).collect::<Vec<_>>(), [false, true, true, true]);
        let pairs = runs.value(0);
        let pairs = pairs.as_list::<i32>();
        let pairs: Vec<Vec<i64>> = pairs
            .iter()
            .flatten()
            .map(|pair| pair.as_primitive::<Int64Type>().values().to_vec())
            .collect();
        assert_eq!(pairs, [[0, 1], [4, 9]]);
        let left = rows.column_by_name("fanmill_words_left").expect("the column");
        let left: Vec<_> = left.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(left, [Some(3), None, None, None]);
        shard = shards(&[folder.join("a.parquet")], &options).expect("a shard").remove(0);
    }
}

#[test]
fn sizes_are_columns_beside_the_own_ones() {
    let options = Options::standard();
    let (_folder, shard) =
        one("a.parquet", &file(&columns(text_column(&DataType::Utf8)), 1), &options);
    let out = tempfile::tempdir().expect("a folder");
    let action = |number, _: &Record<'_>| match number {
        0 => RecordAction::MarkSize(ClusterSize { documents: 5, copies: 2 }),
        1 => RecordAction::Remove,
        _ => RecordAction::MarkSize(ClusterSize::ALONE),
    };
    write(&shard, out.path(), &options, OutputForm::Sizes, &action).expect("written");
    let (rows, ..) = rows(&out.path().join("a.parquet"));
    let column = |name: &str| -> Vec<i64> {
        let column = rows.column_by_name(name).expect("the column");
        column.as_primitive::<Int64Type>().values().to_vec()
    };
    assert_eq!(column("fanmill_size"), [5, 1, 1]);
    assert_eq!(column("fanmill_copies"), [2, 0, 0]);
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

/// A column whose name has a dot and a field of a struct can have the same name, and are two.
#[test]
fn a_name_with_a_dot_is_that_of_a_column_before_it_is_that_of_a_field() {
    let texts = |word: &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values((0..3).map(|n| format!("{word} {n}"))))
    };
    let inside = |name: &str, word: &str| {
        let field = Arc::new(Field::new(name, DataType::Utf8, false));
        Arc::new(StructArray::from(vec![(field, texts(word))])) as ArrayRef
    };
    for with_column in [false, true] {
        let mut all = vec![("a", inside("b", "inner"))];
        all.extend(with_column.then(|| ("a.b", texts("outer"))));
        all.push(("c", inside("d.e", "dotted")));
        let rows = RecordBatch::try_from_iter(all).expect("columns");
        for columns in [Columns::Needed, Columns::All] {
            let found = |name: &str| {
                let options = Options { text: Some(name.to_owned()), ..Options::standard() };
                let (_folder, shard) = one("a.parquet", &file(&rows, 1), &options);
                let mut reader = shard.reader(&options, columns).expect("opened");
                let mut batch = Batch::new();
                assert!(reader.next(&mut batch).expect("readable"));
                assert_eq!(batch.len(), 3);
                batch.record(1).expect("good").text.into_owned()
            };
            assert_eq!(found("a.b"), if with_column { "outer 1" } else { "inner 1" });
            assert_eq!(found("c.d.e"), "dotted 1");
        }
    }
}

/// An unreadable file counts as one bad record, and other files are read.
#[test]
fn a_file_that_is_cut_off_is_one_bad_record() {
    let whole = file(&columns(text_column(&DataType::Utf8)), 3);
    let options = Options::standard();
    for end in [4, 20, whole.len() / 2, whole.len() - 1] {
        let (_folder, shard) = one("a.parquet", &whole[..end], &options);
        let all = read(&shard, &options).expect("it goes on");
        let [Err(bad)] = &all[..] else { panic!("{all:?}") };
        assert!(bad.reason.to_string().starts_with("damaged, or not a Parquet"), "{bad:?}");
        assert_eq!(shard.unchangeable(&options).expect("a reason or none"), None);
        let out = tempfile::tempdir().expect("a folder");
        let keep = |_: u64, _: &Record<'_>| RecordAction::Keep;
        write(&shard, out.path(), &options, OutputForm::Records, &keep).expect("nothing to write");
        assert_eq!(fs::read_dir(out.path()).expect("a folder").count(), 0);
    }
}

/// Flips a byte in the pages of the second of three row groups.
#[test]
fn damage_to_a_row_group_ends_there() {
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..21).map(|n| format!("record {n}"))));
    let whole = file(&RecordBatch::try_from_iter([("text", texts)]).expect("a column"), 1);
    let options = Options::standard();
    let (_folder, shard) = one("a.parquet", &whole, &options);
    let good = read(&shard, &options).expect("readable");
    let at = memchr::memmem::find(&whole, b"record 7").expect("the text");
    // Before the first text of a page are its length and the marks of Snappy.
    let mut bytes = whole.clone();
    bytes[at - 6..at].fill(0xFF);
    let (_folder, shard) = one("a.parquet", &bytes, &options);
    let found = read(&shard, &options).expect("it goes on");
    assert_eq!(found.len(), 21);
    for (number, (found, good)) in found.iter().zip(&good).enumerate() {
        match found {
            Ok(_) => assert!(found == good && !(7..14).contains(&number)),
            Err(bad) => {
                let reason = bad.reason.to_string();
                assert!(reason.starts_with("row group 2 is damaged: "), "{reason}");
                assert!((7..14).contains(&number) && bad.number == number as u64);
            }
        }
    }
    let kept = kept(&shard, &options);
    let (_folder, again) = one("b.parquet", &kept, &options);
    let left: Vec<_> = good[..7].iter().chain(&good[14..]).cloned().collect();
    assert_eq!(read(&again, &options).expect("readable"), left);
}

/// The column of shelves is not read before the rows are written.
#[test]
fn damage_to_a_column_that_is_only_copied_is_no_silent_loss() {
    let column = |word: &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values((0..14).map(|n| format!("{word} {n}"))))
    };
    let rows =
        RecordBatch::try_from_iter([("text", column("record")), ("shelf", column("stored"))]);
    let mut bytes = file(&rows.expect("columns"), 1);
    let at = memchr::memmem::find(&bytes, b"stored 7").expect("a shelf");
    bytes[at - 6..at].fill(0xFF);
    let options = Options::standard();
    let (_folder, shard) = one("a.parquet", &bytes, &options);
    assert!(read(&shard, &options).expect("readable").iter().all(std::result::Result::is_ok));
    // The actions of a run come from the columns that it reads first, so that all rows but one stay.
    let mut reader = shard.reader(&options, Columns::All).expect("opened");
    let folder = tempfile::tempdir().expect("a folder");
    let below = Below(folder.path());
    let mut writer = shard.writer(&below, &options, OutputForm::Records).expect("opened");
    let mut batch = Batch::new();
    let mut write = || -> fanmill_text::Result<()> {
        while reader.next(&mut batch)? {
            let action = |i: usize| match batch.first_number() + i as u64 {
                7 => RecordAction::Remove,
                _ => RecordAction::Keep,
            };
            let actions: Vec<RecordAction<'_>> = (0..batch.len()).map(action).collect();
            writer.write(&batch, &actions)?;
        }
        Ok(())
    };
    let error = write().expect_err("rows would be lost").to_string();
    assert!(error.contains("record 9 of `a.parquet`"), "{error}");
    assert!(error.contains("row group 2 is damaged"), "{error}");
}

/// Returns a column of a type, one row for each text.
fn strings(kind: &DataType, texts: &[&str]) -> ArrayRef {
    let texts = texts.iter().copied();
    match kind {
        DataType::LargeUtf8 => Arc::new(texts.map(Some).collect::<LargeStringArray>()),
        DataType::Utf8View => Arc::new(texts.map(Some).collect::<StringViewArray>()),
        DataType::Dictionary(..) => {
            Arc::new(texts.map(Some).collect::<DictionaryArray<arrow_array::types::Int32Type>>())
        }
        _ => Arc::new(texts.map(Some).collect::<StringArray>()),
    }
}

#[test]
fn bytes_that_are_no_character_cost_a_record_its_bytes_and_no_more() {
    let texts = ["one ~ two", "all is fine", "caf~", "\u{FFFD} written so"];
    let words = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    for kind in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, words] {
        let batch = RecordBatch::try_from_iter([("text", strings(&kind, &texts))]).expect("rows");
        let mut whole = uncompressed(&batch);
        for byte in &mut whole {
            // The statistics have the texts too.
            *byte = if *byte == b'~' { 0xFF } else { *byte };
        }
        let options = Options::standard();
        let (_folder, shard) = one("a.parquet", &whole, &options);
        let found = read(&shard, &options).expect("readable");
        let found: Vec<_> = found.into_iter().map(|record| record.expect("a document")).collect();
        let (lost, shown) =
            (|| Some(Flaw::Replaced), texts.iter().map(|text| text.replace('~', "\u{FFFD}")));
        assert_eq!(
            found.iter().map(|r| r.flaw.clone()).collect::<Vec<_>>(),
            [lost(), None, lost(), None]
        );
        assert!(found.iter().map(|record| &*record.text).eq(shown), "{kind}");
        // A row group that is written anew has the same type, and only valid strings.
        let out = tempfile::tempdir().expect("a folder");
        let but_one = |number: u64, _: &Record<'_>| match number {
            1 => RecordAction::Remove,
            _ => RecordAction::Keep,
        };
        write(&shard, out.path(), &options, OutputForm::Records, &but_one).expect("written");
        let (rows, ..) = rows(&out.path().join("a.parquet"));
        assert_eq!((rows.num_rows(), rows.column(0).data_type()), (3, &kind));
    }
}

/// Returns a file of rows, not compressed.
fn uncompressed(rows: &RecordBatch) -> Vec<u8> {
    let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
    let mut out =
        ArrowWriter::try_new(Vec::new(), rows.schema(), Some(properties)).expect("a writer");
    out.write(rows).expect("written");
    out.into_inner().expect("finished")
}

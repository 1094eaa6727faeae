//! Texts in lists of columns: the same as those of the same records in JSON lines.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Int64Array, LargeListArray, LargeListViewArray, ListArray,
    RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef};

use super::*;
use fanmill_text::frontend::JOINT;

/// A message: its role and its content.
type Message = (&'static str, Option<&'static str>);

/// Messages of records; `None` is null, in place of a list or of a message.
const MESSAGES: [Option<&[Option<Message>]>; 5] = [
    Some(&[Some(("user", Some("one"))), Some(("model", Some("two é")))]),
    None,
    Some(&[]),
    Some(&[None, Some(("user", None)), Some(("user", Some("three")))]),
    Some(&[Some(("user", None))]),
];

/// Returns the same records as JSON lines.
fn lines(messages: bool) -> String {
    let of_message = |message: &Option<Message>| match message {
        None => serde_json::Value::Null,
        Some((role, content)) if messages => serde_json::json!({"role": role, "content": content}),
        Some((_, content)) => serde_json::json!(content),
    };
    let records = MESSAGES.iter().map(|list| {
        let list = list.map(|list| list.iter().map(of_message).collect::<Vec<_>>());
        format!("{}\n", serde_json::json!({"id": 1, "messages": list}))
    });
    records.collect()
}

/// Returns the elements of all lists, their number in each, and which lists there are.
fn elements(messages: bool) -> (ArrayRef, Vec<usize>, NullBuffer) {
    let all: Vec<Option<Message>> =
        MESSAGES.iter().flat_map(|list| list.unwrap_or_default().iter().copied()).collect();
    let content: ArrayRef =
        Arc::new(all.iter().map(|m| m.and_then(|(_, content)| content)).collect::<StringArray>());
    let values = if messages {
        let role: ArrayRef =
            Arc::new(all.iter().map(|m| m.map(|(role, _)| role)).collect::<StringArray>());
        let fields: Vec<FieldRef> = ["role", "content"]
            .map(|name| Arc::new(Field::new(name, DataType::Utf8, true)))
            .to_vec();
        let nulls = all.iter().map(Option::is_some).collect::<NullBuffer>();
        Arc::new(StructArray::new(fields.into(), vec![role, content], Some(nulls))) as ArrayRef
    } else {
        content
    };
    let lengths = MESSAGES.iter().map(|list| list.unwrap_or_default().len()).collect();
    (values, lengths, MESSAGES.iter().map(Option::is_some).collect())
}

/// Returns the records with their messages in lists of every kind.
fn tables(messages: bool) -> Vec<RecordBatch> {
    let (values, lengths, nulls) = elements(messages);
    let item = Arc::new(Field::new("item", values.data_type().clone(), true));
    let short = OffsetBuffer::<i32>::from_lengths(lengths.iter().copied());
    let long = OffsetBuffer::<i64>::from_lengths(lengths.iter().copied());
    let list = ListArray::new(Arc::clone(&item), short, Arc::clone(&values), Some(nulls.clone()));
    let large = LargeListArray::new(item, long, values, Some(nulls));
    let view = LargeListViewArray::from(large.clone());
    let of = |lists: ArrayRef| {
        let id: ArrayRef = Arc::new(Int64Array::from(vec![1; MESSAGES.len()]));
        RecordBatch::try_from_iter_with_nullable([("id", id, false), ("messages", lists, true)])
            .expect("columns")
    };
    vec![of(Arc::new(list)), of(Arc::new(large)), of(Arc::new(view))]
}

fn parquet(rows: &RecordBatch) -> Vec<u8> {
    let mut out =
        ::parquet::arrow::ArrowWriter::try_new(Vec::new(), rows.schema(), None).expect("a writer");
    out.write(rows).expect("written");
    out.into_inner().expect("finished")
}

fn arrow(rows: &RecordBatch) -> Vec<u8> {
    let mut out =
        arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &rows.schema()).expect("a writer");
    out.write(rows).expect("written");
    out.into_inner().expect("finished")
}

fn options(text: &str, batch_bytes: usize) -> Options {
    Options { text: Some(text.to_owned()), ..small(batch_bytes, 10_000) }
}

#[test]
fn texts_in_lists_are_those_of_the_same_lines_of_json() {
    for (is_message, name) in
        [(true, "messages[].content"), (false, "messages"), (false, "messages[]")]
    {
        for batch_bytes in [1, 1 << 20] {
            let options = options(name, batch_bytes);
            let (_folder, shard) = one("a.jsonl", lines(is_message).as_bytes(), &options);
            let expected: Vec<_> =
                read(&shard, &options).expect("readable").into_iter().flatten().collect();
            assert_eq!(expected.len(), 5);
            assert_eq!(expected[0].text, format!("one{JOINT}two é"));
            assert_eq!(expected[3].text, "three");
            for (i, rows) in tables(is_message).iter().enumerate() {
                let files = [("a.arrow", arrow(rows)), ("a.parquet", parquet(rows))];
                for (file, bytes) in files {
                    let (_folder, shard) = one(file, &bytes, &options);
                    let found = read(&shard, &options).expect("readable");
                    let found: Vec<_> = found.into_iter().flatten().collect();
                    assert_eq!(found, expected, "{file} {i} {name}");
                }
            }
        }
    }
}

#[test]
fn rows_with_lists_stay_as_they_are_and_get_no_other_text() {
    let options = options("messages[].content", 1);
    for rows in &tables(true)[..2] {
        for (file, bytes) in [("a.arrow", arrow(rows)), ("a.parquet", parquet(rows))] {
            let (_folder, shard) = one(file, &bytes, &options);
            let why = shard.unchangeable(&options).expect("readable").expect("a reason");
            assert!(why.contains("no text can be put back into them"), "{why}");
            let out = tempfile::tempdir().expect("a folder");
            let action = |number, _: &Record<'_>| match number {
                3 => RecordAction::Remove,
                _ => RecordAction::Keep,
            };
            write(&shard, out.path(), &options, OutputForm::Records, &action).expect("written");
            let shard = shards(&[out.path().join(file)], &options).expect("a shard").remove(0);
            let texts = read(&shard, &options).expect("readable");
            let texts: Vec<_> = texts.iter().flatten().map(|r| &*r.text).collect();
            assert_eq!(texts, ["one\n\u{1E}\ntwo é", "", "", ""], "{file}");
            let text = |_, _: &Record<'_>| RecordAction::Text("other".into());
            let out = tempfile::tempdir().expect("a folder");
            let error = write(&shard, out.path(), &options, OutputForm::Records, &text);
            let error = error.expect_err("no place").to_string();
            assert!(error.contains("not in a column of strings"), "{error}");
        }
    }
}

#[test]
fn lists_of_a_fixed_size_and_lists_in_structs_and_in_lists_are_read() {
    let words: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("b"), Some("c")]));
    let item = Arc::new(Field::new("item", DataType::Utf8, true));
    let pairs: ArrayRef = Arc::new(FixedSizeListArray::new(item, 2, words, None));
    let field = Arc::new(Field::new("turns.all", pairs.data_type().clone(), true));
    let meta: ArrayRef = Arc::new(StructArray::from(vec![(field, Arc::clone(&pairs))]));
    let mut lists = ListBuilder::new(ListBuilder::new(StringBuilder::new()));
    for row in [vec![vec!["a"], vec!["b", "c"]], vec![vec![]]] {
        for list in row {
            lists.values().append_value(list.into_iter().map(Some));
        }
        lists.append(true);
    }
    let rows = RecordBatch::try_from_iter([
        ("pairs", pairs),
        ("meta", meta),
        ("lists", Arc::new(lists.finish()) as ArrayRef),
    ])
    .expect("columns");
    for (name, expected) in [
        ("pairs", ["a", "b\n\u{1E}\nc"]),
        ("meta.turns.all", ["a", "b\n\u{1E}\nc"]),
        ("meta.turns.all[]", ["a", "b\n\u{1E}\nc"]),
        ("lists[][]", ["a\n\u{1E}\nb\n\u{1E}\nc", ""]),
    ] {
        for (file, bytes) in [("a.arrow", arrow(&rows)), ("a.parquet", parquet(&rows))] {
            let options = options(name, 1);
            let (_folder, shard) = one(file, &bytes, &options);
            let found = read(&shard, &options).expect("readable");
            let found: Vec<_> = found.iter().flatten().map(|r| &*r.text).collect();
            assert_eq!(found, expected, "{file} {name}");
        }
    }
}

#[test]
fn a_way_that_leads_to_no_text_is_refused_at_once() {
    let rows = &tables(true)[0];
    for (name, words) in [
        ("messages", "field `messages` has an object in a list of strings; name a path such as"),
        ("messages[].words", "field `messages` has no member `words`; name a path such as"),
        ("messages[][]", "field `messages` has an object where a list should be"),
        ("id[]", "field `id` has a number where a list should be"),
        ("other[].content", "no field `other`; there are `id`, `messages`"),
    ] {
        for (file, bytes) in [("a.arrow", arrow(rows)), ("a.parquet", parquet(rows))] {
            let options = options(name, 1);
            let (_folder, shard) = one(file, &bytes, &options);
            let error = read(&shard, &options).expect_err("refused");
            assert!(error.is_input() && error.to_string().contains(words), "{file}: {error}");
        }
    }
}

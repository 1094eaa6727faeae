//! Flaws of texts, in every format: reported where characters are lost, and not where an author wrote `U+FFFD`.

use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BinaryArray, DictionaryArray, Int32Array, RecordBatch};

use super::*;

/// Returns the flaws of the texts of a file.
fn flaws(name: &str, content: &[u8]) -> Vec<Option<Flaw>> {
    let options = Options::standard();
    let (_folder, shard) = one(name, content, &options);
    let all = read(&shard, &options).expect("readable");
    all.into_iter().map(|record| record.expect("a document").flaw).collect()
}

#[test]
fn a_lost_character_is_told_from_one_that_stands_for_lost_ones() {
    let lost = || Some(Flaw::Replaced);
    let lines: [(&[u8], Option<Flaw>); 9] = [
        (br#"{"text":null}"#, Some(Flaw::Null)),
        (b"{\"text\":\"\xff\"}", lost()),
        (b"{\"text\":\"\\n\xff\"}", lost()),
        (br#"{"text":"\ud800 half"}"#, lost()),
        // A backslash, followed by words that look like an escape.
        (br#"{"text":"see \\ufffd and \ud800 half"}"#, lost()),
        (br#"{"text":"\ufffd and \ud800"}"#, lost()),
        (br#"{"text":"see \\ufffd, \ufffd and \uFFFD"}"#, None),
        ("{\"text\":\"\u{FFFD} \\n\"}".as_bytes(), None),
        ("{\"text\":\"\u{FFFD}\"}".as_bytes(), None),
    ];
    for (line, flaw) in lines {
        assert_eq!(flaws("a.jsonl", line), [flaw], "{}", line.escape_ascii());
    }
    let rows: [(&[u8], Option<Flaw>); 5] = [
        ("\u{FFFD} x".as_bytes(), None),
        (b"\xef\xbf\xbd caf\xe9 x", lost()),
        (b"\"\xef\xbf\xbd caf\xe9 x\"", lost()),
        (b"\"\xef\xbf\xbd \"\" caf\xe9 x\"", lost()),
        (b"\"\xef\xbf\xbd \"\" x\"", None),
    ];
    for (row, flaw) in rows {
        let table = [b"text\n", row, b"\n"].concat();
        assert_eq!(flaws("a.csv", &table), [flaw], "{}", row.escape_ascii());
    }
}

#[test]
fn files_lack_what_their_encoding_cannot_say() {
    let lost = || Some(Flaw::Replaced);
    let wide = |units: &[u16]| -> Vec<u8> {
        [0xFEFF].iter().chain(units).flat_map(|unit| unit.to_le_bytes()).collect()
    };
    let french = "<p>é à ç ù ê î ô û</p>";
    let page = |inside: &[u8]| [french.as_bytes(), inside].concat();
    // Half a surrogate and a bad byte are lost characters; a U+FFFD that the author wrote is not.
    let cases: [(&str, Vec<u8>, Option<Flaw>); 9] = [
        ("a.txt", wide(&[0x61, 0xFFFD, 0x62]), None),
        ("a.txt", wide(&[0x61, 0xD800, 0x62]), lost()),
        ("a.txt", wide(&[0xFFFD, 0xD800]), lost()),
        ("a.txt", "é à \u{FFFD}".as_bytes().to_vec(), None),
        ("a.html", page(b"&#xFFFD;"), None),
        ("a.html", page(b"\xff"), lost()),
        ("a.html", page(b"\xff &#xFFFD;"), lost()),
        ("a.html", page(b"<script>\xff</script>"), None),
        ("a.html", page("\u{FFFD}".as_bytes()), None),
    ];
    for (name, content, flaw) in cases {
        // A file is named, as its number says nothing to anybody.
        let flaw = flaw.map(|flaw| Flaw::Other(format!("`{name}`: {flaw}").into()));
        assert_eq!(flaws(name, &content), [flaw], "{name} {}", content.escape_ascii());
    }
    let archived = |block: &[u8]| {
        let n = block.len();
        let head = format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: {n}\r\n\r\n"
        );
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    };
    for (block, flaw) in [(page(b"\xff \xef\xbf\xbd"), lost()), (page(b"\xef\xbf\xbd"), None)] {
        assert_eq!(flaws("a.warc", &archived(&block)), [flaw]);
    }
}

#[test]
fn bytes_in_a_dictionary_of_a_column_are_told_too() {
    let values = BinaryArray::from_iter_values([&b"caf\xff"[..], b"caf\xc3\xa9", b"\xef\xbf\xbd"]);
    let keys = Int32Array::from(vec![Some(0), Some(1), None, Some(2), Some(0)]);
    let texts = DictionaryArray::<Int32Type>::new(keys, Arc::new(values));
    let rows = RecordBatch::try_from_iter([("text", Arc::new(texts) as ArrayRef)]).expect("rows");
    let mut out = ArrowWriter::try_new(Vec::new(), rows.schema(), None).expect("a writer");
    out.write(&rows).expect("written");
    let file = out.into_inner().expect("a file");
    let lost = || Some(Flaw::Replaced);
    assert_eq!(flaws("a.parquet", &file), [lost(), None, Some(Flaw::Null), None, lost()]);
}

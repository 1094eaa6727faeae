//! Lines of JSON, packed and not.

use proptest::prelude::*;

use super::*;
use crate::record::RunMark;

const FILE: &str = "\u{FEFF}{\"id\": 1, \"text\": \"one\\n\"}\r\n\n  \n{\"text\":\"two\", \"x\":[{}]}\n\
                    not json\n{\"id\":\"4\"}\n{\"id\":\"5\",\"text\":null}";

#[test]
fn records_and_bad_ones_are_told_with_their_places() {
    for packing in [Packing::Plain].into_iter().chain(Packing::ALL) {
        for batch_bytes in [1, 7, 30, 100, 1 << 20] {
            let options = small(batch_bytes, 1000);
            let name = format!("a.jsonl{}", packing.extension());
            let (_folder, shard) = one(&name, &packed(packing, FILE.as_bytes()), &options);
            assert_eq!((shard.name(), shard.packing()), (&*name, packing));
            let all = read(&shard, &options).expect("readable");
            let texts: Vec<_> = all.iter().flatten().map(|r| (&*r.text, r.id.as_deref())).collect();
            assert_eq!(texts, [("one\n", Some("1")), ("two", None), ("", Some("5"))]);
            let bad: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()).collect();
            let places: Vec<_> = bad.iter().map(|bad| (bad.number, bad.offset)).collect();
            let at = |what: &str| FILE.find(what).map(|at| at as u64);
            assert_eq!(places, [(2, at("not json")), (3, at("{\"id\":\"4\""))]);
            assert_eq!(bad[0].reason, "no JSON object, at byte 0 of the record");
        }
    }
}

#[test]
fn what_a_text_lacks_is_told() {
    let cases: [(&[u8], Option<Flaw>); 9] = [
        (b"null", Some(Flaw::Null)),
        (b"\"\"", None),
        (b"\"caf\xc3\xa9\"", None),
        (b"\"caf\xe9\"", Some(Flaw::Replaced)),
        (b"\"\\n caf\xe9\"", Some(Flaw::Replaced)),
        (b"\"half \\ud83d\"", Some(Flaw::Replaced)),
        (b"\"its own \xef\xbf\xbd, \\ufffd and \\uFFFD\"", None),
        (b"\"its own \xef\xbf\xbd, and \xff\"", Some(Flaw::Replaced)),
        (b"\"its own \xef\xbf\xbd, and half \\ud83d\"", Some(Flaw::Replaced)),
    ];
    for (value, flaw) in cases {
        let line = [b"{\"text\":", value, b"}\n"].concat();
        let (_folder, shard) = one("a.jsonl", &line, &Options::standard());
        let all = read(&shard, &Options::standard()).expect("readable");
        let found = all[0].as_ref().expect("a record").flaw.clone();
        assert_eq!(found, flaw, "{}", String::from_utf8_lossy(value));
        // The usual way, with a buffer for texts that have escapes.
        let (mut batch, mut room) = (Batch::new(), Vec::new());
        let mut reader = shard.reader(&Options::standard(), Columns::Needed).expect("a reader");
        assert!(reader.next(&mut batch).expect("readable"));
        assert_eq!(batch.record_in(0, &mut room).expect("a record").flaw, flaw);
    }
}

#[test]
fn what_stays_is_copied_byte_for_byte() {
    let without_bad = FILE.replace("not json\n{\"id\":\"4\"}\n", "");
    for packing in [Packing::Plain].into_iter().chain(Packing::ALL) {
        for batch_bytes in [1, 30, 1 << 20] {
            let options = small(batch_bytes, 1000);
            let name = format!("a.jsonl{}", packing.extension());
            let (_folder, shard) = one(&name, &packed(packing, FILE.as_bytes()), &options);
            let out = kept(&shard, &options);
            assert_eq!(Packing::from_head(&out), packing);
            assert_eq!(String::from_utf8(unpacked(&out)).expect("UTF-8"), without_bad);
        }
    }
}

#[test]
fn raw_bytes_of_bad_records_are_at_hand() {
    let options = Options::standard();
    let (_folder, shard) = one("a.jsonl", FILE.as_bytes(), &options);
    let mut batch = Batch::new();
    let mut reader = shard.reader(&options, Columns::Needed).expect("a reader");
    assert!(reader.next(&mut batch).expect("readable"));
    assert_eq!(batch.raw(2), Some(&b"not json"[..]));
    assert_eq!(batch.raw(0), Some(&b"{\"id\": 1, \"text\": \"one\\n\"}"[..]));
    assert!(!reader.next(&mut batch).expect("readable") && batch.is_empty());
}

#[test]
fn a_line_above_the_limit_passes_without_being_read() {
    let long = format!("{{\"text\":\"{}\"}}", "x".repeat(300_000));
    let file = format!("{{\"text\":\"a\"}}\n{long}\n{{\"text\":\"b\"}}\n{long}");
    for batch_bytes in [1, 100, 1000, 1 << 20] {
        let options = small(batch_bytes, 500);
        let (_folder, shard) = one("a.jsonl", file.as_bytes(), &options);
        let all = read(&shard, &options).expect("readable");
        let texts: Vec<_> = all.iter().flatten().map(|record| &*record.text).collect();
        assert_eq!(texts, ["a", "b"]);
        let places = [13, 13 + long.len() as u64 + 1 + 13];
        assert_eq!(skipped(&shard, &options), places.map(|at| Skipped::too_long(at, 500)));
        assert!(kept(&shard, &options) == file.as_bytes(), "{batch_bytes}");
    }
}

/// Such files are sound: the error says what they take, and not to fetch them again.
#[test]
fn files_that_ask_for_more_memory_than_there_is_are_not_called_damaged() {
    let mut packer = zstd::stream::Encoder::new(Vec::new(), 1).expect("an encoder");
    packer.window_log(28).expect("a window");
    std::io::Write::write_all(&mut packer, FILE.as_bytes()).expect("packed");
    let bytes = packer.finish().expect("packed");
    let options = Options::standard();
    let (_folder, shard) = one("a.jsonl.zst", &bytes, &options);
    let error = read(&shard, &options).expect_err("above the limit");
    let words = error.to_string();
    assert!(error.is_input() && !words.contains("damaged"), "{words}");
    assert!(words.contains("takes 256 MiB") && words.contains("limit of 128 MiB"), "{words}");
    assert!(words.contains("memory"), "{words}");
    let options = Options { window_bytes: 256 << 20, ..options };
    assert_eq!(read(&shard, &options).expect("readable").len(), 5);
    assert_eq!(
        unpacked(&kept(&shard, &options)),
        FILE.replace("not json\n{\"id\":\"4\"}\n", "").as_bytes()
    );
}

/// The output needs no dictionary.
#[test]
fn files_packed_with_a_dictionary_are_read_with_it() {
    let dictionary = b"{\"id\": 1, \"text\": \"one\\n\"}".repeat(20);
    let (folder, plain) = (tempfile::tempdir().expect("a folder"), Options::standard());
    let path = folder.path().join("dictionary");
    fs::write(&path, &dictionary).expect("written");
    let dictionary = Dictionary::read(&path).expect("a dictionary");
    let options = Options { dictionary: Some(dictionary), ..plain.clone() };
    let packer =
        zstd::stream::Encoder::with_dictionary(Vec::new(), 3, &fs::read(&path).expect("it"));
    let mut packer = packer.expect("an encoder");
    std::io::Write::write_all(&mut packer, FILE.as_bytes()).expect("packed");
    let (_folder, shard) = one("a.jsonl.zst", &packer.finish().expect("packed"), &options);
    assert_eq!(read(&shard, &options).expect("readable").len(), 5);
    let (_folder, shard) = one("a.jsonl.zst", &kept(&shard, &options), &plain);
    assert_eq!(read(&shard, &plain).expect("readable").len(), 3);
    let id_needed = b"\x28\xb5\x2f\xfd\x23\x07\0\0\x01\x05\x29\0\0hello";
    let (_folder, shard) = one("a.jsonl.zst", id_needed, &plain);
    let error = read(&shard, &plain).expect_err("no dictionary").to_string();
    assert!(error.contains("dictionary 16777223") && !error.contains("damaged"), "{error}");
    fs::write(&path, "").expect("written");
    assert!(Dictionary::read(&path).expect_err("empty").is_input());
}

#[test]
fn packed_files_that_are_damaged_name_file_and_place() {
    let text = FILE.repeat(400);
    for packing in Packing::ALL {
        let whole = packed(packing, text.as_bytes());
        let options = Options::standard();
        let name = format!("a.jsonl{}", packing.extension());
        let (_folder, shard) = one(&name, &whole[..whole.len() - 3], &options);
        let error = read(&shard, &options).expect_err("cut off");
        assert!(error.is_input(), "{error}");
        let words = error.to_string();
        assert!(
            words.contains(&name) && words.contains("cut off") && words.contains("byte"),
            "{words}"
        );
        let mut damaged = whole.clone();
        let middle = whole.len() / 2;
        damaged[middle..middle + 8].fill(0x55);
        let (_folder, shard) = one(&name, &damaged, &options);
        assert!(read(&shard, &options).expect_err("damaged").is_input());
    }
}

#[test]
fn marks_and_texts_are_written() {
    let options = Options::standard();
    let (_folder, shard) = one("a.jsonl", FILE.as_bytes(), &options);
    let out = tempfile::tempdir().expect("a folder");
    write(&shard, out.path(), &options, OutputForm::Marks, &|number, _| match number {
        0 => RecordAction::Remove,
        1 => RecordAction::Mark(Some(crate::record::Mark {
            cluster: 3,
            duplicate_of: Some("1"),
            resemblance: Some(0.5),
            containment: Some(0.75),
        })),
        _ => RecordAction::Text("new".into()),
    })
    .expect("written");
    let written = fs::read_to_string(out.path().join("a.jsonl")).expect("a file");
    let expected = "\u{FEFF}\n  \n{\"text\":\"two\", \"x\":[{}],\"fanmill\":{\"cluster\":3,\"duplicate_of\":\"1\",\
                    \"resemblance\":0.5,\"containment\":0.75}}\n{\"id\":\"5\",\"text\":\"new\"}";
    assert_eq!(written, expected);
}

#[test]
fn marks_of_runs_are_members() {
    let options = Options::standard();
    let file = "{\"fanmill\":{\"cluster\":1},\"text\":\"a b\"}\n";
    let (_folder, shard) = one("a.jsonl", file.as_bytes(), &options);
    for (mark, expected) in [
        (
            Some(RunMark { runs: vec![0..1, 4..9], words_left: 3 }),
            "{\"text\":\"a b\",\"fanmill\":{\"runs\":[[0,1],[4,9]],\"words_left\":3}}\n",
        ),
        (None, "{\"text\":\"a b\"}\n"),
    ] {
        let out = tempfile::tempdir().expect("a folder");
        let action = |_, _: &Record<'_>| RecordAction::MarkRuns(mark.clone());
        write(&shard, out.path(), &options, OutputForm::RunMarks, &action).expect("written");
        assert_eq!(fs::read_to_string(out.path().join("a.jsonl")).expect("a file"), expected);
    }
}

/// Naive twin: the whole file, split at line feeds.
fn naive(file: &[u8], record_bytes: usize) -> Vec<Option<String>> {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let lines = file.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let text = |line: &[u8]| {
        let value: serde_json::Value = serde_json::from_slice(line).ok()?;
        Some(value.get("text")?.as_str()?.to_owned())
    };
    lines.filter(|line| line.len() <= record_bytes).map(text).collect()
}

proptest! {
    #[test]
    fn batches_of_any_size_read_the_same(
        lines in prop::collection::vec(prop::sample::select(&["", "\r", " ", "x", "{\"text\":\"a\"}", "{\"text\":\"a long one\"}\r", "{}"][..]), 0..12),
        batch_bytes in 1_usize..60,
        record_bytes in 5_usize..40,
    ) {
        let file = lines.join("\n");
        let options = small(batch_bytes, record_bytes);
        let (_folder, shard) = one("a.jsonl", file.as_bytes(), &options);
        let all = read(&shard, &options).expect("readable");
        let texts: Vec<_> = all.iter().map(|r| r.as_ref().ok().map(|r| r.text.to_string())).collect();
        prop_assert_eq!(texts, naive(file.as_bytes(), record_bytes));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), batch_bytes in 1_usize..100) {
        let options = Options { format: Some(Format::JSONL), ..small(batch_bytes, 50) };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, bytes).expect("written");
        if let Ok(found) = shards(&[path], &options) {
            let _ = read(&found[0], &options);
        }
    }
}

//! CSV and TSV.

use proptest::prelude::*;

use super::*;
use crate::record::{Mark, RunMark};

const FILE: &str = "id,text,\"the, lang\"\r\n1,\"one\n\"\"quoted\"\" line\",en\r\n\r\n2,two\n3,three,\"de\"\n\
                    4,,fr\n5,\"last";

const MARK: Mark<'_> =
    Mark { cluster: 9, duplicate_of: Some("a,b"), resemblance: Some(0.5), containment: Some(1.0) };

#[test]
fn rows_and_bad_ones_are_told_with_their_places() {
    for packing in [Packing::Plain].into_iter().chain(Packing::ALL) {
        for batch_bytes in [1, 20, 50, 1 << 20] {
            let options = Options {
                extra: vec!["the, lang".to_owned(), "none".to_owned()],
                ..small(batch_bytes, 1000)
            };
            let name = format!("a.csv{}", packing.extension());
            let (_folder, shard) = one(&name, &packed(packing, FILE.as_bytes()), &options);
            let all = read(&shard, &options).expect("readable");
            let good: Vec<_> = all
                .iter()
                .flatten()
                .map(|r| (&*r.text, r.id.as_deref(), r.extra[0].as_deref()))
                .collect();
            let expected = [
                ("one\n\"quoted\" line", Some("1"), Some("en")),
                ("three", Some("3"), Some("de")),
                ("", Some("4"), Some("fr")),
            ];
            assert_eq!(good, expected);
            let bad: Vec<_> = all.iter().filter_map(|r| r.as_ref().err()).collect();
            let at = |what: &str| FILE.find(what).map(|at| at as u64);
            let places: Vec<_> = bad.iter().map(|bad| (bad.number, bad.offset)).collect();
            assert_eq!(places, [(1, at("2,two")), (4, at("5,\"last"))]);
            assert_eq!(bad[0].reason, "a row of 2 fields, under a header of 3");
            assert_eq!(bad[1].reason, "a quote that is not closed");
            // Bad rows are left out; everything else is copied.
            let out = unpacked(&kept(&shard, &options));
            let expected = FILE.replace("2,two\n", "").replace("5,\"last", "");
            assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let file = b"text,x\ncaf\xc3\xa9,1\ncaf\xe9,2\n\"a \"\"b\"\" \xff\",3\nx,\xff\n,\n";
    let (_folder, shard) = one("a.csv", file, &Options::standard());
    let all = read(&shard, &Options::standard()).expect("readable");
    let flaws: Vec<_> = all.iter().flatten().map(|record| record.flaw.clone()).collect();
    assert_eq!(flaws, [None, Some(Flaw::Replaced), Some(Flaw::Replaced), None, None]);
}

#[test]
fn an_open_quote_costs_one_line() {
    let file = format!("text\na\n\"open\n{}", "b\n".repeat(1000));
    for batch_bytes in [1, 50, 1 << 20] {
        let options = small(batch_bytes, 100);
        let (_folder, shard) = one("a.csv", file.as_bytes(), &options);
        let all = read(&shard, &options).expect("readable");
        assert_eq!((all.len(), all.iter().flatten().count()), (1002, 1001));
        assert_eq!(all[1].as_ref().expect_err("bad").offset, Some(7));
    }
}

#[test]
fn marks_are_columns() {
    let options = Options::standard();
    let file = "\u{FEFF}fanmill_cluster\tid\ttext\n7\t1\ta\n7\t2\tb\n\t3\tc";
    let (_folder, shard) = one("a.tsv", file.as_bytes(), &options);
    let out = tempfile::tempdir().expect("a folder");
    let action = |number, _: &Record<'_>| match number {
        0 => RecordAction::Mark(Some(MARK)),
        1 => RecordAction::Keep,
        _ => RecordAction::Mark(None),
    };
    write(&shard, out.path(), &options, OutputForm::Marks, &action).expect("written");
    let written = fs::read_to_string(out.path().join("a.tsv")).expect("a file");
    let names = "fanmill_cluster\tfanmill_duplicate_of\tfanmill_resemblance\tfanmill_containment";
    let expected =
        format!("\u{FEFF}id\ttext\t{names}\n1\ta\t9\ta,b\t0.5\t1\n2\tb\t\t\t\t\n3\tc\t\t\t\t");
    assert_eq!(written, expected);
}

#[test]
fn marks_of_runs_are_columns_and_replace_others() {
    let options = Options::standard();
    let file = "fanmill_cluster,id,text\n7,1,a\n7,2,b\n";
    let (_folder, shard) = one("a.csv", file.as_bytes(), &options);
    let out = tempfile::tempdir().expect("a folder");
    let action = |number, _: &Record<'_>| match number {
        0 => RecordAction::MarkRuns(Some(RunMark { runs: vec![0..1, 4..9], words_left: 3 })),
        _ => RecordAction::Keep,
    };
    write(&shard, out.path(), &options, OutputForm::RunMarks, &action).expect("written");
    let written = fs::read_to_string(out.path().join("a.csv")).expect("a file");
    let expected = "id,text,fanmill_runs,fanmill_words_left\n1,a,\"[[0,1],[4,9]]\",3\n2,b,,\n";
    assert_eq!(written, expected);
}

#[test]
fn a_table_without_the_column_names_those_it_has() {
    let options = Options { text: Some("body".to_owned()), ..Options::standard() };
    let (_folder, shard) = one("a.csv", b"id,text\n1,2\n", &options);
    let error = read(&shard, &options).expect_err("no such column");
    let words = error.to_string();
    assert!(
        error.is_input() && words.contains("no field `body`; there are `id`, `text`"),
        "{words}"
    );
}

#[test]
fn an_empty_table_is_no_error() {
    for file in ["", "text\n", "text"] {
        let (_folder, shard) = one("a.csv", file.as_bytes(), &Options::standard());
        assert!(read(&shard, &Options::standard()).expect("readable").is_empty());
        assert_eq!(kept(&shard, &Options::standard()), file.as_bytes());
    }
}

/// Returns the text of the first record.
fn only_text(shard: &Shard, options: &Options) -> String {
    let first = read(shard, options).expect("readable").remove(0);
    first.expect("good").text.into_owned()
}

proptest! {
    #[test]
    fn a_new_text_is_read_back(old in "[a\",\n\r]{0,8}", new in "[a\",\n\ré]{0,8}") {
        let options = Options::standard();
        let mut file = csv::Writer::from_writer(Vec::new());
        file.write_record(["id", "text"]).expect("in memory");
        file.write_record(["1", &old]).expect("in memory");
        let (_folder, shard) = one("a.csv", &file.into_inner().expect("in memory"), &options);
        prop_assert_eq!(only_text(&shard, &options), old);
        let out = tempfile::tempdir().expect("a folder");
        let text = new.clone();
        write(&shard, out.path(), &options, OutputForm::Records, &move |_, _| RecordAction::Text(text.clone().into())).expect("written");
        let shard = shards(&[out.path().join("a.csv")], &options).expect("a shard").remove(0);
        prop_assert_eq!(only_text(&shard, &options), new);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(prop::sample::select(&b"\"\",\n\ra\xff"[..]), 0..100), batch_bytes in 1_usize..30) {
        let options = small(batch_bytes, 20);
        let file = [&b"text,a\n"[..], &bytes].concat();
        let (_folder, shard) = one("a.csv", &file, &options);
        let all = read(&shard, &options).expect("readable");
        let whole = read(&shard, &small(1 << 20, 20)).expect("readable");
        prop_assert_eq!(all, whole);
    }
}

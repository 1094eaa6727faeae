//! Records that cannot be read: they are written beside the output, and too many of them end the run.

use std::fs;
use std::path::Path;

use fanmill_corpus::dedup::{Mode, Outcome, Settings};
use fanmill_text::{Error, Result};

use crate::job::{self, Table};

/// Three lines that can be read, and others that cannot.
const LINES: &str = "{\"text\":\"one two three\"}\n\n{\"text\":\n{\"text\":\"one two three\"}\n'single'\n{\"txet\":\"x\"}\n{\"text\":\"four\"}\n";
const BAD: &str = "{\"text\":\n'single'\n{\"txet\":\"x\"}\n";
const TABLE: &str = "id,text\n1,one two\n2,\"three\n3,four\n";

/// Runs over files of these names in a folder, and puts the result into `out`.
fn run(folder: &Path, files: &[(&str, &str)], settings: &Settings) -> Result<Outcome> {
    let paths: Vec<_> = files.iter().map(|(name, _)| folder.join(name)).collect();
    for (path, (_, content)) in paths.iter().zip(files) {
        fs::write(path, content).expect("written");
    }
    job::dedup(&paths, settings, &folder.join("out"))
}

fn standard() -> Settings {
    job::settings().with(|settings| settings.allowed_failures = 0.5)
}

#[test]
fn what_fails_is_written_in_its_own_bytes_in_every_mode() {
    for mode in [Mode::Remove, Mode::Mark, Mode::Report] {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("a.jsonl", LINES), ("b.csv", TABLE)];
        let settings = standard().with(|settings| settings.mode = mode);
        let summary = run(folder.path(), &files, &settings).expect("done").summary;
        assert_eq!(summary.inputs.failed, 4);
        let beside = job::beside(&folder.path().join("out"));
        assert_eq!(job::text(&beside.join("failed/a.jsonl")), BAD);
        assert_eq!(job::text(&beside.join("failed/b.csv")), "id,text\n2,\"three\n");
        let table = Table::read(&beside.join("failed.parquet"));
        assert_eq!(table.texts("shard"), ["a.jsonl", "a.jsonl", "a.jsonl", "b.csv"]);
        assert_eq!(table.numbers("record"), [2, 4, 5, 2]);
        assert_eq!(table.numbers("line"), [3, 5, 6, 3]);
        assert_eq!(table.numbers("byte"), [26, 60, 69, 18]);
        assert!(table.texts("reason").iter().all(|reason| !reason.is_empty()));
        assert_eq!(table.flags("is_written"), [true; 4]);
        // With what failed and what stays, all is there.
        if mode == Mode::Remove {
            let stays = job::text(&folder.path().join("out/a.jsonl"));
            assert_eq!(stays, "{\"text\":\"one two three\"}\n\n{\"text\":\"four\"}\n");
        }
    }
}

#[test]
fn without_a_failure_nothing_is_written_about_any() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [("a.jsonl", "{\"text\":\"one\"}\n")];
    run(folder.path(), &files, &standard()).expect("done");
    let beside = job::beside(&folder.path().join("out"));
    assert!(!beside.join("failed").exists() && !beside.join("failed.parquet").exists());
}

/// Returns the error of a run, which has left nothing.
fn refusal(files: &[(&str, &str)], settings: &Settings) -> Error {
    let folder = tempfile::tempdir().expect("a folder");
    let error = run(folder.path(), files, settings).expect_err("refused");
    assert!(error.is_input(), "{error}");
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, files.len(), "an output was left");
    error
}

#[test]
fn a_run_that_can_compare_nothing_ends_with_the_fields_that_are_there() {
    let lines = "{\"text\":\"one two\",\"id\":1}\n".repeat(3);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    fs::write(&path, &lines).expect("written");
    let options = fanmill_records::format::Options {
        text: Some("txet".to_owned()),
        ..job::options(&fanmill_corpus::dedup::Keep::First)
    };
    let places = job::to(&folder.path().join("out"));
    let run = || {
        fanmill_corpus::dedup::run(
            std::slice::from_ref(&path),
            &options,
            &standard(),
            &places,
            &fanmill_text::progress::Silent,
        )
    };
    let error = run().expect_err("no such field");
    assert!(error.to_string().contains("no field `txet`; there are `text`, `id`"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    for (content, words) in [
        ("", "no record in `a.jsonl`"),
        ("{\"text\":null}\n{\"text\":\"\"}\n", "the texts of `a.jsonl` are all null or empty"),
    ] {
        let error = refusal(&[("a.jsonl", content)], &standard());
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn one_file_that_mostly_fails_ends_the_run_unless_that_is_allowed() {
    let good = "{\"text\":\"one two\"}\n".repeat(50);
    let files = [("good.jsonl", &*good), ("most.jsonl", "{\"text\":\"one\"}\n[]\n[]\n")];
    let error = refusal(&files, &standard());
    let words = "2 of 3 records of `most.jsonl` cannot be read, above the limit of 0.5 of them; record 2: no JSON object";
    assert!(error.to_string().contains(words), "{error}");
    let folder = tempfile::tempdir().expect("a folder");
    let settings = standard().with(|settings| settings.allowed_failures = 0.7);
    run(folder.path(), &files, &settings).expect("allowed");
    let beside = job::beside(&folder.path().join("out"));
    assert_eq!(job::text(&beside.join("failed/most.jsonl")), "[]\n[]\n");
}

#[test]
fn what_is_not_read_need_not_be_understood() {
    let line = |i: usize, value: &str| {
        format!("{{\"score\":{value},\"more\":[{value}],\"text\":\"words of number {i}\"}}\n")
    };
    let values = ["NaN", "Infinity", "-Infinity", "1E400", "123456789012345678901234567890"];
    let lines: String = values.iter().enumerate().map(|(i, value)| line(i, value)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let summary = run(folder.path(), &[("a.jsonl", &lines)], &standard()).expect("done").summary;
    assert_eq!((summary.inputs.failed, summary.inputs.compared), (0, 5));
    assert_eq!(job::text(&folder.path().join("out/a.jsonl")), lines);
}

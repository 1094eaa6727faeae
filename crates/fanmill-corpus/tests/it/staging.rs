//! The folder of a run: what it finds there, other runs at work, and what a failure leaves.

use std::fs;
use std::path::{Path, PathBuf};

use fanmill_corpus::dedup::{self, Keep};
use fanmill_corpus::passages;
use fanmill_text::progress::{Progress, Silent};

use crate::job;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn corpus(folder: &Path) -> PathBuf {
    let path = folder.join("a.jsonl");
    fs::write(&path, "{\"text\":\"one two\"}\n{\"text\":\"one two\"}\n{\"text\":\n")
        .expect("a file");
    path
}

#[test]
fn an_output_that_is_there_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = corpus(folder.path());
    let output = folder.path().join("out");
    fs::create_dir(&output).expect("a folder");
    fs::write(output.join("mine"), "precious").expect("a file");
    let refused = job::dedup(std::slice::from_ref(&path), &job::settings(), &output);
    let error = refused.expect_err("it is there");
    assert!(error.is_setting() && error.to_string().contains("is there and not empty"), "{error}");
    assert_eq!(names(folder.path()), ["a.jsonl", "out"]);
    assert_eq!(names(&output), ["mine"]);

    // An empty folder is the same as none.
    fs::remove_file(output.join("mine")).expect("removed");
    job::dedup(&[path], &job::settings(), &output).expect("done");
    assert_eq!(names(folder.path()), ["a.jsonl", "out", "out.fanmill"]);
    assert_eq!(names(&output), ["a.jsonl"]);
}

/// A file named like the summary is read only where a run of ours may have put it; a pipe, which might never end,
/// is not read at all.
#[cfg(unix)]
#[test]
fn an_output_with_a_pipe_in_it_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = corpus(folder.path());
    let output = folder.path().join("out");
    let beside = job::beside(&output);
    fs::create_dir(&beside).expect("a folder");
    let made = std::process::Command::new("mkfifo").arg(beside.join("summary.json")).status();
    assert!(made.expect("mkfifo").success());
    for partial in [None, Some("out.partial")] {
        if let Some(partial) = partial {
            fs::create_dir(folder.path().join(partial)).expect("a folder");
        }
        let refused = job::dedup(std::slice::from_ref(&path), &job::settings(), &output);
        let error = refused.expect_err("it is there");
        assert!(error.to_string().contains("is there and not empty"), "{error}");
    }
}

#[test]
fn a_second_run_at_the_same_time_is_refused() {
    struct Second(Vec<PathBuf>, PathBuf);
    impl Progress for Second {
        fn begin(&self, _: &'static str, _: u64) {
            let refused = job::dedup(&self.0, &job::settings(), &self.1);
            let error = refused.expect_err("the first is at work");
            assert!(error.is_busy() && error.to_string().contains("at work"), "{error}");
        }
        fn advance_by(&self, _: u64) {}
    }
    let folder = tempfile::tempdir().expect("a folder");
    let paths = vec![corpus(folder.path())];
    let output = folder.path().join("out");
    let (options, places) = (job::options(&Keep::First), job::to(&output));
    let second = Second(paths.clone(), output.clone());
    let first = dedup::run(&paths, &options, &job::settings(), &places, &second).expect("done");
    assert_eq!(first.now().expect("now").summary.counts.duplicates, 1);
}

#[test]
fn a_strict_run_ends_at_the_first_bad_record_and_leaves_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = corpus(folder.path());
    let output = folder.path().join("out");
    let settings = job::settings().with(|s| s.is_strict = true);
    let refused = job::dedup(std::slice::from_ref(&path), &settings, &output);
    let error = refused.expect_err("a bad record");
    assert!(
        error.is_input() && error.to_string().contains("record 3 of `a.jsonl`, at byte 38"),
        "{error}"
    );
    assert!(!output.exists());
    // The way out that the message names works.
    let outcome = job::dedup(&[path], &job::settings(), &output).expect("done");
    assert_eq!((outcome.summary.counts.bad, outcome.summary.run.resumed_records), (1, 0));
}

/// A job does not take over what a job of another kind has left.
#[test]
fn jobs_of_two_kinds_do_not_mix() {
    // Fails after the shard is written: the folder that becomes the output cannot be moved.
    struct Block(PathBuf);
    impl Progress for Block {
        fn begin(&self, step: &'static str, _: u64) {
            if step == "writing" {
                fs::create_dir(&self.0).expect("a folder");
                fs::write(self.0.join("in the way"), "").expect("a file");
            }
        }
        fn advance_by(&self, _: u64) {}
    }
    struct Stop;
    impl Progress for Stop {
        fn begin(&self, step: &'static str, _: u64) {
            assert!(step != "writing", "killed");
        }
        fn advance_by(&self, _: u64) {}
    }
    let folder = tempfile::tempdir().expect("a folder");
    let long = "one two three four five six seven";
    let line = |more: &str| format!("{{\"text\":\"{long}\\n{more}\"}}\n");
    let paths = vec![folder.path().join("a.jsonl")];
    fs::write(&paths[0], line("eight") + &line("quite another end of it all")).expect("a file");
    let output = folder.path().join("out");
    let (options, settings) = (job::options(&Keep::First), job::settings());
    let killed = std::panic::catch_unwind(|| {
        dedup::run(&paths, &options, &settings, &job::to(&output), &Stop)
    });
    assert!(killed.is_err());
    let by_line = job::by_line();
    let block = Block(output.clone());
    passages::run(&paths, &options, &by_line, &job::to(&output), &block).expect_err("in the way");
    fs::remove_dir_all(&output).expect("removed");
    dedup::run(&paths, &options, &settings, &job::to(&output), &Silent).expect("done");
    assert_eq!(job::text(&output.join("a.jsonl")), job::text(&paths[0]));
}

/// Tables lie beside the corpus, so that no shard can be replaced by one.
#[test]
fn shards_may_be_called_as_tables_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["summary.json", "removed.parquet.jsonl"].map(|name| folder.path().join(name));
    for path in &paths {
        fs::write(path, "{\"text\":\"one two\"}\n").expect("a file");
    }
    let output = folder.path().join("out");
    job::dedup(&paths, &job::settings(), &output).expect("done");
    assert_eq!(names(&output), ["removed.parquet.jsonl", "summary.json"]);
    let tables = ["clusters.parquet", "removed.parquet", "summary.json"];
    assert_eq!(names(&job::beside(&output)), tables);
}

/// The tables of another corpus are not replaced.
#[test]
fn tables_that_are_there_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = corpus(folder.path());
    let output = folder.path().join("out");
    job::dedup(std::slice::from_ref(&path), &job::settings(), &output).expect("done");
    fs::remove_dir_all(&output).expect("removed");
    let before = job::files(&output);
    let error = job::dedup(&[path], &job::settings(), &output).expect_err("tables are there");
    assert!(error.is_setting() && error.to_string().contains("out.fanmill"), "{error}");
    assert_eq!(job::files(&output), before);
}

/// Texts, a copy and a shard below folders of the same name would collide in the output.
#[test]
fn all_shards_are_written_under_names_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    };
    write("texts/texts/a.jsonl", "{\"text\":\"one\"}\n");
    write("texts/b.txt", "two");
    let given = write("other/b.txt", "three");
    let output = folder.path().join("out");
    let paths = [folder.path().join("texts"), given];
    let outcome = job::dedup(&paths, &job::settings(), &output).expect("done");
    assert_eq!((outcome.summary.counts.shards, outcome.summary.counts.kept), (2, 2));
    let mut texts = Vec::new();
    let mut folders = vec![output];
    while let Some(folder) = folders.pop() {
        for name in names(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "txt" || kind == "jsonl") {
                texts.push(job::text(&path));
            }
        }
    }
    texts.sort();
    assert_eq!(texts, ["three", "two", "{\"text\":\"one\"}\n"]);
}

/// A shard grows or shrinks during the run.
#[test]
fn an_input_that_changes_meanwhile_ends_the_run() {
    struct Change<'a>(&'a Path, &'static str, &'a str);
    impl Progress for Change<'_> {
        fn begin(&self, step: &'static str, _: u64) {
            if step == self.1 {
                fs::write(self.0, self.2).expect("written");
            }
        }
        fn advance_by(&self, _: u64) {}
    }
    let line = |text: &str| format!("{{\"text\":\"one two three four five {text}\"}}\n");
    let before = line("six") + &line("six") + &line("six seven") + &line("seven\\nseven");
    let longer = format!("{before}{}", line("eight"));
    let other = line("").repeat(4);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let paths = [path.clone(), folder.path().join("b.jsonl")];
    fs::write(&paths[1], line("six")).expect("a file");
    let by_line = job::by_line().with(|s| s.min_words = 1);
    let exact = job::settings().with(|s| s.search = dedup::Search::Exact);
    let options = job::options(&Keep::First);
    let output = folder.path().join("out");
    for now in [&*longer, &before[..before.len() / 2], "", "{\"text\":\n{\"text\":\n\n\n"] {
        for step in ["sorting", "comparing", "writing"] {
            fs::write(&path, &before).expect("a file");
            let change = Change(&path, step, now);
            let done = dedup::run(&paths, &options, &exact, &job::to(&output), &change);
            let error = done.expect_err("it has changed");
            assert!(error.is_input() && error.to_string().contains("`a.jsonl`"), "{error}");
            assert!(!output.exists());
        }
    }
    for now in [&*longer, &before[..before.len() / 2], "", &other] {
        fs::write(&path, &before).expect("a file");
        let change = Change(&path, "writing", now);
        let done = passages::run(&paths, &options, &by_line, &job::to(&output), &change);
        assert!(done.is_err_and(|error| error.is_input()), "{now}");
        assert!(!output.exists());
    }
}

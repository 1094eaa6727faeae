//! Faults of the disk, changed inputs and files in the way: no document is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fanmill_corpus::dedup::{self, Mode};
use fanmill_corpus::job::{CaseClashes, Places, RunEnd};
use fanmill_corpus::passages;
use fanmill_disk::replace::{Disk, Fault};
use fanmill_text::Result;
use fanmill_text::progress::{Progress, Silent};

use crate::job;

/// The jobs that write a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Job {
    Documents,
    Lines,
}

const JOBS: [Job; 2] = [Job::Documents, Job::Lines];

impl Job {
    /// Runs the job; returns whether there was anything to do.
    fn run(self, paths: &[PathBuf], places: &Places, progress: &dyn Progress) -> Result<bool> {
        let options = job::options(&job::settings().keep);
        match self {
            Job::Documents => {
                let ended = dedup::run(paths, &options, &job::settings(), places, progress)?;
                Ok(matches!(ended, RunEnd::Now(_)))
            }
            Job::Lines => {
                let settings = job::by_line().with(|s| s.min_words = 3);
                let ended = passages::run(paths, &options, &settings, places, progress)?;
                Ok(matches!(ended, RunEnd::Now(_)))
            }
        }
    }
}

/// All files below a folder with their bytes, without what differs between runs.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut tree, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(&inside).expect("a folder") {
            let entry = entry.expect("an entry");
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            let name = path.strip_prefix(folder).expect("inside").to_owned();
            if kind.is_dir() {
                tree.insert(name, Vec::new());
                open.push(path);
                continue;
            }
            let mut bytes = fs::read(&path).unwrap_or_default();
            if path.ends_with("out.fanmill/summary.json") {
                let mut summary: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
                summary["run"].take();
                bytes = summary.to_string().into_bytes();
            }
            tree.insert(name, bytes);
        }
    }
    tree
}

/// Removes an output and its tables.
fn remove_output(home: &Path) {
    for name in ["out", "out.fanmill"] {
        fs::remove_dir_all(home.join(name)).expect("removed");
    }
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("written");
}

/// A shard and loose files, with duplicates within and between them.
fn corpus(home: &Path) -> Vec<PathBuf> {
    let text =
        |n: usize| format!("one two three four five six seven {n}\neight nine ten eleven {n}");
    let line = |n: usize| format!("{}\n", serde_json::json!({"text": text(n)}));
    put(&home.join("shards/a.jsonl"), &[1, 2, 1, 3].map(line).concat());
    put(&home.join("shards/b.jsonl"), &[4, 1, 5].map(line).concat());
    for (name, n) in [("d/1.txt", 6), ("d/2.txt", 6), ("d/e/3.txt", 2), ("4.txt", 7)] {
        put(&home.join("in").join(name), &text(n));
    }
    put(&home.join("thesis.txt"), "precious");
    vec![home.join("shards"), home.join("in")]
}

/// Places on this disk.
fn on(home: &Path, disk: Disk) -> Places {
    Places { output: Some(home.join("out")), disk, ..Places::default() }
}

#[test]
fn many_small_shards_wait_for_the_disk_little_more_than_once_each() {
    for job in JOBS {
        let home = tempfile::tempdir().expect("a folder");
        for n in 0..300 {
            let line = serde_json::json!({"text": format!("one two three four {n} five six {n}")});
            put(&home.path().join(format!("shards/{n}.jsonl")), &format!("{line}\n"));
        }
        let counted = Disk::with_fault(Fault::Nothing);
        let paths = [home.path().join("shards")];
        job.run(&paths, &on(home.path(), counted.clone()), &Silent).expect("done");
        let n_syncs = counted.n_syncs();
        assert!((300..400).contains(&n_syncs), "{job:?}: {n_syncs}");
    }
}

/// Whichever step fails, finds the disk full or is the last, the output is whole or absent, and the same command then
/// writes the same files and leaves nothing beside them.
#[test]
fn a_run_that_breaks_off_at_any_step_is_made_good() {
    for job in JOBS {
        let start = tempfile::tempdir().expect("a folder");
        let paths = corpus(start.path());
        let counted = Disk::with_fault(Fault::Nothing);
        job.run(&paths, &on(start.path(), counted.clone()), &Silent).expect("done");
        let expected = tree(start.path());
        assert!(expected.contains_key(Path::new("out/in/d/1.txt")));
        let mut n_done_before = 0;
        for n in 0..counted.n_steps() {
            for fault in [Fault::Fails(n), Fault::Full(n), Fault::Killed(n)] {
                let home = tempfile::tempdir().expect("a folder");
                let paths = corpus(home.path());
                let done = job.run(&paths, &on(home.path(), Disk::with_fault(fault)), &Silent);
                let after = tree(home.path());
                let is_there = home.path().join("out").exists();
                let is_whole = expected.iter().all(|(name, bytes)| after.get(name) == Some(bytes));
                assert_eq!(is_there, is_whole, "{job:?} {fault:?}");
                assert!(
                    done.as_ref().map_or_else(fanmill_text::Error::is_io, |_| is_whole),
                    "{done:?}"
                );
                // More threads than before, or fewer, finish other shards together.
                let threads = rayon::ThreadPoolBuilder::new().num_threads(1 + n % 3);
                let again = threads
                    .build()
                    .expect("threads")
                    .install(|| job.run(&paths, &on(home.path(), Disk::default()), &Silent));
                match again {
                    Ok(has_worked) => n_done_before += usize::from(!has_worked),
                    // All was done but for the last write, for which the disk had no room.
                    Err(error) => {
                        assert!(is_whole && error.to_string().contains("not empty"), "{error}");
                    }
                }
                assert_eq!(tree(home.path()), expected, "{job:?} {fault:?}");
            }
        }
        assert!(n_done_before > 3, "{n_done_before}");
    }
}

/// Whatever is in the way of `OUT.partial` is named and left as it was; links are not followed.
#[test]
fn what_is_in_the_way_of_a_run_is_left_alone() {
    type Prepare = fn(&Path);
    let cases: [(&str, Prepare); 4] = [
        ("thesis.txt", |home| put(&home.join("out.partial/thesis.txt"), "precious")),
        // From an earlier version.
        ("out.partial", |home| {
            put(&home.join("out.partial/lock"), "");
            put(&home.join("out.partial/log"), "log");
            put(&home.join("out.partial/finished/a.jsonl"), "{}");
        }),
        ("not a folder", |home| put(&home.join("out.partial"), "precious")),
        ("out.partial", |home| {
            put(&home.join("far/away.txt"), "precious");
            fs::create_dir(home.join("out.partial")).expect("a folder");
            for name in ["lock", "log", "owner", "made"] {
                link(&home.join("far/away.txt"), &home.join("out.partial").join(name));
            }
        }),
    ];
    for job in JOBS {
        for (words, prepare) in cases {
            let home = tempfile::tempdir().expect("a folder");
            let paths = corpus(home.path());
            prepare(home.path());
            let before = tree(home.path());
            let error = job.run(&paths, &on(home.path(), Disk::default()), &Silent);
            let error = error.expect_err("refused");
            assert!(error.is_setting() && error.to_string().contains(words), "{error}");
            assert_eq!(tree(home.path()), before);
        }
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).expect("a link");
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) {
    fs::copy(from, to).map(drop).expect("copied");
}

#[cfg(unix)]
#[test]
fn a_partial_folder_that_is_a_link_is_not_followed() {
    for job in JOBS {
        let home = tempfile::tempdir().expect("a folder");
        let paths = corpus(home.path());
        put(&home.path().join("far/thesis.txt"), "precious");
        fs::create_dir(home.path().join("empty")).expect("a folder");
        for target in ["far", "empty", "nowhere"] {
            link(&home.path().join(target), &home.path().join("out.partial"));
            let before = tree(home.path());
            let error = job.run(&paths, &on(home.path(), Disk::default()), &Silent);
            assert!(error.expect_err("refused").to_string().contains("out.partial"), "{target}");
            assert_eq!(tree(home.path()), before);
            fs::remove_file(home.path().join("out.partial")).expect("removed");
        }
    }
}

/// Renaming a file between two runs renumbers all documents, and changes neither the total size nor the latest time.
#[test]
fn a_run_over_loose_files_does_not_go_on_after_a_rename() {
    let n_steps = {
        let home = tempfile::tempdir().expect("a folder");
        let disk = Disk::with_fault(Fault::Nothing);
        Job::Documents
            .run(&corpus(home.path()), &on(home.path(), disk.clone()), &Silent)
            .expect("done");
        disk.n_steps()
    };
    for n in (0..n_steps).step_by(3) {
        let home = tempfile::tempdir().expect("a folder");
        let paths = corpus(home.path());
        let killed = on(home.path(), Disk::with_fault(Fault::Killed(n)));
        Job::Documents.run(&paths, &killed, &Silent).expect_err("killed");
        if home.path().join("out").exists() {
            break;
        }
        fs::rename(home.path().join("in/d/1.txt"), home.path().join("in/d/z.txt"))
            .expect("renamed");
        Job::Documents.run(&paths, &on(home.path(), Disk::default()), &Silent).expect("done");
        let resumed = tree(&home.path().join("out"));
        remove_output(home.path());
        Job::Documents.run(&paths, &on(home.path(), Disk::default()), &Silent).expect("done");
        let fresh = tree(&home.path().join("out"));
        let without_summary = |tree: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<(PathBuf, Vec<u8>)> {
            let files = tree.iter().filter(|(name, _)| !name.ends_with("summary.json"));
            files.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
        };
        assert_eq!(without_summary(&resumed), without_summary(&fresh), "{n}");
        assert!(resumed.contains_key(Path::new("in/d/2.txt")));
    }
}

/// Replaces the bytes of a file at a step and restores its time, so that only the content has changed.
struct Swap<'a> {
    path: &'a Path,
    step: &'a str,
    now: &'a str,
}

impl Progress for Swap<'_> {
    fn begin(&self, step: &'static str, _: u64) {
        if step == self.step {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
            fs::write(self.path, self.now).expect("written");
            fs::File::options()
                .write(true)
                .open(self.path)
                .expect("opened")
                .set_modified(then)
                .expect("set");
        }
    }

    fn advance_by(&self, _: u64) {}
}

#[test]
fn a_shard_that_is_replaced_between_reading_and_writing_loses_nothing() {
    let line = |text: &str| format!("{{\"text\":\"some words and {text}\"}}\n");
    let before = ["some more", "some more", "unique"].map(line).concat();
    for job in JOBS {
        // The unique document takes the place of a duplicate, and the kept one is gone.
        for now in [["some more", "unique", "some more"], ["something", "some more", "unique"]] {
            let home = tempfile::tempdir().expect("a folder");
            let path = home.path().join("a.jsonl");
            let swap = |step, now| Swap { path: &path, step, now };
            let now = now.map(line).concat();
            assert_eq!(before.len(), now.len());
            swap("", &before).begin("", 0);
            let places = on(home.path(), Disk::default());
            let done = job.run(std::slice::from_ref(&path), &places, &swap("writing", &now));
            let error = done.expect_err("it is another shard");
            assert!(error.is_input() && error.to_string().contains("`a.jsonl`"), "{error}");
            assert!(!home.path().join("out").exists());
        }
    }
}

#[test]
fn a_marked_shard_that_is_replaced_is_noticed_too() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("a.jsonl");
    let (before, now) =
        ("{\"text\":\"a b\"}\n{\"text\":\"a b\"}\n", "{\"text\":\"a b\"}\n{\"text\":\"a c\"}\n");
    let swap = |step, now| Swap { path: &path, step, now };
    swap("", before).begin("", 0);
    let settings = job::settings().with(|s| s.mode = Mode::Mark);
    let options = job::options(&settings.keep);
    let places = on(home.path(), Disk::default());
    let paths = std::slice::from_ref(&path);
    let done = dedup::run(paths, &options, &settings, &places, &swap("writing", now));
    let error = done.expect_err("it is another shard");
    assert!(error.to_string().contains("record 2 of `a.jsonl`"), "{error}");
}

/// The output, for each way to name the inputs.
#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_are_written_each_for_itself() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let names = [&b"a\xff.txt"[..], b"a\xfe.txt", b"b\xff.jsonl", b"b\xfe.jsonl"];
    for job in JOBS {
        let home = tempfile::tempdir().expect("a folder");
        let paths = names.map(|name| home.path().join("in").join(OsStr::from_bytes(name)));
        for (n, path) in paths.iter().enumerate() {
            let text = format!("text {n} alone");
            let is_text = path.extension().is_some_and(|extension| extension == "txt");
            put(path, &if is_text { text } else { format!("{{\"text\":\"{text}\"}}\n") });
        }
        for given in [vec![home.path().join("in")], paths.to_vec()] {
            job.run(&given, &on(home.path(), Disk::default()), &Silent).expect("done");
            let written = tree(&home.path().join("out"));
            for (name, path) in names.iter().zip(&paths) {
                let ends = |(written, _): &(&PathBuf, &Vec<u8>)| {
                    written.ends_with(OsStr::from_bytes(name))
                };
                let bytes = written.iter().find(ends).map(|(_, bytes)| bytes.clone());
                assert_eq!(bytes, Some(fs::read(path).expect("there")), "{job:?} {path:?}");
            }
            remove_output(home.path());
        }
    }
}

/// Linux distinguishes such names; other systems do not allow them.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_one_without_case_are_refused_before_anything_is_written() {
    for [first, second] in [
        ["README", "readme"],
        ["a/x.txt", "A/y.txt"],
        ["é.jsonl", "e\u{301}.jsonl"],
        ["R.css", "r.css"],
        [".A/x", ".a/y"],
        ["A/x.txt", "a/y.css"],
    ] {
        for job in JOBS {
            let home = tempfile::tempdir().expect("a folder");
            for name in [first, second] {
                put(&home.path().join("in").join(name), "{\"text\":\"one two three\"}\n");
            }
            let before = tree(home.path());
            let mut places = on(home.path(), Disk::default());
            let paths = vec![home.path().join("in")];
            let error = job.run(&paths, &places, &Silent).expect_err("refused");
            let text = error.to_string();
            let named = |name: &str| text.contains(name.split('/').next().unwrap_or_default());
            assert!(error.is_setting() && named(first) && named(second), "{text}");
            assert_eq!(tree(home.path()), before);
            places.clashes = CaseClashes::Allowed;
            job.run(&paths, &places, &Silent).expect("allowed");
        }
    }
}

/// Temporary files have no names, in whatever folder they are.
#[test]
fn nothing_temporary_is_left_by_a_run_that_was_killed() {
    let home = tempfile::tempdir().expect("a folder");
    let (paths, temp) = (corpus(home.path()), home.path().join("temp"));
    fs::create_dir(&temp).expect("a folder");
    for n in [5, 20, 40] {
        let disk = Disk::with_fault(Fault::Killed(n));
        let places = Places { temp: Some(temp.clone()), ..on(home.path(), disk.clone()) };
        Job::Documents.run(&paths, &places, &Silent).expect_err("killed");
        assert!(tree(&temp).is_empty());
        // Without an output, what must have a name is in a folder that the next run removes.
        let settings = job::settings().with(|s| s.mode = Mode::Report);
        let options = job::options(&settings.keep);
        let report = |disk| {
            let places = Places { temp: Some(temp.clone()), disk, ..Places::default() };
            dedup::run(&paths, &options, &settings, &places, &Silent)
        };
        report(Disk::with_fault(Fault::Killed(8))).expect_err("killed");
        assert_eq!(fs::read_dir(&temp).expect("a folder").count(), 1);
        report(Disk::default()).expect("done");
        assert!(tree(&temp).is_empty());
    }
}

/// A file that is copied without being read.
fn beside(home: &Path) {
    put(&home.join("in/d/old.png"), "GIF89a");
    put(&home.join("in/.git/config"), "[core]");
}

type Change = fn(&Path);

/// Ways to change it.
const CHANGES: [Change; 4] = [
    |home| put(&home.join("in/d/new.png"), "GIF89a new"),
    |home| put(&home.join("in/d/old.png"), "GIF89a changed"),
    |home| fs::remove_file(home.join("in/.git/config")).expect("removed"),
    |home| fs::rename(home.join("in/d/old.png"), home.join("in/d/e/old.png")).expect("renamed"),
];

/// Files beside the texts may change between two runs: what was read of the texts is still used, and the files are
/// copied as they are now.
#[test]
fn a_resumed_run_copies_what_lies_beside_the_texts_now() {
    let run = |home: &Path, disk: Disk| {
        let options = job::options(&job::settings().keep);
        let paths = [home.join("shards"), home.join("in")];
        let ended = dedup::run(&paths, &options, &job::settings(), &on(home, disk), &Silent)?;
        Result::Ok(ended.now().expect("now").summary)
    };
    let start = tempfile::tempdir().expect("a folder");
    corpus(start.path());
    beside(start.path());
    let counted = Disk::with_fault(Fault::Nothing);
    run(start.path(), counted.clone()).expect("done");
    for change in CHANGES {
        let mut resumed = Vec::new();
        for n in (0..counted.n_steps()).step_by(4) {
            let home = tempfile::tempdir().expect("a folder");
            corpus(home.path());
            beside(home.path());
            run(home.path(), Disk::with_fault(Fault::Killed(n))).expect_err("killed");
            if home.path().join("out").exists() {
                break;
            }
            change(home.path());
            let summary = run(home.path(), Disk::default()).expect("done");
            resumed.push(summary.run.resumed_records);
            let [input, output] = ["in", "out/in"].map(|name| tree(&home.path().join(name)));
            let is_beside = |name: &Path| {
                name.starts_with(".git") || name.extension().is_some_and(|e| e == "png")
            };
            let copies = |tree: BTreeMap<PathBuf, Vec<u8>>| -> Vec<(PathBuf, Vec<u8>)> {
                tree.into_iter().filter(|(name, _)| is_beside(name)).collect()
            };
            let files = |copies: Vec<(PathBuf, Vec<u8>)>| -> Vec<(PathBuf, Vec<u8>)> {
                copies.into_iter().filter(|(name, _)| name != Path::new(".git")).collect()
            };
            assert_eq!(files(copies(input)), files(copies(output)), "{n}");
        }
        assert_eq!((resumed.first(), resumed.last()), (Some(&0), Some(&11)), "{resumed:?}");
    }
}

/// Within one run, the file was counted before it changed.
#[test]
fn what_lies_beside_the_texts_and_changes_meanwhile_ends_the_run() {
    struct Meanwhile<'a>(Change, &'a Path);
    impl Progress for Meanwhile<'_> {
        fn begin(&self, step: &'static str, _: u64) {
            if step == "writing" {
                self.0(self.1);
            }
        }
        fn advance_by(&self, _: u64) {}
    }
    for job in JOBS {
        for change in CHANGES {
            let home = tempfile::tempdir().expect("a folder");
            let paths = corpus(home.path());
            beside(home.path());
            let places = on(home.path(), Disk::default());
            let done = job.run(&paths, &places, &Meanwhile(change, home.path()));
            let error = done.expect_err("it has changed");
            assert!(error.is_input() && error.to_string().contains("has changed since"), "{error}");
            assert!(!home.path().join("out").exists());
        }
    }
}

/// Fails the test if anything is read.
struct Unread;

impl Progress for Unread {
    fn begin(&self, step: &'static str, _: u64) {
        panic!("{step} has begun");
    }

    fn advance_by(&self, _: u64) {}
}

#[test]
fn a_rule_by_a_field_that_files_do_not_have_is_refused_before_anything_is_read() {
    let home = tempfile::tempdir().expect("a folder");
    put(&home.path().join("in/a.txt"), "one two three");
    let settings = job::settings().with(|s| s.keep = "newest:date".parse().expect("a rule"));
    let (options, places) = (job::options(&settings.keep), on(home.path(), Disk::default()));
    let paths = [home.path().join("in")];
    let error = dedup::run(&paths, &options, &settings, &places, &Unread).expect_err("refused");
    assert!(error.is_setting() && error.to_string().contains("`date`"), "{error}");
    assert!(!home.path().join("out.partial").exists());
}

/// In JSON lines, this shows only after all records were read. Another run cannot use what was read.
#[test]
fn a_rule_that_no_record_can_follow_leaves_nothing_behind() {
    let home = tempfile::tempdir().expect("a folder");
    put(&home.path().join("in.jsonl"), "{\"text\":\"one\"}\n{\"text\":\"two\"}\n");
    let before = tree(home.path());
    let settings = job::settings().with(|s| s.keep = "newest:date".parse().expect("a rule"));
    let (options, places) = (job::options(&settings.keep), on(home.path(), Disk::default()));
    let paths = [home.path().join("in.jsonl")];
    let error = dedup::run(&paths, &options, &settings, &places, &Silent).expect_err("refused");
    assert!(error.is_setting() && error.to_string().contains("newest"), "{error}");
    assert_eq!(tree(home.path()), before);
}

#[test]
fn standard_input_is_read_alone() {
    let home = tempfile::tempdir().expect("a folder");
    put(&home.path().join("a.jsonl"), "{\"text\":\"one\"}\n");
    let (options, places) = (job::options(&job::settings().keep), on(home.path(), Disk::default()));
    let paths = [PathBuf::from("-"), home.path().join("a.jsonl")];
    let error = dedup::run(&paths, &options, &job::settings(), &places, &Unread).expect_err("two");
    assert!(error.is_setting() && error.to_string().contains("standard input"), "{error}");
}

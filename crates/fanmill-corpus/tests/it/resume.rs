//! Interrupted runs: the next one resumes, and writes what an uninterrupted run would have written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fanmill_corpus::dedup::log::framed;
use fanmill_corpus::dedup::{self, Mode, Outcome, Search, Settings};
use fanmill_corpus::runs::{self, MinLength};
use fanmill_records::format::Options;
use fanmill_text::progress::{Progress, Silent};

use crate::job;
use crate::steady::write_corpus;

/// Saves, every few records, what a killed run would leave.
struct Witness {
    /// The folder that the run works in.
    partial: PathBuf,
    /// Where copies go.
    copies: PathBuf,
    seen: Mutex<(u64, Vec<PathBuf>)>,
}

impl Witness {
    fn new(output: &Path, copies: &Path) -> Witness {
        let partial = partial(output);
        Witness { partial, copies: copies.to_owned(), seen: Mutex::default() }
    }

    /// The outputs for which a killed run has left a folder.
    fn outputs(self) -> Vec<PathBuf> {
        self.seen.into_inner().expect("whole").1
    }

    fn look(&self) {
        let mut seen = self.seen.lock().expect("whole");
        seen.0 += 1;
        let copy = self.copies.join(format!("killed{}", seen.0));
        copy_folder(&self.partial, &partial(&copy));
        seen.1.push(copy);
    }
}

impl Progress for Witness {
    fn begin(&self, _: &'static str, _: u64) {
        self.look();
    }

    fn advance_by(&self, _: u64) {
        if self.seen.lock().expect("whole").0 < 200 {
            self.look();
        }
    }
}

fn partial(output: &Path) -> PathBuf {
    output.with_file_name(format!(
        "{}.partial",
        output.file_name().expect("a name").to_string_lossy()
    ))
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

/// A corpus in three shards.
fn corpus(folder: &Path) -> Vec<PathBuf> {
    let names = ["a.jsonl", "b.jsonl", "c.jsonl"];
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    write_corpus(&paths[0], 150, 30);
    write_corpus(&paths[1], 100, 25);
    // They begin with the words of the shard before: near-duplicates across shards.
    fs::copy(&paths[0], &paths[2]).expect("copied");
    paths
}

fn options(batch_bytes: usize) -> Options {
    Options { batch_bytes, ..Options::standard() }
}

fn run(paths: &[PathBuf], settings: &Settings, output: &Path, batch: usize) -> Outcome {
    dedup::run(paths, &options(batch), settings, &job::to(output), &Silent)
        .expect("done")
        .now()
        .expect("now")
}

#[test]
fn a_run_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = corpus(folder.path());
    for (mode, search) in [(Mode::Remove, Settings::standard().search), (Mode::Mark, Search::Exact)]
    {
        let settings = job::settings().with(|s| {
            s.mode = mode;
            s.search = search;
        });
        let place = folder.path().join(mode.to_string());
        fs::create_dir(&place).expect("a folder");
        let whole = place.join("whole");
        let witness = Witness::new(&whole, &place);
        let done = dedup::run(&paths, &options(2000), &settings, &job::to(&whole), &witness);
        let n_records = done.expect("done").now().expect("now").summary.counts.records;
        let expected = job::files(&whole);
        let mut resumed = Vec::new();
        for (i, output) in witness.outputs().into_iter().enumerate() {
            // Another batch size, as other memory settings give.
            let batch = if i % 2 == 0 { 2000 } else { 700 };
            resumed.push(run(&paths, &settings, &output, batch).summary.run.resumed_records);
            assert!(job::files(&output) == expected, "{mode} {i}");
            assert!(!partial(&output).exists());
        }
        assert_eq!((resumed[0], resumed.last()), (0, Some(&n_records)));
        assert!(resumed.iter().any(|&n| n > 0 && n < n_records), "{resumed:?}");
    }
}

/// Hashes are under new keys, but what is cut is the same, so shards that are written stay.
#[test]
fn a_killed_run_over_repeated_runs_keeps_its_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = corpus(folder.path());
    for mode in [Mode::Remove, Mode::Mark] {
        let settings = runs::Settings::standard().with(|s| {
            s.length = MinLength::Words(8);
            s.memory = job::LITTLE;
            s.mode = mode;
        });
        let place = folder.path().join(mode.to_string());
        fs::create_dir(&place).expect("a folder");
        let whole = place.join("whole");
        let witness = Witness::new(&whole, &place);
        let run = |output: &Path, progress: &dyn Progress| {
            let ended = runs::run(&paths, &options(2000), &settings, &job::to(output), progress);
            ended.expect("done").now().expect("now")
        };
        assert!(run(&whole, &witness).counts.removed.documents > 10);
        let expected = job::files(&whole);
        let mut kept = BTreeSet::new();
        for (i, output) in witness.outputs().into_iter().enumerate() {
            let finished = fs::read_to_string(partial(&output).join("made")).expect("a list");
            kept.insert(finished.matches("shards").count());
            run(&output, &Silent);
            assert!(job::files(&output) == expected, "{mode} {i}");
            assert!(!partial(&output).exists());
        }
        assert!(kept.len() > 1, "{kept:?} shards were written when runs were killed");
    }
}

/// Skipped and degraded records are counted once, whichever run met them.
#[test]
fn a_resumed_run_has_the_account_of_a_whole_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let response = |kind: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}");
        let n = block.len();
        format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {n}\r\n\r\n{block}\r\n\r\n")
    };
    let archive: String = (0..120)
        .map(|n| match n % 3 {
            0 => response("text/plain", &format!("text {n}")),
            _ => response("image/png", &"x".repeat(n)),
        })
        .collect();
    let lines = "{\"text\":null}\n".repeat(60);
    let paths = [("a.warc", archive), ("b.jsonl", lines)].map(|(name, content)| {
        fs::write(folder.path().join(name), content).expect("written");
        folder.path().join(name)
    });
    let settings = job::settings();
    let whole = folder.path().join("whole");
    let witness = Witness::new(&whole, folder.path());
    let done = dedup::run(&paths, &options(2000), &settings, &job::to(&whole), &witness);
    let summary = done.expect("done").now().expect("now").summary;
    let inputs = summary.inputs;
    assert_eq!((inputs.seen, inputs.compared, inputs.degraded, inputs.skipped), (180, 40, 60, 80));
    for (i, output) in witness.outputs().into_iter().enumerate() {
        let batch = if i % 2 == 0 { 2000 } else { 700 };
        let resumed = run(&paths, &settings, &output, batch).summary;
        assert_eq!((resumed.inputs, &resumed.skipped), (inputs, &summary.skipped), "{i}");
        assert_eq!(resumed.degraded, summary.degraded, "{i}");
    }
}

/// A finished run, and what it would have left if killed at each of its steps.
struct Done {
    paths: Vec<PathBuf>,
    expected: Vec<(String, Vec<u8>)>,
    outputs: Vec<PathBuf>,
}

fn done(folder: &Path, settings: &Settings) -> Done {
    let (paths, whole) = (corpus(folder), folder.join("whole"));
    let witness = Witness::new(&whole, folder);
    dedup::run(&paths, &options(2000), settings, &job::to(&whole), &witness).expect("done");
    Done { paths, expected: job::files(&whole), outputs: witness.outputs() }
}

#[test]
fn a_log_that_is_damaged_counts_as_far_as_it_is_sound() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = job::settings();
    let Done { paths, expected, outputs } = done(folder.path(), &settings);
    let last = outputs.last().expect("one");
    let log = fs::read(partial(last).join("log")).expect("a log");
    let mut resumed = Vec::new();
    for i in 0..40 {
        let output = folder.path().join(format!("damaged{i}"));
        copy_folder(&partial(last), &partial(&output));
        let mut log = log.clone();
        let at = (i * 7919 + 13) % log.len();
        match i % 3 {
            0 => log.truncate(at),
            1 => log[at] ^= 0x40,
            _ => log.extend(std::iter::repeat_n(i as u8, 1 + at % 300)),
        }
        fs::write(partial(&output).join("log"), log).expect("written");
        let outcome = run(&paths, &settings, &output, 2000);
        assert!(job::files(&output) == expected, "{i}");
        resumed.push(outcome.summary.run.resumed_records);
    }
    assert!(resumed.iter().collect::<std::collections::BTreeSet<_>>().len() > 5, "{resumed:?}");
}

/// The head of a frame: its shard, whether the shard ends with it, the records before it, and its own.
fn frame(shard: u32, is_last: u8, first: u64, n_records: u32, entries: &[u8]) -> Vec<u8> {
    let (first, n_records) = (first.to_le_bytes(), n_records.to_le_bytes());
    framed(&[&shard.to_le_bytes()[..], &[is_last], &first, &n_records, entries].concat())
}

/// Damage that has valid checksums.
#[test]
fn frames_that_cannot_come_next_are_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = job::settings();
    let Done { paths, expected, outputs } = done(folder.path(), &settings);
    let is_begun = |output: &&PathBuf| {
        fs::metadata(partial(output).join("log")).is_ok_and(|log| log.len() > 0)
    };
    let first = outputs.iter().find(is_begun).expect("one with a log");
    let log = fs::read(partial(first).join("log")).expect("a log");
    let skipped = [&[4][..], &[0; 8], &1_u32.to_le_bytes(), b"x"].concat();
    let hostile = [
        frame(1000, 0, 0, 0, &[]),
        frame(1, 0, 0, 0, &[]),
        frame(0, 0, u64::MAX, 0, &skipped),
        frame(0, 0, 0, 7, &[]),
        frame(0, 0, 0, 0, &[9]),
        frame(0, 0, 0, 0, &[[0; 61].as_slice(), &[255; 8]].concat()),
        framed(&[0; 16]),
        framed(b""),
    ];
    for (i, frame) in hostile.iter().enumerate() {
        let output = folder.path().join(format!("hostile{i}"));
        copy_folder(&partial(first), &partial(&output));
        fs::write(partial(&output).join("log"), [&log, &frame[..]].concat()).expect("written");
        run(&paths, &settings, &output, 2000);
        assert!(job::files(&output) == expected, "{i}");
    }
}

#[test]
fn another_input_or_other_settings_start_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = corpus(folder.path());
    let settings = job::settings();
    let whole = folder.path().join("whole");
    let witness = Witness::new(&whole, folder.path());
    dedup::run(&paths, &options(2000), &settings, &job::to(&whole), &witness).expect("done");
    let outputs = witness.outputs();
    let last = outputs.last().expect("one");
    let start = |name: &str, paths: &[PathBuf], settings: &Settings, resumes: bool| {
        let output = folder.path().join(name);
        copy_folder(&partial(last), &partial(&output));
        let outcome = run(paths, settings, &output, 2000);
        assert_eq!(outcome.summary.run.resumed_records > 0, resumes, "{name}");
        let fresh = folder.path().join(format!("{name} fresh"));
        run(paths, settings, &fresh, 2000);
        assert!(job::files(&output) == job::files(&fresh), "{name}");
    };
    start("same", &paths, &settings, true);
    start("memory", &paths, &settings.clone().with(|s| s.memory = 1 << 30), true);
    start("words", &paths, &settings.clone().with(|s| s.words = 3), false);
    start("mark", &paths, &settings.clone().with(|s| s.mode = Mode::Mark), false);
    start("fewer", &paths[..2], &settings, false);
    start("order", &[paths[1].clone(), paths[0].clone(), paths[2].clone()], &settings, false);
    let mut text = fs::read_to_string(&paths[1]).expect("a text");
    text += "{\"text\":\"one more\"}\n";
    fs::write(&paths[1], text).expect("written");
    start("longer", &paths, &settings, false);
}

//! Peak memory of jobs with `--memory`, on twelve shapes of input, as the operating system counts it. `.ci/memory` takes
//! all (`SHAPES=all`) and prints a line for each.
//!
//! A binary of its own, so that no other test takes the processors while peaks are looked at. A peak only grows, and is
//! read until the program ends.

#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "the figures")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tempfile::TempDir;

/// Memory that every job may take on top of `--memory`, in MiB.
const OF_PROGRAM: u64 = 64;

/// The shapes that are looked at without `SHAPES=all`.
const SAMPLE: [&str; 3] = ["giant.jsonl", "dictionary.parquet", "files"];

fn is_all() -> bool {
    std::env::var("SHAPES").is_ok_and(|shapes| shapes == "all")
}

/// Random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Makes about `n_bytes` of words, of 20,000.
    fn prose(&mut self, n_bytes: usize) -> String {
        const PARTS: [&str; 8] = ["ra", "mo", "ti", "ne", "sul", "ka", "po", "wen"];
        let mut text = String::with_capacity(n_bytes + 16);
        while text.len() < n_bytes {
            let mut word = self.below(20_000);
            while word > 0 {
                text.push_str(PARTS[(word % 8) as usize]);
                word /= 8;
            }
            text.push(' ');
        }
        text
    }

    /// Makes `n_bytes` of words of one letter.
    fn letters(&mut self, n_bytes: usize) -> String {
        let mut text = String::with_capacity(n_bytes + 1);
        while text.len() < n_bytes {
            text.push((b'a' + self.below(26) as u8) as char);
            text.push(' ');
        }
        text
    }
}

fn lines(path: &Path, texts: impl Iterator<Item = String>) {
    let mut all = String::new();
    for (number, text) in texts.enumerate() {
        writeln!(all, r#"{{"id":"{number}","text":"{text}"}}"#).expect("memory takes all");
    }
    fs::write(path, all).expect("room");
}

fn parquet(path: &Path, texts: ArrayRef, has_dictionary: bool) {
    let rows = RecordBatch::try_from_iter([("text", texts)]).expect("a column");
    let how = WriterProperties::builder()
        .set_dictionary_enabled(has_dictionary)
        .set_dictionary_page_size_limit(1 << 30)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut file =
        ArrowWriter::try_new(File::create(path).expect("room"), rows.schema(), Some(how))
            .expect("a writer");
    file.write(&rows).expect("written");
    file.close().expect("whole");
}

fn folder(path: &Path, files: impl Iterator<Item = String>) {
    fs::create_dir(path).expect("made");
    for (number, text) in files.enumerate() {
        fs::write(path.join(format!("{number:05}.txt")), text).expect("room");
    }
}

/// Corpora of some 4 to 200 MB when they are unpacked.
const SHAPES: [&str; 12] = [
    "tiny.jsonl",
    "giant.jsonl",
    "equal.jsonl",
    "bomb.jsonl.zst",
    "deep.jsonl",
    "dictionary.parquet",
    "rows.parquet",
    "letters.jsonl",
    "periodic.jsonl",
    "shards",
    "long-words.jsonl",
    "files",
];

/// Makes the corpus of a shape at a path.
fn make(shape: &str, path: &Path) {
    let mut random = Random(7);
    match shape {
        "tiny.jsonl" => lines(path, (0..150_000).map(|_| random.prose(30))),
        "giant.jsonl" => lines(path, (0..4).map(|_| random.prose(13_000_000))),
        "equal.jsonl" => {
            let same = random.prose(5000);
            lines(path, (0..8000).map(|_| same.clone()));
        }
        "bomb.jsonl.zst" => bomb(path),
        "deep.jsonl" => deep(path, &mut random),
        "dictionary.parquet" => {
            let texts: Vec<String> = (0..250).map(|_| random.prose(50_000)).collect();
            let rows: DictionaryArray<Int32Type> =
                (0..2000).map(|row| Some(texts[row % texts.len()].as_str())).collect();
            parquet(path, Arc::new(rows), true);
        }
        "rows.parquet" => {
            let row = random.prose(10_000);
            let rows = StringArray::from_iter_values((0..10_000).map(|_| &row));
            parquet(path, Arc::new(rows), false);
        }
        "letters.jsonl" => lines(path, (0..8).map(|_| random.letters(3_000_000))),
        "periodic.jsonl" => lines(path, (0..40).map(|_| random.prose(300).repeat(2000))),
        "shards" => {
            fs::create_dir(path).expect("made");
            for shard in 0..1000 {
                let texts: Vec<String> = (0..4).map(|_| random.prose(400)).collect();
                lines(&path.join(format!("{shard:04}.jsonl")), texts.into_iter());
            }
        }
        "long-words.jsonl" => {
            lines(path, (0..8).map(|_| random.prose(3_000_000).replace(' ', "")));
        }
        "files" => folder(path, (0..6000).map(|_| random.prose(600))),
        other => panic!("no shape {other}"),
    }
}

fn bomb(path: &Path) {
    let file = File::create(path).expect("room");
    let mut out = zstd::Encoder::new(file, 3).expect("begun");
    for _ in 0..40 {
        writeln!(out, r#"{{"text":"{}"}}"#, " x".repeat(2_000_000)).expect("room");
    }
    out.finish().expect("whole");
}

fn deep(path: &Path, random: &mut Random) {
    let deep = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    let mut nested = String::new();
    for _ in 0..60 {
        let deep = [&*deep; 300].join(",");
        let line = format!(r#"{{"x":[{deep}],"text":"{}"}}"#, random.prose(3000));
        writeln!(nested, "{line}").expect("memory takes all");
    }
    fs::write(path, nested).expect("room");
}

/// Runs the program; returns its peak in MiB, its exit status, and its messages.
fn peak_of(place: &Path, arguments: &[&str]) -> (u64, i32, String) {
    let messages = File::create(place.join("messages")).expect("room");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fanmill"))
        .args(arguments)
        .args(["--quiet", "--threads", "2"])
        .current_dir(place)
        .stdout(Stdio::null())
        .stderr(messages)
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        let known = fs::read_to_string(&status).unwrap_or_default();
        let kib = known.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = kib.and_then(|kib| kib.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = kib.unwrap_or(0).max(peak);
        if let Some(ended) = child.try_wait().expect("waited") {
            break ended;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let said = fs::read_to_string(place.join("messages")).expect("messages");
    (peak >> 10, ended.code().unwrap_or(-1), said)
}

#[test]
fn jobs_keep_to_their_memory_on_all_shapes() {
    let place = TempDir::new().expect("a folder");
    let mut over = Vec::new();
    let mut check = |job: &str, shape: &str, memory: u64, arguments: &[&str]| {
        let memory_flag = format!("{memory}MiB");
        let arguments = [arguments, &["--memory", &memory_flag]].concat();
        let (peak, status, said) = peak_of(place.path(), &arguments);
        let most = memory + OF_PROGRAM;
        println!("{job:24} --memory {memory:3} MiB {shape:20} {peak:4} MiB of {most}");
        if status != 0 || peak > most {
            over.push(format!("{job} {shape}: {peak} MiB of {most}, status {status}: {said}"));
        }
        for made in ["out", "out.fanmill", "ix"] {
            let _ = fs::remove_dir_all(place.path().join(made));
        }
    };
    for shape in SHAPES.into_iter().filter(|shape| is_all() || SAMPLE.contains(shape)) {
        make(shape, &place.path().join(shape));
        check("dedup", shape, 32, &["dedup", shape, "-o", "out"]);
        // A text of a dictionary cannot be given a new one.
        if shape != "dictionary.parquet" {
            check(
                "dedup --unit line",
                shape,
                128,
                &["dedup", shape, "-o", "out", "--unit", "line"],
            );
        }
        // The bomb repeats one gram, and all places of a gram are in memory while segments are merged.
        if shape != "bomb.jsonl.zst" {
            check("index add", shape, 160, &["index", "add", "ix", shape]);
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

/// Above its limit, a run ends with an error that names the limit, and leaves nothing behind.
#[test]
fn a_run_above_its_memory_ends_with_a_message() {
    let place = TempDir::new().expect("a folder");
    let mut random = Random(3);
    folder(&place.path().join("new"), (0..40).map(|_| random.letters(1_000_000)));
    // Its peak depends on how soon the system lets it look at its memory, so it is not tested here.
    let (_, status, said) =
        peak_of(place.path(), &["compare", "new", "-o", "report", "--memory", "64MiB"]);
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains("above --memory, 64 MiB") && said.contains("compare fewer texts"),
        "{said}"
    );
    let mut left: Vec<String> = fs::read_dir(place.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["messages", "new"]);
    let (_, status, said) = peak_of(place.path(), &["compare", "new", "--memory", "1MiB"]);
    assert!(status == 2 && said.contains("below the limit of 32 MiB"), "{said}");
}

/// Bytes that a byte of text may take in a comparison where a token is a letter, and of prose.
const OF_LETTERS: f64 = 17.0;
const OF_PROSE: f64 = 10.0;

#[test]
fn a_byte_of_text_takes_no_more_than_its_share() {
    let place = TempDir::new().expect("a folder");
    let mut random = Random(5);
    // Each pair of texts of letters takes as long as a thousand of prose.
    let kinds = if is_all() { 0..2 } else { 1..2 };
    for (name, most) in [("letters", OF_LETTERS), ("prose", OF_PROSE)][kinds].iter().copied() {
        let peaks = [24, 60].map(|n| {
            let path = format!("{name}{n}");
            let mut n_bytes = 0;
            let text = |_| {
                let text =
                    if name == "prose" { random.prose(400_000) } else { random.letters(200_000) };
                n_bytes += text.len();
                text
            };
            folder(&place.path().join(&path), (0..n).map(text));
            let (peak, status, said) = peak_of(place.path(), &["compare", &path]);
            assert_eq!(status, 0, "{said}");
            (n_bytes, peak << 20)
        });
        let each = (peaks[1].1 - peaks[0].1) as f64 / (peaks[1].0 - peaks[0].0) as f64;
        println!("compare {name}: {each:.1} bytes a byte");
        assert!(each <= most, "{name}: {each:.1} bytes a byte");
    }
}

//! The same bytes at any number of threads, with any memory, in batches of any size.

use std::fs;
use std::path::{Path, PathBuf};

use fanmill_corpus::ShortTexts;
use fanmill_corpus::dedup::{self, Keep, Measure, Mode, Search};
use fanmill_corpus::job::Places;
use fanmill_corpus::passages;
use fanmill_records::format::Options;
use fanmill_sketch::lsh::verify::Threshold;
use fanmill_text::progress::{Progress, Silent};

use crate::job;

/// Numbers that are the same in every run and look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Writes `n` documents of `n_words` words; of every three, the last two are variants of the first.
pub(crate) fn write_corpus(path: &Path, n: usize, n_words: usize) {
    let mut random = Random(5);
    let mut text = String::new();
    let mut words: Vec<u64> = Vec::new();
    for i in 0..n {
        if i % 3 != 0 {
            let at = random.below(n_words as u64) as usize;
            words[at] = random.below(1000);
        } else {
            words = (0..n_words).map(|_| random.below(1000)).collect();
        }
        let shown: Vec<String> = words.iter().map(u64::to_string).collect();
        text.extend([format!(
            "{{\"text\":\"{}\",\"score\":{}}}\n",
            shown.join(" "),
            random.below(50)
        )]);
        if i % 1000 == 77 {
            text += "{\"text\":\n\n";
        }
    }
    fs::write(path, text).expect("a file");
}

/// Removes the folder for temporary files, so that a run that needs it fails.
struct RemovedMember(PathBuf);

impl Progress for RemovedMember {
    fn begin(&self, _: &'static str, _: u64) {
        // It may be gone already, at the second step.
        let _ = fs::remove_dir_all(&self.0);
    }

    fn advance_by(&self, _: u64) {}
}

/// Runs with this number of threads.
fn with_threads<T: Send>(n: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads").install(run)
}

/// Threads, memory, and bytes in a batch.
const WAYS: [(usize, usize, usize); 3] =
    [(1, 1 << 30, 1 << 15), (2, job::LITTLE, 1 << 13), (8, job::LITTLE, 1 << 20)];

/// All settings give the same files; the disk is used only if memory is small.
fn is_steady(
    folder: &Path,
    run: impl Fn(usize, usize, &Places, &dyn Progress) -> fanmill_text::Result<()> + Sync,
) {
    let without_disk = |memory: usize, output: PathBuf| {
        let temp = folder.join(format!("temp{memory}"));
        fs::create_dir(&temp).expect("a folder");
        let places = Places { output: Some(output), temp: Some(temp.clone()), ..Places::default() };
        run(memory, 1 << 20, &places, &RemovedMember(temp))
    };
    let whole = folder.join("whole");
    without_disk(1 << 30, whole.clone()).expect("all fits into memory");
    without_disk(job::LITTLE, folder.join("none")).expect_err("it does not fit");
    let expected = job::files(&whole);
    for (threads, memory, batch) in WAYS {
        let output = folder.join(format!("out{threads}"));
        with_threads(threads, || run(memory, batch, &job::to(&output), &Silent)).expect("done");
        assert!(job::files(&output) == expected, "{threads} {memory} {batch}");
    }
}

fn options(batch_bytes: usize, keep: &Keep) -> Options {
    Options { batch_bytes, ..job::options(keep) }
}

#[test]
fn sketches_are_steady() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("corpus.jsonl");
    write_corpus(&path, 16_000, 6);
    let settings = job::settings().with(|s| {
        s.measure = Measure::Resemblance(Threshold::new(0.3).expect("a fraction"));
        s.words = 1;
        s.short_texts = ShortTexts::Shingles;
        s.keep = "highest:score".parse().expect("a rule");
        s.mode = Mode::Mark;
    });
    is_steady(folder.path(), |memory, batch, places, progress| {
        let settings = settings.clone().with(|s| s.memory = memory);
        let options = options(batch, &settings.keep);
        dedup::run(std::slice::from_ref(&path), &options, &settings, places, progress).map(drop)
    });
}

#[test]
fn exact_searches_are_steady() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("corpus.jsonl");
    write_corpus(&path, 14_000, 70);
    let settings = job::settings().with(|s| {
        s.measure = Measure::Resemblance(Threshold::new(0.5).expect("a fraction"));
        s.search = Search::Exact;
    });
    is_steady(folder.path(), |memory, batch, places, progress| {
        let settings = settings.clone().with(|s| s.memory = memory);
        let options = options(batch, &settings.keep);
        dedup::run(std::slice::from_ref(&path), &options, &settings, places, progress).map(drop)
    });
}

#[test]
fn passages_are_steady() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("corpus.jsonl");
    let mut random = Random(3);
    let mut text = String::new();
    for i in 0..6_000 {
        let lines: Vec<String> = (0..100).map(|_| format!("{}", random.below(300_000))).collect();
        text.extend([format!("{{\"id\":{i},\"text\":\"{}\"}}\n", lines.join("\\n"))]);
    }
    fs::write(&path, text).expect("a file");
    is_steady(folder.path(), |memory, batch, places, progress| {
        let settings = job::by_line().with(|s| {
            s.min_words = 1;
            s.memory = memory;
        });
        let options = options(batch, &Keep::First);
        passages::run(std::slice::from_ref(&path), &options, &settings, places, progress).map(drop)
    });
}

/// Which records are bad, and why, does not depend on how many are read at once.
#[test]
fn bad_records_are_steady() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("corpus.csv");
    let mut text = "id,text\n".to_owned();
    for i in 0..8000 {
        // A quote that closes beyond the limit of a record, with lines of all lengths between.
        let open = if i % 40 == 13 { "\"" } else { "" };
        let close = if i % 40 == 23 { "\"" } else { "" };
        text.extend([format!(
            "{i},{open}some words of line {i} {}{close}\n",
            "and more ".repeat(i % 7)
        )]);
    }
    fs::write(&path, text).expect("a file");
    let run = |batch: usize| {
        let output = folder.path().join(format!("out{batch}"));
        let options = Options { record_bytes: 200, ..options(batch, &Keep::First) };
        let done = dedup::run(
            std::slice::from_ref(&path),
            &options,
            &job::settings(),
            &job::to(&output),
            &Silent,
        );
        done.expect("done");
        job::files(&output)
    };
    let whole = run(1 << 20);
    let is_one_of_many = |(name, bytes): &(String, Vec<u8>)| {
        name == "summary.json" && String::from_utf8_lossy(bytes).contains("\"bad\":200,")
    };
    assert!(whole.iter().any(is_one_of_many), "{}", whole.len());
    for batch in [1 << 6, 1 << 8, 1 << 10, 1 << 12] {
        let files = run(batch);
        for (file, expected) in files.iter().zip(&whole) {
            let (text, expected) =
                (String::from_utf8_lossy(&file.1), String::from_utf8_lossy(&expected.1));
            let odd = text.lines().zip(expected.lines()).find(|(line, expected)| line != expected);
            assert!(text == expected, "{} at {batch}: {odd:?}", file.0);
        }
    }
}

//! Runs of `dedup` that end too early, and go on where they ended.

use std::fs;
use std::process::{Command, Stdio};

use crate::dedup::record;
use crate::patience::wait_until;
use crate::place::Place;

/// A corpus that takes a while to process.
fn long_corpus() -> String {
    let mut random = 9_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % 5000
    };
    let mut line = |i: usize| {
        let words: Vec<String> = (0..60).map(|_| format!("w{}", next())).collect();
        let text = words.join(" ");
        let near = text.replacen(' ', " or ", 1);
        record(&i.to_string(), &text) + &record(&format!("{i}n"), &near)
    };
    (0..6000).map(&mut line).collect()
}

/// All files of an output and its tables but the summary, which differs between runs.
fn written(place: &Place, output: &str) -> Vec<(String, Vec<u8>)> {
    let folders = [place.path(output), place.path(format!("{output}.fanmill"))];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a file"))
    };
    let mut files: Vec<_> = paths.map(file).filter(|(name, _)| name != "summary.json").collect();
    files.sort();
    files
}

#[test]
fn a_killed_run_goes_on() {
    let place = Place::new().with("a.jsonl", long_corpus());
    let whole = place.fanmill("dedup a.jsonl -o whole --quiet --exact --threads 1").run();
    assert_eq!(whole.code, Some(0), "{whole}");
    let mut kills = 0;
    for log_bytes in [1, 150_000, 300_000] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fanmill"))
            .args("dedup a.jsonl -o out --quiet --exact --threads 1 --memory 32MiB".split(' '))
            .current_dir(place.path(""))
            .stdin(Stdio::null())
            .spawn()
            .expect("the program starts");
        let len = || fs::metadata(place.path("out.partial/log")).map_or(0, |log| log.len());
        wait_until(&mut child, || len() >= log_bytes);
        child.kill().expect("it can be ended");
        let status = child.wait().expect("it has ended");
        kills += usize::from(status.code().is_none());
        assert!(status.code().is_none() != place.path("out").exists());
    }
    assert!(kills >= 2, "{kills} runs were killed");
    let done = place.fanmill("dedup a.jsonl -o out --exact --threads 2").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("resumed: "), "{done}");
    assert!(written(&place, "out") == written(&place, "whole"));
    assert!(!place.path("out.partial").exists());
}

#[test]
fn a_full_disk_leaves_no_output() {
    let place = Place::new().with("a.jsonl", long_corpus());
    for blocks in [1, 900, 3000] {
        let run = place.fanmill("dedup a.jsonl -o out --quiet --memory 32MiB");
        let done = run.on_full_disk(blocks).run();
        assert_eq!(done.code, Some(6), "{blocks}: {done}");
        assert!(done.stderr.starts_with("fanmill: could not write"), "{blocks}: {done}");
        assert!(!place.path("out").exists());
    }
    let done = place.fanmill("dedup a.jsonl -o out").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("resumed: "), "{done}");
    let whole = place.fanmill("dedup a.jsonl -o whole --quiet").run();
    assert_eq!(whole.code, Some(0), "{whole}");
    assert!(written(&place, "out") == written(&place, "whole"));
}

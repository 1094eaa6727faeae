//! Runs that a signal ends: temporary files are removed, and what stays is named.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::patience::wait;
use crate::place::Place;
use crate::signals::send;

/// The program with standard input open, and `tmp` as its temporary folder.
fn start(place: &Place, arguments: &str) -> Child {
    start_with(place, arguments, "", Stdio::piped())
}

/// The same after some shell commands, with standard error redirected.
fn start_with(place: &Place, arguments: &str, before: &str, words: Stdio) -> Child {
    fs::create_dir_all(place.path("tmp")).expect("a folder");
    let mut command = attentive_shell();
    command
        .args(["-c", &format!("{before}\nexec \"$0\" {arguments}"), env!("CARGO_BIN_EXE_fanmill")])
        .current_dir(place.path(""))
        .env("TMPDIR", place.path("tmp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(words)
        .spawn()
        .expect("the program starts")
}

/// A shell that ignores no signals. Tests in the background or under `nohup` ignore some, and so would what they start.
fn attentive_shell() -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    // SIGHUP, SIGINT and SIGTERM are 1, 2 and 15.
    if mask & (1 << 0 | 1 << 1 | 1 << 14) == 0 {
        return Command::new("sh");
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", "sh"]);
    command
}

/// Waits until something exists; the program may have ended before.
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    while !is_there() && child.try_wait().expect("a status").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal; returns the exit status and the messages.
fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    send(child.id(), &[signal]);
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    (child.wait().expect("it has ended").code(), said)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Writes a record to the program, and waits until it copies its input into a folder.
fn begin_spool(place: &Place, child: &mut Child, spool: &str) -> ChildStdin {
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"{\"text\":\"one two three\"}\n").expect("read");
    let has_spool = || {
        let folder = place.path(spool);
        let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files = inside.map(|entry| entry.path());
        folder.join("stdin").exists() || files.any(|path| path.join("stdin").exists())
    };
    wait_for(child, has_spool);
    assert!(has_spool());
    input
}

#[test]
fn no_temporary_folder_stays_after_an_interruption() {
    for (arguments, spool) in [
        ("dedup - --mode report", "tmp"),
        ("dedup - --unit line --mode report", "tmp"),
        ("urls -", "tmp"),
        ("dedup - -o out", "out.partial"),
        ("dedup - -o out --unit line", "out.partial"),
    ] {
        for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            if signal == "HUP" && !cfg!(target_os = "linux") {
                continue;
            }
            let place = Place::new();
            let mut child = start(&place, arguments);
            let _input = begin_spool(&place, &mut child, spool);
            let (ended, said) = end(child, signal);
            assert_eq!(ended, Some(code), "{arguments}: {said}");
            assert!(said.contains("interrupted") && !said.contains("is kept"), "{said}");
            assert_eq!(names(&place.path("")), ["tmp"], "{arguments}");
            assert!(names(&place.path("tmp")).is_empty(), "{arguments}");
        }
    }
}

/// A corpus that takes long enough to be interrupted while it is read; its texts share no word, so that the rest is soon done.
fn long_corpus(place: &Place) {
    corpus(place, 400_000);
}

fn corpus(place: &Place, n_records: usize) {
    let line = |i| format!("{{\"text\":\"a{i} b{i} c{i} d{i}\"}}\n");
    place.write("a.jsonl", (0..n_records).map(line).collect::<Vec<String>>().concat());
}

#[test]
fn an_interrupted_run_says_what_it_keeps_and_resumes_there() {
    let place = Place::new();
    long_corpus(&place);
    let command = "dedup a.jsonl -o out --exact --threads 1";
    let mut child = start(&place, command);
    let has_log = || fs::metadata(place.path("out.partial/log")).is_ok_and(|log| log.len() > 1000);
    wait_for(&mut child, has_log);
    let (ended, said) = end(child, "INT");
    assert_eq!(ended, Some(130), "{said}");
    assert!(said.contains("out.partial"), "{said}");
    assert!(place.path("out.partial/log").exists());
    let done = place.fanmill(command).run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("resumed: ") && !done.stdout.contains("dropped: "), "{done}");
    assert_eq!(names(&place.path("")), ["a.jsonl", "out", "out.fanmill", "tmp"]);
}

#[test]
fn what_an_interrupted_run_of_other_settings_has_read_is_dropped_and_that_is_said() {
    let place = Place::new();
    long_corpus(&place);
    let mut child = start(&place, "dedup a.jsonl -o out --exact --threads 1");
    let has_log = || fs::metadata(place.path("out.partial/log")).is_ok_and(|log| log.len() > 1000);
    wait_for(&mut child, has_log);
    assert_eq!(end(child, "INT").0, Some(130));
    let done = place.fanmill("dedup a.jsonl -o out").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains("dropped: ") && !done.stdout.contains("resumed: "), "{done}");
}

/// What an index holds is written to temporary files for the time of a run. The same command makes them anew, so
/// nothing of an interrupted run is kept, and that is not said either.
#[cfg(feature = "index")]
#[test]
fn nothing_stays_of_an_interrupted_run_with_an_index() {
    for command in ["dedup a.jsonl --index seen -o out", "dedup a.jsonl --against seen -o out"] {
        let place = Place::new();
        place.write("b.jsonl", "{\"text\":\"one 1 two 1 three 1\"}\n");
        let begun = place.fanmill("dedup b.jsonl --index seen -o first").run();
        assert_eq!(begun.code, Some(0), "{begun}");
        corpus(&place, 60_000);
        let mut child = start(&place, &format!("{command} --threads 1"));
        let has_log =
            || fs::metadata(place.path("out.partial/log")).is_ok_and(|log| log.len() > 1000);
        wait_for(&mut child, has_log);
        assert!(has_log(), "{command}");
        let (ended, said) = end(child, "TERM");
        assert_eq!(ended, Some(143), "{command}: {said}");
        assert!(!said.contains("is kept") && !said.contains("resumes"), "{command}: {said}");
        let expected = ["a.jsonl", "b.jsonl", "first", "first.fanmill", "seen", "tmp"];
        assert_eq!(names(&place.path("")), expected, "{command}");
        assert!(names(&place.path("tmp")).is_empty(), "{command}");
    }
}

/// Standard input cannot be read again, so nothing from it is kept.
#[test]
fn a_run_over_standard_input_keeps_nothing() {
    let place = Place::new();
    long_corpus(&place);
    let mut child = start_with(&place, "dedup - -o out --threads 1 <a.jsonl", "", Stdio::piped());
    let has_log = || fs::metadata(place.path("out.partial/log")).is_ok_and(|log| log.len() > 1000);
    wait_for(&mut child, has_log);
    let (ended, said) = end(child, "INT");
    assert_eq!(ended, Some(130), "{said}");
    assert!(!said.contains("is kept"), "{said}");
    assert_eq!(names(&place.path("")), ["a.jsonl", "tmp"]);
}

/// A pipe that nobody reads, with no room left in it, for standard error.
#[cfg(target_os = "linux")]
fn full_pipe() -> (std::io::PipeReader, Stdio) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let (mut filler, n_written) =
        (writer.try_clone().expect("a copy"), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&n_written);
    // At the end it waits until the reader is gone.
    thread::spawn(move || {
        while filler.write_all(b"x").is_ok() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (mut before, mut n_still) = (0, 0);
    loop {
        thread::sleep(Duration::from_millis(100));
        let now = n_written.load(Ordering::Relaxed);
        n_still = if now == before && now > 0 { n_still + 1 } else { 0 };
        // A thread that a busy machine does not run for a moment writes nothing, either.
        if n_still > 10 {
            return (reader, writer.into());
        }
        before = now;
    }
}

/// Messages that nobody reads do not block anything, least of all the cleaning up.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_ends_though_nobody_reads_its_words() {
    for (signals, codes) in [(&["INT"][..], [130, 130]), (&["INT", "TERM"], [130, 143])] {
        let place = Place::new();
        let (_reader, words) = full_pipe();
        let mut child = start_with(&place, "dedup - -o out", "", words);
        let _input = begin_spool(&place, &mut child, "out.partial");
        send(child.id(), signals);
        let code = wait(&mut child).code();
        assert!(code.is_some_and(|code| codes.contains(&code)), "{code:?}");
        if signals.len() == 1 {
            assert_eq!(names(&place.path("")), ["tmp"]);
        }
    }
}

/// As under `nohup`, and for what a shell runs in the background.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_to_be_ignored_is_ignored() {
    for signal in ["HUP", "INT", "TERM"] {
        let place = Place::new();
        let before = format!("trap '' {signal}");
        let mut child = start_with(&place, "dedup - -o out", &before, Stdio::null());
        let input = begin_spool(&place, &mut child, "out.partial");
        send(child.id(), &[signal]);
        drop(input);
        assert_eq!(wait(&mut child).code(), Some(0), "{signal}");
        assert!(place.path("out.fanmill/summary.json").exists());
    }
}

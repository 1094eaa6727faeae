//! Runs that a signal ends: nothing temporary stays, and what does is said.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::place::Place;

/// The program with its standard input open, and `tmp` for its temporary files.
fn start(place: &Place, arguments: &str) -> Child {
    fs::create_dir_all(place.path("tmp")).expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_fanmill"))
        .args(arguments.split(' '))
        .current_dir(place.path(""))
        .env("TMPDIR", place.path("tmp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits until something is there; the program may have ended before.
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    while !is_there() && child.try_wait().expect("a status").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal; the exit status, and what was said.
fn end(mut child: Child, signal: &str) -> (Option<i32>, String) {
    let pid = child.id().to_string();
    let sent = Command::new("sh").args(["-c", "kill -s \"$0\" \"$1\"", signal, &pid]).status();
    assert!(sent.expect("the shell starts").success());
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

#[test]
fn no_temporary_folder_stays_after_an_interruption() {
    for (arguments, spool) in [
        ("dedup - --mode report", "tmp"),
        ("dedup - --unit line --mode report", "tmp"),
        ("urls -", "tmp"),
        ("dedup - -o out", "out.partial"),
        ("dedup - -o out --unit line", "out.partial"),
    ] {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let place = Place::new();
            let mut child = start(&place, arguments);
            let mut input = child.stdin.take().expect("piped");
            input.write_all(b"{\"text\":\"one two three\"}\n").expect("read");
            let has_spool = || {
                let folder = place.path(spool);
                let inside = fs::read_dir(&folder).into_iter().flatten().flatten();
                let mut files = inside.map(|entry| entry.path());
                folder.join("stdin").exists() || files.any(|path| path.join("stdin").exists())
            };
            wait_for(&mut child, has_spool);
            assert!(has_spool(), "{arguments}");
            let (ended, said) = end(child, signal);
            assert_eq!(ended, Some(code), "{arguments}: {said}");
            assert!(said.contains("interrupted") && !said.contains("is kept"), "{said}");
            assert_eq!(names(&place.path("")), ["tmp"], "{arguments}");
            assert!(names(&place.path("tmp")).is_empty(), "{arguments}");
        }
    }
}

#[test]
fn an_interrupted_run_says_what_it_keeps_and_goes_on_there() {
    let place = Place::new();
    let line = |i| format!("{{\"text\":\"one {i} two {} three {}\"}}\n", i % 977, i % 31);
    place.write("a.jsonl", (0..40_000).map(line).collect::<Vec<String>>().concat());
    let mut child = start(&place, "dedup a.jsonl -o out --exact --threads 1");
    let has_log = || fs::metadata(place.path("out.partial/log")).is_ok_and(|log| log.len() > 1000);
    wait_for(&mut child, has_log);
    let (ended, said) = end(child, "INT");
    if ended == Some(130) {
        assert!(said.contains("`out.partial`") || said.contains("out.partial"), "{said}");
        assert!(place.path("out.partial/log").exists());
    } else {
        // It was quicker than the signal.
        assert_eq!(ended, Some(0), "{said}");
        fs::remove_dir_all(place.path("out")).expect("removed");
    }
    let done = place.fanmill("dedup a.jsonl -o out").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(names(&place.path("")), ["a.jsonl", "out", "tmp"]);
}

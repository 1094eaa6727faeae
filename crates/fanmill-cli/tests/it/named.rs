//! Paths that do not exist or are not files: one rule for every command and every flag.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Command;

use crate::place::{Place, example};
use crate::run::Done;

/// Commands with `{}` in place of a file or folder that they read, or a store; all else is valid.
const READERS: [&str; 33] = [
    "compare {}",
    "compare in {}",
    "compare in --base {}",
    "compare in --archive {}",
    "text {}",
    "text in {}",
    "dedup {} --mode report",
    "dedup corpus.jsonl {} --mode report",
    "dedup {} --mode report --unit line",
    "dedup {} --mode report --input-format jsonl",
    "dedup {} --mode report --input-format csv",
    "dedup {} --mode report --input-format parquet",
    "urls {}",
    "urls pages.jsonl {}",
    "sift add --key a.key new.sift {}",
    "sift check --key a.key a.sift {}",
    "sift check --key a.key a.sift in {}",
    "sift check --key a.key a.sift in --explain {}",
    "sift check --key a.key a.sift --input-format mail {}",
    "sift campaign --key a.key {}",
    "sift attack {}",
    "sift rekey --key a.key --new-key b.key a.sift {}",
    "lab frequency {}",
    "lab frequency in {}",
    "lab calibrate {}",
    "urls --apply rules.jsonl {}",
    "sift check --key a.key {} in",
    "sift check --key a.key {}",
    "sift list {}",
    "sift rekey --key a.key --new-key b.key {} in",
    "sift check --key a.key {} --input-format text",
    "sift check --key a.key {} in --names",
    "compare {} {}",
];

/// The same for paths that must be files.
const READERS_OF_FILES: [&str; 9] = [
    "compare in --config {}",
    "urls --apply {} addresses.txt",
    "sift add --key {} new.sift in",
    "sift check --key {} a.sift in",
    "sift campaign --key {} in",
    "sift rekey --key {} --new-key b.key a.sift in",
    "sift rekey --key a.key --new-key {} a.sift in",
    "sift destroy --key {} --yes",
    "urls --apply {}",
];

fn place() -> Place {
    let text = example("essays/nora.md");
    let place = Place::new()
        .with("in/anna.md", &text)
        .with("in/emil.md", &text)
        .with("corpus.jsonl", "{\"text\":\"one two three\"}\n".repeat(3))
        .with("pages.jsonl", "{\"url\":\"http://a.org/1\",\"text\":\"one two\"}\n")
        .with("rules.jsonl", "{\"host\":\"a.org\",\"operation\":\"replace\",\"regex\":\"^x\"}")
        .with("addresses.txt", "http://a.org/x\n")
        .with("a.key", format!("fanmill-sift-key-1 {}\n", "0123456789abcdef".repeat(4)))
        .with("b.key", format!("fanmill-sift-key-1 {}\n", "fedcba9876543210".repeat(4)));
    for key in ["a.key", "b.key"] {
        let private = Permissions::from_mode(0o600);
        fs::set_permissions(place.path(key), private).expect("a file of our own");
    }
    assert_eq!(place.fanmill("sift add --key a.key a.sift in").run().code, Some(0));
    place
}

/// A run on `name`, which may be looked at but not opened.
fn run(place: &Place, command: &str, name: &str) -> Done {
    let done = place.fanmill(&command.replace("{}", name)).run();
    assert!(!done.stderr.contains("internal fault"), "{command}, {name}: {done}");
    done
}

/// Checks that there is one error, for an input.
#[track_caller]
fn refuses(done: &Done, what: &str, says: &str) {
    assert_eq!(done.code, Some(3), "{what}: {done}");
    assert!(done.stderr.contains(says), "{what}: {done}");
    assert_eq!(done.stderr.lines().count(), 1, "{what}: {done}");
}

#[test]
fn what_is_missing_is_an_error_of_input() {
    let place = place();
    for command in READERS.iter().chain(&READERS_OF_FILES) {
        for name in ["nothing", "nothing/below", "corpus.jsonl/below"] {
            let done = run(&place, command, name);
            let makes = if command.ends_with("new.sift {}") { "" } else { "does not exist" };
            refuses(&done, &format!("{command}, {name}"), makes);
        }
    }
    for pattern in ["nothing/*.jsonl", "in/*.jsonl"] {
        for command in ["dedup {} --mode report", "urls {}"] {
            refuses(&run(&place, command, pattern), command, "");
        }
    }
}

#[test]
fn a_folder_is_no_file() {
    let place = place();
    for command in READERS_OF_FILES {
        refuses(&run(&place, command, "in"), command, "is a folder; name a file");
    }
}

/// If one of several inputs is a special file, the others are compared, and it is named.
#[test]
fn pipes_sockets_and_devices_are_refused_at_once() {
    let place = place();
    let status = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(status.expect("mkfifo").success());
    let _listener = UnixListener::bind(place.path("socket")).expect("a socket");
    for command in READERS.iter().chain(&READERS_OF_FILES).filter(|c| **c != "compare {} {}") {
        for (name, kind) in [("pipe", "a pipe"), ("socket", "a socket"), ("/dev/zero", "a device")]
        {
            let done = run(&place, command, name);
            let is_one_of_many = ["compare in {}", "lab frequency in {}"].contains(command);
            if is_one_of_many {
                // `in` alone is nothing to compare.
                let code = if command.starts_with("compare") { 3 } else { 0 };
                assert_eq!(done.code, Some(code), "{command}, {name}: {done}");
                assert!(done.stderr.contains(&format!("special file: {kind}")), "{done}");
            } else {
                refuses(&done, &format!("{command}, {name}"), &format!("is {kind}"));
            }
        }
    }
}

/// A file of one endless line, like a device's, is read to its end in little memory.
#[test]
fn addresses_of_any_length_are_passed_on() {
    let place = place();
    let long = "x".repeat(3 << 20);
    for (end, odd) in [("\n", "1 line is"), ("\nhttp://a.org/y\n\n", "1 line is")] {
        place.write("long.txt", format!("{long}{end}"));
        let done = place.fanmill("urls --apply rules.jsonl long.txt").run();
        assert_eq!((done.code, done.stdout.len()), (Some(0), long.len() + end.len()));
        assert!(done.stdout.ends_with(end) && done.stderr.starts_with(odd), "{}", done.stderr);
    }
}

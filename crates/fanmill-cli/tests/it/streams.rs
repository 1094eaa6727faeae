//! Standard output and standard error that cannot be written, for every command.

#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::place::{Place, example};
use crate::run::Run;

/// A device that is always full: each write fails.
const FULL: &str = "/dev/full";

/// Every command that writes results, on inputs of [`place`].
const COMMANDS: [&str; 41] = [
    "--help",
    "--version",
    "compare --help",
    "sift check --help",
    "lab filter --help",
    "compare in",
    "compare in --format json",
    "compare in --format csv",
    "compare in --fail-above 0.5",
    "compare nothing",
    "index list a.index",
    "index list a.index --format json",
    "index stats a.index",
    "index export a.index",
    "search a.index in",
    "search a.index in --format json",
    "dedup corpus.jsonl --mode report",
    "dedup corpus.jsonl --mode report --format json",
    "dedup corpus.jsonl --mode report --index seen",
    "dedup corpus.jsonl --mode report --unit line",
    "dedup corpus.jsonl --mode report --unit paragraph --format json",
    "dedup --curve",
    "urls pages.jsonl",
    "urls pages.jsonl --format json",
    "urls --apply rules.jsonl addresses.txt",
    "sift keygen",
    "sift list a.sift",
    "sift check --key a.key a.sift in",
    "sift check --key a.key a.sift in --format json",
    "sift check --key a.key a.sift in --explain in",
    "sift campaign --key a.key in",
    "sift campaign --key a.key in --format json",
    "sift attack in --keys 1 --scheme standard",
    "lab frequency in",
    "lab frequency in --format json",
    "lab calibrate in --pairs 10",
    "lab filter --filter 6x14,r=2 --trials 10 --members 10",
    "text in",
    "text in --tokens",
    "languages",
    "man",
];

fn place() -> Place {
    let page = |i: usize| {
        let (url, text) = (format!("http://a.org/p{}?s={i}x", i / 3), format!("page {}", i / 3));
        serde_json::json!({ "url": url, "text": text }).to_string() + "\n"
    };
    let rule = serde_json::json!({ "host": "a.org", "operation": "replace", "regex": "^x" });
    let place = Place::new()
        .with("corpus.jsonl", "{\"text\":\"one two three\\n\"}\n".repeat(3))
        .with("pages.jsonl", (0..18).map(page).collect::<String>())
        .with("rules.jsonl", rule.to_string())
        .with("addresses.txt", "http://a.org/x\nno address\n")
        .with("a.key", format!("fanmill-sift-key-1 {}\n", "0123456789abcdef".repeat(4)));
    for name in ["nora.md", "otto.md", "petra.txt", "quinn.txt"] {
        place.write(format!("in/{name}"), example(&format!("essays/{name}")));
    }
    let private = Permissions::from_mode(0o600);
    fs::set_permissions(place.path("a.key"), private).expect("a file of our own");
    for command in ["sift add --key a.key a.sift in", "index add a.index in"] {
        assert_eq!(place.fanmill(command).run().code, Some(0), "{command}");
    }
    place
}

#[test]
fn results_that_cannot_be_written_are_an_error_of_writing() {
    let place = place();
    for command in COMMANDS.iter().filter(|command| !command.contains("nothing")) {
        let done = place.fanmill(command).out_to(FULL).run();
        assert_eq!(done.code, Some(6), "{command}: {done}");
        let said = "fanmill: could not write to standard output: No space left on device";
        assert!(done.stderr.contains(said), "{command}: {done}");
        assert!(!done.stderr.contains("panicked"), "{command}: {done}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = Run::new(&format!("completions {shell}")).out_to(FULL).run();
        assert_eq!(done.code, Some(6), "{shell}: {done}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error_for_any_command() {
    let place = place();
    for command in COMMANDS.iter().filter(|command| !command.contains("fail-above")) {
        let usual = place.fanmill(command).run().code;
        let done = place.fanmill(command).run_into_closed_pipe();
        assert_eq!(done.code, usual, "{command}: {done}");
        assert!(!done.stderr.contains("standard output"), "{command}: {done}");
    }
}

#[test]
fn words_that_cannot_be_written_change_nothing() {
    let place = place();
    let mistakes = ["compare in --nose", "compare in --noise 0", "dedup nothing", "nonsense", ""];
    let makers = ["sift keygen -o new.key", "sift add --key a.key a.sift in", "sift destroy"];
    for command in COMMANDS.iter().chain(&mistakes).chain(&makers) {
        let remove = || drop(fs::remove_file(place.path("new.key")));
        remove();
        let usual = place.fanmill(command).run();
        remove();
        let lost = place.fanmill(command).words_to(FULL).run();
        remove();
        let closed = place.fanmill(command).with_shell("2>&-").run();
        for done in [lost, closed] {
            assert_eq!(done.code, usual.code, "{command}: {done}");
            // Each new key differs, and a summary has the time of each step.
            let is_steady = !command.starts_with("dedup") || !command.contains("json");
            if *command != "sift keygen" && is_steady {
                assert_eq!(done.stdout, usual.stdout, "{command}");
            }
        }
    }
}

#[test]
fn both_can_be_full() {
    let place = place();
    for command in COMMANDS.iter().filter(|command| !command.contains("nothing")) {
        let done = place.fanmill(command).out_to(FULL).words_to(FULL).run();
        assert_eq!(done.code, Some(6), "{command}");
    }
}

#[test]
fn every_command_is_in_the_table() {
    for level in ["", "index", "sift", "lab"] {
        let help = Run::new(&format!("{level} --help")).run().stdout;
        let (_, listed) = help.split_once("Commands:\n").expect("a list");
        let names = listed.lines().take_while(|line| !line.is_empty());
        let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let names: Vec<&str> = names.filter_map(|line| line.split_whitespace().next()).collect();
        assert!(names.len() > 3, "{help}");
        // These write no results, or are tested in another way above.
        let others = [
            "help",
            "completions",
            "add",
            "rekey",
            "destroy",
            "verify",
            "remove",
            "merge",
            "expire",
            "upgrade",
            "watch",
            "serve",
        ];
        for name in names.iter().filter(|name| !others.contains(name)) {
            let start =
                if level.is_empty() { (*name).to_owned() } else { format!("{level} {name}") };
            assert!(COMMANDS.iter().any(|command| command.starts_with(&start)), "{start}");
        }
    }
    assert!(Path::new(FULL).exists());
}

/// A file, a pipe or a device in place of the output folder: one message, before anything is read.
#[test]
fn an_output_that_is_not_a_folder_is_refused() {
    let place = place().with("taken", "a file");
    for output in ["taken", "/dev/full"] {
        let done = place.fanmill(&format!("compare in -o {output}")).run();
        assert_eq!(done.code, Some(2), "{done}");
        let said = format!("output `{output}` is not a folder; name a new one");
        assert!(done.stderr.contains(&said), "{done}");
    }
    assert_eq!(fs::read_to_string(place.path("taken")).expect("a file"), "a file");
}

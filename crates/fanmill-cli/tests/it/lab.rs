//! `fanmill lab`: what experiments print and write, and their exit codes.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::place::Place;
use crate::run::Run;

/// A page with a string that repeats, and a text without one.
fn odd_page() -> Place {
    let page = format!(
        "<html><body><p class=\"intro\">Numbers of a summer:</p>\n<p>{}</p>\n<p>and so it ends</p>",
        "abba".repeat(60)
    );
    Place::new()
        .with("pages/odd.html", page)
        .with("pages/plain.txt", "Nothing that repeats itself for long stands in this short text.")
        .with("pages/empty.txt", "")
}

/// Names of the files in a folder, ascending.
fn held(place: &Place, dir: &str) -> Vec<String> {
    let entries = fs::read_dir(place.path(dir)).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

#[test]
fn an_outcome_is_the_same_at_any_number_of_threads_and_is_written_as_files() {
    let place = odd_page();
    let run = |threads: u32, dir: &str| {
        let flags = format!("--threads {threads} -o {dir} --format json");
        let command = format!("lab frequency pages --read-as characters --noise 20 {flags}");
        let done = place.fanmill(&command).run();
        assert_eq!(done.code, Some(0), "{done}");
        done.stdout
    };
    let (one, four) = (run(1, "one"), run(4, "four"));
    assert_eq!(one, four);
    let names = held(&place, "one");
    assert_eq!(names, ["frequency-frequency.svg", "frequency.json"]);
    for name in &names {
        let bytes = |dir: &str| fs::read(place.path(dir).join(name)).expect(name);
        assert_eq!(bytes("one"), bytes("four"), "{name}");
    }
    assert_eq!(fs::read_to_string(place.path("one/frequency.json")).expect("written"), one);
    let outcome: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(outcome["experiment"], "frequency");
    assert_eq!(outcome["tables"][0]["name"], "shares");
}

#[test]
fn the_command_that_is_printed_gives_the_same_again() {
    let command = "lab filter --filter 6x14,r=2 --trials 10 --members 10";
    let first = Run::new(command).run();
    let again = first.stderr.lines().last().and_then(|line| line.strip_prefix("again: fanmill "));
    assert_eq!(again, Some(&*format!("{command} --seed 1")));
    let second = Run::new(again.expect("a command")).run();
    assert_eq!((first.stdout, first.stderr), (second.stdout, second.stderr));
    let other = Run::new(&format!("{command} --seed 2 --quiet")).run();
    assert!(other.stdout.contains("seed 2") && other.stderr.is_empty(), "{other}");
}

#[test]
fn experiments_share_a_folder_and_spare_all_else() {
    let place = odd_page();
    let filter = "filter --filter 6x14,r=2 --trials 10 --members 10";
    for experiment in ["frequency pages", filter, "frequency pages"] {
        let done = place.fanmill(&format!("lab {experiment} -o out/lab")).run();
        assert_eq!(done.code, Some(0), "{done}");
    }
    let names = held(&place, "out/lab");
    assert_eq!(
        names,
        [
            "filter-accepted-log.svg",
            "filter-linear.svg",
            "filter-rejected-log.svg",
            "filter.json",
            "frequency-frequency.svg",
            "frequency.json",
        ]
    );
    assert_snapshot!(place.fanmill(&format!("lab {filter} -o pages")).run(), @r"
    exit: 2
    --- stderr
    fanmill: output folder `pages` holds `empty.txt`, which is no outcome of an experiment; name a new folder, or empty this one
    ");
    assert_eq!(held(&place, "pages").len(), 3);
}

#[test]
fn what_cannot_be_measured_says_why() {
    let place = odd_page().with("marks/only.txt", "!!! ???");
    for (arguments, code, part) in [
        ("lab frequency", 2, "Usage"),
        ("lab frequency --quiet", 2, "required"),
        ("lab frequency nowhere", 3, "`nowhere` does not exist"),
        ("lab frequency marks", 3, "no document has any tokens"),
        ("lab frequency pages --read-as characters --guarantee 0", 2, "noise threshold 0"),
        ("lab filter -o lab --png", 2, "figures are .svg files"),
        ("lab density pages", 2, "unrecognized subcommand"),
    ] {
        let done = place.fanmill(arguments).run();
        assert_eq!(done.code, Some(code), "{arguments}: {done}");
        assert!(done.stderr.contains(part), "{arguments}: {done}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let done =
        Run::new("lab filter --filter 6x14,r=2 --trials 10 --members 10").run_into_closed_pipe();
    assert_eq!(done.code, Some(0), "{done}");
}

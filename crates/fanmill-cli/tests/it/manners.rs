//! How the program behaves towards terminals, pipes and other programs.

use crate::place::{Place, examples};
use crate::run::Run;

fn essays(arguments: &str) -> Run {
    Run::new(&format!("compare essays {arguments}")).inside(&examples())
}

#[test]
fn piped_output_has_no_progress_and_no_colour() {
    let done = essays("").run();
    assert_eq!(done.code, Some(0));
    for text in [&done.stdout, &done.stderr] {
        assert!(!text.contains(['\r', '\u{1b}', '\u{8}']), "{done}");
    }
    let help = Run::new("--help").run();
    assert!(!help.stdout.contains('\u{1b}'), "{help}");
}

#[test]
fn quiet_prints_results_only() {
    for format in ["table", "json", "csv"] {
        let loud = essays(&format!("--format {format}")).run();
        let quiet = essays(&format!("--format {format} --quiet")).run();
        assert_eq!(
            (quiet.code, &quiet.stdout, &*quiet.stderr),
            (Some(0), &loud.stdout, ""),
            "{format}"
        );
        assert!(!loud.stderr.is_empty());
    }
}

#[test]
fn results_alone_are_on_standard_output() {
    let place = Place::new();
    let report = place.path("report");
    let json = essays("--format json -o").arg(&report).run().stdout;
    let csv = essays("--format csv").run().stdout;
    assert_eq!(json, std::fs::read_to_string(report.join("report.json")).expect("a report"));
    assert_eq!(csv, std::fs::read_to_string(report.join("pairs.csv")).expect("pairs"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let runs = [
        essays(""),
        essays("--format json"),
        essays("--format csv"),
        Run::new("languages"),
        Run::new("completions bash"),
        Run::new("completions zsh"),
        Run::new("man"),
    ];
    for (i, run) in runs.into_iter().enumerate() {
        let done = run.run_into_closed_pipe();
        assert_eq!(done.code, Some(0), "run {i}: {done}");
        assert!(!done.stderr.contains("panic"), "run {i}: {done}");
    }
}

#[test]
fn a_status_is_kept_when_the_reader_has_gone() {
    let done = essays("--fail-above 0.5").run_into_closed_pipe();
    assert_eq!(done.code, Some(1), "{done}");
}

#[test]
fn top_says_how_many_more_there_are() {
    let done = essays("--top 1").run();
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert!(lines[1].contains("nora.md"), "{done}");
    assert_eq!(lines[2], "… and 2 more pairs; --top shows more");
}

#[test]
fn an_empty_table_says_what_would_fill_it() {
    let said = |arguments: &str| essays(arguments).run().stdout;
    assert!(said("--top 0").starts_with("3 pairs; --top shows them\n"));
    assert!(said("--max-pairs 0").starts_with("3 pairs; --max-pairs lists them\n"));
    let strict = said("--min-score 1");
    assert!(
        strict.starts_with("4 pairs, none with a score of 1.00; lower --min-score\n"),
        "{strict}"
    );
}

#[test]
fn wide_letters_keep_the_columns_straight() {
    let text = "one two three four five six seven eight nine ten eleven twelve thirteen";
    let place = Place::new();
    for name in ["李明", "🙂", "Zoe\u{308}", "plain"] {
        place.write(format!("in/{name}/a.txt"), text);
    }
    let done = place.fanmill("compare in").run();
    let column = |line: &str| {
        let (before, _) = line.split_once("100%").expect("a share");
        let wide = before.chars().filter(|c| "李明🙂".contains(*c)).count();
        let none = before.chars().filter(|c| *c == '\u{308}').count();
        before.chars().count() + wide - none
    };
    let columns: Vec<usize> = done.stdout.lines().skip(1).take(6).map(column).collect();
    assert!(columns.windows(2).all(|two| two[0] == two[1]), "{columns:?} {done}");
}

#[test]
fn equal_notices_share_a_line() {
    let place = Place::new().with("in/ann/a.txt", "one two").with("in/bea/a.txt", "three four");
    for i in 0..12 {
        place.write(format!("in/ann/{i:02}.txt"), "");
    }
    let long = "deep/".repeat(60);
    place.write(format!("in/bea/{long}x.png"), b"\x89PNG\r\n\x1a\n\0\0");
    let done = place.fanmill("compare in").run();
    assert!(
        done.stderr
            .contains("skipped: 12 files: empty: ann: 00.txt, ann: 01.txt, ann: 02.txt, …\n"),
        "{done}"
    );
    let line = done
        .stderr
        .lines()
        .find(|line| line.contains("x.png"))
        .expect("the twelfth does not hide it");
    assert!(line.contains(&format!("bea: {long}x.png: binary")), "{done}");
}

//! What a change in a git repository adds.

use std::path::Path;
use std::process::{Command, Output};

use fanmill::report::Report;
use fanmill_text::document::Role;
use serde_json::Value;

use crate::place::{Place, example};
use crate::run::Run;

const PROGRAM: &str = "assignment/submissions/hana/inventory.py";

fn git(place: &Place, arguments: &str) -> Output {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "-c",
        "core.autocrlf=false",
    ]);
    command.args(arguments.split(' ')).current_dir(place.path("."));
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.output().expect("git");
    assert!(output.status.success(), "{arguments}: {output:?}");
    output
}

/// A repository with a program, committed.
fn repository() -> Place {
    let place =
        Place::new().with("src/stock.py", example(PROGRAM)).with("README.md", "# A stock\n");
    git(&place, "init -q -b main");
    commit(&place);
    place
}

fn commit(place: &Place) {
    git(place, "add -A");
    git(place, "commit -q -m change");
}

/// Some lines of the program.
fn some_lines() -> String {
    example(PROGRAM).lines().skip(29).take(50).flat_map(|line| [line, "\n"]).collect()
}

/// The listed pairs, best first: names, roles, and the lines of A.
fn pairs(report: &Report) -> Vec<(String, String, Role, u32, u32)> {
    let of_pair = report.pairs.iter().map(|pair| {
        let [a, b] = [pair.a, pair.b].map(|id| &report.submissions[id as usize]);
        assert_eq!(a.role, Role::New);
        let places =
            || pair.passages.iter().flat_map(|passage| &passage.matches).map(|found| &found.a);
        let first = places().map(|place| place.first_line).min().expect("a match");
        let last = places().map(|place| place.last_line).max().expect("a match");
        (a.name.clone(), b.name.clone(), b.role, first, last)
    });
    of_pair.collect()
}

#[test]
fn new_lines_are_compared_with_each_other_and_with_all_others() {
    let place = repository();
    let old = "def own(x):\n    return [y * 2 for y in range(x)]\n\n\n";
    place.write("src/other.py", old);
    place.write("twice.py", example(PROGRAM));
    commit(&place);
    // What was there twice before is no finding, wherever the change is.
    place.write("src/stock.py", format!("{}\nx = 1\n", example(PROGRAM)));
    place.write("src/other.py", format!("{old}{}", some_lines()));
    let report = place.fanmill("compare . --base-rev HEAD").report();
    let n_old = old.lines().count() as u32;
    let found = pairs(&report);
    assert_eq!(found.len(), 2, "{found:?}");
    for ((a, b, role, first, last), known) in found.into_iter().zip(["src/stock.py", "twice.py"]) {
        assert_eq!((&*a, &*b, role), ("src/other.py", known, Role::Archive));
        assert!(first > n_old && last <= n_old + 50, "{first} to {last}");
    }
    // A copy within the file that has the original, and one that is new twice.
    place.write("src/other.py", format!("{old}{old}{}{}", some_lines(), some_lines()));
    place.write("new.py", some_lines());
    git(&place, "rm -q --cached twice.py");
    git(&place, "add new.py");
    let report = place.fanmill("compare . --base-rev HEAD").report();
    let found: Vec<_> = pairs(&report).into_iter().map(|(a, b, role, ..)| (a, b, role)).collect();
    let pair = |a: &str, b: &str, role| (a.to_owned(), b.to_owned(), role);
    for wanted in [
        pair("new.py", "src/other.py", Role::New),
        pair("new.py", "src/stock.py", Role::Archive),
        pair("src/other.py", "src/stock.py", Role::Archive),
    ] {
        assert!(found.contains(&wanted), "{found:?}");
    }
    assert!(found.iter().all(|(_, b, _)| b != "twice.py"), "git tracks it no more: {found:?}");
}

#[test]
fn the_base_is_where_the_change_began() {
    let place = repository();
    git(&place, "checkout -q -b topic");
    place.write("new.py", some_lines());
    commit(&place);
    git(&place, "checkout -q main");
    place.write("later.py", example(PROGRAM));
    commit(&place);
    git(&place, "checkout -q topic");
    let found = pairs(&place.fanmill("compare . --base-rev main").report());
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&*found[0].0, &*found[0].1), ("new.py", "src/stock.py"));
}

#[test]
fn a_build_fails_by_the_share_of_new_lines() {
    let place = repository();
    let failing = |limit: &str| {
        let command = format!("compare . --base-rev HEAD --strict --fail-above {limit}");
        place.fanmill(&command).run()
    };
    let done = failing("0");
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(done.stdout, "no file that git tracks has changed since `HEAD`\n");
    place.write("notes/untracked.py", example(PROGRAM));
    place.write("target/x.py", example(PROGRAM));
    place.write(".gitignore", "target/\n");
    assert_eq!(failing("0").code, Some(0));
    // Nine new lines of ten are a tenth of the file.
    let own = "\n\ndef total(rows, rate):\n    return sum(row.cents * rate for row in rows if row.count)\n";
    let copied: String = some_lines().lines().take(25).flat_map(|line| [line, "\n"]).collect();
    place.write("src/stock.py", format!("{}{own}{copied}", example(PROGRAM)));
    let done = failing("0.6");
    assert_eq!(done.code, Some(1), "{done}");
    let score = place.fanmill("compare . --base-rev HEAD").report().pairs[0].score;
    assert!(score < 0.6, "{score}");
    assert_eq!(failing("0.99").code, Some(0));
    place.write("src/stock.py", format!("{}{own}", example(PROGRAM)));
    assert_eq!(failing("0.6").code, Some(0));
}

#[test]
fn names_are_those_of_the_repository() {
    let place = repository();
    let names = ["src/ä b.py", "src/it's \"x\".py", "src/[a].py", "src/-q.py", "src/info.csv"];
    for name in names {
        place.write(name, some_lines());
    }
    git(&place, "add -A");
    let done = place.fanmill("compare src --base-rev HEAD --format sarif").run();
    let log: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let uri = |location: &Value| {
        let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
        uri.as_str().expect("a path").to_owned()
    };
    let of_old = |result: &&Value| uri(&result["relatedLocations"][0]) == "src/stock.py";
    let mut found: Vec<String> =
        results.iter().filter(of_old).map(|result| uri(&result["locations"][0])).collect();
    found.sort();
    let wanted = ["src/%5Ba%5D.py", "src/%C3%A4%20b.py", "src/-q.py", "src/it%27s%20%22x%22.py"];
    assert!(wanted.iter().all(|name| found.contains(&(*name).to_owned())), "{found:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_not_lost() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = repository();
    place.write(OsStr::from_bytes(b"\xff.py"), some_lines());
    git(&place, "add -A");
    let done = place.fanmill("compare . --base-rev HEAD --strict").run();
    assert_eq!(done.code, Some(4), "{done}");
    assert!(done.stderr.contains("changed, but not found under this name"), "{done}");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let place = Place::new().with("a.py", example(PROGRAM)).with("b.py", some_lines());
    git(&place, "init -q -b main");
    git(&place, "add -A");
    let found = pairs(&place.fanmill("compare . --base-rev HEAD").report());
    assert_eq!(found.len(), 1);
    assert_eq!((&*found[0].0, &*found[0].1, found[0].2), ("a.py", "b.py", Role::New));
}

#[test]
fn what_is_no_change_says_so() {
    let place = repository();
    let outside = Place::new().with("a.py", "x = 1\n");
    let said = |place: &Place, arguments: &str| {
        let done = place.fanmill(arguments).run();
        (done.code, done.stderr)
    };
    let cases = [
        (
            "compare . --base-rev nothing",
            Some(2),
            "--base-rev `nothing` is not a commit of this repository",
        ),
        ("compare . --base-rev=--output=x", Some(2), "--base-rev `--output=x` is not a revision"),
        (
            "compare src README.md --base-rev HEAD",
            Some(2),
            "one folder of a git repository, not at 2 paths",
        ),
        ("compare README.md --base-rev HEAD", Some(3), "`README.md` is not a folder"),
        ("compare . --base-rev HEAD --group-by child", Some(2), "leave out --group-by"),
        ("compare --task a --task b --base-rev HEAD", Some(2), "cannot be used with"),
    ];
    for (arguments, code, words) in cases {
        let (ended, stderr) = said(&place, arguments);
        assert!(ended == code && stderr.contains(words), "{arguments}: {ended:?} {stderr}");
    }
    let (ended, stderr) = said(&outside, "compare . --base-rev HEAD");
    assert!(ended == Some(3) && stderr.contains("not a git repository"), "{ended:?} {stderr}");
    git(&place, "checkout -q --orphan other");
    git(&place, "commit -q -m apart");
    let (ended, stderr) = said(&place, "compare . --base-rev main");
    assert!(ended == Some(2) && stderr.contains("no commit in common"), "{ended:?} {stderr}");
}

/// The words of an entry of `.pre-commit-hooks.yaml`.
fn hook(key: &str) -> Vec<String> {
    let text = include_str!("../../../../.pre-commit-hooks.yaml");
    let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).expect("an entry");
    let word = |word: &str| word.trim_matches([',', '"', '[', ']']).to_owned();
    line.split_whitespace().map(word).collect()
}

#[test]
fn the_hook_stops_a_copy() {
    let place = repository();
    let run = || {
        let entry = hook("entry:");
        assert_eq!(entry[0], "fanmill");
        let run = place.fanmill(&entry[1..].join(" "));
        hook("args:").iter().fold(run, Run::arg).env("GIT_DIR", ".git").run()
    };
    place.write("src/rates.py", "def rate(cents):\n    return cents * 19 // 100\n");
    git(&place, "add -A");
    assert_eq!(run().code, Some(0));
    place.write("src/copy.py", some_lines());
    git(&place, "add -A");
    let done = run();
    assert_eq!(done.code, Some(1), "{done}");
}

#[cfg(unix)]
#[test]
fn the_action_leaves_results_and_how_it_ended() {
    let place = repository();
    place.write("copy.py", some_lines());
    commit(&place);
    let clone = place.path("clone");
    // A clone as a code host makes it: without what was before.
    let source = format!("file://{}", place.path(".").canonicalize().expect("a path").display());
    let cloned =
        Command::new("git").args(["clone", "-q", "--depth", "1", &source]).arg(&clone).output();
    assert!(cloned.expect("git").status.success());
    let program = Path::new(env!("CARGO_BIN_EXE_fanmill")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/compare-change");
    let run = |limit: &str, base: &str| {
        let output = place.path("outputs");
        let _ = std::fs::remove_file(&output);
        let mut command = Command::new("bash");
        command.arg(&script).current_dir(&clone).env("FOLDER", ".").env("BASE_REV", base);
        command
            .env("FAIL_ABOVE", limit)
            .env("ARGUMENTS", "--include *.py")
            .env("GITHUB_OUTPUT", &output);
        command
            .env("RUNNER_TEMP", place.path("."))
            .env("PATH", format!("{}:{path}", program.display()));
        let status = command.output().expect("bash").status.code();
        (status, std::fs::read_to_string(output).unwrap_or_default())
    };
    let (status, outputs) = run("0.6", "HEAD~1");
    let sarif = place.path("./fanmill.sarif");
    assert_eq!((status, outputs), (Some(0), format!("sarif={}\nstatus=1\n", sarif.display())));
    let log: Value = serde_json::from_slice(&std::fs::read(sarif).expect("results")).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1));
    assert!(run("1", "HEAD~1").1.ends_with("status=0\n"));
    assert_eq!(run("1", "nothing").0, Some(2));
}

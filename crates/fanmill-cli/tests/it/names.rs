//! Names and texts with markup, escape sequences or tricks: they are shown and never take effect.

use std::fs;
use std::path::Path;

use crate::place::{Place, example};
use crate::report::Ask;
use crate::run::{Done, Run};

/// Names of folders and files, without slashes.
const NAMES: [&str; 22] = [
    "a\"b'c`d",
    "new\nline\r\ttab",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "\"><script>alert(1)<",
    "' onmouseover='alert(1)",
    "&lt;b&gt;&amp;&#60;",
    "javascript:alert(1)",
    "]]><!--",
    "${alert(1)}{{7*7}}",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{202e}yp.exe\u{2066}",
    "zero\u{200b}width\u{feff}",
    "line\u{2028}separator\u{85}",
    "=cmd|' C calc'!A0",
    "@SUM(A1)",
    "-rf",
    "%s%n%00..%2f",
    "\u{ff1c}script\u{ff1e}",
    "CON.txt ",
    "\u{1f469}\u{200d}\u{1f4bb} ünï 中文 עברית",
    "a,b;c",
];

/// A program with markup and tricks in its strings and comments.
fn program() -> String {
    let lena = example("assignment/submissions/lena/inventory.py");
    let tricks = "# </script><script>alert(1)</script> <img src=x onerror=alert(1)> ]]> <!--\n\
                  TRICK = \"</pre></td><svg/onload=alert(1)>&lt;\\\"'\" + '\u{1b}[31m' + \"\u{202e}\u{200b}\"\n";
    format!("{tricks}{lena}{tricks}")
}

/// Every name as a submission, a file and an entry, in pairs of copies.
fn place() -> Place {
    let (place, program) = (Place::new(), program());
    for name in NAMES {
        place.write(Path::new("in").join(name).join(format!("{name}.py")), &program);
        place.write(Path::new("in").join(name).join(format!("empty {name}.py")), "");
    }
    place
}

#[test]
fn every_name_is_compared_and_kept() {
    let place = place();
    let report = place.fanmill("compare in --max-pairs 1000").report();
    report.check_account();
    assert_eq!(report.submissions.len(), NAMES.len());
    assert_eq!(report.pairs.len(), NAMES.len() * (NAMES.len() - 1) / 2);
    assert_eq!(report.clusters[0].members.len(), NAMES.len());
    for name in NAMES {
        assert!(report.submissions.iter().any(|submission| submission.name == name), "{name:?}");
    }
}

/// Checks that no character could fool a terminal or an eye; line feeds are allowed.
#[track_caller]
fn check_plain(what: &str, text: &str) {
    let odd = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{2028}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let at = text.find(odd);
    assert_eq!(
        at,
        None,
        "{what}: {:?}",
        at.map(|at| text[at..].chars().take(30).collect::<String>())
    );
}

#[test]
fn terminal_and_data_hold_no_raw_controls() {
    let place = place();
    for format in ["table", "json", "csv"] {
        let Done { code, stdout, stderr, .. } =
            place.fanmill(&format!("compare in --top 500 --format {format}")).run();
        assert_eq!(code, Some(0));
        check_plain(format, &stdout);
        check_plain(format, &stderr);
        if format == "csv" {
            check_cells(&stdout);
        }
    }
    let error = place.fanmill("compare").arg("in/\u{1b}[31mred\n\u{202e}").run();
    assert_eq!(error.code, Some(3));
    check_plain("an error", &error.stderr);
    assert_eq!(error.stderr.lines().count(), 1, "{error}");
}

/// Checks that no cell is a formula, wherever a spreadsheet may split.
#[track_caller]
fn check_cells(csv: &str) {
    let cells = csv.lines().flat_map(|line| line.split(['"', ',', ';']));
    for cell in cells {
        assert!(!cell.trim_start().starts_with(['=', '@', '+', '-']), "{cell}");
    }
}

#[test]
fn the_page_is_the_same_whatever_was_compared() {
    let hostile = place();
    let done = hostile.fanmill("compare in --max-pairs 60 --quiet -o report").run();
    assert_eq!(done.code, Some(0), "{done}");
    let plain = Place::new().with("in/a.txt", "one two three").with("in/b.txt", "four");
    let done = plain.fanmill("compare in --quiet -o report").run();
    assert_eq!(done.code, Some(0), "{done}");
    for name in ["report/index.html", "report/app/app.js", "report/app/app.css"] {
        let bytes = |place: &Place| fs::read(place.path(name)).expect("part of the page");
        assert!(bytes(&hostile) == bytes(&plain), "{name}");
    }
}

#[test]
fn data_of_the_page_hold_no_markup_from_outside() {
    let place = place();
    let done = place.fanmill("compare in --max-pairs 60 --quiet -o report").run();
    assert_eq!(done.code, Some(0), "{done}");
    check_script(&place.path("report/data/overview.js"), "overview");
    for folder in ["pairs", "texts"] {
        let scripts = fs::read_dir(place.path(format!("report/data/{folder}"))).expect("scripts");
        let scripts: Vec<_> = scripts.map(|script| script.expect("a script").path()).collect();
        assert!(scripts.len() >= NAMES.len());
        for script in scripts {
            let stem = script.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(stem.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'), "{stem}");
            check_script(&script, &format!("{folder}/{stem}"));
        }
    }
}

/// Checks that a script is one call of one function with its name and JSON: nothing closes the script, reverses the
/// reading order, or ends a string.
fn check_script(path: &Path, name: &str) {
    let script = fs::read_to_string(path).expect("UTF-8");
    let json = script.strip_prefix(&format!("fanmill(\"{name}\", "));
    let json = json.and_then(|rest| rest.strip_suffix(");\n")).expect("one call");
    assert!(!json.contains('<') && !json.contains('\n'), "{name}");
    check_plain(name, json);
    check_json(name, json);
}

/// Checks that there is only JSON outside strings, and that every string is closed.
fn check_json(name: &str, json: &str) {
    let (mut inside, mut escaped) = (false, false);
    for c in json.chars() {
        match (inside, c) {
            (true, _) if escaped => escaped = false,
            (true, '\\') => escaped = true,
            (_, '"') => inside = !inside,
            (true, _) => {}
            (false, c) => {
                assert!("{}[]:,.-+".contains(c) || c.is_ascii_alphanumeric(), "{name}: {c}");
            }
        }
    }
    assert!(!inside, "{name}");
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_are_kept_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = Place::new();
    let program = program();
    for name in [&b"a\xff"[..], b"a\xfe", b"b\xc3("] {
        place.write(Path::new("in").join(OsStr::from_bytes(name)).join("a.py"), &program);
    }
    let report = place.fanmill("compare in").report();
    let mut names: Vec<&str> = report.submissions.iter().map(|s| s.name.as_str()).collect();
    names.dedup();
    assert_eq!((names.len(), report.pairs.len()), (3, 3), "{names:?}");
}

/// Names given one by one are treated as in a folder, and the path of the report says which one it is.
#[cfg(target_os = "linux")]
#[test]
fn given_paths_that_are_no_utf_8_are_kept_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = Place::new();
    let names = [&b"s\xf1.txt"[..], b"s\xf2.txt"].map(|name| Path::new(OsStr::from_bytes(name)));
    let mut run = place.fanmill("compare");
    for name in names {
        place.write(name, example("essays/nora.md"));
        run = run.arg(name);
    }
    let done = run.arg("-o").arg(OsStr::from_bytes(b"r\xff")).run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(done.stdout.contains(r"s\xf1.txt") && done.stdout.contains(r"s\xf2.txt"), "{done}");
    assert!(done.stderr.contains(r"report: r\xff"), "{done}");
}

/// Settings are filled by their names from text, and paths need not be text.
#[cfg(target_os = "linux")]
#[test]
fn settings_reach_every_job_beside_paths_that_are_no_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let folder = Path::new(OsStr::from_bytes(b"caf\xe9"));
    for name in ["a.txt", "b.txt"] {
        place.write(folder.join(name), example("essays/nora.md"));
    }
    place.write(
        "own.toml",
        "[limits]\nmax-depth = 3\n[compare]\nmax-pairs = 5\n[index]\nlabel = 'a'\n",
    );
    place.write("a.key", format!("fanmill-sift-key-1 {}\n", "0123456789abcdef".repeat(4)));
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(place.path("a.key"), private).expect("our own");
    for arguments in [
        "compare --config own.toml --group-by file --exclude x --max-depth 2 --min-score 10%",
        "compare --config own.toml --hidden read --lang words --metadata --base",
        "index add ix --config own.toml --group-by file --include *.txt --text-field text",
        "search ix --config own.toml --group-by file --max-sources 60",
        "dedup --config own.toml --mode report --min-score 0.5 --memory 64MiB",
        "sift add st --key a.key --config own.toml --input-format text --max-depth 2",
        "sift check st --key a.key --config own.toml --input-format text --min-score 0.2",
        "text --config own.toml --lang words --max-depth 2",
    ] {
        // A base needs submissions beside it.
        let run = place.fanmill(arguments).arg(folder);
        let run = if arguments.ends_with("--base") { run.arg("own.toml") } else { run };
        let done = run.run();
        // One text beside boilerplate is nothing to compare.
        let code = if arguments.ends_with("--base") { 3 } else { 0 };
        assert_eq!(done.code, Some(code), "{arguments}: {done}");
        assert!(
            !arguments.ends_with("--base") || done.stderr.contains("nothing to compare"),
            "{done}"
        );
    }
}

/// Names are bytes: every job that reads or writes them distinguishes names that look the same.
#[cfg(unix)]
#[test]
fn every_job_takes_names_that_are_no_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;

    let place = Place::new();
    let names =
        [&b"a\xff.txt"[..], b"a\xfe.txt"].map(|name| Path::new("in").join(OsStr::from_bytes(name)));
    for (n, name) in names.iter().enumerate() {
        let words: Vec<String> = (0..400).map(|i| format!("w{}", i * (n + 3))).collect();
        place.write(name, words.join(" "));
    }
    let lines = "{\"url\":\"http://a.org/x\",\"text\":\"one\"}\n";
    place.write(Path::new("urls").join(OsStr::from_bytes(b"u\xff.jsonl")), lines);
    place.write(Path::new("urls").join(OsStr::from_bytes(b"u\xfe.jsonl")), lines);
    place.write("a.key", format!("fanmill-sift-key-1 {}\n", "0123456789abcdef".repeat(4)));
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(place.path("a.key"), private).expect("our own");
    let given = |arguments: &str| names.iter().fold(place.fanmill(arguments), Run::arg).run();
    for (n, arguments) in ["dedup -o one", "dedup --unit line -o two"].into_iter().enumerate() {
        let done = given(arguments);
        assert_eq!(done.code, Some(0), "{done}");
        for name in &names {
            let written = place.path(["one", "two"][n]).join(name.file_name().expect("a name"));
            assert_eq!(std::fs::read(written).ok(), std::fs::read(place.path(name)).ok());
        }
    }
    let learnt = place.fanmill("urls urls -o rules").run();
    assert_eq!(learnt.code, Some(0), "{learnt}");
    assert!(learnt.stderr.contains("2 URLs"), "{learnt}");
    for arguments in ["sift add --key a.key each.sift", "sift check --key a.key each.sift"] {
        let done = given(arguments);
        assert!(matches!(done.code, Some(0 | 1)), "{done}");
        assert!(!done.stderr.contains("already"), "{done}");
    }
    let listed = place.fanmill("sift list each.sift").run();
    assert!(
        listed.stdout.contains(r"a\xff.txt") && listed.stdout.contains(r"a\xfe.txt"),
        "{listed}"
    );
    let measured = given("lab frequency --read-as words -o lab");
    assert!(measured.code == Some(0) && measured.stdout.contains("2 documents"), "{measured}");
}

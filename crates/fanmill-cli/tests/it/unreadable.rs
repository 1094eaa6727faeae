//! Files that the user may not read: they are named, and the run goes on.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::place::Place;

/// Somebody who owns nothing.
const NOBODY: u32 = 65_534;

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
}

/// The program, run by somebody who has no rights beyond those of the files.
fn run(place: &Place, arguments: &str, secret: &Path) -> Output {
    let program = place.path("fanmill");
    if !program.exists() {
        // Where others can run it, too. By another process: a program cannot be started while anyone has it open for
        // writing, and what other tests start may inherit our open files.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_fanmill")).arg(&program).status();
        assert!(copied.is_ok_and(|status| status.success()), "copied");
    }
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).current_dir(place.path("")).stdin(Stdio::null());
    if File::open(secret).is_ok() {
        allow(&place.path(""), 0o777);
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_ends_no_run() {
    for (file, count, words) in [
        (
            "d/b.txt",
            "failed: 1 record",
            "d, record 2, byte 7: `b.txt`: not readable, and not in the",
        ),
        (
            "d/b.png",
            "failed: 1 record",
            "d, record 2, byte 7: `b.png`: not readable, and not in the",
        ),
        ("d/b.css", "skipped: not compared: 1", "d/b.css: not readable: not compared, not in the"),
        ("d/.b", "skipped: not compared: 1", "d/.b: not readable: not compared, not in the output"),
        ("d/.c/b", "skipped: not compared: 1", "d/.c/b: not readable: not compared, not in the"),
    ] {
        let place = Place::new().with("d/a.txt", "one two").with("d/c.txt", "three four five");
        place.write(file, "secret");
        let secret = place.path(file);
        allow(&secret, 0);
        for (arguments, output) in
            [("dedup d -o out", "out"), ("dedup d -o lines --unit line", "lines")]
        {
            let done = run(&place, arguments, &secret);
            let [said, wrong] = [&done.stdout, &done.stderr].map(|bytes| text(bytes));
            assert_eq!(done.status.code(), Some(0), "{file}: {wrong}");
            assert!(said.contains(count) && said.contains(words), "{file}: {said}");
            for name in ["a.txt", "c.txt"] {
                let written = fs::read(place.path(output).join(name)).expect("written");
                assert_eq!(written, fs::read(place.path("d").join(name)).expect("there"));
            }
            assert!(!place.path(output).join(file.trim_start_matches("d/")).exists());
            assert!(!place.path(format!("{output}.partial")).exists());
        }
        let strict = run(&place, "dedup d -o strict --strict", &secret);
        let is_text = ["d/b.txt", "d/b.png"].contains(&file);
        assert_eq!(strict.status.code(), Some(if is_text { 3 } else { 0 }), "{file}");
    }
}

/// One by one, too; but a file of many records must not be missing without a word.
#[test]
fn a_file_of_many_records_that_cannot_be_read_ends_the_run() {
    let place = Place::new().with("a.txt", "one two").with("b.txt", "secret").with("c.jsonl", "{}");
    for (name, code) in [("b.txt", 0), ("c.jsonl", 6)] {
        let secret = place.path(name);
        allow(&secret, 0);
        let done = run(&place, &format!("dedup a.txt {name} -o out"), &secret);
        assert_eq!(done.status.code(), Some(code), "{}", text(&done.stderr));
        assert_eq!(place.path("out/a.txt").exists(), code == 0);
        for made in ["out", "out.fanmill"] {
            let _ = fs::remove_dir_all(place.path(made));
        }
    }
}

/// A folder that cannot be listed leaves the others as they are read without it.
#[test]
fn a_closed_folder_beside_records_is_named() {
    let place = Place::new()
        .with("d/a/1.jsonl", "{\"id\": \"one\", \"text\": \"one two\"}\n")
        .with("d/b/2.txt", "three four");
    let secret = place.path("d/a");
    allow(&secret, 0);
    let done = run(&place, "index add ix d", &secret);
    allow(&secret, 0o755);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("d/a") && said.contains("1 document added"), "{said}");
}

//! A comparison is locked in.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::Command;

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::client::{Person, Running, assignment};

#[cfg(target_os = "linux")]
#[test]
fn a_comparison_is_locked_into_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let tried = Command::new(env!("CARGO_BIN_EXE_fanmill-serve"))
        .args(["__job", "selftest"])
        .arg(folder.path())
        .env_clear()
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&tried.stdout);
    if said.starts_with("no landlock") {
        // The start says so in the log, which the next test looks at.
        return;
    }
    assert!(tried.status.success(), "{said}{}", String::from_utf8_lossy(&tried.stderr));
    assert_eq!(said.lines().count(), 14, "{said}");
    assert!(!said.contains("POSSIBLE") && !said.contains("REFUSED"), "{said}");
    assert_eq!(std::fs::read(folder.path().join("secret")).expect("still there"), b"x");
}

#[test]
fn the_start_says_in_the_log_how_comparisons_are_locked_in() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    assert_eq!(anna.wait(&server, reply["id"].as_str().expect("an id"))["state"], "done");
    let log = server.log();
    let started = log.lines().find(|line| line.contains("\"started\"")).expect("a line");
    assert!(started.contains("\"cage\":"), "{started}");
    assert!(!data.path().join("selftest").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_comparison_that_breaks_off_three_times_is_given_up() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let lines = (0..300).map(|i| format!("x{i} = f(x{}, {i}) + y{i}", i / 2));
    let program = lines.collect::<Vec<_>>().join("\n");
    let tar = tar_of((0..60).map(|i| (format!("s{i}/a.py"), program.clone())));
    let settings = json!({"max_docs": "100%"}).to_string();
    let files = [("submissions", "all.tar".to_owned(), tar)];
    let reply = anna.upload(&server, &course, &settings, &files).json();
    let id = reply["id"].as_str().expect("an id");
    let mut killed = BTreeSet::new();
    let shown = loop {
        let folder = data.path().join("batches").join(id);
        for child in children(&folder) {
            let process = Pid::from_raw(child).expect("not 0");
            if kill_process(process, Signal::KILL).is_ok() {
                killed.insert(child);
            }
        }
        let shown = anna.get(&server, &format!("/api/v1/batches/{id}")).json();
        if !matches!(shown["state"].as_str(), Some("queued" | "running")) {
            break shown;
        }
    };
    assert_eq!(shown["state"], "failed", "{shown}");
    assert!(shown["error"].as_str().expect("why").contains("three times"), "{shown}");
    assert_eq!(killed.len(), 3, "begun three times");
    let log = server.log();
    let ends = log.lines().filter(|line| line.contains("\"event\":\"job\""));
    assert!(ends.clone().all(|line| line.contains("\"end\":\"broke\"")), "{log}");
    assert_eq!(ends.count(), 3, "{log}");
    assert_eq!(anna.get(&server, &format!("/batches/{id}/report/report.json")).status, 404);
    // It holds up nobody, and can be asked for again.
    let again = anna.post(&server, &format!("/api/v1/batches/{id}/run"), &json!({}));
    assert!(again.status < 300, "{}", again.text());
    assert_eq!(anna.wait(&server, id)["state"], "done");
}

/// Processes that compare the batch of a folder.
#[cfg(target_os = "linux")]
fn children(folder: &Path) -> impl Iterator<Item = i32> {
    let wanted = ["__job".as_bytes(), folder.as_os_str().as_encoded_bytes()].join(&0);
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    processes.filter_map(move |entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        line.windows(wanted.len()).any(|part| part == wanted).then_some(process)
    })
}

#[test]
fn a_comparison_that_takes_too_long_is_given_up() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["processor-seconds=1"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    // A second is not enough for three thousand programs that are all alike.
    let lines = (0..400).map(|i| format!("x{i} = f(x{}, {i}) + y{i}", i / 2));
    let program = lines.collect::<Vec<_>>().join("\n");
    let tar = tar_of((0..3000).map(|i| (format!("s{i}/a.py"), program.clone())));
    let files = [("submissions", "all.tar".to_owned(), tar)];
    let reply = anna.upload(&server, &course, &json!({"max_docs": "100%"}).to_string(), &files);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let shown = anna.wait(&server, reply.json()["id"].as_str().expect("an id"));
    assert_eq!(shown["state"], "failed", "{shown}");
    assert!(shown["error"].as_str().expect("why").contains("three times"), "{shown}");
}

/// A tar of text files.
pub(crate) fn tar_of(files: impl Iterator<Item = (String, String)>) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        tar.append_data(&mut header, name, text.as_bytes()).expect("added");
    }
    tar.into_inner().expect("whole")
}

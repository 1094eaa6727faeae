//! Deletions that are interrupted: whatever the moment, a batch is there with all that belongs to it, or nothing of it is
//! left, in its own files and in the reports of others.
//!
//! A few moments; `FANMILL_REMOVAL_KILLS` is their number in the long form.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::client::{Person, Running};
use crate::traces::traces;

const CANARY: &[u8] = b"zugvogel";

/// An interruption of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interruption {
    /// The client closes its connection.
    Closed,
    /// The server is killed.
    Killed,
}

fn n_moments() -> u64 {
    std::env::var("FANMILL_REMOVAL_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

fn program(word: &str) -> Vec<u8> {
    let lines = (0..60).map(|i| format!("int {word}{i} = {i} * x{};\n", i % 7));
    lines.collect::<String>().into_bytes()
}

fn uploaded(server: &Running, anna: &Person, course: &str, settings: &str, word: &str) -> String {
    let files = [
        ("submissions", format!("{word}/A.java"), program(word)),
        ("submissions", "other/A.java".to_owned(), b"class Other { }\n".to_vec()),
    ];
    let reply = anna.upload(server, course, settings, &files);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let id = reply.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(anna.wait(server, &id)["state"], "done");
    id
}

/// Sends a request, and does not wait for the answer.
fn sent(server: &Running, anna: &Person, (method, path): (&str, &str), body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&server.host).expect("connects");
    let headers = anna.headers.join("\r\n");
    let head = format!("Host: {}\r\n{headers}\r\nContent-Type: application/json", server.host);
    let n = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\n{head}\r\nContent-Length: {n}\r\n\r\n{body}")
        .expect("sent");
    stream
}

/// The report of a batch, if it is shown.
fn report(server: &Running, anna: &Person, id: &str) -> Option<String> {
    let reply = anna.get(server, &format!("/batches/{id}/report/report.json"));
    assert!(matches!(reply.status, 200 | 404 | 409), "{}", reply.status);
    (reply.status == 200).then(|| reply.text())
}

/// Interrupts what a request does at several moments. `request` makes it of the batch of earlier work, whose text another
/// batch's report shows.
fn interrupted(how: Interruption, request: &dyn Fn(&str, &str) -> (&'static str, String, String)) {
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let mut n_done = 0;
    for moment in 0..n_moments() {
        let course = anna.course(&server);
        let old = uploaded(&server, &anna, &course, "{}", "zugvogel");
        let archived = anna.post(&server, &format!("/api/v1/batches/{old}/archive"), &json!({}));
        assert_eq!(archived.status, 202);
        let new = uploaded(&server, &anna, &course, r#"{"use_archive":true}"#, "standvogel");
        let shown = report(&server, &anna, &new).expect("a report");
        assert!(shown.contains("zugvogel"), "it shows the earlier work");
        let (method, path, body) = request(&course, &old);
        let stream = sent(&server, &anna, (method, &path), &body);
        // Moments that differ, and are the same in every run.
        thread::sleep(Duration::from_micros(moment * 7919 % 60_000));
        match how {
            Interruption::Closed => drop(stream),
            Interruption::Killed => {
                server.kill();
                server = Running::start(data.path());
            }
        }
        let is_there = || {
            anna.get(&server, &format!("/api/v1/batches/{old}")).status == 200
                && has_person(&server, &anna, &old)
        };
        // A request that was not read yet when its client went away may still be carried out.
        if is_there() {
            let whole = report(&server, &anna, &new);
            assert!(whole.is_some_and(|whole| whole.contains("zugvogel")) || !is_there());
            anna.send(&server, method, &path, &serde_json::from_str(&body).unwrap_or_default());
        } else {
            n_done += 1;
        }
        anna.settle(&server);
        if anna.get(&server, &format!("/api/v1/batches/{old}")).status == 200 {
            anna.wait(&server, &old);
        }
        nothing_is_left(&server, &anna, data.path(), &new, &format!("{how:?}, moment {moment}"));
        anna.send(&server, "DELETE", &format!("/api/v1/courses/{course}"), &json!({}));
        anna.settle(&server);
    }
    print_figures(how, n_done);
}

/// Returns whether a report still shows something of the person.
fn has_person(server: &Running, anna: &Person, id: &str) -> bool {
    report(server, anna, id).is_some_and(|report| report.contains("zugvogel"))
}

#[expect(clippy::print_stdout, reason = "the figures")]
fn print_figures(how: Interruption, n_done: usize) {
    println!(
        "{} deletions, {how:?}: {n_done} of them after the rows were gone; nothing left",
        n_moments()
    );
}

fn nothing_is_left(server: &Running, anna: &Person, data: &Path, new: &str, what: &str) {
    if anna.get(server, &format!("/api/v1/batches/{new}")).status == 200 {
        assert_eq!(anna.wait(server, new)["state"], "done", "{what}");
        let shown = report(server, anna, new).expect("a report");
        assert!(!shown.contains("zugvogel"), "{what}");
        assert!(shown.contains("standvogel"), "{what}: the others are still compared");
    }
    anna.settle(server);
    let left = traces(data, &[CANARY]);
    assert!(left.is_empty(), "{what}: {left:?}");
}

fn delete_batch(_: &str, old: &str) -> (&'static str, String, String) {
    ("DELETE", format!("/api/v1/batches/{old}"), "{}".to_owned())
}

fn erase_person(_: &str, _: &str) -> (&'static str, String, String) {
    ("POST", "/api/v1/people/erase".to_owned(), r#"{"name":"zugvogel"}"#.to_owned())
}

fn delete_course(course: &str, _: &str) -> (&'static str, String, String) {
    ("DELETE", format!("/api/v1/courses/{course}"), "{}".to_owned())
}

#[test]
fn a_deletion_whose_client_goes_away_is_completed() {
    interrupted(Interruption::Closed, &delete_batch);
}

#[test]
fn a_deletion_whose_server_is_killed_is_completed() {
    interrupted(Interruption::Killed, &delete_batch);
}

#[test]
fn an_erasure_whose_client_goes_away_is_completed() {
    interrupted(Interruption::Closed, &erase_person);
}

#[test]
fn an_erasure_whose_server_is_killed_is_completed() {
    interrupted(Interruption::Killed, &erase_person);
}

#[test]
fn the_deletion_of_a_course_whose_server_is_killed_is_completed() {
    interrupted(Interruption::Killed, &delete_course);
}

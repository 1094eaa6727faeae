//! The server is killed while it compares: each job is done once, or queued; no half report, no mark lost.

use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::client::{Person, Running, assignment};

/// Batches that wait while the server is killed.
const N_BATCHES: usize = 20;

#[test]
fn a_killed_server_goes_on_where_it_was() {
    let n_kills: u64 =
        std::env::var("FANMILL_SERVER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let n_batches = N_BATCHES.min(usize::try_from(n_kills).expect("few"));
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let mut batches: Vec<String> = Vec::new();
    let mut marks = 0;
    for round in 0..n_kills {
        if batches.len() < n_batches {
            let reply = anna.upload(&server, &course, "{}", &assignment());
            assert_eq!(reply.status, 201, "{}", reply.text());
            batches.push(reply.json()["id"].as_str().expect("an id").to_owned());
        } else {
            let again = &batches[usize::try_from(round).expect("few") % batches.len()];
            anna.post(&server, &format!("/api/v1/batches/{again}/run"), &json!({}));
        }
        // Moments that differ, and are the same in every run.
        thread::sleep(Duration::from_millis(round * 67 % 400));
        if marked(&server, &anna, &batches[0], marks) {
            marks += 1;
        }
        server.kill();
        server = Running::start(data.path());
        for batch in &batches {
            whole(&server, &anna, batch);
        }
        let saved = anna.get(&server, &format!("/batches/{}/report/marks", batches[0]));
        assert!(marks == 0 || saved.json()["n"] == marks, "{} of {marks}", saved.text());
    }
    for batch in &batches {
        let shown = anna.wait(&server, batch);
        assert_eq!(shown["state"], "done", "{shown}");
        whole(&server, &anna, batch);
    }
}

/// Saves marks; whether the server said that it has them.
fn marked(server: &Running, anna: &Person, batch: &str, before: u64) -> bool {
    let path = format!("/batches/{batch}/report/marks");
    let mut known = anna.clone();
    let Some(version) = anna.get(server, &path).header("etag") else { return false };
    known.headers.push(format!("If-Match: {version}"));
    known.send(server, "PUT", &path, &json!({ "n": before + 1 })).status == 204
}

/// What is shown of a batch is a whole report, or none.
fn whole(server: &Running, anna: &Person, batch: &str) {
    let report = anna.get(server, &format!("/batches/{batch}/report/report.json"));
    match report.status {
        200 => assert_eq!(report.json()["format"], "fanmill report"),
        status => assert!(status == 404 || status == 409, "{status}: {}", report.text()),
    }
}

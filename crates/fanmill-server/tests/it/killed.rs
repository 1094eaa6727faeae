//! The server is killed while it compares: each job is done once, or queued.

use std::thread;
use std::time::Duration;

use crate::client::{Person, Running, assignment};

#[test]
fn a_killed_server_goes_on_where_it_was() {
    let n_kills: u64 =
        std::env::var("FANMILL_SERVER_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let mut batches = Vec::new();
    for round in 0..n_kills {
        let reply = anna.upload(&server, &course, "{}", &assignment());
        assert_eq!(reply.status, 201, "{}", reply.text());
        batches.push(reply.json()["id"].as_str().expect("an id").to_owned());
        // Moments that differ, and are the same in every run.
        thread::sleep(Duration::from_millis(round * 67 % 400));
        server.kill();
        server = Running::start(data.path());
    }
    for batch in &batches {
        let shown = anna.wait(&server, batch);
        // A job that was begun three times and never left alone is given up, and says so.
        assert_eq!(shown["state"], "done", "{shown}");
        let report = anna.get(&server, &format!("/batches/{batch}/report/report.json"));
        assert_eq!(report.json()["format"], "fanmill report");
    }
}

//! Numbers for Prometheus: they say what happens, in its format, to programs that are near.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};

/// Reads the text format, version 0.0.4: each number comes below the line that says what kind it is.
fn read(text: &str) -> BTreeMap<String, String> {
    let (mut numbers, mut kind) = (BTreeMap::new(), ("", ""));
    for line in text.strip_suffix('\n').expect("the last line ends, too").split('\n') {
        if let Some(said) = line.strip_prefix("# TYPE ") {
            kind = said.split_once(' ').expect("a kind");
            assert!(["counter", "gauge", "histogram"].contains(&kind.1), "{line}");
            continue;
        }
        let (name, number) = line.split_once(' ').expect("a number");
        let (bare, labels) = name.split_once('{').unwrap_or((name, "x=\"y\"}"));
        let part = bare.strip_prefix(kind.0).expect(line);
        let is_histogram = kind.1 == "histogram";
        assert_eq!(["_bucket", "_sum", "_count"].contains(&part), is_histogram, "{line}");
        assert!(is_histogram || part.is_empty(), "{line}");
        let (label, value) = labels.split_once("=\"").expect(line);
        assert!(!label.is_empty() && value.ends_with("\"}"), "{line}");
        assert!(bare.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{line}");
        assert_eq!(bare.ends_with("_total"), kind.1 == "counter", "{line}");
        let is_new = numbers.insert(name.to_owned(), number.to_owned()).is_none();
        assert!(number.parse::<f64>().is_ok(), "{line}");
        assert!(is_new, "{line}");
    }
    numbers
}

/// Reads the whole numbers of a server.
fn numbers(server: &Running) -> BTreeMap<String, u64> {
    let whole = |(name, number): (String, String)| Some((name, number.parse().ok()?));
    all(server).into_iter().filter_map(whole).collect()
}

fn all(server: &Running) -> BTreeMap<String, String> {
    let reply = nobody().get(server, "/metrics");
    assert_eq!(reply.status, 200);
    let kind = reply.header("content-type").expect("a type");
    assert!(kind.starts_with("text/plain"), "{kind}");
    read(&reply.text())
}

#[test]
fn the_dashboard_asks_for_numbers_that_are_there_and_for_all_of_them() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/grafana.json");
    let text = fs::read_to_string(file).expect("the dashboard");
    let dashboard: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let asked: BTreeSet<&str> = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().expect("targets"))
        .map(|target| target["expr"].as_str().expect("an expression"))
        .flat_map(|expr| expr.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')))
        .filter(|word| word.starts_with("fanmill_"))
        .collect();
    let data = tempfile::tempdir().expect("folder");
    let known = all(&Running::start(data.path()));
    let bare = |name: &str| name.split('{').next().map(str::to_owned);
    let known: BTreeSet<String> = known.keys().filter_map(|name| bare(name)).collect();
    // Those of a histogram are its buckets; sum and count belong to it.
    let parts = ["fanmill_job_seconds_sum", "fanmill_job_seconds_count"];
    let known: BTreeSet<&str> =
        known.iter().map(String::as_str).filter(|name| !parts.contains(name)).collect();
    assert_eq!(asked, known);
}

#[test]
fn numbers_move_with_what_happens() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let first = numbers(&server);
    assert_eq!(first["fanmill_requests_total"], 1, "its own");
    for _ in 0..3 {
        nobody().get(&server, "/health");
    }
    assert_eq!(numbers(&server)["fanmill_requests_total"], 5);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let batch = anna.upload(&server, &course, "{}", &assignment()).json();
    anna.wait(&server, batch["id"].as_str().expect("an id"));
    let after = numbers(&server);
    let moved = |name: &str| after[name] - first[name];
    assert_eq!(moved("fanmill_jobs_ended_total{end=\"done\"}"), 1);
    assert_eq!(moved("fanmill_jobs_ended_total{end=\"failed\"}"), 0);
    assert_eq!(moved("fanmill_job_seconds_count"), 1);
    assert_eq!(moved("fanmill_job_seconds_bucket{le=\"+Inf\"}"), 1);
    assert!(all(&server)["fanmill_job_seconds_sum"] != "0.000");
    assert!(after["fanmill_disk_free_bytes"] > 0);
    assert_eq!((moved("fanmill_batches"), moved("fanmill_users")), (1, 1));
    assert_eq!(after["fanmill_jobs_waiting"], 0);
    assert!(moved("fanmill_requests_total") > 7);
    anna.send(
        &server,
        "DELETE",
        &format!("/api/v1/batches/{}", batch["id"].as_str().expect("an id")),
        &json!({}),
    );
    assert_eq!(numbers(&server)["fanmill_batches"], 0);
}

#[test]
fn comparisons_that_wait_are_counted() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["running=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    for n in 1..=2 {
        assert_eq!(anna.upload(&server, &course, "{}", &assignment()).status, 201);
        assert_eq!(numbers(&server)["fanmill_jobs_waiting"], n);
    }
    assert_eq!(numbers(&server)["fanmill_jobs_ended_total{end=\"done\"}"], 0);
    let wrong = json!({ "name": "anna", "password": "not the password" });
    assert_eq!(nobody().post(&server, "/api/v1/login", &wrong).status, 401);
    assert_eq!(numbers(&server)["fanmill_logins_refused_total"], 1);
}

#[test]
fn whoever_is_not_near_must_be_an_administrator() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    // What a proxy on this machine passes on comes from elsewhere.
    let through_a_proxy = |person: &Person| {
        let mut far = person.clone();
        far.headers.push("X-Forwarded-For: 192.0.2.7".to_owned());
        far.get(&server, "/metrics")
    };
    for (person, status) in [(&nobody(), 401), (&bert, 403), (&anna, 200)] {
        let reply = through_a_proxy(person);
        assert_eq!(reply.status, status);
        assert_eq!(reply.text().contains("fanmill_"), status == 200);
    }
}

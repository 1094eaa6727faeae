//! What is too much, too slow or malformed is refused, and the client sees why.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};

/// What a connection says until it is closed.
fn rest(mut stream: TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_mins(1))).expect("set");
    let mut all = String::new();
    let _ = stream.read_to_string(&mut all);
    all
}

#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["head-ms=300"]);
    let mut slow = TcpStream::connect(&server.host).expect("connects");
    slow.write_all(b"GET /health HTTP/1.1\r\nHost: ").expect("sent");
    assert!(!rest(slow).contains("200 OK"));
    // A connection that is kept open without a request ends likewise.
    let mut idle = TcpStream::connect(&server.host).expect("connects");
    write!(idle, "GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).expect("sent");
    assert!(rest(idle).ends_with("ok"));
    assert_eq!(nobody().get(&server, "/health").text(), "ok");
}

#[test]
fn a_body_that_does_not_come_ends_the_request() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["idle-ms=300"]);
    let mut slow = TcpStream::connect(&server.host).expect("connects");
    let head = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    write!(slow, "POST /api/v1/login HTTP/1.1\r\nHost: {}\r\n{head}", server.host).expect("sent");
    let said = rest(slow);
    assert!(said.starts_with("HTTP/1.1 400") && said.contains("\"error\""), "{said}");
}

#[test]
fn too_many_connections_are_told_so() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["each-address=3"]);
    let kept: Vec<TcpStream> =
        (0..3).map(|_| TcpStream::connect(&server.host).expect("connects")).collect();
    let refused = nobody().get(&server, "/health");
    assert_eq!(refused.status, 503);
    assert!(refused.header("retry-after").is_some());
    assert!(refused.json()["error"].is_string());
    drop(kept);
    let begun = Instant::now();
    while nobody().get(&server, "/health").status != 200 {
        assert!(begun.elapsed() < Duration::from_mins(20));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_upload_that_is_too_large_is_answered_while_it_is_sent() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["file-bytes=1000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    // More than all the buffers between client and server hold.
    let large = vec![b'x'; 30 << 20];
    let refused = anna.upload(&server, &course, "{}", &[("submissions", "a.py".into(), large)]);
    assert_eq!(refused.status, 413);
    assert!(refused.json()["error"].as_str().expect("why").contains("1000 bytes"));
    let left = std::fs::read_dir(data.path().join("batches")).expect("a folder").count();
    assert_eq!(left, 0, "nothing of a refused upload is kept");
}

#[test]
fn a_full_disk_refuses_uploads_while_they_are_sent() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["free-bytes=9000000000000000000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let large = vec![b'x'; 30 << 20];
    let refused = anna.upload(&server, &course, "{}", &[("submissions", "a.py".into(), large)]);
    assert_eq!(refused.status, 507);
    assert!(refused.json()["error"].as_str().expect("why").contains("must stay free"));
}

#[test]
fn what_waits_is_bounded_and_accounts_have_their_share() {
    let data = tempfile::tempdir().expect("folder");
    let limits = ["running=0", "waiting=2", "account-batches=3"];
    let server = Running::limited(data.path(), &limits);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = || anna.upload(&server, &course, "{}", &assignment());
    let ids: Vec<String> =
        (0..2).map(|_| upload().json()["id"].as_str().expect("an id").to_owned()).collect();
    let refused = upload();
    assert_eq!(refused.status, 503, "{}", refused.text());
    assert!(refused.header("retry-after").is_some());
    let cancel = |id: &str| anna.post(&server, &format!("/api/v1/batches/{id}/cancel"), &json!({}));
    assert_eq!(cancel(&ids[0]).status, 204);
    assert_eq!(upload().status, 201);
    for id in &ids {
        assert_eq!(
            anna.send(&server, "DELETE", &format!("/api/v1/batches/{id}"), &json!({})).status,
            202
        );
    }
    // What was deleted counts too.
    let refused = upload();
    assert_eq!(refused.status, 429, "{}", refused.text());
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn an_account_keeps_so_many_bytes() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["running=0", "account-bytes=1500"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = || {
        let file = ("submissions", "a.py".to_owned(), vec![b'x'; 1000]);
        anna.upload(&server, &course, "{}", &[file])
    };
    let first = upload();
    assert_eq!(first.status, 201);
    assert_eq!(upload().status, 413);
    let id = first.json()["id"].as_str().expect("an id").to_owned();
    anna.send(&server, "DELETE", &format!("/api/v1/batches/{id}"), &json!({}));
    assert_eq!(upload().status, 201);
}

#[test]
fn reports_count_for_what_an_account_keeps() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["account-bytes=100000"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    // Uploads of a few kilobytes, whose report is larger than what the account may keep.
    let reply = anna.upload(&server, &course, "{}", &assignment());
    let batch = anna.wait(&server, reply.json()["id"].as_str().expect("an id"));
    let [uploaded, report] =
        ["bytes", "report_bytes"].map(|of| batch[of].as_u64().expect("a size"));
    assert!(uploaded < 100_000 && report > 100_000, "{batch}");
    let file = || ("submissions", "a.py".to_owned(), vec![b'x'; 1000]);
    assert_eq!(anna.upload(&server, &course, "{}", &[file()]).status, 413);
    anna.send(
        &server,
        "DELETE",
        &format!("/api/v1/batches/{}", batch["id"].as_str().expect("an id")),
        &json!({}),
    );
    assert_eq!(anna.upload(&server, &course, "{}", &[file()]).status, 201);
}

#[test]
fn what_is_malformed_is_answered_as_all_else() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let typed = ["Content-Type: application/json".to_owned()];
    for (method, path, headers, body) in [
        ("POST", "/api/v1/login", &typed[..], "{"),
        ("POST", "/api/v1/login", &typed[..], "{\"name\":7}"),
        ("POST", "/api/v1/login", &[][..], "{}"),
        ("PATCH", "/api/v1/login", &[][..], ""),
        ("GET", "/nothing/here", &[][..], ""),
        ("POST", "/s/0123/", &typed[..], "{}"),
    ] {
        let reply = server.send(method, path, headers, body.as_bytes());
        assert!((400..500).contains(&reply.status), "{method} {path}: {}", reply.status);
        assert!(reply.json()["error"].as_str().is_some_and(|why| !why.is_empty()), "{path}");
        assert_eq!(reply.header("x-content-type-options").as_deref(), Some("nosniff"));
    }
}

#[test]
fn guesses_are_counted_by_address_too_as_a_trusted_proxy_names_it() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["trust-loopback=1"]);
    let from = |address: &str, name: usize| {
        let headers =
            ["Content-Type: application/json".to_owned(), format!("X-Forwarded-For: {address}")];
        let body = json!({ "name": format!("somebody{name}"), "password": "a wrong password" });
        server.send("POST", "/api/v1/login", &headers, body.to_string().as_bytes()).status
    };
    for name in 0..50 {
        // What stands before the last address is the client's own word.
        assert_eq!(from(&format!("10.0.0.{name}, 192.0.2.7"), name), 401);
    }
    assert_eq!(from("192.0.2.7", 99), 429);
    assert_eq!(from("192.0.2.8", 99), 401);
}

//! Work of whoever runs the server: backups, the audit log, probes, addresses, folders.

use std::fs;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::client::{Person, Running, assignment, nobody};

#[test]
fn a_backup_is_made_while_the_server_runs_and_another_starts_with_it() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let batch = |settings: &str| {
        let reply = anna.upload(&server, &course, settings, &assignment());
        reply.json()["id"].as_str().expect("an id").to_owned()
    };
    let done = batch("{}");
    anna.wait(&server, &done);
    let copies = tempfile::tempdir().expect("folder");
    let copy = copies.path().join("monday");
    let made = fanmill_server::back_up(data.path(), &copy).expect("copied");
    assert_eq!((made.batches, made.gone), (1, 0));
    assert!(made.bytes > 100_000, "{made:?}");
    let again = fanmill_server::back_up(data.path(), &copy).expect_err("it is there");
    assert!(again.to_string().contains("is there already; name a new folder"), "{again}");
    let inside = fanmill_server::back_up(data.path(), &data.path().join("copy"));
    assert!(
        inside.is_err_and(|error| error.to_string().contains("lies in the folder that is copied"))
    );
    // What comes later is not in it, and nothing unfinished lies beside it.
    let later = batch("{}");
    anna.wait(&server, &later);
    assert_eq!(fs::read_dir(copies.path()).expect("a folder").count(), 1);
    drop(server);

    let server = Running::start(&copy);
    let report = anna.get(&server, &format!("/batches/{done}/report/report.json"));
    assert_eq!(report.status, 200, "who was logged in is, in the copy");
    assert_eq!(report.json()["pairs"].as_array().map(Vec::len), Some(11));
    assert_eq!(anna.get(&server, &format!("/api/v1/batches/{later}")).status, 404);
    anna.send(&server, "DELETE", &format!("/api/v1/batches/{done}"), &serde_json::json!({}));
    anna.settle(&server);
    assert!(!copy.join("batches").join(done).exists());
}

#[test]
fn a_changed_line_of_the_audit_log_is_noticed() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    for name in ["bert", "carla", "dora"] {
        anna.invite(&server, name, "teacher");
    }
    drop(server);
    let whole = fanmill_server::verify_audit(data.path()).expect("read").expect("in order");
    assert!(whole.0 > 3, "{whole:?}");
    for (change, first) in [
        ("UPDATE audit SET what = 'nothing' WHERE number = 2", 2),
        ("DELETE FROM audit WHERE number = 3", 4),
        ("DELETE FROM audit WHERE number = 1", 2),
    ] {
        let copy = tempfile::tempdir().expect("folder");
        fs::copy(data.path().join("fanmill.db"), copy.path().join("fanmill.db")).expect("copied");
        let database = Connection::open(copy.path().join("fanmill.db")).expect("opens");
        let open = "DROP TRIGGER audit_stays; DROP TRIGGER audit_as_is;";
        database.execute_batch(open).expect("as somebody could who has the file");
        database.execute(change, []).expect("changed");
        drop(database);
        let found = fanmill_server::verify_audit(copy.path()).expect("read");
        assert_eq!(found, Err(first), "{change}");
    }
    // Lines that are removed from the end leave a chain, with another last hash.
    let database = Connection::open(data.path().join("fanmill.db")).expect("opens");
    database.execute_batch("DROP TRIGGER audit_stays").expect("as somebody could");
    let sql = "DELETE FROM audit WHERE number = (SELECT max(number) FROM audit)";
    database.execute(sql, []).expect("removed");
    drop(database);
    let cut = fanmill_server::verify_audit(data.path()).expect("read").expect("in order");
    assert_eq!(cut.0, whole.0 - 1);
    assert_ne!(cut.1, whole.1);
}

#[test]
fn probes_answer_what_they_are_asked() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    for probe in ["/livez", "/readyz", "/health"] {
        assert_eq!(nobody().get(&server, probe).text(), "ok", "{probe}");
    }
    drop(server);
    let full = Running::limited(data.path(), &["free-bytes=9000000000000000"]);
    assert_eq!(nobody().get(&full, "/livez").status, 200);
    assert_eq!(nobody().get(&full, "/readyz").status, 507);
}

#[test]
fn requests_for_other_hosts_are_told_which_was_seen_and_which_is_expected() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let own = format!("Host: {}", server.host);
    let ask = |path: &str, hosts: &[&str]| {
        let headers: Vec<String> = hosts.iter().map(|&host| host.to_owned()).collect();
        server.send_bare("GET", path, &headers, b"")
    };
    assert_eq!(ask("/health", &[&own]).status, 200);
    let other = ask("/health", &["Host: copies.example.edu"]);
    assert_eq!(other.status, 421);
    let why = other.json()["error"].as_str().expect("a reason").to_owned();
    assert!(why.contains("`copies.example.edu`") && why.contains(&*server.host), "{why}");
    assert_eq!(ask("/health", &[&own, "Host: copies.example.edu"]).status, 400);
    assert_eq!(ask("http://copies.example.edu/health", &[&own]).status, 421);
    assert_eq!(ask(&format!("http://{}/health", server.host), &[&own]).status, 200);
}

#[test]
fn a_folder_of_something_else_is_left_as_it_is() {
    let start = |folder: &Path| {
        let tried = Command::new(env!("CARGO_BIN_EXE_fanmill-serve")).arg(folder).output();
        String::from_utf8_lossy(&tried.expect("it runs").stderr).into_owned()
    };
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("thesis.odt"), "x").expect("written");
    let said = start(folder.path());
    assert!(said.contains("has other files, such as `thesis.odt`"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    // A disk of its own has such a folder from the start.
    let disk = tempfile::tempdir().expect("folder");
    fs::create_dir(disk.path().join("lost+found")).expect("made");
    assert_eq!(nobody().get(&Running::start(disk.path()), "/livez").status, 200);
}

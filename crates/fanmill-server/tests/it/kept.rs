//! What is kept, for how long, and how it comes back: databases of earlier releases, backups, expiry, the log.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};
use crate::traces::traces;

pub(crate) fn database(data: &Path) -> Connection {
    Connection::open(data.join("fanmill.db")).expect("opens")
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).expect("copied");
        }
    }
}

#[test]
fn what_is_deleted_is_in_no_copy_of_an_upgrade() {
    let data = tempfile::tempdir().expect("folder");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/v1.db");
    fs::copy(&old, data.path().join("fanmill.db")).expect("copied");
    let server = Running::start(data.path());
    let copy = data.path().join("fanmill.db.v1");
    assert!(copy.exists(), "the way back, until something is deleted");
    let anna = Person::log_in(&server, "anna", "correct horse battery");
    let batch = anna.send(&server, "DELETE", "/api/v1/batches/b1", &json!({}));
    assert_eq!(batch.status, 202, "{}", batch.text());
    anna.settle(&server);
    assert!(!copy.exists());
}

#[test]
fn a_database_of_version_1_is_copied_and_brought_up_to_date() {
    let data = tempfile::tempdir().expect("folder");
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/v1.db");
    fs::copy(&old, data.path().join("fanmill.db")).expect("copied");
    let server = Running::start(data.path());
    assert_eq!(server.setup, "-", "its administrator is known");
    let anna = json!({ "name": "anna", "password": "correct horse battery" });
    assert_eq!(nobody().post(&server, "/api/v1/login", &anna).status, 200);
    let now: u32 = database(data.path())
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .expect("a version");
    assert!(now > 1);
    let by =
        "SELECT users.name FROM batches JOIN users ON users.id = by_user WHERE batches.id = 'b1'";
    let by: String = database(data.path()).query_row(by, [], |row| row.get(0)).expect("a row");
    assert_eq!(by, "anna", "who uploaded a batch is taken from the audit log");
    let copy = Connection::open(data.path().join("fanmill.db.v1")).expect("a copy");
    let (version, n): (u32, i64) = copy
        .query_row(
            "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM batches)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("a row");
    assert_eq!((version, n), (1, 1));
    // The way back: the copy in place of the database, without the files of its log.
    drop(server);
    for log in ["fanmill.db-wal", "fanmill.db-shm"] {
        let _ = fs::remove_file(data.path().join(log));
    }
    fs::rename(data.path().join("fanmill.db.v1"), data.path().join("fanmill.db")).expect("back");
    let server = Running::start(data.path());
    assert_eq!(nobody().post(&server, "/api/v1/login", &anna).status, 200);
}

#[test]
fn a_database_of_a_later_release_is_refused_and_left_as_it_is() {
    let data = tempfile::tempdir().expect("folder");
    drop(Running::start(data.path()));
    let later = |connection: &Connection| {
        let version: u32 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("a version");
        connection.pragma_update(None, "user_version", version + 1).expect("set");
        connection.execute_batch("ALTER TABLE courses ADD COLUMN of_later TEXT").expect("added");
        // So that all is in the one file.
        connection.pragma_update(None, "journal_mode", "delete").expect("set");
    };
    later(&database(data.path()));
    let before = fs::read(data.path().join("fanmill.db")).expect("read");
    let tried = Command::new(env!("CARGO_BIN_EXE_fanmill-serve")).arg(data.path()).output();
    let tried = tried.expect("it runs");
    let said = String::from_utf8_lossy(&tried.stderr).into_owned();
    assert!(!tried.status.success() && said.contains("use a newer release"), "{said}");
    let after = fs::read(data.path().join("fanmill.db")).expect("read");
    assert!(after == before, "the database was changed");
}

#[test]
fn a_copy_of_the_folder_is_the_server() {
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = reply["id"].as_str().expect("an id");
    anna.wait(&server, batch);
    let mut saved = anna.clone();
    saved.headers.push("If-Match: \"0\"".to_owned());
    saved.send(&server, "PUT", &format!("/batches/{batch}/report/marks"), &json!({ "1": "seen" }));
    let report = anna.get(&server, &format!("/batches/{batch}/report/report.json")).body;
    server.kill();
    let copy = tempfile::tempdir().expect("folder");
    copied(data.path(), copy.path());
    drop(data);
    let server = Running::start(copy.path());
    let anna = json!({ "name": "anna", "password": "correct horse battery" });
    let login = nobody().post(&server, "/api/v1/login", &anna);
    let cookie = login.header("set-cookie").expect("a cookie");
    let anna =
        Person { headers: vec![format!("Cookie: {}", cookie.split(';').next().expect("a value"))] };
    assert_eq!(anna.get(&server, &format!("/batches/{batch}/report/report.json")).body, report);
    assert_eq!(anna.get(&server, &format!("/batches/{batch}/report/marks")).json()["1"], "seen");
}

#[test]
fn sessions_links_and_one_time_secrets_expire() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = reply["id"].as_str().expect("an id");
    anna.wait(&server, batch);
    let link = anna.post(&server, &format!("/api/v1/batches/{batch}/links"), &json!({})).json();
    let url = link["url"].as_str().expect("an address");
    let path = url.split_once(&server.host).expect("our address").1;
    assert_eq!(nobody().get(&server, &format!("{path}report.json")).status, 200);
    let lasts: i64 = database(data.path())
        .query_row("SELECT expires - created FROM links", [], |row| row.get(0))
        .expect("a link");
    assert_eq!(lasts, 14 * 86_400, "a link that does not say how long it lasts");
    database(data.path()).execute_batch("UPDATE links SET expires = 1").expect("old");
    for part in ["", "index.html", "report.json", "data/overview.js"] {
        let reply = nobody().get(&server, &format!("{path}{part}"));
        assert_eq!(reply.status, 404, "{part}");
        assert!(!reply.text().contains("hana"), "{part}");
    }
    let invited =
        anna.post(&server, "/api/v1/users", &json!({ "name": "bert", "role": "teacher" })).json();
    let secret =
        invited["link"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    database(data.path()).execute_batch("UPDATE secrets SET expires = 1").expect("old");
    let late = json!({ "secret": secret, "password": "correct horse battery" });
    assert_eq!(nobody().post(&server, "/api/v1/setup", &late).status, 401);
    database(data.path()).execute_batch("UPDATE sessions SET expires = 1").expect("old");
    assert_eq!(anna.get(&server, "/api/v1/courses").status, 401);
    assert_eq!(anna.get(&server, &format!("/batches/{batch}/report/")).status, 401);
    // The pages without data are for everyone, and lead to the login.
    assert_eq!(nobody().get(&server, "/login").status, 200);
}

#[test]
fn batches_and_links_go_when_their_time_is_over() {
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::limited(data.path(), &["keep-days=10"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = |word: &str| {
        let text = format!("int {word} = 1;\n").into_bytes();
        let file = ("submissions", format!("{word}/A.java"), text);
        let other = ("submissions", "other/A.java".to_owned(), b"int x = 1;\n".to_vec());
        let reply = anna.upload(&server, &course, "{}", &[file, other]).json();
        let id = reply["id"].as_str().expect("an id").to_owned();
        assert_eq!(anna.wait(&server, &id)["state"], "done");
        id
    };
    let [old, new] = ["zugvogel", "standvogel"].map(upload);
    let link = || {
        let made = anna.post(&server, &format!("/api/v1/batches/{new}/links"), &json!({})).json();
        let url = made["url"].as_str().expect("an address");
        let path = url.split_once(&server.host).expect("our address").1.to_owned();
        (made["id"].as_str().expect("an id").to_owned(), path)
    };
    let [(late, _), (_, good)] = [link(), link()];
    server.kill();
    let day = 86_400;
    let now = jiff::Timestamp::now().as_second();
    let db = database(data.path());
    let aged = "UPDATE batches SET created = ? WHERE id = ?";
    db.execute(aged, (now - 10 * day - 60, &old)).expect("old");
    db.execute(aged, (now - 10 * day + 3600, &new)).expect("nearly");
    db.execute("UPDATE links SET expires = ? WHERE id = ?", (now - 60, &late)).expect("late");
    let count = |of: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {of}");
        database(data.path()).query_row(&sql, [], |row| row.get(0)).expect("a row")
    };
    assert_eq!((count("batches"), count("links")), (2, 2));
    assert!(!traces(data.path(), &[b"zugvogel"]).is_empty());
    drop(db);
    // The server sweeps when it starts, and every hour.
    let server = Running::limited(data.path(), &["keep-days=10"]);
    let folder = data.path().join("batches").join(&old);
    let begun = Instant::now();
    let wait_while = |is_left: &dyn Fn() -> bool| {
        while is_left() {
            assert!(begun.elapsed() < Duration::from_mins(20), "{}", server.log());
            thread::sleep(Duration::from_millis(20));
        }
    };
    wait_while(&|| count("batches") + count("links") > 2 || folder.exists());
    // The database forgets last.
    wait_while(&|| !traces(data.path(), &[b"zugvogel"]).is_empty());
    assert_eq!(anna.get(&server, &format!("/api/v1/batches/{old}")).status, 404);
    assert_eq!(anna.get(&server, &format!("/batches/{new}/report/")).status, 200);
    assert_eq!(nobody().get(&server, &format!("{good}report.json")).status, 200);
    let line = "audit WHERE who = 'retention' AND what = 'batch deleted'";
    assert_eq!(count(line), 1);
    assert_eq!(count(&format!("{line} AND id = '{old}'")), 1);
    assert!(!traces(data.path(), &[b"standvogel"]).is_empty());
}

#[test]
fn the_log_has_the_cause_of_a_fault_under_the_id_that_the_client_is_given() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["trust-loopback=1"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = reply["id"].as_str().expect("an id");
    anna.wait(&server, batch);
    // A folder in the place of a file cannot be read as one.
    let file = data.path().join("batches").join(batch).join("report/report.json");
    fs::remove_file(&file).expect("removed");
    fs::create_dir(&file).expect("a folder");
    let ask = |ids: &[&str]| {
        let given = ids.iter().map(|id| format!("X-Request-Id: {id}"));
        let headers = [anna.headers.clone(), given.collect()].concat();
        server.send("GET", &format!("/batches/{batch}/report/report.json"), &headers, b"")
    };
    let own = ask(&[]);
    assert_eq!((own.status, own.json()), (500, json!({ "error": "a file could not be used" })));
    let id = own.header("x-request-id").expect("an id");
    assert!(id.len() == 16 && ask(&[]).header("x-request-id") != Some(id.clone()), "{id}");
    let of_proxy = "0af7651916cd43dd8448eb211c80319c";
    assert_eq!(ask(&[of_proxy]).header("x-request-id").as_deref(), Some(of_proxy));
    for forged in ["short", "with blanks in it", "quoted\"=cause", &"x".repeat(65)] {
        assert_ne!(ask(&[forged]).header("x-request-id").as_deref(), Some(forged));
    }
    let log = server.log();
    for id in [&*id, of_proxy] {
        let line = log.lines().find(|line| line.contains(id)).expect("a line");
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&line["id"], &line["status"]), (&json!(id), &json!(500)));
        assert!(line["cause"].as_str().is_some_and(|cause| !cause.is_empty()), "{line}");
    }
    assert!(!log.contains("blanks"));
}

#[test]
fn the_log_has_a_line_for_each_request_and_no_secrets() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment()).json();
    let batch = reply["id"].as_str().expect("an id");
    anna.wait(&server, batch);
    let token = anna.post(&server, "/api/v1/tokens", &json!({ "label": "kestrel" })).json();
    let token = token["token"].as_str().expect("a token").to_owned();
    let link =
        anna.post(&server, &format!("/api/v1/batches/{batch}/links"), &json!({ "days": 1 })).json();
    let url = link["url"].as_str().expect("an address");
    let path = url.split_once(&server.host).expect("our address").1;
    assert_eq!(nobody().get(&server, path).status, 200);
    nobody().get(&server, &format!("/setup/{}", server.setup));
    nobody().post(&server, "/api/v1/login", &json!({ "name": "anna", "password": "wrong horse" }));
    nobody().get(&server, "/made/up/by/kestrel?name=hana");
    let log = server.log();
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |route: &str| lines.iter().find(|line| line["route"] == route).expect("a line");
    let shared = of("/s/{secret}/");
    assert_eq!((&shared["status"], &shared["method"]), (&json!(200), &json!("GET")));
    assert!(shared["us"].is_u64() && shared["bytes"].is_u64() && shared["account"].is_null());
    assert!(of("/api/v1/tokens")["account"].is_string());
    assert!(lines.iter().any(|line| line["event"] == "job" && line["end"] == "done"));
    assert!(lines.iter().any(|line| line["status"] == 404 && line["route"].is_null()));
    let session = anna.headers[0].rsplit('=').next().expect("a session").to_owned();
    let csrf = anna.headers[1].rsplit(' ').next().expect("a token").to_owned();
    let secret = path.trim_matches('/').rsplit('/').next().expect("a secret").to_owned();
    let names = ["hana", "anna", "horse", "kestrel", "Programming", "Week 3", &server.setup];
    for secret in names.into_iter().map(str::to_owned).chain([token, session, csrf, secret]) {
        assert!(!log.contains(&secret), "{secret}");
    }
}

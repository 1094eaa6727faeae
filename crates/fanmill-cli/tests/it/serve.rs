//! `serve` as a program: its accounts from the command line, addresses that it refuses, and how it ends.

#[path = "../../../fanmill-server/tests/it/client.rs"]
#[expect(dead_code, reason = "tests of the server use more of it")]
mod client;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

use self::client::{Person, Running, assignment, nobody};
use crate::patience::{wait, wait_until};
use crate::place::Place;
use crate::signals::send;

/// The server in the folder `data` of a place, once it answers. The disk may be as full as it likes.
fn start(place: &Place, options: &[&str]) -> Running {
    place.write("serve.toml", "[serve]\nmin-free = \"1KiB\"\nlog = \"json\"\n");
    let log = tempfile::NamedTempFile::new().expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_fanmill"))
        .args(["serve", "--config", "serve.toml", "--data", "data"])
        .args(options)
        .current_dir(place.path(""))
        .stderr(log.reopen().expect("the file"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    let said = || fs::read_to_string(log.path()).expect("the log");
    let ended = wait_until(&mut child, || said().contains("\"started\""));
    assert!(ended.is_none(), "{}", said());
    let said = said();
    let behind = |words: &str| {
        let rest = said.split(words).nth(1)?;
        Some(rest.split([' ', '\n']).next()?.to_owned())
    };
    let host = behind("serving http://").expect("an address");
    let setup = behind("/setup/").unwrap_or_else(|| "-".to_owned());
    Running { child, host, setup, moss: "-".to_owned(), log }
}

const LOCAL: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// What a command prints that must succeed.
fn printed(place: &Place, arguments: &str) -> String {
    let done = place.fanmill(arguments).run();
    assert_eq!(done.code, Some(0), "{done}");
    done.stdout
}

/// The secret of the link that a command prints.
fn secret(place: &Place, arguments: &str) -> String {
    let path = printed(place, arguments);
    let secret = path.trim_end().strip_prefix("/setup/").expect("the path of a link");
    assert!(secret.len() >= 32, "{path}");
    secret.to_owned()
}

#[track_caller]
fn refused(place: &Place, arguments: &str, status: i32, why: &str) {
    let done = place.fanmill(arguments).run();
    assert_eq!(done.code, Some(status), "{done}");
    assert!(done.stdout.is_empty() && done.stderr.contains(why), "{done}");
}

#[test]
fn accounts_are_managed_beside_the_server_and_without_it() {
    let place = Place::new();
    refused(&place, "serve user list --data data", 3, "is not the folder of a server");
    let mut server = start(&place, &LOCAL);
    refused(&place, "serve --data data --listen 127.0.0.1:0", 2, "another server uses the folder");
    let anna = Person::set_up(&server, &server.setup, "anna");
    let invited = secret(&place, "serve user add bert --role reader --data data");
    let list = printed(&place, "serve user list --data data");
    assert_eq!(list, "anna  administrator\nbert  reader  (no password yet)\n");
    let bert = Person::set_up(&server, &invited, "bert");
    assert_eq!(bert.get(&server, "/api/v1/me").json()["user"]["role"], "reader");
    let list = printed(&place, "serve user list --data data");
    assert_eq!(list, "anna  administrator\nbert  reader\n");
    refused(&place, "serve user add bert --data data", 3, "the name `bert` is taken");
    refused(&place, "serve user add carl --role king --data data", 3, "no role `king`");
    refused(&place, "serve user reset carl --data data", 3, "nobody is called `carl`");

    // The administrator has forgotten the password, and has tried until no other is let in either.
    let login = |password: &str| {
        let known = json!({ "name": "anna", "password": password });
        nobody().post(&server, "/api/v1/login", &known).status
    };
    for _ in 0..10 {
        assert_eq!(login("a wrong password"), 401);
    }
    assert_eq!(login("correct horse battery"), 429);
    let first = secret(&place, "serve user reset anna --data data");
    let second = secret(&place, "serve user reset anna --data data");
    let used = json!({ "secret": first, "password": "correct horse battery" });
    assert_eq!(nobody().post(&server, "/api/v1/setup", &used).status, 401, "the last link counts");
    let back = Person::set_up(&server, &second, "anna");
    assert_eq!(back.get(&server, "/api/v1/users").status, 200, "still the administrator");
    assert_eq!(anna.get(&server, "/api/v1/users").status, 401, "older sessions have ended");

    // Without a server, for the next one.
    server.kill();
    let kept = secret(&place, "serve user reset anna --data data");
    assert!(printed(&place, "serve user list --data data").starts_with("anna  administrator\n"));
    let server = start(&place, &LOCAL);
    assert_eq!(server.setup, "-", "its administrator is known");
    let back = Person::set_up(&server, &kept, "anna");
    assert_eq!(back.get(&server, "/api/v1/users").status, 200);
}

#[test]
fn addresses_that_others_reach_are_refused_unless_they_are_wanted() {
    let place = Place::new().with("open.toml", "[serve]\nlisten = \"0.0.0.0:0\"\n");
    for options in [
        "--listen 0.0.0.0:0",
        "--listen [::]:0",
        "--listen 192.0.2.7:7474",
        "--listen 127.0.0.1:0 --moss 0.0.0.0:0",
        "--config open.toml",
        // That a proxy has TLS does not close this server's own port.
        "--listen 0.0.0.0:0 --public-url https://copies.example.edu",
    ] {
        let arguments = format!("serve --data data {options}");
        refused(&place, &arguments, 2, "can be reached from other machines");
        refused(&place, &arguments, 2, "--insecure");
        assert!(!place.path("data").exists(), "{options}");
    }
    let server = start(&place, &["--listen", "0.0.0.0:0", "--insecure"]);
    assert_eq!(nobody().get(&server, "/health").text(), "ok");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let place = Place::new();
    let arguments = "serve --data data --listen 127.0.0.1:0 --public-url";
    for (address, why) in [
        ("copies.example.edu", "cannot be read"),
        ("ftp://copies.example.edu", "begins with neither"),
        ("https://copies.example.edu/?a", "has more than a host, a port and a path"),
    ] {
        refused(&place, &format!("{arguments} {address}"), 2, why);
        refused(&place, &format!("{arguments} {address}"), 2, "by --public-url");
    }
    assert!(!place.path("data").exists());
}

#[test]
fn a_server_that_is_asked_to_end_answers_what_is_open_and_puts_its_job_back() {
    let place = Place::new();
    let mut server = start(&place, &LOCAL);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment());
    assert_eq!(reply.status, 201, "{}", reply.text());
    let batch = reply.json()["id"].as_str().expect("an id").to_owned();
    let job = held(&place, &server, &anna, &batch);
    let mut login = begun_login(&server);

    send(server.child.id(), &["TERM"]);
    wait_until(&mut server.child, || TcpStream::connect(&server.host).is_err());
    login.write_all(b"horse battery\"}").expect("the server still listens to what is open");
    let mut answer = [0; 1024];
    let n = login.read(&mut answer).expect("an answer");
    let answer = String::from_utf8_lossy(&answer[..n]);
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("fanmill_session="), "{answer}");
    drop(login);
    let status = wait(&mut server.child);
    assert_eq!(status.code(), Some(0), "{status}: {}", server.log());
    assert!(server.log().contains("\"end\":\"parked\""), "{}", server.log());
    assert!(!Path::new(&format!("/proc/{job}")).exists(), "its child has ended with it");

    let server = start(&place, &LOCAL);
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    let report = anna.get(&server, &format!("/batches/{batch}/report/report.json"));
    assert_eq!(report.json()["format"], "fanmill report");
}

/// The process of a batch's comparison, stopped in the middle of it, so that it is not done before its server ends.
fn held(place: &Place, server: &Running, anna: &Person, batch: &str) -> u32 {
    let path = format!("/api/v1/batches/{batch}");
    loop {
        if let Some(job) = job(&place.path("data/batches").join(batch)) {
            send(job, &["STOP"]);
            let stat = fs::read_to_string(format!("/proc/{job}/stat")).unwrap_or_default();
            if stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" T")) {
                return job;
            }
        }
        // It was too fast: once more.
        if anna.get(server, &path).json()["state"] == "done" {
            anna.post(server, &format!("{path}/run"), &json!({}));
        }
    }
}

/// The process that compares a batch, if one does.
fn job(batch: &Path) -> Option<u32> {
    let batch = batch.canonicalize().ok()?;
    let wanted = ["__job".as_bytes(), batch.as_os_str().as_encoded_bytes()].join(&0);
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        line.windows(wanted.len()).any(|part| part == wanted).then_some(process)
    })
}

/// A login whose second half is still to come, when a handler waits for it.
fn begun_login(server: &Running) -> TcpStream {
    let n_requests = || {
        let numbers = nobody().get(server, "/metrics").text();
        let line = numbers.lines().find_map(|line| line.strip_prefix("fanmill_requests_total "));
        line.and_then(|number| number.parse::<u64>().ok()).expect("a number")
    };
    let whole = "{\"name\":\"anna\",\"password\":\"correct horse battery\"}";
    let before = n_requests();
    let mut open = TcpStream::connect(&server.host).expect("connects");
    open.set_read_timeout(Some(Duration::from_mins(1))).expect("set");
    let head = format!(
        "POST /api/v1/login HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.host,
        whole.len()
    );
    let (first, _) = whole.split_once("horse").expect("two halves");
    open.write_all(format!("{head}{first}").as_bytes()).expect("sent");
    // Each look is a request, too.
    for n_looks in 1.. {
        if n_requests() > before + n_looks {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    open
}

#[test]
fn a_changed_line_of_the_audit_log_is_told_by_the_command_and_by_each_start() {
    let place = Place::new();
    let mut server = start(&place, &LOCAL);
    Person::set_up(&server, &server.setup, "anna").invite(&server, "bert", "teacher");
    send(server.child.id(), &["TERM"]);
    wait(&mut server.child);
    let verified = printed(&place, "serve audit verify --data data");
    assert!(verified.contains("lines in order; the last has the hash "), "{verified}");
    let database = place.path("data").join("fanmill.db");
    let bytes = fs::read(&database).expect("read");
    let text = b"account added";
    let at = bytes.windows(text.len()).position(|window| window == text).expect("its line");
    let mut changed = bytes;
    changed[at..at + text.len()].copy_from_slice(b"account ended");
    fs::write(&database, changed).expect("written");
    refused(&place, "serve audit verify --data data", 4, "the audit log was changed from outside");
    let server = start(&place, &LOCAL);
    assert!(server.log().contains("the audit log was changed from outside"), "{}", server.log());
}

#[test]
fn the_health_of_a_server_is_asked_by_the_program_itself() {
    let place = Place::new();
    let mut server = start(&place, &LOCAL);
    let asked = format!("serve health --listen {}", server.host);
    assert_eq!(printed(&place, &asked), "");
    server.kill();
    refused(&place, &asked, 6, &format!("no answer from a server at {}", server.host));
    // Another server answers, and not what is asked for.
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = other.local_addr().expect("an address");
    let answering = thread::spawn(move || {
        let (mut asking, _) = other.accept().expect("a client");
        // All of it: what is not read when a connection is closed resets it, and the answer with it.
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0; 1];
            asking.read_exact(&mut byte).expect("a request");
            head.extend(byte);
        }
        asking.write_all(b"HTTP/1.1 503 Busy\r\n\r\nthe disk is full\n").expect("a pipe");
    });
    let why = format!("{at} answers HTTP/1.1 503 Busy: the disk is full");
    refused(&place, &format!("serve health --listen {at}"), 4, &why);
    answering.join().expect("the other server");
}

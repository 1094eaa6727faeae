//! The whole path, from the first start to the last trace.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use fanmill::pipeline::{Config, fingerprinted};
use fanmill_text::document::Corpus;
use serde_json::json;

use crate::client::{Person, Running, assignment, nobody};
use crate::traces::{assert_nowhere, traces, traces_in, traces_of};

/// Two submissions that share a text with a canary in it.
fn with_canary() -> Vec<(&'static str, String, Vec<u8>)> {
    let text = |who: &str| {
        let lines = (0..60).map(|i| format!("int zugvogel{i} = {i} * {who}{};\n", i % 7));
        lines.collect::<String>().into_bytes()
    };
    vec![
        ("submissions", "zugvogelmann/A.java".to_owned(), text("x")),
        ("submissions", "other/A.java".to_owned(), text("x")),
    ]
}

#[test]
fn from_the_first_start_to_a_deleted_batch() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    assert_eq!(nobody().get(&server, "/api/v1/me").json()["needs_setup"], true);
    let anna = Person::set_up(&server, &server.setup, "anna");
    assert_eq!(anna.get(&server, "/api/v1/me").json()["user"]["role"], "administrator");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &assignment());
    assert_eq!(reply.status, 201, "{}", reply.text());
    let batch = reply.json()["id"].as_str().expect("an id").to_owned();
    let shown = anna.wait(&server, &batch);
    assert_eq!(shown["state"], "done", "{shown}");

    let report = anna.get(&server, &format!("/batches/{batch}/report/report.json")).json();
    let first = &report["pairs"][0];
    let name = |side: &str| {
        let at = usize::try_from(first[side].as_u64().expect("an index")).expect("small");
        report["submissions"][at]["name"].clone()
    };
    assert_eq!((name("a"), name("b")), (json!("hana"), json!("ivo")));
    let page = anna.get(&server, &format!("/batches/{batch}/report/"));
    assert!(page.text().contains("<meta name=\"fanmill-server\" content=\"marks\">"));
    let events = anna.get(&server, &format!("/api/v1/batches/{batch}/events")).text();
    assert!(events.contains("\"state\":\"done\""), "{events}");

    marks(&server, &anna, &batch);
    links(&server, &anna, &batch);
    let gone = anna.send(&server, "DELETE", &format!("/api/v1/batches/{batch}"), &json!({}));
    assert_eq!(gone.status, 202);
    assert_eq!(anna.get(&server, &format!("/batches/{batch}/report/")).status, 404);
    anna.settle(&server);
    assert_nowhere(data.path(), &[b"hana"]);
}

fn marks(server: &Running, anna: &Person, batch: &str) {
    let path = format!("/batches/{batch}/report/marks");
    let read = anna.get(server, &path);
    let mut known = anna.clone();
    known.headers.push(format!("If-Match: {}", read.header("etag").expect("a version")));
    assert_eq!(known.send(server, "PUT", &path, &json!({ "1": "talk to them" })).status, 204);
    // Somebody else has read the same version.
    assert_eq!(known.send(server, "PUT", &path, &json!({})).status, 412);
    assert_eq!(anna.get(server, &path).json()["1"], "talk to them");
}

fn links(server: &Running, anna: &Person, batch: &str) {
    let path = format!("/api/v1/batches/{batch}/links");
    let named = anna.post(server, &path, &json!({ "days": 3, "anonymous": true }));
    assert_eq!(named.status, 409, "{}", named.text());
    let made = anna.post(
        server,
        &path,
        &json!({ "days": 3, "password": "open sesame", "anonymous": false }),
    );
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let url = made["url"].as_str().expect("an address");
    let path = url.split_once(&server.host).expect("our address").1;
    assert!(nobody().get(server, path).text().contains("type=password"));
    assert_eq!(nobody().get(server, &format!("{path}report.json")).status, 404);
    let form = ["Content-Type: application/x-www-form-urlencoded".to_owned()];
    assert_eq!(server.send("POST", path, &form, b"password=open+says+me").status, 401);
    let opened = server.send("POST", path, &form, b"password=open+sesame");
    assert_eq!(opened.status, 303, "{}", opened.text());
    let cookie = opened.header("set-cookie").expect("a cookie");
    let guest =
        Person { headers: vec![format!("Cookie: {}", cookie.split(';').next().expect("a value"))] };
    assert!(guest.get(server, &format!("{path}report.json")).text().contains("hana"));
    let id = made["id"].as_str().expect("an id");
    assert_eq!(anna.send(server, "DELETE", &format!("/api/v1/links/{id}"), &json!({})).status, 204);
    assert_eq!(guest.get(server, &format!("{path}report.json")).status, 404);
}

#[test]
fn later_batches_are_compared_with_earlier_work() {
    let data = tempfile::tempdir().expect("a folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = |settings: &str, files: &[(&'static str, String, Vec<u8>)]| {
        let reply = anna.upload(&server, &course, settings, files);
        assert_eq!(reply.status, 201, "{}", reply.text());
        let id = reply.json()["id"].as_str().expect("an id").to_owned();
        assert_eq!(anna.wait(&server, &id)["state"], "done");
        id
    };
    let old = upload("{}", &assignment());
    let archived = anna.post(&server, &format!("/api/v1/batches/{old}/archive"), &json!({}));
    assert_eq!(archived.status, 202, "{}", archived.text());
    let hana = assignment().into_iter().find(|(_, name, _)| name.contains("hana/inventory"));
    let (part, _, bytes) = hana.expect("her program");
    let of_new = [
        (part, "zoe/inventory.py".to_owned(), bytes),
        (part, "yan/other.py".to_owned(), b"print('nothing of it')\n".to_vec()),
    ];
    let new = upload(r#"{"use_archive":true}"#, &of_new);
    let report = anna.get(&server, &format!("/batches/{new}/report/report.json")).json();
    let best = &report["pairs"][0];
    let name = |side: &str| {
        let number = best[side].as_u64().expect("a number") as usize;
        report["submissions"][number]["name"].as_str().expect("a name").to_owned()
    };
    let names = [name("a"), name("b")];
    assert!(names.iter().any(|name| name.starts_with("zoe")), "{names:?}");
    assert!(names.iter().any(|name| name.contains("hana")), "{names:?}");
    // What is deleted is no earlier work any more, also for what was set up before.
    anna.send(&server, "DELETE", &format!("/api/v1/batches/{old}"), &json!({}));
    anna.post(
        &server,
        &format!("/api/v1/batches/{new}/run"),
        &json!({"settings": {"use_archive": true}}),
    );
    assert_eq!(anna.wait(&server, &new)["state"], "done");
    let report = anna.get(&server, &format!("/batches/{new}/report/report.json")).json();
    assert_eq!(report["pairs"].as_array().map(Vec::len), Some(0));
}

/// The fingerprints of a text by the settings of a comparison, as numbers in either order of bytes.
fn fingerprints(text: &[u8]) -> HashSet<[u8; 8]> {
    let text = str::from_utf8(text).expect("UTF-8");
    let corpus = Corpus::from_texts([("A.java", text)]).expect("a corpus");
    let (registry, config) = (fanmill_lang::registry(), Config::standard());
    let found = fingerprinted(&corpus.submissions[0], &registry, &config).expect("fingerprints");
    assert!(found.fingerprints.len() > 10);
    let orders = |hash: u64| [hash.to_le_bytes(), hash.to_be_bytes()];
    found.fingerprints.iter().flat_map(|one| orders(one.hash)).collect()
}

/// The files that have one of these numbers in them.
fn with_numbers(folder: &Path, numbers: &HashSet<[u8; 8]>) -> Vec<PathBuf> {
    let is_one =
        |window: &[u8]| window.try_into().is_ok_and(|eight| numbers.contains::<[u8; 8]>(eight));
    traces_of(folder, &|bytes| bytes.windows(8).any(is_one))
}

/// The search for numbers finds one that is packed, in either order.
fn finds_numbers(numbers: &HashSet<[u8; 8]>) {
    let folder = tempfile::tempdir().expect("folder");
    for (n, number) in numbers.iter().take(2).enumerate() {
        let text = [b"before ".as_slice(), number, b" behind"].concat();
        let packed = zstd::encode_all(&*text, 0).expect("packed");
        fs::write(folder.path().join(n.to_string()), packed).expect("written");
    }
    assert_eq!(with_numbers(folder.path(), numbers).len(), 2);
}

#[test]
fn nothing_of_a_deleted_batch_is_left() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let upload = |settings: &str, files: &[(&'static str, String, Vec<u8>)]| {
        let reply = anna.upload(&server, &course, settings, files).json();
        let id = reply["id"].as_str().expect("an id").to_owned();
        assert_eq!(anna.wait(&server, &id)["state"], "done");
        id
    };
    let batch = upload("{}", &with_canary());
    let path = format!("/batches/{batch}/report/marks");
    let mut known = anna.clone();
    known.headers.push("If-Match: \"0\"".to_owned());
    known.send(&server, "PUT", &path, &json!({ "note": "zugvogel" }));
    // It is earlier work, and a later batch shows its text.
    anna.post(&server, &format!("/api/v1/batches/{batch}/archive"), &json!({}));
    let part = "submissions";
    let copy =
        String::from_utf8(with_canary()[0].2.clone()).expect("UTF-8").replace("zugvogel", "x");
    let later = [
        (part, "zoe/A.java".to_owned(), copy.into_bytes()),
        (part, "yan/A.java".to_owned(), b"class Yan { }\n".to_vec()),
    ];
    let later = upload(r#"{"use_archive":true}"#, &later);
    // Of its content as text, its name, and its content as a number in hexadecimal and as bytes.
    let content = blake3::hash(&with_canary()[0].2);
    let hex = content.to_hex();
    let canaries: [&[u8]; 4] =
        [b"zugvogel", b"zugvogelmann", &hex.as_bytes()[..16], &content.as_bytes()[..8]];
    let report = data.path().join("batches").join(&later).join("report");
    assert!(!traces(&report, &canaries[..1]).is_empty(), "the later batch shows it");
    // Earlier work is kept as texts: its fingerprints are in no file at any time, and are made again for each comparison.
    let numbers = fingerprints(&with_canary()[0].2);
    finds_numbers(&numbers);
    assert_eq!(with_numbers(data.path(), &numbers), Vec::<PathBuf>::new());
    let deleted =
        |id: &str| anna.send(&server, "DELETE", &format!("/api/v1/batches/{id}"), &json!({}));
    assert_eq!(deleted(&batch).status, 202);
    // From now on nobody is shown its text, whatever is done later.
    let shown = anna.get(&server, &format!("/batches/{later}/report/report.json"));
    assert!(!traces_in(&shown.body, &canaries), "{}", shown.status);
    assert_eq!(anna.wait(&server, &later)["state"], "done");
    anna.settle(&server);
    assert_nowhere(data.path(), &canaries);
    assert_eq!(with_numbers(data.path(), &numbers), Vec::<PathBuf>::new());
    let report = anna.get(&server, &format!("/batches/{later}/report/report.json")).json();
    assert_eq!(report["pairs"], json!([]), "nothing is left that it could be compared with");
    // Without the other batch, nothing is left that could hold anything.
    assert_eq!(deleted(&later).status, 202);
    anna.settle(&server);
    let mut left: Vec<PathBuf> = Vec::new();
    let mut folders = vec![data.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let list = if entry.path().is_dir() { &mut folders } else { &mut left };
            list.push(entry.path());
        }
    }
    let own =
        ["fanmill.db", "fanmill.db-wal", "fanmill.db-shm", "fanmill.db.lock", "lock", "reserve"];
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    left.retain(|path| !own.contains(&&*name(path)));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn other_hosts_and_other_sites_are_refused() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let mut stream = TcpStream::connect(&server.host).expect("connects");
    write!(stream, "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).expect("answered");
    assert!(answer.starts_with("HTTP/1.1 421"), "{answer}");
    let anna = Person::set_up(&server, &server.setup, "anna");
    let mut lured = anna.clone();
    lured.headers.push("Origin: http://evil.example".to_owned());
    assert_eq!(lured.post(&server, "/api/v1/courses", &json!({ "name": "x" })).status, 403);
    let without = Person { headers: vec![anna.headers[0].clone()] };
    assert_eq!(without.post(&server, "/api/v1/courses", &json!({ "name": "x" })).status, 403);
}

#[test]
fn slow_connections_do_not_hold_up_others() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["each-address=256"]);
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.host).expect("connects");
            stream.write_all(b"GET /health HTTP/1.1\r\nHost: ").expect("sent");
            stream
        })
        .collect();
    assert_eq!(nobody().get(&server, "/health").text(), "ok");
    drop(slow);
}

#[test]
fn passwords_cannot_be_guessed_for_long() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    Person::set_up(&server, &server.setup, "anna");
    let guess = json!({ "name": "anna", "password": "correct horse" });
    for _ in 0..10 {
        assert_eq!(nobody().post(&server, "/api/v1/login", &guess).status, 401);
    }
    let refused = nobody().post(&server, "/api/v1/login", &guess);
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn guesses_at_the_same_time_are_counted_too() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    Person::set_up(&server, &server.setup, "anna");
    let guess = json!({ "name": "anna", "password": "correct horse" });
    let tried = std::thread::scope(|scope| {
        let all: Vec<_> = (0..40)
            .map(|_| scope.spawn(|| nobody().post(&server, "/api/v1/login", &guess).status))
            .collect();
        all.into_iter().map(|one| one.join().expect("an answer")).collect::<Vec<_>>()
    });
    assert_eq!(tried.iter().filter(|status| **status == 401).count(), 10);
    assert_eq!(tried.iter().filter(|status| **status == 429).count(), 30);
}

#[test]
fn pages_and_reports_begin_in_the_language_that_is_set() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["language=de"]);
    let meta = "<meta name=\"fanmill-language\" content=\"de\">";
    assert_eq!(nobody().get(&server, "/login").text().matches(meta).count(), 1);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, "{}", &with_canary());
    let done = anna.wait(&server, reply.json()["id"].as_str().expect("an id"));
    let report = done["report"].as_str().expect("a report");
    let overview = anna.get(&server, &format!("{report}data/overview.js")).text();
    assert!(overview.replace(": ", ":").contains("\"page_language\":\"de\""), "{overview}");
    let chosen = anna.upload(&server, &course, r#"{"language":"en"}"#, &with_canary());
    assert_eq!(chosen.status, 400, "a teacher does not choose it: {}", chosen.text());
}

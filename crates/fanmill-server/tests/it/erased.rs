//! One person's work, handed out and erased.

use std::io::Read;

use serde_json::json;

use crate::client::{Person, Running, changed_by, nobody};
use crate::traces::{assert_nowhere, traces};

/// Three submissions, one of them with a canary.
fn files() -> Vec<(&'static str, String, Vec<u8>)> {
    let text = |word: &str, step: u32| {
        let lines = (0..60).map(|i| format!("int {word}{i} = {i} * x{};\n", (i * step) % 7));
        lines.collect::<Vec<_>>().concat().into_bytes()
    };
    vec![
        ("submissions", "zugvogelmann/A.java".to_owned(), text("zugvogel", 1)),
        ("submissions", "ottokar/A.java".to_owned(), text("gemeinsam", 1)),
        ("submissions", "paula/A.java".to_owned(), text("gemeinsam", 1)),
    ]
}

fn uploaded(server: &Running, by: &Person, course: &str, settings: &str) -> String {
    let reply = by.upload(server, course, settings, &files());
    assert_eq!(reply.status, 201, "{}", reply.text());
    let batch = reply.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(by.wait(server, &batch)["state"], "done");
    batch
}

#[test]
fn a_person_is_handed_out_and_erased_across_courses_and_earlier_work() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let [first, second] = [anna.course(&server), anna.course(&server)];
    let old = uploaded(&server, &anna, &first, "{}");
    let archived = anna.post(&server, &format!("/api/v1/batches/{old}/archive"), &json!({}));
    assert_eq!(archived.status, 202);
    let new = uploaded(&server, &anna, &first, r#"{"use_archive":true}"#);
    let other = uploaded(&server, &anna, &second, "{}");
    let link = anna.post(&server, &format!("/api/v1/batches/{new}/links"), &json!({})).json();
    let link = link["url"].as_str().expect("an address").to_owned();
    let link = link.split_once(&server.host).expect("our address").1;

    let zip = anna.get(&server, "/api/v1/people/export?name=zugvogelmann");
    assert_eq!(zip.status, 200, "{}", zip.text());
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(zip.body)).expect("a zip");
    let mut n_texts = 0;
    for at in 0..zip.len() {
        let (mut text, mut entry) = (String::new(), zip.by_index(at).expect("an entry"));
        entry.read_to_string(&mut text).expect("text");
        n_texts += u32::from(text.contains("zugvogel59"));
        assert!(!text.contains("gemeinsam"), "{text}");
    }
    assert_eq!(n_texts, 3);

    let canaries: [&[u8]; 2] = [b"zugvogel7", b"zugvogelmann"];
    assert!(traces(data.path(), &canaries).len() > 2);
    let erased = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "zugvogelmann" }));
    assert_eq!(erased.status, 202, "{}", erased.text());
    let counts = json!({ "deleted": 0, "compared_again": 3, "not_searched": [] });
    assert_eq!(changed_by(&erased), counts);
    for batch in [&old, &new, &other] {
        assert_eq!(anna.wait(&server, batch)["state"], "done");
        let report = anna.get(&server, &format!("/batches/{batch}/report/report.json")).json();
        assert_eq!(report["pairs"][0]["score"], 1.0, "ottokar and paula");
    }
    anna.settle(&server);
    assert_nowhere(data.path(), &canaries);
    let search = format!("/api/v1/people/erasures/{}", erased.json()["number"]);
    let search = anna.get(&server, &search).json();
    assert_eq!((&search["is_done"], &search["is_clean"]), (&json!(true), &json!(true)));
    let finding = search["finding"].as_str().expect("a text");
    assert!(finding.ends_with("who was erased: nothing found"), "{finding}");
    assert_eq!(nobody().get(&server, link).status, 404);
    let gone = anna.get(&server, "/api/v1/people/export?name=zugvogelmann");
    let zip = zip::ZipArchive::new(std::io::Cursor::new(gone.body));
    assert!(zip.is_err() || zip.is_ok_and(|zip| zip.len() <= 1));
}

/// Another teacher has handed in a batch with the same person, which an erasure does not reach.
#[test]
fn a_name_that_is_left_on_the_disk_is_in_the_audit_log() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    let own = anna.course(&server);
    uploaded(&server, &anna, &own, "{}");
    let other = bert.course(&server);
    let others = uploaded(&server, &bert, &other, "{}");
    let erased = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "zugvogelmann" }));
    let search = format!("/api/v1/people/erasures/{}", erased.json()["number"]);
    anna.settle(&server);
    let search = anna.get(&server, &search).json();
    let finding = search["finding"].as_str().expect("a text");
    assert_eq!((&search["is_done"], &search["is_clean"]), (&json!(true), &json!(false)));
    let place = std::path::Path::new("batches").join(&others);
    assert!(finding.ends_with(&format!("the name is still in {}", place.display())), "{finding}");
    assert_eq!(anna.get(&server, "/api/v1/people/erasures/0").status, 404);
}

#[test]
fn an_administrator_erases_from_all_courses_while_no_server_runs() {
    let data = tempfile::tempdir().expect("folder");
    let mut server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let bert = anna.invite(&server, "bert", "teacher");
    let course = bert.course(&server);
    let batch = uploaded(&server, &bert, &course, "{}");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_fanmill-serve"));
    let refused = fanmill_server::erase_person(program, data.path(), "zugvogelmann");
    assert!(refused.is_err_and(|error| error.to_string().contains("another server uses")));
    let zip = fanmill_server::export_person(data.path(), "ottokar").expect("while it runs");
    assert!(traces_of(&zip).is_some());
    server.kill();
    let nobody = fanmill_server::erase_person(program, data.path(), "nobody").expect_err("nobody");
    assert_eq!(nobody.to_string(), "nothing was handed in by `nobody`");
    let erased =
        fanmill_server::erase_person(program, data.path(), "zugvogelmann").expect("erased");
    assert_eq!((erased.deleted, erased.compared_again), (0, 1));
    assert_eq!(erased.not_searched, Vec::<String>::new());
    assert!(erased.finding.ends_with("who was erased: nothing found"), "{}", erased.finding);
    assert_nowhere(data.path(), &[b"zugvogel7", b"zugvogelmann"]);
    let server = Running::start(data.path());
    assert_eq!(bert.wait(&server, &batch)["state"], "done");
    assert_nowhere(data.path(), &[b"zugvogel7", b"zugvogelmann"]);
}

#[test]
fn nobody_reaches_into_the_courses_of_others() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let batch = uploaded(&server, &anna, &course, "{}");
    let bert = anna.invite(&server, "bert", "teacher");
    let zip = bert.get(&server, "/api/v1/people/export?name=ottokar");
    assert!(traces_of(&zip.body).is_none(), "bert sees nothing");
    bert.post(&server, "/api/v1/people/erase", &json!({ "name": "ottokar" }));
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    assert!(!traces(data.path(), &[b"ottokar"]).is_empty());
    for name in ["", "..", "%2e%2e", "*", "nobody"] {
        let reply = anna.post(&server, "/api/v1/people/erase", &json!({ "name": name }));
        assert!([202, 404, 422].contains(&reply.status), "{name}: {}", reply.status);
    }
    assert!(!traces(data.path(), &[b"gemeinsam59"]).is_empty(), "nothing was erased");
}

/// What a zip has of the example, if it is one.
fn traces_of(bytes: &[u8]) -> Option<String> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes.to_vec())).ok()?;
    (0..zip.len()).find_map(|at| {
        let mut text = String::new();
        zip.by_index(at).ok()?.read_to_string(&mut text).ok()?;
        text.contains("gemeinsam").then_some(text)
    })
}

//! What a link with pseudonyms shows: the whole report, and nobody's name.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::client::{Person, Running, nobody};
use crate::traces::{traces, traces_in};

/// Of people, of a folder of theirs, of files, and of what everyone was given.
const NAMES: [&[u8]; 5] =
    [b"quillfeather", b"wimplestone", b"ottoline", b"hoggleton", b"brackenbury"];

fn files() -> Vec<(&'static str, String, Vec<u8>)> {
    let text = || {
        let lines = (0..60).map(|i| format!("int value{i} = {i} * x{};\n", i % 7));
        lines.collect::<String>().into_bytes()
    };
    let given = b"class Given { int given; }\n".to_vec();
    vec![
        ("submissions", "quillfeather/Ottoline.java".to_owned(), text()),
        ("submissions", "wimplestone/work/Ottoline.java".to_owned(), text()),
        ("submissions", "brackenbury/Other.java".to_owned(), b"class Other { }\n".to_vec()),
        ("base", "hoggleton.java".to_owned(), given),
    ]
}

/// Every file of a report, as its path there.
fn paths(report: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut folders = vec![report.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let list = if entry.path().is_dir() { &mut folders } else { &mut paths };
            list.push(entry.path());
        }
    }
    paths.iter().map(|path| path.strip_prefix(report).expect("inside").to_owned()).collect()
}

#[test]
fn a_link_with_pseudonyms_names_nobody() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let reply = anna.upload(&server, &course, r#"{"anonymous":true}"#, &files());
    assert_eq!(reply.status, 201, "{}", reply.text());
    let batch = reply.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(anna.wait(&server, &batch)["state"], "done");
    let wish = json!({ "anonymous": true });
    let made = anna.post(&server, &format!("/api/v1/batches/{batch}/links"), &wish);
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let link = made["url"].as_str().expect("an address");
    let link = link.split_once(&server.host).expect("our address").1;
    // The names are known here, so that they could be shown.
    assert!(!traces(data.path(), &NAMES).is_empty());

    let page = nobody().get(&server, link);
    assert_eq!(page.status, 200);
    assert!(!traces_in(&page.body, &NAMES) && !traces_in(page.head.as_bytes(), &NAMES));
    let (mut n_texts, mut all) = (0, Vec::new());
    for path in paths(&data.path().join("batches").join(&batch).join("report")) {
        let path = path.to_str().expect("UTF-8");
        assert!(!traces_in(path.as_bytes(), &NAMES), "{path}");
        let file = nobody().get(&server, &format!("{link}{path}"));
        assert_eq!(file.status, 200, "{path}");
        assert!(!traces_in(&file.body, &NAMES), "{path}");
        n_texts += u32::from(file.text().contains("value59"));
        all.push(path.to_owned());
    }
    assert!(n_texts >= 2, "the texts are there: {all:?}");
    for needed in ["index.html", "report.json", "data/overview.js"] {
        assert!(all.iter().any(|path| path == needed), "{needed} of {all:?}");
    }
    let report = nobody().get(&server, &format!("{link}report.json")).json();
    assert_eq!(report["pairs"][0]["score"], 1.0);
    let name = report["submissions"][0]["name"].as_str().expect("a name");
    assert!(name.starts_with("Submission"), "{name}");
}

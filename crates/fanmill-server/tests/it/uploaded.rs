//! Uploads as people have them: what is compared of them, what the batch says of that, and whose they are.

use std::io::{Cursor, Write};

use serde_json::{Value, json};

use crate::client::{Person, Running, changed_by};
use crate::traces::assert_nowhere;

/// Sixty lines of a program in which `word` is part of each name.
pub(crate) fn program(word: &str, step: u32) -> Vec<u8> {
    let lines = (0..60).map(|i| format!("int {word}{i} = {i} * x{};\n", (i * step) % 7));
    lines.collect::<Vec<_>>().concat().into_bytes()
}

/// Packs files as a platform does.
pub(crate) fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).expect("begun");
        zip.write_all(bytes).expect("added");
    }
    zip.finish().expect("whole").into_inner()
}

/// Counts the programs in a zip.
fn programs_in(zip: Vec<u8>) -> usize {
    let zip = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let is_program = |name: &str| name.ends_with("A.java");
    zip.file_names().flatten().filter(|name| is_program(name)).count()
}

/// Uploads files, waits for the comparison, and returns the batch.
fn compared(server: &Running, by: &Person, files: &[(&str, Vec<u8>)]) -> Value {
    let course = by.course(server);
    let files: Vec<(&str, String, Vec<u8>)> = files
        .iter()
        .map(|(name, bytes)| ("submissions", (*name).to_owned(), bytes.clone()))
        .collect();
    let reply = by.upload(server, &course, "{}", &files);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let batch = by.wait(server, reply.json()["id"].as_str().expect("an id"));
    assert_eq!(batch["state"], "done", "{batch}");
    batch
}

#[test]
fn a_batch_says_how_much_of_it_was_compared() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec();
    let whole = |n: u32| (0..n).map(|i| (format!("s{i}/A.java"), program("gemeinsam", 1)));

    let alone = compared(&server, &anna, &[("board.png", picture.clone())])["summary"].clone();
    assert_eq!(alone["compared"], "nothing");
    assert!(alone["nothing"].as_str().expect("a reason").contains("nothing to compare"));
    assert_eq!((&alone["best"], &alone["n_pairs"]), (&Value::Null, &json!(0)));
    // Neither a text that is called an archive nor a single program was compared with anything.
    for (name, bytes) in [("all.zip", b"no archive\n".to_vec()), ("A.java", program("w", 1))] {
        let summary = compared(&server, &anna, &[(name, bytes)])["summary"].clone();
        assert_eq!(summary["compared"], "nothing", "{name}: {summary}");
    }

    // Of half an archive, nobody knows who is missing.
    let all: Vec<(String, Vec<u8>)> =
        (0..30).map(|i| (format!("s{i}/A.java"), program("w", i + 1))).collect();
    let all: Vec<(&str, Vec<u8>)> =
        all.iter().map(|(name, text)| (&**name, text.clone())).collect();
    let (whole_zip, mut tar) = (zip(&all), tar::Builder::new(Vec::new()));
    for (name, text) in &all {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        tar.append_data(&mut header, name, &**text).expect("added");
    }
    let whole_tar = tar.into_inner().expect("whole");
    for (name, bytes) in [("all.zip", whole_zip), ("all.tar", whole_tar)] {
        let of =
            |bytes: &[u8]| compared(&server, &anna, &[(name, bytes.to_vec())])["summary"].clone();
        assert_eq!(of(&bytes)["compared"], "whole", "{name}");
        let cut = of(&bytes[..bytes.len() / 2 + 100]);
        assert_eq!((&cut["compared"], &cut["is_cut_off"]), (&json!("part"), &json!(true)), "{cut}");
    }

    // One in eleven is less than a tenth, and one in nine is more.
    for (n, expected) in [(10, "whole"), (8, "part")] {
        let mut files: Vec<(String, Vec<u8>)> = whole(n).collect();
        files.push(("s99/board.png".to_owned(), picture.clone()));
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
        let summary = compared(&server, &anna, &files)["summary"].clone();
        assert_eq!(summary["compared"], expected, "{summary}");
        assert_eq!((&summary["n_incomplete"], &summary["best"]), (&json!(1), &json!(1.0)));
        assert_eq!(summary["n_submissions"], n + 1);
        let reasons = summary["reasons"].as_array().expect("a list");
        assert!(reasons.iter().any(|reason| reason["outcome"] == "skipped"), "{summary}");
        assert_eq!(summary["taken"], format!("{n} entries and 1 input without readable text"));
    }
}

#[test]
fn what_macos_adds_to_a_zip_is_given_out_and_erased_with_what_it_mirrors() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let mut batches = Vec::new();
    for around in ["", "week 3/"] {
        let mut files = vec![(".DS_Store".to_owned(), b"Bud1".to_vec())];
        for (n, who) in [(1, "Hana Ito_4711"), (2, "Noa Berg_4712"), (3, "Uma Sax_4713")] {
            let folder = format!("{around}{who}_assignsubmission_file");
            files.push((format!("{folder}/A.java"), program(&format!("{who}7"), n)));
            files.push((format!("__MACOSX/{folder}/._A.java"), who.as_bytes().to_vec()));
            files.push((format!("__MACOSX/{around}._{who}_assignsubmission_file"), b"x".to_vec()));
        }
        let files: Vec<(&str, Vec<u8>)> =
            files.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
        batches.push(compared(&server, &anna, &[("export.zip", zip(&files))]));
    }
    assert!(batches.iter().all(|batch| batch["summary"]["n_submissions"] == 3), "{batches:?}");
    let zip_of_one = anna.get(&server, "/api/v1/people/export?name=4711");
    assert_eq!(programs_in(zip_of_one.body), 2 * 2, "each with its mirror");
    let erased = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "4711" }));
    let counts = json!({ "deleted": 0, "compared_again": 2, "not_searched": [] });
    assert_eq!(changed_by(&erased), counts);
    anna.settle(&server);
    assert_nowhere(data.path(), &[b"Hana Ito", b"4711"]);
    // Of the last one nothing but litter is left.
    anna.post(&server, "/api/v1/people/erase", &json!({ "name": "4712" }));
    anna.settle(&server);
    let last = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "4713" }));
    assert_eq!(changed_by(&last)["deleted"], 2, "{}", last.text());
}

#[test]
fn an_export_with_a_list_is_what_the_command_takes_it_for() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let export = zip(&[
        ("Hana Ito_4711_assignsubmission_file_/A.java", program("zugvogel", 1)),
        ("Ivo Kim_4712_assignsubmission_file_/A.java", program("gemeinsam", 1)),
        ("Noa Vi_4713_assignsubmission_file_/A.java", program("gemeinsam", 1)),
    ]);
    let folder = "assignsubmission_file_";
    let list = format!(
        "file,author,login,label\nHana Ito_4711_{folder},Hana Ito,hi07,morning\n\
         Ivo Kim_4712_{folder},Ivo Kim,ik08,morning\nNoa Vi_4713_{folder},Noa Vi,nv09,evening\n\
         Uma Sax_4714_{folder},Uma Sax,us10,evening\n"
    );
    for files in [
        vec![("moodle.zip", export.clone()), ("class.csv", list.clone().into_bytes())],
        vec![("class.csv", list.clone().into_bytes()), ("moodle.zip", export.clone())],
    ] {
        let batch = compared(&server, &anna, &files);
        assert_eq!(batch["summary"]["n_submissions"], 3, "{batch}");
        let report = batch["report"].as_str().expect("a path");
        let report = anna.get(&server, &format!("{report}report.json")).json();
        let label = |name: &str| {
            let all = report["submissions"].as_array().expect("a list");
            let is_own = |one: &&Value| one["name"].as_str().is_some_and(|own| own.contains(name));
            all.iter().find(is_own).expect("a submission")["label"].clone()
        };
        assert_eq!((label("Hana"), label("Noa")), (json!("morning"), json!("evening")));
    }

    // By the login that only the list has, as by the platform's number.
    for given in ["hi07", "4711", "Hana Ito"] {
        let zip =
            anna.get(&server, &format!("/api/v1/people/export?name={}", given.replace(' ', "%20")));
        let n_texts = programs_in(zip.body);
        assert_eq!(n_texts, 2, "{given}");
    }
    let nobody = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "zz99" }));
    assert_eq!(nobody.status, 404, "{}", nobody.text());
    let erased = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "hi07" }));
    let counts = json!({ "deleted": 0, "compared_again": 2, "not_searched": [] });
    assert_eq!(changed_by(&erased), counts);
    anna.settle(&server);
    assert_nowhere(data.path(), &[b"zugvogel7", b"hi07", b"Hana"]);
    let database = rusqlite::Connection::open(data.path().join("fanmill.db")).expect("opens");
    let sql = "SELECT count(*) FROM audit WHERE what LIKE 'uploads searched%'";
    let n: u32 = database.query_row(sql, [], |row| row.get(0)).expect("counted");
    assert_eq!(n, 2, "one for each batch that was written anew");
    // Who handed in nothing is in the list all the same.
    let listed = anna.post(&server, "/api/v1/people/erase", &json!({ "name": "Uma Sax" }));
    assert_eq!(listed.status, 202, "{}", listed.text());
    anna.settle(&server);
    assert_nowhere(data.path(), &[b"us10", b"Uma Sax"]);
    let left = anna.get(&server, "/api/v1/people/export?name=ik08");
    assert_eq!(programs_in(left.body), 2, "the others are there");
}

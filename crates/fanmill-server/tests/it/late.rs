//! What is looked at before it is compared, and what comes late.

use serde_json::{Value, json};

use crate::client::{Person, Reply, Running};
use crate::traces::assert_nowhere;
use crate::uploaded::{program, zip};

const MOODLE: &str = "assignsubmission_file_";

/// Names of the report's submissions.
fn names(server: &Running, by: &Person, batch: &Value) -> Vec<String> {
    let report = batch["report"].as_str().expect("a path");
    let report = by.get(server, &format!("{report}report.json")).json();
    let all = report["submissions"].as_array().expect("a list").iter();
    all.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
}

/// Uploads a class to be looked at first; returns the batch.
fn proposed(server: &Running, by: &Person, files: &[(&str, Vec<u8>)]) -> Value {
    let course = by.course(server);
    let path = format!("/api/v1/courses/{course}/batches");
    let texts = [("title", "Week 3"), ("look_first", "true")];
    let reply = by.send_form(server, &path, &texts, &fields(files));
    assert_eq!(reply.status, 201, "{}", reply.text());
    by.wait(server, reply.json()["id"].as_str().expect("an id"))
}

fn fields(files: &[(&str, Vec<u8>)]) -> Vec<(&'static str, String, Vec<u8>)> {
    let files = files.iter();
    files.map(|(name, bytes)| ("submissions", (*name).to_owned(), bytes.clone())).collect()
}

fn add(server: &Running, by: &Person, batch: &Value, files: &[(&str, Vec<u8>)]) -> Reply {
    let path = format!("/api/v1/batches/{}/submissions", batch["id"].as_str().expect("an id"));
    by.send_form(server, &path, &[("look_first", "true")], &fields(files))
}

/// Has a batch compared as it was taken.
fn confirm(server: &Running, by: &Person, batch: &Value) -> Value {
    let id = batch["id"].as_str().expect("an id");
    let reply = by.post(server, &format!("/api/v1/batches/{id}/run"), &json!({}));
    assert_eq!(reply.status, 202, "{}", reply.text());
    by.wait(server, id)
}

fn class(people: &[(&str, u32, &str)]) -> Vec<u8> {
    let files: Vec<(String, Vec<u8>)> = people
        .iter()
        .map(|(name, id, word)| (format!("{name}_{id}_{MOODLE}/A.java"), program(word, *id)))
        .collect();
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, text)| (&**name, text.clone())).collect();
    zip(&files)
}

#[test]
fn nothing_is_compared_before_somebody_agrees() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let three = class(&[("Hana Ito", 4711, "a"), ("Ivo Kim", 4712, "b"), ("Noa Vi", 4713, "b")]);
    let batch = proposed(&server, &anna, &[("moodle.zip", three)]);
    assert_eq!((&batch["state"], &batch["report"]), (&json!("proposed"), &Value::Null));
    let summary = &batch["summary"];
    assert_eq!(summary["taken"], "3 people by Moodle names with 1 file or folder each");
    assert_eq!((&summary["n_submissions"], &summary["n_pairs"]), (&json!(3), &json!(0)));
    let id = batch["id"].as_str().expect("an id");
    assert_eq!(anna.get(&server, &format!("/batches/{id}/report/")).status, 404);

    // Read in another way, it is still only read.
    let settings = json!({ "settings": { "group_by": "root" }, "look_first": true });
    anna.post(&server, &format!("/api/v1/batches/{id}/run"), &settings);
    let batch = anna.wait(&server, id);
    assert_eq!(
        (&batch["state"], &batch["summary"]["n_submissions"]),
        (&json!("proposed"), &json!(1))
    );
    let batch = confirm(&server, &anna, &batch);
    assert_eq!((&batch["state"], &batch["summary"]["n_submissions"]), (&json!("done"), &json!(3)));

    let lost = [("a/A.java", program("a", 1)), ("b/x.exe", b"MZ\0\0".to_vec())];
    let batch = proposed(&server, &anna, &[("all.zip", zip(&lost))]);
    assert_eq!(batch["summary"]["compared"], "nothing", "{batch}");
    assert_eq!((&batch["summary"]["n_left_out"], &batch["state"]), (&json!(1), &json!("proposed")));
    let odd = anna.send_form(&server, "/api/v1/courses/x/batches", &[("look_first", "yes")], &[]);
    assert_eq!(odd.status, 404);
}

#[test]
fn late_submissions_join_the_batch_and_marks_stay() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let list = |people: &[(&str, u32, &str)]| {
        let rows =
            people.iter().map(|(name, id, group)| format!("{name}_{id}_{MOODLE},{name},{group}\n"));
        format!("file,author,label\n{}", rows.collect::<String>()).into_bytes()
    };
    let first =
        class(&[("Hana Ito", 4711, "a"), ("Ivo Kim", 4712, "zugvogel"), ("Noa Vi", 4713, "c")]);
    let early = list(&[("Hana Ito", 4711, "morning")]);
    let batch = proposed(&server, &anna, &[("moodle.zip", first), ("class.csv", early)]);
    let batch = confirm(&server, &anna, &batch);
    let id = batch["id"].as_str().expect("an id");
    let marks = format!("/batches/{id}/report/marks");
    let mark = json!({ "marks": [{ "reviewer": "anna", "submissions": [{ "role": "new", "name": "Hana Ito" }],
        "mark": "copied", "note": "" }] });
    let mut known = anna.clone();
    let etag = anna.get(&server, &marks).header("etag").expect("a version").clone();
    known.headers.push(format!("If-Match: {etag}"));
    assert_eq!(known.send(&server, "PUT", &marks, &mark).status, 204);

    // One is late, and one hands in again.
    let late = class(&[("Ivo Kim", 4712, "neu"), ("Uma Sax", 4714, "a")]);
    let rows = list(&[("Uma Sax", 4714, "evening")]);
    let reply = add(&server, &anna, &batch, &[("late.zip", late.clone()), ("late.csv", rows)]);
    assert_eq!(reply.status, 202, "{}", reply.text());
    let folder = |name: &str, id: u32| format!("{name}_{id}_{MOODLE}");
    let joined =
        json!({ "added": [folder("Uma Sax", 4714)], "replaced": [folder("Ivo Kim", 4712)] });
    assert_eq!(reply.json(), joined);
    let batch = anna.wait(&server, id);
    assert_eq!(
        (&batch["state"], &batch["summary"]["n_submissions"]),
        (&json!("proposed"), &json!(4))
    );
    let batch = confirm(&server, &anna, &batch);
    assert_eq!(names(&server, &anna, &batch), ["Hana Ito", "Ivo Kim", "Noa Vi", "Uma Sax"]);
    assert_eq!((&batch["n_files"], &batch["title"]), (&json!(4), &json!("Week 3")));
    assert_eq!(anna.get(&server, &marks).json(), mark, "marks stay");
    let report = anna.get(&server, &format!("/batches/{id}/report/report.json")).json();
    assert_eq!(report["submissions"][3]["label"], "evening");
    assert_nowhere(data.path(), &[b"zugvogel7"]);

    // Once more is nothing new. What cannot be read changes nothing.
    let reply = add(&server, &anna, &batch, &[("late.zip", late.clone())]);
    assert_eq!(reply.json()["added"], json!([]));
    anna.wait(&server, id);
    let cut = late[..late.len() / 2].to_vec();
    let refused = add(&server, &anna, &batch, &[("late.zip", cut)]);
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert!(refused.text().contains("nothing was added"), "{}", refused.text());
    let none = add(&server, &anna, &batch, &[]);
    assert_eq!(none.status, 400, "{}", none.text());
    assert_eq!(anna.wait(&server, id)["state"], "proposed");
    let batch = confirm(&server, &anna, &batch);
    assert_eq!(batch["summary"]["n_submissions"], 4);
    let left = std::fs::read_dir(data.path().join("batches")).expect("a folder").count();
    assert_eq!(left, 1, "nothing is left of what was received");
}

#[test]
fn late_submissions_come_in_any_form() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::start(data.path());
    let anna = Person::set_up(&server, &server.setup, "anna");
    let tar = |names: &[&str]| {
        let mut tar = tar::Builder::new(Vec::new());
        for name in names {
            let text = program(name.split('/').rev().nth(1).expect("a folder"), 3);
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            tar.append_data(&mut header, name, &*text).expect("added");
        }
        tar.into_inner().expect("whole")
    };
    let zipped = |names: &[&str]| {
        let files: Vec<_> = names.iter().map(|name| (*name, program("w", 2))).collect();
        zip(&files)
    };
    let former = ["hw/ada/A.java", "hw/ben/A.java"];
    let loose = |names: &[&'static str]| -> Vec<(&'static str, Vec<u8>)> {
        names.iter().map(|name| (*name, program("loose", 5))).collect()
    };
    let firsts = [
        vec![("all.zip", zipped(&former))],
        vec![("all.tar", tar(&former))],
        vec![("all.tar.zst", zstd::encode_all(&*tar(&former), 0).expect("packed"))],
        loose(&former),
    ];
    for first in firsts {
        let batch = confirm(&server, &anna, &proposed(&server, &anna, &first));
        let lates = [
            (vec![("late.zip", zipped(&["late/cyd/A.java", "late/dan/A.java"]))], 4),
            (vec![("late.tar", tar(&["eve/A.java"]))], 5),
            (loose(&["late/fay/A.java", "late/gil/A.java"]), 7),
        ];
        for (late, n) in lates {
            let reply = add(&server, &anna, &batch, &late);
            assert_eq!(reply.status, 202, "{} {}", first[0].0, reply.text());
            let now = anna.wait(&server, batch["id"].as_str().expect("an id"));
            assert_eq!(now["summary"]["n_submissions"], n, "{}: {now}", first[0].0);
        }
        let batch = confirm(&server, &anna, &batch);
        let all = ["ada", "ben", "cyd", "dan", "eve", "fay", "gil"];
        assert_eq!(names(&server, &anna, &batch), all, "{}", first[0].0);
    }
}

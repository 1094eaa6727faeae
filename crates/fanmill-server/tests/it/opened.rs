//! Uploads that are hard to open, or cannot be: a child process opens them, within limits, and the server answers
//! meanwhile.

use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::cage::tar_of;
use crate::client::{Person, Running, nobody};
use crate::slow::peak;

fn zip_of(names: impl Iterator<Item = String>, content: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        zip.start_file(name, SimpleFileOptions::default()).expect("begun");
        zip.write_all(content).expect("added");
    }
    zip.finish().expect("whole").into_inner()
}

/// A tar that unpacks to much more than it is.
fn bomb() -> Vec<u8> {
    let zeros = tar_of([("zugvogel/a.txt".to_owned(), " ".repeat(200 << 20))].into_iter());
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(&zeros).expect("packed");
    out.finish().expect("packed")
}

fn uploaded(server: &Running, anna: &Person, course: &str, name: &str, bytes: Vec<u8>) -> String {
    let reply = anna.upload(server, course, "{}", &[("submissions", name.to_owned(), bytes)]);
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["id"].as_str().expect("an id").to_owned()
}

/// Uploads a batch, and damages its instructions, so that nobody knows where its uploads are.
fn lost(server: &Running, anna: &Person, course: &str, data: &Path) -> String {
    let names = ["zugvogel/a.py", "other/a.py"].map(str::to_owned).into_iter();
    let batch = uploaded(server, anna, course, "lost.zip", zip_of(names, b"zugvogel = 2\n"));
    let instructions = data.join("batches").join(&batch).join("job.json");
    std::fs::write(instructions, "{").expect("written");
    batch
}

/// A file of a zip, as text.
fn file_in(zip: &[u8], name: &str) -> Option<String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let mut text = String::new();
    zip.by_name(name).ok()?.read_to_string(&mut text).expect("text");
    Some(text)
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures")]
fn uploads_that_are_hard_to_open_hold_up_nobody() {
    let data = tempfile::tempdir().expect("folder");
    let server = Running::limited(data.path(), &["running=0"]);
    let anna = Person::set_up(&server, &server.setup, "anna");
    let course = anna.course(&server);
    let entries = (0..120_000).map(|n| format!("zugvogel/{n}"));
    let hard = [
        lost(&server, &anna, &course, data.path()),
        uploaded(&server, &anna, &course, "bomb.tar.gz", bomb()),
        uploaded(&server, &anna, &course, "many.zip", zip_of(entries, b"x")),
        uploaded(&server, &anna, &course, "no.zip", b"not an archive".to_vec()),
    ];
    let names = ["zugvogel/a.py", "other/a.py", "third/a.py"].map(str::to_owned).into_iter();
    let good = uploaded(&server, &anna, &course, "good.zip", zip_of(names, b"zugvogel = 1\n"));
    let n_exports = 4;
    let mut waited: Vec<f64> = Vec::new();
    thread::scope(|scope| {
        let export = || anna.get(&server, "/api/v1/people/export?name=zugvogel");
        let exports: Vec<_> = (0..n_exports).map(|_| scope.spawn(export)).collect();
        while !exports.iter().all(thread::ScopedJoinHandle::is_finished) {
            let begun = Instant::now();
            assert_eq!(nobody().get(&server, "/health").status, 200);
            assert_eq!(anna.get(&server, "/api/v1/courses").status, 200);
            waited.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        for zip in exports {
            let zip = zip.join().expect("an answer");
            assert_eq!(zip.status, 200, "{}", zip.text());
            let own = file_in(&zip.body, &format!("texts/{good}/zugvogel/a.py"));
            assert_eq!(own.as_deref(), Some("zugvogel = 1\n"));
            let not = file_in(&zip.body, "not-searched.json").expect("a list");
            let not: Value = serde_json::from_str(&not).expect("JSON");
            let ids: Vec<_> =
                not.as_array().expect("a list").iter().map(|one| &one["id"]).collect();
            assert_eq!(ids, hard.each_ref(), "{not}");
        }
    });
    waited.sort_by(f64::total_cmp);
    println!(
        "while {n_exports} exports open a bomb and {} others: {} times two pages, p50 {:.1}, longest {:.1} ms; {} MB",
        hard.len(),
        waited.len(),
        waited[waited.len() / 2],
        waited[waited.len() - 1],
        peak(server.process())
    );
    assert!(peak(server.process()) < 100, "nothing is opened in the server's process");
    let listed = anna.get(&server, "/api/v1/people/errands").json();
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), n_exports);
    assert!(
        listed.iter().all(|one| one["kind"] == "export" && one["state"] == "done"),
        "{listed:?}"
    );
    let bert = anna.invite(&server, "bert", "teacher");
    assert_eq!(bert.get(&server, "/api/v1/people/errands").json(), json!([]), "they are anna's");
    let left = std::fs::read_dir(data.path().join("errands")).expect("a folder").count();
    assert_eq!(left, 0, "nothing of them is left");
    erased(&server, &anna, &good, hard.len());
}

/// Erases what can be searched; the answer names the batches that cannot be.
fn erased(server: &Running, anna: &Person, good: &str, n_hard: usize) {
    let erase = |name: &str| anna.post(server, "/api/v1/people/erase", &json!({ "name": name }));
    let nobody = erase("nobody");
    assert_eq!(nobody.status, 409, "{}", nobody.text());
    assert!(nobody.text().contains("4 of 5 batches cannot be searched"), "{}", nobody.text());
    assert_eq!(nobody.json()["not_searched"].as_array().map(Vec::len), Some(n_hard));
    let erased = erase("zugvogel");
    assert_eq!(erased.status, 202, "{}", erased.text());
    assert_eq!(erased.json()["compared_again"], 1);
    assert_eq!(erased.json()["not_searched"].as_array().map(Vec::len), Some(n_hard));
    anna.settle(server);
    let zip = anna.get(server, "/api/v1/people/export?name=other");
    assert!(file_in(&zip.body, &format!("texts/{good}/other/a.py")).is_some());
    let zip = anna.get(server, "/api/v1/people/export?name=zugvogel");
    assert_eq!(file_in(&zip.body, "pairs.json").as_deref(), Some("[]\n"));
}

//! Archives as people and learning platforms make them.

use super::build::{gz, tar, zip, zip_with, zst};
use super::*;
use ::tar::EntryType;
use zip::CompressionMethod;

const JAVA: &[u8] = b"class A { int x = 1; }";

#[test]
fn every_format_gives_the_same_submissions() {
    let entries: [(&str, &[u8]); 3] =
        [("ada/A.java", JAVA), ("ada/src/B.java", b"b"), ("bob/C.java", b"c")];
    let archives = [
        ("s.zip", zip(&entries)),
        ("stored.zip", zip_with(&entries, CompressionMethod::Stored)),
        ("s.tar", tar(&entries)),
        ("s.tar.gz", gz(&tar(&entries))),
        ("s.tgz", gz(&tar(&entries))),
        ("s.tar.zst", zst(&tar(&entries))),
        ("no-extension", gz(&tar(&entries))),
    ];
    for (name, bytes) in archives {
        let place = Place::new();
        let corpus = read_auto(place.write(name, bytes));
        assert_eq!(outline(&corpus), ["ada: A.java, src/B.java", "bob: C.java"], "{name}");
        assert_eq!(corpus.notices, [], "{name}");
        assert_eq!(corpus.submissions[0].documents[0].bytes, JAVA);
    }
}

#[test]
fn a_zip_of_zips_as_moodle_exports_it() {
    let place = Place::new();
    let ada = zip(&[("src/A.java", JAVA), ("lib.zip", &zip(&[("B.java", b"b")]))]);
    let export = zip(&[
        ("Ada Byron_12345_assignsubmission_file_/work.zip", &ada),
        ("Bo Ek_12346_assignsubmission_file_/A.java", b"bo"),
        ("Cy Zed_12347_assignsubmission_file_/work.tar.gz", &gz(&tar(&[("x/C.java", b"c")]))),
    ]);
    let corpus = read_auto(place.write("export.zip", export));
    assert_eq!(
        outline(&corpus),
        [
            "Ada Byron: work.zip!/lib.zip!/B.java, work.zip!/src/A.java",
            "Bo Ek: A.java",
            "Cy Zed: work.tar.gz!/x/C.java",
        ]
    );
    assert_eq!(corpus.notices, []);
}

#[test]
fn a_flat_zip_of_zips_as_canvas_exports_it() {
    let place = Place::new();
    let export = zip(&[
        ("byronada_123_456_Work.zip", &zip(&[("A.java", JAVA)])),
        ("ekbo_124_457_Work.java", b"bo"),
    ]);
    let corpus = read_auto(place.write("submissions.zip", export));
    assert_eq!(outline(&corpus), ["byronada (123): A.java", "ekbo (124): Work.java"]);
}

#[test]
fn a_single_wrapping_folder_is_taken_off() {
    let entries: [(&str, &[u8]); 4] = [
        ("submissions/", b""),
        ("submissions/ada/A.java", JAVA),
        ("submissions/bob.zip", &zip(&[("B.java", b"b")])),
        ("__MACOSX/x", b"x"),
    ];
    for (name, bytes) in [("s.zip", zip(&entries[1..])), ("s.tar.gz", gz(&tar(&entries[1..])))] {
        let place = Place::new();
        let corpus = read_auto(place.write(name, bytes));
        assert_eq!(outline(&corpus), ["ada: A.java", "bob.zip: B.java"], "{name}");
    }
}

#[test]
fn an_empty_folder_in_an_archive_is_a_submission_of_nothing() {
    let mut archive = ::tar::Builder::new(Vec::new());
    archive.append(&build::header(b"zoe/", EntryType::Directory, 0), &b""[..]).expect("a folder");
    archive.append(&build::header(b"ada/a.py", EntryType::Regular, 1), &b"x"[..]).expect("a file");
    let place = Place::new();
    let corpus = read_auto(place.write("s.tar", archive.into_inner().expect("a tar")));
    assert_eq!(outline(&corpus), ["ada: a.py", "zoe: "]);
}

#[test]
fn a_compressed_single_file_is_that_file() {
    let place = Place::new();
    place.write("c/ada/notes.txt.gz", gz(b"some notes"));
    place.write("c/ada/more.txt.zst", zst(b"more notes"));
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), ["ada: more.txt.zst!/more.txt, notes.txt.gz!/notes.txt"]);
}

#[test]
fn empty_archives_say_so() {
    for (name, bytes) in [
        ("e.zip", zip(&[])),
        ("e.tar", tar(&[])),
        ("e.tar.gz", gz(&tar(&[]))),
        ("e.tgz", gz(&tar(&[]))),
    ] {
        let place = Place::new();
        place.write(&format!("c/{name}"), &bytes);
        place.write("c/x.py", "x");
        let corpus = read_auto(place.path().join("c"));
        assert_eq!(outline(&corpus), [format!("{name}: "), "x.py: x.py".to_owned()]);
        assert!(corpus.notices[0].reason.contains("empty"), "{:?}", corpus.notices);
    }
}

#[test]
fn jars_are_not_opened() {
    let place = Place::new();
    place.write("c/ada/lib.jar", zip(&[("a/Main.java", JAVA)]));
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), ["ada: "]);
    assert_notice(&corpus, "ada", "lib.jar", Outcome::Skipped, "Java archive");
}

#[test]
fn an_old_tar_and_a_long_name_are_read() {
    let long = format!("ada/{}.py", "x".repeat(300));
    let mut archive = ::tar::Builder::new(Vec::new());
    let mut header = ::tar::Header::new_gnu();
    header.set_size(1);
    header.set_entry_type(EntryType::Regular);
    archive.append_data(&mut header, &long, &b"x"[..]).expect("an entry");
    let place = Place::new();
    place.write("c/l.tar", archive.into_inner().expect("a tar"));
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), [format!("l.tar: {long}")]);
}

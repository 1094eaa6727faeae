//! Archives as learning platforms export them, and as attackers make them.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::beside::{is_told, report, two_copies};
use crate::place::{Place, assignment, example};
use crate::report::Ask;

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(bytes).expect("its bytes");
    }
    zip.finish().expect("a zip").into_inner()
}

fn tar_gz(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).expect("an entry");
    }
    tar.into_inner().expect("a tar").finish().expect("gzip")
}

#[test]
fn a_zip_of_zips_as_moodle_exports_it() {
    let hana = example("assignment/submissions/hana/inventory.py");
    let jun = example("assignment/submissions/jun/inventory.py");
    let kofi = example("assignment/submissions/kofi/inventory.py");
    let outer = zip(&[
        (
            "Hana Morita_4711_assignsubmission_file_/work.zip",
            &zip(&[("src/inventory.py", hana.as_bytes())]),
        ),
        (
            "Jun Castillo_4712_assignsubmission_file_/jun.tar.gz",
            &tar_gz(&[("inventory.py", jun.as_bytes())]),
        ),
        ("Kofi Ansah_4713_assignsubmission_file_/inventory.py", kofi.as_bytes()),
    ]);
    let place = Place::new().with("export.zip", outer);
    let report = place.fanmill("compare export.zip").report();
    let names: Vec<&str> = report.submissions.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Hana Morita", "Jun Castillo", "Kofi Ansah"]);
    assert_eq!(report.submissions[0].files[0].path, "work.zip!/src/inventory.py");
    assert_eq!(report.names(&report.pairs[0]), (names[0], names[1]));
    assert!(report.pairs[0].score > 0.4);
    report.check_account();
}

#[test]
fn folder_zip_and_tarball_give_the_same_pairs() {
    let files = assignment();
    let entries: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    let place =
        Place::new().with("class.zip", zip(&entries)).with("class.tar.gz", tar_gz(&entries));
    for (name, bytes) in &files {
        place.write(format!("class/{name}"), bytes);
    }
    let pairs =
        |path: &str| place.fanmill(&format!("compare {path} --format csv --quiet")).run().stdout;
    let folder = pairs("class");
    assert!(folder.lines().count() > 8);
    assert_eq!(pairs("class.zip"), folder);
    assert_eq!(pairs("class.tar.gz"), folder);
}

#[test]
fn a_truncated_zip_is_named() {
    let whole = zip(&[("a.py", &b"x = 1\n".repeat(100)), ("b.py", &b"y = 2\n".repeat(100))]);
    is_told("hw.zip", &whole[..whole.len() - 40], "failed", "");
    is_told("hw2.zip", &whole[..40], "failed", "");
}

#[test]
fn a_truncated_tarball_keeps_what_is_whole() {
    let long: Vec<u8> =
        (0..20_000_u32).flat_map(|i| format!("v{} = {i}\n", i % 97).into_bytes()).collect();
    let whole = tar_gz(&[("a.py", &long), ("b.py", &long)]);
    let report = is_told("hw.tar.gz", &whole[..whole.len() * 3 / 4], "failed", "cut off");
    assert_eq!(report.of("odd").files[0].path, "hw.tar.gz!/a.py");
}

#[test]
fn a_zip_bomb_is_stopped_and_named() {
    let bomb = vec![b' '; 64 << 20];
    let bytes = zip(&[("ok.py", b"x = 1\n"), ("bomb.txt", &bomb)]);
    assert!(bytes.len() < 200_000);
    is_told("bomb.zip", &bytes, "skipped", "over the limit of 200 to 1");
}

#[test]
fn entries_that_climb_are_names_and_nothing_else() {
    let place = two_copies();
    let bytes = zip(&[("../../../../tmp/escaped.py", b"x = 1\n"), ("/abs.py", b"y = 2\n")]);
    place.write("in/odd/evil.zip", bytes);
    let report = report(&place);
    let paths: Vec<&str> = report.of("odd").files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["evil.zip!/abs.py", "evil.zip!/tmp/escaped.py"]);
    assert!(!std::path::Path::new("/tmp/escaped.py").exists());
}

#[test]
fn an_archive_below_the_depth_limit_is_named() {
    let mut nested = zip(&[("a.py", b"x = 1\n")]);
    for _ in 0..10 {
        nested = zip(&[("inner.zip", &nested)]);
    }
    is_told("deep.zip", &nested, "skipped", "raise the setting `max-depth`");
}

//! Damaged files: a search is right, or names the damaged file.

use std::fs;
use std::path::PathBuf;

use super::*;

/// Makes a small index; returns a text to search for, and what is found.
fn small(folder: &Path) -> (String, Places) {
    for i in 0..3 {
        let texts = [("a", 1), ("b", 2), ("c", 1)].map(|(name, run)| {
            (format!("{name}{i}"), [words(10 + i, 9), words(run, 20), words(20 + i, 9)].join(" "))
        });
        let texts: Vec<(&str, String)> =
            texts.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        add(folder, &texts);
    }
    let mut writer = Writer::open(&Disk::default(), folder, None).expect("an index");
    writer.remove(["a1"]).expect("known");
    writer.close().expect("own folder");
    let query = [words(1, 15), words(5, 20)].join(" ");
    let found = search(&Index::open(folder).expect("an index"), &query);
    assert_eq!(found.len(), 5);
    (query, found)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// Checks that the answer is right, or an error that names the file.
fn check(folder: &Path, file: &Path, (query, right): &(String, Places), what: &str) {
    let answer =
        Index::open(folder).and_then(|index| search_with(&index, query, &Search::default()));
    match answer {
        Ok(found) => assert_eq!(&found, right, "{}: {what}", file.display()),
        Err(error) => {
            let name = file.file_name().expect("a file").to_string_lossy().into_owned();
            let error = error.to_string();
            // A damaged CURRENT may name a manifest that does not exist.
            assert!(
                error.contains(&name) || error.contains("MANIFEST-"),
                "{name}: {what}: {error}"
            );
        }
    }
}

#[test]
fn one_bit_of_many_bytes() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let expected = small(&folder);
    for file in files(&folder) {
        let mut bytes = fs::read(&file).expect("own file");
        // Only every fifth byte of segments is tested, so that all tests take seconds; the bit changes from byte to
        // byte.
        let is_small = bytes.len() < 4096;
        for at in (0..bytes.len()).step_by(if is_small { 1 } else { 5 }) {
            let bit = 1 << (at % 8);
            bytes[at] ^= bit;
            fs::write(&file, &bytes).expect("room");
            check(&folder, &file, &expected, &format!("bit {} of byte {at}", at % 8));
            bytes[at] ^= bit;
        }
        fs::write(&file, &bytes).expect("room");
    }
    Index::open(&folder).expect("an index").verify(&Silent).expect("all is as it was");
}

#[test]
fn cut_off_files_and_files_in_the_place_of_others() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let expected = small(&folder);
    let all = files(&folder);
    for file in &all {
        let bytes = fs::read(file).expect("own file");
        for n in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(file, &bytes[..n]).expect("room");
            check(&folder, file, &expected, &format!("cut off after {n} bytes"));
        }
        let longer = [&*bytes, &[0; 4096]].concat();
        fs::write(file, longer).expect("room");
        check(&folder, file, &expected, "too long");
        for other in &all {
            fs::write(file, fs::read(other).expect("own file")).expect("room");
            if other != file {
                check(&folder, file, &expected, &format!("{} in its place", other.display()));
            }
            fs::write(file, &bytes).expect("room");
        }
        fs::remove_file(file).expect("own file");
        check(&folder, file, &expected, "removed");
        fs::write(file, &bytes).expect("room");
    }
}

/// The other index has files of the same names and lengths, since it was made in the same way from other texts.
#[test]
fn a_segment_of_another_index_is_known_for_one() {
    let temporary = tempfile::tempdir().expect("a folder");
    let [ours, theirs] = ["x", "y"].map(|name| temporary.path().join(name));
    add(&ours, &[("a", words(1, 40))]);
    add(&theirs, &[("a", words(2, 40))]);
    for name in ["seg-1.fps", "seg-1.txt", "MANIFEST-1", "CURRENT"] {
        let own = fs::read(ours.join(name)).expect("own file");
        fs::copy(theirs.join(name), ours.join(name)).expect("room");
        let error = Index::open(&ours).expect_err(name);
        assert!(error.is_input(), "{name}: {error}");
        fs::write(ours.join(name), own).expect("room");
    }
    Index::open(&ours).expect("an index").verify(&Silent).expect("all is as it was");
}

/// Verifying also reads what a search has not asked for.
#[test]
fn verifying_reads_everything() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    add(&folder, &[("a", words(1, 40_000))]);
    for name in ["seg-1.fps", "seg-1.txt"] {
        let file = folder.join(name);
        let mut bytes = fs::read(&file).expect("own file");
        for at in (0..bytes.len()).step_by(4096) {
            bytes[at + 100] ^= 1;
            fs::write(&file, &bytes).expect("room");
            let verified = Index::open(&folder).and_then(|index| index.verify(&Silent));
            let error = verified.expect_err(name).to_string();
            assert!(error.contains(name), "{error}");
            bytes[at + 100] ^= 1;
        }
        fs::write(&file, &bytes).expect("room");
    }
}

#[test]
fn what_is_not_an_index_is_refused_and_stays() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("ix");
    let error = Index::open(&folder).expect_err("nothing");
    assert!(error.is_input() && error.to_string().contains("is not an index"), "{error}");
    fs::create_dir(&folder).expect("room");
    fs::write(folder.join("seg-1.txt"), "mine").expect("room");
    let error = Writer::open(&Disk::default(), &folder, None).expect_err("something else");
    assert!(error.is_setting() && error.to_string().contains("holds `seg-1.txt`"), "{error}");
    assert_eq!(files(&folder), [folder.join("seg-1.txt")]);
}

//! Files in memory, which are read as the same files on disk.

use std::sync::Arc;

use super::build::{gz, tar, zip};
use super::*;
use crate::{Files, Glob, MemoryFiles, overlaps};

/// Returns files that a class may hand in, and others around them.
fn given() -> Vec<(&'static str, Vec<u8>)> {
    let inner = zip(&[("b.py", b"y = 2\n"), ("deep/c.py", b"z = 3\n")]);
    vec![
        ("class/ada/main.py", b"x = 1\n".to_vec()),
        ("class/ada/lib/list.py", b"x = [1]\n".to_vec()),
        ("class/ada/lib.py", b"import lib\n".to_vec()),
        ("class/ada/.git/config", b"[core]\n".to_vec()),
        ("class/bo.zip", zip(&[("a.py", b"x = 1\n"), ("inner.zip", &inner)])),
        ("class/cy.tar.gz", gz(&tar(&[("a.py", b"x = 1\n")]))),
        ("class/damaged.zip", inner[..inner.len() / 2].to_vec()),
        ("class/empty.py", Vec::new()),
        ("class/logo.png", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("class/manifest.csv", b"file,author\nada,Ada\nnobody,Nobody\n".to_vec()),
        ("class/report/report.json", b"{\"format\": \"fanmill report\"}".to_vec()),
        ("class/report/pairs.csv", b"a,b\n".to_vec()),
        ("class.zip", zip(&[("class/ada.py", b"x = 1\n"), ("class/bo.py", b"y = 2\n")])),
        ("list.csv", b"file,submission\nclass/ada,one\n../x,two\nclass/none,three\n".to_vec()),
        ("other/class/di.py", b"y = 2\n".to_vec()),
    ]
}

fn held() -> Files {
    let mut held = MemoryFiles::default();
    for (path, bytes) in given() {
        held.add(&format!("x/{path}"), bytes).expect("a path of its own");
    }
    Files::Held(Arc::new(held))
}

fn read_from(files: Files, paths: &[PathBuf], group_by: GroupBy) -> Corpus {
    let options = Options { group_by, files, ..Options::everything() };
    let mut corpus = Corpus::default();
    let budget = Budget::new(Limits::standard());
    read(paths, Role::New, &options, &budget, &mut corpus, &Silent).expect("a corpus");
    check_order(&corpus);
    corpus
}

#[test]
fn held_files_are_read_as_those_on_disk() {
    let place = Place::new();
    for (path, bytes) in given() {
        place.write(&format!("x/{path}"), bytes);
    }
    let cases: [&[&str]; 7] = [
        &["class"],
        &["class.zip"],
        &["class/bo.zip"],
        &["list.csv"],
        &["class", "list.csv"],
        &["class", "other/class", "class.zip"],
        &["class/ada", "class/bo.zip", "class/logo.png"],
    ];
    for paths in cases {
        for (_, group_by) in GroupBy::ALL {
            let below =
                |above: &Path| paths.iter().map(|path| above.join("x").join(path)).collect();
            let (on_disk, in_memory): (Vec<_>, Vec<_>) =
                (below(place.path()), below(Path::new("")));
            let expected = read_from(Files::Disk, &on_disk, group_by);
            assert!(!expected.submissions.is_empty());
            assert_eq!(read_from(held(), &in_memory, group_by), expected, "{paths:?} {group_by:?}");
        }
    }
}

/// Returns more than is read ahead of one child, and of a block of them: files, folders and levels.
fn much() -> Vec<(String, Vec<u8>)> {
    let text = |n: usize| b"x = 1\n".repeat(n);
    let mut files: Vec<(String, Vec<u8>)> =
        (0..40).map(|i| (format!("s{i:02}/a.py"), text(i))).collect();
    files.extend((0..600).map(|i| (format!("s03/many/{i:03}.py"), text(1 + i % 7))));
    files.extend((0..9).map(|i| (format!("s07/large{i}.py"), text(30_000))));
    files.push(("s09/huge.py".to_owned(), text(60_000)));
    files.extend((0..40).map(|i| (format!("s11{}/b.py", "/d".repeat(i)), text(i))));
    files.extend((0..30).map(|i| (format!("s13/dist/{i}.py"), text(2))));
    files.push(("s15/report/report.json".to_owned(), b"{\"format\": \"fanmill report\"}".to_vec()));
    files.push(("s17/report.json".to_owned(), b"{\"format\": \"fanmill report\"}".to_vec()));
    files.push(("s17/own.py".to_owned(), text(3)));
    files.push(("s19/.git/config".to_owned(), text(1)));
    files
}

/// Files in memory are never read ahead, so they show the result that reading ahead must not change.
#[test]
fn what_is_read_ahead_is_read_as_if_it_had_not_been() {
    let (place, mut held) = (Place::new(), MemoryFiles::default());
    for (path, bytes) in much() {
        held.add(&format!("class/{path}"), bytes.clone()).expect("a path of its own");
        place.write(&format!("class/{path}"), bytes);
    }
    let held = Files::Held(Arc::new(held));
    let glob = |pattern: &str| Glob::new(pattern).expect("a pattern");
    let few = |change: fn(&mut Limits)| {
        let mut limits = Limits::standard();
        change(&mut limits);
        limits
    };
    let cases = [
        (Vec::new(), Limits::standard()),
        (vec![glob("dist"), glob("many/1*"), glob("s05")], Limits::standard()),
        (Vec::new(), few(|limits| limits.entries = 500)),
        (Vec::new(), few(|limits| limits.file_bytes = 5_000)),
        (Vec::new(), few(|limits| limits.total_bytes = 300_000)),
    ];
    for (exclude, limits) in cases {
        let read_from = |files: &Files, path: PathBuf| {
            let files = files.clone();
            let options = Options { files, exclude: exclude.clone(), ..Options::everything() };
            let (budget, mut corpus) = (Budget::new(limits.clone()), Corpus::default());
            read(&[path], Role::New, &options, &budget, &mut corpus, &Silent).expect("a corpus");
            corpus
        };
        // On disk, inputs are read ahead; both runs must come to the same.
        let on_disk = read_from(&Files::Disk, place.path().join("class"));
        assert!(!on_disk.submissions.is_empty());
        assert_eq!(on_disk, read_from(&held, "class".into()), "{exclude:?}");
    }
}

#[test]
fn what_is_not_held_is_said_as_of_a_disk() {
    let read = |paths: &[&str]| {
        let options = Options { files: held(), ..Options::everything() };
        let paths: Vec<PathBuf> = paths.iter().map(|path| Path::new("x").join(path)).collect();
        let budget = Budget::new(Limits::standard());
        let mut corpus = Corpus::default();
        read(&paths, Role::New, &options, &budget, &mut corpus, &Silent)
            .expect_err("no such file")
            .to_string()
    };
    assert!(read(&["nothing"]).starts_with("`x/nothing` does not exist"));
    assert!(read(&["class", "class/ada"]).starts_with("`x/class/ada` lies in `x/class`"));
    assert!(read(&["class/report"]).contains("an earlier report of Fanmill"));
    let (class, ada) = (["x/class".into()], ["x/class/../class/./ada".into()]);
    let below = overlaps(&held(), &[(&class, Role::New), (&ada, Role::Base)]).expect("allowed");
    assert_eq!(below, [PathBuf::from("x/class/ada")]);
}

#[test]
fn paths_that_climb_or_meet_are_refused() {
    let mut held = MemoryFiles::default();
    held.add("a/b.py", Vec::new()).expect("a path");
    for (path, words) in [
        ("", "no path of a file"),
        ("/a/c.py", "no path of a file"),
        ("a/../c.py", "no path of a file"),
        ("a//c.py", "no path of a file"),
        ("a/.", "no path of a file"),
        ("a/b.py", "given twice"),
        ("a", "given twice"),
        ("a/b.py/c", "`a/b.py` is a file"),
    ] {
        let error = held.add(path, Vec::new()).expect_err(path);
        assert!(error.is_input() && error.to_string().contains(words), "{path}: {error}");
    }
}

//! Files in memory are read as the same files on disk.

use std::sync::Arc;

use super::build::{gz, tar, zip};
use super::*;
use crate::{Files, Held, overlaps};

/// What a class may hand in, and what lies around it.
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
    let mut held = Held::default();
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
    let mut held = Held::default();
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

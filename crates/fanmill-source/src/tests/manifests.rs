//! CSV files that list inputs, or describe them.

use super::build::zip;
use super::*;

fn class(manifest: &str, name: &str) -> (Place, PathBuf) {
    let place = Place::new();
    place.write("c/ada/A.java", "class A {}");
    place.write("c/ada/B.java", "class B {}");
    place.write("c/bob.zip", zip(&[("C.java", b"class C {}")]));
    place.write("c/dan.py", "d");
    place.write("outside.txt", "secret");
    let path = place.write(&format!("c/{name}"), manifest);
    (place, path)
}

#[test]
fn a_given_manifest_lists_the_inputs() {
    let csv = "file,author,label,submitted\n\
               ada,Ada,morning,2026-03-02\n\
               bob.zip,Bob,evening,2026-03-03\n\
               nobody,Nemo,evening,\n";
    let (_place, path) = class(csv, "list.csv");
    let corpus = read_auto(path);
    assert_eq!(outline(&corpus), ["ada: A.java, B.java", "bob.zip: C.java", "nobody: "]);
    let ada = &corpus.submissions[0];
    assert_eq!(
        (ada.author.as_deref(), ada.label.as_deref(), ada.submitted.as_deref()),
        (Some("Ada"), Some("morning"), Some("2026-03-02"))
    );
    assert_notice(
        &corpus,
        "nobody",
        "nobody",
        Outcome::Failed,
        "line 4 of list.csv: there is no such file",
    );
    assert_eq!(corpus.notices.len(), 1);
}

#[test]
fn rows_of_one_submission_are_joined() {
    let csv = "path;submission;author\nada/A.java;team;\ndan.py;team;Dan\nbob.zip;other;Bob\n";
    let (_place, path) = class(csv, "list.csv");
    let corpus = read_auto(path);
    assert_eq!(outline(&corpus), ["other: bob.zip!/C.java", "team: ada/A.java, dan.py"]);
    assert_eq!(corpus.submissions[1].author.as_deref(), Some("Dan"));
}

#[test]
fn a_manifest_reads_nothing_outside_its_folder() {
    let csv = "file\n../outside.txt\n/etc/passwd\nada/../../outside.txt\nlink\ndan.py\ndan.py\n";
    let (place, path) = class(csv, "list.csv");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.txt", place.path().join("c/link")).expect("a link");
    let corpus = read_auto(path);
    let documents: Vec<_> = corpus.submissions.iter().flat_map(|s| &s.documents).collect();
    assert_eq!(documents.len(), 1);
    assert_eq!(documents[0].bytes, b"d");
    for line in 2..=4 {
        let reason =
            format!("line {line} of list.csv: leads out of the manifest's folder: not read");
        assert!(
            corpus.notices.iter().any(|notice| notice.reason == reason),
            "{:?}",
            corpus.notices
        );
    }
    #[cfg(unix)]
    assert_notice(&corpus, "link", "link", Outcome::Failed, "a symbolic link leads out");
    assert_notice(&corpus, "dan.py", "dan.py", Outcome::Skipped, "line 7 of list.csv: already");
    drop(place);
}

#[test]
fn a_manifest_beside_the_submissions_describes_them() {
    let csv = "filename,full_name,label\nada,Ada,x\nbob.zip,Bob,y\ngone,Gus,y\nsick,\"Sick, \n";
    let (place, _) = class(csv, "info.csv");
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), ["ada: A.java, B.java", "bob.zip: C.java", "dan.py: dan.py"]);
    assert_eq!(corpus.submissions[1].author.as_deref(), Some("Bob"));
    assert_eq!(corpus.submissions[2].author, None);
    assert_notice(
        &corpus,
        "",
        "gone",
        Outcome::Failed,
        "named by line 4 of info.csv, but not there",
    );
    assert_notice(&corpus, "", "info.csv", Outcome::Degraded, "line 5 has 2 fields");
}

#[test]
fn a_manifest_in_an_archive_describes_what_is_in_it() {
    let place = Place::new();
    let csv = b"filename,full_name\na.py,Ada\nbob/b.py,Bob\n";
    let bytes = zip(&[("x/info.csv", csv), ("x/a.py", b"a"), ("x/bob/b.py", b"b")]);
    let corpus = read_auto(place.write("s.zip", bytes));
    assert_eq!(outline(&corpus), ["a.py: a.py", "bob: b.py"]);
    let authors: Vec<_> = corpus.submissions.iter().map(|s| s.author.as_deref()).collect();
    assert_eq!(authors, [Some("Ada"), Some("Bob")]);
    assert_eq!(corpus.notices, []);
}

#[test]
fn a_manifest_among_given_paths_describes_them() {
    let (place, path) = class("file,author\nada,Ada\n", "list.csv");
    let paths = [place.path().join("c/ada"), place.path().join("c/dan.py"), path];
    let corpus = read_with(&paths, GroupBy::Auto, Limits::standard());
    assert_eq!(outline(&corpus), ["ada: A.java, B.java", "dan.py: dan.py"]);
    assert_eq!(corpus.submissions[0].author.as_deref(), Some("Ada"));
}

#[test]
fn a_csv_that_is_no_manifest_is_a_document() {
    let (_place, path) = class("name,score\nada,3\n", "scores.csv");
    let corpus = read_auto(path);
    assert_eq!(outline(&corpus), ["scores.csv: scores.csv"]);
    assert_notice(
        &corpus,
        "scores.csv",
        "scores.csv",
        Outcome::Degraded,
        "no column is called file",
    );
    let (place, _) = class("name,score\nada,3\n", "info.csv");
    let corpus = read_auto(place.path().join("c"));
    assert!(outline(&corpus).contains(&"info.csv: info.csv".to_owned()));
}

#[test]
fn a_person_of_a_quiz_is_a_submission() {
    let place = Place::new();
    let csv = "Last name,First name,Response 1,Response 2\n\
               Sand,Mia,the sea is salty,rivers bring it there\n\
               Kern,Jo,rivers are not salty,-\n\
               Sand,Mia,a second try of mine,-\n";
    let path = place.write("quiz.csv", csv);
    let corpus = read_auto(&path);
    let expected =
        ["Kern Jo: Response 1.txt", "Sand Mia: Response 1 (2).txt, Response 1.txt, Response 2.txt"];
    assert_eq!(outline(&corpus), expected);
    let [notice] = &corpus.notices[..] else { panic!("{:?}", corpus.notices) };
    assert_eq!(notice.outcome, Outcome::Flagged);
    assert_eq!(
        notice.reason.to_string(),
        "read as a quiz: 2 columns from `Response 1` on, with 4 answers"
    );
    // Beside another path, submissions are called after the file too.
    let other = place.write("last.csv", csv);
    let corpus = read_with(&[path, other], GroupBy::Child, Limits::standard());
    assert_eq!(corpus.submissions.len(), 4);
    assert_eq!(corpus.submissions[0].name, "last.csv/Kern Jo");
}

//! Folders and files on disk, grouping, names.

use std::fs;
use std::process::Command;

use super::*;
use crate::{Glob, Naming};

fn class() -> Place {
    let place = Place::new();
    place.write("c/ada/Main.java", "class A {}");
    place.write("c/ada/src/B.java", "class B {}");
    place.write("c/bob.java", "class C {}");
    place.write("c/cy.zip", build::zip(&[("x/D.java", b"class D {}"), ("E.java", b"class E {}")]));
    place
}

#[test]
fn each_child_is_a_submission() {
    let place = class();
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(
        outline(&corpus),
        ["ada: Main.java, src/B.java", "bob.java: bob.java", "cy.zip: E.java, x/D.java"]
    );
    assert_eq!(corpus.notices, []);
    assert_eq!(corpus.submissions[0].documents[0].bytes, b"class A {}");
}

/// Submissions read in two runs have the names that one run gives them, however the paths end.
#[test]
fn names_can_be_the_paths_as_they_were_given() {
    let place = Place::new();
    place.write("2024/class/ada/A.java", "class A {}");
    place.write("2025/class/ada/A.java", "class A { int a; }");
    place.write("2025/class/info.csv", "file,author\nada,Ada\n");
    place.write("2025/class/bob.py", "print()");
    place.write("class/.idea/essay.txt", "an essay in a folder that was asked for");
    let named = |paths: &[&str]| {
        let options =
            Options { group_by: GroupBy::Child, naming: Naming::AsGiven, ..Options::everything() };
        let paths: Vec<PathBuf> = paths.iter().map(|path| place.path().join(path)).collect();
        let mut corpus = Corpus::default();
        let budget = Budget::new(Limits::standard());
        read(&paths, Role::New, &options, &budget, &mut corpus, &Silent).expect("a corpus");
        let prefix = format!("{}/", place.path().display());
        let own = corpus
            .submissions
            .into_iter()
            .map(|own| (own.name.strip_prefix(&prefix).expect("as given").to_owned(), own.author));
        own.collect::<Vec<_>>()
    };
    let paths = ["2024/class", "./2025/class/", "class/.idea/essay.txt"];
    let together = named(&paths);
    let names: Vec<&str> = together.iter().map(|own| own.0.as_str()).collect();
    let expected =
        ["2024/class/ada", "2025/class/ada", "2025/class/bob.py", "class/.idea/essay.txt"];
    assert_eq!(names, expected);
    assert_eq!(together[1].1.as_deref(), Some("Ada"));
    // One run for each path gives the same names as one run for all paths.
    let apart: Vec<_> = paths.iter().flat_map(|path| named(&[path])).collect();
    assert_eq!(apart, together);
}

#[test]
fn each_file_can_be_a_submission() {
    let place = class();
    let corpus = read_with(&[place.path().join("c")], GroupBy::File, Limits::standard());
    assert_eq!(
        outline(&corpus),
        [
            "ada/Main.java: ada/Main.java",
            "ada/src/B.java: ada/src/B.java",
            "bob.java: bob.java",
            "cy.zip!/E.java: cy.zip!/E.java",
            "cy.zip!/x/D.java: cy.zip!/x/D.java",
        ]
    );
}

#[test]
fn a_given_path_can_be_a_submission() {
    let place = class();
    let corpus = read_with(&[place.path().join("c")], GroupBy::Root, Limits::standard());
    assert_eq!(
        outline(&corpus),
        ["c: ada/Main.java, ada/src/B.java, bob.java, cy.zip!/E.java, cy.zip!/x/D.java"]
    );
}

#[test]
fn several_paths_are_each_a_submission() {
    let place = class();
    let paths = ["ada", "bob.java", "cy.zip"].map(|name| place.path().join("c").join(name));
    let corpus = read_with(&paths, GroupBy::Auto, Limits::standard());
    assert_eq!(
        outline(&corpus),
        ["ada: Main.java, src/B.java", "bob.java: bob.java", "cy.zip: E.java, x/D.java"]
    );
}

#[test]
fn children_of_several_paths_carry_the_paths_name() {
    let place = Place::new();
    place.write("2024/ada/a.py", "a");
    place.write("2025/ada/a.py", "b");
    let paths = ["2024", "2025"].map(|name| place.path().join(name));
    let corpus = read_with(&paths, GroupBy::Child, Limits::standard());
    assert_eq!(outline(&corpus), ["2024/ada: a.py", "2025/ada: a.py"]);
}

#[test]
fn paths_that_end_alike_stay_apart() {
    let place = Place::new();
    let paths = ["a/1/x.py", "b/1/x.py", "b/y.py"].map(|path| place.write(path, path));
    let corpus = read_with(&paths, GroupBy::Auto, Limits::standard());
    let names: Vec<&str> = corpus.submissions.iter().map(|s| s.name.as_str()).collect();
    // A name shows no more of a path than distinguishes it from the others: where it lies is nobody's business.
    assert_eq!(names, ["a/1/x.py", "b/1/x.py", "y.py"]);
}

#[test]
fn roles_share_a_budget_and_names_are_unique_in_a_role() {
    let place = class();
    let budget = Budget::new(Limits { entries: 9, ..Limits::standard() });
    let mut corpus = Corpus::default();
    let path = [place.path().join("c")];
    for role in [Role::Base, Role::New, Role::New] {
        read(&path, role, &Options::everything(), &budget, &mut corpus, &Silent).expect("a corpus");
    }
    check_order(&corpus);
    let names: Vec<_> = corpus.submissions.iter().map(|s| (s.role, s.name.as_str())).collect();
    assert!(names.contains(&(Role::New, "ada (2)")), "{names:?}");
    assert!(names.contains(&(Role::Base, "ada")), "{names:?}");
    assert!(corpus.notices.iter().any(|notice| notice.reason.contains("limit of 9 entries a run")));
}

#[test]
fn a_path_that_is_not_there_is_an_error_with_a_way_out() {
    let mut corpus = Corpus::default();
    let path = Place::new().path().join("nowhere");
    let budget = Budget::new(Limits::standard());
    let error = read(&[path], Role::New, &Options::everything(), &budget, &mut corpus, &Silent);
    let error = error.expect_err("nothing there");
    assert!(error.is_input());
    assert!(error.to_string().contains("does not exist; check its spelling"), "{error}");
    assert_eq!(corpus, Corpus::default());
}

#[test]
fn what_cannot_be_compared_keeps_its_submission_and_says_why() {
    let place = Place::new();
    place.write("c/ada/Main.java", "class A {}");
    place.write("c/ada/Main.class", b"\xca\xfe\xba\xbe\0\0\0\x34");
    place.write("c/bob/empty.py", "");
    place.write("c/cy.png", b"\x89PNG\r\n\x1a\n\0\0");
    place.write("c/dan/a.c", "int a; /*\0*/ int b; int c; int d;");
    fs::create_dir(place.path().join("c/eve")).expect("a folder");
    place.write("c/fay/tiny.py", "x");
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(
        outline(&corpus),
        ["ada: Main.java", "bob: ", "cy.png: ", "dan: a.c", "eve: ", "fay: tiny.py"]
    );
    assert_notice(&corpus, "ada", "Main.class", Outcome::Skipped, "compiled Java class");
    assert_notice(&corpus, "bob", "empty.py", Outcome::Skipped, "empty");
    assert_notice(&corpus, "cy.png", "cy.png", Outcome::Skipped, "PNG");
    assert_notice(&corpus, "dan", "a.c", Outcome::Degraded, "1 NUL byte");
    assert_notice(&corpus, "eve", "eve", Outcome::Skipped, "no files");
    assert_eq!(corpus.notices.len(), 5);
}

#[test]
fn litter_is_named_once_and_not_read() {
    let place = Place::new();
    place.write("c/.git/config", "x");
    place.write("c/ada/.git/config", "x");
    place.write("c/ada/.git/HEAD", "x");
    place.write("c/ada/web/node_modules/x/index.js", "x");
    place.write("c/ada/.gitignore", "target");
    place.write(
        "c/bob.zip",
        build::zip(&[("b.py", b"b"), ("__MACOSX/a", b"x"), ("__MACOSX/b", b"x")]),
    );
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), ["ada: .gitignore", "bob.zip: b.py"]);
    for (submission, path) in
        [("", ".git"), ("ada", ".git"), ("ada", "web/node_modules"), ("bob.zip", "__MACOSX")]
    {
        assert_notice(&corpus, submission, path, Outcome::Skipped, "version-control");
    }
    assert_eq!(corpus.notices.len(), 4);
}

#[test]
fn patterns_choose_files_and_account_for_the_others() {
    let place = class();
    let options = Options {
        include: vec![Glob::new("*.java").expect("a pattern")],
        exclude: vec![
            Glob::new("src/**").expect("a pattern"),
            Glob::new("E.*").expect("a pattern"),
        ],
        ..Options::everything()
    };
    place.write("c/ada/notes.txt", "n");
    let mut corpus = Corpus::default();
    let budget = Budget::new(Limits::standard());
    read(&[place.path().join("c")], Role::New, &options, &budget, &mut corpus, &Silent)
        .expect("a corpus");
    assert_eq!(outline(&corpus), ["ada: Main.java", "bob.java: bob.java", "cy.zip: x/D.java"]);
    assert_notice(&corpus, "ada", "notes.txt", Outcome::Skipped, "the setting `include`");
    assert_notice(&corpus, "ada", "src/B.java", Outcome::Skipped, "the setting `exclude`");
    assert_notice(&corpus, "cy.zip", "E.java", Outcome::Skipped, "the setting `exclude`");
}

#[test]
fn limits_on_bytes_name_value_limit_and_way_out() {
    let place = Place::new();
    place.write("c/ada/big.py", build::noise(2000, 1));
    place.write("c/ada/small.py", "x");
    let limits = Limits { file_bytes: 1024, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    assert_eq!(outline(&corpus), ["ada: small.py"]);
    let reason = &notice(&corpus, "ada", "big.py").reason;
    assert_eq!(
        reason,
        "2 KiB is over the limit of 1 KiB a file; raise the setting `max-file-bytes`"
    );
}

#[test]
fn one_greedy_submission_leaves_half_to_the_others() {
    let place = Place::new();
    for i in 0..20 {
        place.write(&format!("c/ada/{i:02}.py"), build::noise(1000, i));
    }
    place.write("c/bob/b.py", build::noise(1000, 77));
    let limits = Limits { total_bytes: 10_000, entries: 30, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    assert_eq!(corpus.submissions[0].documents.len(), 5);
    assert_eq!(corpus.submissions[1].documents.len(), 1);
    assert_notice(&corpus, "ada", "05.py", Outcome::Skipped, "half of what was left of the limit");
    assert_notice(&corpus, "ada", "14.py", Outcome::Skipped, "raise the setting `max-entries`");
    let held: usize =
        corpus.submissions.iter().flat_map(|s| &s.documents).map(|d| d.bytes.len()).sum();
    assert!(held <= 10_000);
}

#[test]
fn twenty_thousand_files_are_twenty_thousand_submissions() {
    let place = Place::new();
    fs::create_dir(place.path().join("c")).expect("a folder");
    for i in 0..20_000 {
        fs::write(place.path().join(format!("c/{i:05}.py")), [b'x']).expect("a file");
    }
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(corpus.submissions.len(), 20_000);
    assert_eq!(corpus.notices, []);
    let limits = Limits { entries: 10_000, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    let read = corpus.submissions.iter().filter(|s| !s.documents.is_empty()).count();
    assert_eq!(read, 10_000);
    assert_notice(&corpus, "", "c", Outcome::Skipped, "9000 more files and folders");
    assert_notice(
        &corpus,
        "10000.py",
        "10000.py",
        Outcome::Skipped,
        "limit of 10000 entries a run",
    );
}

#[test]
fn a_folder_of_300_levels_is_read() {
    let place = Place::new();
    let mut deep = place.path().join("c/ada");
    for _ in 0..300 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).expect("folders");
    fs::write(deep.join("a.py"), "x").expect("a file");
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(corpus.submissions[0].documents[0].path, format!("{}a.py", "d/".repeat(300)));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_are_not_followed_and_say_where_they_lead() {
        let place = Place::new();
        let secret = place.write("secret.txt", "secret");
        place.write("c/ada/a.py", "x");
        let ada = place.path().join("c/ada");
        for (target, name) in [
            (secret.as_path(), "out"),
            (place.path(), "up"),
            (Path::new("a.py"), "inside"),
            (Path::new("."), "circle"),
            (Path::new("self"), "self"),
            (Path::new("gone"), "dangling"),
        ] {
            symlink(target, ada.join(name)).expect("a link");
        }
        symlink(&secret, place.path().join("c/zoe")).expect("a link");
        let corpus = read_auto(place.path().join("c"));
        assert_eq!(outline(&corpus), ["ada: a.py", "zoe: "]);
        for (path, words) in [
            ("out", "out of the input"),
            ("up", "out of the input"),
            ("inside", "under its own name"),
            ("circle", "under its own name"),
            ("self", "leads nowhere, or in a circle"),
            ("dangling", "leads nowhere"),
        ] {
            assert_notice(&corpus, "ada", path, Outcome::Skipped, words);
        }
        assert_notice(&corpus, "zoe", "zoe", Outcome::Skipped, "out of the input");
    }

    #[test]
    fn a_given_path_may_be_a_link() {
        let place = Place::new();
        place.write("real/ada/a.py", "x");
        symlink("real", place.path().join("link")).expect("a link");
        assert_eq!(outline(&read_auto(place.path().join("link"))), ["ada: a.py"]);
    }

    #[test]
    fn a_pipe_does_not_hang_the_run() {
        let place = Place::new();
        place.write("c/ada/a.py", "x");
        let pipe = place.path().join("c/ada/pipe");
        let Ok(status) = Command::new("mkfifo").arg(&pipe).status() else { return };
        assert!(status.success());
        let _socket = std::os::unix::net::UnixListener::bind(place.path().join("c/ada/socket"));
        let corpus = read_auto(place.path().join("c"));
        assert_eq!(outline(&corpus), ["ada: a.py"]);
        assert_notice(&corpus, "ada", "pipe", Outcome::Skipped, "special file: a pipe");
        assert_notice(&corpus, "ada", "socket", Outcome::Skipped, "special file: a socket");
        let mut corpus = Corpus::default();
        let budget = Budget::new(Limits::standard());
        let error = read(&[pipe], Role::New, &Options::everything(), &budget, &mut corpus, &Silent);
        assert!(error.expect_err("a pipe").is_input());
    }

    #[test]
    fn an_unreadable_file_keeps_its_submission() {
        let place = Place::new();
        let closed = place.write("c/ada/closed.py", "x");
        place.write("c/ada/open.py", "x");
        let folder = place.path().join("c/bob");
        fs::create_dir(&folder).expect("a folder");
        let none = fs::Permissions::from_mode(0o000);
        fs::set_permissions(&closed, none.clone()).expect("permissions");
        fs::set_permissions(&folder, none).expect("permissions");
        if fs::File::open(&closed).is_ok() {
            return; // Root reads everything.
        }
        let corpus = read_auto(place.path().join("c"));
        assert_eq!(outline(&corpus), ["ada: open.py", "bob: "]);
        assert_notice(&corpus, "ada", "closed.py", Outcome::Failed, "ermission denied");
        assert_notice(&corpus, "bob", "bob", Outcome::Failed, "ermission denied");
    }

    #[test]
    fn names_are_bytes_and_stay_apart() {
        let place = Place::new();
        fs::create_dir(place.path().join("c")).expect("a folder");
        let names: [&[u8]; 5] =
            [b"a\xfe.py", b"a\xff.py", b"new\nline.py", b"<b>\"'&.py", b"bell\x07\x1b[31m\\.py"];
        for name in names {
            let path = place.path().join("c").join(OsStr::from_bytes(name));
            fs::write(path, name).expect("a file");
        }
        let corpus = read_auto(place.path().join("c"));
        let names: Vec<&str> = corpus.submissions.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(
            names,
            ["<b>\"'&.py", r"a\xfe.py", r"a\xff.py", "bell\u{7}\u{1b}[31m\\.py", "new\nline.py"]
        );
        assert_eq!(corpus.submissions[2].documents[0].bytes, b"a\xff.py");
    }
}

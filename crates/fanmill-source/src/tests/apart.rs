//! Files and folders left out of the given paths, and given paths that contain one another.

use std::fs;

use super::*;
use crate::{Files, Glob, LeftOut, overlaps};

const REPORT: &str = "{\n  \"format\": \"fanmill report\",\n  \"version\": 1\n}\n";

fn read_as(paths: &[PathBuf], options: &Options) -> fanmill_text::Result<Corpus> {
    let mut corpus = Corpus::default();
    read(paths, Role::New, options, &Budget::new(Limits::standard()), &mut corpus, &Silent)?;
    check_order(&corpus);
    Ok(corpus)
}

fn without(pattern: &str, place: &Place) -> Corpus {
    let exclude = vec![Glob::new(pattern).expect("a pattern")];
    let options = Options { exclude, ..Options::everything() };
    read_as(&[place.path().join("c")], &options).expect("a corpus")
}

fn class_with_report() -> Place {
    let place = Place::new();
    place.write("c/ada/a.py", "a");
    place.write("c/bob/b.py", "b");
    place.write("c/report/report.json", REPORT);
    place.write("c/report/pairs/0001.html", "<p>");
    place.write("c/bob/old/report.json", REPORT);
    place
}

#[test]
fn an_earlier_report_is_no_submission() {
    let place = class_with_report();
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus), ["ada: a.py", "bob: b.py"]);
    assert_notice(&corpus, "", "report", Outcome::Skipped, "earlier report of Fanmill");
    assert_notice(&corpus, "bob", "old", Outcome::Skipped, "earlier report of Fanmill");
    assert_eq!(corpus.notices.len(), 2);
}

#[test]
fn nothing_hides_behind_a_report_json() {
    let place = class_with_report();
    place.write("c/report/copied.py", "x");
    place.write("c/ada/report.json", REPORT);
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(outline(&corpus)[0], "ada: a.py, report.json");
    assert!(outline(&corpus)[2].starts_with("report: copied.py"), "{:?}", outline(&corpus));
}

#[test]
fn a_report_among_the_given_paths_is_not_counted_as_one() {
    let place = class_with_report();
    let given = |name: &str| place.path().join(name);
    fs::rename(given("c/report"), given("report")).expect("moved");
    let corpus = read_as(&[given("c"), given("report")], &Options::everything()).expect("a corpus");
    assert_eq!(outline(&corpus), ["ada: a.py", "bob: b.py"], "as if `c` was given alone");
    assert_notice(&corpus, "", "report", Outcome::Skipped, "earlier report");
    let error = read_as(&[given("report")], &Options::everything()).expect_err("nothing to read");
    assert!(error.is_input() && error.to_string().contains("earlier report"), "{error}");
}

#[test]
fn what_the_caller_leaves_out_is_named_and_not_read() {
    let place = class_with_report();
    let real = fs::canonicalize(place.path().join("c")).expect("a folder");
    let left_out = ["ada", "bob/b.py"]
        .map(|name| LeftOut { path: real.join(name), reason: "the handout".into() });
    let options = Options { left_out: left_out.to_vec(), ..Options::everything() };
    let corpus = read_as(&[place.path().join("c")], &options).expect("a corpus");
    assert_eq!(outline(&corpus), ["bob: "]);
    assert_notice(&corpus, "", "ada", Outcome::Skipped, "the handout");
    assert_notice(&corpus, "bob", "b.py", Outcome::Skipped, "the handout");
}

#[test]
fn given_paths_that_overlap_are_an_error_naming_both() {
    let place = Place::new();
    place.write("c/ada/a.py", "a");
    place.write("c/bob/b.py", "b");
    place.write("c-2/a.py", "a");
    let given = |name: &str| place.path().join(name);
    for (a, b) in
        [("c", "c/"), ("c", "c/../c"), ("c", "c/ada"), ("c/bob/b.py", "c"), ("c", "c/ada/a.py")]
    {
        let paths = [given(a), given(b), given("c-2")];
        let text = read_as(&paths, &Options::everything()).expect_err("an overlap").to_string();
        for path in &paths[..2] {
            assert!(text.contains(&format!("`{}`", path.display())), "{text}");
        }
        assert!(text.ends_with("compared with itself; give one of them"), "{text}");
    }
    let apart = [given("c"), given("c-2")];
    assert_eq!(read_as(&apart, &Options::everything()).expect("no overlap").submissions.len(), 2);
}

#[test]
fn roles_overlap_only_where_base_lies_below() {
    let place = Place::new();
    place.write("c/ada/a.py", "a");
    place.write("c/handout/h.py", "h");
    let [c, ada, handout] = ["c", "c/ada", "c/handout"].map(|name| vec![place.path().join(name)]);
    let real = fs::canonicalize(&handout[0]).expect("a folder");
    for outer in [Role::New, Role::Archive] {
        let given = [(c.as_slice(), outer), (handout.as_slice(), Role::Base)];
        assert_eq!(overlaps(&Files::Disk, &given).expect("allowed"), std::slice::from_ref(&real));
    }
    for (outer, inner, says) in [
        (Role::New, Role::Archive, "(the setting `archive`)"),
        (Role::Archive, Role::New, "move the earlier work out"),
        (Role::Base, Role::New, "only what was handed out"),
        (Role::Base, Role::Archive, "(the setting `base`)"),
    ] {
        let given = [(c.as_slice(), outer), (ada.as_slice(), inner)];
        let error = overlaps(&Files::Disk, &given).expect_err("an overlap");
        assert!(error.is_input() && error.to_string().contains(says), "{error}");
        assert!(overlaps(&Files::Disk, &[(&c, outer), (&c, inner)]).is_err());
    }
    let nothing = vec![place.path().join("nowhere")];
    assert!(
        overlaps(&Files::Disk, &[(&nothing, Role::New), (&nothing, Role::Base)])
            .expect("none")
            .is_empty()
    );
}

fn two() -> Place {
    let place = Place::new();
    place.write("c/ada/Main.java", "a");
    place.write("c/ada/src/test/A.java", "a");
    place.write("c/bob/src/B.java", "b");
    place.write("c/bob/ada/C.java", "c");
    place.write("c/cy.zip", build::zip(&[("src/D.java", b"d"), ("src/E.java", b"e")]));
    place
}

#[test]
fn a_submission_is_excluded_by_its_name() {
    let corpus = without("cy.zip", &two());
    assert_eq!(corpus.submissions.len(), 2);
    assert_notice(&corpus, "", "cy.zip", Outcome::Skipped, "left out by the setting `exclude`");
    let corpus = without("ada", &two());
    assert_eq!(outline(&corpus), ["bob: src/B.java", "cy.zip: src/D.java, src/E.java"]);
    assert_notice(&corpus, "", "ada", Outcome::Skipped, "left out by the setting `exclude`");
    assert_notice(&corpus, "bob", "ada", Outcome::Skipped, "left out by the setting `exclude`");
    assert_eq!(corpus.notices.len(), 2, "one for each folder, none for each file");
}

#[test]
fn a_folder_is_excluded_with_all_below_it() {
    let corpus = without("src", &two());
    assert_eq!(outline(&corpus), ["ada: Main.java", "bob: ada/C.java", "cy.zip: "]);
    assert_notice(&corpus, "ada", "src", Outcome::Skipped, "the setting `exclude`");
    assert_notice(&corpus, "cy.zip", "src", Outcome::Skipped, "the setting `exclude`");
    assert_eq!(corpus.notices.len(), 3);
}

#[test]
fn a_pattern_may_name_the_submission_and_the_path_in_it() {
    for pattern in ["bob/src", "bob/src/*.java", "bob/**/B.java"] {
        let corpus = without(pattern, &two());
        assert_eq!(outline(&corpus)[1], "bob: ada/C.java", "{pattern}");
        assert_eq!(corpus.notices.len(), 1, "{pattern}");
    }
    assert_eq!(outline(&without("cy.zip/src/D.*", &two()))[2], "cy.zip: src/E.java");
    assert_eq!(outline(&without("src/test", &two()))[0], "ada: Main.java");
    assert_eq!(outline(&without("*.JAVA", &two())).len(), 3, "case counts");
}

#[test]
fn a_given_path_is_excluded_by_its_name() {
    let place = two();
    let exclude = vec![Glob::new("bob").expect("a pattern")];
    let options = Options { exclude, ..Options::everything() };
    let paths = ["ada", "bob"].map(|name| place.path().join("c").join(name));
    let corpus = read_as(&paths, &options).expect("a corpus");
    assert_eq!(outline(&corpus), ["ada: Main.java, src/test/A.java"]);
    assert_notice(&corpus, "", "bob", Outcome::Skipped, "the setting `exclude`");
}

#[test]
fn a_pattern_of_include_may_name_the_submission() {
    let place = two();
    let include = vec![Glob::new("bob/src/**").expect("a pattern")];
    let options = Options { include, ..Options::everything() };
    let corpus = read_as(&[place.path().join("c")], &options).expect("a corpus");
    assert_eq!(outline(&corpus)[1], "bob: src/B.java");
    assert_eq!(corpus.submissions.iter().map(|s| s.documents.len()).sum::<usize>(), 1);
}

#[test]
fn notices_tell_the_roles_of_namesakes_apart() {
    let place = Place::new();
    place.write("new/ada/a.py", "");
    place.write("old/ada/a.py", "");
    let budget = Budget::new(Limits::standard());
    let mut corpus = Corpus::default();
    for (name, role) in [("new", Role::New), ("old", Role::Archive)] {
        let path = [place.path().join(name)];
        read(&path, role, &Options::everything(), &budget, &mut corpus, &Silent).expect("a corpus");
    }
    let roles: Vec<Role> = corpus.notices.iter().map(|notice| notice.role).collect();
    assert_eq!(roles, [Role::New, Role::Archive]);
    assert_eq!(corpus.notices[0].submission, corpus.notices[1].submission);
}

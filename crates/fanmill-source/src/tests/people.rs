//! People in the exports of learning platforms.

use super::*;
use crate::Attempts;

/// Reads paths of the place.
fn read_paths(place: &Place, paths: &[&str], group_by: GroupBy, attempts: Attempts) -> Corpus {
    let options = Options { group_by, attempts, ..Options::everything() };
    let mut corpus = Corpus::default();
    let paths: Vec<PathBuf> = paths.iter().map(|path| place.path().join(path)).collect();
    read(&paths, Role::New, &options, &Budget::new(Limits::standard()), &mut corpus, &Silent)
        .expect("a corpus");
    check_order(&corpus);
    corpus
}

fn read_people(place: &Place, group_by: GroupBy, attempts: Attempts) -> Corpus {
    read_paths(place, &[""], group_by, attempts)
}

fn read_newest(place: &Place) -> Corpus {
    read_people(place, GroupBy::Auto, Attempts::Newest)
}

/// Checks the account: platform, number of people, inputs of one, people with several attempts, and receipts.
#[track_caller]
fn assert_account(corpus: &Corpus, platform: &str, n: u64, n_inputs: (u64, u64), more: (u64, u64)) {
    let [of] = &corpus.people[..] else { panic!("{:?}", corpus.people) };
    assert_eq!((of.platform.as_deref(), of.n_people, of.n_inputs), (Some(platform), n, n_inputs));
    assert_eq!((of.n_with_attempts, of.n_receipts), more);
}

#[test]
fn files_of_canvas_are_joined_by_person() {
    let place = Place::new();
    place.write("itohana_12345_1001_store.py", "one\ntwo\nthree\n");
    place.write("itohana_LATE_12345_1002_store-1.py", "one\ntwo\nfour\n");
    place.write("itohana_12345_1003_notes.py", "notes");
    place.write("itohana_777_1004_store.py", "somebody else of that name");
    place.write("kimivo_222_1005_part-1.py", "a\nb\n");
    place.write("kimivo_222_1006_part.py", "c\nd\n");
    place.write("README.md", "ours");
    let corpus = read_newest(&place);
    assert_eq!(
        outline(&corpus),
        [
            "README.md: README.md",
            "itohana (12345): notes.py, store-1.py",
            "itohana (777): store.py",
            "kimivo (222): part-1.py, part.py",
        ]
    );
    assert_notice(&corpus, "itohana (12345)", "store.py", Outcome::Skipped, "an earlier attempt");
    assert_account(&corpus, "Canvas", 3, (1, 3), (1, 0));
    let all = read_people(&place, GroupBy::Auto, Attempts::All);
    assert!(outline(&all).contains(&"itohana (12345): notes.py, store-1.py, store.py".to_owned()));
    let apart = read_people(&place, GroupBy::Child, Attempts::Newest);
    assert_eq!((apart.submissions.len(), apart.people.len()), (7, 0));
}

#[test]
fn folders_of_ilias_and_repositories_are_people() {
    let place = Place::new();
    for (name, i) in [("Ito_Hana_hi07_101", 1), ("Kim_Ivo_ik08_102", 2), ("Vi_Noa_nv09_103", 3)] {
        place.write(&format!("{name}/a.py"), format!("print({i})"));
    }
    let corpus = read_newest(&place);
    let names: Vec<&str> = corpus.submissions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["Ito Hana (hi07)", "Kim Ivo (ik08)", "Vi Noa (nv09)"]);
    assert_eq!(corpus.submissions[0].person.as_deref(), Some("ILIAS hi07"));
    // Two with the same word in the place of a login are no people of ILIAS.
    place.write("ada_hw_final_202/a.py", "print(4)");
    place.write("bob_hw_final_203/a.py", "print(5)");
    let corpus = read_newest(&place);
    assert!(corpus.people.is_empty() && corpus.submissions.len() == 5);

    let place = Place::new();
    for user in ["hana-i", "ivo", "noa"] {
        place.write(&format!("hw-1-{user}/a.py"), format!("print('{user}')"));
        place.write(&format!("hw-1-{user}/.git/HEAD"), "ref: refs/heads/main");
    }
    let corpus = read_newest(&place);
    let names: Vec<&str> = corpus.submissions.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["hana-i", "ivo", "noa"]);
    assert_account(&corpus, "GitHub Classroom", 3, (1, 1), (0, 0));
    place.write("hw-1-own/a.py", "no repository");
    assert!(read_newest(&place).people.is_empty());
}

#[test]
fn a_column_of_a_given_list_says_whose_a_file_is() {
    let place = Place::new();
    for name in ["a.py", "b.py", "c.py", "d.py"] {
        place.write(&format!("in/{name}"), format!("print('{name}')"));
    }
    let list = "file,Login,author\na.py,hi07,Hana Ito\nb.py,hi07,\nc.py,ik08,Hana Ito\nd.py,-,\n";
    place.write("list.csv", list);
    let corpus_of =
        |paths: &[&str], group_by| read_paths(&place, paths, group_by, Attempts::Newest);
    let corpus = corpus_of(&["in", "list.csv"], GroupBy::Auto);
    assert_eq!(
        outline(&corpus),
        ["Hana Ito (hi07): a.py, b.py", "Hana Ito (ik08): c.py", "d.py: d.py"],
    );
    let person = |i: usize| corpus.submissions[i].person.as_deref();
    assert_eq!([person(0), person(1), person(2)], [Some("hi07"), Some("ik08"), None]);
    let apart = corpus_of(&["in", "list.csv"], GroupBy::Child);
    assert_eq!(apart.submissions.len(), 4);
    // One that lies among what was handed in may be anybody's.
    place.write("in/info.csv", list);
    let alone = corpus_of(&["in"], GroupBy::Auto);
    assert_eq!(alone.submissions.len(), 4);
    assert!(alone.submissions.iter().all(|one| one.person.is_none()));
}

#[test]
fn folders_and_flat_files_of_moodle_are_joined() {
    let place = Place::new();
    place.write("Hana Ito_10_assignsubmission_file/src/A.java", "class A {}");
    place.write("Hana Ito_10_assignsubmission_onlinetext/onlinetext.html", "<p>Hello</p>");
    place.write("Hana Ito_11_assignsubmission_file/A.java", "another Hana");
    place.write("Ivo Kim_12_assignsubmission_file_B.java", "class B {}");
    place.write("Ivo Kim_12_assignsubmission_file_C.java", "class C {}");
    let corpus = read_newest(&place);
    assert_eq!(
        outline(&corpus),
        [
            "Hana Ito (10): onlinetext.html, src/A.java",
            "Hana Ito (11): A.java",
            "Ivo Kim: B.java, C.java",
        ]
    );
    // A namesake is not taken for the same person in another year.
    assert!(corpus.submissions.iter().all(|submission| submission.person.is_none()));
}

#[test]
fn receipts_of_blackboard_give_names_and_do_not_count() {
    let place = Place::new();
    let stem = "Task 3_hi07_attempt_2026-03-02-09-58-00";
    let receipt = |typed: &str| {
        format!(
            "Name: Hana Ito (hi07)\nAssignment: Task 3\n\nSubmission Field:\n{typed}\n\nComments:\n\nFiles:\n"
        )
    };
    let nothing = "There is no student submission text data for this assignment.";
    place.write(&format!("{stem}.txt"), receipt(nothing));
    place.write(&format!("{stem}_A.java"), "class A {}");
    place.write(&format!("{stem}_B.java"), "class B {}");
    let older = "Task 3_hi07_attempt_2026-03-01-09-58-00";
    place.write(&format!("{older}_A.java"), "class Old {}");
    let typed = "Task 3_ik08_attempt_2026-03-02-09-58-00.txt";
    place.write(typed, receipt("My essay.").replace("Hana Ito (hi07)", "Ivo Kim (ik08)"));
    let corpus = read_newest(&place);
    assert_eq!(
        outline(&corpus),
        ["Hana Ito (hi07): A.java, B.java", "Ivo Kim (ik08): submission text.txt"]
    );
    assert_eq!(corpus.submissions[0].submitted.as_deref(), Some("2026-03-02T09:58:00"));
    let essay = &corpus.submissions[1].documents[0];
    let part = essay.part.as_ref().expect("a part")[0];
    assert_eq!(&essay.bytes[part.range()], b"My essay.");
    assert_account(&corpus, "Blackboard", 2, (1, 3), (1, 1));
    let name = "Hana Ito (hi07)";
    assert_notice(&corpus, name, &format!("{stem}.txt"), Outcome::Skipped, "a receipt");
    assert_notice(&corpus, name, "A.java", Outcome::Skipped, "an earlier attempt");
}

/// An attempt without any text, made after the deadline, hides no earlier one.
#[test]
fn an_empty_attempt_replaces_nothing() {
    let place = Place::new();
    place.write("T_hi07_attempt_2026-03-01-09-58-00_A.java", "class A {}");
    place.write("T_hi07_attempt_2026-03-05-09-58-00_A.java", "");
    let corpus = read_newest(&place);
    assert_eq!(outline(&corpus), ["hi07: A.java"]);
}

#[test]
fn other_platforms_are_told_by_all_of_their_marks() {
    let place = Place::new();
    place.write("index.html", "<p>Downloaded from Brightspace</p>");
    place.write("12345-678910 - Hana Ito - Mar 3, 2026 905 AM/a.py", "old");
    place.write("12345-678910 - Hana Ito - Mar 4, 2026 1230 PM/a.py", "new");
    place.write("Kim, Ivo(ik08)/timestamp.txt", "20260304123005123");
    place.write("Kim, Ivo(ik08)/Submission attachment(s)/b.py", "b");
    place.write("Kim, Ivo(ik08)/Feedback Attachment(s)/b.py", "good");
    place.write("Lee, Jo(draft)/c.py", "a folder of somebody's own naming");
    place.write("Mia Ruiz/Task 1/Version 1/d.py", "one of two that she designed");
    place.write("Mia Ruiz/Task 1/Version 2/d.py", "new");
    place.write("submission_metadata.yml", "submission_1234:\n  :submitters:\n  - :name: Noa Vi\n  :created_at: 2026-03-04 12:30:05 Z\n");
    place.write("submission_1234/e.py", "e");
    place.write("submission_9999/e.py", "in no list");
    let corpus = read_newest(&place);
    assert_eq!(
        outline(&corpus),
        [
            "Hana Ito: a.py",
            "Kim, Ivo (ik08): b.py",
            "Lee, Jo(draft): c.py",
            "Mia Ruiz: Task 1/Version 1/d.py, Task 1/Version 2/d.py",
            "Noa Vi: e.py",
            "submission_9999: e.py",
        ]
    );
    assert_eq!(corpus.submissions[0].documents[0].bytes, b"new");
    assert_eq!(corpus.submissions[1].submitted.as_deref(), Some("2026-03-04T12:30:05"));
    assert_eq!(corpus.submissions[4].submitted.as_deref(), Some("2026-03-04T12:30:05Z"));
    for name in ["index.html", "submission_metadata.yml"] {
        assert_notice(&corpus, "", name, Outcome::Skipped, "written by");
    }
}

#[test]
fn of_teams_the_last_version_counts_where_all_are_so() {
    let place = Place::new();
    place.write("Mia Ruiz/Task 1/Version 1/d.py", "old");
    place.write("Mia Ruiz/Task 1/Version 2/d.py", "new");
    place.write("Noa Vi/Task 1/Version 1/d.py", "only");
    let corpus = read_newest(&place);
    assert_eq!(
        outline(&corpus),
        ["Mia Ruiz: Task 1/Version 2/d.py", "Noa Vi: Task 1/Version 1/d.py"]
    );
    assert_account(&corpus, "Teams", 2, (1, 1), (1, 0));
}

#[test]
fn lists_and_bare_names_join_where_that_is_asked_for() {
    let place = Place::new();
    place.write("ada.py", "a");
    place.write("ada.txt", "b");
    place.write("x.py", "c");
    place.write("y.py", "d");
    place.write("info.csv", "file,author\nx.py,Bo\ny.py,Bo\n");
    assert_eq!(read_newest(&place).submissions.len(), 4);
    let corpus = read_people(&place, GroupBy::Person, Attempts::Newest);
    assert_eq!(outline(&corpus), ["Bo: x.py, y.py", "ada: ada.py, ada.txt"]);
}

#[test]
fn several_folders_of_earlier_work_are_years() {
    let place = Place::new();
    let years = ["2023", "2024"].map(|year| {
        place.write(&format!("{year}/itohana_12345_1001_a.py"), year);
        place.write(&format!("{year}/itohana_12345_1002_b.py"), year);
        place.write(&format!("{year}/bo/c.py"), year);
        place.write(&format!("{year}/kimivo_222_1003_d.py"), year);
        place.path().join(year)
    });
    let read_as = |role: Role| {
        let mut corpus = Corpus::default();
        let (options, budget) = (Options::everything(), Budget::new(Limits::standard()));
        read(&years, role, &options, &budget, &mut corpus, &Silent).expect("a corpus");
        corpus
    };
    let archive = read_as(Role::Archive);
    assert_eq!(
        outline(&archive),
        [
            "2023/bo: c.py",
            "2023/itohana (12345): a.py, b.py",
            "2023/kimivo (222): d.py",
            "2024/bo: c.py",
            "2024/itohana (12345): a.py, b.py",
            "2024/kimivo (222): d.py",
        ]
    );
    assert_eq!(archive.submissions[1].person.as_deref(), Some("Canvas 12345"));
    assert_eq!(read_as(Role::New).submissions.len(), 2);
}

/// A course's own naming has the form of Canvas's, but one name for everybody.
#[test]
fn a_class_is_not_one_person() {
    let place = Place::new();
    for (number, person) in [(1001, "ada"), (1002, "bo"), (1003, "cy")] {
        place.write(&format!("lab_2026_{number}_{person}.py"), person);
    }
    let corpus = read_newest(&place);
    assert_eq!((corpus.submissions.len(), corpus.people.len()), (3, 0));
}

#[test]
fn numbered_exercises_are_not_attempts() {
    let place = Place::new();
    let skeleton = "import sys\n".repeat(9);
    place.write("itohana_12345_1001_hw-1.py", format!("{skeleton}one\n"));
    place.write("itohana_12345_1002_hw-2.py", format!("{skeleton}two\n"));
    place.write("kimivo_222_1005_a.py", "a\n");
    assert_eq!(outline(&read_newest(&place))[0], "itohana (12345): hw-1.py, hw-2.py");
}

#[test]
fn receipts_in_other_languages_are_compared() {
    let place = Place::new();
    let name = "T_hi07_attempt_2026-03-01-09-58-00.txt";
    place.write(name, "Nom : Hana Ito\nChamp :\nMon texte.\n");
    place.write("T_ik08_attempt_2026-03-01-09-58-00_A.java", "class A {}");
    assert_eq!(outline(&read_newest(&place)), [&format!("hi07: {name}"), "ik08: A.java"]);
}

#[test]
fn folders_keep_what_is_behind_their_dots() {
    let place = Place::new();
    for person in ["ada.lee", "ada.kim", "bo.ng"] {
        place.write(&format!("{person}/main.py"), person);
    }
    let corpus = read_people(&place, GroupBy::Person, Attempts::Newest);
    assert_eq!(corpus.submissions.len(), 3);
}

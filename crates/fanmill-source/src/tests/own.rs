//! Files that are not the authors' own.

use super::*;
use crate::{set_handouts_apart, set_tools_apart};

const LOCK: &str = "{\n  \"lockfileVersion\": 3,\n  \"packages\": {\n    \"a\": {\n      \"version\": \"1.0.0\"\n    }\n  }\n}\n";

fn read_apart(place: &Place) -> Corpus {
    let mut corpus = read_auto(place.path());
    set_tools_apart(&mut corpus, &[]);
    set_handouts_apart(&mut corpus);
    check_order(&corpus);
    corpus
}

#[test]
fn what_tools_wrote_is_set_apart_and_named() {
    let place = Place::new();
    for person in ["ada", "bo"] {
        place.write(&format!("{person}/main.py"), format!("print('{person}')"));
        place.write(&format!("{person}/package-lock.json"), LOCK);
        place.write(&format!("{person}/env/pyvenv.cfg"), "home = /usr/bin\n");
        place.write(&format!("{person}/env/bin/activate"), "# activate");
        place.write(&format!("{person}/env/lib/empty.py"), "");
        place.write(&format!("{person}/venv/main.py"), "a student's folder of that name");
    }
    let corpus = read_apart(&place);
    assert_eq!(outline(&corpus), ["ada: main.py, venv/main.py", "bo: main.py, venv/main.py"]);
    assert_notice(&corpus, "ada", "env", Outcome::Skipped, "3 files of a Python environment");
    assert_notice(&corpus, "bo", "package-lock.json", Outcome::Skipped, "a lock file of npm");
}

/// A file in an environment counts if somebody else has it as their own.
#[test]
fn nobody_hides_behind_an_environment() {
    let place = Place::new();
    let solution = "def solve(n):\n    return n + 1\n".repeat(20);
    let record = format!("solve.py,sha256=x,{}\nx.dist-info/RECORD,,\n", solution.len());
    place.write("ada/solve.py", &solution);
    place.write("bo/env/pyvenv.cfg", "home = /usr/bin\n");
    place.write("bo/env/lib/site-packages/solve.py", &solution);
    place.write("bo/env/lib/site-packages/x.dist-info/RECORD", record);
    let corpus = read_apart(&place);
    assert_eq!(outline(&corpus), ["ada: solve.py", "bo: env/lib/site-packages/solve.py"]);
    let path = "env/lib/site-packages/solve.py";
    assert_notice(&corpus, "bo", path, Outcome::Flagged, "somebody else has the same file");
}

#[test]
fn what_a_class_was_given_is_boilerplate_once() {
    let place = Place::new();
    let novel = "It was a wet night, and nobody came. ".repeat(2000);
    for person in ["ada", "bo", "cy", "di", "ed"] {
        place.write(&format!("{person}/novel.txt"), &novel);
        place.write(&format!("{person}/main.py"), format!("# {person}\n").repeat(60));
    }
    let corpus = read_apart(&place);
    let new: Vec<String> = outline(&corpus).into_iter().take(5).collect();
    assert_eq!(new[0], "ada: main.py");
    assert_eq!(corpus.submissions[5].role, Role::Base);
    assert_notice(&corpus, "ada", "novel.txt", Outcome::Skipped, "16000 words, the same in 5 of 5");
}

#[test]
fn a_ring_of_copies_is_no_handout() {
    let place = Place::new();
    let program = "print(1)\n".repeat(60);
    for person in ["ada", "bo", "cy", "di", "ed", "fay"] {
        // All that they have is the same, or nearly all.
        place.write(&format!("{person}/main.py"), &program);
        place.write(&format!("{person}/notes.txt"), &program);
        place.write(&format!("{person}/name.txt"), person);
    }
    let corpus = read_apart(&place);
    assert!(corpus.submissions.iter().all(|own| own.role == Role::New && own.documents.len() == 3));
}

#[test]
fn a_program_that_a_few_share_is_no_handout() {
    let place = Place::new();
    for i in 0..12 {
        place.write(&format!("s{i}/own.py"), format!("print({i})\n").repeat(60));
        if i < 5 {
            place.write(&format!("s{i}/shared.py"), "print('shared')\n".repeat(30));
        }
    }
    let corpus = read_apart(&place);
    assert!(corpus.notices.is_empty() && corpus.submissions[0].documents.len() == 2);
}

/// An essay that some hand in beside something of their own is no data.
#[test]
fn an_essay_of_a_ring_is_no_handout() {
    let place = Place::new();
    let essay = "The mill stood at the river, and its wheel had not turned for years. ".repeat(60);
    for i in 0..12 {
        place.write(&format!("s{i}/cover.txt"), format!("Cover of {i}. ").repeat(40));
        let own = format!("An essay of somebody else, number {i}. ").repeat(60);
        place.write(&format!("s{i}/essay.txt"), if i < 5 { &essay } else { &own });
    }
    let corpus = read_apart(&place);
    assert!(corpus.notices.is_empty() && corpus.submissions[0].documents.len() == 2);
}

#[test]
fn what_is_asked_for_by_name_or_is_all_there_is_stays() {
    let place = Place::new();
    place.write("ada/package-lock.json", LOCK);
    for person in ["bo", "cy"] {
        place.write(&format!("{person}/package-lock.json"), LOCK);
        place.write(&format!("{person}/main.js"), format!("draw('{person}')"));
    }
    let mut corpus = read_auto(place.path());
    set_tools_apart(&mut corpus, &["**/package-lock.json".to_owned()]);
    assert!(corpus.notices.is_empty());
    set_tools_apart(&mut corpus, &["*.json".to_owned()]);
    assert_eq!(outline(&corpus), ["ada: package-lock.json", "bo: main.js", "cy: main.js"]);
}

/// A few lines of their own beside a shared program are no other work.
#[test]
fn a_ring_with_a_little_of_their_own_is_no_handout() {
    let place = Place::new();
    for i in 0..8 {
        let shared = i < 6;
        let program = if shared {
            "print('shared')\n".repeat(90)
        } else {
            format!("print({i})\n").repeat(90)
        };
        place.write(&format!("s{i}/main.py"), program);
        place.write(&format!("s{i}/util.py"), format!("def helper_{i}(): return {i}\n").repeat(9));
    }
    let corpus = read_apart(&place);
    assert!(corpus.notices.is_empty() && corpus.submissions[0].documents.len() == 2);
}

//! Programs under the name of prose are read as their own language, and prose stays prose.

use std::path::Path;

use fanmill_text::frontend::{ChoiceReason, FrontEnd};

/// Returns the names and contents of the files in a folder beside this one, in the order of names.
fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("it can be listed").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    files
}

/// Returns the name of the front end for a text called `a.txt`, and the reason.
fn chosen(text: &str) -> (&'static str, ChoiceReason) {
    let registry = fanmill_lang::registry();
    let choice = registry.choose("a.txt", text, None).expect("nothing is forced");
    (choice.front_end.name(), choice.why)
}

#[test]
fn a_program_in_a_text_is_read_as_its_own_language() {
    let programs = files("programs");
    assert!(programs.len() >= 40);
    for (language, program) in &programs {
        assert_eq!(chosen(program), (&**language, ChoiceReason::Content), "{language}");
        let crlf = program.replace('\n', "\r\n");
        assert_eq!(chosen(&crlf).0, language, "{language}");
    }
}

#[test]
fn prose_is_prose_whatever_words_it_uses() {
    for (name, prose) in files("prose") {
        assert_eq!(chosen(&prose), ("words", ChoiceReason::Extension), "{name}");
        // A long text of its kind, and the words of a program in capitals.
        assert_eq!(chosen(&prose.repeat(20)).0, "words", "{name}");
        assert_eq!(chosen(&prose.to_uppercase()).0, "words", "{name}");
    }
}

#[test]
fn a_program_after_an_essay_of_its_length_is_not_recognised() {
    let essay = &files("prose").into_iter().find(|(name, _)| name == "wrapped").expect("it").1;
    for (language, program) in files("programs") {
        let n_essays = 1 + program.len() / essay.len();
        let both = essay.repeat(n_essays) + &program;
        assert!(chosen(&both).0 != language, "{language}");
    }
}

/// Returns the name of the front end for text that a document labels as code in `language`.
fn labelled(language: Option<&str>, text: &str) -> Option<&'static str> {
    let registry = fanmill_lang::registry();
    registry.find_for_code(language, text).map(FrontEnd::name)
}

#[test]
fn no_label_changes_what_a_program_is() {
    for (language, program) in files("programs") {
        for label in [None, Some("text"), Some("poem"), Some(&*language)] {
            assert_eq!(labelled(label, &program), Some(&*language), "{label:?}");
        }
    }
    let [java, python] = ["java", "python"].map(|wanted| {
        files("programs").into_iter().find(|(language, _)| language == wanted).expect("it").1
    });
    assert_eq!(labelled(Some("matlab"), &python), Some("python"));
    assert_eq!(labelled(Some("python"), &java), Some("java"));
}

#[test]
fn no_label_makes_prose_code() {
    for (name, prose) in files("prose") {
        assert_eq!(labelled(None, &prose), None, "{name}");
    }
    let essay = &files("prose").into_iter().find(|(name, _)| name == "wrapped").expect("it").1;
    let registry = fanmill_lang::registry();
    for language in registry.names().filter(|&name| !matches!(name, "words" | "chars")) {
        let read = labelled(Some(language), essay);
        let is_prose = matches!(language, "latex" | "markdown");
        assert_eq!(read.is_some(), is_prose, "{language}: {read:?}");
    }
}

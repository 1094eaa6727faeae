//! `fanmill text`: what is read of files, printed.

use insta::assert_snapshot;

use crate::place::Place;

fn place() -> Place {
    Place::new()
        .with("in/a.rtf", b"{\\rtf1 seen\\par {\\v not seen}\\par}")
        .with("in/b.py", "x = 1  # \u{1b}[31m\n")
        .with("in/c.txt", b"\xff\xd8\xff\xe0 a picture")
        .with("in/d.mbox", "From a@b Thu\nSubject: one\n\nwords\n")
}

#[test]
fn text_prints_what_is_read_with_its_marks_and_losses() {
    assert_snapshot!(place().fanmill("text in").run(), @r"
    exit: 0
    --- stdout
    == a.rtf (words, by its extension; UTF-8)
    flagged: hidden text: 2 words, not compared
    [rtf]
    seen
    [paragraph 2]
    [hidden text: not seen]

    == b.py (python, by its extension; UTF-8)
    flagged: holds 1 control characters
    x = 1  # \u{1b}[31m

    == c.txt
    skipped: binary: a JPEG image

    == d.mbox!/000001.eml (words, by its extension; UTF-8)
    [message]
    one

    words
    ");
}

#[test]
fn tokens_are_printed_with_their_lines() {
    assert_snapshot!(place().fanmill("text --tokens in/b.py").run(), @r"
    exit: 0
    --- stdout
    == b.py (python, by its extension; UTF-8)
    flagged: holds 1 control characters
         1 identifier x
         1 spelled    =
         1 number     1
    ");
}

#[test]
fn standard_input_has_the_name_that_it_is_given() {
    let place = place();
    let run = |arguments: &str| place.fanmill(arguments).fed(&place.path("in/b.py")).run();
    let unnamed = run("text -");
    assert!(unnamed.stdout.starts_with("== stdin ("), "{unnamed}");
    assert!(
        run("text - --stdin-name b.py").stdout.starts_with("== b.py (python, by its extension")
    );
    assert!(run("text - --lang java").stdout.starts_with("== stdin (java, as ordered"));
}

#[test]
fn the_exit_status_says_whether_all_was_read() {
    let place = place();
    let code = |arguments: &str| place.fanmill(arguments).run().code;
    assert_eq!(code("text in"), Some(0));
    assert_eq!(code("text in --strict"), Some(4));
    assert_eq!(code("text in/a.rtf in/b.py --strict"), Some(0));
    assert_eq!(code("text nowhere"), Some(3));
    assert_eq!(code("text in --lang klingon"), Some(2));
    assert_eq!(code("text - in"), Some(2));
}

//! What an administrator of mail does with a store: dates, expiry, wanted mail, and messages that pass through.

use std::fs;

use insta::assert_snapshot;

use crate::place::{Place, example};
use crate::run::Done;
use crate::sift::place_with_keys;

/// A message with these headers, and the text of a file.
fn message(headers: &str, text: &str) -> String {
    format!("{headers}\n\n{}", example(&format!("sift/originals/{text}.txt")))
}

/// A store of two messages of different months.
fn place() -> Place {
    let place = place_with_keys();
    let header = |n: u32, date: &str| {
        format!("From: a@example.org\nMessage-ID: <{n}@example.org>\nDate: {date}\nSubject: news")
    };
    let first = header(1, "Sun, 1 Mar 2026 23:30:00 -0100");
    place.write("spam/a.eml", message(&first, "lighthouse"));
    place.write("spam/b.eml", message(&header(2, "Thu, 2 Apr 2026 08:00:00 +0000"), "orchard"));
    run(&place, "add --key a.key --profile mail s.sift spam");
    place
}

#[track_caller]
fn run(place: &Place, arguments: &str) -> Done {
    let done = place.fanmill(&format!("sift {arguments}")).run();
    assert_eq!(done.code, Some(0), "{arguments}: {done}");
    done
}

#[test]
fn entries_have_dates_and_counts() {
    let place = place();
    run(&place, "add --key a.key --date 2026-05-01 s.sift spam/a.eml");
    place.write("note.txt", "A text that is not a message has no date, and is short as well.");
    run(&place, "add --key a.key --wanted s.sift note.txt");
    assert_snapshot!(run(&place, "list s.sift --long").stdout, @r"
    first seen  last seen    added          name
    2026-04-02  2026-04-02       1          spam/b.eml
    2026-03-02  2026-05-01       2          spam/a.eml
    -           -                1  wanted  note.txt
    ");
    assert_snapshot!(run(&place, "list s.sift --format json").stdout, @r#"
    {"name":"spam/b.eml","first_seen":"2026-04-02T08:00:00Z","last_seen":"2026-04-02T08:00:00Z","count":1,"wanted":false}
    {"name":"spam/a.eml","first_seen":"2026-03-02T00:30:00Z","last_seen":"2026-05-01T00:00:00Z","count":2,"wanted":false}
    {"name":"note.txt","count":1,"wanted":true}
    "#);
    let wrong = place.fanmill("sift add --key a.key --date yesterday s.sift spam").run();
    assert!(wrong.code == Some(2) && wrong.stderr.contains("for --date"), "{wrong}");
}

#[test]
fn what_was_not_seen_for_long_expires() {
    let place = place();
    place.write("note.txt", "A text that is not a message has no date, and is short as well.");
    run(&place, "add --key a.key s.sift note.txt");
    let before = place.store("s.sift");
    assert_snapshot!(run(&place, "expire --key a.key s.sift --before 2026-03-02").stderr, @"0 texts removed; `s.sift` has 3 texts, 1 without a date");
    assert_eq!(place.store("s.sift"), before);
    assert_snapshot!(run(&place, "expire --key a.key s.sift --before 2026-03-02T00:30:01Z").stderr, @"1 text removed; `s.sift` has 2 texts, 1 without a date");
    assert_eq!(run(&place, "list s.sift").stdout, "spam/b.eml\nnote.txt\n");
    for (arguments, code) in [("none.sift --before 2026-01-01", 3), ("s.sift --before soon", 2)] {
        let done = place.fanmill(&format!("sift expire --key a.key {arguments}")).run();
        assert_eq!(done.code, Some(code), "{done}");
    }
    assert!(!place.path("none.sift").exists());
}

/// The answer with the higher grade counts, the wanted one if both have the same.
#[test]
fn copies_of_wanted_mail_are_not_reported() {
    let place = place();
    place.write("letter.eml", message("From: us@example.org\nSubject: news", "lighthouse"));
    let check = "check --key a.key s.sift letter.eml spam/b.eml --names";
    assert_snapshot!(run(&place, check), @r"
    exit: 0
    --- stdout
    yes  same    letter.eml  <-  spam/a.eml
    yes  same    spam/b.eml <2@example.org>  <-  spam/b.eml
    --- stderr
    2 copies, 0 not recognised
    ");
    run(&place, "add --key a.key --wanted s.sift letter.eml");
    assert_snapshot!(run(&place, check), @r"
    exit: 0
    --- stdout
    wanted same    letter.eml  <-  letter.eml
    yes  same    spam/b.eml <2@example.org>  <-  spam/b.eml
    --- stderr
    1 copy, 0 not recognised, 1 wanted
    ");
    assert_snapshot!(run(&place, &format!("{check} --format json")).stdout, @r#"
    {"name":"letter.eml","answer":"wanted","grade":"same","originals":["letter.eml"],"n_originals":1}
    {"name":"spam/b.eml","message_id":"<2@example.org>","answer":"yes","grade":"same","originals":["spam/b.eml"],"n_originals":1}
    "#);
    let done = place.fanmill(&format!("sift {check} --fail-on-copy")).run();
    assert_eq!(done.code, Some(1), "the other one is a copy: {done}");
    let done = place.fanmill("sift check --key a.key s.sift letter.eml --fail-on-copy").run();
    assert_eq!(done.code, Some(0), "{done}");
    // Wanted and changed resembles less than unwanted and unchanged.
    let changed = message("Subject: news", "orchard").replace(" the ", " quite another ");
    place.write("changed.eml", changed);
    run(&place, "add --key a.key --wanted s.sift changed.eml");
    let answer = run(&place, "check --key a.key s.sift spam/b.eml").stdout;
    assert!(answer.starts_with("yes  same"), "{answer}");
}

#[test]
fn messages_pass_through_with_a_header() {
    let place = place();
    let copy = fs::read_to_string(place.path("spam/a.eml")).expect("a message");
    let other = "Subject: something else\r\n\r\nNothing of this has ever been heard before.\r\n\0é";
    let evil = copy.replacen('\n', "\nx-fanmill: no\n and nothing more\n", 1);
    for (message, header) in [
        (copy.clone(), "X-Fanmill: yes; grade=same\n"),
        (evil, "X-Fanmill: yes; grade=same\n"),
        (other.to_owned(), "X-Fanmill: no\r\n"),
        (String::new(), "X-Fanmill: none\n"),
    ] {
        place.write("in.eml", &message);
        let check = "sift check --key a.key s.sift --header";
        let done = place.fanmill(check).fed(&place.path("in.eml")).run();
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{done}");
        let expected = if header.contains("yes") { &copy } else { &message };
        assert_eq!(done.stdout, format!("{header}{expected}"));
        let named = place.fanmill(&format!("{check}=X-Seen --fail-on-copy"));
        let done = named.fed(&place.path("in.eml")).run();
        assert_eq!(done.code, Some(i32::from(header.contains("yes"))), "{done}");
        assert!(done.stdout.starts_with("X-Seen: "), "{done}");
    }
    for arguments in ["none.sift --header", "s.sift --header=X:", "s.sift --header spam/a.eml"] {
        let check = format!("sift check --key a.key {arguments}");
        let done = place.fanmill(&check).fed(&place.path("in.eml")).run();
        assert!(done.code >= Some(2) && done.stdout.is_empty(), "{check}: {done}");
    }
}

/// What is over the limit is passed on, and the answer is not "no".
#[test]
fn a_message_over_the_limit_passes_in_full() {
    let place = place();
    let message = format!("Subject: long\n\n{}end\n", "word and line\n".repeat(1_300_000));
    place.write("long.eml", &message);
    let check = "sift check --key a.key s.sift --header --strict";
    let done = place.fanmill(check).fed(&place.path("long.eml")).run();
    assert_eq!(done.code, Some(4), "{}", done.stderr);
    assert!(done.stdout.strip_prefix("X-Fanmill: part\n") == Some(&message));
}

#[test]
fn answers_about_messages_have_their_message_id() {
    let place = place();
    let answer = run(&place, "check --key a.key s.sift spam/a.eml").stdout;
    assert_eq!(answer, "yes  same    spam/a.eml <1@example.org>\n");
    let json = run(&place, "check --key a.key s.sift spam/a.eml --format json").stdout;
    assert!(
        json.starts_with(r#"{"name":"spam/a.eml","message_id":"<1@example.org>","answer":"yes""#),
        "{json}"
    );
    let evil = "From: a@b\nMessage-ID: <x\u{1b}[2J\n \u{202e}y> <- library\n\ntext of a message";
    place.write("evil.eml", evil);
    let answer = run(&place, "check --key a.key s.sift evil.eml").stdout;
    assert!(!answer.contains(['\u{1b}', '\u{202e}']) && !answer.contains(" <- "), "{answer:?}");
    assert_eq!(answer.lines().filter(|line| line.starts_with("no ")).count(), 1, "{answer}");
}

//! Messages and mailboxes among other inputs.

use super::build::zip;
use super::*;

const MESSAGE: &str = "From: a@b\nTo: c@d\nSubject: Offer\n\nsome words\n";
const MAILBOX: &str = "From a@b Thu Mar  5 08:11:02 2026\nSubject: one\nTo: c@d\n\nfirst words\n\n\
                       From a@b Thu Mar  5 08:11:03 2026\nSubject: two\nTo: c@d\n\nmore words\n>From here\n";

fn texts(corpus: &Corpus) -> Vec<String> {
    let documents = corpus.submissions.iter().flat_map(|submission| &submission.documents);
    documents.map(|document| String::from_utf8_lossy(&document.bytes).into_owned()).collect()
}

#[test]
fn a_message_is_a_document_of_its_submission() {
    let place = Place::new();
    place.write("c/ada/offer.eml", MESSAGE);
    place.write(
        "c/bo.zip",
        zip(&[("box/cur/1772439062.M41P7.host", b"Subject: Offer\n\nsome words\n")]),
    );
    place.write("c/cy/notes.txt", MESSAGE);
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(
        outline(&corpus),
        [
            "ada: offer.eml!/text.txt",
            "bo.zip: box/cur/1772439062.M41P7.host!/text.txt",
            "cy: notes.txt"
        ]
    );
    let shown = "Offer\n\nsome words";
    assert_eq!(texts(&corpus), [shown, shown, MESSAGE]);
    assert_eq!(corpus.notices, []);
}

#[test]
fn a_mailbox_is_a_container_of_messages() {
    let place = Place::new();
    let path = place.write("inbox", MAILBOX);
    place.write("c/ada/inbox.mbox", MAILBOX);
    let expected = ["one\n\nfirst words", "two\n\nmore words\nFrom here"];
    let alone = read_auto(path);
    assert_eq!(
        outline(&alone),
        ["000001.eml: 000001.eml!/text.txt", "000002.eml: 000002.eml!/text.txt"]
    );
    let below = read_auto(place.path().join("c"));
    let paths = "inbox.mbox!/000001.eml!/text.txt, inbox.mbox!/000002.eml!/text.txt";
    assert_eq!(outline(&below), [format!("ada: {paths}")]);
    for corpus in [alone, below] {
        assert_eq!(texts(&corpus), expected);
        assert_eq!(corpus.notices, []);
    }
}

#[test]
fn what_a_message_lacks_and_hides_is_noted() {
    let place = Place::new();
    let hidden = "Subject: Offer\nMIME-Version: 1.0\nContent-Type: text/html\n\n\
                  <p>shown<p style=\"display:none\">not shown at all";
    place.write("c/ada/a.eml", hidden);
    place.write("c/ada/b.eml", "Subject:\nTo: a@b\n\n");
    place.write("c/ada/c.eml", format!("Subject: long\nTo: a@b\n\n{}", "word ".repeat(400)));
    let limits = Limits { file_bytes: 1000, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    assert_eq!(outline(&corpus), ["ada: a.eml!/text.txt"]);
    assert_notice(&corpus, "ada", "a.eml", Outcome::Flagged, "hidden text left out");
    assert_notice(&corpus, "ada", "b.eml", Outcome::Skipped, "no text");
    assert_notice(&corpus, "ada", "c.eml", Outcome::Skipped, "over the limit");
}

#[test]
fn a_mailbox_is_held_to_the_limits() {
    let place = Place::new();
    place.write("c/ada/inbox.mbox", MAILBOX);
    let limits = Limits { entries: 4, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    let limits = Limits { depth: 0, ..Limits::standard() };
    let shallow = read_limited(place.path().join("c"), limits);
    assert_notice(&shallow, "ada", "inbox.mbox", Outcome::Skipped, "levels");
    assert!(
        corpus.notices.iter().any(|notice| notice.reason.contains("max-entries")),
        "{corpus:?}"
    );
}

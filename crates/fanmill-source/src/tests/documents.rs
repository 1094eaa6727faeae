//! Office documents among other inputs.

use super::build::zip;
use super::*;

/// Returns a Word document with these runs.
pub(super) fn docx(runs: &str) -> Vec<u8> {
    let root = "<Relationships><Relationship Id=\"r\" Type=\"http://t/officeDocument\" Target=\"word/document.xml\"/></Relationships>";
    let body = format!("<w:document><w:body><w:p>{runs}</w:p></w:body></w:document>");
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", root.as_bytes()),
        ("word/document.xml", body.as_bytes()),
    ])
}

pub(super) fn run(text: &str) -> String {
    format!("<w:r><w:t>{text}</w:t></w:r>")
}

#[test]
fn documents_are_read_as_their_text() {
    let place = Place::new();
    place.write("c/ada/essay.docx", docx(&run("some words")));
    place.write("c/bob/essay.doc", b"{\\rtf1 some {\\b words}}");
    place.write("c/cem.zip", zip(&[("inner/essay.docx", &docx(&run("some words")))]));
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(
        outline(&corpus),
        ["ada: essay.docx", "bob: essay.doc", "cem.zip: inner/essay.docx"]
    );
    for submission in &corpus.submissions {
        assert_eq!(submission.documents[0].bytes, b"some words\n", "{}", submission.name);
    }
    assert_eq!(corpus.notices, []);
}

#[test]
fn the_content_says_what_a_document_is() {
    let place = Place::new();
    place.write("c/ada/essay.py", docx(&run("some words")));
    place.write("c/ada/essay.zip", docx(&run("some words")));
    place.write("c/bob/work.docx", zip(&[("a.txt", b"words")]));
    place.write("c/bob/cut.docx", &docx(&run("words"))[..60]);
    let corpus = read_auto(place.path().join("c"));
    assert_eq!(
        outline(&corpus),
        ["ada: essay.py!/text.docx, essay.zip!/text.docx", "bob: work.docx!/a.txt"]
    );
    assert_notice(&corpus, "bob", "cut.docx", Outcome::Failed, "cut off or damaged");
}

#[test]
fn programs_that_are_kept_like_documents_are_read_as_their_text() {
    let place = Place::new();
    let body = "<document><p><pPr><pStyle val=\"code\"/></pPr><r><t>x = 1;</t></r></p></document>";
    let script = zip(&[("metadata/core.xml", b"<x/>"), ("matlab/document.xml", body.as_bytes())]);
    let block =
        r#"{"targets":[{"name":"A","blocks":{"a":{"opcode":"looks_hide","topLevel":true}}}]}"#;
    let picture = format!("{}.svg", "0a".repeat(16));
    let project = zip(&[("project.json", block.as_bytes()), (&picture, b"<svg/>")]);
    for (name, bytes) in
        [("a.mlx", &script), ("b.zip", &script), ("c.sb3", &project), ("d.zip", &project)]
    {
        place.write(&format!("c/ada/{name}"), bytes);
    }
    place.write("c/bob/a.zip", zip(&[("project.json", b"{}"), ("src/1.cs", b"class A {}")]));
    let corpus = read_auto(place.path().join("c"));
    let all = [
        "ada: a.mlx, b.zip!/text.mlx, c.sb3, d.zip!/text.sb3",
        "bob: a.zip!/project.json, a.zip!/src/1.cs",
    ];
    assert_eq!(outline(&corpus), all);
    let text = |i: usize| String::from_utf8_lossy(&corpus.submissions[0].documents[i].bytes);
    assert_eq!(text(0), "```matlab\nx = 1;\n```\n");
    assert_eq!(text(2), "# sprite A\n\nlooks_hide:\n");
    assert_eq!(corpus.notices, []);
}

#[test]
fn what_is_unusual_about_a_document_is_noted() {
    let place = Place::new();
    let runs = [
        run("words "),
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>two hidden</w:t></w:r>".to_owned(),
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>".to_owned(),
        "<w:r><w:t>cut off".to_owned(),
    ];
    place.write("c/ada.docx", docx(&runs.concat()));
    place.write("c/bob.docx", docx(""));
    place.write(
        "c/cem.doc",
        // The beginning of an OLE file, and the name of Word's stream in it.
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0",
    );
    let corpus = read_auto(place.path().join("c"));
    let of_ada = corpus.notices.iter().filter(|notice| notice.submission == "ada.docx");
    let said: Vec<_> = of_ada.map(|notice| (notice.outcome, &*notice.reason)).collect();
    let expected = [
        (Outcome::Degraded, "damaged: read up to the fault"),
        (Outcome::Flagged, "deleted text of tracked changes: 1 word, not compared"),
        (Outcome::Flagged, "hidden text: 2 words, not compared"),
    ];
    assert_eq!(said, expected);
    assert_notice(&corpus, "bob.docx", "bob.docx", Outcome::Skipped, "no text");
    assert_notice(
        &corpus,
        "cem.doc",
        "cem.doc",
        Outcome::Skipped,
        "an old Word document (.doc); save it as .docx",
    );
}

#[test]
fn a_text_that_is_larger_than_its_document_counts_for_the_limits() {
    let place = Place::new();
    place.write("c/ada.docx", docx(&run(&"many words ".repeat(10_000))));
    place.write("c/bob.txt", "words");
    let limits = Limits { total_bytes: 150_000, ..Limits::standard() };
    let corpus = read_limited(place.path().join("c"), limits);
    assert_notice(
        &corpus,
        "ada.docx",
        "ada.docx",
        Outcome::Skipped,
        "raise the setting `max-total-bytes`",
    );
    assert_eq!(outline(&corpus), ["ada.docx: ", "bob.txt: bob.txt"]);
}

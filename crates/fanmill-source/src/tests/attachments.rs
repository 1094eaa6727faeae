//! Attachments of messages, read by their content.

use fanmill_mail::{Message, Remark};

use super::build::zip;
use super::documents::{docx, run};
use super::*;
use crate::{Extraction, Extractor, Hidden, Marks, messages};

/// Makes a message with a text and parts, each of a declared type.
fn message(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut raw = b"From: a@b\nTo: c@d\nSubject: Offer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nown text".to_vec();
    for (kind, bytes) in parts {
        let head = format!("\n--b\nContent-Type: {kind}\nContent-Transfer-Encoding: binary\n\n");
        raw.extend_from_slice(head.as_bytes());
        raw.extend_from_slice(bytes);
    }
    raw.extend_from_slice(b"\n--b--\n");
    raw
}

fn read_message(parts: &[(&str, &[u8])]) -> Message {
    messages::read(&message(parts), 1 << 20, &Extractor::default()).expect("a text")
}

/// Returns the text of an attachment, and the remarks.
fn one(kind: &str, bytes: &[u8]) -> (String, Vec<String>) {
    let read = read_message(&[(kind, bytes)]);
    let text = read.text.strip_prefix("Offer\n\nown text").expect("the message's own text");
    let remarks = read.remarks.iter().map(|remark| remark.message().to_string()).collect();
    (text.trim_start().to_owned(), remarks)
}

const ANY: &str = "application/octet-stream; name=a.bin";

#[test]
fn attachments_are_read_whatever_their_type_says() {
    let document = docx(&run("in Word"));
    let words: [(&str, &[u8], &str); 6] = [
        ("application/pdf", &document, "in Word"),
        ("image/png; name=x.png", &document, "in Word"),
        ("text/plain", b"{\\rtf1 in RTF}", "{\\rtf1 in RTF}\n\nin RTF"),
        (ANY, b"caf\xe9 cr\xe8me, d\xe9j\xe0 vu", "café crème, déjà vu"),
        (ANY, b"\xff\xfea\0b\0c\0", "abc"),
        (ANY, b"<!doctype html><p>a<i hidden>x</i>b", "ab"),
    ];
    for (kind, bytes, expected) in words {
        let (text, remarks) = one(kind, bytes);
        assert_eq!(text, expected, "{kind}");
        assert!(remarks.iter().all(|remark| remark.starts_with("hidden")), "{kind}: {remarks:?}");
    }
}

#[test]
fn what_cannot_be_read_is_a_loss_that_names_it() {
    let zipped = zip(&[("b.zip", &zip(&[("a.txt", b"words")]))]);
    let old = [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".as_slice(), &[0; 600]].concat();
    let noise: Vec<u8> =
        (0_u32..4096).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let cases: [(&str, &[u8], &str); 7] = [
        (
            ANY,
            b"-----BEGIN PKCS7-----\nMIAG",
            "attachment `a.bin`: signed or encrypted contents in PEM",
        ),
        (
            ANY,
            &zipped,
            "attachment `a.bin!/b.zip`: an archive inside an archive, which is not opened in a message; give its files",
        ),
        (ANY, &noise, "attachment `a.bin`: binary: not text"),
        ("application/msword; name=b.doc", &old, "attachment `b.doc`: "),
        (
            "application/x-foo",
            b"\x7fELF",
            "attachment `application/x-foo`: binary: an ELF program or object file",
        ),
        (ANY, b"-----BEGIN PGP MESSAGE-----\n\nx", "attachment `a.bin`: encrypted, not read"),
        (
            ANY,
            b"some\0 text of more than sixteen bytes",
            "attachment `a.bin`: 1 NUL byte within text: read as text",
        ),
    ];
    for (kind, bytes, expected) in cases {
        let read = read_message(&[(kind, bytes)]);
        assert!(messages::is_cut(&read), "{expected}: {read:?}");
        let [remark] = &read.remarks[..] else { panic!("{:?}", read.remarks) };
        assert!(remark.message().starts_with(expected), "{remark}");
    }
}

#[test]
fn files_in_an_archive_are_read_as_if_they_were_attached() {
    let document = docx(&run("in Word"));
    let files: [(&str, &[u8]); 5] = [
        ("essay/text.txt", b"in a text"),
        ("essay/text.docx", &document),
        ("__MACOSX/._text.txt", b"\0\x05\x16\x07"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0"),
        ("program.bin", b"\x7fELF"),
    ];
    let (text, remarks) = one(ANY, &zip(&files));
    assert_eq!(text, "in a text\n\nin Word");
    let lost = "attachment `a.bin!/program.bin`: binary: an ELF program or object file";
    assert!(remarks.len() == 2 && remarks.iter().any(|remark| remark == lost), "{remarks:?}");
    let raw = message(&[("application/zip; name=e.zip", &zip(&files[..2]))]);
    let read = messages::read(&raw, 1 << 20, &Extractor::default()).expect("a text");
    let pieces: Vec<_> = read.pieces().map(|(name, _)| name.unwrap_or("-")).collect();
    assert_eq!(pieces, ["-", "e.zip!/essay/text.txt", "e.zip!/essay/text.docx"]);
    assert!(!messages::is_cut(&read));
    // A tar that is packed, and one text that is.
    let mut tar = tar::Builder::new(Vec::new());
    let mut head = tar::Header::new_gnu();
    head.set_size(8);
    head.set_mode(0o644);
    tar.append_data(&mut head, "a.txt", &b"in a tar"[..]).expect("packed");
    let packed = |bytes: &[u8]| zstd::encode_all(bytes, 3).expect("packed");
    let tar = tar.into_inner().expect("packed");
    assert_eq!(one("application/x; name=a.tar.zst", &packed(&tar)).0, "in a tar");
    assert_eq!(one("application/x; name=a.txt.zst", &packed(b"packed alone")).0, "packed alone");
}

#[test]
fn archives_in_a_message_are_bounded() {
    let many: Vec<(String, Vec<u8>)> =
        (0..70).map(|n| (format!("{n}.txt"), format!("text {n}").into_bytes())).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let (text, remarks) = one(ANY, &zip(&many));
    assert!(text.ends_with("text 63"), "{text}");
    assert_eq!(
        remarks,
        ["attachment `a.bin`: more than 64 files in archives: the rest was not read"]
    );
    // Names of folders that tools write hide nothing, and folders are no files.
    let (text, remarks) =
        one(ANY, &zip(&[("node_modules/a.txt", b"in there"), ("__MACOSX/b.txt", b"and here")]));
    assert_eq!((&*text, remarks.len()), ("in there\n\nand here", 0), "{remarks:?}");
    let bomb = vec![b' '; 3 << 20];
    let read = read_message(&[(ANY, &zip(&[("a.txt", &bomb), ("b.txt", b"small")]))]);
    assert!(messages::is_cut(&read), "{:?}", read.remarks);
    let cut = zip(&[("a.txt", b"words that are whole"), ("b.txt", b"more of them")]);
    let read = read_message(&[(ANY, &cut[..cut.len() - 40])]);
    assert!(messages::is_cut(&read), "{:?}", read.remarks);
}

#[test]
fn what_has_no_words_is_counted() {
    let parts: [(&str, &[u8]); 6] = [
        (ANY, b"\x89PNG\r\n\x1a\n\0"),
        (ANY, b"RIFF\x10\0\0\0WEBP"),
        (ANY, b"\0\0\0\x18ftypmp42"),
        (ANY, b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nx"),
        ("image/svg+xml", b"<svg/>"),
        (ANY, b""),
    ];
    let read = read_message(&parts);
    assert_eq!((&*read.text, &read.remarks[..]), ("Offer\n\nown text", &[Remark::NotText(6)][..]));
    assert!(!messages::is_cut(&read));
}

#[test]
fn damage_and_hidden_text_of_documents_are_noted() {
    let hidden = format!("{}<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r>", run("seen"));
    let hidden = docx(&hidden);
    let (text, remarks) = one(ANY, &hidden);
    assert_eq!(
        (&*text, &*remarks[0]),
        ("seen", "attachment `a.bin`: hidden text: 1 word, not compared")
    );
    assert!(!messages::is_cut(&read_message(&[(ANY, &hidden)])));
    let extraction = Extraction { hidden: Hidden::Read, ..Extraction::default() };
    let extractor = extraction.open().expect("an extractor");
    let raw = message(&[(ANY, &hidden)]);
    let read = messages::read(&raw, 1 << 20, &extractor).expect("a text");
    assert!(read.text.contains("unseen"), "{}", read.text);
}

#[test]
fn a_message_in_a_batch_has_the_text_of_what_is_attached() {
    let place = Place::new();
    let document = docx(&run("in Word"));
    place
        .write("c/ada/offer.eml", message(&[(ANY, &document), ("application/zip", b"PK\x05\x06")]));
    place.write(
        "c/bo/empty.eml",
        "Content-Type: application/x-foo; name=a.exe\n\nMZ\0\0\x01\x02\x03\0",
    );
    let mut options = Options { group_by: GroupBy::Auto, ..Options::everything() };
    for (marks, expected) in [
        (Marks::Nowhere, "Offer\n\nown text\n\nin Word"),
        (Marks::Shown, "[message]\nOffer\n\nown text\n\n[attachment a.bin]\nin Word"),
    ] {
        options.marks = marks;
        let (mut corpus, budget) = (Corpus::default(), Budget::new(Limits::standard()));
        let paths = [place.path().join("c")];
        read(&paths, Role::New, &options, &budget, &mut corpus, &Silent).expect("a corpus");
        let shown = String::from_utf8_lossy(&corpus.submissions[0].documents[0].bytes);
        assert_eq!(shown, expected);
        assert_notice(
            &corpus,
            "ada",
            "offer.eml",
            Outcome::Degraded,
            "its table of contents cannot be read",
        );
        assert_notice(
            &corpus,
            "bo",
            "empty.eml",
            Outcome::Skipped,
            "no text: a message without words; attachment `a.exe`: binary",
        );
    }
}

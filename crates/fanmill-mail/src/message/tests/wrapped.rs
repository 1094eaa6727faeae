//! Tests of parts that are read whatever their type says, and of what is handed out.

use super::*;
use crate::cms::tests::{envelope, sign};
use crate::compressed_rtf::tests::packed;
use crate::tnef::tests::Stream;

/// Makes a message of a part of a declared type, behind a text.
fn with_part(kind: &str, bytes: &[u8]) -> Vec<u8> {
    let head = "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nown\n--b\n";
    let part = format!("Content-Type: {kind}\nContent-Transfer-Encoding: binary\n\n");
    [head.as_bytes(), part.as_bytes(), bytes, b"\n--b--\n"].concat()
}

fn with(kind: &str, bytes: &[u8]) -> Message {
    read(&with_part(kind, bytes), &Limits::standard())
}

fn unread(name: &str, note: &'static str) -> Remark {
    Remark::unread(name, note)
}

const ANY: &str = "application/octet-stream";

#[test]
fn pages_and_messages_are_read_whatever_their_type_says() {
    let page = with(ANY, b"<!doctype html><p>p<i hidden>x</i>age");
    assert_eq!(page.text, "s\n\nown\n\npage");
    let wide: Vec<u8> = "<html><p>wide".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(with(ANY, &[b"\xFF\xFE", &*wide].concat()).text, "s\n\nown\n\nwide");
    assert_eq!(with("application/x-foo; name=a.HTM", b"<p>a<br>b").text, "s\n\nown\n\na\nb");
    let message = with(ANY, b"<p>a<b></b>b");
    let both = ["s\n\nown\n\nab", "s\n\nown\n\n<p>a<b></b>b"];
    assert!(
        both.iter().all(|way| message.text == *way || message.others.contains(&(*way).to_owned()))
    );
    let typed = b"Content-Type: text/html\n\n<p>typed";
    assert_eq!(with(ANY, typed).text, "s\n\nown\n\ntyped");
    assert_eq!(with("application/x; name=b.eml", b"Subject: b\n\nc").text, "s\n\nown\n\nb\n\nc");
    let inner = b"Subject: in\nTo: x\nContent-Type: text/html\n\n<p>text";
    assert_eq!(with("application/eml; name=a.eml", inner).text, "s\n\nown\n\nin\n\ntext");
    let mailbox = b"From a@b\nSubject: one\n\nx\n\nFrom a@b\nSubject: two\n\ny\n";
    assert_eq!(with(ANY, mailbox).text, "s\n\nown\n\none\n\nx\n\ntwo\n\ny");
}

#[test]
fn a_colon_in_a_signed_text_makes_no_header() {
    let signed = "application/pkcs7-mime; smime-type=signed-data";
    for text in ["Note: copied text", "{\"a\": \"copied text\"}", "word:\ncopied text"] {
        let message = with(signed, &sign(text.as_bytes()));
        let found = [
            message.text.into_bytes(),
            message.attachments.into_iter().flat_map(|attachment| attachment.bytes).collect(),
        ];
        let found = String::from_utf8_lossy(&found.concat()).into_owned();
        assert!(found.contains("copied text"), "{text}: {found}");
    }
}

#[test]
fn documents_are_read_whatever_lies_before_them_or_is_said_of_them() {
    assert_eq!(with("image/png; name=a.png", b"%PDF-2.0 x").attachments[0].name, "a.png");
    let coded = format!("{}UEsDBAo=", "\n".repeat(100));
    let message = format!(
        "Subject: s\nContent-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\n{coded}\n"
    );
    let message = read(message.as_bytes(), &Limits::standard());
    assert_eq!(message.attachments[0].bytes, b"PK\x03\x04\n");
    let long = format!("<!-- {} --><!doctype html><p>a<b></b>b", "x".repeat(2000));
    assert_eq!(with(ANY, long.as_bytes()).text, "s\n\nown\n\nab");
}

#[test]
fn the_text_of_a_message_in_another_format_is_a_body() {
    let message = "Subject: s\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\ntext\n--b\n\
                   Content-Type: text/rtf\n\n{\\rtf1 text}\n--b--\n";
    let message = read(message.as_bytes(), &Limits::standard());
    assert!(message.attachments.iter().all(|attachment| attachment.is_body), "{message:?}");
    assert_eq!(message.attachments.len(), 1);
}

#[test]
fn other_parts_are_handed_out_with_their_names() {
    let message = with("application/pdf; name=a.pdf", b"%PDF-1.7 x");
    let expected = Attachment {
        name: "a.pdf".to_owned(),
        bytes: b"%PDF-1.7 x".to_vec(),
        is_body: false,
        is_wordless: false,
    };
    assert_eq!((message.attachments, message.remarks), (vec![expected], vec![]));
    let name = |kind: &str| with(kind, b"PK\x03\x04").attachments.remove(0).name;
    assert_eq!(
        name("image/png\nContent-Disposition: attachment; filename=\"b c.docx\""),
        "b c.docx"
    );
    assert_eq!(name("application/zip"), "application/zip");
    assert_eq!(name("text/plain; name=\"\""), "text/plain");
}

#[test]
fn pictures_and_signatures_are_counted() {
    for kind in ["image/png", "audio/mpeg", "application/pgp-signature", "application/pkix-cert"] {
        let message = with(kind, b"any");
        assert_eq!((message.attachments, message.remarks), (vec![], vec![Remark::NotText(1)]));
    }
}

/// Some programs show plain text that begins as a document as text, and others offer a file.
#[test]
fn a_document_that_is_called_text_is_read_both_ways() {
    let message = with("text/plain", b"{\\rtf1 words}");
    assert_eq!((&*message.text, message.attachments.len()), ("s\n\nown\n\n{\\rtf1 words}", 1));
    let message = with("text/rtf", b"{\\rtf1 words}");
    assert_eq!((&*message.text, message.attachments.len()), ("s\n\nown", 1));
    let message = with("text/plain", b"PK\x03\x04\0\0");
    assert_eq!((&*message.text, message.attachments.len()), ("s\n\nown", 1));
}

#[test]
fn what_was_signed_is_read() {
    let kind = "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m";
    let content = b"Content-Type: text/html\r\n\r\n<p>signed";
    assert_eq!(with(kind, &sign(content)).text, "s\n\nown\n\nsigned");
    assert_eq!(with(ANY, &sign(&sign(content))).text, "s\n\nown\n\nsigned");
    assert_eq!(with(kind, &sign(b"\r\nno type")).text, "s\n\nown\n\nno type");
    assert_eq!(with(kind, &sign(b"%PDF-1.7")).attachments[0].bytes, b"%PDF-1.7");
    let cut = sign(content);
    let message = with(kind, &cut[..cut.len() - 7]);
    assert_eq!(message.text, "s\n\nown\n\nsigne");
    let note = "damaged: what was signed is read up to the fault";
    assert_eq!(message.remarks, [unread("smime.p7m", note)]);
}

#[test]
fn what_is_encrypted_is_a_loss() {
    let message = with("application/pkcs7-mime; name=smime.p7m", &envelope());
    assert_eq!(message.remarks, [unread("smime.p7m", "encrypted, not read")]);
    assert!(message.remarks[0].is_loss());
    assert_eq!(message.remarks[0].to_string(), "attachment `smime.p7m`: encrypted, not read");
}

#[test]
fn what_outlook_wraps_is_read_and_said_once() {
    let kind = "application/ms-tnef; name=winmail.dat";
    let inner = Stream::new().body("inner text");
    let stream = Stream::new()
        .body("own")
        .properties(&[(0x1013_0102, b"<p>a page"), (0x1009_0102, &packed(b"{\\rtf1 rich}"))])
        .file("a.html", b"<html><p>file")
        .file("b.docx", b"PK\x03\x04")
        .message(&inner);
    let message = with(kind, &stream.bytes());
    assert_eq!(message.text, "s\n\nown\n\na page\n\nfile\n\ninner text");
    let names: Vec<(&str, bool)> =
        message.attachments.iter().map(|found| (&*found.name, found.is_body)).collect();
    assert_eq!(names, [("winmail.dat", true), ("b.docx", false)]);
    assert_eq!(message.attachments[0].bytes, b"{\\rtf1 rich}");
    assert_eq!(message.remarks, []);
}

#[test]
fn wrapping_deeper_than_the_limit_is_counted() {
    let mut bytes = b"\nx".to_vec();
    for _ in 0..4 {
        bytes = sign(&bytes);
    }
    assert_eq!(with(ANY, &bytes).text, "s\n\nown\n\nx");
    let message = with(ANY, &sign(&bytes));
    assert_eq!((&*message.text, message.remarks), ("s\n\nown", vec![Remark::TooDeep(1)]));
}

#[test]
fn attachments_over_the_limit_are_counted() {
    let limits = Limits { attachments: 1, ..Limits::standard() };
    let stream = Stream::new().file("a", b"\0").file("b", b"\0").file("c", b"\0");
    let message = read(&with_part(ANY, &stream.bytes()), &limits);
    assert_eq!(message.attachments.len(), 1);
    assert_eq!(message.remarks, [Remark::TooManyAttachments(2)]);
}

#[test]
fn text_of_attachments_follows_within_the_limit() {
    let limits = Limits { text_bytes: 16, ..Limits::standard() };
    let mut message = read(b"Subject: s\n\nown text", &limits);
    let attachment = |is_body| Attachment {
        name: "a".to_owned(),
        bytes: Vec::new(),
        is_body,
        is_wordless: false,
    };
    message.attach(&attachment(true), "own\r\ntext", &limits);
    assert_eq!((&*message.text, message.attached.len()), ("s\n\nown text", 0));
    message.attach(&attachment(false), " long \n", &limits);
    message.attach(&attachment(false), "more", &limits);
    assert_eq!(message.text, "s\n\nown text\n\nlon");
    assert_eq!(message.attached, [Attached { name: "a".to_owned(), at: 13 }]);
    assert_eq!(message.remarks, [Remark::TextCut(5)]);
    let pieces: Vec<(Option<&str>, &str)> = message.pieces().collect();
    assert_eq!(pieces, [(None, "s\n\nown text"), (Some("a"), "lon")]);
    assert_eq!(read(b"\nx", &limits).pieces().count(), 0);
}

proptest! {
    #[test]
    fn any_bytes_behind_a_good_beginning_are_read(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        at in 0..100_usize,
    ) {
        let rtf = packed(b"{\\rtf1 rich}");
        let stream = Stream::new().body("own").properties(&[(0x1009_0102, &rtf)]).file("a", b"b");
        for mut wrapped in [stream.bytes(), sign(b"Content-Type: text/plain\n\ntext")] {
            let at = at % wrapped.len();
            let n = bytes.len().min(wrapped.len() - at);
            wrapped[at..at + n].copy_from_slice(&bytes[..n]);
            prop_assert!(with(ANY, &wrapped).text.starts_with("s\n\nown"));
        }
    }
}

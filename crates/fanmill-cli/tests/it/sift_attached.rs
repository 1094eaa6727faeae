//! Copies in what is attached to mail, under any type.

use std::io::{Cursor, Write as _};

use crate::place::Place;
use crate::run::Done;
use crate::sift_mail::{decoy, original, place, word};

/// Checks a message with a text and a part of a declared type.
fn check(place: &Place, text: &str, kind: &str, bytes: &[u8]) -> Done {
    let head = format!(
        "Received: x\nSubject: hello\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{text}\n--b\n\
         Content-Type: {kind}\nContent-Transfer-Encoding: binary\n\n"
    );
    place.write("suspect.eml", [head.as_bytes(), bytes, b"\n--b--\n"].concat());
    place.fanmill("sift check --key a.key --strict --fail-on-copy store.sift suspect.eml").run()
}

/// Wraps bytes as signed data (RFC 5652, §5.1), with lengths of four bytes.
fn sign(content: &[u8]) -> Vec<u8> {
    let element = |tag: u8, contents: &[u8]| {
        let length = u32::try_from(contents.len()).expect("short").to_be_bytes();
        [&[tag, 0x84], &length[..], contents].concat()
    };
    let kind =
        |number: u8| element(6, &[&b"\x2A\x86\x48\x86\xF7\x0D\x01\x07"[..], &[number]].concat());
    let signed = element(0x30, &[kind(1), element(0xA0, &element(4, content))].concat());
    let data = [element(2, &[1]), element(0x31, &[]), signed, element(0x31, &[])].concat();
    element(0x30, &[kind(2), element(0xA0, &element(0x30, &data))].concat())
}

/// Wraps a text as Outlook does ([MS-OXTNEF], §2.1.3), with a checksum of 0, which nobody looks at.
fn winmail(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).expect("short").to_le_bytes();
    [b"\x78\x9F\x3E\x22\x01\0\x01\x0C\x80\x02\0", &length[..], text.as_bytes(), b"\0\0"].concat()
}

/// Makes a zip of a file.
fn packed(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).expect("memory");
    zip.write_all(bytes).expect("memory");
    zip.finish().expect("memory").into_inner()
}

#[test]
fn no_wrapping_hides_a_copy() {
    let place = place();
    let text = original();
    let page = format!("<!doctype html><p>{}", text.replace("\n\n", "<p>"));
    let document = word(&[&text.replace('&', "&amp;").replace('<', "&lt;")], false);
    let signed = sign(format!("Content-Type: text/plain\n\n{text}").as_bytes());
    let any = "application/octet-stream";
    for (kind, bytes) in [
        (any, document.clone()),
        ("image/png; name=a.png", document.clone()),
        (any, page.into_bytes()),
        (any, text.clone().into_bytes()),
        (any, format!("Subject: x\nTo: y\n\n{text}").into_bytes()),
        ("application/pkcs7-mime; smime-type=signed-data", signed.clone()),
        (any, sign(&signed)),
        ("application/ms-tnef; name=winmail.dat", winmail(&text)),
        ("application/zip; name=a.zip", packed("b/a.docx", &document)),
    ] {
        let done = check(&place, "see below", kind, &bytes);
        assert!(done.stdout.starts_with("yes"), "{kind}: {done}");
        assert_eq!(done.code, Some(1), "{kind}: {done}");
    }
}

/// Neither hides the other, whichever is long: both are asked about together, and each alone.
#[test]
fn long_attachments_hide_no_text_and_long_texts_no_attachment() {
    let place = place();
    let long = decoy().repeat(40);
    let beside = check(&place, &original(), "application/x-foo; name=a.txt", long.as_bytes());
    assert!(beside.stdout.starts_with("yes"), "{beside}");
    let below = check(&place, &long, "application/x-foo; name=a.txt", original().as_bytes());
    assert!(below.stdout.starts_with("yes"), "{below}");
    assert!(below.stdout.contains("found in the attachment `a.txt`"), "{below}");
}

/// Profiles for mail keep few values of a text, which a long attachment would take.
#[test]
fn a_long_attachment_hides_no_original() {
    let place = place();
    let long = decoy().repeat(40);
    check(&place, &original(), "application/x-foo; name=a.txt", long.as_bytes());
    for profile in ["mail", "standard"] {
        let add = format!("sift add --key a.key --profile {profile} {profile}.sift suspect.eml");
        let added = place.fanmill(&add).run();
        assert_eq!(added.code, Some(0), "{added}");
        place.write("copy.eml", format!("Subject: hello\nTo: x\n\n{}", original()));
        let check = format!("sift check --key a.key {profile}.sift copy.eml");
        let known = place.fanmill(&check).run();
        assert!(known.stdout.starts_with("yes"), "{profile}: {known}");
    }
}

#[test]
fn what_cannot_be_read_is_no_no() {
    let place = place();
    let envelope =
        [&b"\x30\x0F\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03"[..], b"\xA0\x02\x30\0"].concat();
    let cut = word(&[&decoy()], true);
    for (kind, bytes, remark) in [
        (
            "application/pkcs7-mime; name=smime.p7m",
            envelope,
            "attachment `smime.p7m`: encrypted, not read",
        ),
        (
            "application/x-foo; name=a.exe",
            b"\x7fELF\x01\0".to_vec(),
            "attachment `a.exe`: binary: an ELF program",
        ),
        (
            "application/x-foo; name=a.docx",
            cut,
            "attachment `a.docx`: damaged: read up to the fault",
        ),
    ] {
        let done = check(&place, &decoy(), kind, &bytes);
        assert!(done.stdout.starts_with("part"), "{kind}: {done}");
        assert!(done.stdout.contains(remark), "{kind}: {done}");
        assert_eq!(done.code, Some(4), "{kind}: {done}");
    }
    let picture = check(&place, &decoy(), "application/x-foo", b"\x89PNG\r\n\x1a\n\0\0");
    assert!(picture.stdout.starts_with("no"), "{picture}");
}

/// The readers are the same in each job.
#[test]
fn every_job_reads_what_is_attached() {
    let place = place();
    let document = word(&[&original().replace('&', "&amp;").replace('<', "&lt;")], false);
    check(&place, "see below", "application/octet-stream; name=a.docx", &document);
    let text = place.fanmill("text suspect.eml").run();
    assert!(text.stdout.contains("[attachment a.docx]"), "{text}");
    let pair = place.fanmill("compare original.txt suspect.eml").run();
    assert!(pair.stdout.contains("0.9") || pair.stdout.contains("1.00"), "{pair}");
    let added = place.fanmill("index add ix suspect.eml").run();
    assert_eq!(added.code, Some(0), "{added}");
    let found = place.fanmill("search ix original.txt").run();
    assert!(found.stdout.contains("suspect.eml"), "{found}");
    let stored = place.fanmill("sift add --key a.key of-mail.sift suspect.eml").run();
    assert_eq!(stored.code, Some(0), "{stored}");
    let known = place.fanmill("sift check --key a.key of-mail.sift original.txt").run();
    assert!(known.stdout.starts_with("yes"), "{known}");
    place.write("box/copy.eml", std::fs::read(place.path("suspect.eml")).expect("written"));
    place.write("box/text.eml", format!("Subject: hello\nTo: x\n\nsee below\n\n{}", original()));
    let kept = place.fanmill("dedup box -o kept").run();
    assert!(kept.to_string().contains("1 is a duplicate"), "{kept}");
}

/// PostScript is read by the user's program, as a file and attached, in each way to check.
#[cfg(unix)]
#[test]
fn another_program_reads_originals_and_copies() {
    let place = place();
    let script = format!("%!PS-Adobe-3.0\n{}", original());
    let unread = check(&place, "see below", "application/postscript; name=a.ps", script.as_bytes());
    assert!(
        unread.stdout.starts_with("part") && unread.stdout.contains("--ps-command"),
        "{unread}"
    );
    place.write("a.ps", &script);
    let with = |command: &str| {
        let done = place.fanmill(command).arg("--ps-command").arg("tail -n +2").run();
        assert_eq!(done.code, Some(0), "{command}: {done}");
        done
    };
    for command in ["check --key a.key store.sift suspect.eml", "check --key a.key store.sift a.ps"]
    {
        let done = with(&format!("sift {command}"));
        assert!(done.stdout.starts_with("yes"), "{command}: {done}");
    }
    with("sift add --key a.key of-scripts.sift a.ps");
    let known = place.fanmill("sift check --key a.key of-scripts.sift original.txt").run();
    assert!(known.stdout.starts_with("yes"), "{known}");
    let passed = place.fanmill("sift check --key a.key store.sift --header=X-Copy");
    let passed = passed.arg("--ps-command").arg("tail -n +2").fed(&place.path("suspect.eml")).run();
    assert!(passed.stdout.lines().any(|line| line.starts_with("X-Copy: yes")), "{passed}");
}

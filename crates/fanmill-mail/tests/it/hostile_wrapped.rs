//! Attachments made to hurt: what wraps text, of 8 MiB, read in time that grows no faster than it.

use std::time::Duration;

use fanmill_mail::{Limits, Remark, message};

/// A generous bound, of processor time; the slowest of these takes less than a second.
const BOUND: Duration = Duration::from_secs(15);

const SIZE: usize = 8 << 20;

/// Bytes that begin a stream of Outlook, with its key.
const OUTLOOK: &[u8] = b"\x78\x9F\x3E\x22\x01\0";

fn filled(piece: &[u8]) -> Vec<u8> {
    piece.repeat(SIZE / piece.len())
}

/// An attribute of Outlook, without its checksum.
fn attribute(number: u32, contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len()).expect("small").to_le_bytes();
    [&[1], &number.to_le_bytes()[..], &length, contents].concat()
}

/// Signed data up to its contents, all of them without a length.
fn signed(contents: &[u8]) -> Vec<u8> {
    let open =
        b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\0\
                 \x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80";
    [open, contents].concat()
}

/// A string of octets.
fn octets(contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len()).expect("small").to_be_bytes();
    [&b"\x04\x84"[..], &length, contents].concat()
}

/// Wrappings of text, and whether all of it may be read.
fn wrapped() -> Vec<(&'static str, Vec<u8>, bool)> {
    let packed = |contents: &[u8]| {
        let rtf = [&[0; 8][..], b"LZFu\0\0\0\0", contents].concat();
        let property =
            [&b"\x01\0\0\0\x02\x01\x09\x10\x01\0\0\0"[..], &u32::MAX.to_le_bytes(), &rtf];
        [OUTLOOK, &attribute(0x0006_9003, &property.concat())].concat()
    };
    let list = |piece: &[u8]| {
        let list = [&u32::MAX.to_le_bytes()[..], &filled(piece)].concat();
        [OUTLOOK, &attribute(0x0006_9003, &list)].concat()
    };
    vec![
        ("attributes", [OUTLOOK, &filled(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])].concat(), true),
        ("attachments", [OUTLOOK, &filled(b"\x02\x02\x90\x06\0\0\0\0\0\0\0")].concat(), false),
        ("properties", list(&[3, 0, 1, 0, 0, 0, 0, 0]), false),
        ("empty values", list(&[0x1E, 0, 0, 0x10, 0, 0, 0, 0]), false),
        ("packed text of references", packed(&filled(b"\x7F\0o\0o\0o\0o\0o\0o\0oa")), false),
        ("packed text of one byte", packed(&filled(b"\0aaaaaaaa")), false),
        ("pieces", signed(&[b"\x24\x80".as_slice(), &filled(b"\x04\x01a")].concat()), false),
        ("nested pieces", signed(&filled(b"\x24\x80")), false),
        (
            "signed a hundred times",
            (0..100).fold(filled(b"x"), |inner, _| signed(&octets(&inner))),
            false,
        ),
        ("a mailbox", filled(b"From a\nSubject: x\n\ny\n\n"), false),
        (
            "messages in messages",
            filled(b"Subject: x\nTo: y\nContent-Type: message/rfc822\n\n"),
            false,
        ),
    ]
}

/// Prints its figures: `cargo test --release -p fanmill-mail --test it -- --nocapture wrapped`.
#[test]
#[expect(clippy::print_stdout, reason = "a test may say what it measured")]
fn hostile_wrapping_is_read_in_time_and_loses_nothing_silently() {
    for (name, bytes, is_whole) in wrapped() {
        let head = b"Content-Type: application/octet-stream\n\n";
        let raw = [head, &*bytes].concat();
        let (message, time) = fanmill_effort::of(|| message::read(&raw, &Limits::standard()));
        let n: usize = message.attachments.iter().map(|attachment| attachment.bytes.len()).sum();
        println!(
            "{name}: {} bytes, {} of text, {n} handed out, {time:?}, {:?}",
            raw.len(),
            message.text.len(),
            message.remarks
        );
        assert!(time < BOUND, "{name}: {time:?}");
        assert!(message.text.len() + n <= 2 * raw.len(), "{name}: {n}");
        assert_eq!(message.remarks.iter().any(Remark::is_loss), !is_whole, "{name}");
    }
}

#[test]
fn many_attachments_are_handed_out_up_to_the_limit() {
    let part = b"--b\nContent-Type: application/octet-stream\n\n\0\0\0\n";
    let head = b"Content-Type: multipart/mixed; boundary=b\n\n";
    let message = message::read(&[head, &*filled(part)].concat(), &Limits::standard());
    assert_eq!(message.attachments.len(), Limits::standard().attachments);
    assert!(message.remarks.contains(&Remark::TooManyAttachments(999 - 64)));
}

//! Recognition of mailboxes and messages by their first bytes.
//!
//! Cost: O(1): at most [`KIND_BYTES`] bytes are looked at.
//! Source: RFC 4155, appendix A; RFC 5322, §2.2.
//! Departs from them: a single header does not make a message, because many other texts begin with a name and a colon.

use memchr::memchr;

use crate::header;
use crate::line_ends::with_line_feeds;

/// The kind of a file, judged by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailFileKind {
    /// Messages, each after a line `From `; [`mbox::messages`](crate::mbox::messages) cuts them.
    Mbox,
    /// One message as it is transmitted.
    Message,
    /// Something else.
    Neither,
}

/// Maximum number of bytes that [`kind`] looks at. Some mail has 10 KiB of headers, but can be recognised before their
/// end.
pub const KIND_BYTES: usize = 8 << 10;

/// Headers typical of mail: mail has at least one of them, and other texts with names and colons hardly ever have any.
const TYPICAL: [&str; 10] = [
    "return-path",
    "received",
    "delivered-to",
    "message-id",
    "from",
    "to",
    "subject",
    "mime-version",
    "envelope-to",
    "reply-to",
];

/// Returns the kind of a file that starts with `head`; only the first [`KIND_BYTES`] bytes count.
///
/// A message has at least two headers, at least one of them typical of mail; an HTTP header, or a note that starts with
/// `Subject:`, is not a message. An mbox has a header after its first line, or a date in that line: even if its first
/// message is broken, the others are there.
pub fn kind(head: &[u8]) -> MailFileKind {
    let head = &*with_line_feeds(&head[..head.len().min(KIND_BYTES)]);
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let head = head.trim_ascii_start();
    let is_mbox = head.starts_with(b"From ");
    let (mut n_headers, mut n_typical) = (0, 0);
    for line in head.split_inclusive(|&byte| byte == b'\n').skip(usize::from(is_mbox)) {
        if line.starts_with(b">From ") || line.starts_with(b" ") || line.starts_with(b"\t") {
            continue;
        }
        let Some(name) = header::name(line) else { break };
        n_headers += 1;
        n_typical +=
            usize::from(TYPICAL.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes())));
    }
    match (is_mbox, n_headers, n_typical) {
        (true, 1.., _) => MailFileKind::Mbox,
        (true, ..) if has_date(head) => MailFileKind::Mbox,
        (false, 2.., 1..) => MailFileKind::Message,
        _ => MailFileKind::Neither,
    }
}

/// Returns whether the first line has a day of the week and a time of day, as `From ` lines do.
fn has_date(head: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let line = &head[..memchr(b'\n', head).unwrap_or(head.len())];
    let is_day =
        |word: &[u8]| DAYS.iter().any(|day| word.strip_suffix(b",").unwrap_or(word) == *day);
    let is_time = |word: &[u8]| {
        let parts: Vec<&[u8]> = word.split(|&byte| byte == b':').collect();
        let is_part = |part: &&[u8]| part.len() == 2 && part.iter().all(u8::is_ascii_digit);
        matches!(parts.len(), 2 | 3) && parts.iter().all(is_part)
    };
    let words = || line.split(u8::is_ascii_whitespace).skip(1);
    words().any(is_day) && words().any(is_time)
}

/// Returns whether a file starts with a header. A message with a single header does, and so do many other texts.
pub fn has_header(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let line = head.split_inclusive(|&byte| byte == b'\n').next();
    line.is_some_and(|line| header::name(line).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mailboxes_and_messages_are_recognised() {
        let cases = [
            ("From a@b Thu\nReturn-Path: x\n", MailFileKind::Mbox),
            ("\n\nFrom a@b Thu\nX: y", MailFileKind::Mbox),
            ("From here to eternity\n\nA novel\n", MailFileKind::Neither),
            ("From a@b Thu Mar  5 08:11:02 2026\n\u{1}\0 broken\n\nFrom c", MailFileKind::Mbox),
            ("From a@b Thu, 5 Mar 2026 08:11\r\n\r\nno header", MailFileKind::Mbox),
            ("From Monday 08:11 on\nthe shop is open", MailFileKind::Neither),
            ("Received: x\n\tby y\nSubject: z\n\ntext", MailFileKind::Message),
            ("\u{FEFF}Return-Path: <>\r\nTo: you\r\n\r\n", MailFileKind::Message),
            ("Subject: only\n\ntext", MailFileKind::Neither),
            ("Date: x\nContent-Type: text/html\nServer: y\n\n", MailFileKind::Neither),
            ("title: x\nlayout: y\n", MailFileKind::Neither),
            ("<html>", MailFileKind::Neither),
            ("", MailFileKind::Neither),
        ];
        for (head, expected) in cases {
            assert_eq!(kind(head.as_bytes()), expected, "{head}");
        }
    }

    #[test]
    fn old_line_ends_are_known() {
        assert_eq!(kind(b"From a\rA: 1\r\rx\r\rFrom b\rB: 2\r"), MailFileKind::Mbox);
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_kind(file in prop::collection::vec(any::<u8>(), 0..200)) {
            kind(&file);
            has_header(&file);
        }
    }
}

//! Kinds of parts by their bytes alone, whatever their types say.
//!
//! Only what this crate reads is recognised; documents are among the others.
//!
//! Cost: O(n).
//! Source: [MS-OXTNEF], §2.1.3; RFC 5652, §3; RFC 5322, §2.2.

use fanmill_extract::html::begin::{begins_as_page, begins_with_tag};
use fanmill_text::frontend::decode;

use crate::begin::{self, MailFileKind};
use crate::{cms, tnef};

/// The content of a part.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    /// No bytes.
    Empty,
    /// A message that Outlook wrapped.
    Outlook(tnef::Wrapped<'a>),
    /// Contents that were signed or encrypted.
    Signed(cms::Wrapped<'a>),
    /// A message, or a part with headers.
    Message,
    /// Messages one after another.
    Mailbox,
    /// Text with tags, as this subtype: a page, or what some programs show as a page and others as text.
    Markup(&'static str),
    /// Anything else.
    Other,
}

/// Recognises a part by its bytes, and by its file name where these leave it open.
pub(crate) fn of<'a>(name: &str, bytes: &'a [u8]) -> Content<'a> {
    if bytes.is_empty() {
        return Content::Empty;
    }
    if let Some(wrapped) = tnef::unwrap(bytes) {
        return Content::Outlook(wrapped);
    }
    if let Some(wrapped) = cms::unwrap(bytes) {
        return Content::Signed(wrapped);
    }
    match begin::kind(bytes) {
        MailFileKind::Message => Content::Message,
        MailFileKind::Mbox => Content::Mailbox,
        MailFileKind::Neither if is_with_header(name, bytes) => Content::Message,
        MailFileKind::Neither => markup(name, bytes).map_or(Content::Other, Content::Markup),
    }
}

/// Returns whether a program that shows plain text would show these bytes as such.
pub(crate) fn is_shown_as_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'))
}

/// Returns whether bytes begin as a message, or as a part that says its type or its encoding. A text may begin with a
/// word and a colon, too.
pub(crate) fn is_entity(bytes: &[u8]) -> bool {
    const PREFIX: &[u8] = b"content-";
    bytes.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
        || begin::kind(bytes) == MailFileKind::Message
}

/// Returns whether bytes with a single header are a message, by the name, or a part of one.
fn is_with_header(name: &str, bytes: &[u8]) -> bool {
    is_entity(bytes) || has_extension(name, "eml") && begin::has_header(bytes)
}

/// Returns the subtype of text for a page, or for what begins with a tag and may be one.
fn markup(name: &str, bytes: &[u8]) -> Option<&'static str> {
    let head = decode(bytes).text;
    let has_tag = begins_with_tag(&head);
    let is_called_page = ["html", "htm", "xhtml"].iter().any(|own| has_extension(name, own));
    match () {
        () if begins_as_page(&head) || has_tag && is_called_page => Some("x-html"),
        () if has_tag => Some("x-markup"),
        () => None,
    }
}

/// Returns whether a file name ends in a dot and this extension.
fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Names the content of a part.
    fn kind(name: &str, bytes: &[u8]) -> String {
        match of(name, bytes) {
            Content::Outlook(_) => "outlook".to_owned(),
            Content::Signed(_) => "signed".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    #[test]
    fn bytes_decide_and_names_where_these_leave_it_open() {
        let cases: [(&str, &[u8], &str); 13] = [
            ("a.html", b"", "empty"),
            ("a.txt", b"\x78\x9F\x3E\x22", "outlook"),
            ("a.txt", &crate::cms::tests::envelope(), "signed"),
            ("a.txt", b"From: a\nTo: b\n\n", "message"),
            ("a.txt", b"From a\nTo: b\n\n", "mailbox"),
            ("a.txt", b"CONTENT-TYPE: x/y\n\n", "message"),
            ("a.EML", b"Subject: x\n\n", "message"),
            ("a.txt", b"Subject: x\n\n", "other"),
            ("a.txt", b"<!doctype html>", "markup(\"x-html\")"),
            ("a.htm", b"<p>x", "markup(\"x-html\")"),
            ("a.txt", b"<p>x", "markup(\"x-markup\")"),
            ("a.html", b"text", "other"),
            ("a.html", b"%PDF-1.7", "other"),
        ];
        for (name, bytes, expected) in cases {
            assert_eq!(kind(name, bytes), expected, "{name}: {}", String::from_utf8_lossy(bytes));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_something(name: String, bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(kind(&name, &bytes) == "empty", bytes.is_empty());
        }
    }
}

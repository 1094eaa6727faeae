//! Kinds of files, and the ways in which they are read: unchanged, as a page, or as mail.
//!
//! The same bytes are read in the same way whether they are in a named file, a folder, a maildir, an archive, or on
//! standard input. Their beginning decides. The name decides only where it says more: a page may begin with any tag,
//! and a message in a maildir may have a single header. A file that begins with any other tag is read both unchanged
//! and as a page.

use std::path::Path;

use fanmill_extract::html;
use fanmill_mail::begin::{self, MailFileKind as Mail};
use fanmill_source::{IsText, is_message_by_name};
use serde::{Deserialize, Serialize};

/// The kind that files are read as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Mailboxes, messages and pages are recognised by their first lines and their names; all else is text.
    #[default]
    Auto,
    /// Plain text, one text per file, unchanged.
    Text,
    /// Web pages (HTML), one page per file, as a browser shows them.
    Html,
    /// Mail: mailboxes (mbox), or one message per file.
    Mail,
}

/// The way in which a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Unchanged.
    Text,
    /// HTML, as a browser shows it.
    Page,
    /// Both unchanged and as HTML.
    Both,
    Message,
    Mbox,
}

/// File name extensions of pages.
const PAGES: [&str; 5] = ["html", "htm", "xhtml", "xht", "shtml"];

/// Returns how a file with this name is read, given its first bytes; 8 KiB are enough to recognise mail.
pub(super) fn of(name: &str, bytes: &[u8], kind: Kind) -> Reading {
    match (kind, begin::kind(bytes)) {
        (Kind::Text, _) => Reading::Text,
        (Kind::Html, _) => Reading::Page,
        (Kind::Auto, _) if is_page_by_name(name) => Reading::Page,
        (_, Mail::Mbox) => Reading::Mbox,
        (_, Mail::Message) | (Kind::Mail, Mail::Neither) => Reading::Message,
        _ if is_message_by_name(name) && begin::has_header(bytes) => Reading::Message,
        _ if !begins_with_angle(bytes) => Reading::Text,
        _ => {
            let text = html::decode(bytes, None).0;
            match () {
                () if html::begin::begins_as_page(&text) => Reading::Page,
                () if html::begin::begins_with_tag(&text) => Reading::Both,
                () => Reading::Text,
            }
        }
    }
}

/// Returns a test that accepts files which we can read although they look binary: mail and pages may contain many
/// control characters, which the programs that show them ignore. An empty file is a text without words.
pub(super) fn is_text(kind: Kind) -> IsText {
    let by_itself = |name: &str, head: &[u8]| {
        head.is_empty()
            || begin::kind(head) != Mail::Neither
            || !fanmill_source::begins_as_binary(head)
                && (begin::has_header(head) || is_page_by_name(name) || begins_as_page(head))
    };
    let as_page = |_: &str, head: &[u8]| {
        head.is_empty() || !fanmill_source::begins_as_binary(head) && begins_with_angle(head)
    };
    if kind == Kind::Html { as_page } else { by_itself }
}

fn is_page_by_name(name: &str) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default();
    PAGES.iter().any(|page| extension.eq_ignore_ascii_case(page))
}

/// Returns whether bytes, in any encoding, begin as only pages do.
fn begins_as_page(bytes: &[u8]) -> bool {
    begins_with_angle(bytes) && html::begin::begins_as_page(&html::decode(bytes, None).0)
}

/// Returns whether the first character that is not blank is `<`.
fn begins_with_angle(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
    let rest = marks.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes);
    let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte == 0;
    rest.iter().find(|&&byte| !is_blank(byte)) == Some(&b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_what_they_begin_as_and_then_what_they_are_called() {
        let mail = "From: a@b\nTo: c@d\n\ntext";
        let page = "<!-- saved -->\n<!DOCTYPE html><p>text";
        let cases = [
            ("a.txt", mail, Reading::Message),
            ("a.txt", "From a@b\nTo: c@d\n\ntext", Reading::Mbox),
            ("a.txt", page, Reading::Page),
            ("-", "\u{FEFF} <html lang=en>", Reading::Page),
            ("-", "<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", Reading::Page),
            ("a.HTM", "<p>text", Reading::Page),
            ("a/b.html", mail, Reading::Page),
            ("a.zip!/b.xhtml", "text", Reading::Page),
            ("a.md", "<p align=center>", Reading::Both),
            ("a.txt", "<!-- x --> <div>text", Reading::Both),
            ("a.asp", "<title>x</title>", Reading::Both),
            ("a.xml", "<?xml version=\"1.0\"?><feed>", Reading::Both),
            ("a.txt", "<a@b.c> wrote", Reading::Text),
            ("a.txt", "< 3", Reading::Text),
            ("a.txt", "<!-- <html>", Reading::Text),
            ("a.txt", "Subject: only", Reading::Text),
            ("a.eml", "Subject: only", Reading::Message),
            ("a.eml", "no header", Reading::Text),
            ("box/cur/1772439062.M41P7.host:2,S", "Subject: only", Reading::Message),
            ("box/tmp/1772439062.M41P7.host", "Subject: only", Reading::Message),
            ("new/notes.txt", "Subject: only", Reading::Text),
        ];
        for (name, text, expected) in cases {
            assert_eq!(of(name, text.as_bytes(), Kind::Auto), expected, "{name}: {text}");
            assert_eq!(of(name, text.as_bytes(), Kind::Text), Reading::Text, "{name}: {text}");
        }
        // In UTF-16, a page is recognised, too.
        let wide: Vec<u8> = page.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(of("-", &wide, Kind::Auto), Reading::Page);
    }

    #[test]
    fn control_characters_make_no_mail_and_no_page_unreadable() {
        let noise = "\u{1}\u{2}\u{3}\u{4}".repeat(100);
        for (name, start, expected) in [
            ("a", "From: a@b\nTo: c@d\n\n", true),
            ("a", "Subject: only\n\n", true),
            ("a", "<html>", true),
            ("a.html", "", true),
            ("a", "", false),
            ("a.html", "%PDF-1.4\n", false),
            ("a.eml", "fanmill-sift-key-1 00", false),
        ] {
            let bytes = format!("{start}{noise}");
            let is_text = is_text(Kind::Auto)(name, bytes.as_bytes());
            assert_eq!(is_text, expected, "{name}: {start}");
        }
        assert!(is_text(Kind::Auto)("a", b""));
        let of_pages = is_text(Kind::Html);
        assert!(
            of_pages("-", format!("<p>{noise}").as_bytes()) && !of_pages("-", noise.as_bytes())
        );
    }
}

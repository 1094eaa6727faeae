//! Records of a web archive: whether one is a document, what its text is, and how it is changed.

use std::borrow::Cow;

use super::Options;
use super::http::{Head, body};
use crate::html;
use crate::record::{Record, RecordAction};

/// The header with a record's name, unless the user wants another one.
const URL: &str = "WARC-Target-URI";
/// Prefix of headers that are marks.
pub(super) const MARK: &str = "Fanmill-";

/// Maximum number of letters shown of a content type.
const TYPE_LETTERS: usize = 60;

/// The kind of document that a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Payload {
    Html,
    Plain,
}

/// Content of a record: the head that says its type, and the bytes of that type.
#[derive(Debug, Clone, Copy)]
struct Content<'a> {
    head: Head<'a>,
    bytes: &'a [u8],
    /// True if these are the body of an HTTP response, perhaps packed or in chunks.
    is_http: bool,
}

impl<'a> Content<'a> {
    /// Finds the content of a record, by its head and its block; `None` if it should begin with an HTTP head, and that
    /// does not end.
    fn new(kind: &str, head: Head<'a>, block: &'a [u8]) -> Option<Content<'a>> {
        // Old servers begin with another word than `HTTP/`, and some archives do not declare their content.
        let is_declared = || content_type(head).starts_with("application/http");
        if kind == "response" && (block.starts_with(b"HTTP/") || is_declared()) {
            let (head, at) = Head::from_bytes(block)?;
            return Some(Content { head, bytes: &block[at..], is_http: true });
        }
        Some(Content { head, bytes: block, is_http: false })
    }

    /// Returns the kind of document that it is; `None` if it is not one.
    fn payload(self) -> Option<Payload> {
        by_type(&content_type(self.head), self.bytes)
    }
}

/// Returns the content type in lower case.
fn content_type(head: Head<'_>) -> String {
    head.get("Content-Type").unwrap_or_default().to_ascii_lowercase()
}

/// Returns the type of a record that may be a document: a response, a resource or a conversion. `None` for requests and
/// metadata, which are about documents.
fn kind(head: Head<'_>) -> Option<String> {
    let kind = head.get("WARC-Type")?.to_ascii_lowercase();
    matches!(&*kind, "response" | "resource" | "conversion").then_some(kind)
}

/// Returns the kind of document that a record is, by its head and the beginning of its block; `None` for everything
/// else: requests, metadata, images.
pub(super) fn payload(head: Head<'_>, block: &[u8]) -> Option<Payload> {
    Content::new(&kind(head)?, head, block)?.payload()
}

/// Returns the reason why a record that could have been a document is not one: it has another type. `None` if it could
/// not.
pub(super) fn not_text(head: Head<'_>, block: &[u8]) -> Option<String> {
    let kind = kind(head)?;
    let own = Content::new(&kind, head, block).map_or(head, |content| content.head);
    let own = content_type(own);
    let own: String =
        own.split(';').next().unwrap_or_default().trim().chars().take(TYPE_LETTERS).collect();
    Some(if own.is_empty() {
        format!("a {kind} of no stated type, not read as text")
    } else {
        format!("a {kind} of type {own}, not read as text")
    })
}

fn by_type(kind: &str, content: &[u8]) -> Option<Payload> {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind {
        "text/html" | "application/xhtml+xml" => Some(Payload::Html),
        "text/plain" | "text/markdown" => Some(Payload::Plain),
        // Guessed as browsers do, but by tags only.
        "" if content.trim_ascii_start().starts_with(b"<") => Some(Payload::Html),
        _ => None,
    }
}

/// The headers that a job wants.
#[derive(Debug)]
pub(super) struct Headers {
    id: String,
    extra: Vec<String>,
    record_bytes: usize,
}

impl Headers {
    pub(super) fn new(options: &Options) -> Headers {
        Headers {
            id: options.id.clone().unwrap_or_else(|| URL.to_owned()),
            extra: options.extra.clone(),
            record_bytes: options.record_bytes,
        }
    }

    pub(super) fn parse<'a>(&self, record: &'a [u8]) -> Result<Record<'a>, String> {
        let (head, at) = Head::from_bytes(record).ok_or("its head does not end")?;
        let content = kind(head).and_then(|kind| Content::new(&kind, head, &record[at..]));
        let what = content.and_then(|content| content.payload().map(|what| (what, content)));
        let (what, Content { head: own, bytes, is_http }) = what.ok_or("not a document")?;
        let content =
            if is_http { body(own, bytes, self.record_bytes)? } else { Cow::Borrowed(bytes) };
        let kind = content_type(own);
        let label = kind.split_once("charset=").map(|(_, rest)| {
            rest.trim_start_matches(['"', '\'']).split(['"', '\'', ';', ' ']).next().unwrap_or("")
        });
        let text = match (what, &content) {
            (Payload::Html, content) => html::seen(&html::decode(content, label)),
            (Payload::Plain, Cow::Borrowed(content)) => html::decode(content, label),
            (Payload::Plain, Cow::Owned(content)) => html::decode(content, label).into_owned(),
        };
        let get = |name: &String| head.get(name).map(bare);
        Ok(Record {
            flaw: text.flaw(),
            text: text.characters,
            id: get(&self.id),
            extra: self.extra.iter().map(get).collect(),
        })
    }

    /// Returns the reason why a document cannot get another text; `None` if it can, or is not a document.
    pub(super) fn unchangeable(record: &[u8]) -> Option<&'static str> {
        let (head, at) = Head::from_bytes(record)?;
        let what = payload(head, &record[at..])?;
        let is_text = what == Payload::Plain && kind(head).is_some_and(|kind| kind == "conversion");
        (!is_text).then_some("only extracted texts (WET) can get another text, no pages")
    }

    /// Appends the record as `action` says.
    pub(super) fn edit(
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let (head, at) = Head::from_bytes(record).ok_or("its head does not end")?;
        match action {
            RecordAction::Remove => {}
            RecordAction::Keep => out.extend_from_slice(record),
            RecordAction::Mark(_) | RecordAction::MarkRuns(_) | RecordAction::MarkSize(_) => {
                push_head(record, head, &[MARK], out);
                push_mark(action, "\r\n", out);
                out.extend_from_slice(b"\r\n");
                out.extend_from_slice(&record[at..]);
            }
            RecordAction::Text(text) => {
                Headers::unchangeable(record).map_or(Ok(()), Err)?;
                // Its digests would be wrong, and the text is UTF-8 now.
                let gone = [
                    "Content-Length:",
                    "Content-Type:",
                    "WARC-Block-Digest:",
                    "WARC-Payload-Digest:",
                ];
                push_head(record, head, &gone, out);
                let n = text.len();
                let own = format!(
                    "Content-Type: text/plain; charset=utf-8\r\nContent-Length: {n}\r\n\r\n"
                );
                out.extend_from_slice(own.as_bytes());
                out.extend_from_slice(text.as_bytes());
            }
        }
        Ok(())
    }
}

/// Returns a value without the brackets that some headers have around it.
fn bare(value: Cow<'_, str>) -> Cow<'_, str> {
    match value.strip_prefix('<').and_then(|inside| inside.strip_suffix('>')) {
        Some(inside) => Cow::Owned(inside.to_owned()),
        None => value,
    }
}

/// Appends a head without the empty line, and without lines that begin with one of `gone`.
fn push_head(record: &[u8], head: Head<'_>, gone: &[&str], out: &mut Vec<u8>) {
    let first = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_gone = |line: &&[u8]| {
        let begins = |name: &&str| {
            line.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
        };
        gone.iter().any(begins)
    };
    let lines = head.lines().filter(|line| !is_gone(line));
    for line in std::iter::once(first.trim_ascii_end()).chain(lines) {
        out.extend_from_slice(line);
        out.extend_from_slice(b"\r\n");
    }
}

/// Appends the mark of an action, if it has one, as headers in lines that end in `line_end`.
pub(super) fn push_mark(action: &RecordAction<'_>, line_end: &str, out: &mut Vec<u8>) {
    let mut push = |name: &str, value: &str| {
        // A name from elsewhere must not end the line.
        let value = value.replace(|c: char| c.is_control(), " ");
        out.extend_from_slice(format!("{MARK}{name}: {value}{line_end}").as_bytes());
    };
    match action {
        RecordAction::Mark(Some(mark)) => {
            push("Cluster", &mark.cluster.to_string());
            if let Some(name) = mark.duplicate_of {
                push("Duplicate-Of", name);
            }
            let shares = [("Resemblance", mark.resemblance), ("Containment", mark.containment)];
            for (name, share) in shares {
                if let Some(share) = share {
                    push(name, &share.to_string());
                }
            }
        }
        RecordAction::MarkRuns(Some(mark)) => {
            push("Runs", &mark.runs_as_json());
            push("Words-Left", &mark.words_left.to_string());
        }
        RecordAction::MarkSize(size) => {
            push("Size", &size.documents.to_string());
            push("Copies", &size.copies.to_string());
        }
        _ => {}
    }
}

//! Mailboxes: each message is a record.
//!
//! A line that starts with `From ` begins a message if it is the first line or follows an empty one. A message that
//! stays is copied byte for byte; a mark is written as headers of its own below that line.
//!
//! Cost: O(n); a message is held whole, up to the limit of a record. A longer one passes as it is, and is not read.
//! Source: RFC 4155, appendix A; the quoting is that of the mboxrd format.

use std::borrow::Cow;
use std::sync::Arc;

use fanmill_text::Result;
use memchr::{memchr, memmem};

use super::Options;
use super::archived::{MARK, push_mark};
use super::batch::Raw;
use super::blocks::{BOM, Blocks};
use super::http::Head;
use crate::record::{Flaw, Record, RecordAction, Skipped};
use fanmill_source::{Extractor, messages};

/// Beginning of every message.
const BEGIN: &[u8] = b"From ";
/// Length of an empty line and the beginning of a message, with carriage returns: these must be seen together.
const SEAM: usize = 8;

/// The messages of a file.
#[derive(Debug)]
pub(super) struct Mailbox {
    blocks: Blocks,
    /// The beginning of the next batch.
    rest: Vec<u8>,
    parser: Arc<Messages>,
    batch_bytes: usize,
    record_bytes: usize,
    /// True within a message that is too long.
    is_passing: bool,
}

impl Mailbox {
    pub(super) fn new(blocks: Blocks, options: &Options) -> Mailbox {
        Mailbox {
            blocks,
            rest: Vec::new(),
            parser: Arc::new(Messages::new(options)),
            batch_bytes: options.batch_bytes.max(1),
            record_bytes: options.record_bytes,
            is_passing: false,
        }
    }

    /// Fills an empty stretch; returns false at the end of the shard.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::<Messages>::clone(&self.parser));
        std::mem::swap(&mut raw.bytes, &mut self.rest);
        // More than what is looked at again.
        let mut want = self.batch_bytes.max(2 * SEAM);
        self.blocks.fill(&mut raw.bytes, want)?;
        let mut from = self.blank(raw);
        while from < raw.bytes.len() {
            if self.is_passing {
                from = self.pass(raw, from);
                if self.is_passing {
                    break;
                }
            } else if let Some(next) = next_begin(&raw.bytes, from) {
                self.push(raw, from, next);
                from = next;
            } else if self.blocks.ended {
                self.push(raw, from, raw.bytes.len());
                from = raw.bytes.len();
            } else if !raw.items.is_empty() {
                break;
            } else if raw.bytes.len() - from > self.record_bytes.saturating_add(SEAM) {
                raw.skipped.push(Skipped::too_long(self.offset(raw, from), self.record_bytes));
                self.is_passing = true;
            } else {
                want = 2 * want.max(raw.bytes.len());
                self.blocks.fill(&mut raw.bytes, want)?;
            }
        }
        self.rest.clear();
        self.rest.extend_from_slice(&raw.bytes[from..]);
        raw.bytes.truncate(from);
        Ok(!raw.bytes.is_empty() || !raw.items.is_empty())
    }

    /// Returns the start of the first message in a stretch: in the first stretch, behind blank lines.
    fn blank(&self, raw: &Raw) -> usize {
        if raw.bytes.len() as u64 != self.blocks.offset {
            return 0;
        }
        let mark = if raw.bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let bytes = &raw.bytes[mark..];
        mark + bytes.len() - bytes.trim_ascii_start().len()
    }

    /// Adds the message at `from`; the next one begins at `next`.
    fn push(&self, raw: &mut Raw, from: usize, next: usize) {
        let bytes = &raw.bytes[from..next];
        let end = from + without_empty_line(bytes);
        let offset = self.offset(raw, from);
        if end - from > self.record_bytes {
            raw.skipped.push(Skipped::too_long(offset, self.record_bytes));
        } else {
            raw.push(from, end, next, offset, None);
        }
    }

    /// Passes the rest of a message on that is too long. Returns the end of what is passed here.
    fn pass(&mut self, raw: &Raw, from: usize) -> usize {
        if let Some(next) = next_begin(&raw.bytes, from) {
            self.is_passing = false;
            return next;
        }
        if self.blocks.ended {
            return raw.bytes.len();
        }
        // The beginning of a seam may be here, and is looked at again.
        raw.bytes.len().saturating_sub(SEAM).max(from)
    }

    /// Returns the offset in the shard of a byte of the stretch.
    fn offset(&self, raw: &Raw, at: usize) -> u64 {
        self.blocks.offset - (raw.bytes.len() - at) as u64
    }
}

/// Finds the next message behind `from`: a `From ` line below an empty one.
fn next_begin(bytes: &[u8], from: usize) -> Option<usize> {
    let found = memmem::find_iter(&bytes[from..], b"\nFrom ").map(|at| from + at + 1);
    found.into_iter().find(|&at| {
        let before = &bytes[from..at - 1];
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        before.ends_with(b"\n")
    })
}

/// Returns the length of a message without the empty line that separates it from the next one.
fn without_empty_line(bytes: &[u8]) -> usize {
    let line = |bytes: &[u8]| -> Option<usize> {
        let rest = bytes.strip_suffix(b"\n")?;
        Some(rest.strip_suffix(b"\r").unwrap_or(rest).len())
    };
    match line(bytes) {
        Some(end) if bytes[..end].ends_with(b"\n") => end,
        _ => bytes.len(),
    }
}

/// A parser of messages: their text, and the headers that a job wants.
#[derive(Debug)]
pub(super) struct Messages {
    id: String,
    extra: Vec<String>,
    record_bytes: usize,
    extractor: Arc<Extractor>,
}

impl Messages {
    fn new(options: &Options) -> Messages {
        Messages {
            id: options.id.clone().unwrap_or_else(|| "Message-ID".to_owned()),
            extra: options.extra.clone(),
            record_bytes: options.record_bytes,
            extractor: Arc::clone(options.documents.extractor()),
        }
    }

    pub(super) fn parse<'a>(&self, record: &'a [u8]) -> std::result::Result<Record<'a>, String> {
        let message = messages::read(&unquoted(record), self.record_bytes as u64, &self.extractor);
        let message = message.map_err(|(_, reason)| reason.to_string())?;
        let flaw = messages::loss(&message).map(Flaw::Other);
        // Without an empty line, all of it is head.
        let head = Head::from_bytes(record).map_or_else(|| Head::whole(record), |(head, _)| head);
        let get = |name: &String| head.get(name).filter(|value| !value.is_empty());
        Ok(Record {
            text: Cow::Owned(message.text),
            id: get(&self.id),
            extra: self.extra.iter().map(get).collect(),
            flaw,
        })
    }

    /// Appends the message as `action` says.
    pub(super) fn edit(
        record: &[u8],
        action: &RecordAction<'_>,
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), String> {
        match action {
            RecordAction::Remove => {}
            RecordAction::Keep => out.extend_from_slice(record),
            RecordAction::Mark(_) | RecordAction::MarkRuns(_) | RecordAction::MarkSize(_) => {
                // Marks go below the `From ` line, and replace those of an earlier run.
                let head_end = Head::from_bytes(record).map_or(record.len(), |(_, at)| at);
                let mut lines =
                    record[..head_end].split_inclusive(|&byte| byte == b'\n').peekable();
                let line_end = match lines.peek() {
                    Some(line) if line.ends_with(b"\r\n") => "\r\n",
                    _ => "\n",
                };
                if let Some(begin) = lines.next_if(|line| line.starts_with(BEGIN)) {
                    out.extend_from_slice(begin);
                }
                push_mark(action, line_end, out);
                let own = lines.filter(|line| !line.starts_with(MARK.as_bytes()));
                own.for_each(|line| out.extend_from_slice(line));
                out.extend_from_slice(&record[head_end..]);
            }
            RecordAction::Text(_) => {
                return Err("no text can be put back into a message".to_owned());
            }
        }
        Ok(())
    }
}

/// Returns a message without its `From ` line, and with quoted lines restored.
fn unquoted(record: &[u8]) -> Cow<'_, [u8]> {
    let body = match memchr(b'\n', record) {
        Some(end) if record.starts_with(BEGIN) => &record[end + 1..],
        None if record.starts_with(BEGIN) => &[],
        _ => record,
    };
    let is_quoted = |line: &[u8]| {
        let marks = line.iter().take_while(|&&byte| byte == b'>').count();
        marks > 0 && line[marks..].starts_with(BEGIN)
    };
    if !body.split(|&byte| byte == b'\n').any(is_quoted) {
        return Cow::Borrowed(body);
    }
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        out.extend_from_slice(if is_quoted(line) { &line[1..] } else { line });
    }
    Cow::Owned(out)
}

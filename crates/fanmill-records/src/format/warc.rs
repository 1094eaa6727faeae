//! Web archives: WARC files, and WET files, which are WARC too.
//!
//! Documents are responses, resources and conversions whose content is HTML or plain text. All other records stay in
//! the output as they are, including requests and metadata of removed documents. A record whose head makes no sense, or
//! whose length leads neither to another record nor to the end, is bad up to the next line that begins like one: a
//! length that is too large does not take the records behind it along.
//!
//! Cost: O(n); a document is held whole, other records are passed on in pieces.
//! Source: ISO 28500:2017 (WARC 1.1); the layout of Common Crawl's files.

use std::sync::Arc;

use fanmill_text::Result;
use memchr::memmem;

use super::Options;
use super::archived::{Headers, not_text, payload};
use super::batch::Raw;
use super::blocks::Blocks;
use super::http::Head;
use crate::record::Skipped;

/// Beginning of every record.
const MAGIC: &[u8] = b"WARC/";
/// Maximum number of bytes behind a record that are not part of the next one: two line ends.
const LINE_ENDS: usize = 4;
/// Reason for which a record is bad whose end is somewhere else.
const WRONG_LENGTH: &str =
    "its length is wrong: it leads neither to another record nor to the end of the shard";
/// Reason for which the last record is bad.
const CUT_OFF: &str = "cut off: the shard ends in it";
/// Maximum length of a record's head, including that of HTTP.
const MAX_HEAD: usize = 1 << 20;

/// Records of an archive.
#[derive(Debug)]
pub(super) struct Archive {
    blocks: Blocks,
    /// The beginning of the next batch.
    rest: Vec<u8>,
    /// Number of bytes still to come of a record that is passed on in pieces.
    passing: u64,
    parser: Arc<Headers>,
    batch_bytes: usize,
    record_bytes: usize,
}

/// Kind of a record.
#[derive(Debug)]
enum RecordKind {
    Document,
    /// A record that could be a document, and the reason why it is not.
    Skipped(String),
    /// A record about documents.
    Other,
}

/// Result of looking for a record.
#[derive(Debug)]
enum Found {
    /// A whole record up to `end`; up to `full_end` with what follows it.
    Whole { end: usize, full_end: usize, is: RecordKind },
    /// Another record that is too large to be held, with its size in bytes.
    Passing(u64, RecordKind),
    /// No record up to `end`, for this reason.
    Broken { end: usize, why: &'static str },
    /// A record that has not been read to its end: the bytes up to this position are needed.
    More(usize),
}

impl Archive {
    pub(super) fn new(blocks: Blocks, options: &Options) -> Archive {
        Archive {
            blocks,
            rest: Vec::new(),
            passing: 0,
            parser: Arc::new(Headers::new(options)),
            batch_bytes: options.batch_bytes.max(1),
            record_bytes: options.record_bytes,
        }
    }

    /// Fills an empty stretch; returns false at the end of the shard.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::<Headers>::clone(&self.parser));
        std::mem::swap(&mut raw.bytes, &mut self.rest);
        self.blocks.fill(&mut raw.bytes, self.batch_bytes)?;
        let mut at = self.pass(raw);
        if self.passing > 0 && self.blocks.ended {
            // Its bytes are passed on; this only tells of it.
            self.passing = 0;
            raw.push(at, at, at, self.blocks.offset, Some(CUT_OFF.to_owned()));
        }
        while at < raw.bytes.len() {
            at += line_ends(&raw.bytes[at..]);
            if at == raw.bytes.len() {
                break;
            }
            match self.find(&raw.bytes, at) {
                // Whole records go first, so that a batch does not grow.
                Found::More(_) if !raw.members.is_empty() => break,
                Found::More(n) => self.blocks.fill(&mut raw.bytes, n.max(self.batch_bytes))?,
                found => at = self.take(raw, at, found),
            }
        }
        self.rest.clear();
        self.rest.extend_from_slice(&raw.bytes[at..]);
        raw.bytes.truncate(at);
        Ok(!raw.bytes.is_empty() || !raw.items.is_empty())
    }

    /// Returns the reason why its documents cannot get another text, judging by the first of them.
    pub(super) fn unchangeable(&mut self) -> Result<Option<String>> {
        let mut raw = Raw::default();
        while self.next(&mut raw)? {
            let mut records = raw.items.iter().map(|item| &raw.bytes[item.start..item.end]);
            if let Some(record) = records.find(|record| !record.is_empty()) {
                let why = Headers::unchangeable(record);
                return Ok(why.map(|why| format!("of a web archive, {why}")));
            }
            raw.clear();
        }
        Ok(None)
    }

    /// Takes the next bytes of a record that is passed on; returns their end.
    fn pass(&mut self, raw: &Raw) -> usize {
        let n = usize::try_from(self.passing).unwrap_or(usize::MAX).min(raw.bytes.len());
        self.passing -= n as u64;
        n
    }

    /// Adds what was found at `at`; returns the start of the next record.
    fn take(&mut self, raw: &mut Raw, at: usize, found: Found) -> usize {
        let offset = self.blocks.offset - (raw.bytes.len() - at) as u64;
        raw.members.push(at);
        match found {
            Found::Whole { end, full_end, is } => {
                match is {
                    RecordKind::Document => raw.push(at, end, full_end, offset, None),
                    RecordKind::Skipped(reason) => raw.skipped.push(Skipped { offset, reason }),
                    RecordKind::Other => {}
                }
                full_end
            }
            Found::Broken { end, why } => {
                raw.push(at, end, end, offset, Some(why.to_owned()));
                end
            }
            Found::Passing(n, is) => {
                if let RecordKind::Skipped(reason) = is {
                    raw.skipped.push(Skipped { offset, reason });
                }
                self.passing = n;
                at + self.pass_from(raw, at)
            }
            Found::More(_) => at,
        }
    }

    fn pass_from(&mut self, raw: &Raw, at: usize) -> usize {
        let here = raw.bytes.len() - at;
        let n = usize::try_from(self.passing).unwrap_or(usize::MAX).min(here);
        self.passing -= n as u64;
        n
    }

    fn find(&self, bytes: &[u8], at: usize) -> Found {
        let here = &bytes[at..];
        let ended = self.blocks.ended;
        if !here.starts_with(MAGIC) {
            let is_short = here.len() < MAGIC.len() && MAGIC.starts_with(here);
            if is_short && !ended {
                return Found::More(at + MAGIC.len());
            }
            return self.broken(bytes, at, "no record: it does not begin with `WARC/`");
        }
        let Some((head, n)) = Head::from_bytes(&here[..here.len().min(MAX_HEAD)]) else {
            if !ended && here.len() < MAX_HEAD {
                return Found::More(at + (2 * here.len()).clamp(4096, MAX_HEAD));
            }
            return self.broken(bytes, at, "its head does not end");
        };
        let length = head.get("Content-Length").and_then(|n| n.parse::<u64>().ok());
        let Some(length) = length else {
            return self.broken(bytes, at, "its head says no length");
        };
        let size = length.saturating_add(n as u64);
        if size > self.record_bytes as u64 {
            let known = here.len().min(MAX_HEAD) as u64;
            if !ended && known < size.min(MAX_HEAD as u64) {
                return Found::More(at + size.min(MAX_HEAD as u64) as usize);
            }
            if self.ends_elsewhere((self.blocks.offset - here.len() as u64).saturating_add(size)) {
                return self.broken(bytes, at, WRONG_LENGTH);
            }
            return match RecordKind::new(head, &here[n..]) {
                RecordKind::Document => {
                    let Skipped { reason, .. } = Skipped::too_long(0, self.record_bytes);
                    Found::Passing(size, RecordKind::Skipped(reason))
                }
                is => Found::Passing(size, is),
            };
        }
        let end = at + size as usize;
        // Including the two line ends behind it, and what shows that another record begins.
        let needed = end + LINE_ENDS + MAGIC.len();
        if bytes.len() < needed && !ended {
            return Found::More(needed);
        }
        if bytes.len() < end {
            return self.broken(bytes, at, CUT_OFF);
        }
        let behind = &bytes[end..bytes.len().min(needed)];
        let block = &bytes[at + n..end];
        if !is_end(behind) && (!behind.starts_with(b"\r\n\r\n") || next_record(block).is_some()) {
            return self.broken(bytes, at, WRONG_LENGTH);
        }
        let is = RecordKind::new(head, block);
        let full_end = end + line_ends(&behind[..behind.len().min(LINE_ENDS)]);
        Found::Whole { end, full_end, is }
    }

    /// Returns whether it is known that no record ends at a position of the shard.
    fn ends_elsewhere(&self, end: u64) -> bool {
        // With its last byte, so that a position behind the end of the shard shows.
        let found = self.blocks.look_at(end.saturating_sub(1), 1 + LINE_ENDS + MAGIC.len());
        let ends_here = |found: Vec<u8>| {
            found.split_first().is_some_and(|(_, behind)| {
                // Bytes of no record may follow one that ends as it should.
                is_end(behind) || behind.starts_with(b"\r\n\r\n")
            })
        };
        found.is_some_and(|found| !ends_here(found))
    }

    /// Finds the end of a broken record: the next line that begins like a record.
    fn broken(&self, bytes: &[u8], at: usize, why: &'static str) -> Found {
        match next_record(&bytes[at + 1..]) {
            Some(n) => Found::Broken { end: at + 1 + n, why },
            None if self.blocks.ended || bytes.len() - at > self.record_bytes => {
                // The beginning of that line may be here, and is looked at again.
                let end = if self.blocks.ended { bytes.len() } else { bytes.len() - 8 };
                Found::Broken { end: end.max(at + 1), why }
            }
            None => Found::More(at + (2 * (bytes.len() - at)).max(4096)),
        }
    }
}

impl RecordKind {
    fn new(head: Head<'_>, block: &[u8]) -> RecordKind {
        match payload(head, block) {
            Some(_) => RecordKind::Document,
            None => not_text(head, block).map_or(RecordKind::Other, RecordKind::Skipped),
        }
    }
}

/// Returns the start of the first line, but for the first of all, that begins like a record.
fn next_record(bytes: &[u8]) -> Option<usize> {
    memmem::find(bytes, b"\nWARC/1.").map(|n| n + 1)
}

/// Returns whether a record may end before these bytes: another one begins there, or nothing follows.
fn is_end(behind: &[u8]) -> bool {
    let n = line_ends(behind);
    let behind = &behind[n..];
    behind.is_empty() || behind.starts_with(MAGIC) || n > LINE_ENDS
}

/// Returns the number of bytes of line ends at the beginning.
fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| matches!(byte, b'\r' | b'\n')).count()
}

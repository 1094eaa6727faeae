//! Records that are lines, or rows of a table, which are lines unless a quote contains a line feed.
//!
//! Blocks of a batch's size are read and cut into records; what follows the last whole one is carried over to the next
//! batch. A line above the limit is no record: it passes as it is, a block at a time, up to its line feed, so that an open
//! quote costs one line, not the rest of the shard.
//!
//! Cost: O(n); the end of a block is copied once.

use std::sync::Arc;

use fanmill_text::Result;
use memchr::{memchr, memchr_iter};

use super::Options;
use super::batch::{Item, Parser, Raw};
use super::blocks::{BOM, Blocks};
use super::rows::{Row, row};
use crate::record::Skipped;

/// Minimum number of bytes of a batch for each record, so that a shard of empty records takes no more memory for their
/// places than for their bytes.
const BYTES_PER_ITEM: usize = size_of::<Item>();

/// The rule by which records end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Lines,
    /// Rows whose fields are separated by this byte.
    Rows(u8),
}

/// Lines or rows of a shard.
#[derive(Debug)]
pub(super) struct Lines {
    blocks: Blocks,
    /// The beginning of the next batch.
    rest: Vec<u8>,
    /// Number of bytes of the first batch that are a header.
    header: usize,
    /// True within a line that is too long to be a record.
    is_passing: bool,
    cut: Cut,
    parser: Arc<dyn Parser>,
    batch_bytes: usize,
    record_bytes: usize,
}

impl Lines {
    pub(super) fn new(blocks: Blocks, parser: impl Parser + 'static, options: &Options) -> Lines {
        Lines {
            blocks,
            rest: Vec::new(),
            header: 0,
            is_passing: false,
            cut: Cut::Lines,
            parser: Arc::new(parser),
            batch_bytes: options.batch_bytes.max(1),
            record_bytes: options.record_bytes,
        }
    }

    /// Reads rows below a header: the first `header` bytes of `beginning`, which has been read already.
    pub(super) fn rows(self, delimiter: u8, beginning: Vec<u8>, header: usize) -> Lines {
        Lines { rest: beginning, header, cut: Cut::Rows(delimiter), ..self }
    }

    /// Fills an empty stretch; returns false at the end of the shard.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::clone(&self.parser));
        std::mem::swap(&mut raw.bytes, &mut self.rest);
        let is_first = raw.bytes.len() as u64 == self.blocks.offset;
        raw.header = if is_first { std::mem::take(&mut self.header) } else { 0 };
        let mut from = raw.header;
        let mut want = self.batch_bytes.max(from);
        let end = loop {
            self.blocks.fill(&mut raw.bytes, want)?;
            if self.is_passing {
                from = self.pass(raw, from);
                if self.is_passing {
                    break from;
                }
            }
            if self.blocks.offset == raw.bytes.len() as u64 && raw.bytes.starts_with(BOM) {
                from = from.max(BOM.len());
            }
            let end = self.split(raw, from);
            if end > from || self.blocks.ended {
                break end;
            }
            // A carriage return before the line feed does not count.
            let most = from.saturating_add(self.record_bytes).saturating_add(1);
            want = (2 * raw.bytes.len()).min(most.saturating_add(1)).max(self.batch_bytes);
            if raw.bytes.len() > most {
                from = self.skip(raw, from);
                want = self.batch_bytes.max(from);
            }
        };
        self.rest.clear();
        self.rest.extend_from_slice(&raw.bytes[end..]);
        raw.bytes.truncate(end);
        Ok(!raw.bytes.is_empty() || !raw.items.is_empty())
    }

    /// Returns the position in the shard of the stretch's first byte, if none has been skipped.
    fn base(&self, raw: &Raw) -> u64 {
        self.blocks.offset - raw.bytes.len() as u64
    }

    /// Passes the record at `from` on, which is too long, up to its first line feed. Returns the end of what is passed here.
    fn skip(&mut self, raw: &mut Raw, from: usize) -> usize {
        let offset = self.base(raw) + from as u64;
        match self.first_line(&raw.bytes, from) {
            Some(FirstLine { end, full_end, fault: Some(fault) }) => {
                raw.push(from, end, full_end, offset, Some(fault));
                return full_end;
            }
            Some(FirstLine { full_end, .. }) => {
                raw.skipped.push(self.too_long(offset));
                return full_end;
            }
            None => {}
        }
        raw.skipped.push(self.too_long(offset));
        self.is_passing = true;
        self.pass(raw, from)
    }

    /// Passes the rest of a line on that is too long. Returns the end of what is passed here.
    fn pass(&mut self, raw: &Raw, from: usize) -> usize {
        let end = memchr(b'\n', &raw.bytes[from..]);
        self.is_passing = end.is_none() && !self.blocks.ended;
        end.map_or(raw.bytes.len(), |at| from + at + 1)
    }

    /// Returns the first line of a record that is too long. Only this line is given up, whether the record's end has been
    /// read or not. `None` if the line's end has not been read.
    fn first_line(&self, bytes: &[u8], start: usize) -> Option<FirstLine> {
        let at = memchr(b'\n', &bytes[start..])?;
        let fault = (at <= self.record_bytes).then(|| self.unclosed());
        Some(FirstLine { end: start + at, full_end: start + at + 1, fault })
    }

    fn unclosed(&self) -> String {
        format!("a quote that is not closed within {} bytes", self.record_bytes)
    }

    fn too_long(&self, offset: u64) -> Skipped {
        Skipped::too_long(offset, self.record_bytes)
    }

    /// Adds whole records from `from` on; returns the end of the last of them.
    fn split(&self, raw: &mut Raw, from: usize) -> usize {
        let Raw { bytes, items, skipped, .. } = raw;
        let base = self.blocks.offset - bytes.len() as u64;
        let most = items.len() + (self.batch_bytes / BYTES_PER_ITEM).max(1);
        let mut start = from;
        // Adds a record; returns false when there is no room for more.
        let mut note = |start: usize, end: usize, full_end: usize, fault: Option<String>| {
            let is_blank = bytes[start..end].trim_ascii_end().is_empty();
            let offset = base + start as u64;
            if fault.is_none() && end - start > self.record_bytes {
                skipped.push(self.too_long(offset));
            } else if !is_blank {
                let fault = fault.map(Into::into);
                items.push(Item { start, end, full_end, offset, fault });
            }
            items.len() < most
        };
        match self.cut {
            Cut::Lines => {
                // A last line without a line feed ends where the shard ends.
                let is_open = self.blocks.ended && bytes.last().is_some_and(|&last| last != b'\n');
                let ends = memchr_iter(b'\n', &bytes[from..]).map(|at| from + at + 1);
                for full_end in ends.chain(is_open.then_some(bytes.len())) {
                    let end = full_end - line_end(&bytes[start..full_end]);
                    let has_room = note(start, end, full_end, None);
                    start = full_end;
                    if !has_room {
                        break;
                    }
                }
            }
            Cut::Rows(delimiter) => {
                while start < bytes.len() {
                    let ended = self.blocks.ended;
                    let (end, full_end, fault) = match row(bytes, start, delimiter, ended) {
                        Row::Open => break,
                        Row::Whole { end, full_end } if end - start <= self.record_bytes => {
                            (end, full_end, None)
                        }
                        Row::Whole { .. } => match self.first_line(bytes, start) {
                            Some(FirstLine { end, full_end, fault }) => (end, full_end, fault),
                            None if ended => (bytes.len(), bytes.len(), None),
                            None => break,
                        },
                        Row::Unclosed => {
                            let line = memchr(b'\n', &bytes[start..]);
                            let full_end = line.map_or(bytes.len(), |at| start + at + 1);
                            let end = full_end - line_end(&bytes[start..full_end]);
                            // This fault is also reported before the end of the shard has been read.
                            let is_long = bytes.len() - start > self.record_bytes + 1;
                            let fault = "a quote that is not closed".to_owned();
                            (end, full_end, Some(if is_long { self.unclosed() } else { fault }))
                        }
                    };
                    let has_room = note(start, end, full_end, fault);
                    start = full_end;
                    if !has_room {
                        break;
                    }
                }
            }
        }
        start
    }
}

/// The first line of a record that is too long.
struct FirstLine {
    end: usize,
    full_end: usize,
    /// The fault, unless the line itself is too long.
    fault: Option<String>,
}

/// Returns the number of bytes that end a line: those of `\n`, `\r\n`, `\r` at the end of a shard, or none.
fn line_end(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n' | b'\r'] => 1,
        _ => 0,
    }
}

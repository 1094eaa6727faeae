//! Records that are lines, or rows of a table, which are lines unless a quote contains a line feed.
//!
//! Blocks of a batch's size are read and cut into records; what follows the last whole one is carried over to the next
//! batch. A record above the limit is skipped up to its next line feed without being held, so that an open quote costs
//! one line, not the rest of the shard.
//!
//! Cost: O(n); the end of a block is copied once.

use std::sync::Arc;

use fanmill_text::Result;
use memchr::{memchr, memchr_iter};

use super::Options;
use super::batch::{Item, Parser, Raw};
use super::blocks::{BOM, Blocks};
use super::rows::{Row, row};

/// Number of bytes of a line that are skipped at once.
const SKIPPED: usize = 1 << 16;
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
                from = self.skip(raw, from)?;
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

    /// Adds the record at `from` as too long, and drops it up to its first line feed. Returns the start of the next
    /// one.
    fn skip(&mut self, raw: &mut Raw, from: usize) -> Result<usize> {
        let offset = self.base(raw) + from as u64;
        if let Some((end, full_end, fault)) = self.first_line(&raw.bytes, from) {
            raw.push(from, end, full_end, offset, Some(fault));
            return Ok(full_end);
        }
        raw.push(from, from, from, offset, Some(self.too_long()));
        loop {
            raw.bytes.truncate(from);
            self.blocks.fill(&mut raw.bytes, from + SKIPPED)?;
            if let Some(at) = memchr(b'\n', &raw.bytes[from..]) {
                raw.bytes.drain(from..=from + at);
                return Ok(from);
            }
            if self.blocks.ended {
                raw.bytes.truncate(from);
                return Ok(from);
            }
        }
    }

    /// Returns the first line of a record that is too long, and its fault. Only this line is given up, whether the
    /// record's end has been read or not. `None` if the line's end has not been read.
    fn first_line(&self, bytes: &[u8], start: usize) -> Option<(usize, usize, String)> {
        let at = memchr(b'\n', &bytes[start..])?;
        let is_row = at <= self.record_bytes;
        let fault = if is_row { self.unclosed() } else { self.too_long() };
        Some((start + at, start + at + 1, fault))
    }

    fn unclosed(&self) -> String {
        format!("a quote that is not closed within {} bytes", self.record_bytes)
    }

    fn too_long(&self) -> String {
        format!("longer than the limit of {} bytes for a record", self.record_bytes)
    }

    /// Adds whole records from `from` on; returns the end of the last of them.
    fn split(&self, raw: &mut Raw, from: usize) -> usize {
        let Raw { bytes, items, .. } = raw;
        let base = self.blocks.offset - bytes.len() as u64;
        let most = items.len() + (self.batch_bytes / BYTES_PER_ITEM).max(1);
        let mut start = from;
        // Adds a record; returns false when there is no room for more.
        let mut note = |start: usize, end: usize, full_end: usize, fault: Option<String>| {
            let is_blank = bytes[start..end].trim_ascii_end().is_empty();
            if !is_blank {
                let is_long = end - start > self.record_bytes;
                let fault = fault.or_else(|| is_long.then(|| self.too_long())).map(Into::into);
                let offset = base + start as u64;
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
                            Some((end, full_end, fault)) => (end, full_end, Some(fault)),
                            None if ended => (bytes.len(), bytes.len(), Some(self.too_long())),
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

/// Returns the number of bytes that end a line: those of `\n`, `\r\n`, `\r` at the end of a shard, or none.
fn line_end(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n' | b'\r'] => 1,
        _ => 0,
    }
}

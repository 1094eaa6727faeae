//! Records that are lines: cut at line feeds, whatever is in between.
//!
//! Blocks of a batch's size are read and line feeds found by `memchr`. What follows the last line
//! feed is carried over to the next batch. A line above the limit is skipped without being held.
//!
//! Cost: O(n); the end of a block is copied once.

use std::sync::Arc;

use fanmill::Result;
use memchr::{memchr, memchr_iter, memrchr};

use super::Options;
use super::batch::{Item, Parser, Raw};
use super::blocks::Blocks;

/// A byte order mark, which is no part of the first line.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";
/// Bytes of a line that are skipped at once.
const SKIPPED: usize = 1 << 16;
/// Bytes of a batch for each record at least, so that a shard of empty records takes no more memory
/// for their places than for their bytes.
const BYTES_PER_ITEM: usize = size_of::<Item>();

/// Lines of a shard.
#[derive(Debug)]
pub(super) struct Lines {
    blocks: Blocks,
    /// The beginning of the next batch.
    rest: Vec<u8>,
    parser: Arc<Parser>,
    batch_bytes: usize,
    record_bytes: usize,
}

impl Lines {
    pub(super) fn new(blocks: Blocks, parser: Parser, options: &Options) -> Lines {
        Lines {
            blocks,
            rest: Vec::new(),
            parser: Arc::new(parser),
            batch_bytes: options.batch_bytes.max(1),
            record_bytes: options.record_bytes,
        }
    }

    /// Fills an empty stretch; false at the end of the shard.
    pub(super) fn next(&mut self, raw: &mut Raw) -> Result<bool> {
        raw.parser = Some(Arc::clone(&self.parser));
        std::mem::swap(&mut raw.bytes, &mut self.rest);
        let (mut want, mut searched) = (self.batch_bytes, 0);
        let end = loop {
            self.blocks.fill(&mut raw.bytes, want)?;
            if self.blocks.ended {
                break raw.bytes.len();
            }
            if let Some(at) = memrchr(b'\n', &raw.bytes[searched..]) {
                break searched + at + 1;
            }
            searched = raw.bytes.len();
            // A carriage return before the line feed does not count.
            let most = self.record_bytes.saturating_add(1);
            want = (2 * searched).min(most.saturating_add(1)).max(self.batch_bytes);
            if searched > most {
                self.skip(raw)?;
                (want, searched) = (self.batch_bytes, 0);
            }
        };
        let end = self.split(raw, end);
        self.rest.clear();
        self.rest.extend_from_slice(&raw.bytes[end..]);
        raw.bytes.truncate(end);
        Ok(!raw.bytes.is_empty() || !raw.items.is_empty())
    }

    /// Where the first byte of the stretch is in the shard.
    fn base(&self, raw: &Raw) -> u64 {
        self.blocks.offset - raw.bytes.len() as u64
    }

    /// Notes the line that the stretch begins with and has no end in it, and drops it to its end.
    fn skip(&mut self, raw: &mut Raw) -> Result<()> {
        let fault = Some(self.too_long());
        let offset = self.base(raw);
        raw.items.push(Item { start: 0, end: 0, full_end: 0, offset, fault });
        loop {
            raw.bytes.clear();
            self.blocks.fill(&mut raw.bytes, SKIPPED)?;
            if let Some(at) = memchr(b'\n', &raw.bytes) {
                raw.bytes.drain(..=at);
                return Ok(());
            }
            if self.blocks.ended {
                raw.bytes.clear();
                return Ok(());
            }
        }
    }

    fn too_long(&self) -> Box<str> {
        format!("longer than the limit of {} bytes for a record", self.record_bytes).into()
    }

    /// Notes the lines before `end`; returns where the last of them ends.
    fn split(&self, raw: &mut Raw, end: usize) -> usize {
        let base = self.base(raw);
        let most = (self.batch_bytes / BYTES_PER_ITEM).max(1);
        let mut start = if base == 0 && raw.bytes.starts_with(BOM) { BOM.len() } else { 0 };
        // A last line without a line feed ends where the shard ends.
        let is_open = end > 0 && raw.bytes[end - 1] != b'\n';
        let ends = memchr_iter(b'\n', &raw.bytes[..end]).map(|at| at + 1);
        for full_end in ends.chain(is_open.then_some(end)) {
            let line = &raw.bytes[start..full_end];
            let n_spaces = line.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
            if n_spaces < line.len() {
                let line_end = full_end - line_end(line);
                let fault = (line_end - start > self.record_bytes).then(|| self.too_long());
                let offset = base + start as u64;
                raw.items.push(Item { start, end: line_end, full_end, offset, fault });
            }
            start = full_end;
            if raw.items.len() >= most {
                break;
            }
        }
        start
    }
}

/// How many bytes end a line: those of `\n`, `\r\n`, `\r` at the end of a shard, or none.
fn line_end(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n' | b'\r'] => 1,
        _ => 0,
    }
}

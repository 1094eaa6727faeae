//! Entries of the directory: a path, a title, and the place of a text or the entry that they lead to.

use std::io;

use crate::Fault;
use crate::read_at::ReadAt;
use crate::zim::header::{u16_at, u32_at};

/// Number of a type that says that an entry leads to another one.
const REDIRECT: u16 = 0xFFFF;
/// Numbers of types of entries that are deleted, or are links only.
const WITHOUT_TEXT: [u16; 2] = [0xFFFE, 0xFFFD];
/// Maximum length of an entry in bytes; paths have at most a few thousand.
const LONGEST: usize = 1 << 16;
/// Number of bytes of an entry that are looked at first.
const USUAL: usize = 512;
/// Number of bytes read at once where entries follow each other.
const AHEAD: usize = 1 << 18;

/// Content of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// A text of a type, in a cluster.
    Text { kind: u16, cluster: u32, blob: u32 },
    /// Another entry.
    Entry(u32),
    /// Nothing.
    Nothing,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) namespace: u8,
    pub(super) leads: Leads,
    pub(super) path: String,
    /// Empty if it is the path.
    pub(super) title: String,
}

impl Entry {
    /// Parses an entry; `None` if it does not end within the bytes.
    fn parse(bytes: &[u8]) -> Option<Entry> {
        let kind = u16_at(bytes.get(..8)?, 0);
        let (leads, n) = match kind {
            REDIRECT => (Leads::Entry(u32_at(bytes.get(..12)?, 8)), 12),
            kind if WITHOUT_TEXT.contains(&kind) => (Leads::Nothing, 8),
            kind => {
                let bytes = bytes.get(..16)?;
                let (cluster, blob) = (u32_at(bytes, 8), u32_at(bytes, 12));
                (Leads::Text { kind, cluster, blob }, 16)
            }
        };
        let path_end = memchr::memchr(0, &bytes[n..])?;
        let behind = &bytes[n + path_end + 1..];
        let title_end = memchr::memchr(0, behind)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(Entry {
            namespace: bytes[3],
            leads,
            path: text(&bytes[n..n + path_end]),
            title: text(&behind[..title_end]),
        })
    }

    /// Returns its title or, if it has none of its own, its path.
    pub(super) fn title(&self) -> &str {
        if self.title.is_empty() { &self.path } else { &self.title }
    }
}

/// A stretch of the file around the entries that are being read.
#[derive(Debug)]
pub(super) struct Window<'a> {
    input: &'a dyn ReadAt,
    bytes: Vec<u8>,
    start: u64,
}

impl<'a> Window<'a> {
    pub(super) fn new(input: &'a dyn ReadAt) -> Window<'a> {
        Window { input, bytes: Vec::new(), start: 0 }
    }

    /// Reads the entry at a position; `Ok(None)` if there is none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn entry(&mut self, at: u64) -> Result<Option<Entry>, Fault> {
        let found = Entry::parse(self.bytes(at, USUAL).map_err(Fault::Io)?);
        Ok(match found {
            None => Entry::parse(self.bytes(at, LONGEST).map_err(Fault::Io)?),
            found => found,
        })
    }

    /// Returns `n` bytes from a position on, fewer at the end of the file.
    fn bytes(&mut self, at: u64, n: usize) -> io::Result<&[u8]> {
        let end = self.input.n_bytes();
        if at >= end {
            return Ok(&[]);
        }
        let wanted = |n: usize| (end - at).min(n as u64) as usize;
        let own_end = self.start + self.bytes.len() as u64;
        let is_held = self.start <= at && at + wanted(n) as u64 <= own_end;
        if !is_held {
            // Entries usually follow each other. Where they do not, reading ahead would be for nothing.
            let follows = self.start <= at && at <= own_end.saturating_add(USUAL as u64);
            let n = if follows { n.max(AHEAD) } else { n };
            self.bytes.clear();
            self.bytes.resize(wanted(n), 0);
            self.start = at;
            self.input.read_exact_at(&mut self.bytes, at)?;
        }
        let from = (at - self.start) as usize;
        Ok(&self.bytes[from..from + wanted(n)])
    }
}

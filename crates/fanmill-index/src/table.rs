//! A table from hashes to the documents that hold them, with positions, in blocks of a segment's file.
//!
//! Blocks are those of [`fanmill::index::encoding`]. The first hash and the start of each block stay in memory, 16
//! bytes for 32 hashes. A look-up finds its block there, reads the block's head, and then only as many postings as it
//! wants. Names of documents are found in the same way as fingerprints, by the hash of the name.
//!
//! In tables with surroundings, each block is followed by four bytes for each of its postings.

use std::io::{self, Write};

use fanmill::index::Posting;
use fanmill::index::encoding::{self, BLOCK, Block, HEAD, Head};
use fanmill::surroundings::Surroundings;
use fanmill_disk::segments::pages::{PageFile, PageWriter};
use fanmill_text::Result;
use serde::{Deserialize, Serialize};

/// Counts of a table, which the file's tail has besides the index of its blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) hashes: u64,
    pub(crate) postings: u64,
    /// Number of blocks.
    blocks: u64,
    /// End of the last block.
    end: u64,
}

/// Writes a table.
#[derive(Debug, Default)]
pub(crate) struct TableWriter {
    /// Hashes of the current block, each with the end of its postings.
    hashes: Vec<(u64, usize)>,
    postings: Vec<Posting>,
    /// Surroundings of each posting; empty if the table does not have any.
    around: Vec<Surroundings>,
    /// First hash and first byte of each block.
    blocks: Vec<(u64, u64)>,
    counts: Counts,
    packed: Vec<u8>,
}

impl TableWriter {
    /// Adds a hash, greater than all before, with its postings (ascending, at least one) and their surroundings. Either
    /// all hashes of a table have surroundings, or none has.
    pub(crate) fn push<W: Write>(
        &mut self,
        hash: u64,
        postings: &[Posting],
        around: &[Surroundings],
        out: &mut PageWriter<W>,
    ) -> io::Result<()> {
        if self.hashes.len() == BLOCK {
            self.end_block(out)?;
        }
        self.postings.extend_from_slice(postings);
        self.around.extend_from_slice(around);
        self.hashes.push((hash, self.postings.len()));
        self.counts.hashes += 1;
        self.counts.postings += postings.len() as u64;
        Ok(())
    }

    fn end_block<W: Write>(&mut self, out: &mut PageWriter<W>) -> io::Result<()> {
        let Some(&(first, _)) = self.hashes.first() else { return Ok(()) };
        let mut start = 0;
        let groups: Vec<(u64, &[Posting])> = self
            .hashes
            .iter()
            .map(|&(hash, end)| (hash, &self.postings[std::mem::replace(&mut start, end)..end]))
            .collect();
        self.packed.clear();
        encoding::append(&groups, &mut self.packed);
        self.packed.extend(self.around.drain(..).flat_map(|around| around.0.to_le_bytes()));
        self.blocks.push((first, out.at()));
        out.write(&self.packed)?;
        self.hashes.clear();
        self.postings.clear();
        Ok(())
    }

    /// Finishes the table.
    pub(crate) fn finish<W: Write>(mut self, out: &mut PageWriter<W>) -> io::Result<WrittenTable> {
        self.end_block(out)?;
        self.counts.blocks = self.blocks.len() as u64;
        self.counts.end = out.at();
        Ok(WrittenTable { counts: self.counts, blocks: self.blocks })
    }
}

/// A table that was written, except for its index, which goes into the tail.
pub(crate) struct WrittenTable {
    pub(crate) counts: Counts,
    blocks: Vec<(u64, u64)>,
}

impl WrittenTable {
    pub(crate) fn write_index<W: Write>(&self, out: &mut PageWriter<W>) -> io::Result<()> {
        for (hash, at) in &self.blocks {
            out.write(&hash.to_le_bytes())?;
            out.write(&at.to_le_bytes())?;
        }
        Ok(())
    }
}

/// A table open for reading.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) counts: Counts,
    /// True if it stores the surroundings of postings.
    has_surroundings: bool,
    blocks: Vec<(u64, u64)>,
}

impl Table {
    /// Takes the index of the blocks from the front of `tail`; `None` if it is not valid.
    pub(crate) fn read(counts: Counts, has_surroundings: bool, tail: &mut &[u8]) -> Option<Table> {
        let n = usize::try_from(counts.blocks).ok()?.checked_mul(16)?;
        let (index, rest) = tail.split_at_checked(n)?;
        *tail = rest;
        let number =
            |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let blocks: Vec<(u64, u64)> =
            index.chunks_exact(16).map(|entry| (number(entry), number(&entry[8..]))).collect();
        let ascends = blocks.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1);
        let ends = blocks.last().is_none_or(|last| last.1 < counts.end);
        (ascends && ends).then_some(Table { counts, has_surroundings, blocks })
    }

    /// Replaces `found` with the postings of a hash in documents that are `wanted`: in all of these if there are at
    /// most `most`, and in the first `most` otherwise. Returns the number of documents that hold the hash, wanted or
    /// not.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub(crate) fn find(
        &self,
        file: &PageFile,
        hash: u64,
        most: u64,
        wanted: impl Fn(u32) -> bool,
        found: &mut Vec<Posting>,
    ) -> Result<u64> {
        found.clear();
        let Some(i) = self.blocks.partition_point(|block| block.0 <= hash).checked_sub(1) else {
            return Ok(0);
        };
        let (start, end) = self.range(i);
        let mut bytes = Vec::new();
        file.read(start, (end - start).min(HEAD as u64), &mut bytes)?;
        let head = Head::parse(&bytes).map_err(|_| file.damaged("a block cannot be read"))?;
        let Some(place) = head.find(hash) else { return Ok(0) };
        // A posting has two numbers of at most five bytes each. If not all documents are wanted, more is read later.
        let mut n = if place.n_documents <= most { place.n_bytes } else { most.saturating_mul(10) };
        loop {
            n = n.min(place.n_bytes);
            // The head was read along with some bytes that follow it.
            let read = place.start as usize..(place.start + n) as usize;
            let read = if read.end <= bytes.len() {
                read
            } else {
                file.read(start.saturating_add(place.start), n, &mut bytes)?;
                0..n as usize
            };
            let mut own = &bytes[read];
            let is_whole = n == place.n_bytes;
            found.clear();
            let read = if is_whole {
                encoding::postings(place.n_documents, own, found)
            } else {
                // The last posting may be cut off.
                let _ = encoding::first_postings(&mut own, u64::MAX, found);
                Ok(())
            };
            read.map_err(|_| file.damaged("postings cannot be read"))?;
            found.retain(|posting| wanted(posting.document));
            let n_found = keep_first(found, most);
            if is_whole || n_found >= most {
                return Ok(place.n_documents);
            }
            n = n.saturating_mul(4).max(1);
            // The buffer does not begin with the block any more, so the next round has to read.
            bytes.clear();
        }
    }

    /// Replaces `found` with all postings of a hash and their surroundings; with none if the table does not store
    /// these.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub(crate) fn find_around(
        &self,
        file: &PageFile,
        hash: u64,
        found: &mut Vec<(Posting, Surroundings)>,
    ) -> Result<()> {
        found.clear();
        let block = self.blocks.partition_point(|block| block.0 <= hash).checked_sub(1);
        let Some(i) = block.filter(|_| self.has_surroundings) else { return Ok(()) };
        let (start, end) = self.range(i);
        let mut bytes = Vec::new();
        file.read(start, end - start, &mut bytes)?;
        let wrong = || file.damaged("a block cannot be read");
        let (block, rest) = Block::parse(&bytes).map_err(|_| wrong())?;
        let Ok(place) = block.hashes().binary_search(&hash) else { return Ok(()) };
        let (mut before, mut own) = (Vec::new(), Vec::new());
        (0..place).try_for_each(|i| block.postings(i, &mut before)).map_err(|_| wrong())?;
        block.postings(place, &mut own).map_err(|_| wrong())?;
        let around = surroundings(rest).skip(before.len());
        found.extend(own.into_iter().zip(around));
        Ok(())
    }

    /// Returns a cursor over all hashes, in order, each with its postings.
    pub(crate) fn cursor<'a>(&'a self, file: &'a PageFile) -> Cursor<'a> {
        Cursor {
            table: self,
            file,
            next: 0,
            bytes: Vec::new(),
            hashes: Vec::new(),
            postings: Vec::new(),
            around: Vec::new(),
            at: 0,
        }
    }

    fn range(&self, i: usize) -> (u64, u64) {
        let end = self.blocks.get(i + 1).map_or(self.counts.end, |next| next.1);
        (self.blocks[i].1, end)
    }
}

/// Reads the surroundings of a block's postings from the bytes that follow it.
fn surroundings(bytes: &[u8]) -> impl Iterator<Item = Surroundings> + '_ {
    let (fours, _) = bytes.as_chunks::<4>();
    fours.iter().map(|bytes| Surroundings(u32::from_le_bytes(*bytes)))
}

/// Keeps the postings of the first `most` documents; returns the number of documents left.
fn keep_first(postings: &mut Vec<Posting>, most: u64) -> u64 {
    let (mut n_documents, mut n_kept) = (0, 0);
    for own in postings.chunk_by(|x, y| x.document == y.document) {
        if n_documents == most {
            break;
        }
        n_documents += 1;
        n_kept += own.len();
    }
    postings.truncate(n_kept);
    n_documents
}

/// A cursor over the hashes of a table, in order.
pub(crate) struct Cursor<'a> {
    table: &'a Table,
    file: &'a PageFile,
    /// Number of the next block.
    next: usize,
    bytes: Vec<u8>,
    /// Hashes of the current block, each with the end of its postings.
    hashes: Vec<(u64, usize)>,
    postings: Vec<Posting>,
    /// Surroundings of each posting; empty if the table does not have any.
    around: Vec<Surroundings>,
    at: usize,
}

/// A hash with its postings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) hash: u64,
    pub(crate) postings: &'a [Posting],
    /// Surroundings of each posting; empty if the table does not have any.
    pub(crate) around: &'a [Surroundings],
}

impl Cursor<'_> {
    /// Returns the current entry; `None` after the last one.
    ///
    /// # Errors
    /// If the file is damaged, or cannot be read.
    pub(crate) fn peek(&mut self) -> Result<Option<Entry<'_>>> {
        if self.at == self.hashes.len() {
            if self.next == self.table.blocks.len() {
                return Ok(None);
            }
            self.read_block()?;
        }
        let start = self.at.checked_sub(1).map_or(0, |before| self.hashes[before].1);
        let (hash, end) = self.hashes[self.at];
        let around = self.around.get(start..end).unwrap_or_default();
        Ok(Some(Entry { hash, postings: &self.postings[start..end], around }))
    }

    /// Moves on to the next entry.
    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    fn read_block(&mut self) -> Result<()> {
        let before = self.hashes.last().map(|last| last.0);
        let (start, end) = self.table.range(self.next);
        self.file.read(start, end - start, &mut self.bytes)?;
        let wrong = || self.file.damaged("a block cannot be read");
        let (block, rest) = Block::parse(&self.bytes).map_err(|_| wrong())?;
        self.hashes.clear();
        self.postings.clear();
        for (i, &hash) in block.hashes().iter().enumerate() {
            block.postings(i, &mut self.postings).map_err(|_| wrong())?;
            self.hashes.push((hash, self.postings.len()));
        }
        self.around.clear();
        self.around.extend(surroundings(rest));
        let n_around = if self.table.has_surroundings { self.postings.len() } else { 0 };
        let first = self.hashes[0].0;
        let is_next = before.is_none_or(|before| before < first);
        let is_whole = rest.len() == 4 * n_around;
        if !is_whole || !is_next || first != self.table.blocks[self.next].0 {
            return Err(wrong());
        }
        (self.next, self.at) = (self.next + 1, 0);
        Ok(())
    }
}

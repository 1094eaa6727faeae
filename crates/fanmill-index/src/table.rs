//! A table from hashes to the documents that hold them, with positions, in blocks of a segment's file.
//!
//! Blocks are those of [`block`](crate::block). The first hash and the start of each stay in memory, 16 bytes for 64
//! hashes (32 in files of earlier versions). A look-up finds its block there, reads the block's head, and then only as
//! many postings as it wants. Names of documents are found in the same way as fingerprints, by the hash of the name.
//!
//! In tables with surroundings, each block is followed by four bytes for each of its postings.

use std::io::{self, Write};

use fanmill::index::Posting;
use fanmill::index::encoding;
use fanmill::surroundings::Surroundings;
use fanmill_disk::segments::pages::{PageFile, PageWriter};
use fanmill_text::Result;
use serde::{Deserialize, Serialize};

use crate::block::{Form, PlacedPostings};

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
    form: Form,
    /// Stored hashes of the current block, each with the end of its postings.
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
    /// Begins a table of blocks of this form.
    pub(crate) fn new(form: Form) -> TableWriter {
        TableWriter { form, ..TableWriter::default() }
    }

    /// Adds a hash, greater than all before, with its postings (ascending, at least one) and their surroundings. Either
    /// all hashes of a table have surroundings, or none has.
    pub(crate) fn push<W: Write>(
        &mut self,
        hash: u64,
        postings: &[Posting],
        around: &[Surroundings],
        out: &mut PageWriter<W>,
    ) -> io::Result<()> {
        let stored = self.form.stored(hash);
        if self.hashes.last().is_some_and(|last| last.0 == stored) {
            self.add_to_last(postings, around);
            return Ok(());
        }
        if self.hashes.len() == self.form.capacity() {
            self.end_block(out)?;
        }
        self.postings.extend_from_slice(postings);
        self.around.extend_from_slice(around);
        self.hashes.push((stored, self.postings.len()));
        self.counts.hashes += 1;
        self.counts.postings += postings.len() as u64;
        Ok(())
    }

    /// Adds the postings of a hash that is stored like the last one.
    fn add_to_last(&mut self, postings: &[Posting], around: &[Surroundings]) {
        let start = self.hashes.len().checked_sub(2).map_or(0, |before| self.hashes[before].1);
        let mut own = self.postings.split_off(start);
        own.extend_from_slice(postings);
        let mut own_around = self.around.split_off(start.min(self.around.len()));
        own_around.extend_from_slice(around);
        let n_before = own.len() - postings.len();
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by_key(|&number| own[number]);
        order.dedup_by_key(|number| own[*number]);
        self.postings.extend(order.iter().map(|&number| own[number]));
        self.around.extend(order.iter().filter_map(|&number| own_around.get(number)));
        self.counts.postings += (order.len() - n_before) as u64;
        if let Some((_, end)) = self.hashes.last_mut() {
            *end = self.postings.len();
        }
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
        self.form.append(&groups, &mut self.packed);
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
    form: Form,
    /// True if it stores the surroundings of postings.
    has_surroundings: bool,
    blocks: Vec<(u64, u64)>,
}

impl Table {
    /// Takes the index of the blocks from the front of `tail`; `None` if it is not valid.
    pub(crate) fn read(
        counts: Counts,
        form: Form,
        has_surroundings: bool,
        tail: &mut &[u8],
    ) -> Option<Table> {
        let n = usize::try_from(counts.blocks).ok()?.checked_mul(16)?;
        let (index, rest) = tail.split_at_checked(n)?;
        *tail = rest;
        let number =
            |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let blocks: Vec<(u64, u64)> =
            index.chunks_exact(16).map(|entry| (number(entry), number(&entry[8..]))).collect();
        let ascends = blocks.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1);
        let ends = blocks.last().is_none_or(|last| last.1 < counts.end);
        (ascends && ends).then_some(Table { counts, form, has_surroundings, blocks })
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
        let stored = self.form.stored(hash);
        let Some(i) = self.block(stored) else { return Ok(0) };
        let (start, end) = self.range(i);
        let mut bytes = Vec::new();
        file.read(start, (end - start).min(self.form.longest_head() as u64), &mut bytes)?;
        let head = self.form.head(self.blocks[i].0, &bytes);
        let head = head.ok_or_else(|| file.damaged("a block cannot be read"))?;
        let place = match head.find(stored) {
            None => return Ok(0),
            Some(PlacedPostings::One(posting)) => {
                found.extend(Some(posting).filter(|posting| wanted(posting.document)));
                return Ok(1);
            }
            Some(PlacedPostings::Several(place)) => place,
        };
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
        let stored = self.form.stored(hash);
        let Some(i) = self.block(stored).filter(|_| self.has_surroundings) else { return Ok(()) };
        let (start, end) = self.range(i);
        let mut bytes = Vec::new();
        file.read(start, end - start, &mut bytes)?;
        let wrong = || file.damaged("a block cannot be read");
        let head = self.form.head(self.blocks[i].0, &bytes).ok_or_else(wrong)?;
        let (block, rest) = head.split(&bytes).ok_or_else(wrong)?;
        let Ok(number) = head.hashes.binary_search(&stored) else { return Ok(()) };
        let (mut before, mut own) = (Vec::new(), Vec::new());
        let mut earlier = head.places[..number].iter();
        earlier
            .try_for_each(|place| place.append_postings(block, &mut before))
            .ok_or_else(wrong)?;
        head.places[number].append_postings(block, &mut own).ok_or_else(wrong)?;
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

    /// Returns the number of the block that may have a stored hash.
    fn block(&self, stored: u64) -> Option<usize> {
        self.blocks.partition_point(|block| block.0 <= stored).checked_sub(1)
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
    /// Hashes of the current block, restored, each with the end of its postings.
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
        let Table { form, ref blocks, .. } = *self.table;
        let head = form.head(blocks[self.next].0, &self.bytes).ok_or_else(wrong)?;
        let (block, rest) = head.split(&self.bytes).ok_or_else(wrong)?;
        self.hashes.clear();
        self.postings.clear();
        for (&stored, place) in head.hashes.iter().zip(&head.places) {
            place.append_postings(block, &mut self.postings).ok_or_else(wrong)?;
            self.hashes.push((form.restored(stored), self.postings.len()));
        }
        self.around.clear();
        self.around.extend(surroundings(rest));
        let n_around = if self.table.has_surroundings { self.postings.len() } else { 0 };
        let is_next = before.is_none_or(|before| before < self.hashes[0].0);
        let is_whole = rest.len() == 4 * n_around;
        if !is_whole || !is_next {
            return Err(wrong());
        }
        (self.next, self.at) = (self.next + 1, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use fanmill_disk::segments::pages::FileEntry;

    use super::*;

    /// Writes a table of hashes with postings, and surroundings that are ten times the position.
    fn written(form: Form, folder: &Path, groups: &[(u64, &[(u32, u32)])]) -> (Table, PageFile) {
        let mut bytes = Vec::new();
        let mut out = PageWriter::new("table", &mut bytes);
        let mut table = TableWriter::new(form);
        for (hash, own) in groups {
            let postings: Vec<Posting> =
                own.iter().map(|&(document, at)| Posting { document, at }).collect();
            let around: Vec<Surroundings> =
                own.iter().map(|own| Surroundings(10 * own.1)).collect();
            table.push(*hash, &postings, &around, &mut out).expect("memory");
        }
        let table = table.finish(&mut out).expect("memory");
        out.begin_tail();
        table.write_index(&mut out).expect("memory");
        let entry: FileEntry = out.finish("table").expect("memory");
        fs::write(folder.join("table"), bytes).expect("room");
        let (file, tail) = PageFile::open(folder, &entry).expect("own file");
        (Table::read(table.counts, form, true, &mut &*tail).expect("own tail"), file)
    }

    /// Hashes of a merged index that has packed blocks and plain ones may be equal in the bits that are stored.
    #[test]
    fn hashes_that_are_stored_alike_are_one() {
        let (one, other, next) = (7 << 16 | 1, 7 << 16 | 2, 8 << 16);
        let groups: [(u64, &[(u32, u32)]); 3] = [
            (one, &[(1, 5), (4, 0), (4, 2)]),
            (other, &[(0, 3), (1, 4), (4, 0)]),
            (next, &[(2, 2)]),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let (table, file) = written(Form::Packed, folder.path(), &groups);
        let together = [(0, 3), (1, 4), (1, 5), (4, 0), (4, 2)];
        assert_eq!((table.counts.hashes, table.counts.postings), (2, 6));
        for hash in [one, other, 7 << 16] {
            let mut found = Vec::new();
            assert_eq!(table.find(&file, hash, 64, |_| true, &mut found).expect("own file"), 3);
            let places: Vec<_> = found.iter().map(|own| (own.document, own.at)).collect();
            assert_eq!(places, together);
            let mut around = Vec::new();
            table.find_around(&file, hash, &mut around).expect("own file");
            let is_own = |(own, around): &(Posting, Surroundings)| around.0 == 10 * own.at;
            assert!(around.len() == 5 && around.iter().all(is_own), "{around:?}");
        }
        let mut found = Vec::new();
        assert_eq!(table.find(&file, next, 64, |_| true, &mut found).expect("own file"), 1);
        assert_eq!(found, [Posting { document: 2, at: 2 }]);
        let (table, file) = written(Form::Plain, folder.path(), &groups);
        assert_eq!((table.counts.hashes, table.counts.postings), (3, 7));
        assert_eq!(table.find(&file, one, 64, |_| true, &mut found).expect("own file"), 2);
    }
}

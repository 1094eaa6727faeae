//! Columns: rows of any number of items, addressed by number. There may be more than fit into memory.
//!
//! Rows are appended once and then read in any order: texts, or the shingle sets of documents whose pairs are verified.
//! The first rows stay in memory, up to the budget; the others go to an unnamed file, from which each is read by its
//! position, in one piece.
//!
//! Cost: 8 bytes of memory for each row besides the budget; one system call for a row that is on disk, so a caller who
//! walks pairs should keep the document that neighbouring pairs share.

use std::path::{Path, PathBuf};

use fanmill_text::{Error, Result};

use super::file::ScratchFile;
use super::fixed_bytes::{self, FixedBytes};
use super::reserve_one;

/// Maximum number of bytes written together, if the budget has them.
const MOST_BUFFER: usize = 1 << 18;

/// Rows of items; see the [module](self).
#[derive(Debug)]
pub(crate) struct Column<T> {
    /// Items of the rows in memory, one row after another.
    items: Vec<T>,
    /// Maximum number of items in memory.
    capacity: usize,
    /// End of each row, in items from the first row on.
    ends: Vec<u64>,
    disk: Option<Disk>,
    /// Number of bytes that are written together.
    buffer: usize,
    folder: PathBuf,
}

/// Rows that came when memory was full.
#[derive(Debug)]
struct Disk {
    file: ScratchFile,
    /// Whole rows that are not in the file yet.
    tail: Vec<u8>,
    /// Position of the first item on disk.
    start: u64,
}

/// Items of a row that are read from disk at once.
const PIECE: usize = 1 << 13;

/// Buffer for a row that is read from disk; one for each thread and row that is looked at.
#[derive(Debug, Clone)]
pub(crate) struct Scratch<T> {
    bytes: Vec<u8>,
    items: Vec<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Scratch<T> {
        Scratch { bytes: Vec::new(), items: Vec::new() }
    }
}

impl<T: FixedBytes> Column<T> {
    /// Keeps items within `memory` bytes; what does not fit goes to an unnamed file in `folder`, which is not touched
    /// before.
    pub(crate) fn new(folder: &Path, memory: usize) -> Column<T> {
        let buffer = (memory / 16).min(MOST_BUFFER);
        Column {
            items: Vec::new(),
            capacity: (memory - buffer) / size_of::<T>(),
            ends: Vec::new(),
            disk: None,
            buffer,
            folder: folder.to_owned(),
        }
    }

    /// Returns the number of rows so far.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of bytes of memory that it holds, including the positions of rows.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.items.capacity() * size_of::<T>()
            + self.ends.capacity() * size_of::<u64>()
            + self.disk.as_ref().map_or(0, |disk| disk.tail.capacity())
    }

    /// Adds a row and returns its number: 0 for the first, one more for each.
    ///
    /// # Errors
    /// If the memory is full and the disk cannot take the row; if there are 2^32 rows.
    pub(crate) fn push(&mut self, row: &[T]) -> Result<u32> {
        let number = u32::try_from(self.ends.len()).map_err(|_| {
            Error::input(
                "there are 2^32 records to keep, one more than can be numbered; split the input",
            )
        })?;
        if self.disk.is_none() && row.len() <= self.capacity - self.items.len() {
            for &item in row {
                reserve_one(&mut self.items, self.capacity);
                self.items.push(item);
            }
        } else {
            self.push_to_disk(row)?;
        }
        let end = self.ends.last().copied().unwrap_or(0) + row.len() as u64;
        self.ends.push(end);
        Ok(number)
    }

    fn push_to_disk(&mut self, row: &[T]) -> Result<()> {
        let disk = match &mut self.disk {
            Some(disk) => disk,
            none => none.insert(Disk {
                file: ScratchFile::new(&self.folder)?,
                tail: Vec::with_capacity(self.buffer),
                start: self.items.len() as u64,
            }),
        };
        if disk.tail.len() + row.len() * T::BYTES <= self.buffer {
            fixed_bytes::append(row, &mut disk.tail);
            return Ok(());
        }
        // A row is never cut between file and tail, so one that is too long goes through at once.
        let is_long = row.len() * T::BYTES > self.buffer;
        disk.flush()?;
        for part in row.chunks((self.buffer / T::BYTES).max(1)) {
            fixed_bytes::append(part, &mut disk.tail);
            if is_long {
                disk.flush()?;
            }
        }
        Ok(())
    }

    /// Returns a row: borrowed if it is in memory, otherwise read into `scratch`.
    ///
    /// # Errors
    /// If the disk fails.
    ///
    /// # Panics
    /// If there is no such row.
    pub(crate) fn get<'a>(&'a self, row: u32, scratch: &'a mut Scratch<T>) -> Result<&'a [T]> {
        let row = row as usize;
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends[row];
        match &self.disk {
            Some(disk) if start >= disk.start => {
                let Scratch { bytes, items } = scratch;
                items.clear();
                items.reserve((end - start) as usize);
                // In pieces, so that a long row is in memory once.
                let (start, end) = (start - disk.start, end - disk.start);
                for start in (start..end).step_by(PIECE) {
                    let piece = disk.row::<T>(start, end.min(start + PIECE as u64), bytes)?;
                    items.extend(piece.chunks_exact(T::BYTES).map(T::read));
                }
                Ok(items)
            }
            _ => Ok(&self.items[start as usize..end as usize]),
        }
    }

    /// Returns the number of items in a row, without reading it.
    ///
    /// # Panics
    /// If there is no such row.
    pub(crate) fn row_len(&self, row: u32) -> usize {
        let row = row as usize;
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.ends[row] - start) as usize
    }
}

impl Disk {
    fn flush(&mut self) -> Result<()> {
        self.file.append(&self.tail)?;
        self.tail.clear();
        Ok(())
    }

    /// Returns the bytes of items `start..end`, counted from the first on disk; they must be all on disk or
    /// all in the tail.
    fn row<'a, T: FixedBytes>(
        &'a self,
        start: u64,
        end: u64,
        bytes: &'a mut Vec<u8>,
    ) -> Result<&'a [u8]> {
        let [start, end] = [start, end].map(|at| at * T::BYTES as u64);
        if let Some(start) = start.checked_sub(self.file.len()) {
            return Ok(&self.tail[start as usize..(end - self.file.len()) as usize]);
        }
        bytes.resize((end - start) as usize, 0);
        self.file.read_at(start, bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filled<T: FixedBytes>(column: &mut Column<T>, rows: &[Vec<T>]) {
        for (row, number) in rows.iter().zip(0..) {
            assert_eq!(column.push(row).expect("room"), number);
        }
        assert_eq!(column.len(), rows.len());
    }

    #[test]
    fn what_fits_makes_no_file() {
        let mut column = Column::new(Path::new("/no/such/folder"), 1000);
        filled(&mut column, &[b"grain".to_vec(), b"".to_vec(), b"chaff".to_vec()]);
        let mut scratch = Scratch::default();
        assert_eq!(column.get(2, &mut scratch).expect("in memory"), b"chaff");
        assert!(scratch.bytes.is_empty() && scratch.items.is_empty(), "it was borrowed");
        assert!(column.push(&[0; 2000]).expect_err("no folder").is_io());
    }

    #[test]
    fn memory_stays_within_the_budget() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut column = Column::<u64>::new(folder.path(), 1 << 16);
        for row in 0..1000 {
            column.push(&[row; 100]).expect("room");
            let places = column.ends.capacity() * 8;
            assert!(column.memory() - places <= 1 << 16, "{}", column.memory());
        }
        let mut scratch = Scratch::default();
        assert!(
            (0..1000)
                .all(|row| column.get(row, &mut scratch).expect("there") == [u64::from(row); 100])
        );
    }

    proptest! {
        #[test]
        fn rows_come_back_in_any_order(
            rows in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..40), 1..40),
            memory in 0_usize..8000,
            order in proptest::collection::vec(any::<proptest::sample::Index>(), 0..60),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut column = Column::new(folder.path(), memory);
            filled(&mut column, &rows);
            let mut scratch = Scratch::default();
            for index in order {
                let number = index.index(rows.len());
                prop_assert_eq!(column.row_len(number as u32), rows[number].len());
                prop_assert_eq!(column.get(number as u32, &mut scratch).expect("there"), &rows[number][..]);
            }
        }
    }
}

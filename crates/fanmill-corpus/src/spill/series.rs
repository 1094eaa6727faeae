//! Series: items in their order, written once and walked as often as needed; there may be more than fit into memory.
//!
//! A series is a [column](super::column) of chunks of equal length. The first item of each chunk stays in memory, so
//! that a place in an ascending series is found by reading one chunk.
//!
//! Cost: memory for the budget, one item and 8 bytes for each [`CHUNK`] items, and a chunk.

use std::ops::Range;
use std::path::Path;

use fanmill_text::Result;

use super::column::{Column, Scratch};
use super::fixed_bytes::FixedBytes;

/// Number of items in a chunk: few enough that what is made of one, such as the names of each row, takes little memory.
pub(crate) const CHUNK: usize = 1 << 10;

/// Items in their order; see the [module](self).
#[derive(Debug)]
pub(crate) struct Series<T> {
    chunks: Column<T>,
    /// The first item of each chunk.
    heads: Vec<T>,
    /// Items behind the last whole chunk.
    last: Vec<T>,
}

impl<T: FixedBytes> Series<T> {
    /// Keeps items within `memory` bytes; what does not fit goes to an unnamed file in `folder`.
    pub(crate) fn new(folder: &Path, memory: usize) -> Series<T> {
        Series { chunks: Column::new(folder, memory), heads: Vec::new(), last: Vec::new() }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// If the memory is full and the disk cannot take a chunk.
    pub(crate) fn push(&mut self, item: T) -> Result<()> {
        if self.last.len() == CHUNK {
            self.chunks.push(&self.last)?;
            self.heads.push(self.last[0]);
            self.last.clear();
        }
        self.last.push(item);
        Ok(())
    }

    /// Returns the number of items.
    pub(crate) fn len(&self) -> u64 {
        (self.chunks.len() * CHUNK + self.last.len()) as u64
    }

    /// Returns whether there are no items.
    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// Returns the number of bytes of memory that it holds.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.chunks.memory() + (self.heads.capacity() + self.last.capacity()) * size_of::<T>()
    }

    /// Shows all items to `look`, a chunk at a time.
    ///
    /// # Errors
    /// If the disk fails, or `look` does.
    pub(crate) fn each_chunk(&self, mut look: impl FnMut(&[T]) -> Result<()>) -> Result<()> {
        let mut scratch = Scratch::default();
        for chunk in 0..self.chunks.len() as u32 {
            look(self.chunks.get(chunk, &mut scratch)?)?;
        }
        if self.is_empty() { Ok(()) } else { look(&self.last) }
    }

    /// Returns all items; one chunk of them is in memory at a time.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<T>> + '_ {
        let mut scratch = Scratch::default();
        let chunks = (0..=self.chunks.len()).map(move |chunk| {
            if chunk < self.chunks.len() {
                self.chunks.get(chunk as u32, &mut scratch).map(<[T]>::to_vec)
            } else {
                Ok(self.last.clone())
            }
        });
        chunks.flat_map(|chunk| {
            let (items, error) = match chunk {
                Ok(items) => (items, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            items.into_iter().map(Ok).chain(error)
        })
    }

    /// Returns the items at these places.
    ///
    /// # Errors
    /// If the disk fails.
    pub(crate) fn slice(&self, places: Range<usize>) -> Result<Vec<T>> {
        let (mut found, mut scratch) = (Vec::with_capacity(places.len()), Scratch::default());
        let mut at = places.start;
        while at < places.end {
            let (chunk, from) = (at / CHUNK, at % CHUNK);
            let items = if chunk < self.chunks.len() {
                self.chunks.get(chunk as u32, &mut scratch)?
            } else {
                &self.last
            };
            let to = items.len().min(from + places.end - at);
            found.extend_from_slice(&items[from..to]);
            at += to - from;
        }
        Ok(found)
    }

    /// Returns the items whose keys are in a range; the series must ascend by these keys.
    ///
    /// # Errors
    /// If the disk fails.
    pub(crate) fn range<K: Ord>(&self, keys: Range<K>, key: impl Fn(&T) -> K) -> Result<Vec<T>> {
        let mut found = Vec::new();
        // The chunk before the first one that begins within the range may end within it.
        let start = self.heads.partition_point(|head| key(head) < keys.start).saturating_sub(1);
        let mut scratch = Scratch::default();
        for chunk in start..=self.chunks.len() {
            let items = match self.heads.get(chunk) {
                Some(head) if key(head) >= keys.end => break,
                Some(_) => self.chunks.get(chunk as u32, &mut scratch)?,
                None => &self.last,
            };
            let from = items.partition_point(|item| key(item) < keys.start);
            let to = items.partition_point(|item| key(item) < keys.end);
            found.extend_from_slice(&items[from..to.max(from)]);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The decisions about two million documents take no more memory than allowed.
    #[test]
    fn memory_does_not_follow_the_number_of_items() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut series = Series::<(u32, (u64, u64))>::new(folder.path(), 1 << 18);
        for i in 0..2_000_000 {
            series.push((i, (u64::from(i), 7))).expect("room");
        }
        assert!(series.memory() < (1 << 18) + 200_000, "{}", series.memory());
        assert_eq!(series.range(1_999_998..u32::MAX, |item| item.0).expect("readable").len(), 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: fanmill_effort::cases(40), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_was_added_is_shown_and_found(
            n in 0_usize..5000, step in 1_u32..5, memory in prop_oneof![Just(0_usize), 0_usize..40_000],
            ranges in prop::collection::vec((0_u32..22_000, 0_u32..9000), 1..8),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut series = Series::new(folder.path(), memory);
            // Some keys occur twice.
            let items: Vec<(u32, u32)> = (0..n as u32).map(|i| (i / 2 * step, i)).collect();
            items.iter().try_for_each(|&item| series.push(item)).expect("room");
            prop_assert_eq!((series.len(), series.is_empty()), (n as u64, n == 0));
            let mut shown = Vec::new();
            series.each_chunk(|chunk| { shown.extend_from_slice(chunk); Ok(()) }).expect("readable");
            prop_assert_eq!(&shown, &items);
            prop_assert_eq!(series.iter().collect::<Result<Vec<_>>>().expect("readable"), items.clone());
            for (start, len) in ranges {
                let keys = start..start + len;
                let expected: Vec<_> = items.iter().filter(|item| keys.contains(&item.0)).copied().collect();
                prop_assert_eq!(series.range(keys, |item| item.0).expect("readable"), expected);
            }
        }
    }
}

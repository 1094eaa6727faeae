//! Sorting more items than fit into memory.
//!
//! Items are collected until the budget is full, sorted there, and written as a *run*; at the end all runs are merged
//! as they are read. If everything fits, there is no run and no file. All runs share one unnamed file, so that no
//! number of them exhausts the file descriptors. If there are more runs than can be read with decent buffers, they are
//! first merged into fewer, longer ones.
//!
//! Cost: O(n log n) time; each item is written and read once where at most 256 runs suffice (a budget of 1 GiB: 256
//! GiB), and once more for every further factor of 256. In memory, items take their Rust size.
//! Sorting is the standard library's: on random 64-bit numbers it took 11 to 13 ns an item, and 21 to 24 for 16 bytes,
//! on one thread (1 and 16 million, November 2026). Radix sorts, in place from the top and with a second buffer from
//! the bottom, took 13 to 15 and 20 to 26, so they were dropped.
//! The method is the textbooks' external merge sort, with a tree of losers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanmill_text::Result;
use rayon::slice::ParallelSliceMut;

use super::file::ScratchFile;
use super::fixed_bytes::{self, FixedBytes};
use super::reserve_one;

/// Maximum number of runs merged at once.
const FAN_IN: usize = 256;
/// Maximum number of bytes read at once from each run, if the budget has them: enough that a disk reads rather than
/// seeks.
const MOST_BUFFER: usize = 1 << 20;
/// Minimum size in bytes of a read buffer. A smaller one is not worth a run of its own; fewer runs are merged instead.
const LEAST_BUFFER: usize = 1 << 15;
/// Number of items from which on sorting on several threads is worth it.
const PARALLEL_FROM: usize = 1 << 15;

/// Number of items that become bytes together.
const PART: usize = 256;

/// Treatment of equal items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// All of them come out.
    Keep,
    /// One of them comes out; the others are dropped as soon as they are seen.
    Drop,
}

/// Collects and sorts items; see the [module](self).
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    /// Items that are not in a run yet.
    items: Vec<T>,
    /// Maximum number of items in memory.
    capacity: usize,
    repeats: Repeats,
    memory: usize,
    runs: Runs,
    folder: PathBuf,
}

/// Sorted runs in a file, one after another.
#[derive(Debug, Default)]
struct Runs {
    file: Option<ScratchFile>,
    /// End of each run.
    ends: Vec<u64>,
}

impl<T: FixedBytes> Sorter<T> {
    /// Sorts within `memory` bytes; what does not fit goes to unnamed files in `folder`.
    ///
    /// The folder is not touched before it is needed. A budget below a few kilobytes is exceeded.
    pub(crate) fn new(folder: &Path, memory: usize) -> Sorter<T> {
        Sorter::with(folder, memory, Repeats::Keep)
    }

    /// Sorts as [`Self::new`] does, but equal items come out once.
    pub(crate) fn distinct(folder: &Path, memory: usize) -> Sorter<T> {
        Sorter::with(folder, memory, Repeats::Drop)
    }

    fn with(folder: &Path, memory: usize, repeats: Repeats) -> Sorter<T> {
        // The rest is for the bytes of a run on their way to the disk.
        let for_items = memory - write_buffer(memory);
        Sorter {
            items: Vec::new(),
            capacity: (for_items / size_of::<T>()).max(2),
            repeats,
            memory,
            runs: Runs::default(),
            folder: folder.to_owned(),
        }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// If the memory is full and the disk cannot take a run.
    #[inline]
    pub(crate) fn push(&mut self, item: T) -> Result<()> {
        if self.items.len() >= self.capacity {
            self.make_room()?;
        }
        reserve_one(&mut self.items, self.capacity);
        self.items.push(item);
        Ok(())
    }

    /// Adds items, in any order.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) -> Result<()> {
        items.into_iter().try_for_each(|item| self.push(item))
    }

    /// Returns all items, ascending.
    ///
    /// # Errors
    /// If the disk cannot take a run, or fails.
    pub(crate) fn sorted(mut self) -> Result<Sorted<T>> {
        if self.runs.ends.is_empty() {
            self.sort();
            return Ok(Sorted { source: Source::Memory(self.items.into_iter()) });
        }
        self.spill()?;
        drop(std::mem::take(&mut self.items));
        self.runs.reduce::<T>(&self.folder, self.memory, self.repeats)?;
        let merge = self.runs.merge(self.memory, self.repeats)?;
        Ok(Sorted { source: Source::Disk(merge) })
    }

    fn sort(&mut self) {
        if self.items.len() >= PARALLEL_FROM && rayon::current_num_threads() > 1 {
            self.items.par_sort_unstable();
        } else {
            self.items.sort_unstable();
        }
        if self.repeats == Repeats::Drop {
            self.items.dedup();
        }
    }

    fn make_room(&mut self) -> Result<()> {
        if self.repeats == Repeats::Drop {
            self.sort();
            // At least half of the room must be free now, or else sorting would never be worth it.
            if self.items.len() <= self.capacity / 2 {
                return Ok(());
            }
        }
        self.spill()
    }

    fn spill(&mut self) -> Result<()> {
        self.sort();
        let mut writer = RunWriter::new(&mut self.runs, &self.folder, self.memory)?;
        for part in self.items.chunks(PART) {
            writer.push(part)?;
        }
        writer.finish()?;
        self.items.clear();
        Ok(())
    }
}

/// Returns the number of bytes of a run that are kept before they are written.
fn write_buffer(memory: usize) -> usize {
    (memory / 16).min(MOST_BUFFER)
}

/// A writer that appends one run to a file.
struct RunWriter<'a> {
    file: &'a mut ScratchFile,
    ends: &'a mut Vec<u64>,
    bytes: Vec<u8>,
    /// Number of bytes that are written together.
    full: usize,
}

impl<'a> RunWriter<'a> {
    fn new(runs: &'a mut Runs, folder: &Path, memory: usize) -> Result<RunWriter<'a>> {
        let file = match &mut runs.file {
            Some(file) => file,
            none => none.insert(ScratchFile::new(folder)?),
        };
        let full = write_buffer(memory);
        // Large enough that it never has to grow.
        let bytes = Vec::with_capacity(full + PART * 16);
        Ok(RunWriter { file, ends: &mut runs.ends, bytes, full })
    }

    fn push<T: FixedBytes>(&mut self, items: &[T]) -> Result<()> {
        fixed_bytes::append(items, &mut self.bytes);
        if self.bytes.len() >= self.full { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.file.append(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        self.flush()?;
        self.ends.push(self.file.len());
        Ok(())
    }
}

impl Runs {
    /// Merges runs, as many at once as the budget reads well, until the remaining ones can be read at once.
    fn reduce<T: FixedBytes>(
        &mut self,
        folder: &Path,
        memory: usize,
        repeats: Repeats,
    ) -> Result<()> {
        let fan_in = (memory / LEAST_BUFFER).clamp(2, FAN_IN);
        while self.ends.len() > fan_in {
            let mut fewer = Runs::default();
            let shared = Arc::new(self.file.take().expect("runs are in a file"));
            for places in self.places().chunks(fan_in) {
                let merge = Merge::<T>::new(&shared, places, memory, repeats)?;
                let mut writer = RunWriter::new(&mut fewer, folder, memory)?;
                for item in merge {
                    writer.push(&[item?])?;
                }
                writer.finish()?;
            }
            *self = fewer;
        }
        Ok(())
    }

    fn merge<T: FixedBytes>(mut self, memory: usize, repeats: Repeats) -> Result<Merge<T>> {
        let file = Arc::new(self.file.take().expect("runs are in a file"));
        Merge::new(&file, &self.places(), memory, repeats)
    }

    /// Returns the start and end of each run.
    fn places(&self) -> Vec<(u64, u64)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).collect()
    }
}

/// Items in ascending order: an iterator that can fail, and ends after a failure.
#[derive(Debug)]
pub(crate) struct Sorted<T: FixedBytes> {
    source: Source<T>,
}

#[derive(Debug)]
enum Source<T: FixedBytes> {
    Memory(std::vec::IntoIter<T>),
    Disk(Merge<T>),
}

#[cfg(test)]
impl<T: FixedBytes> Sorted<T> {
    /// Returns the number of bytes of memory that it holds.
    pub(crate) fn memory(&self) -> usize {
        match &self.source {
            Source::Memory(items) => size_of_val(items.as_slice()),
            Source::Disk(merge) => merge.memory(),
        }
    }

    /// Returns whether the items come from disk.
    pub(crate) fn is_spilled(&self) -> bool {
        matches!(self.source, Source::Disk(_))
    }
}

impl<T: FixedBytes> Iterator for Sorted<T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        match &mut self.source {
            Source::Memory(items) => items.next().map(Ok),
            Source::Disk(merge) => merge.next(),
        }
    }
}

/// The runs, merged by a tree of losers: `losers[0]` is the run whose head is next, and each other node holds the run
/// that lost there, so that a step plays one match at each height.
#[derive(Debug)]
struct Merge<T: FixedBytes> {
    runs: Vec<Run<T>>,
    losers: Vec<usize>,
    repeats: Repeats,
    last: Option<T>,
}

impl<T: FixedBytes> Merge<T> {
    fn new(
        file: &Arc<ScratchFile>,
        places: &[(u64, u64)],
        memory: usize,
        repeats: Repeats,
    ) -> Result<Merge<T>> {
        // The run that is written while merging needs its buffer, too.
        let share = (memory - write_buffer(memory)) / places.len().max(1);
        let n_items = (share.min(MOST_BUFFER) / T::BYTES).max(1);
        let run = |&(at, end): &_| Run::new(Arc::clone(file), at, end, n_items * T::BYTES);
        let runs: Vec<Run<T>> = places.iter().map(run).collect::<Result<_>>()?;
        let mut merge = Merge { losers: vec![0; runs.len()], runs, repeats, last: None };
        merge.losers[0] = merge.play(1);
        Ok(merge)
    }

    /// Plays all matches below a node and returns the winner. Leaves are the nodes from `runs.len()` on.
    fn play(&mut self, node: usize) -> usize {
        let n_runs = self.runs.len();
        if node >= n_runs {
            return node - n_runs;
        }
        let (left, right) = (self.play(2 * node), self.play(2 * node + 1));
        let (winner, loser) = if self.beats(left, right) { (left, right) } else { (right, left) };
        self.losers[node] = loser;
        winner
    }

    #[inline]
    fn beats(&self, a: usize, b: usize) -> bool {
        match (self.runs[a].head, self.runs[b].head) {
            (Some(x), Some(y)) => x <= y,
            (head, _) => head.is_some(),
        }
    }

    /// Takes the winner's head, and replays the matches on the way up from its run.
    fn step(&mut self) -> Result<Option<T>> {
        let mut winner = self.losers[0];
        let item = self.runs[winner].head;
        self.runs[winner].advance()?;
        let leaf = self.runs.len() + winner;
        let mut node = leaf / 2;
        while node > 0 {
            if self.beats(self.losers[node], winner) {
                std::mem::swap(&mut self.losers[node], &mut winner);
            }
            node /= 2;
        }
        self.losers[0] = winner;
        Ok(item)
    }

    #[cfg(test)]
    fn memory(&self) -> usize {
        self.runs.iter().map(|run| run.bytes.capacity()).sum()
    }
}

impl<T: FixedBytes> Iterator for Merge<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        loop {
            let item = match self.step() {
                Ok(item) => item?,
                Err(error) => {
                    self.runs.iter_mut().for_each(Run::close);
                    return Some(Err(error));
                }
            };
            if self.repeats == Repeats::Keep || self.last.replace(item) != Some(item) {
                return Some(Ok(item));
            }
        }
    }
}

/// One run while it is read.
#[derive(Debug)]
struct Run<T> {
    file: Arc<ScratchFile>,
    /// Position of the next read in the file; `end` is the end of the run there.
    at: u64,
    end: u64,
    bytes: Vec<u8>,
    /// Position in `bytes` of the item after the head.
    next: usize,
    /// Number of bytes that are read together: whole items.
    full: usize,
    head: Option<T>,
}

impl<T: FixedBytes> Run<T> {
    fn new(file: Arc<ScratchFile>, at: u64, end: u64, full: usize) -> Result<Run<T>> {
        let mut run = Run { file, at, end, bytes: Vec::new(), next: 0, full, head: None };
        run.advance()?;
        Ok(run)
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        if self.next == self.bytes.len() {
            self.refill()?;
        }
        self.head = self.bytes.get(self.next..self.next + T::BYTES).map(T::read);
        self.next += if self.head.is_some() { T::BYTES } else { 0 };
        Ok(())
    }

    fn refill(&mut self) -> Result<()> {
        let n_bytes = (self.end - self.at).min(self.full as u64);
        self.bytes.resize(n_bytes as usize, 0);
        self.next = 0;
        self.file.read_at(self.at, &mut self.bytes)?;
        self.at += n_bytes;
        Ok(())
    }

    /// Ends the run, so that nothing follows.
    fn close(&mut self) {
        (self.at, self.next, self.head) = (self.end, 0, None);
        self.bytes = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted<T: FixedBytes>(mut sorter: Sorter<T>, items: &[T]) -> Vec<T> {
        sorter.extend(items.iter().copied()).expect("room");
        sorter.sorted().expect("room").collect::<Result<_>>().expect("readable")
    }

    fn naive<T: FixedBytes>(items: &[T], repeats: Repeats) -> Vec<T> {
        let mut items = items.to_vec();
        items.sort_unstable();
        if repeats == Repeats::Drop {
            items.dedup();
        }
        items
    }

    #[test]
    fn what_fits_makes_no_file() {
        let mut sorter = Sorter::<u64>::new(Path::new("/no/such/folder"), 1 << 20);
        sorter.extend((0..1000).rev()).expect("no file is made");
        let sorted = sorter.sorted().expect("no file is made");
        assert!(!sorted.is_spilled());
        assert!(sorted.map(|item| item.expect("in memory")).eq(0..1000));
    }

    #[test]
    fn what_does_not_fit_needs_the_folder() {
        let mut sorter = Sorter::<u64>::new(Path::new("/no/such/folder"), 800);
        let error = sorter.extend(0..1000).expect_err("no folder");
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }

    /// Runs of 4,000 items are merged in several steps, because so little memory reads only two at once.
    #[test]
    fn many_runs_are_merged_in_steps_within_the_budget() {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = 1 << 16;
        let mut sorter = Sorter::<(u64, u32)>::new(folder.path(), memory);
        let items: Vec<(u64, u32)> = (0..100_000_u32)
            .map(|i| (u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15), i))
            .collect();
        for &item in &items {
            sorter.push(item).expect("room");
            assert!(sorter.items.capacity() * 16 <= memory, "{}", sorter.items.capacity());
        }
        assert!(sorter.runs.ends.len() > 20, "{} runs", sorter.runs.ends.len());
        let found = sorter.sorted().expect("room");
        assert!(found.is_spilled() && found.memory() <= memory, "{}", found.memory());
        assert!(found.map(|item| item.expect("readable")).eq(naive(&items, Repeats::Keep)));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn repeats_that_are_dropped_take_no_disk() {
        let mut sorter = Sorter::<u64>::distinct(Path::new("/no/such/folder"), 800);
        sorter.extend((0..10_000).map(|i| i % 40)).expect("no file is made");
        let found: Vec<u64> =
            sorter.sorted().expect("fits").map(|item| item.expect("fits")).collect();
        assert_eq!(found, (0..40).collect::<Vec<u64>>());
    }

    proptest! {
        #[test]
        fn equals_sorting_in_memory(
            items in proptest::collection::vec((0_u64..50, any::<u32>().prop_map(|x| x % 9)), 0..600),
            memory in 0_usize..20_000,
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let sorter = Sorter::new(folder.path(), memory);
            prop_assert_eq!(sorted(sorter, &items), naive(&items, Repeats::Keep));
            let sorter = Sorter::distinct(folder.path(), memory);
            prop_assert_eq!(sorted(sorter, &items), naive(&items, Repeats::Drop));
        }

        #[test]
        fn numbers_of_any_size_are_sorted(items: Vec<u128>, memory in 0_usize..1000) {
            let folder = tempfile::tempdir().expect("a folder");
            let sorter = Sorter::new(folder.path(), memory);
            prop_assert_eq!(sorted(sorter, &items), naive(&items, Repeats::Keep));
        }
    }
}

//! A pipeline that reads a shard, works on it and takes the results, all at the same time.
//!
//! Only one thread at a time can read, and results must be used in the order of the corpus; the work in between can be
//! spread over all threads. So each batch passes three stations: it is read, something is made of it, and the result is
//! taken. Each station works on a different batch. Reading goes on while the others are busy, so that batches are ready
//! after one that takes long, for example when a row group is encoded. Only a batch that a long record has made much
//! larger than the others passes all stations alone, so that memory holds one such record.
//!
//! Cost: memory for five batches and the longest record; a few microseconds a batch.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use fanmill_records::format::{Batch, Reader};
use fanmill_text::Result;

use super::steps::Steps;

/// Batches that a walk holds besides those it has [read ahead](AHEAD): one that is being worked on, and one that is
/// being taken.
pub(crate) const BATCHES: usize = 2;
/// Maximum number of batches that are read ahead. Another one is begun only while these hold fewer bytes than this many
/// ordinary batches.
pub(crate) const AHEAD: usize = 3;
/// Records that a thread works on together. Smaller pieces let threads wait less for each other at the end of a batch;
/// Rayon's own choice for two threads is a quarter of a batch.
pub(crate) const PIECE: usize = 32;

/// Walks the batches of a reader, of about `batch_bytes` each. Errors come in the order of batches.
pub(super) fn walk<T: Send>(
    reader: Reader,
    batch_bytes: usize,
    steps: &Steps<'_>,
    mut make: impl FnMut(&Batch) -> Result<T> + Send,
    mut take: impl FnMut(&Batch, T) -> Result<()> + Send,
) -> Result<()> {
    let mut ahead = Ahead::new(reader, batch_bytes);
    ahead.read();
    let mut previous = None;
    while let Some(current) = ahead.batches.pop_front() {
        steps.check()?;
        if ahead.is_long(&current) {
            previous.take().map_or(Ok(()), |(batch, made)| take(&batch, made))?;
            let made = make(&current)?;
            take(&current, made)?;
            steps.advance(current.len() as u64);
            drop(current);
            if ahead.batches.is_empty() {
                ahead.read();
            }
            continue;
        }
        let is_busy = AtomicBool::new(true);
        // While `make` works on the current batch, `take` gets the result of the one before.
        let mut take = || {
            previous
                .take()
                .map_or(Ok(None), |(batch, made)| take(&batch, made).map(|()| Some(batch)))
        };
        let work = || {
            let done = rayon::join(|| make(&current), &mut take);
            is_busy.store(false, Ordering::Relaxed);
            done
        };
        let ((), (made, taken)) = rayon::join(|| ahead.read_while(&is_busy), work);
        ahead.give_back(taken?);
        steps.advance(current.len() as u64);
        previous = Some((current, made?));
    }
    previous.map_or(Ok(()), |(batch, made)| take(&batch, made))?;
    ahead.end.unwrap_or(Ok(()))
}

/// Batches that have been read, and are waiting to be worked on.
struct Ahead {
    reader: Reader,
    batches: VecDeque<Batch>,
    /// Maximum number of batches that may wait.
    most: usize,
    batch_bytes: usize,
    /// Batches that can be filled again.
    free: Vec<Batch>,
    /// The way reading ended, if it has.
    end: Option<Result<()>>,
}

impl Ahead {
    fn new(reader: Reader, batch_bytes: usize) -> Ahead {
        // With a single thread, reading further ahead gains nothing.
        let most = if rayon::current_num_threads() > 1 { AHEAD } else { 1 };
        Ahead { reader, batches: VecDeque::new(), most, batch_bytes, free: Vec::new(), end: None }
    }

    /// Accepts a batch to be filled again, unless a long record has made it larger than the others.
    fn give_back(&mut self, batch: Option<Batch>) {
        self.free.extend(batch.filter(|batch| !self.is_long(batch)));
    }

    /// Returns whether a long record has made a batch larger than the others.
    fn is_long(&self, batch: &Batch) -> bool {
        batch.n_bytes() > self.batch_bytes.saturating_mul(2)
    }

    /// Reads a batch, unless reading has ended.
    fn read(&mut self) {
        if self.end.is_some() {
            return;
        }
        let mut batch = self.free.pop().unwrap_or_default();
        match self.reader.next(&mut batch) {
            Ok(true) => self.batches.push_back(batch),
            end => self.end = Some(end.map(drop)),
        }
    }

    /// Reads a batch if none is waiting, and more of them while the others are busy.
    fn read_while(&mut self, is_busy: &AtomicBool) {
        while self.end.is_none() && (self.batches.is_empty() || self.may_go_on(is_busy)) {
            self.read();
        }
    }

    fn may_go_on(&self, is_busy: &AtomicBool) -> bool {
        let n_bytes: usize = self.batches.iter().map(Batch::n_bytes).sum();
        self.batches.len() < self.most
            && n_bytes < self.batch_bytes.saturating_mul(self.most)
            && is_busy.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fanmill_records::format::{Columns, Options, Purpose, survey};
    use fanmill_text::Error;
    use fanmill_text::progress::Silent;

    use super::*;

    /// Returns the batches taken from a shard of `n` records, one in each, and the error. Making record `made` and
    /// taking record `took` fail; if `grows`, the shard has changed since it was found, which its end reveals; if
    /// `all_long`, each batch counts as long.
    fn taken(
        (n, made, took): (usize, usize, usize),
        grows: bool,
        (n_threads, all_long): (usize, bool),
    ) -> (Vec<u64>, Option<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own.jsonl");
        let line = |i: usize| format!("{{\"text\": \"number {i}\"}}\n");
        let lines: Vec<String> = (0..n).map(line).collect();
        let last = lines.len() - usize::from(grows);
        std::fs::write(&path, lines[..last].concat()).expect("room");
        let options = Options { batch_bytes: 1, ..Options::standard() };
        let paths = [path];
        let shard = survey(&paths, &options, Purpose::Read).expect("a shard").shards.remove(0);
        if grows {
            std::fs::write(&paths[0], lines.concat()).expect("room");
        }
        let reader = shard.reader(&options, Columns::Needed).expect("readable");
        let failed = |what: &str, i: u64| Error::input(format!("{what} {i}"));
        let mut all = Vec::new();
        let make = |batch: &Batch| match batch.first_number() {
            i if i == made as u64 => Err(failed("making", i)),
            i => {
                // Other batches are read meanwhile.
                std::thread::sleep(Duration::from_micros(if i % 4 == 0 { 200 } else { 0 }));
                Ok((i, batch.record(0).expect("a record").text.into_owned()))
            }
        };
        let take = |batch: &Batch, (i, text): (u64, String)| {
            assert_eq!((batch.first_number(), text), (i, format!("number {i}")));
            if i == took as u64 {
                return Err(failed("taking", i));
            }
            all.push(i);
            Ok(())
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        let batch_bytes = if all_long { 1 } else { 1 << 20 };
        let walked = pool.install(|| walk(reader, batch_bytes, &Steps::new(&Silent), make, take));
        (all, walked.err().map(|error| error.to_string()))
    }

    #[test]
    fn batches_are_taken_in_order_up_to_the_first_error() {
        const NEVER: usize = usize::MAX;
        let up_to = |n: u64| (0..n).collect::<Vec<_>>();
        let ways =
            [1, 2, 3, 8].into_iter().flat_map(|n_threads| [(n_threads, false), (n_threads, true)]);
        for way in ways {
            let taken = |n, made, took| taken((n, made, took), false, way);
            for n in [0, 1, 2, 3, 40] {
                assert_eq!(taken(n, NEVER, NEVER), (up_to(n as u64), None));
            }
            let error = |what: &str| Some(what.to_owned());
            for i in [0, 1, 5, 39] {
                let of_making = (up_to(i as u64), error(&format!("making {i}")));
                assert_eq!(taken(40, i, NEVER), of_making);
                let of_taking = (up_to(i as u64), error(&format!("taking {i}")));
                assert_eq!(taken(40, NEVER, i), of_taking);
                // The error that comes first in the shard is returned.
                assert_eq!(taken(40, i + 1, i), of_taking);
            }
        }
    }

    #[test]
    fn what_was_read_before_an_error_is_taken() {
        for way in [(1, false), (2, false), (8, false), (1, true), (2, true)] {
            let (all, error) = taken((30, usize::MAX, usize::MAX), true, way);
            assert_eq!(all, (0..30).collect::<Vec<_>>());
            assert!(error.is_some_and(|error| error.contains("own.jsonl")));
            let (all, error) = taken((30, 28, usize::MAX), true, way);
            assert_eq!((all.len(), error.as_deref()), (28, Some("making 28")));
        }
    }
}

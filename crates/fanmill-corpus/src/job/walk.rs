//! A shard read, worked on, and done with, all at the same time.
//!
//! Reading is for one thread at a time, and so is whatever has to be done in the order of the corpus; what is made of
//! the records in between is for all of them. So each batch passes three stations: it is read, something is made of
//! it, and that is taken. Each station has another batch meanwhile, and the first one goes on while the others are busy,
//! so that nobody waits for it after a batch that takes long, as where a row group is encoded.
//!
//! Cost: memory for six batches; a few microseconds for each of them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use fanmill::Result;
use fanmill_source::records::format::{Batch, Reader};

use super::steps::Steps;

/// Batches that a walk holds at most while it works on one, beside those that it has [read ahead](AHEAD).
pub(crate) const BATCHES: usize = 3;
/// Batches that are read ahead at most, and of how many their bytes may be, or those of a batch more.
pub(crate) const AHEAD: usize = 3;
/// Records that a thread works on together. The fewer they are, the less does a thread wait for others at the end of a
/// batch; left to itself, Rayon gives each of two threads a quarter of it at a time.
pub(crate) const PIECE: usize = 32;

/// Walks what a reader reads, in batches of about `batch_bytes`. Errors come in the order of batches.
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
        let is_busy = AtomicBool::new(true);
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
        ahead.free.extend(taken?);
        steps.advance(current.len() as u64);
        previous = Some((current, made?));
    }
    previous.map_or(Ok(()), |(batch, made)| take(&batch, made))?;
    ahead.end.unwrap_or(Ok(()))
}

/// Batches that have been read, and nothing has been made of yet.
struct Ahead {
    reader: Reader,
    batches: VecDeque<Batch>,
    /// How many there may be.
    most: usize,
    batch_bytes: usize,
    /// Batches to be filled again.
    free: Vec<Batch>,
    /// How reading has ended, if it has.
    end: Option<Result<()>>,
}

impl Ahead {
    fn new(reader: Reader, batch_bytes: usize) -> Ahead {
        // A single thread would only wait longer until it works on what it has read.
        let most = if rayon::current_num_threads() > 1 { AHEAD } else { 1 };
        Ahead { reader, batches: VecDeque::new(), most, batch_bytes, free: Vec::new(), end: None }
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

    /// Reads a batch if there is none, and more of them while others are busy.
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
    use std::path::PathBuf;

    use fanmill::Error;
    use fanmill::progress::Silent;
    use fanmill_source::records::format::{Columns, Options, Purpose, survey};

    use super::*;

    /// What is taken of a shard of `n` records, each a batch; making or taking one fails, if so many are there.
    fn taken(n: usize, made: usize, took: usize, n_threads: usize) -> (Vec<u64>, Option<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own.jsonl");
        let lines: Vec<String> =
            (0..n).map(|i| format!("{{\"text\": \"number {i}\"}}\n")).collect();
        std::fs::write(&path, lines.concat()).expect("room");
        let options = Options { batch_bytes: 1, ..Options::standard() };
        let paths: [PathBuf; 1] = [path];
        let shard = survey(&paths, &options, Purpose::Read).expect("a shard").shards.remove(0);
        let reader = shard.reader(&options, Columns::Needed).expect("readable");
        let failed = |what: &str, i: u64| Error::input(format!("{what} {i}"));
        let mut all = Vec::new();
        let make = |batch: &Batch| match batch.first_number() {
            i if i == made as u64 => Err(failed("making", i)),
            i => Ok((i, batch.record(0).expect("a record").text.into_owned())),
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
        let walked = pool.install(|| walk(reader, 1, &Steps::new(&Silent), make, take));
        (all, walked.err().map(|error| error.to_string()))
    }

    #[test]
    fn batches_are_taken_in_order_up_to_the_first_error() {
        const NEVER: usize = usize::MAX;
        let up_to = |n: u64| (0..n).collect::<Vec<_>>();
        for n_threads in [1, 2, 3, 8] {
            let taken = |n, made, took| taken(n, made, took, n_threads);
            for n in [0, 1, 2, 3, 40] {
                assert_eq!(taken(n, NEVER, NEVER), (up_to(n as u64), None));
            }
            let error = |what: &str| Some(what.to_owned());
            for i in [0, 1, 5, 39] {
                let of_making = (up_to(i as u64), error(&format!("making {i}")));
                assert_eq!(taken(40, i, NEVER), of_making);
                let of_taking = (up_to(i as u64), error(&format!("taking {i}")));
                assert_eq!(taken(40, NEVER, i), of_taking);
                // What comes first in the shard is said.
                assert_eq!(taken(40, i + 1, i), of_taking);
            }
        }
    }
}

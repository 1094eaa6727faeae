//! The corpus as a row of documents: numbered through all shards, and walked batch by batch.

use std::ops::Range;
use std::path::{Path, PathBuf};

use fanmill::{Error, Result};

use super::{Staging, Steps};
use crate::format::{self, Batch, Columns, Options, Shard};

/// The shards of a run, and how they are read.
#[derive(Debug)]
pub(crate) struct Corpus<'a> {
    pub(crate) shards: &'a [Shard],
    pub(crate) options: &'a Options,
}

/// The shards at `paths`, and the folder in which the run works; standard input, which can be read
/// only once, is copied into it. The folder is made when the inputs are there.
pub(crate) fn open(
    paths: &[PathBuf],
    options: &Options,
    output: Option<&Path>,
    temp: Option<&Path>,
) -> Result<(Vec<Shard>, Staging)> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == "-";
    let files: Vec<PathBuf> = paths.iter().filter(|path| !is_stdin(path)).cloned().collect();
    let mut shards = if files.is_empty() { Vec::new() } else { format::shards(&files, options)? };
    let staging = Staging::open(output, temp)?;
    if paths.iter().any(is_stdin) {
        shards.push(format::spool_stdin(staging.folder(), std::io::stdin().lock(), options)?);
    }
    Ok((shards, staging))
}

/// Where the documents of each shard begin, and at last where they end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Starts(Vec<u32>);

impl Starts {
    /// From the number of records of each shard, bad ones included.
    pub(crate) fn new(n_records: &[u64]) -> Result<Starts> {
        let mut starts = vec![0];
        let mut end = 0;
        for n in n_records {
            end += n;
            let start = u32::try_from(end).ok().filter(|&end| end < u32::MAX).ok_or_else(|| {
                Error::input(format!(
                    "the corpus has more than {} records, which is the limit; split it",
                    u32::MAX - 1
                ))
            })?;
            starts.push(start);
        }
        Ok(Starts(starts))
    }

    /// All documents.
    pub(crate) fn n_documents(&self) -> u32 {
        self.0.last().copied().unwrap_or(0)
    }

    /// The documents of a shard.
    pub(crate) fn of(&self, shard: usize) -> Range<u32> {
        self.0[shard]..self.0[shard + 1]
    }

    /// The shard of a document, and the document's number in it, from 0.
    pub(crate) fn place(&self, document: u32) -> (usize, u32) {
        let shard = self.0.partition_point(|&start| start <= document) - 1;
        (shard, document - self.0[shard])
    }
}

impl Corpus<'_> {
    /// Bytes of all shards, as they are on the disk.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// Walks the batches of a shard, in order, reading one while the one before is worked on.
    pub(crate) fn walk(
        &self,
        shard: &Shard,
        columns: Columns,
        steps: &Steps<'_>,
        mut work: impl FnMut(&Batch) -> Result<()> + Send,
    ) -> Result<()> {
        let mut reader = shard.reader(self.options, columns)?;
        let (mut current, mut following) = (Batch::default(), Batch::default());
        let mut is_more = reader.next(&mut current)?;
        while is_more {
            let (read, worked) = rayon::join(|| reader.next(&mut following), || work(&current));
            worked?;
            is_more = read?;
            steps.advance(current.len() as u64);
            std::mem::swap(&mut current, &mut following);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_numbered_through() {
        let starts = Starts::new(&[3, 0, 2]).expect("small");
        assert_eq!((starts.n_documents(), starts.of(1), starts.of(2)), (5, 3..3, 3..5));
        let places: Vec<_> = (0..5).map(|document| starts.place(document)).collect();
        assert_eq!(places, [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1)]);
        assert!(Starts::new(&[u64::from(u32::MAX)]).is_err());
    }
}

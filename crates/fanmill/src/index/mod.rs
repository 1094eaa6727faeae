//! The inverted index: for each fingerprint hash, the submissions that hold it (its postings).
//!
//! Its postings have no positions; those of a [`PositionalIndex`] have. The index is built by one sort of all
//! (hash, submission) pairs, so that it does not depend on the order in which submissions were read, nor on a
//! hash table.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2, the first step of MOSS.

mod positional;
pub mod encoding;

pub use positional::{PositionalIndex, Posting};

use crate::error::{Error, Result};

/// A submission's number, counted from 0.
pub type SubmissionId = u32;

/// Fingerprint hashes with their postings: the submissions that hold each, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    hashes: Vec<u64>,
    /// Postings of `hashes[i]` are `postings[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    postings: Vec<SubmissionId>,
    /// Per submission, the numbers of the hashes that it holds, ascending.
    rows: Vec<Vec<u32>>,
}

impl Index {
    /// Indexes the fingerprint hashes of each submission; order and repetitions do not matter.
    ///
    /// A hash that only one submission holds links nothing, and is left out.
    ///
    /// # Errors
    /// If there are 2^32 pairs of hash and submission or more.
    pub fn build<'a>(submissions: impl IntoIterator<Item = &'a [u64]>) -> Result<Index> {
        let mut pairs: Vec<(u64, SubmissionId)> = Vec::new();
        let mut n_submissions = 0;
        for (id, hashes) in (0..).zip(submissions) {
            pairs.extend(hashes.iter().map(|&hash| (hash, id)));
            n_submissions = id as usize + 1;
        }
        if u32::try_from(pairs.len()).is_err() {
            return Err(Error::input(format!(
                "the batch has {} fingerprints, and an index in memory holds less than 2^32; compare fewer \
                 submissions at once",
                pairs.len()
            )));
        }
        // Sorting groups equal hashes, with their submissions ascending.
        pairs.sort_unstable();
        pairs.dedup();

        let mut index = Index { rows: vec![Vec::new(); n_submissions], ..Index::default() };
        for group in pairs.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1) {
            let number = index.hashes.len() as u32;
            index.hashes.push(group[0].0);
            index.starts.push(index.postings.len() as u32);
            for &(_, submission) in group {
                index.postings.push(submission);
                index.rows[submission as usize].push(number);
            }
        }
        index.starts.push(index.postings.len() as u32);
        Ok(index)
    }

    /// Number of submissions, with or without fingerprints.
    pub fn n_submissions(&self) -> usize {
        self.rows.len()
    }

    /// Hash number `number`; ascending with the numbers.
    pub fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    /// Number of hashes that at least two submissions hold.
    pub fn n_hashes(&self) -> usize {
        self.hashes.len()
    }

    /// The submissions that hold hash number `number`, ascending, at least two.
    #[inline]
    pub fn postings(&self, number: u32) -> &[SubmissionId] {
        let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
        &self.postings[start as usize..end as usize]
    }

    /// The numbers of the hashes that a submission shares with others, ascending.
    pub fn row(&self, submission: SubmissionId) -> &[u32] {
        &self.rows[submission as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_and_rows_agree() {
        let index = Index::build([&[5, 9, 5][..], &[], &[9, 7], &[7, 9]]).expect("few");
        assert_eq!((index.n_submissions(), index.n_hashes()), (4, 2), "5 links nothing");
        assert_eq!(index.postings(0), [2, 3], "hash 7");
        assert_eq!(index.postings(1), [0, 2, 3], "hash 9");
        assert_eq!([index.row(0), index.row(1), index.row(3)], [&[1][..], &[], &[0, 1]]);
    }
}

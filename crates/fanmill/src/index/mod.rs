//! The inverted index: for each fingerprint hash, the submissions that hold it (its postings).
//!
//! Its postings have no positions; those of a [`PositionalIndex`] do. The index is built by one sort of all (hash,
//! submission) pairs, so it does not depend on the order in which submissions were read, nor on a hash table.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2, the first step of MOSS.

mod positional;
pub mod encoding;

pub use positional::{PositionalIndex, Posting};

use fanmill_kernel as kernel;
use fanmill_text::error::{Error, Result};

/// A submission's number, counted from 0.
pub type SubmissionId = u32;

/// Fingerprint hashes with their postings: the submissions that hold each, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    hashes: Vec<u64>,
    /// Postings of `hashes[i]` are `postings[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    postings: Vec<SubmissionId>,
    /// Per submission, the numbers of the hashes that it holds, ascending: those of `b` are
    /// `numbers[rows[b]..rows[b + 1]]`.
    rows: Vec<u32>,
    numbers: Vec<u32>,
}

impl Index {
    /// Indexes the fingerprint hashes of each submission; order and repetitions do not matter.
    ///
    /// A hash that only one submission holds links nothing and is left out.
    ///
    /// # Errors
    /// If there are 2^32 or more pairs of hash and submission.
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
        // Sorting groups equal hashes; within a group, submissions keep their ascending order.
        kernel::sort_by_key(&mut pairs, &mut Vec::new(), |&(hash, _)| hash);
        pairs.dedup();

        let (mut hashes, mut starts, mut postings) = (Vec::new(), Vec::new(), Vec::new());
        // Two more entries, so that each start can move up to where the next begins.
        let mut rows = vec![0; n_submissions + 2];
        for group in pairs.chunk_by(|x, y| x.0 == y.0).filter(|group| group.len() > 1) {
            hashes.push(group[0].0);
            starts.push(postings.len() as u32);
            for &(_, submission) in group {
                postings.push(submission);
                rows[submission as usize + 2] += 1;
            }
        }
        starts.push(postings.len() as u32);
        let mut sum = 0;
        for start in &mut rows {
            sum += *start;
            *start = sum;
        }
        let mut numbers = vec![0; postings.len()];
        for (number, ends) in (0..).zip(starts.windows(2)) {
            for &submission in &postings[ends[0] as usize..ends[1] as usize] {
                let next = &mut rows[submission as usize + 1];
                numbers[*next as usize] = number;
                *next += 1;
            }
        }
        rows.pop();
        Ok(Index { hashes, starts, postings, rows, numbers })
    }

    /// Returns the number of submissions, with or without fingerprints.
    pub fn n_submissions(&self) -> usize {
        self.rows.len() - 1
    }

    /// Returns hash number `number`; hashes ascend with their numbers.
    pub fn hash(&self, number: u32) -> u64 {
        self.hashes[number as usize]
    }

    /// Returns the number of hashes that at least two submissions hold.
    pub fn n_hashes(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the submissions that hold hash number `number`, ascending, at least two.
    #[inline]
    pub fn postings(&self, number: u32) -> &[SubmissionId] {
        let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
        &self.postings[start as usize..end as usize]
    }

    /// Returns the numbers of the hashes that a submission shares with others, ascending.
    pub fn row(&self, submission: SubmissionId) -> &[u32] {
        let (start, end) = (self.rows[submission as usize], self.rows[submission as usize + 1]);
        &self.numbers[start as usize..end as usize]
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

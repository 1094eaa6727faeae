//! The positional index: for each fingerprint hash, the documents that have it and its positions there.
//!
//! It is meant for searching: for finding, with positions, what a new text shares with documents that are no longer in
//! memory. A comparison reads its documents again, so [`Index`](super::Index) has no positions.
//!
//! It is built by one sort of all (hash, document, position), so the order of a document's fingerprints does not
//! matter.
//!
//! Cost: O(n log n) time; 8 bytes per posting and 12 per hash, and 16 bytes per posting more while it is built.

use crate::fingerprint::Fingerprint;
use fanmill_text::error::{Error, Result};

/// An occurrence of a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Posting {
    /// The document's number.
    pub document: u32,
    /// Index of the gram's first token there.
    pub at: u32,
}

/// Fingerprint hashes, each with its postings: (document, position).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PositionalIndex {
    /// Ascending.
    hashes: Vec<u64>,
    /// Ends of each hash's postings; those of `hashes[i]` begin where the ones before end.
    ends: Vec<u32>,
    /// For each hash, ascending.
    postings: Vec<Posting>,
}

impl PositionalIndex {
    /// Indexes documents, each with its number and its fingerprints, in any order and all of one scheme. A repeated
    /// fingerprint is one posting.
    ///
    /// # Errors
    /// If there are 2^32 postings or more.
    pub fn build<'a>(
        documents: impl IntoIterator<Item = (u32, &'a [Fingerprint])>,
    ) -> Result<PositionalIndex> {
        let mut all: Vec<(u64, Posting)> = Vec::new();
        for (document, fingerprints) in documents {
            let placed = |f: &Fingerprint| (f.hash, Posting { document, at: f.at });
            all.extend(fingerprints.iter().map(placed));
        }
        all.sort_unstable();
        all.dedup();
        let mut index = PositionalIndex::default();
        for (hash, posting) in all {
            index.push(hash, posting)?;
        }
        Ok(index)
    }

    /// Adds a posting after all others.
    pub(super) fn push(&mut self, hash: u64, posting: Posting) -> Result<()> {
        let end = u32::try_from(self.postings.len() + 1).map_err(|_| {
            Error::input("an index in memory holds less than 2^32 postings; split the documents")
        })?;
        if self.hashes.last() != Some(&hash) {
            self.hashes.push(hash);
            self.ends.push(end);
        }
        if let Some(last) = self.ends.last_mut() {
            *last = end;
        }
        self.postings.push(posting);
        Ok(())
    }

    /// Returns the number of different hashes.
    pub fn n_hashes(&self) -> usize {
        self.hashes.len()
    }

    /// Returns the number of postings of all hashes.
    pub fn n_postings(&self) -> usize {
        self.postings.len()
    }

    /// Returns the occurrences of a hash, ascending by document and position.
    pub fn postings(&self, hash: u64) -> &[Posting] {
        self.hashes.binary_search(&hash).map_or(&[], |number| self.at(number))
    }

    /// Returns the number of documents that hold a hash.
    pub fn document_frequency(&self, hash: u64) -> usize {
        self.postings(hash).chunk_by(|x, y| x.document == y.document).count()
    }

    /// Returns all hashes with their postings, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &[Posting])> {
        self.hashes.iter().enumerate().map(|(number, &hash)| (hash, self.at(number)))
    }

    fn at(&self, number: usize) -> &[Posting] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.postings[start as usize..self.ends[number] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_all_its_places() {
        let fingerprint = |(hash, at)| Fingerprint { hash, at };
        let of = |all: &[(u64, u32)]| all.iter().copied().map(fingerprint).collect::<Vec<_>>();
        let (first, second) = (of(&[(9, 0), (5, 3), (9, 7)]), of(&[(9, 2), (9, 2)]));
        let index = PositionalIndex::build([(4, &*second), (1, &*first)]).expect("few");
        let places =
            |hash| index.postings(hash).iter().map(|p| (p.document, p.at)).collect::<Vec<_>>();
        assert_eq!(places(9), [(1, 0), (1, 7), (4, 2)]);
        assert_eq!((places(5), places(6)), (vec![(1, 3)], vec![]));
        assert_eq!([9, 5, 6].map(|hash| index.document_frequency(hash)), [2, 1, 0]);
        assert_eq!((index.n_hashes(), index.n_postings(), index.iter().count()), (2, 4, 2));
    }
}

//! The inverted index of a [`store`](super::store): the documents that may hold a value.
//!
//! It is a hash table without keys. Values fall into buckets of about thirty each, and a bucket lists its documents.
//! Values are not stored again: callers check the documents' own lists. A posting is a document's number in its run,
//! and in the bits that are left a mark, some bits of the value's hash. Postings of other values in the bucket nearly
//! always have another mark, and are passed over. A posting takes 3 bytes, or 4 in runs of more than a million
//! documents, and an eighth of a byte for its share of a bucket.
//!
//! Documents are added one by one, so postings are kept in runs of consecutive documents, each built at once: first a
//! run of [`BATCH`] documents, then neighbouring runs of similar size are merged. A look-up asks some twenty runs at
//! most.
//!
//! Cost: O(n) to build a run, so O(n log n) in all; a look-up reads one bucket of each run.

use std::ops::Range;

/// Number of new documents that are collected before they become a run.
pub(super) const BATCH: u32 = 256;
/// Average number of values per bucket. A bucket of 3-byte postings is then one or two cache lines, and marks rule out
/// 15 of 16 of its postings or more, so that it costs little time; with two values per bucket, each took 2 to 4 bytes
/// more.
const LOAD: usize = 32;
/// Minimum number of bits of a mark in a posting, for runs below 2^28 documents.
const LEAST_MARK: u32 = 4;
/// The bit of a value's hash at which its mark begins: below those that choose the bucket.
const MARK_START: u32 = 16;
/// 2^64 divided by the golden ratio: spreads values whose low or high bits are all equal.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The postings of a range of documents.
#[derive(Debug, Clone)]
struct Run {
    documents: Range<u32>,
    form: Form,
    /// Index of the first posting of each bucket, and the end of the last one.
    starts: Vec<u32>,
    /// Postings, with ascending documents within a bucket.
    postings: Vec<u8>,
}

/// The layout of a run's postings.
#[derive(Debug, Clone, Copy)]
struct Form {
    /// Number of bytes of a posting.
    width: usize,
    /// Number of bits of a document's number; the others are the mark.
    id_bits: u32,
}

/// The postings of a store.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    /// Runs, in the order of their documents; each is larger than the next.
    runs: Vec<Run>,
}

impl Postings {
    /// Returns the first document that is not in a run yet.
    pub(super) fn end(&self) -> u32 {
        self.runs.last().map_or(0, |run| run.documents.end)
    }

    /// Makes a run of the documents up to `end`, together with earlier runs that are not larger.
    ///
    /// `values` calls its second argument with each value of a document and its family.
    pub(super) fn extend(&mut self, end: u32, values: impl Fn(u32, &mut dyn FnMut(usize, u64))) {
        let mut start = self.end();
        while let Some(run) = self.runs.pop_if(|run| run.documents.len() as u32 <= end - start) {
            start = run.documents.start;
        }
        self.runs.push(Run::new(start..end, values));
    }

    /// Calls `found` with each document that may have the value in this family, ascending, until `found`
    /// returns `false`.
    #[inline]
    pub(super) fn ask(&self, family: usize, value: u64, mut found: impl FnMut(u32) -> bool) {
        for run in &self.runs {
            for document in run.holders(family, value) {
                if !found(document) {
                    return;
                }
            }
        }
    }

    /// Returns the memory that the postings take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| 4 * run.starts.len() + run.postings.len()).sum()
    }
}

impl Form {
    /// Returns the layout for this number of documents.
    fn for_documents(n_documents: usize) -> Form {
        let id_bits = usize::BITS - n_documents.saturating_sub(1).leading_zeros();
        Form { width: if id_bits + LEAST_MARK <= 24 { 3 } else { 4 }, id_bits }
    }

    fn mark(self, hash: u64) -> u32 {
        let n_bits = 8 * self.width as u32 - self.id_bits;
        (hash >> MARK_START) as u32 & ((1_u64 << n_bits) - 1) as u32
    }

    /// Returns a posting: a document's number in the run, and above it the mark.
    fn posting(self, number: u32, hash: u64) -> [u8; 4] {
        // In 64 bits, since a mark without bits would be shifted by 32.
        ((u64::from(self.mark(hash)) << self.id_bits) as u32 | number).to_le_bytes()
    }

    /// Returns the number and the mark of a posting.
    #[inline]
    fn read(self, posting: &[u8]) -> (u32, u32) {
        let mut bytes = [0; 8];
        bytes[..posting.len()].copy_from_slice(posting);
        let word = u64::from_le_bytes(bytes);
        ((word & ((1 << self.id_bits) - 1)) as u32, (word >> self.id_bits) as u32)
    }
}

impl Run {
    /// Builds the postings of some documents by a counting sort over buckets.
    fn new(documents: Range<u32>, values: impl Fn(u32, &mut dyn FnMut(usize, u64))) -> Run {
        let mut n = 0_usize;
        documents.clone().for_each(|document| values(document, &mut |_, _| n += 1));
        let form = Form::for_documents(documents.len());
        let n_buckets = (n / LOAD).max(1);
        // Shifted by one: filling a bucket moves its start to its end, which is the start of the next.
        let mut starts = vec![0_u32; n_buckets + 2];
        for document in documents.clone() {
            values(document, &mut |family, value| {
                starts[bucket(n_buckets, hash(family, value)) + 2] += 1;
            });
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut postings = vec![0; form.width * n];
        for document in documents.clone() {
            values(document, &mut |family, value| {
                let hash = hash(family, value);
                let next = &mut starts[bucket(n_buckets, hash) + 1];
                let at = form.width * *next as usize;
                let posting = form.posting(document - documents.start, hash);
                postings[at..at + form.width].copy_from_slice(&posting[..form.width]);
                *next += 1;
            });
        }
        starts.pop();
        Run { documents, form, starts, postings }
    }

    /// Returns the documents that may have a value, ascending.
    #[inline]
    fn holders(&self, family: usize, value: u64) -> impl Iterator<Item = u32> {
        let (form, first, hash) = (self.form, self.documents.start, hash(family, value));
        let bucket = bucket(self.starts.len() - 1, hash);
        let [start, end] = [0, 1].map(|i| form.width * self.starts[bucket + i] as usize);
        let wanted = form.mark(hash);
        self.postings[start..end].chunks_exact(form.width).filter_map(move |posting| {
            let (number, mark) = form.read(posting);
            (mark == wanted).then_some(first + number)
        })
    }
}

#[inline]
fn hash(family: usize, value: u64) -> u64 {
    (value ^ value >> 32).wrapping_add(family as u64).wrapping_mul(SPREAD)
}

/// Returns the bucket of a hash, one of `n`: by its highest bits, which depend on all bits of the value.
#[inline]
fn bucket(n: usize, hash: u64) -> usize {
    ((u128::from(hash) * n as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked(postings: &Postings, family: usize, value: u64) -> Vec<u32> {
        let mut found = Vec::new();
        postings.ask(family, value, |document| {
            found.push(document);
            true
        });
        found
    }

    proptest! {
        /// All documents with a value are found, once for each time they have it, ascending.
        #[test]
        fn no_document_is_missed(
            documents in prop::collection::vec(prop::collection::btree_set((0_usize..2, 0_u64..30), 0..6), 0..60),
            steps in prop::collection::vec(1_u32..9, 0..20),
        ) {
            let values = |document: u32, found: &mut dyn FnMut(usize, u64)| {
                documents[document as usize].iter().for_each(|&(family, value)| found(family, value));
            };
            let mut postings = Postings::default();
            for step in steps {
                let end = (postings.end() + step).min(documents.len() as u32);
                postings.extend(end, values);
                let sizes: Vec<usize> = postings.runs.iter().map(|run| run.documents.len()).collect();
                prop_assert!(sizes.windows(2).all(|pair| pair[0] > pair[1]), "{:?}", sizes);
            }
            for (family, value) in (0..2).flat_map(|family| (0..30).map(move |value| (family, value))) {
                let found = asked(&postings, family, value);
                prop_assert!(found.is_sorted());
                for (document, values) in documents[..postings.end() as usize].iter().enumerate() {
                    let is_found = found.contains(&(document as u32));
                    prop_assert!(is_found || !values.contains(&(family, value)));
                }
            }
        }
    }

    #[test]
    fn buckets_are_even_for_values_of_any_kind() {
        for shift in [0, 20, 40] {
            for left in [true, false] {
                let value =
                    |i: u64| if left { i << shift } else { i.wrapping_mul(SPREAD) >> shift };
                let each = |document: u32, found: &mut dyn FnMut(usize, u64)| {
                    found(0, value(document.into()));
                };
                let run = Run::new(1..4097, each);
                let largest = run.starts.windows(2).map(|pair| pair[1] - pair[0]).max();
                assert!(largest < Some(3 * LOAD as u32), "{shift} {left}: {largest:?}");
            }
        }
    }

    /// A number and a mark do not spill into each other, however many documents there are.
    #[test]
    fn postings_of_runs_of_any_size_are_read_back() {
        for n in [1, 2, 3, 256, 257, 1 << 20, (1 << 20) + 1, 1 << 28, u32::MAX as usize] {
            let form = Form::for_documents(n);
            assert_eq!(form.width, if n <= 1 << 20 { 3 } else { 4 }, "{n}");
            for number in [0, n / 2, n - 1].map(|number| number as u32) {
                for hash in [0, u64::MAX, SPREAD] {
                    let posting = form.posting(number, hash);
                    let read = form.read(&posting[..form.width]);
                    assert_eq!(read, (number, form.mark(hash)), "{n}: {number}, {hash:x}");
                }
            }
        }
    }

    /// Most postings of other values in a bucket are passed over, so that their documents need not be looked at.
    #[test]
    fn marks_tell_the_values_of_a_bucket_apart() {
        let value = |document: u32| fanmill_kernel::hash::mix::mix(document.into());
        let each = |document: u32, found: &mut dyn FnMut(usize, u64)| found(0, value(document));
        let run = Run::new(7..100_007, each);
        let asked: usize = (0..1000).map(|i| run.holders(0, value(200_000 + i)).count()).sum();
        assert!(asked < 300, "{asked} documents for 1000 values that none has");
        assert!((7..1007).all(|i| run.holders(0, value(i)).any(|holder| holder == i)));
    }
}

//! The inverted index of a [`store`](super::store): which documents may hold a value.
//!
//! It is a hash table without keys. Values fall into buckets, of about two each, and a bucket lists its
//! documents. Values are not stored again: callers check the documents' own lists, so a posting takes
//! 4 bytes and another 2 for its share of a bucket.
//!
//! Documents are added one by one, so postings are kept in runs of consecutive documents, each built at
//! once: first a run of [`BATCH`] documents, then neighbouring runs of similar size are merged. A look-up
//! asks some twenty runs at most.
//!
//! Cost: O(n) to build a run, so O(n log n) in all; a look-up is O(1) per run and posting.

use std::ops::Range;

/// Number of new documents that are collected before they become a run.
pub(super) const BATCH: u32 = 256;
/// Values per bucket, at most on average.
const LOAD: usize = 2;
/// 2^64 divided by the golden ratio: spreads values whose low or high bits are all equal.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The postings of a range of documents.
#[derive(Debug, Clone)]
struct Run {
    documents: Range<u32>,
    /// Number of bits in a bucket's number.
    bits: u32,
    /// Where each bucket begins in `postings`, and where the last one ends.
    starts: Vec<u32>,
    /// Documents, ascending within a bucket.
    postings: Vec<u32>,
}

/// The postings of a store.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    /// In the order of their documents; each run is larger than the next.
    runs: Vec<Run>,
}

impl Postings {
    /// The first document that is not in a run yet.
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
            for &document in run.bucket(family, value) {
                if !found(document) {
                    return;
                }
            }
        }
    }

    /// Memory that the postings take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| 4 * (run.starts.len() + run.postings.len())).sum()
    }
}

impl Run {
    /// Builds the postings of some documents by a counting sort over buckets.
    fn new(documents: Range<u32>, values: impl Fn(u32, &mut dyn FnMut(usize, u64))) -> Run {
        let mut n = 0_usize;
        documents.clone().for_each(|document| values(document, &mut |_, _| n += 1));
        let bits = (n / LOAD).max(1).next_power_of_two().ilog2();
        // Shifted by one: filling a bucket moves its start to its end, which is the start of the next.
        let mut starts = vec![0_u32; (1 << bits) + 2];
        for document in documents.clone() {
            values(document, &mut |family, value| starts[bucket(bits, family, value) + 2] += 1);
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut postings = vec![0; n];
        for document in documents.clone() {
            values(document, &mut |family, value| {
                let next = &mut starts[bucket(bits, family, value) + 1];
                postings[*next as usize] = document;
                *next += 1;
            });
        }
        starts.pop();
        Run { documents, bits, starts, postings }
    }

    fn bucket(&self, family: usize, value: u64) -> &[u32] {
        let bucket = bucket(self.bits, family, value);
        &self.postings[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }
}

/// The bucket of a value, one of `2^bits`.
#[inline]
fn bucket(bits: u32, family: usize, value: u64) -> usize {
    let spread = (value ^ value >> 32).wrapping_add(family as u64).wrapping_mul(SPREAD);
    // Two shifts, since a single one by 64 bits (for `bits` = 0) would overflow.
    (spread >> 1 >> (63 - bits)) as usize
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
                assert!(largest < Some(16), "{shift} {left}: {largest:?}");
            }
        }
    }
}

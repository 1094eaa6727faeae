//! Which documents have a value: the inverted side of a [`store`](super::store).
//!
//! A hash table laid flat: values fall into buckets, of about two each, and a bucket lists its
//! documents. Values are not repeated here; whoever asks looks into the documents' own lists, so
//! that a posting takes 4 bytes and its share of a bucket 2.
//!
//! Documents come one after another, so postings are kept in runs of documents, each built at once:
//! [`BATCH`] documents at first, and neighbours of about equal size are joined. At most some twenty
//! runs are asked for a value.
//!
//! Cost: building O(n) a run, so O(n log n) in all; asking O(1) a run and posting.

use std::ops::Range;

/// Documents that wait before they are a run of their own.
pub(super) const BATCH: u32 = 256;
/// Values to a bucket, on average at most.
const LOAD: usize = 2;
/// 2^64 divided by the golden ratio: spreads values whose low or high bits are all alike.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The postings of a range of documents.
#[derive(Debug, Clone)]
struct Run {
    documents: Range<u32>,
    /// Bits of a bucket's number.
    bits: u32,
    /// Where each bucket begins in `postings`, and where the last ends.
    starts: Vec<u32>,
    /// Documents, ascending within a bucket.
    postings: Vec<u32>,
}

/// The postings of a store.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    /// By document; each larger than the next.
    runs: Vec<Run>,
}

impl Postings {
    /// The first document that is not in a run.
    pub(super) fn end(&self) -> u32 {
        self.runs.last().map_or(0, |run| run.documents.end)
    }

    /// Takes the documents up to `end` into a run, together with earlier runs that are not larger.
    ///
    /// `values` calls its second argument with each value of a document and its family.
    pub(super) fn extend(&mut self, end: u32, values: impl Fn(u32, &mut dyn FnMut(usize, u64))) {
        let mut start = self.end();
        while let Some(run) = self.runs.pop_if(|run| run.documents.len() as u32 <= end - start) {
            start = run.documents.start;
        }
        self.runs.push(Run::new(start..end, values));
    }

    /// Calls `found` with each document, ascending, that may have the value in this family, until it
    /// says that it is enough.
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

    /// Bytes that the postings take.
    pub(super) fn bytes(&self) -> usize {
        self.runs.iter().map(|run| 4 * (run.starts.len() + run.postings.len())).sum()
    }
}

impl Run {
    /// Counts, sums up, and fills: a counting sort by bucket.
    fn new(documents: Range<u32>, values: impl Fn(u32, &mut dyn FnMut(usize, u64))) -> Run {
        let mut n = 0_usize;
        documents.clone().for_each(|document| values(document, &mut |_, _| n += 1));
        let bits = (n / LOAD).max(1).next_power_of_two().ilog2();
        // One more in front, which filling turns into the starts.
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

/// One of `2^bits`.
#[inline]
fn bucket(bits: u32, family: usize, value: u64) -> usize {
    let spread = (value ^ value >> 32).wrapping_add(family as u64).wrapping_mul(SPREAD);
    // Two shifts, since one by all 64 bits is none.
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
        /// All that have a value are among those found, once for each time, ascending.
        #[test]
        fn none_is_missed(
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

//! Grams (k-grams): `k` consecutive tokens at a position; their number and their hashes.
//!
//! A document of `n` tokens has `n - k + 1` grams, or none if it is shorter than `k`; gram `i` covers the tokens
//! `i..i + k`. A gram's value is the XXH3 hash of its symbols, 64 bits each, little-endian, so it is the same on every
//! platform and release.
//!
//! Grams are hashed in arrays: all of a document ([`hash_all`]) or some thousand at a time ([`hash_in_parts`]). Where
//! only a few are needed, they are hashed one by one ([`hash()`]).
//!
//! Why not a rolling hash: polynomial hashes modulo 2^64 collide on Thue–Morse texts for every
//! base, and cyclic polynomials collide on runs of one token. At the gram lengths in use
//! (5 to 50 tokens) XXH3 costs 3 to 8 ns, and not every selector hashes every gram.

mod shared;

pub use shared::SharedFilter;

use std::ops::Range;

use crate::token::Symbol;
use fanmill_kernel as kernel;

/// Returns the number of grams of `k` tokens in a document of `n_tokens`.
pub fn count(n_tokens: usize, k: usize) -> usize {
    (n_tokens + 1).saturating_sub(k)
}

/// Returns the value of one gram: the same symbols give the same 64 bits, everywhere and always.
#[inline]
pub fn hash(symbols: &[Symbol]) -> u64 {
    kernel::hash(Symbol::values(symbols))
}

/// Appends the values of all grams of `k` symbols, in order. A `k` of 0 is taken as 1.
pub fn hash_all(symbols: &[Symbol], k: usize, hashes: &mut Vec<u64>) {
    kernel::hash_all(Symbol::values(symbols), k, hashes);
}

/// Number of grams hashed at a time if not all of them should be in memory: 32 KiB of hashes, which fit the processor's
/// first cache.
const AT_A_TIME: usize = 1 << 12;

/// Calls `take` with the values of all grams of `k` symbols part by part, in order: each time with the numbers of some
/// grams, and their values. A `k` of 0 is taken as 1.
pub fn hash_in_parts(symbols: &[Symbol], k: usize, mut take: impl FnMut(Range<usize>, &[u64])) {
    let k = k.max(1);
    let n_grams = count(symbols.len(), k);
    let mut hashes = Vec::with_capacity(n_grams.min(AT_A_TIME));
    for start in (0..n_grams).step_by(AT_A_TIME) {
        // Parts overlap by `k - 1` symbols, so that no gram is lost between them.
        let end = n_grams.min(start + AT_A_TIME);
        hashes.clear();
        hash_all(&symbols[start..end + k - 1], k, &mut hashes);
        take(start..end, &hashes);
    }
}

/// Counts gram hashes, in memory bounded by the number of distinct ones.
#[derive(Debug, Clone, Default)]
pub struct Multiset {
    /// Distinct hashes with their counts, ascending.
    counted: Vec<(u64, u32)>,
    /// Hashes that are not counted yet.
    fresh: Vec<u64>,
}

/// Number of hashes collected before they are counted together. A file of one line repeated a million times has a dozen
/// distinct grams, and must not take memory for every one of its tokens.
const FRESH: usize = 1 << 18;

impl Multiset {
    /// Adds one gram.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        self.fresh.push(hash);
        // Waiting until there are as many new hashes as counted ones keeps the total cost of merging linear.
        if self.fresh.len() >= FRESH.max(self.counted.len()) {
            self.count_fresh();
        }
    }

    /// Returns the distinct hashes, ascending, each with its count.
    pub fn into_counts(mut self) -> Vec<(u64, u32)> {
        self.count_fresh();
        self.counted
    }

    fn count_fresh(&mut self) {
        self.fresh.sort_unstable();
        count_into(&mut self.counted, &mut self.fresh);
    }
}

/// Adds sorted hashes to a sorted list of distinct hashes with their counts, and empties `hashes`.
pub fn count_into(counted: &mut Vec<(u64, u32)>, hashes: &mut Vec<u64>) {
    counted.extend(hashes.chunk_by(|x, y| x == y).map(|run| (run[0], run.len() as u32)));
    hashes.clear();
    // The list is now two ascending runs, which the stable sort merges in linear time.
    counted.sort_by_key(|&(hash, _)| hash);
    counted.dedup_by(|next, kept| {
        let is_equal = next.0 == kept.0;
        kept.1 += if is_equal { next.1 } else { 0 };
        is_equal
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiset_counts_across_its_batches() {
        let mut set = Multiset::default();
        for i in 0..3 * FRESH as u64 {
            set.push(i % 7);
        }
        let counts = set.into_counts();
        assert_eq!(counts.iter().map(|&(hash, _)| hash).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(counts.iter().map(|&(_, n)| n as usize).sum::<usize>(), 3 * FRESH);
        assert!(Multiset::default().into_counts().is_empty());
    }

    fn symbols(text: &str) -> Vec<Symbol> {
        text.bytes().map(|b| Symbol::spelled(&[b])).collect()
    }

    #[test]
    fn a_document_shorter_than_k_has_no_grams() {
        assert_eq!([count(0, 1), count(4, 5), count(5, 5), count(9, 5)], [0, 0, 1, 5]);
    }

    #[test]
    fn equal_grams_hash_alike_and_others_do_not() {
        let text = symbols("adorunrunrunadorunrun");
        let hashes: Vec<u64> = text.windows(5).map(hash).collect();
        assert_eq!(hashes.len(), 17);
        assert_eq!(hashes[0], hashes[12]);
        let mut distinct = hashes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(
            distinct.len(),
            10,
            "adoru dorun orunr runru unrun nrunr nruna runad unado nador"
        );
    }

    #[test]
    fn parts_are_the_whole() {
        let text = symbols(&"abcdefghi".repeat(AT_A_TIME / 4));
        for (n, k) in
            [(0, 3), (2, 3), (3, 3), (AT_A_TIME + 2, 3), (AT_A_TIME + 3, 3), (text.len(), 20)]
        {
            let (mut whole, mut parts) = (Vec::new(), Vec::new());
            hash_all(&text[..n], k, &mut whole);
            hash_in_parts(&text[..n], k, |numbers, hashes| {
                assert_eq!((numbers.start, numbers.len()), (parts.len(), hashes.len()));
                parts.extend_from_slice(hashes);
            });
            assert_eq!(parts, whole, "{n} symbols, k = {k}");
            assert_eq!(whole, text[..n].windows(k).map(hash).collect::<Vec<_>>());
        }
    }

    /// A stored fingerprint must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(hash(&symbols("adoru")), 0xe514_d031_22cc_5984);
        assert_eq!(hash(&[]), 0x2d06_8005_38d3_94c2, "XXH3's own test vector for no bytes");
    }
}

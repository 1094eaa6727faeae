//! Grams (k-grams): `k` consecutive tokens at a position. How many there are, and how they are hashed.
//!
//! A document of `n` tokens has `n - k + 1` grams, or none if it is shorter than `k`; gram `i`
//! covers the tokens `i..i + k`. A gram's value is the XXH3 hash of its symbols, 64 bits each,
//! little-endian, so that it is the same on every platform and release.
//!
//! Why not a rolling hash: polynomial hashes modulo 2^64 collide on Thue–Morse texts for every
//! base, and cyclic polynomials collide on runs of one token. At the gram lengths in use
//! (5 to 50 tokens) XXH3 costs 3 to 8 ns, and not every selector hashes every gram.

mod shared;

pub use shared::SharedFilter;

use xxhash_rust::xxh3::xxh3_64;

use crate::token::Symbol;

/// Number of grams of `k` tokens in a document of `n_tokens`.
pub fn count(n_tokens: usize, k: usize) -> usize {
    (n_tokens + 1).saturating_sub(k)
}

/// The value of one gram: the same symbols give the same 64 bits, everywhere and always.
#[inline]
pub fn hash(symbols: &[Symbol]) -> u64 {
    if cfg!(target_endian = "little") {
        xxh3_64(bytemuck::cast_slice(symbols))
    } else {
        xxh3_64(&bytes(symbols))
    }
}

/// The bytes that are hashed: what the symbols look like in memory on a little-endian machine.
fn bytes(symbols: &[Symbol]) -> Vec<u8> {
    symbols.iter().flat_map(|symbol| symbol.value().to_le_bytes()).collect()
}

/// Counts gram hashes, in memory bounded by the number of distinct ones.
#[derive(Debug, Clone, Default)]
pub struct Multiset {
    /// Distinct hashes with their counts, ascending.
    counted: Vec<(u64, u32)>,
    /// Not counted yet.
    fresh: Vec<u64>,
}

/// Hashes collected before they are counted together. A file of one line repeated a million times
/// has a dozen distinct grams, and must not take memory for every one of its tokens.
const FRESH: usize = 1 << 18;

impl Multiset {
    /// Adds one gram.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        self.fresh.push(hash);
        // Waiting for as many new hashes as there are counted ones keeps merging linear in all.
        if self.fresh.len() >= FRESH.max(self.counted.len()) {
            self.count_fresh();
        }
    }

    /// The distinct hashes, ascending, each with its count.
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
pub(crate) fn count_into(counted: &mut Vec<(u64, u32)>, hashes: &mut Vec<u64>) {
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
    fn grams_are_hashed_as_little_endian_bytes_everywhere() {
        let text = symbols(&"abcdefgh".repeat(40));
        for k in [0, 1, 2, 16, 17, 31, 160, 320] {
            assert_eq!(hash(&text[..k]), xxh3_64(&bytes(&text[..k])));
        }
    }

    /// A stored fingerprint must mean the same in every release.
    #[test]
    fn values_never_change() {
        assert_eq!(hash(&symbols("adoru")), 0xe514_d031_22cc_5984);
        assert_eq!(hash(&[]), 0x2d06_8005_38d3_94c2, "XXH3's own test vector for no bytes");
    }
}

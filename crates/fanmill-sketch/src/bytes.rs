//! Eight bytes per document: a filter for small collections. Each byte is the hash of one of eight groups of `s`
//! registers.
//!
//! A byte agrees by chance once in 256, so with `x = J^s` two documents agree in a byte with
//! probability `x + (1 - x) / 256`. Requiring 3 of 8 lets 3.3 of a million unrelated pairs pass: 4,100
//! false pairs in 50,000 documents, 12 thousand million in 85 million. Requiring 7 of 8 lets one in
//! 10^16 pass, and such pairs are found by two exact look-ups, because one half of the bytes must
//! agree ([`halves`]); but its acceptance curve is not sharp.
//!
//! Cost: one feature per byte to make, four instructions to compare; 8 bytes per document.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "8 bytes are enough!", which does not say what a byte
//! is made of. So `s` and `r` are our choice: a filter for 90 % has `s = 11` with `r = 3` (half of the pairs are
//! accepted at 0.901), or `s = 2` with `r = 7` (0.893, less sharp); `s = 1` with `r = 3` accepts half at 0.32.

use super::classic::feature;
use super::registers::{self, EMPTY};
use fanmill_text::error::{Error, Result};

/// Number of bytes per document.
pub const BYTES: usize = 8;

/// A setting of the filter; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteFilter {
    samples: u32,
    needed: u32,
}

impl ByteFilter {
    /// Returns the filter of 3 of 8 bytes of 11 registers: for fewer than 50,000 documents.
    pub const fn small_scale() -> ByteFilter {
        ByteFilter { samples: 11, needed: 3 }
    }

    /// Returns the filter of 7 of 8 bytes of 2 registers: for any number of documents.
    pub const fn large_scale() -> ByteFilter {
        ByteFilter { samples: 2, needed: 7 }
    }

    /// Creates a filter of eight bytes of `samples` registers each; `needed` bytes must agree.
    ///
    /// # Errors
    /// If `samples` is 0, or `needed` is not in `1..=8`.
    pub fn new(samples: u32, needed: u32) -> Result<ByteFilter> {
        if samples == 0 || !(1..=BYTES as u32).contains(&needed) {
            return Err(Error::setting(format!(
                "{needed} of {BYTES} bytes of {samples} samples cannot agree; \
                 use at least 1 sample and 1 to {BYTES} bytes, such as 3 of 8 bytes of 11 samples"
            )));
        }
        Ok(ByteFilter { samples, needed })
    }

    /// Returns the number of registers hashed to a byte.
    pub fn samples(self) -> usize {
        self.samples as usize
    }

    /// Returns the number of bytes that must agree.
    pub fn needed(self) -> usize {
        self.needed as usize
    }

    /// Returns the total number of registers used.
    pub fn n_registers(self) -> usize {
        BYTES * self.samples()
    }

    /// Returns the bytes of a sketch, as a little-endian number; [`EMPTY`] for the empty set, and only for it.
    ///
    /// # Panics
    /// If there are fewer than [`Self::n_registers`] registers.
    pub fn bytes(self, row: &[u64]) -> u64 {
        let row = &row[..self.n_registers()];
        if registers::is_empty(row) {
            return EMPTY;
        }
        // Reversed, so that the first group becomes the lowest byte.
        let groups = row.chunks_exact(self.samples()).rev();
        groups.fold(0, |bytes, group| bytes << 8 | feature(group) & 0xff).min(EMPTY - 1)
    }

    /// Returns whether the filter accepts two documents with these bytes; never if one is empty.
    pub fn is_fungible(self, a: u64, b: u64) -> bool {
        a != EMPTY && b != EMPTY && agreeing(a, b) >= self.needed()
    }

    /// Returns the resemblance at which this many bytes agree in expectation, in `0..=1`.
    ///
    /// `None` if both sets are empty. With only eight bytes this is a rough estimate.
    pub fn resemblance(self, a: u64, b: u64) -> Option<f64> {
        let share = agreeing(a, b) as f64 / BYTES as f64;
        // Solve share = x + (1 - x) / 256 for x = J^s, then take the root.
        let by_design = ((256.0 * share - 1.0) / 255.0).max(0.0);
        match (a == EMPTY, b == EMPTY) {
            (true, true) => None,
            (false, false) => Some(libm::pow(by_design, 1.0 / self.samples() as f64)),
            _ => Some(0.0),
        }
    }
}

/// Returns the number of bytes in which two documents agree.
#[inline]
pub fn agreeing(a: u64, b: u64) -> usize {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differing = a ^ b;
    // Sets the highest bit of each byte that is not 0: adding 0x7f to its lower seven bits carries into
    // the eighth, and no further.
    let not_zero = ((differing & LOW) + LOW) | differing;
    (not_zero | LOW).count_zeros() as usize
}

/// Returns the two halves of a document's bytes. Pairs with 7 or 8 equal bytes have at least one equal half.
pub fn halves(bytes: u64) -> [u32; 2] {
    [bytes as u32, (bytes >> 32) as u32]
}

/// The naive twin of [`agreeing`].
#[cfg(test)]
fn naive_agreeing(a: u64, b: u64) -> usize {
    a.to_le_bytes().iter().zip(b.to_le_bytes()).filter(|(x, y)| **x == *y).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fanmill_kernel::hash::mix::SplitMix;

    #[test]
    fn impossible_settings_are_refused() {
        for (samples, needed) in [(0, 3), (1, 0), (1, 9)] {
            assert!(ByteFilter::new(samples, needed).is_err());
        }
    }

    #[test]
    fn empty_documents_are_never_accepted() {
        let filter = ByteFilter::small_scale();
        let (empty, full) = (filter.bytes(&[EMPTY; 88]), filter.bytes(&[7; 88]));
        assert!(!filter.is_fungible(empty, empty) && filter.is_fungible(full, full));
        assert_eq!(filter.resemblance(empty, empty), None);
        assert_eq!(filter.resemblance(empty, full), Some(0.0));
        assert_eq!(filter.resemblance(full, full), Some(1.0));
    }

    /// Agreement of 3 of 8 bytes by chance: 3.3e-6 per pair.
    #[test]
    fn unrelated_documents_pass_as_often_as_the_theory_says() {
        let bytes = SplitMix::new(5).seeds(2000);
        let passing = |needed| {
            let pairs = (0..bytes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.filter(|&(i, j)| agreeing(bytes[i], bytes[j]) >= needed).count()
        };
        // Of 1,999,000 pairs, 28 · 2^-16 agree in two bytes and 3.3e-6 in three.
        assert!((600..1100).contains(&passing(2)), "{}", passing(2));
        assert!((1..20).contains(&passing(3)), "{}", passing(3));
    }

    proptest! {
        #[test]
        fn fast_equals_naive(a: [u8; 8], b: [u8; 8], same: [bool; 8]) {
            let b = std::array::from_fn(|i| if same[i] { a[i] } else { b[i] });
            let (a, b) = (u64::from_le_bytes(a), u64::from_le_bytes(b));
            prop_assert_eq!(agreeing(a, b), naive_agreeing(a, b));
            if agreeing(a, b) >= 7 {
                prop_assert!(halves(a).iter().zip(halves(b)).any(|(x, y)| *x == y));
            }
        }
    }
}

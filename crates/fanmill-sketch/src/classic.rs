//! Classic features (super-shingles): `k` groups of `s` MinHash registers, each hashed to 64 bits.
//!
//! Two documents agree in a feature if they agree in all registers of its group, with probability
//! `J^s`. So agreement in at least `r` of `k` features is a filter for high resemblance `J`: a sharp
//! one, unlike the sketch itself, at 8 bytes per feature. [`Classic::alta_vista`] is the search
//! engine's own setting, 84 registers in 6 groups of 14 with `r = 2`, in 48 bytes per document;
//! [`Classic::variant`] has 8 groups of 25 with `r = 1`, in 64.
//!
//! The exact acceptance curve is in [`lsh::acceptance`](crate::lsh::acceptance). At the 90 % it was
//! designed for, the setting accepts 41 % of the pairs, the variant 45 %; half are accepted at a
//! resemblance of 0.909 and 0.905. If every pair counts, choose bands by
//! [`lsh::tuning`](crate::lsh::tuning) instead.
//!
//! Cost: O(t) time and `8 k` bytes per document, nothing else stored.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "The filtering mechanism", "Real implementation". We
//! read "more than r" as at least `r`, as in the slides' formula; otherwise the variant's `r = 1` would mean 2, and the
//! middle of the filter would not be at 90 % but 94.

use xxhash_rust::xxh3::xxh3_64;

use super::registers::{self, EMPTY};
use fanmill_text::error::{Error, Result};

/// A setting of the filter; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Classic {
    groups: u32,
    samples: u32,
    needed: u32,
}

impl Classic {
    /// Returns the filter of 6 groups of 14 registers; 2 groups must agree: 48 bytes per document.
    pub const fn alta_vista() -> Classic {
        Classic { groups: 6, samples: 14, needed: 2 }
    }

    /// Returns the filter of 8 groups of 25 registers; 1 group must agree: 64 bytes per document.
    pub const fn variant() -> Classic {
        Classic { groups: 8, samples: 25, needed: 1 }
    }

    /// Creates a filter of `groups` of `samples` registers each; `needed` groups must agree.
    ///
    /// # Errors
    /// If a number is 0, or more groups must agree than there are.
    pub fn new(groups: u32, samples: u32, needed: u32) -> Result<Classic> {
        if samples == 0 || needed == 0 || needed > groups {
            return Err(Error::setting(format!(
                "{needed} of {groups} features of {samples} samples cannot agree; \
                 use numbers of 1 or more, such as 2 of 6 features of 14 samples"
            )));
        }
        Ok(Classic { groups, samples, needed })
    }

    /// Returns the number of features of a document.
    pub fn groups(self) -> usize {
        self.groups as usize
    }

    /// Returns the number of registers in a feature.
    pub fn samples(self) -> usize {
        self.samples as usize
    }

    /// Returns the number of features that must agree.
    pub fn needed(self) -> usize {
        self.needed as usize
    }

    /// Returns the total number of registers used.
    pub fn n_registers(self) -> usize {
        self.groups() * self.samples()
    }

    /// Returns the number of bytes stored per document.
    pub fn stored_bytes(self) -> usize {
        self.groups() * size_of::<u64>()
    }

    /// Appends the features of a sketch: [`Self::groups`] numbers, [`EMPTY`] for the empty set.
    ///
    /// # Panics
    /// If there are fewer than [`Self::n_registers`] registers.
    pub fn features(self, row: &[u64], features: &mut Vec<u64>) {
        let groups = row[..self.n_registers()].chunks_exact(self.samples());
        features.extend(groups.map(feature));
    }

    /// Returns whether the filter accepts two documents with these features (the slides call them "fungible").
    ///
    /// # Panics
    /// If the numbers of features differ.
    pub fn is_fungible(self, a: &[u64], b: &[u64]) -> bool {
        !registers::is_empty(a) && registers::agreeing(a, b) >= self.needed()
    }
}

/// Returns one feature: XXH3 of its registers, little-endian; [`EMPTY`] for registers of the empty set, and only for
/// these.
///
/// The keys of [`lsh::bands`](crate::lsh::bands) have the same values.
pub fn feature(samples: &[u64]) -> u64 {
    if registers::is_empty(samples) {
        return EMPTY;
    }
    // Groups of up to 32 registers, which is nearly all, are hashed from the stack.
    let mut bytes = [0_u8; 8 * 32];
    let hash = if samples.len() <= 32 {
        for (chunk, sample) in bytes.chunks_exact_mut(8).zip(samples) {
            chunk.copy_from_slice(&sample.to_le_bytes());
        }
        xxh3_64(&bytes[..8 * samples.len()])
    } else {
        xxh3_64(&samples.iter().flat_map(|sample| sample.to_le_bytes()).collect::<Vec<u8>>())
    };
    // `EMPTY` is reserved; the one hash that equals it becomes its neighbour.
    hash.min(EMPTY - 1)
}

/// The naive twin: counts groups in which all registers are equal, without features.
#[cfg(test)]
pub(crate) fn naive_agreeing(a: &[u64], b: &[u64], groups: usize, samples: usize) -> usize {
    (0..groups).filter(|g| (g * samples..(g + 1) * samples).all(|i| a[i] == b[i])).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks;
    use crate::permutations::Permutations;
    use fanmill_effort::golden;

    fn features(classic: Classic, row: &[u64]) -> Vec<u64> {
        let mut features = Vec::new();
        classic.features(row, &mut features);
        features
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("features") {
            let [k, s] = ["k", "s"].map(|key| golden::usize(&case[key]) as u32);
            let [a, b] = ["samples_A", "samples_B"].map(|key| golden::u64s(&case[key]));
            assert_eq!(registers::agreeing(&a, &b), golden::usize(&case["matching_samples"]));
            let common = golden::usize(&case["common_features"]);
            assert_eq!(naive_agreeing(&a, &b, k as usize, s as usize), common, "{case}");
            for (needed, expected) in case["fungible_at_least"].as_object().expect("answers") {
                let classic = Classic::new(k, s, needed.parse().expect("r")).expect("valid");
                let (of_a, of_b) = (features(classic, &a), features(classic, &b));
                assert_eq!(registers::agreeing(&of_a, &of_b), common, "{case}");
                assert_eq!(Some(classic.is_fungible(&of_a, &of_b)), expected.as_bool(), "{case}");
            }
        }
    }

    #[test]
    fn a_document_takes_48_bytes_or_64_in_the_variant() {
        for (classic, t, bytes) in [(Classic::alta_vista(), 84, 48), (Classic::variant(), 200, 64)]
        {
            let permutations = Permutations::new(t).expect("in bounds");
            let (mut row, mut stored) = (Vec::new(), Vec::new());
            permutations.sketch(&checks::random_set(50, 1), &mut row);
            classic.features(&row, &mut stored);
            assert_eq!((classic.n_registers(), classic.stored_bytes()), (t, bytes));
            assert_eq!(size_of_val(&stored[..]), bytes);
        }
    }

    #[test]
    fn empty_documents_are_never_accepted() {
        let classic = Classic::alta_vista();
        let empty = features(classic, &[EMPTY; 84]);
        assert_eq!(empty, [EMPTY; 6]);
        assert!(!classic.is_fungible(&empty, &empty));
    }

    #[test]
    fn impossible_settings_are_refused() {
        for (groups, samples, needed) in [(6, 14, 7), (6, 14, 0), (6, 0, 1), (0, 14, 0)] {
            assert!(Classic::new(groups, samples, needed).is_err());
        }
    }

    #[test]
    fn long_groups_hash_like_short_ones() {
        let samples: Vec<u64> = (0..40).collect();
        for n in [1, 32, 33, 40] {
            let bytes: Vec<u8> = samples[..n].iter().flat_map(|s| s.to_le_bytes()).collect();
            assert_eq!(feature(&samples[..n]), xxh3_64(&bytes));
        }
    }
}

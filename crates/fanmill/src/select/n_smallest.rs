//! n smallest: keep the `n` smallest distinct hashes of a document.
//!
//! Every document yields at most `n` fingerprints, whatever its length. In return, only near-copies
//! of whole documents are sure to share some; a paragraph and the book it is from may share none.
//!
//! Cost: O(n log n) time in the number of hashes. No guarantee.
//!
//! Source: Heintze, USENIX Workshop on Electronic Commerce 1996, as described in Schleimer, Wilkerson
//! & Aiken, SIGMOD 2003, §2.3. We read "the n smallest hashes" as distinct values, each at its first position.

use super::sliding;

/// Appends the first positions of the `n` smallest distinct hashes, ascending by position.
pub fn select(hashes: &[u64], n: usize, positions: &mut Vec<u32>) {
    let mut values: Vec<(u64, u32)> =
        hashes.iter().enumerate().map(|(i, &hash)| (hash, sliding::position(i))).collect();
    values.sort_unstable();
    values.dedup_by_key(|&mut (hash, _)| hash);
    values.truncate(n);
    let start = positions.len();
    positions.extend(values.into_iter().map(|(_, at)| at));
    positions[start..].sort_unstable();
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use std::collections::BTreeMap;

    use super::sliding;

    /// The naive twin: an ordered map of first occurrences.
    pub fn n_smallest(hashes: &[u64], n: usize) -> Vec<u32> {
        let mut first = BTreeMap::new();
        for (i, &hash) in hashes.iter().enumerate() {
            first.entry(hash).or_insert(sliding::position(i));
        }
        let mut positions: Vec<u32> = first.into_values().take(n).collect();
        positions.sort_unstable();
        positions
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::n_smallest as naive;
    use super::*;
    use crate::select::checks;
    use fanmill_effort::golden;

    fn selected(hashes: &[u64], n: usize) -> Vec<u32> {
        let mut positions = Vec::new();
        select(hashes, n, &mut positions);
        positions
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("n_smallest") {
            let (hashes, n) = (golden::u64s(&case["hashes"]), golden::usize(&case["n"]));
            let mut values: Vec<u64> =
                selected(&hashes, n).iter().map(|&at| hashes[at as usize]).collect();
            values.sort_unstable();
            assert_eq!(values, golden::u64s(&case["distinct"]), "{case}");
        }
    }

    proptest! {
        #[test]
        fn fast_equals_naive(hashes in checks::hashes(), n in 0_usize..60) {
            prop_assert_eq!(selected(&hashes, n), naive(&hashes, n));
        }
    }
}

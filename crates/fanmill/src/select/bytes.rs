//! ROC and winnowing of the plain bytes of a text, without tokens: each fingerprint with its value.
//!
//! Both are robust, and give a guarantee of `w + k - 1` bytes. The value is the XXH3 hash of the `k` bytes. The order
//! by which grams are chosen is another hash, of 32 bits, computed for many grams at once. So values are evenly spread,
//! whatever is chosen.
//!
//! Cost: measured by `fanmill-bench speed`; `design/fast-path.md` shows where the time goes.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::local::{Chooser, LocalRule};
use super::roc::Roc;
use super::sliding;
use fanmill_kernel as kernel;
use fanmill_kernel::OrderScratch;

/// Appends value and position of each gram that ROC selects, ascending by position.
pub fn roc(text: &[u8], roc: Roc, fingerprints: &mut Vec<(u64, u32)>) {
    let (k, r) = (roc.k(), roc.r());
    let mut room = OrderScratch::default();
    let order = |at: Range<usize>, orders: &mut [u32]| {
        kernel::byte_orders(&text[at.start..at.end + r - 1], r, &mut room, orders);
    };
    let take = |value, at| fingerprints.push((value, sliding::position(at)));
    roc.select_with_content(text.len(), order, |i| xxh3_64(&text[i..i + k]), take);
}

/// Appends value and position of each gram of `k` bytes that robust winnowing selects from windows of `w` grams, ascending
/// by position. A `k` or `w` of 0 is taken as 1.
pub fn winnow(text: &[u8], k: usize, w: usize, fingerprints: &mut Vec<(u64, u32)>) {
    let (k, w) = (k.max(1), w.max(1));
    if text.len() < w + k - 1 {
        return;
    }
    let mut room = OrderScratch::default();
    let orders = |at: Range<usize>, orders: &mut [u32]| {
        kernel::byte_orders(&text[at.start..at.end + k - 1], k, &mut room, orders);
    };
    let take = |value, at| fingerprints.push((value, sliding::position(at)));
    let content = |i: usize| xxh3_64(&text[i..i + k]);
    let mut chooser = Chooser::new(LocalRule { w, n_keys: w }, content, take);
    chooser.search(0..text.len() + 2 - k - w, orders);
    chooser.decide();
}

/// The naive twins: benchmarks time them beside the fast forms, and tests compare them.
pub(crate) mod naive {
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::roc;
    use super::{Roc, sliding};
    use fanmill_kernel::naive::byte_order;

    /// Selects by ROC of bytes, by its definition.
    pub fn roc_of_bytes(text: &[u8], of: Roc) -> Vec<(u64, u32)> {
        let (k, r) = (of.k(), of.r());
        let content = |i: usize| xxh3_64(&text[i..i + k]);
        let positions = roc::naive::roc(text.len(), of, |i| byte_order(&text[i..i + r]), content);
        positions.into_iter().map(|at| (content(at as usize), at)).collect()
    }

    /// Selects by robust winnowing of bytes, by its definition.
    ///
    /// # Panics
    /// If `k` or `w` is 0.
    pub fn winnowing_of_bytes(text: &[u8], k: usize, w: usize) -> Vec<(u64, u32)> {
        let orders: Vec<u32> = text.windows(k).map(byte_order).collect();
        let mut found: Vec<(u64, u32)> = Vec::new();
        for start in 0..(orders.len() + 1).saturating_sub(w) {
            let window = start..start + w;
            let at = window.min_by_key(|&i| (orders[i], usize::MAX - i)).expect("w is not 0");
            let value = xxh3_64(&text[at..at + k]);
            let is_kept = |&(kept, before): &(u64, u32)| before as usize >= start && kept == value;
            if !found.last().is_some_and(is_kept) {
                found.push((value, sliding::position(at)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::select::local::BLOCK;
    use fanmill_kernel::InstructionSet;

    /// Generates texts from random to constant, some with a period and noise, and some longer than blocks.
    fn texts(n: Range<usize>) -> impl Strategy<Value = Vec<u8>> {
        let bytes = |n: Range<usize>| {
            prop_oneof![
                proptest::collection::vec(any::<u8>(), n.clone()),
                proptest::collection::vec(0_u8..3, n.clone()),
                proptest::collection::vec(0_u8..1, n),
            ]
        };
        (bytes(n), 1_usize..60, 1_usize..200).prop_map(|(mut text, period, noise)| {
            for i in period..text.len() {
                if noise < 100 && i % noise != 0 {
                    text[i] = text[i - period];
                }
            }
            text
        })
    }

    fn check(text: &[u8], k: usize, w: usize, r: usize) -> Result<(), TestCaseError> {
        let of = Roc::new(k, w, r);
        let (by_roc, winnowed) =
            (naive::roc_of_bytes(text, of), naive::winnowing_of_bytes(text, k, w));
        for set in InstructionSet::available() {
            set.choose().expect("it is available");
            let mut found = Vec::new();
            roc(text, of, &mut found);
            prop_assert_eq!(&found, &by_roc, "{}", set);
            found.clear();
            winnow(text, k, w, &mut found);
            prop_assert_eq!(&found, &winnowed, "{}", set);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_kernel_equals_naive(text in texts(0..300), skipped in 0_usize..8, k in 1_usize..60, w in 1_usize..60, r in 1_usize..5) {
            check(text.get(skipped..).unwrap_or_default(), k, w, r)?;
        }

        /// Windows much wider than grams, most of which have a gram of tier 0.
        #[test]
        fn every_kernel_equals_naive_in_wide_windows(text in texts(0..900), k in 30_usize..100, w in 60_usize..250, r in 1_usize..5) {
            check(&text, k, w, r)?;
        }

        #[test]
        fn a_shared_run_is_found(
            before in texts(0..80), run in proptest::collection::vec(0_u8..4, 80), after in texts(0..80), k in 1_usize..40, w in 1_usize..40,
        ) {
            let run = &run[..w + k - 1];
            let values = |text: &[u8], is_roc: bool| {
                let mut found = Vec::new();
                if is_roc {
                    roc(text, Roc::new(k, w, 4), &mut found);
                } else {
                    winnow(text, k, w, &mut found);
                }
                found.into_iter().map(|(value, _)| value).collect::<Vec<_>>()
            };
            for is_roc in [false, true] {
                let (whole, alone) = (values(&[&before, run, &after].concat(), is_roc), values(run, is_roc));
                prop_assert!(alone.iter().any(|value| whole.contains(value)));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(12)))]

        #[test]
        fn every_kernel_equals_naive_beyond_a_block(
            text in texts(BLOCK..3 * BLOCK),
            k in prop_oneof![1_usize..12, 30_usize..60],
            w in prop_oneof![1_usize..50, 60_usize..200, BLOCK - 20..BLOCK + 20, BLOCK..2 * BLOCK],
            r in 1_usize..5,
        ) {
            check(&text, k, w, r)?;
        }
    }
}

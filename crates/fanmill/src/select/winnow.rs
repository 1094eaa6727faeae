//! Winnowing: from every window of `w` hashes keep the smallest; on a tie, the rightmost.
//!
//! Two documents that share a run of at least `t = w + k - 1` tokens share a fingerprint from it,
//! at the same place of the run, and no run shorter than `k` tokens can be found.
//!
//! Use it to reproduce MOSS and other tools that winnow; otherwise [`roc`](super::roc) gives the same
//! guarantee with fewer fingerprints.
//!
//! Cost: O(n) time expected, O(w) memory. Keeps `2 / (w + 1)` of hashes that look random, but
//! nearly all of them where a text repeats itself: see [`robust`](super::robust).
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3, Definition 1; the loop is Figure 5's.

use super::sliding;

/// Appends the selected positions, ascending. Nothing is selected from fewer than `w` hashes; a `w` of 0 is taken as 1.
pub fn select(hashes: &[u64], w: usize, positions: &mut Vec<u32>) {
    sliding::window_minima(hashes, w, Some, positions);
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::sliding;

    /// The naive twin: Definition 1, word for word.
    ///
    /// # Panics
    /// If `w` is 0.
    pub fn winnow(hashes: &[u64], w: usize) -> Vec<u32> {
        let mut positions: Vec<u32> = Vec::new();
        for start in 0..(hashes.len() + 1).saturating_sub(w) {
            let window = start..start + w;
            let rightmost =
                window.min_by_key(|&i| (hashes[i], usize::MAX - i)).expect("w is not 0");
            positions.push(sliding::position(rightmost));
        }
        positions.dedup();
        positions
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::winnow as naive;
    use super::*;
    use crate::select::checks;

    fn selected(hashes: &[u64], w: usize) -> Vec<u32> {
        let mut positions = Vec::new();
        select(hashes, w, &mut positions);
        positions
    }

    #[test]
    fn figure_2_of_the_paper() {
        let hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
        let pairs: Vec<(u64, u32)> =
            selected(&hashes, 4).into_iter().map(|at| (hashes[at as usize], at)).collect();
        assert_eq!(pairs, [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
    }

    #[test]
    fn golden_vectors() {
        checks::golden_windows("winnow", selected);
    }

    #[test]
    fn repetitive_text_is_selected_nearly_whole() {
        assert_eq!(selected(&[7; 1000], 100).len(), 901, "why robust winnowing exists");
    }

    #[test]
    fn density_on_random_hashes_is_two_in_w_plus_one() {
        checks::density_is(2.0 / 101.0, 0.0004, |hashes| selected(hashes, 100));
    }

    proptest! {
        #[test]
        fn fast_equals_naive(hashes in checks::hashes(), w in 1_usize..40) {
            prop_assert_eq!(selected(&hashes, w), naive(&hashes, w));
        }

        #[test]
        fn every_window_holds_a_fingerprint(hashes in checks::hashes(), w in 1_usize..40) {
            checks::every_window_holds_one(&selected(&hashes, w), hashes.len(), w)?;
        }

        /// §3.2: fingerprints of a wider window are among those of a narrower one.
        #[test]
        fn wider_windows_select_a_subset(hashes in checks::hashes(), w in 1_usize..30, more in 0_usize..30) {
            let narrow = selected(&hashes, w);
            prop_assert!(selected(&hashes, w + more).iter().all(|at| narrow.contains(at)));
        }
    }
}

//! Robust winnowing: winnowing that keeps the previous window's choice on a tie.
//!
//! In a text that repeats itself, many hashes in a window are equal, and winnowing's rightmost rule selects a new one
//! at every step. Keeping the old one while it is in the window selects one in `w`.
//!
//! Two documents that share a run of at least `t = w + k - 1` tokens still share the value of a
//! fingerprint from it, at places that differ by at most `w - 1`. The selection is no longer local
//! (it depends on what comes before the run), but the guarantee still holds.
//!
//! Cost: as winnowing. Keeps `2 / (w + 1)` of random hashes, `1 / w` of equal ones.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1, Definition 3. We read "the same hash as the window one
//! position to the left" as the same position; the first window takes the rightmost minimum.

use super::sliding;

/// Appends the selected positions, ascending. Nothing is selected from fewer than `w` hashes; a `w` of 0 is taken as 1.
pub fn select(hashes: &[u64], w: usize, positions: &mut Vec<u32>) {
    sliding::window_minima(hashes, w, |minimum| minimum.checked_sub(1), positions);
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::sliding;

    /// The naive twin: Definition 3, word for word.
    ///
    /// # Panics
    /// If `w` is 0.
    pub fn robust(hashes: &[u64], w: usize) -> Vec<u32> {
        let mut positions: Vec<u32> = Vec::new();
        for start in 0..(hashes.len() + 1).saturating_sub(w) {
            let window = &hashes[start..start + w];
            let minimum = *window.iter().min().expect("w is not 0");
            let previous = positions.last().map(|&at| at as usize);
            if previous.is_some_and(|at| at >= start && hashes[at] == minimum) {
                continue;
            }
            let rightmost = window.iter().rposition(|&hash| hash == minimum).expect("it is there");
            positions.push(sliding::position(start + rightmost));
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::robust as naive;
    use super::*;
    use crate::select::{checks, winnow};

    fn selected(hashes: &[u64], w: usize) -> Vec<u32> {
        let mut positions = Vec::new();
        select(hashes, w, &mut positions);
        positions
    }

    #[test]
    fn golden_vectors() {
        checks::golden_windows("robust", selected);
    }

    #[test]
    fn repetitive_text_is_selected_once_a_window() {
        assert_eq!(selected(&[7; 1000], 100).len(), 10);
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

        #[test]
        fn selects_a_subset_of_winnowing(hashes in checks::hashes(), w in 1_usize..40) {
            let plain = winnow::naive::winnow(&hashes, w);
            prop_assert!(selected(&hashes, w).iter().all(|at| plain.contains(at)));
        }
    }
}

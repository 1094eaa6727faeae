//! Safe 0 mod p: 0 mod p, plus every hash that would leave a gap wider than the window.
//!
//! A hash is *good* if `p` divides it, *bad* if neither it nor any of the `w - 1` hashes to its
//! left is good, and *ugly* otherwise; all but the ugly ones are kept. This gives winnowing's
//! guarantee, but keeps more.
//!
//! Cost: O(n) time. Keeps `1/p + (1 - 1/p)^w` of hashes that look random, at best about
//! `(1 + ln w) / w` (near `p = w / ln w`): two to three times what winnowing keeps.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1.2. The first `w - 1` hashes, which
//! have too few left neighbours, are never bad here; the guarantee holds either way.

use super::sliding;

/// Appends the selected positions, ascending. A `w` of 0 is taken as 1, which keeps all; with a `p` of 0, only the hash
/// 0 is a multiple.
pub fn select(hashes: &[u64], p: u64, w: usize, positions: &mut Vec<u32>) {
    // Number of hashes since the last good one, or since the document's start.
    let mut since_good = 0;
    for (i, hash) in hashes.iter().enumerate() {
        since_good = if hash.is_multiple_of(p) { 0 } else { since_good + 1 };
        if since_good == 0 || since_good >= w {
            positions.push(sliding::position(i));
        }
    }
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub(crate) mod naive {
    use super::sliding;

    /// The naive twin: looks at every neighbour.
    pub fn safe_mod_p(hashes: &[u64], p: u64, w: usize) -> Vec<u32> {
        let good = |i: usize| hashes[i].is_multiple_of(p);
        let bad = |i: usize| i + 1 >= w && (i + 1 - w..=i).all(|j| !good(j));
        (0..hashes.len()).filter(|&i| good(i) || bad(i)).map(sliding::position).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::naive::safe_mod_p as naive;
    use super::*;
    use crate::select::checks;
    use fanmill_effort::golden;

    fn selected(hashes: &[u64], p: u64, w: usize) -> Vec<u32> {
        let mut positions = Vec::new();
        select(hashes, p, w, &mut positions);
        positions
    }

    #[test]
    fn golden_vectors() {
        for case in golden::cases("mod_p") {
            let (hashes, w) = (golden::u64s(&case["hashes"]), golden::usize(&case["w"]));
            let p = case["p"].as_u64().expect("p");
            let pairs: Vec<(u64, u64)> = selected(&hashes, p, w)
                .into_iter()
                .map(|at| (hashes[at as usize], at.into()))
                .collect();
            assert_eq!(pairs, golden::pairs(&case["safe"]), "{case}");
        }
    }

    #[test]
    fn density_is_the_exact_form_not_the_approximation() {
        let exact = 1.0 / 22.0 + (1.0 - 1.0 / 22.0_f64).powi(100);
        checks::density_is(exact, 0.0015, |hashes| selected(hashes, 22, 100));
    }

    proptest! {
        #[test]
        fn fast_equals_naive(hashes in checks::hashes(), p in 1_u64..40, w in 1_usize..40) {
            prop_assert_eq!(selected(&hashes, p, w), naive(&hashes, p, w));
        }

        #[test]
        fn every_window_holds_a_fingerprint(hashes in checks::hashes(), p in 1_u64..40, w in 1_usize..40) {
            checks::every_window_holds_one(&selected(&hashes, p, w), hashes.len(), w)?;
        }
    }
}

//! Selectors: the positions that each keeps of a document, and the number that theory expects.
//!
//! Grams are hashed once for all selectors that order by hashes.
//!
//! Cost: that of each selector; 8 bytes per gram for the hashes.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1 and §4, Theorem 1 and Observation 1.

use fanmill::select::{Selector, Thresholds, all, mod_p, n_smallest, robust, safe_mod_p, winnow};
use fanmill_text::gram;
use fanmill_text::token::Symbol;

/// Returns the hashes of all grams of `k` symbols, in order.
pub(crate) fn hashes(symbols: &[Symbol], k: usize) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(gram::count(symbols.len(), k));
    gram::hash_all(symbols, k, &mut hashes);
    hashes
}

/// Returns the integer `p` whose 1/p is nearest to winnowing's density from above: (w + 1) / 2, rounded down.
pub(crate) fn equal_p(w: usize) -> u32 {
    w.div_ceil(2) as u32
}

/// Returns the integer `p` for which safe 0 mod p keeps least: the minimum of `1/p + (1 - 1/p)^w`.
pub(crate) fn best_p(w: usize) -> u32 {
    // The density falls, then rises; the minimum is near w / ln w, and therefore below w.
    let density = |p: u32| safe_density(p, w);
    (1..=w as u32).min_by(|&a, &b| density(a).total_cmp(&density(b))).unwrap_or(1)
}

/// Returns the share that safe 0 mod p keeps of an endless sequence of random hashes (§3.1.2).
pub(crate) fn safe_density(p: u32, w: usize) -> f64 {
    let good = 1.0 / f64::from(p);
    good + (1.0 - good).powf(w as f64)
}

/// Appends the positions that `selector` keeps, ascending. `hashes` are the gram hashes of `symbols`.
pub(crate) fn select(
    selector: Selector,
    symbols: &[Symbol],
    hashes: &[u64],
    thresholds: Thresholds,
    positions: &mut Vec<u32>,
) {
    let w = thresholds.window();
    match selector {
        Selector::Roc { .. } => selector.select(symbols, thresholds, positions),
        Selector::Winnow => winnow::select(hashes, w, positions),
        Selector::Robust => robust::select(hashes, w, positions),
        Selector::ModP { p } => mod_p::select(hashes, u64::from(p), positions),
        Selector::SafeModP { p } => safe_mod_p::select(hashes, u64::from(p), w, positions),
        Selector::NSmallest { n } => n_smallest::select(hashes, n as usize, positions),
        Selector::All => all::select(hashes.len(), positions),
    }
}

/// Returns the number of grams that a selector is expected to keep of a document of `n` grams with random hashes;
/// `None` if no formula is known.
///
/// A document of `n` hashes has a first window, from which one hash is always kept, and `n - w` later ones, each of
/// which adds a new hash with probability 2/(w + 1) (§3.1). Of a document shorter than a window none is kept.
pub(crate) fn expected(selector: Selector, n: usize, w: usize) -> Option<f64> {
    let is_windowed = n >= w;
    let (n, w) = (n as f64, w as f64);
    Some(match selector {
        Selector::Roc { .. } => return None,
        Selector::Winnow | Selector::Robust if is_windowed => 1.0 + (n - w) * 2.0 / (w + 1.0),
        Selector::Winnow | Selector::Robust => 0.0,
        Selector::ModP { p } => n / f64::from(p),
        Selector::SafeModP { p } => {
            let good = 1.0 / f64::from(p);
            // The first w - 1 hashes of a document are never bad.
            let n_may_be_bad = (n - (w - 1.0)).max(0.0);
            n * good + n_may_be_bad * (1.0 - good).powf(w)
        }
        Selector::NSmallest { n: most } => n.min(f64::from(most)),
        Selector::All => n,
    })
}

/// Returns the runs of hashes that are not kept: before the first position, between two and after the last, each with
/// its start and its length, which is at least 1.
pub(crate) fn bare_runs(positions: &[u32], n: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let ends = positions.iter().map(|&at| at as usize).chain([n]);
    let starts = std::iter::once(0).chain(positions.iter().map(|&at| at as usize + 1));
    starts.zip(ends).map(|(start, end)| (start, end - start)).filter(|&(_, length)| length > 0)
}

/// Returns the bound of Theorem 1: no local algorithm keeps a smaller share of random hashes.
pub(crate) fn local_bound(w: usize) -> f64 {
    1.5 / (w as f64 + 1.0)
}

/// Returns the bound of Observation 1, a little above that of Theorem 1.
pub(crate) fn improved_local_bound(w: usize) -> f64 {
    (1.5 + 0.5 / w as f64) / (w as f64 + 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::experiment::random_text::random_text;

    /// Returns every selector. For 0 mod p, `p` gives the density of winnowing; for safe 0 mod p, the lowest density.
    fn selectors(thresholds: Thresholds) -> [Selector; 7] {
        let w = thresholds.window();
        [
            Selector::roc(thresholds.noise()),
            Selector::Winnow,
            Selector::Robust,
            Selector::ModP { p: equal_p(w) },
            Selector::SafeModP { p: best_p(w) },
            Selector::NSmallest { n: 100 },
            Selector::All,
        ]
    }

    fn symbols(text: &[u8]) -> Vec<Symbol> {
        text.iter().map(|&byte| Symbol::spelled(&[byte])).collect()
    }

    #[test]
    fn bounds_are_those_of_the_paper() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 5e-6, "{value}");
        near(local_bound(100), 0.014_851);
        near(improved_local_bound(100), 0.014_901);
    }

    #[test]
    fn p_is_chosen_as_the_paper_does() {
        assert_eq!([1, 2, 99, 100].map(equal_p), [1, 1, 50, 50]);
        assert_eq!(best_p(1), 1);
        // ln(100) / 100 = 1 / 21.7; the minimum of the exact form is nearby.
        assert!((20..=24).contains(&best_p(100)), "{}", best_p(100));
        assert!((safe_density(22, 100) - 0.054_997).abs() < 5e-6);
    }

    /// Checks a value from the errata: for n = 400 and w = 30 the mean is 24.871.
    #[test]
    fn a_document_that_ends_keeps_one_and_then_some() {
        let of_400 = expected(Selector::Winnow, 400, 30).expect("a formula");
        assert!((of_400 - 24.871).abs() < 5e-4, "{of_400}");
        assert_eq!(expected(Selector::Robust, 29, 30), Some(0.0));
        assert_eq!(expected(Selector::All, 400, 30), Some(400.0));
        assert_eq!(expected(Selector::NSmallest { n: 100 }, 400, 30), Some(100.0));
        assert_eq!(expected(Selector::Roc { r: 4 }, 400, 30), None);
    }

    /// Checks golden vectors: the longest run, ends included, and the longest gap.
    #[test]
    fn runs_and_gaps_are_those_of_the_vectors() {
        let vectors = include_str!("../../../../testdata/golden/gaps.json");
        let vectors: serde_json::Value = serde_json::from_str(vectors).expect("JSON");
        let number = |value: &serde_json::Value| value.as_u64().expect("a number");
        for case in vectors["cases"].as_array().expect("cases") {
            let positions: Vec<u32> = case["positions"]
                .as_array()
                .expect("positions")
                .iter()
                .map(|at| number(at) as u32)
                .collect();
            let runs = bare_runs(&positions, number(&case["n"]) as usize);
            let longest = runs.map(|(_, length)| length).max().unwrap_or(0);
            assert_eq!(longest as u64, number(&case["longest_run_without_fingerprint"]), "{case}");
            let gap = positions.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
            assert_eq!(u64::from(gap), number(&case["max_gap"]), "{case}");
        }
    }

    proptest! {
        /// Checks that hashing all grams in advance does not change the selection.
        #[test]
        fn selects_as_the_selectors_do(text in "[ab]{0,80}|[a-z]{0,80}", k in 1_u32..6, more in 0_u32..12) {
            let thresholds = Thresholds::new(k, k + more).expect("ordered");
            let symbols = symbols(text.as_bytes());
            let hashes = hashes(&symbols, k as usize);
            for selector in selectors(thresholds) {
                let (mut fast, mut plain) = (Vec::new(), Vec::new());
                select(selector, &symbols, &hashes, thresholds, &mut fast);
                selector.select(&symbols, thresholds, &mut plain);
                prop_assert_eq!(&fast, &plain, "{}", selector);
                let bare: usize = bare_runs(&fast, hashes.len()).map(|(_, length)| length).sum();
                prop_assert_eq!(bare + fast.len(), hashes.len());
            }
        }

        /// Checks that expectations hold for random hashes, on average.
        #[test]
        fn expectations_hold_on_random_documents(seed: u64) {
            let thresholds = Thresholds::new(8, 27).expect("ordered");
            let w = thresholds.window();
            let text = random_text(20_000, seed);
            for selector in selectors(thresholds) {
                let (mut n_kept, mut sum) = (0, Some(0.0));
                for part in text.chunks(100) {
                    let (hashes, mut kept) = (hashes(part, 8), Vec::new());
                    select(selector, part, &hashes, thresholds, &mut kept);
                    n_kept += kept.len();
                    let of_part = expected(selector, hashes.len(), w);
                    sum = sum.zip(of_part).map(|(sum, of_part)| sum + of_part);
                }
                if let Some(expected) = sum {
                    let off = (n_kept as f64 - expected).abs() / expected;
                    prop_assert!(off < 0.12, "{}: {} of {}", selector, n_kept, expected);
                }
            }
        }
    }
}

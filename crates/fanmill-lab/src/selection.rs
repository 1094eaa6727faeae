//! All selectors side by side: the positions they keep of a document, and the number that theory expects.
//!
//! Grams are hashed once for all selectors that order by hashes.
//!
//! Cost: that of each selector; 8 bytes per gram for the hashes.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1 and §4, Theorem 1 and Observation 1; for the bound of 2025:
//! Kille, Groot Koerkamp, `McAdams`, Liu & Treangen, Bioinformatics 41, 2025.

use fanmill::select::{Selector, Thresholds, all, mod_p, n_smallest, robust, safe_mod_p, winnow};
use fanmill_text::gram;
use fanmill_text::token::Symbol;

/// The `n` used here for the selector of the `n` smallest hashes.
const SMALLEST: u32 = 100;

/// Returns the hashes of all grams of `k` symbols, in order.
pub fn hashes(symbols: &[Symbol], k: usize) -> Vec<u64> {
    let mut hashes = Vec::with_capacity(gram::count(symbols.len(), k));
    gram::hash_all(symbols, k, &mut hashes);
    hashes
}

/// Returns every selector. For 0 mod p, `p` gives the density of winnowing; for safe 0 mod p, the lowest density.
pub(crate) fn side_by_side(thresholds: Thresholds) -> Vec<Selector> {
    let w = thresholds.window();
    vec![
        Selector::roc(thresholds.noise()),
        Selector::Winnow,
        Selector::Robust,
        Selector::ModP { p: equal_p(w) },
        Selector::SafeModP { p: best_p(w) },
        Selector::NSmallest { n: SMALLEST },
        Selector::All,
    ]
}

/// Returns the integer `p` whose 1/p is nearest to winnowing's density from above: (w + 1) / 2, rounded down.
pub(crate) fn equal_p(w: usize) -> u32 {
    w.div_ceil(2) as u32
}

/// Returns the integer `p` for which safe 0 mod p keeps least: the minimum of `1/p + (1 - 1/p)^w`.
pub fn best_p(w: usize) -> u32 {
    // The density falls, then rises; the minimum is near w / ln w, and therefore below w.
    let density = |p: u32| safe_density(p, w);
    (1..=w as u32).min_by(|&a, &b| density(a).total_cmp(&density(b))).unwrap_or(1)
}

/// Returns the share that safe 0 mod p keeps of an endless sequence of random hashes (§3.1.2).
pub fn safe_density(p: u32, w: usize) -> f64 {
    let good = 1.0 / f64::from(p);
    good + (1.0 - good).powf(w as f64)
}

/// Appends the positions that `selector` keeps, ascending. `hashes` are the gram hashes of `symbols`.
pub fn select(
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

/// The numbers of grams that expectations for finite documents depend on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Number of grams in all documents.
    pub n_hashes: u64,
    /// Number of documents with at least one window.
    pub n_windowed: u64,
    /// Number of grams in these documents.
    pub n_in_windowed: u64,
    /// Number of grams that the selector of the smallest hashes keeps, over all documents.
    pub n_smallest: u64,
}

impl Sizes {
    /// Returns the sizes of one document.
    pub fn of(n_hashes: usize, w: usize) -> Sizes {
        let n = n_hashes as u64;
        let is_windowed = n_hashes >= w;
        Sizes {
            n_hashes: n,
            n_windowed: u64::from(is_windowed),
            n_in_windowed: if is_windowed { n } else { 0 },
            n_smallest: n.min(u64::from(SMALLEST)),
        }
    }

    /// Returns the sum of both.
    pub(crate) fn plus(self, other: Sizes) -> Sizes {
        Sizes {
            n_hashes: self.n_hashes + other.n_hashes,
            n_windowed: self.n_windowed + other.n_windowed,
            n_in_windowed: self.n_in_windowed + other.n_in_windowed,
            n_smallest: self.n_smallest + other.n_smallest,
        }
    }

    /// Returns the expected number of grams that a selector keeps if hashes are random; `None` if no formula is known.
    ///
    /// A document of `n` hashes has a first window, from which one hash is always kept, and `n - w` later ones, each of
    /// which adds a new hash with probability 2/(w + 1) (§3.1).
    pub fn expected(self, selector: Selector, w: usize) -> Option<f64> {
        let (documents, n) = (self.n_windowed as f64, self.n_in_windowed as f64);
        let w = w as f64;
        Some(match selector {
            Selector::Roc { .. } => return None,
            Selector::Winnow | Selector::Robust => {
                documents + (n - w * documents) * 2.0 / (w + 1.0)
            }
            Selector::ModP { p } => self.n_hashes as f64 / f64::from(p),
            Selector::SafeModP { p } => {
                let good = 1.0 / f64::from(p);
                // The first w - 1 hashes of a document are never bad.
                let n_may_be_bad = n - (w - 1.0) * documents;
                self.n_hashes as f64 * good + n_may_be_bad * (1.0 - good).powf(w)
            }
            Selector::NSmallest { .. } => self.n_smallest as f64,
            Selector::All => self.n_hashes as f64,
        })
    }
}

/// Returns the runs of hashes that are not kept: before the first position, between two and after the last, each with
/// its start and its length, which is at least 1.
pub fn bare_runs(positions: &[u32], n: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let ends = positions.iter().map(|&at| at as usize).chain([n]);
    let starts = std::iter::once(0).chain(positions.iter().map(|&at| at as usize + 1));
    starts.zip(ends).map(|(start, end)| (start, end - start)).filter(|&(_, length)| length > 0)
}

/// Returns the bound of Theorem 1: no local algorithm keeps a smaller share of random hashes.
pub fn local_bound(w: usize) -> f64 {
    1.5 / (w as f64 + 1.0)
}

/// Returns the bound of Observation 1, a little above that of Theorem 1.
pub fn improved_local_bound(w: usize) -> f64 {
    (1.5 + 0.5 / w as f64) / (w as f64 + 1.0)
}

/// Returns the lower bound on the density of any forward scheme, even one that looks inside grams of `k` symbols.
///
/// It is `ceil((w + k') / w) / (w + k')` for `k'` = `k`, or for the smallest `k'` above it that is 1 modulo `w`,
/// whichever is larger: longer grams can only lower the density, so their bound holds too.
pub(crate) fn forward_bound(w: usize, k: usize) -> f64 {
    let bound = |k: usize| (w + k).div_ceil(w) as f64 / (w + k) as f64;
    let next = (k..k + w).find(|k| k % w == 1 % w).unwrap_or(k);
    bound(k).max(bound(next))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbols(text: &[u8]) -> Vec<Symbol> {
        text.iter().map(|&byte| Symbol::spelled(&[byte])).collect()
    }

    #[test]
    fn bounds_are_those_of_the_papers() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 5e-6, "{value}");
        near(local_bound(100), 0.014_851);
        near(improved_local_bound(100), 0.014_901);
        near(forward_bound(100, 50), 0.014_925);
        near(forward_bound(26, 25), 0.056_604);
        near(forward_bound(16, 50), 0.075_758);
        near(forward_bound(1, 5), 1.0);
        // Grams of one symbol are opaque, so winnowing is the best possible.
        near(forward_bound(100, 1), 2.0 / 101.0);
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
        let expected = Sizes::of(400, 30).expected(Selector::Winnow, 30).expect("a formula");
        assert!((expected - 24.871).abs() < 5e-4, "{expected}");
        assert_eq!(Sizes::of(29, 30).expected(Selector::Robust, 30), Some(0.0));
        let two = Sizes::of(400, 30).plus(Sizes::of(400, 30));
        let of_two = two.expected(Selector::Winnow, 30).expect("a formula");
        assert!((of_two - 2.0 * expected).abs() < 1e-9);
        assert_eq!(two.expected(Selector::All, 30), Some(800.0));
        assert_eq!(two.expected(Selector::NSmallest { n: SMALLEST }, 30), Some(200.0));
        assert_eq!(two.expected(Selector::Roc { r: 4 }, 30), None);
    }

    proptest! {
        /// Checks that hashing all grams in advance does not change the selection.
        #[test]
        fn selects_as_the_selectors_do(text in "[ab]{0,80}|[a-z]{0,80}", k in 1_u32..6, more in 0_u32..12) {
            let thresholds = Thresholds::new(k, k + more).expect("ordered");
            let symbols = symbols(text.as_bytes());
            let hashes = hashes(&symbols, k as usize);
            for selector in side_by_side(thresholds) {
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
            let collection = crate::Collection::random(20_000, seed).expect("small");
            let text = collection.document(0);
            for selector in side_by_side(thresholds) {
                let (mut n_kept, mut sizes) = (0, Sizes::default());
                for part in text.symbols.chunks(100) {
                    let (hashes, mut kept) = (hashes(part, 8), Vec::new());
                    select(selector, part, &hashes, thresholds, &mut kept);
                    n_kept += kept.len();
                    sizes = sizes.plus(Sizes::of(hashes.len(), w));
                }
                if let Some(expected) = sizes.expected(selector, w) {
                    let off = (n_kept as f64 - expected).abs() / expected;
                    prop_assert!(off < 0.12, "{}: {} of {}", selector, n_kept, expected);
                }
            }
        }
    }
}

//! Misses: the share of windows from which 0 mod p keeps nothing, and the cost of its safe variant.
//!
//! At winnowing's density, p = (w + 1)/2, none of the `w` random hashes of a window is divisible by `p` with
//! probability (1 - 1/p)^w; for large `w` that is e^-2, the paper's 13.5 %. A shared passage as long as the guarantee
//! is then missed. Safe 0 mod p misses none, and keeps two to three times as much as winnowing. Both are computed by
//! formula, and measured on random hashes.
//!
//! Cost: O(w) for each random window, until its first kept hash.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.1.1 and §3.1.2.
//! Departs from it: `p` is an integer; (1 + ln w)/w, which the paper calls the least that the safe variant keeps, is 2
//! to 3 % above the exact minimum, since e^(-wP) is above (1 - P)^w.

use fanmill::select::safe_mod_p;
use fanmill_kernel::hash::mix::{SplitMix, mix};

use super::selection::{best_p, equal_p};

/// The limit of (1 - 2/(w + 1))^w: e^-2.
pub(crate) const LIMIT: f64 = 0.135_335_283_236_612_7;

/// Number of random hashes given to the safe variant for each random window.
pub(crate) const HASHES_A_TRIAL: u64 = 20;

/// The results for one window length.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The window's length, in hashes.
    pub(crate) w: usize,
    /// The divisor at which 0 mod p has winnowing's density.
    pub(crate) p: u32,
    /// Number of random windows without a multiple of `p`.
    n_missed: u64,
    /// The divisor at which the safe variant keeps least.
    pub(crate) safe_p: u32,
    /// The share of random hashes that the safe variant kept.
    pub(crate) safe_measured: f64,
}

impl Row {
    /// Draws `trials` random windows of `w` hashes, and [`HASHES_A_TRIAL`] times as many hashes for the safe variant.
    ///
    /// `w` and `trials` must be at least 1.
    pub(crate) fn new(w: usize, trials: u64, seed: u64) -> Row {
        let (p, safe_p) = (equal_p(w), best_p(w));
        let mut random = SplitMix::new(mix(seed) ^ w as u64);
        let mut n_missed = 0;
        for _ in 0..trials {
            // The windows share no hashes, so they are independent, and hashes after the first multiple need not be
            // drawn.
            n_missed += u64::from((0..w).all(|_| !random.draw().is_multiple_of(u64::from(p))));
        }
        let n_hashes = HASHES_A_TRIAL * trials;
        let drawn: Vec<u64> = (0..n_hashes).map(|_| random.draw()).collect();
        let mut kept = Vec::new();
        safe_mod_p::select(&drawn, u64::from(safe_p), w, &mut kept);
        let safe_measured = kept.len() as f64 / n_hashes as f64;
        Row { w, p, n_missed, safe_p, safe_measured }
    }

    /// Returns the probability that none of `w` hashes is kept, for the integer `p` in use.
    pub(crate) fn exact(&self) -> f64 {
        (1.0 - 1.0 / f64::from(self.p)).powf(self.w as f64)
    }

    /// Returns the same probability for p = (w + 1)/2, integer or not: (1 - 2/(w + 1))^w.
    pub(crate) fn product(&self) -> f64 {
        let w = self.w as f64;
        (1.0 - 2.0 / (w + 1.0)).powf(w)
    }

    /// Returns the paper's approximation of [`Row::product`], e^(-2w/(w + 1)).
    pub(crate) fn approximation(&self) -> f64 {
        let w = self.w as f64;
        (-2.0 * w / (w + 1.0)).exp()
    }

    /// Returns the share of `trials` random windows from which nothing was kept.
    pub(crate) fn measured(&self, trials: u64) -> f64 {
        self.n_missed as f64 / trials as f64
    }

    /// Returns the paper's density of the safe variant: (1 + ln w)/w.
    pub(crate) fn safe_of_paper(&self) -> f64 {
        let w = self.w as f64;
        (1.0 + w.ln()) / w
    }

    /// Returns the density of winnowing.
    pub(crate) fn winnowing(&self) -> f64 {
        2.0 / (self.w as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::selection::safe_density;

    fn row(w: usize) -> Row {
        Row::new(w, 100_000, 1)
    }

    /// Checks values from the errata.
    #[test]
    fn formulas_give_the_numbers_of_the_paper() {
        let row = row(100);
        for (value, expected) in [
            (row.exact(), 0.1326),
            (row.product(), 0.1353),
            (row.approximation(), 0.1380),
            (row.safe_of_paper(), 0.0561),
            (safe_density(22, 100), 0.0550),
        ] {
            assert!((value - expected).abs() < 6e-5, "{value}, not {expected}");
        }
        assert!((self::row(99).exact() - 0.1353).abs() < 6e-5);
    }

    /// Checks bands that are five standard deviations wide.
    #[test]
    fn random_windows_are_missed_as_often_as_the_formula_says() {
        for w in [2, 10, 100] {
            let row = row(w);
            let exact = row.exact();
            let band = 5.0 * (exact * (1.0 - exact) / 100_000.0).sqrt();
            assert!(
                (row.measured(100_000) - exact).abs() <= band,
                "{w}: {}",
                row.measured(100_000)
            );
            let safe = safe_density(row.safe_p, w);
            assert!((row.safe_measured - safe).abs() < 0.1 * safe, "{w}: {}", row.safe_measured);
        }
    }
}

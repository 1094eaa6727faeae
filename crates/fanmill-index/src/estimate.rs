//! Estimates of how similar two texts are, from some of the fingerprints of one.
//!
//! Values of fingerprints do not depend on the order by which they were selected, so the `n` smallest of a text are a
//! random sample of them. The fraction of these that a document holds estimates the containment of the text in the
//! document, and together with both lengths, the resemblance.
//!
//! A document that contains the fraction `c` of the text holds none of the `n` with probability `(1 - c)^n`: 1 % for
//! `c = .07` and `n = 64`.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §3.2: the smallest fingerprints first.
//! Departs from it: a prefix of the values is a sample of the selection. It is not the selection with a larger window,
//! which uses another hash.

use serde::Serialize;

/// Estimated fractions in `0..=1`, each with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The part of the text that is in the document.
    pub containment: f64,
    /// Its standard error.
    pub containment_error: f64,
    /// The resemblance (Jaccard) of the two: what both have, of what either has.
    pub resemblance: f64,
    /// Its standard error.
    pub resemblance_error: f64,
}

impl Estimate {
    /// Estimates from `n_held` of `n_asked` fingerprints that a document of `other` tokens holds. The text has `own`
    /// tokens and `n_all` different fingerprints.
    pub(crate) fn new(n_held: u64, n_asked: u64, n_all: u64, own: u64, other: u64) -> Estimate {
        let (asked, all) = (n_asked.max(1) as f64, n_all.max(1) as f64);
        let c = n_held as f64 / asked;
        // The sample is without replacement: if it consists of all fingerprints, there is no error.
        let left = if n_all > 1 { (all - asked).max(0.0) / (all - 1.0) } else { 0.0 };
        let error = (c * (1.0 - c) / asked * left).sqrt();
        let (own, other) = (own as f64, other as f64);
        let either = (own + other - c * own).max(f64::MIN_POSITIVE);
        let slope = own * (own + other) / (either * either);
        Estimate {
            containment: c,
            containment_error: error,
            // A text may be longer than the document that holds all of its fingerprints.
            resemblance: (c * own / either).min(1.0),
            resemblance_error: (slope * error).min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fingerprints_leave_no_error() {
        let all = Estimate::new(30, 40, 40, 400, 400);
        assert!((all.containment - 0.75).abs() < 1e-9 && all.containment_error < 1e-9, "{all:?}");
        assert!((all.resemblance - 0.6).abs() < 1e-9, "{all:?}");
        let some = Estimate::new(30, 40, 4000, 400, 400);
        assert!((some.containment_error - 0.0681).abs() < 1e-3, "{some:?}");
        assert!((some.resemblance_error - some.containment_error * 1.28).abs() < 1e-3, "{some:?}");
        for odd in [[0, 0, 0, 0, 0], [5, 5, 5, 900, 1], [1, 1, 1, 1, 0]] {
            let [held, asked, all, own, other] = odd;
            let odd = Estimate::new(held, asked, all, own, other);
            assert!((0.0..=1.0).contains(&odd.resemblance), "{odd:?}");
            assert!(odd.resemblance_error.is_finite(), "{odd:?}");
        }
    }
}

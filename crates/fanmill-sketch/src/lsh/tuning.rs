//! Choice of LSH bands: as selective as possible, while a pair at the threshold is still found.
//!
//! Candidates are verified, so accepting too much costs time and accepting too little loses pairs.
//! Hence users state the recall, and it is met *at* the threshold, where it is lowest: the recall over
//! all pairs above the threshold is higher. Among the bands that meet it, those with the smallest
//! mean acceptance below the threshold cost least.
//!
//! For 128 registers and a recall of .998:
//!
//! | threshold θ | bands | `P(θ - .1)` | `P(θ - .2)` | by 2 equal bands | | |
//! |---|---|---|---|---|---|---|
//! | .5 | 22 of 2 | .98 | .87 | 30 of 2 | .96 | .77 |
//! | .7 | 23 of 4 | .96 | .77 | 32 of 4 | .93 | .60 |
//! | .8 | 21 of 6 | .93 | .63 | 22 of 5 | .91 | .52 |
//! | .9 | 13 of 9 | .85 | .42 | 16 of 8 | .78 | .24 |
//! | .95 | 9 of 13 | .69 | .20 | 11 of 11 | .57 | .08 |
//!
//! Cost: O(t² log t), once.
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Features vs. full sketch", for
//! the curves; the choice by recall is ours. (Others minimise a weighted sum of both error areas, which
//! guarantees no particular recall.)

use super::bands::Bands;
use fanmill_text::error::{Error, Result};

/// Returns the best bands of at most `registers` registers that find a pair of resemblance `threshold` with a
/// probability of at least `recall`.
///
/// `threshold` and `recall` are above 0 and below 1. `needed` is the number of bands that must agree, usually 1. With
/// 2, fewer pairs below the threshold become candidates, but more bands are needed.
///
/// # Errors
/// If a fraction is out of bounds, or there are too few registers.
pub fn choose(registers: u32, threshold: f64, recall: f64, needed: u32) -> Result<Bands> {
    for (name, value) in [("threshold", threshold), ("recall", recall)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Error::setting(format!(
                "{name} {value} is not between 0 and 1; use a fraction such as 0.8"
            )));
        }
    }
    let cost = |bands: &Bands| bands.filter().mean(0.0, threshold);
    // For each number of rows, the fewest bands that meet the recall; of these, the most selective.
    let candidates = (1..=registers).filter_map(|rows| {
        fewest(registers / rows, rows, needed, |bands| {
            bands.filter().probability(threshold) >= recall
        })
    });
    candidates.min_by(|x, y| cost(x).total_cmp(&cost(y))).ok_or_else(|| {
        Error::setting(format!(
            "{registers} registers cannot find pairs of resemblance {threshold} with recall \
             {recall} if {needed} bands must agree; use more registers or a lower recall"
        ))
    })
}

/// Returns the fewest bands, up to `most`, that suffice. Uses bisection: more bands never accept fewer pairs.
fn fewest(most: u32, rows: u32, needed: u32, suffice: impl Fn(Bands) -> bool) -> Option<Bands> {
    let (mut too_few, mut enough) = (needed.checked_sub(1)?, most);
    if enough <= too_few || !suffice(Bands::new(most, rows, needed).ok()?) {
        return None;
    }
    while enough - too_few > 1 {
        let middle = u32::midpoint(too_few, enough);
        let bands = Bands::new(middle, rows, needed).ok()?;
        *(if suffice(bands) { &mut enough } else { &mut too_few }) = middle;
    }
    Bands::new(enough, rows, needed).ok()
}

/// The naive twin: tries every number of bands and rows.
#[cfg(test)]
fn naive(registers: u32, threshold: f64, recall: f64, needed: u32) -> Option<Bands> {
    let all = (1..=registers).flat_map(|rows| (1..=registers / rows).map(move |b| (b, rows)));
    all.filter_map(|(bands, rows)| Bands::new(bands, rows, needed).ok())
        .filter(|bands| bands.filter().probability(threshold) >= recall)
        .min_by(|x, y| {
            let cost = |bands: &Bands| bands.filter().mean(0.0, threshold);
            cost(x).total_cmp(&cost(y))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_the_best_of_all() {
        for threshold in [0.3, 0.5, 0.7, 0.8, 0.9, 0.95] {
            for (recall, needed) in [(0.5, 1), (0.9, 1), (0.998, 1), (0.9, 2), (0.998, 3)] {
                let chosen = choose(64, threshold, recall, needed).ok();
                assert_eq!(chosen, naive(64, threshold, recall, needed), "{threshold} {recall}");
            }
        }
    }

    #[test]
    fn recall_is_met_at_the_threshold_and_above() {
        for threshold in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] {
            let bands = choose(128, threshold, 0.998, 1).expect("possible");
            assert!(bands.n_registers() <= 128);
            for above in 0..10 {
                let resemblance = threshold + f64::from(above) * (1.0 - threshold) / 10.0;
                assert!(bands.filter().probability(resemblance) >= 0.998, "{bands}");
            }
        }
    }

    #[test]
    fn the_usual_setting() {
        let bands = choose(128, 0.8, 0.998, 1).expect("possible");
        assert_eq!(bands.to_string(), "bands(b=21,r=6,needed=1)");
    }

    #[test]
    fn impossible_settings_are_refused() {
        assert!(choose(128, 0.01, 0.999, 1).is_err());
        assert!(choose(128, 0.8, 0.9, 0).is_err() && choose(0, 0.8, 0.9, 1).is_err());
        let text = choose(128, 1.2, 0.9, 1).expect_err("no fraction").to_string();
        assert_eq!(text, "threshold 1.2 is not between 0 and 1; use a fraction such as 0.8");
        assert!(choose(128, f64::NAN, 0.9, 1).is_err());
    }
}

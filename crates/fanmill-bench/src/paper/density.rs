//! The claims about densities, and our measurements.

use fanmill::select::{Selector, Thresholds, winnow};
use fanmill_kernel::hash::mix::SplitMix;
use fanmill_lab::cells::number;
use fanmill_lab::outcome::Cell;
use fanmill_text::Result;

use super::claim::{Band, Claim};
use crate::experiment::random_text::random_text;
use crate::experiment::selection::{expected, hashes, improved_local_bound, local_bound, select};

const RANDOM: &str = "Schleimer et al., §5.1";
const DENSITY: &str = "Schleimer et al., §3.1";
const BOUND: &str = "Schleimer et al., §4, Theorem 1";
const IMPROVED: &str = "Schleimer et al., §4, Observation 1";

/// Number of random letters; the paper used 8 MB.
const N_BYTES: usize = 1 << 20;

/// Standard deviation of winnowing's density for w = 100 over that many hashes. Neighbouring fingerprints repel each
/// other, so it is .43 times the deviation if each hash were kept independently.
const DEVIATION: f64 = 5.9e-5;

/// Number of finite documents, each of [`SHORT`] hashes, in windows of [`SHORT_WINDOW`].
const N_SHORT: u32 = 10_000;
const SHORT: usize = 400;
const SHORT_WINDOW: usize = 30;

/// Returns all claims of this experiment. Takes half a second.
///
/// # Errors
/// Never: the settings are in bounds.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let mut claims = random_letters()?;
    claims.extend(bounds());
    claims.extend(documents_that_end());
    Ok(claims)
}

/// Returns the claims about random letters, in grams of 50 and windows of 100.
fn random_letters() -> Result<Vec<Claim>> {
    let thresholds = Thresholds::new(50, 149)?;
    let symbols = random_text(N_BYTES, 1);
    let hashes = hashes(&symbols, thresholds.noise());
    let density = |selector| {
        let mut kept = Vec::new();
        select(selector, &symbols, &hashes, thresholds, &mut kept);
        kept.len() as f64 / hashes.len() as f64
    };
    // Multiples of 50 are independent of each other, so their number is binomial.
    let deviation_of_0_mod_50 = (0.02 * 0.98 / hashes.len() as f64).sqrt();
    Ok(vec![
        Claim::exact(
            RANDOM,
            "winnowing, k = 50, w = 100: share of hashes kept of random text, expected",
            number(0.019_802, 6),
            number(2.0 / 101.0, 6),
            "Equal: 2/(w + 1)",
        ),
        Claim::exact(
            RANDOM,
            "the same, counted on 1 MB of random letters (paper: 8 MB)",
            number(0.019_902, 6),
            number(density(Selector::Winnow), 6),
            "Chance here. The paper's lies 0.000100 above theory, and 8 MB have a standard deviation of \
             0.000021: its text, or its hash, was probably not quite random",
        )
        .within(Band::around(2.0 / 101.0, DEVIATION)),
        Claim::exact(
            RANDOM,
            "0 mod 50, counted on the same",
            number(0.020_005, 6),
            number(density(Selector::ModP { p: 50 }), 6),
            "Chance",
        )
        .within(Band::around(0.02, deviation_of_0_mod_50)),
        Claim::exact(
            "Schleimer et al., Figure 3",
            "characters without a hash: text bytes less hashes computed",
            Cell::Count(1_940_576_448 - 1_940_576_399),
            Cell::Count((symbols.len() - hashes.len()) as u64),
            "Equal: k - 1, since all pages were joined to one text; kept apart, each would lose as many",
        ),
    ])
}

/// Returns the claims about the distance of winnowing's density from the lowest possible one.
fn bounds() -> Vec<Claim> {
    let density = 2.0 / 101.0;
    let above = |bound: f64| number(100.0 * (density / bound - 1.0), 1);
    vec![
        Claim::exact(
            BOUND,
            "winnowing above the least of any local algorithm, w = 100, in %",
            number(33.0, 0),
            above(local_bound(100)),
            "Equal but for rounding: \"within 33 %\" is 4/3 at any w",
        ),
        Claim::exact(
            IMPROVED,
            "the same above the improved bound",
            Cell::Nothing,
            above(improved_local_bound(100)),
            "The term 1/(2w) is worth little at w = 100",
        ),
    ]
}

/// Returns the claims about fingerprints of finite documents.
fn documents_that_end() -> Vec<Claim> {
    let papers = number(SHORT as f64 * 2.0 / (SHORT_WINDOW as f64 + 1.0), 2);
    let expected = expected(Selector::Winnow, SHORT, SHORT_WINDOW).unwrap_or(f64::NAN);
    let counted = kept_of_short_documents();
    vec![
        Claim::exact(
            DENSITY,
            "fingerprints of a document of 400 hashes, w = 30, expected",
            papers.clone(),
            number(expected, 2),
            "The paper multiplies 2/(w + 1) by the length; exact is 1 + (n - w) · 2/(w + 1): the first window \
             keeps one, and there are n - w more",
        ),
        Claim::exact(
            DENSITY,
            "the same, mean of 10,000 random documents",
            papers,
            number(counted.0, 2),
            "Follows the exact form",
        )
        .within(Band::around(expected, counted.1)),
    ]
}

/// Returns the mean number of hashes kept of short documents, and its standard error.
fn kept_of_short_documents() -> (f64, f64) {
    let mut random = SplitMix::new(1);
    let counts = (0..N_SHORT).map(|_| {
        let mut kept = Vec::new();
        let drawn: Vec<u64> = (0..SHORT).map(|_| random.draw()).collect();
        winnow::select(&drawn, SHORT_WINDOW, &mut kept);
        kept.len() as f64
    });
    let counts: Vec<f64> = counts.collect();
    let n = f64::from(N_SHORT);
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures [`DEVIATION`] on 64 texts of a sixteenth of the length each. Their deviation is four times that of the
    /// whole length, and an estimate from 64 texts is accurate to 9 %.
    #[test]
    fn the_deviation_of_winnowing_is_as_stated() {
        let mut random = SplitMix::new(3);
        let n = N_BYTES / 16;
        let densities: Vec<f64> = (0..64)
            .map(|_| {
                let mut kept = Vec::new();
                let drawn: Vec<u64> = (0..n).map(|_| random.draw()).collect();
                winnow::select(&drawn, 100, &mut kept);
                kept.len() as f64 / n as f64
            })
            .collect();
        let mean = densities.iter().sum::<f64>() / 64.0;
        let variance = densities.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 63.0;
        let deviation = variance.sqrt() / 4.0;
        assert!((deviation / DEVIATION - 1.0).abs() < 0.3, "{deviation}");
    }
}

//! The claims about 0 mod p compared with winnowing, and our measurements.

use fanmill_lab::cells::{number, text};

use super::claim::{Band, Claim};
use crate::experiment::miss::{HASHES_A_TRIAL, LIMIT, Row};
use crate::experiment::selection::safe_density;

const MISSED: &str = "Schleimer et al., §3.1.1";
const SAFE: &str = "Schleimer et al., §3.1.2";

/// Number of random windows of each length.
const TRIALS: u64 = 100_000;

/// The variance that each hash adds to the number kept by safe 0 mod p, at w = 100 and p = 22. Bad hashes come in runs
/// of p on average, and are a fifth of all hashes kept. This is an upper bound, from twenty seeds.
const VARIANCE: f64 = 0.45;

/// Returns all claims of this experiment. Takes a quarter of a second.
pub(super) fn claims() -> Vec<Claim> {
    let [odd, even] = [99, 100].map(|w| Row::new(w, TRIALS, 1));
    let mut claims = formulas(&even);
    claims.extend([&odd, &even].map(counted));
    claims.extend(safe(&even));
    claims
}

/// Returns the formulas behind the paper's 13.5 %.
fn formulas(row: &Row) -> Vec<Claim> {
    let share = |what: &str, ours, why: &str| {
        Claim::exact(MISSED, what, number(13.5, 1), number(100.0 * ours, 2), why)
    };
    vec![
        share(
            "windows of 100 hashes that 0 mod p misses at the density of winnowing, in %: (1 - 2/(w + 1))^w",
            row.product(),
            "Equal, with a p of 50.5",
        ),
        share("its limit for large w, e^-2", LIMIT, "Equal"),
        share(
            "the same by the paper's approximation, e^(-2w/(w + 1))",
            row.approximation(),
            "The paper goes from 13.53 by way of this to 13.5: its e^(-2 + 2/(w + 1)) is the coarser step",
        ),
    ]
}

/// Returns the share of windows missed when p is an integer, as it has to be.
fn counted(row: &Row) -> Claim {
    let (w, p, exact) = (row.w, row.p, row.exact());
    let error = (exact * (1.0 - exact) / TRIALS as f64).sqrt();
    Claim::exact(
        MISSED,
        &format!("the same, counted in 100,000 random windows of {w}, p = {p}"),
        number(13.5, 1),
        number(100.0 * row.measured(TRIALS), 2),
        &format!("Chance, and p is whole: (1 - 1/{p})^{w} is {:.2} %", 100.0 * exact),
    )
    .within(Band::around(100.0 * exact, 100.0 * error))
}

/// Returns the cost of missing no window.
fn safe(row: &Row) -> Vec<Claim> {
    let (papers, exact) = (number(row.safe_of_paper(), 5), safe_density(row.safe_p, row.w));
    // `VARIANCE` is per hash, so this is the error of the mean over all hashes.
    let error = (VARIANCE / (HASHES_A_TRIAL * TRIALS) as f64).sqrt();
    vec![
        Claim::exact(
            SAFE,
            "least density of safe 0 mod p, w = 100",
            papers.clone(),
            number(exact, 5),
            &format!(
                "At p = {}, 1/p + (1 - 1/p)^w. The paper has (1 + ln w)/w as \"at least\", but more than \
                 that is never needed: e^(-wP) is above (1 - P)^w",
                row.safe_p
            ),
        ),
        Claim::exact(
            SAFE,
            "the same, counted on 2,000,000 random hashes",
            papers,
            number(row.safe_measured, 5),
            "Follows the exact form",
        )
        .within(Band::around(exact, error)),
        Claim::exact(
            SAFE,
            "the same, times the density of winnowing",
            text("considerably more"),
            number(exact / row.winnowing(), 2),
            "As said",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures [`VARIANCE`] on twenty seeds of 200,000 hashes each; an estimate from twenty is accurate to 16 %.
    #[test]
    fn the_variance_of_safe_0_mod_p_is_as_stated() {
        let n = 10_000;
        let densities: Vec<f64> =
            (0..20).map(|seed| Row::new(100, n, seed).safe_measured).collect();
        let exact = safe_density(22, 100);
        let squares = densities.iter().map(|density| (density - exact).powi(2));
        let variance = squares.sum::<f64>() / 20.0 * (HASHES_A_TRIAL * n) as f64;
        assert!((0.15..VARIANCE * 1.3).contains(&variance), "{variance}");
    }
}

//! The claims about lead bytes, and our measurements.

use fanmill_lab::cells::{number, text};
use fanmill_sketch::lead_byte::{expected_tails, expected_tails_to_first_zero};
use fanmill_text::error::Result;

use super::claim::{Band, Claim};
use crate::experiment::leadbyte::{Mean, RandomSets, harmonic, tails_per_register, to_zero};

const TAILS: &str = "Broder, slides, \"How often do we have to compute (or store) the tail?\"";

/// Returns all claims of this experiment. Takes a tenth of a second.
///
/// # Errors
/// Never: the settings are in bounds.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let found = to_zero(20_000, 1);
    let sets = RandomSets { n_sets: 30, n_shingles: 1000, seed: 1 };
    let of_size = tails_per_register(84, sets)?;
    let exact = |what: &str, papers, ours, why: &str| Claim::exact(TAILS, what, papers, ours, why);
    let measured = |what: &str, papers, mean: Mean, expected, why: &str| {
        exact(what, papers, number(mean.value, 3), why)
            .within(Band::around(expected, mean.standard_error))
    };
    // After 100,000 shingles nearly every lead byte is 0, so the increase from there on is the rate afterwards.
    let afterwards = (expected_tails(200_000) - expected_tails(100_000)) / 100_000.0;
    let slides = [6.1243, 7.1204].map(|value| number(value, 4));
    let [strict, tails] = slides;
    Ok(vec![
        exact(
            "strict left-to-right minima until the lead byte is 0, expected",
            strict.clone(),
            number(harmonic(256), 4),
            "Equal: H_256",
        ),
        exact(
            "tails computed until then, expected",
            tails.clone(),
            number(expected_tails_to_first_zero(), 4),
            "Equal: 1 + H_255, since ties need their tails too",
        ),
        measured(
            "the first, counted in 20,000 runs",
            strict,
            found.strict,
            harmonic(256),
            "Chance",
        ),
        measured(
            "the second, counted in 20,000 runs",
            tails,
            found.tails,
            expected_tails_to_first_zero(),
            "Chance",
        ),
        exact(
            "share of tails computed afterwards, times 256",
            text("1"),
            number(256.0 * afterwards, 4),
            "Equal",
        ),
        measured(
            "tails a register for sets of 1,000, counted by the sketch itself",
            text("not given"),
            of_size,
            expected_tails(1000),
            "The time until a lead byte is 0 and the time afterwards are both in it",
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanmill_lab::outcome::Cell;

    #[test]
    fn claims_hold() {
        let claims = claims().expect("in bounds");
        assert!(claims.iter().all(Claim::holds), "{claims:?}");
        for claim in &claims[..2] {
            let (Cell::Number { value: papers, .. }, Cell::Number { value: ours, .. }) =
                (&claim.papers, &claim.ours)
            else {
                panic!("not numbers: {claim:?}");
            };
            assert!((papers - ours).abs() < 5e-5, "{claim:?}");
        }
    }
}

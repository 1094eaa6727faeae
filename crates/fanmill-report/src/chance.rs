//! Expectations in words: how often unrelated submissions of a batch would show such a pair.
//!
//! | expectation | in a table | in words |
//! |---|---|---|
//! | 37.2 | `37 pairs` | about 37 such pairs would be in a batch like this by chance |
//! | 0.8 | `1 pair` | about 1 such pair would be in a batch like this by chance |
//! | 0.0034 | `1 in 290` | about 1 in 290 batches like this would show such a pair by chance |
//! | 0.0000002 | `< 1 in 1000000` | fewer than 1 in 1,000,000 batches like this would show such a pair by chance |

use fanmill::report::Report;
use fanmill::score::expectation::Unjudged;

/// Number of batches beyond which frequencies are not given: a tail that is fitted to a few hundred pairs does not
/// reach further.
const MOST: f64 = 1e6;

/// Formats an expectation for a table.
pub fn in_short(expected: f64) -> String {
    match Frequency::from_expected(expected) {
        Frequency::Pairs(1) => "1 pair".to_owned(),
        Frequency::Pairs(n) => format!("{n} pairs"),
        Frequency::OneIn(n) => format!("1 in {n}"),
        Frequency::Rarer => format!("< 1 in {MOST}"),
    }
}

/// Formats an expectation as a sentence.
pub fn in_words(expected: f64) -> String {
    match Frequency::from_expected(expected) {
        Frequency::Pairs(1) => {
            "about 1 such pair would be in a batch like this by chance".to_owned()
        }
        Frequency::Pairs(n) => {
            format!("about {n} such pairs would be in a batch like this by chance")
        }
        Frequency::OneIn(n) => {
            format!("about 1 in {n} batches like this would show such a pair by chance")
        }
        Frequency::Rarer => {
            "fewer than 1 in 1,000,000 batches like this would show such a pair by chance"
                .to_owned()
        }
    }
}

/// Describes the batch: nothing stands out, or it cannot be judged and why; `None` if pairs stand out.
pub fn of_batch(report: &Report) -> Option<String> {
    if let Some(unjudged) = &report.unjudged {
        return Some(format!("chance cannot be judged from this batch: {}", why(unjudged)));
    }
    nothing_from(report).map(|least| {
        format!(
            "nothing stands out in this batch: no pair scores {least:.2} or more, where unrelated submissions would \
             still give half a pair"
        )
    })
}

/// Returns the score that a pair would need to stand out, if none does and chance can be judged.
pub(crate) fn nothing_from(report: &Report) -> Option<f64> {
    let expectation = report.expectation.as_ref().filter(|_| report.unjudged.is_none())?;
    (report.counts.standing_out == 0)
        .then(|| expectation.score_at(fanmill::score::expectation::LINKS))
}

fn why(unjudged: &Unjudged) -> String {
    match *unjudged {
        Unjudged::TooFewPairs { n_pairs, least } => {
            format!("there are too few pairs ({n_pairs}; it takes {least})")
        }
        Unjudged::MostlyCopies { n_submissions, n_groups } => format!(
            "most of it is alike (its {n_submissions} different submissions make {n_groups} groups)"
        ),
        Unjudged::ChosenSources => {
            "archived submissions were chosen from an index for what they share".to_owned()
        }
        Unjudged::AllAlike { typical, .. } => {
            format!("all of it is alike, or most are copies (a typical pair scores {typical:.2})")
        }
    }
}

/// Frequency of a pair by chance.
enum Frequency {
    /// This many times in each batch.
    Pairs(u64),
    /// Once in this many batches.
    OneIn(u64),
    /// Less than once in [`MOST`].
    Rarer,
}

impl Frequency {
    /// Rounds to two digits, so as not to claim more precision than there is.
    #[expect(clippy::cast_sign_loss, reason = "expectations are not negative")]
    fn from_expected(expected: f64) -> Frequency {
        // A batch has at least one such pair with a probability of 1 - exp(-expected).
        let in_batches = 1.0 / -(-expected.max(f64::MIN_POSITIVE)).exp_m1();
        if expected >= 0.5 {
            Frequency::Pairs(two_digits(expected).max(1.0) as u64)
        } else if in_batches <= MOST {
            Frequency::OneIn(two_digits(in_batches) as u64)
        } else {
            Frequency::Rarer
        }
    }
}

/// Rounds a positive number to two digits before the point.
fn two_digits(value: f64) -> f64 {
    let unit = 10_f64.powi((value.log10().floor() as i32 - 1).max(0));
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn expectations_are_said_with_two_digits() {
        let cases = [
            (37.2, "37 pairs"),
            (1234.0, "1200 pairs"),
            (0.8, "1 pair"),
            (0.5, "1 pair"),
            (0.4, "1 in 3"),
            (0.0034, "1 in 290"),
            (0.000_002, "1 in 500000"),
            (0.000_000_2, "< 1 in 1000000"),
            (0.0, "< 1 in 1000000"),
        ];
        for (expected, said) in cases {
            assert_eq!(in_short(expected), said, "{expected}");
        }
        assert_eq!(
            in_words(1.0 / 300.0),
            "about 1 in 300 batches like this would show such a pair by chance"
        );
    }

    #[test]
    fn nothing_stands_out_only_where_no_pair_does() {
        let mut report = samples::worked_example();
        report.unjudged = None;
        report.expectation = Some(samples::expectation());
        assert_eq!(of_batch(&report), None, "a pair of .81 stands out");
        report.pairs.clear();
        assert_eq!(of_batch(&report), None, "it stands out, listed or not");
        report.counts.standing_out = 0;
        assert!(of_batch(&report).expect("told").starts_with("nothing stands out"));
        report.expectation = None;
        report.unjudged = Some(Unjudged::TooFewPairs { n_pairs: 1, least: 10 });
        assert_eq!(
            of_batch(&report).expect("told"),
            "chance cannot be judged from this batch: there are too few pairs (1; it takes 10)"
        );
    }
}

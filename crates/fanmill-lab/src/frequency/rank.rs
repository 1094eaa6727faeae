//! Frequency by rank: plateaus, their endpoints, and the power law through them.
//!
//! Frequencies are integers, so grams lie on plateaus of equal frequency. Only the left and right ends of each plateau
//! are used for the fit; otherwise the line would go through the middle of the last two plateaus, which have almost all
//! grams. A plateau of one gram counts twice, so that all plateaus have the same weight.
//!
//! Cost: O(plateaus). There are at most √(2n) for n grams.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 4.
//! Departs from it: no plateau is removed as "aberrant"; the paper does not say by which rule.

/// Distinct grams that all occur equally often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plateau {
    /// Number of occurrences of each gram; at least 1.
    pub occurrences: u64,
    /// Number of these grams; at least 1.
    pub n_grams: u64,
}

/// Returns the ends of plateaus as (rank, frequency), two per plateau; the first rank is 1.
///
/// `plateaus` are ordered by descending occurrences.
pub fn endpoints(plateaus: &[Plateau]) -> Vec<(f64, f64)> {
    let mut points = Vec::with_capacity(2 * plateaus.len());
    let mut before = 0;
    for plateau in plateaus {
        let frequency = plateau.occurrences as f64;
        points.push(((before + 1) as f64, frequency));
        before += plateau.n_grams;
        points.push((before as f64, frequency));
    }
    points
}

/// The power law `f = C r^x`: a line on two logarithmic axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// The exponent `x`; the paper found about -0.7.
    pub slope: f64,
    /// The logarithm of `C` to the base of 10.
    pub log10_c: f64,
    /// Share of the variance that the line explains, in `0..=1`.
    pub r2: f64,
}

impl PowerLaw {
    /// Fits a line through the logarithms of the points, by least squares.
    ///
    /// Returns `None` if all ranks are equal: one point has no slope. All numbers must be above 0.
    pub fn fit(points: &[(f64, f64)]) -> Option<PowerLaw> {
        let logs: Vec<(f64, f64)> = points.iter().map(|&(r, f)| (r.log10(), f.log10())).collect();
        let n = logs.len() as f64;
        let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
        let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
        let sum = |of: fn(f64, f64) -> f64| {
            logs.iter().map(|p| of(p.0 - mean_x, p.1 - mean_y)).sum::<f64>()
        };
        let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
        // If any ranks differ, the first and the last one do.
        let (first, last) = (points.first()?.0, points.last()?.0);
        if first >= last {
            return None;
        }
        let slope = xy / xx;
        let r2 = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
        Some(PowerLaw { slope, log10_c: mean_y - slope * mean_x, r2 })
    }

    /// Returns the frequency that the law gives for a rank.
    pub fn at(&self, rank: f64) -> f64 {
        10_f64.powf(self.log10_c + self.slope * rank.log10())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Returns descending frequencies as plateaus.
    fn plateaus(frequencies: &[u64]) -> Vec<Plateau> {
        frequencies
            .chunk_by(|x, y| x == y)
            .map(|run| Plateau { occurrences: run[0], n_grams: run.len() as u64 })
            .collect()
    }

    fn near(ours: Option<f64>, theirs: &Value) {
        match (ours, theirs.as_f64()) {
            (Some(x), Some(y)) => assert!((x - y).abs() <= 1e-9 * y.abs().max(1e-3), "{x}, {y}"),
            (ours, theirs) => assert_eq!(ours, theirs),
        }
    }

    #[test]
    fn vectors_come_out_as_they_were_computed_elsewhere() {
        let text = include_str!("../../../../testdata/golden/frequency_rank.json");
        let file: Value = serde_json::from_str(text).expect("golden files are JSON");
        let cases = file["cases"].as_array().expect("cases");
        assert!(!cases.is_empty());
        for case in cases {
            let frequencies: Vec<u64> = match case["frequencies"].as_array() {
                Some(given) => given.iter().map(|f| f.as_u64().expect("a count")).collect(),
                None => power_law(&case["frequencies"]),
            };
            let points = endpoints(&plateaus(&frequencies));
            assert_eq!(Some(points.len() as u64), case["endpoint_count"].as_u64());
            if let Some(expected) = case["endpoints"].as_array() {
                let pair = |p: &Value| Some((p[0].as_f64()?, p[1].as_f64()?));
                let expected: Option<Vec<(f64, f64)>> = expected.iter().map(pair).collect();
                assert_eq!(Some(points.clone()), expected);
            }
            let law = PowerLaw::fit(&points);
            near(law.map(|law| law.slope), &case["slope"]);
            near(law.map(|law| law.log10_c), &case["intercept_log10"]);
            near(law.map(|law| law.r2), &case["r2"]);
        }
    }

    /// Computes `max(1, round(C * r^-a))`, halves to even, for ranks 1 to 20,000.
    fn power_law(formula: &Value) -> Vec<u64> {
        let (c, a) = (formula["C"].as_f64().expect("C"), formula["a"].as_f64().expect("a"));
        let whole = |r: u32| (c * f64::from(r).powf(-a)).round_ties_even().max(1.0);
        #[expect(clippy::cast_sign_loss, reason = "it is at least 1")]
        (1..=20_000).map(|r| whole(r) as u64).collect()
    }

    #[test]
    fn the_law_goes_through_what_it_was_fitted_to() {
        let law = PowerLaw::fit(&[(1.0, 100.0), (10.0, 10.0)]).expect("two ranks");
        assert!((law.slope + 1.0).abs() < 1e-12 && (law.at(100.0) - 1.0).abs() < 1e-9);
        assert_eq!(PowerLaw::fit(&[]), None);
        assert_eq!(PowerLaw::fit(&endpoints(&plateaus(&[7]))), None);
    }
}

//! How large a rate may be, given how often something was seen.

/// Events that are counted one by one.
const MANY: u64 = 1000;

/// The largest rate at which so few events are still as likely as 1 in 20: the one-sided 95 % bound.
///
/// `n_events` of `n_trials` independent trials; events so rare are Poisson's. Without any it is 3 by the
/// number of trials, nearly. A bound on a rate is never above 1.
pub(super) fn upper_bound(n_events: u64, n_trials: u64) -> f64 {
    if n_trials == 0 {
        return 1.0;
    }
    let seen = n_events as f64;
    if n_events > MANY {
        // Poisson's distribution is the normal one there, as far as anybody can see.
        return ((seen + 1.645 * seen.sqrt() + 1.5) / n_trials as f64).min(1.0);
    }
    // Above so many events, twenty deviations further is far outside.
    let (mut low, mut high) = (seen, seen + 20.0 * (seen + 1.0).sqrt());
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if chance_of_at_most(n_events, middle) > 0.05 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (high / n_trials as f64).min(1.0)
}

/// Poisson's chance of `n` events or fewer, where `mean` are expected.
fn chance_of_at_most(n: u64, mean: f64) -> f64 {
    // Logarithms, since e^-mean alone may be too small for a number.
    let mut log_term = -mean;
    let mut sum = log_term.exp();
    for i in 1..=n {
        log_term += mean.ln() - (i as f64).ln();
        sum += log_term.exp();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From tables of Poisson's distribution.
    #[test]
    fn bounds_are_those_of_the_tables() {
        for (n_events, bound) in [
            (0, 2.996),
            (1, 4.744),
            (2, 6.296),
            (10, 16.962),
            (100, 118.1),
            (1000, 1053.6),
            (1001, 1054.6),
        ] {
            let found = upper_bound(n_events, 1_000_000) * 1e6;
            assert!((found - bound).abs() < 0.05 * (1.0 + bound / 500.0), "{n_events}: {found}");
        }
    }

    #[test]
    fn few_trials_say_nothing() {
        assert!(upper_bound(0, 0) >= 1.0 && upper_bound(0, 2) >= 1.0);
        assert!(upper_bound(5000, 5000) >= 1.0);
        assert!((upper_bound(0, 44_850) - 6.68e-5).abs() < 1e-7);
    }
}

//! An upper confidence bound on a rate, from a count of events.

/// Above this number of events, the normal approximation is used.
const MANY: u64 = 1000;

/// Returns the one-sided 95 % bound: the largest rate at which this few events still have a probability of 1 in 20.
///
/// There were `n_events` in `n_trials` independent trials. Rare events follow Poisson's distribution. With no events
/// the bound is about 3 divided by the number of trials. It is never above 1.
pub(super) fn upper_bound(n_events: u64, n_trials: u64) -> f64 {
    if n_trials == 0 {
        return 1.0;
    }
    let seen = n_events as f64;
    if n_events > MANY {
        // In this range Poisson's distribution is practically the normal one.
        return ((seen + 1.645 * seen.sqrt() + 1.5) / n_trials as f64).min(1.0);
    }
    // Bisection: twenty standard deviations above the count is far outside.
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

/// Returns the probability of `n` events or fewer under Poisson's distribution with this mean.
fn chance_of_at_most(n: u64, mean: f64) -> f64 {
    // The sum uses logarithms, since e^-mean alone may underflow.
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

    /// Checks values from tables of Poisson's distribution.
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
    fn few_trials_give_no_bound() {
        assert!(upper_bound(0, 0) >= 1.0 && upper_bound(0, 2) >= 1.0);
        assert!(upper_bound(5000, 5000) >= 1.0);
        assert!((upper_bound(0, 44_850) - 6.68e-5).abs() < 1e-7);
    }
}

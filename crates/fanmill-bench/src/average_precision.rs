//! Average precision: a measure of rankings that put the true pairs first.

/// Returns the mean, over the true pairs, of the precision at the score that finds each.
///
/// Items are `(score, is true)`. Equal scores are one step, so that the order of ties does not matter. The result is 0
/// if there is no true pair.
pub(crate) fn average_precision(items: &mut [(f64, bool)]) -> f64 {
    items.sort_by(|x, y| y.0.total_cmp(&x.0));
    let n_true = items.iter().filter(|item| item.1).count();
    let (mut seen, mut found, mut sum) = (0, 0, 0.0);
    for tied in items.chunk_by(|x, y| x.0.total_cmp(&y.0).is_eq()) {
        let hits = tied.iter().filter(|item| item.1).count();
        seen += tied.len();
        found += hits;
        sum += hits as f64 * found as f64 / seen as f64;
    }
    if n_true == 0 { 0.0 } else { sum / n_true as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranking_is_one_and_ties_are_one_step() {
        let mut perfect = [(0.1, false), (0.9, true), (0.8, true)];
        assert!((average_precision(&mut perfect) - 1.0).abs() < 1e-12);
        let mut tied = [(0.5, false), (0.5, true), (0.5, false), (0.5, true)];
        assert!((average_precision(&mut tied) - 0.5).abs() < 1e-12);
        let mut mixed = [(0.9, true), (0.8, false), (0.7, true)];
        assert!((average_precision(&mut mixed) - 5.0 / 6.0).abs() < 1e-12);
        assert!(average_precision(&mut []).abs() < 1e-12);
    }
}

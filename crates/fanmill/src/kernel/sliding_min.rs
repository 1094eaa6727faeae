//! Minima of windows, and what it takes to find them.

/// Replaces each value by the smallest of the `length` values from it on, and drops the rest.
///
/// By doubling: minima of 2, 4, 8 … values, then one overlapping step. Each step goes from one buffer
/// into the other, because compilers cannot vectorise it in place. A `length` of 0 is taken as 1.
pub(crate) fn sliding_minimum(length: usize, values: &mut Vec<u64>, spare: &mut Vec<u64>) {
    if values.len() < length {
        values.clear();
    }
    let mut covered = 1;
    while covered < length && !values.is_empty() {
        let step = covered.min(length - covered);
        spare.clear();
        spare.extend(values.iter().zip(&values[step..]).map(|(&a, &b)| a.min(b)));
        std::mem::swap(values, spare);
        covered += step;
    }
}

/// The last index of the smallest value, unless there is none.
#[inline]
pub(crate) fn rightmost_minimum(values: &[u64]) -> Option<usize> {
    // Four minima side by side: a single one would wait two cycles for each comparison.
    let (lanes, rest) = values.as_chunks::<4>();
    let four = lanes
        .iter()
        .fold([u64::MAX; 4], |least, four| std::array::from_fn(|i| least[i].min(four[i])));
    let least = four.into_iter().chain(rest.iter().copied()).min();
    values.iter().rposition(|&value| Some(value) == least)
}

/// The index of the first value that is at most `most`.
#[inline]
pub(crate) fn first_at_most(values: &[u64], most: u64) -> Option<usize> {
    // Eight at a time, without branches in between: nearly all groups contain none.
    let (groups, _) = values.as_chunks::<8>();
    let has_none = |group: &&[u64; 8]| group.iter().filter(|&&value| value <= most).count() == 0;
    let n_skipped = 8 * groups.iter().take_while(has_none).count();
    let found = values[n_skipped..].iter().position(|&value| value <= most)?;
    Some(n_skipped + found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values() -> impl Strategy<Value = Vec<u64>> {
        prop_oneof![
            proptest::collection::vec(any::<u64>(), 0..60),
            proptest::collection::vec(0_u64..4, 0..60),
            proptest::collection::vec(u64::MAX - 1..=u64::MAX, 0..60),
        ]
    }

    proptest! {
        #[test]
        fn fast_equals_naive(values in values(), length in 0_usize..70, most in prop_oneof![0_u64..4, any::<u64>()]) {
            let mut minima = values.clone();
            sliding_minimum(length, &mut minima, &mut Vec::new());
            let windows = values.windows(length.max(1));
            let naive: Vec<u64> = windows.filter_map(|window| window.iter().copied().min()).collect();
            prop_assert_eq!(minima, naive);

            let naive = (0..values.len()).min_by_key(|&at| (values[at], usize::MAX - at));
            prop_assert_eq!(rightmost_minimum(&values), naive);

            let naive = (0..values.len()).find(|&at| values[at] <= most);
            prop_assert_eq!(first_at_most(&values, most), naive);
        }
    }
}

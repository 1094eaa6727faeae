//! Minima of all windows of numbers.
//!
//! By quadrupling: minima of 4, 16, 64 … numbers, then one step whose parts overlap. Each step goes from one buffer
//! into the other, because compilers cannot vectorise it in place.
//!
//! Cost: O(n log w). A step of four reads takes as long as one of two, and covers twice as much.

use super::each::each;

/// Leaves in `minima` the smallest of every `length` consecutive values, in order; `spare` is room. A `length` of 0 is
/// taken as 1.
#[inline(always)]
pub(super) fn sliding_minimum<T: Copy + Ord>(
    values: &[T],
    length: usize,
    minima: &mut Vec<T>,
    spare: &mut Vec<T>,
) {
    minima.clear();
    if values.len() < length || values.is_empty() {
        return;
    }
    if length < 2 {
        return minima.extend_from_slice(values);
    }
    let mut covered = step(values, 1, length, minima);
    while covered < length {
        spare.clear();
        covered = step(minima, covered, length, spare);
        std::mem::swap(minima, spare);
    }
}

/// Appends minima of more values, up to `length`, from those of `covered`, and returns of how many.
#[inline(always)]
fn step<T: Copy + Ord>(values: &[T], covered: usize, length: usize, found: &mut Vec<T>) -> usize {
    // Where the last three of four parts begin, as far as they fit.
    let [second, third, last] = [1, 2, 3].map(|i| (i * covered).min(length - covered));
    let parts = [0, second, third, last].map(|start| &values[start..]);
    if second == last {
        each([parts[0], parts[3]], values[0], |[a, b]| a.min(b), found);
    } else {
        each(parts, values[0], |[a, b, c, d]| a.min(b).min(c.min(d)), found);
    }
    covered + last
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![
            proptest::collection::vec(any::<u32>(), 0..300),
            proptest::collection::vec(0_u32..4, 0..300),
            proptest::collection::vec(u32::MAX - 1..=u32::MAX, 0..300),
        ]
    }

    proptest! {
        #[test]
        fn fast_equals_naive(values in values(), length in 0_usize..310) {
            let mut minima = vec![7];
            sliding_minimum(&values, length, &mut minima, &mut vec![7]);
            let windows = values.windows(length.max(1));
            let naive: Vec<u32> = windows.filter_map(|window| window.iter().copied().min()).collect();
            prop_assert_eq!(minima, naive);
        }
    }
}

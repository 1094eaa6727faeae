//! Minima and maxima of all windows of numbers.
//!
//! They are found by quadrupling: minima of 4, 16, 64 … numbers, then one step whose parts overlap. Each step goes from
//! one buffer into the other, because compilers cannot vectorise it in place.
//!
//! Cost: O(n log w). A step of four reads takes as long as one of two, and covers twice as much.

use super::each::{each, room};

/// Writes to `minima` the smallest of every `length` consecutive values, in order; `spare` is scratch memory. A
/// `length` of 0 is taken as 1.
#[inline(always)]
pub(super) fn sliding_minimum<T: Copy + Ord + Default>(
    values: &[T],
    length: usize,
    minima: &mut Vec<T>,
    spare: &mut Vec<T>,
) {
    sliding(values, length, T::min, minima, spare);
}

/// Writes to `maxima` the greatest of every `length` consecutive values, in order.
#[inline(always)]
pub(super) fn sliding_maximum<T: Copy + Ord + Default>(
    values: &[T],
    length: usize,
    maxima: &mut Vec<T>,
    spare: &mut Vec<T>,
) {
    sliding(values, length, T::max, maxima, spare);
}

#[inline(always)]
fn sliding<T: Copy + Default>(
    values: &[T],
    length: usize,
    choose: impl Fn(T, T) -> T,
    minima: &mut Vec<T>,
    spare: &mut Vec<T>,
) {
    if values.len() < length || values.is_empty() {
        return minima.clear();
    }
    if length < 2 {
        minima.clear();
        return minima.extend_from_slice(values);
    }
    let mut covered = step(values, 1, length, &choose, minima);
    while covered < length {
        covered = step(minima, covered, length, &choose, spare);
        std::mem::swap(minima, spare);
    }
}

/// Finds the minima of more values, up to `length`, from those of `covered` values, and returns how many they cover.
#[inline(always)]
fn step<T: Copy + Default>(
    values: &[T],
    covered: usize,
    length: usize,
    choose: &impl Fn(T, T) -> T,
    found: &mut Vec<T>,
) -> usize {
    // Starts of the last three of four parts, as far as they fit.
    let [second, third, last] = [1, 2, 3].map(|i| (i * covered).min(length - covered));
    let parts = [0, second, third, last].map(|start| &values[start..]);
    let found = room(found, values.len() - last);
    if second == last {
        each([parts[0], parts[3]], |[a, b]| choose(a, b), found);
    } else {
        each(parts, |[a, b, c, d]| choose(choose(a, b), choose(c, d)), found);
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
            prop_assert_eq!(&minima, &naive);
            let inverted: Vec<u32> = values.iter().map(|value| !value).collect();
            sliding_maximum(&inverted, length, &mut minima, &mut vec![7]);
            let naive: Vec<u32> = naive.iter().map(|value| !value).collect();
            prop_assert_eq!(minima, naive);
        }
    }
}

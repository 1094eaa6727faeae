//! The minimum of every sliding window: the loop that winnowing and robust winnowing of hashes share.
//!
//! There is a current minimum, and as long as it is inside the window, the only question about a new number is whether
//! it takes over. Nearly all do not, so the next one that does is searched for sixteen numbers at a time and without
//! branches. A whole window is searched only when the minimum has left it.
//!
//! Cost: for random numbers a comparison or two each, and two branches that no processor foresees per new minimum. If
//! numbers ascend, every window would have to be searched. So the searches of a block are counted, and when they have
//! cost as much as minima by [quadrupling](super::sliding_min), these are computed for the rest of the block. Hence O(n
//! log w) for any numbers.
//!
//! This is Figure 5 of Schleimer, Wilkerson & Aiken (SIGMOD 2003) without its two errors (its `(r-1)%w` is negative for
//! `r = 0`, and it records minima before the first window is full), and over all numbers instead of a ring buffer.

use super::sliding_min::sliding_minimum;
use super::{Form, GROUP, Task, run};

/// Calls `changed(window, at)` for every window, starting at `window`, whose minimum is at a different place than that
/// of the window before; for the first window, too. A `w` of 0 is taken as 1.
///
/// `takes_over(minimum)` is the largest newer number that becomes the minimum although the old one is still in the
/// window, if there is any. When the minimum has left the window, the rightmost minimum of the new window replaces it.
#[inline]
pub fn window_minima(
    numbers: &[u64],
    w: usize,
    takes_over: impl Fn(u64) -> Option<u64>,
    changed: impl FnMut(usize, usize),
) {
    let w = w.max(1);
    run(Windows { numbers, w, takes_over, changed, minimum: None, end: w - 1 });
}

/// Minimum number of windows in a block: searching a window anew for each block must cost little.
const BLOCK: usize = 2048;

/// Maximum number of numbers searched for each number of a block.
const MOST_SEARCHED: usize = 8;

struct Windows<'a, T, C> {
    numbers: &'a [u64],
    w: usize,
    takes_over: T,
    changed: C,
    /// Index of the last window's minimum; `None` before the first window.
    minimum: Option<usize>,
    /// Index of the last number of the window.
    end: usize,
}

impl<T: Fn(u64) -> Option<u64>, C: FnMut(usize, usize)> Task for Windows<'_, T, C> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(mut self, _: F) {
        while self.end < self.numbers.len() {
            let end = self.numbers.len().min(self.end + BLOCK.max(self.w));
            self.search(end);
            if self.end < end {
                self.quadruple(end);
            }
        }
    }
}

impl<T: Fn(u64) -> Option<u64>, C: FnMut(usize, usize)> Windows<'_, T, C> {
    /// Finds the minima of the windows that end before `block_end`, or of only some of them if too much would have to
    /// be searched.
    #[inline(always)]
    fn search(&mut self, block_end: usize) {
        let mut may_search = MOST_SEARCHED * (block_end - self.end).max(self.w);
        while self.end < block_end {
            // While the minimum is in the window, which begins at `end + 1 - w`, look for the first number that takes over
            // from it, up to the last window that still contains it. If none does, skip all these windows at once.
            let mut successor = None;
            if let Some(at) = self.minimum.filter(|&at| at + self.w > self.end) {
                let newer = &self.numbers[self.end..block_end.min(at + self.w)];
                let found = (self.takes_over)(self.numbers[at]);
                successor = found.and_then(|most| first_at_most(newer, most));
                self.end += successor.unwrap_or(newer.len());
                if self.end == block_end {
                    return;
                }
            }
            let at = if successor.is_some() {
                self.end
            } else {
                if may_search < self.w {
                    return;
                }
                may_search -= self.w;
                let start = self.end + 1 - self.w;
                start + rightmost_minimum(&self.numbers[start..=self.end])
            };
            self.set(at);
        }
    }

    /// Finds the minima of the windows that end before `block_end`, whatever the numbers.
    #[inline(never)]
    fn quadruple(&mut self, block_end: usize) {
        let start = self.end + 1 - self.w;
        let numbers = self.numbers[start..block_end].iter();
        // The place is inverted, so that the rightmost one is the smallest.
        let places = (start as u64..).map(|at| u128::from(!at));
        let keys: Vec<u128> =
            numbers.zip(places).map(|(&number, place)| u128::from(number) << 64 | place).collect();
        let mut minima = Vec::new();
        sliding_minimum(&keys, self.w, &mut minima, &mut Vec::new());
        for minimum in minima {
            let at = !(minimum as u64) as usize;
            let kept = self.minimum.filter(|&kept| kept + self.w > self.end);
            let most = kept.map(|kept| (self.takes_over)(self.numbers[kept]));
            let is_kept = most.is_some_and(|most| most.is_none_or(|most| self.numbers[at] > most));
            if is_kept || kept == Some(at) {
                self.end += 1;
            } else {
                self.set(at);
            }
        }
    }

    /// Makes the number at `at` the minimum of the window that ends at `self.end`, and goes on to the next window.
    #[inline(always)]
    fn set(&mut self, at: usize) {
        (self.changed)(self.end + 1 - self.w, at);
        self.minimum = Some(at);
        self.end += 1;
    }
}

/// Returns the last index of the smallest number; there must be at least one.
#[inline(always)]
fn rightmost_minimum(numbers: &[u64]) -> usize {
    let Some(mut start) = numbers.len().checked_sub(GROUP) else {
        let least = numbers.iter().fold(u64::MAX, |least, &number| least.min(number));
        return numbers.iter().rposition(|&number| number == least).unwrap_or_default();
    };
    // Tracks many minima side by side: a single one would wait for each comparison. The last group may overlap the one
    // before.
    let mut least = *group_at(numbers, start);
    for group in numbers.as_chunks::<GROUP>().0 {
        for (least, &number) in least.iter_mut().zip(group) {
            *least = (*least).min(number);
        }
    }
    let least = least.into_iter().fold(u64::MAX, u64::min);
    loop {
        let mask = at_most(group_at(numbers, start), least);
        if mask != 0 || start == 0 {
            return start + mask.checked_ilog2().unwrap_or_default() as usize;
        }
        start = start.saturating_sub(GROUP);
    }
}

/// Returns the index of the first number that is at most `most`.
#[inline(always)]
fn first_at_most(numbers: &[u64], most: u64) -> Option<usize> {
    let Some(last) = numbers.len().checked_sub(GROUP) else {
        return numbers.iter().position(|&number| number <= most);
    };
    let mut start = 0;
    loop {
        let mask = at_most(group_at(numbers, start), most);
        if mask != 0 {
            return Some(start + mask.trailing_zeros() as usize);
        }
        if start == last {
            return None;
        }
        // The last group may overlap the one before.
        start = (start + GROUP).min(last);
    }
}

/// Compares these numbers with `most`: one bit for each that is not greater, the first one's lowest.
#[inline(always)]
fn at_most(group: &[u64; GROUP], most: u64) -> u32 {
    group.iter().rev().fold(0, |mask, &number| mask << 1 | u32::from(number <= most))
}

#[inline(always)]
fn group_at(numbers: &[u64], start: usize) -> &[u64; GROUP] {
    numbers[start..].first_chunk().expect("there are as many")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    /// Finds the places of the minima by the definitions; `is_robust` keeps one that is in the window and as small as
    /// any.
    fn naive(numbers: &[u64], w: usize, is_robust: bool) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (start, window) in numbers.windows(w).enumerate() {
            let least = window.iter().min().expect("w is not 0");
            let before = found.last().map(|&(_, at)| at).filter(|&at| at >= start);
            if before.is_some_and(|at| is_robust && numbers[at] == *least) {
                continue;
            }
            let at =
                start + window.iter().rposition(|number| number == least).expect("it is there");
            if before != Some(at) {
                found.push((start, at));
            }
        }
        found
    }

    fn check(numbers: &[u64], w: usize) -> Result<(), TestCaseError> {
        let smaller = |least: u64| least.checked_sub(1);
        let (plain, robust) = (naive(numbers, w, false), naive(numbers, w, true));
        for set in InstructionSet::available() {
            let mut found = Vec::new();
            let changed = |window, at| found.push((window, at));
            on(set, Windows { numbers, w, takes_over: Some, changed, minimum: None, end: w - 1 });
            prop_assert_eq!(&found, &plain, "{}", set);
            let mut found = Vec::new();
            let changed = |window, at| found.push((window, at));
            on(
                set,
                Windows { numbers, w, takes_over: &smaller, changed, minimum: None, end: w - 1 },
            );
            prop_assert_eq!(&found, &robust, "{}, robust", set);
        }
        Ok(())
    }

    /// Generates random numbers, ones with many ties, ones that ascend from end to end, and ones that ascend in
    /// stretches, for which windows are searched so often that the other way is taken.
    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        let lengths = || prop_oneof![0_usize..200, 1000_usize..4000];
        prop_oneof![
            lengths().prop_flat_map(|n| proptest::collection::vec(any::<u64>(), n)),
            lengths().prop_flat_map(|n| proptest::collection::vec(0_u64..4, n)),
            lengths().prop_map(|n| (0..n as u64).collect()),
            (lengths(), 1_u64..900, 1_u64..4).prop_map(|(n, period, step)| {
                (0..n as u64).map(|i| i % period / step).collect()
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(40)))]

        #[test]
        fn every_form_equals_naive(numbers in numbers(), w in prop_oneof![1_usize..40, 40_usize..400]) {
            check(&numbers, w)?;
        }
    }

    #[test]
    fn windows_of_ascending_numbers_are_not_searched_one_by_one() {
        let numbers: Vec<u64> = (0..5000).collect();
        let mut found = Vec::new();
        window_minima(&numbers, 2000, Some, |window, at| found.push((window, at)));
        assert!(found.into_iter().eq((0..3001).map(|i| (i, i))));
    }
}

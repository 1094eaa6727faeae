//! The place of the minimum in every sliding window of many numbers.
//!
//! *Narrow windows*: the minima of all windows show where the place of the minimum changes, which is where a number
//! enters that is as small, or where the smallest number leaves. To find the place of a minimum in its window then
//! takes a comparison for each sixteen numbers, and no branch.
//!
//! *Wide windows*: few numbers are the minimum of one. A window consists of a run of whole blocks and of parts of two
//! more. So its minimum is that of a run of blocks that has it, or smaller than a run of blocks beside its own block.
//! The minima of blocks, which are few, show which blocks can have such numbers. The numbers that are left, hardly more
//! than the minima that are looked for, go through a [queue](super::min_queue), which is exact.
//!
//! Cost: for narrow windows `log₄ w` steps of four loads, three minima and a store, and one or two comparisons of
//! sixteen numbers per minimum. For wide ones half an instruction per number, several steps per block, and for random
//! numbers a passage through the queue per minimum. If no block can be ruled out, for example because numbers ascend,
//! all numbers go through the queue. O(n) in any case.

use std::ops::Range;

use super::block_minima::{SIZE, append_places, at_most, block_minima, find_places};
use super::each::{each, room};
use super::min_queue::MinQueue;
use super::sliding_min::{sliding_maximum, sliding_minimum};
use super::{Form, GROUP, Task, run};

/// Width of the widest narrow windows: a bit for each number.
const NARROW: usize = 2 * GROUP;

/// Buffers, to be reused.
#[derive(Debug, Default)]
pub struct PlaceScratch {
    /// The minimum of each window, or of each block.
    minima: Vec<u32>,
    /// The minimum of each run of blocks, between zeros for runs that do not exist.
    runs: Vec<u32>,
    /// For each block, the greatest minimum of the runs that it is in.
    greatest: Vec<u32>,
    /// For each block, the greatest number that can be a minimum.
    most: Vec<u32>,
    /// Windows, or blocks, that stand out.
    places: Vec<usize>,
    /// The places of these windows' minima, or of numbers that may be minima.
    found: Vec<usize>,
    spare: Vec<u32>,
}

/// Reports all windows of `w` numbers to `found`, in order: windows that begin at a range of places, and the place of
/// their rightmost smallest number. A `w` of 0 is taken as 1.
#[inline]
pub fn window_places(
    numbers: &[u32],
    w: usize,
    room: &mut PlaceScratch,
    mut found: impl FnMut(Range<usize>, usize),
) {
    let w = w.max(1);
    if numbers.len() < w {
        return;
    }
    if w <= NARROW {
        run(Changes { numbers, w, room });
        let ends = room.places[1..].iter().copied().chain([numbers.len() + 1 - w]);
        for ((&start, end), &at) in room.places.iter().zip(ends).zip(&room.found) {
            found(start..end, at);
        }
        return;
    }
    run(Candidates { numbers, w, room });
    // Every window has a number here, so `at` is always there.
    let mut found = |windows, at: Option<usize>| {
        if let Some(at) = at {
            found(windows, at);
        }
    };
    let mut queue = MinQueue::new(w);
    for &at in &room.found {
        queue.push(numbers[at], at, &mut found);
    }
    queue.finish(numbers.len(), found);
}

/// Writes to `room` the windows whose minimum may be at a different place than that of the window before, and these
/// places. There are at least as many numbers as a window has.
struct Changes<'a> {
    numbers: &'a [u32],
    w: usize,
    room: &'a mut PlaceScratch,
}

impl Task for Changes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let Changes { numbers, w, room: PlaceScratch { minima, places, found, spare, .. } } = self;
        sliding_minimum(numbers, w, minima, spare);
        let (minima, last) = (minima.as_slice(), &numbers[w - 1..]);
        let enters = |at: usize| at_most(&last[at..], &minima[at..], form);
        // A number that leaves is seen in the window before. The first window counts as a change, too.
        let before_last = minima.len() - 1;
        let leaves = |at: usize| match at.checked_sub(1) {
            Some(at) => at_most(&numbers[at..], &minima[at..before_last], form),
            None => at_most(numbers, &minima[..before_last], form) << 1 | 1,
        };
        find_places(minima.len(), |at| enters(at) | leaves(at) & GROUP_BITS, places);
        found.clear();
        if w <= GROUP {
            find_minima::<F, 1>(numbers, w, minima, places, found, form);
        } else {
            find_minima::<F, 2>(numbers, w, minima, places, found, form);
        }
    }
}

/// Appends to `found` the places of the minima of certain windows. A window fits into `N` groups.
#[inline(always)]
fn find_minima<F: Form, const N: usize>(
    numbers: &[u32],
    w: usize,
    minima: &[u32],
    windows: &[usize],
    found: &mut Vec<usize>,
    form: F,
) {
    for &start in windows {
        let (numbers, least) = (&numbers[start..], minima[start]);
        let place = match numbers.as_chunks::<GROUP>().0.first_chunk::<N>() {
            Some(groups) => {
                let bits = groups.iter().rev().fold(0, |bits: u32, group| {
                    bits << GROUP | form.at_most(group, &[least; GROUP])
                });
                // The highest bit that is set among the bits of the window.
                w - 1 - (bits << (NARROW - w)).leading_zeros() as usize
            }
            None => numbers[..w].iter().rposition(|&number| number == least).unwrap_or_default(),
        };
        found.push(start + place);
    }
}

/// One bit for each number of a group.
const GROUP_BITS: u32 = (1 << GROUP) - 1;

/// Writes to `room` the places of numbers that include the minima of all windows, which are wide.
struct Candidates<'a> {
    numbers: &'a [u32],
    w: usize,
    room: &'a mut PlaceScratch,
}

impl Task for Candidates<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let Candidates { numbers, w, room } = self;
        let n_windows = numbers.len() + 1 - w;
        if n_windows <= w / 2 {
            return room.find_in_few_windows(numbers, n_windows, form);
        }
        room.find_blocks(numbers, w, form);
        room.find_in_blocks(numbers, form);
    }
}

impl PlaceScratch {
    /// Finds the numbers that may be minima of windows which all have some numbers in common: no minimum is greater
    /// than the smallest of these.
    #[inline(always)]
    fn find_in_few_windows<F: Form>(&mut self, numbers: &[u32], n_windows: usize, form: F) {
        let in_all = &numbers[n_windows - 1..=numbers.len() - n_windows];
        let most = [in_all.iter().fold(u32::MAX, |least, &number| least.min(number)); GROUP];
        find_places(numbers.len(), |at| at_most(&numbers[at..], &most, form), &mut self.found);
    }

    /// Finds the blocks that may have a minimum.
    #[inline(always)]
    fn find_blocks<F: Form>(&mut self, numbers: &[u32], w: usize, form: F) {
        let PlaceScratch { minima, runs, greatest, most, places, spare, .. } = self;
        block_minima(numbers, form, minima);
        // Number of whole blocks that every window has.
        let n_run = (w + 1) / SIZE - 1;
        sliding_minimum(minima, n_run, greatest, spare);
        runs.clear();
        runs.resize(n_run, 0);
        runs.extend_from_slice(greatest);
        runs.resize(minima.len() + n_run + 1, 0);
        sliding_maximum(&runs[1..], n_run, greatest, spare);
        // Beside the block are the run that ends before it, and the one that begins after it.
        let parts = [minima, &runs[..], &runs[n_run + 1..]];
        let greatest_of = |[least, before, after]: [u32; 3]| least.max(before.max(after));
        each(parts, greatest_of, room(most, minima.len()));
        find_places(minima.len(), |at| at_most(&minima[at..], &greatest[at..], form), places);
    }

    /// Finds the numbers of these blocks that may be minima, and takes all numbers that are in no whole block.
    #[inline(always)]
    fn find_in_blocks<F: Form>(&mut self, numbers: &[u32], form: F) {
        let blocks = numbers.as_chunks::<SIZE>();
        self.found.clear();
        for &block in &self.places {
            let bits = form.half_at_most(&blocks.0[block], self.most[block]);
            append_places::<2>(bits.into(), SIZE * block, &mut self.found);
        }
        self.found.extend(numbers.len() - blocks.1.len()..numbers.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::InstructionSet;

    /// Returns the place of each window's minimum, by the definition.
    fn naive(numbers: &[u32], w: usize) -> Vec<usize> {
        let windows = numbers.windows(w).enumerate();
        let rightmost = |(start, window): (usize, &[u32])| {
            let least = window.iter().min().expect("w is not 0");
            start + window.iter().rposition(|number| number == least).expect("it is there")
        };
        windows.map(rightmost).collect()
    }

    fn check(numbers: &[u32], w: usize) -> Result<(), TestCaseError> {
        let expected = naive(numbers, w);
        let mut room = PlaceScratch::default();
        for set in InstructionSet::available() {
            set.choose().expect("available");
            let mut places: Vec<usize> = Vec::new();
            window_places(numbers, w, &mut room, |windows, at| {
                assert!(windows.start == places.len() && !windows.is_empty(), "{windows:?}");
                places.resize(windows.end, at);
            });
            prop_assert_eq!(&places, &expected, "{}", set);
        }
        Ok(())
    }

    /// Generates random numbers, ones with many ties, ascending ones, and ones that ascend or descend in stretches.
    fn numbers() -> impl Strategy<Value = Vec<u32>> {
        let lengths = || prop_oneof![0_usize..200, 1000_usize..4000];
        prop_oneof![
            lengths().prop_flat_map(|n| proptest::collection::vec(any::<u32>(), n)),
            lengths().prop_flat_map(|n| proptest::collection::vec(0_u32..4, n)),
            lengths().prop_flat_map(|n| proptest::collection::vec(u32::MAX - 1..=u32::MAX, n)),
            lengths().prop_map(|n| (0..n as u32).collect()),
            (lengths(), 1_u32..900, 1_u32..4, any::<bool>()).prop_map(
                |(n, period, step, falls)| {
                    let number = |i: u32| i % period / step;
                    (0..n as u32).map(|i| if falls { !number(i) } else { number(i) }).collect()
                }
            ),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(100)))]

        #[test]
        fn every_form_equals_naive(numbers in numbers(), w in prop_oneof![1_usize..40, 40_usize..400]) {
            check(&numbers, w)?;
        }
    }
}

//! The smallest number of every sliding window, where few places have a number.
//!
//! Numbers come one by one, with their places. Those that may still become the smallest of a window wait in a queue, in
//! ascending order: a number that is not smaller than a newer one never will.
//!
//! Cost: a push and a pop per number, and one branch that no processor foresees: whether a number is smaller than all
//! before it. O(n) for any numbers.

use std::ops::Range;

/// Maximum number of entries that have left their last window before they are removed. Most queues are emptied sooner.
const MANY: usize = 1 << 10;

/// Finds the places of the smallest numbers; of equal ones the rightmost.
#[derive(Debug)]
pub struct MinQueue {
    /// Number of places in a window.
    w: usize,
    /// Numbers and their places, both ascending, from index `front` on.
    waiting: Vec<(u32, usize)>,
    front: usize,
    /// The first window that has not been reported.
    window: usize,
}

impl MinQueue {
    /// Creates a queue for windows of `w` places, at least one.
    pub fn new(w: usize) -> MinQueue {
        MinQueue { w, waiting: Vec::new(), front: 0, window: 0 }
    }

    /// Takes the next number, whose place is after those before. Reports windows to `found`, in order, with the place
    /// of their smallest number if they have any. A window is identified by the place where it begins.
    #[inline(always)]
    pub fn push(
        &mut self,
        number: u32,
        at: usize,
        mut found: impl FnMut(Range<usize>, Option<usize>),
    ) {
        self.leave(at, &mut found);
        // The first window that contains the number.
        let enters = (at + 1).saturating_sub(self.w);
        let front = self.waiting.get(self.front).copied();
        if front.is_none_or(|(least, _)| number <= least) {
            self.tell(enters, front.map(|(_, at)| at), &mut found);
            self.waiting.clear();
            self.front = 0;
        } else {
            // The number in front is smaller, so this ends there.
            while self.waiting.pop_if(|(last, _)| number <= *last).is_some() {}
        }
        self.waiting.push((number, at));
    }

    /// Reports the remaining windows to `found`, of `n` places in all.
    #[inline(always)]
    pub fn finish(mut self, n: usize, mut found: impl FnMut(Range<usize>, Option<usize>)) {
        self.leave(n, &mut found);
        let front = self.waiting.get(self.front).map(|&(_, at)| at);
        self.tell((n + 1).saturating_sub(self.w), front, &mut found);
    }

    /// Drops the numbers that are in no window that ends at `at` or later, and reports the windows that they were the
    /// smallest of.
    #[inline(always)]
    fn leave(&mut self, at: usize, found: &mut impl FnMut(Range<usize>, Option<usize>)) {
        while let Some(&(_, front)) = self.waiting.get(self.front)
            && front + self.w <= at
        {
            self.tell(front + 1, Some(front), found);
            self.front += 1;
        }
        if self.front >= MANY {
            self.waiting.drain(..self.front);
            self.front = 0;
        }
    }

    /// Reports that the smallest number of all windows before `end` is at `at`.
    #[inline(always)]
    fn tell(
        &mut self,
        end: usize,
        at: Option<usize>,
        found: &mut impl FnMut(Range<usize>, Option<usize>),
    ) {
        if self.window < end {
            found(self.window..end, at);
            self.window = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix::SplitMix;

    /// Returns the place of the smallest number of each window, by the definition.
    fn naive(all: &[(u32, usize)], w: usize, n: usize) -> Vec<Option<usize>> {
        let smallest = |start: usize| {
            let inside = all.iter().filter(|(_, at)| (start..start + w).contains(at));
            inside.min_by_key(|&&(number, at)| (number, usize::MAX - at)).map(|&(_, at)| at)
        };
        (0..(n + 1).saturating_sub(w)).map(smallest).collect()
    }

    /// Generates few and many numbers in a window, many ties, ascending and descending ones.
    fn numbers() -> impl Strategy<Value = Vec<(u32, usize)>> {
        let numbers = prop_oneof![
            proptest::collection::vec(any::<u32>(), 0..200),
            proptest::collection::vec(0_u32..4, 0..200),
            (0_u32..1500).prop_map(|n| (0..n).collect()),
            (0_u32..200, 1_u32..50).prop_map(|(n, period)| (0..n).map(|i| !(i % period)).collect()),
        ];
        let gaps = prop_oneof![Just(1_u64), 1_u64..30, 20_u64..200];
        (numbers, gaps, any::<u64>()).prop_map(|(numbers, gap, seed)| {
            let (mut random, mut at) = (SplitMix::new(seed), 0);
            let mut next = || {
                at += 1 + (random.draw() % gap) as usize;
                at - 1
            };
            numbers.into_iter().map(|number| (number, next())).collect()
        })
    }

    proptest! {
        #[test]
        fn equals_naive(all in numbers(), w in 1_usize..120, after in 0_usize..100) {
            let n = all.last().map_or(0, |&(_, at)| at + 1) + after;
            let mut places: Vec<Option<usize>> = Vec::new();
            let mut found = |windows: Range<usize>, at| {
                assert!(windows.start == places.len() && !windows.is_empty(), "{windows:?}");
                places.resize(windows.end, at);
            };
            let mut queue = MinQueue::new(w);
            for &(number, at) in &all {
                queue.push(number, at, &mut found);
            }
            queue.finish(n, &mut found);
            prop_assert_eq!(places, naive(&all, w, n));
        }
    }
}

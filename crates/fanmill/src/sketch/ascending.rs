//! Sorting hashes by radix, using the fact that they are evenly distributed.
//!
//! The first few bits of well-mixed numbers tell nearly all of them apart. So numbers are distributed into
//! piles by these bits only, the lower ones first, and the few that are still out of order
//! are moved into place by insertion. If the numbers turn out not to be well mixed, a general sort takes
//! over.
//!
//! Cost: O(n) time for hashes, 4 ns each against 9 for a general sort, whose comparisons no
//! processor can predict (November 2026); O(n log n) for any numbers. Eight bytes each.
//! Source: Knuth, "Sorting and searching", 1998 (radix sorting, the last digit first).
//! Departs from it: only as many bits as hashes need.

/// Below this number of items a general sort is as fast.
const FEW: usize = 64;
/// Bits to sort by beyond log2 of the number of items, so that at most one in sixteen collides.
const SPARE: u32 = 5;
/// Most bits to distribute by at once, so that the ends of the piles stay in the first-level cache.
const MOST: u32 = 11;
/// The farthest that insertion moves a number.
const NEAR: usize = 16;

/// Sorts numbers; fast if they are hashes. `room` is scratch memory, grown to their length if needed.
pub(super) fn sort(numbers: &mut [u64], room: &mut Vec<u64>) {
    let n = numbers.len();
    if n < FEW || u32::try_from(n).is_err() {
        return numbers.sort_unstable();
    }
    // Equal rounds, at least two, over the top bits; the lowest of these bits first, as each round keeps
    // the order of the one before where bits are equal.
    let wanted = n.ilog2() + SPARE;
    let n_rounds = wanted.div_ceil(MOST).max(2);
    let width = wanted.div_ceil(n_rounds);
    if room.len() < n {
        room.resize(n, 0);
    }
    let (mut from, mut to) = (&mut *numbers, &mut room[..n]);
    for round in (1..=n_rounds).rev() {
        let low = 64 - round * width;
        // With fewer piles there is less to clear, which matters when there are few numbers.
        match width {
            ..=8 => deal::<{ 1 << 8 }>(from, low, width, to),
            _ => deal::<{ 1 << MOST }>(from, low, width, to),
        }
        std::mem::swap(&mut from, &mut to);
    }
    // After an odd number of rounds the result is in `room`.
    if n_rounds % 2 == 1 {
        to.copy_from_slice(from);
    }
    if !insert(numbers) {
        numbers.sort_unstable();
    }
}

/// Distributes numbers into piles by the `width` bits from bit `low` on, keeping the order within a
/// pile (a counting sort). There are at most `PILES` piles.
#[inline]
fn deal<const PILES: usize>(numbers: &[u64], low: u32, width: u32, dealt: &mut [u64]) {
    let mut ends = [0_u32; PILES];
    let pile = |number: u64| (number >> low) as usize & ((1 << width) - 1);
    for &number in numbers {
        ends[pile(number)] += 1;
    }
    // From counts to the start of each pile, which then moves up as the pile fills.
    let mut sum = 0;
    for end in &mut ends[..1 << width] {
        (*end, sum) = (sum, sum + *end);
    }
    for &number in numbers {
        let end = &mut ends[pile(number)];
        dealt[*end as usize] = number;
        *end += 1;
    }
}

/// Insertion sort that gives up, and returns `false`, when a number is more than [`NEAR`] places off.
fn insert(numbers: &mut [u64]) -> bool {
    for i in 1..numbers.len() {
        let number = numbers[i];
        let mut at = i;
        while at > 0 && numbers[at - 1] > number {
            if i - at == NEAR {
                numbers[at] = number;
                return false;
            }
            numbers[at] = numbers[at - 1];
            at -= 1;
        }
        numbers[at] = number;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix::mix;

    /// The naive twin is the library's sort.
    fn check(mut numbers: Vec<u64>) {
        let mut expected = numbers.clone();
        expected.sort_unstable();
        sort(&mut numbers, &mut vec![7; expected.len() / 2]);
        assert_eq!(numbers, expected);
    }

    #[test]
    fn hashes_and_other_numbers_are_sorted() {
        for n in [0, 1, 2, 47, 48, 49, 1000, 5000, 100_000] {
            check((0..n).map(mix).collect());
            check((0..n).rev().collect());
            check((0..n).map(|i| mix(i % 7)).collect());
            check((0..n).map(|i| u64::MAX - i % 3).collect());
            check((0..n).map(|i| mix(i) >> 40).collect());
        }
    }

    proptest! {
        #[test]
        fn any_numbers_are_sorted(numbers in proptest::collection::vec(any::<u64>(), 0..300), shift in 0_u32..64) {
            check(numbers.iter().map(|number| number >> shift).collect());
            check(numbers.iter().map(|number| number << shift).collect());
        }
    }
}

//! Keys of the open-closed order, which depend on the place of a gram's smallest part.
//!
//! Only the order hashes of a gram's parts are used, which overlap with their neighbours. The key has two bits for the
//! *tier*: 0 if the leftmost of the smallest parts is in the middle, 1 if it is the first or the last, else 2. Its
//! other 30 bits are from the order hash of the part in the middle.
//!
//! The exact place of the smallest part need not be known. It is in the middle if the part there is as small as any and
//! all before it are greater. So only minima of 32-bit numbers are computed, which compilers vectorise.
//!
//! Cost: `log₄ h` steps of four loads, three minima and a store, where `h` is half the number of a gram's parts, and
//! one step with six loads.

use super::each::each;
use super::sliding_min::sliding_minimum;
use super::{Form, Task, run};

/// Buffers for keys, to be reused.
#[derive(Debug, Default)]
pub struct KeyScratch {
    halves: Vec<u32>,
    spare: Vec<u32>,
}

/// Writes the key of each gram of `n_parts` parts, from the hashes of all parts in order. An `n_parts` of 0 is taken as
/// 1.
///
/// # Panics
/// If `keys` does not have one place for each gram.
pub fn open_closed_keys(hashes: &[u32], n_parts: usize, room: &mut KeyScratch, keys: &mut [u32]) {
    let last = n_parts.max(1) - 1;
    assert_eq!(keys.len(), hashes.len().saturating_sub(last), "all grams");
    if !keys.is_empty() {
        run(Keys { hashes, last, room, found: keys });
    }
}

/// Keys of grams whose last part is at `last`; there is at least one.
struct Keys<'a> {
    hashes: &'a [u32],
    last: usize,
    room: &'a mut KeyScratch,
    found: &'a mut [u32],
}

impl Task for Keys<'_> {
    type Output = ();

    #[allow(clippy::needless_bitwise_bool, reason = "branches would keep it from being vectorised")]
    #[inline(always)]
    fn run<F: Form>(self, _: F) {
        let Keys { hashes, last, room: KeyScratch { halves, spare }, found } = self;
        let middle = last / 2;
        if middle == 0 {
            // A single part is in the middle; of two parts, the first one is.
            let of = |[first, last]: [u32; 2]| key(first <= last, true, first);
            return each([hashes, &hashes[last..]], of, found);
        }
        sliding_minimum(hashes, middle, halves, spare);
        let (hashes, halves) = (&hashes[..found.len() + last], &halves[..found.len() + middle]);
        for (i, found) in found.iter_mut().enumerate() {
            // The parts before the middle; from the middle on, as many again; and the last but one, which these may not
            // include.
            let all_but_last = halves[i].min(halves[i + middle]).min(hashes[i + last - 1]);
            let (at_first, at_middle, at_last) = (hashes[i], hashes[i + middle], hashes[i + last]);
            let least = all_but_last.min(at_last);
            let is_middle = (at_middle == least) & (halves[i] != least);
            let is_end = (at_first == least) | ((at_last == least) & (all_but_last != least));
            *found = key(is_middle, is_middle | is_end, at_middle);
        }
    }
}

/// Computes a key without branches, so that the loop is vectorised.
#[inline(always)]
pub(super) fn key(is_middle: bool, is_middle_or_end: bool, middle: u32) -> u32 {
    (2 - u32::from(is_middle) - u32::from(is_middle_or_end)) << 30 | middle >> 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    /// Returns the key of a gram by the definition.
    fn naive(hashes: &[u32]) -> u32 {
        let (last, middle) = (hashes.len() - 1, (hashes.len() - 1) / 2);
        let smallest = (0..hashes.len()).min_by_key(|&at| (hashes[at], at));
        let tier = match smallest {
            Some(at) if at == middle => 0,
            Some(at) if at == 0 || at == last => 1,
            _ => 2,
        };
        tier << 30 | hashes[middle] >> 2
    }

    fn hashes() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![
            proptest::collection::vec(any::<u32>(), 0..400),
            proptest::collection::vec(0_u32..3, 0..400),
            proptest::collection::vec(u32::MAX - 1..=u32::MAX, 0..400),
        ]
    }

    proptest! {
        #[test]
        fn every_form_equals_naive(hashes in hashes(), n_parts in 0_usize..120) {
            let expected: Vec<u32> = hashes.windows(n_parts.max(1)).map(naive).collect();
            let mut room = KeyScratch::default();
            for set in InstructionSet::available() {
                let mut keys = vec![7; expected.len()];
                let last = n_parts.max(1) - 1;
                if hashes.len() > last {
                    on(set, Keys { hashes: &hashes, last, room: &mut room, found: &mut keys });
                }
                prop_assert_eq!(&keys, &expected, "{}", set);
            }
            let mut keys = vec![7; expected.len()];
            open_closed_keys(&hashes, n_parts, &mut room, &mut keys);
            prop_assert_eq!(keys, expected);
        }
    }
}

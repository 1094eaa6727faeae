//! The grams of tier 0 of the [open-closed order](super::open_closed): those whose smallest part is in the middle.
//!
//! Of random grams of `n` parts, one in `n` is of this tier, and where windows are much longer than grams, hardly any
//! window is without one. So for most of a text only these grams need be known. A part that is the smallest of a gram
//! around it is the smallest of its block, and not greater than the blocks beside it. There are few such parts.
//!
//! Cost: for grams of 47 parts, five instructions per part with AVX2, including a comparison with all parts of a gram
//! for one part in forty.

use super::block_minima::{SIZE, at_most, block_minima, find_places};
use super::open_closed::key;
use super::sliding_min::sliding_minimum;
use super::{Form, HALF, Task, run};

/// Buffers, to be reused.
#[derive(Debug, Default)]
pub struct OpenScratch {
    /// The minimum of each block.
    blocks: Vec<u32>,
    /// The minima of blocks, between the greatest numbers for blocks that do not exist.
    padded: Vec<u32>,
    /// For each block, the smallest minimum of it and of those beside it.
    around: Vec<u32>,
    places: Vec<usize>,
    /// Parts that may be the smallest of a gram.
    parts: Vec<usize>,
    spare: Vec<u32>,
}

/// Minimum number of parts of a gram for this to work: wherever its middle is in a block, there is a whole block on
/// each side.
pub const LEAST_PARTS: usize = 2 * (2 * SIZE - 1) + 1;

/// Appends the key and the place of each gram of tier 0, in order, from the hashes of all parts in order. A gram has
/// `n_parts` parts, at least [`LEAST_PARTS`].
pub fn open_keys(
    hashes: &[u32],
    n_parts: usize,
    room: &mut OpenScratch,
    keys: &mut Vec<(u32, usize)>,
) {
    if hashes.len() >= n_parts {
        run(OpenKeys { hashes, last: n_parts - 1, room, keys });
    }
}

/// Grams whose last part is at `last`; there is at least one.
struct OpenKeys<'a> {
    hashes: &'a [u32],
    last: usize,
    room: &'a mut OpenScratch,
    keys: &'a mut Vec<(u32, usize)>,
}

impl Task for OpenKeys<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let OpenKeys { hashes, last, room, keys } = self;
        let middle = last / 2;
        room.find_blocks(hashes, middle, form);
        room.find_parts(hashes, form);
        for &part in &room.parts {
            // The gram that has this part in the middle, if there is one.
            let Some(at) = part.checked_sub(middle) else { continue };
            let Some(gram) = hashes.get(at..=at + last) else { continue };
            let smallest = gram[middle];
            let is_beaten = has_at_most(&gram[..middle], smallest, form)
                | (smallest > 0 && has_at_most(&gram[middle + 1..], smallest - 1, form));
            if !is_beaten {
                keys.push((key(true, true, smallest), at));
            }
        }
    }
}

impl OpenScratch {
    /// Finds the blocks whose smallest part may be the smallest of a gram that has `middle` parts before it.
    #[inline(always)]
    fn find_blocks<F: Form>(&mut self, hashes: &[u32], middle: usize, form: F) {
        let OpenScratch { blocks, padded, around, places, spare, .. } = self;
        block_minima(hashes, form, blocks);
        // Number of whole blocks that such a gram has on each side of the block in the middle.
        let n_beside = (middle + 1) / SIZE - 1;
        padded.clear();
        padded.resize(n_beside, u32::MAX);
        padded.extend_from_slice(blocks);
        padded.resize(blocks.len() + 2 * n_beside, u32::MAX);
        sliding_minimum(padded, 2 * n_beside + 1, around, spare);
        find_places(blocks.len(), |at| at_most(&blocks[at..], &around[at..], form), places);
    }

    /// Finds the leftmost smallest part of each of these blocks, and takes all parts that are in no whole block.
    #[inline(always)]
    fn find_parts<F: Form>(&mut self, hashes: &[u32], form: F) {
        let blocks = hashes.as_chunks::<SIZE>();
        self.parts.clear();
        for &block in &self.places {
            let least = form.half_at_most(&blocks.0[block], self.blocks[block]);
            self.parts.push(block * SIZE + least.trailing_zeros() as usize);
        }
        self.parts.extend(hashes.len() - blocks.1.len()..hashes.len());
    }
}

/// Returns whether any of the numbers, which must be [`HALF`] or more, is at most `most`.
#[inline(always)]
fn has_at_most<F: Form>(numbers: &[u32], most: u32, form: F) -> bool {
    // The last group may overlap the one before.
    let last = numbers.last_chunk().expect("as many as a group");
    let groups = numbers.as_chunks::<HALF>().0.iter();
    groups.fold(form.half_at_most(last, most), |bits, group| bits | form.half_at_most(group, most))
        != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, KeyScratch, on, open_closed_keys};

    fn hashes() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![
            proptest::collection::vec(any::<u32>(), 0..1000),
            proptest::collection::vec(0_u32..3, 0..400),
            proptest::collection::vec(u32::MAX - 1..=u32::MAX, 0..400),
            (0_usize..400, 1_u32..90)
                .prop_map(|(n, period)| (0..n as u32).map(|i| i % period).collect()),
        ]
    }

    proptest! {
        #[test]
        fn every_form_equals_naive(hashes in hashes(), n_parts in LEAST_PARTS..120_usize) {
            let mut keys = vec![0; (hashes.len() + 1).saturating_sub(n_parts)];
            open_closed_keys(&hashes, n_parts, &mut KeyScratch::default(), &mut keys);
            let keys = keys.into_iter().zip(0_usize..);
            let expected: Vec<(u32, usize)> = keys.filter(|(key, _)| key >> 30 == 0).collect();
            let mut room = OpenScratch::default();
            for set in InstructionSet::available() {
                let mut open = Vec::new();
                let keys = &mut open;
                if hashes.len() >= n_parts {
                    on(set, OpenKeys { hashes: &hashes, last: n_parts - 1, room: &mut room, keys });
                }
                prop_assert_eq!(&open, &expected, "{}", set);
            }
        }
    }
}

//! Minima of blocks of eight numbers, and the search for the blocks that stand out.
//!
//! Loops that look for the few numbers that are the smallest of many around them look at blocks first. There are an
//! eighth as many blocks, and most of them cannot have such a number.
//!
//! Cost: half an instruction per number with AVX2.

use super::each::room;
use super::{Form, GROUP, HALF};

/// Size of a block in numbers.
pub(super) const SIZE: usize = HALF;

/// Writes to `minima` the minimum of each whole block of numbers.
#[inline(always)]
pub(super) fn block_minima<F: Form>(numbers: &[u32], form: F, minima: &mut Vec<u32>) {
    let n_blocks = numbers.len() / SIZE;
    let (groups, rest) = room(minima, n_blocks).as_chunks_mut();
    let blocks = numbers.as_chunks::<{ 8 * SIZE }>().0.iter();
    for (minima, blocks) in groups.iter_mut().zip(blocks) {
        *minima = form.minima_of_eight(blocks);
    }
    let blocks = numbers.as_chunks::<SIZE>().0[n_blocks - rest.len()..].iter();
    for (minimum, block) in rest.iter_mut().zip(blocks) {
        *minimum = block.iter().fold(u32::MAX, |least, &number| least.min(number));
    }
}

/// Writes to `places` those of the first `n` places that stand out, ascending; `of_group` returns the bits of the group
/// at a place.
#[inline(always)]
pub(super) fn find_places(n: usize, of_group: impl Fn(usize) -> u32, places: &mut Vec<usize>) {
    places.clear();
    for first in (0..n).step_by(4 * GROUP) {
        let groups = (first..n.min(first + 4 * GROUP)).step_by(GROUP).enumerate();
        let bits = groups.fold(0, |bits, (i, at)| bits | u64::from(of_group(at)) << (GROUP * i));
        append_places::<6>(bits, first, places);
    }
}

/// Compares the first [`GROUP`] numbers, or fewer if there are not as many, with those of `most`: one bit for each that
/// is not greater.
#[inline(always)]
pub(super) fn at_most<F: Form>(numbers: &[u32], most: &[u32], form: F) -> u32 {
    if let (Some(numbers), Some(most)) = (numbers.first_chunk(), most.first_chunk()) {
        return form.at_most(numbers, most);
    }
    let pairs = numbers.iter().zip(most).enumerate();
    pairs.fold(0, |bits, (i, (number, most))| bits | u32::from(number <= most) << i)
}

/// Appends the places of the bits that are set, the lowest bit being at `first`. Appends `N` at a time, and then
/// removes those that are too many, because no processor foresees their number.
#[inline(always)]
pub(super) fn append_places<const N: usize>(mut bits: u64, first: usize, places: &mut Vec<usize>) {
    let n = places.len() + bits.count_ones() as usize;
    while bits != 0 {
        places.extend_from_slice(&[(); N].map(|()| {
            let place = first + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            place
        }));
    }
    places.truncate(n);
}

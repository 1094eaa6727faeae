//! Forms of kernels: what a kernel asks of the processor, in plain code and in intrinsics.
//!
//! A kernel is a [`Task`], written once. [`run`](crate::run) has it compiled for each [set of instructions](crate::InstructionSet),
//! where the compiler may use these instructions. Most tasks are plain loops, which compilers vectorise. For an
//! instruction that a loop cannot express, the task asks its [`Form`]; the forms are in [`arch`](crate::arch).

use super::sip_rounds::Lanes;

/// A computation that runs in any form.
pub trait Task {
    /// The result, which is the same in every form.
    type Output;

    /// Computes the result. Implementations are `#[inline(always)]`: otherwise they are compiled for any processor.
    fn run<F: Form>(self, form: F) -> Self::Output;
}

/// Number of bytes that are looked at together, one for each bit of a mask.
pub const BLOCK: usize = 64;

/// Size of a group: numbers that are looked at together.
pub const GROUP: usize = 16;
/// Half of a [`GROUP`].
pub const HALF: usize = 8;

/// The operations of a form. Forms are made by [`run`](crate::run) alone.
pub trait Form: Copy {
    /// True if eight pairs of 64-bit numbers are multiplied at once.
    const MULTIPLIES: bool;

    /// Returns the kinds of these bytes.
    fn byte_kinds(self, block: &[u8; BLOCK]) -> ByteKinds;

    /// Returns the members of each set among these bytes: one bit for each byte, the first one's lowest.
    #[inline(always)]
    fn byte_sets(self, block: &[u8; BLOCK], sets: &ByteSets) -> [u64; BYTE_SETS] {
        sets.of(block)
    }

    /// Returns the hashes of eight rows of words by SipHash-1-3.
    fn sip_hashes(self, keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes;

    /// Compares these numbers with those of `most`: one bit for each that is not greater, the first one's lowest.
    #[inline(always)]
    fn at_most(self, group: &[u32; GROUP], most: &[u32; GROUP]) -> u32 {
        let pairs = group.iter().zip(most).rev();
        pairs.fold(0, |mask, (number, most)| mask << 1 | u32::from(number <= most))
    }

    /// Compares these numbers with `most`: one bit for each that is not greater, the first one's lowest.
    #[inline(always)]
    fn half_at_most(self, half: &[u32; HALF], most: u32) -> u32 {
        half.iter().rev().fold(0, |mask, &number| mask << 1 | u32::from(number <= most))
    }

    /// Returns the smallest of every eight numbers.
    #[inline(always)]
    fn minima_of_eight(self, numbers: &[u32; 8 * HALF]) -> [u32; HALF] {
        let least = |i: usize| (0..8).fold(u32::MAX, |least, j| least.min(numbers[8 * i + j]));
        std::array::from_fn(least)
    }

    /// Returns the little-endian numbers of four bytes that begin at each of the first [`GROUP`] bytes.
    #[inline(always)]
    fn numbers(self, bytes: &[u8; 3 * HALF]) -> [u32; GROUP] {
        std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|j| bytes[i + j])))
    }
}

/// The kinds of 64 bytes: one bit for each byte, the first one's lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteKinds {
    /// ASCII letters, digits and the underscore.
    pub word: u64,
    /// Spaces and control characters except `DEL`: bytes up to `0x20`.
    pub white: u64,
    /// Bytes of characters beyond ASCII.
    pub beyond: u64,
}

/// Number of sets in a [`ByteSets`].
pub const BYTE_SETS: usize = 3;

/// The lowest bit of each byte.
pub(crate) const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// Sets of ASCII bytes: word bytes, joining bytes and white bytes.
#[derive(Debug, Clone)]
pub struct ByteSets {
    /// For vector registers: row `byte % 16` of a set has bit `byte / 16` if the byte is in it.
    pub(crate) rows: [[u8; 16]; BYTE_SETS],
    /// For other registers: bit `i` of a byte's entry says whether the byte is in set `i`.
    members: [u8; 256],
}

impl ByteSets {
    /// Creates the sets of bytes that words consist of, of bytes that belong together in runs, and of bytes that only
    /// separate. The functions are not called for bytes beyond ASCII, which are in no set.
    pub fn new(
        is_word: impl Fn(u8) -> bool,
        is_joining: impl Fn(u8) -> bool,
        is_white: impl Fn(u8) -> bool,
    ) -> ByteSets {
        let mut sets = ByteSets { rows: [[0; 16]; BYTE_SETS], members: [0; 256] };
        for byte in 0..128 {
            for (i, is_in) in [is_word(byte), is_joining(byte), is_white(byte)].iter().enumerate() {
                sets.rows[i][usize::from(byte % 16)] |= u8::from(*is_in) << (byte / 16);
                sets.members[usize::from(byte)] |= u8::from(*is_in) << i;
            }
        }
        sets
    }

    /// Returns the members of each set among these bytes, in plain code.
    #[inline(always)]
    fn of(&self, block: &[u8; BLOCK]) -> [u64; BYTE_SETS] {
        let (eights, _) = block.as_chunks::<8>();
        let mut masks = [0; BYTE_SETS];
        for (i, eight) in eights.iter().enumerate() {
            let members = u64::from_le_bytes(eight.map(|byte| self.members[usize::from(byte)]));
            for (set, mask) in masks.iter_mut().enumerate() {
                *mask |= gathered(members >> set & ONES) << (8 * i);
            }
        }
        masks
    }
}

/// Puts the lowest bits of eight bytes side by side; these bytes must have no other bits.
#[inline(always)]
pub(crate) fn gathered(bits: u64) -> u64 {
    // All sums of the bits' places are different, so nothing carries.
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

//! Forms of kernels: the same code, compiled for each set of instructions.
//!
//! A kernel is a [`Task`], written once. [`run`] has it compiled inside a function of each [`InstructionSet`], where
//! the compiler may use these instructions, and calls the function of the set in use. Most tasks are plain loops, which
//! compilers vectorise. For an instruction that a loop cannot express, the task asks its [`Form`], which has an answer
//! in plain code and others in intrinsics.
//!
//! Calls of functions that need certain instructions are unsafe. They rest on two facts: an [`InstructionSet`] is in
//! use only if the processor has it, and a [`Form`] other than [`Scalar`] is made only inside the function that needs
//! its instructions.
#![allow(unsafe_code, reason = "functions for certain instructions can only be called so")]

use super::InstructionSet;
use super::sip_rounds::{self, Lanes};

/// A computation that runs in any form.
pub trait Task {
    /// The result, which is the same in every form.
    type Output;

    /// Computes the result. Implementations are `#[inline(always)]`: otherwise they are compiled for any processor.
    fn run<F: Form>(self, form: F) -> Self::Output;
}

/// Runs a task with the instructions in use.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    // SAFETY: the set in use is one that the processor has.
    unsafe { with(InstructionSet::in_use(), task) }
}

/// Runs a task with a set of instructions, for tests.
///
/// # Panics
/// If the processor does not have it.
#[cfg(test)]
pub(crate) fn on<T: Task>(set: InstructionSet, task: T) -> T::Output {
    assert!(set.is_available(), "{set}");
    // SAFETY: the processor has it.
    unsafe { with(set, task) }
}

/// Runs a task with a set of instructions.
///
/// # Safety
/// The processor must have these instructions ([`InstructionSet::is_available`]).
#[inline]
unsafe fn with<T: Task>(set: InstructionSet, task: T) -> T::Output {
    match set {
        // SAFETY: the caller guarantees that the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { x86::avx512(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { x86::avx2(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse41 => unsafe { x86::sse41(task) },
        _ => task.run(Scalar(())),
    }
}

/// Number of bytes that are looked at together, one for each bit of a mask.
pub const BLOCK: usize = 64;

/// Size of a group: numbers that are looked at together.
pub const GROUP: usize = 16;
/// Half of a [`GROUP`].
pub const HALF: usize = 8;

/// The operations of a form. Forms are made by [`run`] alone.
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

/// Sets of ASCII bytes: word bytes, joining bytes and white bytes.
#[derive(Debug, Clone)]
pub struct ByteSets {
    /// For vector registers: row `byte % 16` of a set has bit `byte / 16` if the byte is in it.
    rows: [[u8; 16]; BYTE_SETS],
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
fn gathered(bits: u64) -> u64 {
    // All sums of the bits' places are different, so nothing carries.
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The form for every processor, and the twin that the other forms are compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar(());

impl Form for Scalar {
    const MULTIPLIES: bool = false;

    /// Looks at eight bytes in one `u64`.
    #[inline(always)]
    fn byte_kinds(self, block: &[u8; BLOCK]) -> ByteKinds {
        let (eights, _) = block.as_chunks::<8>();
        let eights = eights.iter().map(|eight| u64::from_le_bytes(*eight)).enumerate();
        eights.fold(ByteKinds::default(), |kinds, (i, eight)| {
            let gather = |bits: u64| gathered(bits >> 7) << (8 * i);
            ByteKinds {
                word: kinds.word | gather(word_bytes(eight)),
                white: kinds.white | gather(!at_least(eight & !HIGH, b'!') & !eight & HIGH),
                beyond: kinds.beyond | gather(eight & HIGH),
            }
        })
    }

    #[inline(always)]
    fn sip_hashes(self, keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
        sip_rounds::plain(keys, words, last)
    }
}

/// The lowest bit of each byte.
const ONES: u64 = u64::from_ne_bytes([1; 8]);
/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

/// Sets the highest bit of each byte, which must be below 128, if it is at least `least`.
#[inline(always)]
fn at_least(bytes: u64, least: u8) -> u64 {
    // The sum of seven bits and a number below 128 does not reach the next byte.
    bytes + ONES * u64::from(128 - least)
}

/// Sets the highest bit of each byte that is a letter, a digit or the underscore.
#[inline(always)]
fn word_bytes(bytes: u64) -> u64 {
    let underscores = !at_least((bytes & !HIGH) ^ (ONES * u64::from(b'_')), 1);
    alphanumeric_bytes(bytes) | underscores & !bytes & HIGH
}

/// Sets the highest bit of each of eight bytes that is a letter or a digit of ASCII.
#[inline(always)]
pub fn alphanumeric_bytes(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let small = low | (ONES * 0x20);
    let letters = at_least(small, b'a') & !at_least(small, b'z' + 1);
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1);
    (letters | digits) & !bytes & HIGH
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_add_epi8, _mm_set1_epi8, _mm_setr_epi8, _mm256_and_si256,
        _mm256_broadcastsi128_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32,
        _mm256_min_epu8, _mm256_min_epu32, _mm256_movemask_epi8, _mm256_movemask_ps,
        _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set_m128i, _mm256_set1_epi8,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
        _mm256_sub_epi8, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32,
        _mm256_unpacklo_epi64, _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_broadcast_i32x8,
        _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
        _mm512_cmple_epu8_mask, _mm512_cmple_epu32_mask, _mm512_extracti64x4_epi64,
        _mm512_inserti64x4, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8,
        _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_sub_epi8, _mm512_test_epi8_mask,
    };

    use super::sip_rounds::x86::{by_256, by_512};
    use super::{BLOCK, BYTE_SETS, ByteKinds, ByteSets, Form, GROUP, HALF, Lanes, Scalar, Task};

    /// The form for AVX2.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Avx2(());

    /// The form for AVX-512.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Avx512(());

    #[target_feature(enable = "sse4.1")]
    pub(super) fn sse41<T: Task>(task: T) -> T::Output {
        task.run(Scalar(()))
    }

    #[target_feature(enable = "sse4.1,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn avx2<T: Task>(task: T) -> T::Output {
        task.run(Avx2(()))
    }

    #[target_feature(
        enable = "sse4.1,avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
    )]
    pub(super) fn avx512<T: Task>(task: T) -> T::Output {
        task.run(Avx512(()))
    }

    impl Form for Avx2 {
        const MULTIPLIES: bool = false;

        #[inline(always)]
        fn byte_kinds(self, block: &[u8; BLOCK]) -> ByteKinds {
            // SAFETY: an `Avx2` exists only inside `avx2`.
            unsafe { byte_kinds_256(block) }
        }

        #[inline(always)]
        fn byte_sets(self, block: &[u8; BLOCK], sets: &ByteSets) -> [u64; BYTE_SETS] {
            // SAFETY: as above.
            unsafe { byte_sets_256(block, sets) }
        }

        #[inline(always)]
        fn sip_hashes(self, keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
            // SAFETY: as above.
            unsafe { by_256(keys, words, last) }
        }

        #[inline(always)]
        fn at_most(self, group: &[u32; GROUP], most: &[u32; GROUP]) -> u32 {
            // SAFETY: as above.
            unsafe { at_most_256(group, most) }
        }

        #[inline(always)]
        fn half_at_most(self, half: &[u32; HALF], most: u32) -> u32 {
            // SAFETY: as above.
            unsafe { half_at_most(half, most) }
        }

        #[inline(always)]
        fn minima_of_eight(self, numbers: &[u32; 8 * HALF]) -> [u32; HALF] {
            // SAFETY: as above.
            unsafe { minima_of_eight(numbers) }
        }

        #[inline(always)]
        fn numbers(self, bytes: &[u8; 3 * HALF]) -> [u32; GROUP] {
            // SAFETY: as above.
            unsafe { numbers_256(bytes) }
        }
    }

    impl Form for Avx512 {
        const MULTIPLIES: bool = true;

        #[inline(always)]
        fn byte_kinds(self, block: &[u8; BLOCK]) -> ByteKinds {
            // SAFETY: an `Avx512` exists only inside `avx512`.
            unsafe { byte_kinds_512(block) }
        }

        #[inline(always)]
        fn byte_sets(self, block: &[u8; BLOCK], sets: &ByteSets) -> [u64; BYTE_SETS] {
            // SAFETY: as above.
            unsafe { byte_sets_512(block, sets) }
        }

        #[inline(always)]
        fn sip_hashes(self, keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
            // SAFETY: as above.
            unsafe { by_512(keys, words, last) }
        }

        #[inline(always)]
        fn at_most(self, group: &[u32; GROUP], most: &[u32; GROUP]) -> u32 {
            // SAFETY: as above.
            unsafe { at_most_512(group, most) }
        }

        #[inline(always)]
        fn half_at_most(self, half: &[u32; HALF], most: u32) -> u32 {
            // SAFETY: as above.
            unsafe { half_at_most(half, most) }
        }

        #[inline(always)]
        fn minima_of_eight(self, numbers: &[u32; 8 * HALF]) -> [u32; HALF] {
            // SAFETY: as above.
            unsafe { minima_of_eight(numbers) }
        }

        #[inline(always)]
        fn numbers(self, bytes: &[u8; 3 * HALF]) -> [u32; GROUP] {
            // SAFETY: as above.
            unsafe { numbers_512(bytes) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn byte_kinds_256(block: &[u8; BLOCK]) -> ByteKinds {
        let halves: [__m256i; 2] = bytemuck::cast(*block);
        let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
        // Unsigned bytes can only be compared by their minimum.
        let at_most = |bytes, most: u8| _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, all(most)), bytes);
        let within =
            |bytes, first: u8, last: u8| at_most(_mm256_sub_epi8(bytes, all(first)), last - first);
        let both = |kind: [__m256i; 2]| {
            let [low, high] =
                kind.map(|half| u64::from(_mm256_movemask_epi8(half).cast_unsigned()));
            high << 32 | low
        };
        let words = halves.map(|bytes| {
            let letters = within(_mm256_or_si256(bytes, all(0x20)), b'a', b'z');
            let underscores = _mm256_cmpeq_epi8(bytes, all(b'_'));
            _mm256_or_si256(_mm256_or_si256(letters, underscores), within(bytes, b'0', b'9'))
        });
        ByteKinds {
            word: both(words),
            white: both(halves.map(|bytes| at_most(bytes, b' '))),
            // The mask takes the highest bit of each byte.
            beyond: both(halves),
        }
    }

    /// The bit in the rows of sets for each upper half of a byte: none from 8 on.
    const COLUMNS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

    #[inline]
    #[target_feature(enable = "avx2")]
    fn byte_sets_256(block: &[u8; BLOCK], sets: &ByteSets) -> [u64; BYTE_SETS] {
        let halves: [__m256i; 2] = bytemuck::cast(*block);
        let table = |table: [u8; 16]| _mm256_broadcastsi128_si256(bytemuck::cast(table));
        let (low, columns) = (_mm256_set1_epi8(0x0F), table(COLUMNS));
        // There is no shift of bytes, only one of 16 bits; the bits that come from the other byte are cut off.
        let rows = halves.map(|bytes| _mm256_and_si256(bytes, low));
        let columns = halves.map(|bytes| {
            _mm256_shuffle_epi8(columns, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), low))
        });
        sets.rows.map(|set| {
            let is_out = |i: usize| {
                let found = _mm256_and_si256(_mm256_shuffle_epi8(table(set), rows[i]), columns[i]);
                let is_out = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
                u64::from(_mm256_movemask_epi8(is_out).cast_unsigned())
            };
            !(is_out(1) << 32 | is_out(0))
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn byte_sets_512(block: &[u8; BLOCK], sets: &ByteSets) -> [u64; BYTE_SETS] {
        let [low, high]: [__m256i; 2] = bytemuck::cast(*block);
        let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        let table = |table: [u8; 16]| _mm512_broadcast_i32x4(bytemuck::cast(table));
        let low = _mm512_set1_epi8(0x0F);
        let rows = _mm512_and_si512(bytes, low);
        let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), low);
        let columns = _mm512_shuffle_epi8(table(COLUMNS), upper);
        sets.rows.map(|set| _mm512_test_epi8_mask(_mm512_shuffle_epi8(table(set), rows), columns))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn at_most_256(group: &[u32; GROUP], most: &[u32; GROUP]) -> u32 {
        let (group, most): ([__m256i; 2], [__m256i; 2]) =
            (bytemuck::cast(*group), bytemuck::cast(*most));
        bits_at_most(group[1], most[1]) << HALF | bits_at_most(group[0], most[0])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn half_at_most(half: &[u32; HALF], most: u32) -> u32 {
        bits_at_most(bytemuck::cast(*half), _mm256_set1_epi32(most.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn bits_at_most(numbers: __m256i, most: __m256i) -> u32 {
        // Unsigned numbers can only be compared by their minimum.
        let at_most = _mm256_cmpeq_epi32(_mm256_min_epu32(numbers, most), numbers);
        _mm256_movemask_ps(_mm256_castsi256_ps(at_most)).cast_unsigned()
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn at_most_512(group: &[u32; GROUP], most: &[u32; GROUP]) -> u32 {
        let [group, most] = [group, most].map(|numbers| {
            let [low, high]: [__m256i; 2] = bytemuck::cast(*numbers);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        });
        u32::from(_mm512_cmple_epu32_mask(group, most))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn minima_of_eight(numbers: &[u32; 8 * HALF]) -> [u32; HALF] {
        let [first, second]: &[[u32; 4 * HALF]; 2] = bytemuck::cast_ref(numbers);
        let (first, second) = (least_of_four(first), least_of_four(second));
        let even = _mm256_permute2x128_si256::<0x20>(first, second);
        let odd = _mm256_permute2x128_si256::<0x31>(first, second);
        bytemuck::cast(_mm256_min_epu32(even, odd))
    }

    /// Returns the smallest of every four numbers: first of those at even places, and then of those at odd ones.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn least_of_four(numbers: &[u32; 4 * HALF]) -> __m256i {
        // Each half of a register has four neighbours. They are transposed like a square of four by four.
        let [a, b, c, d]: [__m256i; 4] = bytemuck::cast(*numbers);
        let two = |a, b| _mm256_min_epu32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
        let (ab, cd) = (two(a, b), two(c, d));
        _mm256_min_epu32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd))
    }

    /// Returns the shuffles that make four numbers of the first seven bytes, and of those from the fifth on, in each
    /// half of a register.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn four_from_each() -> (__m128i, __m128i) {
        let first = _mm_setr_epi8(0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6);
        (first, _mm_add_epi8(first, _mm_set1_epi8(4)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn numbers_256(bytes: &[u8; 3 * HALF]) -> [u32; GROUP] {
        let (first, second) = four_from_each();
        let places = _mm256_set_m128i(second, first);
        let from = |start: usize| {
            let bytes: [u8; 16] = *bytes[start..].first_chunk().expect("there are as many");
            let both = _mm256_broadcastsi128_si256(bytemuck::cast(bytes));
            _mm256_shuffle_epi8(both, places)
        };
        bytemuck::cast([from(0), from(HALF)])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
    fn numbers_512(bytes: &[u8; 3 * HALF]) -> [u32; GROUP] {
        let [low, high]: [[u8; 16]; 2] =
            [0, HALF].map(|start| *bytes[start..].first_chunk().expect("there are as many"));
        let (first, second) = four_from_each();
        let places = _mm512_broadcast_i32x8(_mm256_set_m128i(second, first));
        let both = |bytes: [u8; 16]| _mm256_broadcastsi128_si256(bytemuck::cast(bytes));
        let all = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(both(low)), both(high));
        let found = _mm512_shuffle_epi8(all, places);
        bytemuck::cast([_mm512_castsi512_si256(found), _mm512_extracti64x4_epi64::<1>(found)])
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn byte_kinds_512(block: &[u8; BLOCK]) -> ByteKinds {
        let [low, high]: [__m256i; 2] = bytemuck::cast(*block);
        let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        let within = |bytes, first: u8, last: u8| {
            _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, all(first)), all(last - first))
        };
        let letters = within(_mm512_or_si512(bytes, all(0x20)), b'a', b'z');
        let underscores = _mm512_cmpeq_epi8_mask(bytes, all(b'_'));
        ByteKinds {
            word: letters | within(bytes, b'0', b'9') | underscores,
            white: _mm512_cmple_epu8_mask(bytes, all(b' ')),
            beyond: _mm512_movepi8_mask(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Kinds<'a>(&'a [u8; BLOCK]);

    impl Task for Kinds<'_> {
        type Output = ByteKinds;

        #[inline(always)]
        fn run<F: Form>(self, form: F) -> ByteKinds {
            form.byte_kinds(self.0)
        }
    }

    fn check(block: &[u8; BLOCK]) {
        let mask = |is: fn(&u8) -> bool| (0..BLOCK).map(|i| u64::from(is(&block[i])) << i).sum();
        let naive = ByteKinds {
            word: mask(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'),
            white: mask(|byte| *byte <= b' '),
            beyond: mask(|byte| !byte.is_ascii()),
        };
        for set in InstructionSet::available() {
            assert_eq!(on(set, Kinds(block)), naive, "{set}: {block:?}");
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                check(&block);
            }
        }
    }

    struct Sets<'a>(&'a [u8; BLOCK], &'a ByteSets);

    impl Task for Sets<'_> {
        type Output = [u64; BYTE_SETS];

        #[inline(always)]
        fn run<F: Form>(self, form: F) -> [u64; BYTE_SETS] {
            form.byte_sets(self.0, self.1)
        }
    }

    proptest! {
        #[test]
        fn sets_are_those_of_each_byte(members: [bool; 256], low: [u8; 32], high: [u8; 32]) {
            // Bytes beyond ASCII are in no set, whatever the functions answer.
            let is_in = |byte: u8, of: usize| members[usize::from(byte).wrapping_mul(of) % 256];
            let sets = ByteSets::new(|byte| is_in(byte, 1), |byte| is_in(byte, 3), |byte| is_in(byte, 5));
            let mut block = [0; BLOCK];
            block[..32].copy_from_slice(&low);
            block[32..].copy_from_slice(&high);
            let naive = [1, 3, 5].map(|of| {
                let bit = |i: usize| u64::from(block[i].is_ascii() && is_in(block[i], of)) << i;
                (0..BLOCK).map(bit).sum::<u64>()
            });
            for set in InstructionSet::available() {
                prop_assert_eq!(on(set, Sets(&block, &sets)), naive, "{}", set);
            }
        }

        #[test]
        fn every_form_equals_naive(block: [u8; 32], other: [u8; 32]) {
            let mut whole = [0; BLOCK];
            whole[..32].copy_from_slice(&block);
            whole[32..].copy_from_slice(&other);
            check(&whole);
        }
    }
}

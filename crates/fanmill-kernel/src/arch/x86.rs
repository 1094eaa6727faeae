//! The forms for vector registers of x86-64.
//!
//! A form other than [`Scalar`] is made only inside the function that needs its instructions.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi8, _mm_set1_epi8, _mm_setr_epi8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32,
    _mm256_min_epu8, _mm256_min_epu32, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_sub_epi8,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
    _mm512_and_si512, _mm512_broadcast_i32x4, _mm512_broadcast_i32x8, _mm512_castsi256_si512,
    _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask,
    _mm512_cmple_epu32_mask, _mm512_extracti64x4_epi64, _mm512_inserti64x4, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_sub_epi8,
    _mm512_test_epi8_mask,
};

use super::scalar::Scalar;
use crate::form::{BLOCK, BYTE_SETS, ByteKinds, ByteSets, Form, GROUP, HALF, Task};
use crate::sip_rounds::Lanes;
use crate::sip_rounds::x86::{by_256, by_512};

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
        let [low, high] = kind.map(|half| u64::from(_mm256_movemask_epi8(half).cast_unsigned()));
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

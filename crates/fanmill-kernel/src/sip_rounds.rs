//! SipHash-1-3 of eight rows of words side by side, for each set of instructions.
//!
//! A round adds, rotates and XORs four numbers. Registers of four or eight numbers do that for as many rows at once,
//! and rows of one length need no other step. The compiler does not find this by itself: it puts the four numbers of
//! one row into a register, and spends its time moving them.
//!
//! Source: Aumasson & Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012, §2.2.

/// Number of rows that are hashed side by side.
pub const LANES: usize = 8;

/// One word of each row.
pub type Lanes = [u64; LANES];

/// The constants that the key is mixed with.
const START: [u64; 4] =
    [0x736f_6d65_7073_6575, 0x646f_7261_6e64_6f6d, 0x6c79_6765_6e65_7261, 0x7465_6462_7974_6573];

/// Returns the hash of the words of an iterator, whether a word is a number or a register of numbers.
macro_rules! sip_hash_1_3 {
    ($keys:expr, $words:expr, $all:expr, $add:path, $xor:path, $turn:ident) => {{
        let [k0, k1] = $keys;
        let [mut v0, mut v1, mut v2, mut v3] =
            [START[0] ^ k0, START[1] ^ k1, START[2] ^ k0, START[3] ^ k1].map($all);
        macro_rules! round {
            () => {
                v0 = $add(v0, v1);
                v1 = $xor($turn::<13, 51>(v1), v0);
                v0 = $turn::<32, 32>(v0);
                v2 = $add(v2, v3);
                v3 = $xor($turn::<16, 48>(v3), v2);
                v0 = $add(v0, v3);
                v3 = $xor($turn::<21, 43>(v3), v0);
                v2 = $add(v2, v1);
                v1 = $xor($turn::<17, 47>(v1), v2);
                v2 = $turn::<32, 32>(v2);
            };
        }
        for word in $words {
            v3 = $xor(v3, word);
            round!();
            v0 = $xor(v0, word);
        }
        v2 = $xor(v2, $all(0xff));
        for _ in 0..3 {
            round!();
        }
        $xor($xor(v0, v1), $xor(v2, v3))
    }};
}

/// Returns the hashes of eight rows under a key: of their words, and of a last word, which has the length.
#[inline(always)]
pub(super) fn plain(keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
    use std::ops::BitXor;
    #[inline(always)]
    fn turn<const LEFT: u32, const RIGHT: u32>(x: u64) -> u64 {
        x << LEFT | x >> RIGHT
    }
    std::array::from_fn(|lane| {
        let words = words.iter().chain([last]).map(|word| word[lane]);
        sip_hash_1_3!(keys, words, |x| x, u64::wrapping_add, u64::bitxor, turn)
    })
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_add_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_slli_epi64,
        _mm256_srli_epi64, _mm256_xor_si256, _mm512_add_epi64, _mm512_castsi256_si512,
        _mm512_castsi512_si256, _mm512_extracti64x4_epi64, _mm512_inserti64x4, _mm512_rol_epi64,
        _mm512_set1_epi64, _mm512_xor_si512,
    };

    use super::{Lanes, START};

    /// Eight numbers in two registers. While the round of one waits, that of the other goes on.
    type Two = [__m256i; 2];

    /// [`plain`] with AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(crate) fn by_256(keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
        let words = words.iter().chain([last]).map(|word| bytemuck::cast::<Lanes, Two>(*word));
        let all = |x: u64| [_mm256_set1_epi64x(x.cast_signed()); 2];
        bytemuck::cast(sip_hash_1_3!(keys, words, all, add_256, xor_256, turn_256))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_256(a: Two, b: Two) -> Two {
        [_mm256_add_epi64(a[0], b[0]), _mm256_add_epi64(a[1], b[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn xor_256(a: Two, b: Two) -> Two {
        [_mm256_xor_si256(a[0], b[0]), _mm256_xor_si256(a[1], b[1])]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn turn_256<const LEFT: i32, const RIGHT: i32>(x: Two) -> Two {
        [0, 1].map(|i| {
            _mm256_or_si256(_mm256_slli_epi64::<LEFT>(x[i]), _mm256_srli_epi64::<RIGHT>(x[i]))
        })
    }

    /// [`plain`] with AVX-512.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn by_512(keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
        let words = words.iter().chain([last]).map(|word| {
            let [low, high]: Two = bytemuck::cast(*word);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        });
        let all = |x: u64| _mm512_set1_epi64(x.cast_signed());
        let found = sip_hash_1_3!(keys, words, all, _mm512_add_epi64, _mm512_xor_si512, turn_512);
        bytemuck::cast([_mm512_castsi512_si256(found), _mm512_extracti64x4_epi64::<1>(found)])
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn turn_512<const LEFT: i32, const RIGHT: i32>(x: __m512i) -> __m512i {
        _mm512_rol_epi64::<LEFT>(x)
    }
}

//! The form for every processor, which does eight bytes at a time in one `u64`.

use crate::form::{BLOCK, ByteKinds, Form, ONES, gathered};
use crate::sip_rounds::{self, Lanes};

/// The form for every processor, and the twin that the other forms are compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scalar(pub(super) ());

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

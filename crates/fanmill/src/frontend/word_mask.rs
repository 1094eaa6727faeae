//! Which bytes of a text can belong to a word, 64 at a time.
//!
//! ASCII letters, digits and the underscore, and every byte of a character beyond ASCII: what
//! such a character is has to be looked up.
//!
//! Eight bytes are looked at in one `u64`. Intrinsics for vectors would be faster, but are not safe
//! outside of functions that ask for them, and those cannot be called safely.

/// Bytes that are looked at together, one for each bit of a mask.
pub(super) const BLOCK: usize = 64;

/// One bit for each byte, the first one's lowest: whether it can belong to a word.
#[inline]
pub(super) fn word_mask(block: &[u8; BLOCK]) -> u64 {
    let (eights, _) = block.as_chunks::<8>();
    let masks = eights.iter().enumerate().map(|(i, eight)| {
        let words = word_bytes(u64::from_le_bytes(*eight));
        // Brings the eight highest bits together: the sums of their places are all different.
        ((words >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    });
    masks.fold(0, |all, mask| all | mask)
}

/// The highest bit of each byte: whether it can belong to a word.
#[inline]
fn word_bytes(bytes: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let low = bytes & !HIGH;
    // Seven bits and a number below 128 do not reach the next byte.
    let at_least = |bytes: u64, least: u8| bytes + ONES * u64::from(128 - least);
    let small = low | (ONES * 0x20);
    let letters = at_least(small, b'a') & !at_least(small, b'z' + 1);
    let digits = at_least(low, b'0') & !at_least(low, b'9' + 1);
    let underscores = !at_least(low ^ (ONES * u64::from(b'_')), 1);
    (letters | digits | underscores | bytes) & HIGH
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(block: &[u8; BLOCK]) -> u64 {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        (0..BLOCK).map(|i| u64::from(is_word(block[i])) << i).sum()
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                assert_eq!(word_mask(&block), naive(&block), "{byte} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn fast_equals_naive(block: [u8; 32], other: [u8; 32]) {
            let mut whole = [0; BLOCK];
            whole[..32].copy_from_slice(&block);
            whole[32..].copy_from_slice(&other);
            prop_assert_eq!(word_mask(&whole), naive(&whole));
        }
    }
}

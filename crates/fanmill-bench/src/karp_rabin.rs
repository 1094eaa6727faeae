//! Karp–Rabin rolling hashes: the hash of every `k` consecutive bytes, each computed from the one before.
//!
//! A gram is a number of `k` digits in base `b`; sliding by one byte subtracts the oldest digit, shifts and adds the
//! newest (the paper's `H`).
//!
//! Cost: two multiplications per byte, whatever `k`. Modulo 2^64 the arithmetic is the machine's own; the base must
//! then be odd, or old digits are shifted out (`b = 256` remembers 8 bytes). Texts built on the Thue–Morse word collide
//! modulo 2^64 for every base: use these hashes to order grams or in experiments, not as a fingerprint's value.
//!
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §2.2; Karp & Rabin, 1987.

/// A multiplier with bits spread over the word: 2^64 divided by the golden ratio, made odd.
pub(crate) const DEFAULT_BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the hashes of all `k`-grams of `bytes` modulo 2^64, in order.
///
/// The iterator is empty if there are fewer than `k` bytes.
///
/// # Panics
/// If `k` is 0.
pub(crate) fn hashes(bytes: &[u8], k: usize, base: u64) -> KarpRabin<'_> {
    assert!(k > 0, "a gram has at least one byte");
    let drop = (0..k).fold(1_u64, |power, _| power.wrapping_mul(base));
    let hash = bytes
        .iter()
        .take(k - 1)
        .fold(0_u64, |hash, &byte| hash.wrapping_mul(base).wrapping_add(u64::from(byte)));
    let entering = bytes.get(k - 1..).unwrap_or_default();
    KarpRabin { entering, leaving: bytes, left: 0, hash, base, drop }
}

/// Iterator over the hashes of a byte stream; see [`hashes`].
#[derive(Debug, Clone)]
pub(crate) struct KarpRabin<'a> {
    entering: &'a [u8],
    leaving: &'a [u8],
    /// The byte that drops out of the next gram; 0 before the first gram.
    left: u8,
    /// Hash of the last gram; before the first gram, of the first `k - 1` bytes.
    hash: u64,
    base: u64,
    /// `base^k`: the factor of the byte that drops out.
    drop: u64,
}

impl Iterator for KarpRabin<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let (&enters, entering) = self.entering.split_first()?;
        let (&leaves, leaving) = self.leaving.split_first()?;
        // The two products are independent, so a step only waits for one of them.
        let change = u64::from(enters).wrapping_sub(u64::from(self.left).wrapping_mul(self.drop));
        self.hash = self.hash.wrapping_mul(self.base).wrapping_add(change);
        (self.entering, self.leaving, self.left) = (entering, leaving, leaves);
        Some(self.hash)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.entering.len(), Some(self.entering.len()))
    }
}

impl ExactSizeIterator for KarpRabin<'_> {}

/// Hashes every gram from scratch, for any modulus: the naive twin. A modulus of `None` is 2^64.
///
/// # Panics
/// If `k` or the modulus is 0.
pub(crate) fn naive(bytes: &[u8], k: usize, base: u64, modulus: Option<u64>) -> Vec<u64> {
    let modulus = modulus.map_or(1_u128 << 64, u128::from);
    let base = u128::from(base) % modulus;
    let hash =
        |gram: &[u8]| gram.iter().fold(0, |h, &c| (h * base % modulus + u128::from(c)) % modulus);
    bytes.windows(k).map(|gram| u64::try_from(hash(gram)).expect("reduced")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden_vectors() {
        let vectors = include_str!("../../../testdata/golden/karp_rabin.json");
        let file: Value = serde_json::from_str(vectors).expect("JSON");
        let number = |value: &Value| value.as_u64().expect("an unsigned integer");
        for case in file["cases"].as_array().expect("cases") {
            let text = case["text"].as_str().expect("text").as_bytes();
            let (k, base) = (number(&case["k"]) as usize, number(&case["base"]));
            let expected: Vec<u64> =
                case["plain"].as_array().expect("hashes").iter().map(number).collect();
            assert_eq!(naive(text, k, base, case["modulus"].as_u64()), expected, "naive {case}");
            if case["modulus_is_2_64"] == Value::Bool(true) {
                assert!(hashes(text, k, base).eq(expected), "rolled {case}");
            }
        }
    }

    proptest! {
        #[test]
        fn rolling_equals_naive(bytes: Vec<u8>, k in 1_usize..40, base: u64) {
            let rolled: Vec<u64> = hashes(&bytes, k, base).collect();
            prop_assert_eq!(rolled, naive(&bytes, k, base, None));
        }
    }
}

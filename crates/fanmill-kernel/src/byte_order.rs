//! Order hashes of the grams of a text of bytes: 32 bits, evenly spread, and computed for many grams at once.
//!
//! Up to four bytes are one number, which two products mix. A longer gram is a polynomial in four shorter grams that
//! cover it, the last ones overlapping; each of these is made in the same way. So grams of 50 bytes take two steps of
//! three products, where a rolling hash waits for a product at each byte.
//!
//! Cost: four loads, three products and a store per eight or sixteen grams, `log₄ k` times.
//! Source: Karp & Rabin, "Efficient randomized pattern-matching algorithms", 1987, for polynomials.

use super::each::{each, room};
use super::{Form, GROUP, Task, run};

/// Maximum number of bytes that are one number.
const SHORT: usize = 4;

/// 2^32 divided by the golden ratio, made odd: the first product, and the point at which polynomials are evaluated.
const BASE: u32 = 0x9e37_79b9;

/// Returns the hash of up to four bytes, given as a little-endian number.
#[inline(always)]
fn mix(number: u32) -> u32 {
    let product = number.wrapping_mul(BASE);
    (product ^ product >> 15).wrapping_mul(0x85eb_ca6b)
}

/// Returns the polynomial whose coefficients are the hashes of four parts of a gram, mixed.
#[inline(always)]
fn join(parts: [u32; 4]) -> u32 {
    let [a, b, c, d] = parts;
    let pair = |high: u32, low: u32| high.wrapping_mul(BASE).wrapping_add(low);
    // Mixed, so that the highest bits, which decide the order, depend on all the others.
    let hash = pair(a, b).wrapping_mul(BASE.wrapping_mul(BASE)).wrapping_add(pair(c, d));
    hash ^ hash >> 15
}

/// Returns the offsets of the second to fourth parts of `part` bytes that cover a gram of `k` bytes, or as much as they
/// can.
fn offsets(part: usize, k: usize) -> [usize; 3] {
    [1, 2, 3].map(|i| (i * part).min(k - part))
}

/// Buffers for hashes, to be reused.
#[derive(Debug, Default)]
pub struct OrderScratch {
    parts: Vec<u32>,
    spare: Vec<u32>,
}

/// Writes the hash of every `k` consecutive bytes, in order. A `k` of 0 is taken as 1.
///
/// # Panics
/// If `hashes` does not have one place for each of them.
pub fn byte_orders(text: &[u8], k: usize, room: &mut OrderScratch, hashes: &mut [u32]) {
    let k = k.max(1);
    assert_eq!(hashes.len(), (text.len() + 1).saturating_sub(k), "all grams");
    if !hashes.is_empty() {
        run(Orders { text, k, room, hashes });
    }
}

/// Grams of `k` bytes; there is at least one.
struct Orders<'a> {
    text: &'a [u8],
    k: usize,
    room: &'a mut OrderScratch,
    hashes: &'a mut [u32],
}

impl Task for Orders<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let Orders { text, k, room: OrderScratch { parts, spare }, hashes } = self;
        match k {
            1 => return short::<1>(text, hashes),
            2 => return short::<2>(text, hashes),
            3 => return short::<3>(text, hashes),
            SHORT => return four(text, form, hashes),
            _ => {}
        }
        four(text, form, room(parts, text.len() + 1 - SHORT));
        let mut part = SHORT;
        // All steps but the last one.
        while 4 * part < k {
            step(parts, part, room(spare, parts.len() - 3 * part));
            std::mem::swap(parts, spare);
            part *= 4;
        }
        step(parts, part, hashes);
    }
}

/// Writes the hashes of grams, made of the hashes of their parts of `part` bytes; four parts cover a gram.
#[inline(always)]
fn step(parts: &[u32], part: usize, hashes: &mut [u32]) {
    let k = part + parts.len() - hashes.len();
    let [second, third, last] = offsets(part, k);
    each([0, second, third, last].map(|start| &parts[start..]), join, hashes);
}

/// Writes the hash of every four bytes.
#[inline(always)]
fn four<F: Form>(text: &[u8], form: F, hashes: &mut [u32]) {
    let mut at = 0;
    for group in hashes.as_chunks_mut().0 {
        // The last groups may have fewer bytes than are read at once.
        let Some(bytes) = text[at..].first_chunk() else { break };
        *group = form.numbers(bytes).map(mix);
        at += GROUP;
    }
    for (hash, bytes) in hashes[at..].iter_mut().zip(text[at..].windows(SHORT)) {
        *hash = mix(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    }
}

/// Writes the hash of every `K` bytes.
#[inline(always)]
fn short<const K: usize>(text: &[u8], hashes: &mut [u32]) {
    // One slice for each byte of a gram, because compilers vectorise that.
    let bytes: [&[u8]; K] = std::array::from_fn(|start| &text[start..]);
    let of =
        |bytes: [u8; K]| mix(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)));
    each(bytes, of, hashes);
}

/// The naive twin: benchmarks time it beside the fast form, and tests compare the two.
pub mod naive {
    use super::{SHORT, join, mix, offsets};

    /// Returns the hash of a gram of bytes, from scratch; 0 if there are no bytes.
    pub fn byte_order(gram: &[u8]) -> u32 {
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        if gram.len() <= SHORT {
            return mix(number(gram));
        }
        // The length of parts from which on four of them cover the gram.
        let mut part = SHORT;
        while 4 * part < gram.len() {
            part *= 4;
        }
        let [second, third, last] = offsets(part, gram.len());
        join([0, second, third, last].map(|start| byte_order(&gram[start..start + part])))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{InstructionSet, on};

    proptest! {
        #[test]
        fn every_form_equals_naive(
            text in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..400),
                proptest::collection::vec(0_u8..2, 0..400),
            ],
            skipped in 0_usize..8,
            k in 1_usize..300,
        ) {
            let text = text.get(skipped..).unwrap_or_default();
            let mut room = OrderScratch::default();
            let expected: Vec<u32> = text.windows(k).map(naive::byte_order).collect();
            for set in InstructionSet::available() {
                let mut found = vec![7; expected.len()];
                let hashes = found.as_mut_slice();
                if text.len() >= k {
                    on(set, Orders { text, k, room: &mut room, hashes });
                }
                prop_assert_eq!(&found, &expected, "{}", set);
            }
            let mut found = vec![7; expected.len()];
            byte_orders(text, k, &mut room, &mut found);
            prop_assert_eq!(found, expected);
        }
    }

    /// The choice of grams must be the same in every release.
    #[test]
    fn values_never_change() {
        let orders =
            [&b"a"[..], b"abc", b"abcd", b"abcde", b"the quick brown fox"].map(naive::byte_order);
        let expected = [0x030e_18f1, 0xa48b_d518, 0x1e7f_ad18, 0xb2f1_10cc, 0x0cda_d4bd];
        assert_eq!(orders, expected);
    }
}

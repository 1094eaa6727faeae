//! Spaced grams: under the key, each head decides the distances from it to the other tokens.
//!
//! The gaps depend only on the head's value, so changing a token breaks only the `l` grams that contain
//! it, whatever the pattern of changes. Skipping grams, where both the old and the new token are decided
//! on, lose nearly twice as many. In exchange, adding or deleting a token breaks all grams that
//! span it. So each of the two families is strong where the other is weak.
//!
//! Gaps have a geometric distribution, cut off at probability 1/256, with mean `1 / p`, as if each token were taken
//! with probability `p`. Every distance is possible, so no period of changes works better than others.
//!
//! Cost: O(l) per token. Ours; see `design/disguise.md`.

use super::formation::Gram;
use super::key::Mixer;
use super::thousandths::Thousandths;

/// Number of gaps from one 64-bit draw, eight bits each.
const GAPS_A_DRAW: usize = 8;
/// Probability 1, in parts of 2^64.
const ONE: u128 = 1 << 64;

/// Draws the gaps of heads under a key.
#[derive(Debug, Clone)]
pub(crate) struct Gaps {
    mixer: Mixer,
    /// The quantiles of the distribution: the gap for each byte; at least 1.
    quantiles: Box<[u8; 256]>,
}

impl Gaps {
    /// Creates gaps with a mean of about `1 / p`; `p` in `0.02..=1`, where gaps above 255 are so rare that they can be
    /// cut to 255.
    ///
    /// Computed in integers, so that gaps are the same on every platform.
    ///
    /// # Panics
    /// If `p` is out of these bounds.
    pub(crate) fn new(mixer: Mixer, p: Thousandths) -> Gaps {
        assert!((20..=1000).contains(&p.0), "a chance of {p}");
        let mut quantiles = Box::new([0; 256]);
        // The probability of a gap above `gap`, in parts of 2^64.
        let (mut gap, mut above) = (0, ONE);
        for (byte, quantile) in quantiles.iter_mut().enumerate() {
            // The quantile in the middle of the byte's 256th: (2 * byte + 1) / 512.
            while gap < u8::MAX && 512 * above > (511 - 2 * byte as u128) * ONE {
                (gap, above) = (gap + 1, above * u128::from(1000 - p.0) / 1000);
            }
            *quantile = gap;
        }
        Gaps { mixer, quantiles }
    }

    /// Emits the grams of `length` tokens, in the order of their heads.
    ///
    /// # Panics
    /// If `length` is 0.
    #[inline]
    pub(crate) fn form(&self, tokens: &[u64], length: usize, mut emit: impl FnMut(Gram<'_>)) {
        assert!(length > 0, "a gram has a token");
        let mut taken = vec![0; length];
        'heads: for head in 0..tokens.len() {
            taken[0] = tokens[head];
            let (mut at, mut draw) = (head, tokens[head]);
            // Draws are chained: one per eight gaps.
            for gaps in taken[1..].chunks_mut(GAPS_A_DRAW) {
                draw = self.mixer.mix(draw);
                for (token, byte) in gaps.iter_mut().zip(draw.to_le_bytes()) {
                    at += usize::from(self.quantiles[usize::from(byte)]);
                    let Some(&value) = tokens.get(at) else { continue 'heads };
                    *token = value;
                }
            }
            emit(Gram { tokens: &taken, reach: head..at + 1 });
        }
    }

    /// The naive twin: computes each distance from its definition.
    #[cfg(test)]
    fn naive(&self, tokens: &[u64], length: usize) -> Vec<Vec<u64>> {
        let gap = |head: u64, number: usize| {
            let draws = (0..=number / GAPS_A_DRAW).fold(head, |draw, _| self.mixer.mix(draw));
            let byte = draws >> (8 * (number % GAPS_A_DRAW)) & 0xff;
            usize::from(self.quantiles[byte as usize])
        };
        let place = |head: usize, number: usize| {
            head + (0..number).map(|i| gap(tokens[head], i)).sum::<usize>()
        };
        let gram = |head: usize| -> Option<Vec<u64>> {
            (0..length).map(|number| tokens.get(place(head, number)).copied()).collect()
        };
        (0..tokens.len()).filter_map(gram).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::formation::lists;
    use crate::key;
    use fanmill_kernel::hash::mix::SplitMix;

    fn gaps(key: u64, thousandths: u32) -> Gaps {
        Gaps::new(key::of_test(key).mixer("test"), Thousandths(thousandths))
    }

    fn grams(gaps: &Gaps, tokens: &[u64], length: usize) -> Vec<Vec<u64>> {
        lists(|emit| gaps.form(tokens, length, emit))
    }

    #[test]
    fn gaps_have_the_stated_mean() {
        for (p, tolerance) in [(1000, 0.0), (500, 0.05), (300, 0.1), (100, 0.5), (20, 3.0)] {
            let gaps = gaps(1, p);
            let mean = gaps.quantiles.iter().map(|&gap| f64::from(gap)).sum::<f64>() / 256.0;
            assert!((mean - 1000.0 / f64::from(p)).abs() <= tolerance, "{p}: {mean}");
            assert!(gaps.quantiles.iter().all(|&gap| gap > 0));
        }
    }

    #[test]
    fn without_gaps_they_are_sliding_grams() {
        let tokens: Vec<u64> = (0..20).collect();
        let windows: Vec<Vec<u64>> = tokens.windows(5).map(<[u64]>::to_vec).collect();
        assert_eq!(grams(&gaps(1, 1000), &tokens, 5), windows);
    }

    /// Changing a token breaks the grams that contain it, `l` on average, and no others.
    #[test]
    fn a_change_breaks_l_grams() {
        let tokens = SplitMix::new(2).seeds(40_000);
        let mut changed = tokens.clone();
        changed.iter_mut().skip(200).step_by(400).for_each(|token| *token ^= 1);
        let gaps = gaps(3, 300);
        let of = |tokens: &[u64]| grams(&gaps, tokens, 6).into_iter().collect::<BTreeSet<_>>();
        let lost = of(&tokens).difference(&of(&changed)).count() as f64 / 100.0;
        assert!((lost - 6.0).abs() < 0.7, "{lost}");
    }

    #[test]
    fn another_key_gives_other_gaps() {
        let tokens = SplitMix::new(4).seeds(1000);
        let of = |key| grams(&gaps(key, 300), &tokens, 6).into_iter().collect::<BTreeSet<_>>();
        assert!(of(5).intersection(&of(6)).count() < 5);
    }

    proptest! {
        #[test]
        fn fast_equals_naive(tokens in prop::collection::vec(0_u64..9, 0..80), l in 1_usize..20, key in 0_u64..4) {
            let gaps = gaps(key, 400);
            prop_assert_eq!(grams(&gaps, &tokens, l), gaps.naive(&tokens, l));
        }
    }
}

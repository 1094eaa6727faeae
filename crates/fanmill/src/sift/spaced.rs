//! Spaced grams: each head says, under the key, at which distances after it the others stand.
//!
//! The gaps come from the head's value alone, so a change breaks only the `l` grams that hold the
//! changed token, in whatever pattern changes come: skipping grams, where the new token is asked as
//! well as the old one, lose nearly twice as many. In exchange, adding or deleting a token breaks
//! all grams that reach over it. So the two families are strong where the other is weak.
//!
//! Gaps are geometric, cut at the 256th part: of mean `1 / p`, as if each token were taken with
//! probability `p`. Every distance is possible, so no period of changes is a good one.
//!
//! Cost: O(l) a token. Ours; see DESIGN.md, "How are disguised texts recognised?".

use super::formation::Gram;
use super::key::Mixer;
use super::thousandths::Thousandths;

/// Gaps that one 64-bit draw gives, eight bits each.
const GAPS_A_DRAW: usize = 8;
/// Certainty.
const ONE: u128 = 1 << 64;

/// The gaps of heads under a key.
#[derive(Debug, Clone)]
pub(crate) struct Gaps {
    mixer: Mixer,
    /// The quantiles of the distribution: a gap for each byte; at least 1 each.
    quantiles: Box<[u8; 256]>,
}

impl Gaps {
    /// Gaps of mean about `1 / p`; `p` in `0.02..=1`, where gaps above 255 are rare
    /// enough to be cut to that.
    ///
    /// In whole numbers, so that gaps are the same on every platform.
    ///
    /// # Panics
    /// If `p` is out of these bounds.
    pub(crate) fn new(mixer: Mixer, p: Thousandths) -> Gaps {
        assert!((20..=1000).contains(&p.0), "a chance of {p}");
        let mut quantiles = Box::new([0; 256]);
        // The chance of a gap above `gap`, in parts of 2^64.
        let (mut gap, mut above) = (0, ONE);
        for (byte, quantile) in quantiles.iter_mut().enumerate() {
            // Of 512 equal parts, in the middle of the byte's two.
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

    /// The naive twin: the distances of a head from its definition, one after another.
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
    use crate::hash::mix::SplitMix;
    use crate::sift::formation::lists;
    use crate::sift::key;

    fn gaps(key: u64, thousandths: u32) -> Gaps {
        Gaps::new(key::of_test(key).mixer("test"), Thousandths(thousandths))
    }

    fn grams(gaps: &Gaps, tokens: &[u64], length: usize) -> Vec<Vec<u64>> {
        lists(|emit| gaps.form(tokens, length, emit))
    }

    #[test]
    fn gaps_have_the_mean_they_should() {
        for (p, tolerance) in [(1000, 0.0), (500, 0.05), (300, 0.1), (100, 0.5), (20, 3.0)] {
            let gaps = gaps(1, p);
            let mean = gaps.quantiles.iter().map(|&gap| f64::from(gap)).sum::<f64>() / 256.0;
            assert!((mean - 1000.0 / f64::from(p)).abs() <= tolerance, "{p}: {mean}");
            assert!(gaps.quantiles.iter().all(|&gap| gap > 0));
        }
    }

    #[test]
    fn without_gaps_they_are_sliding() {
        let tokens: Vec<u64> = (0..20).collect();
        let windows: Vec<Vec<u64>> = tokens.windows(5).map(<[u64]>::to_vec).collect();
        assert_eq!(grams(&gaps(1, 1000), &tokens, 5), windows);
    }

    /// A change breaks the grams that hold it, `l` on average, and no other.
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
    fn another_key_has_other_gaps() {
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

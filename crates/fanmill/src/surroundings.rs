//! The tokens around a fingerprint, in 32 bits: they bound the length of a shared run without the texts.
//!
//! A fingerprint covers `k` tokens, and every run as long as the guarantee `t` contains one. Most fingerprints of
//! programs are idioms that thousands of documents hold, while only a few hold the run. So an index keeps some bits of
//! the tokens before and after each fingerprint. If those of as many tokens agree as a run has beyond the fingerprint,
//! two documents may share a run of that length; otherwise they do not.
//!
//! A run has at most `t − k` tokens on one side of a fingerprint, so the 16 bits of each side are divided among that
//! many tokens ([`Detail::Near`]). Of the 9 words of a run of prose, the 7 nearest have two bits each.
//!
//! Cost: four bytes per fingerprint. Of pairs of fingerprints with nothing else in common, one in 15,000 looks like a
//! run of 12 words around 3, and as many like one of 24 tokens of code around 11. With one bit for each token
//! ([`Detail::Far`]) it is one in 51, and one in 585.
//! Source: ours.

use std::ops::Range;

use fanmill_kernel::hash::mix::mix;
use fanmill_text::token::Symbol;

use crate::select::Thresholds;

/// Number of bits for the tokens on each side.
const SIDE: u32 = 16;

/// Number of bits by which a [`Layout::chance`] is less than 1 in all.
const CHANCE: u32 = 2 * SIDE;

/// Distribution of bits among the tokens on each side of a fingerprint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// One bit for each of 16 tokens, whatever the guarantee: indexes of earlier releases.
    Far,
    /// All bits for the tokens that a run of guarantee length may have there.
    #[default]
    Near,
}

/// Places of bits for runs of some thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Number of tokens on each side that have bits: 1 to 16. Each has `16 / n_tokens` of them.
    n_tokens: u32,
    /// Number of nearest tokens that have one more.
    n_wider: u32,
}

/// Bits of the tokens around a fingerprint: tokens after it in the upper half, tokens before it in the lower half. In
/// both halves the nearest token has the lowest bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surroundings(pub u32);

/// Places of fingerprints, ascending, each with its surroundings.
pub type PlacedSurroundings = Vec<(u32, Surroundings)>;

impl Layout {
    /// Returns the places of bits for runs of these thresholds.
    pub fn new(detail: Detail, thresholds: Thresholds) -> Layout {
        let n_tokens = match detail {
            Detail::Far => SIDE,
            Detail::Near => spare(thresholds).clamp(1, SIDE),
        };
        Layout { n_tokens, n_wider: SIDE % n_tokens }
    }

    /// Computes the bits around the tokens `gram` of a document; bits beyond its ends are 0.
    pub fn surroundings(self, document: &[Symbol], gram: Range<usize>) -> Surroundings {
        let bits = |tokens: &mut dyn Iterator<Item = &Symbol>| {
            let bits = tokens.zip(0..self.n_tokens);
            bits.fold(0, |bits, (token, number)| {
                bits | first_bits(*token, self.width(number)) << self.n_bits(number)
            })
        };
        let before = bits(&mut document[..gram.start].iter().rev());
        let after = bits(&mut document[gram.end..].iter());
        Surroundings(after << SIDE | before)
    }

    /// Bounds the number of equal tokens before and after two equal fingerprints. Each bound is at least the true
    /// number, and `u32::MAX` if all known tokens may be equal, since those farther away may be, too.
    pub fn shared(self, one: Surroundings, other: Surroundings) -> (u32, u32) {
        let differing = one.0 ^ other.0;
        let n_equal = |n_bits: u32| {
            let wide = self.n_wider * self.width(0);
            match n_bits {
                n if n >= SIDE => u32::MAX,
                n if n < wide => n / self.width(0),
                n => self.n_wider + (n - wide) / (SIDE / self.n_tokens),
            }
        };
        (n_equal(differing.trailing_zeros()), n_equal((differing >> SIDE).trailing_zeros()))
    }

    /// Returns how many of `n` pairs of equal fingerprints with nothing else in common look like a run of these
    /// thresholds, if half of all bits agree.
    pub fn chance(self, n: u64, thresholds: Thresholds) -> u64 {
        let spare = spare(thresholds);
        let n_bits = |n_tokens: u32| self.n_bits(n_tokens.min(self.n_tokens));
        let ways = (0..=spare).map(|before| n_bits(before) + n_bits(spare - before));
        let chance: u128 = ways.map(|n_bits| 1_u128 << (CHANCE - n_bits)).sum();
        u64::try_from((u128::from(n) * chance) >> CHANCE).unwrap_or(u64::MAX)
    }

    /// Returns the number of bits of a token, given its distance.
    fn width(self, number: u32) -> u32 {
        SIDE / self.n_tokens + u32::from(number < self.n_wider)
    }

    /// Returns the number of bits of the nearest tokens.
    fn n_bits(self, n_tokens: u32) -> u32 {
        n_tokens * (SIDE / self.n_tokens) + n_tokens.min(self.n_wider)
    }
}

/// Returns the number of tokens in a run of guarantee length outside one of its fingerprints.
pub fn spare(thresholds: Thresholds) -> u32 {
    (thresholds.guarantee() - thresholds.noise()) as u32
}

/// Returns the highest bits of a token's hash.
fn first_bits(token: Symbol, n: u32) -> u32 {
    (mix(token.value()) >> (64 - n)) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbols(text: &str) -> Vec<Symbol> {
        text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
    }

    fn layout(detail: Detail, spare: u32) -> Layout {
        Layout::new(detail, Thresholds::new(3, 3 + spare).expect("ordered"))
    }

    /// The naive twin: counts equal letters before and after.
    fn naive(x: &str, at_x: usize, y: &str, at_y: usize, k: usize) -> (u32, u32) {
        let n_equal = |x: &mut dyn Iterator<Item = u8>, y: &mut dyn Iterator<Item = u8>| {
            x.zip(y).take_while(|(x, y)| x == y).count() as u32
        };
        let before = n_equal(&mut x[..at_x].bytes().rev(), &mut y[..at_y].bytes().rev());
        let after = n_equal(&mut x[at_x + k..].bytes(), &mut y[at_y + k..].bytes());
        (before, after)
    }

    proptest! {
        #[test]
        fn what_is_shared_is_never_taken_for_less(
            x in "[ab]{3,60}",
            y in "[ab]{3,60}",
            places in (0_usize..60, 0_usize..60),
            spare in 0_u32..40,
            detail in prop::sample::select(vec![Detail::Far, Detail::Near]),
        ) {
            let layout = layout(detail, spare);
            let (at_x, at_y) = (places.0 % (x.len() - 2), places.1 % (y.len() - 2));
            let of = |text: &str, at: usize| layout.surroundings(&symbols(text), at..at + 3);
            let (before, after) = layout.shared(of(&x, at_x), of(&y, at_y));
            let least = naive(&x, at_x, &y, at_y, 3);
            prop_assert!(before >= least.0 && after >= least.1);
            // Bits tell letters apart if their first ones differ.
            let of_bits = |letter: &str, n| first_bits(symbols(letter)[0], n);
            if of_bits("a", 1) != of_bits("b", 1) {
                let exact = |n: u32| if n >= layout.n_tokens { u32::MAX } else { n };
                let is_inside = |at: usize, n: u32, text: &str| at >= n as usize && at + 3 + n as usize <= text.len();
                if is_inside(at_x, layout.n_tokens, &x) && is_inside(at_y, layout.n_tokens, &y) {
                    prop_assert_eq!((before, after), (exact(least.0), exact(least.1)));
                }
            }
        }

        #[test]
        fn all_bits_are_used(spare in 1_u32..100) {
            let layout = layout(Detail::Near, spare);
            prop_assert_eq!(layout.n_bits(layout.n_tokens), SIDE);
            let widths: u32 = (0..layout.n_tokens).map(|number| layout.width(number)).sum();
            prop_assert_eq!(widths, SIDE);
        }
    }

    #[test]
    fn the_nearest_token_has_the_lowest_bits_of_its_half() {
        let text = symbols("abcdefgh");
        let of = |letter: usize, n| first_bits(text[letter], n);
        let far = layout(Detail::Far, 9);
        let expected = of(1, 1) | of(0, 1) << 1 | of(5, 1) << 16 | of(6, 1) << 17 | of(7, 1) << 18;
        assert_eq!(far.surroundings(&text, 2..5), Surroundings(expected));
        // Of three tokens, the first has six bits, and the others have five.
        let near = layout(Detail::Near, 3);
        let expected = of(1, 6) | of(0, 5) << 6 | of(5, 6) << 16 | of(6, 5) << 22 | of(7, 5) << 27;
        assert_eq!(near.surroundings(&text, 2..5), Surroundings(expected));
        assert_eq!(near.surroundings(&text, 0..8), Surroundings(0));
    }

    #[test]
    fn chance_is_lower_if_all_bits_are_near() {
        let chance = |detail, noise, guarantee| {
            let thresholds = Thresholds::new(noise, guarantee).expect("ordered");
            Layout::new(detail, thresholds).chance(1_000_000, thresholds)
        };
        assert_eq!([chance(Detail::Far, 3, 12), chance(Detail::Far, 11, 24)], [19_531, 1708]);
        assert_eq!([chance(Detail::Near, 3, 12), chance(Detail::Near, 11, 24)], [68, 68]);
        assert_eq!(chance(Detail::Near, 12, 12), 1_000_000);
    }
}

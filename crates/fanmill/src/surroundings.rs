//! The tokens around a fingerprint, in 32 bits: they bound the length of a shared run without the texts.
//!
//! A fingerprint covers `k` tokens, and every run as long as the guarantee `t` contains one. Most fingerprints of
//! programs are idioms that thousands of documents hold, while only a few hold the run. So an index keeps one bit for
//! each of the [`REACH`] tokens before and after a fingerprint. If as many bits agree as a run has tokens beyond the
//! fingerprint, two documents may share a run of that length; otherwise they do not.
//!
//! Cost: four bytes per fingerprint. Of pairs of fingerprints with nothing else in common, one in 585 looks like a run
//! of 24 tokens around 11: there are 14 ways to divide 13 bits.
//! Source: ours.

use std::ops::Range;

use fanmill_kernel::hash::mix::mix;
use fanmill_text::token::Symbol;

/// Number of tokens on each side for which a bit is kept.
pub const REACH: u32 = 16;

/// One bit for each token around a fingerprint: tokens after it in the upper half, tokens before it in the lower half.
/// In both halves the nearest token has the lowest bit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surroundings(pub u32);

impl Surroundings {
    /// Computes the bits around the tokens `gram` of a document; bits beyond its ends are 0.
    pub fn new(document: &[Symbol], gram: Range<usize>) -> Surroundings {
        let bits = |tokens: &mut dyn Iterator<Item = &Symbol>| {
            let bits = tokens.take(REACH as usize).zip(0..);
            bits.fold(0, |bits, (token, number)| bits | bit(*token) << number)
        };
        let before = bits(&mut document[..gram.start].iter().rev());
        let after = bits(&mut document[gram.end..].iter());
        Surroundings(after << REACH | before)
    }

    /// Bounds the number of equal tokens before and after two equal fingerprints. Each bound is at least the true
    /// number, up to [`REACH`].
    pub fn shared(self, other: Surroundings) -> (u32, u32) {
        let differing = self.0 ^ other.0;
        (differing.trailing_zeros().min(REACH), (differing >> REACH).trailing_zeros().min(REACH))
    }
}

/// Returns a bit that is 1 for half of all tokens.
fn bit(token: Symbol) -> u32 {
    (mix(token.value()) >> 63) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symbols(text: &str) -> Vec<Symbol> {
        text.bytes().map(|byte| Symbol::spelled(&[byte])).collect()
    }

    /// The naive twin: counts equal letters before and after.
    fn naive(x: &str, at_x: usize, y: &str, at_y: usize, k: usize) -> (u32, u32) {
        let n_equal = |x: &mut dyn Iterator<Item = u8>, y: &mut dyn Iterator<Item = u8>| {
            x.zip(y).take(REACH as usize).take_while(|(x, y)| x == y).count() as u32
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
        ) {
            let (at_x, at_y) = (places.0 % (x.len() - 2), places.1 % (y.len() - 2));
            let of = |text: &str, at: usize| Surroundings::new(&symbols(text), at..at + 3);
            let (before, after) = of(&x, at_x).shared(of(&y, at_y));
            let least = naive(&x, at_x, &y, at_y, 3);
            prop_assert!(before >= least.0 && after >= least.1);
            prop_assert!(before <= REACH && after <= REACH);
        }
    }

    #[test]
    fn the_nearest_token_is_the_lowest_bit_of_its_half() {
        let text = symbols("abcdefgh");
        let of = |letter: usize| bit(text[letter]);
        let expected = of(1) | of(0) << 1 | of(5) << REACH | of(6) << 17 | of(7) << 18;
        assert_eq!(Surroundings::new(&text, 2..5), Surroundings(expected));
        assert_eq!(Surroundings::new(&text, 0..8), Surroundings(0));
    }
}

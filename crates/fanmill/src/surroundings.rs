//! The tokens around a fingerprint, in 32 bits: they tell the length of a shared run without the texts.
//!
//! A fingerprint covers `k` tokens, and a run as long as the guarantee `t` has one somewhere inside. Most fingerprints of
//! programs are idioms that thousands hold, while few hold the run. So an index keeps one bit of each of the [`REACH`]
//! tokens before a fingerprint, and after it. Where as many bits agree as a run has tokens beyond the fingerprint, two
//! documents may share such a run; where they do not, they do not.
//!
//! Cost: four bytes a fingerprint. Of two fingerprints with nothing else in common, one in 585 looks like a run of 24
//! tokens around 11: 14 ways to divide 13 bits.
//! Source: ours.

use std::ops::Range;

use fanmill_kernel::hash::mix::mix;
use fanmill_text::token::Symbol;

/// Tokens on each side of which a bit is kept.
pub const REACH: u32 = 16;

/// One bit of each token around a fingerprint: of those after it in the upper half, the nearest lowest, and of those
/// before it in the lower half.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surroundings(pub u32);

impl Surroundings {
    /// Computes them for the tokens `gram` of a document; beyond its ends all bits are 0.
    pub fn new(document: &[Symbol], gram: Range<usize>) -> Surroundings {
        let bits = |tokens: &mut dyn Iterator<Item = &Symbol>| {
            let bits = tokens.take(REACH as usize).zip(0..);
            bits.fold(0, |bits, (token, number)| bits | bit(*token) << number)
        };
        let before = bits(&mut document[..gram.start].iter().rev());
        let after = bits(&mut document[gram.end..].iter());
        Surroundings(after << REACH | before)
    }

    /// Bounds how far two equal fingerprints may agree, in tokens before and after them. Never less than it
    /// is, up to [`REACH`].
    pub fn shared(self, other: Surroundings) -> (u32, u32) {
        let differing = self.0 ^ other.0;
        (differing.trailing_zeros().min(REACH), (differing >> REACH).trailing_zeros().min(REACH))
    }
}

/// A bit that half of all tokens have.
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

    /// The naive twin: equal letters before and after.
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

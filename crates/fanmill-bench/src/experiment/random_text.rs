//! Random text: letters that are uniform and independent of each other, as in the winnowing paper's first experiment.
//!
//! Cost: O(n) time and memory.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1.

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_text::frontend::{Chars, FrontEnd};
use fanmill_text::token::{Symbol, Tokens};

/// Returns the tokens of `n` random letters from a to z, read as characters.
pub(crate) fn random_text(n: usize, seed: u64) -> Vec<Symbol> {
    let mut tokens = Tokens::default();
    Chars.tokenize(&letters(n, seed), &mut tokens);
    tokens.symbols
}

fn letters(n: usize, seed: u64) -> String {
    let mut random = SplitMix::new(seed);
    let mut letters = String::with_capacity(n + 1);
    while letters.len() < n {
        let draw = random.draw();
        // The upper half of each product with 26: uniform to one part in 2^27.
        letters.extend(
            [draw >> 32, draw & 0xffff_ffff]
                .map(|half| char::from(b'a' + ((half * 26) >> 32) as u8)),
        );
    }
    letters.truncate(n);
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_text_is_even_and_follows_its_seed() {
        let text = letters(260_001, 1);
        assert_eq!(random_text(260_001, 1).len(), 260_001);
        for letter in 'a'..='z' {
            let n = text.matches(letter).count();
            // 10,000 with a standard deviation of 98.
            assert!((9_500..10_500).contains(&n), "{letter}: {n}");
        }
        assert_eq!(letters(40, 1), text[..40]);
        assert_ne!(letters(40, 1), letters(40, 2));
    }
}

//! Conversion of characters of scripts without spaces to words.
//!
//! In Japanese, Chinese or Thai, each character is a token. Twelve words are a sentence, but twelve characters are a
//! phrase such as "することができません", which unrelated texts share. Also, a character carries less information than a word,
//! above all behind the ones before it. Counted as words, characters made passages of 94 % of the pairs of unrelated
//! Japanese manuals.
//!
//! | script | characters that count as 12 words | information of a character, relative to an equally rare word |
//! |---|---|---|
//! | Han | 15 | .35 |
//! | kana, Bopomofo | 30 | .20 |
//! | Thai, Lao, Khmer, Myanmar | 30 | .15 |
//!
//! Measured 2026-11-27 on message catalogues: for each language, 60 texts and 60 hosts of 1,700 to 3,000 characters; a
//! quarter of each host is a quarter of a text, with 30 % of it edited in pieces of two to four characters:
//!
//! | | unrelated pairs listed | before | copies listed of 60 | with more in common than any unrelated pair |
//! |---|---|---|---|---|
//! | Japanese | .62 % | 92 % | 59 | 52 |
//! | Thai | .42 % | 92 % | 57 | 51 |
//! | Chinese | .34 % | 22 % | 60 | 59 |
//! | Japanese manuals, not used for the choice | .48 % | 94 % | | |
//! | Chinese manuals, not used for the choice | .20 % | 20 % | | |
//!
//! Pairs with a run of 25 (Chinese), 30 (Japanese) or 45 (Thai) characters in common do not count as unrelated there. A
//! segmenter was not measured.
//!
//! Cost: four bytes a token of texts that have such characters.

use std::ops::Range;

use fanmill_text::token::{Symbol, Writing};

/// Returns the information of a token, as a fraction of that of an equally rare word.
pub(super) fn told(symbol: Symbol) -> f64 {
    match symbol.writing() {
        None => 1.0,
        Some(Writing::Morphemes) => 0.35,
        Some(Writing::Syllables) => 0.2,
        Some(Writing::Sounds) => 0.15,
    }
}

/// Returns the tenths of a word that a token counts for.
fn tenths(symbol: Symbol) -> u32 {
    match symbol.writing() {
        None => 10,
        Some(Writing::Morphemes) => 8,
        Some(Writing::Syllables | Writing::Sounds) => 4,
    }
}

/// Conversion of a submission's tokens to words.
#[derive(Debug, Default)]
pub(super) struct WordCounts {
    /// Per token, the tenths before it, and at the end those of all; empty if each token is a word.
    before: Vec<u32>,
}

impl WordCounts {
    pub(super) fn new(symbols: &[Symbol]) -> WordCounts {
        if symbols.iter().all(|symbol| symbol.writing().is_none()) {
            return WordCounts::default();
        }
        let sums = symbols.iter().scan(0, |sum, &symbol| {
            *sum += tenths(symbol);
            Some(*sum)
        });
        WordCounts { before: std::iter::once(0).chain(sums).collect() }
    }

    /// Converts `n` of the tokens in a range to words, rounded down: each counts as much as all of them do on average.
    pub(super) fn of(&self, n: u64, range: Range<usize>) -> u64 {
        if self.before.is_empty() || range.is_empty() {
            return n;
        }
        let tenths = u64::from(self.before[range.end] - self.before[range.start]);
        n * tenths / (10 * range.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use fanmill_text::frontend::{FrontEnd, Words};
    use fanmill_text::token::Tokens;

    fn symbols(text: &str) -> Vec<Symbol> {
        let mut tokens = Tokens::default();
        Words.tokenize(text, &mut tokens);
        tokens.symbols
    }

    #[test]
    fn characters_are_parts_of_words() {
        for (text, n_words) in [
            ("twelve words are a sentence", 5),
            ("漢語漢語漢", 4),
            ("かなかなカナカナカナ", 4),
            ("ภาษาไทยดี ok", 4),
        ] {
            let symbols = symbols(text);
            let counts = WordCounts::new(&symbols);
            assert_eq!(counts.of(symbols.len() as u64, 0..symbols.len()), n_words, "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranges_are_the_sums_of_their_tokens(text in "([a-z]{1,3} |[ぁ-ん]|[一-十]|[ก-ฮ]){1,40}", cut in 0_usize..40) {
            let symbols = symbols(&text);
            let start = cut.min(symbols.len());
            let sum: u32 = symbols[start..].iter().map(|&symbol| tenths(symbol)).sum();
            let n = (symbols.len() - start) as u64;
            let counted = WordCounts::new(&symbols).of(n, start..symbols.len());
            prop_assert_eq!(counted, u64::from(sum) / 10);
        }
    }
}

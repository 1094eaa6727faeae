//! The score of prose: how surprising it is that two texts have the words of their passages in common.
//!
//! In five sentences: The score of two texts measures how much of them is shown as passages, and nothing else. Each
//! word that both have in a passage counts by how rare it is: one that either text repeats counts little, and so does a
//! phrase that many texts of the batch have. Some forty-five words that are copied as they are make a half, and ninety
//! make four fifths. Passages that are a large part of the texts count more, up to 1.00 for two texts with equal words.
//! Texts without a passage score 0, and those with one at least .01.
//!
//! In steps, for two texts of `n <= N` words:
//!
//! 1. *Bits* of a word of a passage: `-log2 p`, where `p` is the fraction of a text that consists of this word, in the
//!    text in which it is more frequent. A word counts the same wherever it is: runs matter to
//!    [`rewritten`](crate::matches::rewritten), which decides what is shown at all.
//! 2. *Rarity in the batch*: the bits are multiplied by `sqrt(ln((T + 10) / t) / ln((T + 10) / 2))` if the rarest gram
//!    of the word is in `t > 2` of `T` texts ([`Holders`]).
//! 3. *Absolute*: `E^2 / (E^2 + 275^2)` for `E` bits, which is a half where the words would be in the other text by a
//!    chance of one in 2^275.
//! 4. *Relative*: the share `m / n` for `m` words of passages, bounded where the other text is much larger:
//!    `m / n · max(sqrt(n / N), m / (m + 40))`.
//! 5. The score is `1 - (1 - absolute) (1 - relative)`.
//!
//! Taking a word away from a passage, on one side or on both, lowers `E`, `m`, or both, and so the score. The words
//! that are left become rarer, but that does not make up for it: the bits of all occurrences of a word together,
//! `c · log2(n / c)`, grow with their number `c`, for words that are less than a third of their text.
//!
//! A character of a script without spaces counts as two fifths of a word, since it carries less and suggests the next
//! one.
//!
//! Cost: two bytes a token, and a step for each token of a passage.
//!
//! Source: ours; the constants were measured (`design/score-of-prose.md`).

use std::ops::Range;

use crate::matches::{Match, Seeds, WordWeights};
use crate::score::Holders;
use fanmill_text::frontend::Kind;

/// Bits at which the absolute part is one half.
///
/// From 200 to 300, the same number of pairs of PAN are found above all without plagiarism; Clough & Stevenson's
/// answers are ranked best from 275 on.
const HALF: f64 = 275.0;

/// Number of words of a much smaller text at which half of its share counts.
const ABOUT_A_SENTENCE: f64 = 40.0;

/// Minimum score of texts that share a passage, so that none is printed as 0.00.
const LEAST: f64 = 0.01;

/// Number of words that a character of a script without spaces counts as.
const WORDS_PER_CHARACTER: f64 = 0.4;

/// Units per bit: whole numbers of them, so that sums do not depend on their order.
const UNITS: f64 = 256.0;

/// Bits that each token of a submission carries in a passage.
///
/// In units of 1/256 bit; 0 for tokens of code and for boilerplate. Empty if all are 0.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct TokenBits(Vec<u16>);

/// Prose in the passages of two submissions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProseEvidence {
    /// Bits of its words.
    pub bits: f64,
    /// Number of its words, boilerplate left out; characters of scripts without spaces [count as parts of
    /// words](words).
    pub words: f64,
}

/// Returns the number of words of a text, or of its passages, given its tokens of a kind that count; code has none.
pub fn words(kind: Kind, n_tokens: u64) -> f64 {
    match kind {
        Kind::Code => 0.0,
        Kind::Words => n_tokens as f64,
        Kind::Chars => WORDS_PER_CHARACTER * n_tokens as f64,
    }
}

/// Returns the score of two texts, given the words of each that are not boilerplate: a fraction in `0..=1`, and 0 only
/// if no word is shown.
pub fn score(shown: ProseEvidence, (words_a, words_b): (f64, f64)) -> f64 {
    let ProseEvidence { bits, words } = shown;
    if words <= 0.0 {
        return 0.0;
    }
    let absolute = bits * bits / (bits * bits + HALF * HALF);
    let (smaller, larger) = (words_a.min(words_b).max(words), words_a.max(words_b).max(words));
    let bound = (smaller / larger).sqrt().max(words / (words + ABOUT_A_SENTENCE));
    let relative = words / smaller * bound;
    (1.0 - (1.0 - absolute) * (1.0 - relative)).clamp(LEAST, 1.0)
}

impl TokenBits {
    /// Computes the bits of a submission's tokens from those of its words and those of its characters.
    pub fn new(of_words: &WordWeights, of_characters: &WordWeights) -> TokenBits {
        let mut bits = vec![0; of_words.bits().len().max(of_characters.bits().len())];
        for (kind, weights) in [(Kind::Words, of_words), (Kind::Chars, of_characters)] {
            for (units, &told) in bits.iter_mut().zip(weights.bits()) {
                *units += in_units(words(kind, 1) * f64::from(told));
            }
        }
        TokenBits(bits)
    }

    /// Lowers the bits of tokens all of whose grams are in many submissions.
    ///
    /// `seeds` are the grams of documents at these ranges that other submissions may have.
    pub fn lower(
        &mut self,
        seeds: &Seeds,
        documents: impl IntoIterator<Item = Range<usize>>,
        holders: &Holders,
    ) {
        let frequent = holders.frequent(seeds);
        if frequent.is_empty() || self.0.is_empty() {
            return;
        }
        let mut n_holders = vec![0; self.0.len()];
        for (position, n) in frequent {
            n_holders[position as usize] = n;
        }
        for document in documents {
            let Some(last) = document.end.checked_sub(seeds.k()) else { continue };
            for at in document.clone() {
                let first = (at + 1).saturating_sub(seeds.k()).max(document.start);
                let grams = n_holders.get(first..=at.min(last)).unwrap_or_default();
                // Grams that few have are not among the frequent ones: their words keep all bits.
                let rarest = grams.iter().min().copied().unwrap_or(0);
                if rarest > 0 {
                    self.0[at] = in_units(f64::from(self.0[at]) / UNITS * holders.rarity(rarest));
                }
            }
        }
    }

    /// Sums the bits of the words of some matches: a whole number of 1/256, the same from either side.
    pub fn shared(&self, other: &TokenBits, matches: &[Match]) -> f64 {
        let of_match = |found: &Match| -> u64 {
            let a = self.0.get(found.range_a()).unwrap_or_default();
            let b = other.0.get(found.range_b()).unwrap_or_default();
            a.iter().zip(b).map(|(&a, &b)| u64::from(a.min(b))).sum()
        };
        matches.iter().map(of_match).sum::<u64>() as f64 / UNITS
    }
}

impl std::iter::Sum for ProseEvidence {
    fn sum<I: Iterator<Item = ProseEvidence>>(all: I) -> ProseEvidence {
        all.fold(ProseEvidence::default(), |sum, one| ProseEvidence {
            bits: sum.bits + one.bits,
            words: sum.words + one.words,
        })
    }
}

fn in_units(bits: f64) -> u16 {
    #[expect(clippy::cast_sign_loss, reason = "bits are positive, and 32 at most")]
    let units = libm::round(UNITS * bits) as u16;
    units
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::score::holders::tests::seeds;

    fn shown(bits: f64, words: f64) -> ProseEvidence {
        ProseEvidence { bits, words }
    }

    #[test]
    fn nothing_scores_zero_and_anything_a_hundredth() {
        assert_eq!(score(shown(0.0, 0.0), (100.0, 0.0)).to_bits(), 0);
        assert!((score(shown(8.0, 3.0), (1e4, 1e5)) - LEAST).abs() < 1e-12);
        assert!(
            (score(shown(0.0, 3.0), (1e6, 1e6)) - LEAST).abs() < 1e-12,
            "words that tell nothing"
        );
    }

    #[test]
    fn equal_texts_score_one() {
        for words in [1.0, 12.0, 60.0, 1e5] {
            assert!((score(shown(3.0 * words, words), (words, words)) - 1.0).abs() < 1e-12);
        }
    }

    /// The figures of the five sentences: at six bits a word, as a small part of their texts.
    #[test]
    fn forty_five_words_make_a_half() {
        let of = |words: f64| score(shown(6.0 * words, words), (1e5, 1e5));
        assert_eq!(
            [10.0, 45.0, 90.0, 200.0].map(|words| libm::floor(100.0 * of(words)) as i32),
            [4, 49, 79, 95]
        );
    }

    #[test]
    fn a_text_that_lies_in_a_much_larger_one_scores_a_half_though_many_have_it() {
        // 75 of 100 words, at one bit each.
        assert!(score(shown(75.0, 75.0), (100.0, 1e4)) > 0.5);
        assert!(score(shown(10.0, 10.0), (10.0, 1e4)) < 0.3, "a headline");
    }

    #[test]
    fn a_character_counts_as_part_of_a_word() {
        let characters = WordWeights::new(
            &['a', 'b', 'c', 'd']
                .map(|letter| fanmill_text::token::Symbol::spelled(&[letter as u8])),
            std::iter::once(0..4),
        );
        let bits = TokenBits::new(&WordWeights::default(), &characters);
        let found = Match { a: 0, b: 1, len: 2 };
        let told = bits.shared(&bits, &[found]);
        assert!((told - 2.0 * 2.0 * WORDS_PER_CHARACTER).abs() < 0.01, "{told}");
        assert!((words(Kind::Chars, 10) - 4.0).abs() < 1e-12);
        assert_eq!(words(Kind::Code, 10).to_bits(), 0);
    }

    proptest! {
        #[test]
        fn bits_are_lowered_as_the_definition_says(
            texts in proptest::collection::vec(proptest::collection::vec(0_u8..3, 0..30), 3..12),
        ) {
            let all: Vec<Seeds> = texts.iter().map(|text| seeds(text)).collect();
            let holders = Holders::count(&all, texts.len());
            let holders_of = |gram: &[u8]| -> u32 {
                texts.iter().filter(|text| text.windows(3).any(|other| other == gram)).count() as u32
            };
            for (text, seeds) in texts.iter().zip(&all) {
                let whole = TokenBits(vec![2560; text.len()]);
                let mut lowered = whole.clone();
                lowered.lower(seeds, std::iter::once(0..text.len()), &holders);
                for (at, &bits) in lowered.0.iter().enumerate() {
                    let grams = (0..).zip(text.windows(3));
                    let own = grams.filter(|&(first, _): &(usize, _)| (first..first + 3).contains(&at));
                    let rarest = own.map(|(_, gram)| holders_of(gram)).min().unwrap_or(0);
                    let part = if rarest > 2 { holders.rarity(rarest) } else { 1.0 };
                    prop_assert_eq!(bits, in_units(10.0 * part));
                }
            }
        }

        /// Words are taken from passages, and with them from one of the texts, from both, or from neither (another word
        /// takes their place).
        #[test]
        fn taking_words_from_passages_never_raises_the_score(
            words in 1_u32..2000,
            others in (0_u32..20_000, 0_u32..20_000),
            bits_per_word in 0.0_f64..16.0,
            taken in 0_u32..2000,
            bits_left in 0.0_f64..1.0,
            from in (any::<bool>(), any::<bool>()),
        ) {
            let taken = taken.min(words);
            let of = |n: u32| f64::from(n);
            let sizes = (of(words + others.0), of(words + others.1));
            let before = score(shown(bits_per_word * of(words), of(words)), sizes);
            let lost = |is_smaller: bool| if is_smaller { of(taken) } else { 0.0 };
            let bits = bits_per_word * of(words) * if taken == 0 { 1.0 } else { bits_left };
            let sizes = (sizes.0 - lost(from.0), sizes.1 - lost(from.1));
            let after = score(shown(bits, of(words - taken)), sizes);
            prop_assert!(after <= before + 1e-12, "{before} and then {after}");
            prop_assert!((0.0..=1.0).contains(&before));
            let turned = score(shown(bits, of(words - taken)), (sizes.1, sizes.0));
            prop_assert_eq!(after.to_bits(), turned.to_bits());
        }
    }
}

//! Holders of grams: the number of submissions of a batch that have a gram, for grams that more than two have.
//!
//! They give less weight to shared text that many others have too, such as a sentence of the task that everybody
//! quotes. Grams of two submissions, which are most of the shared ones, need not be kept.
//!
//! Cost: eight bytes for each gram of each submission while they are counted, and a sort; 16 for each that is kept.
//!
//! Source: the logarithm is that of the weights of [`rarity`](super::rarity). Its root is taken since those who copied
//! a passage from each other have it in common too.

use crate::matches::Seeds;
use crate::score::rarity::IMAGINED;

/// The frequent grams of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holders {
    /// Each gram with the number of submissions that have it, more than [`FEW`]; ascending.
    frequent: Vec<(u64, u32)>,
    n_submissions: usize,
}

/// Minimum number of submissions that have a shared gram.
const FEW: u32 = 2;

impl Holders {
    /// Counts the submissions that have each gram, of `n_submissions`; `all` are the seeds of those that share
    /// something.
    pub fn count<'a>(all: impl IntoIterator<Item = &'a Seeds>, n_submissions: usize) -> Holders {
        let mut grams: Vec<u64> = Vec::new();
        for seeds in all {
            let start = grams.len();
            for (gram, _) in seeds.leading() {
                if grams[start..].last() != Some(&gram) {
                    grams.push(gram);
                }
            }
        }
        grams.sort_unstable();
        let counted = grams.chunk_by(|x, y| x == y).map(|same| (same[0], same.len() as u32));
        Holders { frequent: counted.filter(|&(_, n)| n > FEW).collect(), n_submissions }
    }

    /// Returns the positions of frequent grams of a submission, each with the number of submissions that have it.
    pub(super) fn frequent(&self, seeds: &Seeds) -> Vec<(u32, u32)> {
        let mut rest = &self.frequent[..];
        let mut found = Vec::new();
        for (gram, position) in seeds.leading() {
            // Both ascend, and the next one is mostly near.
            rest = &rest[first_from(rest, gram)..];
            match rest.first() {
                Some(&(other, n)) if other == gram => found.push((position, n)),
                Some(_) => {}
                None => break,
            }
        }
        found
    }

    /// Returns the weight of a gram that `n` submissions have, as a fraction of its weight if two had it.
    pub(super) fn rarity(&self, n: u32) -> f64 {
        let all = self.n_submissions.max(n as usize) as f64 + IMAGINED;
        (libm::log(all / f64::from(n.max(FEW))) / libm::log(all / f64::from(FEW))).sqrt()
    }
}

/// Returns the number of grams below `gram`, which ascend; by galloping, as it is small.
fn first_from(grams: &[(u64, u32)], gram: u64) -> usize {
    let is_below = |at: usize| grams.get(at).is_some_and(|&(other, _)| other < gram);
    let mut n = 1;
    while is_below(n - 1) {
        n *= 2;
    }
    let (start, end) = (n / 2, n.min(grams.len()));
    start + grams[start..end].partition_point(|&(other, _)| other < gram)
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::fingerprint::Recipe;
    use crate::select::{Selector, Thresholds};
    use fanmill_text::frontend::Kind;
    use fanmill_text::span::Span;
    use fanmill_text::token::{Stream, Symbol, Token};

    /// Returns the grams of 3 words of a text.
    pub(in crate::score) fn seeds(words: &[u8]) -> Seeds {
        let mut stream = Stream::default();
        stream.push(0, Kind::Words, |tokens| {
            for word in words {
                let symbol = Symbol::spelled(&[*word]);
                tokens.push(Token { symbol, name: symbol, span: Span::default() });
            }
        });
        let thresholds = Thresholds::new(3, 3).expect("ordered");
        let recipe = Recipe { kind: Kind::Words, thresholds, selector: Selector::All };
        Seeds::new(&stream, &recipe, |_| true)
    }

    #[test]
    fn what_two_have_tells_all_and_what_everybody_has_nearly_nothing() {
        let holders = Holders { frequent: Vec::new(), n_submissions: 1000 };
        let percent = |n| libm::floor(100.0 * holders.rarity(n)) as i32;
        assert_eq!([1, 2, 4, 30, 300, 1000].map(percent), [100, 100, 94, 75, 44, 3]);
        let two = Holders { n_submissions: 2, ..holders };
        assert_eq!(two.rarity(2).to_bits(), 1.0_f64.to_bits());
    }

    proptest! {
        #[test]
        fn steps_that_double_find_what_halving_does(
            grams in proptest::collection::btree_set(0_u64..300, 0..200), wanted in 0_u64..310,
        ) {
            let grams: Vec<(u64, u32)> = grams.into_iter().map(|gram| (gram, 3)).collect();
            let halved = grams.partition_point(|&(gram, _)| gram < wanted);
            prop_assert_eq!(first_from(&grams, wanted), halved);
        }

        #[test]
        fn holders_are_those_of_all_texts(
            texts in proptest::collection::vec(proptest::collection::vec(0_u8..4, 0..40), 1..12),
        ) {
            let all: Vec<Seeds> = texts.iter().map(|text| seeds(text)).collect();
            let holders = Holders::count(&all, texts.len());
            let mut n_holders: BTreeMap<&[u8], u32> = BTreeMap::new();
            for text in &texts {
                for gram in text.windows(3).collect::<BTreeSet<_>>() {
                    *n_holders.entry(gram).or_default() += 1;
                }
            }
            for (text, seeds) in texts.iter().zip(&all) {
                let mut found = holders.frequent(seeds);
                found.sort_unstable();
                let grams = (0..).zip(text.windows(3)).map(|(at, gram)| (at, n_holders[gram]));
                let expected: Vec<(u32, u32)> = grams.filter(|&(_, n)| n > FEW).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}

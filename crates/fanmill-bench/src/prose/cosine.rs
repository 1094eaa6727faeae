//! A peer that ignores word order: the cosine of two texts' words, weighted by TF-IDF.

use std::collections::BTreeMap;

use fanmill_text::document::Corpus;

use crate::prose::containment::grams;
use crate::prose::sets::{Pair, texts};

/// The weighted words of all texts of a set.
#[derive(Debug)]
pub(super) struct Cosine {
    /// By name: the hash of each word with its weight, ascending by hash; the squares of the weights add up to 1.
    weights: BTreeMap<String, Vec<(u64, f64)>>,
}

impl Cosine {
    /// Weighs the words of all texts. A word that occurs `n` times in a text, and in `df` of `N` texts, weighs
    /// `n · (1 + ln((N + 1) / (df + 1)))`.
    pub(super) fn new(corpus: &Corpus) -> Cosine {
        let texts = texts(corpus);
        let words: BTreeMap<String, Vec<(u64, usize)>> =
            texts.into_iter().map(|(name, (_, text))| (name, counted(&grams(&text, 1)))).collect();
        let mut n_texts: BTreeMap<u64, usize> = BTreeMap::new();
        for (word, _) in words.values().flatten() {
            *n_texts.entry(*word).or_default() += 1;
        }
        let n = words.len() as f64 + 1.0;
        let rarity = |word: u64| 1.0 + (n / (n_texts[&word] as f64 + 1.0)).ln();
        let normalised = |words: Vec<(u64, usize)>| {
            let weigh = |(word, times): (u64, usize)| (word, times as f64 * rarity(word));
            let mut weights: Vec<(u64, f64)> = words.into_iter().map(weigh).collect();
            let length = weights.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
            for (_, weight) in &mut weights {
                *weight /= length;
            }
            weights
        };
        let weights = words.into_iter().map(|(name, words)| (name, normalised(words)));
        Cosine { weights: weights.collect() }
    }

    /// Returns the cosine of two texts.
    pub(super) fn of(&self, (a, b): &Pair) -> f64 {
        let (a, b) = (&self.weights[a], &self.weights[b]);
        let in_both = a.iter().filter_map(|(word, weight)| {
            let at = b.binary_search_by_key(word, |&(word, _)| word).ok()?;
            Some(weight * b[at].1)
        });
        in_both.sum()
    }
}

/// Returns each of some ascending numbers once, with its number of occurrences.
fn counted(ascending: &[u64]) -> Vec<(u64, usize)> {
    ascending.chunk_by(|x, y| x == y).map(|same| (same[0], same.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_count_more_than_frequent_ones() {
        let corpus = Corpus::from_texts([
            ("a", "the heron waits"),
            ("b", "the heron flies"),
            ("c", "the otter waits, the"),
            ("d", "the mill"),
        ]);
        let cosine = Cosine::new(&corpus.expect("four names"));
        let of = |a: &str, b: &str| cosine.of(&(a.to_owned(), b.to_owned()));
        assert!((of("a", "a") - 1.0).abs() < 1e-12);
        assert!(of("a", "b") > of("b", "d") && of("b", "d") > 0.0);
    }
}

//! The peers to beat: the share of common word grams.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use fanmill_text::document::Corpus;

use crate::prose::sets::{Pair, texts};

/// The distinct word grams of all texts of a set.
#[derive(Debug)]
pub(super) struct Containment {
    /// By name: the hashes of grams of 3 words, and of 5; ascending.
    grams: BTreeMap<String, [Vec<u64>; 2]>,
}

impl Containment {
    pub(super) fn new(corpus: &Corpus) -> Containment {
        let texts = texts(corpus).into_iter();
        let distinct = |text: &str, k: usize| {
            let mut grams = grams(text, k);
            grams.dedup();
            grams
        };
        let grams = texts.map(|(name, (_, text))| (name, [3, 5].map(|k| distinct(&text, k))));
        Containment { grams: grams.collect() }
    }

    /// Returns the share of common grams of `k` words, 3 or 5, among those of the text that has fewer.
    pub(super) fn of(&self, (a, b): &Pair, k: usize) -> f64 {
        let number = usize::from(k == 5);
        let (a, b) = (&self.grams[a][number], &self.grams[b][number]);
        let smaller = a.len().min(b.len());
        if smaller == 0 { 0.0 } else { common(a, b) as f64 / smaller as f64 }
    }
}

/// Returns the hashes of all grams of `k` words of a text, ascending.
pub(super) fn grams(text: &str, k: usize) -> Vec<u64> {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut grams: Vec<u64> = words.windows(k).map(|gram| hasher.hash_one(gram)).collect();
    grams.sort_unstable();
    grams
}

/// Counts the numbers that are in both of two ascending lists.
fn common(mut a: &[u64], mut b: &[u64]) -> usize {
    let mut n_common = 0;
    while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
        n_common += usize::from(x == y);
        if x <= y {
            a = rest_a;
        }
        if y <= x {
            b = rest_b;
        }
    }
    n_common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_text_counts() {
        let corpus =
            Corpus::from_texts([("a", "One two three, four five!"), ("b", "zero one TWO three")]);
        let containment = Containment::new(&corpus.expect("two names"));
        let pair = ("a".to_owned(), "b".to_owned());
        assert!((containment.of(&pair, 3) - 0.5).abs() < 1e-12);
        assert!(containment.of(&pair, 5).abs() < 1e-12, "one of them has no gram of five");
    }
}

//! The grams that two documents share, for all lengths at once.
//!
//! For each position of `b`, the length of the longest run from there on that occurs somewhere in `a` is found. This
//! one number per position, capped at a longest length of interest, gives for every `k` the number of grams of `b` that
//! are in `a`: it is the number of positions with `k` or more. One pass therefore answers for all thresholds, without
//! any hash.
//!
//! Cost: O(n log n) comparisons of suffixes for n tokens of both, each of at most as many tokens as the longest length;
//! 4 bytes per token of `a`.

use fanmill_text::token::Symbol;

/// A suffix array of a document, for looking up runs of other documents.
#[derive(Debug)]
pub struct Suffixes<'a> {
    symbols: &'a [Symbol],
    /// The starts of suffixes, sorted by their first `longest` tokens.
    starts: Vec<u32>,
    longest: usize,
}

impl<'a> Suffixes<'a> {
    /// Sorts the suffixes of a document, each cut after `longest` tokens.
    pub fn new(symbols: &'a [Symbol], longest: usize) -> Suffixes<'a> {
        let mut starts: Vec<u32> = (0..symbols.len() as u32).collect();
        let cut = |at: u32| head(&symbols[at as usize..], longest);
        starts.sort_unstable_by(|&x, &y| cut(x).cmp(cut(y)).then(x.cmp(&y)));
        Suffixes { symbols, starts, longest }
    }

    /// Returns the length of the longest prefix of `run` that occurs in this document, at most `longest`.
    pub fn longest_head(&self, run: &[Symbol]) -> usize {
        let run = head(run, self.longest);
        let at = self.starts.partition_point(|&start| &self.symbols[start as usize..] < run);
        // The suffix with the longest common prefix is next to the place where `run` would be inserted.
        let neighbours = [at.checked_sub(1), Some(at)].into_iter().flatten();
        neighbours
            .filter_map(|i| self.starts.get(i))
            .map(|&start| agreement(&self.symbols[start as usize..], run))
            .max()
            .unwrap_or(0)
    }
}

fn head(symbols: &[Symbol], n: usize) -> &[Symbol] {
    &symbols[..n.min(symbols.len())]
}

fn agreement(x: &[Symbol], y: &[Symbol]) -> usize {
    x.iter().zip(y).take_while(|(x, y)| x == y).count()
}

/// The grams that one document shares with another, by length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedGrams {
    /// Number of positions with grams of `k` tokens that are in the other document, at `k - 1`; it never rises.
    pub grams: Vec<u32>,
    /// Number of tokens.
    pub n_tokens: usize,
}

impl SharedGrams {
    /// Counts the grams that the tokens of `b` share with the document of `a`.
    pub fn new(a: &Suffixes<'_>, b: &[Symbol]) -> SharedGrams {
        let mut grams = vec![0_u32; a.longest];
        for at in 0..b.len() {
            let found = a.longest_head(&b[at..]);
            if found > 0 {
                grams[found - 1] += 1;
            }
        }
        // A position with a run of k tokens also has one of every shorter length.
        let mut above = 0;
        for n in grams.iter_mut().rev() {
            above += *n;
            *n = above;
        }
        SharedGrams { grams, n_tokens: b.len() }
    }

    /// Returns the number of positions with grams of `k` tokens that are in the other document; `k` is at least 1.
    pub fn at(&self, k: usize) -> u32 {
        self.grams.get(k - 1).copied().unwrap_or(0)
    }

    /// Returns the length of the longest common run, up to the length of interest.
    pub fn longest_run(&self) -> usize {
        self.grams.iter().take_while(|&&n| n > 0).count()
    }

    /// Returns the share of the grams of `k` tokens that are in the other document, a fraction in `0..=1`.
    pub fn containment(&self, k: usize) -> f64 {
        let n_grams = fanmill_text::gram::count(self.n_tokens, k);
        if n_grams == 0 { 0.0 } else { f64::from(self.at(k)) / n_grams as f64 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples::symbols;

    fn shared(a: &str, b: &str, longest: usize) -> SharedGrams {
        let (a, b) = (symbols(a), symbols(b));
        SharedGrams::new(&Suffixes::new(&a, longest), &b)
    }

    #[test]
    fn all_lengths_are_counted_at_once() {
        let found = shared("xabcdx", "abcab", 4);
        assert_eq!(found.grams, [5, 3, 1, 0], "a b c a b; ab bc ab; abc");
        assert_eq!((found.longest_run(), found.at(2), found.at(9)), (3, 3, 0));
        assert!((found.containment(3) - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn an_empty_document_shares_nothing() {
        for (a, b) in [("", ""), ("abc", ""), ("", "abc"), ("abc", "xyz")] {
            let found = shared(a, b, 3);
            assert_eq!((found.longest_run(), found.grams), (0, vec![0; 3]));
        }
        assert!(shared("ab", "ab", 9).containment(3).abs() < 1e-12, "no gram is no share");
    }

    proptest! {
        /// Looks for each gram everywhere, for each length, as the naive twin.
        #[test]
        fn fast_equals_looking_for_each_gram(
            a in "[abc]{0,40}",
            b in "[abc]{0,40}",
            longest in 1_usize..12,
        ) {
            let found = shared(&a, &b, longest);
            let (a, b) = (symbols(&a), symbols(&b));
            for k in 1..=longest {
                let n = b.windows(k).filter(|gram| a.windows(k).any(|other| other == *gram)).count();
                prop_assert_eq!(found.at(k) as usize, n);
            }
        }
    }
}

//! Measures the runs that unrelated documents share, as they are and with their tokens scrambled.
//!
//! Cost: for each pair and each scrambling, sorting the suffixes of one document and looking up those of the other; 4
//! kB per pair.

use fanmill_text::token::Symbol;
use rayon::prelude::*;

use super::law::Survival;
use super::sample::scrambled;
use super::shared::{SharedGrams, Suffixes};

/// Maximum measured length of a run, in tokens; longer runs count as this long.
pub const LONGEST: usize = 256;

/// The rule by which pairs are compared.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The length of the grams by which related pairs are recognised, in tokens.
    pub noise: usize,
    /// Share of the shorter document's grams above which a pair is related if the longer document contains them.
    pub related: f64,
    /// Number of times each pair is scrambled.
    pub n_scrambles: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The grams that pairs share, added up by length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Curve {
    /// Number of pairs.
    pub n_pairs: u64,
    /// Number of pairs that share a gram of `k` tokens, at `k - 1`.
    pub n_with: Vec<u64>,
    /// Number of shared grams of `k` tokens, over all pairs, at `k - 1`.
    pub n_grams: Vec<u64>,
}

impl Curve {
    fn from_pairs<'a>(pairs: impl IntoIterator<Item = &'a SharedGrams>) -> Curve {
        let mut curve = Curve { n_pairs: 0, n_with: vec![0; LONGEST], n_grams: vec![0; LONGEST] };
        for shared in pairs {
            curve.n_pairs += 1;
            for (i, &n) in shared.grams.iter().enumerate() {
                curve.n_with[i] += u64::from(n > 0);
                curve.n_grams[i] += u64::from(n);
            }
        }
        curve
    }

    /// Returns the share of pairs by the longest run.
    pub fn survival(&self) -> Survival {
        Survival::new(&self.n_with, self.n_pairs)
    }

    /// Returns the average number of shared grams of `k` tokens per pair; `k` is at least 1.
    pub fn grams_per_pair(&self, k: usize) -> f64 {
        let n = self.n_grams.get(k - 1).copied().unwrap_or(0);
        n as f64 / self.n_pairs.max(1) as f64
    }
}

/// Two unrelated documents, and the longest run that they share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LongRun {
    /// The length of the run in tokens.
    pub length: usize,
    /// The longer document.
    pub a: usize,
    /// The shorter one.
    pub b: usize,
}

/// The results of a measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// Number of pairs left out because they share too much.
    pub n_related: u64,
    /// The grams that the other pairs share as they are.
    pub unrelated: Curve,
    /// The grams they share with their tokens scrambled; each pair counts once per scrambling.
    pub scrambled: Curve,
    /// The longest run of each unrelated pair, longest first; on a tie, in the order of the documents.
    pub runs: Vec<LongRun>,
}

/// Compares pairs of documents, given as indices into `documents`.
pub fn measure(documents: &[&[Symbol]], pairs: &[(usize, usize)], rule: &Rule) -> Measured {
    let compared: Vec<Compared> =
        pairs.par_iter().map(|&pair| Compared::new(documents, pair, rule)).collect();
    let unrelated: Vec<&Compared> =
        compared.iter().filter(|pair| !pair.scrambled.is_empty()).collect();
    let mut runs: Vec<LongRun> = unrelated
        .iter()
        .map(|pair| LongRun { length: pair.as_is.longest_run(), a: pair.a, b: pair.b })
        .collect();
    runs.sort_by(|x, y| y.length.cmp(&x.length).then((x.a, x.b).cmp(&(y.a, y.b))));
    Measured {
        n_related: (compared.len() - unrelated.len()) as u64,
        unrelated: Curve::from_pairs(unrelated.iter().map(|pair| &pair.as_is)),
        scrambled: Curve::from_pairs(unrelated.iter().flat_map(|pair| &pair.scrambled)),
        runs,
    }
}

/// One pair, compared.
#[derive(Debug)]
struct Compared {
    a: usize,
    b: usize,
    as_is: SharedGrams,
    /// One per scrambling; empty if the pair is related.
    scrambled: Vec<SharedGrams>,
}

impl Compared {
    fn new(documents: &[&[Symbol]], (x, y): (usize, usize), rule: &Rule) -> Compared {
        let (a, b) = if documents[x].len() >= documents[y].len() { (x, y) } else { (y, x) };
        // Grams of the shorter document are looked up in the longer one, which gives containment.
        let as_is = SharedGrams::new(&Suffixes::new(documents[a], LONGEST), documents[b]);
        let n_scrambles =
            if as_is.containment(rule.noise) > rule.related { 0 } else { rule.n_scrambles.max(1) };
        let scrambled = (0..n_scrambles).map(|round| {
            // In one round, a document has the same order in all its pairs.
            let of = |document: usize| {
                scrambled(documents[document], rule.seed ^ (round << 40) ^ document as u64)
            };
            SharedGrams::new(&Suffixes::new(&of(a), LONGEST), &of(b))
        });
        Compared { a, b, scrambled: scrambled.collect(), as_is }
    }
}

/// Returns the first token of the shorter document's longest run in common with the longer one.
pub fn place_of(run: &LongRun, documents: &[&[Symbol]]) -> usize {
    let suffixes = Suffixes::new(documents[run.a], LONGEST);
    let b = documents[run.b];
    (0..b.len()).find(|&at| suffixes.longest_head(&b[at..]) == run.length).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::symbols;

    const RULE: Rule = Rule { noise: 3, related: 0.5, n_scrambles: 2, seed: 1 };

    #[test]
    fn related_pairs_are_left_out_and_the_others_are_counted() {
        let texts = ["abcdefgh", "xxabcdexx", "abcdefgx", "zzzz"].map(symbols);
        let documents = texts.each_ref().map(Vec::as_slice);
        let measured = measure(&documents, &[(0, 1), (0, 2), (1, 3)], &RULE);
        assert_eq!(measured.n_related, 1, "five of six grams of document 2 are in document 0");
        assert_eq!(measured.unrelated.n_pairs, 2);
        assert_eq!(measured.unrelated.n_with[..6], [1, 1, 1, 1, 1, 0]);
        assert_eq!(measured.unrelated.n_grams[..6], [5, 4, 3, 2, 1, 0]);
        assert_eq!(measured.scrambled.n_pairs, 4);
        assert_eq!(measured.scrambled.n_grams[0], 10, "single tokens survive any order");
        let longest = LongRun { length: 5, a: 1, b: 0 };
        assert_eq!(measured.runs, [longest.clone(), LongRun { length: 0, a: 1, b: 3 }]);
        assert_eq!(place_of(&longest, &documents), 0);
    }

    #[test]
    fn the_same_seed_gives_the_same_measurement() {
        let texts: Vec<Vec<Symbol>> =
            (0..6).map(|i| symbols(&"the quick brown fox jumps".repeat(i + 1)[i..])).collect();
        let documents: Vec<&[Symbol]> = texts.iter().map(Vec::as_slice).collect();
        let pairs = [(0, 1), (2, 3), (4, 5), (1, 5)];
        let all = Rule { related: 1.0, ..RULE };
        assert_eq!(measure(&documents, &pairs, &all), measure(&documents, &pairs, &all));
        assert_ne!(
            measure(&documents, &pairs, &all).scrambled,
            measure(&documents, &pairs, &Rule { seed: 2, ..all }).scrambled
        );
    }
}

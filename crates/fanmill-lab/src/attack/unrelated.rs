//! Scores of unrelated pairs of articles.
//!
//! A collection has near-duplicates of its own, and finding those is not an error. Pairs are therefore left out if much
//! of the shorter article is in the other one. This is counted exactly, on shingles of words, without key or sifting.
//!
//! Cost: O(pairs · words) for the exact count; scores are computed only for pairs that share a value, since all others
//! have 0.

use std::collections::BTreeSet;

use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::similarity::Overlap;
use fanmill_sift::verdict::{Score, Threshold};
use fanmill_text::progress::Progress;
use rayon::prelude::*;

use super::article::{Article, join};
use super::scheme::Scheme;
use super::{Settings, keys};

/// Number of words in a shingle.
pub const SHINGLE: usize = 5;

/// A pair of articles, the earlier one first.
pub(super) type Pair = (u32, u32);

/// The unrelated pairs of some articles.
#[derive(Debug, Clone)]
pub struct Unrelated {
    /// Number of unrelated pairs.
    pub n_pairs: u64,
    /// The related pairs, which were left out.
    related: BTreeSet<Pair>,
    n_keys: u32,
    /// For each scheme, the scores above 0 of all keys.
    scores: Vec<Vec<Score>>,
}

/// Measures the similarity of unrelated articles, under each scheme and several keys.
pub fn measure(articles: &[&Article], settings: &Settings, progress: &dyn Progress) -> Unrelated {
    let Settings { n_keys, seed, .. } = *settings;
    progress.begin("comparing", settings.schemes.len() as u64 * u64::from(n_keys));
    let left_out = related_pairs(articles, settings.related);
    let n = articles.len() as u64;
    let n_pairs = n * n.saturating_sub(1) / 2 - left_out.len() as u64;
    let texts: Vec<String> = articles.iter().map(|article| join(&article.words())).collect();
    let each = |scheme: &Scheme| {
        let mut scores = Vec::new();
        for run in 0..u64::from(n_keys) {
            let sifter = Sifter::new(&scheme.profile, &keys::test_key(seed, run));
            let sifted: Vec<Sifted> = texts.par_iter().map(|text| sifter.sift(text)).collect();
            let pairs: Vec<Pair> =
                sharing(&sifted).into_iter().filter(|pair| !left_out.contains(pair)).collect();
            let score = |&(a, b): &Pair| {
                let likeness = sifted[a as usize].likeness(&sifted[b as usize]);
                Score::new(&scheme.profile, &likeness)
            };
            // Scores may be 0: values above the bound of a shorter fingerprint do not count.
            scores.par_extend(pairs.par_iter().map(score).filter(|score| score.s3 > 0.0));
            progress.advance();
        }
        scores
    };
    let scores = settings.schemes.iter().map(each).collect();
    Unrelated { n_pairs, related: left_out, n_keys, scores }
}

/// Returns the pairs in which at least this share of the shorter article is in the other.
fn related_pairs(articles: &[&Article], related: f64) -> BTreeSet<Pair> {
    let shingles: Vec<Vec<u64>> =
        articles.par_iter().map(|article| article.shingles(SHINGLE)).collect();
    let with_later = |a: usize| {
        let is_related = |b: &usize| {
            Overlap::from_values(&shingles[a], &shingles[*b]).s3().is_some_and(|s3| s3 >= related)
        };
        (a + 1..shingles.len()).filter(is_related).map(move |b| (a as u32, b as u32)).collect()
    };
    let by_earlier: Vec<Vec<Pair>> = (0..shingles.len()).into_par_iter().map(with_later).collect();
    by_earlier.into_iter().flatten().collect()
}

/// Returns the pairs that have a value of some family in common, ascending.
fn sharing(sifted: &[Sifted]) -> Vec<Pair> {
    let mut values: Vec<(usize, u64, u32)> = Vec::new();
    for (document, sifted) in sifted.iter().enumerate() {
        for (family, kept) in sifted.families.iter().enumerate() {
            values.extend(kept.values.iter().map(|&value| (family, value, document as u32)));
        }
    }
    // Sorted by family and value, the holders of one value are neighbours.
    values.par_sort_unstable();
    let mut pairs = BTreeSet::new();
    for holders in values.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for (i, a) in holders.iter().enumerate() {
            pairs.extend(holders[i + 1..].iter().map(|b| (a.2, b.2)));
        }
    }
    pairs.into_iter().collect()
}

impl Unrelated {
    /// Returns the number of related pairs, which were left out.
    pub fn n_related(&self) -> u64 {
        self.related.len() as u64
    }

    /// Returns whether a pair, with the earlier article first, counts.
    pub(super) fn counts(&self, pair: Pair) -> bool {
        !self.related.contains(&pair)
    }

    /// Returns the number of pairs times keys.
    pub fn n_scores(&self) -> u64 {
        self.n_pairs * u64::from(self.n_keys)
    }

    /// Returns the scores above 0 of a scheme, under all keys.
    ///
    /// # Panics
    /// If there is no such scheme.
    pub fn scores(&self, scheme: usize) -> &[Score] {
        &self.scores[scheme]
    }

    /// Returns the number of false positives of a scheme at this threshold, out of [`n_scores`](Unrelated::n_scores).
    ///
    /// # Panics
    /// If there is no such scheme.
    pub fn n_false(&self, scheme: usize, threshold: &Threshold) -> u64 {
        let reaches = |score: &&Score| score.reaches(threshold);
        self.scores[scheme].iter().filter(reaches).count() as u64
    }

    /// Returns the number of scores of a scheme above 0.
    ///
    /// # Panics
    /// If there is no such scheme.
    pub fn n_above_zero(&self, scheme: usize) -> u64 {
        self.scores[scheme].len() as u64
    }

    /// Returns the quantile of S3 at this share of all scores, lowest first.
    ///
    /// # Panics
    /// If there is no such scheme.
    pub fn quantile(&self, scheme: usize, part: f64) -> f64 {
        let mut above: Vec<f64> = self.scores[scheme].iter().map(|score| score.s3).collect();
        above.sort_by(|a, b| b.total_cmp(a));
        #[expect(clippy::cast_sign_loss, reason = "a part of a number of pairs")]
        let place = (self.n_scores().saturating_sub(1) as f64 * part) as u64;
        let from_above = self.n_scores().saturating_sub(1 + place);
        above.get(from_above as usize).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use fanmill_kernel::hash::mix::SplitMix;
    use fanmill_text::progress::Silent;

    use super::*;
    use crate::attack::scheme;

    fn article(seed: u64, n_words: u64) -> Article {
        let mut random = SplitMix::new(seed);
        let word = |_| format!("w{} ", random.draw() % 3000);
        Article::plain((0..n_words).map(word).collect::<String>().as_bytes())
    }

    fn at(s3: f64) -> Threshold {
        Threshold { s3, n_common: 2 }
    }

    fn joined(a: &Article, b: &Article) -> Article {
        Article::plain(format!("{}{}", a.text(), b.text()).as_bytes())
    }

    #[test]
    fn copies_are_not_false_positives() {
        let mut articles: Vec<Article> = (0..12).map(|seed| article(seed, 400)).collect();
        // One article inside another, and one that shares a twentieth with another, below the bound.
        articles.push(joined(&articles[0], &article(99, 2000)));
        articles.push(joined(&article(98, 25), &article(97, 475)));
        articles.push(joined(&article(98, 25), &article(96, 475)));
        let articles: Vec<&Article> = articles.iter().collect();
        let settings = Settings { n_keys: 4, ..Settings::standard() };
        let unrelated = measure(&articles, &settings, &Silent);
        assert_eq!((unrelated.n_pairs, unrelated.n_related()), (15 * 14 / 2 - 1, 1));
        assert_eq!(unrelated.n_scores(), 4 * 104);
        // The shared twentieth is found occasionally, and only by a few values.
        assert!(unrelated.n_above_zero(0) <= 4 && unrelated.n_false(0, &at(0.3)) == 0);
        assert!(unrelated.quantile(0, 0.5) <= 0.0 && unrelated.quantile(0, 1.0) < 0.3);
        let all = measure(&articles, &Settings { related: 1.1, ..settings }, &Silent);
        assert_eq!((all.n_pairs, all.n_related()), (105, 0));
        assert_eq!(all.n_false(0, &at(0.9)), 4, "the article inside another, under each key");
        assert!(all.quantile(0, 1.0) > 0.9);
    }

    /// Compares all pairs one by one, as the naive twin.
    #[test]
    fn scores_are_those_of_all_pairs() {
        let mut articles: Vec<Article> = (0..10).map(|seed| article(seed, 300)).collect();
        for i in 0..5 {
            articles.push(joined(&articles[i], &articles[i + 1]));
        }
        let articles: Vec<&Article> = articles.iter().collect();
        for scheme in scheme::named() {
            let schemes = vec![scheme.clone()];
            let settings =
                Settings { schemes, related: 2.0, n_keys: 1, seed: 3, ..Settings::standard() };
            let found = measure(&articles, &settings, &Silent);
            let sifter = Sifter::new(&scheme.profile, &keys::test_key(3, 0));
            let sifted: Vec<Sifted> =
                articles.iter().map(|article| sifter.sift(&join(&article.words()))).collect();
            let mut naive: Vec<Score> = Vec::new();
            for (i, a) in sifted.iter().enumerate() {
                naive.extend(
                    sifted[i + 1..].iter().map(|b| Score::new(&scheme.profile, &a.likeness(b))),
                );
            }
            naive.retain(|score| score.s3 > 0.0);
            assert_eq!(found.scores[0], naive, "{}", scheme.name);
        }
    }
}

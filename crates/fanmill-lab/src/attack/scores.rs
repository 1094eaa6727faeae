//! What was measured: the scores of attacked articles with their originals.
//!
//! Every scheme sees the same attacked texts, so that differences between schemes are their own.

use fanmill::frontend::Text;
use fanmill::sift::sifter::{Likeness, Sifted, Sifter};
use rayon::prelude::*;

use super::article::{Article, join, pool};
use super::attacks::Attack;
use super::keys;
use super::scheme::Scheme;

/// A score, and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// 0 if nothing can be compared.
    pub s3: f64,
    /// Values in common, of all families.
    pub n_common: u32,
}

impl Score {
    pub(super) fn of(likeness: &Likeness) -> Score {
        let s3 = likeness.s3().unwrap_or(0.0);
        Score { s3, n_common: u32::try_from(likeness.n_common()).unwrap_or(u32::MAX) }
    }

    /// Whether one would act on it.
    pub fn counts(self, threshold: f64, least_common: u32) -> bool {
        self.s3 >= threshold && self.n_common >= least_common
    }
}

/// The scores of all schemes, attacks, keys and articles.
#[derive(Debug, Clone)]
pub struct Scores {
    attacks: Vec<Attack>,
    n_schemes: usize,
    /// One for each article and key: its scores by scheme, then by attack.
    by_article: Vec<OfArticle>,
}

#[derive(Debug, Clone)]
struct OfArticle {
    scores: Vec<Score>,
    /// Values of the original, for each scheme.
    sizes: Vec<usize>,
}

/// Attacks articles under several keys, and compares them with their originals.
pub fn measure(
    articles: &[&Article],
    schemes: &[Scheme],
    attacks: &[Attack],
    n_keys: u32,
    seed: u64,
) -> Scores {
    let pool = pool(articles);
    let mut by_article = Vec::with_capacity(articles.len() * n_keys as usize);
    for run in 0..u64::from(n_keys) {
        let key = keys::test_key(seed, run);
        let sifters: Vec<Sifter> =
            schemes.iter().map(|scheme| Sifter::new(&scheme.profile, &key)).collect();
        let of_article = |(i, article): (usize, &&Article)| {
            let original = join(&article.words());
            let originals: Vec<_> = sifters.iter().map(|sifter| sifter.sift(&original)).collect();
            let mut scores = vec![Score::default(); schemes.len() * attacks.len()];
            for (j, attack) in attacks.iter().enumerate() {
                let attacked = attack.on(article, &pool, &mut keys::numbers_of(seed, run, i, j));
                let folded = Text::new(attacked.as_bytes());
                for (scheme, sifter) in sifters.iter().enumerate() {
                    let likeness = originals[scheme].likeness(&sifter.sift(folded.as_str()));
                    scores[scheme * attacks.len() + j] = Score::of(&likeness);
                }
            }
            OfArticle { scores, sizes: originals.iter().map(Sifted::len).collect() }
        };
        by_article.par_extend(articles.par_iter().enumerate().map(of_article));
    }
    Scores { attacks: attacks.to_vec(), n_schemes: schemes.len(), by_article }
}

impl Scores {
    /// In the order given.
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks
    }

    /// Articles by keys.
    pub fn n(&self) -> usize {
        self.by_article.len()
    }

    /// The scores of a scheme under an attack.
    ///
    /// # Panics
    /// If the attack was not made, or there is no such scheme.
    pub fn of(&self, scheme: usize, attack: Attack) -> impl Iterator<Item = Score> {
        assert!(scheme < self.n_schemes, "{scheme}");
        let place = self.attacks.iter().position(|&other| other == attack);
        let place = scheme * self.attacks.len() + place.expect("an attack that was made");
        self.by_article.iter().map(move |article| article.scores[place])
    }

    /// Mean S3.
    ///
    /// # Panics
    /// As [`of`](Scores::of).
    pub fn mean(&self, scheme: usize, attack: Attack) -> f64 {
        let sum: f64 = self.of(scheme, attack).map(|score| score.s3).sum();
        sum / self.n().max(1) as f64
    }

    /// The part of the articles that is found.
    ///
    /// # Panics
    /// As [`of`](Scores::of).
    pub fn recall(&self, scheme: usize, attack: Attack, threshold: f64, least_common: u32) -> f64 {
        let found = self.of(scheme, attack).filter(|score| score.counts(threshold, least_common));
        found.count() as f64 / self.n().max(1) as f64
    }

    /// S3 of a scheme under an attack, ascending.
    ///
    /// # Panics
    /// As [`of`](Scores::of).
    pub fn sorted(&self, scheme: usize, attack: Attack) -> Vec<f64> {
        let mut sorted: Vec<f64> = self.of(scheme, attack).map(|score| score.s3).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// Mean number of values that an original has, and the part of the originals that has none.
    pub fn sizes(&self, scheme: usize) -> (f64, f64) {
        let sizes = || self.by_article.iter().map(|article| article.sizes[scheme]);
        let n = self.n().max(1) as f64;
        let n_empty = sizes().filter(|&size| size == 0).count();
        (sizes().sum::<usize>() as f64 / n, n_empty as f64 / n)
    }
}

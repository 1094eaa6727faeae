//! The scores of attacked articles against their originals.
//!
//! Every scheme gets the same attacked texts, so that differences come from the schemes alone.

use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::{Sifted, Sifter};
use fanmill_sift::verdict::{Score, Threshold};
use fanmill_text::progress::Progress;
use rayon::prelude::*;

use super::article::{Article, Word, join, pool};
use super::attacks::Attack;
use super::{Settings, keys};

/// Returns whether a text is so short that only an unchanged copy would be recognised.
fn is_short(profile: &Profile, sifted: &Sifted, least_common: usize) -> bool {
    let families = profile.families().iter().zip(&sifted.families);
    let grams = families.filter(|(family, _)| !family.is_whole());
    grams.map(|(_, kept)| kept.values.len()).sum::<usize>() < least_common.max(1)
}

/// The scores of all schemes, attacks, keys and articles.
#[derive(Debug, Clone)]
pub struct Scores {
    attacks: Vec<Attack>,
    n_schemes: usize,
    /// The measurements of each article and key; scores are ordered by scheme, then by attack.
    by_article: Vec<OfArticle>,
}

#[derive(Debug, Clone)]
struct OfArticle {
    scores: Vec<Score>,
    /// Number of values of the original, for each scheme.
    sizes: Vec<usize>,
    /// True if only an unchanged copy would be recognised, for each scheme.
    are_short: Vec<bool>,
}

/// Attacks articles under several keys, and compares them with their originals.
pub(super) fn measure(
    articles: &[&Article],
    attacks: &[Attack],
    settings: &Settings,
    progress: &dyn Progress,
) -> Scores {
    progress.begin("attacking", articles.len() as u64 * u64::from(settings.n_keys));
    let pool = pool(articles);
    let mut by_article = Vec::with_capacity(articles.len() * settings.n_keys as usize);
    for run in 0..u64::from(settings.n_keys) {
        let key = keys::test_key(settings.seed, run);
        let schemes = settings.schemes.iter();
        let sifters: Vec<Sifter> =
            schemes.map(|scheme| Sifter::new(&scheme.profile, &key)).collect();
        let bench = Bench { attacks, settings, progress, run, sifters, pool: &pool };
        let articles = articles.par_iter().enumerate();
        by_article.par_extend(articles.map(|(i, article)| bench.attack(i, article)));
    }
    Scores { attacks: attacks.to_vec(), n_schemes: settings.schemes.len(), by_article }
}

/// The inputs of a run.
struct Bench<'a> {
    attacks: &'a [Attack],
    settings: &'a Settings,
    progress: &'a dyn Progress,
    run: u64,
    sifters: Vec<Sifter>,
    pool: &'a [Word<'a>],
}

/// Returns the fingerprints of a text, read like a document.
fn sift(sifter: &Sifter, text: &str) -> Sifted {
    sifter.sift(sifter.text(text.as_bytes()).as_str())
}

impl Bench<'_> {
    fn attack(&self, place: usize, article: &Article) -> OfArticle {
        let original = join(&article.words());
        let originals: Vec<Sifted> =
            self.sifters.iter().map(|sifter| sift(sifter, &original)).collect();
        let least = self.settings.least_common;
        let mut scores = vec![Score::default(); self.sifters.len() * self.attacks.len()];
        for (j, attack) in self.attacks.iter().enumerate() {
            let mut random = keys::numbers_of(self.settings.seed, self.run, place, j);
            let attacked = attack.on(article, self.pool, &mut random);
            for (i, sifter) in self.sifters.iter().enumerate() {
                let likeness = originals[i].likeness(&sift(sifter, &attacked));
                scores[i * self.attacks.len() + j] = Score::new(sifter.profile(), &likeness);
            }
        }
        self.progress.advance();
        let are_short = self.sifters.iter().zip(&originals);
        OfArticle {
            scores,
            sizes: originals.iter().map(Sifted::len).collect(),
            are_short: are_short
                .map(|(sifter, sifted)| is_short(sifter.profile(), sifted, least))
                .collect(),
        }
    }
}

impl Scores {
    /// Returns the attacks, in the order given.
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks
    }

    /// Returns the number of articles times keys.
    pub fn n(&self) -> usize {
        self.by_article.len()
    }

    /// Returns the scores of a scheme under an attack.
    ///
    /// # Panics
    /// If the attack was not made, or there is no such scheme.
    pub fn of(&self, scheme: usize, attack: Attack) -> impl Iterator<Item = Score> {
        assert!(scheme < self.n_schemes, "{scheme}");
        let place = self.attacks.iter().position(|&other| other == attack);
        let place = scheme * self.attacks.len() + place.expect("an attack that was made");
        self.by_article.iter().map(move |article| article.scores[place])
    }

    /// Returns the mean S3.
    ///
    /// # Panics
    /// As for [`of`](Scores::of).
    pub fn mean(&self, scheme: usize, attack: Attack) -> f64 {
        let sum: f64 = self.of(scheme, attack).map(|score| score.s3).sum();
        sum / self.n().max(1) as f64
    }

    /// Returns the share of the articles that are found.
    ///
    /// # Panics
    /// As for [`of`](Scores::of).
    pub fn recall(&self, scheme: usize, attack: Attack, threshold: &Threshold) -> f64 {
        let found = self.of(scheme, attack).filter(|score| score.reaches(threshold));
        found.count() as f64 / self.n().max(1) as f64
    }

    /// Returns the S3 scores of a scheme under an attack, ascending.
    ///
    /// # Panics
    /// As for [`of`](Scores::of).
    pub fn sorted(&self, scheme: usize, attack: Attack) -> Vec<f64> {
        let mut sorted: Vec<f64> = self.of(scheme, attack).map(|score| score.s3).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// Returns the mean number of values of an original, and the share of originals so short that only an unchanged
    /// copy would be recognised.
    pub fn sizes(&self, scheme: usize) -> (f64, f64) {
        let n = self.n().max(1) as f64;
        let n_values: usize = self.by_article.iter().map(|article| article.sizes[scheme]).sum();
        let n_short = self.by_article.iter().filter(|article| article.are_short[scheme]).count();
        (n_values as f64 / n, n_short as f64 / n)
    }
}

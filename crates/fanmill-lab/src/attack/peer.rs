//! The peer that profiles are compared with: 32 minima of shingles of three words, which have no key.
//!
//! Mail filters recognise similar messages in this way: each of 32 hash functions contributes the smallest hash of all
//! runs of three words, and two messages are similar if enough of the 32 are equal.
//!
//! Cost: 32 hashes per word of a text, and 32 comparisons per pair.
//! Source: Broder, "On the resemblance and containment of documents", 1997 (permutations).

use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_sift::verdict::Score;
use rayon::prelude::*;

use super::article::{Article, pool};
use super::attacks::Attack;
use super::unrelated::{Pair, Unrelated};
use super::{MOST_WORDS, Settings, keys};

/// Number of minima.
pub(super) const MINIMA: usize = 32;
/// Number of words of a shingle.
const SHINGLE: usize = 3;

type Sketch = [u64; MINIMA];

/// Returns the minima of a text under the hash functions of a run.
fn sketch(article: &Article, settings: &Settings, run: u64) -> Sketch {
    let mut seeds = SplitMix::new(mix(settings.seed ^ 2) ^ run);
    let shingles = article.shingles(SHINGLE);
    std::array::from_fn(|_| {
        let seed = seeds.draw();
        shingles.iter().map(|shingle| mix(shingle ^ seed)).min().unwrap_or(seed)
    })
}

fn score(a: &Sketch, b: &Sketch) -> Score {
    let n_common = a.iter().zip(b).filter(|(a, b)| a == b).count();
    Score { s3: n_common as f64 / MINIMA as f64, n_common, n_whole: 0 }
}

/// Returns the scores of attacked articles against their originals, for each attack: the texts that every scheme sees.
pub(super) fn attacked(
    articles: &[&Article],
    attacks: &[Attack],
    settings: &Settings,
) -> Vec<Vec<Score>> {
    let pool = pool(articles);
    let each = |(run, place): (u64, usize)| -> Vec<Score> {
        let original = sketch(articles[place], settings, run);
        let on = |(j, attack): (usize, &Attack)| {
            let mut random = keys::numbers_of(settings.seed, run, place, j);
            let attacked = attack.on(articles[place], &pool, &mut random);
            // Long enough for the result of any attack.
            let attacked = Article::as_it_stands(attacked.as_bytes(), 16 * MOST_WORDS);
            score(&original, &sketch(&attacked, settings, run))
        };
        attacks.iter().enumerate().map(on).collect()
    };
    let runs = 0..u64::from(settings.n_keys);
    let places: Vec<(u64, usize)> =
        runs.flat_map(|run| (0..articles.len()).map(move |place| (run, place))).collect();
    let by_article: Vec<Vec<Score>> = places.into_par_iter().map(each).collect();
    (0..attacks.len()).map(|j| by_article.iter().map(|scores| scores[j]).collect()).collect()
}

/// Returns the scores above 0 of unrelated pairs, under all runs.
pub(super) fn unrelated(
    articles: &[&Article],
    pairs: &Unrelated,
    settings: &Settings,
) -> Vec<Score> {
    let mut scores = Vec::new();
    for run in 0..u64::from(settings.n_keys) {
        let sketches: Vec<Sketch> =
            articles.par_iter().map(|article| sketch(article, settings, run)).collect();
        let of_earlier = |a: usize| -> Vec<Score> {
            let later = a + 1..sketches.len();
            let with = later.map(|b| ((a as u32, b as u32), score(&sketches[a], &sketches[b])));
            let counts = |(pair, score): &(Pair, Score)| score.n_common > 0 && pairs.counts(*pair);
            with.filter(counts).map(|(_, score)| score).collect()
        };
        let found: Vec<Vec<Score>> = (0..sketches.len()).into_par_iter().map(of_earlier).collect();
        scores.extend(found.into_iter().flatten());
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_all_minima_in_common_and_unrelated_ones_none() {
        let settings = Settings::standard();
        let text = |seed: u64| -> Article {
            let mut random = SplitMix::new(seed);
            let words: Vec<String> =
                (0..200).map(|_| format!("w{}", random.draw() % 900)).collect();
            let words = words.join(" ");
            Article::plain(words.as_bytes())
        };
        let [a, b] = [1, 2].map(|seed| sketch(&text(seed), &settings, 0));
        assert_eq!((score(&a, &a).n_common, score(&a, &b).n_common), (MINIMA, 0));
        assert_ne!(a, sketch(&text(1), &settings, 1), "each run has its own functions");
    }
}

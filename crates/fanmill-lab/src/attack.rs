//! Attack bench: measures how fingerprints of the user's own texts survive deliberate changes.
//!
//! Every text is attacked in every way, and each scheme compares the result with the original, under several keys.
//! Unrelated texts are compared with each other, to see which scores occur by chance. Users can then choose the length
//! of grams, the probability of taking a token and the threshold by the copies found and the false positives.
//!
//! ```text
//! article → attacks → scores ┬→ tables, figures, findings
//!       scheme, unrelated ───┘
//! ```
//!
//! Cost: (attacks · keys · schemes) times the sifting of the sample, on all threads. Samples, and the words of a text,
//! are bounded.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries", 2005, §3.
//! Departs from it: attacks and schemes beyond the paper's; unrelated pairs of the user's own texts.

pub mod article;
pub mod edits;
pub mod letters;
pub mod attacks;
pub mod keys;
pub mod table2;
pub mod scheme;
pub mod scores;
pub mod unrelated;
mod peer;
mod rate;
mod summary;
pub mod search;
mod figures;
mod reproduction;

use fanmill_kernel::hash::mix::{SplitMix, mix};
use fanmill_sift::profile::Profile;
use fanmill_sift::verdict::Threshold;
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Setting};

pub use reproduction::reproduce;

use crate::outcome::Outcome;
use article::Article;
use attacks::SCRAMBLING;
use scheme::{MOST_SCHEMES, Scheme};
use scores::Scores;
use unrelated::Unrelated;

/// Maximum number of words of a text; the rest is cut off.
pub const MOST_WORDS: usize = 5_000;
/// Minimum number of words of a text: in shorter texts, one word in ten is next to nothing.
pub const LEAST_WORDS: usize = 20;
/// Maximum number of keys in a run.
const MOST_KEYS: u32 = 100;
/// Maximum number of texts that are attacked, or compared with each other.
const MOST_ARTICLES: usize = 3_000;
/// Maximum number of thresholds in a run.
const MOST_THRESHOLDS: usize = 20;

/// The settings of a measurement.
#[derive(Debug, Clone)]
pub struct Settings {
    /// At least one scheme, with different names.
    pub schemes: Vec<Scheme>,
    /// Number of keys to average over.
    pub n_keys: u32,
    /// Number of texts that are attacked; if there are more, a sample.
    pub n_attacked: usize,
    /// Number of texts whose pairs are all compared; if there are more, a sample.
    pub n_compared: usize,
    /// Share of the shorter text's shingles that the other text must contain for a pair to be related. Related pairs
    /// are not counted as false positives.
    pub related: f64,
    /// Thresholds of S3 to examine, ascending.
    pub thresholds: Vec<f64>,
    /// Minimum number of values in common, in addition to the threshold.
    pub least_common: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings with the standard profile, the paper's and the one for mail, under five keys.
    pub fn standard() -> Settings {
        Settings {
            schemes: scheme::named(),
            n_keys: 5,
            n_attacked: 100,
            n_compared: 1_000,
            related: 0.1,
            thresholds: vec![0.05, 0.08, 0.12, 0.2, 0.3],
            least_common: Threshold::from_profile(&Profile::standard()).n_common,
            seed: 1,
        }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// If a number is out of bounds.
    pub fn check(&self) -> fanmill_text::Result<()> {
        let within = |name, n: usize, least: usize, most: usize| -> fanmill_text::Result<()> {
            if (least..=most).contains(&n) {
                return Ok(());
            }
            let name = Setting(name);
            Err(Error::setting(message![name, " {n} is out of bounds; use {least} to {most}"]))
        };
        within("keys", self.n_keys as usize, 1, MOST_KEYS as usize)?;
        within("documents", self.n_attacked, 1, MOST_ARTICLES)?;
        within("unrelated", self.n_compared, 2, MOST_ARTICLES)?;
        if !(1..=MOST_SCHEMES).contains(&self.schemes.len()) {
            return Err(Error::setting(format!(
                "{} schemes are too many for one table; use up to {MOST_SCHEMES}",
                self.schemes.len()
            )));
        }
        // Tables and legends tell schemes apart by their names.
        let mut names: Vec<&str> = self.schemes.iter().map(|scheme| &*scheme.name).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::setting(format!("scheme `{twice}` is given twice; leave one out")));
        }
        let is_ascending = self.thresholds.is_sorted_by(|a, b| a < b);
        let is_share = |threshold: &f64| *threshold > 0.0 && *threshold <= 1.0;
        let n_is_fine = (1..=MOST_THRESHOLDS).contains(&self.thresholds.len());
        if !(n_is_fine && is_ascending && self.thresholds.iter().all(is_share)) {
            return Err(Error::setting(message![
                Setting("min-score"),
                " takes up to {MOST_THRESHOLDS} different scores above 0 and up to 1, such as 0.1,0.2"
            ]));
        }
        if !(self.related > 0.0 && self.related <= 1.0) {
            return Err(Error::setting(message![
                Setting("related"),
                (
                    " {} is not a share of shingles; use a number above 0 and up to 1, such as 0.1",
                    self.related
                )
            ]));
        }
        Ok(())
    }
}

/// The texts of a collection, or a random sample of them.
#[derive(Debug, Clone)]
pub struct Texts {
    articles: Vec<Article>,
    /// The index of each article among all candidates.
    places: Vec<u64>,
    most: usize,
    random: SplitMix,
    /// Number of texts that the sample is drawn from.
    n_candidates: u64,
    /// Number of texts of [`LEAST_WORDS`] or more; with [`add_plain`](Texts::add_plain), of all texts.
    n_long: u64,
    /// Number of shorter texts.
    n_short: u64,
    /// Number of texts that were cut at [`MOST_WORDS`].
    n_cut: u64,
}

impl Texts {
    /// Creates an empty sample, which will keep at most `most` texts, chosen at random.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn new(most: usize, seed: u64) -> Texts {
        assert!(most > 0, "a sample of nothing");
        let (articles, places, random) = (Vec::new(), Vec::new(), SplitMix::new(mix(seed ^ 1)));
        Texts { articles, places, most, random, n_candidates: 0, n_long: 0, n_short: 0, n_cut: 0 }
    }

    /// Creates an empty sample, which will keep as many texts as an experiment with these settings uses.
    pub fn for_settings(settings: &Settings) -> Texts {
        Texts::new(settings.n_attacked.max(settings.n_compared).max(1), settings.seed)
    }

    /// Adds a document with any bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        // Read one word too many, to see whether there are more.
        let mut article = Article::as_it_stands(bytes, MOST_WORDS + 1);
        if article.n_words() < LEAST_WORDS {
            self.n_short += 1;
            return;
        }
        if article.n_words() > MOST_WORDS {
            self.n_cut += 1;
            article = Article::as_it_stands(bytes, MOST_WORDS);
        }

        self.n_long += 1;
        self.keep(article);
    }

    /// Adds a document with any bytes, for [`reproduce`].
    pub fn add_plain(&mut self, bytes: &[u8]) {
        let article = Article::plain(bytes);
        self.n_long += 1;
        if table2::fits(&article) {
            self.keep(article);
        }
    }

    /// Keeps an article or not, so that all have the same chance (reservoir sampling).
    fn keep(&mut self, article: Article) {
        let place = self.n_candidates;
        self.n_candidates += 1;
        if self.articles.len() < self.most {
            self.articles.push(article);
            self.places.push(place);
            return;
        }
        let slot = self.random.below(self.n_candidates as usize);
        if slot < self.most {
            self.articles[slot] = article;
            self.places[slot] = place;
        }
    }

    /// Returns the articles kept, in the order in which they were added.
    fn in_order(&self) -> Vec<&Article> {
        let mut order: Vec<usize> = (0..self.articles.len()).collect();
        order.sort_unstable_by_key(|&i| self.places[i]);
        order.into_iter().map(|i| &self.articles[i]).collect()
    }
}

/// The measurements, from which tables, figures and findings are made.
#[derive(Debug)]
struct Measured<'a> {
    settings: &'a Settings,
    /// Number of texts that were attacked; `n_compared` is the number of texts whose pairs were compared.
    n_attacked: usize,
    n_compared: usize,
    scores: Scores,
    unrelated: Unrelated,
}

/// Attacks the texts and compares them.
///
/// # Errors
/// If a setting is out of bounds, or fewer than two texts are long enough.
pub fn run(
    texts: &Texts,
    settings: &Settings,
    progress: &dyn Progress,
) -> fanmill_text::Result<Outcome> {
    let measured = measure(texts, &all_attacks(), settings, progress)?.0;
    Ok(Outcome {
        experiment: "attack",
        question: "how much of a disguised text do fingerprints recognise, and how often of an unrelated one?"
            .to_owned(),
        source: "Malkin & Venkatesan, AISW 2005, §3",
        input: summary::input(texts, &measured).into(),
        seed: Some(settings.seed),
        findings: summary::findings(&measured).into_iter().map(Message::from).collect(),
        tables: summary::tables(&measured),
        figures: figures::figures(&measured),
    })
}

/// Attacks a sample of the texts and compares another one; also returns both samples.
fn measure<'a>(
    texts: &'a Texts,
    attacks: &[attacks::Attack],
    settings: &'a Settings,
    progress: &dyn Progress,
) -> fanmill_text::Result<(Measured<'a>, [Vec<&'a Article>; 2])> {
    settings.check()?;
    let articles = texts.in_order();
    if articles.len() < 2 {
        return Err(Error::input(format!(
            "{} texts of {LEAST_WORDS} words or more are too few to attack and to compare; give at least \
             two ({} were shorter)",
            texts.n_long, texts.n_short
        )));
    }
    let attacked = sample(&articles, settings.n_attacked, settings.seed);
    let compared = sample(&articles, settings.n_compared, settings.seed);
    let measured = Measured {
        settings,
        n_attacked: attacked.len(),
        n_compared: compared.len(),
        scores: scores::measure(&attacked, attacks, settings, progress),
        unrelated: unrelated::measure(&compared, settings, progress),
    };
    Ok((measured, [attacked, compared]))
}

/// Returns all attacks, each once.
fn all_attacks() -> Vec<attacks::Attack> {
    let mut all = SCRAMBLING.to_vec();
    for attack in [attacks::strengths(), attacks::rewriting(), attacks::cosmetics()].concat() {
        if !all.contains(&attack) {
            all.push(attack);
        }
    }
    all
}

/// Returns a random sample of `n` articles, in their original order.
fn sample<'a>(articles: &[&'a Article], n: usize, seed: u64) -> Vec<&'a Article> {
    let mut random = SplitMix::new(mix(seed ^ mix(articles.len() as u64)));
    let mut all: Vec<usize> = (0..articles.len()).collect();
    let n = n.min(all.len());
    for i in 0..n {
        let j = i + random.below(all.len() - i);
        all.swap(i, j);
    }
    all.truncate(n);
    all.sort_unstable();
    all.into_iter().map(|i| articles[i]).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fmt::Write;

    use fanmill_text::progress::Silent;

    use super::*;
    use crate::outcome::{Cell, Table};

    /// Returns a made-up text: words of a vocabulary in which the n-th is about 1/n as frequent as the first,
    /// sentences, and lines.
    pub(crate) fn text(seed: u64, n_words: usize) -> String {
        let mut random = SplitMix::new(mix(seed));
        let mut text = String::new();
        for i in 1..=n_words {
            // Uniform in the logarithm, which gives Zipf's law.
            let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let _ = write!(text, "{:x}", mix(20_000_f64.powf(share).floor().to_bits()) >> 44);
            text.push_str(["", ",", ""][i % 3]);
            text.push_str(if i % 17 == 0 { ".\n" } else { " " });
        }
        text
    }

    fn texts(n: u64) -> Texts {
        let mut texts = Texts::new(1000, 1);
        for seed in 0..n {
            texts.add(text(seed, 150 + 20 * (seed as usize % 30)).as_bytes());
        }
        texts
    }

    fn few() -> Settings {
        let schemes = scheme::named().into_iter().take(3).collect();
        Settings { schemes, n_keys: 2, ..Settings::standard() }
    }

    fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Table {
        outcome.tables.iter().find(|table| table.name == name).expect(name)
    }

    fn value(cell: &Cell) -> f64 {
        match cell {
            Cell::Number { value, .. } => *value,
            other => panic!("{other:?} is no number"),
        }
    }

    /// Checks the purpose of sifting: changing every tenth word defeats a sliding window, but hardly any text escapes
    /// the standard profile.
    #[test]
    fn the_bench_shows_the_difference_between_schemes() {
        let outcome = run(&texts(40), &few(), &Silent).expect("texts enough");
        let similarity = table(&outcome, "similarity");
        let mean = |attack: &str, column: usize| {
            let is_it = |row: &&Vec<Cell>| row[0] == Cell::Text(attack.to_owned());
            value(&similarity.rows.iter().find(is_it).expect(attack)[column])
        };
        let [standard, slide, skip] = [1, 2, 3].map(|column| mean("periodic changing", column));
        assert!(
            standard > 0.5 && slide < 0.01 && (0.05..0.2).contains(&skip),
            "{standard} {slide} {skip}"
        );
        for free in ["capitals", "other spaces", "punctuation added", "look-alike letters"] {
            assert!((mean(free, 1) - 1.0).abs() < 1e-9, "{free}");
        }
        assert!(mean("letters spaced out", 1) < 0.05);
        assert!(mean("as much again inserted", 1) > 0.8 && mean("30 % deleted", 1) > 0.8);
        assert!(
            outcome.findings[0].starts_with("standard: threshold 0.12 finds "),
            "{}",
            outcome.findings[0]
        );
        assert!(
            outcome.findings[0].contains("false positives 0 of 1,560 (780 pairs"),
            "{}",
            outcome.findings[0]
        );
        assert!(outcome.findings.iter().any(|finding| finding.contains("letters spaced out")));
    }

    #[test]
    fn an_outcome_is_well_formed_and_the_same_again_at_any_number_of_threads() {
        let texts = texts(12);
        let with_threads = |n| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
            pool.install(|| run(&texts, &few(), &Silent).expect("texts enough"))
        };
        let outcome = with_threads(1);
        assert_eq!(outcome.to_json(), with_threads(3).to_json());
        for table in &outcome.tables {
            assert!(!table.rows.is_empty());
            assert!(
                table.rows.iter().all(|row| row.len() == table.columns.len()),
                "{}",
                table.name
            );
        }
        for figure in &outcome.figures {
            assert!(
                figure.series.iter().all(|series| !series.points.is_empty()),
                "{}",
                figure.name
            );
        }
        let other = run(&texts, &Settings { seed: 2, ..few() }, &Silent).expect("texts enough");
        assert_ne!(other.to_json(), outcome.to_json());
    }

    #[test]
    fn copies_are_not_false_positives() {
        let mut texts = texts(10);
        texts.add(text(3, 200).as_bytes());
        texts.add(text(4, 250).replace("a ", "a so ").as_bytes());
        let outcome = run(&texts, &few(), &Silent).expect("texts enough");
        assert!(outcome.findings.iter().any(|finding| finding.contains("texts 2 were left out")));
        assert!(
            outcome.findings[0].contains("false positives 0 of 128 (64 pairs"),
            "{}",
            outcome.findings[0]
        );
    }

    #[test]
    fn samples_are_drawn_and_reported() {
        let mut texts = texts(30);
        texts.add(b"too short");
        texts.add(text(99, MOST_WORDS + 1000).as_bytes());
        assert_eq!((texts.n_long, texts.n_short, texts.n_cut), (31, 1, 1));
        assert_eq!(texts.articles[30].n_words(), MOST_WORDS);
        let settings = Settings { n_attacked: 5, n_compared: 8, ..few() };
        let outcome = run(&texts, &settings, &Silent).expect("texts enough");
        assert_eq!(
            outcome.input,
            "31 texts, a sample of 5 attacked, all pairs of a sample of 8 compared, 1 others left out that \
             have fewer than 20 words, 1 cut after 5000 words, 2 keys made for measuring, seed 1"
        );
    }

    #[test]
    fn of_many_texts_a_sample_is_kept_in_order() {
        let mut texts = Texts::new(10, 1);
        for seed in 0..200 {
            texts.add(format!("number{seed:03} {}", text(seed, 30)).as_bytes());
        }
        let kept: Vec<&str> =
            texts.in_order().iter().map(|article| article.words()[0].word).collect();
        assert!(kept.len() == 10 && kept.is_sorted_by(|a, b| a < b), "{kept:?}");
        assert!(kept[9] > "number100", "{kept:?}");
        assert_eq!(texts.n_long, 200);
    }

    #[test]
    fn settings_that_cannot_be_measured_are_refused() {
        let error = |texts: &Texts, settings: &Settings| {
            run(texts, settings, &Silent).expect_err("an error").to_string()
        };
        let mut one = Texts::new(10, 1);
        one.add(text(1, 100).as_bytes());
        one.add(b"short");
        assert_eq!(
            error(&one, &few()),
            "1 texts of 20 words or more are too few to attack and to compare; give at least two (1 were \
             shorter)"
        );
        let texts = texts(3);
        for settings in [
            Settings { n_keys: 0, ..few() },
            Settings { n_attacked: 0, ..few() },
            Settings { n_compared: 1, ..few() },
            Settings { thresholds: vec![], ..few() },
            Settings { thresholds: vec![0.2, 0.1], ..few() },
            Settings { thresholds: vec![f64::NAN], ..few() },
            Settings { related: 0.0, ..few() },
            Settings { schemes: vec![], ..few() },
            Settings { schemes: [few().schemes, few().schemes].concat(), ..few() },
        ] {
            error(&texts, &settings);
        }
    }

    /// Tests the plumbing of Table 2 on articles of random words. They repeat themselves less than newswire, so bands
    /// are .03 wider here; a wrong column or attack would still be outside.
    #[test]
    fn table_2_is_done_again_on_made_up_articles() {
        let mut texts = Texts::new(1000, 1);
        for seed in 0..200 {
            texts.add_plain(of_size(seed, 1000 + 25 * seed as usize).as_bytes());
        }
        let outcome = reproduce(&texts, 2, 1, &Silent).expect("articles enough");
        let rows = &table(&outcome, "table2").rows;
        assert_eq!(rows.len(), 64);
        for row in rows {
            for at in [3, 7] {
                let [ours, least, most] = [0, 2, 3].map(|i| value(&row[at + i]));
                assert!((least - 0.03..most + 0.03).contains(&ours), "{row:?}");
            }
        }
        assert!(outcome.findings[0].starts_with("Of 128 numbers in 64 cells "));
        assert!(
            outcome.findings[1].starts_with("Of the paper's own numbers 110 are"),
            "{}",
            outcome.findings[1]
        );
    }

    #[test]
    fn table_2_needs_articles_of_all_sizes() {
        let error = |sizes: &mut dyn Iterator<Item = usize>| {
            let mut texts = Texts::new(1000, 1);
            sizes.for_each(|size| texts.add_plain(of_size(1, size).as_bytes()));
            reproduce(&texts, 1, 1, &Silent).expect_err("an error").to_string()
        };
        assert_eq!(
            error(&mut [1500, 900].into_iter()),
            "Table 2 is about 100 articles of 1 to 6 kB, and 1 of these 2 texts are; give more texts, or \
             measure with these as they are, without the setting `table2`"
        );
        let without = error(&mut (0..110).map(|i| 1000 + 40 * i));
        assert!(without.contains("none of these 110 texts is of 5500 to 5999 bytes; give more"));
    }

    fn of_size(seed: u64, size: usize) -> String {
        let mut text = text(seed, 1500);
        text.truncate(size);
        text
    }
}

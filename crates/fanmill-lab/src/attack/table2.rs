//! The paper's Table 2: our numbers, the paper's, and the bands for a correct implementation.
//!
//! 100 articles, about uniformly distributed in size from 1 to 6 kB, under eight attacks; four ways of forming grams,
//! two of reducing them, two measures: 128 numbers in 64 cells.
//!
//! The bands come from independent implementations run on newswire: a mean, the standard deviation of one run, and the
//! spread between readings of the points that the paper leaves open. A value is inside the band if it is within the
//! spread, three and a half standard deviations and .002.
//!
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §3.4.

use std::ops::Range;
use std::sync::LazyLock;

use fanmill_kernel::hash::mix::SplitMix;
use fanmill_sift::profile::Profile;
use fanmill_sift::sifter::Sifter;
use fanmill_text::message;
use fanmill_text::progress::{Progress, Silent};
use fanmill_text::{Error, Setting};
use rayon::prelude::*;
use serde::Deserialize;

use super::article::{Article, Word, join, pool};
use super::attacks::SCRAMBLING;
use super::keys;

const BANDS: &str = include_str!("../../data/table2_bands.json");

/// The paper's columns: its names, and our names for the families of grams.
pub const COLUMNS: [(&str, &str); 4] = [
    ("Slid", "slide(l=10)"),
    ("Skip", "skip(l=10,p=0.3)"),
    ("Slid+Part", "slide(l=10,b=2)"),
    ("Skip+Part", "skip(l=10,p=0.3,b=2)"),
];
/// The paper's names for the attacks of [`SCRAMBLING`].
pub const NAMES: [&str; SCRAMBLING.len()] = [
    "Intelligent adding",
    "Intelligent deleting",
    "Intelligent changing",
    "Intelligent combination",
    "Random adding",
    "Random deleting",
    "Random changing",
    "Random combination",
];
/// The table's two halves: pure hashing and min-hashing.
pub const HALVES: [(&str, &str); 2] = [("Pure", "mod(s=10)"), ("Min", "min(m=100)")];
/// Number of articles in a sample.
pub const SAMPLE: usize = 100;
/// Number of size classes, from [`SMALLEST`] bytes on.
const CLASSES: usize = 10;
const SMALLEST: usize = 1000;
/// Width of a size class in bytes.
const CLASS: usize = 500;

/// Mean below which only coincidences are left of a fingerprint.
const ALL_BUT_NOTHING: f64 = 0.001;
/// Upper bound for coincidences. They are few and occur together, in repetitive articles, so a standard deviation says
/// little about them; the paper's own are up to .003.
const COINCIDENCES: f64 = 0.005;

/// The printed and the correct values for one attack, half, column and measure.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Band {
    /// The mean of independent implementations, over many runs.
    pub mean: f64,
    #[serde(rename = "sd1")]
    deviation: f64,
    #[serde(rename = "sys")]
    spread: f64,
    /// The paper's printed value.
    pub paper: f64,
}

impl Band {
    /// Returns half the width of the band for a mean of `runs` runs.
    pub fn half(&self, runs: u32) -> f64 {
        let half = self.spread + 3.5 * self.deviation / f64::from(runs).sqrt() + 0.002;
        if self.mean < ALL_BUT_NOTHING { half.max(COINCIDENCES) } else { half }
    }

    /// Returns whether a mean of `runs` runs is inside the band.
    pub fn has(&self, ours: f64, runs: u32) -> bool {
        (ours - self.mean).abs() <= self.half(runs)
    }
}

#[derive(Debug, Deserialize)]
struct Bands {
    cells: Vec<Cell>,
}

/// The bands of one cell of the table.
#[derive(Debug, Deserialize)]
struct Cell {
    sift: String,
    attack: usize,
    method: String,
    #[serde(rename = "S1")]
    s1: Band,
    #[serde(rename = "S3")]
    s3: Band,
}

/// Returns the bands of S1 and S3. `attack` is an index into [`SCRAMBLING`].
///
/// # Panics
/// If the table has no such cell.
pub fn bands(half: &str, attack: usize, column: &str) -> [Band; 2] {
    static CELLS: LazyLock<Vec<Cell>> = LazyLock::new(|| {
        let bands: Bands = serde_json::from_str(BANDS).expect("tests read it");
        bands.cells
    });
    let is_it = |cell: &&Cell| cell.sift == half && cell.attack == attack && cell.method == column;
    let cell = CELLS.iter().find(is_it).expect("a cell for each attack, half and column");
    [cell.s1, cell.s3]
}

/// Returns the best S3 of the paper's columns and halves for an attack.
pub fn paper_best(attack: usize) -> f64 {
    let cells = HALVES.iter().flat_map(|half| COLUMNS.iter().map(move |column| (half.0, column.0)));
    cells.map(|(half, column)| bands(half, attack, column)[1].paper).fold(0.0, f64::max)
}

/// Returns the profile of a half and a column, by their texts in [`HALVES`] and [`COLUMNS`].
///
/// # Panics
/// If they are not among these texts.
pub fn profile(reduction: &str, family: &str) -> Profile {
    let family = family.parse().expect("tests read it");
    Profile::paper(family, reduction.parse().expect("tests read it")).expect("a profile")
}

/// Draws a sample of 100 articles, ten of each size class of half a kilobyte. If a class has fewer, they occur more
/// than once; if it has none, there are fewer articles ([`check`]).
pub fn sample<'a>(articles: &'a [Article], random: &mut SplitMix) -> Vec<&'a Article> {
    let mut sample = Vec::new();
    for class in 0..CLASSES {
        let mut fitting: Vec<&Article> = of_class(articles, class).collect();
        for i in (1..fitting.len()).rev() {
            fitting.swap(i, random.below(i + 1));
        }
        sample.extend(fitting.iter().cycle().take(SAMPLE / CLASSES));
    }
    sample
}

/// Returns whether an article has a size that samples need.
pub fn fits(article: &Article) -> bool {
    (SMALLEST..SMALLEST + CLASSES * CLASS).contains(&article.size()) && article.n_words() > 0
}

fn sizes(class: usize) -> Range<usize> {
    SMALLEST + CLASS * class..SMALLEST + CLASS * (class + 1)
}

fn of_class(articles: &[Article], class: usize) -> impl Iterator<Item = &Article> {
    articles
        .iter()
        .filter(move |article| sizes(class).contains(&article.size()) && article.n_words() > 0)
}

/// Checks that there are enough articles to draw samples from; `n_given` is the number of articles of any size.
///
/// # Errors
/// If fewer than 100 have the right size, or a size class has none.
pub fn check(articles: &[Article], n_given: u64) -> fanmill_text::Result<()> {
    let n_of_class: Vec<usize> =
        (0..CLASSES).map(|class| of_class(articles, class).count()).collect();
    let n: usize = n_of_class.iter().sum();
    let without = Setting("table2");
    let way_out = message!["give more texts, or measure with these as they are, without ", without];
    if n < SAMPLE {
        return Err(Error::input(message![
            "Table 2 is about {SAMPLE} articles of 1 to 6 kB, and {n} of these {n_given} texts are; ",
            way_out
        ]));
    }
    if let Some(class) = n_of_class.iter().position(|&n| n == 0) {
        let sizes = sizes(class);
        return Err(Error::input(message![
            (
                "Table 2 is about articles of all sizes from 1 to 6 kB, and none of these {n_given} texts is of \
                 {} to {} bytes; ",
                sizes.start,
                sizes.end - 1
            ),
            way_out
        ]));
    }
    Ok(())
}

/// Means of S1 and S3 for each of the paper's attacks.
pub type Means = [[f64; 2]; SCRAMBLING.len()];

/// Measures the mean S1 and S3 of a profile for each attack, and the mean number of values in a fingerprint, over
/// `runs` samples of 100 articles, each with its own key.
pub fn measure(articles: &[Article], profile: &Profile, runs: u32, seed: u64) -> (Means, f64) {
    measure_all(articles, std::slice::from_ref(profile), runs, seed, &Silent).remove(0)
}

/// Measures several profiles on the same attacked texts.
pub fn measure_all(
    articles: &[Article],
    profiles: &[Profile],
    runs: u32,
    seed: u64,
    progress: &dyn Progress,
) -> Vec<(Means, f64)> {
    progress.begin("runs", runs.into());
    let of_runs: Vec<Vec<(Means, f64)>> = (0..u64::from(runs))
        .into_par_iter()
        .map(|run| {
            let means = measure_once(articles, profiles, seed, run);
            progress.advance();
            means
        })
        .collect();
    // Runs are added up in their order, so that rounding does not depend on the threads.
    let mean = |profile: usize| {
        let (mut means, mut size) = (Means::default(), 0.0);
        for run in &of_runs {
            for (mean, one) in
                means.as_flattened_mut().iter_mut().zip(run[profile].0.as_flattened())
            {
                *mean += one / f64::from(runs);
            }
            size += run[profile].1 / f64::from(runs);
        }
        (means, size)
    };
    (0..profiles.len()).map(mean).collect()
}

fn measure_once(
    articles: &[Article],
    profiles: &[Profile],
    seed: u64,
    run: u64,
) -> Vec<(Means, f64)> {
    let mut random = keys::numbers(seed, run);
    let key = keys::test_key(seed, run);
    let sifters: Vec<Sifter> = profiles.iter().map(|profile| Sifter::new(profile, &key)).collect();
    let sample = sample(articles, &mut random);
    let pool = pool(&sample);
    let mut sums = vec![(Means::default(), 0.0); profiles.len()];
    for article in &sample {
        // All profiles see the same attacked texts.
        let attacked = attacked(article, &pool, &mut random);
        let original = join(&article.words());
        for (sifter, (means, size)) in sifters.iter().zip(&mut sums) {
            let sifted = sifter.sift(&original);
            *size += sifted.len() as f64;
            for (sums, text) in means.iter_mut().zip(&attacked) {
                let likeness = sifted.likeness(&sifter.sift(text));
                let s1 = likeness.families.iter().filter_map(|overlap| overlap.s1());
                sums[0] += s1.fold(0.0, f64::max);
                sums[1] += likeness.s3().unwrap_or(0.0);
            }
        }
    }
    let n = sample.len().max(1) as f64;
    let mean = |(means, size): (Means, f64)| (means.map(|sums| sums.map(|sum| sum / n)), size / n);
    sums.into_iter().map(mean).collect()
}

/// Returns the eight texts that the paper's attacks make of an article.
fn attacked(article: &Article, pool: &[Word<'_>], random: &mut SplitMix) -> Vec<String> {
    SCRAMBLING.iter().map(|attack| attack.on(article, pool, random)).collect()
}

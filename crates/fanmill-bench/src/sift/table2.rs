//! The paper's Table 2: ours, the paper's, and the band in which a correct implementation lies.
//!
//! The bands were found with independent implementations: a mean, the deviation of one run, and the
//! spread over readings of what the paper leaves open. A value is inside if it is within the spread, three
//! and a half deviations and .002.

use anyhow::{Context, Result};
use fanmill::hash::mix::SplitMix;
use fanmill::sift::profile::Profile;
use fanmill::sift::sifter::Sifter;
use serde_json::Value;

use super::articles::{self, ATTACKS, Article};

const BANDS: &str = include_str!("../../../../testdata/golden/table2_bands.json");

/// The paper's columns: its names, and ours for the family of grams.
pub(crate) const COLUMNS: [(&str, &str); 4] = [
    ("Slid", "slide(l=10)"),
    ("Skip", "skip(l=10,p=0.3)"),
    ("Slid+Part", "slide(l=10,b=2)"),
    ("Skip+Part", "skip(l=10,p=0.3,b=2)"),
];
/// Its two halves.
const HALVES: [(&str, &str); 2] = [("Pure", "mod(s=10)"), ("Min", "min(m=100)")];

/// What the paper printed and what it should be, for one attack, half and column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band {
    mean: f64,
    deviation: f64,
    spread: f64,
    pub(crate) paper: f64,
}

impl Band {
    /// Half of the band's width for a mean of so many runs.
    fn half(self, runs: u32) -> f64 {
        self.spread + 3.5 * self.deviation / f64::from(runs).sqrt() + 0.002
    }
}

/// The bands of S1 and S3.
pub(crate) fn bands(half: &str, attack: usize, column: &str) -> Result<[Band; 2]> {
    let file: Value = serde_json::from_str(BANDS)?;
    let cells = file["cells"].as_array().context("cells")?;
    let is_it = |cell: &&Value| {
        cell["sift"] == half && cell["attack"] == attack && cell["method"] == column
    };
    let cell = cells.iter().find(is_it).context("a cell for each attack, half and column")?;
    let number = |measure: &str, name: &str| cell[measure][name].as_f64().context("a number");
    let band = |measure: &str| -> Result<Band> {
        Ok(Band {
            mean: number(measure, "mean")?,
            deviation: number(measure, "sd1")?,
            spread: number(measure, "sys")?,
            paper: number(measure, "paper")?,
        })
    };
    Ok([band("S1")?, band("S3")?])
}

/// The best of the paper's columns and halves for an attack, by S3.
pub(crate) fn paper_best(attack: usize) -> Result<f64> {
    let mut best: f64 = 0.0;
    for (half, _) in HALVES {
        for (column, _) in COLUMNS {
            best = best.max(bands(half, attack, column)?[1].paper);
        }
    }
    Ok(best)
}

/// Sums of S1 and S3 for each attack.
type Sums = [[f64; 2]; ATTACKS.len()];

/// Mean S1 and S3 of a profile for each attack, over `runs` samples of 100 articles with a key each,
/// and the mean number of values that a fingerprint has.
pub(crate) fn measure(all: &[Article], profile: &Profile, runs: u32) -> (Sums, f64) {
    let (mut sums, mut n_values, mut n) = (Sums::default(), 0, 0.0);
    for run in 0..u64::from(runs) {
        let mut random = SplitMix::new(run << 32);
        let sifter = Sifter::new(profile, &articles::key(run));
        let sample = articles::sample(all, &mut random);
        let pool: Vec<&str> =
            sample.iter().flat_map(|article| article.words.iter().map(String::as_str)).collect();
        for article in &sample {
            let words: Vec<&str> = article.words.iter().map(String::as_str).collect();
            let original = sifter.sift(&words.join(" "));
            n_values += original.len();
            n += 1.0;
            let attacked = articles::attacked(&words, &pool, &mut random);
            for (sums, text) in sums.iter_mut().zip(attacked) {
                let likeness = original.likeness(&sifter.sift(&text));
                let s1 = likeness.families.iter().filter_map(|overlap| overlap.s1());
                sums[0] += s1.fold(0.0, f64::max);
                sums[1] += likeness.s3().unwrap_or(0.0);
            }
        }
    }
    (sums.map(|sums| sums.map(|sum| sum / n)), n_values as f64 / n)
}

/// Prints all 64 cells, of two numbers each.
pub(crate) fn print(all: &[Article], runs: u32) -> Result<()> {
    println!(
        "Table 2: mean of {runs} runs; the paper's; the band of one run; `!` outside of it, `*` outside of \
         the band of {runs}"
    );
    let (mut n_outside, mut n_outside_of_runs) = (0, 0);
    for (half, reduction) in HALVES {
        for (column, family) in COLUMNS {
            let profile = Profile::paper(family.parse()?, reduction.parse()?)?;
            let (means, size) = measure(all, &profile, runs);
            println!("{half} {column}: {family}, {reduction}, {size:.1} values");
            for (attack, name) in ATTACKS.iter().enumerate() {
                let bands = bands(half, attack, column)?;
                print!("  {name:<24}");
                for (measure, (band, ours)) in bands.iter().zip(means[attack]).enumerate() {
                    let off = (ours - band.mean).abs();
                    let (one, many) = (off > band.half(1), off > band.half(runs));
                    (n_outside, n_outside_of_runs) =
                        (n_outside + u32::from(one), n_outside_of_runs + u32::from(many));
                    print!(
                        " {} {ours:.3} ({:.3}) {:.3}–{:.3}{}",
                        ["S1", " S3"][measure],
                        band.paper,
                        (band.mean - band.half(1)).max(0.0),
                        band.mean + band.half(1),
                        if one {
                            "!"
                        } else if many {
                            "*"
                        } else {
                            " "
                        },
                    );
                }
                println!();
            }
        }
    }
    println!(
        "of 128 numbers in 64 cells, {n_outside} are outside of one run's band, {n_outside_of_runs} \
         outside of that of {runs} runs\n"
    );
    Ok(())
}

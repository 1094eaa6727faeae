//! Articles with half of their words replaced, deleted or swapped, found again among others.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fanmill::pipeline::Config;
use fanmill_text::document::{Corpus, Role};

/// Number of articles that are changed, out of all that are compared.
const CHANGED: usize = 60;

/// The change made to half of the words.
#[derive(Debug, Clone, Copy)]
enum Change {
    Replace,
    Delete,
    Swap,
}

/// Prints the number of changed articles listed with their originals, and with others.
pub(super) fn run(folder: &Path, config: &Config) -> Result<()> {
    let articles = read(folder)?;
    let n_pairs = articles.len() * (articles.len() - 1) / 2;
    let listed = super::report(Corpus::from_texts(articles.iter().cloned())?, config)?.pairs.len();
    println!("\n{} articles as they are: {listed} of {n_pairs} pairs are listed", articles.len());
    println!("\n{CHANGED} of {} articles with half of their words", articles.len());
    println!("{:<12} {:>8} {:>12}", "", "found", "with others");
    for change in [Change::Replace, Change::Delete, Change::Swap] {
        let mut random = Random(2003);
        let changed = articles.iter().take(CHANGED);
        let changed = changed.map(|(name, text)| {
            let donor = &articles[CHANGED + random.below(articles.len() - CHANGED)].1;
            (format!("changed-{name}"), changed_text(text, donor, change, &mut random))
        });
        let mut corpus = Corpus::from_texts(changed.chain(articles.iter().cloned()))?;
        for submission in &mut corpus.submissions {
            if !submission.name.starts_with("changed-") {
                submission.role = Role::Archive;
            }
        }
        corpus.submissions.sort_by(|x, y| (x.role, &x.name).cmp(&(y.role, &y.name)));
        let report = super::report(corpus, config)?;
        let name = |number: u32| report.submissions[number as usize].name.as_str();
        let is_new = |number: u32| report.submissions[number as usize].role == Role::New;
        // Only pairs of a changed article with one as it is count; the other pairs were counted above.
        let of_both = report.pairs.iter().filter(|pair| is_new(pair.a) != is_new(pair.b));
        let (own, others): (Vec<_>, Vec<_>) = of_both.partition(|pair| {
            let strip = |number| name(number).trim_start_matches("changed-");
            strip(pair.a) == strip(pair.b)
        });
        let label = format!("{change:?}").to_lowercase();
        println!("{label:<12} {:>8} {:>12}", own.len(), others.len());
    }
    Ok(())
}

/// Returns names and texts, by name.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, String)>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))?;
    let mut articles = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        articles
            .push((format!("{name}.txt"), String::from_utf8_lossy(&fs::read(&path)?).into_owned()));
    }
    articles.sort();
    ensure!(
        articles.len() > CHANGED,
        "{} articles; more than {CHANGED} are needed",
        articles.len()
    );
    Ok(articles)
}

/// Returns a text with half of its words, chosen at random, changed. Replacements come from random places of the
/// `donor`; a swapped word changes places with the next one.
fn changed_text(text: &str, donor: &str, change: Change, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let donor: Vec<&str> = donor.split_whitespace().collect();
    match change {
        Change::Replace => {
            for word in &mut words {
                if random.below(2) == 0 {
                    *word = donor[random.below(donor.len())];
                }
            }
        }
        Change::Delete => words.retain(|_| random.below(2) == 0),
        Change::Swap => {
            // Swapping a quarter of the neighbouring pairs affects half of the words.
            for at in 1..words.len() {
                if random.below(4) == 0 {
                    words.swap(at - 1, at);
                }
            }
        }
    }
    words.join(" ")
}

/// A generator of numbers that look random and are reproducible: SplitMix64 (Steele, Lea & Flood, 2014).
#[derive(Debug)]
struct Random(u64);

impl Random {
    /// Returns a number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }
}

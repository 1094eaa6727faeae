//! Articles as lists of words, samples of them, and what attackers make of them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fanmill::hash::mix::SplitMix;
use fanmill::sift::attack::{self, Suite, below};
use fanmill::sift::canonical::paper_words;
use fanmill::sift::key::Key;

/// One article.
#[derive(Debug)]
pub(crate) struct Article {
    /// In bytes, as it was read.
    pub(crate) size: usize,
    pub(crate) words: Vec<String>,
}

/// All texts of a folder, by name.
pub(crate) fn read(folder: &Path) -> Result<Vec<Article>> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    let article = |path: &Path| -> Result<Article> {
        let bytes = fs::read(path)?;
        let mut words = Vec::new();
        paper_words(&String::from_utf8_lossy(&bytes), |word, _| words.push(word.to_owned()));
        Ok(Article { size: bytes.len(), words })
    };
    let articles = paths.iter().map(|path| article(path)).collect::<Result<Vec<_>>>()?;
    ensure!(articles.len() >= 100, "{} articles; the paper has 100", articles.len());
    Ok(articles)
}

/// 100 articles, about uniformly distributed in size from 1 to 6 kB, as the paper has them: ten of
/// each half kilobyte. Where fewer are that large, they come more than once.
pub(crate) fn sample<'a>(articles: &'a [Article], random: &mut SplitMix) -> Vec<&'a Article> {
    let mut sample = Vec::new();
    for step in 0..10 {
        let sizes = 1000 + 500 * step..1500 + 500 * step;
        let mut fitting: Vec<&Article> =
            articles.iter().filter(|article| sizes.contains(&article.size)).collect();
        for i in (1..fitting.len()).rev() {
            fitting.swap(i, below(random, i + 1));
        }
        sample.extend(fitting.iter().cycle().take(10));
    }
    sample
}

/// A key for a number. A real one comes from the operating system.
pub(crate) fn key(number: u64) -> Key {
    let mut numbers = SplitMix::new(number);
    Key::new(std::array::from_fn(|_| numbers.draw() as u8)).expect("not all equal")
}

/// The names of the paper's eight attacks, in its order.
pub(crate) const ATTACKS: [&str; 8] = [
    "Intelligent adding",
    "Intelligent deleting",
    "Intelligent changing",
    "Intelligent combination",
    "Random adding",
    "Random deleting",
    "Random changing",
    "Random combination",
];

/// A text under the paper's eight attacks. New words are random ones of `pool`, so that a word is as
/// likely as it is frequent.
pub(crate) fn attacked(words: &[&str], pool: &[&str], random: &mut SplitMix) -> Vec<String> {
    let mut attacked = Vec::new();
    for suite in Suite::ALL {
        attacked
            .push(attack::periodic(words, suite, 10, |_, old| fresh(pool, old, random)).join(" "));
    }
    for suite in Suite::ALL {
        let n_edits = attack::as_many_as_periodic(words.len(), suite);
        let seed = random.draw();
        let text =
            attack::scattered(words, suite, n_edits, seed, |_, old| fresh(pool, old, random));
        attacked.push(text.join(" "));
    }
    attacked
}

/// A random word that is not the old one.
pub(crate) fn fresh<'a>(pool: &[&'a str], old: Option<&str>, random: &mut SplitMix) -> &'a str {
    loop {
        let word = pool[below(random, pool.len())];
        if Some(word) != old {
            return word;
        }
    }
}

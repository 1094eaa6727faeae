//! A thesis with planted passages: runs as long as the guarantee, and longer ones with every fifth word changed.
//!
//! No [`WINDOW`] words of a planted run occur in another text, so each has one source. Menus of pages, licences and the
//! like have many, and a source can be right that is not the planted one.

use std::collections::HashMap;
use std::ops::Range;

use anyhow::{Result, ensure};
use fanmill_kernel::hash::mix::mix;
use xxhash_rust::xxh3::xxh3_64;

use super::made::Corpus;

/// The guarantee, in words.
const GUARANTEE: usize = 12;
/// Number of words in a rewritten passage, and the distance of the words in it that are changed.
const REWRITTEN: usize = 60;
const CHANGED: usize = 5;
/// Number of words in a row that only one text may have.
const WINDOW: usize = 6;

/// A text with passages of the library.
#[derive(Debug)]
pub(super) struct Thesis {
    pub(super) text: String,
    pub(super) planted: Vec<Planted>,
}

/// A passage, and where it is from.
#[derive(Debug)]
pub(super) struct Planted {
    /// The name of the document that it is from.
    pub(super) source: String,
    /// Its bytes in the thesis.
    pub(super) bytes: Range<usize>,
    pub(super) is_rewritten: bool,
}

impl Thesis {
    /// Makes a thesis of `n_words` words, with `n` passages of each kind from as many documents of a corpus.
    pub(super) fn plant(corpus: &Corpus, n_words: usize, n: usize) -> Result<Thesis> {
        let mut words = corpus.others.iter().flat_map(|text| text.split_whitespace()).cycle();
        let step = corpus.library.len() / (2 * n).max(1);
        ensure!(step > 0, "the corpus has fewer documents than passages are planted");
        let candidates: Vec<Vec<Run<'_>>> = (0..2 * n)
            .map(|number| {
                let from = corpus.library.iter().skip(number * step).take(step);
                from.filter_map(|(id, text)| Run::from_middle(id, text, length(number))).collect()
            })
            .collect();
        let known = corpus.count(candidates.iter().flatten());
        let mut thesis = Thesis { text: String::new(), planted: Vec::new() };
        for (number, candidates) in candidates.iter().enumerate() {
            for word in words.by_ref().take(n_words / (2 * n)) {
                thesis.push(word);
            }
            let is_only =
                |run: &&Run<'_>| run.windows().all(|window| known.get(&window) == Some(&1));
            let Some(Run { source, words: run }) = candidates.iter().find(is_only) else {
                continue;
            };
            let is_rewritten = is_rewritten(number);
            let start = thesis.text.len() + 1;
            for (i, word) in run.iter().enumerate() {
                let is_changed = is_rewritten && i % CHANGED == CHANGED - 1;
                thesis.push(if is_changed {
                    corpus.other_word(mix(start as u64 + i as u64))
                } else {
                    word
                });
            }
            let bytes = start..thesis.text.len();
            thesis.planted.push(Planted { source: format!("/{source}"), bytes, is_rewritten });
        }
        Ok(thesis)
    }

    fn push(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(word);
    }
}

impl Corpus {
    /// Returns some word of the texts that are not in the library.
    fn other_word(&self, number: u64) -> &str {
        let text = &self.others[(number % self.others.len() as u64) as usize];
        text.split_whitespace().nth((number >> 32) as usize % 40).unwrap_or("otherwise")
    }
}

/// Returns whether the planted passage of a number is a rewritten one.
fn is_rewritten(number: usize) -> bool {
    number % 2 == 1
}

/// Returns the words of the planted passage of a number.
fn length(number: usize) -> usize {
    if is_rewritten(number) { REWRITTEN } else { GUARANTEE }
}

/// Words in a row of a text of the library.
struct Run<'t> {
    source: &'t str,
    words: Vec<&'t str>,
}

impl<'t> Run<'t> {
    /// Takes words from the middle of a text that are letters, with a mark behind them at most, so that each is one token.
    fn from_middle(source: &'t str, text: &'t str, length: usize) -> Option<Run<'t>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_plain = |word: &&str| {
            let letters = word.strip_suffix([',', '.', ';', ':']).unwrap_or(word);
            !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        };
        let windows = words.windows(length).enumerate().skip(words.len() / 3);
        let run = windows.map(|(_, own)| own).find(|own| own.iter().all(is_plain))?;
        Some(Run { source, words: run.to_vec() })
    }

    fn windows(&self) -> impl Iterator<Item = u64> {
        self.words.windows(WINDOW).map(hash)
    }
}

fn hash(words: &[&str]) -> u64 {
    xxh3_64(words.join(" ").as_bytes())
}

impl Corpus {
    /// Counts the texts that have each window of some runs, by its hash.
    fn count<'r>(&self, runs: impl Iterator<Item = &'r Run<'r>>) -> HashMap<u64, usize> {
        let mut known: HashMap<u64, usize> =
            runs.flat_map(|run| run.windows().collect::<Vec<_>>()).map(|hash| (hash, 0)).collect();
        for text in self.library.iter().map(|(_, text)| text).chain(&self.others) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let mut own: Vec<u64> = words.windows(WINDOW).map(hash).collect();
            own.sort_unstable();
            own.dedup();
            for hash in own {
                if let Some(n) = known.get_mut(&hash) {
                    *n += 1;
                }
            }
        }
        known
    }
}

//! A thesis with planted passages: runs as long as the guarantee, and longer ones with every fifth word changed.

use std::ops::Range;

use anyhow::{Result, ensure};
use fanmill_kernel::hash::mix::mix;

use super::made::Corpus;

/// The guarantee, in words.
const GUARANTEE: usize = 12;
/// Number of words in a rewritten passage, and the distance of the words in it that are changed.
const REWRITTEN: usize = 60;
const CHANGED: usize = 5;

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
        let mut thesis = Thesis { text: String::new(), planted: Vec::new() };
        for number in 0..2 * n {
            for word in words.by_ref().take(n_words / (2 * n)) {
                thesis.push(word);
            }
            let is_rewritten = number % 2 == 1;
            let length = if is_rewritten { REWRITTEN } else { GUARANTEE };
            // The first document from some place on that has a long enough run of plain words.
            let mut from = corpus.library.iter().cycle().skip(number * step).take(step);
            let found = from.find_map(|(id, text)| Some((id, run(text, length)?)));
            let Some((id, run)) = found else { continue };
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
            thesis.planted.push(Planted { source: format!("/{id}"), bytes, is_rewritten });
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

/// Returns words from the middle of a text that are letters only, so that each is one token.
fn run(text: &str, length: usize) -> Option<Vec<&str>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let windows = words.windows(length).enumerate().skip(words.len() / 3);
    windows.map(|(_, own)| own).find(|own| own.iter().all(is_plain)).map(<[&str]>::to_vec)
}

//! Libraries made of a corpus: its texts, and as many variants of them as a size needs.
//!
//! In a variant, words are shuffled within stretches of [`WINDOW`]: it has the vocabulary of the text, and no passage.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fanmill_kernel::hash::mix::mix;
use serde_json::json;

/// Number of words that are shuffled together.
const WINDOW: usize = 12;
/// One document in this many is not in the library: theses and essays are made of these.
const EVERY: usize = 20;

/// The texts of a corpus.
#[derive(Debug)]
pub(super) struct Corpus {
    /// Names and texts of what libraries hold.
    pub(super) library: Vec<(String, String)>,
    /// Texts that others are made from.
    pub(super) others: Vec<String>,
}

/// A library that was made.
#[derive(Debug)]
pub(super) struct MadeLibrary {
    pub(super) n_documents: usize,
    /// Number of documents with shuffled words among these.
    pub(super) n_variants: usize,
}

impl Corpus {
    /// Reads records with `id` and `text`, packed by Zstandard.
    pub(super) fn read(path: &Path) -> Result<Corpus> {
        let packed = File::open(path).with_context(|| {
            format!("could not open `{}`; --data names the folder that holds text/", path.display())
        })?;
        let mut corpus = Corpus { library: Vec::new(), others: Vec::new() };
        for (i, line) in std::io::read_to_string(zstd::Decoder::new(packed)?)?.lines().enumerate() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let (id, text) = (record["id"].as_str(), record["text"].as_str());
            let (id, text) = id.zip(text).context("a record without `id` or `text`")?;
            if i % EVERY == 0 {
                corpus.others.push(text.to_owned());
            } else {
                corpus.library.push((id.to_owned(), text.to_owned()));
            }
        }
        ensure!(!corpus.library.is_empty(), "`{}` has no records", path.display());
        Ok(corpus)
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.library.iter().map(|(_, text)| text.len() as u64).sum()
    }

    /// Writes a library of some bytes of text as JSONL: the texts, then variants of them.
    pub(super) fn write(&self, path: &Path, n_bytes: u64) -> Result<MadeLibrary> {
        let mut out = BufWriter::new(File::create(path)?);
        let mut made = MadeLibrary { n_documents: 0, n_variants: 0 };
        let mut written = 0;
        for round in 0_u64.. {
            for (number, (id, text)) in (0_u64..).zip(&self.library) {
                if written >= n_bytes {
                    out.flush()?;
                    return Ok(made);
                }
                let (id, text) = match round {
                    0 => (id.clone(), text.clone()),
                    _ => (
                        format!("{id}-shuffled-{round}"),
                        shuffled(text, mix(round << 32 | number)),
                    ),
                };
                let url = format!("https://library.example/{id}");
                let record = json!({
                    "id": id, "url": url, "title": id, "licence": "CC BY-SA 4.0", "language": "en", "text": text,
                });
                serde_json::to_writer(&mut out, &record)?;
                out.write_all(b"\n")?;
                written += text.len() as u64;
                made.n_documents += 1;
                made.n_variants += usize::from(round > 0);
            }
        }
        Ok(made)
    }
}

/// Shuffles the words of a text within stretches; lines and blanks become single blanks.
fn shuffled(text: &str, seed: u64) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut state = seed;
    for stretch in words.chunks_mut(WINDOW) {
        for i in (1..stretch.len()).rev() {
            state = mix(state.wrapping_add(1));
            stretch.swap(i, (state % (i as u64 + 1)) as usize);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_has_the_words_and_not_their_order() {
        let text: Vec<String> = (0..100).map(|i| format!("w{i}")).collect();
        let (one, other) = (shuffled(&text.join(" "), 1), shuffled(&text.join(" "), 2));
        assert_ne!(one, other);
        let mut words: Vec<&str> = one.split(' ').collect();
        let n_kept = words.windows(3).filter(|own| {
            let number = |word: &str| word[1..].parse::<u32>().expect("a number");
            number(own[1]) == number(own[0]) + 1 && number(own[2]) == number(own[1]) + 1
        });
        assert!(n_kept.count() < 10);
        words.sort_unstable();
        let mut expected: Vec<&str> = text.iter().map(String::as_str).collect();
        expected.sort_unstable();
        assert_eq!(words, expected);
    }
}

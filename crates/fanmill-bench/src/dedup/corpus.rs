//! The corpus with its ground truth: every pair with a resemblance of .5 or more.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

use anyhow::{Context, Result};
use fanmill_sketch::lsh::verify;
use fanmill_sketch::shingle::{self, DEFAULT_WORDS, ShortDocuments};
use fanmill_text::frontend::runs;

/// The threshold of the job.
pub(super) const THRESHOLD: f64 = 0.8;
/// The rounding error of the ground truth, which has four decimals.
const ROUNDING: f64 = 0.000_05;

/// Documents in order, with the true pairs.
pub(super) struct Corpus {
    pub(super) ids: Vec<String>,
    pub(super) texts: Vec<String>,
    /// For each document, the first one with the same text.
    pub(super) first_of: Vec<u32>,
    /// True pairs with their resemblance, lower document first. Their words are the matches of Python's `\w+` in lower
    /// case.
    pub(super) truth: BTreeMap<(u32, u32), f64>,
    places: BTreeMap<String, u32>,
}

impl Corpus {
    /// Reads the corpus in `folder`, and writes it unpacked to `plain`.
    pub(super) fn read(folder: &Path, plain: &Path) -> Result<Corpus> {
        let path = folder.join("corpus.jsonl.zst");
        let packed = File::open(&path).with_context(|| {
            format!("could not open `{}`; --data names the folder that holds text/", path.display())
        })?;
        io::copy(&mut zstd::Decoder::new(packed)?, &mut BufWriter::new(File::create(plain)?))?;
        let mut corpus = Corpus {
            ids: Vec::new(),
            texts: Vec::new(),
            first_of: Vec::new(),
            truth: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        let mut first: BTreeMap<String, u32> = BTreeMap::new();
        for line in fs::read_to_string(plain)?.lines() {
            let record: serde_json::Value = serde_json::from_str(line)?;
            let (id, text) = (record["id"].as_str(), record["text"].as_str());
            let (id, text) = id.zip(text).context("a record without `id` or `text`")?;
            let place = corpus.ids.len() as u32;
            corpus.first_of.push(*first.entry(text.to_owned()).or_insert(place));
            corpus.places.insert(id.to_owned(), place);
            corpus.ids.push(id.to_owned());
            corpus.texts.push(text.to_owned());
        }
        corpus.read_truth(&folder.join("corpus.pairs.csv.zst"))?;
        Ok(corpus)
    }

    fn read_truth(&mut self, path: &Path) -> Result<()> {
        let file = File::open(path).with_context(|| format!("no `{}`", path.display()))?;
        let mut rows = csv::Reader::from_reader(BufReader::new(zstd::Decoder::new(file)?));
        for row in rows.records() {
            let row = row?;
            let pair = ordered(self.place(&row[0])?, self.place(&row[1])?);
            self.truth.insert(pair, row[2].parse()?);
        }
        Ok(())
    }

    /// Returns the index of a document.
    pub(super) fn place(&self, id: &str) -> Result<u32> {
        self.places.get(id).copied().with_context(|| format!("no document `{id}`"))
    }

    /// Returns the number of bytes of text.
    pub(super) fn n_bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }

    /// Returns the pairs that reach the threshold.
    pub(super) fn true_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let reach = self.truth.iter().filter(|(_, resemblance)| reaches(**resemblance));
        reach.map(|(&pair, _)| pair)
    }

    /// Returns a document's set of shingles, made in the same way as in the job.
    pub(super) fn set(&self, document: u32) -> Vec<u64> {
        let mut words = Vec::new();
        runs::word_hashes(&self.texts[document as usize], &mut words);
        shingle::set(&words, DEFAULT_WORDS, ShortDocuments::Whole)
    }

    /// Returns the resemblance of two documents by the job's shingles.
    pub(super) fn resemblance(&self, (a, b): (u32, u32)) -> f64 {
        verify::resemblance(&self.set(a), &self.set(b)).unwrap_or(0.0)
    }
}

/// Returns whether a true resemblance reaches the threshold, allowing for rounding.
pub(super) fn reaches(resemblance: f64) -> bool {
    resemblance >= THRESHOLD - ROUNDING
}

/// Returns the pair with the lower document first.
pub(super) fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

//! From a text to what is stored of it: words, shingles, keys.
//!
//! Keys come from shingles whose hashes never change: which documents become candidates depends on the order of
//! these hashes, and must not differ from run to run. Documents are compared by shingles of words hashed under the
//! run's own key, so that nobody can make different words count as common ones.

use std::fmt;

use fanmill::frontend::runs::{self, WordKey};
use fanmill::lsh::bands::Bands;
use fanmill::lsh::tuning;
use fanmill::sketch::bytes::BYTES;
use fanmill::sketch::shingle::{self, Short};
use fanmill::sketch::{Sketch, Sketcher};
use fanmill::{Error, Result};

use super::settings::{Search, Settings};

/// How the texts of a run become sets of shingles, and these keys.
#[derive(Debug)]
pub(super) struct Recipe {
    words: usize,
    is_weighted: bool,
    keys: Option<Keys>,
}

/// How a set becomes keys, of which near-duplicates share enough.
#[derive(Debug)]
struct Keys {
    sketcher: Sketcher,
    /// How many keys there are, and how many must agree. Of a sketch that is not aligned each sample
    /// is a key in the one band that there is.
    bands: Bands,
}

/// What a thread needs again for each document.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    words: Vec<u64>,
    keyed: Vec<[u64; 1]>,
    shingles: Vec<u64>,
    row: Vec<u64>,
    pub(super) keys: Vec<u64>,
}

impl Scratch {
    /// Without a document.
    fn clear(&mut self) {
        let parts = [&mut self.words, &mut self.shingles, &mut self.row, &mut self.keys];
        parts.into_iter().for_each(Vec::clear);
        self.keyed.clear();
    }

    /// The words of the text that it was used for last.
    pub(super) fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Bytes of memory that it holds.
    pub(super) fn n_bytes(&self) -> usize {
        let parts = [&self.words, &self.shingles, &self.row, &self.keys];
        let n_numbers: usize = parts.iter().map(|part| part.capacity()).sum();
        (n_numbers + self.keyed.capacity()) * size_of::<u64>()
    }
}

impl Recipe {
    /// The recipe that the settings ask for.
    ///
    /// # Errors
    /// If no bands of the sketch reach the wanted recall.
    pub(super) fn new(settings: &Settings) -> Result<Recipe> {
        let keys = match settings.search {
            _ if settings.measure.is_containment() => None,
            Search::Exact => None,
            Search::Sketches { sketch, recall } => {
                Some(Keys::new(sketch, settings.measure.threshold().value(), recall)?)
            }
        };
        Ok(Recipe { words: settings.words, is_weighted: settings.is_weighted, keys })
    }

    /// The bands that keys are for; `None` if pairs are found without keys.
    pub(super) fn bands(&self) -> Option<Bands> {
        self.keys.as_ref().map(|keys| keys.bands)
    }

    /// The sketch that keys are made of.
    pub(super) fn sketch(&self) -> Option<Sketch> {
        self.keys.as_ref().map(|keys| keys.sketcher.sketch())
    }

    /// Puts the keys of a text into the scratch; none for a text without words.
    pub(super) fn read(&self, text: &str, scratch: &mut Scratch) {
        scratch.clear();
        runs::word_hashes(text, &mut scratch.words);
        if let Some(recipe) = &self.keys
            && !scratch.words.is_empty()
        {
            self.shingles(&scratch.words, &mut scratch.shingles);
            recipe.sketcher.append(&scratch.shingles, &mut scratch.row);
            recipe.append(&scratch.row, &mut scratch.keys);
        }
    }

    /// The set of a text: different shingles of words under `key`, ascending.
    pub(super) fn set(&self, text: &str, key: &WordKey<1>, scratch: &mut Scratch) -> Vec<u64> {
        scratch.clear();
        runs::keyed_word_hashes(text, key, &mut scratch.keyed);
        self.shingles(scratch.keyed.as_flattened(), &mut scratch.shingles);
        let n = shingle::normalise_in(&mut scratch.shingles, &mut scratch.row);
        scratch.shingles[..n].to_vec()
    }

    /// Puts the shingles of words into an empty vector: in document order and with repetitions, or, if they
    /// are weighted, each occurrence as a member of its own.
    fn shingles(&self, words: &[u64], shingles: &mut Vec<u64>) {
        if self.is_weighted {
            *shingles = shingle::labelled(&shingle::counts(words, self.words, Short::Whole));
        } else {
            shingle::bag(words, self.words, Short::Whole, shingles);
        }
    }
}

impl Keys {
    fn new(sketch: Sketch, threshold: f64, recall: f64) -> Result<Keys> {
        let sketcher = sketch.sketcher()?;
        let bands = match sketch {
            Sketch::FastSimilarity { t } | Sketch::Permutations { t } | Sketch::LeadByte { t } => {
                if threshold >= 1.0 {
                    return Err(Error::setting(
                        "threshold 1 cannot be met by bands; use --exact, or a threshold below 1",
                    ));
                }
                tuning::choose(t, threshold, recall, 1)?
            }
            Sketch::Classic(classic) => Bands::classic(classic),
            Sketch::Bytes(bytes) => Bands::new(BYTES as u32, 1, bytes.needed() as u32)?,
            Sketch::BottomT { .. } | Sketch::ModM { .. } => Bands::new(1, 1, 1)?,
        };
        Ok(Keys { sketcher, bands })
    }

    /// Appends the keys of a row.
    fn append(&self, row: &[u64], keys: &mut Vec<u64>) {
        match self.sketcher.sketch() {
            Sketch::Classic(_) | Sketch::BottomT { .. } | Sketch::ModM { .. } => {
                keys.extend_from_slice(row);
            }
            Sketch::Bytes(_) => keys.extend(row[0].to_le_bytes().map(u64::from)),
            _ => self.bands.keys(row, keys),
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "corpus:runs@1/k={}", self.words)?;
        if self.is_weighted {
            write!(f, "/weighted")?;
        }
        match &self.keys {
            None => write!(f, "/rarest"),
            Some(keys) => write!(f, "/{}/{}", keys.sketcher.sketch(), keys.bands),
        }
    }
}

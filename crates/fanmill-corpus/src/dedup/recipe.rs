//! From a text to what is stored of it: words, shingles, keys.

use std::fmt;

use fanmill::frontend::runs;
use fanmill::hash::mix::mix;
use fanmill::lsh::bands::Bands;
use fanmill::lsh::tuning;
use fanmill::sketch::registers::EMPTY;
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
    /// Of sketches that can be cut.
    bands: Option<Bands>,
    /// Keys that must agree.
    needed: u32,
}

/// What a thread needs again for each document.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    words: Vec<u64>,
    pub(super) shingles: Vec<u64>,
    row: Vec<u64>,
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

    /// Keys that two documents must share to become candidates; `None` where there are none.
    pub(super) fn needed(&self) -> Option<u32> {
        self.keys.as_ref().map(|keys| keys.needed)
    }

    /// The bands, if the sketch is cut into such.
    pub(super) fn bands(&self) -> Option<Bands> {
        self.keys.as_ref().and_then(|keys| keys.bands)
    }

    /// Puts the shingles of a text into the scratch: in document order and with repetitions, or, if
    /// they are weighted, each occurrence as a member of its own.
    pub(super) fn shingles(&self, text: &str, scratch: &mut Scratch) {
        scratch.words.clear();
        scratch.shingles.clear();
        runs::word_hashes(text, &mut scratch.words);
        if self.is_weighted {
            let counts = shingle::counts(&scratch.words, self.words, Short::Whole);
            scratch.shingles = shingle::labelled(&counts);
        } else {
            shingle::bag(&scratch.words, self.words, Short::Whole, &mut scratch.shingles);
        }
    }

    /// The set of a text: different shingles, ascending.
    pub(super) fn set(&self, text: &str, scratch: &mut Scratch) -> Vec<u64> {
        self.shingles(text, scratch);
        shingle::normalise(&mut scratch.shingles);
        scratch.shingles.clone()
    }

    /// Appends the keys of the shingles in the scratch; none for the empty set.
    pub(super) fn append_keys(&self, scratch: &mut Scratch, keys: &mut Vec<u64>) {
        if let Some(recipe) = &self.keys
            && !scratch.shingles.is_empty()
        {
            scratch.row.clear();
            recipe.sketcher.append(&scratch.shingles, &mut scratch.row);
            recipe.append(&scratch.row, keys);
        }
    }
}

impl Keys {
    fn new(sketch: Sketch, threshold: f64, recall: f64) -> Result<Keys> {
        let sketcher = sketch.sketcher()?;
        let (bands, needed) = match sketch {
            Sketch::FastSimilarity { t }
            | Sketch::Permutations { t }
            | Sketch::LeadByte { t } => {
                if threshold >= 1.0 {
                    return Err(Error::setting(
                        "threshold 1 needs no sketches; use --exact, or a threshold below 1",
                    ));
                }
                let bands = tuning::choose(t, threshold, recall, 1)?;
                (Some(bands), bands.needed())
            }
            Sketch::Classic(classic) => (None, classic.needed()),
            Sketch::Bytes(bytes) => (None, bytes.needed()),
            Sketch::BottomT { .. } | Sketch::ModM { .. } => (None, 1),
        };
        Ok(Keys { sketcher, bands, needed: needed as u32 })
    }

    /// Appends the keys of a row. Keys that say in which place they must agree are mixed with it.
    fn append(&self, row: &[u64], keys: &mut Vec<u64>) {
        let start = keys.len();
        match self.sketcher.sketch() {
            Sketch::BottomT { .. } | Sketch::ModM { .. } => return keys.extend_from_slice(row),
            Sketch::Bytes(_) => keys.extend(row[0].to_le_bytes().map(u64::from)),
            _ => match self.bands {
                Some(bands) => bands.keys(row, keys),
                None => keys.extend_from_slice(row),
            },
        }
        for (place, key) in (0..).zip(&mut keys[start..]) {
            *key = mix(*key ^ mix(place)).min(EMPTY - 1);
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
            Some(keys) => {
                write!(f, "/{}", keys.sketcher.sketch())?;
                match keys.bands {
                    Some(bands) => write!(f, "/{bands}"),
                    None => Ok(()),
                }
            }
        }
    }
}

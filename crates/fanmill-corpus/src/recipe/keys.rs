//! The keys of a recipe: which sketch is made of a set, and in which bands its registers become keys.

use fanmill_sketch::bytes::BYTES;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_sketch::lsh::tuning;
use fanmill_sketch::{Sketch, Sketcher};
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};

use super::Scratch;

/// The way a set becomes keys. Near-duplicates share enough of them.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) sketcher: Sketcher,
    /// The number of keys, and the number that must agree. If the sketch is not aligned, each sample is a key in the
    /// only band.
    pub(super) bands: Bands,
    /// True if a text of one shingle can only resemble texts of that same shingle: of a text with two shingles, it can
    /// share at most one half.
    pub(super) are_shingles_apart: bool,
    /// The threshold that pairs must reach, if it is known.
    pub(super) threshold: Option<f64>,
}

/// The bands that a sketch may have.
enum PossibleBands {
    /// Only these bands.
    These(Bands),
    /// Any bands of its `t` registers; one must agree.
    AnyOf { t: u32 },
}

fn bands_of(sketch: Sketch) -> Result<PossibleBands> {
    Ok(match sketch {
        Sketch::FastSimilarity { t } | Sketch::Permutations { t } | Sketch::LeadByte { t } => {
            PossibleBands::AnyOf { t }
        }
        Sketch::Classic(classic) => PossibleBands::These(Bands::classic(classic)),
        Sketch::Bytes(bytes) => {
            PossibleBands::These(Bands::new(BYTES as u32, 1, bytes.needed() as u32)?)
        }
        Sketch::BottomT { .. } | Sketch::ModM { .. } => PossibleBands::These(Bands::new(1, 1, 1)?),
    })
}

impl Keys {
    pub(super) fn new(sketch: Sketch, threshold: f64, recall: f64) -> Result<Keys> {
        let sketcher = sketch.sketcher()?;
        let bands = match bands_of(sketch)? {
            PossibleBands::These(bands) => bands,
            PossibleBands::AnyOf { .. } if threshold >= 1.0 => {
                return Err(Error::setting(message![
                    "threshold 1 cannot be met by bands; use ",
                    Setting("exact"),
                    ", or a threshold below 1"
                ]));
            }
            PossibleBands::AnyOf { t } => tuning::choose(t, threshold, recall, 1)?,
        };
        let keys = Keys { sketcher, bands, are_shingles_apart: false, threshold: None };
        Ok(keys.compared_by(threshold))
    }

    /// Sets the threshold that pairs must reach.
    pub(super) fn compared_by(self, threshold: f64) -> Keys {
        // With a single band keys are independent, and a lone shingle could not be told from an ordinary key.
        let are_shingles_apart = threshold > 0.5 && self.bands.bands() > 1;
        Keys { are_shingles_apart, threshold: Some(threshold), ..self }
    }

    /// Makes keys with bands that were chosen before, for a threshold that is not known; `None` if the sketch cannot
    /// have these bands.
    pub(super) fn given(sketch: Sketch, bands: Bands) -> Result<Option<Keys>> {
        let fits = match bands_of(sketch)? {
            PossibleBands::These(only) => bands == only,
            PossibleBands::AnyOf { t } => bands.needed() == 1 && bands.n_registers() <= t as usize,
        };
        let keys = || {
            let (sketcher, threshold) = (sketch.sketcher()?, None);
            Ok(Keys { sketcher, bands, are_shingles_apart: false, threshold })
        };
        fits.then(keys).transpose()
    }

    /// Sketches the shingles of a text, and makes its keys.
    pub(super) fn sketch_into(&self, Scratch { shingles, row, keys, .. }: &mut Scratch) {
        self.sketcher.append(shingles, row);
        self.append(row, keys);
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

//! LSH (locality-sensitive hashing): near-duplicates of a whole corpus, from sketches to verified pairs.
//!
//! A sketch's registers are cut into [`bands`]; documents with equal keys in enough bands are
//! candidates ([`join`]), found in time that is linear in the documents. The probability that a pair
//! becomes a candidate is a polynomial of its resemblance (Jaccard similarity, [`acceptance`]), and
//! [`tuning`] chooses the bands by it. Every candidate is compared exactly before it counts
//! ([`verify`]), so no reported pair is below the threshold. [`bitmap`] rules out most pairs that are
//! below it, before their sets are even sorted.
//!
//! Sets are slices of distinct shingle hashes in ascending order, as
//! [`sketch::shingle`](crate::shingle) makes them.
//!
//! ```
//! use fanmill_sketch::lsh::{join, tuning, verify::Threshold};
//! use fanmill_sketch::{Sketch, shingle};
//!
//! let texts = [
//!     "the quick brown fox jumps over the lazy dog while the cat sleeps in the warm sun",
//!     "a rose is a rose is a rose",
//!     "the quick brown fox jumps over the lazy dog while the cat sleeps in the warm sun today",
//! ];
//! let threshold = Threshold::new(0.8)?;
//! let bands = tuning::choose(128, threshold.value(), 0.998, 1)?;
//! let sketcher = Sketch::standard().sketcher()?;
//!
//! let (mut sets, mut keys) = (Vec::new(), Vec::new());
//! for text in texts {
//!     let words: Vec<u64> = text.split(' ').map(|word| shingle::word(word.as_bytes())).collect();
//!     let set = shingle::set(&words, shingle::DEFAULT_WORDS, shingle::ShortDocuments::Whole);
//!     let mut registers = Vec::new();
//!     sketcher.append(&set, &mut registers);
//!     bands.keys(&registers, &mut keys);
//!     sets.push(set);
//! }
//! let candidates = join::candidates(&keys, bands, &join::BucketLimits::standard())?;
//! let edges = join::verified(&candidates.pairs, &sets, threshold);
//! assert_eq!((edges[0].a, edges[0].b, edges[0].n_common), (0, 2, 13));
//! assert_eq!((edges.len(), edges[0].resemblance), (1, 13.0 / 14.0));
//! # Ok::<(), fanmill_text::Error>(())
//! ```

pub mod acceptance;
pub mod bands;
pub mod verify;
pub mod bitmap;
pub mod join;
pub mod tuning;

/// A document's index among those that are compared.
pub type DocIdx = u32;

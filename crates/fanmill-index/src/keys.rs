//! Keys: values other than fingerprints by which documents are found, such as the sketches that near-duplicates share.
//!
//! The index does not know what its keys mean: a [`Keyer`] makes them, and the index records only the name of its
//! scheme. Keys are stored in the table of fingerprints, under hashes of their own and at position 0, so that merging,
//! removal and checksums work for them without further code. If a key happens to equal a fingerprint, which is very
//! rare, a look-up returns one candidate too many; callers compare candidates anyway.

use std::fmt;
use std::sync::Arc;

use fanmill_text::document::Submission;
use fanmill_text::{Error, Result};

use crate::snapshot::Index;
use crate::texts::LastFrame;

/// The keys of a document.
type Make = dyn Fn(&Submission) -> Vec<u64> + Send + Sync;

/// A function that makes keys, and the name of its scheme.
#[derive(Clone)]
pub struct Keyer {
    scheme: String,
    make: Arc<Make>,
}

/// The place of a document in one generation of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    segment: usize,
    document: u32,
}

impl Keyer {
    /// Makes a keyer whose function `make` gives the keys of a document; equal schemes must give equal keys.
    pub fn new(
        scheme: impl Into<String>,
        make: impl Fn(&Submission) -> Vec<u64> + Send + Sync + 'static,
    ) -> Keyer {
        Keyer { scheme: scheme.into(), make: Arc::new(make) }
    }

    /// Returns the name that an index remembers.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the hashes of a document's keys in the table.
    pub(crate) fn hashes(&self, document: &Submission) -> Vec<u64> {
        (self.make)(document).into_iter().map(hash).collect()
    }

    /// Checks that an index's keys are made in our way, or that neither side has any.
    pub(crate) fn check(ours: Option<&Keyer>, theirs: Option<&str>) -> Result<()> {
        match (ours.map(Keyer::scheme), theirs) {
            (None, None) => Ok(()),
            (Some(ours), Some(theirs)) if ours == theirs => Ok(()),
            (None, Some(theirs)) => Err(Error::input(format!(
                "the index has keys of scheme `{theirs}`, which this program cannot make; add to it with one that can"
            ))),
            (Some(_), None) => Err(Error::input(
                "the index was begun without keys that near-duplicates are found by; begin another one",
            )),
            (Some(ours), Some(theirs)) => Err(Error::input(format!(
                "the index has keys of scheme `{theirs}`, and `{ours}` is asked for; begin another one"
            ))),
        }
    }
}

impl fmt::Debug for Keyer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyer").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

impl Index {
    /// Returns the scheme of its keys, if it has any.
    pub fn key_scheme(&self) -> Option<&str> {
        self.manifest.keys.as_deref()
    }

    /// Returns the documents that have one of these keys, ascending.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read.
    pub fn with_keys(&self, keys: &[u64]) -> Result<Vec<Place>> {
        let (mut places, mut postings) = (Vec::new(), Vec::new());
        for &key in keys {
            let hash = self.sealed(hash(key))?;
            for (number, segment) in self.segments.iter().enumerate() {
                segment.find(hash, u64::MAX, |_| true, &mut postings)?;
                let own = postings.iter().filter(|posting| posting.at == 0);
                places.extend(
                    own.map(|posting| Place { segment: number, document: posting.document }),
                );
            }
        }
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    /// Passes the documents at some places, which ascend, to `take`, in the form in which they were added.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read, the index does not keep texts, or `take` fails.
    ///
    /// # Panics
    /// If a place belongs to another index.
    pub fn documents_at(
        &self,
        places: impl IntoIterator<Item = Place>,
        take: &mut dyn FnMut(Submission) -> Result<()>,
    ) -> Result<()> {
        let (mut last, mut number) = (LastFrame::default(), usize::MAX);
        for Place { segment, document } in places {
            if segment != number {
                (last, number) = (LastFrame::default(), segment);
            }
            let segment = &self.segments[segment];
            take(segment.submission(&segment.record(document)?, &mut last)?)?;
        }
        Ok(())
    }
}

/// Returns the hash under which a key is stored in the table. It is unique, and differs from that of a fingerprint.
fn hash(key: u64) -> u64 {
    // The finaliser of SplitMix64, after mixing in the first digits of pi.
    let mut hash = key ^ 0x243f_6a88_85a3_08d3;
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

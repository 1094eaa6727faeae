//! Keys: values other than fingerprints by which documents are found, such as the sketches that near-duplicates share.
//!
//! The index does not know what its keys mean: a [`Keyer`] makes them, and the index records only the name of its scheme.
//! Keys are stored in the table of fingerprints, under hashes of their own and at position 0, so that merging, removal
//! and checksums work for them without further code. If a key happens to equal a fingerprint, which is very rare, a look-up
//! returns one candidate too many; callers compare candidates anyway.

use std::fmt;
use std::sync::Arc;

use fanmill_text::document::Submission;
use fanmill_text::{Error, Result};

use crate::snapshot::Index;
use crate::texts::LastFrame;

/// The keys of a document.
type Make = dyn Fn(&Submission) -> Vec<u64> + Send + Sync;

/// How keys are made.
#[derive(Clone)]
pub struct Keyer {
    scheme: String,
    make: Arc<Make>,
}

/// Where a document is in one generation of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    segment: usize,
    document: u32,
}

impl Keyer {
    /// `make` gives the keys of a document; equal schemes must give equal keys.
    pub fn new(
        scheme: impl Into<String>,
        make: impl Fn(&Submission) -> Vec<u64> + Send + Sync + 'static,
    ) -> Keyer {
        Keyer { scheme: scheme.into(), make: Arc::new(make) }
    }

    /// The name that an index remembers.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The hashes of a document's keys in the table.
    pub(crate) fn hashes(&self, document: &Submission) -> Vec<u64> {
        (self.make)(document).into_iter().map(hash).collect()
    }

    /// The error for an index whose keys are made in another way, or not at all.
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
    /// The scheme of its keys; `None` if it has none.
    pub fn key_scheme(&self) -> Option<&str> {
        self.manifest.keys.as_deref()
    }

    /// The documents that have one of these keys, ascending.
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

    /// Hands over the documents at some places, ascending, as they were added.
    ///
    /// # Errors
    /// If a segment is damaged or cannot be read, the index keeps no texts, or `take` fails.
    ///
    /// # Panics
    /// If a place is one of another index.
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

/// The hash under which a key stands in the table: one to one, and another one than a fingerprint would have.
fn hash(key: u64) -> u64 {
    // The finaliser of SplitMix64, behind the first digits of pi.
    let mut hash = key ^ 0x243f_6a88_85a3_08d3;
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

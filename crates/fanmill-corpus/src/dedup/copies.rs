//! Exact duplicates: finds documents with equal texts, by 96-bit hashes of the texts' digests under the run's own key.
//!
//! They are found first, so that only one of several copies is compared with other documents. Documents without words
//! are copies, too, if they are equal byte by byte. But empty texts are left alone: an empty record is not a copy of
//! another.
//!
//! Cost: a sort of 16 bytes a document, and of 8 a copy, on disk beyond the budget; 8 bytes of memory for each text
//! that has copies. The chance that two of a billion documents have equal hashes by accident is 6e-12, and nobody can
//! bring it about: the key is not known before the last text is written ([`Secret`]).

use fanmill_text::Result;

use super::context::Context;
use super::groups::{Groups, PairSorter};
use super::log::{Entry, Log};
use super::same_address::SameAddress;
use super::secret::Secret;
use crate::spill::column::Scratch;
use crate::spill::{Bits, Sorter};

/// The copies of each text.
#[derive(Debug)]
pub(super) struct Copies {
    /// The documents that others are compared for: those whose text equals that of an earlier document, and those that
    /// go for another one with their address.
    pub(super) represented: Bits,
    /// Number of these.
    pub(super) n_represented: u64,
    /// Number of copies in the reference.
    pub(super) n_of_reference: u64,
    /// Number of copies in the corpus that may be removed for an equal text; with the scope of the reference alone,
    /// that text must be in the reference.
    pub(super) n_counted: u64,
    /// Number of documents, copies included.
    pub(super) n_documents: u32,
    /// The first document of each text that has copies, and these.
    groups: Groups,
}

impl Copies {
    /// Finds the copies among the documents of a log, but for those that go by their address.
    pub(super) fn from_log(
        run: &Context<'_>,
        log: &Log,
        secret: &Secret,
        n_documents: u32,
        same_address: &SameAddress,
    ) -> Result<Copies> {
        let mut contents = Copies::contents(run);
        let (mut frames, mut document) = (log.frames()?, 0_u32);
        while let Some(frame) = frames.next()? {
            run.steps.check()?;
            for entry in frame.records() {
                if let Entry::Document { digest, n_bytes: 1.., .. } = entry
                    && !same_address.removed.contains(document)
                {
                    contents.push(secret.of_document(&digest, document))?;
                }
                document += 1;
            }
        }
        Copies::find(run, contents, n_documents, same_address)
    }

    /// Begins a sorter for the texts that are not empty, each as a [number](Secret::of_document).
    pub(super) fn contents(run: &Context<'_>) -> Sorter<u128> {
        Sorter::new(run.spill, run.settings.memory / 2)
    }

    /// Finds the copies among documents that do not go by their address.
    pub(super) fn find(
        run: &Context<'_>,
        contents: Sorter<u128>,
        n_documents: u32,
        same_address: &SameAddress,
    ) -> Result<Copies> {
        let (spill, memory) = (run.spill, run.settings.memory / 2);
        let mut represented = Bits::new(n_documents as usize);
        same_address.removed.iter().for_each(|document| represented.insert(document));
        let (mut n_represented, mut n_of_reference, mut n_counted) = (same_address.n, 0, 0);
        let mut pairs = PairSorter::new(spill, memory / 4);
        let mut first: Option<u128> = None;
        // Equal texts are neighbours, and their first document comes before its copies.
        for item in contents.sorted()? {
            run.steps.check()?;
            let item = item?;
            match first.filter(|first| first >> 32 == item >> 32) {
                Some(first) => {
                    let (first, copy) = (first as u32, item as u32);
                    represented.insert(copy);
                    n_represented += 1;
                    n_of_reference += u64::from(run.sides.is_reference(copy));
                    n_counted += u64::from(run.sides.may_pair(first, copy));
                    pairs.push((first, copy))?;
                }
                None => first = Some(item),
            }
        }
        let groups = Groups::gather(pairs, n_documents, (spill, memory / 8))?;
        Ok(Copies { represented, n_represented, n_of_reference, n_counted, n_documents, groups })
    }

    /// Iterates over the first documents of texts that have copies, ascending.
    pub(super) fn firsts(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups.heads()
    }

    /// Returns the copies of the text whose first document is `first`, ascending.
    pub(super) fn of<'a>(&'a self, first: u32, scratch: &'a mut Scratch<u32>) -> Result<&'a [u32]> {
        self.groups.of(first, scratch)
    }
}

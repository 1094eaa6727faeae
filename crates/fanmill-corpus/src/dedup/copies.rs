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
use super::log::{Entry, Log};
use super::secret::Secret;
use crate::reference_split::ReferenceSplit;
use crate::spill::column::Scratch;
use crate::spill::{Bits, Column, Sorter};

/// The copies of each text.
#[derive(Debug)]
pub(super) struct Copies {
    /// The documents whose text equals that of an earlier document.
    pub(super) is_copy: Bits,
    /// Number of copies.
    pub(super) n: u64,
    /// Number of copies in the reference.
    pub(super) n_of_reference: u64,
    /// Number of copies in the corpus that may be removed for an equal text; with the scope of the reference alone,
    /// that text must be in the reference.
    pub(super) n_counted: u64,
    /// Number of documents, copies included.
    pub(super) n_documents: u32,
    /// The first document of each text that has copies.
    firsts: Bits,
    /// The copies of each of these documents, by its rank; ascending.
    of: Column<u32>,
}

impl Copies {
    /// Finds the copies among the documents of a log.
    pub(super) fn from_log(
        run: &Context<'_>,
        log: &Log,
        secret: &Secret,
        n_documents: u32,
    ) -> Result<Copies> {
        let mut contents = Copies::contents(run);
        let (mut frames, mut document) = (log.frames()?, 0_u32);
        while let Some(frame) = frames.next()? {
            run.steps.check()?;
            for entry in frame.records() {
                if let Entry::Document { digest, n_bytes: 1.., .. } = entry {
                    contents.push(secret.of_document(&digest, document))?;
                }
                document += 1;
            }
        }
        Copies::find(run, contents, n_documents)
    }

    /// Begins a sorter for the texts that are not empty, each as a [number](Secret::of_document).
    pub(super) fn contents(run: &Context<'_>) -> Sorter<u128> {
        Sorter::new(run.spill, run.settings.memory / 2)
    }

    /// Finds the copies among documents.
    pub(super) fn find(
        run: &Context<'_>,
        contents: Sorter<u128>,
        n_documents: u32,
    ) -> Result<Copies> {
        let (spill, memory) = (run.spill, run.settings.memory / 2);
        let mut copies = Copies {
            is_copy: Bits::new(n_documents as usize),
            n: 0,
            n_of_reference: 0,
            n_counted: 0,
            n_documents,
            firsts: Bits::new(n_documents as usize),
            of: Column::new(spill, memory / 8),
        };
        let mut pairs = Sorter::<(u32, u32)>::new(spill, memory / 4);
        let mut first: Option<u128> = None;
        // Equal texts are neighbours, and their first document comes before its copies.
        for item in contents.sorted()? {
            run.steps.check()?;
            let item = item?;
            match first.filter(|first| first >> 32 == item >> 32) {
                Some(first) => {
                    let (first, copy) = (first as u32, item as u32);
                    copies.note(first, copy, run.sides);
                    pairs.push((first, copy))?;
                }
                None => first = Some(item),
            }
        }
        copies.gather(pairs)?;
        copies.firsts = std::mem::take(&mut copies.firsts).ranked();
        Ok(copies)
    }

    fn note(&mut self, first: u32, copy: u32, sides: ReferenceSplit) {
        self.is_copy.insert(copy);
        self.firsts.insert(first);
        self.n += 1;
        self.n_of_reference += u64::from(sides.is_reference(copy));
        self.n_counted += u64::from(sides.may_pair(first, copy));
    }

    /// Puts the copies of each text into a row.
    fn gather(&mut self, pairs: Sorter<(u32, u32)>) -> Result<()> {
        let (mut row, mut of) = (Vec::new(), None);
        for pair in pairs.sorted()? {
            let (first, copy) = pair?;
            if of.is_some_and(|of| of != first) {
                self.of.push(&row)?;
                row.clear();
            }
            of = Some(first);
            row.push(copy);
        }
        if of.is_some() {
            self.of.push(&row)?;
        }
        Ok(())
    }

    /// Iterates over the first documents of texts that have copies, ascending.
    pub(super) fn firsts(&self) -> impl Iterator<Item = u32> + '_ {
        self.firsts.iter()
    }

    /// Returns the copies of the text whose first document is `first`, ascending.
    pub(super) fn of<'a>(&'a self, first: u32, scratch: &'a mut Scratch<u32>) -> Result<&'a [u32]> {
        if self.firsts.contains(first) {
            self.of.get(self.firsts.rank(first), scratch)
        } else {
            Ok(&[])
        }
    }
}

//! Shingles that the first reading keeps, so that the second need not make them again.
//!
//! Who will be a candidate is not known while a text is read, and to read it again takes longer than all
//! that is done with its shingles. So these stay, as they come, as long as memory lasts; sets are made of
//! those that are wanted. Documents beyond are read again ([`super::verify`]).
//!
//! Cost: 8 bytes of memory a word.

use rayon::prelude::*;

use fanmill::sketch::shingle;

use crate::spill::Bits;

/// The shingles of consecutive documents: unsorted bags, and then sets.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The first document.
    first: u32,
    rows: Vec<Vec<u64>>,
    /// Shingles that there is still room for.
    room: usize,
}

impl Kept {
    /// Keeps documents from `first` on, within `memory` bytes.
    pub(super) fn new(first: u32, memory: usize) -> Kept {
        Kept { first, rows: Vec::new(), room: memory / size_of::<u64>() }
    }

    /// Whether the next document may still find room.
    pub(super) fn is_open(&self) -> bool {
        self.room > 0
    }

    /// Takes the bag of the next document; none of what comes behind one that does not fit.
    pub(super) fn push(&mut self, bag: Vec<u64>) {
        // A row takes as much as three shingles for itself.
        self.room = self.room.saturating_sub(bag.capacity() + 3);
        if self.is_open() {
            self.rows.push(bag);
        }
    }

    /// The documents that were kept.
    pub(super) fn documents(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.rows.len() as u32
    }

    /// Makes sets of the bags of `members`, and drops all others.
    pub(super) fn make_sets(&mut self, members: &Bits) {
        let documents = self.documents().into_par_iter();
        documents.zip(&mut self.rows).for_each(|(document, row)| {
            if members.contains(document) {
                shingle::normalise(row);
            } else {
                *row = Vec::new();
            }
        });
    }

    /// The row of a document, if it was kept.
    pub(super) fn get(&self, document: u32) -> Option<&[u64]> {
        let place = document.checked_sub(self.first)?;
        self.rows.get(place as usize).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_in_order() {
        let mut kept = Kept::new(5, 8 * 20);
        for n in [3, 4, 9, 1] {
            kept.push((0..n).rev().chain(0..n).collect());
        }
        assert_eq!((kept.documents(), kept.is_open()), (5..6, false));
        let mut members = Bits::new(9);
        members.insert(5);
        kept.make_sets(&members);
        assert_eq!((kept.get(5), kept.get(4), kept.get(6)), (Some(&[0, 1, 2][..]), None, None));
        kept.make_sets(&Bits::new(9));
        assert_eq!(kept.get(5), Some(&[][..]));
    }
}

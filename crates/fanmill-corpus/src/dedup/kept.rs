//! Shingles that the first reading keeps, so that the second need not make them again.
//!
//! Who will be a candidate is not known while a text is read, and to read it again takes longer than all
//! that is done with its shingles. So these stay, as they come, as long as memory lasts; sets are made of
//! those that are wanted. Documents beyond are read again ([`super::verify`]).
//!
//! Each row stays where it was made: to gather them in larger ones was tried, and took more memory and no
//! less time.
//!
//! Cost: 8 bytes of memory a word, and 40 a document.

use fanmill::sketch::shingle;
use rayon::prelude::*;

use crate::spill::Bits;

/// The shingles of consecutive documents: unsorted bags, and then sets.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The first document.
    first: u32,
    rows: Vec<Vec<u64>>,
    /// Bytes that there is still room for; 0 from the first document on that found none.
    room: usize,
}

impl Kept {
    /// Keeps documents from `first` on, within `memory` bytes.
    pub(super) fn new(first: u32, memory: usize) -> Kept {
        Kept { first, rows: Vec::new(), room: memory }
    }

    /// Whether the next document may still find room.
    pub(super) fn is_open(&self) -> bool {
        self.room > 0
    }

    /// Takes the bag of the next document; none of what comes behind one that does not find room.
    pub(super) fn push(&mut self, bag: Vec<u64>) {
        // A place among the rows, and what the allocator needs.
        let n_bytes = size_of_val(bag.as_slice()) + size_of::<Vec<u64>>() + 16;
        self.room = self.room.saturating_sub(n_bytes);
        if self.is_open() {
            self.rows.push(bag);
        }
    }

    /// Makes sets of the bags of `members`, and forgets all others.
    pub(super) fn make_sets(&mut self, members: &Bits) {
        let documents = self.first..self.first + self.rows.len() as u32;
        let rows = documents.into_par_iter().zip(&mut self.rows);
        rows.for_each_init(Vec::new, |room, (document, row)| {
            let is_member = members.contains(document);
            let n = if is_member { shingle::normalise_in(row, room) } else { 0 };
            row.truncate(n);
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
        let mut kept = Kept::new(5, 400);
        for n in [3, 0, 4, 20, 1] {
            kept.push((0..n).rev().chain(0..n).collect());
        }
        assert!(!kept.is_open());
        let mut members = Bits::new(9);
        for document in [5, 7] {
            members.insert(document);
        }
        kept.make_sets(&members);
        let sets = [5, 6, 7, 8, 4].map(|document| kept.get(document));
        let expected = [Some(&[0, 1, 2][..]), Some(&[]), Some(&[0, 1, 2, 3]), None, None];
        assert_eq!(sets, expected);
    }
}

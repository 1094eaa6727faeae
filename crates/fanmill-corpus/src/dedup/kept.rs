//! Texts that the first reading keeps, so that those that become candidates need not be read again.
//!
//! Which documents will be candidates is not known while a text is read, and reading it again takes longer than
//! making its shingles. So texts stay, as they come, as long as memory lasts; when the candidates are known, their
//! texts become sets, each in its text's place.
//!
//! Cost: of memory, the text or 8 bytes a word, whichever is more, and 48 bytes a document.

use rayon::prelude::*;

use fanmill_source::spill::Bits;

/// Consecutive documents.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The first document.
    first: u32,
    rows: Vec<Row>,
    /// Bytes that are still free; 0 from the first document on that did not fit.
    room: usize,
}

/// What is kept of a document.
#[derive(Debug)]
enum Row {
    Text(Box<str>),
    Set(Vec<u64>),
}

impl Kept {
    /// Keeps documents from `first` on, within `memory` bytes.
    pub(super) fn new(first: u32, memory: usize) -> Kept {
        Kept { first, rows: Vec::new(), room: memory }
    }

    /// The sets of the documents `0..sets.len()`, which are all.
    pub(super) fn given(sets: Vec<Vec<u64>>) -> Kept {
        Kept { first: 0, rows: sets.into_iter().map(Row::Set).collect(), room: 0 }
    }

    /// Whether the next document may still find room.
    pub(super) fn is_open(&self) -> bool {
        self.room > 0
    }

    /// Keeps the text of the next document, which has `n_words` words. Once a text has not fitted, no later
    /// one is kept.
    pub(super) fn push(&mut self, text: Box<str>, n_words: usize) {
        // A place among the rows, and what the allocator needs.
        let n_bytes = text.len().max(n_words * size_of::<u64>()) + size_of::<Row>() + 16;
        self.room = self.room.saturating_sub(n_bytes);
        if self.is_open() {
            self.rows.push(Row::Text(text));
        }
    }

    /// Makes sets of the texts of `members`, and forgets all others.
    pub(super) fn make_sets<T: Default>(
        &mut self,
        members: &Bits,
        make: impl Fn(&str, &mut T) -> Vec<u64> + Sync,
    ) {
        let documents = self.first..self.first + self.rows.len() as u32;
        let rows = documents.into_par_iter().zip(&mut self.rows);
        rows.for_each_init(T::default, |scratch, (document, row)| {
            let set = match row {
                Row::Text(text) if members.contains(document) => make(text, scratch),
                _ => Vec::new(),
            };
            *row = Row::Set(set);
        });
    }

    /// The set of a document, if it was kept; empty if it was not wanted.
    pub(super) fn get(&self, document: u32) -> Option<&[u64]> {
        let place = document.checked_sub(self.first)?;
        self.rows.get(place as usize).map(|row| match row {
            Row::Set(set) => &**set,
            Row::Text(_) => &[],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_in_order() {
        // Rows of 45 to 81 bytes, then one that has many words.
        let mut kept = Kept::new(5, 400);
        for (text, n_words) in [("abc", 3), ("", 0), ("abcd", 1), ("a b c d", 40), ("a", 1)] {
            kept.push(text.into(), n_words);
        }
        assert!(!kept.is_open());
        let mut members = Bits::new(9);
        for document in [5, 7] {
            members.insert(document);
        }
        kept.make_sets(&members, |text, (): &mut ()| text.bytes().map(u64::from).collect());
        let sets = [5, 6, 7, 8, 4].map(|document| kept.get(document));
        let expected = [Some(&[97, 98, 99][..]), Some(&[]), Some(&[97, 98, 99, 100]), None, None];
        assert_eq!(sets, expected);
    }
}

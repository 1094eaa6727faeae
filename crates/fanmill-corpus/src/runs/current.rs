//! The words of a document that earlier rounds have left, and their places in the original.

use std::borrow::Cow;
use std::ops::Range;

/// The words that are left of a document; indices count these, places count all of its words.
#[derive(Debug)]
pub(super) struct Current<'a> {
    pub(super) words: Cow<'a, [u64]>,
    /// The place of each word; empty if nothing was cut.
    places: Vec<u32>,
}

impl<'a> Current<'a> {
    /// Leaves out the cuts, which ascend and do not touch.
    pub(super) fn new(words: &'a [u64], cuts: &[Range<u32>]) -> Current<'a> {
        if cuts.is_empty() {
            return Current { words: Cow::Borrowed(words), places: Vec::new() };
        }
        let (mut left, mut places, mut at) = (Vec::new(), Vec::new(), 0);
        let end = words.len() as u32;
        for cut in cuts.iter().cloned().chain(std::iter::once(end..end)) {
            left.extend_from_slice(&words[at as usize..cut.start as usize]);
            places.extend(at..cut.start);
            at = cut.end;
        }
        Current { words: Cow::Owned(left), places }
    }

    /// Returns the place of the word with this index.
    pub(super) fn place(&self, index: usize) -> u32 {
        if self.places.is_empty() { index as u32 } else { self.places[index] }
    }

    /// Returns the place behind the word before this index.
    pub(super) fn end(&self, index: usize) -> u32 {
        index.checked_sub(1).map_or(0, |last| self.place(last) + 1)
    }

    /// Returns the index of the first word that is left at this place or behind it.
    pub(super) fn index(&self, place: u32) -> usize {
        // Without places nothing was cut, or nothing is left.
        if self.places.is_empty() {
            return (place as usize).min(self.words.len());
        }
        self.places.partition_point(|&own| own < place)
    }

    /// Returns whether the word at this place is left.
    pub(super) fn has(&self, place: u32) -> bool {
        let index = self.index(place);
        index < self.words.len() && self.place(index) == place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_places() {
        let words = [10, 11, 12, 13, 14, 15];
        let whole = Current::new(&words, &[]);
        assert_eq!((whole.place(3), whole.end(0), whole.end(6), whole.index(9)), (3, 0, 6, 6));
        let left = Current::new(&words, &[0..1, 2..4]);
        assert_eq!(*left.words, [11, 14, 15]);
        assert_eq!([0, 1, 2].map(|i| left.place(i)), [1, 4, 5]);
        assert_eq!([0, 1, 3, 4, 6].map(|place| left.index(place)), [0, 0, 1, 1, 3]);
        assert_eq!((left.has(1), left.has(3), left.end(2)), (true, false, 5));
        let none = Current::new(&words, &[0..5, 5..6]);
        assert_eq!((none.words.len(), none.index(3), none.has(3)), (0, 0, false));
    }
}

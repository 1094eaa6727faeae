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
        let mut places = Vec::new();
        if !cuts.is_empty() {
            stretches(words.len(), cuts).for_each(|stretch| places.extend(stretch));
        }
        Current { words: left(words, cuts), places }
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

    /// Returns the index of the word at this place, if it is left.
    pub(super) fn find(&self, place: u32) -> Option<usize> {
        let index = self.index(place);
        (index < self.words.len() && self.place(index) == place).then_some(index)
    }
}

/// Returns what is left of something that each word of a document has.
pub(super) fn left<'a, T: Copy>(of_words: &'a [T], cuts: &[Range<u32>]) -> Cow<'a, [T]> {
    if cuts.is_empty() {
        return Cow::Borrowed(of_words);
    }
    let mut left = Vec::new();
    for stretch in stretches(of_words.len(), cuts) {
        left.extend_from_slice(&of_words[stretch.start as usize..stretch.end as usize]);
    }
    Cow::Owned(left)
}

/// Returns the stretches between cuts.
fn stretches(n_words: usize, cuts: &[Range<u32>]) -> impl Iterator<Item = Range<u32>> + '_ {
    let ends = cuts.iter().map(|cut| cut.start).chain([n_words as u32]);
    let starts = [0].into_iter().chain(cuts.iter().map(|cut| cut.end));
    starts.zip(ends).map(|(start, end)| start..end)
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
        assert_eq!((left.find(1), left.find(3), left.end(2)), (Some(0), None, 5));
        let none = Current::new(&words, &[0..5, 5..6]);
        assert_eq!((none.words.len(), none.index(3), none.find(3)), (0, 0, None));
    }
}

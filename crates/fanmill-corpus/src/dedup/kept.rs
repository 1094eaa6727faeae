//! Texts that the first reading keeps, so that those of candidates need not be read again.
//!
//! While a text is read, it is not known whether its document will be a candidate, and reading it again takes longer
//! than making its shingles. So texts are kept, in order, as long as memory lasts. Once the candidates are known, their
//! texts become sets, each in the place of its text, with its bitmap for a first look at pairs.
//!
//! Cost: in memory, the text or 9 bytes a word, whichever is more, and 64 bytes a document; of a short text, both.

use fanmill_sketch::lsh::bitmap;
use rayon::prelude::*;

use crate::job::{PIECE, Pool};
use crate::spill::Bits;

/// The texts or sets of consecutive documents.
#[derive(Debug, Default)]
pub(super) struct KeptTexts {
    /// The first document.
    first: u32,
    rows: Vec<Row>,
    /// Bytes that are still free; 0 once a document did not fit.
    room: usize,
}

/// The part of a document that is kept.
#[derive(Debug)]
enum Row {
    Text(Box<str>),
    Set(SetWithBitmap),
}

/// A set made of a text, followed by its bitmap, and by its words if it is compared word by word.
#[derive(Debug)]
pub(super) struct SetWithBitmap {
    numbers: Box<[u64]>,
    size: u32,
}

/// A set and its bitmap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetView<'a> {
    pub(super) set: &'a [u64],
    pub(super) bitmap: &'a [u64],
    /// The words of a short text, eight bytes to a number; empty for any other.
    pub(super) words: &'a [u64],
}

impl SetWithBitmap {
    /// Puts together a set and the words of a short text.
    pub(super) fn new((set, words): (&[u64], Option<String>)) -> SetWithBitmap {
        let words = words.unwrap_or_default();
        let n_numbers =
            set.len() + bitmap::width(set.len()) + words.len().div_ceil(size_of::<u64>());
        let mut numbers = Vec::with_capacity(n_numbers);
        numbers.extend_from_slice(set);
        bitmap::append(set, &mut numbers);
        numbers.extend(words.as_bytes().chunks(size_of::<u64>()).map(|chunk| {
            let mut bytes = [0; size_of::<u64>()];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        }));
        SetWithBitmap { size: set.len() as u32, numbers: numbers.into() }
    }

    pub(super) fn look(&self) -> SetView<'_> {
        let (set, rest) = self.numbers.split_at(self.size as usize);
        let (bitmap, words) = rest.split_at(bitmap::width(set.len()));
        SetView { set, bitmap, words }
    }
}

/// Returns the words that [`SetView::words`] has. No word has a zero byte.
pub(super) fn unpacked(words: &[u64]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|number| number.to_le_bytes()).collect();
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

impl KeptTexts {
    /// Begins to keep documents from `first` on, within `memory` bytes.
    pub(super) fn new(first: u32, memory: usize) -> KeptTexts {
        KeptTexts { first, rows: Vec::new(), room: memory }
    }

    /// Wraps the sets of the documents `0..sets.len()`, which are all documents; `None` for those outside of candidates.
    pub(super) fn given(sets: Vec<Option<SetWithBitmap>>) -> KeptTexts {
        let row =
            |set: Option<SetWithBitmap>| set.map_or_else(|| Row::Text(Box::default()), Row::Set);
        KeptTexts { first: 0, rows: sets.into_iter().map(row).collect(), room: 0 }
    }

    /// Returns whether the next document may still fit.
    pub(super) fn is_open(&self) -> bool {
        self.room > 0
    }

    /// Keeps the text of the next document, which has `n_words` words. Once a text did not fit, no later one is kept.
    pub(super) fn push(&mut self, text: Box<str>, (n_words, is_short): (usize, bool)) {
        let of_set = n_words * (size_of::<u64>() + 1);
        let n_bytes = if is_short { text.len() + of_set } else { text.len().max(of_set) };
        // Besides: a place among the rows, the shortest bitmap, and the allocator's overhead.
        let n_bytes = n_bytes + size_of::<Row>() + 40;
        self.room = self.room.saturating_sub(n_bytes);
        if self.is_open() {
            self.rows.push(Row::Text(text));
        }
    }

    /// Turns the texts of `members` into sets, and drops all others.
    pub(super) fn make_sets<T: Default + Send>(
        &mut self,
        members: &Bits,
        make: impl Fn(&str, &mut T) -> SetWithBitmap + Sync,
    ) {
        let documents = self.first..self.first + self.rows.len() as u32;
        let scratches = Pool::<T>::default();
        let rows = documents.into_par_iter().zip(&mut self.rows).with_max_len(PIECE);
        rows.for_each_init(
            || scratches.lend(),
            |scratch, (document, row)| {
                *row = match row {
                    Row::Text(text) if members.contains(document) => Row::Set(make(text, scratch)),
                    _ => Row::Text(Box::default()),
                };
            },
        );
    }

    /// Returns the set of a document that was kept; empty if the document is not a member.
    pub(super) fn get(&self, document: u32) -> Option<SetView<'_>> {
        let place = document.checked_sub(self.first)?;
        self.rows.get(place as usize).map(|row| match row {
            Row::Set(made) => made.look(),
            Row::Text(_) => SetView { set: &[], bitmap: &[0], words: &[] },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept_in_order() {
        // Rows of 64 to 91 bytes, then one with many words.
        let mut kept = KeptTexts::new(5, 450);
        for (text, n_words) in [("abc", 3), ("", 0), ("abcd", 1), ("a b c d", 40), ("a", 1)] {
            kept.push(text.into(), (n_words, false));
        }
        assert!(!kept.is_open());
        let mut members = Bits::new(9);
        for document in [5, 7] {
            members.insert(document);
        }
        kept.make_sets(&members, |text, set: &mut Vec<u64>| {
            set.clear();
            set.extend(text.bytes().map(u64::from));
            SetWithBitmap::new((set, Some(text.repeat(3))))
        });
        let sets = [5, 6, 7, 8, 4].map(|document| kept.get(document).map(|looked| looked.set));
        let expected = [Some(&[97, 98, 99][..]), Some(&[]), Some(&[97, 98, 99, 100]), None, None];
        assert_eq!(sets, expected);
        // 97 modulo 64 is 33, so bit 33 is the first of three.
        assert_eq!(kept.get(5).map(|looked| looked.bitmap), Some(&[0b111 << 33][..]));
        let words = [5, 6].map(|document| kept.get(document).map(|looked| unpacked(looked.words)));
        assert_eq!(words, [Some("abcabcabc".to_owned()), Some(String::new())]);
    }
}

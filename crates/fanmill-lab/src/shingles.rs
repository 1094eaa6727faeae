//! Documents as sets of shingles, one at a time.
//!
//! Cost: the shingles of one document at a time; a sample takes memory for itself in addition.

use std::collections::BTreeSet;

use fanmill_kernel::hash::mix::mix;
use fanmill_sketch::shingle::{self, Short};

use crate::collection::Collection;

/// A document as a set of shingles, for experiments on sketches.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// Its distinct shingles, ascending.
    pub shingles: Vec<u64>,
}

/// Returns the documents of a collection as sets of shingles of `k` tokens; a shorter document is one shingle.
///
/// # Panics
/// If `k` is 0.
pub fn documents<'c>(
    collection: &'c Collection<'_>,
    k: usize,
) -> impl Iterator<Item = Document> + 'c {
    (0..collection.len()).map(move |index| {
        let document = collection.document(index);
        // Shingles need well-mixed values, which symbols are not always.
        let words: Vec<u64> = document.symbols.iter().map(|symbol| mix(symbol.value())).collect();
        let shingles = shingle::set(&words, k, Short::Whole);
        Document { name: document.name.to_owned(), shingles }
    })
}

/// Draws a uniform sample of at most `n` distinct shingles of all documents, ascending: those with the smallest mixed
/// values. (The smallest shingles themselves would be a structured set.)
pub fn sample(documents: impl IntoIterator<Item = Document>, n: usize) -> Vec<u64> {
    // Any number that no sketch uses as a seed will do.
    const SEED: u64 = 0x5a3b_1c77_90de_2f41;
    let mut smallest: BTreeSet<(u64, u64)> = BTreeSet::new();
    for shingle in documents.into_iter().flat_map(|document| document.shingles) {
        smallest.insert((mix(shingle ^ SEED), shingle));
        if smallest.len() > n {
            smallest.pop_last();
        }
    }
    let mut sample: Vec<u64> = smallest.into_iter().map(|(_, shingle)| shingle).collect();
    sample.sort_unstable();
    sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::tests::collection;

    fn document(shingles: impl IntoIterator<Item = u64>) -> Document {
        Document { name: "a".to_owned(), shingles: shingles.into_iter().collect() }
    }

    #[test]
    fn documents_are_sets_of_shingles() {
        let text = "a rose is a rose is a rose";
        let collection = collection(&[("rose", text), ("none", ""), ("short", "a rose")]);
        let documents: Vec<Document> = documents(&collection, 4).collect();
        let sizes = documents.iter().map(|document| (&*document.name, document.shingles.len()));
        // Letters: "aros", "rose", "osei", …
        let different: BTreeSet<&[u8]> = b"aroseisaroseisarose".windows(4).collect();
        assert_eq!(
            sizes.collect::<Vec<_>>(),
            [("rose", different.len()), ("none", 0), ("short", 2)]
        );
    }

    #[test]
    fn a_sample_is_spread_over_all_and_has_no_repetition() {
        let documents = [document(0..500), document(300..1000)];
        let found = sample(documents.clone(), 100);
        assert_eq!((found.len(), found.is_sorted_by(|x, y| x < y)), (100, true));
        assert!((30..70).contains(&found.iter().filter(|x| **x < 500).count()), "{found:?}");
        assert_eq!(found, sample(documents.into_iter().rev(), 100), "in any order");
        assert_eq!(sample([document([3, 4])], 100), [3, 4]);
        assert!(sample([], 100).is_empty());
    }
}

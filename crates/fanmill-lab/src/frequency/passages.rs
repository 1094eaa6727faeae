//! Joins common grams into passages, to show them and to make a base of them.
//!
//! A disclaimer of 500 tokens has hundreds of common grams, each one token after the other. Shown one by one, they
//! would fill the table with a single text. Grams that follow each other in a document are therefore joined into one
//! passage, taken from the first document that has it.
//!
//! Cost: O(n log c) for n grams and c common ones.

use std::ops::Range;

use fanmill_text::gram;

use super::count::GramCount;
use super::documents::Documents;

/// A range of a document's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Index of the document.
    pub document: usize,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Number of occurrences of its most common gram.
    pub occurrences: u64,
    /// Number of documents in which that gram occurs.
    pub documents: u64,
}

/// A table of grams, looked up by hash.
#[derive(Debug)]
struct Lookup {
    /// The grams, ascending by hash; hashes are distinct.
    grams: Vec<GramCount>,
}

impl Lookup {
    fn new(grams: &[GramCount]) -> Lookup {
        let mut grams = grams.to_vec();
        grams.sort_unstable();
        Lookup { grams }
    }

    fn find(&self, hash: u64) -> Option<usize> {
        self.grams.binary_search_by_key(&hash, |gram| gram.hash).ok()
    }
}

/// Returns at most `n` passages, ordered by their most common grams; `often` is in this order.
///
/// A passage grows from its most common gram in both directions, over grams that occur at least half as often. Each
/// gram is part of one passage only, and occurs in it once, so that a string of zeros is one gram and not the whole
/// line.
pub fn commonest(
    documents: &(impl Documents + ?Sized),
    k: usize,
    often: &[GramCount],
    n: usize,
) -> Vec<Passage> {
    let lookup = Lookup::new(often);
    let places = first_places(documents, k, &lookup);
    let mut is_taken = vec![false; lookup.grams.len()];
    let mut passages = Vec::new();
    for gram in often {
        let Some(index) = lookup.find(gram.hash).filter(|&index| !is_taken[index]) else {
            continue;
        };
        if passages.len() == n {
            break;
        }
        let (document, at) = places[index];
        is_taken[index] = true;
        let symbols = documents.symbols(document);
        // Takes the gram at this position if it belongs to the passage, and returns whether it does.
        let mut takes = |at: usize| {
            let found = symbols.get(at..at + k).and_then(|gram| lookup.find(gram::hash(gram)));
            let Some(next) = found else { return false };
            let fits = !is_taken[next] && 2 * lookup.grams[next].occurrences >= gram.occurrences;
            is_taken[next] |= fits;
            fits
        };
        // Grow to the left, then to the right. `start..end` are positions of grams.
        let (mut start, mut end) = (at, at + 1);
        while start > 0 && takes(start - 1) {
            start -= 1;
        }
        while takes(end) {
            end += 1;
        }
        passages.push(Passage {
            document,
            tokens: start..end - 1 + k,
            occurrences: gram.occurrences,
            documents: gram.documents,
        });
    }
    passages
}

/// Returns the document and position of the first occurrence of each gram.
fn first_places(
    documents: &(impl Documents + ?Sized),
    k: usize,
    lookup: &Lookup,
) -> Vec<(usize, usize)> {
    let mut places: Vec<Option<(usize, usize)>> = vec![None; lookup.grams.len()];
    for document in 0..documents.n_documents() {
        for (at, gram) in documents.symbols(document).windows(k).enumerate() {
            if let Some(index) = lookup.find(gram::hash(gram)) {
                places[index].get_or_insert((document, at));
            }
        }
    }
    places.into_iter().map(|place| place.expect("counted grams occur")).collect()
}

/// Returns passages that contain each of these grams exactly once, in the order of the documents.
pub fn covering(
    documents: &(impl Documents + ?Sized),
    k: usize,
    grams: &[GramCount],
) -> Vec<Passage> {
    let lookup = Lookup::new(grams);
    let mut is_taken = vec![false; lookup.grams.len()];
    let mut passages: Vec<Passage> = Vec::new();
    for document in 0..documents.n_documents() {
        let symbols = documents.symbols(document);
        // The position that would continue the last passage.
        let mut next = None;
        for (at, gram) in symbols.windows(k).enumerate() {
            let Some(index) = lookup.find(gram::hash(gram)).filter(|&index| !is_taken[index])
            else {
                continue;
            };
            is_taken[index] = true;
            let found = lookup.grams[index];
            match passages.last_mut().filter(|_| next == Some(at)) {
                Some(last) => {
                    last.tokens.end = at + k;
                    last.occurrences = last.occurrences.max(found.occurrences);
                    last.documents = last.documents.max(found.documents);
                }
                None => passages.push(Passage {
                    document,
                    tokens: at..at + k,
                    occurrences: found.occurrences,
                    documents: found.documents,
                }),
            }
            next = Some(at + 1);
        }
    }
    passages
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fanmill::select::{Selector, Thresholds};
    use fanmill_text::progress::Silent;
    use fanmill_text::token::Symbol;
    use proptest::prelude::*;

    use super::*;
    use crate::frequency::count::{Rule, count};
    use crate::samples::symbols;

    fn counted(
        documents: &[&[Symbol]],
        k: u32,
        max_documents: u64,
    ) -> (Vec<GramCount>, Vec<GramCount>) {
        let thresholds = Thresholds::new(k, k).expect("ordered");
        let counts = {
            let rule = Rule { thresholds, selector: Selector::All, max_documents };
            count(documents, 99, &rule, &Silent)
        };
        (counts.often, counts.widespread)
    }

    fn texts(texts: &[&str], passages: &[Passage]) -> Vec<String> {
        passages.iter().map(|p| texts[p.document][p.tokens.clone()].to_owned()).collect()
    }

    #[test]
    fn grams_that_overlap_are_one_passage() {
        let given = ["oneCOPYRIGHTsix", "COPYRIGHTten", "fourCOPYRIGHT", "sixsun"];
        let documents = given.map(symbols);
        let documents = documents.each_ref().map(Vec::as_slice);
        let (often, widespread) = counted(&documents, 3, 2);
        assert_eq!(texts(&given, &commonest(&documents[..], 3, &often, 9)), ["COPYRIGHT", "six"]);
        assert_eq!(texts(&given, &covering(&documents[..], 3, &widespread)), ["COPYRIGHT"]);
    }

    #[test]
    fn a_passage_ends_where_grams_are_less_than_half_as_common() {
        let given = ["abcdefgh", "abcd", "abcd", "abcd", "abcd", "defgh"];
        let documents = given.map(symbols);
        let documents = documents.each_ref().map(Vec::as_slice);
        let (often, _) = counted(&documents, 2, 9);
        assert_eq!(texts(&given, &commonest(&documents[..], 2, &often, 9)), ["abcd", "defgh"]);
    }

    #[test]
    fn a_repetitive_string_is_shown_once_and_short() {
        let given = ["0000000000000000", "xyxyxyxy"];
        let documents = given.map(symbols);
        let documents = documents.each_ref().map(Vec::as_slice);
        let (often, _) = counted(&documents, 3, 9);
        assert_eq!(texts(&given, &commonest(&documents[..], 3, &often, 9)), ["000", "xyxy"]);
    }

    proptest! {
        /// Checks the needs of a base: each gram is in exactly one passage.
        #[test]
        fn every_gram_is_in_one_covering_passage(
            given in proptest::collection::vec("[ab]{0,30}", 0..6),
            k in 1_u32..5,
            max_documents in 1_u64..3,
        ) {
            let documents: Vec<Vec<Symbol>> = given.iter().map(|text| symbols(text)).collect();
            let documents: Vec<&[Symbol]> = documents.iter().map(Vec::as_slice).collect();
            let (_, widespread) = counted(&documents, k, max_documents);
            let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
            for passage in covering(&documents[..], k as usize, &widespread) {
                let symbols = &documents[passage.document][passage.tokens];
                for hash in symbols.windows(k as usize).map(gram::hash) {
                    *seen.entry(hash).or_default() += 1;
                }
            }
            let wanted: BTreeMap<u64, u32> =
                widespread.iter().map(|gram| (gram.hash, 1)).collect();
            prop_assert_eq!(seen, wanted);
        }
    }
}

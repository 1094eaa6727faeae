//! Documents in the order of preference: of several alike, the first one stays.

use std::cmp::Reverse;

use super::Run;
use super::copies::Copies;
use super::sketching::Inventory;
use super::verify::Sets;

/// Documents by preference, one of each text.
#[derive(Debug)]
pub(super) struct Order {
    /// The document at each place; empty if that is the place itself.
    documents: Vec<u32>,
    /// The place of each document.
    places: Vec<u32>,
    n_documents: u32,
}

impl Order {
    /// By the user's rule, and by place in the corpus.
    pub(super) fn by_rule(run: &Run<'_>, texts: &Texts<'_>, copies: &Copies) -> Order {
        if run.has_ranks() {
            return Order::by_key(copies, |first| texts.preference(first));
        }
        let n_documents = copies.n_documents;
        Order { documents: Vec::new(), places: Vec::new(), n_documents }
    }

    /// The largest first.
    pub(super) fn by_size(texts: &Texts<'_>, copies: &Copies, sets: &Sets) -> Order {
        Order::by_key(copies, |first| (Reverse(sets.size(first)), texts.preference(first)))
    }

    fn by_key<K: Ord>(copies: &Copies, key: impl Fn(u32) -> K) -> Order {
        let n_documents = copies.n_documents;
        let is_first = |document: &u32| !copies.is_copy.contains(*document);
        let mut documents: Vec<u32> = (0..n_documents).filter(is_first).collect();
        documents.sort_by_cached_key(|&first| key(first));
        let mut places = vec![0; n_documents as usize];
        for (place, &document) in (0..).zip(&documents) {
            places[document as usize] = place;
        }
        Order { documents, places, n_documents }
    }

    pub(super) fn n_places(&self) -> u32 {
        self.n_documents
    }

    pub(super) fn place(&self, document: u32) -> u32 {
        self.places.get(document as usize).copied().unwrap_or(document)
    }

    pub(super) fn document(&self, place: u32) -> u32 {
        self.documents.get(place as usize).copied().unwrap_or(place)
    }
}

/// The documents of each text: of equal ones, the first was compared, and the most preferred stays.
#[derive(Debug)]
pub(super) struct Texts<'a> {
    inventory: &'a Inventory,
    /// First document and copy, ascending.
    copies: Vec<(u32, u32)>,
}

impl Texts<'_> {
    pub(super) fn new<'a>(inventory: &'a Inventory, copies: &Copies) -> Texts<'a> {
        let mut copies: Vec<(u32, u32)> =
            copies.of.iter().map(|&(copy, first)| (first, copy)).collect();
        copies.sort_unstable();
        Texts { inventory, copies }
    }

    /// The documents with a text, by the first of them.
    pub(super) fn documents(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.copies.partition_point(|pair| pair.0 < first);
        let copies = self.copies[start..].iter().take_while(move |pair| pair.0 == first);
        std::iter::once(first).chain(copies.map(|pair| pair.1))
    }

    /// The texts that several documents have, by the first of them.
    pub(super) fn with_copies(&self) -> impl Iterator<Item = u32> + '_ {
        self.copies.chunk_by(|x, y| x.0 == y.0).map(|same| same[0].0)
    }

    /// The rank of the document that would stay, and that document.
    pub(super) fn preference(&self, first: u32) -> (u64, u32) {
        let ranked =
            self.documents(first).map(|document| (self.inventory.rank(document), document));
        ranked.min().unwrap_or((u64::MAX, first))
    }
}

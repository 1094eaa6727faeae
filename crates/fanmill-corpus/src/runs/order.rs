//! The order of keeping: a run of words stays where it comes first in this order.

/// Documents in the order of keeping.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The document at each place; empty if that is the order of the corpus.
    documents: Vec<u32>,
    /// The place of each document; empty in the same case.
    places: Vec<u32>,
}

impl Order {
    /// Orders documents by their ranks, then by position in the corpus; without ranks, by position.
    pub(super) fn by_ranks(ranks: &[u64]) -> Order {
        let mut documents: Vec<u32> = (0..ranks.len() as u32).collect();
        documents.sort_unstable_by_key(|&document| (ranks[document as usize], document));
        let mut places = vec![0; documents.len()];
        for (place, &document) in (0..).zip(&documents) {
            places[document as usize] = place;
        }
        Order { documents, places }
    }

    pub(super) fn place(&self, document: u32) -> u32 {
        self.places.get(document as usize).copied().unwrap_or(document)
    }

    pub(super) fn document(&self, place: u32) -> u32 {
        self.documents.get(place as usize).copied().unwrap_or(place)
    }
}

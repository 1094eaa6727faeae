//! The documents of an experiment with several passes: read one at a time, as often as needed.

use std::borrow::Cow;

use fanmill_text::token::{Kind, Symbol};

use crate::collection::Collection;

/// Documents whose tokens are made on request.
pub trait Documents {
    /// Returns the number of documents.
    fn n_documents(&self) -> usize;

    /// Returns the tokens of the document at `index`, which is below [`Self::n_documents`]; they are always the same.
    fn symbols(&self, index: usize) -> Cow<'_, [Symbol]>;
}

impl Documents for [&[Symbol]] {
    fn n_documents(&self) -> usize {
        self.len()
    }

    fn symbols(&self, index: usize) -> Cow<'_, [Symbol]> {
        Cow::Borrowed(self[index])
    }
}

/// The documents of a collection that are of one kind.
#[derive(Debug)]
pub struct OfKind<'c> {
    collection: &'c Collection<'c>,
    /// Their common kind.
    pub kind: Kind,
    /// Their total number of tokens.
    pub n_tokens: u64,
    /// Their numbers in the collection, ascending.
    indices: Vec<usize>,
}

impl<'c> OfKind<'c> {
    /// Finds the documents of the kind that has the most tokens; `None` if no document has any.
    pub fn commonest(collection: &'c Collection<'c>) -> Option<OfKind<'c>> {
        let kinds = [Kind::Code, Kind::Words, Kind::Chars];
        let mut all =
            kinds.map(|kind| OfKind { collection, kind, n_tokens: 0, indices: Vec::new() });
        for index in 0..collection.len() {
            let document = collection.document(index);
            let of = all.iter_mut().find(|of| of.kind == document.kind)?;
            of.n_tokens += document.symbols.len() as u64;
            of.indices.push(index);
        }
        // `max_by_key` takes the last of equals; in reverse order, code wins over words.
        let most = all.into_iter().rev().max_by_key(|of| of.n_tokens)?;
        (most.n_tokens > 0).then_some(most)
    }

    /// Returns the index in the collection of the document at `index` here.
    pub fn number(&self, index: usize) -> usize {
        self.indices[index]
    }

    /// Returns the number of documents of other kinds in the collection.
    pub fn n_others(&self) -> usize {
        self.collection.len() - self.indices.len()
    }
}

impl Documents for OfKind<'_> {
    fn n_documents(&self) -> usize {
        self.indices.len()
    }

    fn symbols(&self, index: usize) -> Cow<'_, [Symbol]> {
        Cow::Owned(self.collection.document(self.indices[index]).symbols)
    }
}

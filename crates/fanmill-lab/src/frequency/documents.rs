//! Documents as an experiment with several passes reads them: one at a time, again and again.

use std::borrow::Cow;

use fanmill::token::{Kind, Symbol};

use crate::collection::Collection;

/// Documents whose tokens are made when they are asked for.
pub trait Documents {
    /// Number of documents.
    fn n_documents(&self) -> usize;

    /// The tokens of the document at `index`, below [`Self::n_documents`]; the same every time.
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
    /// What all of them are.
    pub kind: Kind,
    /// Their tokens, all together.
    pub n_tokens: u64,
    /// Their numbers in the collection, ascending.
    indices: Vec<usize>,
}

impl<'c> OfKind<'c> {
    /// The documents of the kind that has the most tokens; `None` if no document has any.
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
        // The last of equals is the greatest: code goes before words.
        let most = all.into_iter().rev().max_by_key(|of| of.n_tokens)?;
        (most.n_tokens > 0).then_some(most)
    }

    /// The number in the collection of the document at `index`.
    pub fn number(&self, index: usize) -> usize {
        self.indices[index]
    }

    /// Documents of the collection that are of another kind.
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

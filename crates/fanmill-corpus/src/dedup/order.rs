//! The order of preference: the first of several near-duplicates stays. Documents of the reference come before all
//! others.

use std::cmp::Reverse;

use fanmill_text::Result;

use super::copies::Copies;
use super::keep::Keep;
use super::same_address::SameAddress;
use super::sets::Sets;
use super::settings::Settings;
use crate::reference_split::{ReferenceSplit, Scope};
use crate::spill::column::Scratch;

/// Documents in order of preference, one for each text.
#[derive(Debug)]
pub(super) struct Order {
    /// The document at each place; empty if places are document numbers.
    documents: Vec<u32>,
    /// The place of each document; empty in the same case.
    places: Vec<u32>,
    n_documents: u32,
    /// Number of places of reference documents, which come first.
    n_references: u32,
}

impl Order {
    /// Orders documents by the user's rule, then by position in the corpus.
    pub(super) fn by_rule(settings: &Settings, texts: Texts<'_>) -> Result<Order> {
        if settings.keep != Keep::First {
            return Order::by_key(texts, |first| texts.preference(first));
        }
        let (n_documents, n_references) = (texts.copies.n_documents, texts.sides.n_references);
        Ok(Order { documents: Vec::new(), places: Vec::new(), n_documents, n_references })
    }

    /// Orders documents by size, the largest first.
    pub(super) fn by_size(texts: Texts<'_>, sets: &Sets) -> Result<Order> {
        Order::by_key(texts, |first| Ok((Reverse(sets.size(first)), texts.preference(first)?)))
    }

    fn by_key<K: Ord>(texts: Texts<'_>, key: impl Fn(u32) -> Result<K>) -> Result<Order> {
        let Texts { copies, sides, .. } = texts;
        let n_documents = copies.n_documents;
        let is_first = |document: &u32| !copies.represented.contains(*document);
        let keyed = (0..n_documents)
            .filter(is_first)
            .map(|first| Ok((!sides.is_reference(first), key(first)?, first)));
        let mut keyed: Vec<(bool, K, u32)> = keyed.collect::<Result<_>>()?;
        keyed.sort_unstable();
        let documents: Vec<u32> = keyed.into_iter().map(|(_, _, document)| document).collect();
        let n_references = documents.partition_point(|&document| sides.is_reference(document));
        let mut places = vec![0; n_documents as usize];
        for (place, &document) in (0..).zip(&documents) {
            places[document as usize] = place;
        }
        Ok(Order { documents, places, n_documents, n_references: n_references as u32 })
    }

    /// Returns whether this is the order of the corpus.
    pub(super) fn is_of_corpus(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the split of places between reference and corpus.
    pub(super) fn sides(&self, scope: Scope) -> ReferenceSplit {
        ReferenceSplit { n_references: self.n_references, scope }
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

/// The documents of each text: of several with equal texts, the first was compared, and the most preferred stays. Those
/// that go by their address are not among them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts<'a> {
    /// The rank of each document in the order of preference; empty if that is the order of the corpus.
    pub(super) ranks: &'a [u64],
    pub(super) copies: &'a Copies,
    pub(super) same_address: &'a SameAddress,
    pub(super) sides: ReferenceSplit,
}

impl Texts<'_> {
    /// Passes the documents with a text to `see`, ascending; `first` is the first of them.
    pub(super) fn each(&self, first: u32, see: impl FnMut(u32) -> Result<()>) -> Result<()> {
        let mut scratch = Scratch::default();
        let copies = self.copies.of(first, &mut scratch)?.iter().copied();
        std::iter::once(first).chain(copies).try_for_each(see)
    }

    /// Returns whether any copy of the document `first` is a duplicate of another document with that text.
    pub(super) fn has_duplicates(&self, first: u32) -> Result<bool> {
        let mut scratch = Scratch::default();
        let copies = self.copies.of(first, &mut scratch)?;
        // Copies ascend, and documents of the reference have the lowest numbers.
        Ok(copies.last().is_some_and(|&last| self.sides.may_pair(first, last)))
    }

    /// Returns the document that would stay of those with a text, after its rank.
    pub(super) fn preference(&self, first: u32) -> Result<(u64, u32)> {
        let rank = |document: u32| self.ranks.get(document as usize).copied().unwrap_or(0);
        let mut best = (rank(first), first);
        // Without ranks the first document is preferred, and its copies need not be looked at. The same holds in the
        // reference.
        if !self.ranks.is_empty() && !self.sides.is_reference(first) {
            self.each(first, |document| {
                best = best.min((rank(document), document));
                Ok(())
            })?;
        }
        Ok(best)
    }
}

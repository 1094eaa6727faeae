//! Grams, in the form in which every way of forming them emits them.

use std::ops::Range;

/// A gram: the values of its tokens, and the range from its first token to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gram<'a> {
    /// The values of its tokens, in document order.
    pub tokens: &'a [u64],
    /// Positions among the document's tokens, half-open.
    pub reach: Range<usize>,
}

/// Returns all grams of one way of forming them, as lists, for naive twins and golden vectors.
#[cfg(test)]
pub(crate) fn lists(form: impl FnOnce(&mut dyn FnMut(Gram<'_>))) -> Vec<Vec<u64>> {
    let mut lists = Vec::new();
    form(&mut |gram| {
        assert!(gram.reach.len() >= gram.tokens.len(), "{gram:?}");
        lists.push(gram.tokens.to_vec());
    });
    lists
}

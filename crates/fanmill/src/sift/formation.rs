//! What the four ways of forming grams have in common.

use std::ops::Range;

/// A gram while it is formed: the values of its tokens, and the tokens that it spans, from its
/// first to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gram<'a> {
    /// In document order.
    pub tokens: &'a [u64],
    /// Positions among the document's tokens, half-open.
    pub reach: Range<usize>,
}

/// All grams of one formation, each as its own list: for twins and golden vectors.
#[cfg(test)]
pub(crate) fn lists(form: impl FnOnce(&mut dyn FnMut(Gram<'_>))) -> Vec<Vec<u64>> {
    let mut lists = Vec::new();
    form(&mut |gram| {
        assert!(gram.reach.len() >= gram.tokens.len(), "{gram:?}");
        lists.push(gram.tokens.to_vec());
    });
    lists
}

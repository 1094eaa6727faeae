//! Whole texts: a short text is one gram.
//!
//! A text of a few words has hardly any grams of the other families, or none, and one shared value is little evidence.
//! But it can be recognised as a whole, once a canonical form has undone the changes that cost nothing; any other
//! change defeats that.
//!
//! Cost: O(n).
//! Source: none; a habit of mail filters.

use super::formation::Gram;

/// Emits all tokens as one gram, if there are 1 to `most`.
pub fn form(tokens: &[u64], most: usize, mut emit: impl FnMut(Gram<'_>)) {
    if (1..=most).contains(&tokens.len()) {
        emit(Gram { tokens, reach: 0..tokens.len() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formation::lists;

    #[test]
    fn a_short_text_is_one_gram_and_a_long_text_has_none() {
        assert_eq!(lists(|emit| form(&[1, 2, 3], 3, emit)), [[1, 2, 3]]);
        assert!(lists(|emit| form(&[1, 2, 3], 2, emit)).is_empty());
        assert!(lists(|emit| form(&[], 2, emit)).is_empty());
    }
}

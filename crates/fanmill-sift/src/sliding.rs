//! Sliding grams (k-grams): every `l` consecutive tokens.
//!
//! The baseline for the other families, and the best one against changes in random places. It is defeated by one change
//! in every `l` tokens, and nobody needs the key for that.
//!
//! Cost: O(n).
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.2, where it is called the common method.

use super::formation::Gram;

/// Emits every `length` consecutive tokens, in document order.
///
/// # Panics
/// If `length` is 0.
#[inline]
pub fn form(tokens: &[u64], length: usize, mut emit: impl FnMut(Gram<'_>)) {
    for (head, window) in tokens.windows(length).enumerate() {
        emit(Gram { tokens: window, reach: head..head + length });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formation::lists;

    #[test]
    fn a_document_of_n_tokens_has_n_minus_l_plus_one() {
        let grams = lists(|emit| form(&[1, 2, 3, 4], 3, emit));
        assert_eq!(grams, [[1, 2, 3], [2, 3, 4]]);
        assert!(lists(|emit| form(&[1, 2], 3, emit)).is_empty());
        assert_eq!(lists(|emit| form(&[7, 7], 1, emit)).len(), 2);
    }
}

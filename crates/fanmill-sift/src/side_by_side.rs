//! Skipping grams of fixed length, sixteen at a time, for processors that decide on several tokens at once.
//!
//! It forms the same grams as [`skipping::fixed`], its twin in the tests. Sixteen neighbouring heads look at their next
//! tokens together ([`fanmill_kernel`]) until all but two have enough; these two continue one by one. Which tokens were
//! taken is read from bits afterwards. On average, a quarter of the decisions are made for nothing, because some of
//! sixteen grams are longer than most. Each decision costs so little that this does not matter.
//!
//! Cost: about a third of the time of [`skipping::fixed`].

use super::formation::Gram;
use super::key::Mixer;
use super::repeats::Repeats;
use super::skipping::{self, PartialGram};
use fanmill_kernel::{NOTED, WALKS, walks};

/// Emits the grams of exactly `length` tokens, in the order of their heads. A token is taken if `mixer` makes at most
/// `most` of the XOR of all tokens taken so far and of this one. A gram spans at most `span` tokens.
///
/// # Panics
/// If `length` or `span` is 0.
pub(super) fn fixed(
    tokens: &[u64],
    length: usize,
    span: usize,
    mixer: &Mixer,
    most: u64,
    mut emit: impl FnMut(Gram<'_>),
) {
    assert!(length > 0 && span > 0, "a gram has a token");
    // Heads near the end look beyond it. What they take there is left out below.
    let mut padded = Vec::with_capacity(tokens.len() + WALKS);
    padded.extend_from_slice(tokens);
    padded.resize(tokens.len() + WALKS, 0);
    let mut repeats = Repeats::new(tokens, span);
    let patience = repeats.patience().min(span);
    let (mut is_stuck, mut noted, mut taken) = (false, Vec::new(), vec![0; length]);
    for first in (0..tokens.len()).step_by(WALKS) {
        // If the previous grams got stuck in a repetitive stretch, each of these goes its own way at once.
        let n_left = tokens.len() - 1 - first;
        let most_steps = if is_stuck { 0 } else { n_left.min(patience - 1) };
        let n_steps = walks(&padded[first..], mixer.decision(most), length, most_steps, &mut noted);
        is_stuck = false;
        for head in first..tokens.len().min(first + WALKS) {
            let mut gram = read(&padded, head, &noted, head - first, &mut taken);
            if gram.n_taken < length && n_steps < n_left {
                let end = head.saturating_add(span).min(tokens.len());
                let accept = |c| mixer.mix(c) <= most;
                let from = head + 1 + n_steps;
                let at = skipping::finish(
                    &mut gram,
                    &mut taken,
                    from..end,
                    &repeats,
                    |c, t| c ^ t,
                    accept,
                );
                repeats.reached(at - head);
                is_stuck |= at - head > patience;
            }
            if gram.n_taken == length && gram.last < tokens.len() {
                emit(Gram { tokens: &taken, reach: head..gram.last + 1 });
            }
        }
    }
}

/// Reads the gram that begins at `head` from the bits of its walk, as far as they go. The gram is no longer than
/// `taken`, which becomes its tokens.
#[inline]
fn read(
    tokens: &[u64],
    head: usize,
    noted: &[[u64; WALKS]],
    walk: usize,
    taken: &mut [u64],
) -> PartialGram {
    let mut gram = PartialGram { cumulative: tokens[head], n_taken: 1, last: head };
    taken[0] = tokens[head];
    for (start, noted) in (head + 1..).step_by(NOTED).zip(noted) {
        let mut bits = noted[walk];
        while bits != 0 && gram.n_taken < taken.len() {
            let at = start + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            taken[gram.n_taken] = tokens[at];
            gram = PartialGram {
                cumulative: gram.cumulative ^ tokens[at],
                n_taken: gram.n_taken + 1,
                last: at,
            };
        }
    }
    gram
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;
    use crate::key;
    use fanmill_kernel::InstructionSet;
    use fanmill_kernel::hash::mix::SplitMix;

    type Found = Vec<(Vec<u64>, Range<usize>)>;

    /// The twin: forms the grams one by one.
    fn one_by_one(tokens: &[u64], length: usize, span: usize, mixer: &Mixer, most: u64) -> Found {
        let mut found = Vec::new();
        let accept = |c| mixer.mix(c) <= most;
        skipping::fixed(
            tokens,
            length,
            span,
            |c, t| c ^ t,
            accept,
            |gram| {
                found.push((gram.tokens.to_vec(), gram.reach));
            },
        );
        found
    }

    fn check(tokens: &[u64], length: usize, span: usize, thousandths: u64) {
        let mixer = key::of_test(1).mixer("test");
        let most = u64::MAX / 1000 * thousandths;
        let naive = one_by_one(tokens, length, span, &mixer, most);
        for set in InstructionSet::available() {
            set.choose().expect("available");
            let mut found = Vec::new();
            fixed(tokens, length, span, &mixer, most, |gram| {
                found.push((gram.tokens.to_vec(), gram.reach));
            });
            assert_eq!(
                found,
                naive,
                "{set}: {} tokens, length {length}, span {span}",
                tokens.len()
            );
        }
    }

    /// Stretches where nothing is taken for long, and grams that end with the text.
    #[test]
    fn grams_that_get_stuck_are_the_same() {
        let random = SplitMix::new(3).seeds(400);
        let stuck = [random.as_slice(), &[7; 700], &random, &[8, 9].repeat(300)].concat();
        for (length, span) in [(6, 480), (6, 100), (10, 533), (2, 1), (1, 16), (16, usize::MAX)] {
            for thousandths in [0, 20, 300, 1000] {
                check(&stuck, length, span, thousandths);
            }
        }
    }

    proptest! {
        #[test]
        fn equals_one_by_one(
            n in 0_usize..200, seed: u64, kinds in prop_oneof![1_u64..5, Just(u64::MAX)],
            length in 1_usize..12, span in 1_usize..300, thousandths in 0_u64..1001,
        ) {
            let tokens: Vec<u64> = SplitMix::new(seed).seeds(n).iter().map(|token| token % kinds).collect();
            check(&tokens, length, span, thousandths);
        }
    }
}

//! Random choice of documents and pairs, and scrambling of documents.
//!
//! Everything follows from one seed: the same documents and seed give the same sample.

use std::collections::BTreeSet;

use fanmill_kernel::hash::mix::{SplitMix, mix};

/// Returns a random sample of at most `most` of the numbers `0..n`, ascending.
pub fn some_of(n: usize, most: usize, random: &mut SplitMix) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    let mut chosen = BTreeSet::new();
    // Floyd's algorithm: for each of the last `most` numbers, add a random number up to it, or the number itself if the
    // random one is already in the sample.
    for last in n - most..n {
        let drawn = random.below(last + 1);
        chosen.insert(if chosen.contains(&drawn) { last } else { drawn });
    }
    chosen.into_iter().collect()
}

/// Returns a random sample of at most `most` pairs of the numbers `0..n`, the smaller number first, ascending.
pub fn some_pairs(n: usize, most: usize, random: &mut SplitMix) -> Vec<(usize, usize)> {
    let n_pairs = n * n.saturating_sub(1) / 2;
    some_of(n_pairs, most, random).into_iter().map(pair).collect()
}

/// Returns pair number `i` of the sequence (0, 1), (0, 2), (1, 2), (0, 3), …, counted from 0.
fn pair(i: usize) -> (usize, usize) {
    let mut high = (2 * i).isqrt();
    // `high (high - 1) / 2` pairs come before those of `high`.
    while high * high.saturating_sub(1) / 2 > i {
        high -= 1;
    }
    while (high + 1) * high / 2 <= i {
        high += 1;
    }
    (i - high * (high - 1) / 2, high)
}

/// Returns the tokens in random order. Documents scrambled in this way share runs only by chance, or because they use
/// the same words.
///
/// Single tokens are shuffled, not blocks: a block keeps the idioms of the language, and the comparison with
/// unscrambled documents is meant to show the length of those.
pub fn scrambled<T: Copy>(tokens: &[T], seed: u64) -> Vec<T> {
    let mut random = SplitMix::new(mix(seed));
    let mut tokens = tokens.to_vec();
    for last in (1..tokens.len()).rev() {
        let other = random.below(last + 1);
        tokens.swap(last, other);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_without_gaps() {
        let all: Vec<_> = (0..40).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        assert_eq!((0..all.len()).map(pair).collect::<Vec<_>>(), all);
        assert_eq!(some_pairs(40, 9999, &mut SplitMix::new(1)), all);
        assert!(some_pairs(1, 9, &mut SplitMix::new(1)).is_empty());
        assert!(some_pairs(0, 9, &mut SplitMix::new(1)).is_empty());
    }

    #[test]
    fn a_sample_is_even_and_follows_its_seed() {
        let of = |seed| some_of(50, 10, &mut SplitMix::new(seed));
        assert_eq!(of(3), of(3));
        let mut times = [0_u32; 50];
        for seed in 0..5000 {
            let chosen = of(mix(seed));
            assert_eq!(chosen.len(), 10);
            assert!(chosen.windows(2).all(|two| two[0] < two[1]));
            for i in chosen {
                times[i] += 1;
            }
        }
        // The expectation is 1,000 each, with a standard deviation of 28.
        assert!(times.iter().all(|n| (880..1120).contains(n)), "{times:?}");
    }

    #[test]
    fn scrambling_keeps_the_tokens_and_not_their_order() {
        let tokens: Vec<u32> = (0..1000).map(|i| i / 3).collect();
        let mut other = scrambled(&tokens, 1);
        assert_ne!(other, tokens);
        assert_ne!(other, scrambled(&tokens, 2));
        let stay = tokens.iter().zip(&other).filter(|(x, y)| x == y).count();
        assert!(stay < 20, "{stay} tokens are where they were");
        other.sort_unstable();
        assert_eq!(other, tokens);
        assert!(scrambled::<u8>(&[], 1).is_empty());
    }
}

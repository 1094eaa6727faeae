//! Every gram of a submission, sorted by hash: where matches may start.

use std::cmp::Ordering;

use crate::fingerprint::Recipe;
use crate::token::Stream;

/// The grams of one submission, ascending by hash, then position.
///
/// Eight bytes a gram: as many leading bits of its hash as its position leaves room for, 40 in a
/// submission of 16 million tokens. Grams that agree in these only are told apart when they are extended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    /// The leading bits of the hash, then the position in the last [`position_bits`](Seeds::position_bits).
    grams: Vec<u64>,
    position_bits: u32,
    k: usize,
}

/// What a search for matches did not look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// It looked at everything.
    #[default]
    Nothing,
    /// Some pairs of places of grams: their positions in A and in B.
    Grams(Vec<u32>, Vec<u32>),
    /// Whatever it did not find.
    Anything,
}

/// Positions of one gram that are kept of one submission. More only happen where a text repeats
/// itself thousands of times, and would cost memory for each of its tokens.
const POSITIONS_PER_GRAM: usize = 1 << 12;

/// Pairs of positions of one gram that are all tried. Beyond, work would be quadratic: then each
/// position is tried with the one of the same rank in the other, which is where a text with
/// repetitions, copied as a whole or in large parts, has its counterpart.
const PAIRS_PER_GRAM: usize = 1 << 10;

impl Seeds {
    /// The grams of a submission's documents of the recipe's kind whose hash is `wanted`.
    ///
    /// Grams from one document to the next do not exist.
    pub fn new(stream: &Stream, recipe: &Recipe, wanted: impl Fn(u64) -> bool) -> Seeds {
        let k = recipe.thresholds.noise();
        let position_bits = stream.tokens.len().next_power_of_two().ilog2();
        let mut grams: Vec<u64> = Vec::new();
        let mut limit = 1 << 16;
        for range in stream.ranges(recipe.kind) {
            let symbols = &stream.tokens.symbols[range.clone()];
            for (window, at) in symbols.windows(k).zip(range.start as u64..) {
                let hash = recipe.hash(window);
                if wanted(hash) {
                    grams.push(hash >> position_bits << position_bits | at);
                }
                if grams.len() == limit {
                    drop_repetitions(&mut grams, position_bits);
                    limit = (2 * grams.len()).max(1 << 16);
                }
            }
        }
        drop_repetitions(&mut grams, position_bits);
        grams.shrink_to_fit();
        Seeds { grams, position_bits, k }
    }

    /// Tokens in a gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Positions `(in A, in B)` where each gram that both hold stands first, and those of a few whose
    /// hashes only begin alike; the search goes `steps` steps at most.
    ///
    /// In the order of their hashes, so that they are from anywhere in the texts.
    pub fn first_shared<'a>(
        &'a self,
        other: &'a Seeds,
        mut steps: usize,
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let shift = self.position_bits.max(other.position_bits);
        let (at_a, at_b) = (self.positions(), other.positions());
        let (mut a, mut b) = (&self.grams[..], &other.grams[..]);
        std::iter::from_fn(move || {
            while let (Some(&first_a), Some(&first_b)) = (a.first(), b.first()) {
                steps = steps.checked_sub(1)?;
                match (first_a >> shift).cmp(&(first_b >> shift)) {
                    Ordering::Less => a = from(a, first_b >> shift, shift),
                    Ordering::Greater => b = from(b, first_a >> shift, shift),
                    Ordering::Equal => {
                        (a, b) = (&a[run(a, shift).len()..], &b[run(b, shift).len()..]);
                        return Some((at_a(first_a), at_b(first_b)));
                    }
                }
            }
            None
        })
    }

    /// Calls `each` with the positions in A and in B of grams that both hold, and of a few whose hashes
    /// only begin alike; returns which it left out.
    pub(super) fn shared(&self, other: &Seeds, mut each: impl FnMut(u32, u32)) -> LeftOut {
        debug_assert_eq!(self.k, other.k, "grams of different length have nothing in common");
        let mut left_out = LeftOut::Nothing;
        let shift = self.position_bits.max(other.position_bits);
        let (at_a, at_b) = (self.positions(), other.positions());
        let (mut a, mut b) = (&self.grams[..], &other.grams[..]);
        while let (Some(&first_a), Some(&first_b)) = (a.first(), b.first()) {
            match (first_a >> shift).cmp(&(first_b >> shift)) {
                Ordering::Less => a = from(a, first_b >> shift, shift),
                Ordering::Greater => b = from(b, first_a >> shift, shift),
                Ordering::Equal => {
                    let (run_a, run_b) = (run(a, shift), run(b, shift));
                    if run_a.len() * run_b.len() <= PAIRS_PER_GRAM {
                        for &gram in run_a {
                            for &other in run_b {
                                each(at_a(gram), at_b(other));
                            }
                        }
                    } else {
                        for (&gram, &other) in run_a.iter().zip(run_b) {
                            each(at_a(gram), at_b(other));
                        }
                        let of = |grams: &[u64], at: &dyn Fn(u64) -> u32| -> Vec<u32> {
                            grams.iter().map(|&gram| at(gram)).collect()
                        };
                        left_out.add(of(run_a, &at_a), of(run_b, &at_b));
                    }
                    (a, b) = (&a[run_a.len()..], &b[run_b.len()..]);
                }
            }
        }
        left_out
    }

    /// Cuts a gram's position out.
    fn positions(&self) -> impl Fn(u64) -> u32 {
        let mask = (1 << self.position_bits) - 1;
        move |gram| (gram & mask) as u32
    }
}

impl LeftOut {
    /// Whether there is something.
    pub fn is_some(&self) -> bool {
        *self != LeftOut::Nothing
    }

    /// Adds a gram by its positions in A and in B.
    fn add(&mut self, mut in_a: Vec<u32>, mut in_b: Vec<u32>) {
        if in_a.len().max(in_b.len()) >= POSITIONS_PER_GRAM {
            // Of some positions, nothing is known.
            *self = LeftOut::Anything;
        }
        match self {
            LeftOut::Nothing => *self = LeftOut::Grams(in_a, in_b),
            LeftOut::Grams(all_a, all_b) => {
                all_a.append(&mut in_a);
                all_b.append(&mut in_b);
            }
            LeftOut::Anything => {}
        }
    }
}

/// Sorts, and keeps the first positions of each gram.
fn drop_repetitions(grams: &mut Vec<u64>, position_bits: u32) {
    grams.sort_unstable();
    let mut seen = 0;
    let mut last = None;
    grams.retain(|&gram| {
        let hash = gram >> position_bits;
        seen = if last == Some(hash) { seen + 1 } else { 1 };
        last = Some(hash);
        seen <= POSITIONS_PER_GRAM
    });
}

/// The grams from the first on whose leading bits are not below `least`; there is one below it.
///
/// Steps double, so that a short list passes quickly through a long one.
fn from(grams: &[u64], least: u64, shift: u32) -> &[u64] {
    let mut step = 1;
    while step < grams.len() && grams[step] >> shift < least {
        step *= 2;
    }
    let (start, end) = (step / 2, grams.len().min(step + 1));
    let found = grams[start..end].partition_point(|&gram| gram >> shift < least);
    &grams[start + found..]
}

/// The leading grams whose hashes begin alike.
fn run(grams: &[u64], shift: u32) -> &[u64] {
    let hash = grams[0] >> shift;
    let len = grams.iter().position(|gram| gram >> shift != hash).unwrap_or(grams.len());
    &grams[..len]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seeds(hashes: &[u8], position_bits: u32) -> Seeds {
        let grams = (0..).zip(hashes).map(|(at, &hash)| u64::from(hash) << 50 | at);
        let mut grams: Vec<u64> = grams.collect();
        drop_repetitions(&mut grams, position_bits);
        Seeds { grams, position_bits, k: 1 }
    }

    proptest! {
        #[test]
        fn shared_seeds_are_all_pairs_of_equal_grams(
            a in proptest::collection::vec(any::<u8>(), 0..200),
            b in proptest::collection::vec(any::<u8>(), 0..20),
            bits in (8..20_u32, 8..20_u32),
        ) {
            let mut expected = Vec::new();
            for (at_a, x) in (0..).zip(&a) {
                let equal = (0..).zip(&b).filter(|(_, y)| x == *y);
                expected.extend(equal.map(|(at_b, _)| (at_a, at_b)));
            }
            let mut found = Vec::new();
            let each = |x, y| found.push((x, y));
            prop_assert_eq!(seeds(&a, bits.0).shared(&seeds(&b, bits.1), each), LeftOut::Nothing);
            found.sort_unstable();
            prop_assert_eq!(&found, &expected);
            let mut turned = Vec::new();
            let each = |x, y| turned.push((y, x));
            prop_assert_eq!(seeds(&b, bits.1).shared(&seeds(&a, bits.0), each), LeftOut::Nothing);
            turned.sort_unstable();
            prop_assert_eq!(turned, expected);
        }
    }
}

//! Seeds: every gram of a submission, sorted by hash. Matches may start at them.

use crate::fingerprint::Recipe;
use fanmill_kernel as kernel;
use fanmill_text::gram;
use fanmill_text::token::Stream;

/// The grams of one submission, ascending by hash, then position.
///
/// A gram takes eight bytes: its position, and as many leading bits of its hash as that leaves room for, 40 in a
/// submission of 16 million tokens. Grams that agree only in these bits are distinguished when they are extended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    /// The leading bits of the hash, then the position in the last [`position_bits`](Seeds::position_bits).
    grams: Vec<u64>,
    position_bits: u32,
    k: usize,
}

/// The part of a search for matches that was not done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LeftOut {
    /// The search looked at everything.
    #[default]
    Nothing,
    /// Some pairs of positions of grams were not tried: all positions of these grams in A and in B.
    Grams(Vec<u32>, Vec<u32>),
    /// Any match that was not found may be missing.
    Anything,
}

/// Maximum number of bits for positions in submissions shorter than 16 million tokens.
const MOST_POSITION_BITS: u32 = 24;

/// Maximum number of positions of a gram that are kept for a submission. More occur only where a text repeats itself
/// thousands of times, and would cost memory for each of its tokens.
const POSITIONS_PER_GRAM: usize = 1 << 12;

/// Maximum number of pairs of positions of a gram that are all tried. Beyond it, work would be quadratic, so each
/// position is tried only with the one of the same rank in the other submission. That is where a text with repetitions,
/// copied as a whole or in large parts, has its counterpart.
const PAIRS_PER_GRAM: usize = 1 << 10;

impl Seeds {
    /// Collects the grams of a submission's documents of the recipe's kind whose hash is `wanted`.
    ///
    /// No gram spans two documents.
    pub fn new(stream: &Stream, recipe: &Recipe, wanted: impl Fn(u64) -> bool) -> Seeds {
        let k = recipe.thresholds.noise();
        let position_bits = stream.tokens.len().next_power_of_two().ilog2();
        let mut grams: Vec<u64> = Vec::new();
        let mut limit = 1 << 16;
        for range in stream.ranges(recipe.kind) {
            let symbols = &stream.tokens.symbols[range.clone()];
            gram::hash_in_parts(symbols, k, |numbers, hashes| {
                let first = (range.start + numbers.start) as u64;
                let placed = hashes.iter().map(|&hash| recipe.mark(hash)).zip(first..);
                let kept = placed.filter(|&(hash, _)| wanted(hash));
                grams.extend(kept.map(|(hash, at)| hash >> position_bits << position_bits | at));
                if grams.len() >= limit {
                    drop_repetitions(&mut grams, position_bits);
                    limit = (2 * grams.len()).max(1 << 16);
                }
            });
        }
        drop_repetitions(&mut grams, position_bits);
        grams.shrink_to_fit();
        Seeds { grams, position_bits, k }
    }

    /// Returns the number of tokens in a gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Returns the number of grams.
    pub fn len(&self) -> usize {
        self.grams.len()
    }

    /// Returns whether there are no grams.
    pub fn is_empty(&self) -> bool {
        self.grams.is_empty()
    }

    /// Returns the leading bits of each gram's hash, and its position; ascending by hash.
    ///
    /// These are as many bits as the seeds of every submission shorter than 16 million tokens have.
    pub(crate) fn leading(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let position = self.positions();
        self.grams.iter().map(move |&gram| (gram >> MOST_POSITION_BITS, position(gram)))
    }

    /// Returns a function that extracts the position of a gram.
    fn positions(&self) -> impl Fn(u64) -> u32 {
        let mask = (1 << self.position_bits) - 1;
        move |gram| (gram & mask) as u32
    }
}

/// The grams of one submission, indexed by hash; built once, and matched with many others.
///
/// Most grams that are looked up are absent. So the range of hashes is cut into many small parts, and a bit for each
/// shows whether it contains a gram. Grams are looked up in ascending order, so their bits are, too.
#[derive(Debug)]
pub struct Table<'a> {
    seeds: &'a Seeds,
    /// One bit for each part; a bucket has 2^[`PARTS`] parts.
    marks: Vec<u64>,
    /// The grams in bucket `b` are `grams[starts[b]..starts[b + 1]]`; a bucket holds about one.
    starts: Vec<u32>,
    /// A gram shifted right by so many bits is the number of its part.
    shift: u32,
}

/// The pairs of positions of a gram that are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairsTried {
    /// Each position here with each position there.
    All,
    /// Each position with the one of the same rank.
    ByRank,
}

/// Number of parts of the range of hashes in a bucket, as a power of two.
const PARTS: u32 = 4;

/// Maximum number of grams in a bucket that is scanned as a whole.
const SMALL: usize = 8;

impl<'a> Table<'a> {
    /// Builds the table of these grams.
    pub fn new(seeds: &'a Seeds) -> Table<'a> {
        // Parts are never narrower than the bits kept of a hash, as positions take 32 bits at most.
        let bits = seeds.len().next_power_of_two().ilog2().clamp(2, 24);
        let shift = u64::BITS - bits - PARTS;
        let mut marks = vec![0; (1 << (bits + PARTS)) / 64];
        let mut starts = Vec::with_capacity((1 << bits) + 1);
        for (number, &gram) in (0..).zip(&seeds.grams) {
            let part = gram >> shift;
            marks[part as usize / 64] |= 1_u64 << (part % 64);
            let bucket = (part >> PARTS) as usize;
            if starts.len() <= bucket {
                starts.resize(bucket + 1, number);
            }
        }
        starts.resize((1 << bits) + 1, seeds.len() as u32);
        Table { seeds, marks, starts, shift }
    }

    /// Calls `each` with the positions, here and there, of grams that both hold, and of a few whose hashes only begin
    /// alike, until it returns true.
    ///
    /// Returns the grams left out, or `None` if `each` ended the search.
    pub(super) fn shared(
        &self,
        other: &Seeds,
        mut each: impl FnMut(u32, u32, PairsTried) -> bool,
    ) -> Option<LeftOut> {
        debug_assert_eq!(self.seeds.k, other.k, "grams of different length have nothing in common");
        let mut left_out = LeftOut::Nothing;
        let shift = self.seeds.position_bits.max(other.position_bits);
        let (at_here, at_there) = (self.seeds.positions(), other.positions());
        let mut there = &other.grams[..];
        while let Some((&gram, others)) = there.split_first() {
            let part = gram >> self.shift;
            if self.marks[part as usize / 64] & (1 << (part % 64)) == 0 {
                there = others;
                continue;
            }
            let hash = gram >> shift;
            let bucket = self.bucket((part >> PARTS) as usize);
            // Most grams occur once, and in a bucket of a few.
            let is_single = others.first().is_none_or(|next| next >> shift != hash);
            if is_single && bucket.len() <= SMALL {
                for &here in bucket {
                    if here >> shift == hash && each(at_here(here), at_there(gram), PairsTried::All)
                    {
                        return None;
                    }
                }
                there = others;
                continue;
            }
            let run_there = run(there, shift);
            let run_here = run_of(hash, bucket, shift);
            there = &there[run_there.len()..];
            if run_here.len() * run_there.len() <= PAIRS_PER_GRAM {
                for &here in run_here {
                    for &there in run_there {
                        if each(at_here(here), at_there(there), PairsTried::All) {
                            return None;
                        }
                    }
                }
            } else {
                for (&here, &there) in run_here.iter().zip(run_there) {
                    if each(at_here(here), at_there(there), PairsTried::ByRank) {
                        return None;
                    }
                }
                left_out.add(
                    run_here.iter().map(|&gram| at_here(gram)).collect(),
                    run_there.iter().map(|&gram| at_there(gram)).collect(),
                );
            }
        }
        Some(left_out)
    }

    /// Returns the grams in a bucket.
    fn bucket(&self, number: usize) -> &[u64] {
        &self.seeds.grams[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

impl LeftOut {
    /// Returns whether anything was left out.
    pub fn is_some(&self) -> bool {
        *self != LeftOut::Nothing
    }

    /// Swaps A and B.
    #[must_use]
    pub(super) fn turned(self) -> LeftOut {
        match self {
            LeftOut::Grams(in_a, in_b) => LeftOut::Grams(in_b, in_a),
            other => other,
        }
    }

    /// Adds a gram by its positions in A and in B.
    fn add(&mut self, mut in_a: Vec<u32>, mut in_b: Vec<u32>) {
        if in_a.len().max(in_b.len()) >= POSITIONS_PER_GRAM {
            // Some positions of the gram were not kept.
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

/// Sorts grams, and keeps the first positions of each.
fn drop_repetitions(grams: &mut Vec<u64>, position_bits: u32) {
    kernel::sort_in_place(grams);
    let mut seen = 0;
    let mut last = None;
    grams.retain(|&gram| {
        let hash = gram >> position_bits;
        seen = if last == Some(hash) { seen + 1 } else { 1 };
        last = Some(hash);
        seen <= POSITIONS_PER_GRAM
    });
}

/// Returns the grams whose leading bits are `hash`.
fn run_of(hash: u64, grams: &[u64], shift: u32) -> &[u64] {
    let grams = &grams[grams.partition_point(|&gram| gram >> shift < hash)..];
    match grams.first() {
        Some(&first) if first >> shift == hash => run(grams, shift),
        _ => &[],
    }
}

/// Returns the leading grams whose hashes begin like that of the first.
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

    #[test]
    fn what_was_not_tried_is_said() {
        let left_out = |n_here: usize, n_there: usize| {
            let (here, there) = (seeds(&vec![7; n_here], 20), seeds(&vec![7; n_there], 20));
            let mut n_tried = 0;
            let left_out = Table::new(&here).shared(&there, |_, _, _| {
                n_tried += 1;
                false
            });
            (n_tried, left_out.expect("none was enough"))
        };
        assert_eq!(left_out(32, 32), (1024, LeftOut::Nothing));
        let all: Vec<u32> = (0..33).collect();
        assert_eq!(left_out(33, 33), (33, LeftOut::Grams(all.clone(), all)));
        assert_eq!(left_out(5000, 2), (2, LeftOut::Anything), "4,096 of 5,000 are known");
    }

    #[test]
    fn the_first_places_of_each_gram_are_kept() {
        let hashes = [vec![7; POSITIONS_PER_GRAM + 10], vec![9; 3], vec![7; 5]].concat();
        let kept = seeds(&hashes, 20);
        let of = |hash: u64| kept.grams.iter().filter(|&&gram| gram >> 50 == hash).count();
        assert_eq!((of(7), of(9)), (POSITIONS_PER_GRAM, 3));
        let position = kept.positions();
        assert!(kept.grams[..POSITIONS_PER_GRAM].iter().map(|&gram| position(gram)).eq(0..4096));
        assert!(!kept.is_empty() && seeds(&[], 20).is_empty());
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
            let each = |x, y, _| {
                found.push((x, y));
                false
            };
            let left_out = Table::new(&seeds(&a, bits.0)).shared(&seeds(&b, bits.1), each);
            prop_assert_eq!(left_out, Some(LeftOut::Nothing));
            found.sort_unstable();
            prop_assert_eq!(&found, &expected);
            let mut turned = Vec::new();
            let each = |x, y, _| {
                turned.push((y, x));
                false
            };
            let left_out = Table::new(&seeds(&b, bits.1)).shared(&seeds(&a, bits.0), each);
            prop_assert_eq!(left_out, Some(LeftOut::Nothing));
            turned.sort_unstable();
            prop_assert_eq!(turned, expected);
        }
    }
}

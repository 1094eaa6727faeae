//! Every gram of a submission, sorted by hash: where matches may start.

use crate::fingerprint::Scheme;
use crate::token::Stream;

/// The grams of one submission, ascending by hash, then position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    grams: Vec<(u64, u32)>,
    k: usize,
}

/// Positions of one gram that are kept of one submission. More only happen where a text repeats
/// itself thousands of times, and would cost memory for each of its tokens.
const POSITIONS_PER_GRAM: usize = 1 << 12;

/// Pairs of positions of one gram that are all tried. Beyond, work would be quadratic: then each
/// position is tried with the one of the same rank in the other, which is where a text with
/// repetitions, copied as a whole or in large parts, has its counterpart.
const PAIRS_PER_GRAM: usize = 1 << 10;

impl Seeds {
    /// The grams of a submission's documents of the scheme's kind whose hash is `wanted`.
    ///
    /// Grams from one document to the next do not exist.
    pub fn new(stream: &Stream, scheme: &Scheme, wanted: impl Fn(u64) -> bool) -> Seeds {
        let k = scheme.thresholds.noise();
        let mut grams: Vec<(u64, u32)> = Vec::new();
        for range in stream.ranges(scheme.kind) {
            let symbols = &stream.tokens.symbols[range.clone()];
            for (window, at) in symbols.windows(k).zip(range.start as u32..) {
                let hash = scheme.hash(window);
                if wanted(hash) {
                    grams.push((hash, at));
                }
                if grams.len() == grams.capacity() {
                    drop_repetitions(&mut grams);
                    grams.reserve(grams.len().max(1 << 16));
                }
            }
        }
        drop_repetitions(&mut grams);
        grams.shrink_to_fit();
        Seeds { grams, k }
    }

    /// Tokens in a gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Positions `(in A, in B)` where each gram that both hold stands first.
    ///
    /// In the order of their hashes, so that they are from anywhere in the texts.
    pub fn first_shared<'a>(&'a self, other: &'a Seeds) -> impl Iterator<Item = (u32, u32)> + 'a {
        let (mut a, mut b) = (&self.grams[..], &other.grams[..]);
        std::iter::from_fn(move || {
            while let (Some(&(hash_a, at_a)), Some(&(hash_b, at_b))) = (a.first(), b.first()) {
                if hash_a == hash_b {
                    (a, b) = (&a[run(a).len()..], &b[run(b).len()..]);
                    return Some((at_a, at_b));
                }
                a = &a[usize::from(hash_a < hash_b)..];
                b = &b[usize::from(hash_b < hash_a)..];
            }
            None
        })
    }

    /// Appends positions `(in A, in B)` of grams that both hold; returns whether these are all.
    pub(super) fn shared(&self, other: &Seeds, pairs: &mut Vec<(u32, u32)>) -> bool {
        let mut is_whole = true;
        debug_assert_eq!(self.k, other.k, "grams of different length have nothing in common");
        let (mut a, mut b) = (&self.grams[..], &other.grams[..]);
        while let (Some(&(hash_a, _)), Some(&(hash_b, _))) = (a.first(), b.first()) {
            match hash_a.cmp(&hash_b) {
                std::cmp::Ordering::Less => a = &a[1..],
                std::cmp::Ordering::Greater => b = &b[1..],
                std::cmp::Ordering::Equal => {
                    let (run_a, run_b) = (run(a), run(b));
                    if run_a.len() * run_b.len() <= PAIRS_PER_GRAM {
                        for &(_, at_a) in run_a {
                            pairs.extend(run_b.iter().map(|&(_, at_b)| (at_a, at_b)));
                        }
                    } else {
                        is_whole = false;
                        pairs.extend(run_a.iter().zip(run_b).map(|(a, b)| (a.1, b.1)));
                    }
                    (a, b) = (&a[run_a.len()..], &b[run_b.len()..]);
                }
            }
        }
        is_whole
    }
}

/// Sorts, and keeps the first positions of each gram.
fn drop_repetitions(grams: &mut Vec<(u64, u32)>) {
    grams.sort_unstable();
    let mut seen = 0;
    let mut last = None;
    grams.retain(|&(hash, _)| {
        seen = if last == Some(hash) { seen + 1 } else { 1 };
        last = Some(hash);
        seen <= POSITIONS_PER_GRAM
    });
}

/// The leading grams of equal hash.
fn run(grams: &[(u64, u32)]) -> &[(u64, u32)] {
    let hash = grams[0].0;
    let len = grams.iter().position(|gram| gram.0 != hash).unwrap_or(grams.len());
    &grams[..len]
}

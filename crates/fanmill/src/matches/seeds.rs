//! Every gram of a submission, sorted by hash: where matches may start.

use crate::gram;
use crate::token::Symbol;

/// The grams of one submission, ascending by hash, then position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeds {
    grams: Vec<(u64, u32)>,
    k: usize,
}

/// Positions of one gram that are tried in one submission. More only happen in repetitive text,
/// where extension from a few covers the rest; without the limit, work would be quadratic.
const POSITIONS_PER_GRAM: usize = 32;

impl Seeds {
    /// The grams of `k` tokens for which `wanted(position, hash)` holds.
    ///
    /// Grams across a [`Symbol::BREAK`] do not exist.
    pub fn new(symbols: &[Symbol], k: usize, wanted: impl Fn(u32, u64) -> bool) -> Seeds {
        let mut grams = Vec::with_capacity(gram::count(symbols.len(), k));
        let mut start = 0;
        for document in symbols.split(|&symbol| symbol == Symbol::BREAK) {
            let positions = u32::try_from(start).expect("submissions hold less than 2^32 tokens")..;
            let hashes = document.windows(k).map(gram::hash);
            grams.extend(
                positions
                    .zip(hashes)
                    .map(|(at, hash)| (hash, at))
                    .filter(|&(hash, at)| wanted(at, hash)),
            );
            start += document.len() + 1;
        }
        grams.sort_unstable();
        Seeds { grams, k }
    }

    /// Tokens in a gram.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Appends the positions `(in A, in B)` of grams that both hold.
    pub(super) fn shared(&self, other: &Seeds, pairs: &mut Vec<(u32, u32)>) {
        debug_assert_eq!(self.k, other.k, "grams of different length have nothing in common");
        let (mut a, mut b) = (&self.grams[..], &other.grams[..]);
        while let (Some(&(hash_a, _)), Some(&(hash_b, _))) = (a.first(), b.first()) {
            match hash_a.cmp(&hash_b) {
                std::cmp::Ordering::Less => a = &a[1..],
                std::cmp::Ordering::Greater => b = &b[1..],
                std::cmp::Ordering::Equal => {
                    let (run_a, run_b) = (run(a), run(b));
                    for &(_, at_a) in run_a.iter().take(POSITIONS_PER_GRAM) {
                        let places = run_b.iter().take(POSITIONS_PER_GRAM);
                        pairs.extend(places.map(|&(_, at_b)| (at_a, at_b)));
                    }
                    (a, b) = (&a[run_a.len()..], &b[run_b.len()..]);
                }
            }
        }
    }
}

/// The leading grams of equal hash.
fn run(grams: &[(u64, u32)]) -> &[(u64, u32)] {
    let hash = grams[0].0;
    let len = grams.iter().position(|gram| gram.0 != hash).unwrap_or(grams.len());
    &grams[..len]
}

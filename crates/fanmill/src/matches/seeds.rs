//! Every gram of a submission, sorted by hash: where matches may start.

use crate::fingerprint::Scheme;
use crate::gram;
use crate::token::Stream;

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
    /// The grams of a submission's documents of the scheme's kind whose hash is `wanted`.
    ///
    /// Grams from one document to the next do not exist.
    pub fn new(stream: &Stream, scheme: &Scheme, wanted: impl Fn(u64) -> bool) -> Seeds {
        let k = scheme.thresholds.noise();
        let mut grams = Vec::with_capacity(gram::count(stream.tokens.len(), k));
        for range in stream.ranges(scheme.kind) {
            let symbols = &stream.tokens.symbols[range.clone()];
            let hashes = symbols.windows(k).map(|gram| scheme.hash(gram));
            grams.extend(hashes.zip(range.start as u32..).filter(|&(hash, _)| wanted(hash)));
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

//! Which grams more than one submission may hold: only these can be where a match starts.
//!
//! Most grams of ordinary texts are in one submission alone. A pair is matched by merging the
//! sorted grams of both, so that leaving those out makes every pair cheaper and costs no match.
//! Two tables of bits, addressed by the leading bits of a gram's hash: held by some submission,
//! and held by a second one. Grams that fall together in a table are kept needlessly, never lost.
//!
//! Cost: two passes over all grams; 2 to 4 bytes a gram while matches are sought.

use crate::fingerprint::Scheme;
use crate::token::Stream;

/// The grams of one scheme that at least two submissions hold, and a few more.
#[derive(Debug, Default)]
pub(super) struct SharedGrams {
    /// Bit `hash >> shift` of `twice`: a second submission holds it.
    twice: Vec<u64>,
    shift: u32,
}

/// Bits of a table for each gram: one gram of eight that are alone is kept needlessly.
const BITS_PER_GRAM: usize = 8;

impl SharedGrams {
    /// Notes the grams of each submission. One that occurs `times` with the same tokens shares all
    /// its grams with itself if that is more than once.
    pub(super) fn of<'a>(
        submissions: impl Iterator<Item = (&'a Stream, usize)> + Clone,
        scheme: &Scheme,
    ) -> SharedGrams {
        let n_grams: usize = submissions.clone().map(|(stream, _)| stream.tokens.len()).sum();
        let n_bits = (BITS_PER_GRAM * n_grams).next_power_of_two().clamp(64, 1 << 34);
        let shift = u64::BITS - n_bits.ilog2();
        let mut once = vec![0_u64; n_bits / 64];
        let mut twice = once.clone();
        let mut slots = Vec::new();
        for (stream, times) in submissions {
            slots.clear();
            slots.extend(grams(stream, scheme).map(|hash| hash >> shift));
            for &slot in &slots {
                let (word, bit) = place(slot);
                twice[word] |= bit & if times > 1 { bit } else { once[word] };
            }
            for &slot in &slots {
                let (word, bit) = place(slot);
                once[word] |= bit;
            }
        }
        SharedGrams { twice, shift }
    }

    /// Whether two submissions may hold a gram; never false if they do.
    #[inline]
    pub(super) fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = place(hash >> self.shift);
        self.twice.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// The word of a table and the bit in it.
#[inline]
fn place(slot: u64) -> (usize, u64) {
    ((slot / 64) as usize, 1 << (slot % 64))
}

fn grams<'a>(stream: &'a Stream, scheme: &'a Scheme) -> impl Iterator<Item = u64> + 'a {
    let k = scheme.thresholds.noise();
    stream.ranges(scheme.kind).flat_map(move |range| {
        stream.tokens.symbols[range].windows(k).map(|gram| scheme.hash(gram))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frontend::Kind;
    use crate::select::{Selector, Thresholds};
    use crate::span::Span;
    use crate::token::{Symbol, Token};

    fn stream(text: &str) -> Stream {
        let mut stream = Stream::default();
        stream.push(0, Kind::Code, |tokens| {
            for byte in text.bytes() {
                let symbol = Symbol::spelled(&[byte]);
                tokens.push(Token { symbol, name: symbol, span: Span::default() });
            }
        });
        stream
    }

    proptest! {
        /// The naive twin: a gram that two hold, by looking at every other submission.
        #[test]
        fn no_shared_gram_is_missing_and_few_others_are_kept(
            texts in proptest::collection::vec(("[a-d]{0,30}", 1_usize..3), 0..12),
        ) {
            let thresholds = Thresholds::new(3, 5).expect("ordered");
            let scheme = Scheme { kind: Kind::Code, thresholds, selector: Selector::All };
            let streams: Vec<(Stream, usize)> =
                texts.iter().map(|(text, times)| (stream(text), *times)).collect();
            let shared = SharedGrams::of(streams.iter().map(|(s, n)| (s, *n)), &scheme);
            for (i, (own, times)) in streams.iter().enumerate() {
                for hash in grams(own, &scheme) {
                    let others = streams.iter().enumerate().filter(|(j, _)| *j != i);
                    let is_elsewhere =
                        others.clone().any(|(_, (other, _))| grams(other, &scheme).any(|h| h == hash));
                    if is_elsewhere || *times > 1 {
                        prop_assert!(shared.may_hold(hash));
                    }
                }
            }
        }
    }

    #[test]
    fn what_one_submission_holds_alone_is_mostly_left_out() {
        let letters = |seed: u64| -> String {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'a' + (state >> 33) as u8 % 26)
            };
            (0..4000).map(|_| next()).collect()
        };
        let thresholds = Thresholds::new(11, 24).expect("ordered");
        let scheme = Scheme { kind: Kind::Code, thresholds, selector: Selector::All };
        let streams = [stream(&letters(1)), stream(&letters(2)), stream(&letters(3))];
        let shared = SharedGrams::of(streams.iter().map(|stream| (stream, 1)), &scheme);
        let kept = grams(&streams[2], &scheme).filter(|&hash| shared.may_hold(hash)).count();
        assert!(kept < 4000 / 5, "{kept} of 3990");
        let only = SharedGrams::of([(&streams[0], 1)].into_iter(), &scheme);
        assert!(
            grams(&streams[0], &scheme).all(|hash| !only.may_hold(hash)),
            "repeated within one"
        );
    }
}

//! Evidence for sources, from the fingerprints that a document shares with a text, and above all from those that lie
//! near each other in both.
//!
//! A large document shares some short grams with any text, scattered over both. A passage has its grams close together
//! and in order. So the best *chain* counts: a sequence of fingerprints, each within [`NEAR`] tokens of the previous
//! one in the text, and at a distance in the document that differs by at most [`SKEW`]. The first fingerprint counts by
//! its rarity in bits: `log2` of the tokens of all documents (an assumed [`MEAN`] in each) per document that holds it.
//! For each further one there is less room: the bits of that room are subtracted, and half of the rest counts, since it
//! overlaps the previous one. A chain may begin anywhere in the document, so `log2` of the document's length in tokens
//! is subtracted; the rest is the evidence.
//!
//! A long text has many sources, and those that share long passages would leave no place for others. So the documents
//! with the best chains in each [`PART`] of the text are returned too ([`Ranked::best_of_parts`]).
//!
//! The length is looked up only for the [`SIZED`] documents with the best chains; all others come after them. Of a
//! fingerprint that repeats, the first [`REPEATED`] places on each side count; of a very long text, the meetings of its
//! smallest fingerprints, [`MOST`] in all. So work and memory are bounded.
//!
//! Source: Karlin & Altschul, PNAS 87, 1990, for scores as log-odds and the size of the search space. The rough measure
//! of a fingerprint's bits is ours.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fanmill::fingerprint::Fingerprint;
use fanmill::index::Posting;
use fanmill::score::rarity;
use fanmill_text::Result;

use crate::rare::Place;

/// Maximum distance of two neighbouring fingerprints of a chain, in tokens.
const NEAR: u32 = 32;

/// Maximum number of tokens by which the distances of two fingerprints may differ between the texts.
const SKEW: u32 = 16;

/// Number of places of one fingerprint that count in each of two texts.
const REPEATED: usize = 3;

/// Maximum number of meetings that are kept, 20 bytes each.
const MOST: usize = 1 << 23;

/// Number of earlier meetings that one is compared with. More lie within [`NEAR`] only if the same few words repeat.
const LOOK_BACK: usize = 32;

/// Number of documents whose length is looked up.
const SIZED: usize = 256;

/// Length of a part of the text, in tokens.
const PART: u32 = 512;

/// Number of documents that are returned for each part, and number of those whose length is looked up.
const BEST_OF_PART: usize = 3;
const SIZED_OF_PART: usize = 16;

/// Assumed number of tokens in a document. It makes evidence independent of removed documents that still take space.
const MEAN: f64 = 512.0;

/// A bit in the unit that chains are measured in. These are integers, so that sums do not depend on their order.
const BIT: f64 = 65536.0;

/// A document that shares fingerprints with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) segment: usize,
    pub(crate) document: u32,
    /// True if the length of the document has been subtracted from its chain.
    is_sized: bool,
    /// Bits of the best chain, in units of 1/65536.
    chain: i64,
    /// The weight of all fingerprints that it shares with the text, in units of 1/65536.
    weight: u64,
    /// Number of these fingerprints.
    pub(crate) fingerprints: u64,
}

impl Candidate {
    /// Returns a key that ascends from the best candidate: by the best chain, then by the weight of all fingerprints.
    pub(crate) fn rank(&self) -> impl Ord + use<> {
        Reverse((self.is_sized, self.chain, self.weight))
    }

    /// Returns the bits of the best chain beyond those for the length of the document; 0 without a chain.
    #[expect(clippy::cast_sign_loss, reason = "it is at least 0")]
    pub(crate) fn evidence(&self) -> u64 {
        self.chain.max(0) as u64 / BIT as u64
    }

    /// Returns the weight of all fingerprints that it shares with the text.
    pub(crate) fn weight(&self) -> u64 {
        self.weight / 65536
    }
}

/// The fingerprints that a text shares with documents.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    held: Vec<Share>,
    met: Vec<Meeting>,
    /// The bits of each fingerprint of the text, by its number.
    told: Vec<FingerprintBits>,
}

/// The bits of a fingerprint.
#[derive(Debug, Clone, Copy)]
struct FingerprintBits {
    weight: u64,
    /// Bits as the first fingerprint of a chain.
    first: i64,
    /// Bits after another fingerprint.
    next: i64,
}

impl FingerprintBits {
    fn new(n_holders: usize, n_documents: usize) -> FingerprintBits {
        let tokens = MEAN * n_documents.max(1) as f64 / n_holders.max(1) as f64;
        let bits = libm::log2(tokens);
        let room = libm::log2(f64::from(2 * SKEW));
        FingerprintBits {
            weight: rarity::weight(n_holders, n_documents),
            first: (BIT * bits).max(0.0) as i64,
            next: (BIT * (bits - room) / 2.0).max(0.0) as i64,
        }
    }
}

/// A document with a fingerprint of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Share {
    segment: u32,
    document: u32,
    /// The fingerprint's number.
    own: u32,
}

/// A place where it has the fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    segment: u32,
    document: u32,
    /// Position in the text, in tokens.
    at: u32,
    /// Position in the document, in tokens.
    other: u32,
    /// The fingerprint's number.
    own: u32,
}

impl Shares {
    /// Adds the postings of a segment for the text's next fingerprint, given its places in the text.
    pub(crate) fn add(&mut self, places: &[Fingerprint], segment: usize, postings: &[Posting]) {
        let (segment, own) = (segment as u32, self.told.len() as u32);
        for theirs in postings.chunk_by(|x, y| x.document == y.document) {
            let document = theirs[0].document;
            self.held.push(Share { segment, document, own });
            for &Fingerprint { at, .. } in places.iter().take(REPEATED) {
                let room = MOST.saturating_sub(self.met.len());
                let others = theirs.iter().map(|posting| posting.at).take(REPEATED.min(room));
                self.met.extend(others.map(|other| Meeting { segment, document, at, other, own }));
            }
        }
    }

    /// Ends the postings of a fingerprint, which `n_holders` of `n_documents` documents hold.
    pub(crate) fn weigh(&mut self, n_holders: usize, n_documents: usize) {
        self.told.push(FingerprintBits::new(n_holders, n_documents));
    }

    /// Returns the documents, best first; of equals, the one that was added first. `n_tokens` returns the length of a
    /// document of a segment.
    ///
    /// # Errors
    /// If a length cannot be read.
    pub(crate) fn ranked(mut self, n_tokens: impl Fn(usize, u32) -> Result<u64>) -> Result<Ranked> {
        self.held.sort_unstable();
        self.met.sort_unstable();
        let mut met = &self.met[..];
        let same_document =
            |x: &Share, y: &Share| (x.segment, x.document) == (y.segment, y.document);
        let mut candidates = Vec::new();
        let (mut chains, mut of_parts, mut of_document) = (Vec::new(), Vec::new(), Vec::new());
        for shares in self.held.chunk_by(same_document) {
            let Share { segment, document, .. } = shares[0];
            let n = met.partition_point(|met| (met.segment, met.document) <= (segment, document));
            let (here, rest) = met.split_at(n);
            met = rest;
            candidates.push(Candidate {
                segment: segment as usize,
                document,
                is_sized: false,
                chain: best_chain(here, &self.told, &mut chains, &mut of_document),
                weight: shares.iter().map(|share| self.told[share.own as usize].weight).sum(),
                fingerprints: shares.len() as u64,
            });
            let place = (segment as usize, document);
            let chains = of_document.drain(..);
            of_parts.extend(chains.map(|(part, chain)| PartChain { part, chain, place }));
        }
        // The sorts are stable, so of equal documents, the one that was added first comes first.
        candidates.sort_by_key(Candidate::rank);
        for candidate in candidates.iter_mut().take(SIZED) {
            candidate.chain -= of_length(n_tokens(candidate.segment, candidate.document)?);
            candidate.is_sized = true;
        }
        candidates.sort_by_key(Candidate::rank);
        Ok(Ranked { candidates, of_parts })
    }
}

/// The documents that share fingerprints with a text.
#[derive(Debug)]
pub(crate) struct Ranked {
    /// The best first.
    pub(crate) candidates: Vec<Candidate>,
    of_parts: Vec<PartChain>,
}

/// The best chain of a document in a part of the text, of two fingerprints or more.
#[derive(Debug, Clone, Copy)]
struct PartChain {
    part: u32,
    chain: i64,
    place: Place,
}

impl Ranked {
    /// Returns the documents with the best chains in each part of the text, besides those that are `taken` already, at
    /// most [`BEST_OF_PART`] for each. One fingerprint is no chain. `n_tokens` returns the length of a document of a
    /// segment.
    ///
    /// # Errors
    /// If a length cannot be read.
    pub(crate) fn best_of_parts(
        &mut self,
        taken: &BTreeSet<Place>,
        n_tokens: impl Fn(usize, u32) -> Result<u64>,
    ) -> Result<BTreeSet<Place>> {
        self.of_parts.retain(|own| !taken.contains(&own.place));
        self.of_parts.sort_unstable_by_key(|own| (own.part, Reverse(own.chain), own.place));
        let mut best = BTreeSet::new();
        for part in self.of_parts.chunk_by(|x, y| x.part == y.part) {
            let sized = part.iter().take(SIZED_OF_PART).map(|own| {
                let length = n_tokens(own.place.0, own.place.1)?;
                Ok((Reverse(own.chain - of_length(length)), own.place))
            });
            let mut sized: Vec<_> = sized.collect::<Result<_>>()?;
            sized.retain(|&(Reverse(chain), _)| chain > 0);
            sized.sort_unstable();
            best.extend(sized.into_iter().take(BEST_OF_PART).map(|(_, place)| place));
        }
        Ok(best)
    }
}

/// Returns the bits for the places where a chain may begin in a document.
fn of_length(n_tokens: u64) -> i64 {
    (BIT * libm::log2(n_tokens.max(1) as f64)) as i64
}

/// Returns the bits of the best chain, given the meetings with one document, ascending by place in the text. Appends to
/// `of_parts` the number of each part of the text where a chain of several fingerprints ends, with the best one's bits.
fn best_chain(
    met: &[Meeting],
    told: &[FingerprintBits],
    chains: &mut Vec<i64>,
    of_parts: &mut Vec<(u32, i64)>,
) -> i64 {
    chains.clear();
    let mut best = 0;
    for (i, one) in met.iter().enumerate() {
        let told = told[one.own as usize];
        let first = i.saturating_sub(LOOK_BACK);
        let before = met[first..i].iter().zip(&chains[first..]).rev();
        let before = before.take_while(|(before, _)| one.at - before.at <= NEAR);
        let joined =
            before.filter(|(before, _)| is_near(before, one)).map(|(_, chain)| chain + told.next);
        let joined = joined.max().unwrap_or(0);
        let chain = joined.max(told.first);
        if joined >= told.first && joined > 0 {
            let part = one.at / PART;
            match of_parts.last_mut() {
                Some(last) if last.0 == part => last.1 = last.1.max(joined),
                _ => of_parts.push((part, joined)),
            }
        }
        chains.push(chain);
        best = best.max(chain);
    }
    best
}

/// Returns whether two fingerprints are near each other, and in the same order in both texts.
fn is_near(before: &Meeting, one: &Meeting) -> bool {
    let between = (one.at - before.at, one.other.saturating_sub(before.other));
    between.0 > 0
        && between.1 > 0
        && between.0 <= NEAR
        && between.0.abs_diff(between.1) <= SKEW
        && one.own != before.own
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A fingerprint: its number of holders among 1,024 documents, its places in the text, and its postings.
    type Shared = (usize, Vec<u32>, Vec<Posting>);

    /// Returns the candidates, if the document of number `d` has `1 << (d + 1)` tokens.
    fn ranked(fingerprints: &[Shared]) -> Vec<Candidate> {
        let mut shares = Shares::default();
        for (n_holders, places, postings) in fingerprints {
            shares.add(&places.iter().map(|&at| own(at)).collect::<Vec<_>>(), 0, postings);
            shares.weigh(*n_holders, 1024);
        }
        shares.ranked(|_, document| Ok(2 << document)).expect("all lengths are known").candidates
    }

    fn own(at: u32) -> Fingerprint {
        Fingerprint { hash: 0, at }
    }

    fn at(document: u32, at: u32) -> Posting {
        Posting { document, at }
    }

    /// Returns the bits of the only document, which has two tokens.
    fn evidence(fingerprints: &[Shared]) -> u64 {
        ranked(fingerprints)[0].evidence()
    }

    #[test]
    fn a_passage_outranks_a_large_document() {
        // The document of 2^17 tokens has four fingerprints far apart; the other one has three, with one more word
        // between them.
        let found = ranked(&[
            (2, vec![10], vec![at(1, 40), at(16, 5000)]),
            (2, vec![14], vec![at(1, 45), at(16, 100)]),
            (2, vec![20], vec![at(1, 51), at(16, 9000)]),
            (1, vec![900], vec![at(16, 3)]),
        ]);
        let order: Vec<(u32, u64, u64)> =
            found.iter().map(|one| (one.document, one.evidence(), one.fingerprints)).collect();
        assert_eq!(order, [(1, 18 + 13 - 2, 3), (16, 19 - 17, 4)]);
        assert!(found[0].weight < found[1].weight);
    }

    #[test]
    fn what_is_swapped_or_stretched_is_no_chain() {
        let two = |first: u32, second: u32| {
            evidence(&[(1, vec![100], vec![at(0, first)]), (1, vec![110], vec![at(0, second)])])
        };
        assert_eq!([two(50, 60), two(50, 50 + 10 + SKEW), two(50, 51)], [25, 25, 25]);
        assert_eq!([two(60, 50), two(50, 50), two(50, 61 + SKEW)], [18, 18, 18]);
        let apart = |n: u32| {
            evidence(&[(1, vec![100], vec![at(0, 7)]), (1, vec![100 + n], vec![at(0, 7 + n)])])
        };
        assert_eq!([apart(NEAR), apart(NEAR + 1)], [25, 18]);
    }

    #[test]
    fn a_fingerprint_that_repeats_makes_no_chain_with_itself() {
        let postings: Vec<Posting> = (1..9).map(|n| at(0, 3 * n)).collect();
        assert_eq!(evidence(&[(1, vec![1, 4, 7, 10], postings)]), 18);
    }

    #[test]
    fn beyond_those_whose_length_is_known_the_chain_decides() {
        let postings: Vec<Posting> =
            (0..2 * SIZED as u32).map(|document| at(document, 1)).collect();
        let mut shares = Shares::default();
        shares.add(&[own(5)], 0, &postings);
        shares.weigh(postings.len(), 1 << 20);
        let found = shares.ranked(|_, document| Ok(1 + u64::from(document))).expect("known");
        let order: Vec<u32> = found.candidates.iter().map(|one| one.document).collect();
        assert_eq!(order, (0..2 * SIZED as u32).collect::<Vec<u32>>());
    }

    /// Document 9 shares long passages with the first part of the text; 1, 2, 3 and 5 share two or three words with the
    /// second, and 4 a single one.
    #[test]
    fn each_part_of_a_text_has_its_best_documents() {
        let mut shares = Shares::default();
        let mut add = |place: u32, postings: &[Posting]| {
            shares.add(&[own(place)], 0, postings);
            shares.weigh(postings.len(), 1 << 14);
        };
        (0..20).for_each(|i| add(10 * i, &[at(9, 10 * i)]));
        add(PART + 5, &[at(1, 3), at(2, 3), at(3, 3), at(4, 3), at(5, 3)]);
        add(PART + 10, &[at(1, 8), at(2, 8), at(3, 8), at(5, 8)]);
        add(PART + 15, &[at(1, 13), at(2, 13)]);
        let mut found = shares.ranked(|_, _| Ok(100)).expect("known");
        let mut best = |taken: &[Place]| {
            let taken = taken.iter().copied().collect();
            let best = found.best_of_parts(&taken, |_, _| Ok(100)).expect("known");
            best.into_iter().map(|(_, document)| document).collect::<Vec<_>>()
        };
        assert_eq!(best(&[]), [1, 2, 3, 9]);
        assert_eq!(best(&[(0, 9), (0, 1)]), [2, 3, 5]);
        assert!(best(&[(0, 9), (0, 1), (0, 2), (0, 3), (0, 5)]).is_empty());
    }

    /// Returns the bits of the best chain that ends with a meeting, by trying all that may come before it.
    fn naive_chain(met: &[Meeting], told: &[FingerprintBits], last: usize) -> i64 {
        let last_told = told[met[last].own as usize];
        let before =
            (0..met.len()).filter(|&i| met[i].at < met[last].at && is_near(&met[i], &met[last]));
        let joined = before.map(|i| naive_chain(met, told, i) + last_told.next);
        joined.max().unwrap_or(0).max(last_told.first)
    }

    proptest! {
        #[test]
        fn the_best_of_all_chains_is_found(
            met in prop::collection::vec((0_u32..90, 0_u32..90, 0_u32..6), 0..12),
            bits in prop::collection::vec((0_i64..1000, 0_i64..500), 6),
        ) {
            let told: Vec<FingerprintBits> = bits.into_iter().map(|(first, next)| FingerprintBits { weight: 0, first, next }).collect();
            let mut met: Vec<Meeting> = met
                .into_iter()
                .map(|(at, other, own)| Meeting { segment: 0, document: 0, at, other, own })
                .collect();
            met.sort_unstable();
            let best = (0..met.len()).map(|last| naive_chain(&met, &told, last)).max().unwrap_or(0);
            prop_assert_eq!(best_chain(&met, &told, &mut Vec::new(), &mut Vec::new()), best);
        }
    }
}

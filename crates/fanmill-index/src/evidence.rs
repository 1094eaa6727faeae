//! How likely a document is a source: the fingerprints that it shares with a text, and which of them lie near each other
//! in both.
//!
//! A large document shares some short grams with any text, scattered over both. A passage has its own close together.
//! So documents are ranked by the weight of the fingerprints that have another one of the text within [`NEAR`] tokens,
//! behind or before it in both, at distances that differ by [`SKEW`] at most; and only where this is equal by the
//! weight of all that they share.
//!
//! Of a fingerprint that repeats, the first [`REPEATED`] places count on each side; of a very long text, the meetings of
//! its smallest fingerprints, [`MOST`] in all. So work and memory are bounded, and the rest is ranked by weight.

use std::cmp::Reverse;

use fanmill::index::Posting;

/// Tokens from one fingerprint to another one near it, at most.
const NEAR: u32 = 32;

/// By how many tokens the distances of two fingerprints may differ between the texts.
const SKEW: u32 = 16;

/// Places of one fingerprint that count in each of two texts.
const REPEATED: usize = 3;

/// Meetings that are kept: 20 bytes each.
const MOST: usize = 1 << 23;

/// Meetings before one that it is compared with: more lie within [`NEAR`] only where the same few words repeat.
const LOOK_BACK: usize = 32;

/// A document that shares fingerprints with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) segment: usize,
    pub(crate) document: u32,
    /// Weight of the fingerprints that it shares with the text and that lie near each other in both, in units of 1/65536.
    pub(crate) near: u64,
    /// That of all that it shares.
    pub(crate) weight: u64,
    /// How many these are.
    pub(crate) fingerprints: u64,
}

impl Candidate {
    /// Ascending for those that are better: by what is near, then by all.
    pub(crate) fn rank(&self) -> Reverse<(u64, u64)> {
        Reverse((self.near, self.weight))
    }
}

/// What a text shares with documents, fingerprint by fingerprint.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    shares: Vec<Share>,
    met: Vec<Meeting>,
    /// The weight of each fingerprint of the text, by its number.
    weights: Vec<u64>,
}

/// A document has a fingerprint of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Share {
    segment: u32,
    document: u32,
    /// The fingerprint's number.
    own: u32,
}

/// Where it has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Meeting {
    segment: u32,
    document: u32,
    /// Position in the text, in tokens.
    at: u32,
    /// Position in the document.
    other: u32,
    /// The fingerprint's number.
    own: u32,
}

impl Shares {
    /// Adds the postings of a segment that have the text's next fingerprint, which stands at `places` in the text.
    pub(crate) fn add(
        &mut self,
        places: impl Iterator<Item = u32> + Clone,
        segment: usize,
        postings: &[Posting],
    ) {
        let (segment, own) = (segment as u32, self.weights.len() as u32);
        for theirs in postings.chunk_by(|x, y| x.document == y.document) {
            let document = theirs[0].document;
            self.shares.push(Share { segment, document, own });
            for at in places.clone().take(REPEATED) {
                let room = MOST.saturating_sub(self.met.len());
                let others = theirs.iter().map(|posting| posting.at).take(REPEATED.min(room));
                self.met.extend(others.map(|other| Meeting { segment, document, at, other, own }));
            }
        }
    }

    /// Ends the postings of a fingerprint, which weighs so much.
    pub(crate) fn weigh(&mut self, weight: u64) {
        self.weights.push(weight);
    }

    /// The documents, best first; of equals, the one that was added first.
    pub(crate) fn ranked(mut self) -> Vec<Candidate> {
        self.shares.sort_unstable();
        self.met.sort_unstable();
        let mut met = &self.met[..];
        let same_document =
            |x: &Share, y: &Share| (x.segment, x.document) == (y.segment, y.document);
        let mut candidates = Vec::new();
        for shares in self.shares.chunk_by(same_document) {
            let Share { segment, document, .. } = shares[0];
            let n = met.partition_point(|met| (met.segment, met.document) <= (segment, document));
            let (here, rest) = met.split_at(n);
            met = rest;
            candidates.push(Candidate {
                segment: segment as usize,
                document,
                near: near(here).iter().map(|&own| self.weights[own as usize]).sum(),
                weight: shares.iter().map(|share| self.weights[share.own as usize]).sum(),
                fingerprints: shares.len() as u64,
            });
        }
        // Those that were added first come first where evidence is equal: the sort is stable.
        candidates.sort_by_key(Candidate::rank);
        candidates
    }
}

/// The numbers of the fingerprints that have another one near them, given the meetings with one document, ascending by
/// place in the text.
fn near(met: &[Meeting]) -> Vec<u32> {
    let mut found = Vec::new();
    for (i, one) in met.iter().enumerate() {
        for before in met[i.saturating_sub(LOOK_BACK)..i].iter().rev() {
            if one.at - before.at > NEAR {
                break;
            }
            if is_near(before, one) {
                found.extend([before.own, one.own]);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether two fingerprints are near each other and in the same order in both texts.
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

    /// The documents of the shares: `(document, [(number, places in the text, places in the document)])`.
    fn ranked(fingerprints: &[(u64, Vec<u32>, Vec<Posting>)]) -> Vec<Candidate> {
        let mut shares = Shares::default();
        for (weight, places, postings) in fingerprints {
            shares.add(places.iter().copied(), 0, postings);
            shares.weigh(*weight);
        }
        shares.ranked()
    }

    fn at(document: u32, at: u32) -> Posting {
        Posting { document, at }
    }

    #[test]
    fn a_passage_outranks_a_large_document() {
        // Document 0 has four rare fingerprints far apart, document 1 three in a passage with a word more in it.
        let found = ranked(&[
            (9, vec![10], vec![at(0, 5000), at(1, 40)]),
            (9, vec![14], vec![at(0, 100), at(1, 45)]),
            (9, vec![20], vec![at(0, 9000), at(1, 51)]),
            (9, vec![900], vec![at(0, 3)]),
        ]);
        let order: Vec<(u32, u64, u64)> =
            found.iter().map(|one| (one.document, one.near, one.weight)).collect();
        assert_eq!(order, [(1, 27, 27), (0, 0, 36)]);
    }

    #[test]
    fn what_is_swapped_or_stretched_is_not_near() {
        let two = |first: u32, second: u32| {
            ranked(&[(1, vec![100], vec![at(0, first)]), (1, vec![110], vec![at(0, second)])])[0]
                .near
        };
        assert_eq!([two(50, 60), two(50, 50 + 10 + SKEW), two(50, 51)], [2, 2, 2]);
        assert_eq!([two(60, 50), two(50, 50), two(50, 61 + SKEW)], [0, 0, 0]);
        let apart = |n: u32| {
            ranked(&[(1, vec![100], vec![at(0, 7)]), (1, vec![100 + n], vec![at(0, 7 + n)])])[0]
                .near
        };
        assert_eq!([apart(NEAR), apart(NEAR + 1)], [2, 0]);
    }

    #[test]
    fn a_fingerprint_that_repeats_is_not_near_itself() {
        let found = ranked(&[(5, vec![1, 4, 7, 10], (1..9).map(|n| at(3, 3 * n)).collect())]);
        assert_eq!((found[0].near, found[0].weight, found[0].fingerprints), (0, 5, 1));
    }

    proptest! {
        #[test]
        fn the_naive_count_is_the_same(
            fingerprints in prop::collection::vec((1_u64..9, prop::collection::btree_set(0_u32..300, 1..3),
                prop::collection::btree_set((0_u32..3, 0_u32..300), 0..5)), 0..10),
        ) {
            let fingerprints: Vec<_> = fingerprints.into_iter().map(|(weight, places, postings)| {
                let postings = postings.into_iter().map(|(document, place)| at(document, place)).collect();
                (weight, places.into_iter().collect(), postings)
            }).collect();
            let found = ranked(&fingerprints);
            prop_assert!(found.is_sorted_by_key(Candidate::rank));
            for one in &found {
                let met: Vec<Meeting> = fingerprints.iter().zip(0..).flat_map(|((_, places, postings), own)| {
                    let theirs = postings.iter().filter(|posting| posting.document == one.document).take(REPEATED);
                    theirs.flat_map(move |posting| places.iter().map(move |&at| Meeting {
                        segment: 0, document: posting.document, at, other: posting.at, own,
                    }))
                }).collect();
                let has_near = |own: u32| met.iter().filter(|x| x.own == own).any(|x| {
                    met.iter().any(|y| if x.at < y.at { is_near(x, y) } else { y.at < x.at && is_near(y, x) })
                });
                let owns = (0..).zip(&fingerprints);
                let near = owns.clone().filter(|&(own, _)| has_near(own)).map(|(_, of)| of.0).sum::<u64>();
                let holds = |of: &(u64, Vec<u32>, Vec<Posting>)| of.2.iter().any(|p| p.document == one.document);
                let weight = owns.filter(|(_, of)| holds(of)).map(|(_, of)| of.0).sum::<u64>();
                prop_assert_eq!((one.near, one.weight), (near, weight));
            }
        }
    }
}

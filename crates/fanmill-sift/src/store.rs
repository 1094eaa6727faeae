//! A store: the fingerprints of many documents, to check other documents against.
//!
//! Its [`Records`] hold each document's name and fingerprints; its postings list the documents that may hold a value. A
//! check weighs the values that each document shares with the one checked, and compares in full those that share most.
//!
//! For a value that very many documents have (a footer, or a campaign of copies), only the first documents
//! are looked at, and the result says so. Copies of one campaign find each other whichever of them are
//! looked at.
//!
//! Cost: for each value of a document 8 bytes and some 3 for its posting; a check reads the buckets of its
//! values, at most [`Limits::holders`] documents each.

use std::cmp::Reverse;

use super::key::{Key, KeyId};
use super::postings::{BATCH, Postings};
use super::profile::Profile;
use super::records::Records;
use super::sifter::{Likeness, Sifted, Sifter};
use fanmill_text::error::Result;

pub use super::records::StoredIdx;

/// Documents and their fingerprints; see the [module](self).
#[derive(Debug, Clone)]
pub struct Store {
    records: Records,
    postings: Postings,
}

/// Weight of a value that only one document has; a value of n documents weighs an nth of it.
const RARE: u64 = 1 << 32;

/// Limits on the work of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of documents looked at per value, in the order in which they were added.
    pub holders: usize,
    /// Maximum number of documents compared in full: those that share most, where rare values count more.
    pub matches: usize,
}

impl Limits {
    /// Returns the standard limits: look at up to 1,000 documents per value, and compare in full the 100 that share the
    /// most rare values.
    pub const fn standard() -> Limits {
        Limits { holders: 1000, matches: 100 }
    }
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckResult {
    /// Documents that share values: highest S3 first, then most values in common, then as added.
    pub matches: Vec<Match>,
    /// True if a limit was reached: some value has more documents than were looked at, or more documents share values
    /// than were compared.
    pub is_cut: bool,
}

/// A document that shares values with the one checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The document in the store.
    pub document: StoredIdx,
    /// The similarity of the two, family by family; A is the document that was checked.
    pub likeness: Likeness,
}

impl Store {
    /// Creates an empty store for fingerprints made by this sifter.
    pub fn new(sifter: &Sifter) -> Store {
        Store { records: Records::new(sifter), postings: Postings::default() }
    }

    /// Creates a store of these documents.
    pub fn from_records(records: Records) -> Store {
        let mut store = Store { records, postings: Postings::default() };
        store.index();
        store
    }

    /// Returns its documents' names and fingerprints.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Returns the profile of its fingerprints.
    pub fn profile(&self) -> &Profile {
        self.records.profile()
    }

    /// Returns the key of its fingerprints.
    pub fn key(&self) -> KeyId {
        self.records.key()
    }

    /// Creates a sifter for documents to add and to check.
    ///
    /// # Errors
    /// If `key` is not the store's; see [`Records::sifter`].
    pub fn sifter(&self, key: &Key) -> Result<Sifter> {
        self.records.sifter(key)
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the name of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn name(&self, document: StoredIdx) -> &str {
        self.records.name(document)
    }

    /// Returns the fingerprints of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn sifted(&self, document: StoredIdx) -> Sifted {
        self.records.sifted(document)
    }

    /// Adds a document.
    ///
    /// # Errors
    /// If the fingerprints are of another profile; if the store is full: at 2^32 values or bytes of names.
    pub fn add(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        let document = self.records.push(name, sifted)?;
        if self.len() as u32 - self.postings.end() >= BATCH {
            self.index();
        }
        Ok(document)
    }

    /// Makes postings for all documents that have none yet.
    fn index(&mut self) {
        let records = &self.records;
        let each_value = |document, found: &mut dyn FnMut(usize, u64)| {
            records.each_value(document, found);
        };
        self.postings.extend(records.len() as u32, each_value);
    }

    /// Finds the documents that share values with the given one.
    ///
    /// # Panics
    /// If the fingerprints are not of the store's profile.
    pub fn check(&self, sifted: &Sifted, limits: &Limits) -> CheckResult {
        assert_eq!(sifted.families.len(), self.records.n_families(), "of one profile");
        let (mut shares, mut holders, mut is_cut) = (Vec::new(), Vec::new(), false);
        for (family, kept) in sifted.families.iter().enumerate() {
            for &value in &kept.values {
                holders.clear();
                is_cut |= self.holders(family, value, limits.holders, &mut holders);
                let weight = RARE / holders.len().max(1) as u64;
                shares.extend(holders.iter().map(|&document| (document, weight)));
            }
        }
        // Add up the weights per document; the heaviest are compared in full.
        shares.sort_unstable();
        let mut shared: Vec<(u64, StoredIdx)> = shares
            .chunk_by(|a, b| a.0 == b.0)
            .map(|run| (run.iter().map(|share| share.1).sum(), run[0].0))
            .collect();
        shared.sort_unstable_by_key(|&(weight, document)| (Reverse(weight), document));
        is_cut |= shared.len() > limits.matches;
        shared.truncate(limits.matches);
        let compare = |&(_, document): &(u64, StoredIdx)| Match {
            document,
            likeness: sifted.likeness(&self.sifted(document)),
        };
        let mut matches: Vec<Match> = shared.iter().map(compare).collect();
        sort(&mut matches);
        CheckResult { matches, is_cut }
    }

    /// Appends the first `most` documents that have a value; returns whether there are more.
    fn holders(
        &self,
        family: usize,
        value: u64,
        most: usize,
        holders: &mut Vec<StoredIdx>,
    ) -> bool {
        let enough = holders.len() + most;
        let mut is_cut = false;
        let mut ask = |document: StoredIdx| {
            if self.records.values_of(document, family).binary_search(&value).is_ok() {
                is_cut = holders.len() == enough;
                if !is_cut {
                    holders.push(document);
                }
            }
            !is_cut
        };
        // Postings only list the documents that may have it. Documents without postings come last.
        self.postings.ask(family, value, &mut ask);
        let mut waiting = self.postings.end()..self.len() as u32;
        waiting.all(ask);
        is_cut
    }

    /// Returns the memory that its documents take, in bytes, without spare capacity.
    pub fn bytes(&self) -> usize {
        self.records.bytes() + self.postings.bytes()
    }

    /// The naive twin of [`check`](Store::check): compares all documents.
    #[cfg(test)]
    fn naive(&self, sifted: &Sifted) -> Vec<Match> {
        let compare =
            |document| Match { document, likeness: sifted.likeness(&self.sifted(document)) };
        let mut matches: Vec<Match> = (0..self.len() as u32).map(compare).collect();
        matches.retain(|each| {
            let kept = sifted.families.iter().zip(self.sifted(each.document).families);
            kept.into_iter().any(|(a, b)| a.values.iter().any(|value| b.values.contains(value)))
        });
        sort(&mut matches);
        matches
    }
}

fn sort(matches: &mut [Match]) {
    let rank = |each: &Match| (each.likeness.s3().unwrap_or(0.0), each.likeness.n_common());
    matches.sort_by(|a, b| {
        let ((s3_a, n_a), (s3_b, n_b)) = (rank(a), rank(b));
        s3_b.total_cmp(&s3_a).then(n_b.cmp(&n_a)).then(a.document.cmp(&b.document))
    });
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::key;
    use fanmill_kernel::hash::mix::SplitMix;

    pub(crate) const PROFILES: [&str; 5] = [
        "words@1/slide(l=3)+skip(l=3,p=0.3)/mod(s=4)",
        "words@1/slide(l=3)+space(l=3,p=0.3)/pow2(n=8)",
        "words@1/slide(l=3)/min(m=10)",
        "words@1/slide(l=3)/min(m=0.2n)",
        "words@1/slide(l=3)/min(m=9sqrt)",
    ];

    /// Generates documents that share stretches of a few random sources.
    pub(crate) fn documents(seed: u64, n: usize) -> Vec<Vec<u64>> {
        let mut random = SplitMix::new(seed);
        let sources: Vec<Vec<u64>> =
            (0..4).map(|i| SplitMix::new(seed ^ i << 60).seeds(200)).collect();
        let mut document = || {
            let (from, start) =
                (&sources[random.draw() as usize % 4], random.draw() as usize % 150);
            let len = random.draw() as usize % 120;
            let own = SplitMix::new(random.draw()).seeds(random.draw() as usize % 60);
            [own, from[start..(start + len).min(200)].to_vec()].concat()
        };
        (0..n).map(|_| document()).collect()
    }

    pub(crate) fn store(profile: &str, seed: u64, n: usize) -> (Sifter, Store) {
        let sifter = Sifter::new(&profile.parse().expect(profile), &key::of_test(1));
        let mut store = Store::new(&sifter);
        for (i, document) in documents(seed, n).iter().enumerate() {
            let at =
                store.add(&format!("document {i}"), &sifter.sift_tokens(document)).expect("room");
            assert_eq!(at as usize, i);
        }
        (sifter, store)
    }

    #[test]
    fn documents_are_what_they_were() {
        for profile in PROFILES {
            let (sifter, store) = store(profile, 1, 600);
            for (i, document) in documents(1, 600).iter().enumerate() {
                assert_eq!(store.name(i as u32), format!("document {i}"));
                assert_eq!(store.sifted(i as u32), sifter.sift_tokens(document), "{profile}");
            }
        }
    }

    #[test]
    fn fingerprints_of_another_profile_are_refused() {
        let (_, mut store_of_one) = store(PROFILES[2], 1, 3);
        let (_, other) = store(PROFILES[0], 1, 3);
        let error = store_of_one.add("other", &other.sifted(0)).expect_err("two families");
        assert!(error.is_input(), "{error}");
        assert_eq!(store_of_one.len(), 3);
    }

    #[test]
    fn a_wrong_key_is_an_error_and_never_no_match() {
        let (_, store) = store(PROFILES[0], 1, 3);
        assert!(store.sifter(&key::of_test(1)).is_ok());
        let error = store.sifter(&key::of_test(2)).expect_err("another key").to_string();
        assert!(
            error.contains(&store.key().to_string())
                && error.contains(&key::of_test(2).id().to_string())
        );
    }

    /// A footer that hundreds of documents have in common, as on a mailing list, does not hide an original
    /// that shares less than they do.
    #[test]
    fn an_original_is_found_behind_a_footer_of_hundreds() {
        let (sifter, mut store) = store(PROFILES[0], 1, 0);
        let footer = SplitMix::new(1).seeds(120);
        let of = |seed: u64, n| SplitMix::new(seed << 32).seeds(n);
        for i in 2..700 {
            let tokens = [of(i, 60), footer.clone()].concat();
            store.add("other", &sifter.sift_tokens(&tokens)).expect("room");
        }
        let original = store.add("original", &sifter.sift_tokens(&of(999, 300))).expect("room");
        let part = of(999, 300)[..60].to_vec();
        let suspect = sifter.sift_tokens(&[part, footer].concat());
        let found = store.check(&suspect, &Limits { holders: 1000, matches: 20 });
        assert!(found.is_cut);
        assert!(found.matches.iter().any(|found| found.document == original));
    }

    #[test]
    fn a_check_that_is_cut_short_says_so() {
        let (sifter, mut store) = store(PROFILES[0], 1, 0);
        let sifted = sifter.sift_tokens(&SplitMix::new(1).seeds(300));
        for _ in 0..2000 {
            store.add("copy", &sifted).expect("room");
        }
        let found = store.check(&sifted, &Limits { holders: 50, matches: 20 });
        assert!(found.is_cut && found.matches.len() == 20);
        assert!(found.matches.iter().enumerate().all(|(i, each)| each.document == i as u32));
        assert_eq!(found.matches[0].likeness.s3(), Some(1.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(40)))]
        #[test]
        fn check_equals_naive(seed: u64, n in 0_usize..700, profile in prop::sample::select(&PROFILES[..])) {
            let (sifter, store) = store(profile, seed, n);
            let limits = Limits { holders: usize::MAX >> 1, matches: usize::MAX };
            for document in documents(seed ^ 1, 3).iter().chain(&documents(seed, 3)) {
                let sifted = sifter.sift_tokens(document);
                let found = store.check(&sifted, &limits);
                prop_assert!(!found.is_cut);
                prop_assert_eq!(found.matches, store.naive(&sifted));
            }
        }
    }
}

//! A store: the fingerprints of many documents, to check another one against.
//!
//! Each document has a name and its fingerprints; its postings say which documents
//! have a value. A check counts who shares values, and compares those who share most in full.
//!
//! A value that very many documents have (a footer, or a campaign of copies) is asked for its first
//! holders only, and the result says so. Copies of one campaign are found by each other, whichever of
//! them are seen.
//!
//! Cost: for each value of a document 8 bytes and 6 for its posting; a check reads the buckets of its
//! values, at most [`Limits::holders`] documents each.

use std::cmp::Reverse;

use super::key::{Key, KeyId};
use super::postings::{BATCH, Postings};
use super::profile::Profile;
use super::reduce::{Kept, Reduction, Rule};
use super::sifter::{Likeness, Sifted, Sifter};
use crate::error::{Error, Result};

/// Documents by their fingerprints; see the [module](self).
#[derive(Debug, Clone)]
pub struct Store {
    profile: Profile,
    key: KeyId,
    /// All names, one after another.
    names: String,
    /// Where each ends.
    name_ends: Vec<u32>,
    /// The values of all documents, family by family, each ascending.
    values: Vec<u64>,
    /// Where those of each document and family end.
    value_ends: Vec<u32>,
    /// For each document and family what is not known from the profile.
    rules: Vec<u8>,
    postings: Postings,
}

/// A document of a store, by its place in it.
pub type StoredIdx = u32;

/// What a value is worth that one document has; that of n is worth an nth part.
const RARE: u64 = 1 << 32;

/// How far a check goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Documents asked for each value, the first ones.
    pub holders: usize,
    /// Documents compared in full: those that share most, a value counting the less the more have it.
    pub matches: usize,
}

impl Limits {
    /// A thousand holders of a value, and the 100 that share most of what few have.
    pub const fn standard() -> Limits {
        Limits { holders: 1000, matches: 100 }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// By S3, then by values in common, the most first; then as they were added.
    pub matches: Vec<Match>,
    /// Whether some value has more holders than were asked, or more documents share something than were
    /// compared.
    pub is_cut: bool,
}

/// A document that shares values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Which.
    pub document: StoredIdx,
    /// How much, family by family: A is the document that was checked.
    pub likeness: Likeness,
}

impl Store {
    /// An empty store for what a sifter makes.
    pub fn new(sifter: &Sifter) -> Store {
        Store::empty(sifter.profile().clone(), sifter.key())
    }

    pub(super) fn empty(profile: Profile, key: KeyId) -> Store {
        Store {
            profile,
            key,
            names: String::new(),
            name_ends: Vec::new(),
            values: Vec::new(),
            value_ends: Vec::new(),
            rules: Vec::new(),
            postings: Postings::default(),
        }
    }

    /// An empty store of the same scheme.
    #[must_use]
    pub fn emptied(&self) -> Store {
        Store::empty(self.profile.clone(), self.key)
    }

    /// The recipe of its fingerprints.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The key of its fingerprints.
    pub fn key(&self) -> KeyId {
        self.key
    }

    /// A sifter for documents to add and to check.
    ///
    /// # Errors
    /// If `key` is not the store's: its fingerprints would match nothing, which must not look like an
    /// answer.
    pub fn sifter(&self, key: &Key) -> Result<Sifter> {
        if key.id() == self.key {
            return Ok(Sifter::new(&self.profile, key));
        }
        Err(Error::input(format!(
            "this store was made with key {}, and the key given is {}; use the right key, or make a new \
             store from the originals with `fanmill sift rekey`",
            self.key,
            key.id()
        )))
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.name_ends.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.name_ends.is_empty()
    }

    /// The name of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn name(&self, document: StoredIdx) -> &str {
        let document = document as usize;
        let start = document.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start as usize..self.name_ends[document] as usize]
    }

    /// The fingerprints of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn sifted(&self, document: StoredIdx) -> Sifted {
        let kept = |family| {
            let values = self.values_of(document, family).to_vec();
            Kept { values, rule: self.rule(document, family) }
        };
        Sifted { families: (0..self.n_families()).map(kept).collect() }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// If the store is full: at 2^32 values or bytes of names.
    ///
    /// # Panics
    /// If the fingerprints are not of the store's profile.
    pub fn add(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        assert_eq!(sifted.families.len(), self.n_families(), "of one profile");
        let document = self.push(name, sifted)?;
        if self.len() as u32 - self.postings.end() >= BATCH {
            self.index();
        }
        Ok(document)
    }

    /// Adds a document that a run of postings will hold later.
    pub(super) fn push(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        let full = || {
            Error::input(format!(
                "the store is full with {} documents; begin another one",
                self.name_ends.len()
            ))
        };
        let name_end = u32::try_from(self.names.len() + name.len()).map_err(|_| full())?;
        u32::try_from(self.values.len() + sifted.len()).map_err(|_| full())?;
        let document = StoredIdx::try_from(self.len()).map_err(|_| full())?;
        self.names.push_str(name);
        self.name_ends.push(name_end);
        for kept in &sifted.families {
            self.values.extend_from_slice(&kept.values);
            self.value_ends.push(self.values.len() as u32);
            self.rules.push(code(kept));
        }
        Ok(document)
    }

    /// Makes postings of all documents that have none.
    pub(super) fn index(&mut self) {
        let mut postings = std::mem::take(&mut self.postings);
        postings.extend(self.len() as u32, |document, found| self.each_value(document, found));
        self.postings = postings;
    }

    fn each_value(&self, document: StoredIdx, found: &mut dyn FnMut(usize, u64)) {
        for family in 0..self.n_families() {
            self.values_of(document, family).iter().for_each(|&value| found(family, value));
        }
    }

    /// Finds the documents that share values with another one.
    ///
    /// # Panics
    /// If the fingerprints are not of the store's profile.
    pub fn check(&self, sifted: &Sifted, limits: &Limits) -> Found {
        assert_eq!(sifted.families.len(), self.n_families(), "of one profile");
        let (mut shares, mut holders, mut is_cut) = (Vec::new(), Vec::new(), false);
        for (family, kept) in sifted.families.iter().enumerate() {
            for &value in &kept.values {
                holders.clear();
                is_cut |= self.holders(family, value, limits.holders, &mut holders);
                let weight = RARE / holders.len().max(1) as u64;
                shares.extend(holders.iter().map(|&document| (document, weight)));
            }
        }
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
        Found { matches, is_cut }
    }

    /// Appends the first documents that have a value; returns whether there are more.
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
            if self.values_of(document, family).binary_search(&value).is_ok() {
                is_cut = holders.len() == enough;
                if !is_cut {
                    holders.push(document);
                }
            }
            !is_cut
        };
        self.postings.ask(family, value, &mut ask);
        let mut waiting = self.postings.end()..self.len() as u32;
        waiting.all(ask);
        is_cut
    }

    fn n_families(&self) -> usize {
        self.profile.families().len()
    }

    fn values_of(&self, document: StoredIdx, family: usize) -> &[u64] {
        let at = document as usize * self.n_families() + family;
        let start = at.checked_sub(1).map_or(0, |before| self.value_ends[before]);
        &self.values[start as usize..self.value_ends[at] as usize]
    }

    fn rule(&self, document: StoredIdx, family: usize) -> Rule {
        let at = document as usize * self.n_families() + family;
        let n_values = self.values_of(document, family).len() as u64;
        match self.profile.reduction() {
            Reduction::Modulus { s } => Rule::Divisor(s.into()),
            Reduction::PowerOfTwo { .. } => Rule::Divisor(1 << (self.rules[at] & 63)),
            Reduction::Smallest { m } => Rule::Smallest(m.into()),
            Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
                Rule::Smallest(if self.rules[at] == WHOLE { u64::MAX } else { n_values })
            }
        }
    }

    /// Bytes that its documents take in memory, room to grow left out.
    pub fn bytes(&self) -> usize {
        let of_documents = self.names.len() + 4 * self.name_ends.len() + self.rules.len();
        of_documents + 8 * self.values.len() + 4 * self.value_ends.len() + self.postings.bytes()
    }

    /// The naive twin of [`check`](Store::check): everybody is compared.
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

/// A fingerprint that holds all values there were, though its rule goes by length.
pub(super) const WHOLE: u8 = 1;

/// What a rule has beyond the profile, in a byte: the exponent of its divisor, or [`WHOLE`].
pub(super) fn code(kept: &Kept) -> u8 {
    match kept.rule {
        Rule::Divisor(s) => s.trailing_zeros() as u8,
        Rule::Smallest(m) => {
            if m == u64::MAX {
                WHOLE
            } else {
                0
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::mix::SplitMix;
    use crate::sift::key;

    pub(in crate::sift) const PROFILES: [&str; 5] = [
        "words@1/slide(l=3)+skip(l=3,p=0.3)/mod(s=4)",
        "words@1/slide(l=3)+space(l=3,p=0.3)/pow2(n=8)",
        "words@1/slide(l=3)/min(m=10)",
        "words@1/slide(l=3)/min(m=0.2n)",
        "words@1/slide(l=3)/min(m=9sqrt)",
    ];

    /// Documents that share stretches of a few random ones.
    pub(in crate::sift) fn documents(seed: u64, n: usize) -> Vec<Vec<u64>> {
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

    pub(in crate::sift) fn store(profile: &str, seed: u64, n: usize) -> (Sifter, Store) {
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
    fn a_wrong_key_is_an_error_and_never_no_match() {
        let (_, store) = store(PROFILES[0], 1, 3);
        assert!(store.sifter(&key::of_test(1)).is_ok());
        let error = store.sifter(&key::of_test(2)).expect_err("another key").to_string();
        assert!(
            error.contains(&store.key().to_string())
                && error.contains(&key::of_test(2).id().to_string())
        );
    }

    /// What hundreds have in common, such as the footer of a mailing list, does not hide an original that
    /// shares less than they do.
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
    fn a_campaign_is_cut_and_says_so() {
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
        #![proptest_config(ProptestConfig::with_cases(40))]
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

//! The fingerprints of many documents: what a store holds in memory and writes to its file.
//!
//! Each document has a name, and for each family of the profile its values. All of these are in a few long
//! vectors: a vector for each document would take more memory than the values do.
//!
//! Cost: 8 bytes per value; the name, and for each document 4 bytes and another 5 per family.

use super::key::{Key, KeyId};
use super::profile::Profile;
use super::reduce::{Kept, Reduction, Rule};
use super::sifter::{Sifted, Sifter};
use crate::error::{Error, Result};
use crate::setting::Task;

/// Documents by their names and fingerprints; see the [module](self).
#[derive(Debug, Clone)]
pub struct Records {
    profile: Profile,
    key: KeyId,
    /// All names, one after another.
    names: String,
    /// Where each name ends.
    name_ends: Vec<u32>,
    /// The values of all documents, family by family, each ascending.
    values: Vec<u64>,
    /// Where the values of each document and family end.
    value_ends: Vec<u32>,
    /// For each document and family, the part of its rule that the profile does not determine: [`code`].
    rules: Vec<u8>,
}

/// A document's index in a store.
pub type StoredIdx = u32;

/// How full a store is; it can hold 2^32 of each.
#[derive(Debug, Clone, Copy)]
pub struct Filling {
    n_documents: u64,
    n_values: u64,
    name_bytes: u64,
}

impl Filling {
    /// Counts one more document, and returns its index.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn add(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        let after = Filling {
            n_documents: self.n_documents + 1,
            n_values: self.n_values + sifted.len() as u64,
            name_bytes: self.name_bytes + name.len() as u64,
        };
        if [after.n_documents, after.n_values, after.name_bytes].into_iter().max()
            > Some(u32::MAX.into())
        {
            return Err(Error::input(format!(
                "the store is full with {} documents; begin another one",
                self.n_documents
            )));
        }
        *self = after;
        Ok((after.n_documents - 1) as StoredIdx)
    }
}

impl Records {
    /// No documents yet, for fingerprints made by this sifter.
    pub fn new(sifter: &Sifter) -> Records {
        Records::empty(sifter.profile().clone(), sifter.key())
    }

    pub(super) fn empty(profile: Profile, key: KeyId) -> Records {
        Records {
            profile,
            key,
            names: String::new(),
            name_ends: Vec::new(),
            values: Vec::new(),
            value_ends: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// No documents, with the same scheme.
    #[must_use]
    pub fn emptied(&self) -> Records {
        Records::empty(self.profile.clone(), self.key)
    }

    /// The profile of its fingerprints.
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
    /// If the fingerprints were made with another key: nothing would match, which must not look like an
    /// answer.
    pub fn sifter(&self, key: &Key) -> Result<Sifter> {
        if key.id() == self.key {
            return Ok(Sifter::new(&self.profile, key));
        }
        Err(Error::input(format!(
            "this store was made with key {}, and the key given is {}; use the right key, or make a new \
             store from the originals with {}",
            self.key,
            key.id(),
            Task("sift-rekey")
        )))
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.name_ends.len()
    }

    /// Whether there are no documents.
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

    /// How full it is.
    pub fn filling(&self) -> Filling {
        Filling {
            n_documents: self.len() as u64,
            n_values: self.values.len() as u64,
            name_bytes: self.names.len() as u64,
        }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// If the fingerprints are of another profile; if there is no more room: at 2^32 values or bytes of names.
    pub fn push(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        if sifted.families.len() != self.n_families() {
            return Err(Error::input(format!(
                "`{name}` has fingerprints of {} families, and those of `{}` have {}; make them by this profile",
                sifted.families.len(),
                self.profile,
                self.n_families()
            )));
        }
        let document = self.filling().add(name, sifted)?;
        self.names.push_str(name);
        self.name_ends.push(self.names.len() as u32);
        for kept in &sifted.families {
            self.values.extend_from_slice(&kept.values);
            self.value_ends.push(self.values.len() as u32);
            self.rules.push(code(kept));
        }
        Ok(document)
    }

    /// Memory that the documents take, in bytes, without spare capacity.
    pub fn bytes(&self) -> usize {
        let of_documents = self.names.len() + 4 * self.name_ends.len() + self.rules.len();
        of_documents + 8 * self.values.len() + 4 * self.value_ends.len()
    }

    pub(super) fn n_families(&self) -> usize {
        self.profile.families().len()
    }

    /// The values of a document in one family, ascending.
    pub(super) fn values_of(&self, document: StoredIdx, family: usize) -> &[u64] {
        let at = document as usize * self.n_families() + family;
        let start = at.checked_sub(1).map_or(0, |before| self.value_ends[before]);
        &self.values[start as usize..self.value_ends[at] as usize]
    }

    /// Calls `found` with each value of a document and its family.
    pub(super) fn each_value(&self, document: StoredIdx, found: &mut dyn FnMut(usize, u64)) {
        for family in 0..self.n_families() {
            self.values_of(document, family).iter().for_each(|&value| found(family, value));
        }
    }

    /// The rule code of a document in one family; see [`code`].
    pub(super) fn code_of(&self, document: StoredIdx, family: usize) -> u8 {
        self.rules[document as usize * self.n_families() + family]
    }

    fn rule(&self, document: StoredIdx, family: usize) -> Rule {
        let code = self.code_of(document, family);
        let n_values = self.values_of(document, family).len() as u64;
        match self.profile.reduction() {
            Reduction::Modulus { s } => Rule::Divisor(s.into()),
            Reduction::PowerOfTwo { .. } => Rule::Divisor(1 << (code & 63)),
            Reduction::Smallest { m } => Rule::Smallest(m.into()),
            Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
                Rule::Smallest(if code == WHOLE { u64::MAX } else { n_values })
            }
        }
    }
}

/// The code of a fingerprint that holds all values, under a rule that depends on the length.
pub(super) const WHOLE: u8 = 1;

/// The part of a rule that the profile does not determine, as a byte: the exponent of its divisor, or
/// [`WHOLE`].
pub(super) fn code(kept: &Kept) -> u8 {
    match kept.rule {
        Rule::Divisor(s) => s.trailing_zeros() as u8,
        Rule::Smallest(u64::MAX) => WHOLE,
        Rule::Smallest(_) => 0,
    }
}

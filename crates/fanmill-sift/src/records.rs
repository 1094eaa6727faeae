//! The fingerprints of many documents, as a store holds them in memory and writes them to its file.
//!
//! Each document has a name, and for each family of the profile its values. All of these are in a few long vectors: a
//! vector for each document would take more memory than the values do.
//!
//! Cost: 8 bytes per value; the name, and for each document 8 bytes and another 2 per family.

use std::collections::HashMap;

use super::key::{Key, KeyId};
use super::profile::Profile;
use super::reduce::{FamilyFingerprint, Reduction, Rule};
use super::sifter::{Sifted, Sifter};
use fanmill_text::error::{Error, Result};

/// Documents by their names and fingerprints; see the [module](self).
#[derive(Debug, Clone)]
pub struct Records {
    profile: Profile,
    key: KeyId,
    /// All names, one after another.
    names: String,
    /// End of each name.
    name_ends: Vec<u32>,
    /// The values of all documents, family by family, each ascending.
    values: Vec<u64>,
    /// End of each document's values.
    value_ends: Vec<u32>,
    /// For each document and family, the number of its values, up to [`MANY`].
    lengths: Vec<u8>,
    /// Numbers of values that are [`MANY`] or more, by their indices in `lengths`.
    long: HashMap<usize, u32>,
    /// For each document and family, the part of its rule that the profile does not determine: [`code`].
    rules: Vec<u8>,
}

/// Minimum number of values of a family that a byte does not hold.
const MANY: u8 = u8::MAX;

/// A document's index in a store.
pub type StoredIdx = u32;

/// The fill level of a store; it can hold 2^32 - 1 of each.
#[derive(Debug, Clone, Copy)]
pub struct FillLevel {
    n_documents: u64,
    n_values: u64,
    name_bytes: u64,
}

impl FillLevel {
    /// Creates a fill level of this many documents, with this many values and bytes of names in all.
    pub const fn new(n_documents: u64, n_values: u64, name_bytes: u64) -> FillLevel {
        FillLevel { n_documents, n_values, name_bytes }
    }

    /// Adds another fill level.
    #[must_use]
    pub const fn and(self, other: FillLevel) -> FillLevel {
        FillLevel {
            n_documents: self.n_documents + other.n_documents,
            n_values: self.n_values + other.n_values,
            name_bytes: self.name_bytes + other.name_bytes,
        }
    }

    /// Counts one more document, and returns its index.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn add(&mut self, name: &str, sifted: &Sifted) -> Result<StoredIdx> {
        let after = FillLevel {
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
    /// Creates records without documents, for fingerprints made by this sifter.
    pub fn new(sifter: &Sifter) -> Records {
        Records::from_profile(sifter.profile(), sifter.key())
    }

    /// Creates records without documents, for fingerprints of this profile under the key of this id.
    pub fn from_profile(profile: &Profile, key: KeyId) -> Records {
        Records {
            profile: profile.clone(),
            key,
            names: String::new(),
            name_ends: Vec::new(),
            values: Vec::new(),
            value_ends: Vec::new(),
            lengths: Vec::new(),
            long: HashMap::new(),
            rules: Vec::new(),
        }
    }

    /// Returns the profile of its fingerprints.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the key of its fingerprints.
    pub fn key(&self) -> KeyId {
        self.key
    }

    /// Creates a sifter for documents to add and to check.
    ///
    /// # Errors
    /// As for [`Sifter::for_store`].
    pub fn sifter(&self, key: &Key) -> Result<Sifter> {
        Sifter::for_store(&self.profile, self.key, key)
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.name_ends.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.name_ends.is_empty()
    }

    /// Returns the name of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn name(&self, document: StoredIdx) -> &str {
        let document = document as usize;
        let start = document.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start as usize..self.name_ends[document] as usize]
    }

    /// Returns the fingerprints of a document.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn sifted(&self, document: StoredIdx) -> Sifted {
        let kept = |family| {
            let values = self.values_of(document, family).to_vec();
            FamilyFingerprint { values, rule: self.rule(document, family) }
        };
        Sifted { families: (0..self.n_families()).map(kept).collect() }
    }

    /// Returns its fill level.
    pub fn filling(&self) -> FillLevel {
        FillLevel::new(self.len() as u64, self.values.len() as u64, self.names.len() as u64)
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
            let n_values = kept.values.len();
            if n_values >= usize::from(MANY) {
                self.long.insert(self.lengths.len(), n_values as u32);
            }
            self.lengths.push(n_values.min(MANY.into()) as u8);
            self.rules.push(code(kept));
        }
        self.value_ends.push(self.values.len() as u32);
        Ok(document)
    }

    /// Returns the memory that the documents take, in bytes, without spare capacity.
    pub fn bytes(&self) -> usize {
        let of_documents =
            self.names.len() + 4 * self.name_ends.len() + self.lengths.len() + self.rules.len();
        of_documents + 8 * self.values.len() + 4 * self.value_ends.len()
    }

    pub(super) fn n_families(&self) -> usize {
        self.profile.families().len()
    }

    /// Returns the values of a document in one family, ascending.
    pub(super) fn values_of(&self, document: StoredIdx, family: usize) -> &[u64] {
        let document = document as usize;
        let first = document * self.n_families();
        let start = document.checked_sub(1).map_or(0, |before| self.value_ends[before]) as usize;
        let start = start + (first..first + family).map(|at| self.length(at)).sum::<usize>();
        &self.values[start..start + self.length(first + family)]
    }

    /// Returns the number of values at an index in `lengths`.
    #[inline]
    fn length(&self, at: usize) -> usize {
        match self.lengths[at] {
            MANY => self.long[&at] as usize,
            few => few.into(),
        }
    }

    /// Calls `found` with each value of a document and its family.
    pub(super) fn each_value(&self, document: StoredIdx, found: &mut dyn FnMut(usize, u64)) {
        for family in 0..self.n_families() {
            self.values_of(document, family).iter().for_each(|&value| found(family, value));
        }
    }

    /// Returns the rule code of a document in one family; see [`code`].
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

/// Makes a fingerprint of these values, under the rule that a code means; `None` if the values are not ascending, or
/// the reduction has no such rule.
pub(super) fn kept(reduction: Reduction, code: u8, values: Vec<u64>) -> Option<FamilyFingerprint> {
    let rule = match reduction {
        Reduction::Modulus { s } => Rule::Divisor(s.into()),
        Reduction::PowerOfTwo { .. } => Rule::Divisor(1_u64.checked_shl(code.into())?),
        Reduction::Smallest { m } => Rule::Smallest(m.into()),
        Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
            Rule::Smallest(if code == WHOLE { u64::MAX } else { values.len() as u64 })
        }
    };
    let kept = FamilyFingerprint { values, rule };
    // Only codes that writing would give are valid.
    let is_right = self::code(&kept) == code && kept.values.is_sorted_by(|a, b| a < b);
    is_right.then_some(kept)
}

/// Returns the part of a rule that the profile does not determine, as a byte: the exponent of its divisor, or
/// [`WHOLE`].
pub(super) fn code(kept: &FamilyFingerprint) -> u8 {
    match kept.rule {
        Rule::Divisor(s) => s.trailing_zeros() as u8,
        Rule::Smallest(u64::MAX) => WHOLE,
        Rule::Smallest(_) => 0,
    }
}

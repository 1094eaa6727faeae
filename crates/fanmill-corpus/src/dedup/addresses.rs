//! Addresses of records, in the form in which equal ones are the same page.
//!
//! The form is that of `fanmill-urls`: what the URL standard takes for the same, and what rules that were learnt from a
//! crawl take for the same. A text that is not an address of the web, or is longer than an address may be, has no such
//! form, and the record is treated as one without an address.
//!
//! Cost: O(length of the address) and that of the rules of its host.

use std::fmt;
use std::sync::Arc;

use fanmill_records::Record;
use fanmill_text::message;
use fanmill_text::{Error, Result, Setting};
use fanmill_urls::address::normalise;
use fanmill_urls::pattern::Rewriter;
use fanmill_urls::read::URL;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde::{Deserialize, Serialize as DeriveSerialize};

/// The header of web archives that holds the address, whatever names a record.
const TARGET: &str = "WARC-Target-URI";

/// The value by which records are grouped before their texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, DeriveSerialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstBy {
    /// The address.
    Url,
}

impl fmt::Display for FirstBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FirstBy::Url => "url",
        })
    }
}

/// The place of a record's address, and the rules by which addresses are the same.
#[derive(Debug, Clone, Default)]
pub struct ByAddress {
    field: Option<String>,
    rules: Option<Arc<Rewriter>>,
}

impl ByAddress {
    /// Takes addresses from a field, or with `None` from `url` and from the headers of web archives; they are rewritten
    /// by rules if there are any.
    pub fn new(field: Option<String>, rules: Option<Rewriter>) -> ByAddress {
        ByAddress { field, rules: rules.map(Arc::new) }
    }

    /// Returns the fields that may hold an address, which come last among a record's extra fields.
    pub fn fields(&self) -> Vec<String> {
        match &self.field {
            Some(field) => vec![field.clone()],
            None => [URL, TARGET].map(str::to_owned).to_vec(),
        }
    }

    /// Returns the address of a record, whose first `n_before` extra fields hold something else.
    pub(super) fn of_record(&self, record: &Record<'_>, n_before: usize) -> Address {
        let given = record.extra.iter().skip(n_before).find_map(Option::as_deref);
        self.address(given)
    }

    /// Returns an address in the form in which it is compared.
    pub(super) fn address(&self, given: Option<&str>) -> Address {
        match given.map(str::trim).filter(|given| !given.is_empty()) {
            None => Address::Missing,
            Some(given) => self.canonical(given).map_or(Address::Unusable, |address| {
                Address::Canonical(*blake3::hash(address.as_bytes()).as_bytes())
            }),
        }
    }

    /// Returns the spelling that all spellings of an address have in common; `None` if the text is not an address.
    pub fn canonical(&self, given: &str) -> Option<String> {
        // Bytes that are not characters have been replaced, so different addresses may look the same.
        if given.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        let address = normalise(given).ok()?;
        Some(self.rules.as_ref().map_or(address.clone(), |rules| rules.rewrite(&address)))
    }

    /// Refuses documents without a single address: they would all be compared by their texts alone, which was not
    /// asked for.
    pub(super) fn check(&self, counts: &AddressCounts) -> Result<()> {
        let AddressCounts { documents, missing, unusable, .. } = *counts;
        if documents > 0 || missing + unusable == 0 {
            return Ok(());
        }
        let field = self.field.as_deref().unwrap_or(URL);
        let found = match unusable {
            0 => format!("no document has an address in field `{field}`"),
            _ => format!("no document has an address of the web in field `{field}`"),
        };
        Err(Error::setting(message![
            "{found}; name its field with ",
            Setting("url-field"),
            ", or leave out ",
            Setting("first-by")
        ]))
    }
}

impl PartialEq for ByAddress {
    fn eq(&self, other: &ByAddress) -> bool {
        let identity = |own: &ByAddress| own.rules.as_ref().map(|rules| rules.identity());
        self.field == other.field && identity(self) == identity(other)
    }
}

impl Serialize for ByAddress {
    /// Writes what the canonical form depends on.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut own = serializer.serialize_struct("ByAddress", 2)?;
        own.serialize_field("field", &self.field)?;
        own.serialize_field("rules", &self.rules.as_ref().map(|rules| rules.identity()))?;
        own.end()
    }
}

/// The address of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Address {
    /// No address, or a run that does not ask for addresses.
    #[default]
    Missing,
    /// Its field holds something that is not an address of the web, or is too long for one.
    Unusable,
    /// The BLAKE3 hash of its canonical form.
    Canonical([u8; 32]),
}

/// Counts of documents by their addresses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, DeriveSerialize)]
pub struct AddressCounts {
    /// Documents with an address.
    pub documents: u64,
    /// Documents without one.
    pub missing: u64,
    /// Documents whose field holds something that is not an address of the web, is longer than 8,192 bytes, or has bytes
    /// that are not characters.
    pub unusable: u64,
    /// Documents that are removed or marked because another one with that address is preferred.
    pub removed: u64,
    /// Those of them that have another text than that one.
    pub with_other_text: u64,
}

impl AddressCounts {
    /// Counts a document.
    pub(super) fn add(&mut self, address: &Address) {
        match address {
            Address::Missing => self.missing += 1,
            Address::Unusable => self.unusable += 1,
            Address::Canonical(_) => self.documents += 1,
        }
    }
}

//! A store as bytes: what a file of fingerprints holds.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `fanmsift` |
//! | 4 | version, 1 |
//! | 4, then so many | length and text of the scheme, with the key's id |
//! | 8 | number of documents |
//! | 8 | XXH3 of all before |
//! | for each document 4, then so many | length and text of its name |
//! | – for each family 1, 4, then 8 each | what the rule has beyond the scheme; number of values; the values, ascending |
//! | 8 | XXH3 of all after the first checksum |
//!
//! Numbers are little-endian. Postings are not stored: they are made when a store is read, in linear
//! time, so that no file can contradict itself. The key is not in it, and nothing of it but its id.
//! Any bytes can be read: what is no store is an error.

use xxhash_rust::xxh3::xxh3_64;

use super::key::{Key, KeyId};
use super::profile::Profile;
use super::reduce::{Kept, Reduction, Rule};
use super::sifter::Sifted;
use super::store::Store;
use crate::error::{Error, Result};

const MAGIC: &[u8; 8] = b"fanmsift";
const VERSION: u32 = 1;

/// What the beginning of a store tells without a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The recipe.
    pub profile: Profile,
    /// The key's id.
    pub key: KeyId,
    /// Documents.
    pub n_documents: u64,
}

/// Appends a store.
pub fn write(store: &Store, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let scheme = store.profile().scheme(store.key());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(scheme.len() as u32).to_le_bytes());
    bytes.extend_from_slice(scheme.as_bytes());
    bytes.extend_from_slice(&(store.len() as u64).to_le_bytes());
    seal(bytes, start);
    let start = bytes.len();
    for document in 0..store.len() as u32 {
        let name = store.name(document);
        bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        for kept in &store.sifted(document).families {
            bytes.push(super::store::code(kept));
            bytes.extend_from_slice(&(kept.values.len() as u32).to_le_bytes());
            kept.values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        }
    }
    seal(bytes, start);
}

/// Appends the checksum of what was written since `start`.
fn seal(bytes: &mut Vec<u8>, start: usize) {
    let sum = xxh3_64(&bytes[start..]);
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// Reads what a store is, and of which key.
///
/// # Errors
/// If it is no store, damaged, or of a later version.
pub fn header(bytes: &[u8]) -> Result<Header> {
    read_header(&mut Bytes { rest: bytes })
}

/// Reads a store of a key.
///
/// # Errors
/// As [`header`], and if the store is of another key.
pub fn read(bytes: &[u8], key: &Key) -> Result<Store> {
    let header = header(bytes)?;
    Store::empty(header.profile, header.key).sifter(key)?;
    read_without_key(bytes)
}

/// Reads a store of any key: its names and values, which [`Store::sifter`] lets nobody compare with those of
/// another key.
///
/// # Errors
/// As [`header`].
pub fn read_without_key(bytes: &[u8]) -> Result<Store> {
    let mut bytes = Bytes { rest: bytes };
    let header = read_header(&mut bytes)?;
    let mut store = Store::empty(header.profile, header.key);
    let body = bytes.rest.len().checked_sub(8).ok_or_else(damaged)?;
    let (body, sum) = bytes.rest.split_at(body);
    if xxh3_64(body).to_le_bytes() != sum {
        return Err(damaged());
    }
    let mut bytes = Bytes { rest: body };
    for _ in 0..header.n_documents {
        read_document(&mut bytes, &mut store)?;
    }
    if !bytes.rest.is_empty() {
        return Err(damaged());
    }
    store.index();
    Ok(store)
}

fn read_header(bytes: &mut Bytes<'_>) -> Result<Header> {
    let whole = bytes.rest;
    if bytes.take(8).ok() != Some(MAGIC) {
        return Err(Error::input(
            "this is no store of fingerprints; make one with `fanmill sift add`",
        ));
    }
    let version = bytes.u32()?;
    if version != VERSION {
        return Err(Error::input(format!(
            "this store is of version {version}, and this release reads version {VERSION}; use the release \
             that made it, or make it again from the originals"
        )));
    }
    let scheme = bytes.text()?;
    let n_documents = bytes.u64()?;
    let length = whole.len() - bytes.rest.len();
    if xxh3_64(&whole[..length]) != bytes.u64()? {
        return Err(damaged());
    }
    let (profile, key) = Profile::of_scheme(scheme)?;
    Ok(Header { profile, key, n_documents })
}

fn read_document(bytes: &mut Bytes<'_>, store: &mut Store) -> Result<()> {
    let name = bytes.text()?;
    let reduction = store.profile().reduction();
    let mut families = Vec::with_capacity(store.profile().families().len());
    for _ in 0..store.profile().families().len() {
        let code = bytes.take(1)?[0];
        let n_values = bytes.u32()? as usize;
        let values = bytes.take(n_values.checked_mul(8).ok_or_else(damaged)?)?;
        let values: Vec<u64> = values.chunks_exact(8).map(little_endian).collect();
        if !values.is_sorted_by(|a, b| a < b) {
            return Err(damaged());
        }
        families
            .push(Kept { rule: rule(reduction, code, values.len()).ok_or_else(damaged)?, values });
    }
    store.push(name, &Sifted { families }).map(drop)
}

/// The rule that a byte stands for; `None` if the reduction has no such one.
fn rule(reduction: Reduction, code: u8, n_values: usize) -> Option<Rule> {
    let rule = match reduction {
        Reduction::Modulus { s } => Rule::Divisor(s.into()),
        Reduction::PowerOfTwo { .. } => Rule::Divisor(1_u64.checked_shl(code.into())?),
        Reduction::Smallest { m } => Rule::Smallest(m.into()),
        Reduction::SmallestLinear { .. } | Reduction::SmallestRoot { .. } => {
            Rule::Smallest(if code == super::store::WHOLE { u64::MAX } else { n_values as u64 })
        }
    };
    let kept = Kept { values: Vec::new(), rule };
    (super::store::code(&kept) == code).then_some(rule)
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn damaged() -> Error {
    Error::input(
        "this store of fingerprints is damaged; restore it, or make it again from the originals",
    )
}

/// Bytes that are read from the front.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or_else(damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn u32(&mut self) -> Result<u32> {
        self.take(4).map(|bytes| little_endian(bytes) as u32)
    }

    fn u64(&mut self) -> Result<u64> {
        self.take(8).map(little_endian)
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| damaged())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sift::key;
    use crate::sift::store::Limits;
    use crate::sift::store::tests::{PROFILES, documents, store};

    fn bytes_of(store: &Store) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(store, &mut bytes);
        bytes
    }

    /// As `write`, but with what a reader must check changed: checksums are right again.
    fn resealed(mut bytes: Vec<u8>, header: usize) -> Vec<u8> {
        let end = bytes.len() - 8;
        let sums = [xxh3_64(&bytes[..header]), xxh3_64(&bytes[header + 8..end])];
        bytes[header..header + 8].copy_from_slice(&sums[0].to_le_bytes());
        bytes[end..].copy_from_slice(&sums[1].to_le_bytes());
        bytes
    }

    fn header_length(store: &Store) -> usize {
        8 + 4 + 4 + store.profile().scheme(store.key()).len() + 8
    }

    #[test]
    fn stores_are_read_back() {
        for profile in PROFILES {
            let (sifter, written) = store(profile, 1, 500);
            let bytes = bytes_of(&written);
            let read = read(&bytes, &key::of_test(1)).expect("its own bytes");
            assert_eq!(bytes_of(&read), bytes, "{profile}");
            let head = header(&bytes).expect("its own bytes");
            assert_eq!((head.key, head.n_documents), (written.key(), 500));
            for document in documents(1, 5) {
                let sifted = sifter.sift_tokens(&document);
                let limits = Limits::standard();
                assert_eq!(
                    read.check(&sifted, &limits),
                    written.check(&sifted, &limits),
                    "{profile}"
                );
            }
        }
    }

    #[test]
    fn another_key_and_another_version_are_errors() {
        let (_, store) = store(PROFILES[0], 1, 5);
        let mut bytes = bytes_of(&store);
        let error = read(&bytes, &key::of_test(2)).expect_err("another key").to_string();
        assert!(error.contains("was made with key"), "{error}");
        bytes[8] = 2;
        let error = read(&bytes, &key::of_test(1)).expect_err("another version").to_string();
        assert!(error.contains("version 2"), "{error}");
    }

    #[test]
    fn every_bit_counts() {
        let (_, store) = store(PROFILES[1], 1, 4);
        let bytes = bytes_of(&store);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped, &key::of_test(1)).is_err(), "bit {bit}");
        }
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end], &key::of_test(1)).is_err(), "{end} bytes");
        }
    }

    proptest! {
        /// Bytes that somebody made up on purpose, with right checksums.
        #[test]
        fn no_bytes_panic(
            profile in prop::sample::select(&PROFILES[..]), at in any::<prop::sample::Index>(),
            byte: u8, cut in 0_usize..9,
        ) {
            let (_, store) = store(profile, 1, 3);
            let length = header_length(&store);
            let mut bytes = bytes_of(&store);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes.truncate(bytes.len() - cut);
            let bytes = resealed(bytes, length);
            if let Ok(store) = read(&bytes, &key::of_test(1)) {
                let limits = Limits::standard();
                (0..store.len() as u32).for_each(|i| drop(store.check(&store.sifted(i), &limits)));
            }
        }

        #[test]
        fn no_garbage_is_a_store(bytes: Vec<u8>) {
            prop_assert!(read(&bytes, &key::of_test(1)).is_err());
            prop_assert!(read(&[&MAGIC[..], &bytes].concat(), &key::of_test(1)).is_err());
        }
    }
}

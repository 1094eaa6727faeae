//! The secret key of a run, which is unknown to everyone who wrote one of its texts.
//!
//! Texts and words are taken to be equal if their hashes are. Someone who knows the hash function could construct
//! different words with the same hash, and have other people's documents removed as duplicates. So these hashes are
//! keyed, and the key is derived from the digests of all texts: it cannot be known before the last text is written, and
//! any change to a text changes it. Addresses, where documents are grouped by these, count likewise. The same corpus has the same key, so that no figure differs from run to run.
//!
//! Cost: 32 bytes to hash a document.

use fanmill_text::frontend::runs::WordKey;

use super::log::Digest;
use crate::job::keyed_hash;

/// The texts added so far, from which the secret is derived.
#[derive(Debug)]
pub(super) struct Secrets(blake3::Hasher);

impl Default for Secrets {
    fn default() -> Secrets {
        Secrets(blake3::Hasher::new_derive_key("fanmill dedup, the secret of a run 1"))
    }
}

impl Secrets {
    /// Adds a text, or an address; the order matters.
    pub(super) fn add(&mut self, digest: &Digest) {
        self.0.update(digest);
    }

    /// Returns the secret for all texts added so far.
    pub(super) fn secret(&self) -> Secret {
        let key = self.0.finalize().into();
        Secret { key, words: WordKey::new(&key) }
    }
}

/// The keys of a run.
#[derive(Debug)]
pub(super) struct Secret {
    key: [u8; 32],
    /// The key for words.
    pub(super) words: WordKey<1>,
}

impl Secret {
    /// Returns 96 bits of the hash of a document's text, followed by the document's number, so that sorting brings
    /// equal texts together.
    pub(super) fn of_document(&self, digest: &Digest, document: u32) -> u128 {
        self.of_digest(digest) >> u32::BITS << u32::BITS | u128::from(document)
    }

    /// Returns the hash of a text or an address, from its digest.
    pub(super) fn of_digest(&self, digest: &Digest) -> u128 {
        keyed_hash(&self.key, digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_and_its_place_count() {
        let hash = |texts: &[u8]| {
            let mut secrets = Secrets::default();
            for &text in texts {
                secrets.add(&[text; 32]);
            }
            secrets.secret().of_digest(&[9; 32])
        };
        let all = [hash(&[]), hash(&[1]), hash(&[1, 2]), hash(&[2, 1]), hash(&[1, 3])];
        assert!((0..5).all(|i| (0..i).all(|j| all[i] != all[j])));
        assert_eq!(hash(&[1, 2]), all[2]);
    }
}

//! Encoding of a document's fingerprints as bytes.
//!
//! For each family of the profile: 1 byte, the part of the rule that the profile does not determine; 4 bytes, the
//! number of values; 8 bytes for each value, ascending. Numbers are little-endian. Any bytes can be read: if they are
//! not what [`encode`] writes, the result is `None`.

use super::profile::Profile;
use super::records;
use super::sifter::Sifted;

/// Appends the fingerprints of a document.
pub fn encode(sifted: &Sifted, out: &mut Vec<u8>) {
    for kept in &sifted.families {
        out.push(records::code(kept));
        out.extend_from_slice(&(kept.values.len() as u32).to_le_bytes());
        kept.values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
    }
}

/// Decodes the fingerprints of a document of this profile; `None` if the bytes are anything else.
pub fn decode(profile: &Profile, mut bytes: &[u8]) -> Option<Sifted> {
    let mut families = Vec::with_capacity(profile.families().len());
    for _ in profile.families() {
        let (&[code], rest) = bytes.split_first_chunk()?;
        let (&n, rest) = rest.split_first_chunk()?;
        let n_bytes = (u32::from_le_bytes(n) as usize).checked_mul(8)?;
        let (values, rest) = rest.split_at_checked(n_bytes)?;
        let values = values
            .chunks_exact(8)
            .map(|value| value.first_chunk().map_or(0, |value| u64::from_le_bytes(*value)));
        families.push(records::kept(profile.reduction(), code, values.collect())?);
        bytes = rest;
    }
    bytes.is_empty().then_some(Sifted { families })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::tests::{PROFILES, documents, store};

    #[test]
    fn fingerprints_are_read_back_and_nothing_else_is() {
        for text in PROFILES {
            let profile: Profile = text.parse().expect("a profile");
            let (sifter, _) = store(text, 1, 0);
            for document in documents(1, 20).iter().chain([&Vec::new()]) {
                let sifted = sifter.sift_tokens(document);
                let mut bytes = Vec::new();
                encode(&sifted, &mut bytes);
                assert_eq!(decode(&profile, &bytes).as_ref(), Some(&sifted), "{text}");
                assert_eq!(decode(&profile, &bytes[..bytes.len() - 1]), None);
                bytes.push(0);
                assert_eq!(decode(&profile, &bytes), None);
            }
        }
    }

    proptest! {
        /// Bytes that can be read are those that would be written.
        #[test]
        fn no_bytes_panic(
            text in prop::sample::select(&PROFILES[..]), number in 0_usize..20,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        ) {
            let (sifter, _) = store(text, 1, 0);
            let mut bytes = Vec::new();
            encode(&sifter.sift_tokens(&documents(2, 20)[number]), &mut bytes);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(sifted) = decode(&text.parse().expect("a profile"), &bytes) {
                let mut again = Vec::new();
                encode(&sifted, &mut again);
                prop_assert_eq!(again, bytes);
            }
        }
    }
}

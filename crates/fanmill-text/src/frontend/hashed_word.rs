//! A word of a corpus that is read character by character, and its hash.
//!
//! The hash of a word of characters of one length is computed from its bytes, eight at a time. Here characters of any
//! length follow one another, and their lower case may have another length.

use super::word_class::Class;
use super::word_hash::WordHash;

/// A word that is read character by character.
#[derive(Debug)]
pub(super) struct HashedWord<H: WordHash> {
    hash: H,
    /// The value of the full blocks, once the word has begun.
    value: Option<H::Value>,
    /// Bytes that are not in the hash yet.
    block: u64,
    n_bits: u32,
    /// True if the word is one character, with its marks.
    is_single: bool,
}

impl<H: WordHash> HashedWord<H> {
    pub(super) fn new(hash: H) -> HashedWord<H> {
        HashedWord { hash, value: None, block: 0, n_bits: 0, is_single: false }
    }

    /// Takes a folded character: its class, and its lower case in UTF-8.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        class: Class,
        lower: u32,
        n_bits: u8,
        hashes: &mut Vec<H::Value>,
    ) {
        if class == Class::Other {
            return self.end(hashes);
        }
        if class == Class::Mark {
            if self.value.is_none() {
                return;
            }
        } else if class == Class::Single || self.is_single {
            self.end(hashes);
            self.is_single = class == Class::Single;
        }
        let value = self.value.get_or_insert(self.hash.start());
        let (lower, n_bits) = (u64::from(lower), u32::from(n_bits));
        self.block |= lower << self.n_bits;
        if self.n_bits + n_bits >= 64 {
            *value = self.hash.add(*value, self.block);
            // A shift by 64 would mean that one character fills an empty block, which it cannot.
            self.block = lower.checked_shr(64 - self.n_bits).unwrap_or(0);
            self.n_bits = self.n_bits + n_bits - 64;
        } else {
            self.n_bits += n_bits;
        }
    }

    /// Ends the word, if there is one.
    #[inline(always)]
    pub(super) fn end(&mut self, hashes: &mut Vec<H::Value>) {
        if let Some(value) = self.value {
            let whole = if self.n_bits > 0 { self.hash.add(value, self.block) } else { value };
            hashes.push(self.hash.end(whole));
        }
        *self = HashedWord::new(self.hash);
    }
}

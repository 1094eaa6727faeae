//! SipHash-1-3 of eight rows of words at a time.
//!
//! Cost: a row of `n` words takes `n + 4` rounds of 14 instructions, which AVX-512 does for eight rows at once, and
//! AVX2 (22 instructions, because it has no rotation) for four.

use super::sip_rounds::Lanes;
use super::{Form, Task, run};

/// Returns the hashes of eight rows under a key. A row consists of the words of one lane, little-endian, and of the
/// bytes left over in `last`, whose highest byte is the length as SipHash wants it.
#[inline]
pub fn sip_hashes(keys: [u64; 2], words: &[Lanes], last: &Lanes) -> Lanes {
    run(SipHashes { keys, words, last })
}

struct SipHashes<'a> {
    keys: [u64; 2],
    words: &'a [Lanes],
    last: &'a Lanes,
}

impl Task for SipHashes<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run<F: Form>(self, form: F) -> Lanes {
        form.sip_hashes(self.keys, self.words, self.last)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use proptest::prelude::*;
    use siphasher::sip::SipHasher13;

    use super::*;
    use crate::{InstructionSet, on};

    proptest! {
        #[test]
        fn every_form_equals_the_library(
            keys: [u64; 2], words in prop::collection::vec(any::<[u64; 8]>(), 0..20), end in prop::collection::vec(any::<u8>(), 0..8),
        ) {
            let length = 8 * words.len() + end.len();
            let mut last = [0; 8];
            last[..end.len()].copy_from_slice(&end);
            let last = [u64::from_le_bytes(last) | (length as u64) << 56; 8];
            let naive: Lanes = std::array::from_fn(|lane| {
                let mut hasher = SipHasher13::new_with_keys(keys[0], keys[1]);
                for word in &words {
                    hasher.write(&word[lane].to_le_bytes());
                }
                hasher.write(&end);
                hasher.finish()
            });
            prop_assert_eq!(sip_hashes(keys, &words, &last), naive);
            for set in InstructionSet::available() {
                let found = on(set, SipHashes { keys, words: &words, last: &last });
                prop_assert_eq!(found, naive, "{}", set);
            }
        }
    }
}

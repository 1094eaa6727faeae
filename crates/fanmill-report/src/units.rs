//! From bytes of the original to UTF-16 code units of the shown text, which is how scripts count.

use crate::texts::Shown;

/// Places in one text: bytes of the original, and the code units that they stand at.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// Ascending by byte, each once.
    known: Vec<(u32, u32)>,
}

impl Units {
    /// Looks up `bytes` of the original, in any order and with repetitions.
    ///
    /// Cost: one pass over the text, whatever the number of places.
    pub(super) fn of(shown: &Shown<'_>, mut bytes: Vec<u32>) -> Units {
        bytes.sort_unstable();
        bytes.dedup();
        let mut known = Vec::with_capacity(bytes.len());
        let (mut at, mut units) = (0, 0);
        for byte in bytes {
            // Ascending, but a damaged map must not make this panic.
            let next = shown.at(byte).max(at);
            units += shown.text()[at..next].chars().map(char::len_utf16).sum::<usize>();
            at = next;
            known.push((byte, units as u32));
        }
        Units { known }
    }

    /// The code unit of a byte that was looked up; 0 for any other.
    pub(super) fn at(&self, byte: u32) -> u32 {
        let found = self.known.binary_search_by_key(&byte, |&(known, _)| known);
        found.map_or(0, |i| self.known[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn code_units_count_what_scripts_count() {
        let shown = Shown::identity("né🦀!");
        let units = Units::of(&shown, vec![7, 0, 1, 3, 3, 99]);
        assert_eq!([0, 1, 3, 7, 99].map(|byte| units.at(byte)), [0, 1, 2, 4, 5]);
        assert_eq!(units.at(2), 0);
    }

    proptest! {
        #[test]
        fn as_many_as_an_encoder_counts(text in any::<String>(), byte: u32) {
            let shown = Shown::identity(text.as_str());
            for byte in [byte, byte % 40] {
                let units = Units::of(&shown, vec![1, byte, 7]);
                let naive = text[..shown.at(byte)].encode_utf16().count();
                prop_assert_eq!(units.at(byte) as usize, naive);
            }
        }
    }
}

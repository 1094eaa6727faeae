//! Conversion of bytes of the original to UTF-16 code units of the shown text, which is how scripts count.

use crate::texts::ShownText;

/// Places in one text: bytes of the original, and the code units for them.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// Bytes with their code units, ascending by byte, each once.
    known: Vec<(u32, u32)>,
}

impl Units {
    /// Looks up `bytes` of the original, in any order and with repetitions.
    ///
    /// Cost: one pass over the text, whatever the number of places.
    pub(super) fn new(shown: ShownText<'_>, mut bytes: Vec<u32>) -> Units {
        bytes.sort_unstable();
        bytes.dedup();
        let mut known = Vec::with_capacity(bytes.len());
        let mut walk = Walk::new(shown);
        for byte in bytes {
            known.push((byte, walk.to(byte).0));
        }
        Units { known }
    }

    /// Returns the code unit of a byte that was looked up; 0 for any other.
    pub(super) fn at(&self, byte: u32) -> u32 {
        let found = self.known.binary_search_by_key(&byte, |&(known, _)| known);
        found.map_or(0, |i| self.known[i].1)
    }
}

/// A walk through one text that counts its code units.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    shown: ShownText<'a>,
    /// The current place, in bytes and in code units of the text.
    at: usize,
    units: u32,
}

impl<'a> Walk<'a> {
    /// Begins at the start of the text.
    pub(super) fn new(shown: ShownText<'a>) -> Walk<'a> {
        Walk { shown, at: 0, units: 0 }
    }

    /// Walks on to a byte of the original, never back. Returns its place, in code units and bytes.
    pub(super) fn to(&mut self, byte: u32) -> (u32, usize) {
        // Bytes ascend, but a damaged map must not make this panic.
        let next = self.shown.at_from(self.at, byte).max(self.at);
        let passed = self.shown.text()[self.at..next].chars();
        self.units += passed.map(char::len_utf16).sum::<usize>() as u32;
        self.at = next;
        (self.units, next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::utf_8;
    use proptest::prelude::*;

    #[test]
    fn code_units_count_what_scripts_count() {
        let decoded = utf_8("né🦀!");
        let units = Units::new(ShownText::from_decoded(&decoded), vec![7, 0, 1, 3, 3, 99]);
        assert_eq!([0, 1, 3, 7, 99].map(|byte| units.at(byte)), [0, 1, 2, 4, 5]);
        assert_eq!(units.at(2), 0);
    }

    proptest! {
        #[test]
        fn as_many_as_an_encoder_counts(text in any::<String>(), byte: u32) {
            let decoded = utf_8(&text);
            let shown = ShownText::from_decoded(&decoded);
            for byte in [byte, byte % 40] {
                let units = Units::new(shown, vec![1, byte, 7]);
                let naive = text[..shown.at_from(0, byte)].encode_utf16().count();
                prop_assert_eq!(units.at(byte) as usize, naive);
            }
        }
    }
}

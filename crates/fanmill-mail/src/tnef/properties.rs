//! Lists of properties in a stream.
//!
//! Each property has a type, a number, a name if its number is high, and one value or several. Values are padded to
//! four bytes. Of several values the first is taken.
//!
//! Cost: O(n).
//! Source: [MS-OXTNEF], §2.1.3.4; [MS-OXCDATA], §2.11.1 for the types.

/// Numbers from here on have names.
const FIRST_NAMED: u16 = 0x8000;

/// Bit of a type with several values.
const SEVERAL: u16 = 0x1000;

/// The types that are read in their own ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text in the message's code page.
    Narrow,
    /// Text in UTF-16.
    Wide,
    /// An object, whose value begins with the 16 bytes that say which one.
    Object,
    Other,
}

/// A property with its first value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Property<'a> {
    pub(super) number: u16,
    pub(super) kind: Kind,
    pub(super) value: &'a [u8],
}

/// Passes each property of a list to `take`; returns whether the whole list was read.
pub(super) fn each<'a>(list: &'a [u8], mut take: impl FnMut(Property<'a>)) -> bool {
    let mut rest = Rest(list);
    let Some(count) = rest.number() else { return false };
    for _ in 0..count {
        match rest.property() {
            Some((property, is_whole)) => {
                take(property);
                if !is_whole {
                    return false;
                }
            }
            None => return false,
        }
    }
    true
}

/// The unread rest of a list.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn number(&mut self) -> Option<u32> {
        let (four, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*four))
    }

    fn bytes(&mut self, n: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Returns a value with a length before it, and whether all of it is there.
    fn with_length(&mut self) -> Option<(&'a [u8], bool)> {
        let length = usize::try_from(self.number()?).ok()?;
        let (value, rest) = self.0.split_at(length.min(self.0.len()));
        let padding = length.wrapping_neg() % 4;
        self.0 = rest.get(padding..).unwrap_or_default();
        Some((value, value.len() == length))
    }

    /// Returns the next property, and whether all of it is there.
    fn property(&mut self) -> Option<(Property<'a>, bool)> {
        let tag = self.number()?;
        let (kind, number) = ((tag & 0xFFFF) as u16, (tag >> 16) as u16);
        if number >= FIRST_NAMED {
            self.name()?;
        }
        let base = kind & !SEVERAL;
        let kind_of_value = match base {
            0x1E => Kind::Narrow,
            0x1F => Kind::Wide,
            0x0D => Kind::Object,
            _ => Kind::Other,
        };
        let property = |value| Property { number, kind: kind_of_value, value };
        let is_variable = matches!(base, 0x1E | 0x1F | 0x0D | 0x102);
        if !is_variable {
            let each = width(base)?;
            let count =
                if kind & SEVERAL == 0 { 1 } else { usize::try_from(self.number()?).ok()? };
            let values = self.bytes(each.checked_mul(count)?)?;
            return Some((property(values.get(..each).unwrap_or_default()), true));
        }
        // A count comes before a single value, too.
        let mut first = None;
        for _ in 0..self.number()? {
            let (value, is_whole) = self.with_length()?;
            let found = *first.get_or_insert(value);
            if !is_whole {
                return Some((property(found), false));
            }
        }
        Some((property(first.unwrap_or_default()), true))
    }

    /// Skips a name: an identifier, and a number or a text.
    fn name(&mut self) -> Option<()> {
        self.bytes(16)?;
        if self.number()? == 0 {
            self.number()?;
        } else {
            self.with_length()?;
        }
        Some(())
    }
}

/// Returns the number of bytes of a value of fixed length, with its padding.
fn width(kind: u16) -> Option<usize> {
    match kind {
        0x01 => Some(0),
        0x02 | 0x03 | 0x04 | 0x0A | 0x0B => Some(4),
        0x05 | 0x06 | 0x07 | 0x14 | 0x40 => Some(8),
        0x48 => Some(16),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(list: &[u8]) -> (Vec<(u16, Kind, Vec<u8>)>, bool) {
        let mut found = Vec::new();
        let is_whole = each(list, |property| {
            found.push((property.number, property.kind, property.value.to_vec()));
        });
        (found, is_whole)
    }

    #[test]
    fn values_of_all_widths_and_names_are_skipped() {
        let number = |n: u32| n.to_le_bytes().to_vec();
        let list = [
            number(5),
            // A number of two bytes, and its padding.
            [number(0x0001_0002), vec![7, 0, 0, 0]].concat(),
            // A name that is a text, and a name that is a number.
            [
                number(0x8001_0003),
                vec![9; 16],
                number(1),
                number(2),
                vec![b'a', 0, 0, 0],
                number(1),
            ]
            .concat(),
            [number(0x8002_0040), vec![9; 16], number(0), number(5), vec![1; 8]].concat(),
            // Two texts, the first of which is padded.
            [
                number(0x0002_101E),
                number(2),
                number(3),
                b"ab\0\0".to_vec(),
                number(4),
                b"abc\0".to_vec(),
            ]
            .concat(),
            [number(0x1000_001F), number(1), number(2), vec![b'x', 0, 0, 0]].concat(),
        ];
        let expected = vec![
            (1, Kind::Other, vec![7, 0, 0, 0]),
            (0x8001, Kind::Other, vec![1, 0, 0, 0]),
            (0x8002, Kind::Other, vec![1; 8]),
            (2, Kind::Narrow, b"ab\0".to_vec()),
            (0x1000, Kind::Wide, vec![b'x', 0]),
        ];
        let list = list.concat();
        assert_eq!(all(&list), (expected.clone(), true));
        let cut = &list[..list.len() - 3];
        assert_eq!(
            all(cut),
            ([&expected[..4], &[(0x1000, Kind::Wide, vec![b'x'])]].concat(), false)
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(list in prop::collection::vec(any::<u8>(), 0..200)) {
            all(&list);
            let tag = [&[1, 0, 0, 0, 0x1E, 0x10, 0, 0x10][..], &list].concat();
            all(&tag);
        }
    }
}

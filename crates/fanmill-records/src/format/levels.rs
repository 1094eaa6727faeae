//! Rows of a Parquet column that may have any number of values each: lists and maps.
//!
//! Before its values, a page has a level for each of them, and a level of 0 begins a row. The headers of pages say
//! nothing of this, so one row of a small file may be larger than all that memory holds. Levels are read here without
//! the values, in runs, so that a billion values of one row cost no more than the bytes that say so.
//!
//! Cost: O(bytes of the levels), whatever they describe.
//! Source: Apache Parquet 2.12, "Run Length Encoding / Bit-Packing Hybrid" and "Repetition and definition levels".

use parquet::basic;
use parquet::column::page::Page;

/// Consecutive values that all begin a row, or all continue the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    begins_rows: bool,
    n: u64,
}

/// The rows of a column, seen page by page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists {
    /// Maximum level.
    most_level: i16,
    /// Bytes of the last row so far.
    last: u64,
}

/// The rows of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Bytes of the row before, if the page begins in it; otherwise 0.
    pub(super) before: u64,
    /// Number of rows that begin in the page.
    pub(super) n_rows: u64,
    /// Bytes of the longest of these, as far as it is in the page.
    pub(super) longest: u64,
}

impl Lists {
    pub(super) fn new(most_level: i16) -> Lists {
        Lists { most_level, last: 0 }
    }

    /// Measures the rows of the next page, whose values take `bytes_each` bytes each.
    ///
    /// Returns `None` if its levels are damaged, or written in a way that was given up in 2013.
    pub(super) fn add(&mut self, page: &Page, bytes_each: u64) -> Option<Found> {
        let mut found = Found::default();
        runs(levels(page)?, width(self.most_level), page.num_values().into(), |run| {
            if run.begins_rows {
                found.n_rows += run.n;
                self.last = bytes_each;
            } else {
                self.last = self.last.saturating_add(run.n.saturating_mul(bytes_each));
            }
            if found.n_rows == 0 {
                found.before = self.last;
            } else {
                found.longest = found.longest.max(self.last);
            }
        })?;
        Some(found)
    }
}

/// Returns the bytes of a page that say which values begin a row.
fn levels(page: &Page) -> Option<&[u8]> {
    match page {
        Page::DataPage { buf, rep_level_encoding: basic::Encoding::RLE, .. } => {
            let (n, rest) = buf.split_first_chunk()?;
            rest.get(..u32::from_le_bytes(*n) as usize)
        }
        Page::DataPageV2 { buf, rep_levels_byte_len, .. } => {
            buf.get(..*rep_levels_byte_len as usize)
        }
        Page::DataPage { .. } | Page::DictionaryPage { .. } => None,
    }
}

/// Returns the bits of a level, if none is above `most`.
fn width(most: i16) -> u32 {
    i16::BITS - most.max(1).leading_zeros()
}

/// Shows the levels of `n` values, `width` bits each; `None` if there are fewer.
fn runs(mut bytes: &[u8], width: u32, mut n: u64, mut see: impl FnMut(Run)) -> Option<()> {
    while n > 0 {
        let head = varint(&mut bytes)?;
        if head & 1 == 0 {
            // So many values of one level.
            let (level, rest) = bytes.split_at_checked(width.div_ceil(8) as usize)?;
            bytes = rest;
            let n_here = n.min(head >> 1);
            if n_here > 0 {
                see(Run { begins_rows: level.iter().all(|&byte| byte == 0), n: n_here });
            }
            n -= n_here;
        } else {
            // So many groups of eight levels, each of them in its own bits.
            let n_bytes = (head >> 1).checked_mul(width.into())?;
            let (packed, rest) = bytes.split_at_checked(usize::try_from(n_bytes).ok()?)?;
            bytes = rest;
            let n_here = n.min((head >> 1).saturating_mul(8));
            let is_set = |bit: usize| packed[bit / 8] >> (bit % 8) & 1 == 1;
            for at in 0..n_here as usize {
                let mut bits = at * width as usize..(at + 1) * width as usize;
                see(Run { begins_rows: !bits.any(is_set), n: 1 });
            }
            n -= n_here;
        }
    }
    Some(())
}

/// Reads a number in groups of seven bits, the lowest first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&next, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(next & 127) << shift;
        if next < 128 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns levels as a writer could write them: runs of one level, and eight at a time bit by bit.
    fn written(levels: &[u8], width: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = levels;
        while let Some(&first) = rest.first() {
            let n = rest.iter().take_while(|&&level| level == first).count();
            if n >= 8 || rest.len() < 8 {
                bytes.extend([n as u8 * 2, first]);
                rest = &rest[n..];
                continue;
            }
            let bits =
                rest[..8].iter().rev().fold(0_u32, |bits, &level| bits << width | u32::from(level));
            bytes.push(3);
            bytes.extend(&bits.to_le_bytes()[..width as usize]);
            rest = &rest[8..];
        }
        bytes
    }

    fn page(levels: &[u8], n_values: u32) -> Page {
        let n = u32::try_from(levels.len()).expect("small");
        let buf = [&n.to_le_bytes(), levels].concat().into();
        let (encoding, rle) = (basic::Encoding::PLAIN, basic::Encoding::RLE);
        Page::DataPage {
            buf,
            num_values: n_values,
            encoding,
            def_level_encoding: rle,
            rep_level_encoding: rle,
            statistics: None,
        }
    }

    /// A header of a few bytes describes what would be billions of values.
    #[test]
    fn the_values_of_a_long_row_are_not_counted_one_by_one() {
        let mut lists = Lists::new(1);
        // One value that begins a row, and 2^31 - 1 that continue it.
        let levels = [2, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 1];
        let found = lists.add(&page(&levels, 1 << 31), 8);
        assert_eq!(found, Some(Found { before: 0, n_rows: 1, longest: 8 << 31 }));
        let found = lists.add(&page(&levels[2..], 2), 8);
        assert_eq!(found, Some(Found { before: (8 << 31) + 16, n_rows: 0, longest: 0 }));
    }

    #[test]
    fn levels_that_end_too_early_are_damage() {
        for levels in
            [&[][..], &[2], &[3], &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]]
        {
            assert_eq!(Lists::new(1).add(&page(levels, 9), 8), None, "{levels:?}");
        }
        assert_eq!(levels(&page(&[], 1)).map(<[u8]>::len), Some(0));
    }

    proptest! {
        #[test]
        fn rows_are_as_long_as_their_levels_say(
            pages in prop::collection::vec(prop::collection::vec(prop_oneof![3 => 0..1_u8, 1 => 0..4_u8], 1..40), 1..4),
            bytes_each in 1..9_u64,
        ) {
            let (mut lists, mut rows) = (Lists::new(3), vec![0]);
            for levels in &pages {
                let first = rows.len();
                for &level in levels {
                    if level == 0 {
                        rows.push(0);
                    }
                    *rows.last_mut().expect("never empty") += bytes_each;
                }
                let n = u32::try_from(levels.len()).expect("few");
                let found = lists.add(&page(&written(levels, 2), n), bytes_each);
                let expected = Found {
                    before: if levels[0] == 0 { 0 } else { rows[first - 1] },
                    n_rows: (rows.len() - first) as u64,
                    longest: rows[first..].iter().copied().max().unwrap_or(0),
                };
                prop_assert_eq!(found, Some(expected));
            }
        }
    }
}

//! The role of each character in words of a corpus, folding and lower case included, in one look-up.
//!
//! Most characters beyond ASCII need no folding: it leaves `é` and `字` as they are, drops characters that show nothing,
//! and makes signs of signs. Only a character that may compose with its neighbours, become another letter or be one in
//! disguise has to be [folded](super::fold), together with the stretch of text between two signs around it.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::invisible;
use super::look_alike;
use super::normal;
use super::skeleton;
use super::word_class::{self, Class, lower};

/// Characters below this are looked up: those of all alphabets, kana and signs for Han.
const LOW: u32 = 0x3400;
/// These are looked up, too: Han and Arabic in other forms, letters and signs of full width.
const HIGH: RangeInclusive<u32> = 0xF900..=0xFFFF;

/// The effect of folding on a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FoldingEffect {
    /// Nothing that matters to words: a sign stays a sign, and a letter stays what it is, or becomes the one that it
    /// passes for, unless its word has letters of another alphabet.
    Stays,
    /// The character is split into letters, digits and marks that stay: Thai `ำ`.
    Splits,
    /// The character, which shows nothing, is removed.
    Vanishes,
    /// The neighbours of the character decide.
    Involved,
}

/// A character as part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its lower case in UTF-8, the first byte lowest; for ASCII with the bit `0x20`.
    pub(super) lower: u32,
    /// Number of bits of `lower` in use.
    pub(super) n_bits: u8,
    /// Its class in words, once it is folded.
    pub(super) class: Class,
    /// The effect of folding on it.
    pub(super) folding: FoldingEffect,
    /// The combining class of a mark, and 0 for everything else. It must not decrease where marks of a letter follow
    /// each other, or they would be put into another order.
    pub(super) order: u8,
    /// The alphabet of a letter that may be disguised, or may show that others are not.
    pub(super) alphabet: skeleton::Class,
    /// True if it is a letter, digit or mark that stays what it is, whatever letters surround it.
    pub(super) is_steady: bool,
}

impl Entry {
    /// Returns whether words and the folding of words end here, whatever surrounds it.
    #[inline]
    pub(super) fn is_apart(self) -> bool {
        self.class == Class::Other && self.folding == FoldingEffect::Stays
    }

    fn from_char(c: char) -> Entry {
        let (class, alphabet) = (class(c), skeleton::class(c));
        let order = normal::order(c).filter(|&order| order == 0 || alphabet.is_none());
        // A character that only one of the two takes for part of a word is left to folding.
        let is_clear = class != Class::Other || alphabet.is_none();
        let latin = look_alike::latin(c);
        let is_known = latin.is_some() || !look_alike::is_phonetic(c);
        let folding = if invisible::is_invisible(c) {
            FoldingEffect::Vanishes
        } else if parts_words(c) || order.is_some() && is_clear && is_known {
            FoldingEffect::Stays
        } else if is_clear && splits(c) {
            FoldingEffect::Splits
        } else {
            FoldingEffect::Involved
        };
        let (lower, n_bits) = in_utf8(lower(latin.unwrap_or(c)));
        let is_steady =
            class != Class::Other && folding == FoldingEffect::Stays && alphabet.is_none();
        Entry { lower, n_bits, class, folding, order: order.unwrap_or(0), alphabet, is_steady }
    }
}

/// Returns the bytes of a character in UTF-8, the first one lowest and with the bit `0x20` if it is ASCII; and their
/// number of bits.
#[inline]
fn in_utf8(c: char) -> (u32, u8) {
    let mut bytes = [0; 4];
    let n_bits = 8 * c.encode_utf8(&mut bytes).len() as u8;
    (u32::from_le_bytes(bytes) | if c.is_ascii() { 0x20 } else { 0 }, n_bits)
}

/// Returns the class of `c` in words: as for prose, except that the underscore is a letter.
fn class(c: char) -> Class {
    match c {
        '_' => Class::Letter,
        // Folding turns some letters and numbers into signs, such as a space with a mark on it.
        c if parts_words(c) => Class::Other,
        c => word_class::class(c),
    }
}

/// Returns whether folding turns `c` into signs, and marks on signs, and nothing else.
fn parts_words(c: char) -> bool {
    let (mut is_sign, mut n_parts) = (true, 0);
    normal::parts(c, |part| {
        let class = word_class::class(part);
        let is_part = class == Class::Other && part != '_' || class == Class::Mark && n_parts > 0;
        is_sign &= is_part && !look_alike::is_letter(part);
        n_parts += 1;
    });
    is_sign && n_parts > 0
}

/// Returns whether folding splits `c` into characters that stay, whatever surrounds them.
fn splits(c: char) -> bool {
    let mut are_steady = true;
    normal::parts(c, |part| {
        are_steady &= part != c && {
            let entry = Entry::from_char(part);
            entry.is_steady && entry.order == 0
        };
    });
    are_steady
}

/// The entries of all characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordTable {
    low: &'static [Entry],
    high: &'static [Entry],
    pairs: &'static [Pair; PAIRS],
}

/// Number of characters of one or two bytes in UTF-8.
const PAIRS: usize = 0x800;

/// A character of two bytes, if it is a letter or digit that stays one and whose lower case has two bytes as well.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pair {
    /// Its lower case in UTF-8, the first byte lowest.
    pub(super) lower: u16,
    /// Its kind: one of the constants. The kinds of several characters are joined by OR.
    pub(super) kind: u8,
    /// The alphabet of a letter that may be disguised, or may show that others are not.
    pub(super) alphabet: skeleton::AlphabetSet,
}

impl Pair {
    /// A letter of an alphabet in which some letters look like those of others.
    pub(super) const ALPHABETIC: u8 = 1;
    /// Another letter, or a digit.
    pub(super) const OTHER: u8 = 2;
    /// Any other character.
    const UNFIT: u8 = 4;

    fn from_char(c: char) -> Pair {
        let entry = Entry::from_char(c);
        let is_part = matches!(entry.class, Class::Letter | Class::Digit) && entry.n_bits == 16;
        let kind = match (c, entry.folding) {
            // Zeros fill up the block at the end of a text.
            ('\0', _) => return Pair::default(),
            (_, FoldingEffect::Stays) if is_part && entry.alphabet.is_none() => Pair::OTHER,
            (_, FoldingEffect::Stays) if is_part => Pair::ALPHABETIC,
            _ => Pair::UNFIT,
        };
        Pair { lower: entry.lower as u16, kind, alphabet: entry.alphabet.small() }
    }
}

impl WordTable {
    /// Returns the only table. It is made at the first call, in two milliseconds.
    pub(super) fn get() -> WordTable {
        static LOW_ONES: LazyLock<Vec<Entry>> = LazyLock::new(|| (0..LOW).map(entry_of).collect());
        static HIGH_ONES: LazyLock<Vec<Entry>> = LazyLock::new(|| HIGH.map(entry_of).collect());
        static OF_TWO_BYTES: LazyLock<[Pair; PAIRS]> = LazyLock::new(|| {
            std::array::from_fn(|c| Pair::from_char(char::from_u32(c as u32).unwrap_or_default()))
        });
        WordTable { low: &LOW_ONES, high: &HIGH_ONES, pairs: &OF_TWO_BYTES }
    }

    /// Returns the entry of `c`.
    #[inline]
    pub(super) fn entry(self, c: char) -> Entry {
        match self.low.get(c as usize) {
            Some(&entry) => entry,
            None => self.high_entry(c),
        }
    }

    /// Returns the entry of a character of a text that has been folded: it stays what it is.
    pub(super) fn folded(self, c: char) -> Entry {
        let (lower, n_bits) = in_utf8(lower(c));
        Entry { lower, n_bits, ..self.entry(c) }
    }

    #[inline]
    fn high_entry(self, c: char) -> Entry {
        match c as u32 {
            0x3400..=0x9FFF => plain(c, Class::Single),
            0xAC00..=0xD7A3 => plain(c, Class::Letter),
            0x1F300..=0x1FAFF => plain(c, Class::Other),
            code => match self.high.get(code.wrapping_sub(*HIGH.start()) as usize) {
                Some(&entry) => entry,
                None => Entry::from_char(c),
            },
        }
    }

    /// Returns the pair of the two bytes of a character, the first one lowest.
    #[inline]
    pub(super) fn pair(self, bytes: u16) -> Pair {
        let c = (bytes & 0x1F) << 6 | bytes >> 8 & 0x3F;
        self.pairs[usize::from(c)]
    }
}

/// Returns the entry of the character with this code.
fn entry_of(code: u32) -> Entry {
    Entry::from_char(char::from_u32(code).unwrap_or_default())
}

/// Returns the entry of a character without case that folding leaves alone.
#[inline]
fn plain(c: char, class: Class) -> Entry {
    let (lower, n_bits) = in_utf8(c);
    let (alphabet, is_steady) = (skeleton::Class::NONE, class != Class::Other);
    Entry { lower, n_bits, class, folding: FoldingEffect::Stays, order: 0, alphabet, is_steady }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::decompose_canonical;

    use super::*;

    /// The short cuts for characters beyond the table are right.
    #[test]
    fn high_entries_are_those_of_the_rules() {
        for c in '\u{3400}'..=char::MAX {
            let (found, expected) = (WordTable::get().entry(c), Entry::from_char(c));
            assert_eq!(found, expected, "{:04X}", c as u32);
        }
    }

    /// A mark on a sign does not turn it into a letter, so words can be folded without the signs around them.
    #[test]
    fn no_sign_is_the_base_of_a_letter() {
        for c in '\0'..=char::MAX {
            let mut base = None;
            decompose_canonical(c, |part| base = base.or(Some(part)));
            let base = base.expect("every character is made of some");
            let [whole, base] = [c, base].map(|c| WordTable::get().entry(c));
            assert!(!base.is_apart() || whole.class == Class::Other, "{:04X}", c as u32);
            assert!(
                !whole.is_apart() || parts_words(c) || !look_alike::is_letter(c),
                "{c:?} {whole:?}"
            );
        }
    }
}

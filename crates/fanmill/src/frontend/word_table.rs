//! What each character is to a word of a corpus, folding and lower case included, in one look.
//!
//! Most characters beyond ASCII need no folding: it leaves `é` and `字` as they are, drops what
//! shows nothing, and makes signs of signs. Only what may compose with its neighbours, become
//! another letter or be one in disguise has to be [folded](super::fold), with the stretch of text
//! between two signs that it stands in.

use std::sync::LazyLock;

use super::invisible;
use super::look_alike;
use super::normal;
use super::word_class::{self, Class, lower};

/// Characters below this are looked up, which are those of all alphabets, kana and signs for Han.
const TABLE: u32 = 0x3400;

/// What folding may do to a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folding {
    /// Nothing that matters to words: a sign stays one, and what shows nothing counts for nothing.
    Simple,
    /// What its neighbours decide.
    Involved,
}

/// A character, as words see it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Its lower case in UTF-8, the first byte lowest; for ASCII with the bit `0x20`.
    pub(super) lower: u32,
    /// Bits of `lower` in use.
    pub(super) n_bits: u8,
    /// What it is to a word, once it is folded.
    pub(super) class: Class,
    /// Whether it shows nothing, and is removed.
    pub(super) is_invisible: bool,
    /// Whether it can be taken as it is.
    pub(super) folding: Folding,
}

impl Entry {
    /// Whether words and the folding of words end here, whatever stands around.
    pub(super) fn is_apart(self) -> bool {
        self.class == Class::Other && self.folding == Folding::Simple && !self.is_invisible
    }

    fn of(c: char) -> Entry {
        let lower = lower(c);
        let mut bytes = [0; 4];
        let n_bits = 8 * lower.encode_utf8(&mut bytes).len() as u8;
        let low = if c.is_ascii() { 0x20 } else { 0 };
        let is_invisible = invisible::is_invisible(c);
        let class = class(c);
        // A character that only one of the two takes for part of a word is left to folding.
        let is_clear = class != Class::Other || !look_alike::is_letter(c);
        let stays = normal::is_plain(c) && !look_alike::is_suspect(c) && is_clear;
        let is_simple = is_invisible || parts_words(c) || stays;
        Entry {
            lower: u32::from_le_bytes(bytes) | low,
            n_bits,
            class,
            is_invisible,
            folding: if is_simple { Folding::Simple } else { Folding::Involved },
        }
    }
}

/// What `c` is to a word: as for prose, and the underscore is a letter.
fn class(c: char) -> Class {
    match c {
        '_' => Class::Letter,
        // Folding makes signs of some letters and numbers, such as a space with a mark on it.
        c if parts_words(c) => Class::Other,
        c => word_class::class(c),
    }
}

/// Whether folding makes signs of `c`, and marks that stand on signs, and nothing else.
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

/// The entries of all characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordTable(&'static [Entry]);

impl WordTable {
    /// The one table there is. Made when first asked for, in two milliseconds.
    pub(super) fn get() -> WordTable {
        static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
            (0..TABLE).map(|c| Entry::of(char::from_u32(c).unwrap_or_default())).collect()
        });
        WordTable(&ENTRIES)
    }

    /// The entry of `c`.
    #[inline]
    pub(super) fn entry(self, c: char) -> Entry {
        match self.0.get(c as usize) {
            Some(&entry) => entry,
            None => high_entry(c),
        }
    }
}

/// The entry of a character beyond the table.
fn high_entry(c: char) -> Entry {
    match c as u32 {
        0x3400..=0x9FFF => plain(c, Class::Single),
        0xAC00..=0xD7A3 => plain(c, Class::Letter),
        _ => Entry::of(c),
    }
}

/// The entry of a character without cases that folding leaves alone.
fn plain(c: char, class: Class) -> Entry {
    let mut bytes = [0; 4];
    let n_bits = 8 * c.encode_utf8(&mut bytes).len() as u8;
    let lower = u32::from_le_bytes(bytes);
    Entry { lower, n_bits, class, is_invisible: false, folding: Folding::Simple }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::decompose_canonical;

    use super::*;

    /// The short cuts for what is beyond the table say what is true.
    #[test]
    fn high_entries_are_those_of_the_rules() {
        for c in '\u{3400}'..=char::MAX {
            let (found, expected) = (high_entry(c), Entry::of(c));
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{:04X}", c as u32);
        }
    }

    /// A mark on a sign does not make a letter of it, so that words can be folded without the
    /// signs around them.
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

//! Words of a corpus in rows with characters beyond ASCII.
//!
//! A row is a maximal sequence of bytes that can belong to words, which is true of every byte beyond ASCII. The words
//! of such a row are found in one of these ways, the first that fits:
//!
//! 1. one word of letters of two bytes, such as Cyrillic, Greek, Arabic or Hebrew ones, four of them at a time;
//! 2. one word of ASCII and the letters of Latin-1, eight bytes at a time;
//! 3. one of these between signs of General Punctuation, such as curly quotes and dashes;
//! 4. Han, where each character is a word;
//! 5. character by character, each looked up in one table, as long as none needs folding;
//! 6. folded, if a character needs it, together with the stretch between two signs around it.
//!
//! Letters that look like those of other alphabets need no folding in a word of one alphabet. Such words are only
//! counted, because they decide whether the text as a whole is in disguise.
//!
//! Cost: O(n). Measured by `fanmill-bench speed`.

use std::ops::RangeInclusive;

use super::hashed_word::HashedWord;
use super::look_alike::{self, Disguises, ScriptCounts};
use super::marks::Marks;
use super::normal::{self, normalize};
use super::skeleton;
use super::word_class::Class;
use super::word_hash::WordHash;
use super::word_table::{FoldingEffect, Pair, WordTable};

/// The lowest bit of each byte.
pub(super) const ONES: u64 = u64::from_ne_bytes([1; 8]);
/// The lowest bit of every second byte.
const FIRST_OF_TWO: u64 = u64::from_le_bytes([1, 0, 1, 0, 1, 0, 1, 0]);
/// The first bytes of U+4000 to U+9FFF in UTF-8: Han characters; each is a word.
const HAN: RangeInclusive<u8> = 0xE4..=0xE9;
/// The first byte of General Punctuation in UTF-8.
const PUNCTUATION: u8 = 0xE2;

/// Takes rows of a text, and appends the hashes of their words.
pub(super) struct Rows<'a, H: WordHash> {
    pub(super) hash: H,
    pub(super) text: &'a str,
    pub(super) hashes: &'a mut Vec<H::Value>,
    pub(super) table: WordTable,
    /// The scripts whose doubtful words are Latin in this text.
    pub(super) disguises: Disguises,
    /// Counts of the words that may be disguised; the others are not counted.
    pub(super) census: ScriptCounts,
}

impl<H: WordHash> Rows<'_, H> {
    /// Takes a row with characters beyond ASCII.
    #[inline(never)]
    pub(super) fn row(&mut self, start: usize, end: usize) {
        if self.is_one_word(start, end) {
            return;
        }
        let bytes = &self.text.as_bytes()[..end];
        let mut at = start;
        // Quotes and dashes separate the words of most rows that are not one word.
        while let Some(n_before) = bytes[at..].iter().position(|&byte| byte == PUNCTUATION) {
            let sign = at + n_before;
            let c = self.text[sign..].chars().next().unwrap_or_default();
            if !self.table.entry(c).is_apart() {
                break;
            }
            self.piece(at, sign);
            at = sign + c.len_utf8();
        }
        self.piece(at, end);
    }

    /// Takes a part of a row, between two signs.
    fn piece(&mut self, start: usize, end: usize) {
        if start < end && !self.is_one_word(start, end) {
            let mut at = self.han(start, end);
            while at < end {
                at += self.stretch(&self.text[at..end]);
                at = self.han(at, end);
            }
        }
    }

    /// Takes Han characters as long as the next character is Han, too, or the row ends; returns the place where this
    /// stops.
    #[inline]
    fn han(&mut self, start: usize, end: usize) -> usize {
        let mut at = start;
        let bytes = &self.text.as_bytes()[..end];
        while let Some(&[first, second, third]) = bytes[at..].first_chunk()
            && HAN.contains(&first)
            && bytes.get(at + 3).is_none_or(|next| HAN.contains(next))
        {
            let block = u64::from_le_bytes([first, second, third, 0, 0, 0, 0, 0]);
            let value = self.hash.add(self.hash.start(), block);
            self.hashes.push(self.hash.end(value));
            at += 3;
        }
        at
    }

    /// Takes a row if it is one word of letters that are recognised eight bytes at a time.
    #[inline]
    fn is_one_word(&mut self, start: usize, end: usize) -> bool {
        let value = match self.two_byte_word(start, end) {
            None => self.latin_word(start, end),
            value => value,
        };
        self.hashes.extend(value);
        value.is_some()
    }

    /// Returns the hash of a row, if it is one word of ASCII and the letters of Latin-1 in UTF-8: `été`.
    #[inline]
    fn latin_word(&self, start: usize, end: usize) -> Option<H::Value> {
        let bytes = self.text.as_bytes();
        let (mut value, mut is_cut) = (self.hash.start(), 0);
        for at in (start..end).step_by(8) {
            let used = u64::MAX >> (64 - 8 * (end - at).min(8));
            let block = eight(bytes, at) & used;
            let first = equal(block, 0xC3);
            let second = block & (ONES << 7) & !first;
            // Each first byte must have its second one. Two of the second ones are signs: × and ÷.
            if second != first << 8 | is_cut || second & equal(block | (ONES * 0x20), 0xB7) != 0 {
                return None;
            }
            is_cut = first >> 56;
            // ASCII lowercasing works on second bytes, too, except for `ß`.
            let kept = first | second & equal(block, 0x9F);
            value = self.hash.add(value, block | used & (ONES * 0x20) & !(kept >> 2));
        }
        Some(self.hash.end(value))
    }

    /// Returns the hash of a row, if it is one word of letters of two bytes, and of one alphabet.
    #[inline]
    fn two_byte_word(&mut self, start: usize, end: usize) -> Option<H::Value> {
        let bytes = self.text.as_bytes();
        let (mut value, mut letters, mut kind) =
            (self.hash.start(), skeleton::AlphabetSet::default(), 0);
        for at in (start..end).step_by(8) {
            let used = u64::MAX >> (64 - 8 * (end - at).min(8));
            let block = eight(bytes, at) & used;
            if block & (FIRST_OF_TWO * 0xE0) != used & (FIRST_OF_TWO * 0xC0) {
                return None;
            }
            let mut lower = 0;
            for shift in [0, 16, 32, 48] {
                let pair = self.table.pair((block >> shift) as u16);
                letters = letters.or(pair.alphabet);
                kind |= pair.kind;
                lower |= u64::from(pair.lower) << shift;
            }
            value = self.hash.add(value, lower);
        }
        let is_word = match kind {
            Pair::ALPHABETIC => self.census.counts(letters.class(), self.disguises),
            kind => kind == Pair::OTHER,
        };
        is_word.then(|| self.hash.end(value))
    }

    /// Takes the part of a row before its first sign, and the sign; returns their length.
    #[inline]
    fn stretch(&mut self, row: &str) -> usize {
        let (n_before, before) = (self.hashes.len(), self.census);
        let mut word = HashedWord::new(self.hash);
        // The combining class of the mark before, and the alphabets of the letters that may be disguised together.
        let (mut order, mut letters) = (0, skeleton::Class::NONE);
        let mut chars = row.char_indices();
        let (len, is_known) = loop {
            let Some((at, c)) = chars.next() else {
                break (row.len(), self.census.counts(letters, self.disguises));
            };
            let entry = self.table.entry(c);
            if !(entry.is_steady && letters.is_none()) {
                match entry.folding {
                    FoldingEffect::Stays => {}
                    FoldingEffect::Splits if letters.is_none() => {
                        self.split(c, &mut word);
                        order = 0;
                        continue;
                    }
                    FoldingEffect::Vanishes => continue,
                    FoldingEffect::Splits | FoldingEffect::Involved => break (0, false),
                }
                if entry.alphabet.is_none() {
                    let is_known = self.census.counts(letters, self.disguises);
                    if entry.class == Class::Other || !is_known {
                        break (at + c.len_utf8(), is_known);
                    }
                    letters = skeleton::Class::NONE;
                }
                letters = letters.or(entry.alphabet);
            }
            if entry.order > 0 && entry.order < order {
                break (0, false);
            }
            order = entry.order;
            word.take(entry.class, entry.lower, entry.n_bits, self.hashes);
        };
        if is_known {
            word.end(self.hashes);
            return len;
        }
        self.hashes.truncate(n_before);
        self.census = before;
        self.folded_stretch(row)
    }

    /// Takes the parts of a character that folding splits.
    #[inline(never)]
    fn split(&mut self, c: char, word: &mut HashedWord<H>) {
        normal::parts(c, |part| {
            let entry = self.table.entry(part);
            word.take(entry.class, entry.lower, entry.n_bits, self.hashes);
        });
    }

    /// Takes a stretch that has to be folded; returns its length.
    fn folded_stretch(&mut self, row: &str) -> usize {
        let len = row.find(|c| self.table.entry(c).is_apart()).unwrap_or(row.len());
        let (normal, _) = normalize(&row[..len], &mut Marks::new());
        let folded = look_alike::unmask_stretch(&normal, self.disguises, &mut self.census);
        let mut word = HashedWord::new(self.hash);
        for c in folded.chars() {
            let entry = self.table.folded(c);
            word.take(entry.class, entry.lower, entry.n_bits, self.hashes);
        }
        word.end(self.hashes);
        len
    }
}

/// Returns the highest bit of each byte that is `byte`.
#[inline]
fn equal(bytes: u64, byte: u8) -> u64 {
    let other = bytes ^ (ONES * u64::from(byte));
    !(((other & !(ONES << 7)) + !(ONES << 7)) | other) & (ONES << 7)
}

/// Returns the eight bytes at `at`, with zeros after the last one.
#[inline]
pub(super) fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    rest.first_chunk().map_or_else(|| last_bytes(rest), |&eight| u64::from_le_bytes(eight))
}

#[cold]
#[inline(never)]
fn last_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

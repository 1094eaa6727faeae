//! Keyed token values of a text: the paper's *token hashes*.
//!
//! A token's value is SipHash-1-3 of its [canonical form](super::canonical), under a subkey: 64 bits that reveal
//! nothing without the key, and that never leave the process. Very common words can be left out, so that grams consist
//! of distinctive ones.
//!
//! `paper-words` first replaces each letter and digit by another one, by a keyed permutation of the 36, as in the
//! paper. Before a keyed hash this adds nothing, and the other forms do without it.
//!
//! Cost: O(n); about 10 ns per word on top of the canonical form.
//! Source: Malkin & Venkatesan, "Comparison of texts streams in the presence of mild adversaries",
//! 2005, §2.1.
//! Departs from it: with front ends a word is hashed by the first 32 bits of its symbol. Two words that
//! agree in these would be one token, which affects one gram in a billion and does not help anyone to hide.

use std::sync::LazyLock;

use zeroize::Zeroize;

use super::canonical::{self, Canonical, half};
use super::key::{Block, Key, Prf};
use fanmill_kernel::LANES;
use fanmill_kernel::hash::mix::SplitMix;
use fanmill_text::frontend::{Chars, FrontEnd, Words};
use fanmill_text::span::Span;
use fanmill_text::token::Symbol;

/// The treatment of words that are common everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommonWords {
    /// They are tokens like any other.
    Kept,
    /// The words in [`COMMON`] are left out.
    Removed,
}

/// The most common English function words.
pub const COMMON: [&str; 64] = [
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been",
    "but", "by", "can", "could", "did", "do", "for", "from", "had", "has", "have", "he", "her",
    "his", "i", "if", "in", "into", "is", "it", "its", "more", "no", "not", "of", "on", "one",
    "or", "other", "our", "she", "so", "such", "than", "that", "the", "their", "there", "they",
    "this", "to", "up", "was", "we", "were", "which", "who", "will", "with", "would", "you",
];

/// A document's tokens: keyed values, with their spans in the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyedTokens {
    /// Values, in document order.
    pub values: Vec<u64>,
    /// The span of each token, in bytes of the folded text, ascending.
    pub spans: Vec<Span>,
}

impl KeyedTokens {
    /// Removes all tokens and keeps the allocated memory, for the next document.
    pub fn clear(&mut self) {
        self.values.clear();
        self.spans.clear();
    }

    #[inline]
    fn push(&mut self, value: u64, span: Span) {
        self.values.push(value);
        self.spans.push(span);
    }
}

/// Turns texts into tokens under a key.
#[derive(Debug, Clone)]
pub struct Reader {
    form: Canonical,
    common: CommonWords,
    prf: Prf,
    permutation: Permutation,
    /// The token values of ASCII characters, computed in advance for `mail-letters`.
    letters: Box<[u64; 128]>,
}

impl Reader {
    /// Creates a reader for one canonical form.
    pub fn new(form: Canonical, common: CommonWords, key: &Key) -> Reader {
        let prf = key.prf("token");
        let letters = Box::new(std::array::from_fn(|c| prf.bytes(&(c as u32).to_le_bytes())));
        Reader { form, common, prf, permutation: Permutation::new(key), letters }
    }

    /// Appends the tokens of a folded text ([`fanmill_text::frontend::Text`]).
    pub fn read(&self, text: &str, tokens: &mut KeyedTokens) {
        // Forms that are front ends give symbols; the others spell out words or letters.
        match self.form {
            Canonical::Words | Canonical::EarlierWords => self.read_symbols(&Words, text, tokens),
            Canonical::Letters | Canonical::EarlierLetters => {
                self.read_symbols(&Chars, text, tokens);
            }
            Canonical::BareWords | Canonical::EarlierBareWords => self.read_words(tokens, |read| {
                canonical::bare_words(text, |word, span| {
                    if !self.is_left_out(|| half(Symbol::spelled(word.as_bytes()))) {
                        read.push(word.as_bytes(), span);
                    }
                });
            }),
            Canonical::PaperWords => self.read_words(tokens, |read| {
                let mut permuted = Vec::with_capacity(32);
                canonical::paper_words(text, |word, span| {
                    if !self.is_left_out(|| half(Symbol::spelled(word.as_bytes()))) {
                        self.permutation.apply(word, &mut permuted);
                        read.push(&permuted, span);
                    }
                });
            }),
            Canonical::MailWords => self.read_words(tokens, |read| {
                canonical::mail_words(text, |word, span| read.push(word.as_bytes(), span));
            }),
            Canonical::MailLetters => canonical::mail_letters(text, |letter, span| {
                let value = self.letters.get(letter as usize).copied();
                let value = value.unwrap_or_else(|| self.prf.bytes(&(letter as u32).to_le_bytes()));
                tokens.push(value, span);
            }),
        }
    }

    /// Appends the tokens of a front end, by their symbols; all are hashed together at the end.
    fn read_symbols(&self, front_end: &dyn FrontEnd, text: &str, tokens: &mut KeyedTokens) {
        let start = tokens.values.len();
        canonical::by_front_end(front_end, text, |symbol, span| {
            if !self.is_left_out(|| symbol) {
                tokens.push(Block::from(symbol).0, span);
            }
        });
        for eight in tokens.values[start..].chunks_mut(LANES) {
            let mut blocks = [Block(0); LANES];
            blocks.iter_mut().zip(&*eight).for_each(|(block, &value)| *block = Block(value));
            let values = self.prf.short(&blocks);
            eight.copy_from_slice(&values[..eight.len()]);
        }
    }

    /// Appends the tokens that `read` finds.
    fn read_words(&self, tokens: &mut KeyedTokens, read: impl FnOnce(&mut WordBatch<'_>)) {
        let mut words = WordBatch { prf: &self.prf, tokens, short: Vec::new(), places: Vec::new() };
        read(&mut words);
        words.finish();
    }

    fn is_left_out(&self, symbol: impl FnOnce() -> u32) -> bool {
        self.common == CommonWords::Removed && is_common(symbol())
    }
}

/// Words as they are read. Most are short, and wait until all are read: eight of them are hashed at a time.
struct WordBatch<'a> {
    prf: &'a Prf,
    tokens: &'a mut KeyedTokens,
    /// Words of up to seven bytes, and the places for their values.
    short: Vec<Block>,
    places: Vec<usize>,
}

impl WordBatch<'_> {
    #[inline]
    fn push(&mut self, word: &[u8], span: Span) {
        let value = match Block::from_bytes(word) {
            None => self.prf.bytes(word),
            Some(block) => {
                self.short.push(block);
                self.places.push(self.tokens.values.len());
                0
            }
        };
        self.tokens.push(value, span);
    }

    fn finish(self) {
        for (places, short) in self.places.chunks(LANES).zip(self.short.chunks(LANES)) {
            let values = self.prf.short(short);
            for (&place, value) in places.iter().zip(values) {
                self.tokens.values[place] = value;
            }
        }
    }
}

/// Returns whether a word's symbol is that of a common word.
fn is_common(symbol: u32) -> bool {
    static SYMBOLS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let mut symbols: Vec<u32> =
            COMMON.iter().map(|word| half(Symbol::spelled(word.as_bytes()))).collect();
        symbols.sort_unstable();
        symbols
    });
    SYMBOLS.binary_search(&symbol).is_ok()
}

impl Drop for Reader {
    /// Wipes the hashes of letters, which reveal as much as a subkey, and the order of the 36 characters, which is one.
    fn drop(&mut self) {
        self.letters.zeroize();
        self.permutation.of_byte.zeroize();
    }
}

/// A keyed bijection of the digits and the letters `a` to `z`, numbered 0 to 35.
#[derive(Debug, Clone)]
struct Permutation {
    /// The permuted number of each digit and letter. Other bytes stay as they are; the bytes of non-ASCII
    /// characters are above 127, so they differ from all these numbers.
    of_byte: Box<[u8; 256]>,
}

/// Number of digits and letters.
const N_CHARACTERS: u8 = 36;

impl Permutation {
    fn new(key: &Key) -> Permutation {
        let mut numbers: Vec<u8> = (0..N_CHARACTERS).collect();
        let mut random = SplitMix::new(key.prf("character permutation").bytes(&[]));
        // The Fisher–Yates shuffle.
        for i in (1..numbers.len()).rev() {
            let j = ((u128::from(random.draw()) * (i as u128 + 1)) >> 64) as usize;
            numbers.swap(i, j);
        }
        let mut of_byte = Box::new(std::array::from_fn(|byte| byte as u8));
        for (byte, number) in (b'0'..=b'9').chain(b'a'..=b'z').zip(numbers) {
            of_byte[usize::from(byte)] = number;
        }
        Permutation { of_byte }
    }

    /// Writes the permuted word to `permuted`, replacing its contents.
    fn apply(&self, word: &str, permuted: &mut Vec<u8>) {
        permuted.clear();
        permuted.extend(word.bytes().map(|byte| self.of_byte[usize::from(byte)]));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::key;

    fn read(form: Canonical, common: CommonWords, key: u64, text: &str) -> Vec<u64> {
        let mut tokens = KeyedTokens::default();
        Reader::new(form, common, &key::of_test(key)).read(text, &mut tokens);
        assert_eq!(tokens.values.len(), tokens.spans.len());
        assert!(tokens.spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
        tokens.values
    }

    #[test]
    fn the_permutation_is_a_bijection_and_depends_on_the_key() {
        let of = |number| Permutation::new(&key::of_test(number)).of_byte;
        for number in 0..20 {
            let (table, other) = (of(number), of(number + 1));
            let images: BTreeSet<u8> =
                table.iter().copied().filter(|&n| n < N_CHARACTERS).collect();
            assert!(images.len() == 36, "36 numbers, those of control characters among them");
            let permuted: BTreeSet<u8> =
                (b'0'..=b'9').chain(b'a'..=b'z').map(|c| table[usize::from(c)]).collect();
            assert_eq!(permuted, (0..N_CHARACTERS).collect());
            assert_ne!(table, other);
        }
    }

    #[test]
    fn equal_words_are_equal_tokens_under_one_key_only() {
        for form in Canonical::ALL {
            let text = "the cat sees the Cat";
            let (a, b) =
                (read(form, CommonWords::Kept, 1, text), read(form, CommonWords::Kept, 2, text));
            assert_eq!(a, read(form, CommonWords::Kept, 1, "THE  cat\tsees, the cat!"), "{form}");
            assert!(a.iter().all(|value| !b.contains(value)), "{form}");
            if form.has_words() {
                assert!(a.len() == 5 && a[0] == a[3] && a[1] == a[4] && a[1] != a[2], "{form}");
            }
        }
    }

    #[test]
    fn common_words_are_left_out() {
        assert!(COMMON.is_sorted());
        for form in Canonical::ALL.into_iter().filter(|form| form.has_words()) {
            let short =
                read(form, CommonWords::Removed, 1, "The cat and the dog are at THEIR house");
            assert_eq!(short, read(form, CommonWords::Kept, 1, "cat dog house"), "{form}");
        }
    }

    #[test]
    fn letters_are_tokens() {
        let text = "Ab, ä!";
        assert_eq!(read(Canonical::Letters, CommonWords::Kept, 1, text).len(), 3);
        let mail = read(Canonical::MailLetters, CommonWords::Kept, 1, text);
        assert!(mail.len() == 3 && mail[0] == mail[2]);
    }
}

//! The identity of a token in matching: a class, or its own spelling.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// A token's canonical identity, the same on every platform and release.
///
/// Keywords, operators and words are their own spelling, hashed to 64 bits; identifiers, numbers and strings of code
/// are classes. There is no limit to the number of words: among a hundred million different ones, two share a symbol
/// with a probability of 1 in 3,700, where 32 bits would give a million such pairs. So scores and clusters may rest on
/// symbols alone. A test proves that no two spellings of the language tables collide; a prose match is compared again
/// by its folded text before it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::NoUninit)]
#[repr(transparent)]
pub struct Symbol(u64);

/// The bits of a symbol that show whether it is a character.
const TAG: u64 = 0xFFFF;

/// The writing of a script without spaces between words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// One character per morpheme: Han.
    Morphemes = 0,
    /// One character per syllable: kana, Bopomofo.
    Syllables = 1,
    /// One character per sound: Thai, Lao, Khmer, Myanmar.
    Sounds = 2,
}

impl Writing {
    /// All writings.
    pub const ALL: [Writing; 3] = [Writing::Morphemes, Writing::Syllables, Writing::Sounds];
}

impl Symbol {
    /// Separates two documents of a submission; in a match it is equal to nothing, not even to itself.
    pub const BREAK: Symbol = Symbol(0);
    /// A name that the author chose.
    pub const IDENTIFIER: Symbol = Symbol(1);
    /// A numeric literal.
    pub const NUMBER: Symbol = Symbol(2);
    /// A string, character or pattern literal.
    pub const STRING: Symbol = Symbol(3);
    /// Values below this are reserved for classes.
    pub(super) const FIRST_SPELLED: u64 = 16;

    /// Returns the symbol of something that is its own spelling, which the caller has folded.
    pub fn spelled(text: &[u8]) -> Symbol {
        let value = xxh3_64(text);
        Symbol(if value < Symbol::FIRST_SPELLED { value + Symbol::FIRST_SPELLED } else { value })
    }

    /// Returns the symbol of a character that is a token by itself, which the caller has folded.
    ///
    /// Its lowest 16 bits say how much of a word it is; one word in 65,536 has these bits by chance.
    pub fn character(text: &[u8], writing: Writing) -> Symbol {
        Symbol(Symbol::spelled(text).0 & !TAG | (TAG - writing as u64))
    }

    /// Returns the writing of its script without spaces, if this is a character of one.
    pub fn writing(self) -> Option<Writing> {
        let tag = TAG - (self.0 & TAG);
        Writing::ALL.into_iter().find(|&writing| writing as u64 == tag)
    }

    /// Returns whether this is a class, which has many spellings, or a break.
    pub fn is_class(self) -> bool {
        self.0 < Symbol::FIRST_SPELLED
    }

    /// Returns whether this spells a bracket or a separator, which can be added and left out freely.
    pub fn is_punctuation(self) -> bool {
        static PUNCTUATION: LazyLock<[Symbol; 9]> =
            LazyLock::new(|| b"(){}[];,.".map(|character| Symbol::spelled(&[character])));
        PUNCTUATION.contains(&self)
    }

    /// Returns the 64 bits that are hashed into grams.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Returns the values of many symbols, without a copy.
    pub fn values(symbols: &[Symbol]) -> &[u64] {
        bytemuck::cast_slice(symbols)
    }
}

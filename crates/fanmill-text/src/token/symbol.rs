//! What a token is called for matching: a class, or its own spelling.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// A token's canonical identity, the same on every platform and release.
///
/// Keywords, operators and words are their own spelling, hashed to 64 bits; identifiers,
/// numbers and strings of code are classes. Words are an open class: of a hundred million different
/// ones, two share a symbol with a probability of 1 in 3,700, where 32 bits would give a million such
/// pairs. So scores and clusters may rest on symbols alone. A test proves that no two spellings of the
/// language tables collide; a prose match is compared again by its folded text before it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::NoUninit)]
#[repr(transparent)]
pub struct Symbol(u64);

/// The bits of a symbol that say whether it is a character.
const TAG: u64 = 0xFFFF;

/// The writing of a script without spaces between words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// A character a morpheme: Han.
    Morphemes = 0,
    /// A character a syllable: kana, Bopomofo.
    Syllables = 1,
    /// A character a sound: Thai, Lao, Khmer, Myanmar.
    Sounds = 2,
}

impl Writing {
    /// All of them.
    pub const ALL: [Writing; 3] = [Writing::Morphemes, Writing::Syllables, Writing::Sounds];
}

impl Symbol {
    /// Stands between two documents of a submission; equal to nothing, not even to itself, in a match.
    pub const BREAK: Symbol = Symbol(0);
    /// A name that the author chose.
    pub const IDENTIFIER: Symbol = Symbol(1);
    /// A numeric literal.
    pub const NUMBER: Symbol = Symbol(2);
    /// A string, character or pattern literal.
    pub const STRING: Symbol = Symbol(3);
    /// Values below this are reserved for classes.
    pub(super) const FIRST_SPELLED: u64 = 16;

    /// The symbol of something that is its own spelling, which the caller has folded.
    pub fn spelled(text: &[u8]) -> Symbol {
        let value = xxh3_64(text);
        Symbol(if value < Symbol::FIRST_SPELLED { value + Symbol::FIRST_SPELLED } else { value })
    }

    /// The symbol of a character that is a token by itself, which the caller has folded.
    ///
    /// Its lowest 16 bits say how much of a word it is: of 65,536 words, one has such bits as well.
    pub fn character(text: &[u8], writing: Writing) -> Symbol {
        Symbol(Symbol::spelled(text).0 & !TAG | (TAG - writing as u64))
    }

    /// Returns the writing of its script without spaces, if this is a character of one.
    pub fn writing(self) -> Option<Writing> {
        let tag = TAG - (self.0 & TAG);
        Writing::ALL.into_iter().find(|&writing| writing as u64 == tag)
    }

    /// Whether this stands for many spellings, or for a break.
    pub fn is_class(self) -> bool {
        self.0 < Symbol::FIRST_SPELLED
    }

    /// Whether this spells a bracket or a separator, which are free to add and to leave out.
    pub fn is_punctuation(self) -> bool {
        static PUNCTUATION: LazyLock<[Symbol; 9]> =
            LazyLock::new(|| b"(){}[];,.".map(|character| Symbol::spelled(&[character])));
        PUNCTUATION.contains(&self)
    }

    /// The 64 bits that are hashed into grams.
    pub fn value(self) -> u64 {
        self.0
    }

    /// The values of many symbols, without a copy.
    pub fn values(symbols: &[Symbol]) -> &[u64] {
        bytemuck::cast_slice(symbols)
    }
}
